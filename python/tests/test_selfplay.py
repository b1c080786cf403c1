"""Tools for self-play: observations from the side of the role that moves, saved environments, memory shared with other
libraries, and calls from compiled functions of JAX."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.batch import find_swapped


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four_4x4", "breakthrough_6x6"])
def test_the_role_that_moves_sees_its_own_pieces_in_the_same_planes(game: str) -> None:
    env = ggp.BatchEnv(game, 80, seed=3, observation="planes", swapped="auto")
    plain = ggp.BatchEnv(game, 80, seed=3, observation="planes")
    assert env.board is not None and env.swapped == find_swapped(env.game)
    places = list(range(len(env.board.planes)))
    for one, two in env.swapped:
        first, second = env.board.planes.index(one), env.board.planes.index(two)
        places[first], places[second] = second, first
    assert places != list(range(len(places)))
    seen = set()
    for _ in range(30):
        movers = env.movers
        assert (movers == plain.movers).all()
        for index in range(env.n):
            mine, theirs = env.observations[index], plain.observations[index]
            np.testing.assert_array_equal(mine, theirs[places] if movers[index] == 1 else theirs)
        seen.update(movers.tolist())
        env.step(env.sample())
        plain.step(plain.sample())
    assert seen == {-1, 0, 1}


def test_swapped_planes_of_tic_tac_toe() -> None:
    """The board after x has marked a square looks to o as the board after o has marked it would look to x."""
    game = ggp.load("tic_tac_toe")
    assert find_swapped(game) == (("cell x", "cell o"), ("control(oplayer)", "control(xplayer)"))
    env = ggp.BatchEnv(game, 1, observation="planes", swapped=[("cell x", "cell o")])
    env.step([[4, 9]])
    assert env.movers.tolist() == [1] and env.board is not None
    assert env.observations[0, env.board.planes.index("cell o"), 1, 1] == 1
    assert not env.observations[0, env.board.planes.index("cell x")].any()


def test_wrong_swaps() -> None:
    with pytest.raises(ggp.UsageError, match="no plane `cell y`"):
        ggp.BatchEnv("tic_tac_toe", 1, observation="planes", swapped=[("cell x", "cell y")])
    with pytest.raises(ggp.UsageError, match="in two pairs"):
        ggp.BatchEnv("tic_tac_toe", 1, observation="planes", swapped=[("cell x", "cell o"), ("cell x", "cell b")])
    with pytest.raises(ggp.UsageError, match="two players"):
        ggp.BatchEnv("tic_tac_toe", 1, swapped="auto")
    with pytest.raises(ggp.UsageError, match="two players|no board"):
        ggp.BatchEnv("eight_puzzle", 1, observation="planes", swapped="auto")


def test_movers_are_those_of_the_states() -> None:
    for name in ("tic_tac_toe", "rock_paper_scissors", "pig_dice", "three_player_tree"):
        env = ggp.BatchEnv(name, 40, seed=2)
        for _ in range(12):
            for index, mover in enumerate(env.movers.tolist()):
                state = env.state(index)
                role = None if state.mover is None else state.game.roles[state.mover]
                assert (env.roles[mover] if mover >= 0 else None) == (role if role in env.roles else None)
            env.step(env.sample())


SETTINGS: list[dict[str, Any]] = [
    {"game": "tic_tac_toe", "observation": "planes", "swapped": "auto", "autoreset": "same_step"},
    {"game": "pig_dice", "observation": "bool", "max_steps": 7, "rewards": "scaled"},
    {"game": "connect_four_4x4", "autoreset": "disabled", "max_steps": 5, "illegal": "loss"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: settings["game"])
def test_a_saved_environment_goes_on_exactly(settings: dict[str, Any], tmp_path: Path) -> None:
    env = ggp.BatchEnv(n=150, seed=9, **settings)
    for _ in range(6):
        env.step(env.sample())
    env.save(tmp_path / "env")
    assert [path.name for path in tmp_path.iterdir()] == ["env"]
    again = ggp.BatchEnv.load(tmp_path / "env")
    assert (again.steps, again.observation, again.max_steps, again.swapped) == (
        env.steps,
        env.observation,
        env.max_steps,
        env.swapped,
    )
    for _ in range(12):
        np.testing.assert_array_equal(again.observations, env.observations)
        np.testing.assert_array_equal(again.terminations, env.terminations)
        np.testing.assert_array_equal(again.truncations, env.truncations)
        actions = env.sample().copy()
        np.testing.assert_array_equal(again.sample(), actions)
        ours, theirs = env.step(actions), again.step(actions)
        np.testing.assert_array_equal(ours.rewards, theirs.rewards)


def test_files_that_are_no_environments(tmp_path: Path) -> None:
    with pytest.raises(ggp.NotFound):
        ggp.BatchEnv.load(tmp_path / "none")
    (tmp_path / "text").write_text("text")
    with pytest.raises(ggp.UsageError, match="no saved environment"):
        ggp.BatchEnv.load(tmp_path / "text")
    ggp.BatchEnv("tic_tac_toe", 2).save(tmp_path / "env")
    cut = (tmp_path / "env").read_bytes()[:-40]
    (tmp_path / "cut").write_bytes(cut)
    with pytest.raises(ggp.UsageError, match="no saved environment"):
        ggp.BatchEnv.load(tmp_path / "cut")
    with pytest.raises(ggp.UsageError, match="other rules"):
        ggp.BatchEnv.load(tmp_path / "env", ggp.load("nim"))
    game = ggp.load("tic_tac_toe")
    assert ggp.BatchEnv.load(tmp_path / "env", game).game is game


def test_observations_fill_arrays_of_the_caller() -> None:
    for observation in ("packed", "bool", "float32", "planes"):
        env = ggp.BatchEnv("tic_tac_toe", 70, observation=observation)  # type: ignore[arg-type]
        env.step(env.sample())
        out = np.ones_like(env.observations)
        assert env.observe(out) is out
        np.testing.assert_array_equal(out, env.observations)
        with pytest.raises(ggp.ShapeError):
            env.observe(out[:-1])
        with pytest.raises(ggp.ArrayTypeError, match="DLPack"):
            env.observe([[0.0]])
    actions = np.full((70, 2), -5, np.int64)
    assert env.sample(out=actions) is actions and (actions >= 0).all()


def test_arrays_are_aligned_for_libraries_that_share_memory() -> None:
    for n in (1, 3, 100):
        env = ggp.BatchEnv("connect_four", n, observation="planes")
        arrays = [env.observations, env.rewards, env.terminations, *env.action_masks, *env.packed_masks, env.sample()]
        assert all(array.ctypes.data % 64 == 0 and array.flags.c_contiguous for array in arrays)
        assert all(np.shares_memory(np.from_dlpack(array), array) for array in arrays)


def test_torch_shares_memory() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    env = ggp.BatchEnv("connect_four", 16, observation="planes")
    tensor = torch.from_dlpack(env.observations)
    assert tensor.data_ptr() == env.observations.ctypes.data
    own = torch.zeros(env.observations.shape)
    env.step(env.sample())
    assert env.observe(own) is own and (own.numpy() == env.observations).all()
    actions = torch.zeros((16, 2), dtype=torch.int64)
    assert env.sample(out=actions) is actions
    env.step(actions)


def test_jax_shares_memory() -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    env = ggp.BatchEnv("connect_four", 16, observation="planes")
    array = jax.dlpack.from_dlpack(env.observations)
    assert array.unsafe_buffer_pointer() == env.observations.ctypes.data
    with pytest.raises(ggp.UsageError, match="cannot be written"):
        env.observe(jax.numpy.zeros(env.observations.shape, np.float32))


def test_jax_calls_a_batch_within_a_compiled_function() -> None:
    """The example of docs/python.md: a loop of `jax.lax.scan` whose steps are made by `jax.pure_callback`."""
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    jnp = jax.numpy
    n = 64
    env = ggp.BatchEnv("tic_tac_toe", n, observation="float32")
    masks = [jax.ShapeDtypeStruct(mask.shape, bool) for mask in env.action_masks]
    shapes = (jax.ShapeDtypeStruct(env.observations.shape, jnp.float32), masks, jax.ShapeDtypeStruct((n, 2), jnp.float32))

    def step(actions: Any) -> Any:
        result = env.step(np.asarray(actions))
        return result.observations.copy(), [mask.copy() for mask in env.action_masks], result.rewards.copy()

    @jax.jit
    def play(masks: Any, key: Any) -> Any:
        def move(carried: Any, key: Any) -> Any:
            logits = [jnp.where(mask, 0.0, -jnp.inf) for mask in carried]
            keys = jax.random.split(key, 2)
            actions = jnp.stack([jax.random.categorical(k, logit) for k, logit in zip(keys, logits)], axis=1)
            _, masks, rewards = jax.pure_callback(step, shapes, actions)
            return masks, rewards

        return jax.lax.scan(move, masks, jax.random.split(key, 30))

    _, rewards = play([mask.copy() for mask in env.action_masks], jax.random.PRNGKey(0))
    ends = np.asarray(rewards).sum(axis=2)
    assert set(np.unique(ends)) == {0.0, 100.0} and (ends == 100).sum() >= 2 * n
    assert env.steps == 30


def test_states_are_cheap_values() -> None:
    game = ggp.load("tic_tac_toe")
    state = game.initial()
    assert state.mover == 0 and state.legal_actions() == list(range(9))
    by_number, by_term = state.next(4), state.next("mark(2,2)")
    joint = state.next([4, 9])
    assert by_number == by_term == joint == state.next({"xplayer": 4})
    assert len({by_number, by_term, joint, game.state(joint.facts), game.state(joint.facts, reached=True)}) == 1
    again = pickle.loads(pickle.dumps(joint))
    assert again == joint and hash(again) == hash(joint) and again.is_reached
    # A process restores a game once, whichever state it comes with.
    assert again.game is pickle.loads(pickle.dumps(game))
    assert len(pickle.dumps([joint] * 2)) < len(pickle.dumps(joint)) + 100
    by_facts = game.state(joint.facts)
    assert by_facts.mover == 1 and by_facts.legal_actions() == joint.legal_actions()
    assert by_facts.next(0) == joint.next(0) and hash(by_facts.next(0)) == hash(joint.next(0))
    restored = pickle.loads(pickle.dumps(by_facts))
    assert restored == joint and not restored.is_reached
    np.testing.assert_array_equal(by_facts.observation(), joint.observation())
    other = ggp.load("tic_tac_toe", engine="interpreter")
    assert other.initial() == state and hash(other.initial()) == hash(state)


def test_a_single_move_needs_one_role_that_moves() -> None:
    state = ggp.load("rock_paper_scissors").initial()
    assert state.mover is None
    for ask in (lambda: state.next(0), state.legal_actions):
        with pytest.raises(ggp.UsageError, match="several roles choose here"):
            ask()
    game = ggp.load("tic_tac_toe")
    ended = game.initial()
    while not ended.is_terminal:
        ended = ended.next(ended.legal_actions()[0])
    assert ended.mover is None
    with pytest.raises(ggp.GameOver):
        ended.legal_actions()
    with pytest.raises(ggp.GameOver):
        ended.next(0)
    with pytest.raises(ggp.IllegalAction, match="xplayer has no action 10"):
        game.initial().next(10)
    with pytest.raises(ggp.IllegalAction, match=r"`noop` is not legal for xplayer"):
        game.initial().next("noop")


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig_dice", "monty_hall", "maze", "pacman_small", "three_player_tree"])
def test_states_of_the_network_follow_the_interpreter(name: str) -> None:
    game, oracle = ggp.load(name), ggp.load(name, engine="interpreter")
    draws = np.random.default_rng(4)
    for _ in range(3):
        state, other = game.initial(), oracle.initial()
        for _ in range(25):
            assert state.facts == other.facts and state.is_terminal == other.is_terminal
            assert state == other and hash(state) == hash(other) and state.mover == other.mover
            if state.is_terminal:
                break
            chosen = [int(draws.choice(state.legal_actions(role))) for role in game.roles]
            terms = [game.action_to_term(role, action) for role, action in zip(game.roles, chosen, strict=True)]
            assert all(term in other.legal(role) for role, term in zip(game.roles, terms, strict=True))
            state, other = state.next(chosen), other.next(terms)
