"""Monte Carlo tree search in many states at once, guided by priors and values of a function: `Game.mcts_batch`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ggp._ggp import State, Trees, check_memory
from ggp.errors import ShapeError, UsageError, warn

if TYPE_CHECKING:
    from ggp.game import Game

Evaluate = Callable[
    [NDArray[np.float32], tuple[NDArray[np.bool_], ...]],
    tuple[Sequence[ArrayLike], ArrayLike],
]
"""Called with observations float32 `[k, …]` and for each role the mask of its legal actions, bool `[k, actions]`.
Returns for each role priors `[k, actions]` and for each state and role a value, `[k, roles]`, from -1 to 1."""


@dataclass(frozen=True)
class Searched:
    """Result of a search in several states. Rows are states."""

    visits: tuple[NDArray[np.int64], ...]
    """For each role int64 `[n, actions]`: how often the search selected each action."""
    values: NDArray[np.float32]
    """float32 `[n, roles]`: the mean value, from -1 for the least utility to 1 for the greatest."""

    @property
    def actions(self) -> NDArray[np.int64]:
        """int64 `[n, roles]`: the most visited action of each role; of equal ones the first."""
        return np.stack([visits.argmax(axis=1) for visits in self.visits], axis=1)

    def policy(self, role: int) -> NDArray[np.float32]:
        """float32 `[n, actions]`: the shares of a role's actions in the visits, which networks are trained on."""
        visits = self.visits[role].astype(np.float32)
        total = visits.sum(axis=1, keepdims=True)
        shares: NDArray[np.float32] = np.divide(visits, total, out=np.zeros_like(visits), where=total > 0)
        return shares


def search(
    game: Game,
    states: Sequence[State],
    evaluate: Evaluate,
    *,
    visits: int,
    exploration: float,
    noise: tuple[float, float] | None,
    observation: str,
    seed: int,
) -> Searched:
    """As `Game.mcts_batch`."""
    if visits < 2:
        raise UsageError(f"the first visit evaluates the state itself: 2 visits or more, not {visits}")
    if visits >= 2**32:
        raise UsageError(f"a tree counts fewer than 2**32 visits, not {visits}")
    if noise is not None:
        share, concentration = noise
        if not (0 <= share <= 1 and 0 < concentration < np.inf):
            raise UsageError(f"noise is a share from 0 to 1 and a concentration above 0, not {noise}")
    if game.has_percepts:
        warn("the roles of this game see only what `sees` tells them; this search and its function see the whole state")
    shape, entries = _form(game, observation)
    n, size = len(states), int(np.prod(shape))
    actions = sum(len(game.actions(role)) for role in game.roles)
    check_memory(f"the arrays of {n} trees", n * (8 * size + 16 * actions + 8 * len(game.roles)))
    trees = Trees(game, list(states), exploration=exploration, seed=seed, size=size, entries=entries)
    masks = tuple(np.zeros((n, moves), np.bool_) for moves in trees.moves)
    priors = tuple(np.zeros((n, moves), np.float32) for moves in trees.moves)
    observations, values = np.zeros((n, size), np.float32), np.zeros((n, len(game.roles)), np.float32)
    waiting = np.zeros(n, np.bool_)
    rng = np.random.default_rng(seed)
    for visit in range(visits):
        trees.select(observations, masks, waiting)
        rows = np.flatnonzero(waiting)
        if not len(rows):
            continue
        legal = tuple(mask[rows] for mask in masks)
        found, worths = evaluate(observations[rows].reshape(-1, *shape), legal)
        if len(found) != len(priors):
            raise ShapeError(f"priors for each of {len(priors)} roles, not for {len(found)}")
        for role, (own, given, mask) in enumerate(zip(priors, found, legal, strict=True)):
            own[rows] = _shaped(f"priors of role {role}", given, mask.shape)
            if visit == 0 and noise is not None:
                own[rows] = _noisy(own[rows], mask, noise, rng)
        values[rows] = _shaped("values", worths, (len(rows), values.shape[1]))
        trees.evaluate(priors, values)
    counts = tuple(np.zeros((n, moves), np.int64) for moves in trees.moves)
    for role, count in enumerate(counts):
        trees.write_visits(role, count)
    trees.write_values(values)
    return Searched(counts, values)


def _form(game: Game, observation: str) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """The shape of an observation, and for each fluent its entries in it: the first and their number."""
    if observation == "float32":
        fluents = len(game.fluents)
        return (fluents,), [(index, 1) for index in range(fluents)]
    if observation != "planes":
        raise UsageError(f"observation is one of 'float32', 'planes', not {observation!r}")
    board = game.board
    if board is None:
        raise UsageError(f"{game.name} has no board, so its observations cannot be planes")
    return board.shape, list(board.entries)


def _shaped(name: str, given: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float32]:
    found = np.asarray(given, np.float32)
    if found.shape != shape:
        raise ShapeError(f"{name} must have the shape {shape}, and have {found.shape}")
    return found


def _noisy(
    priors: NDArray[np.float32],
    mask: NDArray[np.bool_],
    noise: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Priors of legal actions, mixed with Dirichlet noise."""
    share, concentration = noise
    drawn = np.where(mask, rng.standard_gamma(concentration, mask.shape), 0)
    drawn /= np.maximum(drawn.sum(axis=1, keepdims=True), 1e-30)
    own = np.where(mask, priors, 0)
    own /= np.maximum(own.sum(axis=1, keepdims=True), 1e-30)
    return ((1 - share) * own + share * drawn).astype(np.float32)
