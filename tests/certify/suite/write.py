"""Writes the honest certificates of the suite: ``python -m tests.certify.suite.write``.

``honest.json`` says which games they are for; what they prove is written into it, once the solver has said the same.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from oddsmith.proof import rules, values
from oddsmith.report.export import certificates as evidence
from oddsmith.report.export.certificates import MIN_DIGITS, certificate, staged_certificate
from oddsmith.report.export.plans import plan_certificate
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.extensive import SecretSolution, solve_secrets
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from oddsmith.solve.staged.staged import Staged, solve_by_stages
from tests.certify.suite import SUITE, Case, Record, described, forge, outcome, rules_of


def main() -> None:
    """Write all of them anew."""
    listed = described("honest")
    for each in listed:
        solution, data = made(each)
        (SUITE / "honest" / f"{each['name']}.jsonl").write_bytes(data)
        found = outcome(Case(each["name"], data, each["rules"], sample=each.get("sample")), values, rules)
        if found["refused"]:
            raise SystemExit(f"{each['name']}: {found['says']}")
        each["proves"] = found["proves"]
        for bounds, number in zip(each["proves"]["values"], solution.values, strict=True):
            low, high = map(Fraction, bounds)
            assert low <= number.upper
            assert number.lower <= high
    text = "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in listed) + "\n]\n"
    (SUITE / "honest.json").write_text(text, "utf-8")


def made(each: Record) -> tuple[Solution | Staged | SecretSolution, bytes]:
    """The solution of an entry, and its certificate."""
    game = bind(rules_of(each["rules"]), Setting(each["seats"], values=each.get("settings", {})))
    if game.ruleset.has_secrets:
        secrets = solve_secrets(game, each["objective"])
        return secrets, b"".join(plan_certificate(secrets))
    if each.get("staged"):
        staged = solve_by_stages(game, each["objective"], digits=MIN_DIGITS)
        data = b"".join(staged_certificate(staged))
        return staged, forge(by_seat(data), each) if each.get("doubled") else data
    policies = {int(seat): name for seat, name in each.get("policies", {}).items()}
    solution = solve(game, each["objective"], policies or None)
    exact = evidence.MAX_EXACT_ARENA_STATES
    evidence.MAX_EXACT_ARENA_STATES = 0 if each.get("enclosed") else exact
    try:
        data = certificate(solution)
    finally:
        evidence.MAX_EXACT_ARENA_STATES = exact
    if each.get("doubled"):
        data = by_seat(data)
    return solution, forge(data, each)


def by_seat(data: bytes) -> bytes:
    """The same play, told for every seat apart."""
    head, *states = [json.loads(line) for line in data.splitlines()[:-1]]
    seats = head["ruleset"]["seats"]
    head |= {"copies": seats, "kind": "pure-by-seat"}
    for state in states:
        for key in ("play", "values", "over", "steps", "ends"):
            if key in state:
                state[key] = state[key] * seats
    lines: list[dict[str, Any]] = [head, *states, {}]
    return "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines).encode()


if __name__ == "__main__":
    main()
