"""The cells of a map for a page that says them in words."""

from __future__ import annotations

import json
from dataclasses import dataclass

from oddsmith.publish.markup import amount, loss
from oddsmith.report.english import joined
from oddsmith.report.facts import Cell, Spots, Unit
from oddsmith.report.strategy import Strategy, Table


@dataclass(frozen=True)
class Touched:
    """What a picture that can be touched needs: where its cells are told, what they hold, and what values are counted in."""

    cells: str
    spots: Spots
    unit: Unit


def cells_file(strategy: Strategy, each: Table, touched: Touched) -> bytes:
    """The cells of a table within its window, for a page that says them in words.

    JSON: ``options`` are names. ``first`` is the first column, and ``columns`` has for each of them
    and for each value from ``low`` a list or null: the option, what it is worth, whether best play gets there, what is second
    best, what that costs.
    """
    (low, below), unit = strategy.window(each), touched.unit
    first, last = each.lines[0].at[0], each.lines[-1].at[0]

    def told(at: Cell) -> list[object] | None:
        spot = touched.spots.get(at)
        if spot is None:
            return None
        worth = _range(*(amount(unit, number) for number in spot.worth))
        costs = _range(*(loss(unit, number) for number in spot.costs))
        return [spot.option, worth, int(spot.played), joined(spot.other, "or"), costs]

    data = {
        "options": list(strategy.options),
        "first": first,
        "low": low,
        "columns": [[told((x, y)) for y in range(low, below)] for x in range(first, last + 1)],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"
