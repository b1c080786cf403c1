"""torch: a game as pure functions of tensors on any device of torch (`pip install ggp[torch]`).

    >>> import torch, ggp.torch
    >>> env = ggp.torch.env("tic_tac_toe", 64)
    >>> states = env.initial()
    >>> states, rewards, ended = env.step(states, env.sample(states))
    >>> rewards.shape
    torch.Size([64, 2])

The gates of the network become bitwise operations on words of 32 games, as in `ggp.jax`. Each operation is computed on its
own, or all together in a function of `torch.compile`, which takes longer the more gates there are; `env` refuses games with
more than `most_gates`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ggp._functional import FunctionalEnv, GameStates, repeat
from ggp.game import Game, as_game

__all__ = ["Env", "GameStates", "env"]


class Env(FunctionalEnv):
    """Many games of one rule sheet as pure functions of tensors. Make one with `env`.

    Attributes:
        device: the device of all tensors.
    """

    def __init__(self, game: Game, n: int, most_gates: int, device: torch.device | str, hidden: bool) -> None:
        super().__init__(game, n, most_gates, torch, torch.int32, hidden)
        self.device = torch.device(device)

    def sample(self, states: GameStates, generator: torch.Generator | None = None) -> torch.Tensor:
        """Draws a legal action of each role in each game, each equally likely: int32 `[n, roles]`; 0 where there is
        none. Without a generator it draws from that of torch, and is not a pure function."""
        uniform = torch.rand((self.n, len(self.roles)), generator=generator, device=self.device)
        return self._drawn(states, uniform)

    def _array(self, values: NDArray[Any]) -> torch.Tensor:
        # torch has no operations on uint32; int32 has the same bits.
        return torch.asarray(values.view(np.int32) if values.dtype == np.uint32 else values, device=self.device)

    def _cast(self, values: torch.Tensor, kind: Any) -> torch.Tensor:
        return values.to(kind)

    def _fixpoint(self, step: Callable[[list[Any]], list[Any]], start: list[Any]) -> list[Any]:
        return repeat(step, start)


def env(
    game: Game | str | os.PathLike[str],
    n: int,
    *,
    device: torch.device | str = "cpu",
    most_gates: int = 2_000,
    hidden: bool = True,
) -> Env:
    """Many games of one rule sheet as pure functions of tensors.

    Args:
        game: the game, or what `ggp.load` takes.
        n: the number of games; best a multiple of 32.
        device: the device of all tensors.
        most_gates: the size of networks up to which functions are made.
        hidden: whether observations are what a role knows, in games with rules for `sees`. False shows the whole state.

    Raises:
        LimitReached: if the network has more gates; the message has their number.
        NoNetwork: if the game has no network.
    """
    return Env(as_game(game), n, most_gates, device, hidden)
