"""Strategies of games with hidden information: what is found, and how it is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import ggp
from ggp.hidden import ViewStep

KUHN = 50 - 25 / 18


@pytest.fixture(scope="module")
def kuhn() -> ggp.Game:
    return ggp.load("kuhn_poker")


def test_an_equilibrium_has_the_published_value(kuhn: ggp.Game) -> None:
    found = kuhn.equilibrium()
    assert found.utilities == pytest.approx({"first": KUHN, "second": 100 - KUHN}, abs=1e-6)
    assert found.exploitability == pytest.approx(0, abs=1e-6)
    assert len(found.information_sets) == 12
    for own in found.information_sets:
        assert sum(own.strategy.values()) == pytest.approx(1)
        assert found.at(own.role, own.view) == own.strategy
    assert found.at("first", []) is None
    # Who has the king and is asked to call calls; who has the jack folds.
    bet_to = [own for own in found.information_sets if own.role == "second" and own.view[2].percepts == ("bet",)]
    answers = {own.view[1].percepts[0]: own.strategy for own in bet_to}
    assert answers["own_card(king)"] == pytest.approx({"bet": 1, "pass": 0})
    assert answers["own_card(jack)"] == pytest.approx({"bet": 0, "pass": 1})
    assert "own_card(king)" in found._repr_html_()


def test_regrets_approach_it(kuhn: ggp.Game) -> None:
    few, many = (kuhn.cfr(iterations=count) for count in (10, 2_000))
    assert many.exploitability < 0.01 < few.exploitability
    assert many.utilities["first"] == pytest.approx(KUHN, abs=0.05) and many.iterations == 2_000
    assert kuhn.cfr(iterations=100, update="vanilla").exploitability != kuhn.cfr(iterations=100).exploitability


def test_strategies_functions_and_files_are_measured(kuhn: ggp.Game, tmp_path: Path) -> None:
    found = kuhn.cfr(iterations=200)
    measured = kuhn.exploitability(found)
    assert measured.exploitability == pytest.approx(found.exploitability, abs=1e-6)
    assert measured.utilities == pytest.approx(found.utilities, abs=1e-6)
    assert all(measured.best_responses[role] >= utility - 1e-6 for role, utility in measured.utilities.items())
    found.save(tmp_path / "kuhn.json")
    assert kuhn.exploitability(tmp_path / "kuhn.json") == measured

    def uniform(role: str, view: Sequence[ViewStep], legal: Sequence[str]) -> Mapping[str, float]:
        return {move: 1 / len(legal) for move in legal}

    # OpenSpiel's NashConv of the uniform policy is 0.9167 for payoffs of chips: 25 times that is the sum of both gains.
    assert kuhn.exploitability(uniform).exploitability == pytest.approx(25 * 0.916_666_667 / 2, abs=1e-4)
    assert kuhn.exploitability(lambda role, view, legal: {legal[0]: 1}).exploitability > measured.exploitability


def test_wrong_policies_are_refused(kuhn: ggp.Game, tmp_path: Path) -> None:
    with pytest.raises(ggp.UsageError, match="`raise` is not legal for first; legal are bet, pass"):
        kuhn.exploitability(lambda role, view, legal: {"raise": 1})
    for share in (0.4, 2, -1):
        with pytest.raises(ggp.UsageError, match="which must be 1"):
            kuhn.exploitability(lambda role, view, legal, share=share: {legal[0]: share})
    with pytest.raises(ggp.Error):
        kuhn.exploitability(tmp_path / "none.json")
    with pytest.raises(ggp.Error):
        kuhn.cfr(update="none")
    with pytest.raises(ggp.Error):
        kuhn.cfr(iterations=-1)
