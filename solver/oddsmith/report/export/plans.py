"""Writes the certificate of a game with secrets: its subgames, and the strategies (plans) that secure its value.
``docs/certificates.md`` describes the format. Also writes the decisions of such a game as CSV and Parquet.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from io import BytesIO, StringIO
from typing import Any

from oddsmith.base.exact import fraction_text
from oddsmith.proof import SECRETS_FORMAT, observed_position_data, setting_data
from oddsmith.report.export.tables import import_pyarrow, spreadsheet_text
from oddsmith.ruleset import ObservedPosition, Subgame
from oddsmith.solve.extensive import Decision, SecretSolution, SubgameEquilibrium


def plan_certificate(solution: SecretSolution) -> Iterator[bytes]:
    """Yield the lines of the certificate of a solved game with secrets, or of an equilibrium."""
    digest = sha256()
    for record in _certificate_records(solution):
        line = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        digest.update(line)
        yield line
    yield json.dumps({"sha256": digest.hexdigest()}, separators=(",", ":")).encode() + b"\n"


def _certificate_records(solution: SecretSolution) -> Iterator[dict[str, Any]]:
    game = solution.game
    yield {
        "plans": SECRETS_FORMAT,
        "ruleset": setting_data(game),
        "objective": solution.objective,
        "goal": game.ruleset.payoffs[solution.objective].goal,
        **({"total": fraction_text(solution.payoff_sum)} if solution.has_constant_sum else {}),
        "cells": [cell.name for cell in game.cells],
        "subgames": len(solution.subgames),
    }
    number = {situation: place for place, situation in enumerate(solution.subgames)}
    told = {} if solution.has_constant_sum else solution.plan_bounds()
    for situation, solved in solution.subgames.items():
        low, high = (
            (fraction_text(solved.low), fraction_text(solved.high))
            if solution.has_constant_sum
            else (list(map(fraction_text, ends)) for ends in zip(*told[situation], strict=True))
        )
        yield {
            "position": observed_position_data(situation, game.seats),
            "low": low,
            "high": high,
            "seats": _seat_plans_data(solved.subgame, solved.equilibrium),
            "leaves": [
                [
                    list(leaf.sequences),
                    fraction_text(leaf.chance_probability),
                    _subgame_leaf_data(leaf.situation, number, solution),
                ]
                for leaf in solved.subgame.leaves
            ],
        }


def _seat_plans_data(subgame: Subgame, equilibrium: SubgameEquilibrium) -> list[dict[str, Any]]:
    return [
        {
            "before": [place.parent_sequence for place in places],
            "counts": [len(place.labels) for place in places],
            "plan": list(map(fraction_text, plan)),
        }
        for places, plan in zip(subgame.information_sets, equilibrium.plans, strict=False)
    ]


def _subgame_leaf_data(
    situation: ObservedPosition, subgame_numbers: dict[ObservedPosition, int], solution: SecretSolution
) -> int | str | list[str]:
    """Return a leaf of a subgame as plain data.

    If another subgame begins there, return its number. If the game ends there, return what the first seat gets, as a
    fraction in text. In an equilibrium, return what each seat gets instead.
    """
    if situation.state.phase:
        return subgame_numbers[situation]
    if not solution.has_constant_sum:
        return list(map(fraction_text, solution.payoffs_at_end(situation)))
    worth: Fraction = solution.payoffs_at_end(situation)[0]
    return fraction_text(worth)


DECISION_COLUMNS = ("seat", "phase", "known", "action", "chance", "worth", "reached")


def decision_table_rows(decisions: Iterable[Decision]) -> Iterator[list[int | str | None]]:
    """Yield a line of values for each action of each decision, in the order of ``DECISION_COLUMNS``. Fractions are
    text.
    """
    for each in decisions:
        for name, chance in each.action_probabilities.items():
            worth = None if each.action_values is None else fraction_text(each.action_values[name])
            known = "; ".join(each.known_facts)
            yield [
                each.seat + 1,
                each.phase,
                known,
                name,
                fraction_text(chance),
                worth,
                fraction_text(each.expected_visits),
            ]


def decisions_csv(decisions: Iterable[Decision]) -> bytes:
    """Return decisions as CSV: the names of the columns, then a line for each action of each decision."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(DECISION_COLUMNS)
    for seat, phase, known, action, *numbers in decision_table_rows(decisions):
        writer.writerow([seat, *(spreadsheet_text(str(text)) for text in (phase, known, action)), *numbers])
    return stream.getvalue().encode()


def decisions_parquet(decisions: Iterable[Decision], metadata: Mapping[str, Any]) -> bytes:
    """Return decisions as Parquet. ``metadata``: metadata. Raises ExportError if pyarrow is not installed."""
    pa, parquet = import_pyarrow()
    kinds = {name: pa.int64() if name == "seat" else pa.large_string() for name in DECISION_COLUMNS}
    schema = pa.schema(list(kinds.items())).with_metadata({"oddsmith": json.dumps(metadata, ensure_ascii=False)})
    lines = list(decision_table_rows(decisions))
    columns = [pa.array([line[place] for line in lines], kind) for place, kind in enumerate(kinds.values())]
    stream = BytesIO()
    parquet.write_table(pa.Table.from_arrays(columns, schema=schema), stream)
    return stream.getvalue()
