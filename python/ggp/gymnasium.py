"""Gymnasium: any rule sheet as a single environment or as a `VectorEnv` (`pip install ggp[gymnasium]`).

One role is the agent; the others are part of the environment. They play uniformly at random, or by a function. Plies in
which the agent can only wait are played without asking it, so an episode of a game by turns has a step for each of its
own turns.

    >>> import gymnasium, ggp.gymnasium
    >>> env = gymnasium.make("ggp/Game-v0", game="tic_tac_toe")
    >>> observation, info = env.reset(seed=1)
    >>> info["action_mask"].sum()
    np.int64(9)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import ggp
from ggp._draws import Draws
from ggp._ggp import Episodes, check_memory
from ggp._in_use import OneThread, exclusive
from ggp._picture import Screen
from ggp._seats import IDLE, RANDOM, Illegal, Observation, Rewards, Seats
from ggp.errors import IllegalAction

__all__ = ["GgpEnv", "GgpVectorEnv", "Opponent"]

Opponent = Callable[[str, NDArray[Any], NDArray[np.bool_]], NDArray[np.int64]]
"""A policy of the other roles: (role, observations `[n, ...]`, masks `[n, actions]`) to action numbers `[n]`."""

Opponents = Opponent | Literal["random"]


def _space(seats: Seats) -> spaces.Space[Any]:
    if seats.observation == "bool":
        return spaces.MultiBinary(seats.shape[0])
    return spaces.Box(0.0, 1.0, seats.shape, np.float32)


class GgpEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A game as one environment, for one of its roles.

    The action space is `Discrete(len(game.actions(role)))`: the number of an action is its index in
    `game.actions(role)`. `info["action_mask"]` (bool `[actions]`) says which are legal; `action_masks`
    returns the same, for MaskablePPO of sb3-contrib. The reward is 0 until the game has ended.

    Args:
        game: a game, or what `ggp.load` takes.
        role: the agent's role; by default the first that is not `random`.
        opponents: `"random"`, or a function (see :data:`Opponent`) for all other roles but `random`.
        observation: `"float32"` or `"bool"` (the fluents, in the order of `game.fluents`), or `"planes"` (the
            board `[C, H, W]`).
        hidden: whether observations hide what the rules hide. In games with rules for `sees` the agent, and each
            opponent, then observes only what it knows: the features of `BatchEnv.features`. False shows the whole state.
        rewards: `"scaled"`: from -1 (goal value 0) to 1 (goal value 100), or `"raw"`: the goal value.
        illegal: `"loss"`: an illegal action ends the episode with the reward of goal value 0 and
            `info["illegal"]`; or `"error"`: it raises `ggp.errors.IllegalAction`, and the state stays.
        idle: the terms of moves that mean waiting.
        max_plies: the episode is truncated when this many plies have been played (the opponents' included).
        render_mode: `"ansi"`, `"rgb_array"` or `"human"`; the last two need pygame.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}

    def __init__(
        self,
        game: ggp.Game | str | os.PathLike[str],
        role: str | None = None,
        *,
        opponents: Opponents = "random",
        observation: Observation = "float32",
        rewards: Rewards = "scaled",
        illegal: Illegal = "loss",
        idle: Collection[str] = IDLE,
        max_plies: int | None = None,
        render_mode: str | None = None,
        hidden: bool = True,
    ) -> None:
        self.seats = Seats(game, observation=observation, rewards=rewards, idle=idle, hidden=hidden)
        self.game = self.seats.game
        self.role = self.seats.role(role)
        self.observation_space = _space(self.seats)
        self.action_space = spaces.Discrete(self.seats.counts[self.role])
        self.render_mode = render_mode
        self._opponents = opponents
        self._illegal = illegal
        self._max_plies = max_plies
        self._screen = Screen(self.game.name, render_mode, self.metadata)
        self._draws: Draws | None = None
        self._state = self.game.initial()
        self._plies = 0
        self._over = True

    @property
    def state(self) -> ggp.State:
        """The current state of the game: the whole of it, also what the agent does not see."""
        return self._state

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool `[actions]`, all False at the end of the game."""
        return self.seats.mask(self._state, self.role)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins a game and plays it until the agent is asked.

        Args:
            seed: of the opponents' and chance's choices; without it their stream goes on.
            options: not used.

        Returns:
            The observation, and `{"action_mask", "illegal"}`.
        """
        super().reset(seed=seed)
        if seed is not None or self._draws is None:
            self._draws = Draws([self.np_random_seed])
        self._state, self._plies = self.game.initial(), 0
        self._play_on()
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Makes a move, and plays until the agent is asked again or the game has ended.

        Args:
            action: the number of one of the agent's actions.

        Raises:
            ggp.IllegalAction: the action is not legal, and `illegal` is `"error"`.
            gymnasium.error.ResetNeeded: there is no game: `reset` has not been called since the last one ended.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the game has ended: call reset before step")
        if not self._is_legal(action):
            if self._illegal == "error":
                raise IllegalAction(f"{self.role} has no legal action {action} in this state")
            self._over = True
            return self._seen(), self.seats.loss, True, False, self._info(illegal=True)
        self._ply(int(action))
        truncated = self._play_on()
        terminated = self._state.is_terminal
        reward = self.seats.outcome(self._state, self.role) if terminated else 0.0
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, terminated, truncated, self._info()

    def _seen(self) -> NDArray[Any]:
        return self.seats.features(self._state, self.role)

    def _is_legal(self, action: np.int64) -> bool:
        return 0 <= int(action) < self.seats.counts[self.role] and bool(self.action_masks()[int(action)])

    def _play_on(self) -> bool:
        """Plays until the agent is asked or the game is over; returns whether it was cut off by `max_plies`."""
        while True:
            self._over = self._state.is_terminal
            if self._over:
                return False
            if self._max_plies is not None and self._plies >= self._max_plies:
                self._over = True
                return True
            mask = self.action_masks()
            if self.seats.is_asked(self.role, mask[None, :])[0]:
                return False
            self._ply(int(np.argmax(mask)))

    def _ply(self, action: int) -> None:
        """Makes the agent's action, and the others'."""
        joint = [action if role == self.role else self._choice(role) for role in self.seats.roles]
        self._state = self._state.next(joint)
        self._plies += 1

    def _choice(self, role: str) -> int:
        assert self._draws is not None
        mask = self.seats.mask(self._state, role)[None, :]
        if isinstance(self._opponents, str) or role == RANDOM:
            return int(self._draws.choose(mask, np.ones(1, dtype=np.bool_))[0])
        return int(self._opponents(role, self.seats.features(self._state, role)[None], mask)[0])

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "illegal": illegal}

    def render(self) -> Any:
        """The position, for spectators, also what the agent does not see: a `str` (`"ansi"`), uint8 `[H, W, 3]`
        (`"rgb_array"`), or a window and `None`."""
        return self._screen.render(self._state)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()


class GgpVectorEnv(gymnasium.vector.VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]], OneThread):
    """`num_envs` games at once, in lanes; each behaves exactly as a `GgpEnv` with its seed.

    Observations are `[num_envs, ...]`, actions int64 `[num_envs]`, rewards float64 `[num_envs]`;
    `infos["action_mask"]` is bool `[num_envs, actions]`.

    Args:
        game: a game, or what `ggp.load` takes.
        num_envs: the number of games.
        autoreset_mode: when a game that has ended begins again: at the next step (`NEXT_STEP`), in the same one
            (`SAME_STEP`; the last observation is `infos["final_obs"]`), or never (`DISABLED`: call `reset` with
            `options={"reset_mask": ...}`). It stands in `metadata["autoreset_mode"]`.

        copy: whether the arrays that `reset` and `step` return are copies, as those of `SyncVectorEnv` are. Without,
            they are the environment's own, and the next call overwrites them.

    The other arguments are those of `GgpEnv`; there is no rendering. Opponents at random are played in lanes too;
    a function is called once for all games.

    Raises:
        ggp.NoNetwork: the game could not be grounded, so it has no lanes.
        ggp.OutOfMemory: there is no room for so many games.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: ggp.Game | str | os.PathLike[str],
        num_envs: int = 1,
        role: str | None = None,
        *,
        opponents: Opponents = "random",
        observation: Observation = "float32",
        rewards: Rewards = "scaled",
        illegal: Illegal = "loss",
        idle: Collection[str] = IDLE,
        max_plies: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        hidden: bool = True,
    ) -> None:
        OneThread.__init__(self)
        if num_envs < 1:
            raise ggp.UsageError(f"one game or more, not {num_envs}")
        self.seats = Seats(game, observation=observation, rewards=rewards, idle=idle, hidden=hidden)
        self.game = self.seats.game
        self.role = self.seats.role(role)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        actions = self.seats.counts[self.role]
        size = int(np.prod(self.seats.shape)) * (1 if observation == "bool" else 4)
        # The space of observations has two arrays of bounds.
        bytes_of_game = 4 * size + 2 * actions + 64
        check_memory(f"the arrays of {num_envs} games", num_envs * bytes_of_game)
        self._episodes = Episodes(
            self.game if self.seats.views is None else self.seats.views.game,
            num_envs,
            self.role,
            idle=[int(number) for number in self.seats.idle[self.role]],
            scaled=rewards == "scaled",
            loss=self.seats.loss,
            longest=max_plies,
        )
        self.single_observation_space = _space(self.seats)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponents = None if opponents == "random" else self._asker(opponents)
        self._illegal_loses = illegal == "loss"
        self._copies = copy
        self._is_seeded = False
        self._everyone = np.ones(num_envs, np.bool_)
        self._observation = observation
        self._observations = np.zeros((num_envs, *self.seats.shape), np.int8 if observation == "bool" else np.float32)
        self._rewards = np.zeros(num_envs, np.float64)
        self._terminations, self._truncations, self._illegal = (np.zeros(num_envs, np.bool_) for _ in range(3))
        self._masks = np.zeros((num_envs, actions), np.bool_)
        entries = self.seats.entries()
        if entries is not None:
            self._episodes.set_views(*entries)
        elif observation == "planes":
            board = self.game.board
            assert board is not None
            self._episodes.set_planes(int(np.prod(board.shape)), list(board.entries))

    # ---- what Gymnasium calls ----------------------------------------------------------------------------------------

    @exclusive
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins the games, or those of `options["reset_mask"]` (bool `[num_envs]`).

        Args:
            seed: of game 0 (game i has `seed + i`), or one for each game; `None` lets the streams go on.

        Raises:
            ValueError: seeds or mask of another length, or a mask without True.
            TypeError: a mask that is not a NumPy array of bool.
        """
        which = self._reset_mask(options)
        self._seed(seed, which)
        self._episodes.reset(which, self._opponents, self._observation)
        self._illegal.fill(False)
        infos = self._infos(which)
        infos["action_mask"] &= which[:, None]
        return self._observed(), infos

    @exclusive
    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes a move in every game, and plays each until its agent is asked again or it has ended.

        Args:
            actions: int64 `[num_envs]`. In the mode `NEXT_STEP` those of games that begin again do not count.

        Raises:
            ValueError: the array has another shape or dtype.
            ggp.IllegalAction: an action is not legal, and `illegal` is `"error"`; no game has moved then.
            gymnasium.error.ResetNeeded: in the mode `DISABLED`, a game has ended and was not reset.
        """
        actions = self._checked(actions)
        over = None if self.autoreset_mode == AutoresetMode.NEXT_STEP else self._episodes.first_over()
        if over is not None or not self._is_seeded:
            raise gymnasium.error.ResetNeeded(f"game {over or 0} has ended: call reset before step")
        self._episodes.step(
            actions,
            self._rewards,
            self._terminations,
            self._truncations,
            self._illegal,
            illegal_loses=self._illegal_loses,
            opponents=self._opponents,
            observation=self._observation,
        )
        infos = self._infos(self._everyone)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            finished = self._terminations | self._truncations
            if finished.any():
                infos = self._same_step(finished, infos)
        ends = self._own(self._terminations), self._own(self._truncations)
        return self._observed(), self._own(self._rewards), *ends, infos

    @exclusive
    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool `[num_envs, actions]`, all False in games that have ended."""
        self._episodes.write_masks(self._masks)
        return self._own(self._masks)

    @exclusive
    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Draws a legal action of the agent in each game, each equally likely: int64 `[num_envs]`; 0 in games that
        have ended. `reset(seed=...)` begins its choices again."""
        actions = np.zeros(self.num_envs, np.int64) if out is None else out
        self._episodes.sample(actions)
        return actions

    # ---- arrays ------------------------------------------------------------------------------------------------------

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copies else array

    def _observed(self) -> NDArray[Any]:
        held = self._observations
        if self._observation == "bool":
            self._episodes.write_observations("bool", held.view(np.bool_))
        else:
            self._episodes.write_observations(self._observation, held.reshape(self.num_envs, -1))
        return self._own(held)

    def _infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        known = self._own(which)
        return {
            "action_mask": self.action_masks(),
            "_action_mask": known,
            "illegal": self._own(self._illegal),
            "_illegal": self._own(which),
        }

    def _same_step(self, finished: NDArray[np.bool_], infos: dict[str, Any]) -> dict[str, Any]:
        """Begins the finished games again; what they ended with goes into `final_obs` and `final_info`."""
        last = self._observed().copy()
        finals = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(finished):
            finals[index] = last[index]
        masks, lost = infos["action_mask"] & finished[:, None], infos["illegal"] & finished
        final = {
            "action_mask": masks,
            "_action_mask": finished.copy(),
            "illegal": lost,
            "_illegal": finished.copy(),
        }
        self._episodes.reset(finished, self._opponents, self._observation)
        self._illegal.fill(False)
        infos = self._infos(self._everyone)
        return {**infos, "final_obs": finals, "_final_obs": finished, "final_info": final, "_final_info": finished.copy()}

    def _asker(self, opponents: Opponent) -> Callable[..., NDArray[np.int64]]:
        """The function of the opponents, for the arrays that it is given: flat ones of all games."""
        roles, counts, shape = self.seats.roles, self.seats.counts, self.seats.shape

        def ask(role: int, seen: NDArray[Any], masks: NDArray[np.bool_], asked: NDArray[np.bool_]) -> NDArray[np.int64]:
            name = roles[role]
            seen = seen.view(np.int8) if seen.dtype == np.bool_ else seen
            chosen = np.zeros(self.num_envs, np.int64)
            rows = seen.reshape(self.num_envs, *shape)[asked], masks.reshape(self.num_envs, counts[name])[asked]
            chosen[asked] = opponents(name, *rows)
            return chosen

        return ask

    # ---- arguments ---------------------------------------------------------------------------------------------------

    def _checked(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(
                f"actions are {actions.dtype} {list(actions.shape)}; they must be integers [{self.num_envs}]"
            )
        if actions.dtype == np.uint64:
            # What does not fit is no action of a role either.
            actions = np.minimum(actions, np.iinfo(np.int64).max)
        return np.ascontiguousarray(actions, np.int64)

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self._everyone
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError("options['reset_mask'] must be a NumPy array of bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"options['reset_mask'] must have shape ({self.num_envs},) and at least one True")
        return np.ascontiguousarray(mask)

    def _seed(self, seed: int | Sequence[int | None] | None, which: NDArray[np.bool_]) -> None:
        if isinstance(seed, (int, np.integer)):
            seed = [int(seed) + i for i in range(self.num_envs)]
        if seed is not None and len(seed) != self.num_envs:
            raise ValueError(f"there are {len(seed)} seeds for {self.num_envs} games")
        if not self._is_seeded:
            entropy = np.asarray(np.random.SeedSequence().generate_state(self.num_envs, np.uint64), np.uint64)
            self._episodes.seed(self._everyone, entropy)
            self._episodes.seed_sample(int(entropy[0]))
            self._is_seeded = True
        if seed is not None:
            given = np.array([one is not None for one in seed], dtype=np.bool_)
            words = np.array([(one or 0) & _WORD for one in seed], dtype=np.uint64)
            self._episodes.seed(which & given, words)
            if seed[0] is not None:
                self._episodes.seed_sample(seed[0] & _WORD)


_WORD = (1 << 64) - 1


gymnasium.register(
    id="ggp/Game-v0",
    entry_point="ggp.gymnasium:GgpEnv",
    vector_entry_point="ggp.gymnasium:GgpVectorEnv",
    disable_env_checker=True,
)
