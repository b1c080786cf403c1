"""JAX: a game as pure functions of arrays, which `jit`, `vmap`, `scan` and any device of JAX take without a callback
(`pip install ggp[jax]`).

    >>> import jax, ggp.jax
    >>> env = ggp.jax.env("tic_tac_toe", 64)
    >>> def ply(state, key):
    ...     state, rewards, ended = env.step(state, env.sample(state, key))
    ...     return env.restart(state, ended), rewards
    >>> keys = jax.random.split(jax.random.key(0), 100)
    >>> state, rewards = jax.jit(lambda: jax.lax.scan(ply, env.initial(), keys))()
    >>> rewards.shape
    (100, 64, 2)

The gates of the network become bitwise operations on words of 32 games. XLA compiles them, which takes longer the more
there are; `env` refuses games with more than `most_gates`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ggp._circuit import LANES, Circuit
from ggp.errors import UsageError
from ggp.game import Game, as_game

__all__ = ["Env", "GameStates", "env"]


class GameStates(NamedTuple):
    """The states of `n` games."""

    bits: jax.Array
    """uint32 `[bits, words]`: game `i` is bit `i % 32` of word `i // 32`."""
    over: jax.Array
    """bool `[n]`: the games that are over. They keep their states until they are restarted."""


class Env:
    """Many games of one rule sheet as pure functions. Make one with `env`.

    Actions, masks and fluents are numbered as in `ggp.BatchEnv`; roles are all of the game, with `random`.

    Attributes:
        game: the game.
        n: the number of games.
        roles: the names of the roles.
        num_actions: the number of actions of each role.
        gates: the number of gates of the network.
    """

    def __init__(self, game: Game, n: int, circuit: Circuit) -> None:
        self.game, self.n, self._circuit = game, n, circuit
        self.roles = tuple(game.roles)
        self.num_actions = tuple(circuit.moves)
        self.gates = circuit.gates
        self._words = -(-n // LANES)

    def initial(self) -> GameStates:
        """All games in the initial state."""
        bits = np.zeros((self._circuit.bits, self._words), np.uint32)
        bits[self._circuit.initial] = 2**32 - 1
        # In NumPy: one operation of JAX for each gate would be compiled on its own.
        [over] = self._circuit.evaluate(list(bits), [self._circuit.terminal], np.zeros(self._words, np.uint32), _repeat)
        return GameStates(jnp.asarray(bits), jnp.full(self.n, bool(over[0] & 1)))

    def step(self, states: GameStates, actions: jax.Array) -> tuple[GameStates, jax.Array, jax.Array]:
        """Makes a move of each role in each game that is not over.

        An illegal action ends its game, with the reward NaN for all roles: a pure function raises nothing.

        Args:
            actions: integers `[n, roles]`.

        Returns:
            The next states; float32 `[n, roles]`, the utilities of the games that this step has ended (NaN where the
            rules define none) and 0 for all others; bool `[n]`, the games that this step has ended.
        """
        circuit, bits = self._circuit, states.bits
        masks = self.masks(states)
        chosen = [
            jnp.arange(count) == actions[:, role, None] for role, count in enumerate(self.num_actions)
        ]
        is_legal = jnp.stack([(mask & made).any(axis=1) for mask, made in zip(masks, chosen, strict=True)]).all(axis=0)
        moves = self._packed(jnp.concatenate(chosen, axis=1))
        following = jnp.stack(self._evaluate(bits, circuit.next, moves)) if circuit.bits else bits
        live = self._packed((~states.over & is_legal)[:, None])[0]
        following = (following & live) | (bits & ~live)
        [terminal] = self._evaluate(following, [circuit.terminal])
        is_over = states.over | ~is_legal | self._unpacked([terminal])[:, 0]
        ended = is_over & ~states.over
        rewards = jnp.where(is_legal[:, None], self._utilities(following), jnp.nan)
        return GameStates(following, is_over), jnp.where(ended[:, None], rewards, 0), ended

    def restart(self, states: GameStates, which: jax.Array) -> GameStates:
        """Puts the games where `which` (bool `[n]`) is true into the initial state."""
        initial, fresh = self.initial(), self._packed(which[:, None])[0]
        bits = (initial.bits & fresh) | (states.bits & ~fresh)
        return GameStates(bits, jnp.where(which, initial.over, states.over))

    def masks(self, states: GameStates) -> tuple[jax.Array, ...]:
        """For each role bool `[n, actions]`: its legal moves. What the rules say, in games that are over too."""
        wires = [wire for pair in self._circuit.legal for wire in pair]
        words = self._evaluate(states.bits, wires)
        legal = self._unpacked([guard & rest for guard, rest in zip(words[::2], words[1::2], strict=True)])
        ends = np.cumsum(self.num_actions)
        return tuple(legal[:, end - count : end] for end, count in zip(ends, self.num_actions, strict=True))

    def sample(self, states: GameStates, key: jax.Array) -> jax.Array:
        """Draws a legal action of each role in each game, each equally likely: int32 `[n, roles]`; 0 where there is
        none."""
        keys = jax.random.split(key, len(self.roles))
        drawn = []
        for mask, own in zip(self.masks(states), keys, strict=True):
            ranks = jnp.cumsum(mask, axis=1)
            rank = jax.random.uniform(own, (self.n,)) * ranks[:, -1]
            drawn.append(jnp.argmax(ranks > rank[:, None], axis=1))
        return jnp.stack(drawn, axis=1).astype(jnp.int32)

    def observe(self, states: GameStates) -> jax.Array:
        """bool `[n, fluents]`: the fluents that hold."""
        return self._unpacked(self._evaluate(states.bits, self._circuit.fluents))

    def _utilities(self, bits: jax.Array) -> jax.Array:
        """float32 `[n, roles]`: NaN where the rules define no utility, or several."""
        holds = self._unpacked(self._evaluate(bits, [wire for _, _, wire in self._circuit.goals]))
        utilities = []
        for role in range(len(self.roles)):
            own = [index for index, goal in enumerate(self._circuit.goals) if goal[0] == role]
            worths = [np.nan if (worth := self._circuit.goals[index][1]) is None else worth for index in own]
            held = holds[:, np.array(own, int)]
            sums = jnp.where(held, jnp.asarray(np.array(worths, np.float32)), 0).sum(axis=1)
            utilities.append(jnp.where(held.sum(axis=1) == 1, sums, jnp.nan))
        return jnp.stack(utilities, axis=1)

    def _evaluate(self, bits: jax.Array, wires: list[int], moves: jax.Array | None = None) -> list[jax.Array]:
        words = [*bits, *(() if moves is None else moves)]
        return self._circuit.evaluate(words, wires, jnp.zeros(self._words, jnp.uint32), _fixpoint)

    def _packed(self, values: jax.Array) -> jax.Array:
        """bool `[n, k]` as words, uint32 `[k, words]`."""
        padded = jnp.pad(values, ((0, self._words * LANES - self.n), (0, 0)))
        lanes = padded.reshape(self._words, LANES, -1).astype(jnp.uint32)
        places = jnp.arange(LANES, dtype=jnp.uint32)[:, None]
        return (lanes << places).sum(axis=1, dtype=jnp.uint32).T

    def _unpacked(self, words: list[jax.Array]) -> jax.Array:
        """Words as bool `[n, k]`."""
        if not words:
            return jnp.zeros((self.n, 0), bool)
        lanes = jnp.stack(words, axis=1)[:, None, :] >> jnp.arange(LANES, dtype=jnp.uint32)[:, None]
        return (lanes & 1).astype(bool).reshape(self._words * LANES, -1)[: self.n]


def env(game: Game | str | os.PathLike[str], n: int, *, most_gates: int = 2_000) -> Env:
    """Many games of one rule sheet as pure functions of arrays.

    Args:
        game: the game, or what `ggp.load` takes.
        n: the number of games; best a multiple of 32.
        most_gates: the size of networks up to which functions are made.

    Raises:
        LimitReached: if the network has more gates; the message has their number.
        NoNetwork: if the game has no network.
    """
    if n < 1:
        raise UsageError(f"one game or more, not {n}")
    loaded = as_game(game)
    return Env(loaded, n, Circuit.of(loaded, most_gates))


def _repeat(step: Callable[[list[Any]], list[Any]], words: list[Any]) -> list[Any]:
    """The fixpoint of words of NumPy."""
    while True:
        after = step(words)
        if all((one == other).all() for one, other in zip(after, words, strict=True)):
            return after
        words = after


def _fixpoint(step: Callable[[list[Any]], list[Any]], start: list[Any]) -> list[Any]:
    def advance(carried: tuple[list[Any], Any]) -> tuple[list[Any], Any]:
        words = step(carried[0])
        return words, (jnp.stack(words) != jnp.stack(carried[0])).any()

    return jax.lax.while_loop(lambda carried: carried[1], advance, (start, jnp.asarray(True)))[0]  # type: ignore[no-any-return]
