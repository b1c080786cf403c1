"""What roles know, as arrays: the features of views, which adapters and batches share.

A feature is a bit: a move that a role has made, or a percept that it has had, in the last joint move or in any so far.
All players have the same features, so that one network serves them all; those of another player's moves and percepts
are 0.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp._ggp import with_views
from ggp.game import Board, Game
from ggp.hidden import ViewStep

RANDOM = "random"
"""The role of chance in GDL-II: its moves are drawn, no agent makes them."""

_SPANS = ("ever", "last")
_MOST_OFF_BOARD = 8
"""Relations with more terms than this that stand on no square have no planes, as in `Game.board`."""


@dataclass(frozen=True)
class Views:
    """The features of what the roles of a game know."""

    game: Game
    """The game with what roles know as facts of its states; moves and utilities are those of the game."""
    features: tuple[str, ...]
    """The features in order: `ever did(M)`, `ever saw(P)`, `last did(M)` and `last saw(P)` with a move or a percept."""
    numbers: dict[str, int]
    """The index of each feature."""
    owners: dict[str, NDArray[np.int64]]
    """For each role and each fluent of `game`, the feature that it is; -1 if it is none of the role."""
    fluents: frozenset[str]
    """The fluents of `game` that stand for what roles know."""

    @property
    def percepts(self) -> tuple[str, ...]:
        """The terms of all percepts, in canonical order."""
        return tuple(feature[len("last saw(") : -1] for feature in self.features if feature.startswith("last saw("))

    @property
    def percept_columns(self) -> NDArray[np.int64]:
        """The features that are percepts of the last joint move."""
        columns = [index for index, feature in enumerate(self.features) if feature.startswith("last saw(")]
        return np.array(columns, np.int64)

    def encode(self, view: Sequence[ViewStep]) -> NDArray[np.bool_]:
        """The features of a view: bool `[features]`."""
        held = np.zeros(len(self.features), np.bool_)
        for position, step in enumerate(view):
            spans = _SPANS if position == len(view) - 1 else _SPANS[:1]
            for what in (f"did({step.move})", *(f"saw({percept})" for percept in step.percepts)):
                for span in spans:
                    held[self.numbers[f"{span} {what}"]] = True
        return held

    def entries(self, roles: Sequence[str], board: Board | None = None) -> list[list[tuple[int, int]]]:
        """For each role and each fluent of `game`, its entries in a row of features or of planes: the first, and their
        number."""
        of_feature = [(index, 1) for index in range(len(self.features))] if board is None else list(board.entries)
        return [[of_feature[feature] if feature >= 0 else (0, 0) for feature in self._owned(role)] for role in roles]

    def _owned(self, role: str) -> NDArray[np.int64]:
        none = np.full(len(self.game.fluents), -1, np.int64)
        return self.owners.get(role, none)

    def board(self, board: Board) -> Board:
        """The planes of features, on the squares of a board of the game. A move or a percept whose last two arguments are
        a row and a column stands there; others fill a plane."""
        rows = {name: index for index, name in enumerate(board.rows)}
        columns = {name: index for index, name in enumerate(board.columns)}
        size = len(rows) * len(columns)
        placed = [_placed(feature, rows, columns) for feature in self.features]
        counts: dict[str, int] = {}
        for name, relation, square in placed:
            if square is None:
                counts[relation] = counts.get(relation, 0) + 1
        names = {
            name: None
            for name, relation, square in placed
            if square is not None or counts[relation] <= _MOST_OFF_BOARD
        }
        planes = {name: index for index, name in enumerate(names)}
        entries = []
        for name, _, square in placed:
            if name not in planes:
                entries.append((0, 0))
            elif square is None:
                entries.append((planes[name] * size, size))
            else:
                row, column = square
                entries.append((planes[name] * size + row * len(columns) + column, 1))
        return Board(tuple(names), board.rows, board.columns, tuple(entries))


_known: weakref.WeakKeyDictionary[Game, Views] = weakref.WeakKeyDictionary()


def views_of(game: Game) -> Views:
    """The features of a game with rules for `sees`; made once for a game.

    Raises:
        NoNetwork: if the game has no network.
    """
    views = _known.get(game)
    if views is None:
        views = _known[game] = _made(game)
    return views


def _made(game: Game) -> Views:
    text, relation = with_views(game)
    viewed = Game(game.name, text, engine=game.engine)
    fluents = viewed.fluents
    found: dict[str, dict[int, str]] = {}
    for role in game.roles:
        if role == RANDOM:
            continue
        of_role = found[role] = {}
        for span in _SPANS:
            start = f"{relation}({role},{span},"
            for index, fluent in enumerate(fluents):
                if fluent.startswith(start):
                    of_role[index] = f"{span} {fluent[len(start) : -1]}"
    # Fluents are in canonical order, and so are the features.
    order: dict[str, tuple[int, ...]] = {}
    for of_role in found.values():
        for index, feature in of_role.items():
            order.setdefault(feature, (index,))
    features = tuple(sorted(order, key=lambda feature: (feature.split("(")[0], order[feature])))
    numbers = {feature: index for index, feature in enumerate(features)}
    owners = {}
    for role, of_role in found.items():
        owned = owners[role] = np.full(len(fluents), -1, np.int64)
        for index, feature in of_role.items():
            owned[index] = numbers[feature]
    views = frozenset(fluent for fluent in fluents if fluent.startswith(f"{relation}("))
    return Views(viewed, features, numbers, owners, views)


def _placed(feature: str, rows: dict[str, int], columns: dict[str, int]) -> tuple[str, str, tuple[int, int] | None]:
    """The name of a feature's plane, its relation, and its square if it has one."""
    span, how, term = re.fullmatch(r"(\w+) (\w+)\((.*)\)", feature, re.DOTALL).groups()  # type: ignore[union-attr]
    name, arguments = _parts(term)
    relation = f"{span} {how} {name}/{len(arguments)}"
    if len(arguments) >= 2 and arguments[-2] in rows and arguments[-1] in columns:
        plane = " ".join([span, how, name, *arguments[:-2]])
        return plane, relation, (rows[arguments[-2]], columns[arguments[-1]])
    return feature, relation, None


def _parts(term: str) -> tuple[str, list[str]]:
    """The name and the arguments of a term."""
    name, bracket, rest = term.partition("(")
    if not bracket or not rest.endswith(")"):
        return term, []
    arguments, depth, start = [], 0, 0
    inside = rest[:-1]
    for index, sign in enumerate(inside):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            arguments.append(inside[start:index])
            start = index + 1
    return name, [*arguments, inside[start:]]
