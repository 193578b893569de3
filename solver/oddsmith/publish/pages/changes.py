"""The page about the differences between two games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from oddsmith.base.exact import Number
from oddsmith.publish.markup.html import Html, cell, column_header, row, table, tag
from oddsmith.publish.pages.standalone import standalone_page
from oddsmith.report.english import capital, plain_name, sentence
from oddsmith.report.policy import DecisionChange, Difference

PLACES = 4


def changes_page(title: str, found: Difference, say: Callable[[str], str] = str) -> bytes:
    """Return the page about the differences between two games: in rules, values, lengths and decisions, and the loss of
    a seat that keeps its old strategy.

    ``say``: a function from the name of an action to its words.
    """
    return standalone_page(title, _page_parts(found, say))


def _page_parts(found: Difference, say: Callable[[str], str]) -> Iterator[Html]:
    yield tag("h2", "Rules")
    if found.rules:
        head = [column_header("where"), column_header("before"), column_header("after")]
        rows = [
            [row(each.location), cell(_value_text(each.before)), cell(_value_text(each.after))] for each in found.rules
        ]
        yield table("What changed in the rules and the settings.", head, rows)
    else:
        yield tag("p", "The rules and the settings are the same.")
    yield tag("h2", "What each seat gets")
    named = list(zip(found.seats, found.values, strict=True))
    yield _before_after("The values of the seats if all play best.", "seat", named)
    if found.lengths:
        yield tag("h2", "How long a game is")
        yield _before_after("Means under best play.", "length", list(found.lengths.items()))
    if found.choices:
        yield tag("h2", "What to do")
    for moved in found.choices:
        yield from _decision_parts(moved, say)
    if found.loyal is not None:
        yield tag("p", sentence(found.loyal_words(PLACES)))
    yield from (tag("p", sentence(note)) for note in found.notes)


def _before_after(caption: str, what: str, named: Sequence[tuple[str, tuple[Number | None, Number | None]]]) -> Html:
    head = [column_header(text) for text in (what, "before", "after", "change", "")]
    rows = []
    for name, (before, after) in named:
        change = None if before is None or after is None else after - before
        sure = [number.grade for number in (before, after) if number is not None]
        cells = [
            _number_text(before),
            _number_text(after),
            _number_text(change, sign=True),
            " and ".join(dict.fromkeys(sure)),
        ]
        rows.append([row(capital(name)), *map(cell, cells)])
    return table(caption, head, rows)


def _decision_parts(moved: DecisionChange, say: Callable[[str], str]) -> Iterator[Html]:
    name, _, words = moved.words.partition(": ")
    yield tag("p", tag("strong", capital(name)), f": {sentence(words)}")
    if moved.examples:
        head = [column_header("position"), column_header("before"), column_header("now")]
        rows = [[row(each.position), cell(say(each.before)), cell(say(each.after))] for each in moved.examples]
        yield table(f"Decisions of {plain_name(moved.phase)} that moved.", head, rows)


def _number_text(number: Number | None, sign: bool = False) -> str:
    if number is None:
        return "–"
    text = number.decimal(PLACES)
    return f"+{text}" if sign and number.lower > 0 else text


def _value_text(value: object) -> str:
    return "–" if value is None else str(value)
