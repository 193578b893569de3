"""Sections with charts: lengths and payoffs, the risk of another roll, and the dependence on the number in a rule."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.publish.charts.bars import draw_bars, draw_comparison
from oddsmith.publish.charts.lines import chart_by_number, risk_by_number, risk_by_roll, risk_by_stake
from oddsmith.publish.markup.html import Html, tag
from oddsmith.report.answers import Answer
from oddsmith.report.facts import RollOnRisk
from oddsmith.report.policy import Opponent


def pictures_html(answer: Answer) -> list[Html]:
    """Return bar charts of the length of a game, its payoff, the payoffs of players of different skill, and the value
    to each seat.
    """
    if answer.result is None:
        return []
    laws = answer.distributions
    drawn = []
    if laws.length:
        mean = laws.length.mean or answer.facts.lengths.get(laws.unit)
        drawn.append(draw_bars(laws.length, mean, "A game lasts", laws.unit))
    if laws.payoff:
        whom = "A game brings" if answer.setting.seats == 1 else f"To {_first_player(answer)} a game brings"
        drawn.append(draw_bars(laws.payoff, answer.result.values[0], whom, answer.unit.name))
    shown = [each for each in (*drawn, _skill_chart(answer), _seats_chart(answer)) if each]
    return [tag("div", *shown, cls="od-charts")] if shown else []


def _skill_chart(answer: Answer) -> Html | None:
    """Return a chart of the payoffs of players of different skill in the first seat, while all others play best."""
    named = {_skill_name(each): each.values[0] for each in answer.opponents if each.values and _skill_name(each)}
    seat = f"as {_first_player(answer)}" if answer.game.ruleset.sides else "in the first seat"
    others = f"{seat}, while all others play best" if answer.setting.seats > 1 else "in the same game"
    return draw_comparison(named, answer.unit, f"What players of different skill get {others}")


def _first_player(answer: Answer) -> str:
    return answer.game.ruleset.player_name(0) if answer.game.ruleset.sides else "seat 1"


def _skill_name(each: Opponent) -> str:
    """Return the name of an opponent's skill; empty for an opponent who plays by a policy of the ruleset."""
    if each.kind == "mixture" and each.best_chance:
        return f"{each.best_chance.numerator} of {each.best_chance.denominator} right"
    return {"best": "expert", "random": "drunk"}.get(each.kind, "")


def _seats_chart(answer: Answer) -> Html | None:
    """Return a chart of the value to each seat if all play best; None for a single seat."""
    values = answer.facts.values
    if len(values) < 2:
        return None
    named = {answer.game.ruleset.seat_name(seat): value for seat, value in enumerate(values)}
    return draw_comparison(named, answer.unit, "What each seat gets if all play best", answer.facts.even_share)


def rolling_html(rolling: Sequence[RollOnRisk]) -> list[Html]:
    """Return charts of the risk of another roll, for each decision."""
    several = [[drawn for drawn in (risk_by_roll(risk), risk_by_stake(risk)) if drawn] for risk in rolling]
    return [tag("div", *shown, cls="od-charts") for shown in several if shown]


def numbers_html(answer: Answer) -> list[Html]:
    """Return charts of the payoff and the risk of the first rule as functions of its number; an empty list if the game
    is not solved.
    """
    if answer.result is None:
        return []
    shown = [drawn for drawn in (chart_by_number(answer), risk_by_number(answer)) if drawn]
    return [tag("div", *shown, cls="od-pair")] if len(shown) > 1 else shown
