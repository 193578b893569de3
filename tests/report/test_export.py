"""The table of a solution: CSV, JSON and Parquet hold the same lines, and these are what the solution says."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from oddsmith.base.errors import ExportError
from oddsmith.base.exact import Number, fraction_from_text
from oddsmith.report.export import tables as export
from oddsmith.report.export.tables import StateTable, csv_bytes, json_bytes, parquet_bytes
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.fractions import ExactValues
from tests.cases import Case, cases, cases_of, ruleset, size, solved

HOSTILE = Path(__file__).resolve().parents[1] / "publish" / "hostile.yaml"
SOLVED = [case for case in cases() if size(case, case.objectives[0])["states"] <= 150]
each_game = pytest.mark.parametrize("case", SOLVED, ids=str)

Line = dict[str, Any]


def lines(solution: Solution) -> list[Line]:
    """The lines as JSON has them, flags and numbers being such."""
    found: list[Line] = json.loads(json_bytes(solution))["states"]
    return found


def number(line: Line, name: str) -> Number:
    """A number of a line: exact, or between bounds. One of the two must be there, and the digits must fit."""
    exact, low, high = (line[name + part] for part in ("", "_lower", "_upper"))
    assert (exact is None) == (low is not None) == (high is not None)
    found = Number(*(fraction_from_text(text) for text in ((exact, exact) if low is None else (low, high))))
    assert line[f"{name}_decimal"] == found.decimal(12)
    return found


@cache
def by_seat(alike: bool) -> Solution:
    """Four at the full dragon: seats play differently, or alike and one mixes."""
    return solve(
        bind(ruleset("rogues-gambit"), Setting(4, values={"coins_each": 14, "full_belly": "pocketed"})),
        "coins",
        same_for_all_seats=alike,
    ).with_fractions()


# --- what the lines say


@each_game
def test_lines_are_the_states_with_their_values_and_advice(case: Case) -> None:
    solution = solved(case, case.objectives[0])
    found = lines(solution)
    assert [line["state"] for line in found] == list(range(solution.graph.state_count))
    for line in found:
        check(line, solution)


@pytest.mark.parametrize("alike", [False, True])
def test_play_by_seat_and_mixed_play(alike: bool) -> None:
    solution = by_seat(alike)
    assert solution.kind == ("mixed" if alike else "pure-by-seat")
    found = lines(solution)
    assert len(found) == solution.graph.state_count * (1 if alike else 4)
    for line in found[::17]:
        check(line, solution, line.get("mover", 1) - 1)
    if alike:
        (mixing,) = (line for line in found if line["chance"] != "1")
        (mixture,) = solution.mixtures.values()
        assert mixing["chance"] == mixture.row_probabilities[mixture.rows[0]].decimal(12)
        assert mixing["else"] == f"{mixing['next_best']}: {mixture.row_probabilities[mixture.rows[1]].decimal(12)}"
        assert (mixing["loss"], mixing["next_best"]) == ("0", solution.graph.action_name(mixture.rows[1]))
    else:
        actions = {(line["state"], line["action"]) for line in found}
        assert len(actions) > solution.graph.state_count, "some state is played differently by different seats"


def check(line: Line, solution: Solution, mover: int = 0) -> None:
    """One line against the solution's own answers."""
    graph, state = solution.graph, line["state"]
    assert line["phase"] == graph.state(state).phase
    for seat, value in enumerate(solution.state_values(state, mover), 1):
        said = number(line, f"value_{seat}")
        assert said.lower <= value.upper
        assert value.lower <= said.upper
        assert said == value or solution.mixtures
    mixture = solution.mixtures.get(state)
    played = mixture.rows[0] if mixture else solution.best_row(state, mover)
    assert line["action"] == graph.action_name(played)
    advice = solution.advise(state, mover)
    if len(advice) == 1:
        assert (line["next_best"], line["loss_decimal"], line["loss"]) == (None, None, None)
        return
    loss = number(line, "loss")
    assert loss.lower <= advice[1].loss.upper
    assert advice[1].loss.lower <= loss.upper
    assert line["next_best"] in {each.action for each in advice if each.loss.lower <= loss.upper}


def test_a_named_policy_loses_where_it_is_not_best() -> None:
    case = cases_of("rogues-gambit")[0]
    solution = solve(case.game, "coins", {1: "hold at 20", 2: "hold at 20"})
    found = [(line, solution.advise(line["state"])) for line in lines(solution)]
    worse = [(line, advice) for line, advice in found if line["loss"] and Fraction(line["loss"]) < 0]
    assert worse
    for line, advice in worse:
        assert line["next_best"] == advice[0].action != line["action"]
        (played,) = (each for each in advice if each.action == line["action"])
        assert Fraction(line["loss"]) == -(played.loss.exact or 0)


def test_proven_values_stand_between_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    case = cases_of("rogues-gambit")[0]
    exact = lines(solved(case, "coins"))

    def too_long(self: ExactValues, states: Any, time_limit: float = 0) -> None:
        raise FractionTooLong("as if")

    monkeypatch.setattr(ExactValues, "compute_values", too_long)
    solution = solve(case.game, "coins")
    assert solution.grade == "proven"
    for one, other in zip(exact, lines(solution), strict=True):
        for name in ("value_1", "value_2", *(["loss"] if one["next_best"] else [])):
            known, proven = number(one, name), number(other, name)
            assert proven.lower <= known.lower <= proven.upper
            assert other[name] is None or one[name] == other[name]
        assert one["action"] == other["action"]


def test_what_no_longer_counts_is_empty_and_seats_count_from_the_mover() -> None:
    case = Case("last-hero", 3, {"lives_each": 1})
    found = lines(solved(case, "win"))
    assert {line["out"] for line in found} == {"", "2", "3"}
    assert all(isinstance(line["lives[1]"], int) for line in found)
    fed = [line["fed"] for line in lines(solved(cases_of("rogues-gambit")[0], "coins"))]
    assert set(fed) == {True, False}
    hidden = [name for case in SOLVED for line in lines(solved(case, case.objectives[0])) for name in empty(line)]
    assert hidden, "some variable is read no more in some phase"


def empty(line: Line) -> list[str]:
    numbers = ("value_", "loss", "next_best")
    return [name for name, value in line.items() if value is None and not name.startswith(numbers)]


# --- formats


@cache
def hostile() -> Solution:
    return solve(bind(load_ruleset(HOSTILE)[0]))


def solutions() -> Iterator[Any]:
    yield from (pytest.param(lambda case=case: solved(case, case.objectives[0]), id=str(case)) for case in SOLVED[::4])
    yield pytest.param(lambda: by_seat(True), id="mixed")
    yield pytest.param(hostile, id="hostile")


@pytest.mark.parametrize("of", list(solutions()))
def test_csv_json_and_parquet_hold_the_same(of: Any) -> None:
    solution = of()
    wanted = lines(solution)
    data = parquet_bytes(solution)
    table = pyarrow.parquet.read_table(BytesIO(data))
    assert table.to_pylist() == wanted
    assert [line_of(line) for line in csv.DictReader(StringIO(csv_bytes(solution).decode(), newline=""))] == [
        {name: text_of(value) for name, value in line.items()} for line in wanted
    ]
    head = json.loads(json_bytes(solution))
    del head["states"]
    assert json.loads(table.schema.metadata[b"oddsmith"]) == head
    assert head["ruleset"]["sha256"]
    assert "seconds" not in head
    kinds = {column.name: column.kind for column in StateTable(solution).columns}
    assert list(kinds) == table.column_names == list(wanted[0])
    assert all(value is None or type(value) is kinds[name] for line in wanted for name, value in line.items())


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def line_of(line: dict[str, str]) -> dict[str, str]:
    """Without the mark that keeps a spreadsheet from reading a formula."""
    return {name: value.removeprefix("'") for name, value in line.items()}


def test_no_cell_of_an_author_s_is_a_formula() -> None:
    table = list(csv.DictReader(StringIO(csv_bytes(hostile()).decode(), newline="")))
    actions = {line["action"] for line in table} | {line["next_best"] for line in table}
    assert any("HYPERLINK" in action for action in actions)
    assert not any(action.startswith(("=", "+", "-", "@")) for action in actions)


def test_many_lines_are_several_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solved(cases_of("pig")[0], "win")
    whole = parquet_bytes(solution)
    monkeypatch.setattr(export, "LINES_PER_ROW_GROUP", 7)
    monkeypatch.setattr(export, "STATES_PER_CHUNK", 3)
    data = parquet_bytes(solution)
    assert pyarrow.parquet.ParquetFile(BytesIO(data)).num_row_groups > 3
    assert pyarrow.parquet.read_table(BytesIO(data)) == pyarrow.parquet.read_table(BytesIO(whole))


@pytest.mark.parametrize("write", [csv_bytes, json_bytes, parquet_bytes])
def test_the_same_game_gives_the_same_bytes(write: Any) -> None:
    game = cases_of("rogues-gambit")[0].game
    assert write(solve(game, "coins")) == write(solve(game, "coins"))


def test_digits_are_as_many_as_are_asked_for() -> None:
    table = csv.DictReader(StringIO(csv_bytes(solved(cases_of("pig")[0], "win"), 30).decode(), newline=""))
    assert {len(line["value_1_decimal"].partition(".")[2]) for line in table} == {30}


def test_without_pyarrow_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"pip install 'oddsmith\[parquet\]'"):
        parquet_bytes(solved(cases_of("pig")[0], "win"))
