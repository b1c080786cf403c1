"""Random play in ggp and in other libraries: steps per second of the CPU, the choice of moves and masks included.

    pip install ggp pgx gymnasium open_spiel pettingzoo
    python speed.py [--seconds 3] [--rounds 3] [--games 4096] [--game GAME] [LIBRARY…]

In every library a step makes one move in one game, and moves are chosen at random among the legal ones. Many games at
once: `ggp` (drawn by `BatchEnv.sample`), `ggp-lists` and `ggp-masks` (chosen in NumPy), `ggp-gymnasium` (the vector
environment with masks, drawn by its `sample`; a step is one of the agent's, and its opponent's moves are not counted),
`ggp-jax` (the functions of `ggp.jax`, a `scan` of 64 steps compiled as one function), `ggp-torch` (those of `ggp.torch`,
each operation on its own), `pgx` (choice and step compiled as one function), `pgx-scan` (a `scan` of 64 of them), each with
`jax.random.categorical`, and `pgx-cheap` and `pgx-cheap-scan`, with the greatest of random numbers in its place. One game at
a time: `ggp-states`, `openspiel` (its own games in C++), `openspiel-ggp` (the same loop over the rule sheet by
`ggp.openspiel`) and `pettingzoo`. A library that is not installed is skipped, and said so.

Each measurement runs in a process of its own: its CPU seconds (all threads, children excluded), its set-up until the
first step, and the peak of its memory. Libraries are measured in turns, round after round; the table has the medians,
and the least and the greatest of all rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

CORPUS = Path(os.environ.get("GGP_CORPUS", Path(__file__).resolve().parent / "../../../shared/corpus"))
GAMES = ["tic_tac_toe", "connect_four", "breakthrough"]
NEEDS = {
    "ggp": "ggp",
    "ggp-lists": "ggp",
    "ggp-masks": "ggp",
    "ggp-gymnasium": "gymnasium",
    "ggp-states": "ggp",
    "ggp-rollout": "ggp",
    "ggp-jax": "jax",
    "ggp-torch": "torch",
    "pgx": "pgx",
    "pgx-scan": "pgx",
    "pgx-cheap": "pgx",
    "pgx-cheap-scan": "pgx",
    "openspiel": "pyspiel",
    "openspiel-ggp": "pyspiel",
    "pettingzoo": "pettingzoo",
}
"""The libraries and the modules that they need."""

Steps = Iterator[int]
"""Yields the number of steps that were made since the last time."""


def load(game: str) -> Any:
    """The game of ggp."""
    import ggp

    if game != "breakthrough":
        return ggp.load(game)
    path = CORPUS / "kif" / "breakthrough.kif"
    if not path.exists():
        raise LookupError(f"there is no {path}; GGP_CORPUS names the corpus")
    return ggp.load(path)


def ggp_steps(game: str, n: int) -> Steps:
    """BatchEnv, which draws a legal move of each role."""
    import numpy as np

    import ggp

    env = ggp.BatchEnv(load(game), n)
    while True:
        restarted = int(np.count_nonzero(env.terminations))
        env.step(env.sample())
        yield n - restarted


def gymnasium_steps(game: str, n: int) -> Steps:
    """The vector environment of Gymnasium, for the first role."""
    import numpy as np

    from ggp.gymnasium import GgpVectorEnv

    env = GgpVectorEnv(load(game), n)
    env.reset(seed=0)
    restarted = 0
    while True:
        _, _, terminations, truncations, _ = env.step(env.sample())
        yield n - restarted
        restarted = int(np.count_nonzero(terminations | truncations))


def state_steps(game: str, n: int) -> Steps:
    """A loop over single states, by numbers."""
    import random

    del n
    loaded = load(game)
    while True:
        state, steps = loaded.initial(), 0
        while not state.is_terminal:
            state = state.next(random.choice(state.legal_actions()))
            steps += 1
        yield steps


def listed_steps(game: str, n: int) -> Steps:
    """BatchEnv: moves are chosen in NumPy from lists, among the legal ones of each role with the same probability."""
    import numpy as np

    import ggp

    env = ggp.BatchEnv(load(game), n)
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

    env = ggp.BatchEnv(load(game), n)
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

    env, seed = ggp.BatchEnv(load(game), 1), 0
    # As many as take some tenths of a second: in the last games of each column of 64 lanes some of them are idle.
    games = {"tic_tac_toe": 40_000_000, "connect_four": 10_000_000, "breakthrough": 2_000_000}[game]
    while True:
        yield env.rollout(games, seed=seed).steps
        seed += 1


SCANNED = 64
"""The steps of one compiled function."""


def jax_steps(game: str, n: int) -> Steps:
    """The pure functions of ggp.jax: choice and step, with automatic resets."""
    import jax

    import ggp.jax

    env = ggp.jax.env(load(game), n)

    def ply(states: Any, key: Any) -> tuple[Any, Any]:
        states, rewards, ended = env.step(states, env.sample(states, key))
        return env.restart(states, ended), rewards

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        key, *keys = jax.random.split(key, SCANNED + 1)
        return *jax.lax.scan(ply, states, jax.numpy.stack(keys)), key

    states, key = env.initial(), jax.random.PRNGKey(0)
    while True:
        states, rewards, key = play(states, key)
        jax.block_until_ready(rewards)
        yield n * SCANNED


def torch_steps(game: str, n: int) -> Steps:
    """The functions of ggp.torch: choice and step, with automatic resets."""
    import ggp.torch

    env = ggp.torch.env(load(game), n)
    states = env.initial()
    while True:
        states, _, ended = env.step(states, env.sample(states))
        states = env.restart(states, ended)
        yield n


def pgx_steps(game: str, n: int, is_cheap: bool = False, scanned: int = 1) -> Steps:
    """pgx, compiled for the CPU: choice and step in one function, with automatic resets."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    if game == "breakthrough":
        raise LookupError("pgx has no breakthrough")
    env = pgx.make(game)
    step, init = auto_reset(env.step, env.init), jax.jit(jax.vmap(env.init))

    def ply(carried: Any, _: None) -> tuple[Any, None]:
        states, key = carried
        mask = states.legal_action_mask
        key, chosen, begun = jax.random.split(key, 3)
        if is_cheap:
            actions = jax.numpy.argmax(mask * (1 + jax.random.uniform(chosen, mask.shape)), axis=1)
        else:
            actions = jax.random.categorical(chosen, jax.numpy.log(mask.astype(jax.numpy.float32)), axis=1)
        return (jax.vmap(step)(states, actions, jax.random.split(begun, n)), key), None

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        if scanned == 1:
            return ply((states, key), None)[0]
        return jax.lax.scan(ply, (states, key), None, length=scanned)[0]

    key = jax.random.PRNGKey(0)
    states = init(jax.random.split(key, n))
    while True:
        states, key = play(states, key)
        jax.block_until_ready(states)
        yield n * scanned


def openspiel_steps(game: str, n: int, of_sheet: bool = False) -> Steps:
    """A loop over pyspiel's states: of its own game, or of the rule sheet."""
    import random

    import pyspiel

    del n
    if of_sheet:
        import ggp.openspiel

        rules = load(game).rules
        loaded = pyspiel.load_game("ggp", {"rules": rules, "utility": "zero_sum", "information": "perfect"})
    else:
        loaded = pyspiel.load_game(game)
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
    "ggp-lists": listed_steps,
    "ggp-masks": masked_steps,
    "ggp-gymnasium": gymnasium_steps,
    "ggp-states": state_steps,
    "ggp-rollout": rollout_steps,
    "pgx": pgx_steps,
    "ggp-jax": jax_steps,
    "ggp-torch": torch_steps,
    "pgx-scan": lambda game, n: pgx_steps(game, n, scanned=SCANNED),
    "pgx-cheap": lambda game, n: pgx_steps(game, n, is_cheap=True),
    "pgx-cheap-scan": lambda game, n: pgx_steps(game, n, is_cheap=True, scanned=SCANNED),
    "openspiel": openspiel_steps,
    "openspiel-ggp": lambda game, n: openspiel_steps(game, n, of_sheet=True),
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


def measured(library: str, game: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """A measurement in a process of its own; only ``error`` if it cannot be made."""
    if importlib.util.find_spec(NEEDS[library]) is None:
        return {"error": f"skipped: {NEEDS[library]} is not installed"}
    options = ["--alone", library, "--game", game]
    options += ["--seconds", str(arguments.seconds), "--games", str(arguments.games)]
    ran = subprocess.run([sys.executable, __file__, *options], capture_output=True, text=True)
    if ran.returncode:
        return {"error": f"failed: {ran.stderr.strip().splitlines()[-1]}"}
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def installed() -> str:
    """The versions of the libraries."""
    names = ("numpy", "jax", "pgx", "open_spiel", "gymnasium", "pettingzoo")
    found = [f"{name} {metadata.version(name)}" for name in names if importlib.util.find_spec(name)]
    return ", ".join(found)


def main() -> None:
    """Measures all libraries in turns and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", default=list(LIBRARIES), metavar="LIBRARY")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        try:
            found: dict[str, Any] = measure(arguments.alone, arguments.game, arguments.games, arguments.seconds)
        except LookupError as error:
            found = {"error": f"skipped: {error}"}
        print(json.dumps(found))
        return
    unknown = set(arguments.libraries) - set(LIBRARIES)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(LIBRARIES)}")
    print(f"{processor()}; Python {platform.python_version()}; {arguments.games} games at once; {installed()}")
    columns = ("steps/CPU s", "least", "greatest", "set-up s", "MiB")
    print(f"{'library':<15} {'game':<14}" + "".join(f"{column:>14}" for column in columns))
    for game in [arguments.game] if arguments.game else GAMES:
        rounds = [
            {library: measured(library, game, arguments) for library in arguments.libraries}
            for _ in range(arguments.rounds)
        ]
        for library in arguments.libraries:
            results = [found[library] for found in rounds]
            errors = [result["error"] for result in results if "error" in result]
            if errors:
                print(f"{library:<15} {game:<14} {errors[0]}")
                continue
            rates = [result["steps_per_cpu_second"] for result in results]
            setup, memory = (statistics.median(result[name] for result in results) for name in ("setup", "memory"))
            shown = "".join(f"{value:>14,.0f}" for value in (statistics.median(rates), min(rates), max(rates)))
            print(f"{library:<15} {game:<14}{shown}{setup:>14.2f}{memory:>14.0f}", flush=True)


if __name__ == "__main__":
    main()
