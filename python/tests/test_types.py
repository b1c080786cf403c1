"""The types: mypy --strict, and stubtest, which compares the stubs with the extension."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1]


def run(*arguments: str) -> None:
    environment = {**os.environ, "MYPYPATH": str(PYTHON)}
    ran = subprocess.run([sys.executable, "-m", *arguments], cwd=PYTHON, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_the_package_is_typed() -> None:
    run("mypy", "--strict", "-p", "ggp")


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_the_stubs_are_those_of_the_extension() -> None:
    run("mypy.stubtest", "ggp._ggp", "ggp.batch", "ggp.game", "ggp.results", "ggp.errors", "--allowlist", "tests/stubtest.allow")
