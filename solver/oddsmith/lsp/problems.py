"""The problems of a check as an editor marks them: from the first character to the last."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types

from oddsmith.errors import Problem
from oddsmith.location import Location, Source

_WORD = re.compile(r"\w+|\S")
_SEVERITY = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}


def diagnostics(problems: Iterable[Problem], source: Source) -> list[types.Diagnostic]:
    """Problems for an editor, each with its code and its hint."""
    return [
        types.Diagnostic(
            stretch(problem.location, source),
            f"{problem.message}\n{problem.hint}" if problem.hint else problem.message,
            _SEVERITY[problem.severity],
            problem.code,
            source="oddsmith",
        )
        for problem in problems
    ]


def stretch(location: Location, source: Source) -> types.Range:
    """A place from its first character to its last; where the end is not known, to the end of the word."""
    line, column = location.line - 1, location.column - 1
    text = source.lines[line] if line < len(source.lines) else ""
    last, end = (each - 1 for each in location.until or (0, 0))
    if (last, end) <= (line, column):
        found = _WORD.match(text, column)
        last, end = line, found.end() if found else max(len(text), column)
    if end == 0 and last > line:  # a block of text ends where the next line begins
        last, end = last - 1, len(source.lines[last - 1]) if last - 1 < len(source.lines) else 0
    return types.Range(types.Position(line, column), types.Position(last, end))
