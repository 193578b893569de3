"""How the game goes: its rules as a person tells them, then exactly, its lists to roll on, and where all of this comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping

from oddsmith.publish.markup import Html, cell, column, esc, join, marked, prose, row, table, tag
from oddsmith.report.english import Item, Section, capital, filled, rules_in_words
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Ruleset


def whole_html(game: Game) -> list[Html]:
    """How to play, from the summary to the lists: as people tell it, as the author wrote of it, and exactly."""
    rules = game.ruleset
    told = told_html(game)
    author = [prose(str(rules.data["prose"]))] if "prose" in rules.data else []
    exactly = [tag("h3", "The rules, exactly")] if told else []
    return [tag("p", rules.summary), *told, *author, *exactly, *rules_html(game), *tables_html(rules)]


def told_html(game: Game) -> list[Html]:
    """The rules as a person tells them; nothing where nobody did."""
    told = game.ruleset.told and filled(game.ruleset.told, game)
    return [prose(told)] if told else []


def rules_html(game: Game) -> list[Html]:
    """The rules exactly, in plain words made from what the engine plays."""
    parts = []
    for section in rules_in_words(game):
        parts.append(tag("h3", section.title))
        if section.text:
            parts.append(tag("p", marked(section.text)))
        if section.items:
            parts.append(_items(section))
    return parts


def _items(section: Section) -> Html:
    kind = "ol" if section.numbered else "ul"
    return tag(kind, *(tag("li", _item(item)) for item in section.items), cls="od-items")


def _item(item: Item) -> Html:
    parts: list[str] = []
    name = marked(item.name)
    if item.name:
        parts.append(tag("strong", name))
    if item.when:
        lead = "If " if not item.name else ", " if item.when.startswith("with ") else ", if "
        parts.append(join([esc(lead), marked(item.when)]))
    if parts:
        parts.append(esc(": "))
    return join([*parts, marked(item.what if parts else capital(item.what))])


def tables_html(rules: Ruleset) -> list[Html]:
    """The ruleset's lists for colour: each result of the dice and what it says."""
    return [_to_roll_on(name, spec["dice"], spec["rows"]) for name, spec in rules.data.get("tables", {}).items()]


def _to_roll_on(name: str, dice: object, rows: list[object]) -> Html:
    terms = [re.fullmatch(r"\s*([0-9]*)d[0-9]+\s*", term) for term in str(dice).split("+")]
    lowest = sum(int(term[1] or 1) for term in terms if term) if all(terms) else 1
    made = [[row(str(number)), cell(str(text), cls="od-text")] for number, text in enumerate(rows, lowest)]
    return table(f"{name}.", [column(str(dice)), column("result", cls="od-text")], made)


def source_html(source: Mapping[str, object]) -> Html:
    """Where the rules come from, and under which licence."""
    named = join([esc(source[key]) for key in ("title", "author", "year") if key in source], ", ")
    parts = [esc("Source: "), named]
    if "url" in source:
        parts += [esc(", "), tag("a", str(source["url"]), href=str(source["url"]), rel="noreferrer")]
    for key, lead in (("licence", ". Licence: "), ("note", ". ")):
        if key in source:
            parts += [esc(lead), esc(str(source[key]).rstrip("."))]
    parts.append(esc("."))
    return tag("p", *parts, cls="od-source")
