"""`Game.mcts_batch`: trees of many states, guided by a function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ggp

Masks = tuple[NDArray[np.bool_], ...]


def uniform(observations: NDArray[np.float32], masks: Masks) -> tuple[Masks, NDArray[np.float32]]:
    return masks, np.zeros((len(observations), len(masks)), np.float32)


def test_a_search_finds_a_win_and_a_defence(tic_tac_toe: ggp.Game) -> None:
    opened = tic_tac_toe.initial().next({0: "mark(1,1)"}).next({1: "mark(2,2)"})
    win = opened.next({0: "mark(1,2)"}).next({1: "mark(3,3)"})
    defence = opened.next({0: "mark(1,2)"})
    found = tic_tac_toe.mcts_batch([win, defence], uniform, visits=300)
    assert tic_tac_toe.action_to_term(0, int(found.actions[0, 0])) == "mark(1,3)"
    assert tic_tac_toe.action_to_term(1, int(found.actions[1, 1])) == "mark(1,3)"
    assert found.values[0, 0] > 0.8 and found.values[0, 1] < -0.8
    assert [visits.sum(axis=1).tolist() for visits in found.visits] == [[299, 299], [299, 299]]
    np.testing.assert_allclose(found.policy(0).sum(axis=1), 1)


def test_the_function_sees_what_a_batch_sees() -> None:
    game = ggp.load("connect_four")
    for observation in ("float32", "planes"):
        env = ggp.BatchEnv(game, 5, seed=3, observation=observation)
        for _ in range(4):
            env.step(env.sample())
        seen: list[tuple[NDArray[np.float32], Masks]] = []

        def evaluate(observations: NDArray[np.float32], masks: Masks) -> Any:
            seen.append((observations.copy(), masks))
            return uniform(observations, masks)

        game.mcts_batch([env.state(i) for i in range(5)], evaluate, visits=2, observation=observation)
        np.testing.assert_array_equal(seen[0][0], env.observations)
        for own, mask in zip(seen[0][1], env.action_masks, strict=True):
            np.testing.assert_array_equal(own, mask)


def test_priors_and_values_guide_the_search(tic_tac_toe: ggp.Game) -> None:
    corner = tic_tac_toe.term_to_action(0, "mark(3,1)")

    def towards_a_corner(observations: NDArray[np.float32], masks: Masks) -> Any:
        priors = [mask.astype(np.float32) * 0.01 for mask in masks]
        priors[0][:, corner] = 1
        return priors, np.zeros((len(observations), 2))

    found = tic_tac_toe.mcts_batch([tic_tac_toe.initial()], towards_a_corner, visits=20)
    assert found.actions[0, 0] == corner
    assert found.visits[0][0, corner] > 10


def test_noise_changes_the_search_and_a_seed_repeats_it(tic_tac_toe: ggp.Game) -> None:
    def visits(noise: tuple[float, float] | None, seed: int) -> list[int]:
        states = [tic_tac_toe.initial()]
        found = tic_tac_toe.mcts_batch(states, uniform, visits=60, noise=noise, seed=seed)
        return [int(count) for count in found.visits[0][0]]

    assert visits((0.25, 0.3), 1) == visits((0.25, 0.3), 1) != visits((0.25, 0.3), 2)
    assert visits(None, 1) == visits(None, 2)


def test_simultaneous_moves_and_chance() -> None:
    rules = """
    role(random) role(a) role(b) init(start) legal(random,flip(heads)) :- true(start) legal(random,flip(tails)) :- true(start)
    legal(P,show(S)) :- player(P) & side(S) & true(start) player(a) player(b) side(heads) side(tails)
    next(coin(S)) :- does(random,flip(S)) next(shown(P,S)) :- does(P,show(S)) & player(P)
    terminal :- ~true(start) goal(random,0)
    right(P) :- true(shown(P,S)) & true(coin(S))
    goal(P,100) :- player(P) & right(P) goal(P,0) :- player(P) & ~right(P)
    """
    game = ggp.load(rules)
    found = game.mcts_batch([game.initial()], uniform, visits=400)
    assert abs(float(found.values[0, 1])) < 0.2 and abs(float(found.values[0, 2])) < 0.2
    assert (found.visits[0] > 150).all()


def test_wrong_arguments_are_errors(tic_tac_toe: ggp.Game) -> None:
    state = tic_tac_toe.initial()
    with pytest.raises(ggp.UsageError, match="2 visits or more, not 1"):
        tic_tac_toe.mcts_batch([state], uniform, visits=1)
    with pytest.raises(ggp.UsageError, match="observation is one of"):
        tic_tac_toe.mcts_batch([state], uniform, observation="pixels")
    with pytest.raises(ggp.UsageError, match="the state is of connect_four, and the game is tic_tac_toe"):
        tic_tac_toe.mcts_batch([ggp.load("connect_four").initial()], uniform)
    with pytest.raises(ggp.UsageError, match="state 1 was made from facts"):
        tic_tac_toe.mcts_batch([state, tic_tac_toe.state(state.facts)], uniform)
    with pytest.raises(ggp.ShapeError, match=r"values must have the shape \(1, 2\), and have \(1,\)"):
        tic_tac_toe.mcts_batch([state], lambda seen, masks: (masks, np.zeros(len(seen))))
    with pytest.raises(ggp.ShapeError, match="priors for each of 2 roles, not for 1"):
        tic_tac_toe.mcts_batch([state], lambda seen, masks: (masks[:1], np.zeros((len(seen), 2))))
    over = state
    while not over.is_terminal:
        over = over.next([over.legal(role)[0] for role in tic_tac_toe.roles])
    with pytest.raises(ggp.GameOver, match="state 1"):
        tic_tac_toe.mcts_batch([state, over], uniform)


def test_an_exception_of_the_function_is_raised(tic_tac_toe: ggp.Game) -> None:
    def broken(observations: NDArray[np.float32], masks: Masks) -> Any:
        raise KeyError("no such key")

    with pytest.raises(KeyError, match="no such key"):
        tic_tac_toe.mcts_batch([tic_tac_toe.initial()], broken)


def test_values_that_are_no_numbers_do_not_spread(tic_tac_toe: ggp.Game) -> None:
    def absurd(observations: NDArray[np.float32], masks: Masks) -> Any:
        return [np.full(mask.shape, np.nan) for mask in masks], np.full((len(observations), 2), np.nan)

    found = tic_tac_toe.mcts_batch([tic_tac_toe.initial()], absurd, visits=50)
    assert np.isfinite(found.values).all() and found.visits[0].sum() == 49
