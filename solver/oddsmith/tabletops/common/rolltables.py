"""Tables to roll on that are exactly distributions of the game: each is ``1dN`` with a whole number of its numbers a result.

Nothing is rounded. What no such die can show is left out, and the journal says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

from oddsmith.dice import Die, roll
from oddsmith.ruleset.model import Ruleset

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


def listed_tables(rules: Ruleset) -> list[RollTable]:
    """Those among them that need no solution: the author's own lists."""
    return tables_of(rules, lists(rules))


def tables_of(rules: Ruleset, laws: Iterable[Law]) -> list[RollTable]:
    """A table for each law of a game that gives one."""
    return [_table(rules, law) for law in laws if not refused(law)]


def _table(rules: Ruleset, law: Law) -> RollTable:
    sides = lcm(*(chance.denominator for _, chance in law.results))
    results, last = [], 0
    for text, chance in law.results:
        first, last = last + 1, last + int(chance * sides)
        results.append((first, last, text))
    assert last == sides
    return RollTable(law.slug, f"{rules.title}: {law.title}", law.about, sides, tuple(results))


def refused(law: Law) -> str:
    """Why a law gives no table; empty where it does."""
    if law.why:
        return law.why
    sides = lcm(*(chance.denominator for _, chance in law.results))
    if sides > SIDES:
        return f"it needs a die of {sides:,} sides" if sides < 10**9 else "no die is large enough for it"
    return f"it has {len(law.results)} results" if len(law.results) > RESULTS else ""


def lists(rules: Ruleset) -> Iterator[Law]:
    """The author's own lists: a line for each sum of the dice."""
    for number, (name, spec) in enumerate(rules.data.get("tables", {}).items(), 1):
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
