"""Work in parts: on executors, with results in a file, and put together."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp import tasks

PLAYERS = ["montecarlo:visits=20,single", "random"]
OPTIONS: dict[str, Any] = {"games": 30, "seed": 5, "swap": True, "start_clock": 20, "play_clock": 20}


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


def first_legal(state: ggp.State, role: str) -> str:
    return state.legal(role)[0]


def square(task: int) -> int:
    return task * task


def end_the_process(task: int) -> int:
    if task == 3:
        time.sleep(0.5)
        os._exit(1)
    return task


def die_the_first_time(marker: str) -> int:
    if not os.path.exists(marker):
        Path(marker).touch()
        os._exit(1)
    return 1


def test_matches_on_a_pool_are_those_of_one_process(tic_tac_toe: ggp.Game, pool: Executor) -> None:
    alone = tic_tac_toe.match(PLAYERS, **OPTIONS)
    assert tic_tac_toe.match(PLAYERS, executor=pool, **OPTIONS) == alone
    assert len(alone.matches) == 30 and len({match.moves for match in alone.matches}) > 20
    played = tic_tac_toe.match([first_legal, "random"], executor=pool, **OPTIONS)
    assert played == tic_tac_toe.match([first_legal, "random"], **OPTIONS)
    assert played.standings[0].player == "first_legal"
    none = {**OPTIONS, "games": 0}
    assert tic_tac_toe.match(PLAYERS, executor=pool, **none) == tic_tac_toe.match(PLAYERS, **none)
    with pytest.raises(ggp.UsageError):
        tic_tac_toe.match(PLAYERS, executor=pool, **{**OPTIONS, "games": -1})
    with pytest.raises(ggp.UsageError, match="no player `clever`"):
        tic_tac_toe.match(["clever", "random"], executor=pool, **OPTIONS)


def test_random_games_on_a_pool_are_those_of_one_process(tic_tac_toe: ggp.Game, pool: Executor) -> None:
    for games in (0, 1, 100, 100_003):
        assert tic_tac_toe.simulate(games, seed=3, executor=pool) == tic_tac_toe.simulate(games, seed=3)
    state = tic_tac_toe.initial().next(4)
    some = tic_tac_toe.simulate(50_000, state=state, executor=pool)
    assert some == tic_tac_toe.simulate(50_000, state=state)
    with pytest.raises(ggp.UsageError, match="the state is of nim"):
        tic_tac_toe.simulate(50_000, state=ggp.load("nim").initial(), executor=pool)


def test_a_tournament_on_a_pool(tic_tac_toe: ggp.Game, pool: Executor, tmp_path: Path) -> None:
    players = ["montecarlo:visits=20,single", "random", first_legal]
    clocks = {"start_clock": 20.0, "play_clock": 20.0}
    games = [tic_tac_toe, ggp.load("minimax_tree")]
    found = ggp.tournament(games, players, matches=4, executor=pool, file=tmp_path / "matches", **clocks)
    assert found == ggp.tournament(games, players, matches=4, file=tmp_path / "matches", **clocks)
    assert found == ggp.tournament(games, players, matches=4, **clocks)
    assert [(encounter.game, encounter.players) for encounter in found.encounters][:2] == [
        ("tic_tac_toe", ("montecarlo:visits=20,single", "random")),
        ("tic_tac_toe", ("montecarlo:visits=20,single", "first_legal")),
    ]
    assert all(rating.wins + rating.draws + rating.losses == 16 for rating in found.ratings)
    assert sum(rating.elo[0] for rating in found.ratings) == pytest.approx(0, abs=1e-6)
    assert found.ratings[0].elo[0] > found.ratings[1].elo[0]
    assert "<td>first_legal</td>" in found._repr_html_()
    with pytest.raises(ggp.UsageError, match="not a game of two players"):
        ggp.tournament("eight_puzzle", players)
    with pytest.raises(ggp.UsageError, match="two players or more"):
        ggp.tournament("tic_tac_toe", ["random"])
    with pytest.raises(ggp.UsageError, match="name of its own"):
        ggp.tournament("tic_tac_toe", ["random", "random"])


def test_tuning_is_that_of_the_command_line(tic_tac_toe: ggp.Game, pool: Executor, tmp_path: Path) -> None:
    def tune(**options: Any) -> list[ggp.tuning.Candidate]:
        values = {"visits": [1, 60, 3], "seed": [1]}
        return ggp.tune(tic_tac_toe, "montecarlo:visits=30,single", values, matches=4, start_clock=60, play_clock=60, **options)

    found = tune()
    assert tune(executor=pool, file=tmp_path / "rounds") == found == tune(file=tmp_path / "rounds")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["rounds.1", "rounds.2"]
    assert found[0].options["visits"] == 60 and [candidate.rounds for candidate in found] == [2, 2, 1]
    options = ["--option", "visits=1,60,3", "--option", "seed=1", "--games", "4", "--start-clock", "60", "--play-clock", "60"]
    shell = [sys.executable, "-m", "ggp", "tune", "tic_tac_toe", "montecarlo:visits=30,single", *options, "--json"]
    answer = json.loads(subprocess.run(shell, capture_output=True, text=True, check=True).stdout)
    theirs = [candidate["tally"]["standings"][0] for candidate in answer["candidates"]]
    keys = ("wins", "draws", "losses", "faults")
    assert [[getattr(one, key) for key in keys] for one in found] == [[one[key] for key in keys] for one in theirs]
    for options in ({}, {"visits": []}):
        with pytest.raises(ggp.UsageError, match="no values to try"):
            ggp.tune(tic_tac_toe, "mcts", options)


def test_what_is_finished_is_not_done_again(tic_tac_toe: ggp.Game, tmp_path: Path) -> None:
    file, told = tmp_path / "games.jsonl", list[tuple[int, int]]()

    def interrupt(finished: int, parts: int) -> None:
        told.append((finished, parts))
        if finished == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tic_tac_toe.match(PLAYERS, file=file, progress=interrupt, **OPTIONS)
    # The last line is one that was not written to its end.
    with open(file, "a") as kept:
        kept.write('[29, {"tal')
    played = tic_tac_toe.match(PLAYERS, file=file, progress=lambda *done: told.append(done), **OPTIONS)
    assert told == [(n, 30) for n in range(11)] + [(n, 30) for n in range(10, 31)]
    assert played == tic_tac_toe.match(PLAYERS, **OPTIONS)
    assert len(file.read_text().splitlines()) == 31
    # The number of threads changes nothing.
    assert tic_tac_toe.match(PLAYERS, file=file, jobs=2, **OPTIONS) == played
    for changed in ({"seed": 6}, {"games": 31}, {"play_clock": 3}):
        with pytest.raises(ggp.UsageError, match="results of other work"):
            tic_tac_toe.match(PLAYERS, file=file, **{**OPTIONS, **changed})
    with pytest.raises(ggp.UsageError, match="differs in players"):
        tic_tac_toe.match(PLAYERS[::-1], file=file, **OPTIONS)
    with pytest.raises(ggp.UsageError, match="differs in game, rules_sha256"):
        ggp.load("connect_four_4x4").match(PLAYERS, file=file, **OPTIONS)
    assert len(file.read_text().splitlines()) == 31


def test_a_broken_pool_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "results"
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        with pytest.raises(ggp.BrokenPool, match=r"after 3 of 5 tasks; the same call goes on from .*results"):
            tasks.run(end_the_process, range(5), executor=executor, file=file)
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        with pytest.raises(ggp.BrokenPool, match="give `file=`"):
            tasks.run(end_the_process, [3], executor=executor)
    assert sorted(json.loads(line)[0] for line in file.read_text().splitlines()[1:]) == [0, 1, 2]


def identity(game: ggp.Game, task: int) -> list[int]:
    return [os.getpid(), id(game)]


def test_a_game_is_loaded_once_in_each_process(tic_tac_toe: ggp.Game, pool: Executor) -> None:
    found = tasks.run(partial(identity, tic_tac_toe), range(20), executor=pool)
    processes = {process for process, _ in found}
    assert os.getpid() not in processes and len({tuple(pair) for pair in found}) == len(processes)


def test_work_of_ones_own(tmp_path: Path) -> None:
    assert tasks.run(square, range(5)) == [0, 1, 4, 9, 16]
    assert tasks.run(square, []) == []
    with ThreadPoolExecutor(2) as executor:
        assert tasks.run(square, range(5), executor=executor, file=tmp_path / "squares") == [0, 1, 4, 9, 16]
    with pytest.raises(ggp.UsageError, match="differs in function"):
        tasks.run(end_the_process, range(5), file=tmp_path / "squares")
    with pytest.raises(ZeroDivisionError):
        tasks.run(lambda task: 1 // task, [1, 0])
    with pytest.raises(ggp.UsageError, match="values of JSON"):
        tasks.run(square, [object()], file=tmp_path / "objects")  # type: ignore[list-item]
    with pytest.raises(ggp.UsageError, match="values of JSON"):
        tasks.run(lambda task: object(), [1], file=tmp_path / "objects")
    (tmp_path / "text").write_text("something else\n")
    with pytest.raises(ggp.UsageError, match="has no results of tasks"):
        tasks.run(square, [1], file=tmp_path / "text")
    assert (tmp_path / "text").read_text() == "something else\n"


def test_a_cluster_of_dask(tic_tac_toe: ggp.Game, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install ggp[dask]")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        assert tic_tac_toe.match(PLAYERS, executor=executor, **OPTIONS) == tic_tac_toe.match(PLAYERS, **OPTIONS)
        found = ggp.tournament(tic_tac_toe, ["random", first_legal], executor=executor)
        assert found == ggp.tournament(tic_tac_toe, ["random", first_legal])
        assert tic_tac_toe.simulate(40_000, executor=executor) == tic_tac_toe.simulate(40_000)
        # What a killed worker had is done again.
        assert tasks.run(die_the_first_time, [str(tmp_path / "died")] * 2, executor=executor) == [1, 1]
        assert (tmp_path / "died").exists()


PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.parametrize(("word", "needs"), [("LocalCluster", "distributed"), ("RayExecutor", "ray")])
def test_the_examples_of_the_page_run(word: str, needs: str) -> None:
    """In a process of their own, from the beginning."""
    pytest.importorskip(needs, reason=f"{needs} is not installed")
    paragraphs = PAGE.read_text().split("\n\n")
    [example] = [text for text in paragraphs if word in text and text.startswith("    ")]
    code = "import ggp\nif __name__ == '__main__':\n" + example + "\n    print('played')\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and ran.stdout.endswith("played\n"), ran.stderr


def test_a_cluster_of_ray(tic_tac_toe: ggp.Game, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ggp[ray]")
    pytest.importorskip("ggp.ray")
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    try:
        with ggp.ray.RayExecutor() as executor:
            assert tic_tac_toe.match(PLAYERS, executor=executor, **OPTIONS) == tic_tac_toe.match(PLAYERS, **OPTIONS)
            found = ggp.tournament(tic_tac_toe, ["random", "legal"], executor=executor)
            assert found == ggp.tournament(tic_tac_toe, ["random", "legal"])
            # What a killed worker had is done again.
            assert tasks.run(die_the_first_time, [str(tmp_path / "died")] * 2, executor=executor) == [1, 1]
            assert (tmp_path / "died").exists()
        with pytest.raises(RuntimeError, match="shut down"):
            executor.submit(square, 1)
    finally:
        ray.shutdown()
