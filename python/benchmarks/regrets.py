"""Counterfactual regret minimisation: this package and OpenSpiel's solvers in C++, in turns.

    pip install ./python open_spiel
    python python/benchmarks/regrets.py --rounds 3 --csv regrets.csv

Iterations for each second of the CPU: of CFR+, which visits the whole tree, and of external sampling, of which both make
the same number from the first one on, since later ones may be shorter. OpenSpiel solves its own games, and this package the
rule sheets of the same games; what the tree and the answer take is not measured. Each measurement is a line of the file,
which later runs add to.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel

import ggp

GAMES = ("leduc_poker", "liars_dice")
SOLVERS = ("cfr+", "external sampling")
COLUMNS = ("game", "solver", "program", "iterations per CPU second")

REPEATS = 5
"""Measurements of which the median counts where a difference is taken."""

Work = Callable[[int], None]
"""Makes a number of iterations."""


def openspiel(game: str, solver: str) -> Work:
    """Iterations of OpenSpiel's solver of its own game."""
    native = pyspiel.load_game(game)
    if solver == "cfr+":
        full = pyspiel.CFRPlusSolver(native)
        return lambda count: [full.evaluate_and_update_policy() for _ in range(count)] and None
    sampling = pyspiel.ExternalSamplingMCCFRSolver(native, 1)
    return lambda count: [sampling.run_iteration() for _ in range(count)] and None


def ours(game: str, solver: str) -> Work:
    """Iterations of the search at the prompt. The tree is compiled anew in each call."""
    loaded = ggp.load(game)
    options: dict[str, Any] = {"update": "plus"} if solver == "cfr+" else {"sampling": "external"}
    search = "cfr" if solver == "cfr+" else "mccfr"

    def run(count: int) -> None:
        loaded.search(search, iterations=count, sets=1, **options)

    return run


def cpu(work: Work, count: int) -> float:
    """The CPU seconds of some iterations."""
    begun = time.process_time()
    work(count)
    return time.process_time() - begun


def grown(make: Callable[[], Work], seconds: float) -> tuple[int, float]:
    """A number of iterations that takes this much CPU time from the first one on, and what it takes."""
    count = 1
    while (taken := cpu(make(), count)) < seconds:
        count *= 2
    return count, taken


def beyond(work: Work, count: int) -> float:
    """The CPU seconds that iterations take beyond those of one: without the tree and the answer."""
    return statistics.median(cpu(work, count) for _ in range(REPEATS)) - statistics.median(
        cpu(work, 1) for _ in range(REPEATS)
    )


def rates(game: str, solver: str, seconds: float) -> dict[str, float]:
    """Iterations for each CPU second, by program."""
    count, taken = grown(lambda: openspiel(game, solver), seconds)
    own = count
    if solver == "cfr+":
        # All iterations of CFR+ take the same time.
        own, _ = grown(lambda: ours(game, solver), seconds)
    return {"OpenSpiel": count / taken, "ggp": own / beyond(ours(game, solver), own)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=3, help="measurements of each, in turns")
    arguments.add_argument("--seconds", type=float, default=1.0, help="the least CPU time of a measurement")
    arguments.add_argument("--csv", type=Path, help="add the measurements to this file")
    given = arguments.parse_args()
    rows: list[tuple[str, str, str, float]] = []
    for round_number in range(given.rounds):
        for game in GAMES:
            for solver in SOLVERS:
                for program, rate in rates(game, solver, given.seconds).items():
                    rows.append((game, solver, program, rate))
                    if given.csv is not None:
                        write(given.csv, rows[-1])
        print(f"round {round_number + 1} of {given.rounds}", flush=True)
    print("\n| | OpenSpiel | ggp | times as many |\n|---|---|---|---|")
    for game in GAMES:
        for solver in SOLVERS:
            found = [
                statistics.median(row[3] for row in rows if row[:3] == (game, solver, program))
                for program in ("OpenSpiel", "ggp")
            ]
            print(f"| {game}, {solver} | {found[0]:,.1f} | {found[1]:,.1f} | {found[1] / found[0]:.1f} |")


def write(file: Path, row: tuple[str, str, str, float]) -> None:
    """Adds a measurement to a file."""
    is_new = not file.exists()
    with file.open("a", newline="") as out:
        writer = csv.writer(out)
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerow((*row[:3], f"{row[3]:.2f}"))


if __name__ == "__main__":
    main()
