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
from typing import Any

import jax
import jax.numpy as jnp
from numpy.typing import NDArray

from ggp._functional import FunctionalEnv, GameStates
from ggp.game import Game, as_game

__all__ = ["Env", "GameStates", "env"]


class Env(FunctionalEnv):
    """Many games of one rule sheet as pure functions of arrays of JAX. Make one with `env`."""

    def __init__(self, game: Game, n: int, most_gates: int, hidden: bool) -> None:
        super().__init__(game, n, most_gates, jnp, jnp.uint32, hidden)

    def sample(self, states: GameStates, key: jax.Array) -> jax.Array:
        """Draws a legal action of each role in each game, each equally likely: int32 `[n, roles]`; 0 where there is
        none."""
        return self._drawn(states, jax.random.uniform(key, (self.n, len(self.roles))))

    def _array(self, values: NDArray[Any]) -> jax.Array:
        return jnp.asarray(values)

    def _cast(self, values: jax.Array, kind: Any) -> jax.Array:
        return values.astype(kind)

    def _fixpoint(self, step: Callable[[list[Any]], list[Any]], start: list[Any]) -> list[Any]:
        def advance(carried: tuple[list[Any], Any]) -> tuple[list[Any], Any]:
            words = step(carried[0])
            return words, (jnp.stack(words) != jnp.stack(carried[0])).any()

        return jax.lax.while_loop(lambda carried: carried[1], advance, (start, jnp.asarray(True)))[0]  # type: ignore[no-any-return]


def env(game: Game | str | os.PathLike[str], n: int, *, most_gates: int = 2_000, hidden: bool = True) -> Env:
    """Many games of one rule sheet as pure functions of arrays.

    Args:
        game: the game, or what `ggp.load` takes.
        n: the number of games; best a multiple of 32.
        most_gates: the size of networks up to which functions are made.
        hidden: whether observations are what a role knows, in games with rules for `sees`. False shows the whole state.

    Raises:
        LimitReached: if the network has more gates; the message has their number.
        NoNetwork: if the game has no network.
    """
    return Env(as_game(game), n, most_gates, hidden)
