"""Random play in ggp and in other libraries: steps per second of the CPU, the choice of moves and masks included.

    python benchmarks/speed.py [--seconds 3] [--games 4096] [--corpus DIRECTORY] [LIBRARY…]

In every library a step makes one move in one game, and moves are chosen at random among the legal ones. ggp and pgx
step many games at once: ggp's moves are chosen in NumPy from lists of the legal ones (`ggp-masks`: from masks), pgx's in
the compiled function. PettingZoo and OpenSpiel step one game at a time. A library that is not installed is skipped, and said so. Each measurement runs in a
process of its own: its CPU seconds (all threads, children excluded), its set-up until the first step, and the peak of
its memory.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CORPUS = Path(os.environ.get("GGP_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))
GAMES = ["tic_tac_toe", "connect_four", "breakthrough"]
NEEDS = {"ggp": "ggp", "ggp-masks": "ggp", "ggp-rollout": "ggp", "pgx": "pgx", "openspiel": "pyspiel", "pettingzoo": "pettingzoo"}
"""The libraries and the modules that they need."""

Steps = Iterator[int]
"""Yields the number of steps that were made since the last time."""


def ggp_steps(game: str, n: int) -> Steps:
    """BatchEnv: moves are chosen in NumPy from lists, among the legal ones of each role with the same probability."""
    import numpy as np

    import ggp

    source = CORPUS / "kif" / "breakthrough.kif" if game == "breakthrough" else game
    env = ggp.BatchEnv(ggp.load(source), n)
    rng = np.random.default_rng(0)
    random, places = np.empty((n, len(env.roles)), np.float32), np.empty((n, len(env.roles)), np.int64)
    while True:
        legal = env.legal_actions
        rng.random(dtype=np.float32, out=random)
        np.multiply(random, legal.counts, out=places, dtype=np.float32, casting="unsafe")
        places += legal.starts
        restarted = int(np.count_nonzero(env.terminations))
        env.step(legal.actions.take(places))
        yield n - restarted


def masked_steps(game: str, n: int) -> Steps:
    """BatchEnv: as above, with masks in place of lists."""
    import numpy as np

    import ggp

    source = CORPUS / "kif" / "breakthrough.kif" if game == "breakthrough" else game
    env = ggp.BatchEnv(ggp.load(source), n)
    rng = np.random.default_rng(0)
    actions = np.zeros((n, len(env.roles)), np.int64)
    starts = [np.arange(n) * count for count in env.num_actions]
    while True:
        for role, (mask, packed) in enumerate(zip(env.action_masks, env.packed_masks, strict=True)):
            counts = np.bitwise_count(packed)
            counts = counts[:, 0] if packed.shape[1] == 1 else counts.sum(axis=1, dtype=np.int64)
            # The legal moves of all games, one game after the other: one of each is drawn. A game without a legal
            # move is over, so what is drawn for it is not read.
            legal = np.flatnonzero(mask)
            drawn = np.cumsum(counts, dtype=np.int64)
            drawn -= 1
            drawn -= (rng.random(n, dtype=np.float32) * counts).astype(np.int64)
            np.subtract(legal[drawn], starts[role], out=actions[:, role])
        restarted = int(env.terminations.sum())
        env.step(actions)
        yield n - restarted


def rollout_steps(game: str, n: int) -> Steps:
    """Random games wholly in lanes."""
    import ggp

    source = CORPUS / "kif" / "breakthrough.kif" if game == "breakthrough" else game
    env, seed = ggp.BatchEnv(ggp.load(source), 1), 0
    # As many as take some tenths of a second: in the last games of each column of 64 lanes some of them are idle.
    games = {"tic_tac_toe": 40_000_000, "connect_four": 10_000_000, "breakthrough": 2_000_000}[game]
    while True:
        yield env.rollout(games, seed=seed).steps
        seed += 1


def pgx_steps(game: str, n: int) -> Steps:
    """pgx, compiled for the CPU: choice and step in one function, with automatic resets."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    if game == "breakthrough":
        raise LookupError("pgx has no breakthrough")
    env = pgx.make(game)
    step, init = auto_reset(env.step, env.init), jax.jit(jax.vmap(env.init))

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        logits = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        key, chosen, begun = jax.random.split(key, 3)
        actions = jax.random.categorical(chosen, logits, axis=1)
        return jax.vmap(step)(states, actions, jax.random.split(begun, n)), key

    key = jax.random.PRNGKey(0)
    states = init(jax.random.split(key, n))
    while True:
        states, key = play(states, key)
        jax.block_until_ready(states)
        yield n


def openspiel_steps(game: str, n: int) -> Steps:
    """A loop over pyspiel's states."""
    import random

    import pyspiel

    del n
    loaded = pyspiel.load_game({"tic_tac_toe": "tic_tac_toe", "connect_four": "connect_four"}.get(game, game))
    while True:
        state, steps = loaded.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        yield steps


def pettingzoo_steps(game: str, n: int) -> Steps:
    """PettingZoo's environments, with the action mask of the observation."""
    import numpy as np

    del n
    if game == "tic_tac_toe":
        from pettingzoo.classic import tictactoe_v3 as module
    elif game == "connect_four":
        from pettingzoo.classic import connect_four_v3 as module
    else:
        raise LookupError("PettingZoo has no breakthrough")
    env, rng = module.env(), np.random.default_rng(0)
    while True:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            steps += 1
        yield steps


LIBRARIES: dict[str, Callable[[str, int], Steps]] = {
    "ggp": ggp_steps,
    "ggp-masks": masked_steps,
    "ggp-rollout": rollout_steps,
    "pgx": pgx_steps,
    "openspiel": openspiel_steps,
    "pettingzoo": pettingzoo_steps,
}


def measure(library: str, game: str, n: int, seconds: float) -> dict[str, float]:
    """Steps for some seconds in this process, after a warm-up."""
    began = time.perf_counter()
    steps = LIBRARIES[library](game, n)
    next(steps)
    setup = time.perf_counter() - began
    until = time.perf_counter() + min(seconds, 0.5)
    while time.perf_counter() < until:
        next(steps)
    count, cpu, wall = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        count += next(steps)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"steps_per_cpu_second": count / cpu, "steps_per_second": count / wall, "setup": setup, "memory": memory}


def main() -> None:
    """Measures all libraries and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", default=list(LIBRARIES), metavar="LIBRARY")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--game", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.game:
        try:
            found = measure(arguments.libraries[0], arguments.game, arguments.games, arguments.seconds)
        except LookupError as error:
            found = {"error": str(error)}  # type: ignore[dict-item]
        print(json.dumps(found))
        return
    columns = ("steps/CPU s", "steps/s", "set-up s", "MiB")
    print(f"{'library':<12} {'game':<14}" + "".join(f"{column:>14}" for column in columns))
    for game in GAMES:
        for library in arguments.libraries:
            if importlib.util.find_spec(NEEDS[library]) is None:
                print(f"{library:<12} {game:<14} skipped: {NEEDS[library]} is not installed")
                continue
            options = [library, "--game", game, "--seconds", str(arguments.seconds), "--games", str(arguments.games)]
            ran = subprocess.run([sys.executable, __file__, *options], capture_output=True, text=True)
            if ran.returncode:
                print(f"{library:<12} {game:<14} failed: {ran.stderr.strip().splitlines()[-1]}")
                continue
            found = json.loads(ran.stdout.splitlines()[-1])
            if "error" in found:
                print(f"{library:<12} {game:<14} skipped: {found['error']}")
                continue
            values = (found["steps_per_cpu_second"], found["steps_per_second"])
            shown = "".join(f"{value:>14,.0f}" for value in values) + f"{found['setup']:>14.2f}{found['memory']:>14.0f}"
            print(f"{library:<12} {game:<14}{shown}")


if __name__ == "__main__":
    main()
