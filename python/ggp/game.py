"""Games: loading them, asking them, searching them."""

from __future__ import annotations

import dataclasses
import html
import os
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from ggp import hidden, results, tasks
from ggp._ggp import NeuralNetwork, RawGame, State, has_percepts, percepts, possible_states, train
from ggp._ggp import library as _library
from ggp._guided import Evaluate, Searched
from ggp._guided import search as guided_search
from ggp._parts import Player, play, play_series, random_games_in_parts
from ggp.errors import LimitReached, NoNetwork, UsageError, warn

_restored: weakref.WeakValueDictionary[tuple[str, str, str], Game] = weakref.WeakValueDictionary()
"""The games that are used in this process, by their parts."""

_recent: OrderedDict[tuple[str, str, str], Game] = OrderedDict()
"""Games that were unpickled last, which are kept."""

_MOST_RECENT = 4


def library() -> dict[str, str]:
    """The games of the library: a sentence about each, by name."""
    return dict(_library())


def load(source: str | os.PathLike[str], *, name: str = "game", engine: str = "auto") -> Game:
    """Loads a game: by its name in the library, by the path of a file, or from the text of its rules.

    Args:
        source: `"tic_tac_toe"`, a path (of a rule sheet in any dialect, or of a compiled game), a tree typed as
            brackets, or rules: a text with `role(…)` or `(role …)` in it.
        name: what a game is called that is loaded from its text.
        engine: `"auto"` (the network if it can be built, otherwise the interpreter), `"propnet"` or `"interpreter"`.

    Raises:
        RuleError: if the rules violate the restrictions of GDL; it has all problems with their positions.
        NotFound: if there is no such game or file, or it cannot be read.
        NoNetwork: with `engine="propnet"`, if the network cannot be built.
    """
    text = os.fspath(source)
    if isinstance(source, str) and ("role(" in text or "(role" in text):
        return Game(name, text, engine=engine)
    return Game(text, engine=engine)


def as_game(game: Game | str | os.PathLike[str]) -> Game:
    """The game itself, or what `load` makes of it."""
    return game if isinstance(game, Game) else load(game)


def as_games(games: Game | str | os.PathLike[str] | Sequence[Game | str | os.PathLike[str]]) -> list[Game]:
    """The games that one or several name."""
    listed = [games] if isinstance(games, Game | str | os.PathLike) else games
    return [as_game(game) for game in listed]


@dataclass(frozen=True)
class Board:
    """The places of fluents in planes of rows and columns, as numbers for neural networks.

    The planes are those of the boards that `show` draws and that are as large as the largest. A fact that stands on
    none of them fills a plane, such as whose turn it is; relations with more than 8 such facts, such as a counter, are left
    out.
    """

    planes: tuple[str, ...]
    """The names of the channels: a relation with its piece, such as `cell x`; then facts that stand on no board."""
    rows: tuple[str, ...]
    """The coordinates of the rows, from top to bottom."""
    columns: tuple[str, ...]
    """The coordinates of the columns, from left to right."""
    entries: tuple[tuple[int, int], ...]
    """For each fluent of the game the entries of an array of `shape`, flattened, that are 1 where it holds: the first,
    and their number (0 if it is in no plane)."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, rows and columns."""
        return len(self.planes), len(self.rows), len(self.columns)

    def swapped(self, pairs: Sequence[tuple[str, str]]) -> Board:
        """The board in which the planes of each pair, given by their names, have changed places; the names stay.

        Raises:
            UsageError: if there is no such plane, or one is in two pairs.
        """
        size = len(self.rows) * len(self.columns)
        place = {name: index for index, name in enumerate(self.planes)}
        moved = dict(enumerate(range(len(self.planes))))
        names = [name for pair in pairs for name in pair]
        for name in names:
            if name not in place:
                raise UsageError(f"there is no plane `{name}`; there are {', '.join(self.planes)}")
            if names.count(name) > 1:
                raise UsageError(f"the plane `{name}` is in two pairs")
        for one, two in pairs:
            moved[place[one]], moved[place[two]] = place[two], place[one]
        entries = tuple(
            (moved[first // size] * size + first % size if count else first, count) for first, count in self.entries
        )
        return dataclasses.replace(self, entries=entries)


class Game(RawGame):
    """A loaded game. Make one with `load`.

    Actions are the numbers of moves: for each role its moves are numbered in canonical order (of their terms; numbers
    by value), whether or not they are legal somewhere, and whichever passes of the optimiser ran. Roles are given by
    name or by index. States and games can be pickled and used from several threads; a game answers one search at a
    time, and questions about states one after the other.

    Nothing changes a game. Methods take states of the game, or of another one with the same clauses, such as the same
    sheet loaded again; a state of any other game is a `UsageError`.
    """

    def __repr__(self) -> str:
        return f"<Game {self.name}: roles {', '.join(self.roles)}>"

    def _repr_html_(self) -> str:
        """The roles, with the number of actions of each where the game has a network, and the initial state."""
        try:
            actions = [str(len(self.actions(role))) for role in self.roles]
        except NoNetwork:
            actions = ["" for _ in self.roles]
        rows = "".join(
            f"<tr><td>{html.escape(role)}</td><td>{count}</td></tr>"
            for role, count in zip(self.roles, actions, strict=True)
        )
        table = f"<table><tr><th>role</th><th>actions</th></tr>{rows}</table>"
        return f"<b>{html.escape(self.name)}</b>{table}{self.initial()._repr_svg_()}"

    def __reduce__(self) -> tuple[object, tuple[str, str, str]]:
        # In this process the game itself is restored.
        _restored.setdefault((self.name, self.rules, self.engine), self)
        return restore_game, (self.name, self.rules, self.engine)

    def query(self, text: str, state: State | None = None) -> list[dict[str, str]] | bool:
        """All solutions of a query in a state (by default the initial state), in infix or prefix.

        Returns:
            One dictionary for each solution, from the names of the variables to terms, in canonical order. For a query
            without variables whether it holds.

        Raises:
            QueryError: if the text cannot be parsed or answered.
        """
        variables, rows = self.rows(text, state)
        if not variables:
            return bool(rows)
        return [dict(zip(variables, row, strict=True)) for row in rows]

    def check(self, *, games: int = 0, seed: int = 0) -> list[results.Diagnostic]:
        """The problems of the rule sheet, with positions: warnings, since a sheet with errors is not loaded.

        Args:
            games: play this many random games too, and check all their states (moves, goal values, ends).
            seed: the seed of these games.
        """
        return results.diagnostics(self.problems(games, seed))

    @property
    def board(self) -> Board | None:
        """The places of fluents in planes, by the declarations of the sheet or by a guess; `None` without a board."""
        planes = self.planes()
        if planes is None:
            return None
        names, rows, columns, entries = planes
        return Board(tuple(names), tuple(rows), tuple(columns), tuple(entries))

    @property
    def has_percepts(self) -> bool:
        """True if the sheet has rules for `sees` (GDL-II), so that roles do not see the whole state."""
        return has_percepts(self)

    def percepts(self, state: State, role: str | int, moves: Sequence[str | int]) -> list[str]:
        """The percepts of a role after a joint move: terms, in canonical order; none without rules for `sees`.

        Args:
            moves: the moves of all roles, in their order, as terms or as numbers.

        Raises:
            UsageError: if there is no such role or move, the moves are not as many as the roles, or the state is of
                another game.
        """
        if len(moves) != len(self.roles):
            raise UsageError(f"{len(moves)} moves for {len(self.roles)} roles")
        terms = [
            self.action_to_term(of, chosen) if isinstance(chosen, int) else chosen
            for of, chosen in zip(self.roles, moves, strict=True)
        ]
        self.check_state(state)
        return percepts(state, role, terms)

    def infoset(
        self,
        role: str | int,
        view: Sequence[hidden.ViewStep],
        *,
        most: int = 1000,
        seed: int = 0,
        seconds: float | None = None,
    ) -> hidden.PossibleStates:
        """The states that a role with this view thinks possible, as `State.infoset`: for a function that plays by its view.
        None if no match leads to the view.

        Args:
            most: of more states a sample of this size is taken.

        Raises:
            UsageError: if the rules do not define `sees`, or there is no such role.
            LimitReached: if the time was not enough.
        """
        steps = [(step.move, list(step.percepts)) for step in view]
        return possible_states(self, role, steps, most, seed, seconds)

    def ask(self, line: str | Sequence[str], state: State | None = None) -> results.Answer:
        """Answers any line of the prompt in a state (by default the initial state): `"alphabeta --depth 3"`; or
        several lines after one another, of which the last is answered: `["seed 7", "playout"]`.

        Each call has a session of its own, which begins with this game in the state. What the lines change ends with
        it: after `"load nim"`, `"rules add …"`, `"engine interpreter"` or `"do …"` the game, its searches and the next
        call are what they were before, and the same call has the same answer. To go on from a move use `State.next`,
        to change rules `load`.

        Raises:
            UsageError: if there is no such command or option, or if the state is of another game.
            LimitReached: if a limit left no answer.
        """
        return results.answer(*self.command([line] if isinstance(line, str) else line, state))

    def search(
        self, algorithm: str, role: str | int | None = None, *, state: State | None = None, **options: object
    ) -> results.SearchResult:
        """Runs a search by the name of its command: `minimax`, `alphabeta`, `maxn`, `astar`, `bfs`, … .

        Args:
            algorithm: the command; `ggp.load(…).ask("help others")` lists them.
            role: the role that chooses; by default the role to move.
            state: where to begin; by default the initial state.
            **options: those of the command, with their values: `depth=3` for `--depth 3`, `table=True` for `--table`,
                `tree=("svg", path)` for an option of two values. A value may be a path, and may have spaces; `None` and
                `False` leave an option out. Limits are `depth` (moves), `nodes`, `seconds` and `memory` (such as
                `"500M"`). With `draw=True` the result has the explored tree as a picture, for searches that have
                `--tree`.

        Raises:
            UsageError: if the command does not exist, or has no such option or role.
            LimitReached: if a limit left no answer.
        """
        draw = bool(options.pop("draw", False))
        if draw:
            options["tree"] = "svg"
        answer = self._call(algorithm, self._name(role), options, state)
        if not isinstance(answer, results.SearchResult):
            raise UsageError(f"`{algorithm}` is no search; `ask` answers any command")
        return dataclasses.replace(answer, tree=answer.data["tree"]["drawing"]) if draw else answer

    def minimax(
        self,
        state: State | None = None,
        *,
        role: str | int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        **options: object,
    ) -> results.SearchResult:
        """The utility that a role can force against all others, and a move that does. Options as in `search`:
        `draw=True` draws the explored tree."""
        limits = {"depth": depth, "nodes": nodes, "seconds": seconds}
        return self.search("minimax", role, state=state, **limits, **options)

    def bestplan(
        self,
        state: State | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        **options: object,
    ) -> results.SearchResult:
        """A plan for the best utility in a game of one player; `shortest=True` for one of the fewest moves."""
        limits = {"depth": depth, "nodes": nodes, "seconds": seconds}
        return self.search("bestplan", None, state=state, **limits, **options)

    def mcts(
        self,
        state: State | None = None,
        *,
        role: str | int | None = None,
        visits: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
        exploration: float | None = None,
        **options: object,
    ) -> results.SearchResult:
        """Monte Carlo tree search (UCT): `data["moves"]` has the visits and the mean utility of each move.

        Args:
            visits: random games to play (default 10,000, unless there is a limit on seconds).
            exploration: C of UCB1 for utilities scaled to 0 to 1 (default 0.7).
        """
        own = {"visits": visits, "seconds": seconds, "seed": seed, "exploration": exploration}
        return self.search("mcts", role, state=state, **own, **options)

    def train(
        self,
        out: str | os.PathLike[str],
        *,
        minutes: float | None = None,
        games: int | None = None,
        jobs: int | None = None,
        seed: int = 0,
        memory: str = "512M",
    ) -> NeuralNetwork:
        """Trains a neural network by games against itself, as `ggp train` does: writes its file every minute and at the
        end, and returns it. If the file is there, training goes on from it; Ctrl-C keeps what was learned.

        `net(file)` reads the network again. Players and searches take the file as an option: `"mcts:net=FILE"`,
        `search("alphabeta", net=FILE, depth=4)`.

        Args:
            out: the file.
            minutes: how long it may take.
            games: the number of games; with one job the same seed gives the same network.
            jobs: games that are played at a time; by default one for each processor.
            seed: that of all random choices.
            memory: the size of the states that are remembered.

        Raises:
            UsageError: without `minutes` and `games`, or if the file is no network, or one of another game.
            LimitReached: if no game has ended.
        """
        if minutes is None and games is None:
            raise UsageError("`minutes` or `games` is needed: training has no other end")
        if self.has_percepts:
            warn("the network sees the whole state, which the roles of this game do not (`sees`)")
        train(self, out, minutes=minutes, games=games, jobs=jobs, seed=seed, memory=memory)
        return self.net(out)

    def mcts_batch(
        self,
        states: Sequence[State],
        evaluate: Evaluate,
        *,
        visits: int = 100,
        exploration: float = 1.5,
        noise: tuple[float, float] | None = None,
        observation: str = "float32",
        seed: int = 0,
    ) -> Searched:
        """Monte Carlo tree search in many states at once, guided by priors and values of a function, such as a neural
        network: a tree for each state, and one call of the function for a visit in every tree (PUCT, as in AlphaZero).

        Simultaneous moves are selected by each role for itself; moves of `random` are drawn.

        Args:
            states: states that play reaches and in which the game is not over.
            evaluate: called with the observations of `k` states, float32 `[k, fluents]` or `[k, C, H, W]`, and for each
                role of the game (`random` too) the mask of its legal actions, bool `[k, actions]`. Returns for each role
                priors `[k, actions]`, of which those of legal actions count, divided by their sum, and values
                `[k, roles]` from -1 for the least utility to 1 for the greatest. The ends of games are valued by the
                rules.
            visits: the visits in each tree; the first evaluates the state itself.
            exploration: the weight of the priors.
            noise: the share of Dirichlet noise in the priors of the given states, and its concentration: `(0.25, 1.0)`.
            observation: `"float32"` or `"planes"`, as in `BatchEnv`.
            seed: that of noise and chance.

        Raises:
            GameOver, NoLegalMove: for a state without a choice to be made.
            ShapeError: if the function returns arrays of other shapes.
            NoNetwork: if the game has no network.
        """
        return guided_search(
            self,
            states,
            evaluate,
            visits=visits,
            exploration=exploration,
            noise=noise,
            observation=observation,
            seed=seed,
        )

    def cfr(
        self, *, iterations: int = 1_000, update: str = "plus", seconds: float | None = None, memory: str | None = None
    ) -> hidden.Strategies:
        """Strategies that approach an equilibrium of roles that do not see the whole state, by counterfactual regret
        minimisation over the whole tree from the initial state on.

        Args:
            iterations: the number of passes over the tree.
            update: `"plus"` (CFR+), `"vanilla"` or `"discounted"`.

        Raises:
            LimitReached: if a limit left no answer, such as a tree that does not fit the memory.
            QueryError: if a role cannot know its legal moves.
        """
        options = {"iterations": iterations, "update": update, "seconds": seconds, "memory": memory}
        return hidden.found(self, "cfr", options)

    def equilibrium(self, *, seconds: float | None = None, memory: str | None = None) -> hidden.Strategies:
        """An equilibrium of one role, or of two roles whose utilities have a constant sum, by a linear program.

        Raises:
            LimitReached, QueryError: as `cfr`.
        """
        return hidden.found(self, "equilibrium", {"seconds": seconds, "memory": memory})

    def exploitability(
        self,
        policy: hidden.Strategies | hidden.Policy | str | os.PathLike[str],
        *,
        seconds: float | None = None,
        memory: str | None = None,
    ) -> hidden.Exploited:
        """What each role gains by its best response to strategies: those of `cfr`, a function, or a file.

        Raises:
            UsageError: if the probabilities of a function are not those of legal moves, with the sum 1.
        """
        return hidden.exploited(self, policy, {"seconds": seconds, "memory": memory})

    def solve(
        self,
        state: State | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        **options: object,
    ) -> results.Solved:
        """The exact value of a state for all roles, by visiting every state that can be reached.

        `policy=path` writes the best move of every state to a file.

        Raises:
            LimitReached: if a limit stopped it; the message says what a search along lines has found instead, which
                `ask("solve …")` answers.
        """
        limits = {"depth": depth, "nodes": nodes, "seconds": seconds}
        answer = self._call("solve", None, {**limits, **options}, state)
        if not isinstance(answer, results.Solved):
            raise LimitReached(answer.text)
        return answer

    def simulate(
        self,
        games: int = 10_000,
        *,
        state: State | None = None,
        seed: int = 0,
        threads: int = 1,
        longest: int = 5000,
        executor: Executor | None = None,
        file: str | os.PathLike[str] | None = None,
        progress: tasks.Progress | None = None,
    ) -> results.Playouts:
        """Plays random games from a state wholly in lanes, hundreds at once: each legal move is equally likely.

        Args:
            games: the number of games.
            state: where they begin; by default the initial state.
            seed: the same seed and number of games give the same outcomes, whatever the number of threads or workers.
            threads: the number of threads in each process.
            longest: a game longer than this many joint moves is abandoned.
            executor, file, progress: as in `match`.

        Raises:
            NoNetwork: if the game has no network.
        """
        options: dict[str, Any] = {"seed": seed, "threads": threads, "longest": longest}
        if executor is None and file is None:
            played: Sequence[Any] = self.playouts(games, state, **options)
        else:
            played = random_games_in_parts(
                self, games, state, options, executor=executor, file=file, progress=progress
            )
        ended, steps, unfinished, stuck, roles, lengths = played
        outcomes = tuple(_outcome(role, counts) for role, counts in zip(self.roles, roles, strict=True))
        return results.Playouts(ended, steps, unfinished, stuck, outcomes, dict(lengths))

    def match(
        self,
        players: Sequence[Player],
        *,
        games: int = 1,
        start_clock: float = 5,
        play_clock: float = 1,
        seed: int = 0,
        swap: bool = False,
        jobs: int = 1,
        hidden: bool = True,
        executor: Executor | None = None,
        file: str | os.PathLike[str] | None = None,
        progress: tasks.Progress | None = None,
    ) -> results.MatchResult:
        """Plays matches between players, one for each role except `random`.

        Args:
            players: players of the library by name, with options, such as `["mcts", "alphabeta:depth=3"]` (`ggp help
                match` lists them), and functions. A function is called with the state, and with the name of the role
                if it takes two arguments, where the role has a choice; it returns a move as a term or as a number. It
                runs in a thread of its own and under the play clock: a random move replaces one that is late. An
                exception of a function ends the matches, and is raised here with its traceback. In games with rules for
                `sees` a function is called with the name of the role, its view (`State.view`) and its legal moves
                instead, and may return the probabilities of moves: `Strategies` and `ggp.hidden.Policy` are such.
            games: the number of matches.
            start_clock: seconds before the first move.
            play_clock: seconds for each move.
            seed: the seed of all random choices.
            swap: whether players rotate through the roles, match by match.
            jobs: the number of matches that are played at a time in each process.
            hidden: whether functions are told only what their role knows, in games with rules for `sees`. With False they
                are called with the whole state.
            executor: plays parts of the series on its workers: any `concurrent.futures.Executor`, such as a pool of
                processes, that of a cluster of Dask, or `ggp.ray.RayExecutor`. The seeds of a match follow from its
                number, so the matches are those of one process, as far as the players do not depend on time.
            file: keeps what is finished, so that the same call goes on from it (`ggp.tasks.run`).
            progress: called with the number of finished parts and that of all parts, if there are parts.

        Raises:
            UsageError: for an unknown player or option, or a wrong number of players.
            IllegalAction: for an illegal move of a function.
            BrokenPool: if the executor has lost its workers; what was finished is in the file.
        """
        if isinstance(players, str):
            raise UsageError("players are a sequence, one for each role")
        clocks = {"start_clock": float(start_clock), "play_clock": float(play_clock)}
        options = {**clocks, "seed": seed, "swap": swap, "jobs": jobs, "hidden": hidden}
        if executor is None and file is None:
            return results.match_result(play(self, players, options, (0, games)))
        parts = play_series(self, players, options, games, executor=executor, file=file, progress=progress)
        return results.match_result(parts)

    def _call(
        self, command: str, operand: str | None, options: Mapping[str, object], state: State | None
    ) -> results.Answer:
        given = [(name.replace("_", "-"), _values(name, value)) for name, value in options.items() if _is_given(value)]
        return results.answer(*self.call(command, operand or "", given, state))

    def _name(self, role: str | int | None) -> str | None:
        if not isinstance(role, int):
            return role
        if not 0 <= role < len(self.roles):
            raise UsageError(f"there is no role {role}: {self.name} has {len(self.roles)}")
        return self.roles[role]


def _outcome(role: str, counts: Sequence[tuple[float, int]]) -> results.RoleOutcome:
    games = sum(count for _, count in counts)
    if not games:
        return results.RoleOutcome(role, None, None, {})
    mean = sum(utility * count for utility, count in counts) / games
    squares = sum((utility - mean) ** 2 * count for utility, count in counts)
    error = (squares / (games - 1) / games) ** 0.5 if games > 1 else None
    return results.RoleOutcome(role, mean, error, dict(counts))


def _is_given(value: object) -> bool:
    return value is not None and value is not False


def _values(name: str, value: object) -> list[str]:
    """The values of an option as texts; none for a flag."""
    if value is True:
        return []
    texts = []
    for part in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(part, str | int | float | os.PathLike):
            raise UsageError(f"the option {name} takes texts, numbers and paths, not {part!r}")
        texts.append(str(part))
    return texts


def restore_game(name: str, rules: str, engine: str) -> Game:
    """A game from its parts, shared by everything that is unpickled in this process."""
    key = (name, rules, engine)
    game = _restored.get(key)
    if game is None:
        game = Game(name, rules, engine=engine)
        _restored[key] = game
    # A worker gets the same game with task after task, and has no other use of it between them.
    _recent[key] = game
    _recent.move_to_end(key)
    if len(_recent) > _MOST_RECENT:
        _recent.popitem(last=False)
    return game


def restore_state(game: Game, facts: list[str], reached: bool, known: bool) -> State:
    """A state from its parts."""
    return game.state(facts, reached=reached, known=known)


def replay_state(state: State, joint_moves: Sequence[Sequence[str]]) -> State:
    """The state after some joint moves."""
    for joint_move in joint_moves:
        state = state.next(joint_move)
    return state
