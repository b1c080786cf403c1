"""Results as dataclasses. Each has the text that the command line prints, and draws itself as HTML in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ggp.errors import warn


@dataclass(frozen=True)
class Label:
    """A span of a text with a message. Lines and columns count from 1; the end is after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int
    message: str


@dataclass(frozen=True)
class TextEdit:
    """A change of a text: the span from one position to another is replaced."""

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


@dataclass(frozen=True)
class Diagnostic:
    """A problem of a rule sheet. Positions are those of the first label; `None` for the sheet as a whole."""

    severity: str
    """`error` or `warning`."""
    code: str
    """The code of the check, such as `E301`; `ggp explain CODE` describes it."""
    name: str
    """The name of the check, such as `unsafe-head`."""
    message: str
    file: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    labels: tuple[Label, ...]
    help: str | None
    fix: tuple[TextEdit, ...] = ()
    """The edits that do what the help says; empty where only the author knows what to write."""
    fix_certainty: str | None = None
    """`sound`: the edits keep the meaning of the sheet, or it does not load without them; `guess`: they may change it."""

    def __str__(self) -> str:
        position = "" if self.line is None else f":{self.line}:{self.column}"
        return f"{self.file}{position}: {self.severity}[{self.code}]: {self.message}"


def diagnostics(texts: Sequence[str]) -> list[Diagnostic]:
    """Reads diagnostics from JSON."""
    found = []
    for text in texts:
        fields = json.loads(text)
        labels = tuple(Label(**label) for label in fields.pop("labels"))
        fix = tuple(TextEdit(**edit) for edit in fields.pop("fix", ()))
        found.append(Diagnostic(labels=labels, fix=fix, **fields))
    return found


@dataclass(frozen=True)
class Answer:
    """The answer to a command of the prompt."""

    kind: str
    """The kind of answer, such as `search` or `solved`."""
    text: str = field(repr=False)
    """The answer as the command line prints it."""
    data: Mapping[str, Any] = field(repr=False)
    """All fields of the answer, as `ggp eval --json` names them."""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True)
class Cost:
    """The cost of a search."""

    nodes: int
    """Nodes that were visited."""
    seconds: float | None
    """Elapsed time, if it was measured."""
    data: Mapping[str, Any] = field(repr=False)
    """All counts."""


@dataclass(frozen=True)
class Instead:
    """A search that has answered in place of one that was stopped before it knew anything."""

    search: str
    """The name of its command."""
    depth: int | None
    """The number of joint moves that it looked ahead, if that was limited."""


@dataclass(frozen=True)
class SearchResult(Answer):
    """The result of a search."""

    role: str | None
    """The role for which the search chose; `None` if it chose for all."""
    move: str | None
    """The best move found, as a term; `None` if the game is over, or the role draws its move (`strategies`)."""
    utility: float | None
    """The value for the role: the utility that it can force, the expected utility against chance or a model of the
    opponents or in an equilibrium, or the mean of random games. `None` if a limit cut the search off before the end of the
    game; an evaluation of its last states is `data["estimate"]`."""
    line: tuple[Mapping[str, Any], ...]
    """The moves that lead there: each has `ply`, `role` and `move`."""
    exact: bool
    """True if the answer is proved; false if a limit cut the search off."""
    cost: Cost
    instead: Instead | None = None
    """The search that has answered, if a limit stopped the one that was asked for before it knew anything."""
    tree: str | None = field(default=None, repr=False)
    """The explored tree as SVG, if it was asked for."""
    utilities: Mapping[str, float | None] = field(default_factory=dict)
    """The value for each role that the search has valued: of `maxn` and `nash` for all, otherwise for `role`."""
    strategies: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """For each role that draws its move, as in an equilibrium, the probabilities of its moves; a move that is left out is
    never made."""

    @property
    def plan(self) -> list[str]:
        """The moves of the line as terms, in order."""
        return [str(step["move"]) for step in self.line]

    def _repr_html_(self) -> str:
        return (self.tree or "") + super()._repr_html_()


@dataclass(frozen=True)
class Solved(Answer):
    """The result of solving a game."""

    utilities: Mapping[str, float | None]
    """The utility of the state for each role under best play; with chance, the expected utility."""


def answer(text: str, shown: str, warnings: Sequence[str]) -> Answer:
    """Reads the answer to a command from JSON; `shown` is its text. Its warnings become those of Python."""
    data: dict[str, Any] = json.loads(text)
    for warning in warnings:
        warn(warning)
    kind = data.get("kind", "")
    # `best` names the search that it has chosen; its answer is within.
    if kind == "best" and data["answer"]["kind"] == "search":
        return replace(_searched(shown, data["answer"]), kind=kind, data=data)
    if kind == "search":
        return _searched(shown, data)
    if kind == "solved":
        return Solved(kind, shown, data, _worths(data["value"] or data.get("expected", {}).get("means", ())))
    return Answer(kind, shown, data)


def _searched(shown: str, data: Mapping[str, Any]) -> SearchResult:
    """Reads the answer of a search."""
    counts, instead, role = data["cost"], data.get("instead"), data.get("role")
    line = data.get("line") or []
    if data["found"] == "plan":
        line = [{"ply": ply, "role": None, "move": move} for ply, move in enumerate(data["moves"], 1)]
    # A mean in which states without a known value have stood for this one is no value of the game.
    worth = data.get("utility", None if "unknown_ranked" in data else data.get("mean"))
    valued = data.get("shares") or data.get("values") or [{"role": role, "utility": worth}]
    utilities = _worths((entry["role"], entry.get("utility", entry.get("mean"))) for entry in valued)
    return SearchResult(
        "search",
        shown,
        data,
        role=role,
        move=data.get("move") or (line[0]["move"] if line else None),
        utility=None if worth is None else float(worth),
        line=tuple(line),
        exact=bool(data["exact"]),
        cost=Cost(counts["nodes"], counts.get("seconds"), counts),
        instead=None if instead is None else Instead(instead["search"], instead.get("depth")),
        utilities=utilities,
        strategies={
            strategy["role"]: {step["move"]: step["probability"] for step in strategy["moves"]}
            for strategy in data.get("strategies", ())
        },
    )


def _worths(values: Iterable[tuple[str | None, float | None]]) -> dict[str, float | None]:
    """Values by role; those of searches for the only player, who is not named, are left out."""
    return {role: None if worth is None else float(worth) for role, worth in values if role is not None}


@dataclass(frozen=True)
class RoleOutcome:
    """The utilities of a role over random games."""

    role: str
    mean: float | None
    """The mean utility; `None` if no game has one."""
    standard_error: float | None
    """The standard error of the mean; `None` for fewer than two games."""
    counts: Mapping[float, int]
    """The number of games by utility."""


@dataclass(frozen=True)
class Playouts:
    """The outcomes of random games."""

    games: int
    """Games that ended."""
    steps: int
    """Joint moves that were made, those of unfinished games included."""
    unfinished: int
    """Games that were abandoned because they became too long."""
    stuck: int
    """Games in which a role had no legal move."""
    roles: tuple[RoleOutcome, ...]
    lengths: Mapping[int, int]
    """The number of games by their number of joint moves."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(role.role)}</td><td>{role.mean}</td><td>{role.standard_error}</td></tr>"
            for role in self.roles
        )
        head = f"<caption>{self.games} games, {self.steps} steps</caption>"
        return f"<table>{head}<tr><th>role</th><th>mean</th><th>standard error</th></tr>{rows}</table>"


@dataclass(frozen=True)
class Standing:
    """The results of a player in a series of matches."""

    player: str
    wins: int
    """Matches in which its utility was greater than that of every other player; alone, those worth 100."""
    draws: int
    losses: int
    mean: float | None
    """The mean of its utilities; `None` without a match."""
    faults: int
    """Turns in which it had no legal move in time, and a random one was made."""
    fallbacks: int
    """Its moves that no search chose."""


@dataclass(frozen=True)
class Match:
    """One match of a series."""

    players: tuple[str, ...]
    """The players, in the order of the roles."""
    moves: tuple[tuple[str, ...], ...]
    """The joint moves as terms, each in the order of the roles."""
    utilities: tuple[float | None, ...]
    """The utilities at the end, in the order of the roles; `None` where the rules give none."""
    aborted: bool
    """True if the match was abandoned after too many moves."""


@dataclass(frozen=True)
class MatchResult:
    """The results of a series of matches."""

    standings: tuple[Standing, ...]
    """The players, in the order in which they were named."""
    matches: tuple[Match, ...] = field(repr=False)

    def _repr_html_(self) -> str:
        columns = ("player", "wins", "draws", "losses", "mean", "faults")
        return table(columns, [[getattr(standing, column) for column in columns] for standing in self.standings])


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML."""
    headings = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    lines = ("".join(f"<td>{html.escape(str(value))}</td>" for value in row) for row in rows)
    return f"<table><tr>{headings}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def match_result(data: Mapping[str, Any]) -> MatchResult:
    """Reads the results of matches."""
    for warning in data["warnings"]:
        warn(warning)
    standings = []
    for entry in data["tally"]["standings"]:
        games = entry["wins"] + entry["draws"] + entry["losses"]
        mean = entry["utilities"] / games if games else None
        counts = (entry["wins"], entry["draws"], entry["losses"])
        standings.append(Standing(entry["player"], *counts, mean, entry["faults"], entry["fallbacks"]))
    matches = tuple(
        Match(
            tuple(match["players"]),
            tuple(tuple(moves) for moves in match["moves"]),
            tuple(None if utility is None else float(utility) for utility in match["utilities"]),
            match["aborted"],
        )
        for match in data["matches"]
    )
    return MatchResult(tuple(standings), matches)
