"""Streams of random choices among legal actions, one for each game of a batch.

A stream depends on its seed alone, not on how many streams stand beside it, so one game and a batch of games make the
same choices from the same seeds. The extension has the same streams for `GgpVectorEnv`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_WORD = (1 << 64) - 1


def _mixed(counters: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of SplitMix64 (Steele, Lea and Flood, 2014)."""
    with np.errstate(over="ignore"):
        bits = (counters ^ (counters >> np.uint64(30))) * _MULTIPLIERS[0]
        bits = (bits ^ (bits >> np.uint64(27))) * _MULTIPLIERS[1]
    return bits ^ (bits >> np.uint64(31))


class Draws:
    """`len(seeds)` independent generators SplitMix64.

    Args:
        seeds: one integer for each stream; only its lowest 64 bits count.
    """

    def __init__(self, seeds: Sequence[int]) -> None:
        words = np.array([seed & _WORD for seed in seeds], dtype=np.uint64)
        self._counters = _mixed(words + _STEP)

    def choose(self, masks: NDArray[np.bool_], which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Chooses uniformly among the legal actions of each game.

        Each of c actions has the probability 1/c, up to a rounding below 2**-32.

        Args:
            masks: bool `[n, actions]`, True for legal actions. A row without any gives action 0.
            which: bool `[n]`, the games that choose; the streams of the others stay as they are.

        Returns:
            int64 `[n]`: numbers of actions; 0 for games that do not choose.
        """
        self._counters[which] += _STEP
        words = _mixed(self._counters) >> np.uint64(32)
        sums = np.cumsum(masks, axis=1, dtype=np.uint64)
        ranks = (words * sums[:, -1]) >> np.uint64(32)
        chosen = np.argmax(sums > ranks[:, None], axis=1)
        return np.where(which, chosen, 0)
