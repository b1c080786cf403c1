"""Searches, matches and random games: their answers are those of the command line."""

from __future__ import annotations

import pytest

import ggp
from ggp import results


def test_minimax_finds_the_value_of_a_state(tic_tac_toe: ggp.Game) -> None:
    state = tic_tac_toe.initial().next({0: 4}).next({1: "mark(1,2)"})
    found = tic_tac_toe.minimax(state, role="xplayer")
    assert (found.utility, found.exact, found.role) == (100.0, True, "xplayer")
    assert found.cost.nodes == 7064
    assert found.move is not None and found.move in state.legal("xplayer")
    assert "7,064 nodes" in str(found)
    assert found._repr_html_().startswith("<pre>xplayer: 100")
    assert tic_tac_toe.search("alphabeta", 0, state=state).utility == 100.0
    cut_off = tic_tac_toe.minimax(state, depth=2)
    assert not cut_off.exact


def test_searches_begin_in_states_that_were_set(tic_tac_toe: ggp.Game) -> None:
    rows = {(1, 1): "x", (1, 2): "x", (2, 1): "o", (2, 2): "o"}
    cells = [f"cell({r},{c},{rows.get((r, c), 'b')})" for r in (1, 2, 3) for c in (1, 2, 3)]
    state = tic_tac_toe.state([*cells, "control(xplayer)"])
    assert tic_tac_toe.minimax(state).move == "mark(1,3)"
    # The game itself begins where it began.
    assert tic_tac_toe.solve().utilities == {"xplayer": 50.0, "oplayer": 50.0}


def test_a_plan_leads_to_its_utility() -> None:
    game = ggp.load("eight_puzzle")
    found = game.bestplan(shortest=True)
    assert found.utility == 100.0 and len(found.plan) == 4
    state = game.initial()
    for move in found.plan:
        state = state.next(move)
    assert state.is_terminal and state.goals == {"robot": 100.0}


def test_solve_gives_the_value_of_every_role(tic_tac_toe: ggp.Game) -> None:
    solved = tic_tac_toe.solve()
    assert solved.utilities == {"xplayer": 50.0, "oplayer": 50.0}
    assert solved.data["states"] == 5478


def test_mcts_is_reproducible(tic_tac_toe: ggp.Game) -> None:
    one, other = (tic_tac_toe.mcts(visits=300, seed=4) for _ in range(2))
    assert one.data["moves"] == other.data["moves"]
    assert sum(move["visits"] for move in one.data["moves"]) <= 300 + 9


def test_the_tree_of_a_search_is_drawn(tic_tac_toe: ggp.Game) -> None:
    found = tic_tac_toe.minimax(depth=2, draw=True)
    assert found.tree is not None and found.tree.startswith("<svg")
    assert found._repr_html_().startswith("<svg") and "<pre>" in found._repr_html_()
    assert found.utility == tic_tac_toe.minimax(depth=2).utility
    with pytest.raises(ggp.UsageError, match="no option `--tree`"):
        tic_tac_toe.search("perft", None, draw=True)


def test_any_line_of_the_prompt_can_be_asked(tic_tac_toe: ggp.Game) -> None:
    answer = tic_tac_toe.ask("perft 3")
    assert isinstance(answer, results.Answer) and "504" in answer.text
    with pytest.raises(ggp.UsageError, match="did you mean --depth"):
        tic_tac_toe.ask("minimax --dpth 3")
    with pytest.raises(ggp.UsageError, match="no role `third`"):
        tic_tac_toe.minimax(role="third")
    with pytest.raises(ggp.UsageError, match="no search"):
        tic_tac_toe.search("legal")
    with pytest.raises(ggp.LimitReached, match="limit of"):
        tic_tac_toe.minimax(nodes=3)


def test_a_stopped_search_answers_less_far_ahead() -> None:
    game = ggp.load("connect_four")
    found = game.minimax(nodes=1000)
    assert found.instead == results.Instead("minimax", 2) and not found.exact
    assert found.plan == game.minimax(depth=2).plan and found.cost.nodes == 1000
    assert game.minimax(depth=2).instead is None
    with pytest.raises(ggp.LimitReached, match="by `iterative` to depth"):
        game.solve(nodes=5000)
    answer = game.ask("solve --nodes 5000")
    assert isinstance(answer, results.SearchResult) and answer.instead is not None


def test_matches_are_counted(tic_tac_toe: ggp.Game) -> None:
    played = tic_tac_toe.match(["alphabeta", "random:seed=1"], games=2, play_clock=10)
    first, second = played.standings
    assert (first.wins + first.draws, first.losses, first.faults) == (2, 0, 0)
    assert first.mean is not None and first.mean >= 50
    assert second.wins == 0
    assert len(played.matches) == 2 and played.matches[0].moves[0][1] == "noop"
    assert "<td>alphabeta</td>" in played._repr_html_()
    with pytest.raises(ggp.UsageError, match="1 players for 2 roles"):
        tic_tac_toe.match(["random"])
    with pytest.raises(ggp.UsageError, match="no player `clever`"):
        tic_tac_toe.match(["clever", "random"])
    with pytest.raises(ggp.UsageError, match="more than 0 seconds"):
        tic_tac_toe.match(["random", "random"], play_clock=0)


def test_random_games_do_not_depend_on_threads(tic_tac_toe: ggp.Game) -> None:
    one, two = (tic_tac_toe.simulate(5000, seed=3, threads=threads) for threads in (1, 2))
    assert one == two
    assert one.games == 5000 == sum(one.lengths.values())
    assert one.steps == sum(plies * games for plies, games in one.lengths.items())
    x, o = one.roles
    assert x.mean is not None and 60 < x.mean < 72 and x.mean + (o.mean or 0) == pytest.approx(100)
    assert ggp.BatchEnv(tic_tac_toe, 1).rollout(5000, seed=3) == one
    state = tic_tac_toe.initial().next({0: 4})
    assert tic_tac_toe.simulate(100, state=state).steps < 801
