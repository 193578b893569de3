"""Games with secrets or simultaneous choices, as ``solve`` and ``certify`` print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.errors import UnknownRulesetError
from oddsmith.base.exact import Number, fraction_text, plural
from oddsmith.base.files import find_ruleset, shipped_rulesets
from oddsmith.cli.common import print_json, terminal_progress
from oddsmith.proof import compare_plans_with_rules, prove_plans
from oddsmith.report.policy import plans_in_words
from oddsmith.ruleset.reading import load_ruleset

if TYPE_CHECKING:
    from oddsmith.proof import Source
    from oddsmith.solve.extensive import SecretSolution


def certify_plans(certificate: Source, ruleset: str | None, values_only: bool, digits: int, as_json: bool) -> int:
    """Check the certificate of a game with secrets, print what it proves, and return the exit code."""
    proof = prove_plans(certificate)
    nodes, seat_name = None, seat_number_text
    if not values_only:
        rules = load_ruleset(find_ruleset(ruleset or shipped_ruleset_id(proof.header)))[0]
        seat_name = rules.seat_name
        with terminal_progress() as report:
            nodes = compare_plans_with_rules(certificate, rules, report)
    head, values = proof.header, [Number(low, high) for low, high in proof.values]
    if as_json:
        numbers = [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(values, 1)]
        sizes = {"subgames": proof.subgames, "information_sets": proof.information_sets, "leaves": proof.leaves}
        setting = {"ruleset": head["ruleset"], "objective": head["objective"]}
        print_json({**setting, "values": numbers, **sizes, "derived": nodes})
        return 0
    verdict = (
        "its table proves its values; it was not compared with the rules" if nodes is None else "the certificate holds"
    )
    click.echo(f"{head['ruleset']['id']}, {plural(head['ruleset']['seats'], 'seat')}, {head['objective']}: {verdict}")
    for seat, value in enumerate(values):
        click.echo(f"  {seat_name(seat)}: {value.decimal(digits)}{_fraction_text(value)}")
    counted = ((proof.subgames, "subgame"), (proof.information_sets, "information set"), (proof.leaves, "end"))
    checked = ", ".join(plural(count, what) for count, what in counted)
    proven = (
        "the best responses to its plans prove these values"
        if "total" in head
        else "nobody gains by departing from its plans alone"
    )
    click.echo(f"{proven} ({checked})")
    if nodes is None:
        click.echo("not checked: whether the rules give these subgames")
    else:
        click.echo(f"the rules give these subgames: all were derived again, from {plural(nodes, 'node')}")
    return 0


def seat_number_text(seat: int) -> str:
    """Return the name of a seat, counted from 0, where no rules are read that may have another."""
    return f"seat {seat + 1}"


def shipped_ruleset_id(header: Mapping[str, Any]) -> str:
    """Return the id of the shipped ruleset that the header of a certificate names. Raises UnknownRulesetError if it is
    not shipped.
    """
    name = str(header["ruleset"]["id"])
    if name not in shipped_rulesets():
        raise UnknownRulesetError(f"the certificate is for {name}, which is no shipped ruleset: name its file")
    return name


def _fraction_text(value: Number) -> str:
    return "" if value.exact is None else f"  = {fraction_text(value.exact)}"


def decision_lines(solution: SecretSolution) -> Iterator[str]:
    """Yield lines for each seat: its name, its decisions at the information sets that play can reach, and the number of
    all others.
    """
    for plan in plans_in_words(solution):
        yield f"{plan.seat_name}:"
        yield from (f"  {line}" for line in plan.lines)
        if plan.omitted_count:
            yield f"  and {plural(plan.omitted_count, 'decision')} more, which --table FILE or --json gives"
