"""The same random actions, step by step, in other libraries' games and in rule sheets: equal masks, ends and returns.

The number of games is 100; ``GGP_EQUIVALENCE_GAMES=10000`` plays more.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Protocol

import numpy as np
import pytest
from numpy.typing import NDArray
from others import Numbers, OpenSpielGames, PettingZooGames, PgxGames
from sheets import hex_sheet, othello_sheet

import ggp

GAMES = int(os.environ.get("GGP_EQUIVALENCE_GAMES", "100"))
"""Games for each pair."""


class Games(Protocol):
    """Games of another library; see `others`."""

    players: NDArray[np.int64]
    masks: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    returns: NDArray[np.float64]

    def step(self, actions: NDArray[np.int64]) -> None: ...


def play_both(game: ggp.Game, others: Games) -> int:
    """Plays all games to their end in both, with actions drawn from their masks; returns the number of steps."""
    draws = np.random.default_rng(2026)
    batch = ggp.BatchEnv(game, GAMES, observation="packed", rewards="scaled", autoreset="disabled")
    noop = [game.term_to_action(role, "noop") for role in game.roles]
    rows, steps = np.arange(GAMES), 0
    while not others.ended.all():
        live = ~others.ended
        for player, masks in enumerate(batch.action_masks):
            moving = live & (others.players == player)
            np.testing.assert_array_equal(masks[moving], others.masks[moving][:, : masks.shape[1]])
            waiting = live & (others.players != player)
            assert (masks[waiting].sum(axis=1) == 1).all() and masks[waiting, noop[player]].all()
        chosen = np.argmax(np.where(others.masks, draws.random(others.masks.shape), -1.0), axis=1)
        joint = np.tile(np.array(noop, dtype=np.int64), (GAMES, 1))
        joint[rows, others.players] = chosen
        batch.step(joint)
        others.step(chosen)
        steps += int(live.sum())
        np.testing.assert_array_equal(batch.terminations, others.ended)
        ending = live & others.ended
        np.testing.assert_array_equal(batch.rewards[ending], others.returns[ending])
    return steps


def cell(number: int, columns: int) -> tuple[int, int]:
    """Row and column, from 1, of the number of a square."""
    return number // columns + 1, number % columns + 1


# ---- PettingZoo ------------------------------------------------------------------------------------------------------


def test_tic_tac_toe_of_pettingzoo() -> None:
    tictactoe = pytest.importorskip("pettingzoo.classic.tictactoe_v3")
    game = ggp.load("tic_tac_toe")

    def term(_: int, number: int) -> str:
        column, row = cell(number, 3)  # its squares go down the columns
        return f"mark({row},{column})"

    assert play_both(game, PettingZooGames(tictactoe.raw_env, Numbers(game, term, 9), GAMES)) >= 5 * GAMES


def test_connect_four_of_pettingzoo() -> None:
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four_v3")
    game = ggp.load("connect_four")
    numbers = Numbers(game, lambda _, number: f"drop({number + 1})", 7)
    assert play_both(game, PettingZooGames(connect_four.raw_env, numbers, GAMES)) >= 7 * GAMES


# ---- OpenSpiel -------------------------------------------------------------------------------------------------------


def openspiel(name: str, game: ggp.Game, term: Callable[[int, str], str]) -> int:
    pytest.importorskip("pyspiel")
    return play_both(game, OpenSpielGames(name, game, term, GAMES))


def letter(text: str) -> int:
    return ord(text) - ord("a") + 1


def test_tic_tac_toe_of_openspiel() -> None:
    def term(_: int, text: str) -> str:  # x(0,2)
        return f"mark({int(text[2]) + 1},{int(text[4]) + 1})"

    assert openspiel("tic_tac_toe", ggp.load("tic_tac_toe"), term) >= 5 * GAMES


def test_connect_four_of_openspiel() -> None:
    assert openspiel("connect_four", ggp.load("connect_four"), lambda _, text: f"drop({int(text[1]) + 1})") >= 7 * GAMES


def test_breakthrough_of_openspiel() -> None:
    def term(_: int, text: str) -> str:  # a5b4 or a5b4*; who begins goes down there, and up in the sheet
        return f"move({letter(text[0])},{7 - int(text[1])},{letter(text[2])},{7 - int(text[3])})"

    name = "breakthrough(rows=6,columns=6)"
    assert openspiel(name, ggp.load("breakthrough_6x6"), term) >= 9 * GAMES


def test_hex_of_openspiel() -> None:
    def term(_: int, text: str) -> str:  # b3: column b, row 3
        return f"place({int(text[1:])},{letter(text[0])})"

    assert openspiel("hex(board_size=5)", ggp.load(hex_sheet(5)), term) >= 9 * GAMES


def test_othello_of_openspiel() -> None:
    def term(_: int, text: str) -> str:  # d3: column d, row 3
        return "pass" if text == "pass" else f"place({text[1]},{letter(text[0])})"

    assert openspiel("othello", ggp.load(othello_sheet()), term) >= 9 * GAMES


# ---- pgx -------------------------------------------------------------------------------------------------------------


def pgx_games(name: str, game: ggp.Game, term: Callable[[int, int], str | None], count: int) -> PgxGames:
    pgx = pytest.importorskip("pgx")
    return PgxGames(pgx.make(name), Numbers(game, term, count), GAMES)


def test_tic_tac_toe_of_pgx() -> None:
    game = ggp.load("tic_tac_toe")
    others = pgx_games("tic_tac_toe", game, lambda _, number: "mark({},{})".format(*cell(number, 3)), 9)
    assert play_both(game, others) >= 5 * GAMES


def test_connect_four_of_pgx() -> None:
    game = ggp.load("connect_four")
    assert play_both(game, pgx_games("connect_four", game, lambda _, number: f"drop({number + 1})", 7)) >= 7 * GAMES


def test_hex_of_pgx_without_its_swap() -> None:
    game = ggp.load(hex_sheet(11))

    def term(_: int, number: int) -> str | None:
        return None if number == 121 else "place({},{})".format(*cell(number, 11))

    assert play_both(game, pgx_games("hex", game, term, 122)) >= 21 * GAMES


def test_othello_of_pgx() -> None:
    game = ggp.load(othello_sheet("two passes"))

    def term(_: int, number: int) -> str:
        return "pass" if number == 64 else "place({},{})".format(*cell(number, 8))

    assert play_both(game, pgx_games("othello", game, term, 65)) >= 9 * GAMES
