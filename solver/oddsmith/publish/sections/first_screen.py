"""What a game's page opens with: the rule to remember, what it costs, and the key facts."""

from __future__ import annotations

from oddsmith.exact import plural
from oddsmith.publish.markup import Html, amount, bare, esc, join, loss, shares, signed, tag, turns
from oddsmith.publish.sections.strategy import summary
from oddsmith.report.answers import Account, Answer
from oddsmith.report.english import capital, count, joined, plain_name, sentence
from oddsmith.report.strategy import NumberRule, Rung

MUCH, DEARER = 0.02, 10
"""A number is left to the small print where it costs more than this share of the value, and so many times what a table does."""


def hero(account: Account) -> Html:
    """The rule to remember, what it brings, and what it costs."""
    main = account.main
    if main.solution is None:
        return tag("p", "Not solved", tag("small", sentence(main.failure)), cls="od-rule")
    best = main.solution.values[0]
    lead, who = _company(account)
    first, second = _remembered(main)
    if first and first.alone and first.loss:
        words = capital(f"{lead}this brings{who} {amount(main.unit, first.alone)}. ")
        words += f"Best play brings {amount(main.unit, best)}: the short rule costs {loss(main.unit, first.loss)}"
        words += ", with every other decision as in best play. " if len(main.strategies) > 1 else ". "
        link = tag("a", "The whole table", href="#strategy", cls="od-screen")
        more = [tag("small", second)] if second else []
        shown = _rule(main.ladder.rule) if first.kind == "number" and main.ladder.rule else esc(sentence(first.name))
        return tag("p", shown, tag("small", words, setting_words(main), link), *more, cls="od-rule")
    what = "best play" if main.strategies else "the game"
    words = capital(f"{lead}{what} brings{who} {amount(main.unit, best)}. ")
    return tag("p", sentence(summary(main)), tag("small", words, setting_words(main)), cls="od-rule")


def _company(account: Account) -> tuple[str, str]:
    """With how many players, and who gets it."""
    seats = account.main.setting.seats
    if seats > 1:
        return f"with {count(seats)} ", " the first player"
    return "alone, " if account.ruleset.seats[1] > 1 else "", ""


def setting_words(answer: Answer) -> str:
    """How the game of the page differs from the usual one of the ruleset; empty where it does not."""
    told = [f"variant {answer.setting.variant}"] if answer.setting.variant else []
    for name, value in answer.setting.values:
        usual = answer.game.ruleset.parameters[name].default
        told.append(f"{plain_name(name)} {value} (usually {usual})")
    return f"All this is for {joined(told)}. " if told else ""


def _remembered(main: Answer) -> tuple[Rung | None, str]:
    """The rule for the large line, and a sentence on the other one: the table leads where the number costs much more."""
    number, table = main.ladder.rung("number"), main.ladder.rung("table")
    if not (number and number.loss and table and table.loss):
        return number, ""
    dear = float(number.loss) > MUCH * abs(float(main.ladder.rungs[-1].alone or 0))
    if dear and float(number.loss) > DEARER * float(table.loss):
        return table, f"With one number alone it costs {loss(main.unit, number.loss)}: {number.name}."
    return number, f"With a little more to remember it costs {loss(main.unit, table.loss)}: {table.name}."


def _rule(rule: NumberRule) -> Html:
    """The rule to remember, its number in bold."""
    if rule.always:
        return esc(sentence(rule.words))
    number = tag("b", f"{rule.number} or more")
    return join([esc(f"{rule.above} when {rule.feature.name} is "), number, esc(f"; else {rule.below}.")])


def key_facts(account: Account, grades: str) -> Html:
    """What people ask first. ``grades``: where the grade is explained."""
    main, rules = account.main, account.ruleset
    low, high, _ = rules.seats
    shown: list[tuple[str, str, str]] = [("Players", str(low) if low == high else f"{low} to {high}", "")]
    if main.solution is None:
        return _list(shown)
    facts, seats = main.facts, main.setting.seats
    worth = "Worth" if seats == 1 else f"Worth to each seat, {count(seats)}"
    worth += ", alone" if seats == 1 < high else ""
    shown.insert(0, (worth, " · ".join(bare(main.unit, value) for value in facts.values), main.unit.name))
    if seats > 1:
        shown.append(("Going first", *_going_first(main)))
    if "turns" in facts.lengths:
        rolls = (
            f"and {facts.lengths['rolls'].decimal(1)} rolls, on average"
            if facts.lengths["rolls"].upper
            else "on average"
        )
        shown.append(("Length of a game", turns(facts.lengths["turns"]), rolls))
    random = main.ladder.rung("random")
    if random and random.loss:
        shown.append(("What skill is worth", loss(main.unit, random.loss), "best play against random legal actions"))
    for name, number in list(facts.measures.items())[:2]:
        if number is not None:
            question = rules.measures[name]
            note = "standard deviation" if question.kind == "spread" else ""
            shown.append((name, number.percent(1) if name in facts.chances else number.decimal(2), note))
    badge = tag("a", main.solution.grade, href=grades, cls=f"od-grade od-grade--{main.solution.grade}")
    items = [_fact(name, esc(value), note, "·" in value) for name, value, note in shown]
    items.append(_fact("How sure", badge, f"{plural(main.solution.graph.states, 'position')}, all of them solved"))
    return tag("dl", *items, cls="od-facts")


def _going_first(main: Answer) -> tuple[str, str]:
    """What the first seat gets, and beside it what tells whether that is fair: of a win, what the others get."""
    facts, unit = main.facts, main.unit
    first, mean = facts.values[0], facts.even_share
    if main.share and main.setting.seats == 2:
        return f"wins {shares(facts.values)}", "games of 100, the first player to the second"
    if main.share:
        return f"wins {shares([first])}", f"games of 100; an even share is {shares([mean])}"
    points = "percentage points" if unit.chance else unit.name
    above = f"{signed(facts.first_seat, 2, unit.chance)} {points}".strip()
    return above, f"against {amount(unit, mean)}, the mean of all seats"


def _list(shown: list[tuple[str, str, str]]) -> Html:
    return tag("dl", *(_fact(name, esc(value), note) for name, value, note in shown), cls="od-facts")


def _fact(name: str, value: Html, note: str, wide: bool = False) -> Html:
    parts = [tag("dt", name), tag("dd", value, *([tag("small", note)] if note else []))]
    return tag("div", *parts, cls="od-wide" if wide else None)
