"""Checks the text of a ruleset while somebody writes it: its problems, its rules in words, and the bundle for a table.

It also completes words for the editor of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from oddsmith.base.errors import OddsmithError, PlayError, Problem, RulesetError
from oddsmith.base.exact import plural
from oddsmith.base.location import Source
from oddsmith.design import (
    Message,
    nearest_valid_setting,
    problem_message,
    settings_message,
)
from oddsmith.editor import Completion, completions, cursor_at, fill_snippet_defaults
from oddsmith.graph import search_first_positions
from oddsmith.report.english import rules_in_words, unsolved_bundle
from oddsmith.ruleset import bind
from oddsmith.ruleset.checking import check_at_many_settings
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.ruleset.reading import read_ruleset, source_from_bytes

FILE = "ruleset.yaml"


def check_messages(text: str) -> Iterator[Message]:
    """Check the text of a ruleset without solving the game, and yield the parts of the result, each as a dictionary.

    The first part is ``problems``: errors and warnings with line and column. If there are no errors, these follow:
    ``game``, the settings that can be chosen; ``rules``, the rules in words; ``book``, the bundle that a table loads.
    Then come parts about a check of the first positions: the number of positions so far (``looked``), whether they are
    all (``whole``), and the number of ``seats`` in words. If a rule fails there, ``problems`` comes again, with the new
    problem, which has the ``play`` that leads to it. ``failed``: why the check cannot be made.
    """
    try:
        ruleset, warnings = read_ruleset(source_from_bytes(text.encode("utf-8", "replace"), FILE))
        problems = list(dict.fromkeys([*warnings, *check_at_many_settings(ruleset)]))
        yield {"problems": problem_messages(problems, ruleset.source)}
        if any(each.severity == "error" for each in problems):
            return
        setting = nearest_valid_setting(ruleset, Setting())
        yield {"game": settings_message(ruleset, setting), "rules": list(_rule_section_messages(ruleset, setting))}
        yield {"book": unsolved_bundle(ruleset)}
        yield from _position_check_messages(ruleset, setting, problems)
    except RulesetError as error:
        yield {"problems": problem_messages(error.problems, error.source)}
    except OddsmithError as error:
        yield {"failed": str(error)}


def problem_messages(
    problems: Sequence[Problem], source: Source | None, play_error: RulesetError | None = None
) -> list[Message]:
    """Return problems as data, with line and column.

    ``play_error``: the error of a rule that failed during play, None if none did; its problem also has the ``play``
    that leads there.
    """
    met, play = (play_error.problems, list(play_error.play)) if isinstance(play_error, PlayError) else ((), [])
    return [problem_message(each, source) | ({"play": play} if each in met else {}) for each in problems]


def _position_check_messages(ruleset: Ruleset, setting: Setting, problems: list[Problem]) -> Iterator[Message]:
    """Check the first positions, as ``oddsmith check`` does, and yield the progress and the problems."""
    game = bind(ruleset, setting)
    try:
        for far in search_first_positions(game, setting.objective):
            yield {"looked": far.positions, "whole": far.complete, "seats": plural(game.seats, "seat")}
    except RulesetError as error:
        yield {"problems": problem_messages([*problems, *error.problems], ruleset.source, error)}


def _rule_section_messages(ruleset: Ruleset, setting: Setting) -> Iterator[Message]:
    """Yield the sections of the rules in words, as data. Text between backquotes is code."""
    for section in rules_in_words(bind(ruleset, setting)):
        items = [{"name": each.name, "when": each.when, "what": each.what} for each in section.items]
        yield {"title": section.title, "text": section.text, "items": items, "numbered": section.numbered}


MAX_OFFERS = 40
_SENTENCE = re.compile(r"^(?!\*\*|```).+?(?=[.:](?:\s|$)|$)", re.MULTILINE)


def completion_message(text: str, line: int, column: int) -> Message:
    """Return completions at a line and column, counted from 1, as a dictionary with the list ``offers``, the likeliest
    first.

    A completion has the ``text`` to insert, the column ``from`` which this text replaces what was typed, its ``label``,
    and a sentence ``about`` it. There are at most MAX_OFFERS.
    """
    source = Source(FILE, text)
    cursor = cursor_at(source, line - 1, column - 1)
    whole = source.lines[line - 1] if line <= len(source.lines) else ""
    lead, rest = whole[: column - 1], whole[column - 1 :]
    indent = lead[: len(lead) - len(lead.lstrip())]
    found = [
        {
            "label": item.label,
            "about": _first_documentation_sentence(item),
            "text": _inserted_text(item, indent).removesuffix(": " if rest.startswith(":") else ""),
            "from": column - item.replaced,
        }
        for item in (completions(cursor) if cursor else ())
        if _is_continuation(item, lead)
    ]
    return {"offers": found[:MAX_OFFERS]}


def _is_continuation(item: Completion, line_before_cursor: str) -> bool:
    """Return whether an item continues the characters that are already typed. ``line_before_cursor``: the line up to
    the cursor.
    """
    begun = line_before_cursor[len(line_before_cursor) - item.replaced :]
    return item.label.startswith(begun) and item.label != begun


def _inserted_text(item: Completion, indent: str) -> str:
    """Return the text of an item, with its lines indented like the line of the cursor."""
    return fill_snippet_defaults(item.insert).replace("\n", f"\n{indent}")


def _first_documentation_sentence(item: Completion) -> str:
    """Return the first sentence of an item's documentation, without backquotes; if there is none, its detail."""
    found = _SENTENCE.search(item.documentation)
    return found[0].replace("`", "") if found else item.detail
