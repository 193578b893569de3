"""At a prompt everything public fits a line, and what is frozen has a hash."""

from __future__ import annotations

from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any

import pytest

import oddsmith
from tests.library.test_door import TOSS, gambit

LINE = 100


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An object of every class that the door gives, long ones where there are any."""
    book, solved = oddsmith.load("rogues-gambit"), gambit()
    folder = tmp_path_factory.mktemp("long" * 20)
    (folder / "toss.yaml").write_text(TOSS, encoding="utf-8")
    formulas = oddsmith.load(folder / "toss.yaml").formulas("bend")
    (folder / "wrong.yaml").write_text(TOSS.replace("add flip to paid", "add flap to " + "paid" * 40), encoding="utf-8")
    (pays,) = solved.break_even()
    turns = solved.distribution("turns given throw/Trifecta")
    checked = book.certify(solved.certificate())
    large = oddsmith.load("wizards-and-thieves").at(2, coins_each=10, ante=8).graph()
    return {
        "book": book, "ruleset": book.ruleset, "game": book.at(6).game, "graph": solved.graph, "large graph": large,
        "long state": large.state(1), "solved": solved, "six": oddsmith.load("rogues-gambit").at(6, coins_each=3).solve(),
        "solution": solved.solution, "value": solved.values[0], "whole": oddsmith.Number.of(3),
        "bounds": oddsmith.Number(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**40)),
        "advice": solved.advise("hoard=1,stash=7")[0], "worse": solved.advise("hoard=1,stash=7")[-1],
        "position": solved.position("hoard=1,stash=7"), "policy": solved.policy, "distribution": turns,
        "outcome": turns.outcomes[0], "horizon": solved.horizon(3), "break-even": pays, "formula": pays.formulas[0],
        "threshold": pays.formulas[0].thresholds[0], "formulas": formulas, "piece": formulas.pieces[0],
        "point": formulas.pieces[0].low, "ratio": formulas.pieces[0].values[0], "verdict": book.verify()[0],
        "certified": checked, "derivation": checked.derivation, "yes or no": oddsmith.roll("at least 10 on 3d6"),
        "roll": oddsmith.roll("highest 2 of 3d6 + highest 2 of 3d8 + highest 2 of 3d10 + highest 2 of 3d12"),
        "problem": oddsmith.check(folder / "wrong.yaml")[0],
    }  # fmt: skip


def test_what_is_public_fits_a_line(things: dict[str, Any]) -> None:
    for name, thing in things.items():
        shown = repr(thing)
        assert len(shown) < LINE, name
        assert "\n" not in shown
        assert shown.startswith((f"{type(thing).__name__}(", "SolvedGame("))


def test_what_is_frozen_has_a_hash(things: dict[str, Any]) -> None:
    for name, thing in things.items():
        if is_dataclass(thing) and name != "solution":
            assert hash(thing) == hash(thing), name


def test_equal_rulesets_and_games_have_equal_hashes() -> None:
    one, other = oddsmith.load("piglet"), oddsmith.load("piglet")
    assert hash(one) == hash(other)
    assert hash(one.ruleset) == hash(other.ruleset)
    assert hash(one.game) == hash(other.game)
    assert len({one.game, one.game, one.at(target=3).game}) == 2
