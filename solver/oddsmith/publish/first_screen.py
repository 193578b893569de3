"""What a game's page opens with: the rule to remember, what it costs, and the key facts."""

from __future__ import annotations

from oddsmith.publish.html import Html, esc, join, tag
from oddsmith.publish.numbers import amount, bare, difference, loss, turns
from oddsmith.publish.plan import Account, Answer
from oddsmith.publish.strategy import summary
from oddsmith.report.prose import capital, count, sentence
from oddsmith.report.rules_of_thumb import NumberRule


def hero(account: Account) -> Html:
    """The rule to remember, what it brings, and what it costs."""
    main = account.main
    if main.solution is None:
        return tag("p", "Not solved", tag("small", sentence(main.failure)), cls="od-rule")
    ladder = main.ladder
    best = main.solution.values[0]
    players = count(main.setting.seats)
    rung = ladder.rung("number") if ladder.rule else ladder.by_name
    alone = main.setting.seats == 1
    lead, who = ("", "") if alone else (f"With {players} ", " the first player")
    if rung and rung.alone and rung.loss:
        words = capital(f"{lead}this brings{who} {amount(main, rung.alone)}. ")
        words += f"Best play brings {amount(main, best)}: the short rule costs {loss(main, rung.loss)}."
        link = tag("a", "The whole table", href="#strategy", cls="od-screen")
        rule = _rule(ladder.rule) if ladder.rule else esc(sentence(capital(rung.name)))
        return tag("p", rule, tag("small", words, Html(" "), link), *_more(main), cls="od-rule")
    what = "best play" if main.strategies else "the game"
    words = capital(f"{lead}{what} brings{who} {amount(main, best)}.")
    return tag("p", sentence(summary(main)), tag("small", words), cls="od-rule")


def _more(main: Answer) -> list[Html]:
    """The best small table, for those who can remember a little more."""
    rung = main.ladder.rung("table")
    if not rung or not rung.loss:
        return []
    return [tag("small", f"With a little more to remember it costs {loss(main, rung.loss)}: {rung.name}.")]


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
    shown.insert(0, (worth, " · ".join(bare(main, value) for value in facts.values), main.unit))
    if seats > 1:
        shown.append(("Going first", difference(main, facts.first_seat), "against the mean of all seats"))
    if "turns" in facts.lengths:
        rolls = (
            f"and {facts.lengths['rolls'].decimal(1)} rolls, on average"
            if facts.lengths["rolls"].upper
            else "on average"
        )
        shown.append(("Length of a game", turns(facts.lengths["turns"]), rolls))
    random = main.ladder.rung("random")
    if random and random.loss:
        shown.append(("What skill is worth", loss(main, random.loss), "best play against any legal action at random"))
    for name, number in list(facts.measures.items())[:2]:
        if number is not None:
            kind = rules.measures[name].kind
            note = "standard deviation" if kind == "spread" else ""
            shown.append((name, number.percent(1) if kind == "chance" else number.decimal(2), note))
    badge = tag("a", main.solution.grade, href=grades, cls=f"od-grade od-grade--{main.solution.grade}")
    items = [_fact(name, esc(value), note, "·" in value) for name, value, note in shown]
    items.append(_fact("How sure", badge, f"{main.solution.graph.states:,} positions, all of them solved"))
    return tag("dl", *items, cls="od-facts")


def _list(shown: list[tuple[str, str, str]]) -> Html:
    return tag("dl", *(_fact(name, esc(value), note) for name, value, note in shown), cls="od-facts")


def _fact(name: str, value: Html, note: str, wide: bool = False) -> Html:
    parts = [tag("dt", name), tag("dd", value, *([tag("small", note)] if note else []))]
    return tag("div", *parts, cls="od-wide" if wide else None)
