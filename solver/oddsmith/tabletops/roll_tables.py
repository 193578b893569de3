"""Roll tables that are exactly distributions of the game: each line stands for a whole number of the results of some
dice.

Nothing is rounded. A distribution that no dice can give has no table, and ``omitted_tables`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from oddsmith.publish.pages import outcomes_note
from oddsmith.ruleset import BoundRollTable, Game, TableLine, roll_tables, table_for_one_die
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
    """A distribution that may become a roll table. ``table``: its lines. ``why``: a reason why it does not; else empty."""

    slug: str
    title: str
    about: str
    table: BoundRollTable
    why: str = ""


def table_source(
    slug: str, title: str, about: str, results: Iterable[tuple[str, Fraction]], why: str = ""
) -> TableSource:
    """Make the source of a table on one die from results with exact chances. ``why``: a reason why it gives no table."""
    found = list(results)
    sides = lcm(*(chance.denominator for _, chance in found))
    table = table_for_one_die(title, [(text, int(chance * sides)) for text, chance in found])
    if len(found) > RESULTS and not why and table.dice:
        why = f"it has {len(found)} results"
    return TableSource(slug, title, about, table, why)


def exact_tables(rules: Ruleset, laws: Iterable[TableSource]) -> list[RollTable]:
    """Return a table for each source that gives one."""
    return [
        RollTable(each.slug, f"{rules.title}: {each.title}", each.about, each.table.dice, each.table.lines)
        for each in laws
        if not refusal_reason(each)
    ]


def omitted_tables(laws: Iterable[TableSource]) -> list[str]:
    """Return a sentence for each source that gives no table, with the reason."""
    return [f"{each.title}: {reason}." for each in laws if (reason := refusal_reason(each))]


def missing_table_notes(laws: Iterable[TableSource]) -> list[str]:
    """Return the same for a list of everything that a module lacks: a note for each source that gives no table."""
    return [f"no roll table: {each}" for each in omitted_tables(laws)]


def refusal_reason(each: TableSource) -> str:
    """Return the reason why a source gives no table; empty if it gives one."""
    if each.why or each.table.dice:
        return each.why
    sides = each.table.weight
    return f"it needs a die of {sides:,} sides" if sides < 10**9 else "no die is large enough for it"


def authors_tables(game: Game) -> Iterator[TableSource]:
    """Yield the sources of the author's own tables, which need no solution."""
    for number, each in enumerate(roll_tables(game), 1):
        yield TableSource(f"list-{number}", each.name, _about_table(each), each.with_standard_dice())


def _about_table(table: BoundRollTable) -> str:
    return outcomes_note(table) or f"The rules roll {table.dice} for this. The chances are the same here."
