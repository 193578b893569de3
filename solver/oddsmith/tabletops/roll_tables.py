"""Roll tables with exactly the distributions of a game: each line corresponds to a whole number of equally likely
results of dice.

Nothing is rounded. A distribution that no dice have has no table, and ``omitted_tables`` reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from oddsmith.publish.pages import outcomes_note
from oddsmith.ruleset import BoundRollTable, Game, TableLine, roll_tables, table_for_one_die
from oddsmith.ruleset.model import Ruleset

MAX_RESULTS = 60  # of a table that nobody wrote, which somebody may want to look through


@dataclass(frozen=True)
class RollTable:
    """A random table with exactly the chances of a distribution. ``slug``: its name in paths. ``title``: its name for
    people. ``about``: its description. ``formula``: the dice to roll, such as ``2d6`` or ``1d216``. ``lines``: its
    texts with the results of the dice.
    """

    slug: str
    title: str
    about: str
    formula: str
    lines: tuple[TableLine, ...]


@dataclass(frozen=True)
class TableSource:
    """A distribution that may become a roll table. ``table``: its texts and the dice for it. ``why``: a reason why it
    must not become one; empty if there is none. The other fields are as in ``RollTable``.
    """

    slug: str
    title: str
    about: str
    table: BoundRollTable
    why: str = ""


def table_source(
    slug: str, title: str, about: str, results: Iterable[tuple[str, Fraction]], why: str = ""
) -> TableSource:
    """Return the source of a roll table that rolls one die.

    ``results``: texts with their exact chances. ``why``: a reason why there is to be no table; empty if there is none.
    A distribution with too many results gets a reason here.
    """
    found = list(results)
    sides = lcm(*(chance.denominator for _, chance in found))
    table = table_for_one_die(title, [(text, int(chance * sides)) for text, chance in found])
    if len(found) > MAX_RESULTS and not why and table.dice:
        why = f"it has {len(found)} results"
    return TableSource(slug, title, about, table, why)


def exact_tables(rules: Ruleset, laws: Iterable[TableSource]) -> list[RollTable]:
    """Return a roll table for each source without a ``refusal_reason``. ``rules``: the ruleset, whose title begins the
    titles of the tables.
    """
    return [
        RollTable(each.slug, f"{rules.title}: {each.title}", each.about, each.table.dice, each.table.lines)
        for each in laws
        if not refusal_reason(each)
    ]


def omitted_tables(laws: Iterable[TableSource]) -> list[str]:
    """Return a sentence with the reason for each source that has no roll table."""
    return [f"{each.title}: {reason}." for each in laws if (reason := refusal_reason(each))]


def missing_table_notes(laws: Iterable[TableSource]) -> list[str]:
    """Return the sentences of ``omitted_tables``, each with "no roll table" in front, for lists of what a module lacks."""
    return [f"no roll table: {each}" for each in omitted_tables(laws)]


def refusal_reason(each: TableSource) -> str:
    """Return the reason why a source has no roll table; empty if it has one. A source also has none if its chances need
    a die that is too large.
    """
    if each.why or each.table.dice:
        return each.why
    sides = each.table.weight
    return f"it needs a die of {sides:,} sides" if sides < 10**9 else "no die is large enough for it"


def authors_tables(game: Game) -> Iterator[TableSource]:
    """Yield the sources of the random tables that the author of the ruleset wrote in it."""
    for number, each in enumerate(roll_tables(game), 1):
        yield TableSource(f"list-{number}", each.name, _about_table(each), each.with_standard_dice())


def _about_table(table: BoundRollTable) -> str:
    return outcomes_note(table) or f"The rules roll {table.dice} for this. The chances are the same here."
