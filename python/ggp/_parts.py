"""Parts of series of matches and of random games, which are played apart as tasks and then put together.

The seeds of a match follow from its number in the series, and those of random games from their columns of lanes, so the
parts together are what one call in one process plays.
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TYPE_CHECKING, Any

from ggp import tasks
from ggp._ggp import State
from ggp.errors import UsageError
from ggp.hidden import ViewStep

if TYPE_CHECKING:
    from ggp.game import Game

MoveFunction = Callable[[State], str | int] | Callable[[State, str], str | int]
"""A player of a match: from a state, and the name of its role if it takes two arguments, to a move."""

ViewFunction = Callable[[str, tuple[ViewStep, ...], tuple[str, ...]], str | int | Mapping[str, float]]
"""A player of a match whose role does not see the state: from the name of its role, what it knows and its legal moves to a
move, or to the probabilities of moves."""

Player = str | MoveFunction | ViewFunction

MOST_TASKS = 1024
"""The most tasks of a series: enough for a thousand workers."""

_GAMES_OF_COLUMN = 16_384
"""The number of random games below which parts of them are not worth a task."""


def play(game: Game, players: Sequence[Player], options: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    """Plays the matches of a series with these numbers, as their first and their count: the tally and the matches."""
    first, games = numbers
    by_view = game.has_percepts and options.get("hidden", True)
    named = [player if isinstance(player, str) else _named(player, by_view) for player in players]
    played: dict[str, Any] = json.loads(game.matches(named, first=first, games=games, **options))
    return played


def play_series(
    game: Game,
    players: Sequence[Player],
    options: Mapping[str, Any],
    games: int,
    *,
    executor: Executor | None,
    file: str | os.PathLike[str] | None,
    progress: tasks.Progress | None,
) -> dict[str, Any]:
    """Plays a series in parts, and puts them together."""
    about = {**described(game), "players": list(map(name, players)), **settings(options)}
    parts = tasks.run(
        partial(play, game, players, options), split(games), executor=executor, file=file, progress=progress, about=about
    )
    return merged(parts)


def split(games: int) -> list[list[int]]:
    """The numbers of matches as tasks: the first and the count of each. They do not depend on the executor, so that a file
    serves any."""
    count = max(1, min(games, MOST_TASKS))
    bounds = [games * index // count for index in range(count + 1)]
    return [[first, end - first] for first, end in itertools.pairwise(bounds)]


def merged(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The tally, the matches and the warnings of all parts, in their order."""
    standings = [dict(standing) for standing in parts[0]["tally"]["standings"]]
    for part in parts[1:]:
        for standing, more in zip(standings, part["tally"]["standings"], strict=True):
            for key in ("wins", "draws", "losses", "utilities", "squares", "faults", "fallbacks"):
                standing[key] += more[key]
    return {
        "tally": {"standings": standings},
        "matches": [match for part in parts for match in part["matches"]],
        "warnings": list(dict.fromkeys(warning for part in parts for warning in part["warnings"])),
    }


def random_games(
    game: Game, games: int, facts: tuple[list[str], bool] | None, options: Mapping[str, Any], part: Sequence[int]
) -> list[Any]:
    """Plays a part of random games, given by its number and the number of parts: what `RawGame.playouts` answers."""
    state = None if facts is None else game.state(facts[0], reached=facts[1])
    return list(game.playouts(games, state, part=(part[0], part[1]), **options))


def random_games_in_parts(
    game: Game,
    games: int,
    state: State | None,
    options: Mapping[str, Any],
    *,
    executor: Executor | None,
    file: str | os.PathLike[str] | None,
    progress: tasks.Progress | None,
) -> list[Any]:
    """Plays random games in parts, and adds up their counts."""
    count = max(1, min(MOST_TASKS, games // _GAMES_OF_COLUMN))
    facts = None if state is None else (state.facts, state.is_reached)
    if state is not None:
        game.check_state(state)
    about = {**described(game), "games": games, "state": facts, **settings(options)}
    parts = tasks.run(
        partial(random_games, game, games, facts, options),
        [[number, count] for number in range(count)],
        executor=executor,
        file=file,
        progress=progress,
        about=about,
    )
    sums = [sum(part[index] for part in parts) for index in range(4)]
    roles = [_added(part[4][role] for part in parts) for role in range(len(game.roles))]
    return [*sums, roles, _added(part[5] for part in parts)]


def _added(counts: Any) -> list[tuple[Any, int]]:
    """Counts by value, of all parts."""
    added: dict[Any, int] = {}
    for part in counts:
        for value, count in part:
            added[value] = added.get(value, 0) + count
    return sorted(added.items())


def described(game: Game) -> dict[str, str]:
    """The game, as the file of its results knows it."""
    return {"game": game.name, "rules_sha256": hashlib.sha256(game.rules.encode()).hexdigest(), "engine": game.engine}


def settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options on which results depend: all but the threads of a process."""
    return {key: value for key, value in options.items() if key not in ("jobs", "threads")}


def name(player: Player) -> str:
    """The name of a player: that of the library with its options, or that of the function."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def _named(function: MoveFunction | ViewFunction, by_view: bool) -> tuple[str, Callable[..., Any]]:
    """A function that makes moves, with its name, as one of a state and a role or as one of a view."""
    if not callable(function):
        raise UsageError(f"a player is a name or a function, not {function!r}")
    if by_view:
        return name(function), function
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return name(function), lambda state, _: function(state)  # type: ignore[call-arg]
    except ValueError:  # a builtin without a signature
        pass
    return name(function), function
