"""Functions for all readers: collect problems, and read expressions, names and texts."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from oddsmith.base.errors import Problem
from oddsmith.base.location import Location, Source, Text
from oddsmith.expr import BUILTINS, FUNCTIONS, NUMBER, BadExpression, Expr, Scope, Type, const, list_of, typed_tree
from oddsmith.ruleset.model.wording import ComputedValue, Sentence, UnitForms
from oddsmith.ruleset.reading.source import Node

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DICE = re.compile(r"[0-9]*d[0-9]+")
_BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
RESERVED = {
    "move", "set", "add", "let", "drop", "reveal", "from", "to", "be", "of", "supply", "rest", "again", "pass", "pass_to",
    "end", "true", "false", "lookup", "default", *BUILTINS, *FUNCTIONS,
}  # fmt: skip
EXPRESSION_WORDS = {"if", "else", "and", "or", "not", "in", "for"}


@dataclass
class ReadingContext:
    """The file that is being read, and the problems that were found so far.

    ``words_of_python``: the names that were refused because expressions are read as Python, which has these words.
    """

    source: Source
    problems: list[Problem] = field(default_factory=list)
    words_of_python: set[str] = field(default_factory=set)

    def report(self, code: str, location: Location, message: str, hint: str = "") -> None:
        """Add an error to the problems. ``code``: its code, such as OD311."""
        self.problems.append(Problem(code, location, message, hint))

    def warn(self, code: str, location: Location, message: str, hint: str = "") -> None:
        """Add a warning to the problems. ``code``: its code, such as OD601."""
        self.problems.append(Problem(code, location, message, hint, "warning"))

    def report_expression_error(self, error: BadExpression) -> None:
        """Add the error of an expression to the problems."""
        self.problems.append(error.problem())

    def without_uses_of_refused_names(self) -> list[Problem]:
        """Return the problems, without those of expressions that only fail because they use a word of Python as a name that
        was refused.
        """
        lines = self.source.text.split("\n")

        def is_a_use(problem: Problem) -> bool:
            line = lines[problem.location.line - 1] if problem.location.line <= len(lines) else ""
            return problem.code == "OD304" and not self.words_of_python.isdisjoint(re.findall(r"\w+", line))

        return [each for each in self.problems if not is_a_use(each)] if self.words_of_python else self.problems

    def can_be_name(self, node: Node) -> bool:
        """Return whether a key can be a name, and report an error with the reason if it cannot."""
        name = str(node.value)
        if not _NAME.fullmatch(name):
            hint = "names are letters, digits and _, and start with a letter"
            self.report("OD316", node.location, f"`{name}` cannot be a name", hint)
        elif keyword.iskeyword(name) and name not in RESERVED | EXPRESSION_WORDS:
            self.words_of_python.add(name)
            self.report("OD317", node.location, f"`{name}` is reserved (a word of Python)", f"call it {name}_by, say")
        elif name in RESERVED | EXPRESSION_WORDS or _DICE.fullmatch(name):
            self.report("OD317", node.location, f"`{name}` is a word of the language", "choose another name")
        else:
            return True
        return False

    def parse_expression(
        self,
        text: Text,
        scope: Scope,
        *allowed_types: Type,
        start: int = 0,
        end: int | None = None,
        alternative_words: Sequence[str] = (),
    ) -> Expr:
        """Parse a text as an expression with a type. If it has an error, report the error and return a substitute of
        the first wanted type. ``allowed_types``: the types that are allowed; none for any type. ``start``, ``end``: the
        part of the text to parse. ``alternative_words``: words that may stand in place of an expression, for hints.
        """
        try:
            return typed_tree(text, scope, *allowed_types, start=start, end=end, extra_words=alternative_words)
        except BadExpression as error:
            self.report_expression_error(error)
            return substitute_expression(allowed_types[0] if allowed_types else NUMBER)

    def parse_scalar(
        self, node: Node, scope: Scope, *allowed_types: Type, alternative_words: Sequence[str] = ()
    ) -> Expr:
        """Parse a scalar of the file as an expression with a type. ``allowed_types``: the types that are allowed; none
        for any type. ``alternative_words``: words that may stand in place of an expression, for hints.
        """
        return self.parse_expression(node.scalar_text(), scope, *allowed_types, alternative_words=alternative_words)


def reason_name_is_invalid(name: str) -> str:
    """Return a sentence with the reason why a word cannot be a name; empty if it can."""
    reading = ReadingContext(Source("", name))
    reading.can_be_name(Node(name, Location("")))
    return "; ".join(f"{problem.message}: {problem.hint}" for problem in reading.problems)


def substitute_expression(type_: Type) -> Expr:
    """Return an arbitrary expression of a type, with which reading continues after an error."""
    if type_.kind == "list":
        return Expr("listed", list_of(type_.item))
    if type_.kind == "seat":
        return Expr("mover", type_)
    value: object = {"flag": True, "number": 0, "exact": 0, "hand": ()}.get(type_.kind, "")
    return const(value, type_)


def indices_outside_brackets(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the indices between ``start`` and ``end`` of the characters of a text that are outside brackets."""
    depth = 0
    for where in range(start, end):
        if text[where] in "([":
            depth += 1
        elif text[where] in ")]":
            depth -= 1
        elif depth == 0:
            yield where


def span_of_last_word(text: str, word: str, start: int, end: int) -> tuple[int, int] | None:
    """Find the last occurrence of ``word`` outside brackets. Return the end of the text before it and the start of the
    text after it; None if it does not occur.
    """
    found = None
    for where in indices_outside_brackets(text, start, end):
        if re.match(rf"\s{word}\s", text[where:end]) or (text[where:end].rstrip() == f" {word}"):
            found = (where, min(where + len(word) + 2, end))
    return found


def texts_and_spans_in_braces(reading: ReadingContext, text: Text) -> Iterator[str | tuple[int, int]]:
    """Yield the parts of a text in order: the texts outside braces, and the start and the end of each expression in
    braces.
    """
    last = 0
    for found in _BRACES.finditer(text.value):
        yield text.value[last : found.start()]
        last = found.end()
        if found[1] is None:
            message = f"this {found[0]} has no partner"
            reading.report("OD372", text.location_at(found.start()), message, "what is filled in is written {name}")
        else:
            yield found.span(1)
    yield text.value[last:]


def read_sentence(reading: ReadingContext, node: Node | None, scope: Scope) -> Sentence | None:
    """Return the words that describe an entry, as texts and expressions; None if ``node`` is None. Names in them do not
    count as used by the rules.
    """
    if node is None:
        return None
    text, free = node.scalar_text(), replace(scope, used=set(), tallies=True, exact=True)
    return tuple(
        part if isinstance(part, str) else read_computed_value(reading, text, free, *part)
        for part in texts_and_spans_in_braces(reading, text)
    )


def unit_forms_from_text(unit: str) -> UnitForms:
    """Return the singular and the plural of a unit, parsed from ``coin | coins``, or from one form for both; empty if
    there is no unit.
    """
    words = [form.strip() for form in unit.split("|")] if unit else []
    return (words[0], words[-1]) if words else ()


def unit_forms_and_factor(unit: str) -> tuple[UnitForms, int]:
    """Return the singular and the plural of a unit, and the factor before them, by default 1: ``50 point | points`` and
    ``50`` have the factor 50.
    """
    number, _, words = unit.partition(" ")
    return (
        (unit_forms_from_text(words), int(number))
        if number.isascii() and number.isdigit()
        else (unit_forms_from_text(unit), 1)
    )


def read_computed_value(reading: ReadingContext, text: Text, scope: Scope, start: int, end: int) -> ComputedValue:
    """Return an expression in braces, alone or with its unit.

    With a unit, braces have the form ``{expression | singular | plural}``, such as ``{coins | coin | coins}``, or
    ``{expression | word for 0 | singular | plural}``, such as ``{coins | nothing | coin | coins}``.
    """
    words, *forms = text.value[start:end].split("|")
    if len(forms) not in (0, 2, 3):
        reading.report(
            "OD372", text.location_at(start), "what a number counts has two forms", "write {coins | coin | coins}"
        )
    tree = reading.parse_expression(text, scope, *([NUMBER] if forms else []), start=start, end=start + len(words))
    return ComputedValue(tree, tuple(form.strip() for form in forms[:3]))
