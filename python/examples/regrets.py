"""How fast regrets approach an equilibrium: exploitability by iterations, for three games with hidden information.

    python examples/regrets.py [--most 3000] [--rows regrets.csv] [--picture regrets.svg]

Each point is a search of its own from the beginning, so its seconds are those of that many iterations. Needs matplotlib for
the picture.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
from collections.abc import Iterator

import ggp

GAMES = ["kuhn_poker", "leduc_poker", "liars_dice"]

SEARCHES: dict[str, tuple[str, dict[str, object]]] = {
    "cfr, plus": ("cfr", {"update": "plus"}),
    "cfr, discounted": ("cfr", {"update": "discounted"}),
    "cfr, vanilla": ("cfr", {"update": "vanilla"}),
    "mccfr, external": ("mccfr", {"sampling": "external", "seed": 1}),
    "mccfr, outcome": ("mccfr", {"sampling": "outcome", "seed": 1}),
}
"""The searches with their options, by their names in the picture."""

SAMPLED = 100
"""An iteration of `mccfr` visits a few lines of the tree: this many of them stand beside one of `cfr`."""

Row = tuple[str, str, int, float, float]
"""Game, search, iterations, seconds of the CPU, exploitability."""


def measured(most: int) -> Iterator[Row]:
    """The exploitability after 1, 3, 10, 30 … iterations."""
    counts = itertools.takewhile(lambda count: count <= most, (step * 10**power for power in itertools.count() for step in (1, 3)))
    for name, (label, (search, options)), count in itertools.product(GAMES, SEARCHES.items(), list(counts)):
        game, iterations = ggp.load(name), count * (SAMPLED if search == "mccfr" else 1)
        began = time.process_time()
        found = game.search(search, iterations=iterations, **options)  # type: ignore[arg-type]
        yield name, label, iterations, time.process_time() - began, float(found.data["exploitability"])


def draw(rows: list[Row], file: str) -> None:
    """Draws a chart for each game."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "ggp"
    figure, charts = pyplot.subplots(1, len(GAMES), figsize=(10, 3.6), layout="constrained", sharey=True)
    for axes, name in zip(charts, GAMES, strict=True):
        for label in SEARCHES:
            own = [row for row in rows if row[:2] == (name, label)]
            axes.plot([row[2] for row in own], [row[4] for row in own], marker="o", markersize=3, label=label)
        axes.set(xscale="log", yscale="log", xlabel="iterations", title=name)
        axes.grid(alpha=0.3)
    charts[0].set_ylabel("exploitability, of 100")
    charts[0].legend(fontsize="small")
    figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=3_000, help="the most iterations of cfr")
    parser.add_argument("--rows", metavar="FILE", help="write the points as CSV")
    parser.add_argument("--picture", metavar="FILE", help="draw them")
    asked = parser.parse_args()
    points = []
    for point in measured(asked.most):
        points.append(point)
        print("{:12} {:16} {:>9,} iterations {:8.2f} s  {:.6f}".format(*point), flush=True)
    if asked.rows:
        with open(asked.rows, "w", newline="") as table:
            csv.writer(table).writerows([("game", "search", "iterations", "seconds", "exploitability"), *points])
    if asked.picture:
        draw(points, asked.picture)
