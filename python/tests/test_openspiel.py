"""Rule sheets as OpenSpiel games, before OpenSpiel's own judge and algorithms."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from conftest import CORPUS
from sheets import PENNIES

import ggp

pyspiel = pytest.importorskip("pyspiel")

import ggp.openspiel  # noqa: E402, F401

KINDS = [
    "tic_tac_toe",
    "eight_puzzle",
    "rock_paper_scissors",
    "pig_dice",
    "monty_hall",
    "three_player_tree",
    "connect_four_4x4",
]


def load(rules: str, **parameters: Any) -> Any:
    return pyspiel.load_game("ggp", {"rules": rules, **parameters})


@pytest.mark.parametrize("rules", KINDS)
def test_random_sim_test(rules: str) -> None:
    pyspiel.random_sim_test(load(rules), num_sims=2, serialize=True, verbose=False)


COMMENTED = """; a comment, with (brackets), a sign = and a semicolon;
(role p) ; one more
(init (at 0))
(<= (legal p go) (true (at ?x)))
(<= (next (at 1)) (true (at 0)))
(<= terminal (true (at 1)))
(goal p 100)
"""
"""Rules in a text that OpenSpiel's parser of parameters does not read back."""

RARELY_LOST = """
role(x) role(o)
init(at(0))
never_at_once(14)
turn(x) :- true(at(N)) & even(N)
turn(o) :- true(at(N)) & step(N,M) & even(M)
turn(P) :- role(P) & true(at(N)) & at_once(N) & ~true(lost)
legal(P,a) :- turn(P)
legal(P,b) :- turn(P)
legal(P,c) :- turn(P)
legal(P,noop) :- role(P) & ~turn(P)
kept(P) :- does(P,a)
kept(P) :- does(P,noop)
other(P) :- role(P) & ~kept(P)
broken :- other(P)
next(at(M)) :- true(at(N)) & step(N,M)
next(past(N,b)) :- true(at(N)) & does(P,b)
next(past(N,c)) :- true(at(N)) & does(P,c)
next(past(N,M)) :- true(past(N,M))
next(lost) :- true(lost)
next(lost) :- broken
terminal :- true(at(16))
goal(P,0) :- role(P) & ~true(lost)
goal(x,100) :- true(lost)
goal(o,0) :- true(lost)
even(0) even(2) even(4) even(6) even(8) even(10) even(12) even(14) even(16)
""" + " ".join(f"step({n},{n + 1})" for n in range(16))
"""A game of 16 moves, in which the first of three moves is chosen every time only by intent."""

SHORT = {"max_game_length": 20, "utility": "general_sum", "information": "imperfect"}
"""For games that may be long: without the random games that find what a sheet does not declare."""

SHEETS = sorted((CORPUS / "kif").glob("*.kif"))[:: 1 if "GGP_THOROUGH" in os.environ else 20]
"""A sample of the corpus."""


def survives_openspiel(game: Any) -> None:
    """OpenSpiel's tests: random games, strings, pickles, serialised states, and a playthrough that is played again."""
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state = game.new_initial_state()
    while not state.is_terminal() and len(state.history()) < 5:
        state.apply_action(state.legal_actions()[-1])
    again, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(game) and str(restored) == str(state)
    playthroughs = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    pytest.importorskip("absl.flags").FLAGS.mark_as_parsed()
    lines = playthroughs.playthrough_lines(str(game), seed=1)
    actions = playthroughs._playthrough_params(lines)["action_sequence"]
    assert playthroughs.playthrough_lines(str(game), action_sequence=actions) == lines


@pytest.mark.parametrize("name", list(ggp.library()))
def test_games_of_the_library_survive_openspiel(name: str) -> None:
    survives_openspiel(load(name, **SHORT))


@pytest.mark.skipif(not SHEETS, reason=f"no corpus at {CORPUS}; GGP_CORPUS names it")
@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_sheets_of_the_corpus_survive_openspiel(path: Path) -> None:
    """As texts, whose comments and brackets OpenSpiel does not see."""
    try:
        game = load(path.read_text(), **{**SHORT, "max_game_length": 5})
    except ggp.NoNetwork:
        pytest.skip("the game has no network, so its moves have no numbers")
    survives_openspiel(game)


@pytest.mark.parametrize("rules", [COMMENTED, PENNIES, "42", "true", "gdl.txt", "a path (with, brackets).kif"])
def test_rules_are_a_parameter_that_openspiel_reads_back(rules: str) -> None:
    parameter = ggp.openspiel.encoded(rules)
    assert pyspiel.game_parameters_from_string(f"ggp(rules={parameter})")["rules"] == parameter
    assert ggp.openspiel._decoded(parameter) == rules
    assert ggp.openspiel.encoded("games/tic-tac-toe.kif") == "games/tic-tac-toe.kif"


def test_a_text_with_comments_survives_openspiel() -> None:
    survives_openspiel(load(COMMENTED))
    survives_openspiel(pyspiel.load_game(f"ggp(rules={ggp.openspiel.encoded(COMMENTED)})"))
    with pytest.raises(ggp.UsageError, match="is damaged"):
        pyspiel.load_game("ggp(rules=gdl.eJx)")


def test_the_string_of_a_game_loads_it_again() -> None:
    game = pyspiel.load_game("ggp(rules=tic_tac_toe,rewards=raw)")
    again = pyspiel.load_game(str(game))
    assert (again.min_utility(), again.max_utility(), again.num_players()) == (0.0, 100.0, 2)


def test_types_of_games() -> None:
    kinds = pyspiel.GameType
    tic_tac_toe = load("tic_tac_toe").get_type()
    assert tic_tac_toe.information == kinds.Information.PERFECT_INFORMATION
    assert tic_tac_toe.utility == kinds.Utility.ZERO_SUM
    assert tic_tac_toe.chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert load("rock_paper_scissors").get_type().information == kinds.Information.IMPERFECT_INFORMATION
    assert load("pig_dice").get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert load("monty_hall").get_type().information == kinds.Information.IMPERFECT_INFORMATION
    assert load("monty_hall").num_players() == 1
    assert load("three_player_tree").get_type().utility == kinds.Utility.GENERAL_SUM


def test_what_is_not_proven_is_general_sum() -> None:
    """The roles of the sheet share 100 points, except in one end that random games hardly reach."""
    kinds = pyspiel.GameType
    game = load(RARELY_LOST)
    assert game.get_type().utility == kinds.Utility.GENERAL_SUM
    assert game.get_type().information == kinds.Information.PERFECT_INFORMATION
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [-1.0, -1.0]
    for rules, utility in (
        ("connect_four", kinds.Utility.GENERAL_SUM),
        ("connect_four_4x4", kinds.Utility.GENERAL_SUM),
        ("dice_race", kinds.Utility.ZERO_SUM),
        ("rock_paper_scissors", kinds.Utility.ZERO_SUM),
    ):
        assert load(rules).get_type().utility == utility, rules
    assert load("tic_tac_toe", rewards="raw").get_type().utility == kinds.Utility.CONSTANT_SUM
    # A game that is cut off returns 0 for all.
    assert load("tic_tac_toe", rewards="raw", max_game_length=5).get_type().utility == kinds.Utility.GENERAL_SUM


def test_a_guess_of_perfect_information_that_is_wrong_ends_no_run() -> None:
    """After 14 moves that random games hardly make, both roles choose at once."""
    game = load(RARELY_LOST.replace("never_at_once", "at_once"))
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [-1.0, -1.0]


def test_observers_refuse_states_of_other_games() -> None:
    observer = load("tic_tac_toe").make_py_observer()
    state = load("connect_four_4x4").new_initial_state()
    with pytest.raises(ggp.UsageError, match="the state is of connect_four_4x4"):
        observer.set_from(state, 0)
    with pytest.raises(ggp.UsageError, match="the state is of connect_four_4x4"):
        observer.string_from(state, 0)


def test_all_states_of_tic_tac_toe() -> None:
    module = pytest.importorskip("open_spiel.python.algorithms.get_all_states")
    ours = module.get_all_states(load("tic_tac_toe"), include_terminals=True, to_string=str)
    theirs = module.get_all_states(pyspiel.load_game("tic_tac_toe"), include_terminals=True, to_string=str)
    assert len(ours) == len(theirs) == 5478


@pytest.mark.parametrize(("rules", "plies"), [("tic_tac_toe", 3), ("connect_four_4x4", 11)])
def test_minimax_agrees_with_ours(rules: str, plies: int) -> None:
    """From the middle of the game, where both searches end soon."""
    module = pytest.importorskip("open_spiel.python.algorithms.minimax")
    game = load(rules, information="perfect", utility="zero_sum")
    state = game.new_initial_state()
    for _ in range(plies):
        state.apply_action(state.legal_actions()[0])
    value, _ = module.alpha_beta_search(game, state=state)
    position = state.position
    ours = position.game.minimax(position, role=position.game.roles[state.current_player()]).utility
    assert ours is not None and value == ours / 50 - 1


def test_exploitability_of_rock_paper_scissors() -> None:
    module = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    game = load("rock_paper_scissors")
    assert module.exploitability(game, policies.UniformRandomPolicy(game)) == 0.0
    assert module.nash_conv(game, policies.FirstActionPolicy(game)) == 2.0


def test_exploitability_of_a_perfect_policy_is_zero() -> None:
    """The policy is our own minimax; the uniform one can be exploited."""
    module = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    game = load("minimax_tree")
    perfect = policies.TabularPolicy(game)
    for index in perfect.state_lookup.values():
        state = perfect.states[index]
        position = state.position
        role = position.game.roles[state.current_player()]
        best = position.game.minimax(position, role=role).move
        perfect.action_probability_array[index] = 0.0
        perfect.action_probability_array[index, position.game.term_to_action(role, best)] = 1.0
    assert module.exploitability(game, perfect) == pytest.approx(0.0)
    assert module.exploitability(game, policies.UniformRandomPolicy(game)) > 0.0


def test_chance_nodes_are_uniform() -> None:
    state = load("pig_dice").new_initial_state()
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    outcomes = state.chance_outcomes()
    assert sum(probability for _, probability in outcomes) == pytest.approx(1.0)
    assert len({probability for _, probability in outcomes}) == 1 and len(outcomes) > 1


def test_information_states_hide_simultaneous_moves() -> None:
    game = load("rock_paper_scissors")
    one, other = game.new_initial_state(), game.new_initial_state()
    one.apply_action(0)
    other.apply_action(1)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.observation_tensor(1) == other.observation_tensor(1)
    assert str(one) != str(other)


def test_percepts_are_all_that_a_candidate_of_monty_hall_learns() -> None:
    """After `random` has hidden the car and the candidate has chosen, its information does not tell where the car is."""
    game = load("monty_hall")
    first = game.new_initial_state()
    states = [first.child(outcome) for outcome, _ in first.chance_outcomes()]
    assert len({str(state) for state in states}) == 3
    assert len({state.information_state_string(0) for state in states}) == 1
    assert len({state.observation_string(0) for state in states}) == 1
    assert len({tuple(state.observation_tensor(0)) for state in states}) == 1
    assert len({tuple(state.information_state_tensor(0)) for state in states}) == 1
    later = {state.child(0).child(state.child(0).legal_actions()[0]).information_state_string(0) for state in states}
    assert len(later) > 1


def test_information_states_are_tensors_where_the_longest_game_is_short() -> None:
    game = load("tic_tac_toe")
    assert game.get_type().provides_information_state_tensor
    state = game.new_initial_state()
    for action in (4, 0, 8):
        state.apply_action(action)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    assert observer.dict["player"].tolist() == [0, 1] and observer.dict["history"].shape == (10, 20)
    # Nine squares and waiting, for each role.
    moved = [[index for index, has in enumerate(row) if has] for row in observer.dict["history"]]
    assert [row for row in moved if row] == [[4, 19], [9, 10], [8, 19]]
    assert state.information_state_tensor(1) == observer.tensor.tolist()
    assert not load("connect_four").get_type().provides_information_state_tensor
    assert load("connect_four", max_game_length=42).get_type().provides_information_state_tensor


def test_claims_that_the_game_contradicts_are_errors() -> None:
    with pytest.raises(ggp.Error, match="information=imperfect"):
        load("rock_paper_scissors", information="perfect").new_initial_state()
    with pytest.raises(ggp.Error, match="utility"):
        load("tic_tac_toe", utility="nothing")


def test_moves_at_once_are_decisions_one_by_one() -> None:
    assert load(PENNIES, max_game_length=5).max_game_length() == 10


def test_games_without_an_end_are_cut_off() -> None:
    state = load(PENNIES, max_game_length=5).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 10 and state.returns() == [0.0, 0.0]
