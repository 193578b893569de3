"""The ruleset's own questions answered, and how games go, as pictures."""

from __future__ import annotations

from oddsmith.exact import Number
from oddsmith.publish.charts import bars
from oddsmith.publish.markup import Html, cell, column, esc, exactly, join, row, short, table, tag
from oddsmith.report.answers import Answer
from oddsmith.report.english import count


def measures_html(answer: Answer) -> list[Html]:
    """The answers to the ruleset's own questions."""
    if answer.solution is None or not answer.facts.measures:
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
    solution, question, usual = answer.solved(), answer.game.ruleset.measures[name], answer.spreads[name]
    known = {**answer.facts.lengths, solution.graph.objective: solution.values[question.seat - 1]}
    mean = usual.mean or (known.get(question.spread) if question.given is None else None)
    lines = [f"mean {mean.decimal(4)}"] if mean else []
    lines.append(f"standard deviation {deviation.decimal(4)}")
    if usual.median is not None:
        lines.append(f"median {short(usual.median)}")
    if usual.most:
        lines.append(f"at least nine games in ten: {short(usual.most[0])} to {short(usual.most[1])}")
    return cell(join([part for line in lines for part in (tag("br"), esc(line))][1:]), cls="od-text")


def pictures_html(answer: Answer) -> list[Html]:
    """How long the game lasts and what it brings, as bars."""
    if answer.solution is None:
        return []
    laws = answer.distributions
    drawn = []
    if laws.length:
        mean = laws.length.mean or answer.facts.lengths.get(laws.unit)
        drawn.append(bars(laws.length, mean, "A game lasts", laws.unit))
    if laws.payoff:
        whom = "A game brings" if answer.setting.seats == 1 else "To seat 1 a game brings"
        drawn.append(bars(laws.payoff, answer.solution.values[0], whom, answer.unit.name))
    shown = [each for each in drawn if each]
    return [tag("div", *shown, cls="od-charts")] if shown else []
