"""Games and states: loading, asking, errors with positions, pickling."""

from __future__ import annotations

import doctest
import pickle
from pathlib import Path

import numpy as np
import pytest

import ggp

SHEET = "role(p) init(at(0)) legal(p,go) next(at(1)) terminal :- true(at(1)) goal(p,40) base(at(0)) base(at(1)) input(p,go)"


def test_a_game_is_loaded_by_name_path_and_text(tmp_path: Path) -> None:
    assert ggp.load("tic_tac_toe").roles == ["xplayer", "oplayer"]
    path = tmp_path / "walk.gdl"
    path.write_text(SHEET)
    assert ggp.load(path).name == "walk"
    assert ggp.load(str(path)).rules == SHEET
    game = ggp.load(SHEET, name="mine")
    assert (game.name, game.roles) == ("mine", ["p"])
    assert game.initial().next("go").goals == {"p": 40.0}
    prefix = "(role p) (init (at 0)) (<= (legal p go)) (<= (next (at 1))) (<= terminal (true (at 1))) (goal p 40)"
    assert ggp.load(prefix).initial().facts == ["at(0)"]
    assert "tic_tac_toe" in ggp.library()


def test_what_cannot_be_loaded_is_an_exception_that_says_where() -> None:
    with pytest.raises(ggp.NotFound, match="did you mean tic_tac_toe"):
        ggp.load("tic_tac_to")
    with pytest.raises(ggp.RuleError) as caught:
        ggp.load("role(p)\nlegal(p,M) :- ~free(M)\ngoal(p,0)\nterminal")
    unsafe = next(found for found in caught.value.diagnostics if found.code == "E112")
    assert (unsafe.severity, unsafe.line, unsafe.column) == ("error", 2, 9)
    assert "game:2:9" in str(unsafe)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ggp.RuleError) as caught:
        ggp.load("role(p)\nlegal(p,go)\ngaol(p,0)\nterminal")
    misspelt = next(found for found in caught.value.diagnostics if found.fix)
    edit = misspelt.fix[0]
    assert (edit.line, edit.column, edit.end_column, edit.replacement) == (3, 1, 5, "goal")
    with pytest.raises(ggp.UsageError, match="no engine `fast`"):
        ggp.load("tic_tac_toe", engine="fast")


def test_states_answer_by_terms_and_by_numbers(tic_tac_toe: ggp.Game) -> None:
    start = tic_tac_toe.initial()
    assert start.legal("oplayer") == ["noop"]
    assert start.legal_actions("xplayer") == list(range(9))
    moves = tic_tac_toe.actions("xplayer")
    assert moves[4] == "mark(2,2)" == tic_tac_toe.action_to_term("xplayer", 4)
    assert [tic_tac_toe.term_to_action(0, move) for move in moves] == list(range(10))
    assert tic_tac_toe.term_to_action(0, "(mark 2 2)") == 4
    nexts = [
        start.next({"xplayer": "mark(2,2)"}),
        start.next({"xplayer": 4, "oplayer": "noop"}),
        start.next({0: np.int64(4)}),
        start.next(["mark(2,2)", "noop"]),
        start.next(np.array([4, 9])),
    ]
    assert len(set(nexts)) == 1
    state = nexts[0]
    assert state.is_reached and not state.is_terminal
    assert "cell(2,2,x)" in state.facts and "control(oplayer)" in state.facts
    assert state.goals == {"xplayer": 50.0, "oplayer": 50.0}
    held = [fluent for fluent, holds in zip(tic_tac_toe.fluents, state.observation(), strict=True) if holds]
    assert held == state.facts


def test_states_are_values(tic_tac_toe: ggp.Game) -> None:
    state = tic_tac_toe.initial().next({0: 4})
    other = ggp.load("tic_tac_toe").initial().next({0: 4})
    by_facts = tic_tac_toe.state(state.facts)
    assert not by_facts.is_reached
    assert state == other == by_facts
    assert hash(state) == hash(other) == hash(by_facts)
    assert state != tic_tac_toe.initial() and state != "state"
    assert by_facts.legal(1) == state.legal(1)
    assert by_facts.legal_actions(1) == state.legal_actions(1)
    assert by_facts.next({1: 0}) == state.next({1: 0})
    assert repr(state).startswith("<State of tic_tac_toe: cell(1,1,b)")


def test_a_state_that_play_never_reaches_can_be_asked() -> None:
    game = ggp.load("connect_four_4x4")
    # Nine coins of one player and none of the other.
    facts = [fact for fact in game.fluents if ",x)" in fact][:9]
    state = game.state([*facts, "control(x)"] if "control(x)" in game.fluents else facts)
    assert sorted(state.facts) == sorted(set(state.facts))
    with pytest.raises(ggp.QueryError, match="no ground term"):
        game.state(["cell(1,"])


def test_states_and_games_can_be_pickled(tic_tac_toe: ggp.Game) -> None:
    states = [tic_tac_toe.initial(), tic_tac_toe.initial().next({0: 4}), tic_tac_toe.state(["control(xplayer)"])]
    restored = pickle.loads(pickle.dumps(states))
    assert restored == states
    assert [state.is_reached for state in restored] == [True, True, False]
    assert restored[0].game is restored[1].game
    game = pickle.loads(pickle.dumps(tic_tac_toe))
    assert (game.name, game.rules) == (tic_tac_toe.name, tic_tac_toe.rules)
    assert isinstance(game, ggp.Game)


def test_wrong_moves_say_whose_they_are_and_change_nothing(tic_tac_toe: ggp.Game) -> None:
    start = tic_tac_toe.initial()
    before = start.facts
    with pytest.raises(ggp.IllegalAction, match="not legal for xplayer") as caught:
        start.next({"xplayer": "mark(9,9)"})
    assert (caught.value.role, caught.value.action, caught.value.game) == ("xplayer", "mark(9,9)", None)
    with pytest.raises(ggp.IllegalAction) as caught:
        start.next([9, 9])
    assert caught.value.action == 9
    for number in (10, -1, 2**40):
        with pytest.raises(ggp.IllegalAction, match="its actions are 0 to 9"):
            start.next({0: number})
        with pytest.raises(ggp.UsageError, match="its actions are 0 to 9"):
            tic_tac_toe.action_to_term(0, number)
    with pytest.raises(ggp.UsageError, match="no role `nobody`; it has xplayer, oplayer"):
        start.next({"nobody": 1})
    with pytest.raises(ggp.UsageError, match="no role 2"):
        start.legal(2)
    with pytest.raises(ggp.UsageError, match="1 moves for 2 roles"):
        start.next([1])
    with pytest.raises(ggp.UsageError, match="9 legal moves"):
        start.next({})
    with pytest.raises(TypeError, match="a mapping from roles or a sequence"):
        start.next(3.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a term or a number"):
        start.next({"xplayer": 2.5})
    with pytest.raises(ggp.UsageError, match="no move of xplayer"):
        tic_tac_toe.term_to_action(0, "jump")
    assert start.facts == before


def test_a_game_that_is_over_takes_no_moves() -> None:
    state = ggp.load(SHEET).initial().next({})
    assert state.is_terminal
    with pytest.raises(ggp.GameOver):
        state.next("go")


def test_a_role_without_a_move_is_an_exception(stuck: ggp.Game) -> None:
    state = stuck.initial().next("go").next("go")
    assert state.legal("p") == [] and state.legal_actions("p") == []
    with pytest.raises(ggp.NoLegalMove, match="p has no legal move"):
        state.next({})


def test_a_utility_that_the_rules_do_not_define_is_none() -> None:
    game = ggp.load("role(p) role(q) init(a) legal(p,go) legal(q,go) terminal :- true(b) next(b) goal(p,1) :- true(b)")
    state = game.initial().next({})
    assert state.goals == {"p": 1.0, "q": None}
    with pytest.raises(ggp.GoalError, match="no goal value"):
        state.goal("q")


def test_queries_explanations_and_checks(tic_tac_toe: ggp.Game) -> None:
    state = tic_tac_toe.initial().next({0: 4})
    rows = tic_tac_toe.query("true(cell(X,Y,x))", state)
    assert rows == [{"X": "2", "Y": "2"}]
    assert tic_tac_toe.query("true(control(oplayer))", state) is True
    assert tic_tac_toe.query("true(control(oplayer))") is False
    assert "true(control(xplayer))" in tic_tac_toe.why("legal(xplayer,mark(1,1))")
    with pytest.raises(ggp.QueryError) as caught:
        tic_tac_toe.query("true(cell(X")
    assert (caught.value.diagnostics[0].line, caught.value.diagnostics[0].column) == (1, 12)
    with pytest.raises(ggp.QueryError, match="one literal"):
        tic_tac_toe.why("true(a) & true(b)")
    assert tic_tac_toe.check() == []
    found = ggp.load("role(p) legal(p,go) goal(p,1) terminal :- true(x) init(y) next(y)").check(games=1)
    assert {"W304", "W215"} <= {problem.code for problem in found}


def test_a_game_without_a_network_is_played_but_has_no_numbers() -> None:
    game = ggp.load("tic_tac_toe", engine="interpreter")
    state = game.initial().next({"xplayer": "mark(1,1)"})
    assert len(state.legal("oplayer")) == 8
    assert game.engine_in_use == ("interpreter", None)
    with pytest.raises(ggp.NoNetwork, match="engine=\"interpreter\""):
        game.actions(0)
    with pytest.raises(ggp.NoNetwork):
        state.legal_actions(0)
    with pytest.raises(ggp.NoNetwork):
        ggp.BatchEnv(game, 4)
    with pytest.raises(ggp.NoNetwork):
        game.simulate(10)


def test_actions_are_the_same_in_the_whole_package(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 1)
    assert env.num_actions == tuple(len(tic_tac_toe.actions(role)) for role in env.roles)
    for role, mask in zip(env.roles, env.action_masks, strict=True):
        assert np.flatnonzero(mask[0]).tolist() == tic_tac_toe.initial().legal_actions(role)


def test_boards_are_drawn(tic_tac_toe: ggp.Game) -> None:
    state = tic_tac_toe.initial().next({0: 4})
    assert "2 │ . X ." in state.board()
    assert state._repr_svg_().startswith("<svg")
    board = tic_tac_toe.board
    assert board is not None
    assert board.shape == (5, 3, 3)
    assert board.planes[:3] == ("cell b", "cell o", "cell x")
    assert ggp.load(SHEET).board is None


def test_the_example_of_the_package_runs() -> None:
    assert doctest.testmod(ggp) == doctest.TestResults(failed=0, attempted=7)
