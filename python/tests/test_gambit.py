"""Trees that `tree --efg` writes, read by Gambit's own library: its equilibria have the values of our searches."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import CORPUS

pygambit: Any = pytest.importorskip("pygambit", reason="Gambit is not installed: pip install pygambit")

PENNIES = """
role(even) role(odd) init(choosing)
legal(R,heads) :- role(R) & true(choosing)
legal(R,tails) :- role(R) & true(choosing)
next(same) :- does(even,C) & does(odd,C)
terminal :- ~true(choosing)
goal(even,100) :- true(same)
goal(even,0) :- ~true(same)
goal(odd,0) :- true(same)
goal(odd,100) :- ~true(same)
"""
PRISONERS = CORPUS.parent / "cases" / "searches" / "prisoners.hrf"


def ask(game: str | Path, *commands: str) -> list[dict[str, Any]]:
    """The answers of the prompt to commands, as JSON."""
    run = [sys.executable, "-m", "ggp", "eval", "--json", str(game), *commands]
    asked = subprocess.run(run, capture_output=True, text=True, check=True)
    return [json.loads(line)["answer"] for line in asked.stdout.splitlines()]


def gambits_payoffs(file: Path) -> list[float]:
    """What each player gets in the first equilibrium that Gambit finds."""
    game = pygambit.read_efg(str(file))
    two = len(game.players) == 2
    solver = pygambit.nash.lp_solve if two and game.is_const_sum else pygambit.nash.enumpure_solve
    equilibrium = solver(game).equilibria[0]
    return [float(equilibrium.payoff(player)) for player in game.players]


@pytest.mark.parametrize(
    ("game", "question"),
    [
        ("kuhn_poker", "equilibrium"),
        ("matching_pennies", "equilibrium"),
        ("expectimax_tree", "equilibrium"),
        ("prisoners", "nash"),
    ],
)
def test_gambit_finds_the_same_values(game: str, question: str, tmp_path: Path) -> None:
    sheet: str | Path = game
    if game == "matching_pennies":
        sheet = tmp_path / "matching_pennies.hrf"
        sheet.write_text(PENNIES)
    if game == "prisoners":
        if not PRISONERS.exists():
            pytest.skip("there is no corpus")
        sheet = PRISONERS
    file = tmp_path / "tree.efg"
    answer, _ = ask(sheet, question, f"tree --efg {file}")
    ours = [value["mean"] for value in answer["values"]]
    assert gambits_payoffs(file) == pytest.approx(ours, abs=1e-6)
