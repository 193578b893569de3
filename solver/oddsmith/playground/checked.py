"""A ruleset's text as somebody writes it: its problems, its rules in words, and what a table plays it by."""

from __future__ import annotations

from collections.abc import Iterator

from oddsmith.answering import Message, Settings, bound, described, known_to, problem_told
from oddsmith.errors import OddsmithError, PlayError, Problem, RulesetError
from oddsmith.exact import plural
from oddsmith.graph import walk
from oddsmith.report.book import unsolved
from oddsmith.report.english import rules_in_words
from oddsmith.ruleset.checking import check_everywhere
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.reading import read, source_of

FILE = "ruleset.yaml"


def checked(text: str) -> Iterator[Message]:
    """What is known of a text without solving, part by part: ``problems``; of a sound ruleset ``game``, ``rules``, ``book``.

    ``problems`` stand at line and column, errors and warnings. ``game`` says what can be chosen. ``rules`` are sections in
    words, and ``book`` is what a table of play loads. Then come parts that say how far a look at the first positions is: how
    many were ``looked`` at, whether they are the ``whole`` game, and at how many ``seats``. If a rule breaks there, all
    ``problems`` come again, that one with the ``play`` that leads to it.
    """
    try:
        ruleset, warnings = read(source_of(text.encode("utf-8", "replace"), FILE))
        problems = list(dict.fromkeys([*warnings, *check_everywhere(ruleset)]))
        yield {"problems": [problem_told(each, ruleset.source) for each in problems]}
        if any(each.severity == "error" for each in problems):
            return
        settings = known_to(ruleset, Settings())
        yield {"game": described(ruleset, settings), "rules": list(_sections(ruleset, settings))}
        yield {"book": unsolved(ruleset)}
        yield from _looked(ruleset, settings, problems)
    except RulesetError as error:
        yield {"problems": [problem_told(each, error.source) for each in error.problems]}
    except OddsmithError as error:
        yield {"failed": str(error)}


def _looked(ruleset: Ruleset, settings: Settings, problems: list[Problem]) -> Iterator[Message]:
    """What a look at the first positions finds, as a check in a terminal takes one."""
    game = bound(ruleset, settings)
    try:
        for far in walk(game, str(settings.objective)):
            yield {"looked": far.positions, "whole": far.whole, "seats": plural(game.seats, "seat")}
    except RulesetError as error:
        play = error.play if isinstance(error, PlayError) else ()
        told = [problem_told(each, ruleset.source) | {"play": list(play)} for each in error.problems]
        yield {"problems": [*(problem_told(each, ruleset.source) for each in problems), *told]}


def _sections(ruleset: Ruleset, settings: Settings) -> Iterator[Message]:
    """The rules in words, as data; stretches between backquotes are code."""
    for section in rules_in_words(bound(ruleset, settings)):
        items = [{"name": each.name, "when": each.when, "what": each.what} for each in section.items]
        yield {"title": section.title, "text": section.text, "items": items, "numbered": section.numbered}
