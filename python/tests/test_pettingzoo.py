"""The PettingZoo environments before PettingZoo's own judges."""

from __future__ import annotations

import functools
import os
import types
from typing import Any

import numpy as np
import pytest
from sheets import PENNIES

import ggp

pytest.importorskip("pettingzoo")

from pettingzoo.test import (  # noqa: E402
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)

import ggp.pettingzoo as environments  # noqa: E402

KINDS = ["tic_tac_toe", "eight_puzzle", "rock_paper_scissors", "pig_dice", "monty_hall", "three_player_tree"]

pytestmark = [
    # The judges prefer agents called player_0, and observations that are arrays; ours have names and masks.
    pytest.mark.filterwarnings("ignore:We recommend agents:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*all zeros:UserWarning"),
    pytest.mark.filterwarnings("ignore:State is a single number:UserWarning"),
]


@pytest.fixture(autouse=True)
def _without_a_screen() -> None:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


@pytest.mark.parametrize("game", KINDS)
@pytest.mark.parametrize("make", [environments.env, environments.raw_env])
def test_api(game: str, make: Any) -> None:
    api_test(make(game), num_cycles=100)


@pytest.mark.parametrize("observation", ["float32", "planes"])
def test_api_with_other_observations(observation: Any) -> None:
    api_test(environments.env("connect_four", observation=observation), num_cycles=100)


@pytest.mark.parametrize("game", KINDS)
def test_parallel_api(game: str) -> None:
    parallel_api_test(environments.parallel_env(game), num_cycles=100)


@pytest.mark.parametrize("game", KINDS)
def test_seeds(game: str) -> None:
    seed_test(lambda: environments.env(game), num_cycles=50)
    parallel_seed_test(lambda: environments.parallel_env(game), num_cycles=50)


@pytest.mark.parametrize("game", KINDS)
def test_state(game: str) -> None:
    state_test(environments.env(game), environments.parallel_env(game))


def test_rendering() -> None:
    pytest.importorskip("pygame")
    render_test(functools.partial(environments.env, "tic_tac_toe"))


def test_max_cycles() -> None:
    make = {"env": environments.env, "parallel_env": environments.parallel_env}
    max_cycles_test(types.SimpleNamespace(**{name: functools.partial(one, PENNIES) for name, one in make.items()}))


def test_players_of_a_game_by_turns_are_asked_by_turns() -> None:
    env = environments.env("tic_tac_toe", rewards="raw")
    env.reset(seed=0)
    asked = []
    for action, agent in zip((0, 3, 1, 4, 2), env.agent_iter(), strict=False):
        asked.append(agent)
        assert env.observe(agent)["action_mask"].sum() == 9 - len(asked) + 1
        other = next(one for one in env.agents if one != agent)
        assert not env.observe(other)["action_mask"].any()
        env.step(action)
    assert asked == ["xplayer", "oplayer", "xplayer", "oplayer", "xplayer"]
    assert env.rewards == {"xplayer": 100.0, "oplayer": 0.0}
    assert env.terminations == {"xplayer": True, "oplayer": True}


def test_simultaneous_moves_are_hidden_until_all_have_moved() -> None:
    env = environments.raw_env("rock_paper_scissors")
    env.reset(seed=0)
    first, second = env.possible_agents
    before = env.observe(second)["observation"]
    assert env.agent_selection == first
    env.step(0)
    assert env.agent_selection == second
    np.testing.assert_array_equal(env.observe(second)["observation"], before)
    env.step(1)
    assert sum(env.rewards.values()) == 0.0 and all(env.terminations.values())


def test_illegal_actions() -> None:
    env = environments.raw_env("tic_tac_toe")
    env.reset(seed=0)
    for action in (9, -1, 50):
        with pytest.raises(ggp.IllegalAction, match=f"xplayer has no legal action {action}"):
            env.step(action)
    assert env.agent_selection == "xplayer"

    wrapped = environments.env("tic_tac_toe")
    wrapped.reset(seed=0)
    wrapped.step(9)
    assert all(wrapped.terminations.values()) and wrapped.rewards["xplayer"] == -1.0

    parallel = environments.parallel_env("tic_tac_toe")
    parallel.reset(seed=0)
    with pytest.raises(ggp.UsageError, match="no action for oplayer"):
        parallel.step({"xplayer": 0})
    _, rewards, terminations, _, infos = parallel.step({"xplayer": 9, "oplayer": 9})
    assert rewards == {"xplayer": -1.0, "oplayer": 0.0} and all(terminations.values())
    assert infos["xplayer"] == {"illegal": True} and parallel.agents == []


def test_agents_exclude_chance_and_seeds_decide_it() -> None:
    def history(seed: int) -> list[Any]:
        env = environments.raw_env("pig_dice")
        env.reset(seed=seed)
        seen = []
        for _ in range(20):
            if env.terminations[env.agent_selection]:
                break
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(np.flatnonzero(mask)[-1]))
            seen.append(env.state().tolist())
        return seen

    assert "random" not in environments.raw_env("pig_dice").possible_agents
    assert history(1) == history(1)
    assert len({str(history(seed)) for seed in range(5)}) > 1
