"""The suite of certificates: the honest ones hold, and every forgery is refused by the check and for the reason it tells."""

from __future__ import annotations

import pytest

from oddsmith.proof import rules, values
from oddsmith.solve.extensive import SecretSolution
from oddsmith.solve.staged.staged import Staged
from tests.certify.suite import SUITE, Case, cases, described, outcome, written
from tests.certify.suite.write import made

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_checker_says_what_the_suite_tells(case: Case) -> None:
    found = outcome(case, values, rules)
    assert found["refused"] == case.refused, found["says"]
    assert case.condition in found["says"]
    if case.proves:
        assert found["proves"] == case.proves


def test_names_differ_and_every_file_is_used() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    files = {path.stem for path in (SUITE / "honest").iterdir()}
    assert files == {each["name"] for each in described("honest")}


@pytest.mark.parametrize("each", described("honest"), ids=lambda each: str(each["name"]))
def test_the_honest_ones_are_what_is_written_today(each: dict[str, object]) -> None:
    """Otherwise: python -m tests.certify.suite.write."""
    solution, data = made(each)
    assert data == written(str(each["name"]))
    assert isinstance(solution, Staged | SecretSolution) or solution.grade == "exact"
