"""Behaviour of calls: Ctrl-C, threads, forked processes, the command line, and no panic."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import ggp
from ggp._ggp import panic_within


@pytest.fixture(autouse=True)
def interrupts_are_heard() -> Iterator[None]:
    """A shell that starts this in the background lets it ignore interrupts, and Python then leaves them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


LONG = ["search", "solve", "simulate", "values", "match", "query"]


def begin_long_call(kind: str) -> None:
    """A call that takes hours."""
    game = ggp.load("connect_four")
    if kind == "search":
        game.minimax()
    elif kind == "solve":
        game.solve()
    elif kind == "simulate":
        game.simulate(10**12)
    elif kind == "values":
        ggp.BatchEnv(game, 4000).values(10**9)
    elif kind == "match":
        game.match(["mcts", "mcts"], start_clock=3600, play_clock=3600)
    else:
        numbers = " ".join(f"d({digit})" for digit in range(10))
        rules = f"role(p) legal(p,go) goal(p,0) terminal :- true(x) init(y) {numbers}"
        variables = [f"V{index}" for index in range(12)]
        ggp.load(rules).query(" & ".join(f"d({name})" for name in variables))


@pytest.mark.parametrize("kind", LONG)
def test_an_interrupt_stops_a_long_call(kind: str) -> None:
    ggp.load("connect_four").actions(0)
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        begin_long_call(kind)


def test_a_game_answers_after_an_interrupt() -> None:
    game = ggp.load("connect_four")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        game.minimax()
    assert len(game.initial().legal(0)) == 7
    assert game.minimax(depth=2).cost.nodes == 57
    assert game.simulate(10).games == 10


@pytest.mark.parametrize("delay", [0.01, 0.05, 0.2])
def test_an_interrupt_while_a_game_is_set_up_costs_it_nothing(delay: float) -> None:
    game = ggp.load("connect_four")
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        game.actions(0)
        timer.join()
        time.sleep(0.01)
    except KeyboardInterrupt:
        pass
    assert game.simulate(10).games == 10
    assert game.engine_in_use[0] == "propnet"


def test_other_threads_run_while_a_search_works() -> None:
    game = ggp.load("connect_four")
    game.initial()
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(game.mcts, seconds=1.5)
        state, moves = game.initial(), 0
        while not search.done():
            state = game.initial() if state.is_terminal else state.next([state.legal(role)[0] for role in game.roles])
            moves += 1
        assert search.result().move is not None
    assert moves > 10


def test_games_and_environments_work_in_several_threads(tic_tac_toe: ggp.Game) -> None:
    def play(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        env = ggp.BatchEnv(tic_tac_toe, 600, seed=seed)
        total = np.zeros((600, 2), np.float32)
        for _ in range(30):
            total += env.step(env.sample()).rewards
        assert tic_tac_toe.minimax(tic_tac_toe.initial().next({0: 4}), depth=3).cost.nodes > 0
        return total

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(play, range(8)))
    for seed, total in enumerate(together):
        np.testing.assert_array_equal(total, play(seed))


def test_an_environment_refuses_a_second_thread(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 4)
    begun = threading.Event()

    def work() -> None:
        begun.set()
        with pytest.raises(ggp.Interrupted):
            env.values(10**9)

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    refused = False
    for _ in range(1000):
        try:
            env.step(env.sample())
        except RuntimeError:
            refused = True
            break
        time.sleep(0.01)
    tic_tac_toe.interrupt()
    thread.join()
    assert refused


def _child(game: ggp.Game, state: ggp.State) -> tuple[list[str], float, int]:
    env = ggp.BatchEnv(game, 10, seed=1)
    env.step(env.sample())
    return state.legal(1), game.minimax(state, role=0).utility or 0, int(env.observations.sum() > 0)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_have_games_of_their_own(tic_tac_toe: ggp.Game, method: str) -> None:
    state = tic_tac_toe.initial().next({0: 4}).next({1: 1}).next({0: 0})
    here = _child(tic_tac_toe, state)
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.starmap(_child, [(tic_tac_toe, state)] * 3)
    assert there == [here] * 3


@pytest.mark.parametrize("on_thread", [False, True])
def test_a_panic_is_an_exception(on_thread: bool) -> None:
    with pytest.raises(ggp.InternalError, match="a mistake of ggp, not of the caller: on purpose"):
        panic_within("on purpose", on_thread)


def test_the_command_line_comes_with_the_package(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "ggp"]
    asked = subprocess.run([*run, "eval", "tic_tac_toe", "legal xplayer"], capture_output=True, text=True, check=True)
    assert asked.stdout.startswith("mark(1,1)") or "mark(1,1)" in asked.stdout
    wrong = subprocess.run([*run, "eval", "no_such_game", "legal"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "no_such_game" in wrong.stderr
    script = tmp_path / "endless"
    script.write_text("load connect_four\nminimax\n")
    endless = subprocess.Popen([*run, "run", str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert endless.stdout is not None
    while "minimax" not in endless.stdout.readline():
        assert endless.poll() is None
    endless.send_signal(signal.SIGINT)
    _, errors = endless.communicate()
    assert endless.returncode == 130 and "Traceback" not in errors
