"""The rules of a game as a person wrote them and as exact statements, its random tables, and the source of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from oddsmith.publish.markup.html import (
    Html,
    cell,
    column_header,
    esc,
    html_with_code,
    join_html,
    prose_html,
    row_header,
    table,
    tag,
)
from oddsmith.publish.markup.numbers import percent_text, range_text
from oddsmith.report.english import RuleLine, Section, capital, filled_wording, joined, plain_name, rules_in_words
from oddsmith.ruleset import BoundRollTable, Game, roll_tables


def how_to_play_html(game: Game) -> list[Html]:
    """Return how to play, without odds: the summary, the rules as a person wrote them, the author's prose, the exact
    rules, and the random tables.
    """
    rules = game.ruleset
    short = short_rules_html(game)
    author = [prose_html(str(rules.data["prose"]))] if "prose" in rules.data else []
    exactly = [tag("h3", "The rules, exactly")] if short else []
    return [
        tag("p", rules.summary),
        *short,
        *author,
        *exactly,
        *rules_html(game),
        *random_tables_html(game, with_chances=False),
    ]


def short_rules_html(game: Game) -> list[Html]:
    """Return the short rules that a person wrote; an empty list if the ruleset has none."""
    text = game.ruleset.rules_as_told and filled_wording(game.ruleset.rules_as_told, game)
    return [prose_html(text)] if text else []


def rules_html(game: Game) -> list[Html]:
    """Return the exact rules in words. They are derived from the same records with which the game is solved."""
    parts = []
    for section in rules_in_words(game):
        parts.append(tag("h3", section.title))
        if section.text:
            parts.append(tag("p", html_with_code(section.text)))
        if section.items:
            parts.append(_rule_lines_html(section))
    return parts


def _rule_lines_html(section: Section) -> Html:
    kind = "ol" if section.numbered else "ul"
    return tag(kind, *(tag("li", _rule_line_html(item)) for item in section.items), cls="od-items")


def _rule_line_html(item: RuleLine) -> Html:
    parts: list[str] = []
    name = html_with_code(item.name)
    if item.name:
        parts.append(tag("strong", name))
    if item.when:
        lead = "If " if not item.name else ", " if item.when.startswith("with ") else ", if "
        parts.append(join_html([esc(lead), html_with_code(item.when)]))
    if parts:
        parts.append(esc(": "))
    return join_html([*parts, html_with_code(item.what if parts else capital(item.what))])


def random_tables_html(game: Game, with_chances: bool = True) -> list[Html]:
    """Return the random tables of the game: results of dice and their texts.

    ``with_chances``: whether to add the chances to tables whose lines have different chances.
    """
    return [_roll_table_html(each, with_chances and not each.has_equal_weights) for each in roll_tables(game)]


def random_table_odds_html(game: Game) -> list[Html]:
    """Return the random tables whose lines have different chances, with these chances."""
    return [_roll_table_html(each, with_chances=True) for each in roll_tables(game) if not each.has_equal_weights]


def _roll_table_html(roll_table: BoundRollTable, with_chances: bool) -> Html:
    head, rows = (
        [column_header("result", cls="od-text")],
        [[cell(line.text, cls="od-text")] for line in roll_table.rows],
    )
    if roll_table.dice_in_words:
        head.insert(0, column_header(roll_table.dice_in_words))
        for cells, line in zip(rows, roll_table.rows, strict=True):
            cells.insert(0, row_header(range_text(line.lowest_result, line.highest_result)))
    if with_chances:
        head += [column_header("chance"), column_header("exactly")]
        for cells, line in zip(rows, roll_table.rows, strict=True):
            chance = Fraction(line.weight, roll_table.total_weight)
            cells += [cell(percent_text(chance)), cell(str(chance))]
    return table(f"{roll_table.name}. {outcomes_note(roll_table)}".rstrip(), head, rows)


def outcomes_note(roll_table: BoundRollTable) -> str:
    """Return a sentence or two about the roll whose outcomes a table lists. The text is empty if the author wrote the
    lines of the table.
    """
    if not roll_table.phase_of_outcomes:
        return ""
    never = (
        f" There, {joined(roll_table.impossible_outcomes)} cannot come up." if roll_table.impossible_outcomes else ""
    )
    return f"What {plain_name(roll_table.phase_of_outcomes)} leads to when every variable is at its start.{never}"


def source_html(source: Mapping[str, object]) -> Html:
    """Return a paragraph with the source of the rules and their licence.

    ``source``: the key ``source`` of the ruleset.
    """
    named = {key: str(source[key]) for key in ("title", "author", "year") if key in source}
    if named.get("author", "").startswith("unknown"):
        named["author"] = f"author {named['author']}"
    parts = [esc("Source: "), join_html(list(named.values()), ", ")]
    if "url" in source:
        parts += [esc(", "), tag("a", str(source["url"]), href=str(source["url"]), rel="noreferrer")]
    for key, lead in (("licence", ". Licence: "), ("note", ". ")):
        if key in source:
            parts += [esc(lead), esc(str(source[key]).rstrip("."))]
    parts.append(esc("."))
    return tag("p", *parts, cls="od-source")
