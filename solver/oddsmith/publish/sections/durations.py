"""How long a game lasts in minutes, from its rolls, or from its turns where rolls are not known."""

from __future__ import annotations

from oddsmith.base.exact import plural
from oddsmith.report.answers import Answer, RulesetAnswers
from oddsmith.ruleset import Game

SECONDS = 15  # that a roll takes with all that belongs to it
ROLL = f"A roll is taken to last {SECONDS} seconds."


def duration_text(account: RulesetAnswers, answer: Answer) -> str:
    """Return the approximate duration of a game in minutes, in words, from the mean number of its rolls.

    If that is not known, the mean number of turns is used. The text is empty if neither is known, or if nothing is
    rolled.
    """
    known = answer.key_facts.lengths if answer.result else {}
    if "rolls" in known:
        return _minutes_text(float(known["rolls"].middle)) if known["rolls"].upper else ""
    return duration_text_of_turns(account, answer.game, float(known["turns"].middle)) if "turns" in known else ""


def duration_text_of_turns(account: RulesetAnswers, game: Game, turns: float) -> str:
    """Return the approximate duration of ``turns`` turns of a game in minutes, in words.

    The text is empty if it is not known how often dice are rolled in a turn.
    """
    rolls = mean_rolls_per_turn(account, game)
    return _minutes_text(turns * rolls) if rolls else ""


def mean_rolls_per_turn(account: RulesetAnswers, game: Game) -> float:
    """Return the mean number of rolls in a turn of a game; 0 if it is not known.

    It is taken from the longest solved game with the same dice for which it is known.
    """
    known = [each.key_facts.lengths for each in account.answers if each.result and each.game.dice == game.dice]
    counted = [each for each in known if "rolls" in each and "turns" in each and each["turns"].lower > 0]
    longest = max(counted, key=lambda each: each["turns"].middle, default=None)
    return float(longest["rolls"].middle / longest["turns"].middle) if longest else 0.0


def duration_basis_text(account: RulesetAnswers, game: Game | None = None) -> str:
    """Return sentences that say how durations in minutes are computed.

    ``game``: the game whose duration comes from its number of turns, because rolls were not counted.
    """
    if game is None:
        return ROLL
    rolls = f"{mean_rolls_per_turn(account, game):.1f}".removesuffix(".0")
    return f"A turn is taken to have {rolls} roll{'s' * (rolls != '1')}, as in a solved game here. {ROLL}"


def _minutes_text(rolls: float) -> str:
    return plural(max(1, round(rolls * SECONDS / 60)), "minute")
