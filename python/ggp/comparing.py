"""Comparisons: what searches find of the same games, and what it costs, as the prompt's `compare` says it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any

from ggp import tasks
from ggp._parts import described
from ggp.errors import UsageError
from ggp.game import Game, as_games
from ggp.results import table

__all__ = ["ComparedSearch", "Comparison", "compare"]


@dataclass(frozen=True)
class ComparedSearch:
    """A search of a game from its initial state."""

    game: str
    depth: int | None
    """The depth to which it searched, in plies; `None` without a bound."""
    search: str
    result: str
    """The value with the move, or what stopped the search."""
    exact: bool
    """True if the answer is proved; false if a limit cut the search off."""
    nodes: int
    """The nodes that it generated, the root among them."""
    expanded: int
    """The nodes that it expanded."""


class Comparison(list[ComparedSearch]):
    """The searches, game by game, for each depth in the order in which they were named."""

    def _repr_html_(self) -> str:
        return table(("game", "depth", "search", "result", "exact", "nodes", "expanded"), [astuple(row) for row in self])


def compare(
    games: Game | str | os.PathLike[str] | Sequence[Game | str | os.PathLike[str]],
    searches: Sequence[str],
    *,
    depths: Sequence[int] | None = None,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: tasks.Progress | None = None,
) -> Comparison:
    """Runs each search on each game, to each depth.

    Args:
        games: the games, or what `ggp.load` takes.
        searches: searches with their options, as the prompt's `compare` takes them: `"alphabeta:order=random+table"`.
        depths: the depths, in plies; by default each search goes as far as it does by itself.
        executor, file, progress: as in `Game.match`. A search is a task.

    Raises:
        UsageError: for no search.
        QueryError: for a search that is not known.
        BrokenPool: if the executor has lost its workers; what was finished is in the file.
    """
    loaded = as_games(games)
    if isinstance(searches, str) or not searches:
        raise UsageError("searches are a list of one name or more: ['minimax', 'alphabeta']")
    if odd := [search for search in searches if "," in search or len(search.split()) != 1]:
        raise UsageError(f"`{odd[0]}` is no search with its options, such as `alphabeta:order=random+table`")
    bounds: Sequence[int | None] = [None] if depths is None else list(depths)
    runs = [[index, depth, search] for index in range(len(loaded)) for depth in bounds for search in searches]
    found = tasks.run(
        partial(_run, loaded),
        runs,
        executor=executor,
        file=file,
        progress=progress,
        about={"games": [described(game) for game in loaded]},
    )
    return Comparison(ComparedSearch(**row) for row in found)


def _run(games: Sequence[Game], run: tuple[int, int | None, str]) -> dict[str, Any]:
    index, depth, search = run
    bound = "" if depth is None else f" --depths {depth}"
    [row] = games[index].ask(f"compare --algorithms {search}{bound}").data["runs"]
    return {
        "game": games[index].name,
        "depth": depth,
        "search": row["algorithm"],
        "result": row["result"],
        "exact": row["exact"],
        "nodes": row["nodes"],
        "expanded": row["expanded"],
    }
