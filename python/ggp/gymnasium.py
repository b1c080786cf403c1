"""Gymnasium: any rule sheet as a single environment or as a ``VectorEnv`` (``pip install ggp[gymnasium]``).

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
from ggp._picture import Screen
from ggp._seats import IDLE, RANDOM, Illegal, Observation, Rewards, Seats
from ggp.errors import IllegalAction

__all__ = ["GgpEnv", "GgpVectorEnv", "Opponent"]

Opponent = Callable[[str, NDArray[Any], NDArray[np.bool_]], NDArray[np.int64]]
"""A policy of the other roles: (role, observations ``[n, ...]``, masks ``[n, actions]``) to action numbers ``[n]``."""

Opponents = Opponent | Literal["random"]


def _space(seats: Seats) -> spaces.Space[Any]:
    if seats.observation == "bool":
        return spaces.MultiBinary(len(seats.game.fluents))
    return spaces.Box(0.0, 1.0, seats.shape, np.float32)


class GgpEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A game as one environment, for one of its roles.

    The action space is ``Discrete(len(game.actions(role)))``: the number of an action is its index in
    ``game.actions(role)``. ``info["action_mask"]`` (bool ``[actions]``) says which are legal; :meth:`action_masks`
    returns the same, for MaskablePPO of sb3-contrib. The reward is 0 until the game has ended.

    Args:
        game: a game, or what :func:`ggp.load` takes.
        role: the agent's role; by default the first that is not ``random``.
        opponents: ``"random"``, or a function (see :data:`Opponent`) for all other roles but ``random``.
        observation: ``"float32"`` or ``"bool"`` (the fluents, in the order of ``game.fluents``), or ``"planes"`` (the
            board ``[C, H, W]``). It shows the whole state, also in games with rules for ``sees``.
        rewards: ``"scaled"``: from -1 (goal value 0) to 1 (goal value 100), or ``"raw"``: the goal value.
        illegal: ``"loss"``: an illegal action ends the episode with the reward of goal value 0 and
            ``info["illegal"]``; or ``"error"``: it raises :class:`ggp.errors.IllegalAction`, and the state stays.
        idle: the terms of moves that mean waiting.
        max_plies: the episode is truncated when this many plies have been played (the opponents' included).
        render_mode: ``"ansi"``, ``"rgb_array"`` or ``"human"``; the last two need pygame.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}

    def __init__(
        self,
        game: ggp.Game | str,
        role: str | None = None,
        *,
        opponents: Opponents = "random",
        observation: Observation = "float32",
        rewards: Rewards = "scaled",
        illegal: Illegal = "loss",
        idle: Collection[str] = IDLE,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.seats = Seats(game, observation=observation, rewards=rewards, idle=idle)
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
        """The current state of the game."""
        return self._state

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool ``[actions]``, all False at the end of the game."""
        return self.seats.mask(self._state, self.role)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins a game and plays it until the agent is asked.

        Args:
            seed: of the opponents' and chance's choices; without it their stream goes on.
            options: not used.

        Returns:
            The observation, and ``{"action_mask", "illegal"}``.
        """
        super().reset(seed=seed)
        if seed is not None or self._draws is None:
            self._draws = Draws([self.np_random_seed])
        self._state, self._plies = self.game.initial(), 0
        self._play_on()
        if self.render_mode == "human":
            self.render()
        return self.seats.features(self._state), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Makes a move, and plays until the agent is asked again or the game has ended.

        Args:
            action: the number of one of the agent's actions.

        Raises:
            ggp.IllegalAction: the action is not legal, and ``illegal`` is ``"error"``.
            gymnasium.error.ResetNeeded: there is no game: ``reset`` has not been called since the last one ended.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the game has ended: call reset before step")
        if not self._is_legal(action):
            if self._illegal == "error":
                raise IllegalAction(f"{self.role} has no legal action {action} in this state")
            self._over = True
            return self.seats.features(self._state), self.seats.loss, True, False, self._info(illegal=True)
        self._ply(int(action))
        truncated = self._play_on()
        terminated = self._state.is_terminal
        reward = self.seats.outcome(self._state, self.role) if terminated else 0.0
        if self.render_mode == "human":
            self.render()
        return self.seats.features(self._state), reward, terminated, truncated, self._info()

    def _is_legal(self, action: np.int64) -> bool:
        return 0 <= int(action) < self.seats.counts[self.role] and bool(self.action_masks()[int(action)])

    def _play_on(self) -> bool:
        """Plays until the agent is asked or the game is over; returns whether it was cut off by ``max_plies``."""
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
        if self._opponents == "random" or role == RANDOM:
            return int(self._draws.choose(mask, np.ones(1, dtype=np.bool_))[0])
        return int(self._opponents(role, self.seats.features(self._state)[None], mask)[0])

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "illegal": illegal}

    def render(self) -> Any:
        """The position: a ``str`` (``"ansi"``), uint8 ``[H, W, 3]`` (``"rgb_array"``), or a window and ``None``."""
        return self._screen.render(self._state)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()


class GgpVectorEnv(gymnasium.vector.VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` games at once, in lanes; each behaves exactly as a :class:`GgpEnv` with its seed.

    Observations are ``[num_envs, ...]``, actions int64 ``[num_envs]``, rewards float64 ``[num_envs]``;
    ``infos["action_mask"]`` is bool ``[num_envs, actions]``.

    Args:
        game: a game, or what :func:`ggp.load` takes.
        num_envs: the number of games.
        autoreset_mode: when a game that has ended begins again: at the next step (``NEXT_STEP``), in the same one
            (``SAME_STEP``; the last observation is ``infos["final_obs"]``), or never (``DISABLED``: call ``reset`` with
            ``options={"reset_mask": ...}``). It stands in ``metadata["autoreset_mode"]``.

    The other arguments are those of :class:`GgpEnv`; there is no rendering.

    Raises:
        ggp.NoNetwork: the game could not be grounded, so it has no lanes.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: ggp.Game | str,
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
    ) -> None:
        self.seats = Seats(game, observation=observation, rewards=rewards, idle=idle)
        self.game = self.seats.game
        self.role = self.seats.role(role)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = _space(self.seats)
        self.single_action_space = spaces.Discrete(self.seats.counts[self.role])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponents = opponents
        self._illegal = illegal
        self._max_plies = max_plies
        self._batch = ggp.BatchEnv(
            self.game,
            num_envs,
            observation=observation,
            rewards="raw",
            autoreset="disabled",
            random_role=False,
            illegal="error",
        )
        self._agent = self.seats.roles.index(self.role)
        self._draws: Draws | None = None
        self._plies = np.zeros(num_envs, dtype=np.int64)
        self._over = np.ones(num_envs, dtype=np.bool_)
        self._goals = np.zeros(num_envs, dtype=np.float64)

    # ---- what Gymnasium calls ----------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins the games, or those of ``options["reset_mask"]`` (bool ``[num_envs]``).

        Args:
            seed: of game 0 (game i has ``seed + i``), or one for each game; ``None`` lets the streams go on.

        Raises:
            ValueError: seeds or mask of another length, or a mask without True.
            TypeError: a mask that is not a NumPy array of bool.
        """
        which = self._reset_mask(options)
        self._seed(seed, which)
        self._restart(which)
        return self._observed(), self._infos(which)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes a move in every game, and plays each until its agent is asked again or it has ended.

        Args:
            actions: int64 ``[num_envs]``. In the mode ``NEXT_STEP`` those of games that begin again do not count.

        Raises:
            ValueError: the array has another shape or dtype.
            ggp.IllegalAction: an action is not legal, and ``illegal`` is ``"error"``; no game has moved then.
            gymnasium.error.ResetNeeded: in the mode ``DISABLED``, a game has ended and was not reset.
        """
        actions = self._checked(actions)
        begins = self._over.copy()
        if begins.any() and (self.autoreset_mode != AutoresetMode.NEXT_STEP or self._draws is None):
            raise gymnasium.error.ResetNeeded(f"game {int(np.argmax(begins))} has ended: call reset before step")
        legal = self._mask(self.role)[np.arange(self.num_envs), np.clip(actions, 0, self.seats.counts[self.role] - 1)]
        legal &= (actions >= 0) & (actions < self.seats.counts[self.role])
        illegal = ~legal & ~begins
        if illegal.any() and self._illegal == "error":
            first = int(np.argmax(illegal))
            raise IllegalAction(f"game {first}: {self.role} has no legal action {actions[first]} in this state")
        if begins.any():
            self._restart(begins)
        moves = ~begins & ~illegal
        self._ply(actions, moves)
        truncated = self._play_on(moves)
        terminated = self._ended() & ~begins
        rewards = np.where(terminated, self.seats.scaled(self._goals), 0.0)
        rewards[illegal] = self.seats.loss
        terminated |= illegal
        self._over |= illegal
        infos = self._infos(np.ones(self.num_envs, dtype=np.bool_), illegal)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            infos = self._same_step(self._over.copy(), infos)
        return self._observed(), rewards, terminated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool ``[num_envs, actions]``, all False in games that have ended."""
        return self._mask(self.role)

    # ---- one step, in its parts --------------------------------------------------------------------------------------

    def _restart(self, which: NDArray[np.bool_]) -> None:
        self._batch.reset(which)
        self._plies[which] = 0
        self._over[which] = False
        self._play_on(which)

    def _play_on(self, active: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Plays the active games until their agent is asked or they are over; returns which ``max_plies`` cut off."""
        cut = np.zeros(self.num_envs, dtype=np.bool_)
        active = active.copy()
        while True:
            ended = active & self._ended()
            active &= ~ended
            self._goals[ended] = self._batch.rewards[ended, self._agent]
            if self._max_plies is not None:
                cut |= active & (self._plies >= self._max_plies)
                active &= ~cut
            self._over |= ended | cut
            masks = self._mask(self.role)
            active &= ~self.seats.is_asked(self.role, masks)
            if not active.any():
                return cut
            self._ply(np.argmax(masks, axis=1), active)

    def _ply(self, actions: NDArray[np.int64], active: NDArray[np.bool_]) -> None:
        """Makes the agent's actions and the others' in the active games; the others hold their state."""
        if not active.any():
            return
        joint = np.full((self.num_envs, len(self.seats.roles)), -1, dtype=np.int64)
        for index, role in enumerate(self.seats.roles):
            chosen = actions if role == self.role else self._choices(role, active)
            joint[active, index] = chosen[active]
        self._batch.step(joint)
        self._plies[active] += 1

    def _choices(self, role: str, active: NDArray[np.bool_]) -> NDArray[np.int64]:
        assert self._draws is not None
        masks = self._mask(role)
        if self._opponents == "random" or role == RANDOM:
            return self._draws.choose(masks, active)
        chosen = np.zeros(self.num_envs, dtype=np.int64)
        chosen[active] = self._opponents(role, self._observed()[active], masks[active])
        return chosen

    def _same_step(self, finished: NDArray[np.bool_], infos: dict[str, Any]) -> dict[str, Any]:
        """Begins the finished games again; what they ended with goes into ``final_obs`` and ``final_info``."""
        observations = self._observed()
        final = [
            (int(i), observations[i], {"action_mask": infos["action_mask"][i], "illegal": bool(infos["illegal"][i])})
            for i in np.flatnonzero(finished)
        ]
        self._restart(finished)
        infos = self._infos(np.ones(self.num_envs, dtype=np.bool_))
        for i, observation, info in final:
            infos = self._add_info(infos, {"final_obs": observation, "final_info": info}, i)
        return infos

    # ---- arrays ------------------------------------------------------------------------------------------------------

    def _mask(self, role: str) -> NDArray[np.bool_]:
        return self._batch.action_masks[self.seats.roles.index(role)] & ~self._ended()[:, None]

    def _ended(self) -> NDArray[np.bool_]:
        return self._batch.terminations

    def _observed(self) -> NDArray[Any]:
        observations = self._batch.observations
        return observations.astype(np.int8) if self.seats.observation == "bool" else observations.copy()

    def _infos(self, which: NDArray[np.bool_], illegal: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        masks = self._mask(self.role) & which[:, None]
        lost = np.zeros(self.num_envs, dtype=np.bool_) if illegal is None else illegal
        return {"action_mask": masks, "_action_mask": which.copy(), "illegal": lost, "_illegal": which.copy()}

    # ---- arguments ---------------------------------------------------------------------------------------------------

    def _checked(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(
                f"actions are {actions.dtype} {list(actions.shape)}; they must be integers [{self.num_envs}]"
            )
        return actions.astype(np.int64)

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError("options['reset_mask'] must be a NumPy array of bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"options['reset_mask'] must have shape ({self.num_envs},) and at least one True")
        return mask.copy()

    def _seed(self, seed: int | Sequence[int | None] | None, which: NDArray[np.bool_]) -> None:
        if isinstance(seed, (int, np.integer)):
            seed = [int(seed) + i for i in range(self.num_envs)]
        if seed is not None and len(seed) != self.num_envs:
            raise ValueError(f"there are {len(seed)} seeds for {self.num_envs} games")
        entropy = np.random.SeedSequence().generate_state(self.num_envs, np.uint64)
        if self._draws is None:
            self._draws = Draws([int(word) for word in entropy])
        if seed is not None:
            given = np.array([one is not None for one in seed], dtype=np.bool_)
            self._draws.reseed(which & given, [one or 0 for one in seed])


gymnasium.register(
    id="ggp/Game-v0",
    entry_point="ggp.gymnasium:GgpEnv",
    vector_entry_point="ggp.gymnasium:GgpVectorEnv",
    disable_env_checker=True,
)
