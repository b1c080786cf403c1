"""Results as dataclasses. Each has the text that the command line prints, and draws itself as HTML in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


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
    """The role for which the search chose; `None` if there is only one."""
    move: str | None
    """The best move found, as a term."""
    utility: float | None
    """The utility that the search promises; `None` if a limit cut it off before the end of the game."""
    line: tuple[Mapping[str, Any], ...]
    """The moves that lead there: each has `ply`, `role` and `move`."""
    exact: bool
    """True if the answer is proved; false if a limit cut the search off."""
    cost: Cost
    instead: Instead | None = None
    """The search that has answered, if a limit stopped the one that was asked for before it knew anything."""
    tree: str | None = field(default=None, repr=False)
    """The explored tree as SVG, if it was asked for."""

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
    """The utility of the state for each role under best play."""


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
    """The joint moves as terms in prefix form, each in the order of the roles."""
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
        head = "".join(f"<th>{column}</th>" for column in columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(getattr(standing, column)))}</td>" for column in columns) + "</tr>"
            for standing in self.standings
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def match_result(text: str) -> MatchResult:
    """Reads the results of matches from JSON."""
    data = json.loads(text)
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
