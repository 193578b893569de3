"""Reads a text that somebody is typing as far as possible: a wrong line does not hide the other lines.

A character that nobody types marks the cursor. If the text does not parse, the line of the cursor is completed in
likely ways. Then the lines at which the parser stops are repaired or left out, one after another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from oddsmith.base.location import Location, Source
from oddsmith.ruleset.reading import Node, parse_as_far_as_possible

MARK = "\uf8ff"
BROKEN = {"OD103", "OD104", "OD106", "OD109", "OD111", "OD113"}  # what ends the reading of a text
MAX_MENDED_LINES = 12  # lines that are mended or left out of a section before it is given up
MAX_CACHED_PARTS = 1000  # parts of texts that are remembered
ROWS_SEARCHED_FOR_CAUSE = 4  # rows among which the reason is sought why a row cannot be read
_SECTION = re.compile(r"[^\s#\]})-]")
_HEAD = re.compile(r"\w+:\s*(#.*)?")
_MARGIN = re.compile(" +(?=[^ -])")
_MODELINE = re.compile(r"^#.*\$schema=\S*ruleset\.schema\.json", re.MULTILINE)
_KEY = re.compile(r"\s*(- +)*[\w .'(),-]*")
_TELLING = re.compile(r"^(seats|payoffs|turn|phases|end_when):", re.MULTILINE)

Path = tuple[Any, ...]


@dataclass(frozen=True)
class ParsedText:
    """A text, as far as it can be read. ``left_out``: the numbers (from 1) of the lines that could not be read."""

    source: Source
    root: Node
    left_out: tuple[int, ...] = ()

    def walk(self) -> Iterator[YamlNode]:
        """Yield every key and every value, each with its path."""
        return _walk_node(self.root, ())


@dataclass(frozen=True)
class YamlNode:
    """A key or a value of a text. ``path``: the keys and indices that lead to it; the path of a key ends with the key."""

    path: Path
    node: Node
    is_key: bool = False


@dataclass(frozen=True)
class Cursor:
    """The cursor of an editor, in a key or a value.

    ``typed_text``: the part of the key or value before the cursor. ``line_start``: the part of the line before the key
    or value.
    """

    parsed: ParsedText
    yaml_node: YamlNode
    typed_text: str
    line_start: str

    @property
    def is_first_in_line(self) -> bool:
        """Whether nothing but spaces and dashes comes before the key or value in its line."""
        return not self.line_start.strip(" -")

    @property
    def is_in_brackets(self) -> bool:
        """Whether the key or value is inside brackets or quotation marks that begin in its line."""
        return bool(_closing_brackets_and_quotes(self.line_start))


def is_ruleset(text: str, language: str = "") -> bool:
    """Return whether a text is a ruleset. ``language``: the language that the editor states, ``oddsmith`` for rulesets.

    A text in another language is a ruleset if one of its lines names the schema, or if it has two of the keys of
    rulesets.
    """
    return language == "oddsmith" or bool(_MODELINE.search(text)) or len(set(_TELLING.findall(text))) > 1


def parse_leniently(source: Source) -> ParsedText:
    """Read a text as far as possible."""
    parsed = _read_whole(source, source.lines)
    return parsed if parsed.root.value else _read_by_sections(source, source.lines)


def cursor_at(source: Source, line: int, column: int) -> Cursor | None:
    """Return the cursor at a line and column (from 0); None in a comment or at a place that can have no key or value."""
    text = source.lines[line] if line < len(source.lines) else ""
    before = text[:column]
    lines = list(source.lines)
    for mended in (False, True):
        if mended and not _read_by_sections(source, [*lines[:line], "", *lines[line + 1 :]]).left_out:
            return None  # everything else can be read, so it is this line that holds nothing
        for ending in _likely_completed_lines(before, text[column:]):
            lines[line : line + 1] = [ending]
            parsed = _read_by_sections(source, lines, line, mended)
            place = _node_at_cursor(parsed)
            if place is not None:
                written = str(place.node.value)
                typed = written[: written.index(MARK)]
                return Cursor(parsed, place, typed, before[: len(before) - len(typed)])
    return None


# --- reading


def _read_as_map(file: str, lines: Sequence[str], lines_before: int = 0) -> tuple[Node | None, int]:
    """Read lines as a map. Return the map, and the number of the first line at which the parser stopped; 0 if it did
    not stop.

    The map is None if the lines are not a map. ``lines_before``: the number of lines of the file before these.
    """
    root, problems = parse_as_far_as_possible(Source(file, "\n" * lines_before + "\n".join(lines) + "\n"))
    stops = [problem.location.line for problem in problems if problem.code in BROKEN]
    return root if root is not None and isinstance(root.value, dict) else None, min(stops, default=0)


def _read_whole(source: Source, lines: Sequence[str]) -> ParsedText:
    """Read a text unchanged; return an empty one if it cannot be read."""
    root, broken = _read_as_map(source.file, lines)
    return ParsedText(source, Node({}, Location(source.file)) if root is None or broken else root)


def _read_by_sections(
    source: Source, lines: Sequence[str], protected_line: int = -1, may_repair: bool = True
) -> ParsedText:
    """Read a text key by key, at the top level or one level below it, without the lines that cannot be read.

    ``protected_line``: the index of a line that is never left out; -1 for none. ``may_repair``: whether the other lines
    in the part with this line may be repaired or left out. Parts that did not change come from a cache.
    """
    root = Node({}, Location(source.file))
    left_out: list[int] = []
    starts = [number for number, line in enumerate(lines) if _SECTION.match(line)]
    for first, last in pairwise([*starts, len(lines)]):
        own = protected_line - first if first <= protected_line < last else -1
        for begin, end in _section_bounds(lines[first:last], own):
            # The other parts of a section are empty lines, so that every number of a line stays.
            part = (lines[first], *[""] * (begin - 1), *lines[first + (begin or 1) : first + end])
            mine = own if begin <= own < end else -1
            node, lost = _read_section(
                source.file, first, part, mine, MAX_MENDED_LINES if may_repair or mine < 0 else 1
            )
            left_out += lost
            if node is not None:
                _add_keys(root, node, continues_section=begin > 0)
    return ParsedText(source, root, tuple(left_out))


def _section_bounds(lines: Sequence[str], typed_row: int) -> list[tuple[int, int]]:
    """Divide a section into parts that can be read separately, one for each key of the map below its first row. Return
    the first row of each part and the row after its last.

    ``typed_row``: the row that is being typed. If it is the first row, or if the section has no such map, the whole
    section is one part.
    """
    rest = next((line for line in lines[1:] if line.strip() and not line.lstrip().startswith("#")), "")
    margin = _MARGIN.match(rest)
    if typed_row == 0 or margin is None or not _HEAD.fullmatch(lines[0]):
        return [(0, len(lines))]
    child = re.compile(margin[0] + _SECTION.pattern)
    starts = [0]
    for row in range(2, len(lines)):
        # A bracket that is open goes on below, however far to the left.
        if child.match(lines[row]) and not _closing_brackets_and_quotes("\n".join(lines[starts[-1] : row])):
            starts.append(row)
    return list(pairwise([*starts, len(lines)]))


def _add_keys(root: Node, part: Node, continues_section: bool) -> None:
    """Add the keys of ``part``, a part of a text, to the root of the text.

    ``continues_section``: whether the part continues a section that the root already has. Its keys are then added to
    the map of that section.
    """
    for key, value in part.value.items():
        known = root.value.get(key)
        if continues_section and known is not None and isinstance(known.value, dict):
            if isinstance(value.value, dict):
                root.value[key] = replace(known, value=known.value | value.value, keys=known.keys | value.keys)
        else:
            root.value[key] = value
    root.keys |= part.keys


@lru_cache(maxsize=MAX_CACHED_PARTS)
def _read_section(
    file: str, lines_before: int, lines: tuple[str, ...], protected_row: int, max_attempts: int
) -> tuple[Node | None, list[int]]:
    """Read a part as a map, without the lines that cannot be read. Return the map, and the numbers of these lines.

    ``max_attempts``: the greatest number of attempts. If it is 1, nothing is repaired, and the map is None if the part
    cannot be read whole. Otherwise the part is repaired after each failed attempt. ``protected_row``: the index of a
    line that is not changed.
    """
    text, node = list(lines), None
    left_out: list[int] = []
    for _ in range(max_attempts):
        node, broken = _read_as_map(file, text, lines_before)
        if node is not None and not broken:
            break
        if max_attempts == 1:
            return None, []
        row = min(max(broken - 1 - lines_before, 0), len(text) - 1)
        left_out += [lines_before + each + 1 for each in _repair_row(text, row, protected_row)]
    return node, left_out


def _repair_row(lines: list[str], row: int, protected_row: int) -> tuple[int, ...]:
    """Repair the row at which the parser stopped, or a row near it. Return the rows that had to be emptied.

    If a bracket or a quotation mark is open in the row, or just above it, it is closed. Otherwise a row is emptied. The
    row ``protected_row`` is not changed.
    """
    near = range(row, max(row - ROWS_SEARCHED_FOR_CAUSE, -1), -1)
    opened = next((each for each in near if _closing_brackets_and_quotes(lines[each])), None)
    if opened is not None and opened != protected_row:
        lines[opened] += _closing_brackets_and_quotes(lines[opened])
        return ()
    lost = next((each for each in range(row, 0, -1) if lines[each].strip() and each != protected_row), 0)
    lines[lost] = ""
    return (lost,)


# --- the line that is being typed


def _likely_completed_lines(text_before: str, text_after: str) -> Iterator[str]:
    """Yield likely completions of the line of the cursor, the likeliest first. Each has the mark at the cursor.

    ``text_before``, ``text_after``: the text of the line before and after the cursor.
    """
    key = not text_after.strip() and _KEY.fullmatch(text_before) is not None
    if key and not text_before.strip():
        yield f"{text_before}{MARK}:"  # without the colon, an empty line would go on with the text above
    yield text_before + MARK + text_after
    if key:
        yield f"{text_before}{MARK}:"
    yield text_before + MARK + _closing_brackets_and_quotes(text_before)
    yield f"{text_before}{MARK}:{_closing_brackets_and_quotes(text_before)}"


def _closing_brackets_and_quotes(text: str) -> str:
    """Return the quotation marks and brackets that close those that are open at the end of a text."""
    closing: list[str] = []
    quote = ""
    for place, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (place == 0 or text[place - 1] in " {[,:"):
            quote = char
        elif char in "{[":
            closing.append("}" if char == "{" else "]")
        elif char in "}]" and closing:
            closing.pop()
    return quote + "".join(reversed(closing))


def _node_at_cursor(parsed: ParsedText) -> YamlNode | None:
    """Return the key or the value that contains the mark; None if there is none."""
    return next(
        (place for place in parsed.walk() if isinstance(place.node.value, str) and MARK in place.node.value), None
    )


def _walk_node(node: Node, path: Path) -> Iterator[YamlNode]:
    yield YamlNode(path, node)
    if isinstance(node.value, dict):
        for key, value in node.value.items():
            yield YamlNode((*path, key), node.keys[key], is_key=True)
            yield from _walk_node(value, (*path, key))
    elif isinstance(node.value, list):
        for number, value in enumerate(node.value):
            yield from _walk_node(value, (*path, number))
