"""Tables to roll on that are exactly distributions of the game: each is ``1dN`` with a whole number of its numbers a result.

Nothing is rounded. What no such die can show is left out, and the journal says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any

from oddsmith.dice import Die, roll
from oddsmith.outcomes import Distribution
from oddsmith.report.answers import Account, Answer
from oddsmith.report.english import capital, count, plain_name
from oddsmith.report.facts import ChanceTable

SIDES = 10_000  # of the largest die
RESULTS = 60  # of a table that somebody may want to look through


@dataclass(frozen=True)
class RollTable:
    """A random table that is exactly a distribution: ``1dN``, and per result its lowest and highest number and its text."""

    slug: str
    title: str
    about: str
    sides: int
    results: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Law:
    """Something that may become a table: what each result says, with its exact chance; ``why``: what stands against it."""

    slug: str
    title: str
    about: str
    results: tuple[tuple[str, Fraction], ...]
    why: str = ""


def roll_tables(account: Account) -> list[RollTable]:
    """Every table of a game that is exact."""
    return [_table(account, law) for law in _laws(account) if not _refused(law)]


def left_out(account: Account) -> list[str]:
    """What has a law but no table, with the reason, each a sentence."""
    return [f"{law.title}: {reason}." for law in _laws(account) if (reason := _refused(law))]


def _table(account: Account, law: Law) -> RollTable:
    sides = lcm(*(chance.denominator for _, chance in law.results))
    results, last = [], 0
    for text, chance in law.results:
        first, last = last + 1, last + int(chance * sides)
        results.append((first, last, text))
    assert last == sides
    return RollTable(law.slug, f"{account.ruleset.title}: {law.title}", law.about, sides, tuple(results))


def _refused(law: Law) -> str:
    """Why a law gives no table; empty where it does."""
    if law.why:
        return law.why
    sides = lcm(*(chance.denominator for _, chance in law.results))
    if sides > SIDES:
        return f"it needs a die of {sides:,} sides" if sides < 10**9 else "no die is large enough for it"
    return f"it has {len(law.results)} results" if len(law.results) > RESULTS else ""


def _laws(account: Account) -> Iterator[Law]:
    yield from _lists(account.ruleset.data.get("tables", {}))
    for number, each in enumerate(account.main.chances, 1):
        yield _outcomes(number, each)
    main = account.main
    known = main.distributions
    if known.length:
        yield _spread("How long a game lasts", "length", known.length, f"{{}} {known.unit}")
    if known.payoff:
        yield _spread(
            f"What a game brings {main.game.ruleset.seat(0)}", "payoff", known.payoff, f"{{}} {main.unit.name}".strip()
        )
    yield from _bets(account)
    for answer in account.plain:
        yield from _mixtures(answer)


# --- lists of the ruleset


def _lists(tables: dict[str, Any]) -> Iterator[Law]:
    """The author's own lists: a line for each sum of the dice."""
    for number, (name, spec) in enumerate(tables.items(), 1):
        rows = [str(text) for text in spec["rows"]]
        slug, about = f"list-{number}", f"The rules roll {spec['dice']} for this. The chances are the same here."
        sums = _sums(str(spec["dice"]))
        if sums is None or len(sums) != len(rows):
            yield Law(slug, name, about, (), f"its dice are {spec['dice']}")
        else:
            yield Law(slug, name, about, tuple(zip(rows, sums, strict=True)))


def _sums(text: str) -> list[Fraction] | None:
    """The chance of every sum of dice such as 2d6 + d4, ascending; None for anything else, and where they are too many."""
    terms = [re.fullmatch(r"\s*([0-9]{0,2})d([1-9][0-9]{0,4})\s*", term) for term in text.split("+")]
    dice = [(int(term[1] or 1), int(term[2])) for term in terms if term]
    every = prod(sides**times for times, sides in dice)
    if len(dice) < len(terms) or every > SIDES:
        return None
    kinds = [Die(f"d{sides}", kind, tuple(range(1, sides + 1)), (1,) * sides) for kind, (_, sides) in enumerate(dice)]
    ways: Counter[int] = Counter()
    for hand, weight in roll([(times, die) for (times, _), die in zip(dice, kinds, strict=True)]).hands:
        ways[sum(hand.faces)] += weight
    return [Fraction(ways[total], every) for total in sorted(ways)]


# --- chance and play


def _outcomes(number: int, each: ChanceTable) -> Law:
    """What a roll leads to."""
    name = capital(plain_name(each.phase))
    when = f", {each.when}" if each.when else ""
    dice = f" ({each.dice})" if each.dice else ""
    results = tuple((event.name or "anything", event.chance) for event in each.events)
    about = f"What {name}{dice} leads to{when}, with the exact chances."
    return Law(f"chances-{number}", f"{name}{when}", about, results)


def _spread(title: str, slug: str, law: Distribution, words: str) -> Law:
    """A number that a whole game gives under best play; in ``words`` it takes the place of the braces."""
    about = f"{title}, under best play, with the exact chances."
    if law.beyond.upper > 0:
        return Law(slug, title, about, (), "there is no greatest number that it can reach")
    if law.grade != "exact":
        return Law(slug, title, about, (), "its chances are proven within bounds, and not known as fractions")
    results = tuple((words.replace("{}", each.name), each.chance.lower) for each in law.outcomes if each.chance.lower)
    return Law(slug, title, about, results)


def _bets(account: Account) -> Iterator[Law]:
    """What a bet pays."""
    for answer in (account.main, *account.objectives):
        if answer.wager:
            what = plain_name(answer.setting.objective)
            yield _spread(f"A bet on {what}", f"bet-{answer.slug}", answer.wager.law, "pays {}")


def _mixtures(answer: Answer) -> Iterator[Law]:
    """What best play does where it leaves the choice to chance."""
    for each in answer.mixed:
        title = f"Best play, {count(answer.setting.seats)}: {each.where}"
        about = "Best play chooses by chance here. Variables are listed from the seat to move."
        chance = each.first.exact
        laws = () if chance is None else tuple(zip(each.actions, (chance, 1 - chance), strict=True))
        why = "" if laws else "its chances are proven within bounds, and not known as fractions"
        yield Law(f"mixed-{answer.slug}-{each.number}", title, about, laws, why)
