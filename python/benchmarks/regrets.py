"""Counterfactual regret minimisation: this package and OpenSpiel's solvers in C++, in turns.

    pip install ./python open_spiel
    python python/benchmarks/regrets.py --rounds 3 --csv regrets.csv

Iterations for each second of the CPU: of CFR+, which visits the whole tree, and of external sampling. OpenSpiel solves
its own games, and this package the rule sheets of the same games; the tree is compiled before, and not measured. Each
measurement is a line of the file, which later runs add to.
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


def rate(work: Work, seconds: float) -> float:
    """Iterations for each CPU second: what twice as many iterations take beyond once as many, so that the time for the
    tree and the answer does not count."""
    count = 1
    while True:
        once, twice = cpu(work, count), cpu(work, 2 * count)
        if twice - once > seconds:
            return count / (twice - once)
        count *= 2


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=3, help="measurements of each, in turns")
    arguments.add_argument("--seconds", type=float, default=1.0, help="the least CPU time of a measurement")
    arguments.add_argument("--csv", type=Path, help="add the measurements to this file")
    given = arguments.parse_args()
    programs = {"OpenSpiel": openspiel, "ggp": ours}
    rows: list[tuple[str, str, str, float]] = []
    for round_number in range(given.rounds):
        for game in GAMES:
            for solver in SOLVERS:
                for program, make in programs.items():
                    rows.append((game, solver, program, rate(make(game, solver), given.seconds)))
                    if given.csv is not None:
                        write(given.csv, rows[-1])
        print(f"round {round_number + 1} of {given.rounds}", flush=True)
    print(f"\n| | {' | '.join(programs)} | times as many |\n|---|---|---|---|")
    for game in GAMES:
        for solver in SOLVERS:
            found = [
                statistics.median(row[3] for row in rows if row[:3] == (game, solver, program)) for program in programs
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
