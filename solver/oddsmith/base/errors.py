"""The errors of the program: problems of a ruleset as records, and every error that leaves the program.

An error is an :class:`InputError`, which the user can mend, or an :class:`InternalError`, a fault of ours. The names of
all of them end in ``Error``, and all stand here. A :class:`Signal` is raised by one module for another; it stands where
it is raised, is caught before anybody sees it, and has no such name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from oddsmith.base.exact import brief
from oddsmith.base.location import Location, Source

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a ruleset."""

    code: str
    location: Location
    message: str
    hint: str = ""
    severity: Severity = "error"

    def __repr__(self) -> str:
        return brief(self, f"{self.code}, {self.location.file.rpartition('/')[2]}:{self.location.line}: {self.message}")

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.location}: {self.severity} {self.code}: {self.message}{hint}"

    def to_json(self) -> dict[str, str | int]:
        """Return the problem for machines."""
        return {
            "code": self.code,
            "severity": self.severity,
            "file": self.location.file,
            "line": self.location.line,
            "column": self.location.column,
            "message": self.message,
            "hint": self.hint,
        }

    def with_excerpt(self, source: Source | None) -> str:
        """Return the problem with the source line it stands in, the place marked."""
        if source is None or source.file != self.location.file:
            return str(self)
        head, *hint = str(self).split("\n")
        return "\n".join([head, source.excerpt(self.location), *hint])


class OddsmithError(Exception):
    """The base of all errors that Oddsmith raises on purpose: :class:`InputError` and :class:`InternalError`.

    ``exit_code`` is the exit code of the command line.
    """

    exit_code = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Reduce the error for another process, without calling its constructor there."""
        return _rebuild_error, (type(self), self.args, self.__dict__)


def _rebuild_error(kind: type[OddsmithError], args: tuple[Any, ...], state: dict[str, Any]) -> OddsmithError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(OddsmithError):
    """A request that cannot be met as it was made. The text says what is wrong, and mostly how to mend it.

    What to do: change the ruleset, the settings or the question, and try again.
    """


class InternalError(OddsmithError):
    """A fault of Oddsmith itself: two ways to the same answer do not agree, so no answer is given.

    What to do: report it, with the ruleset and the settings. No number that was printed before is in doubt.
    """

    exit_code = 3

    def __str__(self) -> str:
        return f"{super().__str__()}. This is a fault of ours: please report it with the ruleset"


class Signal(Exception):
    """No error: one module raises it so that another takes another way. It is caught before anybody sees it."""


# --- the user's mistakes: what is read and written


class UnknownRulesetError(InputError):
    """There is no file and no shipped ruleset of that name.

    What to do: name a file that ends in ``.yaml``, or one of ``oddsmith.shipped()``.
    """


class RulesetError(InputError):
    """A ruleset that cannot be used. ``problems`` has all that were found in it.

    What to do: mend each problem at its ``location``; ``oddsmith check`` shows the lines, ``--explain`` a code.
    """

    def __init__(self, problems: Iterable[Problem], source: Source | None = None) -> None:
        self.problems = tuple(sorted(set(problems), key=lambda p: (p.location, p.code, p.message)))
        self.source = source
        super().__init__("\n".join(str(problem) for problem in self.problems))


class PlayError(RulesetError):
    """A rule that breaks in a position that play can reach.

    ``play`` shows, move by move, how it is reached; it is empty while that is not known.
    What to do: follow ``play``, then give the rule a condition, or its variable a wider range.
    """

    def __init__(self, problem: Problem, play: tuple[str, ...] = (), source: Source | None = None) -> None:
        super().__init__([problem], source)
        self.play = play

    @property
    def problem(self) -> Problem:
        """The one problem."""
        return self.problems[0]


class UnknownCodeError(InputError):
    """No problem of a ruleset has this code.

    What to do: take the code as ``oddsmith check`` prints it, such as OD511.
    """


class TranscriptError(InputError):
    """A transcript is refused, with the place in it.

    What to do: look at that place; the play or its file was changed, or the rules are others.
    """

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)


class CertificateError(InputError):
    """A certificate is refused, and why.

    What to do: do not believe its values. Certify it with the ruleset that it was written for, or write it anew.
    """


class UnwritableError(InputError):
    """A file cannot be written, or is not to be written.

    What to do: name another file or folder, or remove what stands in its place.
    """


# --- the user's mistakes: what is asked for


class SettingError(InputError):
    """The ruleset has no such number of seats, variant or parameter value.

    What to do: choose one of those that the text names.
    """


class RequirementError(SettingError):
    """The settings are ruled out by a requirement of the ruleset. ``problem``: the requirement, as a problem of the
    ruleset.

    What to do: choose settings that meet the requirement.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class ObjectiveError(InputError):
    """The ruleset has no such objective.

    What to do: choose one of its ``payoffs``.
    """


class UnknownPolicyError(InputError):
    """The ruleset has no policy of that name.

    What to do: choose one of its ``policies``.
    """


class PositionError(InputError):
    """A position that cannot be, and why.

    What to do: name every variable that is not at its start, and the phase where several have a choice.
    """


class MeasureError(InputError):
    """A question that has no answer, and why.

    What to do: ask for something that play can come to; where players mix actions, ask about the start only.
    """


class DistributionError(InputError):
    """No distribution of that name exists, or it cannot be computed.

    What to do: ask for a payoff, ``win``, ``winner``, ``turns``, ``rolls`` or ``count PHASE/ENTRY``.
    """


class QuestionError(InputError):
    """A question about a roll that cannot be read, with the place in it.

    What to do: write it as the text says, such as ``highest 2 of 3d6`` or ``3d6 >= 10``.
    """

    def __init__(self, question: str, at: int, message: str, hint: str = "") -> None:
        shown = f"\n  {question}\n  {' ' * at}^" + (f"\n  hint: {hint}" if hint else "")
        super().__init__(f"{message}{shown}")
        self.question = question
        self.at = at
        self.message = message
        self.hint = hint


class HorizonError(InputError):
    """The game has no answer for this number of turns, and why.

    What to do: ask for fewer turns.
    """


class SymbolError(InputError):
    """A parameter that cannot stay a symbol, and why.

    What to do: leave open a parameter that only weighs faces and pays, or take a smaller range.
    """


class GoalError(InputError):
    """The goal of fairness cannot be read, or means nothing in this game.

    What to do: ask for ``even``, ``worth 0``, ``length 10 turns`` or ``beginner 5%``, and vary a number of the ruleset.
    """


class ShortListError(InputError):
    """A game for which no short list of decisions is searched for: nothing is to decide, play mixes, or it is too large.

    What to do: ask for the table of best play, or for a smaller setting.
    """


class BreakEvenError(InputError):
    """The game has no decision between stopping and one more roll, or its objective is no sum of amounts.

    What to do: ask for the value of each action instead.
    """


class ContestError(InputError):
    """A tournament or an evening that cannot be computed, and why.

    What to do: name other policies, say what a game costs, or take fewer games.
    """


class ExportError(InputError):
    """Data that cannot be written in a format, and why.

    What to do: choose another format, or smaller settings.
    """


# --- the user's mistakes: games that are too large, or have no answer of the kind


class TooManyStatesError(InputError):
    """The game is too large to be solved whole. ``staged``: whether it may still be solved stage by stage.

    What to do: take fewer seats or smaller parameters, or raise the limit that the text names.
    """

    def __init__(self, message: str, staged: bool = True) -> None:
        super().__init__(message)
        self.staged = staged


class TooFineError(InputError):
    """The value of a position times the number of equally likely cases of one roll goes beyond 2^62.

    What to do: use smaller weights, smaller payoffs, or fewer turns.
    """

    def __init__(self) -> None:
        super().__init__(
            "chances this fine and payoffs this large cannot be solved together: what a position is worth, times the number "
            "of equally likely cases of one roll, goes beyond 2^62; use smaller weights, smaller payoffs or fewer turns"
        )


class NoPolicyError(InputError):
    """A seat has a choice in a game that is simulated, and no policy says how it plays.

    What to do: name a policy for each seat, or the ``regular`` of the ruleset.
    """


class SolveError(InputError):
    """The game has no answer of the kind that was asked for, and why.

    What to do: let no seat play so that the game never ends, or ask for another kind of best play.
    """


class SecretsError(SolveError):
    """A game with secrets, or with choices made at once, is asked a question that only games without them answer.

    What to do: `oddsmith solve` says what such a game is worth and how it is played.
    """

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} has secrets or choices made at once; this command does not know such games")


class NotKeptError(InputError):
    """A question about a game that no folder keeps solved by stages.

    What to do: solve it with ``oddsmith solve --store FOLDER`` at the same settings, and name the same folder.
    """


class WholeGraphError(SolveError):
    """A game solved by stages is asked a question that takes all of its positions at once.

    What to do: ask it of a smaller setting, or of positions that have something in common.
    """

    def __init__(self, game: str) -> None:
        super().__init__(
            f"{game} was solved by stages, so its positions are never in memory together, and this takes them all: ask it of a "
            "smaller setting"
        )


class EndlessPlayError(InputError):
    """A simulated game went on for so long that somebody must be going in circles.

    What to do: let somebody play so that the game ends.
    """


class UncertifiableError(InputError):
    """The solution cannot be certified, and why.

    What to do: ask for more digits, or for smaller settings.
    """


class UnplayableError(InputError):
    """A game of which nothing could be solved, or whose positions are too many for a virtual tabletop.

    What to do: put a setting under ``publish`` that can be solved.
    """


# --- our faults


class DisagreementError(InternalError):
    """The engine and the one-state rules do not agree about a game.

    What to do: report it with the ruleset.
    """


class DisprovedError(InternalError):
    """The table of a certificate does not prove the solution that it was written for.

    What to do: report it with the ruleset and the settings.
    """


class UnkeptError(InternalError):
    """A page asks for a part of an answer that no store keeps.

    What to do: report it with the ruleset. Without a store, everything is worked out anew.
    """


class JoinError(InternalError):
    """The scripts that come with the program cannot be put together.

    What to do: install Oddsmith anew; if that does not help, report it.
    """


# --- signals


class Broken(Signal):
    """A rule that cannot be carried out in this position: ``code`` and a sentence."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def did_you_mean(wrong: str, known: Iterable[str], what: str = "names", shown: Iterable[str] | None = None) -> str:
    """Return a hint: the nearest known name, else a list of those allowed (of ``shown``, where all would be too many)."""
    names = sorted(set(known))
    near = get_close_matches(wrong, names, n=2, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    names = names if shown is None else sorted(set(shown))
    some = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"known {what}: {some}" if names else f"there are no {what} here"
