"""PettingZoo: any rule sheet as an AEC or a Parallel environment (`pip install ggp[pettingzoo]`).

Agents are the roles of the game; `random`, the role of chance, is part of the environment. Observations are
dictionaries of `"observation"` and `"action_mask"` (int8 `[actions]`); action i of an agent is the i-th of
`game.actions(agent)`.

In the AEC environment an agent is asked only where it has more to do than wait, so players of a game by turns are asked
by turns. Simultaneous moves are asked for one after the other; no observation changes before all have moved. In the
Parallel environment all agents act in each cycle; waiting (`noop`) is an action.

    >>> import ggp.pettingzoo
    >>> env = ggp.pettingzoo.env("tic_tac_toe")
    >>> env.reset(seed=1)
    >>> env.agent_selection
    'xplayer'
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

import ggp
from ggp._match import Match
from ggp._picture import Screen
from ggp._seats import IDLE, Illegal, Observation, Rewards, Seats
from ggp.errors import IllegalAction, UsageError

__all__ = ["GgpAECEnv", "GgpParallelEnv", "env", "parallel_env", "raw_env"]

Observed = dict[str, NDArray[Any]]

_METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2, "is_parallelizable": False}


def env(game: ggp.Game | str | os.PathLike[str], **options: Any) -> AECEnv[str, Any, Any]:
    """The AEC environment in PettingZoo's customary wrappers: an illegal action ends the game with a loss.

    Args:
        game: a game, or what `ggp.load` takes.
        options: the keyword arguments of `GgpAECEnv`.
    """
    inner = raw_env(game, **options)
    wrapped = wrappers.TerminateIllegalWrapper(inner, illegal_reward=inner.match.seats.loss)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(game: ggp.Game | str | os.PathLike[str], **options: Any) -> GgpAECEnv:
    """The AEC environment without wrappers: an illegal action raises `IllegalAction`, and the state stays."""
    return GgpAECEnv(game, **options)


def parallel_env(game: ggp.Game | str | os.PathLike[str], **options: Any) -> GgpParallelEnv:
    """The Parallel environment; `options` are the keyword arguments of `GgpParallelEnv`."""
    return GgpParallelEnv(game, **options)


class _Agents:
    """The part that both kinds of environment share: the match, its spaces, and its rendering."""

    def __init__(self, seats: Seats, max_cycles: int | None, render_mode: str | None) -> None:
        self.match = Match(seats)
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.metadata = {**_METADATA, "name": f"{seats.game.name}_v0"}
        self.possible_agents = list(seats.players)
        self.agents: list[str] = []
        self.action_spaces = {role: spaces.Discrete(seats.counts[role]) for role in seats.players}
        self._whole = Seats(seats.game, observation=seats.observation, hidden=False) if seats.views else seats
        whole, features = (own.features(seats.game.initial()) for own in (self._whole, seats))
        self.state_space: spaces.Space[Any] = spaces.Box(0, 1, whole.shape, whole.dtype.type)
        self.observation_spaces = {role: self._observation_space(features, seats.counts[role]) for role in seats.players}
        self._screen = Screen(seats.game.name, render_mode, self.metadata)

    @staticmethod
    def _observation_space(features: NDArray[Any], actions: int) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, features.shape, features.dtype.type),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    @property
    def game(self) -> ggp.Game:
        """The game that is played."""
        return self.match.seats.game

    def action_space(self, agent: str) -> spaces.Discrete:
        """`Discrete(len(game.actions(agent)))`, always the same object."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """`Dict(observation, action_mask)`, always the same object."""
        return self.observation_spaces[agent]

    def state(self) -> NDArray[Any]:
        """The whole state of the game, without a mask, for a critic that all agents share: also what agents do not see."""
        return self._whole.features(self.match.state)

    def render(self) -> Any:
        """The position, for spectators, also what agents do not see: a `str` (`"ansi"`), uint8 `[H, W, 3]`
        (`"rgb_array"`), or a window and `None`."""
        return self._screen.render(self.match.state)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()

    def _observed(self, agent: str, may_act: bool) -> Observed:
        seats = self.match.seats
        mask = seats.mask(self.match.state, agent) if may_act else np.zeros(seats.counts[agent], dtype=np.bool_)
        return {"observation": seats.features(self.match.state, agent), "action_mask": mask.astype(np.int8)}

    def _outcome(self, agent: str) -> float:
        return self.match.seats.outcome(self.match.state, agent) if self.match.state.is_terminal else 0.0

    def _is_cut_off(self) -> bool:
        within = self.max_cycles is None or self.match.cycles < self.max_cycles
        return not within and not self.match.state.is_terminal


class GgpAECEnv(_Agents, AECEnv[str, Observed, int]):  # type: ignore[misc]  # pettingzoo has no types
    """A game whose agents act one after the other.

    Args:
        game: a game, or what `ggp.load` takes.
        observation: `"bool"` (the fluents as int8, in the order of `game.fluents`), `"float32"` (the same), or
            `"planes"` (the board, float32 `[C, H, W]`).
        hidden: whether observations hide what the rules hide. In games with rules for `sees` an agent then observes only
            what it knows: the features of `BatchEnv.features`. False shows the whole state.
        rewards: `"scaled"`: from -1 (goal value 0) to 1 (goal value 100), or `"raw"`. They are 0 until the end.
        idle: the terms of moves that mean waiting; an agent whose only legal move is one of them is not asked.
        max_cycles: the game is truncated after this many plies (those in which no agent is asked do not count).
        render_mode: `"ansi"`, `"rgb_array"` or `"human"`; the last two need pygame.
    """

    def __init__(
        self,
        game: ggp.Game | str | os.PathLike[str],
        *,
        observation: Observation = "bool",
        rewards: Rewards = "scaled",
        idle: Collection[str] = IDLE,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        hidden: bool = True,
    ) -> None:
        seats = Seats(game, observation=observation, rewards=rewards, idle=idle, hidden=hidden)
        _Agents.__init__(self, seats, max_cycles, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match; `seed` is that of chance, and without it its stream goes on. `options` are not used."""
        self.match.restart(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._chosen: dict[str, int] = {}
        self._select()

    def observe(self, agent: str) -> Observed:
        """The state, or what `agent` knows of it, and its legal actions: none unless it is the one to act."""
        return self._observed(agent, agent == self.agent_selection)

    def step(self, action: int | None) -> None:
        """Makes the move of `agent_selection`; `None` for an agent whose game is over.

        Raises:
            IllegalAction: the action is not legal; the state stays.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            # It takes None alone, though its annotation says otherwise.
            self._was_dead_step(cast(int, action))
            return
        if action is None or not self.match.is_legal(agent, int(action)):
            raise IllegalAction(f"{agent} has no legal action {action} in this state")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = int(action)
        if len(self._chosen) == len(self.match.asked):
            self.match.play(self._chosen)
            self._chosen = {}
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Finds whom to ask next, or ends the game."""
        terminated, truncated = self.match.state.is_terminal, self._is_cut_off()
        if terminated or truncated:
            self.rewards = {agent: self._outcome(agent) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, terminated)
            self.truncations = dict.fromkeys(self.agents, truncated)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = next(role for role in self.match.asked if role not in self._chosen)


class GgpParallelEnv(_Agents, ParallelEnv[str, Observed, int]):  # type: ignore[misc]
    """A game whose agents all act in each cycle.

    The arguments are those of `GgpAECEnv`, and:

    Args:
        illegal: `"loss"`: an illegal action ends the game; who chose one has the reward of goal value 0, and
            `infos[agent]["illegal"]`; or `"error"`: it raises `ggp.errors.IllegalAction`, and the
            state stays.
    """

    def __init__(
        self,
        game: ggp.Game | str | os.PathLike[str],
        *,
        observation: Observation = "bool",
        rewards: Rewards = "scaled",
        illegal: Illegal = "loss",
        idle: Collection[str] = IDLE,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        hidden: bool = True,
    ) -> None:
        seats = Seats(game, observation=observation, rewards=rewards, idle=idle, hidden=hidden)
        _Agents.__init__(self, seats, max_cycles, render_mode)
        self._illegal = illegal

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Begins a match; `seed` is that of chance, and without it its stream goes on. `options` are not used."""
        self.match.restart(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Makes the moves of all agents.

        Args:
            actions: an action number for each agent.

        Raises:
            UsageError: an agent has no action.
            IllegalAction: an action is not legal, and `illegal` is `"error"`.
        """
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise UsageError(f"no action for {', '.join(missing)}")
        illegal = [agent for agent in self.agents if not self.match.is_legal(agent, int(actions[agent]))]
        if illegal and self._illegal == "error":
            raise IllegalAction(f"{illegal[0]} has no legal action {actions[illegal[0]]} in this state")
        if not illegal:
            self.match.play({agent: int(actions[agent]) for agent in self.agents})
        terminated = self.match.state.is_terminal or bool(illegal)
        truncated = self._is_cut_off() and not illegal
        loss = self.match.seats.loss
        rewards = {agent: loss if agent in illegal else self._outcome(agent) for agent in self.agents}
        infos = {agent: {"illegal": True} if agent in illegal else {} for agent in self.agents}
        result = (
            self._observations(),
            rewards,
            dict.fromkeys(self.agents, terminated),
            dict.fromkeys(self.agents, truncated),
            infos,
        )
        if terminated or truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return result

    def _observations(self) -> dict[str, Observed]:
        return {agent: self._observed(agent, may_act=True) for agent in self.agents}
