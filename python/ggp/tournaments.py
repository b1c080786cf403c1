"""Tournaments: every player meets every other one, in games of two players."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import astuple, dataclass, field
from functools import partial
from typing import Any

from ggp import tasks
from ggp._ggp import elo_ratings
from ggp._parts import Player, described, merged, name, play, settings, split
from ggp.errors import UsageError
from ggp.game import Game, as_games
from ggp.results import MatchResult, Standing, match_result, table

__all__ = ["Encounter", "Rating", "Tournament", "tournament"]


@dataclass(frozen=True)
class Encounter:
    """The matches of two players in a game."""

    game: str
    players: tuple[str, str]
    result: MatchResult


@dataclass(frozen=True)
class Rating:
    """A player of a tournament, with its matches in all games."""

    player: str
    wins: int
    draws: int
    losses: int
    faults: int
    elo: tuple[float, float, float]
    """Its Elo rating, with a mean of 0 over the players, and the bounds of its 95% confidence interval."""


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament."""

    ratings: tuple[Rating, ...]
    """The players, in the order in which they were named."""
    encounters: tuple[Encounter, ...] = field(repr=False)

    def _repr_html_(self) -> str:
        head = ("player", "wins", "draws", "losses", "faults", "Elo")
        return table(head, [astuple(rating)[:-1] + (_elo_text(*rating.elo),) for rating in self.ratings])


def _elo_text(value: float, low: float, high: float) -> str:
    return f"{value:+.0f} ({low:+.0f} to {high:+.0f})"


def tournament(
    games: Game | str | os.PathLike[str] | Sequence[Game | str | os.PathLike[str]],
    players: Sequence[Player],
    *,
    matches: int = 2,
    start_clock: float = 5,
    play_clock: float = 1,
    seed: int = 0,
    jobs: int = 1,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: tasks.Progress | None = None,
) -> Tournament:
    """Plays matches between each two players in each game, with the roles swapped, and rates the players.

    `ggp match --round-robin` plays the same matches.

    Args:
        games: games of two players.
        players: two or more, named as in `Game.match`.
        matches: the number of matches of each two players in each game.
        executor, file, progress: as in `Game.match`.

    Raises:
        UsageError: for a game of another number of players, or fewer than two players.
        BrokenPool: if the executor has lost its workers; what was finished is in the file.
    """
    loaded = as_games(games)
    for game in loaded:
        if len([role for role in game.roles if role != "random"]) != 2:
            raise UsageError(f"{game.name} is not a game of two players")
    if isinstance(players, str) or len(players) < 2:
        raise UsageError("a tournament has two players or more")
    if len(set(map(name, players))) < len(players):
        raise UsageError("each player of a tournament has a name of its own")
    options = {"start_clock": float(start_clock), "play_clock": float(play_clock), "seed": seed, "swap": True, "jobs": jobs}
    pairs = list(itertools.product(range(len(loaded)), itertools.combinations(range(len(players)), 2)))
    meetings = [[index, *pair, *numbers] for index, pair in pairs for numbers in split(matches)]
    about = {"games": [described(game) for game in loaded], "players": list(map(name, players)), **settings(options)}
    played = tasks.run(
        partial(meet, loaded, list(players), options),
        meetings,
        executor=executor,
        file=file,
        progress=progress,
        about=about,
    )
    encounters = []
    for index, (one, other) in pairs:
        parts = [part for meeting, part in zip(meetings, played, strict=True) if meeting[:3] == [index, one, other]]
        names = (name(players[one]), name(players[other]))
        encounters.append(Encounter(loaded[index].name, names, match_result(merged(parts))))
    return Tournament(_rated(players, [pair for _, pair in pairs], encounters), tuple(encounters))


def meet(
    games: Sequence[Game], players: Sequence[Player], options: Mapping[str, Any], meeting: Sequence[int]
) -> dict[str, Any]:
    """Plays some matches of two players in a game."""
    game, one, other, *numbers = meeting
    return play(games[game], [players[one], players[other]], options, numbers)


def _rated(
    players: Sequence[Player], pairs: Sequence[tuple[int, int]], encounters: Sequence[Encounter]
) -> tuple[Rating, ...]:
    standings: list[list[Standing]] = [[] for _ in players]
    met = []
    for (one, other), encounter in zip(pairs, encounters, strict=True):
        first, second = encounter.result.standings
        standings[one].append(first)
        standings[other].append(second)
        met.append((one, other, first.wins + first.draws / 2, float(first.wins + first.draws + first.losses)))
    rated = zip(players, standings, elo_ratings(len(players), met), strict=True)
    counts = ("wins", "draws", "losses", "faults")
    return tuple(
        Rating(name(player), **{key: sum(getattr(standing, key) for standing in own) for key in counts}, elo=elo)
        for player, own, elo in rated
    )
