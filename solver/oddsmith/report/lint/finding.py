"""Findings of a lint, the checks that it skipped, and the limits beyond which it reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from oddsmith.base.errors import Problem, SettingError, did_you_mean
from oddsmith.base.exact import Number, decimal_text, parse_published_number, plural, short_repr
from oddsmith.base.location import Location
from oddsmith.ruleset import Game
from oddsmith.ruleset.reading import location_of_path

Moves = tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """Something odd in a game. ``problem``: what it is, and its place; ``play``: the moves of a shortest play that
    shows it.

    The play is empty if the start of the game shows it, or if no play does.
    """

    problem: Problem
    play: Moves = ()

    def __repr__(self) -> str:
        return short_repr(self, repr(self.problem).partition("(")[2].rstrip(")"))

    @property
    def code(self) -> str:
        """The code of the finding, such as OD701."""
        return self.problem.code

    def to_json(self) -> dict[str, Any]:
        """Return the finding as plain data for JSON."""
        return {**self.problem.to_json(), "play": list(self.play)}


@dataclass(frozen=True)
class SkippedCheck:
    """Checks that were skipped, by their codes, and the reason."""

    codes: tuple[str, ...]
    reason: str

    def __repr__(self) -> str:
        return short_repr(self, f"{', '.join(self.codes)}: {self.reason}")

    def to_json(self) -> dict[str, Any]:
        """Return the skipped check as plain data for JSON."""
        return {"codes": list(self.codes), "reason": self.reason}


class LintRecord:
    """What a lint of one game has found so far: ``findings``, and in ``unasked`` the checks that it skipped."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.unasked: list[SkippedCheck] = []

    def record_skipped(self, codes: tuple[str, ...], reason: str) -> None:
        """Record that the checks with these codes were skipped, and why."""
        self.unasked.append(SkippedCheck(codes, reason))


@dataclass(frozen=True)
class LintReport:
    """The result of a lint of one game. ``findings``: those that count; ``allowed``: those that the ruleset allows;
    ``skipped_checks``: the checks that were skipped.
    """

    findings: tuple[Finding, ...]
    allowed: tuple[Finding, ...]
    skipped_checks: tuple[SkippedCheck, ...]

    def __repr__(self) -> str:
        codes = ", ".join(finding.code for finding in self.findings) or "no findings"
        unasked = ", ".join(code for each in self.skipped_checks for code in each.codes)
        return short_repr(self, f"{codes}; not asked: {unasked}" if unasked else codes)

    @property
    def summary(self) -> str:
        """The number of findings, in words."""
        found = plural(len(self.findings), "finding") if self.findings else "no findings"
        return f"{found}, {len(self.allowed):,} allowed" if self.allowed else found

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return {
            "findings": [each.to_json() for each in self.findings],
            "allowed": [each.to_json() for each in self.allowed],
            "unasked": [each.to_json() for each in self.skipped_checks],
        }


def sorted_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in the order of their places in the file."""
    return tuple(sorted(findings, key=lambda each: (each.problem.location, each.code, each.problem.message)))


@dataclass(frozen=True)
class LintLimits:
    """The limits beyond which a lint reports a finding.

    ``favoured``: the greatest share of the stakes by which the values of two seats may differ. ``turns``: the most
    turns that nine games in ten may have. ``loss``: the share of the stakes that the worst mistake in a choice must at
    least cost. ``leader``: the greatest probability with which the leader at half-time may win.
    """

    favoured: Fraction = Fraction(1, 10)
    turns: Fraction = Fraction(60)
    loss: Fraction = Fraction(1, 1000)
    leader: Fraction = Fraction(9, 10)

    def with_changes(self, changes: Mapping[str, Any]) -> LintLimits:
        """Return these limits with those in ``changes`` replaced. Values are numbers, or text such as 5%, 0.05 or 1/20.
        Raises SettingError.
        """
        known = [field.name for field in fields(self)]
        values = {}
        for name, value in changes.items():
            if name not in known:
                raise SettingError(f"there is no bound {name}: {did_you_mean(name, known, 'bounds')}")
            try:
                values[name] = parse_published_number(str(value)).value
            except ValueError:
                message = f"the bound {name} cannot be {value}: write a number such as 5%, 0.05 or 60"
                raise SettingError(message) from None
            if values[name] < 0:
                raise SettingError(f"the bound {name} cannot be {value}: no share and no length is below 0")
        return replace(self, **values)


def warning_at(code: str, location: Location, message: str, hint: str, play: Moves = ()) -> Finding:
    """Return a finding about a place in the file."""
    return Finding(Problem(code, location, message, hint, "warning"), play)


def number_with_grade_words(number: Number) -> str:
    """Return a number as text: a short fraction without its grade, any other number with its grade."""
    is_fraction = "/" in number.brief or number.brief.lstrip("-").isdigit()
    return number.brief if is_fraction else f"{number.brief} ({number.grade})"


def percent_words(value: Fraction) -> str:
    """Return a share in percent, as text."""
    return f"{decimal_text(value * 100, 4).rstrip('0').rstrip('.')} %"


def position_count_words(count: int) -> str:
    """Return in words that something holds in each of ``count`` positions."""
    return "in its only position" if count == 1 else f"in each of its {count:,} positions"


def phase_location(game: Game, phase: str) -> Location:
    """Return the place in the file of the name of a phase."""
    return location_of_path(game.ruleset.source, "phases", phase)
