"""Many games at once, as a vector environment."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ggp import results
from ggp._ggp import Games, State, check_memory, history
from ggp._in_use import OneThread, exclusive
from ggp._views import Views, views_of
from ggp.errors import ArrayTypeError, NotFound, ShapeError, UsageError
from ggp.game import Board, Game, as_game, restore_game

Observation = Literal["packed", "bool", "float32", "planes"]
Rewards = Literal["raw", "scaled"]
Autoreset = Literal["next_step", "same_step", "disabled"]
Illegal = Literal["error", "loss"]


_ACTIONS = (np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.uint64))
"""The types of actions that are read as they are; others are copied."""

_KEPT = (
    "observation",
    "rewards",
    "autoreset",
    "random_role",
    "illegal",
    "max_steps",
    "swapped",
    "hidden",
)
"""The settings that a saved environment has."""

_TYPES: dict[str, type[np.generic]] = {
    "packed": np.uint64,
    "bool": np.bool_,
    "float32": np.float32,
    "planes": np.float32,
}
"""The dtypes of observations."""

_FILLED = frozenset(("observations", "rewards", "terminations", "truncations", "masks", "values"))
"""The arrays of the caller that `step` fills."""


class StepResult(NamedTuple):
    """The result of a step. The arrays are the environment's own: the next step overwrites them."""

    observations: NDArray[Any]
    """The observations after the step, as `BatchEnv.observations`."""
    rewards: NDArray[np.float32]
    """float32 `[n, roles]`."""
    terminations: NDArray[np.bool_]
    """bool `[n]`: games that the rules have ended."""
    truncations: NDArray[np.bool_]
    """bool `[n]`: games that `max_steps` has cut off."""
    values: NDArray[np.float32] | None
    """float32 `[n, roles]`: with `playouts`, the mean utilities of random games from the states; otherwise `None`."""


def _zeros(shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """As `np.zeros`, at an address that is a multiple of 64, from which JAX takes memory without copying it."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + size].view(dtype).reshape(shape)


def _shared(out: Any) -> NDArray[Any]:
    """An array over the memory of the caller's one: of NumPy, or of another library that has it on the CPU."""
    if isinstance(out, np.ndarray):
        return out
    if not hasattr(out, "__dlpack__"):
        raise ArrayTypeError(f"an array that is filled must be one of NumPy or speak DLPack, and is {type(out)}")
    return np.asarray(out)


class LegalActions(NamedTuple):
    """The legal actions of many games in one list. With random numbers from 0 to 1, float `[n, roles]`, the array
    `actions[starts + (random * counts).astype(int)]` has a legal action of each role in each game.

    The arrays are the environment's own: the next step overwrites them.
    """

    actions: NDArray[np.int32]
    """int32 `[total + 1]`: ascending for each role of each game, one after the other; then one 0, so that every start is
    an index."""
    starts: NDArray[np.int64]
    """int64 `[n, roles]`: where the actions of a role in a game begin."""
    counts: NDArray[np.int32]
    """int32 `[n, roles]`: how many they are."""


class BatchEnv(OneThread):
    """Many games of one rule sheet that are stepped together. The states stay in the lanes of the network.

    An action is the number of a move of a role in canonical order (`Game.actions`). All arrays are C-contiguous and
    belong to the environment: `step` and `reset` fill them anew. Copy what is to be kept. An environment is used by one
    thread at a time: while it works, a call of another one is `InUse`. The work is done without the GIL.

    Args:
        game: the game, or what `ggp.load` accepts.
        n: the number of games. Costs are those of a multiple of 512.
        seed: the seed of `sample` and of the role `random`. The same seed draws the same moves on every machine.
        observation: `"packed"` (uint64 `[n, words]`: fluent `i` is bit `i % 64` of word `i // 64`), `"bool"` or
            `"float32"` (`[n, fluents]`), or `"planes"` (float32 `[n, channels, rows, columns]`, by `Game.board`).
        rewards: `"raw"` (utilities, 0 to 100 unless the rules declare others) or `"scaled"` (from -1 to 1). The reward
            is 0 until a game ends, and NaN where the rules define no utility at the end.
        autoreset: what becomes of games that have ended. `"next_step"`: the next step restarts them, ignores their
            actions and rewards nothing. `"same_step"`: they restart at once; `final_observations` has their last
            states. `"disabled"`: they stay as they are until `reset(mask)`, and their actions are ignored.
        random_role: whether moves of the role `random` are sampled, and not part of actions, masks and rewards.
        illegal: `"error"` (`IllegalAction`; no game has changed) or `"loss"`: the game ends, with the least utility for
            the first role whose action was illegal, and the greatest for the others.
        max_steps: cut games off after this many moves, as truncations.
        swapped: planes that change places where the second role moves, in pairs of their names, so that the role that
            moves sees its own pieces in the same planes as the first role does; `"auto"` finds them (`find_swapped`).
            For `"planes"` in games of two players whose roles see the state.
        hidden: whether observations hide what the rules hide. In games with rules for `sees` they are then what the
            role that moves knows, as `features` names it, and zeros where that is not one role; `view` has them for any
            role, and `percepts` what each was told last. False shows the whole state.

    Raises:
        OutOfMemory: if there is no room for so many games.
        NoNetwork: if the game has no network.
        UsageError: for an unknown setting, or `"planes"` in a game without a board.
    """

    game: Game
    n: int
    roles: tuple[str, ...]
    """The names of the roles whose actions the caller chooses, in the order of the arrays."""
    num_actions: tuple[int, ...]
    """The number of actions of each of these roles."""
    board: Board | None
    """The planes of the observation; `None` unless they are asked for. In observations of what a role knows, `entries` are
    those of `features`."""
    features: tuple[str, ...]
    """The bits of what a role knows: `ever did(M)`, `ever saw(P)`, `last did(M)` and `last saw(P)` for each move and each
    percept of any role, in all joint moves and in the last one. Empty where observations show the whole state."""

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        n: int,
        seed: int = 0,
        *,
        observation: Observation = "packed",
        rewards: Rewards = "raw",
        autoreset: Autoreset = "next_step",
        random_role: bool = True,
        illegal: Illegal = "error",
        max_steps: int | None = None,
        swapped: Sequence[tuple[str, str]] | Literal["auto"] = (),
        hidden: bool = True,
    ) -> None:
        super().__init__()
        _one_of("observation", observation, ("packed", "bool", "float32", "planes"))
        _one_of("rewards", rewards, ("raw", "scaled"))
        _one_of("autoreset", autoreset, ("next_step", "same_step", "disabled"))
        _one_of("illegal", illegal, ("error", "loss"))
        if n < 1:
            raise UsageError(f"a batch has one game or more, not {n}")
        if max_steps is not None and max_steps < 1:
            raise UsageError(f"max_steps must be 1 or more, not {max_steps}")
        self.game = as_game(game)
        self.n = n
        self.observation = observation
        self.autoreset = autoreset
        self.illegal = illegal
        self.max_steps = max_steps
        self._scaled = rewards == "scaled"
        self._seed = seed
        self._random_role = random_role
        self._hidden = hidden
        check_memory(f"a batch of {n} games", n)
        self._views: Views | None = views_of(self.game) if hidden and self.game.has_percepts else None
        self.features = self._views.features if self._views is not None else ()
        played = self.game if self._views is None else self._views.game
        self._games = Games(played, n, seed=seed, random_role=random_role)
        self._players = tuple(self._games.players)
        self.roles = tuple(self.game.roles[role] for role in self._players)
        self.num_actions = tuple(self._games.moves)
        self.board = self.game.board if observation == "planes" else None
        if observation == "planes" and self.board is None:
            raise UsageError(f"{self.game.name} has no board, so its observations cannot be planes")
        if self._views is not None:
            self._add_views(self._views)
        self.swapped: tuple[tuple[str, str], ...] = ()
        """The pairs of planes that change places where the second role moves."""
        if swapped:
            if self.board is None or len(self.roles) != 2 or self._views is not None:
                raise UsageError("planes are swapped in observations of the state as planes, in games of two players")
            self.swapped = find_swapped(self.game) if swapped == "auto" else tuple((one, two) for one, two in swapped)
        if self.board is not None and self._views is None:
            other = list(self.board.swapped(self.swapped).entries) if self.swapped else None
            self._games.set_planes(int(np.prod(self.board.shape)), list(self.board.entries), other)
        check_memory(f"the arrays of {n} games of {self.game.name}", n * self._bytes_of_game())
        self.rewards: NDArray[np.float32] = _zeros((n, len(self.roles)), np.float32)
        """float32 `[n, roles]`: the rewards of the last step."""
        self.terminations: NDArray[np.bool_] = _zeros((n,), np.bool_)
        """bool `[n]`: games that the rules have ended in the last step (with `"disabled"`, until they are reset)."""
        self.truncations: NDArray[np.bool_] = _zeros((n,), np.bool_)
        """bool `[n]`: the games that `max_steps` has cut off."""
        self.steps = 0
        """The number of steps that were made."""
        self._observations = self._empty_observations()
        self._masks = tuple(_zeros((n, moves), np.bool_) for moves in self.num_actions)
        self._packed_masks = tuple(_zeros((n, -(-moves // 64)), np.uint64) for moves in self.num_actions)
        self._actions: NDArray[np.int64] = _zeros((n, len(self.roles)), np.int64)
        self._starts = np.zeros((n, len(self.roles)), np.int64)
        self._counts = np.zeros((n, len(self.roles)), np.int32)
        self._list = np.zeros(0, np.int32)
        self._last: NDArray[np.uint64] | None = None
        self._forget()

    def _forget(self) -> None:
        self._known = False
        self._legal: LegalActions | None = None
        self._known_masks = [False] * len(self.roles)
        self._known_packed = [False] * len(self.roles)

    def _add_views(self, views: Views) -> None:
        """Makes observations what roles know."""
        if self.board is not None:
            self.board = views.board(self.board)
        size = len(views.features) if self.board is None else int(np.prod(self.board.shape))
        self._form = self._games.add_views(size, views.entries(self.roles, self.board))
        self._bits = self._games.add_views(len(views.features), views.entries(self.roles))

    @property
    def _size(self) -> int:
        """The number of fluents or features of an observation."""
        return self._games.fluents if self._views is None else len(self.features)

    def _bytes_of_game(self) -> int:
        """The size of the arrays below for each game, in bytes."""
        fluents, roles, moves = self._size, len(self.roles), sum(self.num_actions)
        board = int(np.prod(self.board.shape)) if self.board is not None else 0
        sizes = {"packed": -(-fluents // 64) * 8, "bool": fluents, "float32": fluents * 4, "planes": board * 4}
        lists = sum(-(-count // 64) * 8 + count for count in self.num_actions) + 4 * moves
        return sizes[self.observation] + lists + roles * (4 + 8 + 8 + 4) + 2

    def _empty_observations(self) -> NDArray[Any]:
        shape: tuple[int, ...] = (-(-self._size // 64) if self.observation == "packed" else self._size,)
        if self.board is not None:
            shape = self.board.shape
        return _zeros((self.n, *shape), _TYPES[self.observation])

    def _write_observations(self, out: NDArray[Any], player: int | None = None) -> None:
        """Writes observations of the states, or what a player knows; without a player, the one that moves."""
        if self.board is not None:
            size = int(np.prod(self.board.shape))
            if out.shape != (self.n, *self.board.shape):
                raise ShapeError(f"observations must have the shape {(self.n, *self.board.shape)}, and has {out.shape}")
            if not out.flags.c_contiguous:
                raise ShapeError("observations must be contiguous, in C order")
            out = out.reshape(self.n, size)
        if self._views is not None:
            if out.dtype != _TYPES[self.observation]:
                wanted = np.dtype(_TYPES[self.observation])
                raise ArrayTypeError(f"observations must be an array of {wanted}, and is an array of {out.dtype}")
            self._games.write_views(self._form, out, player)
        elif self.observation == "packed":
            self._games.write_packed(out)
        elif self.observation == "bool":
            self._games.write_bools(out)
        elif self.observation == "float32":
            self._games.write_floats(out)
        else:
            self._games.write_planes(out)

    @exclusive
    def reset(self, mask: ArrayLike | None = None, *, seed: int | None = None) -> NDArray[Any]:
        """Puts all games into the initial state, or those where `mask` (bool `[n]`) is true. Returns the observations.

        Args:
            seed: begins the random choices of this seed.
        """
        if seed is not None:
            self._games.seed(seed)
        if mask is None:
            self._games.reset()
            chosen: NDArray[np.bool_] | slice = slice(None)
        else:
            chosen = np.ascontiguousarray(mask)
            self._games.reset(chosen)
        self.rewards[chosen] = 0
        self.terminations[chosen] = False
        self.truncations[chosen] = False
        self._forget()
        return self.observations

    @exclusive
    def step(
        self,
        actions: ArrayLike,
        out: Mapping[str, NDArray[Any]] | None = None,
        *,
        playouts: int = 0,
    ) -> StepResult:
        """Makes one move of each role in each game that is not over.

        Args:
            actions: integers `[n, roles]`; with one role `[n]` will do. int64 and int32 in C order are used without
                copying.
                A game whose actions are all -1 keeps its state in this step, unless `autoreset` is `"next_step"`.
            out: arrays to be filled in place of the environment's own: any of `"observations"`, `"rewards"`,
                `"terminations"`, `"truncations"`, `"masks"` (a sequence, one array for each role) and `"values"`.
            playouts: play this many random games from each state after the step, and return their mean utilities (raw;
                those of ended games are their utilities; NaN where there is none).

        Raises:
            IllegalAction: for the first illegal action, by role and game; nothing has changed.
            NoLegalMove: if a role has no move in a game that is not over; nothing has changed.
            ShapeError, ArrayTypeError: for wrong arrays.
        """
        chosen = self._checked(actions)
        out = {} if out is None else out
        unknown = set(out).difference(_FILLED) if out else None
        if unknown:
            raise UsageError(f"step fills no `{sorted(unknown)[0]}`")
        rewards = out.get("rewards", self.rewards)
        terminations = out.get("terminations", self.terminations)
        truncations = out.get("truncations", self.truncations)
        if self.autoreset == "same_step" and self._last is None:
            self._last = np.zeros((self.n, -(-self._games.fluents // 64)), np.uint64)
        self._games.step(
            chosen,
            rewards,
            terminations,
            truncations,
            autoreset=self.autoreset,
            longest=self.max_steps,
            illegal_loses=self.illegal == "loss",
            scaled=self._scaled,
            last=self._last,
        )
        self.steps += 1
        self._forget()
        if "masks" in out:
            for role, mask in zip(self._players, out["masks"], strict=True):
                self._games.write_legal(role, mask)
        if "observations" in out:
            observations = self.observe(out["observations"])
        else:
            observations = self.observations
        values: NDArray[np.float32] | None = None
        if playouts:
            values = self.values(playouts, seed=self._seed + self.steps, out=out.get("values"))
        return StepResult(observations, rewards, terminations, truncations, values)

    def _checked(self, actions: ArrayLike) -> NDArray[Any]:
        given = np.asarray(actions)
        if not given.size:
            given = given.astype(np.int64)
        if given.dtype.kind not in "iu":
            raise ArrayTypeError(f"actions must be integers, and are {given.dtype}")
        if given.ndim == 1 and len(self.roles) == 1:
            given = given[:, np.newaxis]
        return np.ascontiguousarray(given, given.dtype if given.dtype in _ACTIONS else np.int64)

    @property
    @exclusive
    def observations(self) -> NDArray[Any]:
        """The observations of the current states; computed when they are first asked for after a step."""
        if not self._known:
            self._write_observations(self._observations)
            self._known = True
        return self._observations

    @exclusive
    def observe(self, out: Any) -> Any:
        """Fills an array of the caller with the observations of the current states, and returns it.

        Args:
            out: of the shape and dtype of `observations`: an array of NumPy, or one on the CPU of another library that
                speaks DLPack, such as a tensor of torch.

        Raises:
            ShapeError, ArrayTypeError: for another array; it has not changed.
        """
        self._write_observations(_shared(out))
        return out

    @exclusive
    def view(self, role: str | int) -> NDArray[Any]:
        """What a role knows in each game, in the form of `observations`: a new array.

        Raises:
            UsageError: if there is no such role, or observations show the whole state.
        """
        self._views_or_error()
        seen = self._empty_observations()
        self._write_observations(seen, self._player(role))
        return seen

    @property
    @exclusive
    def percepts(self) -> NDArray[np.bool_]:
        """bool `[n, roles, percepts]`: what each role was told of the last joint move of its game, by `percept_names`; all
        False before the first. A new array.

        Raises:
            UsageError: if observations show the whole state.
        """
        views = self._views_or_error()
        bits = np.zeros((self.n, len(views.features)), np.bool_)
        columns = views.percept_columns
        told = np.zeros((self.n, len(self.roles), len(columns)), np.bool_)
        for player in range(len(self.roles)):
            self._games.write_views(self._bits, bits, player)
            told[:, player] = bits[:, columns]
        return told

    @property
    def percept_names(self) -> tuple[str, ...]:
        """The terms of all percepts that some role may have, in canonical order.

        Raises:
            UsageError: if observations show the whole state.
        """
        return self._views_or_error().percepts

    def _views_or_error(self) -> Views:
        if self._views is None:
            why = "hidden=False was asked for" if self.game.has_percepts else f"{self.game.name} has no rules for `sees`"
            raise UsageError(f"observations show the whole state, so roles have no views: {why}")
        return self._views

    def _player(self, role: str | int) -> int:
        """The index of a role in `roles`."""
        if isinstance(role, str) and role in self.roles:
            return self.roles.index(role)
        if not isinstance(role, str) and 0 <= role < len(self.roles):
            return role
        raise UsageError(f"there is no role {role!r}; there are {', '.join(self.roles)}")

    @property
    @exclusive
    def movers(self) -> NDArray[np.int64]:
        """int64 `[n]`: for each game the index in `roles` of the role that moves: the only one with several legal moves.
        Where none has several, the first whose move is not `noop`, or the first. -1 where several have, chance moves or
        the game is over. A new array."""
        movers = np.zeros(self.n, np.int64)
        self._games.write_movers(movers)
        return movers

    @property
    def final_observations(self) -> NDArray[np.uint64]:
        """uint64 `[n, words]`: with `autoreset="same_step"`, the packed fluents of the states in which the last step
        ended, before games were restarted. Where roles do not see the state, uint64 `[n, roles, words]`: the packed
        features of what each knew then.

        Raises:
            UsageError: with another mode, or before the first step.
        """
        if self._last is None:
            raise UsageError('final observations are known after a step, with autoreset="same_step"')
        if self._views is not None:
            return np.stack([self._packed_view(self._views, role, self._last) for role in self.roles], axis=1)
        return self._last

    @staticmethod
    def _packed_view(views: Views, role: str, states: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """What a role knows in packed states."""
        owned = views.owners.get(role, np.zeros(0, np.int64))
        held = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")
        words = -(-len(views.features) // 64)
        bits = np.zeros((len(states), words * 64), np.uint8)
        fluents = np.flatnonzero(owned >= 0)
        bits[:, owned[fluents]] = held[:, fluents]
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)

    @property
    @exclusive
    def action_masks(self) -> tuple[NDArray[np.bool_], ...]:
        """For each role bool `[n, actions]`: its legal moves. What the rules say, in games that are over too."""
        for player, known in enumerate(self._known_masks):
            if not known:
                self._games.write_legal(self._players[player], self._masks[player])
                self._known_masks[player] = True
        return self._masks

    @property
    @exclusive
    def packed_masks(self) -> tuple[NDArray[np.uint64], ...]:
        """For each role uint64 `[n, words]`: action `i` is bit `i % 64` of word `i // 64`."""
        for player, known in enumerate(self._known_packed):
            if not known:
                self._games.write_legal_packed(self._players[player], self._packed_masks[player])
                self._known_packed[player] = True
        return self._packed_masks

    @property
    @exclusive
    def legal_actions(self) -> LegalActions:
        """The legal actions of all roles in all games as one list: a random choice needs no search in masks.

        What the rules say, in games that are over too. The arrays are views of the environment's own.
        """
        if self._legal is None:
            needed = self._games.write_legal_lists(self._list, self._starts, self._counts)
            if needed > len(self._list):
                self._list = np.zeros(needed + needed // 4, np.int32)
                self._games.write_legal_lists(self._list, self._starts, self._counts)
            total = int(self._starts[-1, -1] + self._counts[-1, -1]) if self.roles else 0
            self._legal = LegalActions(self._list[: total + 1], self._starts, self._counts)
        return self._legal

    @exclusive
    def sample(self, out: Any = None) -> NDArray[np.int64]:
        """Draws a legal action for each role in each game, each equally likely: int64 `[n, roles]`; 0 where there is
        none. It fills `out`, as `observe` does, or an array of the environment. This is the fastest way to draw."""
        if out is None:
            self._games.sample(self._actions)
            return self._actions
        self._games.sample(_shared(out))
        return out  # type: ignore[no-any-return]

    @exclusive
    def values(
        self, playouts: int, *, seed: int = 0, longest: int = 5000, out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """float32 `[n, roles]`: the mean utilities (raw) of this many random games from each state, in lanes.

        A game longer than `longest` moves does not count; NaN where no game counts.

        Raises:
            UsageError: where roles do not see the state, whose value would tell them of it: use `hidden=False`.
        """
        if self._views is not None:
            raise UsageError("the values of states tell what roles do not see: make the environment with hidden=False")
        if playouts < 1:
            raise UsageError(f"one playout or more, not {playouts}")
        values = np.zeros((self.n, len(self.roles)), np.float32) if out is None else out
        self._games.values(playouts, seed, longest, values)
        return values

    def rollout(self, n: int, *, seed: int = 0, threads: int = 1) -> results.Playouts:
        """Plays `n` random games from the initial state wholly in lanes; the batch itself stays as it is."""
        return self.game.simulate(n, seed=seed, threads=threads)

    @exclusive
    def state(self, game: int) -> State:
        """The state of a game of the batch: the whole of it, also what roles do not see."""
        state = self._games.state(game)
        if self._views is None:
            return state
        facts = [fact for fact in state.facts if fact not in self._views.fluents]
        return self.game.state(facts, reached=True, known=False)

    @exclusive
    def set_state(self, game: int, state: State) -> None:
        """Puts a game of the batch into a state that legal play reaches. Costs one evaluation of 512 games.

        Raises:
            UsageError: if roles do not see the state and the moves that led to it are not known.
        """
        self._games.set_state(game, state if self._views is None else self._with_views(self._views, state))
        self.rewards[game] = 0
        self.terminations[game] = self.truncations[game] = False
        self._forget()

    def _with_views(self, views: Views, state: State) -> State:
        """The state with what roles know in it, by the moves that led to it."""
        self.game.check_state(state)
        played = history(state)
        if played is None:
            raise UsageError("the moves that led to this state are not known, so what roles know is not known either")
        first, joint_moves = played
        begun = self.game.initial()
        viewed = views.game.initial() if first == begun else views.game.state(first.facts, reached=first.is_reached)
        for joint_move in joint_moves:
            viewed = viewed.next(joint_move)
        return viewed

    @exclusive
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the environment to a file: its states, the moves made, its random choices and its settings.

        The file is an archive of NumPy (`.npz` is not added to its name) and holds the rules too.
        """
        lengths, over, cut_off = self._games.progress()
        facts = np.zeros((self.n, -(-self._games.fluents // 64)), np.uint64)
        self._games.write_packed(facts)
        settings = {
            "format": 1,
            "game": [self.game.name, self.game.rules, self.game.engine],
            "fluents": self.game.fingerprint,
            "n": self.n,
            "seed": self._seed,
            "steps": self.steps,
            "observation": self.observation,
            "rewards": "scaled" if self._scaled else "raw",
            "autoreset": self.autoreset,
            "random_role": self._random_role,
            "illegal": self.illegal,
            "max_steps": self.max_steps,
            "swapped": self.swapped,
            "hidden": self._hidden,
            "random": self._games.random(),
        }
        arrays: dict[str, Any] = {"lengths": lengths, "over": over, "cut_off": cut_off, "facts": facts}
        arrays |= {"rewards": self.rewards, "terminations": self.terminations, "truncations": self.truncations}
        if self._last is not None:
            arrays["last"] = self._last
        beside = Path(f"{os.fspath(path)}.part")
        with open(beside, "wb") as file:
            np.savez(file, settings=np.array(json.dumps(settings)), **arrays)
        beside.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: Game | None = None) -> BatchEnv:
        """The environment that `save` has written. It goes on exactly as the other would have.

        Args:
            game: the game, if it is loaded already; otherwise it is loaded from the rules in the file.

        Raises:
            NotFound: if there is no such file.
            UsageError: if the file is none of an environment, or of one of another game.
        """
        try:
            with np.load(path, allow_pickle=False) as archive:
                held = {name: archive[name] for name in archive.files}
            settings = json.loads(str(held["settings"]))
            name, rules, engine = settings["game"]
            kept = {key: settings[key] for key in _KEPT}
        except FileNotFoundError as error:
            raise NotFound(f"there is no file {os.fspath(path)}") from error
        except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise UsageError(f"{os.fspath(path)} is no saved environment: {error}") from error
        game = restore_game(name, rules, engine) if game is None else game
        if game.rules != rules or game.fingerprint != settings["fluents"]:
            raise UsageError(f"{os.fspath(path)} has an environment of other rules than those of {game.name}")
        kept["swapped"] = [tuple(pair) for pair in kept["swapped"]]
        env = cls(game, settings["n"], settings["seed"], **kept)
        names = ("facts", "lengths", "over", "cut_off")
        facts, lengths, over, cut_off = (np.ascontiguousarray(held[name]) for name in names)
        env._games.restore(facts, settings["random"], lengths, over, cut_off)
        env.steps = settings["steps"]
        env.rewards[:] = held["rewards"]
        env.terminations[:] = held["terminations"]
        env.truncations[:] = held["truncations"]
        env._last = held.get("last")
        env._forget()
        return env

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<BatchEnv of {self.n} games of {self.game.name}: {', '.join(self.roles)}>"


def find_swapped(game: Game) -> tuple[tuple[str, str], ...]:
    """The planes of a game of two players by turns that belong to one of them each, in pairs.

    A plane belongs to a role if only its moves set entries there that were 0: its pieces, or the marks that it has moved.
    It is paired with the plane of the other role of the same relation and rank. Found by random games.

    Raises:
        UsageError: if the game has no board or not two players, or if planes have no partner; then name the pairs.
    """
    n, steps = 128, 200
    env = BatchEnv(game, n, observation="planes", autoreset="disabled", hidden=False)
    board = env.board
    assert board is not None
    if len(env.roles) != 2:
        raise UsageError(f"{game.name} has not two players, so no planes of theirs are swapped")
    owners = np.zeros((2, len(board.planes)), np.bool_)
    before = env.observations.copy()
    for _ in range(steps):
        movers = env.movers
        if (movers < 0).all():
            break
        after = env.step(env.sample()).observations
        is_set = ((before == 0) & (after > 0)).any(axis=(2, 3))
        for player in range(2):
            owners[player] |= is_set[movers == player].any(axis=0)
        before[:] = after
    owned: list[dict[str, list[str]]] = [{}, {}]
    for player in range(2):
        for index in np.flatnonzero(owners[player] & ~owners[1 - player]):
            name = board.planes[index]
            owned[player].setdefault(re.split(r"[ (]", name)[0], []).append(name)
    pairs: list[tuple[str, str]] = []
    for relation in sorted(set(owned[0]) | set(owned[1])):
        one, two = owned[0].get(relation, []), owned[1].get(relation, [])
        if len(one) != len(two):
            raise UsageError(f"planes of {relation} have no partners: {one} and {two}; name the pairs")
        pairs += zip(one, two, strict=True)
    return tuple(pairs)


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{name} is one of {', '.join(map(repr, choices))}, not {value!r}")
