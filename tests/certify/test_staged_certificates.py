"""A game that was solved by stages has a certificate that is checked stage by stage, by both checkers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api.staged import StagedGame
from oddsmith.base.errors import UncertifiableError
from oddsmith.proof import values
from oddsmith.proof.rules import compare_table_with_rules, prove_table
from oddsmith.proof.values import ValueTable
from oddsmith.report.export.certificates import MIN_DIGITS
from oddsmith.solve.staged.by_component import StageSolver
from tests.node import ROOT, answers
from tests.solve.test_stages import meet
from tests.solve.test_stages_along import GAMES, book_of
from tests.staged import by_stages

SCRIPT = Path(__file__).with_name("check.mjs")


def solved(name: str, seats: int, settings: Mapping[str, Any], digits: int = MIN_DIGITS) -> StagedGame:
    return by_stages(book_of(name, seats), seats, digits=digits, **settings)


@pytest.mark.parametrize(("name", "seats", "settings"), GAMES[:-1])  # the last is large
def test_it_proves_the_values_of_the_solution(
    name: str, seats: int, settings: Mapping[str, Any], tmp_path: Path
) -> None:
    staged, file = solved(name, seats, settings), tmp_path / "proof.jsonl.gz"
    assert staged.write_certificate(file) == file.stat().st_size
    proof = prove_table(file)
    assert proof.header["kind"] == staged.kind
    assert sum(count for count, _ in proof.header["stages"]) == staged.state_count
    for (low, high), value in zip(proof.values, staged.values, strict=True):
        assert meet(value, oddsmith.base.exact.Number(low, high))
    assert compare_table_with_rules(file, staged.game.ruleset).whole
    (found,) = answers(SCRIPT, str(ROOT / "site" / "proof" / "check.mjs"), str(file))
    assert found["refused"] is False, found["says"]
    assert found["proves"]["values"] == [[str(low), str(high)] for low, high in proof.values]


def test_the_checker_holds_what_later_stages_lead_to_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved("dragons-hoard", 1, {"rounds": 4}).write_certificate(tmp_path / "hoard.jsonl")
    held, forget = list[int](), ValueTable.forget_states

    def counted(self: ValueTable, states: int) -> None:
        held.append(sum(value is not None for value in self.values))
        forget(self, states)

    monkeypatch.setattr(values.ValueTable, "forget", counted)
    stages = prove_table(tmp_path / "hoard.jsonl").header["stages"]
    ends = accumulate(count for count, _ in stages)
    assert held == [end - min(least for _, least in stages[place:]) for place, end in enumerate(ends)]
    assert max(held) < sum(count for count, _ in stages)


def test_too_few_digits_are_refused_and_no_file_is_left(tmp_path: Path) -> None:
    staged = solved("pig", 2, {"target": 8}, digits=12)
    with pytest.raises(UncertifiableError, match="--digits 40"):
        staged.write_certificate(tmp_path / "pig.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_what_a_folder_has_kept_is_certified_without_solving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = oddsmith.load("pig")
    first = by_stages(book, digits=MIN_DIGITS, store=tmp_path / "kept", target=8)
    first.write_certificate(tmp_path / "one.jsonl")
    monkeypatch.delattr(StageSolver, "solve")
    kept = by_stages(book, digits=MIN_DIGITS, store=tmp_path / "kept", target=8)
    kept.write_certificate(tmp_path / "two.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


FINE = """\
format: 1
id: fine
title: Fine
summary: The payoffs have a denominator of eighteen digits.
seats: 1
state: {n: {max: 3}}
payoffs: {w: n / 1000003 / 1000033 / 1000037}
turn: go
phases:
  go:
    roll: {die: d2}
    outcomes:
      - {name: Up, when: die == 1 and n < 3, do: add 1 to n, then: pass}
      - {name: Over, then: end}
"""


def test_numbers_that_no_certificate_can_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UncertifiableError, match="larger than a certificate can hold"):
        by_stages(oddsmith.loads(FINE), digits=MIN_DIGITS).write_certificate(tmp_path / "fine.jsonl")
    assert list(tmp_path.iterdir()) == []
