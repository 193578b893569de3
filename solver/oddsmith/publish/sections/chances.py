"""What each roll of the game leads to, and when rolling once more and then stopping beats stopping at once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oddsmith.exact import plural
from oddsmith.publish.markup import Html, cell, column, esc, one_in, percent, row, short, table, tag
from oddsmith.report.answers import Answer
from oddsmith.report.balance import OneMore
from oddsmith.report.english import capital, joined, plain_name
from oddsmith.report.facts import ChanceTable

FORMULAS = 3  # of one decision that are shown: those of the regions with most positions


def chances(answer: Answer) -> list[Html]:
    """A table for each roll of the game."""
    return [_chances(each) for each in answer.chances]


def _chances(each: ChanceTable) -> Html:
    mean = any(event.mean is not None for event in each.events)
    head = [column(text) for text in ("event", "ways", "chance", "exactly", "about")] + (
        [column("mean of the dice")] if mean else []
    )
    rows = []
    for event in each.events:
        cells = [
            row(event.name or "anything"),
            cell(f"{event.ways:,}"),
            cell(percent(event.chance)),
            cell(str(event.chance)),
            cell(one_in(event.chance)),
        ]
        if mean:
            cells.append(cell("" if event.mean is None else short(event.mean)))
        rows.append(cells)
    total = sum((event.chance for event in each.events), Fraction(0))
    foot = [
        row("all"),
        cell(f"{each.ways:,}"),
        cell("100 %" if total == 1 else percent(total)),
        cell(str(total)),
        cell(""),
        *([cell("")] if mean else []),
    ]
    name = capital(plain_name(each.phase))
    words = f"{name}: {each.dice}" if each.dice else name
    words += f", {each.when}." if each.when else "."
    return table(words, head, rows, foot)


def one_more_html(decisions: Sequence[OneMore]) -> list[Html]:
    """When one more roll pays, as a formula; nothing where there is none."""
    return [part for each in decisions for part in _one_more(each)]


def _one_more(decision: OneMore) -> list[Html]:
    words = f"One more {decision.throw}, and then {decision.stop}, is better on average than {decision.stop} at once:"
    items = []
    for pays, region, decisions in decision.formulas[:FORMULAS]:
        where = f", where {joined(list(map(_formula, region)))}" if region else ""
        share = f" ({decisions:,} of {plural(decision.decisions, 'decision')})"
        items.append(tag("li", tag("code", _formula(pays)), esc(where + share)))
    text = "The formula is exact, but looks only one roll ahead. Best play, in the table above, looks to the end of the game."
    left = len(decision.formulas) - FORMULAS
    if left > 0:
        text += f" {left} smaller region{'s' * (left > 1)} with other formulas {'are' if left > 1 else 'is'} not shown here."
    return [tag("p", words), tag("ul", *items), tag("p", text, cls="od-note")]


def _formula(text: str) -> str:
    return text.replace("*", "·").replace(">=", "≥").replace("<=", "≤")
