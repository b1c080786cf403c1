"""Matches against a program of others: OpenSpiel's tree search by random games, in C++, on its own form of the game.

    pip install ./python open_spiel
    ggp train breakthrough_6x6 --minutes 10 --out breakthrough.net
    python python/benchmarks/opponents.py breakthrough_6x6 auto:net=breakthrough.net --matches 40

Both have the same clock. OpenSpiel's search has no clock but a number of simulations: as many as take most of the clock in
the first position of the game. The time that it took is told at the end. The sides are swapped from match to match.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import pyspiel

import ggp

SHARE = 0.6
"""The part of the clock that its simulations take in the first position; random games grow shorter after it."""

EXPLORATION = 2.0
"""The factor of UCT in OpenSpiel's own examples of this search."""

FIRST_SIMULATIONS = 1_000

PLIES = 2
"""Moves from one turn to the next."""


def drop(action: str) -> str:
    """`x3`: a disc in the fourth column from the left."""
    return f"drop({int(action[1:]) + 1})"


def pawn_move(action: str) -> str:
    """`a5b4`: the first player's pawns stand on rows 5 and 6, which are 2 and 1 of the sheet."""
    columns = ["abcdef".index(action[place]) + 1 for place in (0, 2)]
    rows = [7 - int(action[place]) for place in (1, 3)]
    return f"move({columns[0]},{rows[0]},{columns[1]},{rows[1]})"


GAMES: dict[str, tuple[str, Callable[[str], str]]] = {
    "breakthrough_6x6": ("breakthrough(rows=6,columns=6)", pawn_move),
    "connect_four": ("connect_four", drop),
}
"""For each sheet of the library OpenSpiel's game and its actions as moves of the sheet."""


class TreeSearch:
    """OpenSpiel's search as a player of matches; it follows them on its own form of the game."""

    def __init__(self, name: str, seconds: float, seed: int) -> None:
        native, self.translate = GAMES[name]
        self.native = pyspiel.load_game(native)
        self.game = ggp.load(name)
        self.seed = seed
        self.simulations = FIRST_SIMULATIONS
        while (taken := self.measured()) < seconds / 2:
            self.simulations *= 2
        self.simulations = int(self.simulations * seconds / taken)
        self.times: list[float] = []
        self.begin()

    def search(self) -> pyspiel.MCTSBot:
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        memory, solves = 1_000, True
        return pyspiel.MCTSBot(self.native, evaluator, EXPLORATION, self.simulations, memory, solves, self.seed, False)

    def measured(self) -> float:
        """The seconds of a search of the first position."""
        search = self.search()
        begun = time.monotonic()
        search.step(self.native.new_initial_state())
        return time.monotonic() - begun

    def begin(self) -> None:
        self.bot = self.search()
        self.own = self.native.new_initial_state()
        self.state = self.game.initial()

    def follow(self, state: ggp.State) -> None:
        """Comes to a state by what both have moved since the last one or, in a new match, since the first one."""
        for begins in (False, True):
            if begins:
                self.begin()
            own = self.form_of(state, self.own, self.state, PLIES)
            if own is not None:
                self.own, self.state = own, state
                return
        raise ValueError(f"OpenSpiel's game has no moves to {state}")

    def form_of(self, state: ggp.State, own: pyspiel.State, known: ggp.State, plies: int) -> pyspiel.State | None:
        """OpenSpiel's form of a state that comes at most this number of plies after one of which both forms are known."""
        if known == state:
            return own
        for action in own.legal_actions() if plies > 0 else ():
            move = self.translate(own.action_to_string(action))
            joint_move = [move, "noop"] if own.current_player() == 0 else ["noop", move]
            found = self.form_of(state, own.child(action), known.next(joint_move), plies - 1)
            if found is not None:
                return found
        return None

    def __call__(self, state: ggp.State, role: str) -> str:
        begun = time.monotonic()
        self.follow(state)
        action = self.bot.step(self.own)
        self.times.append(time.monotonic() - begun)
        return self.translate(self.own.action_to_string(action))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("player", help="a player of `ggp match` with its options")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--start-clock", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--play-clock", type=float, default=0.5, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    other = TreeSearch(arguments.game, SHARE * arguments.play_clock, arguments.seed)
    print(f"OpenSpiel: {other.simulations} simulations a move")
    clocks = {"start_clock": arguments.start_clock, "play_clock": arguments.play_clock}
    played = ggp.load(arguments.game).match(
        [arguments.player, other], games=arguments.matches, swap=True, seed=arguments.seed, **clocks
    )
    for standing in played.standings:
        print(standing)
    late = sum(taken > arguments.play_clock for taken in other.times)
    mean = sum(other.times) / len(other.times)
    print(
        f"OpenSpiel took {mean:.2f} s a move, {max(other.times):.2f} s at most; {late} of {len(other.times)} were late"
    )


main()
