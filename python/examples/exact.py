"""Judges policies by the exact values of every state, which `Game.solve` computes. Used by the examples that learn."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ggp

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]
"""From observations float32 `[n, fluents]` and masks bool `[n, actions]` to actions `[n]`."""


@dataclass(frozen=True)
class Exact:
    """States of a game for two players by turns in which the mover's moves differ in value."""

    observations: NDArray[np.float32]
    """`[n, fluents]`."""
    masks: NDArray[np.bool_]
    """`[n, actions]`: the legal actions of the mover."""
    best: NDArray[np.bool_]
    """`[n, actions]`: those that keep the value of the state."""

    def share(self, policy: Policy) -> float:
        """The share of the states in which a policy chooses a move that keeps the value."""
        return float(self.best[np.arange(len(self.best)), policy(self.observations, self.masks)].mean())

    @property
    def of_chance(self) -> float:
        """The expected share of random play."""
        return float((self.best.sum(axis=1) / self.masks.sum(axis=1)).mean())


def solve(game: ggp.Game, *, states: int = 1000, seed: int = 0) -> Exact:
    """Solves a game, and draws states among those that matter: with two moves or more, not all of the same value.

    Args:
        states: how many; all that there are, if they are fewer.
    """
    rng = np.random.default_rng(seed)
    values, movers = _table(game)
    found: list[tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]] = []
    for key in rng.permutation(np.array(list(movers))):
        state = game.state(key.split(" "), reached=True)
        role = movers[key]
        legal, worth = state.legal_actions(role), values[key][role]
        keeps = [values[" ".join(state.next({role: int(action)}).facts)][role] == worth for action in legal]
        if all(keeps):
            continue
        mask, best = np.zeros((2, len(game.actions(role))), np.bool_)
        mask[legal] = True
        best[legal] = keeps
        found.append((state.observation(), mask, best))
        if len(found) == states:
            break
    observations, masks, best = (np.stack(rows) for rows in zip(*found, strict=True))
    return Exact(observations.astype(np.float32), masks, best)


def _table(game: ggp.Game) -> tuple[dict[str, dict[int, float]], dict[str, int]]:
    """By the facts of each state: the utility of each role, and the role to move where the game is not over."""
    values, movers = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.csv"
        game.solve(policy=file)
        with file.open(newline="") as rows:
            for row in csv.DictReader(rows):
                values[row["state"]] = {index: float(row[role]) for index, role in enumerate(game.roles)}
                if row["role"]:
                    movers[row["state"]] = game.roles.index(row["role"])
    return values, movers
