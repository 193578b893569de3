"""Every shipped ruleset: its certificate holds by its own table, and the rules give that table."""

from __future__ import annotations

import pytest

from oddsmith.proof.rules import compare_table_with_rules, prove_table
from oddsmith.report.export.certificates import certificate
from tests.cases import RULESETS, Case, cases, size, solved

SAMPLE = 400  # states derived anew of a larger table

MOST = 10_000  # states of a table that is checked in the short run
GAMES = [
    pytest.param(case, marks=pytest.mark.long if size(case, case.objectives[0])["states"] > MOST else ())
    for case in cases()
    if case.game.ruleset.source.file.startswith(str(RULESETS))
]


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_the_certificate_holds(case: Case) -> None:
    solution = solved(case, case.objectives[0])
    data = certificate(solution)
    proof = prove_table(data)
    for (low, high), number in zip(proof.values, solution.values, strict=True):
        assert low <= number.upper
        assert number.lower <= high
    large = solution.graph.state_count > SAMPLE
    derived = compare_table_with_rules(data, case.game.ruleset, SAMPLE if large else None)
    assert derived.states == solution.graph.state_count
    assert derived.checked >= SAMPLE if large else derived.checked == derived.states
