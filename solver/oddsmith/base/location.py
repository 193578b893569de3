"""Places in files: file, line and column of every character a person wrote, and the source line with its mark."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

WIDTH = 100  # letters of a line that an excerpt shows


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file. Lines and columns count from 1.

    ``until``: the line and the column just behind the text that stands there, where these are known.
    """

    file: str
    line: int = 1
    column: int = 1
    until: tuple[int, int] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, eq=False)
class Source:
    """A whole file as text, with the means to show a place in it."""

    file: str
    text: str
    lines: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.text.split("\n")))

    def excerpt(self, location: Location) -> str:
        """Return the marked line with its neighbours; a long line is cut around the mark."""
        rows = []
        for number in (location.line - 1, location.line, location.line + 1):
            if not 1 <= number <= len(self.lines):
                continue
            line = self.lines[number - 1].replace("\t", " ")
            shift = max(0, location.column - WIDTH + 20)
            shown = line[shift : shift + WIDTH]
            rows.append(f"{number:>5} | {shown}".rstrip())
            if number == location.line:
                rows.append(" " * 5 + " | " + " " * (location.column - 1 - shift) + "^")
        return "\n".join(rows)


@dataclass(frozen=True, eq=False)
class Text:
    """The text of one scalar, which knows where each of its characters stands in the file.

    ``raw`` is the stretch of the file it was read from (quotes, escapes and folded lines included) and starts at
    ``start``; the two are aligned character by character only when a place is asked for.
    """

    value: str
    start: Location
    raw: str = ""

    def at(self, index: int) -> Location:
        """Return the location of character ``index`` of the value (its end, if beyond)."""
        if not self.raw:
            return Location(self.start.file, self.start.line, self.start.column + index)
        where = 0
        for char in self.value[:index]:
            where = self._next(where, char) + 1
        if index < len(self.value):
            where = self._next(where, self.value[index])
        before = self.raw[:where]
        newlines = before.count("\n")
        column = len(before) - before.rfind("\n") if newlines else self.start.column + len(before)
        return Location(self.start.file, self.start.line + newlines, column)

    def _next(self, where: int, char: str) -> int:
        """Return where ``char`` stands in the raw text from ``where`` on; folded white space stands for any run of it."""
        if char in " \n":
            return next((k for k in range(where, len(self.raw)) if self.raw[k] in " \n\t"), where)
        return max(self.raw.find(char, where), where)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch ``[start, end)`` of a text."""

    text: Text
    start: int
    end: int

    @property
    def location(self) -> Location:
        """Its place in the file, with its end."""
        begin = self.text.at(self.start)
        if self.end <= self.start:
            return begin
        last = self.text.at(self.end - 1)
        return replace(begin, until=(last.line, last.column + 1))

    @property
    def words(self) -> str:
        """The text of the stretch."""
        return self.text.value[self.start : self.end]


NOWHERE = Location("<text>")


def text_of(value: str) -> Text:
    """Return a text that stands in no file (asked from Python or the command line)."""
    return Text(value, NOWHERE)
