"""The ruleset's own questions answered."""

from __future__ import annotations

from oddsmith.exact import Number
from oddsmith.publish.markup import Html, cell, column, esc, exactly, join, row, short, table, tag
from oddsmith.report.answers import Answer
from oddsmith.report.english import count
from oddsmith.report.facts import only_words


def measures_html(answer: Answer) -> list[Html]:
    """The answers to the ruleset's own questions."""
    if answer.result is None or not answer.facts.measures:
        return []
    questions = answer.game.ruleset.measures
    rows = []
    for name, number in answer.facts.measures.items():
        about = questions[name].about
        asked = f"{name}{only_words(questions[name])}"
        label = row(f"{asked}. {about}" if about else asked, cls="od-text")
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
