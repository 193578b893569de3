"""Compares odds that were published or counted by hand with computed odds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any, NoReturn

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number, PublishedNumber, decimal_text, fraction_text, short_repr
from oddsmith.expr import Expr
from oddsmith.ruleset import Game, bind, canonical_bytes, plain_data
from oddsmith.ruleset.model import Claim, Measure, Origin, Payoff, Ruleset, Setting
from oddsmith.solve import Solution, solve
from oddsmith.solve.extensive import PlayedPlans, SecretSolution, answer_measure, solve_secrets
from oddsmith.solve.questions import answer_question, is_about_turn_or_game

FRACTION_PLACES = 6  # of a fraction that is no number of ways
MAX_WAYS_DIGITS = 7  # digits of a number of ways that people read

NOUNS: dict[Origin, tuple[str, str]] = {
    "published": ("published number", "published numbers"),
    "counted": ("number counted by hand", "numbers counted by hand"),
}
"""For each origin of a claim, what one claim is called, and what several are called."""


@dataclass(frozen=True)
class Verdict:
    """A claim, the computed number, and whether the claim is right.

    ``is_between_roundings``: whether the number lies exactly between two roundings. ``method_in_words``: how the number
    was computed.
    """

    claim: Claim
    number: Number
    is_right: bool
    is_between_roundings: bool
    method_in_words: str

    def __repr__(self) -> str:
        return short_repr(
            self, f"{'right' if self.is_right else 'wrong'}: {self.claim.quote}; computed {self.number.brief}"
        )

    def __hash__(self) -> int:  # a question may hold a map
        return hash((self.claim.quote, self.number, self.is_right))

    @property
    def is_as_recorded(self) -> bool:
        """Whether the verdict is the one that the ruleset records."""
        return self.is_right == self.claim.is_right

    @property
    def off_by(self) -> Fraction:
        """The computed number minus the stated number."""
        return self.number.middle - self.claim.stated_number.value

    @property
    def in_same_form(self) -> tuple[str, str]:
        """The stated number and the computed one in the same form, which makes them easy to compare."""
        return texts_in_same_form(self.claim.stated_number, self.number)

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as plain data for JSON."""
        exact = self.number.exact
        return {
            "quote": self.claim.quote,
            self.claim.origin: self.claim.stated_number.text,
            "verdict": "right" if self.is_right else "wrong",
            "exact": None if exact is None else fraction_text(exact),
            "decimal": self.number.decimal(6),
            "off_by": decimal_text(self.off_by, 6),
            "recorded": "right" if self.claim.is_right else "wrong",
            "how": self.method_in_words,
            "note": self.claim.note,
            "of": _setting_json(self.claim.setting),
        }


def _setting_json(setting: Setting | None) -> dict[str, Any] | None:
    if setting is None:
        return None
    variant = ", ".join(setting.variants) or None
    return {
        "seats": setting.seats,
        "objective": setting.objective,
        "variant": variant,
        "parameters": dict(setting.values),
    }


def judge_claims(
    game: Game,
    known_number: Callable[[Claim], Number | None] = lambda _: None,
) -> list[Verdict]:
    """Judge every claim of the ruleset, in order. ``known_number``: returns the number of a claim if it was computed before,
    else None.
    """

    @cache
    def solve_setting(claimed_setting: Setting | None) -> Solution:
        plain = game.ruleset
        return solve(
            game if claimed_setting is None else bind(plain, claimed_setting),
            claim_setting(plain, claimed_setting).objective,
        )

    @cache
    def plans_of_setting(claimed_setting: Setting | None) -> PlayedPlans:
        asked = game if claimed_setting is None else bind(game.ruleset, claimed_setting)
        return PlayedPlans.of(solve_secrets(asked, claim_setting(game.ruleset, claimed_setting).objective))

    def judge(claim: Claim) -> Verdict:
        asked = game if claim.setting is None else bind(game.ruleset, claim.setting)
        number = known_number(claim)
        if number is None and asked.ruleset.has_secrets:
            number = _claim_number_with_secrets(asked, claim, partial(plans_of_setting, claim.setting))
        return judge_claim(asked, claim, number or claim_number(asked, claim, partial(solve_setting, claim.setting)))

    return [judge(claim) for claim in game.ruleset.claims]


def judge_claim(game: Game, claim: Claim, number: Number) -> Verdict:
    """Judge a claim. ``number``: the computed number, from ``claim_number``."""
    agrees = claim.stated_number.is_confirmed_by(number)
    assert agrees is not None, "bounds of 2^-200 leave no stated number open"
    return Verdict(
        claim, number, agrees, claim.stated_number.is_off_by_the_tolerance(number), method_sentence(game, claim)
    )


def claim_numbers(solution: Solution, setting: Setting) -> dict[str, Number]:
    """Return the numbers that the claims about a setting should have stated, by the key of the claim."""
    game = solution.graph.game
    asked = [claim for claim in game.ruleset.claims if claim_setting(game.ruleset, claim.setting) == setting]
    return {claim_key(game.ruleset, claim): claim_number(game, claim, lambda: solution) for claim in asked}


def secret_claim_numbers(solution: SecretSolution, setting: Setting) -> dict[str, Number]:
    """Return the numbers that the claims about a setting of a game with secrets should have stated, by the key of the
    claim, without those that cannot be judged.
    """
    game, found = solution.game, dict[str, Number]()
    played = cache(partial(PlayedPlans.of, solution))
    for claim in game.ruleset.claims:
        if claim_setting(game.ruleset, claim.setting) == setting:
            with suppress(MeasureError):
                found[claim_key(game.ruleset, claim)] = _claim_number_with_secrets(game, claim, played)
    return found


def claim_key(ruleset: Ruleset, claim: Claim) -> str:
    """Return a key of the number that a claim is about, unique within a game. It depends on the question and on the
    stated number.
    """
    written = ruleset.data["claims"][ruleset.claims.index(claim)]
    return canonical_bytes([plain_data(written["ask"]), claim.stated_number.text]).decode()


def claim_setting(ruleset: Ruleset, setting: Setting | None) -> Setting:
    """Return the setting that a claim is about: ``setting``, or if it is None, the setting of the game as written."""
    return setting or Setting(ruleset.seats[2], next(iter(ruleset.payoffs)))


def claim_number(game: Game, claim: Claim, solve: Callable[[], Solution]) -> Number:
    """Compute the number that a claim should have stated, precisely enough to judge the stated one."""
    number = _solved_value(claim.question, solve) or answer_question(game, claim.question, solve)
    if (
        claim.stated_number.is_confirmed_by(number) is None
    ):  # p/q was stated, or the number lies on the edge of what rounds to it
        return answer_question(game, claim.question, solve, prefer_exact=True)
    return number


def _claim_number_with_secrets(game: Game, claim: Claim, solve_plans: Callable[[], PlayedPlans]) -> Number:
    """Compute the number that a claim about a game with secrets should have stated. Raises MeasureError if there is no
    such number, or if it is not known precisely enough.
    """
    if not is_about_turn_or_game(claim.question):
        return claim_number(game, claim, _raise_no_positions)
    played = solve_plans()
    solution, question = played.solution, claim.question
    number = answer_measure(played, question)
    if _asks_for_value(question, game.ruleset.payoffs[solution.objective]) and question.seat <= game.seats:
        number = solution.values[question.seat - 1]
    if claim.stated_number.is_confirmed_by(number) is None:
        raise MeasureError(
            f"{claim.quote!r} cannot be judged: the number is only known as {number.brief} ({number.grade})"
        )
    return number


def _raise_no_positions() -> NoReturn:
    raise MeasureError("what a player chooses follows from what it has seen: ask for the chance `in: game`")


def _asks_for_value(question: Measure, payoff: Payoff) -> bool:
    """Return whether a question asks for what a seat gets on average, and for nothing else."""
    return _is_mean_at_end(question) and question.value == payoff.value


def _is_mean_at_end(question: Measure) -> bool:
    """Return whether a question asks for the mean of an amount at the end of all games."""
    within = question.at_entry or question.given_entry or question.within or question.start_values or question.divisor
    return question.kind == "mean" and not within


def _is_affine_in(amount: Expr, payoff: Expr) -> bool:
    """Return whether an amount is a fixed multiple of a payoff plus a constant. Then the mean of the payoff determines
    the mean of the amount.
    """
    if amount == payoff or amount.op == "const":
        return True
    alike = all(_is_affine_in(each, payoff) for each in amount.args)
    if amount.op in ("*", "/"):
        first, second = (each.op == "const" for each in amount.args)
        return alike and (second or (first and amount.op == "*"))
    return alike and amount.op in ("+", "-", "neg")


def _solved_value(question: Measure, get_solution: Callable[[], Solution]) -> Number | None:
    """Return the exact value of a seat in the solution, if it is the answer to the question; otherwise return None."""
    if question.kind != "mean" or question.at_entry:
        return None
    found = get_solution()
    if question.seat > found.graph.seats or found.mixtures:
        return None
    value = found.values[question.seat - 1]
    payoff = found.graph.game.ruleset.payoffs[found.graph.objective]
    return value if _asks_for_value(question, payoff) and value.exact is not None else None


def texts_in_same_form(stated: PublishedNumber, computed: Number) -> tuple[str, str]:
    """Return two texts: the stated number, and ``computed`` in the same form. The form is a ratio, a percentage or a
    decimal with two more places.
    """
    top, _, bottom = stated.text.partition("/")
    if bottom.isdigit() and len(bottom) <= MAX_WAYS_DIGITS and computed.exact is not None:
        ways = [chance * int(bottom) for chance in (stated.value, computed.exact)]
        if all(each.denominator == 1 and 0 <= each <= int(bottom) for each in ways):
            return f"{int(ways[0]):,} of {int(bottom):,}", f"{int(ways[1]):,} of {int(bottom):,}"
    places = FRACTION_PLACES if bottom else len(top.rstrip(" %").partition(".")[2]) + 2
    shown = Number.of(stated.value)
    if stated.text.endswith("%"):
        return shown.percent(places) if bottom else stated.text, computed.percent(places)
    whole = computed.exact is not None and computed.exact.denominator == 1
    return shown.decimal(places) if bottom else stated.text, computed.decimal(0 if whole else max(places, 3))


def method_sentence(game: Game, claim: Claim) -> str:
    """Describe how the number of a claim was computed."""
    question = claim.question
    if question.kind == "count" or question.within or question.at_entry is None:
        if game.ruleset.has_secrets:
            payoff = game.ruleset.payoffs[claim_setting(game.ruleset, claim.setting).objective]
            if _is_mean_at_end(question) and question.value is not None and _is_affine_in(question.value, payoff.value):
                return "by the value of the game, which is the same in all best play"
            return "along the play that was found; only values of seats are the same in all best play"
        return "from the transitions of the solved game under best play"
    phase = game.ruleset.phases[question.at_entry[0]]
    dice = " and ".join(throw.name for throw in phase.rolls_and_draws)
    if question.kind == "mean":
        return (
            f"the mean over all equally weighted results of {dice} in {phase.name} that lead to {question.at_entry[1]}"
        )
    counted = f"all results of {dice} in {phase.name}, counted with their weights"
    return counted if dice else f"by the rules of {phase.name}"
