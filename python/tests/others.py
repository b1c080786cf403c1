"""Games of other libraries, many at a time, with the moves numbered as ggp numbers them.

All games here are for two players by turns; player i is the i-th role of the rule sheet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ggp


class Numbers:
    """The numbers that another library gives to moves, and ours.

    Args:
        game: our game.
        term: for each player and number of theirs the term of the move, or ``None``.
        count: how many numbers they have.
    """

    def __init__(self, game: ggp.Game, term: Callable[[int, int], str | None], count: int) -> None:
        self.ours = np.full((2, count), -1, dtype=np.int64)
        self.theirs = np.full((2, max(len(game.actions(role)) for role in game.roles)), -1, dtype=np.int64)
        for player, role in enumerate(game.roles):
            for number in range(count):
                found = term(player, number)
                if found is not None:
                    ours = game.term_to_action(role, found)
                    self.ours[player, number] = ours
                    self.theirs[player, ours] = number

    def masks(self, players: NDArray[np.int64], theirs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Masks in their numbers as masks in ours; moves that are not ours are left out."""
        masks = np.zeros((len(players), self.theirs.shape[1]), dtype=np.bool_)
        for player in range(2):
            known = np.flatnonzero(self.ours[player] >= 0)
            rows = np.flatnonzero(players == player)
            masks[np.ix_(rows, self.ours[player, known])] = theirs[np.ix_(rows, known)]
        return masks


class PettingZooGames:
    """``n`` AEC environments of PettingZoo."""

    def __init__(self, make: Callable[[], Any], numbers: Numbers, n: int) -> None:
        self._envs = [make() for _ in range(n)]
        self._numbers = numbers
        for env in self._envs:
            env.reset()
        self.agents = list(self._envs[0].possible_agents)
        self.ended = np.zeros(n, dtype=np.bool_)
        self.returns = np.zeros((n, 2), dtype=np.float64)
        self._see()

    def _see(self) -> None:
        self.players = np.array([self.agents.index(env.agent_selection) for env in self._envs], dtype=np.int64)
        masks = np.stack([env.observe(env.agent_selection)["action_mask"] for env in self._envs]).astype(np.bool_)
        self.masks = self._numbers.masks(self.players, masks)

    def step(self, actions: NDArray[np.int64]) -> None:
        for i in np.flatnonzero(~self.ended):
            env = self._envs[i]
            env.step(int(self._numbers.theirs[self.players[i], actions[i]]))
            self.ended[i] = all(env.terminations.values())
            if self.ended[i]:
                self.returns[i] = [env.rewards[agent] for agent in self.agents]
        self._see()


class OpenSpielGames:
    """``n`` states of an OpenSpiel game, whose moves are known by their texts.

    Args:
        name: of the game.
        term: for a player and the text of a move the term of the move.
    """

    def __init__(self, name: str, game: ggp.Game, term: Callable[[int, str], str], n: int) -> None:
        import pyspiel

        self._states = [pyspiel.load_game(name).new_initial_state() for _ in range(n)]
        self._game = game
        self._term = term
        self._known: dict[tuple[int, int], int] = {}
        self._actions = max(len(game.actions(role)) for role in game.roles)
        self._see()

    def _number(self, state: Any, player: int, action: int) -> int:
        if (player, action) not in self._known:
            term = self._term(player, state.action_to_string(player, action))
            self._known[player, action] = self._game.term_to_action(self._game.roles[player], term)
        return self._known[player, action]

    def _see(self) -> None:
        n = len(self._states)
        self.ended = np.array([state.is_terminal() for state in self._states], dtype=np.bool_)
        self.returns = np.array([state.returns() for state in self._states], dtype=np.float64)
        self.players = np.zeros(n, dtype=np.int64)
        self.masks = np.zeros((n, self._actions), dtype=np.bool_)
        self._legal: list[dict[int, int]] = [{} for _ in range(n)]
        for i in np.flatnonzero(~self.ended):
            state = self._states[i]
            self.players[i] = player = state.current_player()
            self._legal[i] = {self._number(state, player, action): action for action in state.legal_actions()}
            self.masks[i, list(self._legal[i])] = True

    def step(self, actions: NDArray[np.int64]) -> None:
        for i in np.flatnonzero(~self.ended):
            self._states[i].apply_action(self._legal[i][int(actions[i])])
        self._see()


class PgxGames:
    """A batch of a pgx environment."""

    def __init__(self, env: Any, numbers: Numbers, n: int) -> None:
        import jax

        self._step: Callable[[Any, NDArray[np.int64]], Any] = jax.jit(jax.vmap(env.step))
        self._state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
        self._numbers = numbers
        self._first = np.asarray(self._state.current_player)
        self.ended = np.zeros(n, dtype=np.bool_)
        self.returns = np.zeros((n, 2), dtype=np.float64)
        self._see()

    def _see(self) -> None:
        """Players of pgx change places: player 0 of ours is the one who began."""
        self.players = (np.asarray(self._state.current_player) != self._first).astype(np.int64)
        self.masks = self._numbers.masks(self.players, np.asarray(self._state.legal_action_mask))

    def step(self, actions: NDArray[np.int64]) -> None:
        live = ~self.ended
        theirs = self._numbers.theirs[self.players, np.where(live, actions, 0)]
        self._state = self._step(self._state, np.where(live, theirs, 0))
        rewards = np.asarray(self._state.rewards)
        rows = np.arange(len(live))
        self.ended = np.asarray(self._state.terminated).copy()
        now = live & self.ended
        self.returns[now] = np.stack([rewards[rows, self._first], rewards[rows, 1 - self._first]], axis=1)[now]
        self._see()
