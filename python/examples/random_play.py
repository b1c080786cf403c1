"""Random play in a game of any rule sheet, in three ways: one state at a time, in a batch, and wholly in lanes.

    python examples/random_play.py [GAME]

Prints the mean utility of each role by each of them, with its standard error: they estimate the same.
"""

from __future__ import annotations

import sys

import numpy as np

import ggp


def one_at_a_time(game: ggp.Game, games: int) -> np.ndarray:
    """Utilities of random games: float64 ``[games, roles]``."""
    draws, utilities = np.random.default_rng(1), []
    for _ in range(games):
        state = game.initial()
        while not state.is_terminal:
            state = state.next([int(draws.choice(state.legal_actions(role))) for role in game.roles])
        utilities.append([state.goal(role) for role in game.roles])
    return np.array(utilities)


def in_a_batch(game: ggp.Game, games: int) -> np.ndarray:
    """The same, all games together: float64 ``[games, roles]``."""
    env = ggp.BatchEnv(game, games, seed=2, autoreset="disabled", random_role=False)
    utilities = np.zeros((games, len(env.roles)))
    while not env.terminations.all():
        utilities += env.step(env.sample()).rewards  # they are 0 but in the step that ends a game
    return utilities


def main(name: str) -> None:
    game = ggp.load(name)
    for way, utilities in (("one at a time", one_at_a_time(game, 200)), ("in a batch", in_a_batch(game, 10_000))):
        errors = utilities.std(axis=0, ddof=1) / np.sqrt(len(utilities))
        for role, mean, error in zip(game.roles, utilities.mean(axis=0), errors, strict=True):
            print(f"{way:15} {role:10} {mean:6.2f} ± {error:.2f}")
    for outcome in game.simulate(100_000, seed=3).roles:
        print(f"{'in lanes':15} {outcome.role:10} {outcome.mean:6.2f} ± {outcome.standard_error:.2f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tic_tac_toe")
