"""Solved stages: the values of their states, in memory or in a blob store, and the schedule of the stages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, Protocol

import numpy as np

from oddsmith.base.arrays import Ints, Whole, arange, cumsum
from oddsmith.base.errors import DisagreementError, StagesNotStoredError
from oddsmith.base.exact import Number, fraction_from_text, fraction_text
from oddsmith.base.progress import Progress
from oddsmith.graph import KeyIndex, StateGraph
from oddsmith.solve.numbers import FixedPoint
from oddsmith.solve.values.bounds import KnownValues, ProvenBounds
from oddsmith.solve.values.grid import UNKNOWN_EXPONENT, convert_exponents
from oddsmith.solve.values.mixing import Mixture

COLUMN_ALIGNMENT = 64  # bytes: where a column may begin
HEAD_LENGTH_BYTES = 8  # bytes that say how long the head is

Bytes = bytes | memoryview


class BlobStore(Protocol):
    """A store of named blobs. A blob is stored whole or not at all, even if several processes write at once."""

    def memory_map(self, name: str) -> Bytes | None:
        """Return the blob with this name, memory-mapped if the system can map it; None if there is no such blob."""

    def put(self, name: str, *parts: Bytes) -> None:
        """Store a blob under a name. ``parts``: the parts of the blob, in order."""


@dataclass(frozen=True, eq=False)
class ColumnFile:
    """Plain data and integer columns in one file.

    ``metadata``: the plain data; ``columns``: the columns by name. A JSON header gives the offset of each column from
    the end of the header. Columns that are read are views of the file, not copies.
    """

    metadata: dict[str, Any]
    columns: dict[str, Whole]

    def to_byte_parts(self) -> list[Bytes]:
        """Return the bytes of the file, in parts."""
        places, end, data = dict[str, list[Any]](), 0, list[Bytes]()
        for name, column in self.columns.items():
            places[name] = [column.dtype.str, column.shape, end]
            data += [
                np.ascontiguousarray(column).reshape(-1).view(np.uint8).data,
                bytes(-column.nbytes % COLUMN_ALIGNMENT),
            ]
            end += column.nbytes + len(data[-1])
        head = json.dumps({"about": self.metadata, "columns": places}).encode()
        head += b" " * (-(HEAD_LENGTH_BYTES + len(head)) % COLUMN_ALIGNMENT)
        return [len(head).to_bytes(HEAD_LENGTH_BYTES, "little"), head, *data]

    @staticmethod
    def from_bytes(data: Bytes) -> ColumnFile:
        """Return the column file from the bytes that ``to_byte_parts`` returned."""
        begin = HEAD_LENGTH_BYTES + int.from_bytes(data[:HEAD_LENGTH_BYTES], "little")
        head, columns = json.loads(bytes(data[HEAD_LENGTH_BYTES:begin])), dict[str, Whole]()
        for name, (kind, shape, place) in head["columns"].items():
            columns[name] = np.frombuffer(data, kind, prod(shape), begin + place).reshape(shape)
        return ColumnFile(head["about"], columns)


@dataclass(frozen=True, eq=False)
class KeyedStates:
    """States given by their keys. ``keys``: shape (words, states)."""

    keys: Ints

    @cached_property
    def index(self) -> KeyIndex:
        """The index from keys to state numbers."""
        return KeyIndex.of(self.keys)

    def state_numbers(self, keys: Ints) -> Ints:
        """Return the state numbers of keys. Raises DisagreementError if exploring did not find one of the keys."""
        numbers = self.index.find(keys)
        if numbers.min() < 0:
            raise DisagreementError("a stage lacks a state that another leads to")
        return numbers


@dataclass(frozen=True, eq=False)
class SolvedStates(KeyedStates):
    """States with known values.

    ``values``: the value of each state for every seat. ``remaining_turns``: the expected number of turns that remain,
    stored like the value of a game with one seat.
    """

    values: KnownValues
    remaining_turns: KnownValues

    def values_and_remaining_turns(self, keys: Ints) -> tuple[KnownValues, KnownValues]:
        """Return the values and the remaining turns of the states with the given keys.

        Raises DisagreementError if one of the states is missing.
        """
        return join_values_and_turns(keys.shape[1], [(arange(keys.shape[1]), self, self.state_numbers(keys))])


class StageSummary(NamedTuple):
    """Counts that describe a stage or a part of it.

    ``states``, ``transitions``: their numbers. ``largest``: the number of states of the largest strongly connected
    component. ``undecided``: the number of states in which the proven bounds do not tell the best two actions apart.
    ``seconds``: the time that solving took. ``waiting``: whether, in a game of two players with a constant sum, one
    player could keep play in the stage for ever while the other plays best. ``mixed``: the number of states in which
    the mover mixes actions.
    """

    states: int
    transitions: int
    largest: int
    undecided: int
    seconds: float
    waiting: bool = False
    mixed: int = 0


@dataclass(frozen=True, eq=False)
class SolvedStage(SolvedStates):
    """A solved stage.

    ``action_indices``: the index of the action that each state takes; ``summary``: the counts of the stage;
    ``mixtures``: the mixed actions by state.
    """

    action_indices: Whole
    summary: StageSummary
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)

    @staticmethod
    def join(records: Sequence[SolvedStage]) -> SolvedStage:
        """Join the solved parts of a stage into one stage."""
        if len(records) == 1:
            return records[0]  # nothing is copied
        ends = cumsum([record.keys.shape[1] for record in records])
        parts = [
            (arange(record.keys.shape[1]) + end - record.keys.shape[1], record, arange(record.keys.shape[1]))
            for record, end in zip(records, ends.tolist(), strict=True)
        ]
        values, turns = join_values_and_turns(int(ends[-1]), parts)
        states, transitions, largest, undecided, seconds, waiting, mixed = zip(
            *(each.summary for each in records), strict=True
        )
        summary = StageSummary(
            sum(states), sum(transitions), max(largest), sum(undecided), sum(seconds), any(waiting), sum(mixed)
        )
        mixtures = {
            int(end) - record.keys.shape[1] + state: mixture
            for record, end in zip(records, ends, strict=True)
            for state, mixture in record.mixtures.items()
        }
        keys, offset = (
            np.concatenate([getattr(each, name) for each in records], axis=-1) for name in ("keys", "action_indices")
        )
        return SolvedStage(keys, values, turns, offset, summary, mixtures)

    def with_first_states(self, state_count: int) -> SolvedStage:
        """Return a copy that has only the first ``state_count`` states, but the summary of all states."""
        own = arange(state_count)
        mixtures = {state: mixture for state, mixture in self.mixtures.items() if state < state_count}
        values, turns = self.values.subset(own), self.remaining_turns.subset(own)
        return SolvedStage(self.keys[:, own], values, turns, self.action_indices[own], self.summary, mixtures)

    def to_byte_parts(self) -> list[Bytes]:
        """Return the stage as bytes for a blob store."""
        about: dict[str, Any] = {
            "told": self.summary,
            "mixtures": [_mixture_to_data(*each) for each in self.mixtures.items()],
        }
        columns: dict[str, Whole] = {"keys": self.keys, "offset": self.action_indices}
        for name, known in (("values", self.values), ("turns", self.remaining_turns)):
            about[name] = [known.point.bits_per_limb, known.point.limb_count, known.primes, known.scale]
            columns |= {f"{name} {part}": getattr(known, field) for part, field in KNOWN.items()}
        return ColumnFile(about, columns).to_byte_parts()

    @staticmethod
    def from_bytes(data: Bytes) -> SolvedStage:
        """Return the stage from the bytes that ``to_byte_parts`` returned."""
        stored = ColumnFile.from_bytes(data)
        values, turns = (_read_known_values(stored, name) for name in ("values", "turns"))
        mixtures = {state: _mixture_from_data(plain) for state, plain in stored.metadata["mixtures"]}
        return SolvedStage(
            stored.columns["keys"],
            values,
            turns,
            stored.columns["offset"],
            StageSummary(*stored.metadata["told"]),
            mixtures,
        )


KNOWN = {"x": "middle", "radius": "radius", "exponents": "exponents", "deterministic": "is_deterministic"}
"""The columns of what is known, with the fields that they hold."""


def _mixture_to_data(state: int, mixture: Mixture) -> tuple[int, list[tuple[int, str, str]]]:
    """Return a state with its mixed action as plain data: a list of row and lower and upper bound of its probability."""
    chances = mixture.row_probabilities.items()
    return state, [(row, fraction_text(chance.lower), fraction_text(chance.upper)) for row, chance in chances]


def _mixture_from_data(row_bounds: Sequence[tuple[int, str, str]]) -> Mixture:
    """Return the mixture from the list that ``_mixture_to_data`` returned."""
    return Mixture({row: Number(*map(fraction_from_text, ends)) for row, *ends in row_bounds})


def _read_known_values(stored: ColumnFile, name: str) -> KnownValues:
    bits, count, primes, scale = stored.metadata[name]
    x, radius, exponents, deterministic = (stored.columns[f"{name} {part}"] for part in KNOWN)
    return KnownValues(x, radius, FixedPoint(bits, count), tuple(primes), exponents, scale, deterministic)


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """A graph of given states and their successors, with proven bounds of all values.

    ``boundary_keys``: the keys of the successors outside the given states, which are numbered after these.
    ``policy_rows``: the row that each given state takes. ``undecided_states``: states in which the bounds may not tell
    the best two actions apart. ``mixtures``: the mixed actions by state.
    """

    graph: StateGraph
    boundary_keys: Ints
    bounds: ProvenBounds
    policy_rows: Ints
    undecided_states: frozenset[int]
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)


class Schedule(Protocol):
    """The stages of a game in the order in which they are solved.

    ``order``: the stage numbers; ``states``: the number of states; ``stage_kind_text``: the kind of stages, in words;
    ``records``: the solved stages. ``batch_size``: the number of positions that may be explored together among those
    that enter a stage. Paths of play from two batches do not meet before they leave the stage. ``estimated_seconds``:
    an estimate of the time that solving takes, fitted to games of many kinds on one machine.
    """

    order: Sequence[int]
    states: int
    stage_kind_text: str
    records: StageRecords
    batch_size: int

    @property
    def estimated_seconds(self) -> float: ...

    def to_column_file(self) -> ColumnFile:
        """Return the schedule as a column file, from which it can be restored without exploring again."""

    def largest_stage_size_and_bytes(self) -> tuple[int, int, int]:
        """Return the stage that needs the most memory, its number of states, and an estimate of the bytes that it
        needs.
        """

    def transition_count_of_stage(self, stage: int) -> int:
        """Return the amount of work of a stage, relative to other stages."""

    def solve(self, stage: int, progress: Progress) -> SolvedStage:
        """Solve a stage. All stages before it in the order must be solved. Raises SolveError."""

    def values_and_remaining_turns(self, keys: Ints) -> tuple[KnownValues, KnownValues]:
        """Return the values and the remaining turns of states of solved stages, given by their keys."""

    def stages_of(self, keys: Ints) -> Ints:
        """Return the stage of each of the given reachable states. Play never leads to an earlier stage.

        ``keys``: the keys of the states.
        """

    def state_number_in_stage(self, key: Ints) -> int | None:
        """Return the number of a state in its stage; None if the state is not reachable. ``key``: its key, of shape
        (words, 1).
        """

    def key_batches(self, stage: int, required_cell_codes: Mapping[int, int] | None = None) -> Iterator[Ints]:
        """Yield the keys of all states of a stage in batches. Raises StagesNotStoredError.

        ``required_cell_codes``: the codes of given cells, by cell. States with other codes in these cells may be
        skipped.
        """

    def action_indices(self, keys: Ints) -> Ints:
        """Return the index of the action that the policy takes in each of the given states.

        ``keys``: the keys of distinct reachable states.
        """

    def mixtures(self, keys: Ints) -> dict[int, Mixture]:
        """Return the mixed actions of reachable states, by the index of the state among ``keys``."""

    def neighbourhood(self, keys: Ints) -> Neighbourhood:
        """Return the neighbourhood of distinct reachable states, given by their keys."""


class StageRecords:
    """The solved stages of a game, in memory and in the store if there is one.

    ``game_title``: identifies the game among all games. ``digits``: the number of decimal digits of its values.
    """

    def __init__(self, game_title: str, digits: int, store: BlobStore | None) -> None:
        self.title, self.digits, self.store = game_title, digits, store
        self.held: dict[int, SolvedStage] = {}

    def stored_columns(self, name: str) -> ColumnFile | None:
        """Return the column file that is stored beside the stages under the name ``name``; None if there is no such
        file.
        """
        data = None if self.store is None else self.store.memory_map(self._blob_name(name))
        return None if data is None else ColumnFile.from_bytes(data)

    def store_columns(self, name: str, column_file: ColumnFile) -> None:
        """Store a column file beside the stages under the name ``name``, if there is a store."""
        if self.store is not None:
            self.store.put(self._blob_name(name), *column_file.to_byte_parts())

    def require(self, stage: int) -> SolvedStage:
        """Return a stage that has been solved. Raises StagesNotStoredError if it is no longer stored."""
        record = self.get(stage)
        if record is None:
            raise StagesNotStoredError(f"stage {stage} is not kept any more: solve the game by stages once again")
        return record

    def get(self, stage: int) -> SolvedStage | None:
        """Return a solved stage; None if it is neither in memory nor in the store."""
        if stage not in self.held and self.store is not None:
            data = self.store.memory_map(self._blob_name(f"{self.digits} {stage}"))
            if data is not None:
                self.held[stage] = SolvedStage.from_bytes(data)
        return self.held.get(stage)

    def put(self, stage: int, record: SolvedStage) -> None:
        """Store a solved stage. If there is a store, remove all other stages from memory."""
        if self.store is not None:
            self.store.put(self._blob_name(f"{self.digits} {stage}"), *record.to_byte_parts())
            self.held.clear()
        self.held[stage] = record

    def drop(self, stage: int) -> None:
        """Remove a stage from memory if it can be read from a store again."""
        if self.store is not None:
            self.held.pop(stage, None)

    def _blob_name(self, name: str) -> str:
        return hashlib.sha256(f"{self.title} {name}".encode()).hexdigest()


def concatenate_values(state_count: int, parts: list[tuple[Ints, KnownValues, Ints]]) -> KnownValues:
    """Return the known values of states of several stages in one array, at the coarsest fixed point of these stages.

    ``state_count``: the number of states. ``parts``: for each stage, the indices of its states in the result, its known
    values, and the numbers of these states in the stage.
    """
    every = [known for _, known, _ in parts]
    point = min((known.point for known in every), key=lambda each: each.binary_places)
    primes = tuple(sorted({prime for known in every for prime in known.primes}))
    kind = np.result_type(*(known.middle if known.point == point else np.int64 for known in every))
    x = np.zeros((point.limb_count, state_count, every[0].middle.shape[2]), dtype=kind)
    radius = np.zeros(state_count, dtype=np.int64)
    exponents = np.full((state_count, max(len(primes), 1)), UNKNOWN_EXPONENT, dtype=np.int16)
    deterministic = np.zeros((state_count, every[0].is_deterministic.shape[1]), dtype=bool)
    for here, known, numbers in parts:
        x[:, here], radius[here] = point.convert(known.middle[:, numbers], known.radius[numbers], known.point)
        if known.scale == every[0].scale:
            deterministic[here] = known.is_deterministic[numbers]
            if known.primes:
                exponents[here] = convert_exponents(primes, known.primes, known.exponents[numbers])
    return KnownValues(x, radius, point, primes, exponents, every[0].scale, deterministic)


def join_values_and_turns(
    state_count: int, parts: Sequence[tuple[Ints, SolvedStates, Ints]]
) -> tuple[KnownValues, KnownValues]:
    """Return the values and the remaining turns of ``state_count`` states.

    ``parts``: for each set of solved states, the indices of its states in the result, the set, and the numbers of these
    states in it.
    """
    return (
        concatenate_values(state_count, [(here, record.values, numbers) for here, record, numbers in parts]),
        concatenate_values(state_count, [(here, record.remaining_turns, numbers) for here, record, numbers in parts]),
    )
