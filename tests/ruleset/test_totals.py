"""A roll in words is one die whose faces are its totals: what it brings is what ``oddsmith roll`` says of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.rolls import answer

GAME = """
format: 1
id: strike
title: Strike
summary: Strike once.
seats: 1
state: {{dealt: {{min: -20, max: 60, start: 0}}}}
payoffs: {{dealt: dealt}}
turn: strike
dice:
  named: {{total: "{named}"}}
phases:
  strike:
    roll:
      damage: {{total: "{total}"{most}}}
      more: named
    do: add damage + more to dealt
    then: end
"""


def loaded(tmp_path: Path, total: str, most: int | None = None, named: str = "1d1") -> oddsmith.LoadedRuleset:
    path = tmp_path / "strike.yaml"
    path.write_text(GAME.format(total=total, most="" if most is None else f", most: {most}", named=named), "utf-8")
    return oddsmith.load(path)


@pytest.mark.parametrize(
    ("total", "most"),
    [
        ("4d6 drop lowest", None),
        ("2d6 exploding", 20),
        ("d20 with advantage", None),
        ("number of dice showing 5 or more in 6d6", None),
        ("4dF", None),
        ("2d6 reroll 1s once", None),
        ("5d10 count 8 or more", 3),
        ("at least one 6 in 4d6", None),
    ],
)
def test_a_game_rolls_what_the_words_say(tmp_path: Path, total: str, most: int | None) -> None:
    rolled, d6 = answer(total).pmf, {face: Fraction(1, 6) for face in range(1, 7)}
    tail = 0 if rolled.tail is None else rolled.tail.weight
    expected: dict[Fraction, Fraction] = {}
    pairs = [*rolled.weights.items(), *([(most, tail)] if most is not None and tail else [])]
    for value, weight in pairs:
        shown = value if most is None else min(value, most)
        for face, chance in d6.items():
            whole = Fraction(shown + face)
            expected[whole] = expected.get(whole, Fraction(0)) + chance * weight / rolled.total
    solved = loaded(tmp_path, total, most, "d6").solve()
    found = {each.value: each.chance.exact for each in solved.distribution("payoff").outcomes if each.chance.upper}
    assert found == expected


@pytest.mark.parametrize(
    ("total", "message"),
    [
        ("4d6 drup lowest", "`drup` cannot be read here"),
        ("2d6 exploding", "this total has no end"),
        ("d6 / 2", "a total must be a whole number"),
        ("4d6 six times", "one number must be rolled here"),
        ("2d6 + 3 vs d20", "this can be meant in two ways"),
        ("200d100", "totals, over 1,000"),
    ],
)
def test_what_is_no_number_is_refused_at_its_place(tmp_path: Path, total: str, message: str) -> None:
    with pytest.raises(oddsmith.RulesetError) as error:
        loaded(tmp_path, total)
    told = str(error.value)
    assert "OD349" in told
    assert message in told
    assert "strike.yaml:15:" in told
