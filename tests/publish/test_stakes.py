"""Pots: what a seat makes of its stake, against its chance to win by the solution."""

from __future__ import annotations

import html
import re
from fractions import Fraction

import oddsmith
from oddsmith.publish.sections.stakes import bets_html
from tests.cases import SAMPLES, account_of


def made(name: str) -> list[list[Fraction]]:
    """The percentages of every table of bets, row by row."""
    tables = bets_html(account_of(SAMPLES / f"{name}.yaml"))
    rows = [re.findall(r"<td[^>]*>([^<]*)", row) for table in tables for row in table.split("<tr>")[2:]]
    return [
        [Fraction(html.unescape(text).replace("\N{MINUS SIGN}", "-").removesuffix("\u00a0%")) for text in row]
        for row in rows
    ]


def test_a_stake_grows_by_the_chance_to_win() -> None:
    values = oddsmith.load(SAMPLES / "piglet.yaml").solve().values
    for percent, value in zip(made("piglet")[0], values, strict=True):
        assert value.exact is not None
        assert abs(percent - (2 * value.exact - 1) * 100) <= Fraction(1, 200)


def test_what_one_seat_makes_the_others_lose() -> None:
    rows = made("piglet")
    assert rows
    assert all(sum(row) == 0 and row[0] > 0 for row in rows)


def test_games_that_nobody_wins_have_no_pot() -> None:
    assert not made("farkle-turn")
