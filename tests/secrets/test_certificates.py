"""Certificates of games with secrets: what is accepted is true, whoever wrote it. The suite has the honest and the forged."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from oddsmith.base.errors import CertificateError
from oddsmith.proof import compare_plans_with_rules, values
from tests.certify.forger import forged
from tests.certify.suite import Record, described, rules_of, written
from tests.terminal import run

BASES = [each for each in described("honest") if each["proves"]["kind"] == "plans"]
SLICE, LONG_RUN = 60, 2_000  # of each honest certificate


def accepted(base: Record, files: int, seed: str) -> int:
    """How many forgeries are accepted; the true value lies in what each of them proves."""
    found, honest = 0, written(base["name"])
    (low, high), *_ = values.check_secret_game(honest).values
    for number in range(files):
        data = forged(honest, Random(f"{base['name']} {seed} {number}"))  # noqa: S311 - no secret
        try:
            (least, most), *_ = values.check_secret_game(data).values
            compare_plans_with_rules(data, rules_of(base["rules"]))
        except (values.Refused, CertificateError):
            continue
        assert least <= high
        assert low <= most
        found += 1
    return found


@pytest.mark.parametrize("base", BASES, ids=lambda base: str(base["name"]))
def test_what_is_accepted_is_true(base: Record) -> None:
    assert accepted(base, SLICE, "slice") > 0


@pytest.mark.long
@pytest.mark.parametrize("base", BASES, ids=lambda base: str(base["name"]))
def test_what_is_accepted_is_true_of_thousands(base: Record) -> None:
    assert accepted(base, LONG_RUN, "long") > 0


def test_other_rules_are_refused() -> None:
    other = rules_of("../../secrets/games/kuhn-poker.yaml")
    with pytest.raises(CertificateError, match="other rules"):
        compare_plans_with_rules(written("plans-at-once"), other)


def test_certify_names_the_sides_of_the_rules(tmp_path: Path) -> None:
    """Where it reads no rules, the seats have numbers."""
    file = str(tmp_path / "lanterns.jsonl")
    assert run("solve", "two-lanterns", "--set", "oil=1", "--values", "--certificate", file).returncode == 0
    assert "\n  crow: 0.083333333333  = 1/12\n  raven: 0.916666666667  = 11/12\n" in run("certify", file).stdout
    assert "\n  seat 1: 0.083333333333  = 1/12\n" in run("certify", "--values", file).stdout
