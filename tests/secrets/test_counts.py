"""Positions and nodes of a game with secrets: two counts with two names, which are the same in all commands."""

from __future__ import annotations

from pathlib import Path

from tests.terminal import run

KUHN = "tests/secrets/games/kuhn-poker.yaml"
BEFORE_THE_END = 1 + 3 + 6 * (1 + 2 + 1)
"""The empty table, one card dealt, and for each deal of two: the first choice, after a check or a bet, after check and bet."""
ENDS = 6 * 5
"""For each deal of two cards: check-check, check-bet-fold, check-bet-call, bet-fold, bet-call."""


def test_solve_counts_positions_and_check_and_certify_count_nodes(tmp_path: Path) -> None:
    certificate = tmp_path / "kuhn.jsonl"
    solved = run("solve", KUHN, "--values", "--certificate", str(certificate))
    assert f"\n{BEFORE_THE_END} positions\n" in solved.stdout
    nodes = f"{BEFORE_THE_END + ENDS} nodes"
    assert f"all {nodes} at 2 seats are sound" in run("check", KUHN, "--full").stdout
    assert f"from {nodes}\n" in run("certify", str(certificate), KUHN).stdout
