"""``oddsmith certify``: check a certificate that ``solve --certificate`` wrote, without the solver."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.base.exact import Number, plural
from oddsmith.cli.common import digits_option, json_option, print_json, terminal_progress
from oddsmith.cli.measuring import fraction_note

if TYPE_CHECKING:
    from oddsmith.proof import Derivation, Proof

PART_COMPARED = 3  # the exit code if a large table was compared with the rules only in part


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("ruleset", required=False)
@click.option(
    "--values", "values_only", is_flag=True, help="Check only that the table proves the values. Read no rules."
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Derive only N positions again, chosen at random, and as many near the start.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Choose the same positions again as a run that named this seed."
)
@digits_option(12, 70)
@json_option("Print what was checked as JSON.")
def certify(
    file: Path,
    ruleset: str | None,
    values_only: bool,
    sample: int | None,
    seed: int | None,
    digits: int,
    as_json: bool,
) -> int:
    """Check that the table of a certificate proves its values, and that the rules give that table.

    The solver takes no part in this. Without a RULESET it takes the shipped one that the certificate names. The exit code is 1
    if the certificate is refused. It is 3 if the table is so large that only a part was compared with the rules, without
    --sample.

    \b
    Example:
      oddsmith solve my.yaml --seats 2 --certificate my.jsonl.gz
      oddsmith certify my.jsonl.gz my.yaml
    """
    from oddsmith.base.files import find_ruleset, path_or_bytes
    from oddsmith.cli.secret_games import certify_plans, seat_number_text, shipped_ruleset_id
    from oddsmith.proof import compare_table_with_rules, is_for_secret_game, prove_table
    from oddsmith.ruleset.reading import load_ruleset

    data = path_or_bytes(file)
    if is_for_secret_game(data):
        return certify_plans(data, ruleset, values_only or sample is not None, digits, as_json)
    proof = prove_table(data)
    values = [Number(low, high) for low, high in proof.values]
    derived, seat_name = None, seat_number_text
    if not values_only:
        rules = load_ruleset(find_ruleset(ruleset or shipped_ruleset_id(proof.header)))[0]
        seat_name = rules.seat_name
        with terminal_progress() as report:
            derived = compare_table_with_rules(data, rules, sample, report, seed)
    is_part = derived is not None and not derived.whole
    exit_code = PART_COMPARED if is_part and not sample else 0
    if as_json:
        print_json(_certificate_data(proof, values, derived, digits))
        return exit_code
    head = proof.header
    seats = plural(head["ruleset"]["seats"], "seat")
    click.echo(f"{head['ruleset']['id']}, {seats}, {head['objective']}: {_verdict_words(derived)}")
    for seat, value in enumerate(values):
        note = "  (if the rest of the table is right)" if is_part else fraction_note(value)
        click.echo(f"  {seat_name(seat)}: {value.decimal(digits)}{note}")
    sizes = f"{plural(head['states'], 'state')}, {plural(proof.transitions, 'transition')}"
    click.echo(f"the table ({sizes}) proves these values")
    for sentence in _decision_sentences(proof):
        click.echo(sentence)
    click.echo(_derivation_words(derived))
    return exit_code


def _verdict_words(derivation: Derivation | None) -> str:
    """Return the verdict on a certificate as text. It says that the certificate holds only if all states were derived
    again.

    ``derivation``: what was derived from the rules; None if the rules were not read.
    """
    if derivation is None:
        return "its table proves its values; it was not compared with the rules"
    return "the certificate holds" if derivation.whole else "no fault was found in the part that was compared"


def _decision_sentences(proof: Proof) -> list[str]:
    """Return sentences on what was proven of actions, and of the end of play."""
    named, seats = len(proof.header["policies"]), proof.header["ruleset"]["seats"]
    free = ", for the seats without a named policy" if named else ""
    if named == seats:
        sentences = ["every seat plays a named policy, so there was no decision to prove"]
    elif any(low != high for low, high in proof.values):
        sentences = [
            f"nobody gets more than these bounds by playing otherwise, in {plural(proof.decisions, 'decision')}{free}"
        ]
    else:
        sentences = [f"no action is worth more than the one played, in {plural(proof.decisions, 'decision')}{free}"]
    if proof.endless:
        sentences.append(
            f"play ends as it is played; from {plural(len(proof.endless), 'state')} the players could keep it from ending, and "
            "nothing is claimed against ways of playing that never end, because they have no value"
        )
    else:
        sentences.append("play ends, however it is played")
    return sentences


def _derivation_words(derivation: Derivation | None) -> str:
    """Return a sentence that says how many states of the table were derived from the rules.

    ``derivation``: as for ``_verdict_words``.
    """
    if derivation is None:
        return "not checked: whether the rules give this table, and whether its states stand for what its header says"
    if derivation.whole:
        return f"the rules give this table: every state ({derivation.states:,}) derived again, for every position it stands for"
    return (
        f"the rules give the part of this table that was checked: {derivation.checked:,} of {derivation.states:,} states "
        f"derived again, at random and near the start (--seed {derivation.seed} takes the same again)"
    )


def _certificate_data(
    proof: Proof, values: list[Number], derivation: Derivation | None, digits: int
) -> dict[str, object]:
    head = proof.header
    sentences = derivation and {
        "states": derivation.checked,
        "positions": derivation.positions,
        "whole": derivation.whole,
        "seed": derivation.seed,
    }
    return {
        "ruleset": head["ruleset"],
        "objective": head["objective"],
        "kind": head["kind"],
        "values": [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(values, 1)],
        "states": head["states"],
        "transitions": proof.transitions,
        "decisions": proof.decisions,
        "ties": proof.ties,
        "endless": len(proof.endless),
        "derived": sentences,
    }
