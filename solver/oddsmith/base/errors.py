"""The errors of the program: problems of a ruleset as records, and every error that leaves the program.

An error is an :class:`InputError`, which the user can mend, or an :class:`InternalError`, a fault of Oddsmith. All of
them are defined here, with names that end in ``Error``. A :class:`Signal` is raised by one module for another, and
never leaves the program. It is defined where it is raised, and its name does not end in ``Error``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from oddsmith.base.exact import short_repr
from oddsmith.base.location import Location, Source

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning about a ruleset: its code, its location, a message, and a hint on how to mend it."""

    code: str
    location: Location
    message: str
    hint: str = ""
    severity: Severity = "error"

    def __repr__(self) -> str:
        return short_repr(
            self, f"{self.code}, {self.location.file.rpartition('/')[2]}:{self.location.line}: {self.message}"
        )

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.location}: {self.severity} {self.code}: {self.message}{hint}"

    def to_json(self) -> dict[str, str | int]:
        """Return the problem as plain data for JSON."""
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
        """Return the problem as text, with the line of the source and a mark below the location.

        The line is left out if ``source`` is None or another file.
        """
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
        """Return the parts with which pickle rebuilds the error, without a call of its constructor."""
        return _rebuild_error, (type(self), self.args, self.__dict__)


def _rebuild_error(kind: type[OddsmithError], args: tuple[Any, ...], state: dict[str, Any]) -> OddsmithError:
    """Return an error of a class, made from its arguments and its attributes."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(OddsmithError):
    """A request that cannot be met. The text says what is wrong, and in most cases how to mend it.

    What to do: change the ruleset, the settings or the question, and try again.
    """


class InternalError(OddsmithError):
    """A fault of Oddsmith, such as two computations that disagree. No answer is given.

    What to do: report it, with the ruleset and the settings. Numbers that were printed before are not in doubt.
    """

    exit_code = 3

    def __str__(self) -> str:
        return f"{super().__str__()}. This is a fault of ours: please report it with the ruleset"


class Signal(Exception):
    """The base of exceptions that pass control from one module to another. They are not errors, and the program always
    catches them.
    """


# --- the user's mistakes: what is read and written


class UnknownRulesetError(InputError):
    """There is no file and no shipped ruleset with that name.

    What to do: name a file that ends in ``.yaml``, or one of ``oddsmith.shipped_rulesets()``.
    """


class RulesetError(InputError):
    """A ruleset that cannot be used. ``problems``: everything that is wrong with it.

    What to do: mend each problem at its ``location``; ``oddsmith check`` shows the lines, ``--explain`` a code.
    """

    def __init__(self, problems: Iterable[Problem], source: Source | None = None) -> None:
        self.problems = tuple(sorted(set(problems), key=lambda p: (p.location, p.code, p.message)))
        self.source = source
        super().__init__("\n".join(str(problem) for problem in self.problems))


class PlayError(RulesetError):
    """A rule that breaks, that is, cannot be carried out, in a position that play can reach.

    ``play``: the moves that lead there, in words; empty if they are not known.
    What to do: follow ``play``, then give the rule a condition, or its variable a wider range.
    """

    def __init__(self, problem: Problem, play: tuple[str, ...] = (), source: Source | None = None) -> None:
        super().__init__([problem], source)
        self.play = play

    @property
    def problem(self) -> Problem:
        """The rule that breaks, as a problem of the ruleset."""
        return self.problems[0]


class UnknownCodeError(InputError):
    """No problem has this code.

    What to do: take the code as ``oddsmith check`` prints it, such as OD511.
    """


class TranscriptError(InputError):
    """A transcript is refused. The text names the wrong place in the transcript.

    What to do: look at that place. The transcript was changed, or it belongs to other rules.
    """

    def __init__(self, location: str, message: str) -> None:
        super().__init__(f"{location}: {message}" if location else message)


class CertificateError(InputError):
    """A certificate is refused. The text says why.

    What to do: do not trust its values. Check it with the ruleset that it was written for, or write it anew.
    """


class UnwritableError(InputError):
    """A file cannot be written, or must not be written.

    What to do: name another file or folder, or remove what is in its place.
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
    """A position that the game cannot have. The text says why.

    What to do: name every variable that is not at its start, and the phase if several phases have a choice.
    """


class MeasureError(InputError):
    """A question that has no answer. The text says why.

    What to do: ask for something that play can reach. If players mix actions, ask only about the start.
    """


class DistributionError(InputError):
    """There is no distribution with that name, or it cannot be computed.

    What to do: ask for a payoff, ``win``, ``winner``, ``turns``, ``rolls`` or ``count PHASE/ENTRY``.
    """


class QuestionError(InputError):
    """A question about a roll that cannot be read. ``character_index``: the index of the first character that is wrong.

    What to do: write it as the text says, such as ``highest 2 of 3d6`` or ``3d6 >= 10``.
    """

    def __init__(self, question: str, character_index: int, message: str, hint: str = "") -> None:
        shown = f"\n  {question}\n  {' ' * character_index}^" + (f"\n  hint: {hint}" if hint else "")
        super().__init__(f"{message}{shown}")
        self.question = question
        self.character_index = character_index
        self.message = message
        self.hint = hint


class HorizonError(InputError):
    """The game has no answer for this number of turns. The text says why.

    What to do: ask for fewer turns.
    """


class SymbolError(InputError):
    """A parameter that cannot be left open as a symbol. The text says why.

    What to do: leave open a parameter that affects only weights of faces and payoffs, or take a smaller range.
    """


class GoalError(InputError):
    """The goal of a search for fair settings cannot be read, or has no meaning in this game.

    What to do: ask for ``even``, ``worth 0``, ``length 10 turns`` or ``beginner 5%``, and vary a number of the ruleset.
    """


class ShortListError(InputError):
    """A game without a short list of decisions: it has no decisions, best play mixes actions, or it is too large.

    What to do: ask for the table of best play, or for a smaller setting.
    """


class LookAheadError(InputError):
    """The values of a smaller game say nothing of a larger one: their positions do not correspond.

    What to do: take a smaller game that differs only in its number of seats, or one like the end of the larger game.
    """


class BreakEvenError(InputError):
    """The game has no decision between stopping and rolling again, or its objective is not a sum of amounts.

    What to do: ask for the value of each action instead.
    """


class ContestError(InputError):
    """A tournament, or an evening of several games, that cannot be computed. The text says why.

    What to do: name other policies, say what a game costs, or take fewer games.
    """


class ExportError(InputError):
    """Data that cannot be written in a format. The text says why.

    What to do: choose another format, or smaller settings.
    """


# --- the user's mistakes: games that are too large, or have no answer of the kind


class TooManyStatesError(InputError):
    """The game is too large to be solved as one graph. ``may_be_solved_by_stages``: whether it may still be solved
    stage by stage.

    What to do: take fewer seats or smaller parameters, or raise the limit that the text names.
    """

    def __init__(self, message: str, may_be_solved_by_stages: bool = True) -> None:
        super().__init__(message)
        self.may_be_solved_by_stages = may_be_solved_by_stages


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
    """A seat has a choice in a simulated game, and no policy says how the seat plays.

    What to do: name a policy for each seat, or the ``regular`` of the ruleset.
    """


class SolveError(InputError):
    """The game has no answer of the kind that was asked for. The text says why.

    What to do: exclude policies under which the game never ends, or ask for another kind of best play.
    """


class SecretsError(SolveError):
    """A question that a game with secrets, or in which seats choose at the same time, cannot answer.

    What to do: `oddsmith solve` gives the value of such a game and how to play it.
    """

    def __init__(self, ruleset_id: str) -> None:
        super().__init__(
            f"{ruleset_id} has secrets or choices made at once, and this is asked of positions that everybody sees: "
            "solve, advise and export say what each player does by what it has seen"
        )


class StagesNotStoredError(InputError):
    """A question about a game that was solved by stages and not stored in a folder.

    What to do: solve it with ``oddsmith solve --store FOLDER`` at the same settings, and name the same folder.
    """


class WholeGraphError(SolveError):
    """A question that needs all positions in memory, about a game that was solved by stages.

    What to do: ask about a smaller setting, or about fewer positions.
    """

    def __init__(self, ruleset_id: str) -> None:
        super().__init__(
            f"{ruleset_id} was solved by stages, so its positions are never in memory together, and this takes them all: "
            "ask it of a smaller setting"
        )


class EndlessPlayError(InputError):
    """A simulated game goes on for so long that it probably never ends.

    What to do: choose policies under which the game ends.
    """


class UncertifiableError(InputError):
    """The solution cannot be certified. The text says why.

    What to do: ask for more digits, or for smaller settings.
    """


class UnplayableError(InputError):
    """A game that could not be solved at any setting, or has too many positions for a virtual tabletop.

    What to do: put a setting under ``publish`` that can be solved.
    """


# --- our faults


class DisagreementError(InternalError):
    """Two computations within Oddsmith disagree about a game.

    What to do: report it with the ruleset.
    """


class DisprovedError(InternalError):
    """The table of a certificate does not prove the solution that it was written for.

    What to do: report it with the ruleset and the settings.
    """


class MissingAnswerPartError(InternalError):
    """A page asks for a part of an answer that is not stored.

    What to do: report it with the ruleset. Without a store, everything is computed anew.
    """


class JoinError(InternalError):
    """The scripts that ship with the program cannot be joined.

    What to do: install Oddsmith anew; if that does not help, report it.
    """


# --- signals


class RuleFailure(Signal):
    """Raised if a rule, or a step of a roll, cannot be carried out. ``code``: the code of the problem. ``hint``: how to
    mend the rule.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def did_you_mean(
    unknown_name: str, known_names: Iterable[str], plural_noun: str = "names", listed_names: Iterable[str] | None = None
) -> str:
    """Return a hint for a wrong name: the nearest known names; if none is near, a list of names.

    ``known_names``: the names that are known. ``plural_noun``: the kind of names, in the plural. ``listed_names``: the
    names to list; None for the known names.
    """
    names = sorted(set(known_names))
    near = get_close_matches(unknown_name, names, n=2, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    names = names if listed_names is None else sorted(set(listed_names))
    some = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"known {plural_noun}: {some}" if names else f"there are no {plural_noun} here"
