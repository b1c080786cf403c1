"""One name, one meaning: a search with its options finds the same by `Game.search` and as a line of the prompt, which
`tests/behaviour/one_meaning.rs` compares with players, pages and the library."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import ggp
from ggp import results

SPECIFICATIONS = [
    "mcts:visits=100,seed=3",
    "mcts:visits=60,seed=3,single,exploration=0.4",
    "montecarlo:visits=100,seed=3",
    "minimax:depth=2",
    "minimax:depth=3,extend-forced,guess,table",
    "negamax:depth=2",
    "alphabeta:depth=3,table,killers,history,null-windows,guess",
    "iterative:depth=3,guess,aspiration",
    "paranoid:depth=2,guess",
    "maxn:depth=2,guess",
    "expectimax:depth=2,opponents=minimax",
    "expectiminimax:depth=2",
]
"""Searches of several players, or of chance."""

PLANS = ["bfs", "dfs", "ids:depth=6", "astar:heuristic=hmax", "greedy:heuristic=hff", "bestmove", "bestplan:shortest"]
"""Searches of one player."""

POSITIONS = 3
"""The number of positions of a game that are looked at."""


def choosing(game: ggp.Game, state: ggp.State) -> list[str]:
    """The roles that have a choice in a state."""
    return [role for role in game.roles if role != "random" and len(state.legal(role)) > 1]


def positions(game: ggp.Game) -> Iterator[tuple[ggp.State, list[str]]]:
    """The first states along a random line of play in which a role has a choice, each with the lines of the prompt that
    lead to it."""
    chance = random.Random(1)
    state = game.initial()
    lines: list[str] = []
    found = 0
    while found < POSITIONS and not state.is_terminal:
        if choosing(game, state):
            found += 1
            yield state, list(lines)
        moves = {role: chance.choice(state.legal(role)) for role in game.roles}
        state = state.next(moves)
        lines.append(f"do {' '.join(moves.values())}")


def options_of(specification: str) -> tuple[str, dict[str, object]]:
    """The name of a search, and its options as `Game.search` takes them."""
    name, _, text = specification.partition(":")
    options: dict[str, object] = {}
    for option in text.split(",") if text else []:
        key, equals, value = option.partition("=")
        options[key.replace("-", "_")] = value if equals else True
    return name, options


def searched(game: ggp.Game, specification: str, role: str | None, state: ggp.State) -> results.Answer | str:
    """The answer of `Game.search` in a state, or the kind of its error."""
    name, options = options_of(specification)
    try:
        return game.search(name, role, state=state, **options)
    except ggp.Error as error:
        return type(error).__name__


def typed(game: ggp.Game, specification: str, role: str | None, lines: list[str]) -> results.Answer | str:
    """The answer of the prompt after these lines, or the kind of its error."""
    try:
        return game.ask([*lines, specification if role is None else f"{specification} {role}"])
    except ggp.Error as error:
        return type(error).__name__


def told(answer: results.Answer | str) -> object:
    """All that an answer says but its cost: value, move, line, and whether it is exact."""
    if isinstance(answer, str):
        return answer
    assert isinstance(answer, results.SearchResult)
    rest = {key: value for key, value in answer.data.items() if key not in ("cost", "rounds")}
    return answer.utility, answer.move, answer.exact, rest


def compared(game: ggp.Game, specification: str) -> int:
    """Compares both in positions of a game, for each role that has a choice; returns how often there was an answer."""
    count = 0
    for state, lines in positions(game):
        for role in choosing(game, state):
            # Searches of one player take no role.
            asking = None if specification in PLANS else role
            found = searched(game, specification, asking, state)
            assert told(found) == told(typed(game, specification, asking, lines)), (specification, role, lines)
            count += isinstance(found, results.SearchResult)
    return count


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "three_player_tree", "dice_race"])
def test_a_search_finds_the_same_as_at_the_prompt(name: str) -> None:
    game = ggp.load(name)
    assert sum(compared(game, specification) for specification in SPECIFICATIONS) >= 4


def test_a_search_for_plans_finds_the_same_as_at_the_prompt() -> None:
    game = ggp.load("three_puzzle")
    assert sum(compared(game, specification) for specification in PLANS) >= len(PLANS)
