"""Certificates that were tampered with at random: each is refused, or as true as the one that it was made from."""

from __future__ import annotations

from random import Random

import pytest

from oddsmith.base.errors import CertificateError
from oddsmith.proof.rules import compare_table_with_rules, prove_table
from tests.certify.forger import forged
from tests.certify.judge import Judge
from tests.certify.suite import described, rules_of, written

SLICE, LONG_RUN = 60, 2_000  # of each honest certificate
BASES = [
    each
    for each in described("honest")
    if "sample" not in each and each["proves"]["kind"] not in ("plans", "equilibrium")
]


def accepted(name: str, rules: str, files: int, seed: str) -> int:
    """How many of so many forgeries are accepted; each of them is judged."""
    judge, found = Judge(written(name)), 0
    for number in range(files):
        data = forged(written(name), Random(f"{name} {seed} {number}"))  # noqa: S311 - no secret
        try:
            proof = prove_table(data)
            compare_table_with_rules(data, rules_of(rules))
        except CertificateError as refused:
            assert str(refused).isprintable()
            continue
        judge.holds(data, proof)
        found += 1
    return found


@pytest.mark.parametrize("base", BASES, ids=lambda base: str(base["name"]))
def test_what_is_accepted_is_true(base: dict[str, str]) -> None:
    accepted(base["name"], base["rules"], SLICE, "slice")


@pytest.mark.long
@pytest.mark.parametrize("base", BASES, ids=lambda base: str(base["name"]))
def test_what_is_accepted_is_true_of_thousands(base: dict[str, str]) -> None:
    assert accepted(base["name"], base["rules"], LONG_RUN, "long") > 0
