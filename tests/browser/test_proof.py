"""The check of certificates on a game's page, in a real browser: honest files hold, forged and broken ones are refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from tests.certify.suite import cases
from tests.chromium import ROOT
from tests.node import answers, picture

pytestmark = pytest.mark.browser
SAMPLE = ROOT / "tests" / "samples" / "pig.yaml"
SCRIPT = ROOT / "tests" / "browser" / "proof.mjs"
CASES = {case.name: case.data for case in cases()}


@pytest.fixture(scope="module")
def base(small: tuple[str, Path]) -> str:
    return small[0]


def use(base: str, **job: Any) -> Any:
    (found,) = answers(SCRIPT, {"base": base, "page": "games/pig/index.html", **picture("proof"), **job}, timeout=240)
    assert (found["errors"], found["foreign"], found["broken"]) == ([], [], [])
    assert found["wide"] <= 0
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files of somebody's own, by what they are."""
    folder = tmp_path_factory.mktemp("own")
    kept = {
        "honest": CASES["three"],
        "enclosed": gzip.compress(CASES["three-enclosed"]),
        "forged": CASES["play: the worse row"],
        "wrong value": CASES["a value that is too high"],
        "cut": gzip.compress(CASES["three"])[:-20],
        "no text": bytes(range(256)),
        "empty": b"",
        "bomb": CASES["a bomb"],
    }
    for name, data in kept.items():
        (folder / name).write_bytes(data)
    return {name: str(folder / name) for name in kept}


@pytest.mark.parametrize("narrow", [False, True])
def test_the_certificate_of_the_setting_holds(base: str, narrow: bool) -> None:
    found = use(base, narrow=narrow)
    text = found["honest"]["text"]
    assert "The table proves its values." in text
    assert "The file names the rules of this page." in text
    assert "believes that the table is the table of those rules" in text
    assert found["honest"]["keep"].endswith("/2-seats-win.jsonl.gz")
    assert not [name for name in found["loads"] if "check.mjs" in name or "jsonl" in name], (
        "nothing before it is opened"
    )


def test_it_offers_the_setting_that_was_opened_and_says_its_values(base: str) -> None:
    solution = oddsmith.load(SAMPLE).at(seats=1).solve().solution
    found = use(base, opened="1-seats-win")["honest"]
    assert found["keep"].endswith("/1-seats-win.jsonl.gz")
    assert f"{solution.graph.state_count:,} positions" in found["text"]
    assert f"Seat 1 gets {solution.values[0].exact}." in found["text"]


def test_files_of_ones_own_hold_or_are_refused_with_the_reason(base: str, files: dict[str, str]) -> None:
    told = dict(zip(files, use(base, own=list(files.values()))["own"], strict=True))
    assert [name for name, found in told.items() if found["alert"] is None] == ["honest", "enclosed"]
    assert all(
        "names other rules than those of this page: trio" in told[name]["text"] for name in ("honest", "enclosed")
    )
    assert "nobody gets more than these bounds by it" in told["enclosed"]["text"]
    assert told["forged"]["alert"] == "forged is refused: it proves nothing."
    assert "State 4. 1: A value does not follow from the play." in told["forged"]["text"]
    assert "State 1. 1: A value does not follow" in told["wrong value"]["text"]
    for name, reason in {"cut": "damaged", "no text": "not JSON", "empty": "not JSON", "bomb": "far longer"}.items():
        assert reason in told[name]["text"]


def test_a_check_can_be_stopped(base: str, tmp_path: Path) -> None:
    solved = oddsmith.load("rogues-gambit").at(seats=3).solve()
    solved.certificate(tmp_path / "large.gz")
    assert use(base, large=str(tmp_path / "large.gz"))["stopped"] == "Stopped."
