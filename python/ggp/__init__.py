"""Any rule sheet of GDL, the Game Description Language, as games, searches and fast vector environments.

>>> import ggp
>>> game = ggp.load("tic_tac_toe")
>>> state = game.initial().next({"xplayer": "mark(2,2)"})
>>> len(state.legal("oplayer"))
8
>>> game.minimax(state, role="oplayer").utility
50.0
>>> env = ggp.BatchEnv(game, 1000, seed=7)
>>> env.step(env.sample()).rewards.shape
(1000, 2)

Long calls release the GIL, and Ctrl-C in the main thread ends each of them with `KeyboardInterrupt`; the game answers
afterwards as before. From another thread, `Game.interrupt` ends a search with `Interrupted`.

Games and states may be used from several threads: questions about states are answered one after the other, and a search
in one thread does not hold them up in others; a second search of the same game waits for the first. A `BatchEnv` is for
one thread at a time. Processes may be forked while no other thread is in a call of ggp (a lock that is held at that
moment stays locked in the child); games, states and environments made before then work in the child. With `spawn`,
games and states are pickled: a game is loaded once in each process.

`ggp.gymnasium`, `ggp.pettingzoo`, `ggp.openspiel`, `ggp.jax`, `ggp.torch` and `ggp.ray` adapt games to those libraries;
they are imported only if asked for.
"""

from __future__ import annotations

from ggp import errors, hidden, results, tasks
from ggp._ggp import NeuralNetwork, State
from ggp._ggp import unpack_state as _unpack_state
from ggp._guided import Searched
from ggp.batch import BatchEnv, LegalActions, StepResult
from ggp.comparing import Comparison, compare
from ggp.errors import (
    ArrayTypeError,
    BrokenPool,
    Error,
    GameOver,
    GgpWarning,
    GoalError,
    IllegalAction,
    InUse,
    InternalError,
    Interrupted,
    LimitReached,
    NoLegalMove,
    NoNetwork,
    NotFound,
    OutOfMemory,
    QueryError,
    RuleError,
    ShapeError,
    UsageError,
)
from ggp.game import Board, Game, library, load
from ggp.game import replay_state as _replay_state
from ggp.game import restore_game as _restore_game
from ggp.game import restore_state as _restore_state
from ggp.tournaments import tournament
from ggp.tuning import tune

__version__ = "0.1.0"

__all__ = [
    "ArrayTypeError",
    "BatchEnv",
    "Board",
    "BrokenPool",
    "Comparison",
    "Error",
    "Game",
    "GameOver",
    "GgpWarning",
    "GoalError",
    "IllegalAction",
    "InUse",
    "InternalError",
    "Interrupted",
    "LegalActions",
    "LimitReached",
    "NeuralNetwork",
    "NoLegalMove",
    "NoNetwork",
    "NotFound",
    "OutOfMemory",
    "QueryError",
    "RuleError",
    "Searched",
    "ShapeError",
    "State",
    "StepResult",
    "UsageError",
    "compare",
    "errors",
    "hidden",
    "library",
    "load",
    "results",
    "tasks",
    "tournament",
    "tune",
]
