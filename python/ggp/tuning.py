"""Tuning: the best values of a player's options, by successive halving, as `ggp tune` finds them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from ggp import tasks
from ggp._parts import described, merged, settings, split
from ggp.errors import UsageError
from ggp.game import Game, as_games
from ggp.results import Standing, match_result
from ggp.tournaments import meet

__all__ = ["Candidate", "tune"]


@dataclass(frozen=True)
class Candidate:
    """A combination of values, with its matches against the player as it was named."""

    player: str
    """The player with these values."""
    options: Mapping[str, object]
    rounds: int
    """The number of rounds in which it played."""
    wins: int
    draws: int
    losses: int
    faults: int

    @property
    def share(self) -> float:
        """Its share of the points, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)

    def after_round(self, standing: Standing) -> Candidate:
        """The candidate with the matches of a further round."""
        keys = ("wins", "draws", "losses", "faults")
        counts = {key: getattr(self, key) + getattr(standing, key) for key in keys}
        return Candidate(self.player, self.options, self.rounds + 1, **counts)


def tune(
    games: Game | str | os.PathLike[str] | Sequence[Game | str | os.PathLike[str]],
    player: str,
    options: Mapping[str, Sequence[object]],
    *,
    matches: int = 4,
    start_clock: float = 5,
    play_clock: float = 1,
    seed: int = 0,
    jobs: int = 1,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: tasks.Progress | None = None,
) -> list[Candidate]:
    """Tries each combination of the values of options. Every candidate plays against the player as it is named, with the
    roles swapped; the better half goes on with twice as many matches, until one is left.

    The best of several candidates also was lucky: compare it with the player in new matches (`Game.match`).

    Args:
        games: games of two players.
        player: a player of the library, with the options that are not tuned.
        options: the values to try, by option: `{"exploration": [0.2, 0.45], "repeats": [2, 8]}`.
        matches: the number of matches of each candidate in each game in the first round.
        file: keeps what is finished, in a file for each round: FILE.1, FILE.2 and so on.
        executor, progress: as in `Game.match`.

    Returns:
        The candidates, the best first: each that went on to a round is before those that did not.
    """
    loaded = as_games(games)
    combinations = [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
    if not options or not combinations:
        raise UsageError("there are no values to try: write options={'exploration': [0.2, 0.45]}")
    candidates = [Candidate(_specification(player, chosen), chosen, 0, 0, 0, 0, 0) for chosen in combinations]
    left = len(candidates)
    rounds = max(1, (left - 1).bit_length())
    for number in range(1, rounds + 1):
        players = [player, *(candidate.player for candidate in candidates[:left])]
        setting = {
            "start_clock": float(start_clock),
            "play_clock": float(play_clock),
            # Each round has its own seeds, which its candidates share.
            "seed": (seed * 64 + number) % 2**64,
            "swap": True,
            "jobs": jobs,
        }
        meetings = [
            [game, candidate, 0, *numbers]
            for game in range(len(loaded))
            for candidate in range(1, left + 1)
            for numbers in split(matches)
        ]
        played = tasks.run(
            partial(meet, loaded, players, setting),
            meetings,
            executor=executor,
            file=None if file is None else f"{os.fspath(file)}.{number}",
            progress=progress,
            about={"games": [described(game) for game in loaded], "players": players, **settings(setting)},
        )
        for candidate in range(1, left + 1):
            own = [part for meeting, part in zip(meetings, played, strict=True) if meeting[1] == candidate]
            standing = match_result(merged(own)).standings[0]
            candidates[candidate - 1] = candidates[candidate - 1].after_round(standing)
        # The sort is stable: of equal candidates, those that were named first go on.
        candidates[:left] = sorted(candidates[:left], key=lambda candidate: -candidate.share)
        left, matches = (left + 1) // 2, matches * 2
    return candidates


def _specification(player: str, chosen: Mapping[str, object]) -> str:
    values = ",".join(f"{key}={value}" for key, value in chosen.items())
    return f"{player}{',' if ':' in player else ':'}{values}"
