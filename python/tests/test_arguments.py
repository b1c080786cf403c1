"""Wrong arguments: every door of the package answers with an exception, and never with an abort, a panic or an exit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp

hypothesis = pytest.importorskip("hypothesis", reason="hypothesis is not installed, so signatures are not fuzzed")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


ALLOWED = (ggp.Error, TypeError, ValueError, OverflowError, MemoryError)

ARRAYS = st.builds(
    lambda shape, dtype, value: np.full(shape, value).astype(dtype),
    st.lists(st.integers(0, 4), max_size=3),
    st.sampled_from(["i1", "u1", "i4", "u4", "i8", "u8", "f4", "f8", "?", "O", "U3", "c16", "M8[s]"]),
    st.integers(0, 12),
)
"""Small arrays of many shapes and types."""

HUGE = st.integers(10**12, 10**30) | st.sampled_from([2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64])
WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), -1),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=8),
    st.lists(st.one_of(st.integers(-2, 12), st.text(max_size=3), st.none()), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers(-1, 12), max_size=3),
    st.builds(object),
    ARRAYS,
)
SIZE = st.integers(-3, 70) | HUGE.filter(lambda size: size >= 10**12) | WRONG
"""A number of games: few, or more than there is memory for."""
WORK = st.integers(-3, 4) | HUGE.filter(lambda amount: amount >= 2**64) | WRONG.filter(lambda amount: amount is not None)
"""An amount of work: little, or none that can be done."""
ANY = st.integers(-3, 20) | HUGE | WRONG
ROLE = st.sampled_from(["xplayer", "oplayer", "red", "", "f(", "x" * 50, 0, 1, -1, 2, 2**70]) | WRONG
TERM = st.sampled_from(["mark(1,1)", "noop", "mark(", "X", "(mark 1 1)", "f(" * 500 + "a" + ")" * 500]) | ANY
MOVES = st.one_of(
    TERM, st.lists(TERM, max_size=3), st.dictionaries(ROLE.filter(_is_hashable), TERM, max_size=2)
)


def _evaluate(observations: Any, masks: Any) -> Any:
    return [np.ones(mask.shape, np.float32) for mask in masks], np.zeros((len(observations), 2), np.float32)


def _vector(**arguments: Any) -> Any:
    from ggp.gymnasium import GgpVectorEnv

    env = GgpVectorEnv("tic_tac_toe", **arguments)
    env.reset()
    return env.step(env.sample())


def _batch(**arguments: Any) -> Any:
    env = ggp.BatchEnv("tic_tac_toe", **arguments)
    return env.step(env.sample())


GAME = ggp.load("tic_tac_toe")
STATE = GAME.initial()
OTHER = ggp.load("minimax_tree").initial()
ENV = ggp.BatchEnv(GAME, 3)
STATES = st.sampled_from([STATE, OTHER]) | WRONG

DOORS: dict[str, tuple[Callable[..., Any], dict[str, st.SearchStrategy[Any]]]] = {
    "load": (ggp.load, {"source": TERM, "name": ANY, "engine": ANY}),
    "BatchEnv": (
        _batch,
        {
            "n": SIZE,
            "seed": ANY,
            "observation": st.sampled_from(["bool", "planes", "float32"]) | WRONG,
            "rewards": ANY,
            "autoreset": ANY,
            "max_steps": ANY,
            "illegal": ANY,
        },
    ),
    "GgpVectorEnv": (
        _vector,
        {"num_envs": SIZE, "role": ROLE, "observation": ANY, "max_plies": ANY, "idle": ANY, "autoreset_mode": ANY},
    ),
    "step": (ENV.step, {"actions": ANY | ARRAYS, "out": ANY, "playouts": WORK}),
    "reset": (ENV.reset, {"mask": ANY | ARRAYS, "seed": ANY}),
    "sample": (ENV.sample, {"out": ANY | ARRAYS}),
    "values": (ENV.values, {"playouts": WORK, "seed": ANY, "longest": ANY, "out": ARRAYS | ANY}),
    "rollout": (ENV.rollout, {"n": WORK, "seed": ANY, "threads": st.integers(-2, 3) | HUGE | WRONG}),
    "batch state": (ENV.state, {"game": ANY}),
    "set_state": (ENV.set_state, {"game": ANY, "state": STATES}),
    "next": (STATE.next, {"moves": MOVES}),
    "legal": (STATE.legal, {"role": ROLE}),
    "legal_actions": (STATE.legal_actions, {"role": ROLE}),
    "goal": (STATE.goal, {"role": ROLE}),
    "state": (GAME.state, {"facts": st.lists(TERM, max_size=3) | ANY, "reached": ANY}),
    "actions": (GAME.actions, {"role": ROLE}),
    "action_to_term": (GAME.action_to_term, {"role": ROLE, "action": ANY}),
    "term_to_action": (GAME.term_to_action, {"role": ROLE, "text": TERM}),
    "query": (GAME.query, {"text": TERM, "state": STATES}),
    "why": (GAME.why, {"text": TERM, "state": STATES}),
    "ask": (GAME.ask, {"line": st.sampled_from(["show", "legal", "quit", "exit", "load x"]) | TERM, "state": STATES}),
    "check": (GAME.check, {"games": WORK, "seed": ANY}),
    "simulate": (
        GAME.simulate,
        {
            "games": WORK,
            "state": STATES,
            "seed": ANY,
            "threads": st.integers(-2, 3) | HUGE | WRONG,
            "longest": ANY,
        },
    ),
    "minimax": (GAME.minimax, {"state": STATES, "role": ROLE, "depth": WORK}),
    "mcts": (GAME.mcts, {"state": STATES, "role": ROLE, "visits": WORK, "seed": ANY, "exploration": ANY}),
    "mcts_batch": (
        GAME.mcts_batch,
        {
            "states": st.lists(STATES, max_size=3) | WRONG,
            "evaluate": st.just(_evaluate) | WRONG,
            "visits": WORK,
            "exploration": ANY,
            "noise": st.tuples(st.floats(), st.floats()) | WRONG,
            "observation": ANY,
            "seed": ANY,
        },
    ),
    "match": (
        GAME.match,
        {
            "players": st.lists(st.sampled_from(["random", "legal", "nobody", "mcts:visits=-1"]), max_size=3) | WRONG,
            "games": WORK,
            "start_clock": st.sampled_from([1e19, 0.0, -1.0]) | WRONG,
            "play_clock": st.sampled_from([1e19, 0.0, -1.0]) | WRONG,
            "seed": ANY,
            "jobs": st.integers(-2, 3) | HUGE | WRONG,
        },
    ),
}
REQUIRED = {
    "load": ["source"],
    "BatchEnv": ["n"],
    "GgpVectorEnv": ["num_envs"],
    "step": ["actions"],
    "values": ["playouts"],
    "rollout": ["n"],
    "check": ["games"],
    "simulate": ["games"],
    "minimax": ["depth"],
    "mcts": ["visits"],
    "mcts_batch": ["states", "evaluate", "visits"],
    "match": ["players", "games"],
}


@pytest.mark.parametrize("door", list(DOORS))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data())
def test_wrong_arguments_are_exceptions(door: str, data: Any) -> None:
    if door == "GgpVectorEnv":
        pytest.importorskip("gymnasium")
    function, parameters = DOORS[door]
    required = REQUIRED.get(door, list(parameters))
    names = required + data.draw(st.lists(st.sampled_from(list(parameters)), max_size=2))
    arguments = {name: data.draw(parameters[name], label=name) for name in dict.fromkeys(names)}
    try:
        function(**arguments)
    except ggp.InternalError:
        raise
    except ALLOWED:
        pass


@pytest.mark.parametrize("n", [10**14, 2**63 - 1, 2**64 - 1, 10**30])
@pytest.mark.parametrize("kind", ["batch", "vector", "packed"])
def test_more_games_than_memory(n: int, kind: str) -> None:
    with pytest.raises(MemoryError, match="of memory, and there are") as raised:
        if kind == "vector":
            gymnasium = pytest.importorskip("ggp.gymnasium")
            gymnasium.GgpVectorEnv("tic_tac_toe", n)
        else:
            ggp.BatchEnv("connect_four", n, observation="planes" if kind == "batch" else "packed")
    error = raised.value
    assert isinstance(error, ggp.OutOfMemory) and 0 < error.available < 2**63
    assert error.asked is None or error.asked > error.available


def test_more_threads_than_a_machine_has() -> None:
    with pytest.raises(ggp.UsageError, match="threads are from 1 to 1024, not 1000000000"):
        GAME.simulate(10, threads=10**9)
    with pytest.raises(ggp.UsageError, match="jobs are from 1 to 1024, not 0"):
        GAME.match(["random", "random"], jobs=0)


def test_actions_of_64_bits_without_a_sign_are_reported_as_they_are() -> None:
    env = ggp.BatchEnv("tic_tac_toe", 3)
    actions = np.zeros((3, 2), np.uint64)
    actions[:, 1] = 9
    env.step(actions)
    actions[:] = 9, 1
    actions[1, 0] = 2**63 + 5
    with pytest.raises(ggp.IllegalAction, match="xplayer has no action 9223372036854775813") as raised:
        env.step(actions)
    assert raised.value.action == 2**63 + 5 and raised.value.game == 1
    with pytest.raises(ggp.IllegalAction, match="xplayer has no action 9223372036854775813|no role has"):
        STATE.next([2**63 + 5, 9])


@pytest.mark.parametrize("actions", [[], [[], [], []], np.zeros((0, 2))])
def test_no_actions_have_a_wrong_shape_and_not_a_wrong_type(actions: Any) -> None:
    with pytest.raises(ggp.ShapeError, match=r"actions must have the shape \(3, 2\)"):
        ENV.step(actions)


def test_trees_have_seeds_up_to_the_greatest() -> None:
    found = GAME.mcts_batch([STATE, STATE], _evaluate, visits=3, seed=2**64 - 1)
    assert found.visits[0].sum() == 4
    with pytest.raises(ggp.UsageError, match="noise"):
        GAME.mcts_batch([STATE], _evaluate, visits=3, noise=(float("nan"), -1.0))


def _gymnasium(**arguments: Any) -> Any:
    return pytest.importorskip("ggp.gymnasium").GgpVectorEnv("tic_tac_toe", 2, **arguments)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ggp.BatchEnv(GAME, 2, seed=-1),
        lambda: ENV.reset(seed=-1),
        lambda: ENV.values(1, seed=-1),
        lambda: GAME.simulate(10, seed=-1),
        lambda: GAME.simulate(-10),
        lambda: GAME.simulate(10, longest=-1),
        lambda: GAME.check(games=-1),
        lambda: GAME.match(["random", "random"], seed=2**64),
        lambda: GAME.match(["random", "random"], games=-1),
        lambda: GAME.match(["random", "random"], jobs=-1),
        lambda: GAME.mcts(visits=5, seed=-1),
        lambda: GAME.mcts_batch([STATE], _evaluate, visits=3, seed=-1),
        lambda: ENV.state(-1),
        lambda: ENV.set_state(-1, STATE),
        lambda: ggp.BatchEnv(GAME, -2),
    ],
)
def test_negative_numbers_are_errors_of_ggp(call: Callable[[], object]) -> None:
    with pytest.raises(ggp.UsageError):
        call()


def test_truth_values_are_no_moves_seeds_or_roles() -> None:
    for moves in (True, [True, 9], {"xplayer": True}, {True: "mark(1,1)"}):
        with pytest.raises(TypeError, match="is no truth value"):
            STATE.next(moves)
    for call in (lambda: STATE.legal(False), lambda: GAME.simulate(10, seed=True)):
        with pytest.raises(TypeError, match="is no truth value"):
            call()


def test_games_are_named_by_paths(tmp_path: Path) -> None:
    sheet = tmp_path / "own game.gdl"
    sheet.write_text(GAME.rules)
    assert ggp.BatchEnv(sheet, 2).game.name == "own game"
    assert ggp.BatchEnv(GAME, 2).game is GAME
    gymnasium = pytest.importorskip("ggp.gymnasium")
    assert gymnasium.GgpVectorEnv(sheet, 2).game.roles == GAME.roles
    assert gymnasium.GgpEnv(sheet).game.roles == GAME.roles


@pytest.mark.parametrize("make", [lambda: ggp.BatchEnv("connect_four", 4096), lambda: _gymnasium()])
def test_a_second_thread_in_an_environment_is_refused(make: Callable[[], Any]) -> None:
    env = make()
    env.reset()
    failures: list[Exception] = []

    def step() -> None:
        try:
            env.step(env.sample())
        except Exception as error:
            failures.append(error)

    with env.in_use:
        thread = threading.Thread(target=step)
        thread.start()
        thread.join()
    assert [type(failure) for failure in failures] == [ggp.InUse]
    assert "each thread needs one of its own" in str(failures[0])
    failures.clear()
    threads = [threading.Thread(target=lambda: [step() for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {type(failure) for failure in failures} <= {ggp.InUse}
    env.step(env.sample())


def test_moves_of_matches_are_those_of_the_rest() -> None:
    [match] = GAME.match(["legal", "random:seed=1"]).matches
    state = STATE
    for moves in match.moves:
        state = state.next(moves)
    assert state.is_terminal and tuple(state.goals.values()) == match.utilities
