"""The functions of `ggp.jax` and `ggp.torch` are, bit by bit, what `BatchEnv` does."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CORPUS

import ggp
from ggp._circuit import Circuit

SMALL = 100_000 if "GGP_THOROUGH" in os.environ else 400
"""The most gates of the games that are tried here, so that compiling ends soon."""

SHEETS = [*ggp.library(), *(str(path) for path in sorted((CORPUS / "kif").glob("*.kif")))]

N = 70
"""Games at once: no multiple of a word."""

PLIES = 30


@functools.cache
def _small() -> list[str]:
    """The first 30 sheets whose networks are small."""
    found: list[str] = []
    for name in SHEETS:
        if len(found) == 30:
            break
        path = Path(name)
        if len(path.read_text() if path.suffix else ggp.load(name, engine="interpreter").rules) > 20 * SMALL:
            continue
        try:
            Circuit.of(ggp.load(name), SMALL)
        except (ggp.NoNetwork, ggp.LimitReached, ggp.RuleError):
            continue
        found.append(name)
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "sheet" in metafunc.fixturenames:
        sheets = _small()
        metafunc.parametrize("sheet", sheets, ids=[Path(sheet).stem for sheet in sheets])


class Library:
    """A library of arrays, with what the tests ask of it."""

    def __init__(self, name: str) -> None:
        self._library: Any = pytest.importorskip(name, reason=f"{name} is not installed: pip install ggp[{name}]")
        self._name = name

    def env(self, *arguments: Any, **options: Any) -> Any:
        return importlib.import_module(f"ggp.{self._name}").env(*arguments, **options)

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as JAX compiles it; as it is for torch, whose compiler takes minutes."""
        return self._library.jit(function) if self._name == "jax" else function  # type: ignore[no-any-return]

    def array(self, values: Any) -> Any:
        return self._library.asarray(np.asarray(values)) if self._name == "torch" else values


@pytest.fixture(params=["jax", "torch"])
def library(request: pytest.FixtureRequest) -> Library:
    return Library(request.param)


def test_functions_are_those_of_the_batch(library: Library, sheet: str) -> None:
    game = ggp.load(sheet)
    env = library.env(game, N, hidden=False)
    batch = ggp.BatchEnv(game, N, seed=1, observation="bool", autoreset="disabled", random_role=False, hidden=False)

    @library.compiled
    def step(states: Any, actions: Any) -> Any:
        states, rewards, ended = env.step(states, actions)
        return states, rewards, ended, env.observe(states), env.masks(states)

    states, over = env.initial(), np.zeros(N, np.bool_)
    observations, masks = library.compiled(lambda states: (env.observe(states), env.masks(states)))(states)
    for _ in range(PLIES):
        np.testing.assert_array_equal(np.asarray(observations), batch.observations)
        for ours, theirs in zip(masks, batch.action_masks, strict=True):
            np.testing.assert_array_equal(np.asarray(ours)[~over], theirs[~over])
        if over.all():
            break
        actions = batch.sample().copy()
        try:
            result = batch.step(actions)
        except ggp.NoLegalMove:
            return
        states, rewards, ended, observations, masks = step(states, library.array(actions))
        np.testing.assert_array_equal(np.asarray(rewards), result.rewards)
        np.testing.assert_array_equal(np.asarray(states.over), result.terminations)
        np.testing.assert_array_equal(np.asarray(ended), result.terminations & ~over)
        over = result.terminations.copy()


def test_enough_sheets_are_tried() -> None:
    if (CORPUS / "kif").exists():
        assert len(_small()) == 30


def test_scan_and_vmap() -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed: pip install ggp[jax]")
    env = Library("jax").env("tic_tac_toe", 64)

    def ply(states: Any, key: Any) -> Any:
        states, rewards, ended = env.step(states, env.sample(states, key))
        return env.restart(states, ended), (rewards, ended)

    def play(key: Any) -> Any:
        return jax.lax.scan(ply, env.initial(), jax.random.split(key, 200))[1]

    keys = jax.random.split(jax.random.key(1), 3)
    rewards, ended = map(np.asarray, jax.jit(jax.vmap(play))(keys))
    assert rewards.shape == (3, 200, 64, 2)
    check_random_games(rewards, ended)
    one = np.asarray(jax.jit(play)(keys[1])[0])
    np.testing.assert_array_equal(one, rewards[1])


def test_a_loop_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install ggp[torch]")
    env = Library("torch").env("tic_tac_toe", 64, device="cpu")

    def play(seed: int) -> tuple[Any, Any]:
        generator, states, plies = torch.Generator().manual_seed(seed), env.initial(), []
        for _ in range(200):
            states, rewards, ended = env.step(states, env.sample(states, generator))
            states = env.restart(states, ended)
            plies.append((rewards, ended))
        return tuple(torch.stack(arrays).numpy() for arrays in zip(*plies, strict=True))  # type: ignore[return-value]

    rewards, ended = play(1)
    assert rewards.shape == (200, 64, 2)
    check_random_games(rewards, ended)
    np.testing.assert_array_equal(play(1)[0], rewards)
    assert (play(2)[0] != rewards).any()


def check_random_games(rewards: Any, ended: Any) -> None:
    """Random tic-tac-toe: games end after 7.6 plies on average, and xplayer, to move first, wins 58 of 100."""
    assert 7.4 < ended.size / ended.sum() < 7.9
    assert (rewards[ended].sum(axis=1) == 100).all() and (rewards[~ended] == 0).all()
    assert 0.55 < (rewards[ended][:, 0] == 100).mean() < 0.62


def test_an_illegal_action_ends_its_game_alone(library: Library) -> None:
    env = library.env("tic_tac_toe", 64)
    actions = np.tile(np.array([0, 9]), (64, 1))
    actions[5] = 9, 9
    actions[6] = 0, 77
    states, rewards, ended = env.step(env.initial(), library.array(actions))
    rewards, ended = np.asarray(rewards), np.asarray(ended)
    assert np.flatnonzero(ended).tolist() == [5, 6] == np.flatnonzero(np.asarray(states.over)).tolist()
    assert np.isnan(rewards[5:7]).all() and not np.isnan(np.delete(rewards, (5, 6), axis=0)).any()
    again, rewards, ended = env.step(states, library.array(np.tile(np.array([9, 1]), (64, 1))))
    assert not ended[5:7].any() and (rewards[5:7] == 0).all()
    fresh = env.restart(again, again.over)
    np.testing.assert_array_equal(env.observe(fresh)[5], env.observe(env.initial())[5])
    np.testing.assert_array_equal(env.observe(fresh)[0], env.observe(again)[0])


def test_large_sheets_are_refused_with_their_number(library: Library) -> None:
    gates = Circuit.of(ggp.load("tic_tac_toe"), 10**9).gates
    with pytest.raises(ggp.LimitReached, match=f"tic_tac_toe has {gates} gates, and a function of at most 10 was"):
        library.env("tic_tac_toe", 32, most_gates=10)
    with pytest.raises(ggp.NoNetwork):
        library.env(ggp.load("tic_tac_toe", engine="interpreter"), 32)
    for n in (0, -1):
        with pytest.raises(ggp.UsageError, match="one game or more"):
            library.env("tic_tac_toe", n)


def test_the_circuit_is_evaluated_by_any_arrays() -> None:
    """NumPy's, with the initial state in all lanes."""
    game = ggp.load("connect_four_4x4")
    circuit = Circuit.of(game, 10**6)
    zero, words = np.zeros(2, np.uint32), [np.zeros(2, np.uint32) for _ in range(circuit.bits)]
    for bit in circuit.initial:
        words[bit] = ~zero

    def fixpoint(step: Any, start: Any) -> Any:
        after = step(start)
        return after if all((a == b).all() for a, b in zip(after, start, strict=True)) else fixpoint(step, after)

    held = circuit.evaluate(words, circuit.fluents, zero, fixpoint)
    facts = [name for name, word in zip(game.fluents, held, strict=True) if word[0]]
    assert facts == game.initial().facts
    legal = circuit.evaluate(words, [wire for pair in circuit.legal for wire in pair], zero, fixpoint)
    numbers = [i for i in range(circuit.moves[0]) if (legal[2 * i] & legal[2 * i + 1])[1]]
    assert numbers == game.initial().legal_actions(0)
