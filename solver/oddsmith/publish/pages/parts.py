"""Parts of a game's page that come straight from the report: rules, an example, chances, claims, simple rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from oddsmith.exact import Number, decimal_text, plural
from oddsmith.publish.charts import bars
from oddsmith.publish.markup import (
    Html,
    bare,
    cell,
    column,
    esc,
    exactly,
    fraction,
    join,
    marked,
    one_in,
    percent,
    row,
    table,
    tag,
)
from oddsmith.report.answers import Account, Answer
from oddsmith.report.balance import BreakEven
from oddsmith.report.english import Item, Move, Section, capital, count, joined, plain_name, rules_in_words
from oddsmith.report.facts import NOUNS, ChanceTable, Verdict
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Origin, Ruleset

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
    if not answer.example:
        return []
    seats = answer.setting.seats
    lead = "These dice were really rolled."
    if seats > 1:
        lead = f"These dice were really rolled, with {count(seats)} who all play best."
    elif answer.strategies:
        lead += " The player plays best."
    items = []
    seat = 0
    for move in answer.example:
        who = f"Seat {move.seat}: " if move.seat != seat and seats > 1 else ""
        seat = move.seat
        items.append(tag("li", _move(answer, move, who)))
    return [tag("p", lead), tag("ol", *items, cls="od-play")]


def _move(answer: Answer, move: Move, who: str) -> Html:
    parts: list[str] = [tag("strong", who)] if who else []
    if move.advice:
        values = "; ".join(f"{each.action} is worth {bare(answer.unit, each.value)}" for each in move.advice[:4])
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


def chances(answer: Answer) -> list[Html]:
    """A table for each roll of the game."""
    return [_chances(each) for each in answer.chances]


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
    words += f", {each.when}." if each.when else "."
    return table(words, head, rows, foot)


def _short(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else decimal_text(value, 3)


# --- odds that were published or counted


def claims_title(account: Account, origin: Origin) -> str:
    """The heading over the claims of an origin."""
    if origin == "published":
        return "Published odds, checked"
    right = all(verdict.right for verdict in account.claimed(origin))
    return f"Counted by hand, and {'confirmed' if right else 'checked'}"


def claims(account: Account, origin: Origin) -> list[Html]:
    """What others published, or what was counted by hand, with a verdict on each number."""
    found = account.claimed(origin)
    if not found:
        return []
    (one, many), right = NOUNS[origin], sum(verdict.right for verdict in found)
    if len(found) == 1:
        words = f"The one {one} is {'right' if right else 'wrong'}. "
    else:
        words = f"{right} of {len(found)} {many} are right. "
    words += "A number is right when the exact value rounds to it."
    if origin == "counted":
        words = f"Nobody published these odds. The author of the ruleset counted them. {words}"
    head = [column(text) for text in (origin, "verdict", "exact value")]
    rows = [made for each in found for made in _claim(each)]
    caption = (
        "Published odds, and what they should be."
        if origin == "published"
        else "Odds counted by hand, and the computed ones."
    )
    return [tag("p", words), table(caption, head, rows, cls="od-claims")]


def _claim(verdict: Verdict) -> list[list[Html]]:
    """A line with the verdict, and below it how that was found."""
    claim = verdict.claim
    kind = "right" if verdict.right else "wrong"
    text = claim.stated.text
    stated = "" if text in claim.quote else f" ({'printed' if claim.origin == 'published' else 'counted'}: {text})"
    exact = fraction(verdict.number)
    value: list[str] = [verdict.alike[1]]
    value += [tag("br"), tag("code", exact)] if "/" in exact else []
    edge = " The exact value lies just at the end of what rounds to this one." if verdict.edge else ""
    how = f"{capital(verdict.how)}. {claim.note.strip()}{edge}".strip()
    return [
        [row(f"{claim.quote}{stated}", cls="od-text"), cell(tag("span", kind, cls=f"od-verdict od-verdict--{kind}")),
         cell(join(value))],
        [cell(how, cls="od-text od-how", colspan="3")],
    ]  # fmt: skip


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
            shown = cell(number.percent(2) if name in answer.facts.chances else number.decimal(4))
            if questions[name].kind == "spread":
                shown = _spread(answer, name, number)
            rows.append([label, shown, exactly(number, f"{answer.slug}.txt")])
    head = [column("question"), column("answer"), column("exactly")]
    return [table(f"Under best play, with {count(answer.setting.seats)}.", head, rows)]


def _spread(answer: Answer, name: str, deviation: Number) -> Html:
    """A standard deviation, never without its name, beside the mean and what is usual."""
    solution, question, found = answer.solved(), answer.game.ruleset.measures[name], answer.spreads[name]
    known = {**answer.facts.lengths, solution.graph.objective: solution.values[question.seat - 1]}
    mean = found.mean or (known.get(question.spread) if question.given is None else None)
    lines = [f"mean {mean.decimal(4)}"] if mean else []
    lines.append(f"standard deviation {deviation.decimal(4)}")
    if found.median is not None:
        lines.append(f"median {_short(found.median)}")
    if found.most:
        lines.append(f"at least nine games in ten: {_short(found.most[0])} to {_short(found.most[1])}")
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
        drawn.append(bars(found.payoff, answer.solution.values[0], whom, answer.unit.name))
    shown = [each for each in drawn if each]
    return [tag("div", *shown, cls="od-charts")] if shown else []


# --- one more roll


def one_more_html(decisions: Sequence[BreakEven]) -> list[Html]:
    """When rolling once more and then stopping beats stopping at once, as a formula; nothing where there is none."""
    telling = [each for each in decisions if any(formula.gain != 0 for formula in each.formulas)]
    return [part for each in telling for part in _one_more(each)]


def _one_more(found: BreakEven) -> list[Html]:
    words = f"One more {found.throw}, and then {found.stop}, is better on average than {found.stop} at once:"
    items = []
    for formula in found.formulas[:FORMULAS]:
        where = f", where {joined(list(map(_formula, formula.region)))}" if formula.region else ""
        share = f" ({formula.decisions:,} of {plural(found.decisions, 'decision')})"
        items.append(tag("li", tag("code", _formula(str(formula))), esc(where + share)))
    text = "The formula is exact, but looks only one roll ahead. Best play, in the table above, looks to the end of the game."
    left = len(found.formulas) - FORMULAS
    if left > 0:
        text += f" {left} smaller region{'s' * (left > 1)} with other formulas {'are' if left > 1 else 'is'} not shown here."
    return [tag("p", words), tag("ul", *items), tag("p", text, cls="od-note")]


def _formula(text: str) -> str:
    return text.replace("*", "·").replace(">=", "≥").replace("<=", "≤")


# --- downloads


def download_html(downloads: Mapping[str, bytes], name: str, label: str) -> Html:
    """A link to a file beside the page, and its size; a dash where there is none."""
    if name not in downloads:
        return esc("–")
    size = f" {max(1, round(len(downloads[name]) / 1000)):,} kB"
    return join([tag("a", label, href=name, download=True), esc(size)])


def modules_html(downloads: Mapping[str, bytes]) -> list[Html]:
    """The archive in which the game goes into Foundry VTT, and the address by which it is installed where it has one."""
    manifest = next((json.loads(data) for name, data in downloads.items() if name.endswith("/module.json")), None)
    found = []
    for name in downloads:
        folder, _, archive = name.rpartition("/")
        if folder == "foundry":
            link = download_html(downloads, name, archive)
            module = manifest["id"] if manifest else archive.removesuffix(".zip")
            by = (
                [". Install it from the address ", tag("code", manifest["manifest"]), ", or unpack"]
                if manifest
                else [". Unpack"]
            )
            words = f" it in Data/modules/{module}, and enable it in a world."
            found.append(tag("p", "A module for Foundry VTT, version 13 or later: ", link, *by, words))
    return found
