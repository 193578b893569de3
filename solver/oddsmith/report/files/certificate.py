"""A solution as a certificate: everything that a checker needs who trusts neither the solver nor its graph.

``docs/certificates.md`` lays down the format. Values are exact where all of them together are short enough, else enclosed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO
from typing import Any

from oddsmith.certify import FORMAT, NEVER, Table, action_of, position_of, setting, start_of, steps_of
from oddsmith.derive import Canonical
from oddsmith.progress import Progress, silent
from oddsmith.report.files.evidence import Evidence
from oddsmith.ruleset import Action, Rules
from oddsmith.solve import Solution

AT_ONCE = 10_000  # states whose keys are read together
_TEXT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def certificate(solution: Solution, packed: bool = False, report: Progress | None = None) -> bytes:
    """The certificate of a solution as text, or gzipped (``packed``). The same solution gives the same bytes.

    Raises UncertifiableError where play lasts so long that its end cannot be proved in this way.
    """
    text, digest = BytesIO(), hashlib.sha256()
    stream = gzip.GzipFile(fileobj=text, mode="wb", compresslevel=6, mtime=0) if packed else text
    for record in _records(solution, report or silent):
        line = _line(record)
        digest.update(line)
        stream.write(line)
    stream.write(_line({"sha256": digest.hexdigest()}))
    if packed:
        stream.close()
    return text.getvalue()


def _line(record: dict[str, Any]) -> bytes:
    return _TEXT.encode(record).encode() + b"\n"


def _records(solution: Solution, report: Progress) -> Iterator[dict[str, Any]]:
    """The header, then the states."""
    graph, evidence = solution.graph, Evidence(solution)
    left_out = graph.codec.reduction
    canonical = Canonical(graph.game, left_out.worth, left_out.dead, left_out.orbits)
    start = start_of(canonical, Rules(graph.game))
    table, ties = evidence.table(start["mover"], [Fraction(text) for text in start["held"]])
    yield _header(solution, evidence, table, {"canonical": steps_of(canonical), "start": start})
    for first in range(0, graph.states, AT_ONCE):
        report("certifying", first, graph.states)
        for state, position in enumerate(graph.codec.states(graph.keys[:, first : first + AT_ONCE]), first):
            mine = range(state * table.copies, (state + 1) * table.copies)
            over = {} if table.residual else {"over": [f"{table.over[entry]:x}" for entry in mine]}
            yield {
                **position_of(position, graph.seats),
                "rows": evidence.rows(state),
                "play": [evidence.play(entry) for entry in mine],
                "ties": [ties.get(entry, []) for entry in mine],
                "values": [[f"{value:x}" for value in table.values[entry]] for entry in mine],
                **over,
                "steps": [table.steps[entry] for entry in mine],
                "ends": [None if table.ends[entry] == NEVER else table.ends[entry] for entry in mine],
            }


def _header(solution: Solution, evidence: Evidence, table: Table, states: dict[str, Any]) -> dict[str, Any]:
    """Which game this is, and how the lines of its states are to be read."""
    graph, game = solution.graph, solution.graph.game
    actions = (graph.actions[action] for action in evidence.actions)
    return {
        "certificate": FORMAT,
        "ruleset": setting(game),
        "objective": graph.objective,
        "goal": game.ruleset.payoffs[graph.objective].goal,
        "kind": solution.kind,
        "policies": {str(seat): name for seat, name in sorted(solution.named.items())},
        "states": graph.states,
        "copies": table.copies,
        "cells": [cell.name for cell in game.cells],
        **states,
        "actions": [
            action_of(phase, Action(entry, game.ruleset.phases[phase].entries[entry].name, binding))
            for phase, entry, binding in actions
        ],
        "payoffs": evidence.payoffs,
        "scale": table.scale,
        "unit": f"{table.unit:x}",
        "residual": f"{table.residual:x}",
        "delta": f"{table.delta:x}",
        "grain": table.grain,
    }
