"""An AlphaZero in a page: a small network of torch learns a game from its own searches, all games at once.

    python examples/alpha_zero.py [GAME] [--rounds 20]

`Game.mcts_batch` searches in all games at once and asks the network for the priors and values of all leaves together.
Each round plays games against itself by the visits of the searches, and trains the network on them. Prints the share of
states in which the network's most probable move, and the search's, keep the exact value. Needs torch. For games of two
players by turns.
"""

from __future__ import annotations

import argparse

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
        return [functional.softmax(_legal(own, mask), dim=1).numpy() for own, mask in zip(logits, masks, strict=True)], (
            values.numpy()
        )


def _legal(logits: torch.Tensor, mask: NDArray[np.bool_]) -> torch.Tensor:
    return logits.masked_fill(~torch.from_numpy(np.ascontiguousarray(mask)), -1e9)


class Memory:
    """What was played: observations, for each role masks and shares of visits, and how the games ended."""

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
            states[i] = states[i].next([int(rng.choice(len(own[row]), p=own[row] / own[row].sum())) for own in policies])
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


def learn(name: str, *, rounds: int, games: int = 128, visits: int = 32, seed: int = 0) -> list[tuple[float, float]]:
    """Returns before each round and at the end the shares of optimal moves: the network's own, and with a search."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    game, rng = ggp.load(name), np.random.default_rng(seed)
    exact, network, memory = solve(game), Network(game), Memory(20_000)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3, weight_decay=1e-4)
    print(f"{name}: {len(exact.best)} states; random play keeps the value in {exact.of_chance:.1%} of them", flush=True)
    turns = [tuple(own) for own in _turns(game, exact.observations)]

    def chosen(priors: tuple[NDArray[np.float32], ...]) -> NDArray[np.int64]:
        """The most probable action of the role to move."""
        return np.array([(priors[role][row] * exact.masks[row]).argmax() for row, (role,) in enumerate(turns)])

    def shares() -> tuple[float, float]:
        every = tuple(np.ones((len(turns), count), np.bool_) for count in network.counts)
        alone = exact.share(lambda seen, _: chosen(tuple(network.evaluate(seen, every)[0])))
        found = game.mcts_batch(_states(game, exact.observations), network.evaluate, visits=visits)
        searched = exact.share(lambda *_: chosen(tuple(found.policy(role) for role in range(len(game.roles)))))
        return alone, searched

    curve = [shares()]
    print(f"before:   network {curve[0][0]:.1%}, with a search {curve[0][1]:.1%}", flush=True)
    for number in range(1, rounds + 1):
        memory.add(play(game, network, games, visits, rng))
        train(network, optimizer, memory, batches=100, seed=number)
        curve.append(shares())
        print(f"round {number:3}: network {curve[-1][0]:.1%}, with a search {curve[-1][1]:.1%}", flush=True)
    return curve


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
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    learn(arguments.game, rounds=arguments.rounds)
