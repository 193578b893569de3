"""Roll tables with exactly the distributions of a game: each line corresponds to a whole number of equally likely
results of dice.

Nothing is rounded. A distribution that no dice have has no table, and ``omitted_table_sentences`` reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from oddsmith.publish.pages import outcomes_note
from oddsmith.ruleset import BoundRollTable, BoundTableRow, Game, roll_tables, table_for_one_die
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
    lines: tuple[BoundTableRow, ...]


@dataclass(frozen=True)
class RollTableSource:
    """A distribution that may become a roll table.

    ``table``: its texts and the dice for it. ``reason_for_none``: a reason why it must not become one; empty if there
    is none. The other fields are as in ``RollTable``.
    """

    slug: str
    title: str
    about: str
    table: BoundRollTable
    reason_for_none: str = ""


def one_die_table_source(
    slug: str, title: str, about: str, results: Iterable[tuple[str, Fraction]], reason_for_none: str = ""
) -> RollTableSource:
    """Return the source of a roll table that rolls one die.

    ``results``: texts with their exact chances. ``reason_for_none``: a reason why there is to be no table; empty if
    there is none. A distribution with too many results gets a reason here.
    """
    found = list(results)
    sides = lcm(*(chance.denominator for _, chance in found))
    table = table_for_one_die(title, [(text, int(chance * sides)) for text, chance in found])
    if len(found) > MAX_RESULTS and not reason_for_none and table.dice_in_words:
        reason_for_none = f"it has {len(found)} results"
    return RollTableSource(slug, title, about, table, reason_for_none)


def exact_roll_tables(rules: Ruleset, sources: Iterable[RollTableSource]) -> list[RollTable]:
    """Return a roll table for each source without a ``reason_for_no_table``.

    ``rules``: the ruleset, whose title begins the titles of the tables.
    """
    return [
        RollTable(each.slug, f"{rules.title}: {each.title}", each.about, each.table.dice_in_words, each.table.rows)
        for each in sources
        if not reason_for_no_table(each)
    ]


def omitted_table_sentences(sources: Iterable[RollTableSource]) -> list[str]:
    """Return a sentence with the reason for each source that has no roll table."""
    return [f"{each.title}: {reason}." for each in sources if (reason := reason_for_no_table(each))]


def missing_table_notes(sources: Iterable[RollTableSource]) -> list[str]:
    """Return the sentences of ``omitted_table_sentences``, each with "no roll table" in front, for lists of what a
    module lacks.
    """
    return [f"no roll table: {each}" for each in omitted_table_sentences(sources)]


def reason_for_no_table(source: RollTableSource) -> str:
    """Return the reason why a source has no roll table; empty if it has one. A source also has none if its chances need
    a die that is too large.
    """
    if source.reason_for_none or source.table.dice_in_words:
        return source.reason_for_none
    sides = source.table.total_weight
    return f"it needs a die of {sides:,} sides" if sides < 10**9 else "no die is large enough for it"


def author_table_sources(game: Game) -> Iterator[RollTableSource]:
    """Yield the sources of the random tables that the author of the ruleset wrote in it."""
    for number, each in enumerate(roll_tables(game), 1):
        yield RollTableSource(f"list-{number}", each.name, _about_table(each), each.with_standard_dice())


def _about_table(table: BoundRollTable) -> str:
    return outcomes_note(table) or f"The rules roll {table.dice_in_words} for this. The chances are the same here."
