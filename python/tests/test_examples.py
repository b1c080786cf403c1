"""The examples run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_random_play_estimates_the_same_in_three_ways() -> None:
    command = [sys.executable, str(EXAMPLES / "random_play.py")]
    package = str(EXAMPLES.parent)
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=package, env=_environment(package))
    lines = [line.split() for line in done.stdout.splitlines()]
    means = {(" ".join(words[:-4]), words[-4]): (float(words[-3]), float(words[-1])) for words in lines}
    assert len(means) == 6
    for role in ("xplayer", "oplayer"):
        mean, _ = means["in lanes", role]
        for way in ("one at a time", "in a batch"):
            other, error = means[way, role]
            assert abs(other - mean) < 5 * error


def _environment(package: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": package, "PYTHONIOENCODING": "utf-8"}
