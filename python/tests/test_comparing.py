"""`ggp.compare`: what the prompt's `compare` finds, in tasks."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ggp

SEARCHES = ["minimax", "alphabeta:table"]


def test_searches_are_those_of_the_prompt() -> None:
    compared = ggp.compare(["nim", "tic_tac_toe"], SEARCHES, depths=[1, 3])
    assert [(row.game, row.depth, row.search) for row in compared] == [
        (game, depth, search) for game in ("nim", "tic_tac_toe") for depth in (1, 3) for search in SEARCHES
    ]
    told = ggp.load("tic_tac_toe").ask("compare --algorithms minimax,alphabeta:table --depths 1,3").data["runs"]
    ours = [(row.depth, row.search, row.result, row.exact, row.nodes, row.expanded) for row in compared[4:]]
    keys = ("depth", "algorithm", "result", "exact", "nodes", "expanded")
    assert ours == [tuple(row[key] for key in keys) for row in told]
    [whole] = ggp.compare("tic_tac_toe", ["minimax"])
    assert (whole.depth, whole.result, whole.exact, whole.nodes) == (None, "50 with mark(1,1)", True, 549_946)
    assert "549946" in ggp.compare("tic_tac_toe", ["minimax"])._repr_html_().replace(",", "")


def test_it_goes_on_from_a_file_on_an_executor(tmp_path: Path) -> None:
    file = tmp_path / "compared.jsonl"
    alone = ggp.compare("nim", SEARCHES, depths=[1, 2], file=file)
    lines = file.read_text().splitlines()
    origin = json.loads(lines[0])["provenance"]
    assert origin["version"].startswith(ggp.__version__) and origin["processor"] and origin["threads"] >= 1
    # Of an earlier version, on another machine, and cut short.
    header = json.loads(lines[0]) | {"provenance": {"version": "0.0.1"}}
    file.write_text("\n".join([json.dumps(header), *lines[1:3]]) + "\n")
    with ThreadPoolExecutor(2) as executor:
        assert ggp.compare("nim", SEARCHES, depths=[1, 2], file=file, executor=executor) == alone
    with pytest.raises(ggp.UsageError, match="differs in .*tasks"):
        ggp.compare("nim", SEARCHES, depths=[1], file=file)


@pytest.mark.parametrize("searches", ["minimax", [], ["minimax alphabeta"], ["minimax,alphabeta"], [""]])
def test_wrong_searches_are_refused(searches: object) -> None:
    with pytest.raises(ggp.UsageError):
        ggp.compare("nim", searches)  # type: ignore[arg-type]


def test_an_unknown_search_is_named() -> None:
    with pytest.raises(ggp.UsageError, match="foo"):
        ggp.compare("nim", ["foo"])
