"""OpenSpiel: any rule sheet as the game ``ggp(rules=...)`` (``pip install ggp[openspiel]``).

Importing this module registers the game:

    >>> import pyspiel, ggp.openspiel
    >>> game = pyspiel.load_game("ggp(rules=tic_tac_toe)")
    >>> game.num_players()
    2

``rules`` is what :func:`ggp.load` takes; rules as text are given as ``pyspiel.load_game("ggp", {"rules": text})``. OpenSpiel
writes the parameters of a game into strings and parses them again, which rules with brackets and commas do not survive, so
the parameter of the game that is made holds them in letters and digits (:func:`encoded`). Its strings, pickles and
serialised states load the same game everywhere.

Players are the roles of the game without ``random``, whose moves are chance nodes. All nodes are sequential: where
several players move at the same time, they are asked one after the other, and no player's information state tells the
choices of the others before the ply is complete (as OpenSpiel's ``turn_based_simultaneous_game`` does). Roles that can
only wait are not asked.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import math
import random
import re
import weakref
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel

import ggp
from ggp._seats import RANDOM, Rewards, Seats
from ggp.errors import Error, GoalError, UsageError

__all__ = ["GgpGame", "GgpObserver", "GgpState", "encoded"]

_PROBES = 100
"""Random games that are played to find what the sheet does not declare."""

_PARAMETERS: dict[str, Any] = {
    "rules": "tic_tac_toe",
    "rewards": "scaled",
    "utility": "auto",
    "information": "auto",
    "max_game_length": 10_000,
}


_ENCODED = "gdl."
"""The beginning of encoded rules."""


def encoded(rules: str) -> str:
    """``rules`` as a parameter that survives OpenSpiel's parsing: as it is if it is a plain name or path, otherwise
    compressed and in base 64, for ``"ggp(rules=" + encoded(text) + ")"``."""
    is_plain = re.fullmatch(r"[A-Za-z_./][\w./-]*", rules, re.ASCII) is not None
    if is_plain and not rules.startswith(_ENCODED) and not _is_other(rules):
        return rules
    return _ENCODED + base64.urlsafe_b64encode(zlib.compress(rules.encode(), 9)).decode().rstrip("=")


def _decoded(parameter: str) -> str:
    """The rules of a parameter, encoded or not."""
    if not parameter.startswith(_ENCODED):
        return parameter
    digits = parameter.removeprefix(_ENCODED)
    try:
        return zlib.decompress(base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))).decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError) as error:
        raise UsageError(f"the parameter rules={parameter} is damaged: {error}") from error


def _is_other(text: str) -> bool:
    """True if OpenSpiel reads the text as a truth value or a number, not as a text."""
    if text.lower() in ("true", "false"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _Kind:
    """Properties of a game that OpenSpiel asks for and that rule sheets do not declare."""

    is_simultaneous: bool
    is_constant_sum: bool


def _probe(seats: Seats, limit: int) -> _Kind:
    """Plays random games of at most ``limit`` plies."""
    draws = random.Random(0)
    simultaneous, sums = False, set()
    for _ in range(_PROBES):
        state = seats.game.initial()
        for _ in range(limit):
            if state.is_terminal:
                sums.add(round(sum(seats.outcome(state, role) for role in seats.players), 6))
                break
            simultaneous |= len(seats.asked(state)) > 1
            state = state.next([draws.choice(state.legal_actions(role)) for role in seats.roles])
    return _Kind(simultaneous, len(sums) == 1 and len(seats.players) > 1)


class GgpGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A rule sheet as an OpenSpiel game.

    Parameters:
        rules: a name, a path or rules as text, or one of these as :func:`encoded` writes it.
        rewards: ``"scaled"`` (returns from -1 to 1) or ``"raw"`` (goal values).
        utility: ``"zero_sum"``, ``"constant_sum"``, ``"general_sum"``, or ``"auto"``: what 100 random games show. A
            claim that an end of the game contradicts is a :class:`ggp.errors.Error` there.
        information: ``"perfect"``, ``"imperfect"`` or ``"auto"``: imperfect if the sheet has rules for ``sees``, or one
            of 100 random games has a ply in which several players choose. A ply that contradicts ``"perfect"`` is a
            :class:`ggp.errors.Error`.
        max_game_length: a game ends after this many plies, with returns of 0.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        values = {**_PARAMETERS, **params}
        rewards: Rewards = values["rewards"]
        rules = _decoded(values["rules"])
        if "rules" in params:
            params["rules"] = encoded(rules)
        self.table = _table(rules, rewards, values["utility"], values["information"], values["max_game_length"])
        super().__init__(self.table.game_type(), self.table.game_info(), params)

    def new_initial_state(self) -> GgpState:
        """A state at the beginning of the game."""
        return GgpState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> GgpObserver:
        """The observer of the game; see :class:`GgpObserver`."""
        return GgpObserver(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class Table:
    """Data that all states of a game share. Copies are the same object: OpenSpiel copies states deeply."""

    def __init__(
        self, game: ggp.Game, rewards: Rewards, utility: str, information: str, max_game_length: int
    ) -> None:
        self.seats = Seats(game, observation="float32", rewards=rewards)
        self.game = self.seats.game
        self.players = self.seats.players
        self.has_percepts = self.game.has_percepts
        self.max_game_length = max_game_length
        kind = _probe(self.seats, max_game_length) if "auto" in (utility, information) else None
        constant = "zero_sum" if rewards == "scaled" and len(self.players) == 2 else "constant_sum"
        if utility == "auto":
            assert kind is not None
            utility = constant if kind.is_constant_sum else "general_sum"
        if information == "auto":
            assert kind is not None
            information = "imperfect" if kind.is_simultaneous or self.has_percepts else "perfect"
        self.utility = _choice("utility", utility, ("zero_sum", "constant_sum", "general_sum"))
        self.information = _choice("information", information, ("perfect", "imperfect"))

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self

    def game_type(self) -> pyspiel.GameType:
        """The type of this game."""
        chance = RANDOM in self.seats.roles
        return _game_type(
            chance=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
            if chance
            else pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=getattr(pyspiel.GameType.Information, f"{self.information.upper()}_INFORMATION"),
            utility=getattr(pyspiel.GameType.Utility, self.utility.upper()),
            has_tensor=not self.has_percepts,
        )

    def game_info(self) -> pyspiel.GameInfo:
        """Its numbers."""
        lowest, highest = self.seats.range
        sums = {"zero_sum": 0.0, "constant_sum": (lowest + highest) / 2 * len(self.players)}
        more = {"utility_sum": sums[self.utility]} if self.utility in sums else {}
        return pyspiel.GameInfo(
            num_distinct_actions=max(self.seats.counts[role] for role in self.players),
            max_chance_outcomes=self.seats.counts.get(RANDOM, 0),
            num_players=len(self.players),
            min_utility=lowest,
            max_utility=highest,
            # OpenSpiel counts decisions, of which a ply has several where players choose at once.
            max_game_length=self.max_game_length * (1 if self.information == "perfect" else len(self.players)),
            **more,
        )


_tables: weakref.WeakValueDictionary[tuple[str, str, Rewards, str, str, int], Table] = weakref.WeakValueDictionary()


def _table(rules: str, rewards: Rewards, utility: str, information: str, max_game_length: int) -> Table:
    """The table of these parameters. OpenSpiel makes the same game again from its string; it is not set up again while
    another one is used."""
    game = ggp.load(rules)
    key = (game.name, game.rules, rewards, utility, information, max_game_length)
    table = _tables.get(key)
    if table is None:
        table = Table(game, rewards, utility, information, max_game_length)
        _tables[key] = table
    return table


class GgpState(pyspiel.State):  # type: ignore[misc]
    """A state: a position of the rule sheet, and the choices already made in the ply that is being made.

    ``str(state)`` holds both, so equal strings are equal states.
    """

    def __init__(self, game: GgpGame) -> None:
        super().__init__(game)
        self._table = game.table
        self._position = self._table.game.initial()
        self._plies = 0
        self._chosen: dict[str, int] = {}
        self._seen: list[list[str]] = [[] for _ in self._table.players]
        self._begin_ply()

    @property
    def position(self) -> ggp.State:
        """The state of the rule sheet, before the ply that is being made."""
        return self._position

    # ---- what OpenSpiel calls ----------------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Whose choice it is: a player, ``CHANCE`` or ``TERMINAL``."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        role = self._waiting[0]
        return int(pyspiel.PlayerId.CHANCE) if role == RANDOM else self._table.players.index(role)

    def _legal_actions(self, player: int) -> list[int]:
        return self._legal(self._table.players[player])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of ``random``, all with the same probability."""
        legal = self._legal(RANDOM)
        return [(action, 1.0 / len(legal)) for action in legal]

    def _apply_action(self, action: int) -> None:
        self._chosen[self._waiting.pop(0)] = action
        if not self._waiting:
            self._play()
            self._begin_ply()

    def _action_to_string(self, player: int, action: int) -> str:
        role = RANDOM if player == pyspiel.PlayerId.CHANCE else self._table.players[player]
        return str(self._table.game.action_to_term(role, action))

    def is_terminal(self) -> bool:
        """True if the game has ended, or has been cut off after ``max_game_length`` plies."""
        return not self._waiting

    def returns(self) -> list[float]:
        """The outcome of each player; 0 before the end."""
        if not self._position.is_terminal:
            return [0.0] * len(self._table.players)
        returns = [self._table.seats.outcome(self._position, role) for role in self._table.players]
        for role, value in zip(self._table.players, returns, strict=True):
            if math.isnan(value):
                raise GoalError(f"the rules define no goal value for {role} in the state: {self}")
        if self._table.utility != "general_sum":
            self._check_sum(returns)
        return returns

    def __str__(self) -> str:
        facts = " ".join(self._position.facts)
        return f"{facts} | {self._terms(self._chosen)}" if self._chosen else facts

    # ---- what observers read -----------------------------------------------------------------------------------------

    def information(self, player: int) -> str:
        """All that a player has learnt: the moves of everyone, or its own and what it saw; then its pending choice."""
        role = self._table.players[player]
        own = [self._terms({role: self._chosen[role]})] if role in self._chosen else []
        return f"{role}: " + "; ".join(self._seen[player] + own)

    # ---- plies -------------------------------------------------------------------------------------------------------

    def _legal(self, role: str) -> list[int]:
        return self._position.legal_actions(role) if role in self._waiting[:1] else []

    def _begin_ply(self) -> None:
        """Finds who has a choice, and plays the plies in which no role has one."""
        while True:
            self._waiting = self._choosers()
            if self._waiting or self._position.is_terminal or self._plies >= self._table.max_game_length:
                return
            self._play()

    def _choosers(self) -> list[str]:
        if self._position.is_terminal or self._plies >= self._table.max_game_length:
            return []
        asked = self._table.seats.asked(self._position)
        if len(asked) > 1 and self._table.information == "perfect":
            raise Error(f"{', '.join(asked)} choose in the same ply: load the game with information=imperfect")
        has_chance = RANDOM in self._table.seats.roles and len(self._position.legal_actions(RANDOM)) > 1
        return asked + [RANDOM] if has_chance else asked

    def _play(self) -> None:
        """Makes the ply that the choices complete; who was not asked has one move only."""
        joint = {
            role: self._chosen.get(role, -1) if role in self._chosen else self._position.legal_actions(role)[0]
            for role in self._table.seats.roles
        }
        for player, role in enumerate(self._table.players):
            self._seen[player].append(self._learnt(role, joint))
        self._position = self._position.next(list(joint.values()))
        self._plies += 1
        self._chosen = {}

    def _learnt(self, role: str, joint: dict[str, int]) -> str:
        if not self._table.has_percepts:
            return self._terms(joint)
        percepts = self._table.game.percepts(self._position, role, list(joint.values()))
        return " ".join([self._terms({role: joint[role]}), *percepts])

    def _terms(self, chosen: dict[str, int]) -> str:
        return " ".join(f"{role}={self._table.game.action_to_term(role, action)}" for role, action in chosen.items())

    def _check_sum(self, returns: Sequence[float]) -> None:
        lowest, highest = self._table.seats.range
        expected = 0.0 if self._table.utility == "zero_sum" else (lowest + highest) / 2 * len(returns)
        if abs(sum(returns) - expected) > 1e-6:
            raise Error(
                f"the returns {list(returns)} do not sum to {expected}: load the game with utility=general_sum"
            )


class GgpObserver:
    """Observations and information states.

    ``tensor`` is float32: the player (one-hot), then the fluents in the order of ``game.fluents``; ``dict`` has the
    same as ``"player"`` and ``"fluents"``. It is ``None`` with ``perfect_recall``, and in games with rules for ``sees``,
    whose players do not see the state: there, and with ``perfect_recall``, only strings are available.
    """

    def __init__(self, table: Table, iig_obs_type: pyspiel.IIGObservationType, params: dict[str, Any] | None) -> None:
        if params:
            raise UsageError(f"observation parameters are not supported: {params}")
        self._game = table.game
        self._recalls = iig_obs_type.perfect_recall
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, Any] = {}
        if self._recalls or table.has_percepts:
            return
        sizes = {"player": len(table.players), "fluents": len(table.game.fluents)}
        self.tensor = np.zeros(sum(sizes.values()), dtype=np.float32)
        ends = list(itertools.accumulate(sizes.values()))
        self.dict = {name: self.tensor[end - sizes[name] : end] for name, end in zip(sizes, ends, strict=True)}

    def set_from(self, state: GgpState, player: int) -> None:
        """Makes ``tensor`` and ``dict`` what ``player`` observes in ``state``.

        Raises:
            UsageError: if the state is of another game.
        """
        self._game.check_state(state.position)
        if self.tensor is not None:
            self.dict["player"][:] = 0
            self.dict["player"][player] = 1
            self.dict["fluents"][:] = state._table.seats.features(state.position)

    def string_from(self, state: GgpState, player: int) -> str:
        """The observation of ``player`` (the facts), or with perfect recall its information state, as text.

        Raises:
            UsageError: if the state is of another game.
        """
        self._game.check_state(state.position)
        if self._recalls or state._table.has_percepts:
            return state.information(player)
        return " ".join([state._table.players[player] + ":", *state.position.facts])


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise UsageError(f"{name} is {value!r}; it must be 'auto' or one of {', '.join(map(repr, allowed))}")
    return value


def _game_type(
    *, chance: pyspiel.GameType.ChanceMode, information: Any, utility: Any, has_tensor: bool
) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="ggp",
        long_name="Rule sheets of GDL",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=100,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=has_tensor,
        parameter_specification=_PARAMETERS,
    )


pyspiel.register_game(
    _game_type(
        chance=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        has_tensor=True,
    ),
    GgpGame,
)
