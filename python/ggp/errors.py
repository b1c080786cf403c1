"""The exceptions of the package. All derive from `Error`; their text is for people, their attributes for programs."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.results import Diagnostic


class Error(Exception):
    """The base class of all errors that ggp reports."""


class GgpWarning(UserWarning):
    """What a caller should know about an answer: a search that played as if it saw hidden information, an engine that
    another one replaced."""


class RuleError(Error, ValueError):
    """Rules that cannot be loaded. The text shows every problem below its line, as the command line does."""

    diagnostics: list[Diagnostic] = []
    """All problems of the rule sheet, with positions."""


class QueryError(Error, ValueError):
    """A query, literal or term that cannot be read or answered."""

    diagnostics: list[Diagnostic] = []
    """The problems of its text, with positions."""


class NotFound(Error, LookupError):
    """There is no game of this name, no such file, or it cannot be read."""


class UsageError(Error, ValueError):
    """A wrong argument: an unknown role, option, action or setting."""


class ShapeError(Error, ValueError):
    """An array of another shape or layout than the function needs."""


class ArrayTypeError(Error, TypeError):
    """An array of another dtype than the function needs."""


class IllegalAction(Error, ValueError):
    """A move that is not legal. Nothing has changed."""

    game: int | None = None
    """The index of the game of the batch; `None` for a single state."""
    role: str = ""
    """The role whose move it is."""
    action: int | str | None = None
    """The move as it was given: its number or its term."""


class NoLegalMove(Error):
    """A role has no legal move, although the game is not over."""

    game: int | None = None
    """The index of the game of the batch; `None` for a single state."""
    role: str = ""
    """The role without a move, in a batch."""


class GameOver(Error, ValueError):
    """A move in a game that is over."""


class GoalError(Error):
    """The rules define no utility for a role, several, or one that is no number."""


class NoNetwork(Error):
    """The call needs the network of the game, and it has none: its moves have no numbers, and it has no lanes."""


class LimitReached(Error):
    """A limit on time, memory or nodes left no answer."""


class OutOfMemory(Error, MemoryError):
    """A call needs more memory than there is. Nothing has been allocated."""

    asked: int | None = None
    """The bytes that it needs; `None` if they are more than 2**64."""
    available: int = 0
    """The bytes that the process can still take."""


class Interrupted(Error):
    """The work was interrupted from another thread. Ctrl-C in the main thread raises `KeyboardInterrupt` instead."""


class BrokenPool(Error, RuntimeError):
    """An executor has lost its workers. What was finished is in the file of the work, if it has one."""


class InUse(Error, RuntimeError):
    """Another thread is using the environment. Each thread needs one of its own."""


class InternalError(Error, RuntimeError):
    """A mistake of ggp. Please report the rules and the call."""


_PACKAGE = str(Path(__file__).parent)


def warn(text: str) -> None:
    """Gives a `GgpWarning`, at the line outside of this package that has called it."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, GgpWarning, stacklevel=level)
