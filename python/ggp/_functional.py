"""A game as pure functions of arrays: what `ggp.jax` and `ggp.torch` share, written in the names that NumPy, JAX and torch
have in common.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp._circuit import LANES, Circuit
from ggp._views import views_of
from ggp.errors import UsageError
from ggp.game import Game

Array = Any
"""An array of the library: of JAX or of torch."""


class GameStates(NamedTuple):
    """The states of `n` games."""

    bits: Array
    """Words of 32 bits `[bits, words]`, uint32 in JAX and int32 in torch: game `i` is bit `i % 32` of word `i // 32`."""
    over: Array
    """bool `[n]`: the games that are over. They keep their states until they are restarted."""


class FunctionalEnv(ABC):
    """Many games of one rule sheet as pure functions.

    Actions, masks and fluents are numbered as in `ggp.BatchEnv`; roles are all of the game, with `random`.

    Attributes:
        game: the game.
        n: the number of games.
        roles: the names of the roles.
        num_actions: the number of actions of each role.
        gates: the number of gates of the network.
        features: the bits of what a role knows, as in `ggp.BatchEnv.features`; empty where `observe` shows the state.
    """

    def __init__(self, game: Game, n: int, most_gates: int, library: ModuleType, word: Any, hidden: bool) -> None:
        if n < 1:
            raise UsageError(f"one game or more, not {n}")
        self._views = views_of(game) if hidden and game.has_percepts else None
        self.features = () if self._views is None else self._views.features
        circuit = Circuit.of(game if self._views is None else self._views.game, most_gates)
        self.game, self.n, self._circuit = game, n, circuit
        self.roles = tuple(game.roles)
        self.num_actions = tuple(circuit.moves)
        self.gates = circuit.gates
        self._words = -(-n // LANES)
        self._library, self._word = library, word

    @abstractmethod
    def _array(self, values: NDArray[Any]) -> Array:
        """An array of NumPy as one of the library, on the device; uint32 as words."""

    @abstractmethod
    def _cast(self, values: Array, kind: Any) -> Array:
        """The values in another type of the library."""

    @abstractmethod
    def _fixpoint(self, step: Callable[[list[Array]], list[Array]], start: list[Array]) -> list[Array]:
        """Repeats a function on words until it changes none of them."""

    def initial(self) -> GameStates:
        """All games in the initial state."""
        bits = np.zeros((self._circuit.bits, self._words), np.uint32)
        bits[self._circuit.initial] = 2**32 - 1
        # In NumPy: one operation of the library for each gate would be compiled on its own.
        [over] = self._circuit.evaluate(list(bits), [self._circuit.terminal], np.zeros(self._words, np.uint32), repeat)
        return GameStates(self._array(bits), self._array(np.full(self.n, bool(over[0] & 1))))

    def step(self, states: GameStates, actions: Array) -> tuple[GameStates, Array, Array]:
        """Makes a move of each role in each game that is not over.

        An illegal action ends its game, with the reward NaN for all roles: a pure function raises nothing.

        Args:
            actions: integers `[n, roles]`.

        Returns:
            The next states; float32 `[n, roles]`, the utilities of the games that this step has ended (NaN where the
            rules define none) and 0 for all others; bool `[n]`, the games that this step has ended.
        """
        library, circuit, bits = self._library, self._circuit, states.bits
        masks = self.masks(states)
        chosen = [
            self._array(np.arange(count)) == actions[:, role, None] for role, count in enumerate(self.num_actions)
        ]
        legal = [(mask & made).any(axis=1) for mask, made in zip(masks, chosen, strict=True)]
        is_legal = library.stack(legal).all(axis=0)
        moves = self._packed(library.concat(chosen, axis=1))
        following = library.stack(self._evaluate(bits, circuit.next, moves)) if circuit.bits else bits
        live = self._packed((~states.over & is_legal)[:, None])[0]
        following = (following & live) | (bits & ~live)
        [terminal] = self._evaluate(following, [circuit.terminal])
        is_over = states.over | ~is_legal | self._unpacked([terminal])[:, 0]
        ended = is_over & ~states.over
        rewards = library.where(is_legal[:, None], self._utilities(following), np.nan)
        return GameStates(following, is_over), library.where(ended[:, None], rewards, 0.0), ended

    def restart(self, states: GameStates, which: Array) -> GameStates:
        """Puts the games where `which` (bool `[n]`) is true into the initial state."""
        initial, fresh = self.initial(), self._packed(which[:, None])[0]
        bits = (initial.bits & fresh) | (states.bits & ~fresh)
        return GameStates(bits, (which & initial.over) | (~which & states.over))

    def masks(self, states: GameStates) -> tuple[Array, ...]:
        """For each role bool `[n, actions]`: its legal moves. What the rules say, in games that are over too."""
        wires = [wire for pair in self._circuit.legal for wire in pair]
        words = self._evaluate(states.bits, wires)
        legal = self._unpacked([guard & rest for guard, rest in zip(words[::2], words[1::2], strict=True)])
        ends = np.cumsum(self.num_actions).tolist()
        return tuple(legal[:, end - count : end] for end, count in zip(ends, self.num_actions, strict=True))

    def observe(self, states: GameStates, role: str | None = None) -> Array:
        """bool `[n, fluents]`: the fluents that hold. In games with rules for `sees`, bool `[n, features]`: what a role
        knows.

        Raises:
            UsageError: if a role is missing there, or given elsewhere.
        """
        held = self._unpacked(self._evaluate(states.bits, self._circuit.fluents))
        if (self._views is None) != (role is None) or (self._views is not None and role not in self._views.owners):
            raise UsageError(f"a role is named where roles do not see the state, and there alone; it is {role!r}")
        if self._views is None or role is None:
            return held
        owned = self._views.owners[role]
        fluent_of = np.zeros(len(self.features), np.int64)
        fluent_of[owned[owned >= 0]] = np.flatnonzero(owned >= 0)
        is_own = np.isin(np.arange(len(self.features)), owned)
        return held[:, self._array(fluent_of)] & self._array(is_own)

    def _drawn(self, states: GameStates, uniform: Array) -> Array:
        """A legal action of each role in each game by numbers from 0 to 1, float32 `[n, roles]`; 0 where there is none."""
        drawn = []
        for role, mask in enumerate(self.masks(states)):
            ranks = mask.cumsum(axis=1)
            count = ranks[:, -1:]
            below = (ranks <= uniform[:, role, None] * count).sum(axis=1)
            drawn.append(below * (count[:, 0] > 0))
        return self._cast(self._library.stack(drawn, axis=1), self._library.int32)

    def _utilities(self, bits: Array) -> Array:
        """float32 `[n, roles]`: NaN where the rules define no utility, or several."""
        holds = self._unpacked(self._evaluate(bits, [wire for _, _, wire in self._circuit.goals]))
        utilities = []
        for role in range(len(self.roles)):
            own = [index for index, goal in enumerate(self._circuit.goals) if goal[0] == role]
            worths = [np.nan if (worth := self._circuit.goals[index][1]) is None else worth for index in own]
            held = holds[:, np.array(own, int)]
            sums = self._library.where(held, self._array(np.array(worths, np.float32)), 0.0).sum(axis=1)
            utilities.append(self._library.where(held.sum(axis=1) == 1, sums, np.nan))
        return self._library.stack(utilities, axis=1)

    def _evaluate(self, bits: Array, wires: list[int], moves: Array | None = None) -> list[Array]:
        words = [*bits, *(() if moves is None else moves)]
        zero = self._array(np.zeros(self._words, np.uint32))
        return self._circuit.evaluate(words, wires, zero, self._fixpoint)

    def _packed(self, values: Array) -> Array:
        """bool `[n, k]` as words `[k, words]`."""
        rest = self._array(np.zeros((self._words * LANES - self.n, values.shape[1]), np.bool_))
        padded = self._library.concat([values, rest], axis=0)
        lanes = self._cast(padded, self._word).reshape(self._words, LANES, -1)
        return (lanes << self._places()).sum(axis=1, dtype=self._word).T

    def _unpacked(self, words: list[Array]) -> Array:
        """Words as bool `[n, k]`."""
        if not words:
            return self._array(np.zeros((self.n, 0), np.bool_))
        lanes = self._library.stack(words, axis=1)[:, None, :] >> self._places()
        return ((lanes & 1) != 0).reshape(self._words * LANES, -1)[: self.n]

    def _places(self) -> Array:
        """The place of each game in a word, `[32, 1]`."""
        return self._array(np.arange(LANES, dtype=np.uint32)[:, None])


def repeat(step: Callable[[list[Array]], list[Array]], words: list[Array]) -> list[Array]:
    """The fixpoint of words whose values are at hand: of NumPy, and of torch outside of compiled functions."""
    while True:
        after = step(words)
        if all((one == other).all() for one, other in zip(after, words, strict=True)):
            return after
        words = after
