"""A text that somebody is typing, read as far as it can be: one wrong line hides no other.

The place of the cursor is marked by a character that nobody types. Where the text does not parse, its line is ended in ways
that a person might end it. Then the lines that the parser stops at are mended or left out, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from oddsmith.base.location import Location, Source
from oddsmith.ruleset.reading import Node, outline

MARK = "\uf8ff"
BROKEN = {"OD103", "OD104", "OD106", "OD109", "OD111", "OD113"}  # what ends the reading of a text
TRIES = 12  # lines that are mended or left out of a section before it is given up
KEPT = 1000  # parts of texts that are remembered
NEAR = 4  # rows among which the reason is sought why a row cannot be read
_SECTION = re.compile(r"[^\s#\]})-]")
_HEAD = re.compile(r"\w+:\s*(#.*)?")
_MARGIN = re.compile(" +(?=[^ -])")
_MODELINE = re.compile(r"^#.*\$schema=\S*ruleset\.schema\.json", re.MULTILINE)
_KEY = re.compile(r"\s*(- +)*[\w .'(),-]*")
_TELLING = re.compile(r"^(seats|payoffs|turn|phases|end_when):", re.MULTILINE)

Path = tuple[Any, ...]


@dataclass(frozen=True)
class Page:
    """A text as far as it can be read. ``left_out``: the numbers of the lines (from 1) that could not."""

    source: Source
    root: Node
    left_out: tuple[int, ...] = ()

    def walk(self) -> Iterator[Place]:
        """Yield every key and every value, each with its path."""
        return _walk(self.root, ())


@dataclass(frozen=True)
class Place:
    """A key or a value of a text. ``path``: keys and positions that lead to it; the last is the key itself."""

    path: Path
    node: Node
    is_key: bool = False


@dataclass(frozen=True)
class Cursor:
    """The place at which somebody types.

    ``before``: what stands before it in the same key or value. ``lead``: what stands before that in the line.
    """

    page: Page
    place: Place
    before: str
    lead: str

    @property
    def own_line(self) -> bool:
        """Whether nothing but a dash stands before it in its line."""
        return not self.lead.strip(" -")

    @property
    def in_brackets(self) -> bool:
        """Whether it stands in brackets that begin in its line."""
        return bool(_closing(self.lead))


def is_ruleset(text: str, language: str = "") -> bool:
    """Say whether a text is meant for us: by its language, by the line that names the schema, or by two keys of a ruleset."""
    return language == "oddsmith" or bool(_MODELINE.search(text)) or len(set(_TELLING.findall(text))) > 1


def page_of(source: Source) -> Page:
    """Read a text as far as it can be read."""
    page = _read_whole(source, source.lines)
    return page if page.root.value else _by_sections(source, source.lines)


def cursor_of(source: Source, line: int, column: int) -> Cursor | None:
    """Return the key or value that is typed at a line and column (from 0); None in comments and where nothing can stand."""
    text = source.lines[line] if line < len(source.lines) else ""
    before = text[:column]
    lines = list(source.lines)
    for mended in (False, True):
        if mended and not _by_sections(source, [*lines[:line], "", *lines[line + 1 :]]).left_out:
            return None  # everything else can be read, so it is this line that holds nothing
        for ending in _endings(before, text[column:]):
            lines[line : line + 1] = [ending]
            page = _by_sections(source, lines, line, mended)
            place = _marked_place(page)
            if place is not None:
                written = str(place.node.value)
                typed = written[: written.index(MARK)]
                return Cursor(page, place, typed, before[: len(before) - len(typed)])
    return None


# --- reading


def _read(file: str, lines: Sequence[str], first: int = 0) -> tuple[Node | None, int]:
    """Read some lines as a map. Return it, and the number of the line that broke off the reading (0: none)."""
    root, problems = outline(Source(file, "\n" * first + "\n".join(lines) + "\n"))
    stops = [problem.location.line for problem in problems if problem.code in BROKEN]
    return root if root is not None and isinstance(root.value, dict) else None, min(stops, default=0)


def _read_whole(source: Source, lines: Sequence[str]) -> Page:
    """Read a text as it stands; return an empty page if it cannot be read."""
    root, broken = _read(source.file, lines)
    return Page(source, Node({}, Location(source.file)) if root is None or broken else root)


def _by_sections(source: Source, lines: Sequence[str], kept: int = -1, mended: bool = True) -> Page:
    """Read a text one key of the left margin at a time, or one key below it, without the lines that cannot be read.

    ``kept``: a line that stays; ``mended``: whether others around it may go. Other parts are mostly known.
    """
    root = Node({}, Location(source.file))
    left_out: list[int] = []
    starts = [number for number, line in enumerate(lines) if _SECTION.match(line)]
    for first, last in pairwise([*starts, len(lines)]):
        own = kept - first if first <= kept < last else -1
        for begin, end in _parts(lines[first:last], own):
            # The other parts of a section are empty lines, so that every number of a line stays.
            part = (lines[first], *[""] * (begin - 1), *lines[first + (begin or 1) : first + end])
            mine = own if begin <= own < end else -1
            node, lost = _section(source.file, first, part, mine, TRIES if mended or mine < 0 else 1)
            left_out += lost
            if node is not None:
                _join(root, node, inside=begin > 0)
    return Page(source, root, tuple(left_out))


def _parts(lines: Sequence[str], own: int) -> list[tuple[int, int]]:
    """Return the stretches of rows of a section that can be read alone: each key of the map behind the first row is one.

    ``own``: the row that is being typed. If it is the first row, or the section is no such map, there is one part.
    """
    rest = next((line for line in lines[1:] if line.strip() and not line.lstrip().startswith("#")), "")
    margin = _MARGIN.match(rest)
    if own == 0 or margin is None or not _HEAD.fullmatch(lines[0]):
        return [(0, len(lines))]
    child = re.compile(margin[0] + _SECTION.pattern)
    starts = [0]
    for row in range(2, len(lines)):
        # A bracket that is open goes on below, however far to the left.
        if child.match(lines[row]) and not _closing("\n".join(lines[starts[-1] : row])):
            starts.append(row)
    return list(pairwise([*starts, len(lines)]))


def _join(root: Node, node: Node, inside: bool) -> None:
    """Add the keys of a part. ``inside``: to the map of a section that was begun before."""
    for key, value in node.value.items():
        known = root.value.get(key)
        if inside and known is not None and isinstance(known.value, dict):
            if isinstance(value.value, dict):
                root.value[key] = replace(known, value=known.value | value.value, keys=known.keys | value.keys)
        else:
            root.value[key] = value
    root.keys |= node.keys


@lru_cache(maxsize=KEPT)
def _section(file: str, first: int, lines: tuple[str, ...], kept: int, tries: int) -> tuple[Node | None, list[int]]:
    """Read a part as a map. Return it, and the numbers of the lines that could not be read.

    ``tries``: how often it is read. A single try gives None for a part that it cannot read whole; more of them mend it.
    """
    text, node = list(lines), None
    left_out: list[int] = []
    for _ in range(tries):
        node, broken = _read(file, text, first)
        if node is not None and not broken:
            break
        if tries == 1:
            return None, []
        row = min(max(broken - 1 - first, 0), len(text) - 1)
        left_out += [first + each + 1 for each in _mend(text, row, kept)]
    return node, left_out


def _mend(text: list[str], row: int, kept: int) -> tuple[int, ...]:
    """Mend the row that broke the reading, or one near it. Return the rows that had to be emptied.

    A bracket or a quotation mark that is open in the row, or just above it, is closed; else a row is emptied.
    """
    near = range(row, max(row - NEAR, -1), -1)
    opened = next((each for each in near if _closing(text[each])), None)
    if opened is not None and opened != kept:
        text[opened] += _closing(text[opened])
        return ()
    lost = next((each for each in range(row, 0, -1) if text[each].strip() and each != kept), 0)
    text[lost] = ""
    return (lost,)


# --- the line that is being typed


def _endings(before: str, after: str) -> Iterator[str]:
    """Yield the line with its mark, and with texts that may follow, the likeliest first."""
    key = not after.strip() and _KEY.fullmatch(before) is not None
    if key and not before.strip():
        yield f"{before}{MARK}:"  # without the colon, an empty line would go on with the text above
    yield before + MARK + after
    if key:
        yield f"{before}{MARK}:"
    yield before + MARK + _closing(before)
    yield f"{before}{MARK}:{_closing(before)}"


def _closing(text: str) -> str:
    """Return the quotation marks and brackets that close those a line leaves open."""
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


def _marked_place(page: Page) -> Place | None:
    """Return the key or the value that holds the mark."""
    return next(
        (place for place in page.walk() if isinstance(place.node.value, str) and MARK in place.node.value), None
    )


def _walk(node: Node, path: Path) -> Iterator[Place]:
    yield Place(path, node)
    if isinstance(node.value, dict):
        for key, value in node.value.items():
            yield Place((*path, key), node.keys[key], is_key=True)
            yield from _walk(value, (*path, key))
    elif isinstance(node.value, list):
        for number, value in enumerate(node.value):
            yield from _walk(value, (*path, number))
