"""Writes the values and the policy of a solution as one table in CSV, JSON or Parquet, with a line per state; and
writes solved play for Storm.

Seats are counted from the seat to move, as in the rules: ``value_1`` is the value to the mover. Fractions are text
(``p/q``) of any length. If only bounds of a number are proven, they are in the columns ``_lower`` and ``_upper``, and
the fraction is empty.

``decisions_as_csv`` writes every decision as CSV for spreadsheets.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import islice
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, arange, cumsum, repeat
from oddsmith.base.errors import ExportError
from oddsmith.base.exact import MAX_SHOWN_DIGITS, Number, fraction_text, plain_text
from oddsmith.base.resources import missing_extra_text
from oddsmith.graph import ExportedVariables, Plain, concatenated_ranges, seats_out_text
from oddsmith.graph.export import drn
from oddsmith.report.policy.decisions import Decisions, Feature, FeatureColumn
from oddsmith.solve import FractionTooLong, Solution
from oddsmith.solve.values import Mixture

STATES_PER_CHUNK = 4_096  # states that are worked on together
LINES_PER_ROW_GROUP = 65_536  # lines of a row group in Parquet
PLACES = 12


@dataclass(frozen=True)
class Column:
    """A column of a table. ``kind``: ``int``, ``bool`` or ``str``. Any cell may be empty. ``from_author``: whether its cells
    are text that the author of a ruleset wrote.
    """

    name: str
    kind: type
    from_author: bool = False


class StateTable:
    """The table of a solution, or of a part of one, with a line for each state.

    ``action`` is the action that the policy takes. ``next_best`` is the best other action. ``loss`` is what the mover
    loses by the best other action; it is below 0 if a named policy does not take the best action. If seats play
    differently, there is a column ``mover``. If a player mixes, ``chance`` is the probability of the action, and
    ``else`` has the other actions that are mixed. ``digits``: the decimal places of values. ``states_before``: the
    number of states before this part.
    """

    def __init__(self, solution: Solution, digits: int = PLACES, states_before: int = 0) -> None:
        self.states_before = states_before
        self.solution, self.graph, self.arena = solution, solution.graph, solution.solved.arena
        self.places, self.sign, self.copies = digits, self.arena.objective_sign, self.arena.copies_per_state
        self.mixed = solution.kind == "mixed"  # of a part as well whose own positions mix nothing
        own = self._columns([], [])
        self.variables = ExportedVariables(self.graph.game, self.graph.codec, [column.name for column in own])
        kinds = {"number": int, "seat": int, "flag": bool}
        cells = [self.graph.game.cells[where].variable.kind for where in self.variables.cells]
        self.columns = self._columns(self.variables.names, [kinds.get(kind, str) for kind in cells])
        self.tied = {tie.state: set(tie.best_rows) for tie in solution.solved.ties}
        self.tied |= {state: set(mixture.rows) for state, mixture in solution.mixtures.items()}
        self.undecided = frozenset(solution.solved.undecided_states)
        self.exact = self._are_all_values_exact()

    def _columns(self, names: Sequence[str], kinds: Sequence[type]) -> list[Column]:
        shown = [Column("state", int)] + [Column("mover", int)] * (self.copies > 1) + [Column("phase", str)]
        shown += [Column("out", str)] * self.graph.game.has_elimination
        shown += [Column(name, kind, True) for name, kind in zip(names, kinds, strict=True)]
        shown += [Column("action", str, True)]
        shown += [Column("chance", str), Column("else", str, True)] * self.mixed
        for seat in range(1, self.graph.seats + 1):
            shown += _number_columns(f"value_{seat}")
        return [*shown, Column("next_best", str, True), *_number_columns("loss")]

    def _are_all_values_exact(self) -> bool:
        """Whether every value is known as a fraction. It is not if a player mixes, because one row per state does not
        determine the values.
        """
        if self.mixed:
            return False
        exact = self.solution.solved.exact
        with suppress(FractionTooLong):
            exact.compute_values(range(self._line_count))
            return not exact.fraction_unavailable.any()
        return False

    @property
    def _line_count(self) -> int:
        """The number of states of the arena that have a line. In a part of a solution, the states outside the part have
        none.
        """
        return self.graph.state_count * self.copies

    # --- lines

    def lines(self) -> Iterator[list[Plain]]:
        """Yield the lines in the order of the columns, states ascending."""
        for start in range(0, self._line_count, STATES_PER_CHUNK):
            numbers = arange(start, min(start + STATES_PER_CHUNK, self._line_count))
            if self.solution.listed_mask is not None:
                numbers = numbers[self.solution.listed_mask[numbers // self.copies]]
            counts = np.diff(self.arena.state_rows)[numbers]
            worth = self._row_values(numbers[counts > 1], counts[counts > 1])
            for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
                yield self._state_line(number, list(islice(worth, count)) if count > 1 else [])

    def _row_values(self, arena_states: Ints, row_counts: Ints) -> Iterator[Number]:
        """Yield the value to the mover of every row of some states. ``arena_states``: the states of the arena. ``row_counts``:
        the number of rows of each state.
        """
        rows = concatenated_ranges(self.arena.state_rows[arena_states], row_counts)
        movers = repeat(self.arena.mover[arena_states], row_counts)
        if not self.exact:
            return iter(self.solution.solved.bounds.row_numbers(rows, movers))
        value = self.solution.solved.exact.row_value
        return (Number.of(value(row, mover)) for row, mover in zip(rows.tolist(), movers.tolist(), strict=True))

    def _state_line(self, arena_state: int, row_values: list[Number]) -> list[Plain]:
        position, mover = divmod(arena_state, self.copies)
        state = self.graph.state(position)
        mixture = self.solution.mixtures.get(arena_state)
        row = mixture.rows[0] if mixture else int(self.solution.solved.rows[arena_state])
        first = int(self.arena.state_rows[arena_state])
        line: list[Plain] = [self.states_before + position] + [mover + 1] * (self.copies > 1) + [state.phase]
        line += [seats_out_text(state)] * self.graph.game.has_elimination
        line += [*self.variables.values(state), self._action_name(position, row - first)]
        if self.mixed:
            line += self._mixture_cells(position, first, mixture) if mixture else ["1", None]
        for value in self._state_values(arena_state, mover):
            line += self._number_cells(value)
        if not row_values:
            return [*line, None, None, None, None, None]
        others = [k for k in range(len(row_values)) if k != row - first]
        best = max(others, key=lambda k: row_values[k].middle * self.sign)
        loss = (row_values[row - first] - row_values[best]) * self.sign
        if {row, first + best} <= self.tied.get(arena_state, set()) or (
            loss.lower <= 0 <= loss.upper and self._is_proven_tie(arena_state)
        ):
            loss = Number.of(0)
        return [*line, self._action_name(position, best), *self._number_cells(loss)]

    def _mixture_cells(self, graph_state: int, first_row: int, mixture: Mixture) -> list[Plain]:
        """Return the chance of the action, and the other actions with their chances."""
        chance, *others = (each.decimal(self.places) for each in mixture.row_probabilities.values())
        names = (self._action_name(graph_state, row - first_row) for row in mixture.rows[1:])
        return [chance, "; ".join(f"{name}: {other}" for name, other in zip(names, others, strict=True))]

    def _is_proven_tie(self, arena_state: int) -> bool:
        """Return whether actions of a state are proven to be equally good if their bounds overlap. They are, unless a
        named policy plays there or the solver could not decide.
        """
        return bool(self.arena.prescribed_row[arena_state] < 0) and arena_state not in self.undecided

    def _action_name(self, graph_state: int, action_index: int) -> str:
        return self.graph.action_name(int(self.graph.state_rows[graph_state]) + action_index)

    def _state_values(self, arena_state: int, mover: int) -> list[Number]:
        """Return the values of a state, by seat from the mover."""
        solved, n = self.solution.solved, self.graph.seats
        known = None if self.solution.mixtures else solved.exact.known.get(arena_state)
        found = (
            [Number.of(known.fraction(k)) for k in range(n)]
            if known
            else list(solved.bounds.state_numbers(arena_state))
        )
        return found[mover:] + found[:mover]

    def _number_cells(self, number: Number) -> list[Plain]:
        if number.exact is not None:
            return [fraction_text(number.exact), number.decimal(self.places), None, None]
        return [None, number.decimal(self.places), fraction_text(number.lower), fraction_text(number.upper)]


def _number_columns(name: str) -> list[Column]:
    return [Column(name + part, str) for part in ("", "_decimal", "_lower", "_upper")]


# --- formats


def csv_bytes(solution: Solution, digits: int = PLACES) -> bytes:
    """Return the table as CSV: UTF-8, with a header; lines end in a line feed; flags are ``true`` and ``false``."""
    return b"".join(csv_bytes_in_parts([solution], digits))


def csv_bytes_in_parts(solution_parts: Iterable[Solution], digits: int = PLACES) -> Iterator[bytes]:
    """Yield the table of a solution as CSV, one piece for each of its ``solution_parts``, which are given in order."""
    first = 0
    for part in solution_parts:
        table, stream = StateTable(part, digits, first), StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        if not first:
            writer.writerow([column.name for column in table.columns])
        free = [column.from_author for column in table.columns]
        writer.writerows([_spreadsheet_cell(*pair) for pair in zip(line, free, strict=True)] for line in table.lines())
        first += part.graph.state_count
        yield stream.getvalue().encode()


def _spreadsheet_cell(value: Plain, from_author: bool) -> Plain:
    if isinstance(value, bool):
        return plain_text(value)
    return spreadsheet_text(value) if from_author and isinstance(value, str) else value


def spreadsheet_text(text: str) -> str:
    """Return a text that a spreadsheet will not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def json_bytes(solution: Solution, digits: int = PLACES) -> bytes:
    """Return the JSON of ``solve --json`` without its seconds and measures, and with the lines of the table under
    ``states``.
    """
    table = StateTable(solution, digits)
    names = [column.name for column in table.columns]
    head = json.dumps(_metadata(solution), indent=2, ensure_ascii=False).removesuffix("\n}")
    lines = (json.dumps(dict(zip(names, line, strict=True)), ensure_ascii=False) for line in table.lines())
    states = ",\n    ".join(lines)
    return f'{head},\n  "states": [\n    {states}\n  ]\n}}\n'.encode()


def _metadata(solution: Solution) -> dict[str, Any]:
    data = solution.to_json()
    del data["seconds"], data["measures"]  # the former differ from run to run, the latter were not asked
    return data


def import_pyarrow() -> tuple[Any, Any]:
    """Import the library that writes Parquet, and return its two modules pyarrow and pyarrow.parquet. Raises
    ExportError if it is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ExportError(missing_extra_text("Parquet", "parquet")) from None
    return pa, parquet


def parquet_bytes(solution: Solution, digits: int = PLACES) -> bytes:
    """Return the table as Parquet, with the result as plain data in the schema's metadata under ``oddsmith``.

    Raises ExportError if pyarrow is not installed.
    """
    pa, parquet = import_pyarrow()
    table, stream = StateTable(solution, digits), BytesIO()
    kinds = {int: pa.int64(), bool: pa.bool_(), str: pa.large_string()}
    schema = pa.schema([(column.name, kinds[column.kind]) for column in table.columns])
    schema = schema.with_metadata({"oddsmith": json.dumps(_metadata(solution), ensure_ascii=False)})
    lines = table.lines()
    with parquet.ParquetWriter(stream, schema) as writer:
        while group := list(islice(lines, LINES_PER_ROW_GROUP)):
            columns = zip(*group, strict=True)
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    return stream.getvalue()


# --- Storm


def policy_rows(solution: Solution) -> Ints:
    """Return the row of the graph that the policy takes, by state and seat to move: shape (states, seats)."""
    graph, arena = solution.graph, solution.solved.arena
    places = (solution.solved.rows - arena.state_rows[:-1]).reshape(-1, arena.copies_per_state)
    rows: Ints = np.broadcast_to(graph.state_rows[:-1, None] + places, (graph.state_count, graph.seats))
    return rows


def storm_drn_bytes(solution: Solution, seat: int = 0) -> bytes:
    """Return solved play in a file of the format DRN, which Storm reads: a Markov chain. With a ``seat`` (from 1), it
    is an MDP in which this seat chooses.

    Raises ExportError if a player mixes, because the probability of a mixed action is not known as a fraction.
    """
    if solution.mixtures:
        raise ExportError("here a player mixes actions with a chance that is not a fraction, so DRN cannot hold it")
    return drn(solution.graph, policy_rows(solution), seat)


DECISION_PLACES = 9


def decisions_as_csv(solution: Solution, decisions_by_phase: list[Decisions]) -> str:
    """Return every decision as CSV: what the player sees, the best action, its value to the mover, and the best other
    action.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    keys = list(dict.fromkeys(_column_key(feature) for each in decisions_by_phase for feature in each.features))
    writer.writerow(
        ["phase", *map(spreadsheet_text, keys), "played", "action", "value", "exact", "second_action", "second_value"]
    )
    with suppress(FractionTooLong):  # then fractions are left out where they are not known yet
        numbers = np.unique(np.concatenate([_arena_states_of_decisions(solution, each) for each in decisions_by_phase]))
        solution.solved.exact.compute_values(
            numbers.tolist(), max_bits=MAX_SHOWN_DIGITS * 16
        )  # a sum of long ones may be short
    for each in decisions_by_phase:
        writer.writerows(_decision_rows(solution, each, keys))
    return stream.getvalue()


def _column_key(feature: Feature) -> str:
    return feature.name if "[" in feature.key or feature.times > 1 else feature.key


def _decision_rows(solution: Solution, decisions: Decisions, column_keys: list[str]) -> Iterator[list[str]]:
    arena, graph = solution.solved.arena, solution.graph
    numbers = _arena_states_of_decisions(solution, decisions)
    columns = {_column_key(feature): feature for feature in decisions.features}
    shown = [_feature_texts(columns.get(key), len(numbers)) for key in column_keys]
    counts = arena.state_rows[numbers + 1] - arena.state_rows[numbers]
    rows = concatenated_ranges(arena.state_rows[numbers], counts)
    bounds, unit = solution.solved.bounds, solution.solved.bounds.unit
    worth = list(bounds.row_intervals(rows, repeat(arena.mover[numbers], counts)))  # whole numbers: there are very many
    starts = np.concatenate([[0], cumsum(counts)]).tolist()

    def decimal(interval: tuple[int, int]) -> str:
        return Number(interval[0] * unit, interval[1] * unit).decimal(DECISION_PLACES)

    for place, number in enumerate(numbers.tolist()):
        mine = range(starts[place], starts[place + 1])
        taken = starts[place] + int(solution.solved.rows[number] - arena.state_rows[number])
        second = max((k for k in mine if k != taken), key=lambda k: worth[k][0] * arena.objective_sign)
        first = int(graph.state_rows[decisions.states[place]]) - starts[place]
        best, other = (spreadsheet_text(graph.action_name(first + k)) for k in (taken, second))
        yield [
            decisions.phase,
            *(column[place] for column in shown),
            "yes" if decisions.played[place] else "no",
            best,
            decimal(worth[taken]),
            _exact_value_or_empty(solution, number, int(arena.mover[number])),
            other,
            decimal(worth[second]),
        ]


def _arena_states_of_decisions(solution: Solution, decisions: Decisions) -> Ints:
    """Return the states of the arena at which decisions are made."""
    numbers: Ints = solution.solved.arena.arena_state_of(decisions.states, decisions.movers)
    return numbers


def _feature_texts(feature: FeatureColumn | None, row_count: int) -> list[str]:
    if feature is None:
        return [""] * row_count
    known = {code: spreadsheet_text(feature.code_text(code)) for code in np.unique(feature.column).tolist()}
    return [known[code] for code in feature.column.tolist()]


def _exact_value_or_empty(solution: Solution, arena_state: int, seat: int) -> str:
    """Return the value of a state to ``seat`` as a fraction in text; empty if it is not known or not short."""
    if solution.mixtures:  # then one row per state does not give the value
        return ""
    known = solution.solved.exact.known.get(arena_state)
    if known is None or known.denominator.bit_length() > MAX_SHOWN_DIGITS * 4:
        return ""
    text = fraction_text(known.fraction(seat))
    return text if len(text) <= MAX_SHOWN_DIGITS else ""
