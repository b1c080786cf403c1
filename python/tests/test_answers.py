"""Fields of answers, values of options and warnings."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp import results

FULL_VIEW = "the roles of this game see only what `sees` tells them"


def test_solving_with_chance_has_expected_utilities() -> None:
    solved = ggp.load("dice_race").solve()
    assert solved.utilities == {"first": 77.63671875, "second": 22.36328125}
    assert ggp.load("tic_tac_toe").solve().utilities == {"xplayer": 50.0, "oplayer": 50.0}


def test_expected_values_are_utilities() -> None:
    game = ggp.load("dice_race")
    found = game.search("expectimax", "first")
    assert isinstance(found, results.SearchResult) and found.exact
    assert found.utility == game.solve().utilities["first"] and found.utilities == {"first": found.utility}
    # Cut off before the end, the mean is one of values that are no utilities.
    assert game.search("expectimax", "first", depth=4).utility is None


def test_means_of_random_games_are_utilities(tic_tac_toe: ggp.Game) -> None:
    for search in ("mcts", "montecarlo"):
        found = tic_tac_toe.search(search, "xplayer", visits=2000, seed=1)
        assert found.utility == found.data["mean"] and not found.exact
        assert 50 < found.utility < 100


def test_equilibria_have_strategies() -> None:
    found = ggp.load("rock_paper_scissors").search("nash", "left")
    third = pytest.approx(1 / 3)
    assert found.strategies == {role: dict.fromkeys(("paper", "rock", "scissors"), third) for role in ("left", "right")}
    assert found.utility == 50.0 and found.utilities == {"left": 50.0, "right": 50.0}
    assert found.move is None


def test_all_roles_have_values() -> None:
    found = ggp.load("three_player_tree").search("maxn")
    assert found.utilities == {"a": 1.0, "b": 2.0, "c": 6.0} and found.strategies == {}
    assert ggp.load("minimax_tree").minimax().utilities.keys() == {"max"}


def test_best_answers_as_the_search_that_it_chooses(tic_tac_toe: ggp.Game) -> None:
    found = tic_tac_toe.search("best", nodes=100)
    assert found.kind == "best" and found.data["search"] == "mcts"
    assert found.move in tic_tac_toe.initial().legal("xplayer") and found.utility is not None


def test_options_may_have_spaces(tmp_path: Path) -> None:
    game = ggp.load("connect_four_4x4")
    folder = tmp_path / "my sheets"
    folder.mkdir()
    sheet = folder / "an evaluation.gdl"
    sheet.write_text("evaluation(red,one,7) :- true(control(red))")
    found = game.search("alphabeta", "red", depth=2, eval=sheet)
    assert found.data["estimate"] == 7
    policy, tree = folder / "the policy.csv", folder / "the tree.svg"
    ggp.load("minimax_tree").solve(policy=policy)
    assert policy.read_text().startswith("state,role,move")
    game.minimax(depth=1, tree=("svg", tree))
    assert tree.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"depht": 3}, "did you mean --depth"),
        ({"depth": "many"}, "takes"),
        ({"depth": "3 --table"}, "takes"),
        ({"depth": (1, 2)}, "does not take `2`"),
        ({"depth": True}, "needs a value"),
        ({"depth": object()}, "takes texts, numbers and paths"),
        ({"depth": 10**30}, "takes"),
        ({"tree": "picture"}, "not `picture`"),
        ({"tree": ("svg", "a.svg", "b")}, "does not take `b`"),
    ],
)
def test_wrong_options_are_errors(tic_tac_toe: ggp.Game, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ggp.UsageError, match=problem):
        tic_tac_toe.search("minimax", **options)


def test_names_are_no_lines(tic_tac_toe: ggp.Game) -> None:
    for role in ("xplayer --depth 1", "xplayer oplayer", "--depth"):
        with pytest.raises(ggp.Error):
            tic_tac_toe.search("minimax", role)
    with pytest.raises(ggp.UsageError, match="no command"):
        tic_tac_toe.search("minimax --depth 1")
    assert tic_tac_toe.search("alphabeta:depth=2,table").data == tic_tac_toe.search("alphabeta", depth=2, table=True).data
    with pytest.raises(ggp.UsageError, match="given twice"):
        tic_tac_toe.search("alphabeta:depth=2", depth=3)


def test_searches_that_see_too_much_warn() -> None:
    game = ggp.load("monty_hall")
    for ask in (game.minimax, game.solve, lambda: game.ask("minimax"), lambda: game.match(["random"])):
        with pytest.warns(ggp.GgpWarning, match=FULL_VIEW) as caught:
            ask()
        assert len(caught) == 1 and Path(caught[0].filename) == Path(__file__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game.simulate(100)
        game.query("terminal")
        ggp.load("tic_tac_toe").minimax(depth=1)
        with pytest.raises(ggp.GgpWarning):
            game.minimax()


UNBOUNDED = """
role(p) init(n(a)) legal(p,go) legal(p,stop)
next(n(s(X))) :- does(p,go) & true(n(X))
next(n(end)) :- does(p,stop)
terminal :- true(n(end))
goal(p,100)
"""
"""Facts without a bound, so that there is no network."""


def test_another_engine_is_a_warning() -> None:
    game = ggp.load(UNBOUNDED, name="unbounded")
    with pytest.warns(ggp.GgpWarning, match="the interpreter plays unbounded instead of the propnet") as caught:
        game.initial()
    assert Path(caught[0].filename) == Path(__file__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game.initial().next("go")
        ggp.load(UNBOUNDED, engine="interpreter").initial()
