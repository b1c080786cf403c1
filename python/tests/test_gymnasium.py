"""The Gymnasium environments before Gymnasium's own judge and that of stable-baselines3, and against each other."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sheets import PENNIES

import ggp

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from ggp.gymnasium import GgpEnv, GgpVectorEnv  # noqa: E402

KINDS = ["tic_tac_toe", "eight_puzzle", "rock_paper_scissors", "pig_dice", "monty_hall"]
"""By turns, one player, simultaneous moves, chance, and chance with hidden information."""


@pytest.fixture(autouse=True)
def _without_a_screen() -> Iterator[None]:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("game", KINDS)
@pytest.mark.parametrize("observation", ["float32", "bool"])
def test_check_env_of_gymnasium(game: str, observation: str) -> None:
    pytest.importorskip("pygame")
    check_env(gymnasium.make("ggp/Game-v0", game=game, observation=observation).unwrapped)


def test_check_env_of_gymnasium_with_planes() -> None:
    check_env(GgpEnv("connect_four", observation="planes"), skip_render_check=True)


@pytest.mark.parametrize("game", KINDS)
def test_check_env_of_stable_baselines3(game: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(GgpEnv(game))


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(
    ("game", "role", "max_plies"),
    [
        ("tic_tac_toe", "xplayer", None),
        ("tic_tac_toe", "oplayer", None),
        ("tic_tac_toe", "oplayer", 5),
        ("eight_puzzle", None, 20),
        ("rock_paper_scissors", None, None),
        ("pig_dice", None, None),
        ("monty_hall", "candidate", None),
        (PENNIES, "odd", 7),
    ],
)
def test_vector_env_is_in_step_with_single_environments(
    mode: AutoresetMode, game: str, role: str | None, max_plies: int | None
) -> None:
    n, draws = 7, np.random.default_rng(1)
    singles = SyncVectorEnv([lambda: GgpEnv(game, role, max_plies=max_plies)] * n, autoreset_mode=mode)
    vector = GgpVectorEnv(game, n, role, max_plies=max_plies, autoreset_mode=mode)
    assert vector.metadata["autoreset_mode"] == mode
    assert vector.single_observation_space == singles.single_observation_space
    assert vector.action_space == singles.action_space
    assert data_equivalence(singles.reset(seed=5), vector.reset(seed=5))
    ends = 0
    for _ in range(60):
        actions = np.array([_some_action(mask, draws) for mask in vector.action_masks()])
        ours, theirs = vector.step(actions), singles.step(actions)
        assert data_equivalence(theirs, ours)
        ended = ours[2] | ours[3]
        ends += int(ended.sum())
        if mode == AutoresetMode.DISABLED and ended.any():
            options = {"reset_mask": ended}
            assert data_equivalence(singles.reset(options=dict(options)), vector.reset(options=dict(options)))
    assert ends > 0


def _some_action(mask: Any, draws: np.random.Generator) -> int:
    """Nearly always a legal action."""
    if mask.any() and draws.random() < 0.95:
        return int(draws.choice(np.flatnonzero(mask)))
    return int(draws.integers(len(mask)))


def test_opponents_as_a_function_play_in_both() -> None:
    def last(role: str, observations: Any, masks: Any) -> Any:
        assert role == "oplayer" and len(observations) == len(masks)
        return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], axis=1)

    single, vector = GgpEnv("tic_tac_toe", opponents=last), GgpVectorEnv("tic_tac_toe", 3, opponents=last)
    single.reset(seed=0)
    vector.reset(seed=0)
    for action in (0, 1, 2):
        expected = single.step(np.int64(action))
        observations, rewards, terminations, _, _ = vector.step(np.full(3, action))
        assert (observations == expected[0]).all() and (rewards == expected[1]).all()
        assert (terminations == expected[2]).all()
    assert expected[1] == 1.0 and expected[2]


def test_an_illegal_action_is_a_loss_or_an_error() -> None:
    env = GgpEnv("tic_tac_toe")
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(np.int64(9))
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))

    env = GgpEnv("tic_tac_toe", illegal="error", rewards="raw")
    env.reset(seed=0)
    before = env.state
    for action in (9, -1, 100):
        with pytest.raises(ggp.IllegalAction, match=f"xplayer has no legal action {action}"):
            env.step(np.int64(action))
    assert env.state == before


def test_an_illegal_action_in_a_batch_names_the_game() -> None:
    vector = GgpVectorEnv("tic_tac_toe", 4, illegal="error")
    before, _ = vector.reset(seed=0)
    with pytest.raises(ggp.IllegalAction, match="game 2: xplayer has no legal action 9"):
        vector.step(np.array([0, 1, 9, 3]))
    observations, *_ = vector.step(np.array([0, 1, 2, 3]))
    assert (before != observations).any()


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros((4, 1), np.int64), np.zeros(4, np.float32)])
def test_actions_of_a_wrong_shape_or_dtype(actions: Any) -> None:
    vector = GgpVectorEnv("tic_tac_toe", 4)
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="they must be integers \\[4\\]"):
        vector.step(actions)


def test_wrong_arguments() -> None:
    with pytest.raises(ggp.UsageError, match="has no player 'red'"):
        GgpEnv("tic_tac_toe", "red")
    with pytest.raises(ggp.UsageError, match="observation is 'pixels'"):
        GgpEnv("tic_tac_toe", observation="pixels")  # type: ignore[arg-type]
    with pytest.raises(ggp.UsageError, match="render_mode is 'svg'"):
        GgpEnv("tic_tac_toe", render_mode="svg")
    with pytest.raises(ggp.UsageError, match="no board"):
        GgpEnv(PENNIES, observation="planes")
    vector = GgpVectorEnv("tic_tac_toe", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="3 seeds for 2 games"):
        vector.reset(seed=[1, 2, 3])
    with pytest.raises(TypeError, match="NumPy array of bool"):
        vector.reset(options={"reset_mask": [True, False]})


def test_text_and_pixels_of_a_position() -> None:
    pytest.importorskip("pygame")
    env = GgpEnv("tic_tac_toe", render_mode="rgb_array")
    env.reset(seed=0)
    empty = env.render()
    env.step(np.int64(4))
    marked = env.render()
    assert empty.dtype == np.uint8 and empty.shape == marked.shape and empty.shape[2] == 3
    assert (empty != marked).any() and (empty == 255).any()
    text = GgpEnv("tic_tac_toe", render_mode="ansi")
    text.reset(seed=0)
    assert "xplayer" in text.render()


def test_random_opponents_are_uniform() -> None:
    """Choices among three legal actions: chi-square with 2 degrees of freedom, below the 99.9% point."""
    from ggp._draws import Draws

    masks = np.tile(np.array([True, False, True, True]), (30_000, 1))
    chosen = Draws(range(30_000)).choose(masks, np.ones(30_000, np.bool_))
    counts = np.bincount(chosen, minlength=4)
    assert counts[1] == 0
    assert ((counts[[0, 2, 3]] - 10_000) ** 2 / 10_000).sum() < 13.8
