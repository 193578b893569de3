"""What would make a game as it is wanted, as records: answers, cases of a frontier, and the whole."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.exact import brief, fraction_text, plural
from oddsmith.workbench.bracketing import Tried, size
from oddsmith.workbench.goals import Aim, Goal

if TYPE_CHECKING:
    from oddsmith.solve.parameter import Algebraic

LISTED = "its values were listed"
How = Literal["at", "everywhere", "jump", "between", "close"]


@dataclass(frozen=True, repr=False)
class Answer:
    """Where the goal is met. ``at``: at ``low``, exactly. ``everywhere``: from ``low`` to ``high``. ``close``: at ``low``, as
    far as is proven. ``between``: what is missing changes its sign between two whole numbers. ``jump``: it does at ``low``,
    because best play changes there. ``write``: the whole number that comes nearest, and ``lines``: what the ruleset then says.
    """

    how: How
    low: Algebraic
    high: Algebraic
    write: Tried | None
    lines: str

    def __repr__(self) -> str:
        return brief(self, str(self))

    def __str__(self) -> str:
        low, high = self.low.short(6), self.high.short(6)
        return f"{self.how} {low}" if self.how in ("at", "jump", "close") else f"{self.how} {low}..{high}"

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """The answer for machines."""
        ends = {"low": self.low.to_json(places), "high": self.high.to_json(places)}
        return {"how": self.how, **ends, "write": self.write.value if self.write else None, "lines": self.lines}


@dataclass(frozen=True, repr=False)
class Case:
    """The answers at one setting of what else varies. ``aim``: what is wanted there; None where the setting is refused.

    ``complete``: there are no other answers in the range. ``tried``: the whole numbers that were solved; ``nearest``: the one
    that misses least, and ``lines`` what the ruleset then says. ``why``: what is refused, or why there is no formula.
    """

    settings: dict[str, Any]
    aim: Aim | None
    answers: tuple[Answer, ...]
    tried: tuple[Tried, ...]
    nearest: Tried | None
    lines: str
    complete: bool
    why: str
    notes: tuple[str, ...] = ()

    @property
    def formula(self) -> bool:
        """Whether the answers come from a formula, so that they are exact."""
        return self.aim is not None and not self.why

    @property
    def listed(self) -> bool:
        """Whether there is no formula because the values were listed."""
        return self.why == LISTED

    def told(self, tried: Tried, places: int = 6) -> str:
        """What a whole number brings, in words."""
        return tried.problem if tried.reached is None or self.aim is None else self.aim.told(tried.reached, places)

    def __repr__(self) -> str:
        own = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        return brief(self, f"{own}{': ' if own else ''}{', '.join(map(str, self.answers)) or 'no answer'}")

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """The case for machines."""
        return {
            "settings": dict(self.settings),
            "method": "formula" if self.formula else "whole numbers",
            "why": self.why,
            "complete": self.complete,
            "answers": [answer.to_json(places) for answer in self.answers],
            "nearest": self.nearest.to_json(places) if self.nearest else None,
            "lines": self.lines,
            "tried": [tried.to_json(places) for tried in self.tried],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, repr=False)
class Fair:
    """What would make a game as it is wanted. ``name``: the parameter that is looked for; ``cases``: one for each setting of
    what else varies, in the order of the grid. ``low`` and ``high``: the range in which it is looked for.
    """

    ruleset: str
    goal: Goal
    name: str
    varied: tuple[str, ...]
    fixed: dict[str, Any]
    low: Fraction
    high: Fraction
    cases: tuple[Case, ...]

    def __repr__(self) -> str:
        if len(self.cases) == 1:
            found = ", ".join(map(str, self.cases[0].answers)) or "no answer"
        else:
            found = f"answers in {sum(bool(case.answers) for case in self.cases)} of {plural(len(self.cases), 'case')}"
        return brief(self, f"{self.ruleset}, {self.name}: {found}")

    @property
    def nearest(self) -> Case | None:
        """The case in which a whole number misses least."""
        solved = [case for case in self.cases if case.nearest is not None]
        return min(solved, key=lambda case: size(case.nearest) if case.nearest else 0, default=None)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers of all cases."""
        return tuple(answer for case in self.cases for answer in case.answers)

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """All of it for machines, as ``fair --json`` prints it."""
        return {
            "ruleset": self.ruleset,
            "goal": self.goal.to_json(),
            "parameter": {"name": self.name, "low": fraction_text(self.low), "high": fraction_text(self.high)},
            "varied": list(self.varied),
            "fixed": dict(self.fixed),
            "cases": [case.to_json(places) for case in self.cases],
        }
