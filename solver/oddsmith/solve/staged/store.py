"""Solved stages: the values of their states, in memory or on a shelf, and the way through them."""

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
from oddsmith.base.errors import DisagreementError, NotKeptError
from oddsmith.base.exact import Number, fraction_from_text, fraction_text
from oddsmith.base.progress import Progress
from oddsmith.graph import KeyIndex, StateGraph
from oddsmith.solve.numbers import FixedPoint
from oddsmith.solve.values.bounds import KnownValues, ProvenBounds
from oddsmith.solve.values.grid import UNKNOWN, in_primes
from oddsmith.solve.values.mixing import Mixture

ALIGNED = 64  # bytes: where a column may begin
SIZE = 8  # bytes that say how long the head is

Bytes = bytes | memoryview


class BlobStore(Protocol):
    """Where bytes are kept by name: whole or not at all, whoever else writes at the same time."""

    def mapped(self, name: str) -> Bytes | None:
        """What is kept under a name, in pages that the system reads when they are needed, where it can."""

    def put(self, name: str, *parts: Bytes) -> None:
        """Keep bytes that come in parts."""


@dataclass(frozen=True, eq=False)
class ColumnFile:
    """What is kept as bytes: plain data, and columns of whole numbers.

    A head in JSON says where each column begins, counted from the end of the head. A column that was kept lies in the file:
    nothing is copied.
    """

    about: dict[str, Any]
    columns: dict[str, Whole]

    def to_parts(self) -> list[Bytes]:
        """The contents for a shelf."""
        places, end, data = dict[str, list[Any]](), 0, list[Bytes]()
        for name, column in self.columns.items():
            places[name] = [column.dtype.str, column.shape, end]
            data += [np.ascontiguousarray(column).reshape(-1).view(np.uint8).data, bytes(-column.nbytes % ALIGNED)]
            end += column.nbytes + len(data[-1])
        head = json.dumps({"about": self.about, "columns": places}).encode()
        head += b" " * (-(SIZE + len(head)) % ALIGNED)
        return [len(head).to_bytes(SIZE, "little"), head, *data]

    @staticmethod
    def of_bytes(data: Bytes) -> ColumnFile:
        """The inverse."""
        begin = SIZE + int.from_bytes(data[:SIZE], "little")
        head, columns = json.loads(bytes(data[SIZE:begin])), dict[str, Whole]()
        for name, (kind, shape, place) in head["columns"].items():
            columns[name] = np.frombuffer(data, kind, prod(shape), begin + place).reshape(shape)
        return ColumnFile(head["about"], columns)


@dataclass(frozen=True, eq=False)
class KeyedStates:
    """States by their keys, of shape (words, states)."""

    keys: Ints

    @cached_property
    def index(self) -> KeyIndex:
        """The numbers of the keys."""
        return KeyIndex.of(self.keys)

    def numbers(self, keys: Ints) -> Ints:
        """The numbers of states that walking forward met. DisagreementError where it did not."""
        numbers = self.index.known(keys)
        if numbers.min() < 0:
            raise DisagreementError("a stage lacks a state that another leads to")
        return numbers


@dataclass(frozen=True, eq=False)
class SolvedStates(KeyedStates):
    """Solved states.

    ``values``: what each is worth to every seat. ``turns``: how many turns are still to come, as if one seat were paid for
    them.
    """

    values: KnownValues
    turns: KnownValues

    def known(self, keys: Ints) -> tuple[KnownValues, KnownValues]:
        """Values and turns of some of the states, by their keys. DisagreementError where one is missing."""
        return values_and_turns(keys.shape[1], [(arange(keys.shape[1]), self, self.numbers(keys))])


class StageSummary(NamedTuple):
    """What there is to say of a stage, or of a part of it.

    ``largest``: states of its largest component. ``undecided``: in how many states no bound tells two actions apart.
    ``waiting``: whether one of two players of constant sum could keep play in it for ever while the other plays best.
    ``mixed``: in how many states several actions are mixed.
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
    """A solved stage. ``offset``: which of its rows each state takes; ``mixtures``: which of them a state mixes instead."""

    offset: Whole
    summary: StageSummary
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)

    @staticmethod
    def joined(records: Sequence[SolvedStage]) -> SolvedStage:
        """Several parts of a stage as one."""
        if len(records) == 1:
            return records[0]  # nothing is copied
        ends = cumsum([record.keys.shape[1] for record in records])
        parts = [
            (arange(record.keys.shape[1]) + end - record.keys.shape[1], record, arange(record.keys.shape[1]))
            for record, end in zip(records, ends.tolist(), strict=True)
        ]
        values, turns = values_and_turns(int(ends[-1]), parts)
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
            np.concatenate([getattr(each, name) for each in records], axis=-1) for name in ("keys", "offset")
        )
        return SolvedStage(keys, values, turns, offset, summary, mixtures)

    def to_parts(self) -> list[Bytes]:
        """The record for a shelf."""
        about: dict[str, Any] = {
            "told": self.summary,
            "mixtures": [_mixture_data(*each) for each in self.mixtures.items()],
        }
        columns: dict[str, Whole] = {"keys": self.keys, "offset": self.offset}
        for name, known in (("values", self.values), ("turns", self.turns)):
            about[name] = [known.point.bits, known.point.count, known.primes, known.scale]
            columns |= {f"{name} {part}": getattr(known, part) for part in KNOWN}
        return ColumnFile(about, columns).to_parts()

    @staticmethod
    def of_bytes(data: Bytes) -> SolvedStage:
        """The inverse."""
        stored = ColumnFile.of_bytes(data)
        values, turns = (_known(stored, name) for name in ("values", "turns"))
        mixtures = {state: _mixture_from_data(plain) for state, plain in stored.about["mixtures"]}
        return SolvedStage(
            stored.columns["keys"],
            values,
            turns,
            stored.columns["offset"],
            StageSummary(*stored.about["told"]),
            mixtures,
        )


KNOWN = ("x", "radius", "exponents")  # the columns of what is known


def _mixture_data(state: int, mixture: Mixture) -> tuple[int, list[tuple[int, str, str]]]:
    """What a state mixes, as it is kept."""
    chances = mixture.chances.items()
    return state, [(row, fraction_text(chance.lower), fraction_text(chance.upper)) for row, chance in chances]


def _mixture_from_data(plain: Sequence[tuple[int, str, str]]) -> Mixture:
    """The inverse."""
    return Mixture({row: Number(*map(fraction_from_text, ends)) for row, *ends in plain})


def _known(stored: ColumnFile, name: str) -> KnownValues:
    bits, count, primes, scale = stored.about[name]
    x, radius, exponents = (stored.columns[f"{name} {part}"] for part in KNOWN)
    return KnownValues(x, radius, FixedPoint(bits, count), tuple(primes), exponents, scale)


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Some states and what they lead to: the graph of the states alone, with bounds of all that it has.

    ``boundary``: the keys of those that they lead to, which are numbered after them. ``rows``: the row that is taken in each
    state. ``undecided``: the states in which it may be that no bound tells the best two actions apart. ``mixtures``: what
    states mix instead.
    """

    graph: StateGraph
    boundary: Ints
    bounds: ProvenBounds
    rows: Ints
    undecided: frozenset[int]
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)


class Schedule(Protocol):
    """A way through the stages of a game, of which ``order`` tells the order, and ``how`` what they are.

    ``batch_size``: of how many positions by which play comes to a stage it may be followed together, with enough memory, while the
    ways from these never meet those from others before the stage is left. ``times``: as long as finding the way did, solving
    takes, as measured on games that come with the program.
    """

    order: Sequence[int]
    states: int
    how: str
    records: StageRecords
    batch_size: int
    times: int

    def column_file(self) -> ColumnFile:
        """What is kept of the way, so that nobody has to find it again."""

    def largest(self) -> tuple[int, int, int]:
        """The stage that needs most memory, its states, and about how many bytes it needs."""

    def work(self, stage: int) -> int:
        """How much work a stage is, to be compared with others."""

    def solve(self, stage: int, tell: Progress) -> SolvedStage:
        """The record of a stage, after those that come before it in the order. SolveError."""

    def known(self, keys: Ints) -> tuple[KnownValues, KnownValues]:
        """Values and turns of states that records hold, by their keys."""

    def stage(self, keys: Ints) -> Ints:
        """The stages of some states that play can reach, by their keys. Play never leads to a lower one."""

    def find(self, key: Ints) -> int | None:
        """The number of a state in its stage, by its key of shape (words, 1); None where play cannot reach it."""

    def positions(self, stage: int, held: Mapping[int, int] | None = None) -> Iterator[Ints]:
        """The keys of all states of a stage, some at a time. Those whose cells do not hold these codes may be left out.

        NotKeptError.
        """

    def picks(self, keys: Ints) -> Ints:
        """The places of the actions that are taken in some different states that play can reach, by their keys."""

    def mixtures(self, keys: Ints) -> dict[int, Mixture]:
        """Which of these states mix actions instead, by their places among the keys; the actions by theirs."""

    def neighbourhood(self, keys: Ints) -> Neighbourhood:
        """What lies around some different states that play can reach, by their keys."""


class StageRecords:
    """The solved stages of a game. ``title``: what tells it from all other games; ``digits``: to how many it is solved."""

    def __init__(self, title: str, digits: int, store: BlobStore | None) -> None:
        self.title, self.digits, self.store = title, digits, store
        self.held: dict[int, SolvedStage] = {}

    def note(self, what: str) -> ColumnFile | None:
        """What is kept beside the stages under a name."""
        data = None if self.store is None else self.store.mapped(self._name(what))
        return None if data is None else ColumnFile.of_bytes(data)

    def keep(self, what: str, column_file: ColumnFile) -> None:
        """Keep it, where there is a shelf."""
        if self.store is not None:
            self.store.put(self._name(what), *column_file.to_parts())

    def needed(self, stage: int) -> SolvedStage:
        """A stage that is solved. NotKeptError where it has gone."""
        record = self.get(stage)
        if record is None:
            raise NotKeptError(f"stage {stage} is not kept any more: solve the game by stages once again")
        return record

    def get(self, stage: int) -> SolvedStage | None:
        """A stage, if it is solved."""
        if stage not in self.held and self.store is not None:
            data = self.store.mapped(self._name(f"{self.digits} {stage}"))
            if data is not None:
                self.held[stage] = SolvedStage.of_bytes(data)
        return self.held.get(stage)

    def put(self, stage: int, record: SolvedStage) -> None:
        """Keep a stage. With a shelf, no other stays in memory."""
        if self.store is not None:
            self.store.put(self._name(f"{self.digits} {stage}"), *record.to_parts())
            self.held.clear()
        self.held[stage] = record

    def drop(self, stage: int) -> None:
        """Let a stage leave the memory where it can be read again."""
        if self.store is not None:
            self.held.pop(stage, None)

    def _name(self, what: str) -> str:
        return hashlib.sha256(f"{self.title} {what}".encode()).hexdigest()


def concatenated(count: int, parts: list[tuple[Ints, KnownValues, Ints]]) -> KnownValues:
    """Some states of several stages as one, in the coarsest of their points."""
    every = [known for _, known, _ in parts]
    point = min((known.point for known in every), key=lambda each: each.places)
    primes = tuple(sorted({prime for known in every for prime in known.primes}))
    kind = np.result_type(*(known.x if known.point == point else np.int64 for known in every))
    x = np.zeros((point.count, count, every[0].x.shape[2]), dtype=kind)
    radius = np.zeros(count, dtype=np.int64)
    exponents = np.full((count, max(len(primes), 1)), UNKNOWN, dtype=np.int16)
    for here, known, numbers in parts:
        x[:, here], radius[here] = point.converted(known.x[:, numbers], known.radius[numbers], known.point)
        if known.scale == every[0].scale and known.primes:
            exponents[here] = in_primes(primes, known.primes, known.exponents[numbers])
    return KnownValues(x, radius, point, primes, exponents, every[0].scale)


def values_and_turns(count: int, parts: Sequence[tuple[Ints, SolvedStates, Ints]]) -> tuple[KnownValues, KnownValues]:
    """Values and turns of some states: the places of those of each record among them, and their numbers in it."""
    return (
        concatenated(count, [(here, record.values, numbers) for here, record, numbers in parts]),
        concatenated(count, [(here, record.turns, numbers) for here, record, numbers in parts]),
    )
