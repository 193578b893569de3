"""Parts of a game's page that come straight from the report: rules, an example, chances, claims, simple rules."""

from __future__ import annotations

import re
from fractions import Fraction

from oddsmith.exact import Number, decimal_text
from oddsmith.publish.charts.bars import bars
from oddsmith.publish.charts.lines import by_number
from oddsmith.publish.html import Html, cell, column, esc, join, marked, row, table, tag
from oddsmith.publish.numbers import bare, exactly, fraction, loss, one_in, percent, small
from oddsmith.publish.plan import Account, Answer
from oddsmith.report.breakeven import BreakEven, BreakEvenError, break_even
from oddsmith.report.claims import Verdict
from oddsmith.report.example import Move, example
from oddsmith.report.facts import ChanceTable, chance_tables, spread
from oddsmith.report.prose import Item, Section, capital, count, rules_in_words
from oddsmith.report.words import joined, plain_name
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Measure, Ruleset

FORMULAS = 3  # of one decision that are shown: those of the regions with most positions

# --- rules


def rules_html(game: Game) -> list[Html]:
    """The rules in plain words."""
    found = []
    for section in rules_in_words(game):
        found.append(tag("h3", section.title))
        if section.text:
            found.append(tag("p", marked(section.text)))
        if section.items:
            found.append(_items(section))
    return found


def _items(section: Section) -> Html:
    kind = "ol" if section.numbered else "ul"
    return tag(kind, *(tag("li", _item(item)) for item in section.items), cls="od-items")


def _item(item: Item) -> Html:
    parts: list[str] = []
    name = marked(item.name)
    if item.name:
        parts.append(tag("strong", name))
    if item.when:
        parts.append(join([esc(", if " if item.name and not item.when.startswith("with ") else ", " if item.name else "If "),
                           marked(item.when)]))  # fmt: skip
    if parts:
        parts.append(esc(": "))
    return join([*parts, marked(item.what if parts else capital(item.what))])


# --- tables to roll on


def tables_html(rules: Ruleset) -> list[Html]:
    """The ruleset's lists for colour: each result of the dice and what it says."""
    return [_to_roll_on(name, spec["dice"], spec["rows"]) for name, spec in rules.data.get("tables", {}).items()]


def _to_roll_on(name: str, dice: object, rows: list[object]) -> Html:
    terms = [re.fullmatch(r"\s*([0-9]*)d[0-9]+\s*", term) for term in str(dice).split("+")]
    lowest = sum(int(term[1] or 1) for term in terms if term) if all(terms) else 1
    made = [[row(str(number)), cell(str(text), cls="od-text")] for number, text in enumerate(rows, lowest)]
    return table(f"{name}.", [column(str(dice)), column("result", cls="od-text")], made)


# --- an example


def example_html(answer: Answer) -> list[Html]:
    """A turn from a real play under best play, with what every choice was worth."""
    if answer.solution is None:
        return []
    moves = example(answer.solution)
    if not moves:
        return []
    seats = answer.setting.seats
    lead = f"Dice that were really thrown, {count(seats)}, everybody playing best."
    if seats == 1:
        lead = (
            "Dice that were really thrown; the player plays best."
            if answer.strategies
            else "Dice that were really thrown."
        )
    items = []
    seat = 0
    for move in moves:
        who = f"Seat {move.seat}: " if move.seat != seat and seats > 1 else ""
        seat = move.seat
        items.append(tag("li", _move(answer, move, who)))
    return [tag("p", lead), tag("ol", *items, cls="od-play")]


def _move(answer: Answer, move: Move, who: str) -> Html:
    parts: list[str] = [tag("strong", who)] if who else []
    if move.advice:
        values = "; ".join(f"{each.action} is worth {bare(answer, each.value)}" for each in move.advice[:4])
        parts += [
            esc("chooses " if who else "Chooses "),
            tag("strong", move.took),
            tag("small", f" ({values})" if len(move.advice) > 1 else ""),
        ]
    else:
        parts += [esc(f"{move.phase if who else capital(move.phase)}: "), tag("span", move.shown, cls="od-dice")]
        parts += [esc(", "), tag("strong", move.took)] if move.took else []
    if move.now:
        parts.append(esc(f". Now {move.now}"))
    parts.append(esc("."))
    return join(parts)


# --- chances


def chances(game: Game) -> list[Html]:
    """A table for each roll of the game."""
    return [_chances(each) for each in chance_tables(game)]


def _chances(each: ChanceTable) -> Html:
    mean = any(event.mean is not None for event in each.events)
    head = [column(text) for text in ("event", "ways", "chance", "exactly", "about")] + (
        [column("mean of the dice")] if mean else []
    )
    rows = []
    for event in each.events:
        cells = [row(event.name or "anything"), cell(f"{event.ways:,}"), cell(percent(event.chance)), cell(str(event.chance)),
                 cell(one_in(event.chance))]  # fmt: skip
        if mean:
            cells.append(cell("" if event.mean is None else _short(event.mean)))
        rows.append(cells)
    total = sum((event.chance for event in each.events), Fraction(0))
    foot = [
        row("all"),
        cell(f"{each.ways:,}"),
        cell("100 %" if total == 1 else percent(total)),
        cell(str(total)),
        cell(""),
        *([cell("")] if mean else []),
    ]
    name = capital(plain_name(each.phase))
    words = f"{name}: {each.dice}" if each.dice else name
    words += f", when {each.when}." if each.when else ", as the game begins."
    return table(words, head, rows, foot)


def _short(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else decimal_text(value, 3)


# --- published odds


def claims(account: Account) -> list[Html]:
    """What others published, with a verdict on each number."""
    if not account.verdicts:
        return []
    right = sum(verdict.right for verdict in account.verdicts)
    words = f"{right} of {len(account.verdicts)} published numbers are right. "
    words += "A number is right when the exact value rounds to it."
    head = [column(text) for text in ("published", "verdict", "it is")]
    rows = [made for each in account.verdicts for made in _claim(each)]
    return [tag("p", words), table("Published odds and what they should be.", head, rows, cls="od-claims")]


def _claim(verdict: Verdict) -> list[list[Html]]:
    """A line with the verdict, and below it how that was found."""
    claim = verdict.claim
    kind = "right" if verdict.right else "wrong"
    printed = "" if claim.published.text in claim.quote else f" (printed: {claim.published.text})"
    exact = fraction(verdict.number)
    value: list[str] = [like(claim.published.text, verdict.number)]
    value += [tag("br"), tag("code", exact)] if "/" in exact else []
    edge = " The exact value lies just at the end of what rounds to the printed one." if verdict.edge else ""
    how = f"{capital(verdict.how)}. {claim.note.strip()}{edge}".strip()
    return [
        [row(f"{claim.quote}{printed}", cls="od-text"), cell(tag("span", kind, cls=f"od-verdict od-verdict--{kind}")),
         cell(join(value))],
        [cell(how, cls="od-text od-how", colspan="3")],
    ]  # fmt: skip


def like(published: str, number: Number) -> str:
    """A number in the form of the printed one: percent for percent, two more places."""
    places = len(published.rstrip(" %").partition(".")[2]) + 2
    if published.endswith("%"):
        return number.percent(places)
    whole = number.exact is not None and number.exact.denominator == 1
    return number.decimal(0 if whole else max(places, 3))


# --- simple rules


def ladder_html(answer: Answer) -> list[Html]:
    """Ways of playing from the plainest to the best, and what each costs."""
    if answer.solution is None or len(answer.ladder.rungs) < 2:
        return []
    unit = answer.unit or "chance of winning"
    alone = answer.setting.seats == 1
    last = [] if alone else [column("if everybody plays so")]
    head = [
        column("way of playing"),
        column("costs"),
        column(f"{'brings' if alone else 'first player'} ({unit})"),
        *last,
    ]
    rows = []
    for rung in answer.ladder.rungs:
        mine = "–" if rung.alone is None else bare(answer, rung.alone, 4)
        costs = "–" if rung.loss is None else loss(answer, rung.loss, 4) if rung.kind != "solution" else ""
        together = (
            "the game may never end" if rung.everyone is None else " · ".join(bare(answer, v) for v in rung.everyone)
        )
        rows.append(
            [row(capital(rung.name), cls="od-text"), cell(costs), cell(mine), *([] if alone else [cell(together)])]
        )
    found = [table(_ladder_words(answer), head, rows)]
    rule, best = answer.ladder.rule, answer.ladder.rung("number")
    if rule and best and best.alone:
        text = f"Every number from {rule.tried[0]} to {rule.tried[1]} was tried for the single-number rule. "
        short = fraction(best.alone)
        text += (
            f"Its exact value is {short}." if short else f"Its value is {small(best.alone, 12)} ({best.alone.grade})."
        )
        found.append(tag("p", text))
    drawn = by_number(answer)
    return [*found, drawn] if drawn else found


def _ladder_words(answer: Answer) -> str:
    """Who plays by the rule and what the others do: their play is best against it only where it was before."""
    assert answer.solution is not None
    seats = answer.setting.seats
    if seats == 1:
        return "What each way of playing brings, and what it costs against the best."
    settled = seats == 2 and answer.solution.kind == "zero-sum"
    others = f"the other{'s' * (seats > 2)} {'play' if seats > 2 else 'plays'} best"
    if not settled:
        others = f"the other{'s' * (seats > 2)} {'go' if seats > 2 else 'goes'} on as in the equilibrium"
    words = f"With {count(seats)}. Only the first player plays so, {others}; "
    return words + "in the last column everybody plays so, and every seat is listed."


# --- measures


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
            shown = cell(number.percent(2) if questions[name].kind == "chance" else number.decimal(4))
            if questions[name].kind == "spread":
                shown = _spread(answer, questions[name], number)
            rows.append([label, shown, exactly(number, f"{answer.slug}.txt")])
    head = [column("question"), column("answer"), column("exactly")]
    return [table(f"Under best play, with {count(answer.setting.seats)}.", head, rows)]


def _spread(answer: Answer, question: Measure, deviation: Number) -> Html:
    """A standard deviation, never without its name, beside the mean and what is usual."""
    solution = answer.solved()
    found = spread(solution, question)
    known = {**answer.facts.lengths, solution.graph.objective: solution.values[question.seat - 1]}
    mean = found.mean or (known.get(question.spread) if question.given is None else None)
    lines = [f"mean {mean.decimal(4)}"] if mean else []
    lines.append(f"standard deviation {deviation.decimal(4)}")
    if found.median is not None:
        lines.append(f"median {_short(found.median)}")
    if found.most:
        lines.append(f"at least nine plays in ten: {_short(found.most[0])} to {_short(found.most[1])}")
    return cell(join([part for line in lines for part in (tag("br"), esc(line))][1:]), cls="od-text")


# --- distributions


def pictures_html(answer: Answer) -> list[Html]:
    """How long the game lasts and what it brings, as bars."""
    if answer.solution is None:
        return []
    found = answer.distributions
    drawn = []
    if found.length:
        mean = found.length.mean or answer.facts.lengths.get(found.unit)
        drawn.append(bars(found.length, mean, "A game lasts", found.unit))
    if found.payoff:
        whom = "A game brings" if answer.setting.seats == 1 else "To seat 1 a game brings"
        drawn.append(bars(found.payoff, answer.solution.values[0], whom, answer.unit))
    shown = [each for each in drawn if each]
    return [tag("div", *shown, cls="od-charts")] if shown else []


# --- one more throw


def one_more_html(answer: Answer) -> list[Html]:
    """When throwing once more and then stopping beats stopping at once, as a formula; nothing where there is none."""
    if answer.solution is None:
        return []
    try:
        found = break_even(answer.solution.graph)
    except BreakEvenError:
        return []
    return [part for each in found if each.formulas for part in _one_more(each)]


def _one_more(found: BreakEven) -> list[Html]:
    words = f"One more {found.throw}, and then {found.stop}, brings more on average than {found.stop} at once:"
    items = []
    for formula in found.formulas[:FORMULAS]:
        where = f", where {joined(list(map(_formula, formula.region)))}" if formula.region else ""
        share = f" ({formula.decisions:,} of {found.decisions:,} decisions)"
        items.append(tag("li", tag("code", _formula(str(formula))), esc(where + share)))
    text = "Exact, and it looks one throw ahead only: best play looks to the end of the game, and the table above has that."
    left = len(found.formulas) - FORMULAS
    if left > 0:
        text += (
            f" {left} smaller region{'s' * (left > 1)} with other formulas {'are' if left > 1 else 'is'} left out here."
        )
    return [tag("p", words), tag("ul", *items), tag("p", text, cls="od-note")]


def _formula(text: str) -> str:
    return text.replace("*", "·").replace(">=", "≥").replace("<=", "≤")
