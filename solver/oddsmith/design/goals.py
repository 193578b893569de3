"""The goals of a designer, and how far a game misses them: even seats, a value, a length, or the loss of a beginner."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.base.errors import GoalError, MeasureError, SymbolError, UnknownPolicyError, did_you_mean
from oddsmith.base.exact import Number, fraction_text, parse_published_number, plural
from oddsmith.ruleset.model import ANY, RULE

if TYPE_CHECKING:
    from oddsmith.ruleset.model import Payoff, Ruleset
    from oddsmith.solve.parameter import ParametricSolution, Piece, RationalFunction


GoalKind = Literal["even", "worth", "length", "beginner"]
_ASKED = re.compile(r"\s*(even|worth|length|beginner)\s*(-?[0-9./]+(?:\s*%)?)?\s*(turns?|rolls?)?\s*", re.IGNORECASE)
_FORMS = "even, worth 0, length 10 turns, length 12 rolls or beginner 5%"


@dataclass(frozen=True)
class Goal:
    """A goal of a designer, of one of four kinds. ``even``: all seats have the same value. ``worth``: the value of
    ``seat`` is ``number``. ``length``: a game takes ``number`` of ``unit`` (turns or rolls) on average. ``beginner``:
    ``seat`` loses ``number`` if it alone plays as ``beginner_policy`` says; ``is_percent``: whether this number is in
    percent.

    A percentage is a share of games if the payoff is a probability, else a share of the value of best play.
    ``number_text``: the number as it was written.
    """

    kind: GoalKind
    number: Fraction = Fraction(0)
    unit: str = "turns"
    is_percent: bool = False
    seat: int = 1
    beginner_policy: str = ANY
    number_text: str = field(default="", compare=False)

    @staticmethod
    def of(text: str, seat: int = 1, beginner_policy: str = ANY) -> Goal:
        """Parse a goal such as ``length 10 turns``.

        ``seat``: the seat of ``worth`` or ``beginner``. ``beginner_policy``: how the beginner plays: by a policy of the
        ruleset, by ``any`` legal action, or by the short ``rule``. Raises GoalError.
        """
        found = _ASKED.fullmatch(text)
        try:
            number = parse_published_number(found[2]) if found and found[2] else None
        except ValueError:
            found = number = None
        if found is None or (found[1].lower() == "even") == bool(number) or (found[3] and found[1].lower() != "length"):
            raise GoalError(f"{text!r} is no goal: write {_FORMS}")
        unit = "rolls" if (found[3] or "").lower().startswith("roll") else "turns"
        value, kind = number.value if number else Fraction(0), found[1].lower()
        percent = number is not None and "%" in number.text
        if kind == "length" and (percent or value <= 0):
            raise GoalError(f"{text!r}: a length is a number of turns or rolls above 0")
        if kind == "beginner" and value < 0:
            raise GoalError(f"{text!r}: nobody loses less than nothing against best play")
        kinds: dict[str, GoalKind] = {"even": "even", "worth": "worth", "length": "length", "beginner": "beginner"}
        return Goal(kinds[kind], value, unit, percent, seat, beginner_policy, number.text if number else "")

    def to_json(self) -> dict[str, Any]:
        """Return the goal as plain data for JSON."""
        return {
            "kind": self.kind,
            "number": None if self.kind == "even" else fraction_text(self.number),
            **({"unit": self.unit} if self.kind == "length" else {}),
            **({"seat": self.seat} if self.kind in ("worth", "beginner") else {}),
            **({"plays": self.beginner_policy, "percent": self.is_percent} if self.kind == "beginner" else {}),
        }


@dataclass(frozen=True)
class GoalInGame:
    """A goal in a game with a given payoff and a given number of seats. ``seat_names``: the names of the seats."""

    goal: Goal
    payoff: Payoff
    seats: int
    seat_names: tuple[str, ...]

    @staticmethod
    def of(goal: Goal, ruleset: Ruleset, seats: int, objective: str) -> GoalInGame:
        """Return the goal in a game of a ruleset. Raises GoalError, UnknownPolicyError."""
        if goal.kind == "even" and seats == 1:
            raise GoalError(
                f"{ruleset.id} has one seat here, which is even with nobody: ask what it is worth, as worth 0"
            )
        if not 1 <= goal.seat <= seats:
            raise GoalError(f"there is no seat {goal.seat}: {ruleset.id} has {plural(seats, 'seat')} here")
        known = [*ruleset.policies, ANY, RULE]
        if goal.kind == "beginner" and goal.beginner_policy not in known:
            hint = did_you_mean(goal.beginner_policy, known, "ways of playing")
            raise UnknownPolicyError(f"{ruleset.id} has no policy {goal.beginner_policy}: {hint}")
        return GoalInGame(goal, ruleset.payoffs[objective], seats, tuple(map(ruleset.seat_name, range(seats))))

    @property
    def is_share_of_best_play(self) -> bool:
        """Whether the goal states a loss as a share of the value of best play, and not as an amount or a share of
        games.
        """
        return self.goal.is_percent and self.goal.kind == "beginner" and not self.payoff.has_probability_as_mean

    # --- how far a game is from it

    def number_reached(self, solution_data: Mapping[str, Any]) -> Number:
        """Return the number of a solved game that the goal is about: a difference of values for ``even``, else a value,
        a length or a loss.

        ``solution_data``: the solved game as plain data, from ``report.policy.sweep_point_data``. Raises MeasureError if the
        number is not known, or if nobody can lose a share of best play.
        """
        goal, values = self.goal, [Number.from_json(value) for value in solution_data["values"]]
        if goal.kind == "even":
            return values[0] - values[1] if self.seats == 2 else _greatest_difference(values)
        if goal.kind == "worth":
            return values[goal.seat - 1]
        if goal.kind == "length":
            if goal.unit not in solution_data["lengths"]:
                raise MeasureError("the length of a game is not known there")
            return Number.from_json(solution_data["lengths"][goal.unit])
        best = values[goal.seat - 1]
        if self.is_share_of_best_play and best.lower <= 0:
            raise MeasureError("best play gets nothing there, so nobody can lose a share of it")
        loss = self._loss(solution_data, best)
        return loss / best if self.is_share_of_best_play else loss

    def miss(self, solution_data: Mapping[str, Any]) -> Number:
        """Return how far a solved game is from the goal: the number reached minus the wanted number, so 0 if the goal
        is met.

        If a loss is a share of the value of best play, the difference is multiplied by that value. ``solution_data``:
        as for ``number_reached``. Raises MeasureError.
        """
        if self.is_share_of_best_play:
            self.number_reached(solution_data)
            best = Number.from_json(solution_data["values"][self.goal.seat - 1])
            return self._loss(solution_data, best) - best * self.goal.number
        return self.number_reached(solution_data) - self.goal.number

    def _loss(self, solution_data: Mapping[str, Any], best_value: Number) -> Number:
        alone = Number.from_json(solution_data["alone"])
        return best_value - alone if self.payoff.goal == "max" else alone - best_value

    @property
    def miss_has_sign(self) -> bool:
        """Whether misses may be negative. If so, a miss changes its sign at a value of the parameter that meets the
        goal.
        """
        return self.goal.kind != "even" or self.seats == 2

    # --- as functions of a parameter

    def functions_zero_at_goal(self, parametric: ParametricSolution, piece: Piece) -> list[RationalFunction]:
        """Return functions of the parameter on a piece of its range. The goal is met where all of them are 0.

        Raises SymbolError if there is no formula.
        """
        from oddsmith.solve.parameter import RationalFunction

        goal, seat = self.goal, self.goal.seat - 1
        wanted = RationalFunction.constant(goal.number)
        if goal.kind == "even":
            return [piece.values[0] - other for other in piece.values[1:]]
        if goal.kind == "worth":
            return [piece.values[seat] - wanted]
        if goal.kind == "length":
            return [parametric.mean_length(piece, goal.unit) - wanted]
        loss = piece.values[seat] - parametric.deviation_value(piece, self._beginner_policy(parametric), goal.seat)
        loss = loss if self.payoff.goal == "max" else -loss
        return [loss - (wanted * piece.values[seat] if self.is_share_of_best_play else wanted)]

    def _beginner_policy(self, parametric: ParametricSolution) -> Any:
        plays = self.goal.beginner_policy
        if plays in parametric.parametric_game.graph.game.ruleset.policies:
            return parametric.rows_of_policy(plays)
        if plays == RULE:
            raise SymbolError("the short rule is looked for anew at each value, so there is no formula")
        return parametric.random_play

    # --- words

    @property
    def words(self) -> str:
        """The goal in words, as the end of a sentence."""
        goal = self.goal
        number = goal.number_text or fraction_text(goal.number)
        if goal.kind == "even":
            return "all seats get the same"
        if goal.kind == "worth":
            return f"{self.seat_names[goal.seat - 1]} gets {number}"
        if goal.kind == "length":
            unit = goal.unit[:-1] if goal.number == 1 else goal.unit
            return f"a game takes {number} {unit} on average"
        return f"a beginner in seat {goal.seat} ({self._policy_words}) loses {self._loss_words(Number.of(goal.number))}"

    @property
    def _policy_words(self) -> str:
        return {ANY: "any legal action", RULE: "short rules"}.get(self.goal.beginner_policy, self.goal.beginner_policy)

    def _loss_words(self, loss: Number, digits: int = 4) -> str:
        """Return a loss in words, in percent if the goal is stated in percent."""
        if not self.goal.is_percent:
            return loss.decimal(digits) if loss.exact is None or loss.lower.denominator > 1 else str(loss.lower)
        text = (loss * 100).decimal(digits)
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return f"{text} % of {'what best play gets' if self.is_share_of_best_play else 'all games'}"

    def result_words(self, reached: Number, digits: int = 6) -> str:
        """Return in words the number that a game reached."""
        goal, text = self.goal, reached.decimal(digits)
        if goal.kind == "even" and reached.lower <= 0 <= reached.upper:
            return "all seats get the same" + ("" if reached.exact == 0 else ", as far as is proven")
        if goal.kind == "even" and self.seats == 2:
            first = reached.lower > 0
            return f"{self.seat_names[0 if first else 1]} gets {(reached if first else -reached).decimal(digits)} more"
        if goal.kind == "even":
            return f"{text} between the seats that get most and least"
        if goal.kind == "worth":
            return f"{self.seat_names[goal.seat - 1]} gets {text}"
        if goal.kind == "length":
            return f"{text} {goal.unit}"
        return f"a beginner loses {self._loss_words(reached, digits)}"


def _greatest_difference(values: list[Number]) -> Number:
    """Return the greatest difference between two of the values."""
    low = max(value.lower for value in values) - min(value.upper for value in values)
    high = max(value.upper for value in values) - min(value.lower for value in values)
    return Number(max(low, Fraction(0)), high)
