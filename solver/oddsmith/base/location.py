"""Locations in files: the file, line and column of every character of a text, and source lines with a mark below a
location.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

EXCERPT_WIDTH = 100  # letters of a line that an excerpt shows


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A location in a file. Lines and columns count from 1.

    ``until``: the line and the column just after the text at that location; None if they are not known.
    """

    file: str
    line: int = 1
    column: int = 1
    until: tuple[int, int] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, eq=False)
class Source:
    """A whole file as text. ``file``: its name."""

    file: str
    text: str
    lines: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.text.split("\n")))

    def excerpt(self, location: Location) -> str:
        """Return the line of a location, a line with a mark below it, and the lines before and after.

        Long lines are cut so that the mark is in sight.
        """
        rows = []
        for number in (location.line - 1, location.line, location.line + 1):
            if not 1 <= number <= len(self.lines):
                continue
            line = self.lines[number - 1].replace("\t", " ")
            shift = max(0, location.column - EXCERPT_WIDTH + 20)
            shown = line[shift : shift + EXCERPT_WIDTH]
            rows.append(f"{number:>5} | {shown}".rstrip())
            if number == location.line:
                rows.append(" " * 5 + " | " + " " * (location.column - 1 - shift) + "^")
        return "\n".join(rows)


@dataclass(frozen=True, eq=False)
class Text:
    """The text of one YAML scalar, with the location of each character in the file.

    ``value``: the text. ``start``: the location of its beginning. ``raw``: the part of the file from which it was read,
    with quotes, escapes and folded lines.
    """

    value: str
    start: Location
    raw: str = ""

    def location_at(self, index: int) -> Location:
        """Return the location in the file of the character at an index of ``value``.

        An index beyond the end gives the location of the end.
        """
        if not self.raw:
            return Location(self.start.file, self.start.line, self.start.column + index)
        where = 0
        for char in self.value[:index]:
            where = self._find_char(where, char) + 1
        if index < len(self.value):
            where = self._find_char(where, self.value[index])
        before = self.raw[:where]
        newlines = before.count("\n")
        column = len(before) - before.rfind("\n") if newlines else self.start.column + len(before)
        return Location(self.start.file, self.start.line + newlines, column)

    def _find_char(self, start_index: int, char: str) -> int:
        """Return the index in ``raw`` at which a character next occurs, from the index ``start_index`` on;
        ``start_index`` if it does not occur.

        If the character is a space or a line break, any white space is found.
        """
        if char in " \n":
            return next((k for k in range(start_index, len(self.raw)) if self.raw[k] in " \n\t"), start_index)
        return max(self.raw.find(char, start_index), start_index)


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a text from the index ``start`` to just before the index ``end``."""

    text: Text
    start: int
    end: int

    @property
    def location(self) -> Location:
        """The location of this part in the file, with its end in ``until``."""
        begin = self.text.location_at(self.start)
        if self.end <= self.start:
            return begin
        last = self.text.location_at(self.end - 1)
        return replace(begin, until=(last.line, last.column + 1))

    @property
    def covered_text(self) -> str:
        """The text of this part."""
        return self.text.value[self.start : self.end]


NOWHERE = Location("<text>")


def text_without_file(value: str) -> Text:
    """Return a text that is in no file, such as an argument of a command or a Python call."""
    return Text(value, NOWHERE)
