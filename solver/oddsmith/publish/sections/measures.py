"""The ruleset's own questions answered, and how games go, as pictures."""

from __future__ import annotations

from oddsmith.exact import Number
from oddsmith.publish.charts import bars, compared
from oddsmith.publish.markup import Html, cell, column, esc, exactly, join, row, short, table, tag
from oddsmith.report.answers import Answer
from oddsmith.report.english import count
from oddsmith.report.strategy import Opponent


def measures_html(answer: Answer) -> list[Html]:
    """The answers to the ruleset's own questions."""
    if answer.result is None or not answer.facts.measures:
        return []
    questions = answer.game.ruleset.measures
    rows = []
    for name, number in answer.facts.measures.items():
        about = questions[name].about
        label = row(f"{name}. {about}" if about else name, cls="od-text")
        if number is None:
            rows.append([label, cell("not answered"), cell("")])
        else:
            shown = cell(number.percent(2) if name in answer.facts.chances else number.decimal(4))
            if questions[name].kind == "spread":
                shown = _spread(answer, name, number)
            rows.append([label, shown, exactly(number, f"{answer.slug}.txt")])
    head = [column("question"), column("answer"), column("exactly")]
    return [table(f"Under best play, with {count(answer.setting.seats)}.", head, rows)]


def _spread(answer: Answer, name: str, deviation: Number) -> Html:
    """A standard deviation, never without its name, beside the mean and what is usual."""
    question, usual = answer.game.ruleset.measures[name], answer.spreads[name]
    known = {**answer.facts.lengths, answer.setting.objective: answer.values[question.seat - 1]}
    mean = usual.mean or (known.get(question.spread) if question.given is None else None)
    lines = [f"mean {mean.decimal(4)}"] if mean else []
    lines.append(f"standard deviation {deviation.decimal(4)}")
    if usual.median is not None:
        lines.append(f"median {short(usual.median)}")
    if usual.most:
        lines.append(f"at least nine games in ten: {short(usual.most[0])} to {short(usual.most[1])}")
    return cell(join([part for line in lines for part in (tag("br"), esc(line))][1:]), cls="od-text")


def pictures_html(answer: Answer) -> list[Html]:
    """How long the game lasts, what it brings, what skill is worth and what each seat gets, as bars."""
    if answer.result is None:
        return []
    laws = answer.distributions
    drawn = []
    if laws.length:
        mean = laws.length.mean or answer.facts.lengths.get(laws.unit)
        drawn.append(bars(laws.length, mean, "A game lasts", laws.unit))
    if laws.payoff:
        whom = "A game brings" if answer.setting.seats == 1 else f"To {_first(answer)} a game brings"
        drawn.append(bars(laws.payoff, answer.result.values[0], whom, answer.unit.name))
    shown = [each for each in (*drawn, _skills(answer), _seats(answer)) if each]
    return [tag("div", *shown, cls="od-charts")] if shown else []


def _skills(answer: Answer) -> Html | None:
    """What players of different strength get in the first seat, while all others play best."""
    named = {_who(each): each.values[0] for each in answer.opponents if each.values and _who(each)}
    seat = f"as {_first(answer)}" if answer.game.ruleset.sides else "in the first seat"
    others = f"{seat}, while all others play best" if answer.setting.seats > 1 else "in the same game"
    return compared(named, answer.unit, f"What players of different skill get {others}")


def _first(answer: Answer) -> str:
    return answer.game.ruleset.player(0) if answer.game.ruleset.sides else "seat 1"


def _who(each: Opponent) -> str:
    """A player by strength; empty for one who plays by a policy of the ruleset."""
    if each.kind == "mixture" and each.steady:
        return f"{each.steady.numerator} of {each.steady.denominator} right"
    return {"best": "expert", "random": "drunk"}.get(each.kind, "")


def _seats(answer: Answer) -> Html | None:
    """What each seat gets if all play best."""
    values = answer.facts.values
    if len(values) < 2:
        return None
    named = {answer.game.ruleset.seat(seat): value for seat, value in enumerate(values)}
    return compared(named, answer.unit, "What each seat gets if all play best", answer.facts.even_share)
