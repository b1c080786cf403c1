"""The examples run. Those that need torch are run as `python examples/NAME.py`; their tests learn for a moment only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_random_play_estimates_the_same_in_three_ways() -> None:
    lines = [line.split() for line in _run("random_play.py").splitlines()]
    means = {(" ".join(words[:-4]), words[-4]): (float(words[-3]), float(words[-1])) for words in lines}
    assert len(means) == 6
    for role in ("xplayer", "oplayer"):
        mean, _ = means["in lanes", role]
        for way in ("one at a time", "in a batch"):
            other, error = means[way, role]
            assert abs(other - mean) < 5 * error


def test_the_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    os.environ.setdefault("PYTHONPATH", str(EXAMPLES.parent))
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    shown = [set(output.get("data", {})) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/svg+xml" in kinds for kinds in shown) >= 2
    assert sum("text/html" in kinds for kinds in shown) >= 4
    assert not any("error" == output.output_type for cell in notebook.cells for output in cell.get("outputs", []))


def test_regrets_fall() -> None:
    points = re.findall(r"(\S+) +(\S.*?) +([\d,]+) iterations +[\d.]+ s +([\d.]+)", _run("regrets.py", "--most", "10"))
    assert len(points) == 45 and len({point[:2] for point in points}) == 15
    plus = [float(point[3]) for point in points if point[:2] == ("leduc_poker", "cfr, plus")]
    assert plus == sorted(plus, reverse=True) and plus[-1] < plus[0] / 3


def test_an_alpha_zero_learns() -> None:
    pytest.importorskip("torch")
    shares = [float(share) for share in re.findall(r"network ([\d.]+)%", _run("alpha_zero.py", "--rounds", "4"))]
    assert len(shares) == 5 and shares[-1] > shares[0] + 5


def test_an_alpha_zero_climbs_the_ladder(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    rows = tmp_path / "elo.csv"
    said = _run("alpha_zero.py", "tic_tac_toe", "--rounds", "3", "--opponent", "20", "--rows", str(rows))
    assert len(re.findall(r"of 60 points against mcts: Elo [+-]\d+", said)) >= 1
    lines = rows.read_text().splitlines()
    assert lines[0] == "minutes,rounds,share,elo" and [line.split(",")[1] for line in lines[1:]] == ["0", "1", "2", "3"]


def test_masked_ppo_learns() -> None:
    pytest.importorskip("sb3_contrib")
    shown = _run("masked_ppo.py", "tic_tac_toe", "--steps", "50000")
    chance = float(re.findall(r"random play keeps the value in ([\d.]+)%", shown)[0])
    shares = [float(share) for share in re.findall(r"steps: ([\d.]+)%", shown)]
    assert shares[-1] > chance + 10


def _run(*arguments: str) -> str:
    """The output of an example."""
    package = str(EXAMPLES.parent)
    command = [sys.executable, str(EXAMPLES / arguments[0]), *arguments[1:]]
    environment = {**os.environ, "PYTHONPATH": package, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=package, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
