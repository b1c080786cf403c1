"""OpenSpiel: any rule sheet as the game `ggp(rules=...)` (`pip install ggp[openspiel]`).

Importing this module registers the game:

    >>> import pyspiel, ggp.openspiel
    >>> game = pyspiel.load_game("ggp(rules=tic_tac_toe)")
    >>> game.num_players()
    2

`rules` is what `ggp.load` takes; rules as text are given as `pyspiel.load_game("ggp", {"rules": text})`. OpenSpiel
writes the parameters of a game into strings and parses them again, which rules with brackets and commas do not survive, so
the parameter of the game that is made holds them in letters and digits (`encoded`). Its strings, pickles and
serialised states load the same game everywhere.

Players are the roles of the game without `random`, whose moves are chance nodes. All nodes are sequential: where
several players move at the same time, they are asked one after the other, and no player's information state tells the
choices of the others before the ply is complete (as OpenSpiel's `turn_based_simultaneous_game` does). Roles that can
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

import ggp
from ggp._seats import Rewards, Seats
from ggp._views import RANDOM, views_of
from ggp.errors import Error, GoalError, UsageError

__all__ = ["GgpGame", "GgpObserver", "GgpState", "encoded"]

_PROBES = 100
"""Random games that are played to find what the sheet does not declare, where its states are too many."""

_MOST_JOINT_MOVES = 50_000
"""The joint moves that are made at most to visit all states of a game."""

_MOST_ENTRIES = 100_000
"""The entries of the largest information state tensor."""

_MOST_LINES = 100
"""The lines that are drawn at random for a state that a player thinks possible, before all lines are tried in turn."""

_PARAMETERS: dict[str, Any] = {
    "rules": "tic_tac_toe",
    "rewards": "scaled",
    "utility": "auto",
    "information": "auto",
    "max_game_length": 10_000,
}


_TERMINAL = int(pyspiel.PlayerId.TERMINAL)

_ENCODED = "gdl."
"""The beginning of encoded rules."""


def encoded(rules: str) -> str:
    """`rules` as a parameter that survives OpenSpiel's parsing: as it is if it is a plain name or path, otherwise
    compressed and in base 64, for `"ggp(rules=" + encoded(text) + ")"`."""
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
class _Survey:
    """Properties of a game that OpenSpiel asks for and that rule sheets do not declare."""

    is_simultaneous: bool
    """True if several players choose in a ply that was seen."""
    sum: float | None
    """The sum of the returns of all players at every end of the game; `None` if they differ, or it is not proven."""
    longest: int | None
    """The plies of the longest game; `None` if it is not proven."""


def _survey(seats: Seats, limit: int) -> _Survey:
    """Visits all states of a small game, which proves the answer; otherwise plays random games of at most `limit` plies,
    which prove nothing of the returns."""
    return _all_states(seats, limit) or _Survey(_is_simultaneous(seats, limit), None, None)


def _all_states(seats: Seats, limit: int) -> _Survey | None:
    """Visits the states layer by layer; `None` if they are too many."""
    players, start = seats.players, seats.game.initial()
    depths, layer = {start: 0}, [start]
    simultaneous, can_repeat, sums = False, False, set()
    plies = joint_moves = 0
    while layer:
        following = []
        for state in layer:
            if state.is_terminal:
                sums.add(round(sum(seats.outcome(state, role) for role in players), 6))
                continue
            simultaneous |= len(seats.asked(state)) > 1
            for joint in itertools.product(*(state.legal_actions(role) for role in seats.roles)):
                joint_moves += 1
                if joint_moves > _MOST_JOINT_MOVES:
                    return None
                after = state.next(joint)
                if after not in depths:
                    depths[after] = plies + 1
                    following.append(after)
                # A line without a step to an earlier state, or to one of the same depth, ends.
                can_repeat |= depths[after] <= plies
        layer, plies = following, plies + 1
    # A game that is cut off returns 0 for everyone.
    sums |= {0.0} if can_repeat or plies > limit else set()
    proven_sum = sums.pop() if len(sums) == 1 and len(players) > 1 else None
    return _Survey(simultaneous, proven_sum, None if can_repeat else min(plies - 1, limit))


def _is_simultaneous(seats: Seats, limit: int) -> bool:
    """True if several players choose in a ply of some random games."""
    draws = random.Random(0)
    for _ in range(_PROBES):
        state = seats.game.initial()
        for _ in range(limit):
            if state.is_terminal:
                break
            if len(seats.asked(state)) > 1:
                return True
            state = state.next([draws.choice(state.legal_actions(role)) for role in seats.roles])
    return False


class GgpGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A rule sheet as an OpenSpiel game.

    Parameters:
        rules: a name, a path or rules as text, or one of these as `encoded` writes it.
        rewards: `"scaled"` (returns from -1 to 1) or `"raw"` (goal values).
        utility: `"zero_sum"`, `"constant_sum"`, `"general_sum"`, or `"auto"`: what a visit of all states proves,
            and general sum in games with too many states (or joint moves: 50,000) for that. A claim that an end of the
            game contradicts is a `ggp.errors.Error` there; what `"auto"` has chosen never is.
        information: `"perfect"`, `"imperfect"` or `"auto"`: imperfect if the sheet has rules for `sees`, or if
            there is a ply in which several players choose: among all states, or, if they are too many, in 100 random
            games. A ply that contradicts a claim of `"perfect"` is a `ggp.errors.Error`; where `"auto"` has
            missed it, the players choose one after the other, and none sees what the others have chosen.
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
        """The observer of the game; see `GgpObserver`."""
        return GgpObserver(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class Table:
    """Data that all states of a game share. Copies are the same object: OpenSpiel copies states deeply."""

    def __init__(
        self, game: ggp.Game, rewards: Rewards, utility: str, information: str, max_game_length: int
    ) -> None:
        self.seats = Seats(game, observation="float32", rewards=rewards, hidden=False)
        self.game = self.seats.game
        self.players = self.seats.players
        self.has_percepts = self.game.has_percepts
        self.max_game_length = max_game_length
        roles = self.seats.roles
        self.chance = roles.index(RANDOM) if RANDOM in roles else None
        """The index of the role of chance."""
        self.role_of_player = [roles.index(role) for role in self.players]
        self.player_of_role = [
            int(pyspiel.PlayerId.CHANCE) if role == RANDOM else self.players.index(role) for role in roles
        ]
        self.claims_perfect = information == "perfect"
        least, most = self.seats.range
        self.sum = (least + most) / 2 * len(self.players)
        """The sum of the returns in a game of constant sum."""
        longest = None
        if "auto" in (utility, information):
            survey = _survey(self.seats, max_game_length)
            if utility == "auto":
                utility = self._utility(survey.sum)
            if information == "auto":
                information = "imperfect" if survey.is_simultaneous or self.has_percepts else "perfect"
            longest = survey.longest
        self.utility = _choice("utility", utility, ("zero_sum", "constant_sum", "general_sum"))
        self.information = _choice("information", information, ("perfect", "imperfect"))
        self.views = views_of(game) if self.has_percepts and game.engine_in_use[0] == "propnet" else None
        """The features of what players know; `None` if they see the state, or the game has no network."""
        length = max_game_length if longest is None else longest
        # The last row is for a choice in a ply that is not complete.
        shape = (length + 1, self.width)
        self.history_shape = shape if 0 < shape[0] * shape[1] <= _MOST_ENTRIES else None
        """The shape of a history in an information state tensor; `None` if it is too large."""

    @property
    def width(self) -> int:
        """The features of a ply: what the player did and saw, or the moves of all roles."""
        if self.views is not None:
            return len(self.views.features) // 2
        return 0 if self.has_percepts else sum(self.seats.counts.values())

    def _utility(self, proven_sum: float | None) -> str:
        if proven_sum == 0:
            return "zero_sum"
        return "constant_sum" if proven_sum == self.sum else "general_sum"

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
            has_tensor=not self.has_percepts or self.views is not None,
            has_history=self.history_shape is not None,
        )

    def game_info(self) -> pyspiel.GameInfo:
        """Its numbers."""
        lowest, highest = self.seats.range
        sums = {"zero_sum": 0.0, "constant_sum": self.sum}
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

    `str(state)` holds both, so equal strings are equal states.
    """

    def __init__(self, game: GgpGame) -> None:
        super().__init__(game)
        self._table = game.table
        self._position = self._table.game.initial()
        # The positions before, each with the choices that were made there, by the indices of roles. A role that is not
        # asked has one legal move.
        self._played: list[tuple[ggp.State, dict[int, int]]] = []
        self._chosen: dict[int, int] = {}
        self._waiting: list[int] = []
        self._begin_ply()

    @property
    def position(self) -> ggp.State:
        """The state of the rule sheet, before the ply that is being made."""
        return self._position

    # ---- what OpenSpiel calls ----------------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Whose choice it is: a player, `CHANCE` or `TERMINAL`."""
        return self._table.player_of_role[self._waiting[0]] if self._waiting else _TERMINAL

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions of a player, by default of the one whose choice it is; of chance, those that may happen."""
        # In place of OpenSpiel's method, which asks this one after several questions about whose choice it is.
        if not self._waiting:
            return []
        role = self._waiting[0]
        is_other = player is not None and player != self._table.player_of_role[role]
        return [] if is_other else self._position.legal_actions(role)

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of `random`, all with the same probability."""
        legal = self._position.legal_actions(RANDOM)
        return [(action, 1.0 / len(legal)) for action in legal]

    def _apply_action(self, action: int) -> None:
        waiting = self._waiting
        self._chosen[waiting.pop(0)] = action
        if not waiting:
            self._play()
            self._begin_ply()

    def _action_to_string(self, player: int, action: int) -> str:
        role = RANDOM if player == pyspiel.PlayerId.CHANCE else self._table.role_of_player[player]
        return str(self._table.game.action_to_term(role, action))

    def is_terminal(self) -> bool:
        """True if the game has ended, or has been cut off after `max_game_length` plies."""
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
        role = self._table.role_of_player[player]
        if self._table.has_percepts:
            name = self._table.seats.roles[role]
            learnt = [" ".join([f"{name}={step.move}", *step.percepts]) for step in self._position.view(role)]
        else:
            learnt = [self._terms(self._joint(position, chosen)) for position, chosen in self._played]
        own = [self._terms({role: self._chosen[role]})] if role in self._chosen else []
        return f"{self._table.players[player]}: " + "; ".join(learnt + own)

    def history_features(self, player: int) -> NDArray[np.bool_]:
        """All that a player has learnt, as features: bool `[plies, features]`, with its pending choice at the end."""
        table = self._table
        role = table.role_of_player[player]
        if table.views is not None:
            numbers, half = table.views.numbers, table.width
            rows = [
                [numbers[f"last did({step.move})"], *(numbers[f"last saw({percept})"] for percept in step.percepts)]
                for step in self._position.view(role)
            ]
            pending = [numbers[f"last did({table.game.action_to_term(role, self._chosen[role])})"]] if role in self._chosen else []
            rows = [[feature - half for feature in row] for row in [*rows, pending]]
        else:
            starts = [0, *itertools.accumulate(table.seats.counts.values())]
            joints = [self._joint(position, chosen) for position, chosen in self._played]
            own = {role: self._chosen[role]} if role in self._chosen else {}
            rows = [[starts[each] + action for each, action in joint.items()] for joint in [*joints, own]]
        features = np.zeros((len(rows), table.width), np.bool_)
        for ply, row in enumerate(rows):
            features[ply, row] = True
        return features

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> GgpState:
        """A state that a player thinks possible in its information state: lines are drawn in which the others and chance
        choose at random, until one agrees with it. If that takes too long, all lines are tried in random order.

        Args:
            probability_sampler: draws a number from 0 to 1.
        """
        def shuffled(actions: list[int]) -> list[int]:
            return sorted(actions, key=lambda _: probability_sampler())

        for _ in range(_MOST_LINES):
            state = GgpState(self.get_game())
            while (actions := self._possible(state, player)) and not self._is_as_long(state):
                state.apply_action(shuffled(actions)[0])
            if actions is not None:
                return state
        found = self._line(GgpState(self.get_game()), player, shuffled)
        assert found is not None, "the line to this state is one"
        return found

    def _line(self, state: GgpState, player: int, order: Callable[[list[int]], list[int]]) -> GgpState | None:
        """A state like this one for a player, below another; `order` is the order in which actions are tried."""
        actions = self._possible(state, player)
        if actions is None or self._is_as_long(state):
            return None if actions is None else state
        lines = (self._line(state.child(action), player, order) for action in order(actions))
        return next((line for line in lines if line is not None), None)

    def _is_as_long(self, state: GgpState) -> bool:
        """True if a state has as many plies and choices as this one."""
        return (len(state._played), len(state._chosen)) == (len(self._played), len(self._chosen))

    def _possible(self, state: GgpState, player: int) -> list[int] | None:
        """The actions of a state that may lead to one like this for a player, whose own are those that it has made here;
        `None` if there are none, or the player has learnt something else before."""
        ply = len(state._played)
        if ply > len(self._played) or (not state._chosen and not self._agrees(state, player)):
            return None
        if self._is_as_long(state):
            return state.legal_actions()
        asked, legal = state._waiting[:1], state.legal_actions()
        if asked == [self._table.role_of_player[player]]:
            own = (self._played[ply][1] if ply < len(self._played) else self._chosen).get(asked[0])
            legal = [action for action in legal if action == own]
        return legal or None

    def _agrees(self, state: GgpState, player: int) -> bool:
        """True if a player has learnt in all plies of a state what it has learnt here."""
        plies = len(state._played)
        if self._table.has_percepts:
            role = self._table.role_of_player[player]
            return state._position.view(role) == self._position.view(role)[:plies]
        both = zip(state._played, self._played, strict=False)
        return all(self._joint(*own) == self._joint(*other) for own, other in both)

    # ---- plies -------------------------------------------------------------------------------------------------------

    def _begin_ply(self) -> None:
        """Finds who has a choice, and plays the plies in which no role has one."""
        while len(self._played) < self._table.max_game_length:
            self._waiting = waiting = self._choosers()
            if waiting or self._position.is_terminal:
                return
            self._play()

    def _choosers(self) -> list[int]:
        """The indices of the roles that are asked; chance comes last."""
        asked, table = self._position.acting, self._table
        if len(asked) < 2 and table.chance is None:
            return asked
        chance = table.chance
        if chance is not None:
            has_choice = not self._position.is_terminal and len(self._position.legal_actions(chance)) > 1
            asked = [role for role in asked if role != chance] + ([chance] if has_choice else [])
        if len(asked) > 1 and table.claims_perfect:
            names = [table.seats.roles[role] for role in asked if role != chance]
            if len(names) > 1:
                raise Error(f"{', '.join(names)} choose in the same ply: load the game with information=imperfect")
        return asked

    def _play(self) -> None:
        """Makes the ply that the choices complete."""
        chosen, position = self._chosen, self._position
        self._played.append((position, chosen))
        # The only role that acts is the one that moves, of which a number says enough.
        is_alone = len(chosen) == 1 and self._table.chance is None
        self._position = position.next(next(iter(chosen.values())) if is_alone else chosen)
        self._chosen = {}

    def _joint(self, position: ggp.State, chosen: dict[int, int]) -> dict[int, int]:
        """The actions of all roles in a ply; who was not asked has one."""
        roles = range(len(self._table.seats.roles))
        return {each: chosen[each] if each in chosen else position.legal_actions(each)[0] for each in roles}

    def _terms(self, chosen: dict[int, int]) -> str:
        game, roles = self._table.game, self._table.seats.roles
        return " ".join(f"{roles[role]}={game.action_to_term(role, action)}" for role, action in chosen.items())

    def _check_sum(self, returns: Sequence[float]) -> None:
        expected = 0.0 if self._table.utility == "zero_sum" else self._table.sum
        if abs(sum(returns) - expected) > 1e-6:
            raise Error(
                f"the returns {list(returns)} do not sum to {expected}: load the game with utility=general_sum"
            )


class GgpObserver:
    """Observations and information states.

    `tensor` is float32, and `dict` has its parts. The first, `"player"`, is the player (one-hot). Then comes, without
    `perfect_recall`, `"fluents"`, in the order of `game.fluents`, or in games with rules for `sees`, whose players do not
    see the state, `"view"`, the features of what the player knows, as `ggp.BatchEnv.features` names them. With
    `perfect_recall` it is `"history"`, `[plies, features]`: for each ply what the player did and saw, or without rules for
    `sees` the moves of all roles. `tensor` is `None` where a history has more than 100,000 entries for the longest game:
    the one that was proven, or that of `max_game_length`.
    """

    def __init__(self, table: Table, iig_obs_type: pyspiel.IIGObservationType, params: dict[str, Any] | None) -> None:
        if params:
            raise UsageError(f"observation parameters are not supported: {params}")
        self._table = table
        self._recalls = iig_obs_type.perfect_recall
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, Any] = {}
        rest: tuple[str, tuple[int, ...]] | None
        if self._recalls:
            rest = None if table.history_shape is None else ("history", table.history_shape)
        elif table.has_percepts:
            rest = None if table.views is None else ("view", (len(table.views.features),))
        else:
            rest = ("fluents", (len(table.game.fluents),))
        if rest is None:
            return
        shapes = {"player": (len(table.players),), rest[0]: rest[1]}
        sizes = [math.prod(shape) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), dtype=np.float32)
        ends = itertools.accumulate(sizes)
        for (name, shape), size, end in zip(shapes.items(), sizes, ends, strict=True):
            self.dict[name] = self.tensor[end - size : end].reshape(shape)

    def set_from(self, state: GgpState, player: int) -> None:
        """Makes `tensor` and `dict` what `player` observes in `state`.

        Raises:
            UsageError: if the state is of another game.
        """
        self._table.game.check_state(state.position)
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if "fluents" in self.dict:
            self.dict["fluents"][:] = state._table.seats.features(state.position)
        elif "view" in self.dict:
            assert self._table.views is not None
            role = self._table.role_of_player[player]
            self.dict["view"][:] = self._table.views.encode(state.position.view(role))
        else:
            learnt = state.history_features(player)
            self.dict["history"][: len(learnt)] = learnt

    def string_from(self, state: GgpState, player: int) -> str:
        """The observation of `player` (the facts), or with perfect recall its information state, as text.

        Raises:
            UsageError: if the state is of another game.
        """
        self._table.game.check_state(state.position)
        if self._recalls or state._table.has_percepts:
            return state.information(player)
        return " ".join([state._table.players[player] + ":", *state.position.facts])


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise UsageError(f"{name} is {value!r}; it must be 'auto' or one of {', '.join(map(repr, allowed))}")
    return value


def _game_type(
    *, chance: pyspiel.GameType.ChanceMode, information: Any, utility: Any, has_tensor: bool, has_history: bool
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
        provides_information_state_tensor=has_history,
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
        has_history=True,
    ),
    GgpGame,
)
