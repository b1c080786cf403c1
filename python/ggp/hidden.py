"""Games with hidden information: strategies by what a role knows, and how far they are from an equilibrium.

`Game.cfr` and `Game.equilibrium` find them, `Game.exploitability` measures them; docs/hidden.md has the words.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp._ggp import State
from ggp.errors import UsageError
from ggp.results import answer, table

if TYPE_CHECKING:
    from ggp.game import Game

__all__ = ["Exploited", "InformationSet", "Policy", "PossibleStates", "Strategies", "ViewStep"]


@dataclass(frozen=True)
class ViewStep:
    """What a role knows of a joint move."""

    move: str
    """Its own move, as a term."""
    is_choice: bool
    """True if it had other moves."""
    percepts: tuple[str, ...]
    """What it was told, as terms; the moves of the others if the rules do not define `sees`."""


@dataclass(frozen=True)
class PossibleStates:
    """The states that a role thinks possible, by its moves and percepts (`State.infoset`)."""

    states: tuple[State, ...] = field(repr=False)
    """The states, in the order of their facts."""
    probabilities: tuple[float, ...]
    """The probability of each, if all other roles move at random."""
    is_complete: bool
    """True if these are all; false for a sample."""

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True)
class InformationSet:
    """What a role knows when it chooses, and the probabilities of its moves."""

    role: str
    view: tuple[ViewStep, ...]
    """Its moves and percepts from the start of the game on, in order."""
    strategy: Mapping[str, float]
    """The probabilities of all legal moves, by their terms."""


Policy = Callable[[str, tuple[ViewStep, ...], Sequence[str]], Mapping[str, float]]
"""A strategy as a function: from a role, what it knows and its legal moves to the probabilities of the moves. A move that
is left out is never made."""


@dataclass(frozen=True)
class Strategies:
    """A strategy for each role."""

    game: str
    information_sets: tuple[InformationSet, ...] = field(repr=False)
    utilities: Mapping[str, float]
    """The expected utility of each role."""
    exploitability: float
    """The mean of what the roles gain by their best response to the strategies of the others; 0 in an equilibrium alone."""
    iterations: int
    """The iterations of the search, or the pivots of the linear program."""

    def at(self, role: str, view: Sequence[ViewStep]) -> Mapping[str, float] | None:
        """The probabilities of the moves of a role with this view; `None` if it never has it."""
        return self._by_view.get((role, tuple(view)))

    @cached_property
    def _by_view(self) -> dict[tuple[str, tuple[ViewStep, ...]], Mapping[str, float]]:
        return {(own.role, own.view): own.strategy for own in self.information_sets}

    def __call__(self, role: str, view: Sequence[ViewStep], legal: Sequence[str]) -> Mapping[str, float]:
        """The strategy as a player of `Game.match`: all moves are equally likely at views that are not known."""
        return self.at(role, view) or {move: 1 / len(legal) for move in legal}

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the strategies for `exploit FILE` at the prompt and `Game.exploitability`."""
        Path(file).write_text(_written(self.game, self.information_sets))

    def _repr_html_(self) -> str:
        rows = []
        for own in self.information_sets:
            seen = ", ".join([*(_told(step) for step in own.view if step.is_choice or step.percepts)])
            moves = ", ".join(f"{move} {share:.3f}" for move, share in own.strategy.items())
            rows.append((own.role, seen, moves))
        return table(("role", "view", "strategy"), rows)


@dataclass(frozen=True)
class Exploited:
    """How good strategies are."""

    exploitability: float
    """The mean of the gains; 0 in an equilibrium alone."""
    utilities: Mapping[str, float]
    """The expected utility of each role."""
    best_responses: Mapping[str, float]
    """What each role gets by its best response to the strategies of the others."""


def found(game: Game, search: str, options: Mapping[str, object]) -> Strategies:
    """The strategies that a search finds from the start of the game."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "strategies.json"
        given: dict[str, Any] = {**options, "strategy": file}
        data = game.search(search, **given).data
        sets = _read(json.loads(file.read_text()))
    utilities = {value["role"]: float(value["mean"]) for value in data["values"]}
    return Strategies(game.name, sets, utilities, float(data["exploitability"]), int(data["iterations"]))


def exploited(game: Game, policy: Strategies | Policy | str | os.PathLike[str], options: Mapping[str, object]) -> Exploited:
    """Measures strategies of a game."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "strategies.json"
        if isinstance(policy, str | os.PathLike):
            file = Path(policy).absolute()
        else:
            sets = policy.information_sets if isinstance(policy, Strategies) else _asked(game, policy)
            file.write_text(_written(game.name, sets))
        given = [(name, [str(value)]) for name, value in options.items() if value is not None]
        measured = answer(*game.call("exploit", str(file), given, None))
    roles = measured.data["roles"]
    return Exploited(
        float(measured.data["exploitability"]),
        {value["role"]: float(value["mean"]) for value in roles},
        {value["role"]: float(value["best_response"]) for value in roles},
    )


def _asked(game: Game, policy: Policy) -> tuple[InformationSet, ...]:
    """The strategies of a function, which is asked at each information set."""
    sets = []
    # Any strategies name all information sets and legal moves.
    for own in found(game, "cfr", {"iterations": 1}).information_sets:
        legal = list(own.strategy)
        shares = dict(policy(own.role, own.view, legal))
        odd = [move for move in shares if move not in own.strategy]
        if odd:
            raise UsageError(f"`{odd[0]}` is not legal for {own.role}; legal are {', '.join(legal)}")
        total = sum(shares.values())
        if any(not 0 <= share <= 1 for share in shares.values()) or abs(total - 1) > 1e-6:
            raise UsageError(f"the probabilities of the moves of {own.role} have the sum {total:g}, which must be 1")
        sets.append(InformationSet(own.role, own.view, {move: float(shares.get(move, 0)) for move in legal}))
    return tuple(sets)


def _read(data: Mapping[str, Any]) -> tuple[InformationSet, ...]:
    return tuple(
        InformationSet(
            own["role"],
            tuple(ViewStep(step["move"], step["is_choice"], tuple(step["percepts"])) for step in own["view"]),
            {move["move"]: float(move["probability"]) for move in own["moves"]},
        )
        for own in data["strategies"]
    )


def _written(game: str, sets: Sequence[InformationSet]) -> str:
    strategies = [
        {
            "role": own.role,
            "view": [asdict(step) for step in own.view],
            "moves": [{"move": move, "probability": share} for move, share in own.strategy.items()],
        }
        for own in sets
    ]
    return json.dumps({"game": game, "strategies": strategies})


def _told(step: ViewStep) -> str:
    did = [f"did {step.move}"] if step.is_choice else []
    return ", ".join([*did, *(f"saw {percept}" for percept in step.percepts)])
