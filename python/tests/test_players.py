"""Functions as players of matches."""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback

import pytest

import ggp

CLOCKS = {"start_clock": 20.0, "play_clock": 20.0}


def centre_first(state: ggp.State, role: str) -> str:
    legal = state.legal(role)
    return "mark(2,2)" if "mark(2,2)" in legal else legal[0]


def last(state: ggp.State) -> str:
    mover = next(role for role in state.game.roles if len(state.legal(role)) > 1)
    return state.legal(mover)[-1]


def test_functions_play(tic_tac_toe: ggp.Game) -> None:
    result = tic_tac_toe.match([centre_first, last], games=2, **CLOCKS)  # type: ignore[arg-type]
    assert [standing.player for standing in result.standings] == ["centre_first", "last"]
    assert [standing.faults for standing in result.standings] == [0, 0]
    for match in result.matches:
        assert match.players == ("centre_first", "last")
        assert match.moves[0] == ("mark(2,2)", "noop")
        assert match.moves[1] == ("noop", "mark(3,3)")


def test_a_function_plays_a_player_of_the_library_in_both_seats(tic_tac_toe: ggp.Game) -> None:
    result = tic_tac_toe.match([centre_first, "legal"], games=2, swap=True, **CLOCKS)  # type: ignore[arg-type]
    assert [match.players for match in result.matches] == [("centre_first", "legal"), ("legal", "centre_first")]
    assert result.matches[1].moves[0] == ("mark(1,1)", "noop")


def test_a_function_may_return_numbers_and_search(tic_tac_toe: ggp.Game) -> None:
    def numbers(state: ggp.State, role: str) -> int:
        return state.legal_actions(role)[-1]

    def searching(state: ggp.State, role: str) -> str:
        move = state.game.mcts(state, role=role, visits=50, seed=1).move
        assert move is not None
        return move

    result = tic_tac_toe.match([numbers, searching], **CLOCKS)  # type: ignore[arg-type]
    assert result.matches[0].moves[0] == ("mark(3,3)", "noop")
    assert [standing.faults for standing in result.standings] == [0, 0]


def test_an_exception_ends_the_matches_with_its_traceback(tic_tac_toe: ggp.Game) -> None:
    def broken(state: ggp.State) -> str:
        nothing: dict[str, str] = {}
        return nothing["no such key"]

    with pytest.raises(KeyError, match="no such key") as caught:
        tic_tac_toe.match([broken, "random"], games=100, **CLOCKS)  # type: ignore[arg-type]
    assert any(frame.name == "broken" for frame in traceback.extract_tb(caught.value.__traceback__))
    assert tic_tac_toe.match(["legal", "legal"]).matches


@pytest.mark.parametrize(("move", "named"), [("mark(9,9)", "mark\\(9,9\\)"), (999, "999"), ("noop", "noop")])
def test_an_illegal_move_of_a_function_is_an_error(tic_tac_toe: ggp.Game, move: str | int, named: str) -> None:
    with pytest.raises(ggp.IllegalAction, match=f"`<lambda>` chose `{named}`, which is not legal for xplayer") as caught:
        tic_tac_toe.match([lambda state: move, "random"], **CLOCKS)  # type: ignore[arg-type]
    assert caught.value.role == "xplayer"


def test_what_is_no_move_is_an_error(tic_tac_toe: ggp.Game) -> None:
    with pytest.raises(TypeError, match="a move is a term or a number, not"):
        tic_tac_toe.match([lambda state: None, "random"], **CLOCKS)  # type: ignore[arg-type, list-item]
    with pytest.raises(ggp.UsageError, match="a player is a name or a function, not 7"):
        tic_tac_toe.match([7, "random"])  # type: ignore[list-item]


def test_an_interrupt_stops_matches_of_functions(tic_tac_toe: ggp.Game) -> None:
    def slow(state: ggp.State, role: str) -> str:
        time.sleep(0.05)
        return state.legal(role)[0]

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            tic_tac_toe.match([slow, slow], games=100_000, **CLOCKS)  # type: ignore[arg-type]
    finally:
        signal.signal(signal.SIGINT, before)
