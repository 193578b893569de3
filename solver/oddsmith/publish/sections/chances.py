"""What each roll of the game leads to."""

from __future__ import annotations

from fractions import Fraction

from oddsmith.publish.markup import Html, cell, column, one_in, percent, row, short, table
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, plain_name
from oddsmith.report.facts import ChanceTable


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
