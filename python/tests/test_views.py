"""What roles know: states, batches and adapters show a role its own moves and percepts, and nothing else."""

from __future__ import annotations

import functools
import importlib
import os
import pickle
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pytest

import ggp
from ggp._views import views_of
from ggp.hidden import ViewStep

SHEETS = [name for name in ggp.library() if ggp.load(name, engine="interpreter").has_percepts]
"""The games of the library with rules for `sees`."""

IS_THOROUGH = "GGP_THOROUGH" in os.environ
MATCHES = 200 if IS_THOROUGH else 20

Steps = tuple[tuple[str, tuple[str, ...]], ...]
"""The moves of a role, each with the percepts of its joint move: what the rules tell it."""


load = functools.cache(lambda name, engine="auto": ggp.load(name, engine=engine))


class Reference:
    """The views of a match, by the interpreter alone."""

    def __init__(self, name: str) -> None:
        self.game = load(name, "interpreter")
        self.state = self.game.initial()
        self.views: dict[str, Steps] = {role: () for role in self.players}
        self.joint_moves: list[tuple[str, ...]] = []

    @property
    def players(self) -> list[str]:
        return [role for role in self.game.roles if role != "random"]

    def play(self, joint_move: list[str]) -> None:
        for role in self.players:
            told = tuple(self.game.percepts(self.state, role, joint_move))
            own = joint_move[self.game.roles.index(role)]
            self.views[role] = (*self.views[role], (own, told))
        self.state = self.state.next(joint_move)
        self.joint_moves.append(tuple(joint_move))


class Door:
    """What was shown to roles, by what they know: the same must be shown whatever else has happened."""

    def __init__(self) -> None:
        self.shown: dict[Hashable, tuple[Any, Hashable]] = {}
        self.repeated = 0
        """How often a role was in the same information set after another match."""

    def show(self, role: str, reference: Reference, shown: Any, asked: int = 0) -> None:
        """`asked` is how many roles have already chosen in a ply in which several do."""
        match = tuple(reference.joint_moves)
        known, other = self.shown.setdefault((role, reference.views[role], asked), (shown, match))
        self.repeated += match != other
        np.testing.assert_equal(shown, known)


def steps_of(view: tuple[ViewStep, ...]) -> Steps:
    return tuple((step.move, step.percepts) for step in view)


def random_moves(state: ggp.State, draws: np.random.Generator) -> list[str]:
    return [str(draws.choice(state.legal(role))) for role in state.game.roles]


@pytest.mark.parametrize("name", SHEETS)
def test_a_state_shows_a_role_its_moves_and_percepts(name: str) -> None:
    game, draws, door = load(name), np.random.default_rng(1), Door()
    for _ in range(MATCHES):
        reference, state = Reference(name), game.initial()
        while not state.is_terminal:
            for role in reference.players:
                assert steps_of(state.view(role)) == reference.views[role]
                door.show(role, reference, (state.view(role), state.legal(role)))
            joint_move = random_moves(state, draws)
            for role, chosen in zip(game.roles, joint_move, strict=True):
                if role != "random":
                    last = state.next(joint_move).view(role)[-1]
                    assert last.move == chosen and last.is_choice == (len(state.legal(role)) > 1)
            state = state.next(joint_move)
            reference.play(joint_move)
        assert state.facts == reference.state.facts
    assert door.repeated


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("observation", ["float32", "planes"])
def test_a_batch_shows_a_role_its_moves_and_percepts(name: str, observation: Any) -> None:
    game, door, movers_door = load(name), Door(), Door()
    if observation == "planes" and game.board is None:
        pytest.skip("no board")
    watched = range(0, 7 * MATCHES, 7)
    env = ggp.BatchEnv(game, 7 * MATCHES, seed=2, observation=observation, random_role=False, autoreset="disabled")
    references = {index: Reference(name) for index in watched}
    features, views = env.features, views_of(game)
    for _ in range(40):
        movers, observations = env.movers, env.observations
        seen = {role: env.view(role) for role in references[0].players}
        told = env.percepts
        for index, reference in references.items():
            if reference.state.is_terminal:
                assert not observations[index].any()
                continue
            if movers[index] < 0 or env.roles[movers[index]] == "random":
                assert not observations[index].any()
            else:
                mover = env.roles[movers[index]]
                np.testing.assert_array_equal(observations[index], seen[mover][index])
                movers_door.show(mover, reference, observations[index].copy())
            for role, shown in seen.items():
                door.show(role, reference, shown[index])
                last = reference.views[role][-1:]
                percepts = [name for name, has in zip(env.percept_names, told[index, env.roles.index(role)]) if has]
                assert percepts == [percept for _, own in last for percept in own]
                if observation == "float32":
                    steps = [ViewStep(move, False, own) for move, own in reference.views[role]]
                    np.testing.assert_array_equal(shown[index], views.encode(steps))
        if all(reference.state.is_terminal for reference in references.values()):
            break
        actions = env.sample()
        for index, reference in references.items():
            if not reference.state.is_terminal:
                reference.play([game.action_to_term(role, int(actions[index, i])) for i, role in enumerate(env.roles)])
        env.step(actions)
        for index, reference in references.items():
            assert env.state(index).facts == reference.state.facts
    assert door.repeated and len(features) == len(set(features)) > 0


def test_views_are_those_of_known_games() -> None:
    game = ggp.load("kuhn_poker")
    dealt = game.initial()
    while dealt.legal("random") != ["noop"]:
        dealt = dealt.next({"random": dealt.legal("random")[0]})
    told = [percept for step in dealt.view("first") for percept in step.percepts]
    assert told == ["own_card(jack)"]
    bet = dealt.next("bet")
    assert bet.view("first")[-1] == ViewStep("bet", True, ()) and bet.view("second")[-1] == ViewStep("noop", False, ("bet",))
    possible = dealt.infoset("first")
    assert possible.is_complete and len(possible) == 2 and sum(possible.probabilities) == pytest.approx(1)
    assert dealt in possible.states
    assert game.cfr(iterations=200).at("first", dealt.view("first")) is not None
    with pytest.raises(ggp.UsageError, match="are not known"):
        possible.states[0].view("first")


@pytest.mark.parametrize("name", SHEETS)
def test_an_information_set_has_the_states_of_all_matches_with_that_view(name: str) -> None:
    game, draws = load(name), np.random.default_rng(3)
    state, lines = game.initial(), []
    for _ in range(3):
        joint_move = random_moves(state, draws)
        state = state.next(joint_move)
        lines.append(f"do {' '.join(joint_move)}")
        for role in game.roles:
            if role == "random":
                continue
            possible = state.infoset(role, most=200, seed=1)
            assert sum(possible.probabilities) == pytest.approx(1)
            assert all(other.legal(role) == state.legal(role) for other in possible.states)
            if possible.is_complete:
                assert state in possible.states and game.infoset(role, state.view(role), most=200) == possible
                assert game.ask([*lines, f"possible 1 {role}"]).data["states"] == len(possible)


def test_pickles_keep_views() -> None:
    draws = np.random.default_rng(5)
    for engine in ("auto", "interpreter"):
        state = ggp.load("phantom_tic_tac_toe", engine=engine).initial()
        for _ in range(4):
            state = state.next(random_moves(state, draws))
        again = pickle.loads(pickle.dumps(state))
        assert again == state and again.view("xplayer") == state.view("xplayer")
        unknown = state.infoset("oplayer").states[0]
        with pytest.raises(ggp.UsageError, match="are not known"):
            pickle.loads(pickle.dumps(unknown)).view("oplayer")


def test_long_histories_are_freed_without_recursion() -> None:
    sheet = """
role(a) role(b)
base(odd) base(even)
input(P,M) :- role(P) & move(M)
init(even)
legal(P,M) :- role(P) & move(M)
move(stay) move(go)
next(odd) :- true(even)
next(even) :- true(odd)
sees(P,M) :- does(b,M) & role(P)
terminal :- true(never)
goal(P,50) :- role(P)
"""
    state = ggp.load(sheet).initial()
    for _ in range(200_000):
        state = state.next([0, 1])
    del state


def test_only_roles_of_games_with_percepts_have_views() -> None:
    with pytest.raises(ggp.UsageError, match="every role knows the state"):
        ggp.load("tic_tac_toe").initial().view("xplayer")
    state = ggp.load("kuhn_poker").initial()
    for ask in (state.view, state.infoset):
        with pytest.raises(ggp.UsageError, match="it knows nothing"):
            ask("random")
        with pytest.raises(ggp.UsageError, match="no role"):
            ask("third")
        with pytest.raises(ggp.UsageError, match="no role"):
            ask(7)
    for wrong in ({"most": 0}, {"seconds": 0}, {"seconds": float("nan")}, {"most": -1}):
        with pytest.raises(ggp.UsageError):
            state.infoset("first", **wrong)  # type: ignore[arg-type]
    nowhere = ViewStep("noop", False, ("no_percept",))
    assert len(state.game.infoset("first", [nowhere])) == 0
    for sheet, role in (("tic_tac_toe", "xplayer"), ("kuhn_poker", "random"), ("kuhn_poker", "third")):
        with pytest.raises(ggp.UsageError):
            ggp.load(sheet).infoset(role, [])
    assert state.view("first") == () and state.infoset("first").states == (state,)


def test_a_batch_of_views_refuses_what_shows_the_state() -> None:
    env = ggp.BatchEnv("kuhn_poker", 70, seed=1)
    with pytest.raises(ggp.UsageError, match="hidden=False"):
        env.values(10)
    with pytest.raises(ggp.UsageError, match="no role"):
        env.view("random")
    with pytest.raises(ggp.UsageError, match="has no rules for `sees`"):
        ggp.BatchEnv("tic_tac_toe", 3).percepts
    whole = ggp.BatchEnv("kuhn_poker", 70, seed=1, hidden=False, observation="bool")
    assert whole.features == () and whole.observations.shape == (70, len(whole.game.fluents))
    with pytest.raises(ggp.UsageError, match="hidden=False was asked for"):
        whole.view("first")
    with pytest.raises(ggp.ArrayTypeError):
        env.observe(np.zeros((70, 1), np.float32))
    with pytest.raises(ggp.ShapeError):
        env.observe(np.zeros((70, 50), np.uint64))


def test_a_batch_of_views_is_saved_and_set(tmp_path: Any) -> None:
    game = ggp.load("phantom_tic_tac_toe")
    env = ggp.BatchEnv(game, 70, seed=1, observation="bool")
    for _ in range(3):
        env.step(env.sample())
    env.save(tmp_path / "views.npz")
    again = ggp.BatchEnv.load(tmp_path / "views.npz")
    for _ in range(5):
        for role in env.roles:
            np.testing.assert_array_equal(env.view(role), again.view(role))
        actions = env.sample().copy()
        np.testing.assert_array_equal(actions, again.sample())
        env.step(actions), again.step(actions)
    state = game.initial().next(["try(1,1)", "noop"]).next(["noop", "try(2,2)"])
    env.set_state(3, state)
    views = views_of(game)
    for role in env.roles:
        np.testing.assert_array_equal(env.view(role)[3], views.encode(state.view(role)))
    with pytest.raises(ggp.UsageError, match="are not known"):
        env.set_state(3, env.state(4))


def test_the_last_observations_of_a_batch_are_views() -> None:
    env = ggp.BatchEnv("kuhn_poker", 64, seed=1, autoreset="same_step", observation="packed")
    other = ggp.BatchEnv("kuhn_poker", 64, seed=1, autoreset="disabled", observation="packed")
    for _ in range(2):
        env.step(env.sample())
        other.step(other.sample())
    for index, role in enumerate(env.roles):
        np.testing.assert_array_equal(env.final_observations[:, index], other.view(role))


Shown = Callable[[str], Any]


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("observation", ["bool", "planes"])
def test_pettingzoo_shows_an_agent_its_moves_and_percepts(name: str, observation: Any) -> None:
    environments = pytest.importorskip("ggp.pettingzoo")
    if observation == "planes" and load(name).board is None:
        pytest.skip("no board")
    draws, door = np.random.default_rng(7), Door()
    env = environments.raw_env(name, observation=observation)
    for match in range(MATCHES):
        env.reset(seed=match)
        reference = Reference(name)
        while True:
            follow(reference, env.match.state)
            for agent in env.agents:
                seen = env.observe(agent)
                shown = seen["observation"], env.agent_selection == agent, seen["action_mask"]
                door.show(agent, reference, shown, len(env._chosen))
            if env.terminations[env.agent_selection]:
                break
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(draws.choice(np.flatnonzero(mask))))
    assert door.repeated


def follow(reference: Reference, state: ggp.State) -> None:
    """Plays the joint moves that have led to a state."""
    from ggp._ggp import history

    played = history(state)
    assert played is not None
    for joint_move in played[1][len(reference.joint_moves) :]:
        reference.play(joint_move)
    assert reference.state.facts == state.facts


@pytest.mark.parametrize("name", SHEETS)
def test_gymnasium_shows_the_agent_its_moves_and_percepts(name: str) -> None:
    environments = pytest.importorskip("ggp.gymnasium")
    draws = np.random.default_rng(9)
    for role in (role for role in load(name).roles if role != "random"):
        door = Door()
        env = environments.GgpEnv(name, role)
        for match in range(MATCHES):
            observation, info = env.reset(seed=match)
            reference, terminated = Reference(name), False
            while not terminated:
                follow(reference, env.state)
                door.show(role, reference, (observation, info["action_mask"]))
                action = draws.choice(np.flatnonzero(info["action_mask"]))
                observation, _, terminated, _, info = env.step(action)
        # Twenty matches of hidden goofspiel need not have the same view.
        assert door.repeated or name == "goofspiel_hidden"
        assert environments.GgpEnv(name, role, hidden=False).observation_space.shape == (len(env.game.fluents),)


def test_opponents_of_gymnasium_see_what_they_know() -> None:
    environments = pytest.importorskip("ggp.gymnasium")
    views = views_of(ggp.load("kuhn_poker"))

    def follow_card(role: str, seen: Any, masks: Any) -> Any:
        assert role == "second" and seen.shape[1:] == (len(views.features),)
        cards = seen[:, [views.numbers[f"ever saw(own_card({card}))"] for card in ("jack", "queen", "king")]]
        # Who is dealt a card knows it in the next ply.
        assert set(cards.sum(axis=1)) <= {0, 1}
        # Bets with a king alone; actions are bet, noop, pass.
        actions = np.where(cards[:, 2] == 1, 0, masks.shape[1] - 1)
        return np.where(masks[np.arange(len(masks)), actions], actions, np.argmax(masks, axis=1))

    single = environments.GgpEnv("kuhn_poker", "first", opponents=follow_card)
    many = environments.GgpVectorEnv("kuhn_poker", 16, "first", opponents=follow_card)
    seen, infos = many.reset(seed=3)
    for index in range(16):
        observation, info = single.reset(seed=3 + index)
        np.testing.assert_array_equal(observation, seen[index])
        np.testing.assert_array_equal(info["action_mask"], infos["action_mask"][index])


@pytest.mark.parametrize("name", SHEETS)
def test_openspiel_shows_a_player_its_moves_and_percepts(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import ggp.openspiel  # noqa: F401

    game = pyspiel.load_game(f"ggp(rules={name},utility=general_sum,max_game_length=30)")
    draws, door = np.random.default_rng(4), Door()
    assert game.get_type().provides_observation_tensor
    for _ in range(MATCHES if IS_THOROUGH else 8):
        reference, state = Reference(name), game.new_initial_state()
        while not state.is_terminal():
            follow(reference, state.position)
            for player, role in enumerate(reference.players):
                pending = state._table.role_of_player[player] in state._chosen
                shown = [state.information_state_string(player), state.observation_string(player)]
                shown += [state.observation_tensor(player)]
                if game.get_type().provides_information_state_tensor:
                    shown += [state.information_state_tensor(player)]
                # A choice in a ply that is not complete is known to its player alone.
                if not pending:
                    door.show(role, reference, shown)
            action = int(draws.choice(state.legal_actions()))
            # Few lines of hidden ships agree with all shots.
            is_quick = IS_THOROUGH or name != "battleship_small"
            if is_quick and not state.is_chance_node() and draws.random() < 0.1:
                player = state.current_player()
                other = state.resample_from_infostate(player, draws.random)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.legal_actions() == state.legal_actions() and other.current_player() == player
            state.apply_action(action)
    assert door.repeated


def test_states_that_openspiel_draws_are_all_that_are_possible() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import ggp.openspiel  # noqa: F401

    draws = np.random.default_rng(0)
    state = pyspiel.load_game("ggp(rules=kuhn_poker)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    others = [str(state.resample_from_infostate(0, draws.random)) for _ in range(200)]
    counts = [others.count(other) for other in sorted(set(others))]
    assert len(counts) == 2 and min(counts) > 70


@pytest.mark.parametrize("library", ["jax", "torch"])
def test_pure_functions_show_a_role_what_a_batch_shows_it(library: str) -> None:
    pytest.importorskip(library)
    functions = pytest.importorskip(f"ggp.{library}")
    game = ggp.load("kuhn_poker")
    env, batch = functions.env(game, 40), ggp.BatchEnv(game, 40, random_role=False, observation="bool", autoreset="disabled")
    own = importlib.import_module(library)
    array = own.asarray if library == "torch" else own.numpy.asarray
    step, observe = env.step, env.observe
    if library == "jax":
        step, observe = own.jit(step), own.jit(observe, static_argnums=1)
    states = env.initial()
    for _ in range(4):
        for role in ("first", "second"):
            np.testing.assert_array_equal(np.asarray(observe(states, role)), batch.view(role))
        actions = batch.sample().astype(np.int32)
        states, _, _ = step(states, array(actions))
        batch.step(actions)
    with pytest.raises(ggp.UsageError, match="a role is named"):
        env.observe(states)
    with pytest.raises(ggp.UsageError, match="a role is named"):
        env.observe(states, "random")
    assert functions.env(game, 40, hidden=False).observe(functions.env(game, 40, hidden=False).initial()).shape[1] == 16


def test_agents_of_openspiel_learn_by_information_states() -> None:
    pytest.importorskip("pyspiel")
    environment = pytest.importorskip("open_spiel.python.rl_environment")
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    import pyspiel

    import ggp.openspiel  # noqa: F401

    env = environment.Environment(pyspiel.load_game("ggp(rules=kuhn_poker)"))
    step = env.reset()
    player = step.observations["current_player"]
    assert len(step.observations["info_state"][player]) == env.observation_spec()["info_state"][0]
    game = pyspiel.load_game("ggp(rules=kuhn_poker)")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=2.0,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        max_simulations=50,
        max_world_samples=20,
    )
    assert bot.step(state) in state.legal_actions()


def test_functions_in_matches_are_told_what_their_role_knows() -> None:
    game = ggp.load("kuhn_poker")
    told: dict[tuple[str, Any], tuple[str, ...]] = {}

    def cautious(role: str, view: Any, legal: Any) -> dict[str, float]:
        assert all(isinstance(step, ViewStep) for step in view) and role in ("first", "second")
        assert told.setdefault((role, view), legal) == legal
        return {move: float(move == "pass") for move in legal}

    played = game.match([cautious, "random"], games=30, start_clock=5, play_clock=5)
    assert len(told) > 2 and all("bet" not in moves[0] for match in played.matches for moves in match.moves)
    found = game.cfr(iterations=500)
    assert game.match([found, cautious], games=4, start_clock=5, play_clock=5, swap=True).matches
    seen: list[ggp.State] = []

    def sees_all(state: ggp.State, role: str) -> str:
        seen.append(state)
        return state.legal(role)[0]

    game.match([sees_all, "random"], hidden=False, start_clock=5, play_clock=5)
    assert seen and all(isinstance(state, ggp.State) for state in seen)
    with pytest.raises(ggp.UsageError, match="which must be 1"):
        game.match([lambda role, view, legal: {legal[0]: 0.5}, "random"], start_clock=5, play_clock=5)
    with pytest.raises(ggp.IllegalAction):
        game.match([lambda role, view, legal: {"raise": 1}, "random"], start_clock=5, play_clock=5)


@pytest.mark.parametrize("observation", ["bool", "float32", "planes"])
def test_many_environments_of_gymnasium_show_what_single_ones_show(observation: Any) -> None:
    environments = pytest.importorskip("ggp.gymnasium")
    name, n, draws = "phantom_tic_tac_toe", 6, np.random.default_rng(2)
    many = environments.GgpVectorEnv(name, n, "oplayer", observation=observation, autoreset_mode="Disabled")
    singles = [environments.GgpEnv(name, "oplayer", observation=observation) for _ in range(n)]
    assert many.single_observation_space == singles[0].observation_space
    seen, infos = many.reset(seed=4)
    for index, single in enumerate(singles):
        np.testing.assert_array_equal(single.reset(seed=4 + index)[0], seen[index])
    for _ in range(2):
        actions = np.array([draws.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        seen, _, terminations, _, infos = many.step(actions)
        for index, single in enumerate(singles):
            np.testing.assert_array_equal(single.step(actions[index])[0], seen[index])
        assert not terminations.any()
