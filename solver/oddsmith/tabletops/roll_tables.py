"""Tables to roll on that are exactly distributions of the game: lines over dice, each line for a whole number of their results.

Nothing is rounded. What no die can show is left out, and whoever writes tables says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from oddsmith.publish.pages import outcomes_note
from oddsmith.ruleset import Game, ListedTable, TableLine, listed, on_one_die
from oddsmith.ruleset.model import Ruleset

RESULTS = 60  # of a table that nobody wrote, which somebody may want to look through


@dataclass(frozen=True)
class RollTable:
    """A random table that is exactly a distribution. ``formula``: dice that everybody has, such as ``2d6`` or ``1d216``."""

    slug: str
    title: str
    about: str
    formula: str
    lines: tuple[TableLine, ...]


@dataclass(frozen=True)
class TableSource:
    """Something that may become a table: what each line says, with its numbers. ``why``: what stands against it."""

    slug: str
    title: str
    about: str
    table: ListedTable
    why: str = ""


def table_source(
    slug: str, title: str, about: str, results: Iterable[tuple[str, Fraction]], why: str = ""
) -> TableSource:
    """The law of results with their exact chances, on one die."""
    found = list(results)
    sides = lcm(*(chance.denominator for _, chance in found))
    table = on_one_die(title, [(text, int(chance * sides)) for text, chance in found])
    if len(found) > RESULTS and not why and table.dice:
        why = f"it has {len(found)} results"
    return TableSource(slug, title, about, table, why)


def exact_tables(rules: Ruleset, laws: Iterable[TableSource]) -> list[RollTable]:
    """A table for each law of a game that gives one."""
    return [
        RollTable(each.slug, f"{rules.title}: {each.title}", each.about, each.table.dice, each.table.lines)
        for each in laws
        if not refused(each)
    ]


def omitted_tables(laws: Iterable[TableSource]) -> list[str]:
    """What has a law but no table, with the reason, each a sentence."""
    return [f"{each.title}: {reason}." for each in laws if (reason := refused(each))]


def no_roll_tables(laws: Iterable[TableSource]) -> list[str]:
    """What has a law but no table, with the reason, for a list of everything that is missing."""
    return [f"no roll table: {each}" for each in omitted_tables(laws)]


def refused(each: TableSource) -> str:
    """Why a law gives no table; empty where it does."""
    if each.why or each.table.dice:
        return each.why
    sides = each.table.weight
    return f"it needs a die of {sides:,} sides" if sides < 10**9 else "no die is large enough for it"


def authors_tables(game: Game) -> Iterator[TableSource]:
    """The author's own tables, which need no solution."""
    for number, each in enumerate(listed(game), 1):
        yield TableSource(f"list-{number}", each.name, _about(each), each.on_plain_dice())


def _about(table: ListedTable) -> str:
    return outcomes_note(table) or f"The rules roll {table.dice} for this. The chances are the same here."
