"""Fixtures of several tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ggp

CORPUS = Path(os.environ.get("GGP_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
"""Rule sheets of other collections; tests that need them are skipped without."""


@pytest.fixture(scope="session")
def tic_tac_toe() -> ggp.Game:
    return ggp.load("tic_tac_toe")


ENDS = """
role(p) init(at(0)) succ(0,1) succ(1,2) succ(2,3)
legal(p,go) :- true(at(X)) & ~true(at(2))
next(at(Y)) :- true(at(X)) & succ(X,Y)
terminal :- true(at(3))
goal(p,100)
"""
"""A role without a move in a state that is not terminal."""


@pytest.fixture(scope="session")
def stuck() -> ggp.Game:
    return ggp.load(ENDS, name="stuck")
