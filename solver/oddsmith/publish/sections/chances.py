"""Tables of the outcomes of each roll, formulas that say when one more roll pays, and answers to the questions that a
ruleset asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oddsmith.base.exact import Number, plural
from oddsmith.publish.markup.html import Html, cell, column_header, esc, join_html, row_header, table, tag
from oddsmith.publish.markup.numbers import exact_number_cell, one_in_text, percent_text, short_number_text
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, joined, plain_name, player_count_words
from oddsmith.report.facts import ChanceTable, RollOrStop, edge_percent, question_condition_words

MAX_FORMULAS = 3  # of one decision that are shown: those of the regions with most positions
MAX_CONDITIONS = 3  # of a region that is shown: nobody reads more


def chances_html(answer: Answer) -> list[Html]:
    """Return a table for each roll of the game: its outcomes with their chances."""
    return [_chance_table_html(each) for each in answer.chance_tables]


def _chance_table_html(chance_table: ChanceTable) -> Html:
    mean = any(event.mean is not None for event in chance_table.events)
    head = [column_header(text) for text in ("event", "ways", "chance", "exactly", "about")] + (
        [column_header("mean of the dice")] if mean else []
    )
    rows = []
    for event in chance_table.events:
        cells = [
            row_header(event.name or "anything"),
            cell(f"{event.ways:,}"),
            cell(percent_text(event.chance)),
            cell(str(event.chance)),
            cell(one_in_text(event.chance)),
        ]
        if mean:
            cells.append(cell("" if event.mean is None else short_number_text(event.mean)))
        rows.append(cells)
    total = sum((event.chance for event in chance_table.events), Fraction(0))
    foot = [
        row_header("all"),
        cell(f"{chance_table.ways:,}"),
        cell("100 %" if total == 1 else percent_text(total)),
        cell(str(total)),
        cell(""),
        *([cell("")] if mean else []),
    ]
    name = capital(plain_name(chance_table.phase))
    words = f"{name}: {chance_table.dice}" if chance_table.dice else name
    words += f", {chance_table.when}." if chance_table.when else "."
    return table(words, head, rows, foot)


def roll_or_stop_formulas_html(decisions: Sequence[RollOrStop]) -> list[Html]:
    """Return formulas that say when one more roll is better than a stop, as HTML; an empty list if there are none."""
    return [part for each in decisions for part in _formula_parts(each)]


def _formula_parts(decision: RollOrStop) -> list[Html]:
    words = f"One more {decision.throw}, and then {decision.stop}, is better on average than {decision.stop} at once:"
    items = []
    short = [each for each in decision.formulas if len(each[1]) <= MAX_CONDITIONS][:MAX_FORMULAS]
    if not short:
        return []
    for pays, region, decisions in short:
        where = f", where {joined(list(map(_formula_text, region)))}" if region else ""
        share = f" ({decisions:,} of {plural(decision.decisions, 'decision')})"
        items.append(tag("li", tag("code", _formula_text(pays)), esc(where + share)))
    text = "The formula is exact, but looks only one roll ahead. Best play, in the table above, looks to the end of the game."
    left = len(decision.formulas) - len(short)
    if left > 0:
        are = "s are" if left > 1 else " is"
        text += f" {left} other region{are} not shown here: smaller, or with many conditions."
    return [tag("p", words), tag("ul", *items), tag("p", text, cls="od-note")]


def _formula_text(text: str) -> str:
    return text.replace("*", "·").replace(">=", "≥").replace("-", "−").replace("<=", "≤")


def asked_measures_html(answer: Answer) -> list[Html]:
    """Return a table of the answers to the questions that the ruleset asks; an empty list if it asks none."""
    if answer.result is None or not answer.key_facts.measures:
        return []
    questions = answer.game.ruleset.measures
    rows = []
    for name, number in answer.key_facts.measures.items():
        about = questions[name].about
        asked = f"{name}{question_condition_words(questions[name])}"
        label = row_header(f"{asked}. {about}" if about else asked, cls="od-text")
        if number is None:
            rows.append([label, cell("not answered"), cell("")])
        else:
            shown = cell(number.percent(2) if name in answer.key_facts.chances else number.decimal(4))
            if questions[name].edge_payoff:
                shown = cell(edge_percent(number))
            if questions[name].kind == "spread":
                shown = _standard_deviation_cell(answer, name, number)
            rows.append([label, shown, exact_number_cell(number, f"{answer.slug}.txt")])
    head = [column_header("question"), column_header("answer"), column_header("exactly")]
    return [table(f"Under best play, with {player_count_words(answer.setting.seats)}.", head, rows)]


def _standard_deviation_cell(answer: Answer, name: str, deviation: Number) -> Html:
    """Return a table cell with a standard deviation, and the mean, the median and the range of nine games in ten as far
    as they are known.
    """
    question, usual = answer.game.ruleset.measures[name], answer.distribution_summaries[name]
    known = {**answer.key_facts.lengths, answer.setting.objective: answer.values[question.seat - 1]}
    mean = usual.mean or (known.get(question.spread_of) if question.given_entry is None else None)
    lines = [f"mean {mean.decimal(4)}"] if mean else []
    lines.append(f"standard deviation {deviation.decimal(4)}")
    if usual.median is not None:
        lines.append(f"median {short_number_text(usual.median)}")
    if usual.most:
        lines.append(
            f"at least nine games in ten: {short_number_text(usual.most[0])} to {short_number_text(usual.most[1])}"
        )
    return cell(join_html([part for line in lines for part in (tag("br"), esc(line))][1:]), cls="od-text")
