"""Questions change no game, and a state is taken only by a game with its rules."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import ggp
from ggp import results

CHANGES = [
    "load nim",
    "rules add goal(xplayer,1) :- true(control(oplayer))",
    "rules add legal(oplayer,give_up) :- true(control(xplayer))",
    "engine interpreter",
    "do mark(3,3)",
    "set control(oplayer)",
    "format prefix",
    "seed 5",
    "learn 1",
    "restart",
]
"""Lines that change the session of the prompt."""


@pytest.mark.parametrize("line", CHANGES)
def test_a_line_changes_nothing_about_its_game(line: str) -> None:
    game = ggp.load("tic_tac_toe")
    start, rules, seed = game.initial(), game.rules, game.ask("seed").text
    game.ask(line)
    game.ask(line, start.next(4))
    assert (game.name, game.rules, game.roles) == ("tic_tac_toe", rules, ["xplayer", "oplayer"])
    assert (game.ask("engine").data["engine"], game.ask("seed").text) == ("auto", seed)
    assert game.ask("state").data["facts"] == start.facts == game.initial().facts
    assert game.ask("legal").text.startswith("xplayer: mark(1,1)")
    assert game.query("legal(oplayer,M)") == [{"M": "noop"}]
    solved = game.minimax(start.next(4), role="xplayer")
    assert (solved.utility, solved.exact) == (50.0, True)
    assert game.minimax().data["role"] == "xplayer"
    assert "3 │ . . ." in start.board()
    restored = pickle.loads(pickle.dumps(game))
    assert (restored.rules, restored.ask("roles").data) == (rules, game.ask("roles").data)


def test_another_process_restores_the_game_that_was_loaded(tmp_path: Path) -> None:
    game = ggp.load("tic_tac_toe")
    game.ask("load nim")
    game.ask("rules add goal(xplayer,1) :- true(control(oplayer))")
    file = tmp_path / "game"
    file.write_bytes(pickle.dumps((game, game.initial().next(4))))
    code = f"import pickle; game, state = pickle.load(open({str(file)!r}, 'rb')); print(game.minimax(state).utility)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "50.0\n"


def test_a_line_that_fails_changes_nothing(tic_tac_toe: ggp.Game) -> None:
    for line in ("load no_such_game", "rules add goal(xplayer", "do mark(9,9)", "engine fast"):
        with pytest.raises(ggp.Error):
            tic_tac_toe.ask(line)
    assert tic_tac_toe.ask("legal oplayer").text.strip().endswith("noop")
    assert tic_tac_toe.minimax(depth=1).role == "xplayer"


def test_the_network_is_built_once(tic_tac_toe: ggp.Game) -> None:
    game = ggp.load("tic_tac_toe", engine="propnet")
    game.ask("perft 2")
    game.ask("load nim")
    game.ask("engine interpreter")
    assert game.engine_in_use == ("propnet", None)
    assert game.ask("perft 3").text == tic_tac_toe.ask("perft 3").text


def test_lines_of_one_call_share_a_session(tic_tac_toe: ggp.Game) -> None:
    assert tic_tac_toe.ask(["load nim", "roles"]).data == ggp.load("nim").ask("roles").data
    assert "mark(2,2)" not in tic_tac_toe.ask(["do mark(2,2)", "legal oplayer"]).text
    assert "mark(2,2)" in tic_tac_toe.ask("legal xplayer").text
    state = tic_tac_toe.initial().next("mark(2,2)")
    assert tic_tac_toe.ask(("do mark(1,1)", "state"), state).data["facts"] == state.next("mark(1,1)").facts
    with pytest.raises(ggp.Error, match="not legal"):
        tic_tac_toe.ask(["do mark(2,2)", "do mark(2,2)", "roles"])
    with pytest.raises(ggp.UsageError, match="no line"):
        tic_tac_toe.ask([])
    with pytest.raises(TypeError):
        tic_tac_toe.ask(3)  # type: ignore[arg-type]


def test_the_same_call_has_the_same_answer(tic_tac_toe: ggp.Game) -> None:
    assert tic_tac_toe.ask("playout").data == tic_tac_toe.ask("playout").data
    games = {tic_tac_toe.ask([f"seed {seed}", "playout"]).text for seed in range(5)}
    assert len(games) == 5 and tic_tac_toe.ask(["seed 3", "playout"]).text in games


def test_lines_in_several_threads_do_not_meet() -> None:
    game = ggp.load("tic_tac_toe")

    def ask(number: int) -> object:
        if number % 2:
            return game.ask("load nim").kind
        return game.minimax(game.initial().next(4), depth=2).role

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(24)))
    assert answers == ["oplayer", "loaded"] * 12


TAKES: dict[str, Callable[[ggp.Game, ggp.State], object]] = {
    "minimax": lambda game, state: game.minimax(state),
    "mcts": lambda game, state: game.mcts(state, visits=10),
    "bestplan": lambda game, state: game.bestplan(state),
    "solve": lambda game, state: game.solve(state),
    "search": lambda game, state: game.search("alphabeta", state=state),
    "search drawn": lambda game, state: game.search("minimax", state=state, depth=1, draw=True),
    "ask": lambda game, state: game.ask("show", state),
    "query": lambda game, state: game.query("terminal", state),
    "why": lambda game, state: game.why("terminal", state),
    "simulate": lambda game, state: game.simulate(10, state=state),
    "percepts": lambda game, state: game.percepts(state, 0, ["noop", "noop"]),
    "mcts_batch": lambda game, state: game.mcts_batch([game.initial(), state], _uniform, visits=3),
    "set_state": lambda game, state: ggp.BatchEnv(game, 2).set_state(1, state),
}
"""Everything to which a state is passed."""


def _uniform(
    observations: NDArray[np.float32], masks: tuple[NDArray[np.bool_], ...]
) -> tuple[list[NDArray[np.float32]], NDArray[np.float32]]:
    return [mask.astype(np.float32) for mask in masks], np.zeros((len(observations), len(masks)), np.float32)


@pytest.mark.parametrize("reached", [True, False])
@pytest.mark.parametrize("name", TAKES)
def test_the_state_of_another_game_is_refused(tic_tac_toe: ggp.Game, name: str, reached: bool) -> None:
    nim = ggp.load("nim")
    state = nim.initial() if reached else nim.state(nim.initial().facts)
    with pytest.raises(ggp.UsageError, match="the state is of nim, and the game is tic_tac_toe"):
        TAKES[name](tic_tac_toe, state)
    # Nothing is left of it.
    assert tic_tac_toe.minimax(depth=1).role == "xplayer"


def test_other_rules_of_the_same_name_are_another_game() -> None:
    one = ggp.load("role(p) init(a) legal(p,go) next(b) terminal :- true(b) goal(p,1) :- true(b)")
    other = ggp.load("role(p) init(a) legal(p,go) next(b) terminal :- true(b) goal(p,2) :- true(b)")
    with pytest.raises(ggp.UsageError, match="another game named game, whose rules differ"):
        one.minimax(other.initial())


@pytest.mark.parametrize("name", [name for name in TAKES if name not in {"bestplan", "percepts"}])
def test_a_second_load_takes_the_state(tic_tac_toe: ggp.Game, name: str) -> None:
    state = tic_tac_toe.initial().next(4).next(0)
    second = ggp.load(tic_tac_toe.rules + "\n% The same clauses.\n", name="second")
    one, other = TAKES[name](tic_tac_toe, state), TAKES[name](second, state)
    if isinstance(one, results.SearchResult):
        assert isinstance(other, results.SearchResult)
        assert (one.utility, one.move, one.cost.nodes) == (other.utility, other.move, other.cost.nodes)
    elif isinstance(one, results.Solved | bool | results.Playouts):
        assert one == other


def test_games_of_other_engines_take_the_state(tic_tac_toe: ggp.Game) -> None:
    state = tic_tac_toe.initial().next(4).next(1)
    slow = ggp.load("tic_tac_toe", engine="interpreter")
    assert slow.minimax(state, role="xplayer").utility == 100.0
    assert tic_tac_toe.minimax(slow.state(state.facts), role="xplayer").utility == 100.0


def test_states_of_a_second_load_lead_to_the_same_trees(tic_tac_toe: ggp.Game) -> None:
    second = ggp.load("tic_tac_toe")
    states = [tic_tac_toe.initial(), second.initial().next(4), pickle.loads(pickle.dumps(second.initial()))]
    found = tic_tac_toe.mcts_batch(states, _uniform, visits=20)
    own = [tic_tac_toe.initial(), tic_tac_toe.initial().next(4), tic_tac_toe.initial()]
    same = tic_tac_toe.mcts_batch(own, _uniform, visits=20)
    np.testing.assert_array_equal(found.values, same.values)


def test_a_batch_keeps_its_games_if_a_state_is_refused(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 2, seed=1)
    env.step(env.sample())
    before = [env.state(game) for game in range(2)]
    with pytest.raises(ggp.UsageError):
        env.set_state(0, ggp.load("nim").initial())
    assert [env.state(game) for game in range(2)] == before


def test_what_is_no_state_is_a_type_error(tic_tac_toe: ggp.Game) -> None:
    for wrong in (3, "cell(1,1,b)", ["control(xplayer)"], tic_tac_toe):
        with pytest.raises(TypeError):
            tic_tac_toe.minimax(wrong)  # type: ignore[arg-type]
