"""What machines and spreadsheets read: results as JSON, every decision as CSV, the exact values as text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from oddsmith.exact import Number, fraction_text
from oddsmith.publish.numbers import LONG
from oddsmith.publish.plan import Answer
from oddsmith.report.decisions import Decisions, decisions
from oddsmith.solve.bounds import BITS
from oddsmith.solve.exactly import TooLong
from oddsmith.solve.solution import Solution

MOST = 250_000  # decisions of a table that anybody would download
PLACES = 9


def files(answer: Answer) -> dict[str, bytes]:
    """The downloads of an answer by name."""
    solution = answer.solution
    if solution is None:
        return {}
    measures = [
        {"name": name, **number.to_json()} for name, number in answer.facts.measures.items() if number is not None
    ]
    data = solution.to_json(measures)
    del data["seconds"]  # they would differ from build to build
    slug = answer.setting.slug
    found = {f"{slug}.json": (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()}
    text = "".join(
        f"seat {seat}: {fraction_text(value.exact)}\n"
        for seat, value in enumerate(solution.values, 1) if value.exact is not None
    )  # fmt: skip
    if text:
        found[f"{slug}.txt"] = text.encode()
    tables = decisions(solution)
    if 0 < sum(len(each.states) for each in tables) <= MOST:
        found[f"{slug}.csv"] = _csv(solution, tables)
    return found


def _csv(solution: Solution, tables: list[Decisions]) -> bytes:
    """Every decision: what the player sees, what is best, what it is worth to the mover, and the best other action."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    keys = list(dict.fromkeys(_key(feature.key, feature.name) for each in tables for feature in each.features))
    writer.writerow(["phase", *map(_safe, keys), "played", "action", "value", "exact", "second_action", "second_value"])
    for each in tables:
        writer.writerows(_rows(solution, each, keys))
    return stream.getvalue().encode()


def _key(key: str, name: str) -> str:
    return name if "[" in key else key


def _safe(text: str) -> str:
    """Text that a spreadsheet will not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _rows(solution: Solution, each: Decisions, keys: list[str]) -> Iterator[list[str]]:
    arena, graph = solution.solved.arena, solution.graph
    numbers = each.states * arena.copies + each.movers if arena.copies > 1 else each.states
    columns = {_key(feature.key, feature.name): feature for feature in each.features}
    for place, number in enumerate(numbers.tolist()):
        rows = np.arange(arena.state_rows[number], arena.state_rows[number + 1])
        seat = int(arena.mover[number])
        low, high = solution.solved.bounds.rows(rows, np.full(len(rows), seat))
        worth = [Number(Fraction(int(a), 1 << BITS), Fraction(int(b), 1 << BITS)) for a, b in zip(low, high, strict=True)]
        taken = int(solution.solved.rows[number] - arena.state_rows[number])
        others = [k for k in range(len(rows)) if k != taken]
        second = max(others, key=lambda k: worth[k].middle * arena.sign) if others else taken
        first = int(graph.state_rows[each.states[place]])
        shown = [columns[key].show(int(columns[key].column[place])) if key in columns else "" for key in keys]
        yield [
            each.phase, *map(_safe, shown), "yes" if each.played[place] else "no", _safe(graph.action_name(first + taken)),
            worth[taken].decimal(PLACES), _exact(solution, number, seat), _safe(graph.action_name(first + second)),
            worth[second].decimal(PLACES),
        ]  # fmt: skip


def _exact(solution: Solution, number: int, seat: int) -> str:
    """The value of a state to its mover as a fraction, where that is short."""
    if solution.mixtures:
        return ""
    try:
        solution.solved.exact.ensure([number])
    except TooLong:
        return ""
    known = solution.solved.exact.known[number]
    if known.bottom.bit_length() > LONG * 4:
        return ""
    text = fraction_text(known.fraction(seat))
    return text if len(text) <= LONG else ""
