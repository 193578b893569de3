"""A solution as a certificate: everything that a checker needs who trusts neither the solver nor its graph.

``docs/certificates.md`` lays down the format. Values are exact where all of them together are short enough, else enclosed.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from oddsmith.certify import FORMAT, NEVER, Table, action_of, position_of, setting, start_of, steps_of
from oddsmith.derive import Canonical
from oddsmith.progress import Progress, silent
from oddsmith.report.files.evidence import Evidence
from oddsmith.ruleset import Action, Game, Rules
from oddsmith.solve import Solution

GZIP = 31  # zlib's name of its format, without a time in it
AT_ONCE = 10_000  # states whose keys are read together
_TEXT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def certificate(solution: Solution, packed: bool = False, report: Progress | None = None) -> bytes:
    """The certificate of a solution as text, or gzipped (``packed``). The same solution gives the same bytes.

    Raises UncertifiableError where play lasts so long that its end cannot be proved in this way.
    """
    return b"".join(written(_records(solution, report or silent), packed))


def written(records: Iterable[dict[str, Any]], packed: bool) -> Iterator[bytes]:
    """Records as the text of a certificate with its checksum, or gzipped, part by part."""
    digest = hashlib.sha256()
    press = zlib.compressobj(6, wbits=GZIP)
    for record in records:
        line = _line(record)
        digest.update(line)
        yield press.compress(line) if packed else line
    last = _line({"sha256": digest.hexdigest()})
    yield press.compress(last) + press.flush() if packed else last


def _line(record: dict[str, Any]) -> bytes:
    return _TEXT.encode(record).encode() + b"\n"


def _records(solution: Solution, report: Progress) -> Iterator[dict[str, Any]]:
    """The header, then the states."""
    graph, evidence = solution.graph, Evidence(solution)
    left_out = graph.codec.reduction
    canonical = Canonical(graph.game, left_out.worth, left_out.dead, left_out.orbits)
    start = start_of(canonical, Rules(graph.game))
    table = evidence.table(start["mover"], [Fraction(text) for text in start["held"]])
    actions = [graph.actions[action] for action in evidence.actions]
    policies = {str(seat): name for seat, name in sorted(solution.named.items())}
    claims = {"kind": solution.kind, "policies": policies, "states": graph.states}
    yield header(graph.game, graph.objective, table, actions, claims, canonical)
    for first in range(0, graph.states, AT_ONCE):
        report("certifying", first, graph.states)
        for state, position in enumerate(graph.codec.states(graph.keys[:, first : first + AT_ONCE]), first):
            mine = range(state * table.copies, (state + 1) * table.copies)
            over = {} if table.residual else {"over": [f"{table.over[entry]:x}" for entry in mine]}
            yield {
                **position_of(position, graph.seats),
                "rows": evidence.rows(state),
                "play": [evidence.play(entry) for entry in mine],
                "values": [[f"{value:x}" for value in table.values[entry]] for entry in mine],
                **over,
                "steps": [table.steps[entry] for entry in mine],
                "ends": [None if table.ends[entry] == NEVER else table.ends[entry] for entry in mine],
            }


def header(
    game: Game,
    objective: str,
    table: Table,
    actions: Iterable[tuple[str, int, tuple[tuple[str, Any], ...]]],
    claims: Mapping[str, Any],
    canonical: Canonical,
) -> dict[str, Any]:
    """Which game this is, and how the lines of its states are to be read. ``claims``: what no table tells."""
    return {
        "certificate": FORMAT,
        "ruleset": setting(game),
        "objective": objective,
        "goal": game.ruleset.payoffs[objective].goal,
        **claims,
        "copies": table.copies,
        "cells": [cell.name for cell in game.cells],
        "canonical": steps_of(canonical),
        "start": start_of(canonical, Rules(game)),
        "actions": [
            action_of(phase, Action(entry, game.ruleset.phases[phase].entries[entry].name, binding))
            for phase, entry, binding in actions
        ],
        "payoffs": table.payoffs,
        "scale": table.scale,
        "unit": f"{table.unit:x}",
        "residual": f"{table.residual:x}",
        "grain": table.grain,
    }
