"""An AlphaZero in a page: a small network of torch learns a game from its own searches, all games at once.

    python examples/alpha_zero.py [GAME] [--rounds 20]
    python examples/alpha_zero.py breakthrough_6x6 --minutes 60 --opponent 1000 --rows elo.csv --picture elo.svg

`Game.mcts_batch` searches in all games at once and asks the network for the priors and values of all leaves together.
Each round plays games against itself by the visits of the searches, and trains the network on them. Without an opponent
it prints the share of states in which the network's most probable move, and the search's, keep the exact value; with
one, how it plays against `mcts` with that many visits, as Elo. Needs torch, and matplotlib for the picture. For games of
two players by turns.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from exact import solve
from numpy.typing import NDArray
from torch.nn import functional

import ggp


class Network(torch.nn.Module):
    """Priors of the actions of each role, and values of the roles, from which fluents hold."""

    def __init__(self, game: ggp.Game, width: int = 128) -> None:
        super().__init__()
        self.counts = [len(game.actions(role)) for role in game.roles]
        self.body = torch.nn.Sequential(
            torch.nn.Linear(len(game.fluents), width),
            torch.nn.ReLU(),
            torch.nn.Linear(width, width),
            torch.nn.ReLU(),
        )
        self.logits = torch.nn.Linear(width, sum(self.counts))
        self.values = torch.nn.Linear(width, len(self.counts))

    def forward(self, observations: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
        """Logits `[n, actions]` for each role, and values `[n, roles]`."""
        hidden = self.body(observations)
        return self.logits(hidden).split(self.counts, dim=1), torch.tanh(self.values(hidden))

    def evaluate(
        self, observations: NDArray[np.float32], masks: tuple[NDArray[np.bool_], ...]
    ) -> tuple[list[NDArray[np.float32]], NDArray[np.float32]]:
        """Priors and values, as `Game.mcts_batch` asks for them."""
        with torch.inference_mode():
            logits, values = self(torch.from_numpy(observations))
        return [
            functional.softmax(_legal(own, mask), dim=1).numpy() for own, mask in zip(logits, masks, strict=True)
        ], (values.numpy())


def _legal(logits: torch.Tensor, mask: NDArray[np.bool_]) -> torch.Tensor:
    return logits.masked_fill(~torch.from_numpy(np.ascontiguousarray(mask)), -1e9)


class Memory:
    """Positions of played games: observations, for each role masks and shares of visits, and the outcomes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.rows: list[tuple[NDArray[np.float32], ...]] = []

    def add(self, rows: list[tuple[NDArray[np.float32], ...]]) -> None:
        self.rows = (self.rows + rows)[-self.limit :]

    def draw(self, count: int, rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
        chosen = [self.rows[i] for i in rng.integers(len(self.rows), size=count)]
        return tuple(torch.from_numpy(np.stack(column)) for column in zip(*chosen, strict=True))


def play(
    game: ggp.Game, network: Network, games: int, visits: int, rng: np.random.Generator
) -> list[tuple[NDArray[np.float32], ...]]:
    """Plays games against itself. Returns for each state of them its observation, the shares of visits of each role, and
    the scaled utilities of the roles at the end of its game."""
    least, most = game.utility_range
    states, histories = [game.initial()] * games, [[] for _ in range(games)]  # type: ignore[var-annotated]
    live, rows = list(range(games)), []
    while live:
        found = game.mcts_batch(
            [states[i] for i in live],
            network.evaluate,
            visits=visits,
            noise=(0.25, 1.0),
            seed=int(rng.integers(1 << 31)),
        )
        policies = [found.policy(role) for role in range(len(game.roles))]
        for row, i in enumerate(live):
            histories[i].append((states[i].observation().astype(np.float32), *(own[row] for own in policies)))
            states[i] = states[i].next(
                [int(rng.choice(len(own[row]), p=own[row] / own[row].sum())) for own in policies]
            )
        for i in [i for i in live if states[i].is_terminal]:
            goals = np.array([states[i].goal(role) for role in game.roles], np.float32)
            scaled = (goals - least) / (most - least) * 2 - 1
            rows += [(*seen, scaled) for seen in histories[i]]
        live = [i for i in live if not states[i].is_terminal]
    return rows


def train(network: Network, optimizer: torch.optim.Optimizer, memory: Memory, batches: int, seed: int) -> None:
    """Towards the shares of visits, and the utilities at the end."""
    rng = np.random.default_rng(seed)
    for _ in range(batches):
        observations, *policies, utilities = memory.draw(256, rng)
        logits, values = network(observations)
        loss = functional.mse_loss(values, utilities)
        for own, policy in zip(logits, policies, strict=True):
            loss = loss + functional.cross_entropy(own, policy)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


Judge = Callable[[Network], tuple[float, ...]]
"""Evaluates a network, in numbers."""


def learn(
    game: ggp.Game, judge: Judge, *, rounds: int, minutes: float, games: int = 128, visits: int = 32, seed: int = 0
) -> list[tuple[float, ...]]:
    """Learns for so many rounds, or minutes without the judge's. Returns what the judge says before the first round, and
    after each, or after each twentieth part of the time: the minutes, the rounds, and its numbers."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng, network, memory = np.random.default_rng(seed), Network(game), Memory(50_000 if minutes < math.inf else 20_000)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3, weight_decay=1e-4)
    curve, spent, number = [(0.0, 0, *judge(network))], 0.0, 0
    while number < rounds and spent < minutes * 60:
        begun = time.monotonic()
        memory.add(play(game, network, games, visits, rng))
        train(network, optimizer, memory, batches=100, seed=number)
        spent, number = spent + time.monotonic() - begun, number + 1
        if minutes == math.inf or spent >= len(curve) * minutes * 60 / 20:
            curve.append((spent / 60, number, *judge(network)))
    return curve


def by_exact_values(game: ggp.Game, visits: int = 32) -> Judge:
    """Judges by the share of optimal moves: the network's own, and with a search. Prints both."""
    exact = solve(game)
    print(f"{len(exact.best)} states; random play keeps the value in {exact.of_chance:.1%} of them", flush=True)
    turns = [tuple(own) for own in _turns(game, exact.observations)]

    def chosen(priors: tuple[NDArray[np.float32], ...]) -> NDArray[np.int64]:
        """The most probable action of the role to move."""
        return np.array([(priors[role][row] * exact.masks[row]).argmax() for row, (role,) in enumerate(turns)])

    def judge(network: Network) -> tuple[float, ...]:
        every = tuple(np.ones((len(turns), count), np.bool_) for count in network.counts)
        alone = exact.share(lambda seen, _: chosen(tuple(network.evaluate(seen, every)[0])))
        found = game.mcts_batch(_states(game, exact.observations), network.evaluate, visits=visits)
        searched = exact.share(lambda *_: chosen(tuple(found.policy(role) for role in range(len(game.roles)))))
        print(f"network {alone:.1%}, with a search {searched:.1%}", flush=True)
        return alone, searched

    return judge


def by_matches(game: ggp.Game, opponent: int, visits: int = 16, matches: int = 60) -> Judge:
    """Judges by matches of a search with the network, half of them in either role, against `mcts` with so many random
    games for each move. A network that wins nine of ten is the opponent of the next ones, with the Elo that it has then.
    Prints the share of points and the Elo beside that of `mcts`. The first moves are drawn by visits, so that matches
    differ."""
    rng = np.random.default_rng(1)
    rivals: list[tuple[float, Network | None]] = [(0, None)]

    def judge(network: Network) -> tuple[float, ...]:
        beside, rival = rivals[-1]
        points = sum(points_of((network, rival) if role == 0 else (rival, network), role) for role in range(2))
        share = (points + 0.5) / (matches + 1)
        elo = beside + 400 * math.log10(share / (1 - share))
        name = "mcts" if rival is None else f"itself of Elo {beside:+.0f}"
        print(f"{points:g} of {matches} points against {name}: Elo {elo:+.0f}", flush=True)
        if share > 0.9:
            rivals.append((elo, copy.deepcopy(network)))
        return points / matches, elo

    def points_of(players: tuple[Network | None, Network | None], role: int) -> float:
        """The points of the player of this role in half of the matches."""
        least, most = game.utility_range
        states, ply = [game.initial() for _ in range(matches // 2)], 0
        while live := [at for at, state in enumerate(states) if not state.is_terminal]:
            moves = {at: [states[at].legal(side)[0] for side in range(2)] for at in live}
            for side, player in enumerate(players):
                asked = [at for at in live if len(states[at].legal(side)) > 1]
                for at, move in zip(asked, chosen(player, [states[at] for at in asked], side, ply), strict=True):
                    moves[at][side] = move
            for at in live:
                states[at] = states[at].next(moves[at])
            ply += 1
        return sum((state.goal(role) - least) / (most - least) for state in states)

    def chosen(player: Network | None, states: list[ggp.State], role: int, ply: int) -> list[str]:
        if player is None:
            seeds = rng.integers(1 << 31, size=len(states))
            found = [
                game.mcts(own, role=role, visits=opponent, seed=int(at)) for own, at in zip(states, seeds, strict=True)
            ]
            return [str(result.move) for result in found]
        if not states:
            return []
        policy = game.mcts_batch(states, player.evaluate, visits=visits).policy(role)
        drawn = [rng.choice(len(row), p=row / row.sum()) if ply < 6 else row.argmax() for row in policy]
        return [game.actions(role)[int(action)] for action in drawn]

    return judge


def draw(curve: list[tuple[float, ...]], name: str, opponent: int, file: str) -> None:
    """Draws the Elo by the minutes."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "ggp"
    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    axes.plot([row[0] for row in curve], [row[-1] for row in curve], marker="o", markersize=3)
    axes.axhline(0, color="gray", linewidth=1)
    axes.set(xlabel="minutes of learning", ylabel=f"Elo beside mcts with {opponent} visits", title=f"AlphaZero, {name}")
    axes.grid(alpha=0.3)
    figure.savefig(file, metadata={"Date": None})


def _states(game: ggp.Game, observations: NDArray[np.float32]) -> list[ggp.State]:
    """The states with these observations."""
    fluents = np.array(game.fluents)
    return [game.state(list(fluents[row > 0]), reached=True) for row in observations]


def _turns(game: ggp.Game, observations: NDArray[np.float32]) -> list[list[int]]:
    """The roles that have a choice in each state."""
    roles = range(len(game.roles))
    return [[role for role in roles if len(state.legal(role)) > 1] for state in _states(game, observations)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="tic_tac_toe")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--opponent", type=int, metavar="VISITS", help="judge by matches against mcts")
    parser.add_argument("--rows", metavar="FILE", help="write what the judge says as CSV")
    parser.add_argument("--picture", metavar="FILE", help="draw the Elo; needs --opponent")
    asked = parser.parse_args()
    if asked.picture and not asked.opponent:
        parser.error("--picture draws the Elo, which needs --opponent")
    played = ggp.load(asked.game)
    judge = by_matches(played, asked.opponent) if asked.opponent else by_exact_values(played)
    rounds = asked.rounds or (10**9 if asked.minutes else 20)
    learned = learn(played, judge, rounds=rounds, minutes=asked.minutes or math.inf)
    if asked.rows:
        names = "share,elo" if asked.opponent else "network,search"
        lines = [f"minutes,rounds,{names}", *(",".join(f"{number:.4g}" for number in row) for row in learned)]
        Path(asked.rows).write_text("\n".join(lines) + "\n")
    if asked.picture:
        draw(learned, asked.game, asked.opponent, asked.picture)
