"""Every decision of a solved game as a spreadsheet reads it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from oddsmith.arrays import Ints, cumsum, repeat
from oddsmith.exact import LONG, Number, fraction_text
from oddsmith.graph import ranges
from oddsmith.report.files.export import spreadsheet_text
from oddsmith.report.strategy import Decisions, Seen
from oddsmith.solve import Solution
from oddsmith.solve.numbers import TooLong

PLACES = 9


def decision_table(solution: Solution, tables: list[Decisions]) -> str:
    """Every decision as CSV: what the player sees, what is best, what it is worth to the mover, and the best other action."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    keys = list(dict.fromkeys(_key(feature.key, feature.name) for each in tables for feature in each.features))
    writer.writerow(
        ["phase", *map(spreadsheet_text, keys), "played", "action", "value", "exact", "second_action", "second_value"]
    )
    with suppress(TooLong):  # then fractions are left out where they are not known yet
        numbers = np.unique(np.concatenate([_numbers(solution, each) for each in tables]))
        solution.solved.exact.ensure(numbers.tolist(), longest=LONG * 16)  # a sum of long ones may be short
    for each in tables:
        writer.writerows(_rows(solution, each, keys))
    return stream.getvalue()


def _key(key: str, name: str) -> str:
    return name if "[" in key else key


def _rows(solution: Solution, each: Decisions, keys: list[str]) -> Iterator[list[str]]:
    arena, graph = solution.solved.arena, solution.graph
    numbers = _numbers(solution, each)
    columns = {_key(feature.key, feature.name): feature for feature in each.features}
    shown = [_column(columns.get(key), len(numbers)) for key in keys]
    counts = arena.state_rows[numbers + 1] - arena.state_rows[numbers]
    rows = ranges(arena.state_rows[numbers], counts)
    bounds, unit = solution.solved.bounds, solution.solved.bounds.unit
    worth = list(bounds.intervals(rows, repeat(arena.mover[numbers], counts)))  # whole numbers: there are very many
    starts = np.concatenate([[0], cumsum(counts)]).tolist()

    def decimal(interval: tuple[int, int]) -> str:
        return Number(interval[0] * unit, interval[1] * unit).decimal(PLACES)

    for place, number in enumerate(numbers.tolist()):
        mine = range(starts[place], starts[place + 1])
        taken = starts[place] + int(solution.solved.rows[number] - arena.state_rows[number])
        second = max((k for k in mine if k != taken), key=lambda k: worth[k][0] * arena.sign)
        first = int(graph.state_rows[each.states[place]]) - starts[place]
        best, other = (spreadsheet_text(graph.action_name(first + k)) for k in (taken, second))
        yield [
            each.phase,
            *(column[place] for column in shown),
            "yes" if each.played[place] else "no",
            best,
            decimal(worth[taken]),
            _exact(solution, number, int(arena.mover[number])),
            other,
            decimal(worth[second]),
        ]


def _numbers(solution: Solution, each: Decisions) -> Ints:
    """The arena's numbers of decisions."""
    numbers: Ints = solution.solved.arena.copy_of(each.states, each.movers)
    return numbers


def _column(feature: Seen | None, count: int) -> list[str]:
    if feature is None:
        return [""] * count
    known = {code: spreadsheet_text(feature.show(code)) for code in np.unique(feature.column).tolist()}
    return [known[code] for code in feature.column.tolist()]


def _exact(solution: Solution, number: int, seat: int) -> str:
    """The value of a state to its mover as a fraction, where that is short."""
    if solution.mixtures:  # then one row per state does not give the value
        return ""
    known = solution.solved.exact.known.get(number)
    if known is None or known.bottom.bit_length() > LONG * 4:
        return ""
    text = fraction_text(known.fraction(seat))
    return text if len(text) <= LONG else ""
