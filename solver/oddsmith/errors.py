"""What can be wrong, as records: a code, a place, a sentence and a hint. Text for people is made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from oddsmith.location import Location, Source

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a ruleset."""

    code: str
    location: Location
    message: str
    hint: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.location}: {self.severity} {self.code}: {self.message}{hint}"

    def with_excerpt(self, source: Source | None) -> str:
        """The problem with the source line it stands in, the place marked."""
        if source is None or source.file != self.location.file:
            return str(self)
        head, *hint = str(self).split("\n")
        return "\n".join([head, source.excerpt(self.location), *hint])


class OddsmithError(Exception):
    """Any error that is the input's fault. ``exit_code`` is what the command line returns."""

    exit_code = 1


class RulesetError(OddsmithError):
    """A ruleset that cannot be used, with everything that was found wrong in it."""

    def __init__(self, problems: Iterable[Problem], source: Source | None = None) -> None:
        self.problems = tuple(sorted(set(problems), key=lambda p: (p.location, p.code, p.message)))
        self.source = source
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Broken(Exception):
    """A rule that cannot be carried out in this position: ``code`` and a sentence."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class PlayError(RulesetError):
    """A rule that breaks in a position that play can reach.

    ``play`` tells, move by move, how it is reached; it is empty until somebody who knows the way fills it in.
    """

    def __init__(self, problem: Problem, play: tuple[str, ...] = (), source: Source | None = None) -> None:
        super().__init__([problem], source)
        self.play = play

    @property
    def problem(self) -> Problem:
        """The one problem."""
        return self.problems[0]


def did_you_mean(wrong: str, known: Iterable[str], what: str = "names", shown: Iterable[str] | None = None) -> str:
    """A hint: the nearest known name, else a list of those allowed (of ``shown``, where all would say too much)."""
    names = sorted(set(known))
    near = get_close_matches(wrong, names, n=2, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    names = names if shown is None else sorted(set(shown))
    some = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"known {what}: {some}" if names else f"there are no {what} here"
