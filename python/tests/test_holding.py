"""Games of a batch that keep their state in a step."""

from __future__ import annotations

import numpy as np
import pytest

import ggp


@pytest.mark.parametrize("autoreset", ["disabled", "same_step"])
def test_games_whose_actions_are_minus_one_keep_their_state(autoreset: str) -> None:
    env = ggp.BatchEnv("tic_tac_toe", 600, observation="bool", autoreset=autoreset, max_steps=4)  # type: ignore[arg-type]
    held = np.arange(600) % 3 == 0
    for step in range(4):
        before, masks = env.observations.copy(), [mask.copy() for mask in env.action_masks]
        actions = env.sample().copy()
        actions[held] = -1
        result = env.step(actions)
        assert (env.observations[held] == before[held]).all()
        assert all((mask[held] == old[held]).all() for mask, old in zip(env.action_masks, masks, strict=True))
        assert (result.rewards[held] == 0).all() and not result.terminations[held].any()
        assert not result.truncations[held].any()
        if step < 3:
            assert (env.observations[~held] != before[~held]).any(axis=1).all()
    assert result.truncations[~held].all()
    actions = env.sample().copy()
    actions[held] = 0, 9
    if autoreset == "disabled":
        assert (env.step(actions).observations[held] != before[held]).any(axis=1).all()


def test_an_error_leaves_held_games_in_play() -> None:
    env = ggp.BatchEnv("tic_tac_toe", 3, autoreset="disabled")
    with pytest.raises(ggp.IllegalAction) as found:
        env.step([[-1, -1], [9, 9], [0, 9]])
    assert found.value.game == 1
    env.step([[0, 9], [1, 9], [2, 9]])
    assert [env.state(game).legal("oplayer")[0] for game in range(3)] == ["mark(1,2)", "mark(1,1)", "mark(1,1)"]


def test_one_role_cannot_hold_and_games_that_restart_cannot() -> None:
    env = ggp.BatchEnv("tic_tac_toe", 2, autoreset="disabled")
    with pytest.raises(ggp.IllegalAction):
        env.step([[-1, 9], [0, 9]])
    with pytest.raises(ggp.IllegalAction):
        ggp.BatchEnv("tic_tac_toe", 2).step([[-1, -1], [0, 9]])
