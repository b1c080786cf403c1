"""BatchEnv: against single states, its modes, and what a caller can do wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CORPUS

import ggp
from ggp.batch import Observation

SHEETS = [
    "2pffa_zerosum",
    "2pttc",
    "3pttc",
    "3pffa",
    "4pttc",
    "3pConnectFour",
    "aipsrovers01",
    "asteroids",
    "biddingTicTacToe",
    "blobwars",
    "blocker",
    "blocksWorld",
    "blocksWorldParallel",
    "breakthroughSmall",
    "bomberman2p",
    "basetest__test_case_3a",
    "basetest__ticTacToe",
    "beatMania",
    "atariGoVariant_7x7",
    "breakthroughSuicideSmall",
]
"""Sheets of one role, of two to four, with turns and with simultaneous moves."""

LIBRARY = ["pig_dice", "monty_hall", "dice_race", "rock_paper_scissors", "three_player_tree", "connect_four_4x4", "maze"]
"""With chance, hidden information, simultaneous moves, three players, one player."""


def facts_of(words: np.ndarray[Any, Any], fluents: list[str]) -> list[str]:
    return [fluent for index, fluent in enumerate(fluents) if int(words[index // 64]) >> (index % 64) & 1]


def follows_the_interpreter(source: str | Path, steps: int) -> None:
    """Steps a batch at random and compares some of its games with the interpreter, state by state."""
    game = ggp.load(source)
    oracle = ggp.load(source, engine="interpreter")
    n, watched = 70, (0, 33, 69)
    env = ggp.BatchEnv(game, n, seed=5, random_role=False, hidden=False)
    fluents = game.fluents
    states = {index: oracle.initial() for index in watched}
    over = dict.fromkeys(watched, False)
    for _ in range(steps):
        actions = env.sample()
        for index in watched:
            for player, role in enumerate(env.roles):
                legal = states[index].legal(role)
                mask = np.flatnonzero(env.action_masks[player][index])
                assert [game.action_to_term(role, int(action)) for action in mask] == legal
                packed = facts_of(env.packed_masks[player][index], game.actions(role))
                assert packed == legal
        try:
            result = env.step(actions)
        except ggp.NoLegalMove as error:
            stuck = error.game
            assert stuck is not None
            assert env.state(stuck).legal(error.role) == []
            return
        for index in watched:
            if over[index]:
                states[index], over[index] = oracle.initial(), False
                assert not result.rewards[index].any()
            else:
                moves = [game.action_to_term(role, int(actions[index, player])) for player, role in enumerate(env.roles)]
                states[index] = states[index].next(moves)
                over[index] = states[index].is_terminal
                if over[index]:
                    goals = states[index].goals
                    wanted = np.array([np.nan if goals[role] is None else goals[role] for role in env.roles], np.float32)
                    np.testing.assert_array_equal(result.rewards[index], wanted)
                else:
                    assert not result.rewards[index].any()
            assert result.terminations[index] == over[index]
            assert facts_of(result.observations[index], fluents) == states[index].facts
            assert env.state(index).facts == states[index].facts


@pytest.mark.parametrize("name", LIBRARY)
def test_games_of_the_library_follow_the_interpreter(name: str) -> None:
    follows_the_interpreter(name, 25)


@pytest.mark.parametrize("name", SHEETS)
def test_sheets_of_the_corpus_follow_the_interpreter(name: str) -> None:
    path = CORPUS / "kif" / f"{name}.kif"
    if not path.exists():
        pytest.skip(f"no corpus at {CORPUS}; GGP_CORPUS names it")
    follows_the_interpreter(path, 8)


def test_observations_have_three_forms_of_the_same_facts(tic_tac_toe: ggp.Game) -> None:
    forms: tuple[Observation, ...] = ("packed", "bool", "float32", "planes")
    envs = {form: ggp.BatchEnv(tic_tac_toe, 130, seed=1, observation=form) for form in forms}
    fluents = tic_tac_toe.fluents
    board = tic_tac_toe.board
    assert board is not None
    for _ in range(12):
        seen = {form: env.step(env.sample()).observations for form, env in envs.items()}
        assert seen["bool"].dtype == np.bool_ and seen["float32"].dtype == np.float32
        assert seen["planes"].shape == (130, 5, 3, 3)
        np.testing.assert_array_equal(seen["bool"], seen["float32"] == 1)
        for index in (0, 64, 129):
            held = [fluent for fluent, holds in zip(fluents, seen["bool"][index], strict=True) if holds]
            assert facts_of(seen["packed"][index], fluents) == held
            planes = np.zeros(45, np.float32)
            for (first, count), fluent in zip(board.entries, fluents, strict=True):
                planes[first : first + count] = np.maximum(planes[first : first + count], float(fluent in held))
            np.testing.assert_array_equal(seen["planes"][index].ravel(), planes)
            row, column = 1, 2
            pieces = [plane for plane, value in zip(board.planes, seen["planes"][index][:, row, column]) if value]
            assert f"cell({row + 1},{column + 1},{pieces[0].split()[1]})" in held


def test_arrays_belong_to_the_environment_or_to_the_caller(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 8, observation="bool")
    one = env.step(env.sample())
    two = env.step(env.sample())
    assert one.rewards is two.rewards and one.observations is two.observations
    masks = [np.zeros((8, 10), np.bool_) for _ in range(2)]
    values = np.zeros((8, 2), np.float32)
    out: dict[str, Any] = {
        "observations": np.zeros((8, 29), np.bool_),
        "rewards": np.full((8, 2), 7, np.float32),
        "terminations": np.ones(8, np.bool_),
        "truncations": np.ones(8, np.bool_),
        "values": values,
        "masks": masks,
    }
    filled = env.step(env.sample(), out, playouts=2)
    assert filled.observations is out["observations"] and filled.values is values
    np.testing.assert_array_equal(filled.observations, env.observations)
    for own, given in zip(env.action_masks, masks, strict=True):
        np.testing.assert_array_equal(own, given)
    assert not filled.rewards.any() and not filled.terminations.any() and not filled.truncations.any()
    assert np.allclose(values.sum(axis=1), 100)
    with pytest.raises(ggp.UsageError, match="fills no `reward`"):
        env.step(env.sample(), {"reward": np.zeros((8, 2), np.float32)})


def play(env: ggp.BatchEnv, steps: int) -> list[tuple[np.ndarray[Any, Any], ...]]:
    """The actions, rewards, ends and observations of random steps."""
    played = []
    for _ in range(steps):
        actions = env.sample().copy()
        result = env.step(actions)
        arrays = (actions, result.rewards, result.terminations, result.truncations, result.observations)
        played.append(tuple(array.copy() for array in arrays))
    return played


def test_the_same_seed_plays_the_same_games() -> None:
    game = ggp.load("pig_dice")
    one, two, other = (play(ggp.BatchEnv(game, 90, seed=seed), 20) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for x, y in zip(one, two, strict=True) for a, b in zip(x, y, strict=True))
    assert not all(np.array_equal(x[4], y[4]) for x, y in zip(one, other, strict=True))
    env = ggp.BatchEnv(game, 90, seed=2)
    play(env, 3)
    env.reset(seed=1)
    assert np.array_equal(play(env, 20)[-1][4], one[-1][4])


def test_next_step_restarts_ended_games_a_step_later(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 64, seed=3)
    initial = env.observations.copy()
    ended = np.zeros(64, np.bool_)
    for actions, rewards, terminations, truncations, observations in play(env, 40):
        del actions
        assert (observations[ended] == initial[0]).all()
        assert not rewards[ended].any() and not terminations[ended].any() and not truncations.any()
        assert (rewards[terminations].sum(axis=1) == 100).all()
        ended = terminations
    # The actions of a game that begins again are not read.
    while not env.terminations.any():
        env.step(env.sample())
    actions = env.sample()
    actions[env.terminations] = -7
    env.step(actions)


def test_same_step_restarts_at_once_and_keeps_the_last_state(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 64, seed=3, autoreset="same_step")
    with pytest.raises(ggp.UsageError, match="after a step"):
        env.final_observations
    initial = env.observations[0].copy()
    fluents, ends = tic_tac_toe.fluents, 0
    for _ in range(30):
        result = env.step(env.sample())
        for index in np.flatnonzero(result.terminations):
            assert (result.observations[index] == initial).all()
            last = tic_tac_toe.state(facts_of(env.final_observations[index], fluents))
            assert last.is_terminal
            assert list(last.goals.values()) == result.rewards[index].tolist()
            ends += 1
    assert ends > 64


def test_disabled_keeps_ended_games_until_they_are_reset(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 64, seed=3, autoreset="disabled")
    steps = play(env, 9)
    assert env.terminations.all()
    last = env.observations.copy()
    result = env.step(np.full((64, 2), 99))
    assert (result.observations == last).all() and result.terminations.all() and not result.rewards.any()
    total = sum(step[1] for step in steps)
    assert (np.asarray(total).sum(axis=1) == 100).all(), "each game is rewarded once"
    mask = np.zeros(64, np.bool_)
    mask[[1, 63]] = True
    env.reset(mask)
    assert env.terminations.sum() == 62
    assert (env.observations[~mask] == last[~mask]).all()
    assert env.state(1) == env.state(63) == tic_tac_toe.initial()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_games_are_cut_off_after_max_steps(tic_tac_toe: ggp.Game, autoreset: Any) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 70, seed=3, autoreset=autoreset, max_steps=3)
    for number, (_, rewards, terminations, truncations, observations) in enumerate(play(env, 9)):
        assert not terminations.any() and not rewards.any()
        period = {"next_step": 4, "same_step": 3}.get(autoreset)
        ended = number >= 2 if period is None else number % period == 2
        assert truncations.all() if ended else not truncations.any()
        if autoreset == "disabled" and number > 2:
            assert (observations == env.observations).all()
    env.reset()
    assert not env.truncations.any()


def test_an_illegal_action_is_an_error_or_a_loss(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 70)
    actions = env.sample().copy()
    before = env.observations.copy()
    for wrong, text in ((9, "`noop`, is not legal"), (10, "no action 10"), (-1, "no action -1"), (2**33, "no action")):
        actions[69, 0] = wrong
        with pytest.raises(ggp.IllegalAction, match=text) as caught:
            env.step(actions)
        assert (caught.value.game, caught.value.role, caught.value.action) == (69, "xplayer", wrong)
    assert (env.observations == before).all() and env.steps == 0

    for scaled, least, most in ((False, 0, 100), (True, -1, 1)):
        lax = ggp.BatchEnv(tic_tac_toe, 70, illegal="loss", rewards="scaled" if scaled else "raw")
        actions = lax.sample().copy()
        actions[5, 1] = 0
        actions[69, 0] = 2**33
        result = lax.step(actions)
        assert np.flatnonzero(result.terminations).tolist() == [5, 69]
        assert result.rewards[5].tolist() == [most, least] and result.rewards[69].tolist() == [least, most]
        assert result.rewards[:5].sum() == 0
        result = lax.step(lax.sample())
        assert not result.terminations.any()
        assert lax.state(5) == tic_tac_toe.initial()


def test_a_role_without_a_move_names_its_game(stuck: ggp.Game) -> None:
    env = ggp.BatchEnv(stuck, 3)
    go = np.zeros((3, 1), np.int64)
    env.step(go)
    env.step(go[:, 0])
    assert not env.action_masks[0].any()
    with pytest.raises(ggp.NoLegalMove, match="p has no legal move in game 0") as caught:
        env.step(go)
    assert (caught.value.game, caught.value.role) == (0, "p")


def test_wrong_arrays_are_refused(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 4)
    with pytest.raises(ggp.ShapeError, match=r"actions must have the shape \(4, 2\), and has \(2, 4\)"):
        env.step(np.zeros((2, 4), np.int64))
    with pytest.raises(ggp.ShapeError, match=r"has \(8,\)"):
        env.step(np.zeros(8, np.int64))
    with pytest.raises(ggp.ArrayTypeError, match="actions must be integers, and are float64"):
        env.step(np.zeros((4, 2)))
    legal = env.sample().copy()
    with pytest.raises(ggp.ArrayTypeError, match="rewards must be an array of float32, and is an array of float64"):
        env.step(legal, {"rewards": np.zeros((4, 2))})
    with pytest.raises(ggp.ShapeError, match=r"terminations must have the shape \(4,\)"):
        env.step(legal, {"terminations": np.zeros(5, np.bool_)})
    with pytest.raises(ggp.ShapeError, match="contiguous"):
        env.step(legal, {"rewards": np.zeros((2, 4), np.float32).T})
    readonly = np.zeros((4, 2), np.float32)
    readonly.flags.writeable = False
    with pytest.raises(ggp.UsageError, match="rewards cannot be written"):
        env.step(legal, {"rewards": readonly})
    with pytest.raises(ggp.ShapeError, match="mask must have"):
        env.reset(np.zeros(3, np.bool_))
    with pytest.raises(ggp.ArrayTypeError, match="mask must be an array of bool"):
        env.reset(np.zeros(4, np.int64))
    assert env.steps == 0
    env.step(legal.astype(np.uint8))
    env.step(np.asfortranarray(env.sample()))


def test_actions_of_32_bits_play_the_same_games(tic_tac_toe: ggp.Game) -> None:
    narrow, wide = (ggp.BatchEnv(tic_tac_toe, 80, seed=2, autoreset="disabled") for _ in range(2))
    for step in range(9):
        actions = wide.sample().astype(np.int32)
        actions[step::9] = -1
        one, other = narrow.step(actions), wide.step(actions.astype(np.int64))
        for mine, theirs in zip(one[:4], other[:4], strict=True):
            np.testing.assert_array_equal(mine, theirs)
    narrow.reset()
    actions = narrow.sample().astype(np.int32)
    actions[3, 0] = -2
    with pytest.raises(ggp.IllegalAction, match="no action -2, which was chosen in game 3"):
        narrow.step(actions)
    with pytest.raises(ggp.ShapeError, match=r"actions must have the shape \(80, 2\), and has \(40, 2\)"):
        narrow.step(actions[:40])


def test_wrong_settings_are_refused(tic_tac_toe: ggp.Game) -> None:
    for wrong in ({"observation": "pixels"}, {"rewards": "log"}, {"autoreset": True}, {"illegal": "ignore"}):
        with pytest.raises(ggp.UsageError, match="is one of"):
            ggp.BatchEnv(tic_tac_toe, 2, **wrong)
    with pytest.raises(ggp.UsageError, match="one game or more"):
        ggp.BatchEnv(tic_tac_toe, 0)
    with pytest.raises(ggp.UsageError, match="max_steps"):
        ggp.BatchEnv(tic_tac_toe, 2, max_steps=0)
    with pytest.raises(ggp.UsageError, match="no board"):
        ggp.BatchEnv("minimax_tree", 2, observation="planes")
    with pytest.raises(ggp.UsageError, match="no game 2"):
        ggp.BatchEnv(tic_tac_toe, 2).state(2)


def test_chance_moves_by_itself() -> None:
    game = ggp.load("pig_dice")
    assert "random" in game.roles
    env = ggp.BatchEnv(game, 100, seed=1)
    assert "random" not in env.roles
    assert env.sample().shape == (100, len(env.roles)) == env.rewards.shape
    both = ggp.BatchEnv(game, 100, seed=1, random_role=False)
    assert both.roles == tuple(game.roles)
    play(env, 30)
    play(both, 30)


def test_sampled_actions_are_legal_and_equally_likely(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 90_000, seed=2)
    counts = np.bincount(env.sample()[:, 0], minlength=10)
    assert counts[9] == 0
    # The 99.99th percentile of chi square for eight degrees of freedom.
    assert ((counts[:9] - 1e4) ** 2 / 1e4).sum() < 31.8


def test_playouts_value_the_states(tic_tac_toe: ggp.Game) -> None:
    env = ggp.BatchEnv(tic_tac_toe, 3, autoreset="disabled")
    rows = {(1, 1): "x", (1, 2): "x", (2, 1): "o", (2, 2): "o"}
    start = tic_tac_toe.initial()
    for cell in ((1, 1), (2, 1), (1, 2), (2, 2)):
        start = start.next({int(rows[cell] == "o"): f"mark({cell[0]},{cell[1]})"})
    won = start.next({0: "mark(1,3)"})
    env.set_state(1, won)
    env.set_state(2, start)
    values = env.values(200, seed=4)
    assert values[1].tolist() == [100, 0]
    for game, state in ((0, tic_tac_toe.initial()), (2, start)):
        expected = tic_tac_toe.simulate(20_000, state=state).roles[0].mean
        assert expected is not None and abs(values[game, 0] - expected) < 12
    np.testing.assert_array_equal(values, env.values(200, seed=4))
    with pytest.raises(ggp.UsageError, match="one playout"):
        env.values(0)
    with pytest.raises(ggp.UsageError, match="made from facts"):
        env.set_state(0, tic_tac_toe.state(won.facts))


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "peg_solitaire"])
def test_legal_actions_are_those_of_the_masks(name: str) -> None:
    env = ggp.BatchEnv(name, 700, seed=4, autoreset="disabled")
    for _ in range(12):
        actions, starts, counts = env.legal_actions
        assert (actions.dtype, starts.dtype, counts.dtype) == (np.int32, np.int64, np.int32)
        listed = [np.flatnonzero(mask[game]) for game in range(env.n) for mask in env.action_masks]
        np.testing.assert_array_equal(actions, np.concatenate([*listed, [0]]))
        np.testing.assert_array_equal(counts.ravel(), [len(own) for own in listed])
        np.testing.assert_array_equal(starts.ravel(), np.cumsum([0, *map(len, listed)])[:-1])
        random = np.random.default_rng(1).random(starts.shape)
        env.step(actions[starts + (random * counts).astype(int)])
    assert env.terminations.any() or name != "tic_tac_toe"
