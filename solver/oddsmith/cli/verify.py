"""``oddsmith verify``: published odds against computed ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.base.exact import MAX_SHOWN_DIGITS, plural
from oddsmith.cli.common import SettingOptions, json_option, print_json, settings_options, store_option

if TYPE_CHECKING:
    from oddsmith.report.facts import Verdict


@click.command()
@settings_options(with_objective=False, with_policies=False, many_rulesets=True)
@click.option("--expected", is_flag=True, help="Exit with 1 only if a verdict differs from the recorded one.")
@store_option("Folder where `publish` keeps answers.")
@json_option("Print the verdicts as JSON.")
def verify(
    rulesets: tuple[str, ...], settings: SettingOptions, expected: bool, store: Path | None, as_json: bool
) -> int:
    """Verify the odds that rulesets quote, whether published or counted by hand.

    Without a RULESET it verifies all shipped ones. A claim may name a game of its own. All other claims are compared with the
    game at the settings that you give. The exit code is 1 when a claim is wrong.

    \b
    Example:
      oddsmith verify rogues-gambit --expected
    """
    from oddsmith.base.files import shipped_rulesets

    failed = False
    results = []
    for name in rulesets or shipped_rulesets():
        book = settings.chosen_game(name).loaded_ruleset
        verdicts = book.verify(store)
        failed = failed or any(not v.is_as_recorded if expected else not v.is_right for v in verdicts)
        results.append(
            {
                "ruleset": {"id": book.ruleset.id, "sha256": book.sha256},
                "claims": [v.to_json() for v in verdicts],
            }
        )
        if not as_json:
            _print_verdicts(book.ruleset.title, verdicts)
    if as_json:
        print_json(results[0] if len(results) == 1 else results)
    return int(failed)


def _print_verdicts(title: str, verdicts: list[Verdict]) -> None:
    """Print the claims that others published first, then those that were counted by hand."""
    from oddsmith.report.facts import NOUNS

    if not verdicts:
        click.echo(f"{title}: no claims to verify")
    for origin, nouns in NOUNS.items():
        of_origin = [each for each in verdicts if each.claim.origin == origin]
        if of_origin:
            click.echo(f"{title}: {plural(len(of_origin), *nouns)}")
        for verdict in of_origin:
            _print_verdict(verdict)


def _print_verdict(verdict: Verdict) -> None:
    data = verdict.to_json()
    exact = (
        f" = {data['exact']}"
        if data["exact"] and "/" in data["exact"] and len(data["exact"]) <= MAX_SHOWN_DIGITS
        else ""
    )
    mark = "right" if verdict.is_right else "WRONG"
    click.echo(f"  {mark}  {verdict.claim.quote}")
    click.echo(f"         computed {data['decimal']}{exact}, off by {data['off_by']}; {verdict.method_in_words}")
    if verdict.is_between_roundings:
        click.echo("         the computed value is exactly at the edge of what rounds to the stated one")
    if verdict.claim.note:
        click.echo(f"         {verdict.claim.note.strip()}")
    if not verdict.is_as_recorded:
        recorded = "right" if verdict.claim.is_right else "wrong"
        click.secho(f"         the ruleset records this claim as {recorded}", fg="red")
