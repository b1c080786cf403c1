"""One match in which agents make the moves of all players: what the environments of several agents share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import ggp
from ggp._draws import Draws
from ggp._seats import RANDOM, Seats


class Match:
    """A state that goes on when all players that are asked have moved. Moves of `random` are drawn here.

    Args:
        seats: the game.

    Attributes:
        state: the current state.
        asked: the players that have to move, in the order of the roles; empty when the game has ended.
        cycles: how many plies have been played in which a player was asked.
    """

    def __init__(self, seats: Seats) -> None:
        self.seats = seats
        self.state: ggp.State = seats.game.initial()
        self.asked: list[str] = []
        self.cycles = 0
        self._draws: Draws | None = None

    def restart(self, seed: int | None) -> None:
        """Begins a match; `seed` is that of chance, and without it its stream goes on."""
        if seed is not None or self._draws is None:
            entropy = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
            self._draws = Draws([entropy if seed is None else seed])
        self.state, self.cycles = self.seats.game.initial(), 0
        self._wait()

    def play(self, chosen: Mapping[str, int]) -> None:
        """Makes one ply, and those after it in which no player is asked.

        Args:
            chosen: the actions of the players; those that are not asked wait, whether they are named or not.
        """
        self._ply(chosen)
        self.cycles += 1
        self._wait()

    def is_legal(self, role: str, action: int) -> bool:
        """True if the number is that of a legal action of the role."""
        return 0 <= action < self.seats.counts[role] and bool(self.seats.mask(self.state, role)[action])

    def _wait(self) -> None:
        self.asked = self.seats.asked(self.state)
        while not self.asked and not self.state.is_terminal:
            self._ply({})
            self.asked = self.seats.asked(self.state)

    def _ply(self, chosen: Mapping[str, int]) -> None:
        self.state = self.state.next([self._move(role, chosen) for role in self.seats.roles])

    def _move(self, role: str, chosen: Mapping[str, int]) -> int:
        if role in chosen:
            return chosen[role]
        mask = self.seats.mask(self.state, role)
        if role == RANDOM:
            assert self._draws is not None
            return int(self._draws.choose(mask[None, :], np.ones(1, dtype=np.bool_))[0])
        return int(np.argmax(mask))
