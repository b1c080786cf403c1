"""Players that see only what their role knows: `ismcts` against `mcts` on states that the role thinks possible.

    pip install ./python
    python python/benchmarks/by_view.py --games 200 --out by_view

`ismcts` searches a tree over information sets. The other player draws some of the states that its role thinks possible,
runs `mcts` in each as if it were the true one, and adds up the visits of the moves (determinised search, as by Ginsberg
for bridge). Both make the same number of visits for each move. The roles are swapped after each match. What is finished is kept in
a file for each game, from which the same call goes on.
"""

from __future__ import annotations

import argparse
import math
import random
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import ggp
from ggp.hidden import ViewStep

GAMES = ("leduc_poker", "goofspiel_hidden", "phantom_tic_tac_toe", "battleship_small")
CLOCK = 600.0
"""The players do not depend on time."""


class Determinised:
    """Searches some possible states as if each were the true one."""

    def __init__(self, game: str, visits: int, worlds: int) -> None:
        self.game, self.visits, self.worlds = game, visits, worlds
        self.__name__ = f"mcts in {worlds} possible states"
        self._loaded: ggp.Game | None = None

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_loaded": None}

    def __call__(self, role: str, view: Sequence[ViewStep], legal: Sequence[str]) -> str:
        if self._loaded is None:
            self._loaded = ggp.load(self.game)
        draws = random.Random(repr((role, view)))
        possible = self._loaded.infoset(role, view, most=1_000, seed=draws.getrandbits(32))
        votes: Counter[str] = Counter()
        for state in draws.choices(possible.states, possible.probabilities, k=self.worlds):
            seed = draws.getrandbits(32)
            found = self._loaded.mcts(state, role=role, visits=max(2, self.visits // self.worlds), seed=seed)
            votes.update({move["move"]: move["visits"] for move in found.data["moves"]})
        return max(legal, key=lambda move: votes[move])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=200, help="matches of each game")
    arguments.add_argument("--visits", type=int, default=1_000, help="visits for each move")
    arguments.add_argument("--worlds", type=int, default=10, help="possible states of the other player")
    arguments.add_argument("--out", type=Path, default=Path("by_view"), help="the folder of what is finished")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    # A search in a possible state sees the whole of it, and that is meant.
    warnings.filterwarnings("ignore", "the roles of this game see only", ggp.GgpWarning)
    print("| | matches | mean of `ismcts` | 95% interval |\n|---|---|---|---|")
    for name in GAMES:
        game = ggp.load(name)
        searcher, rival = f"ismcts:visits={given.visits}", Determinised(name, given.visits, given.worlds)
        played = game.match(
            [searcher, rival],
            games=given.games,
            swap=True,
            start_clock=CLOCK,
            play_clock=CLOCK,
            file=given.out / f"{name}.jsonl",
        )
        seats = [index for index, role in enumerate(game.roles) if role != "random"]
        own = [seats[match.players.index(searcher)] for match in played.matches]
        points = [match.utilities[seat] or 0.0 for match, seat in zip(played.matches, own, strict=True)]
        mean = sum(points) / len(points)
        deviation = math.sqrt(sum((point - mean) ** 2 for point in points) / max(1, len(points) - 1))
        error = 1.96 * deviation / math.sqrt(len(points))
        print(f"| {name} | {len(points)} | {mean:.1f} | {mean - error:.1f} to {mean + error:.1f} |", flush=True)


if __name__ == "__main__":
    main()
