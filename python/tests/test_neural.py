"""Networks that learn a game: training them, asking them, and searches that they guide."""

from __future__ import annotations

from pathlib import Path

import pytest

import ggp


def test_a_network_is_trained_and_asked(tmp_path: Path, tic_tac_toe: ggp.Game) -> None:
    file = tmp_path / "trained.net"
    net = tic_tac_toe.train(file, games=300, jobs=1, seed=1)
    assert (net.games, net.file) == (300, file)
    state = tic_tac_toe.initial()
    value = net.value(state)
    assert set(value) == {"xplayer", "oplayer"}
    assert all(0 <= utility <= 100 for utility in value.values())
    priors = net.priors(state, "xplayer")
    assert set(priors) == set(state.legal("xplayer"))
    assert sum(priors.values()) == pytest.approx(1, abs=1e-4)
    assert net.priors(state, 1) == {"noop": pytest.approx(1)}
    # Who completes a line at once is expected to win.
    cells = [(1, 1, "x"), (1, 2, "x"), (2, 1, "o"), (2, 2, "o")]
    rows = {(row, column): mark for row, column, mark in cells}
    facts = [f"cell({r},{c},{rows.get((r, c), 'b')})" for r in (1, 2, 3) for c in (1, 2, 3)]
    about_to_win = tic_tac_toe.state([*facts, "control(xplayer)"])
    assert net.value(about_to_win)["xplayer"] > value["oplayer"]


def test_training_goes_on_and_is_the_same_with_the_same_seed(tmp_path: Path) -> None:
    nim = ggp.load("nim")
    files = [tmp_path / "one.net", tmp_path / "other.net"]
    for file in files:
        nim.train(file, games=20, jobs=1)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert nim.train(files[0], games=5, jobs=1).games == 25
    assert nim.net(tmp_path).file == files[0], "a folder has it too"


def test_searches_and_players_take_the_file(tmp_path: Path) -> None:
    game = ggp.load("connect_four")
    file = tmp_path / "four.net"
    game.train(file, games=20, jobs=1)
    guided = game.mcts(visits=60, net=file)
    assert not guided.exact and guided.data["guided"]
    assert not game.search("alphabeta", net=file, depth=2).exact
    played = game.match([f"mcts:net={file},visits=20", "random"], games=1)
    assert len(played.matches) == 1 and played.standings[0].faults == 0


def test_what_is_no_network_of_the_game_is_refused(tmp_path: Path, tic_tac_toe: ggp.Game) -> None:
    nim = ggp.load("nim")
    other = tmp_path / "nim.net"
    net = nim.train(other, games=3, jobs=1)
    empty = tmp_path / "empty.net"
    empty.write_text("")
    with pytest.raises(ggp.UsageError, match="has learned another game"):
        tic_tac_toe.net(other)
    with pytest.raises(ggp.UsageError, match="has learned another game"):
        tic_tac_toe.train(other, games=3)
    with pytest.raises(ggp.UsageError, match="no file of `ggp train`"):
        tic_tac_toe.net(empty)
    with pytest.raises(ggp.NotFound):
        tic_tac_toe.net(tmp_path / "missing.net")
    with pytest.raises(ggp.UsageError, match="has learned another game"):
        tic_tac_toe.mcts(net=other)
    with pytest.raises(ggp.Error, match="no file of `ggp train`"):
        tic_tac_toe.match([f"mcts:net={empty}", "random"], games=1)
    with pytest.raises(ggp.UsageError, match="`minutes` or `games`"):
        nim.train(other)
    with pytest.raises(ggp.UsageError, match="minutes"):
        nim.train(other, minutes=-1)
    with pytest.raises(ggp.LimitReached, match="nothing was learned"):
        nim.train(tmp_path / "never.net", games=0)
    assert not (tmp_path / "never.net").exists()
    with pytest.raises(ggp.UsageError):
        net.value(tic_tac_toe.initial())
    with pytest.raises(ggp.UsageError):
        net.priors(nim.initial(), "nobody")
    state = nim.initial()
    while not state.is_terminal:
        state = state.next(state.legal_actions()[0])
    with pytest.raises(ggp.GameOver):
        net.value(state)


def test_training_warns_of_what_roles_do_not_see(tmp_path: Path) -> None:
    with pytest.warns(ggp.GgpWarning, match="sees the whole state"):
        ggp.load("kuhn_poker").train(tmp_path / "kuhn.net", games=3, jobs=1)
