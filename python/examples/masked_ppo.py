"""MaskablePPO of sb3-contrib learns a game against itself and random play, judged by the exact values of all states.

    python examples/masked_ppo.py [GAME…] [--steps 300000] [--picture FILE.svg]

Half of the games are played for each role. In half of these the network moves for the other role too; in the rest that
role moves at random, which leads to more of the states.
Prints the share of states in which the most probable move keeps the value of the state. Needs sb3-contrib, and
matplotlib for the picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from exact import Exact, solve
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

import ggp
from ggp.gymnasium import GgpVectorEnv


class Envs(VecEnv):
    """Vector environments of Gymnasium as one of stable-baselines3, which wants episodes to begin anew in the step that
    ends them."""

    def __init__(self, parts: Sequence[GgpVectorEnv], seed: int) -> None:
        self.parts, self._seed = parts, seed
        count = sum(part.num_envs for part in parts)
        super().__init__(count, parts[0].single_observation_space, parts[0].single_action_space)

    def reset(self) -> NDArray[np.float32]:
        seeds = range(self._seed, self._seed + self.num_envs, self.parts[0].num_envs)
        return np.concatenate([part.reset(seed=seed)[0] for part, seed in zip(self.parts, seeds, strict=True)])

    def step_async(self, actions: NDArray[np.int64]) -> None:
        ends = np.cumsum([part.num_envs for part in self.parts])[:-1]
        self._answers = [part.step(own) for part, own in zip(self.parts, np.split(actions, ends), strict=True)]

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        observations, rewards, ended = (np.concatenate([answer[i] for answer in self._answers]) for i in range(3))
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        finals = np.concatenate(
            [answer[4].get("final_obs", np.full(len(answer[1]), None)) for answer in self._answers]
        )
        for game in np.flatnonzero(ended):
            infos[game] = {"terminal_observation": finals[game], "TimeLimit.truncated": False}
        return observations, rewards.astype(np.float32), ended, infos

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> list[Any]:
        assert method_name == "action_masks" and indices is None
        return list(np.concatenate([part.action_masks() for part in self.parts]))

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        for part in self.parts:
            part.close()


class Other:
    """Player of the other role: the model as it is."""

    model: MaskablePPO

    def __call__(self, role: str, observations: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return predict(self.model, observations, masks, deterministic=False)


def predict(
    model: MaskablePPO, observations: NDArray[Any], masks: NDArray[np.bool_], *, deterministic: bool = True
) -> NDArray[np.int64]:
    """The model's actions."""
    actions, _ = model.predict(observations, action_masks=masks, deterministic=deterministic)
    return np.asarray(actions, np.int64)


class Judge(BaseCallback):
    """Measures the share of optimal moves after each round of learning."""

    def __init__(self, exact: Exact, told: Callable[[int, float], None]) -> None:
        super().__init__()
        self.exact, self.told = exact, told

    def _on_rollout_start(self) -> None:
        self.told(self.num_timesteps, self.exact.share(lambda seen, masks: predict(self.model, seen, masks)))

    def _on_step(self) -> bool:
        return True


def learn(name: str, *, steps: int, envs: int = 256, seed: int = 0, states: int = 1000) -> list[tuple[int, float]]:
    """Learns for some steps. Returns how the share of optimal moves grew, by the number of steps; prints it too."""
    torch.set_num_threads(1)
    game, curve = ggp.load(name), []
    exact = solve(game, states=states)
    print(f"{name}: {len(exact.best)} states; random play keeps the value in {exact.of_chance:.1%} of them", flush=True)

    def tell(at: int, share: float) -> None:
        curve.append((at, share))
        print(f"{at:9,} steps: {share:.1%}", flush=True)

    other = Other()
    parts = [
        GgpVectorEnv(game, envs // 4, role, opponents=opponents, autoreset_mode="SameStep")
        for role in game.roles
        for opponents in (other, "random")
    ]
    model = MaskablePPO(
        "MlpPolicy",
        Envs(parts, seed),
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.03,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    other.model = model
    model.learn(steps, callback=Judge(exact, tell))
    tell(model.num_timesteps, exact.share(lambda seen, masks: predict(model, seen, masks)))
    return curve


def draw(curves: dict[str, list[tuple[int, float]]], file: str) -> None:
    """Draws the shares by the number of steps."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "ggp"
    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    for name, curve in curves.items():
        axes.plot([at for at, _ in curve], [100 * share for _, share in curve], label=name)
    axes.set(xlabel="steps", ylabel="optimal moves (%)", title="MaskablePPO", ylim=(None, 100))
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["tic_tac_toe", "connect_four_4x4"], metavar="GAME")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()
    learned = {game: learn(game, steps=arguments.steps) for game in arguments.games}
    if arguments.picture:
        draw(learned, arguments.picture)
