"""The page about secrets and choices at once: every number of its cave, by linear programs in fractions, and its rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from ruamel.yaml import YAML

from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import solve_secrets
from oddsmith.solve.game_solver import solve
from tests.docs.blocks import ROOT, blocks

PAGE = ROOT / "docs" / "secrets.md"
STAY, LEAVE = 0, 1
HALF = Fraction(1, 2)

Matrix = Sequence[Sequence[Fraction]]
Mixture = list[Fraction]


# --- a matrix game as a linear program


def solved(matrix: Matrix) -> tuple[Fraction, Mixture, Mixture]:
    """The value of a matrix game for who picks the row and wants more, and the mixtures of rows and columns that secure it.

    With all entries above 0, the largest sum of w >= 0 with (matrix w <= 1) is 1 over the value, and w over that sum mixes the
    columns; the prices of the constraints mix the rows. Bland's rule picks, so no basis comes back.
    """
    rows, columns = len(matrix), len(matrix[0])
    lift = 1 - min(min(row) for row in matrix)
    table = [
        [value + lift for value in row] + [Fraction(at == place) for at in range(rows)] + [Fraction(1)]
        for place, row in enumerate(matrix)
    ]
    price = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = [columns + place for place in range(rows)]
    while any(cost < 0 for cost in price):
        enter = next(at for at, cost in enumerate(price) if cost < 0)
        leaving = [(row[-1] / row[enter], basis[at], at) for at, row in enumerate(table) if row[enter] > 0]
        place = min(leaving)[2]
        table[place] = [value / table[place][enter] for value in table[place]]
        for other in [*(row for row in table if row is not table[place]), price]:
            times = other[enter]
            other[:] = [value - times * own for value, own in zip(other, table[place], strict=True)]
        basis[place] = enter
    total = price[-1]
    weights = [Fraction(0)] * columns
    for row, at in zip(table, basis, strict=True):
        if at < columns:
            weights[at] = row[-1]
    return 1 / total - lift, [cost / total for cost in price[columns:-1]], [weight / total for weight in weights]


def secures(matrix: Matrix, value: Fraction, rows: Mixture, columns: Mixture) -> bool:
    """Whether each mixture brings the value whatever the other does: then it is the value."""
    against = [sum(share * row[at] for share, row in zip(rows, matrix, strict=True)) for at in range(len(columns))]
    brought = [sum(share * own for share, own in zip(columns, row, strict=True)) for row in matrix]
    mixes = all(sum(mixture) == 1 and min(mixture) >= 0 for mixture in (rows, columns))
    return mixes and min(against) == value == max(brought)


def of(*rows: str) -> Matrix:
    return [[Fraction(entry) for entry in row.split()] for row in rows]


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        (of("0 -1 1", "1 0 -1", "-1 1 0"), 0),
        (of("0 -2 1", "2 0 -1", "-1 1 0"), 0),
        (of("3 1", "2 2"), 2),
        (of("1/12 5/6", "1/6 0"), Fraction(5, 33)),
        (of("4 1 8", "2 3 1"), Fraction(5, 2)),
    ],
)
def test_a_linear_program_gives_the_value_of_a_matrix_game(matrix: Matrix, value: Fraction) -> None:
    found, rows, columns = solved(matrix)
    assert secures(matrix, found, rows, columns)
    assert found == value


# --- the cave of the page


Pick = Callable[[Matrix], Fraction]
"""The value of a position from its matrix."""


class Cave:
    """What the crow wins. A position is the light, the floor, both bags, and who is inside; ``pick`` settles a choice."""

    def __init__(self, pick: Pick) -> None:
        self.pick = pick
        self.dig: Callable[[int, int, tuple[int, int], tuple[int, int]], Fraction] = cache(self._dig)

    def _dig(self, light: int, floor: int, bags: tuple[int, int], inside: tuple[int, int]) -> Fraction:
        if not light or not any(inside):
            return HALF if bags[0] == bags[1] else Fraction(bags[0] > bags[1])
        left = [0 if within else bag for bag, within in zip(bags, inside, strict=True)]
        total = HALF if left[0] == left[1] else Fraction(left[0] > left[1])
        for die in range(2, 7):
            each, rest = divmod(die, sum(inside))
            crow, raven = (bag + each * within for bag, within in zip(bags, inside, strict=True))
            total += self.choose(light - 1, floor + rest, (crow, raven), inside)
        return total / 6

    def choose(self, light: int, floor: int, bags: tuple[int, int], inside: tuple[int, int]) -> Fraction:
        if not light:
            return self.dig(light, floor, bags, inside)
        return self.pick(self.matrix(light, floor, bags, inside))

    def matrix(self, light: int, floor: int, bags: tuple[int, int], inside: tuple[int, int]) -> Matrix:
        """The crow picks the row; who is outside has one way."""
        crow, raven = ([STAY, LEAVE] if within else [STAY] for within in inside)
        return [[self._shown(light, floor, bags, inside, (a, b)) for b in raven] for a in crow]

    def _shown(
        self, light: int, floor: int, bags: tuple[int, int], inside: tuple[int, int], ways: tuple[int, int]
    ) -> Fraction:
        part = floor // sum(ways) if any(ways) else 0
        crow, raven = (bag + part * way for bag, way in zip(bags, ways, strict=True))
        first, second = (int(within and way == STAY) for within, way in zip(inside, ways, strict=True))
        return self.dig(light, floor - part * sum(ways), (crow, raven), (first, second))

    def start(self, oil: int) -> Fraction:
        return self.dig(oil, 0, (0, 1), (1, 1))


def at_once(matrix: Matrix) -> Fraction:
    value, rows, columns = solved(matrix)
    assert secures(matrix, value, rows, columns)
    return value


def crow_first(matrix: Matrix) -> Fraction:
    return max(min(row) for row in matrix)


def raven_first(matrix: Matrix) -> Fraction:
    return min(max(row[at] for row in matrix) for at in range(len(matrix[0])))


def said(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


def test_the_page_shows_the_matrix_and_its_mixtures() -> None:
    text, cave = PAGE.read_text("utf-8"), Cave(at_once)
    matrix = cave.matrix(1, 0, (1, 2), (1, 1))
    assert said("stays", *matrix[STAY]) + said("leaves", *matrix[LEAVE]) in text
    lines = []
    for die in range(2, 7):
        crow, raven, floor = die // 2, 1 + die // 2, die % 2
        value, rows, columns = solved(cave.matrix(1, floor, (crow, raven), (1, 1)))
        lines.append(said(die, f"{crow}, {raven}, {floor}", rows[STAY], columns[STAY], value))
    assert "".join(lines) in text
    value, rows, columns = solved(matrix)
    assert f"the value {value}. The crow stays with chance {rows[STAY]}, the raven with {columns[STAY]}." in " ".join(
        text.split()
    )
    assert f"that makes {cave.start(2)} for the whole game" in text


def test_the_page_shows_the_values_at_once_and_in_turn() -> None:
    text, caves = PAGE.read_text("utf-8"), [Cave(pick) for pick in (crow_first, at_once, raven_first)]
    for oil in (2, 3, 4):
        values = [cave.start(oil) for cave in caves]
        assert values == sorted(values)
        assert said(oil, *values) in text


# --- its rules


@cache
def rules() -> str:
    (block,) = (each for each in blocks(PAGE) if each.language == "yaml" and "id: two-lanterns" in each.text)
    return block.text


def opened(first: str, second: str) -> dict[str, Any]:
    """The rules of the page with open choices, one after the other, in place of those made at once."""
    data: dict[str, Any] = YAML(typ="safe").load(rules())
    phases = data["phases"]
    together = phases.pop("stay or leave")
    ((name, ways),) = together["choose_together"].items()
    data["state"] |= {name: {"each": "seat", "one_of": ["none", *ways]}, "asked": {"type": "flag"}}
    data["turn"] = "ask"
    done = [{"for": "table", "do": f"set {name} to none"}, "set asked to false"]
    phases["ask"] = {
        "cases": [
            {"name": "Begin", "when": "not asked", "then": "dig"},
            {"name": "Decide", "when": f"{name} == none", "then": "decide"},
            {"name": "Reveal", "do": [*together["do"], *done], "then": together["then"]},
        ]
    }
    options = [{"name": way.title(), "do": f"set {name} to {way}", "then": "pass"} for way in ways]
    phases["decide"] = {"choose": options}
    coins = phases["dig"]["outcomes"][1]
    coins |= {"do": [*coins["do"], "set asked to true"], "then": "order"}
    turn = [{"name": side, "when": f"{side} in everyone", "then": {"pass_to": side}} for side in (first, second)]
    phases["order"] = {"cases": [turn[0], {**turn[1], "when": "true"}]}
    return data


@pytest.mark.parametrize(("first", "second", "pick"), [("crow", "raven", crow_first), ("raven", "crow", raven_first)])
@pytest.mark.parametrize("oil", [2, 3, 4])
def test_the_rules_of_the_page_are_the_cave(first: str, second: str, pick: Pick, oil: int) -> None:
    """With open choices the solver plays them, and finds the values that the page says."""
    text = json.dumps(opened(first, second))
    solution = solve(bind(read_ruleset(Source("two-lanterns.yaml", text))[0], Setting(values={"oil": oil})))
    assert solution.values[0].exact == Cave(pick).start(oil)


@pytest.mark.parametrize("oil", [2, 3, 4])
def test_the_rules_of_the_page_have_the_values_of_the_cave(oil: int) -> None:
    found = solve_secrets(
        bind(read_ruleset(Source("two-lanterns.yaml", rules()))[0], Setting(values={"oil": oil})), "win"
    )
    assert found.values[0].exact == Cave(at_once).start(oil)
