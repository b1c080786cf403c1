"""The part that the adapters share: the roles that are asked in a state, their observations, and their rewards."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import ggp
from ggp._views import RANDOM, views_of
from ggp.errors import UsageError
from ggp.game import as_game

__all__ = ["IDLE", "RANDOM", "Illegal", "Observation", "Rewards", "Seats"]

IDLE = ("noop",)
"""The terms of moves that mean waiting for the others."""

Observation = Literal["bool", "float32", "planes"]
Rewards = Literal["raw", "scaled"]
Illegal = Literal["error", "loss"]


class Seats:
    """A game as the adapters see it.

    A role is *asked* in a state unless its only legal move is one of the terms `idle`. So players of games by turns
    are asked by turns, and simultaneous moves ask all roles that have something to do.

    Args:
        game: a game, or what `ggp.load` takes.
        observation: `"bool"` (fluents as int8 0 or 1), `"float32"` (the same as floats) or `"planes"` (the
            board, float32 `[C, H, W]`; a `UsageError` where the game has no board).
        hidden: whether a role observes only what it knows, in games with rules for `sees`: the features of
            `BatchEnv.features` in place of fluents.
        rewards: `"raw"`, the utility, or `"scaled"`, from `game.utility_range` (mostly 0 to 100) to -1 to 1.
        idle: terms of moves that mean waiting.
    """

    def __init__(
        self,
        game: ggp.Game | str | os.PathLike[str],
        *,
        observation: Observation = "bool",
        rewards: Rewards = "scaled",
        idle: Collection[str] = IDLE,
        hidden: bool = True,
    ) -> None:
        self.game = as_game(game)
        _check("observation", observation, ("bool", "float32", "planes"))
        _check("rewards", rewards, ("raw", "scaled"))
        self._board = self.game.board if observation == "planes" else None
        if observation == "planes" and self._board is None:
            raise UsageError(f"{self.game.name} has no board, so it has no planes: use observation='bool' or 'float32'")
        self.views = views_of(self.game) if hidden and self.game.has_percepts else None
        if self.views is not None and self._board is not None:
            self._board = self.views.board(self._board)
        self.observation: Observation = observation
        self.rewards: Rewards = rewards
        self.roles = list(self.game.roles)
        self.players = [role for role in self.roles if role != RANDOM]
        self.counts = {role: len(self.game.actions(role)) for role in self.roles}
        self.idle = {role: self._numbers(role, idle) for role in self.roles}

    def _numbers(self, role: str, terms: Collection[str]) -> NDArray[np.int64]:
        actions = self.game.actions(role)
        return np.array([number for number, term in enumerate(actions) if term in terms], dtype=np.int64)

    def role(self, role: str | None) -> str:
        """`role`, or the first player; a `UsageError` if the game has no such player."""
        if role is None:
            return self.players[0]
        if role not in self.players:
            raise UsageError(f"{self.game.name} has no player {role!r}; it has {', '.join(self.players)}")
        return role

    def mask(self, state: ggp.State, role: str) -> NDArray[np.bool_]:
        """The legal actions of a role: bool `[actions]`, all False at the end of the game."""
        mask = np.zeros(self.counts[role], dtype=np.bool_)
        if not state.is_terminal:
            mask[state.legal_actions(role)] = True
        return mask

    def is_asked(self, role: str, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """For each row of `masks` (bool `[n, actions]`) whether the role has more to do than wait: bool `[n]`."""
        legal = masks.sum(axis=1)
        waits = masks[:, self.idle[role]].any(axis=1)
        waiting: NDArray[np.bool_] = (legal == 0) | ((legal == 1) & waits)
        return ~waiting

    def asked(self, state: ggp.State) -> list[str]:
        """The players that have more to do than wait, in the order of the roles; none at the end of the game."""
        if state.is_terminal:
            return []
        return [role for role in self.players if self._acts(role, state.legal_actions(role))]

    def _acts(self, role: str, legal: list[int]) -> bool:
        return len(legal) > 1 or (len(legal) == 1 and legal[0] not in self.idle[role])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        if self._board is not None:
            return self._board.shape
        return (len(self.game.fluents if self.views is None else self.views.features),)

    def features(self, state: ggp.State, role: str | None = None) -> NDArray[Any]:
        """The observation of a state: int8 or float32 `[fluents]`, or float32 `[C, H, W]`; of what a role knows, if the
        game hides something. There an observation without a role is all zeros."""
        if self.views is None:
            held = state.observation()
        else:
            held = self.views.encode(() if role is None else state.view(role))
        if self._board is None:
            return held.astype(np.int8 if self.observation == "bool" else np.float32)
        planes = np.zeros(self._board.shape, dtype=np.float32)
        flat = planes.reshape(-1)
        for index in np.flatnonzero(held):
            first, count = self._board.entries[index]
            flat[first : first + count] = 1.0
        return planes

    def entries(self) -> tuple[int, list[list[tuple[int, int]]]] | None:
        """The size of a row of what roles know, and for each role and each fluent of `views.game` its entries; `None` if
        observations show the state."""
        if self.views is None:
            return None
        return int(np.prod(self.shape)), self.views.entries(self.roles, self._board)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest reward at the end of a game."""
        return (-1.0, 1.0) if self.rewards == "scaled" else self.game.utility_range

    def scaled(self, utilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Utilities as rewards."""
        if self.rewards == "raw":
            return utilities
        least, most = self.game.utility_range
        return (utilities - least) * (2.0 / (most - least)) - 1.0

    @property
    def loss(self) -> float:
        """The reward of an illegal action that ends the game: the least reward of an end."""
        return self.range[0]

    def outcome(self, state: ggp.State, role: str) -> float:
        """The reward of a role in a terminal state; NaN if the rules define no goal value for it there."""
        utility = state.goals[role]
        return float(self.scaled(np.array(np.nan if utility is None else utility, dtype=np.float64)))


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, allowed))}")
