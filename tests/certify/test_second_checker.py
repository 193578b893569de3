"""The checker in JavaScript, which readers run in their browsers, says of every file what the checker in Python says."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from oddsmith.proof import values
from tests.certify.forger import forged
from tests.certify.suite import Case, Record, cases, described, written
from tests.node import NODE, ROOT, answers

CHECKER = ROOT / "site" / "proof" / "check.mjs"
SCRIPT = Path(__file__).with_name("check.mjs")
CASES = cases()
SLICE, LONG_RUN = 30, 1_000  # of each honest certificate


def said(files: Sequence[bytes], folder: Path) -> list[Record]:
    """What it says of each file."""
    paths = [folder / str(number) for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    return answers(SCRIPT, str(CHECKER), *map(str, paths))


@pytest.fixture(scope="module")
def of_the_suite(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    found = said([case.data for case in CASES], tmp_path_factory.mktemp("suite"))
    return {case.name: each for case, each in zip(CASES, found, strict=True)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_says_of_the_suite_what_the_suite_tells(case: Case, of_the_suite: dict[str, Record]) -> None:
    found = of_the_suite[case.name]
    assert found["refused"] == (case.refused == "values"), found["says"]
    if case.proves:
        assert found["proves"] == {key: value for key, value in case.proves.items() if key != "derived"}


def agree(files: int, seed: str, folder: Path) -> tuple[int, int]:
    """How many files that were tampered with at random both accept, and both refuse. AssertionError where they differ."""
    tampered = [
        (
            each["proves"]["kind"] in ("plans", "equilibrium"),
            forged(written(each["name"]), Random(f"{each['name']} {seed} {number}")),  # noqa: S311 - no secret
        )
        for each in described("honest")
        for number in range(files)
    ]
    refused = 0
    for (plans, data), found in zip(tampered, said([data for _, data in tampered], folder), strict=True):
        try:
            proof = values.check_secret_game(data) if plans else values.check_table(data)
        except values.Refused as no:
            assert found["refused"], f"{no}: {data[:300]!r}"
            refused += 1
            continue
        assert not found["refused"], f"{found['says']}: {data[:300]!r}"
        assert found["proves"]["values"] == [[str(low), str(high)] for low, high in proof.values]
    return len(tampered) - refused, refused


def test_both_checkers_agree_on_forgeries_at_random(tmp_path: Path) -> None:
    assert min(agree(SLICE, "second", tmp_path)) > 0


@pytest.mark.long
def test_both_checkers_agree_on_thousands_of_forgeries(tmp_path: Path) -> None:
    assert min(agree(LONG_RUN, "second, long", tmp_path)) > 0


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("three", 0, "The table of 15 states proves its values"),
        ("drip", 0, "The table of 1 state proves its values"),
        ("three", 1, "The checksum is not"),
    ],
)
def test_it_runs_by_itself(name: str, code: int, says: str, tmp_path: Path) -> None:
    data = written(name)
    file = tmp_path / "file.gz"
    file.write_bytes(gzip.compress(data if code == 0 else data.replace(b'"steps":[', b'"steps":[1', 1)))
    done = subprocess.run([str(NODE), str(CHECKER), str(file)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code, done.stderr
    assert says in done.stdout
