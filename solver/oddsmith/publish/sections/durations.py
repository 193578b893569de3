"""How long a game lasts in minutes, from its rolls, or from its turns where rolls are not known."""

from __future__ import annotations

from oddsmith.base.exact import plural
from oddsmith.report.answers import Answer, RulesetAnswers

SECONDS = 15  # that a roll takes with all that belongs to it
ROLL = f"A roll is taken to last {SECONDS} seconds."


def minutes(account: RulesetAnswers, answer: Answer) -> str:
    """Return the approximate duration of a game in words, from the mean number of rolls, or else of turns; empty if
    nothing is rolled or neither number is known.
    """
    known = answer.facts.lengths if answer.result else {}
    if "rolls" in known:
        return _minutes_words(float(known["rolls"].middle)) if known["rolls"].upper else ""
    return minutes_of_turns(account, float(known["turns"].middle)) if "turns" in known else ""


def minutes_of_turns(account: RulesetAnswers, turns: float) -> str:
    """Return the approximate duration of a game with a number of turns, in words; empty if it is not known how often
    dice are rolled in a turn.
    """
    rolls = rolls_a_turn(account)
    return _minutes_words(turns * rolls) if rolls else ""


def rolls_a_turn(account: RulesetAnswers) -> float:
    """Return the mean number of rolls in a turn of the longest game of the ruleset for which it is known; 0 if it is
    known for none.
    """
    known = [each.facts.lengths for each in account.answers if each.result]
    counted = [each for each in known if "rolls" in each and "turns" in each and each["turns"].lower > 0]
    longest = max(counted, key=lambda each: each["turns"].middle, default=None)
    return float(longest["rolls"].middle / longest["turns"].middle) if longest else 0.0


def basis(account: RulesetAnswers, turns: bool) -> str:
    """Return sentences that say what minutes are made of. ``turns``: whether of turns whose rolls were not counted."""
    if not turns:
        return ROLL
    rolls = f"{rolls_a_turn(account):.1f}".removesuffix(".0")
    return f"A turn is taken to have {rolls} roll{'s' * (rolls != '1')}, as in a solved game here. {ROLL}"


def _minutes_words(rolls: float) -> str:
    return plural(max(1, round(rolls * SECONDS / 60)), "minute")
