"""A game solved stage by stage, each explored again and solved as a game of its own.

When a stage is solved, all that its states lead to lies in it or in later stages, whose values are known. So each stage is
a game of its own whose ends pay those values, and what holds for the parts of a game in ``arena_solver`` holds for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from time import perf_counter

import numpy as np

from oddsmith.arrays import Ints, arange
from oddsmith.errors import SolveError
from oddsmith.graph import Explorer, StateGraph, describe, different, refuse_disagreement
from oddsmith.progress import Progress
from oddsmith.solve import BYTES, Kind
from oddsmith.solve.arenas import Arena, NeverEnds, NoPureEquilibrium, largest_part
from oddsmith.solve.stages.growing import Stages
from oddsmith.solve.stages.kept import Around, Contents, Record, Records, known_of
from oddsmith.solve.stages.large import LargeStage, Swept
from oddsmith.solve.stages.walking import Walk, constant_sum, walk
from oddsmith.solve.values import Known, ProvenBounds, Solver, Unproven
from oddsmith.systems import memory as machine

LARGE = 1_000_000  # transitions of a stage from which on it is solved in sweeps,
LARGE_PART = 20_000  # if so many of its states can come back to one another
SWEEPS, SWEPT = (
    360_000_000,
    110,
)  # bytes that sweeps take, and for every transition, as measured on the Royal Game of Ur
TOGETHER = 1 << 14  # positions of a stage that are shown together
UNDECIDED = 3  # its place in what records tell


class Stagewise:
    """Solves one stage after another. ``memory``: bytes that it may need, by default all that the machine has."""

    def __init__(
        self,
        explorer: Explorer,
        stages: Stages,
        found: Walk,
        kind: Kind,
        records: Records,
        memory: int | None = None,
    ) -> None:
        self.explorer, self.stages, self.found, self.records = explorer, stages, found, records
        self.kind, self.memory = kind, machine() if memory is None else memory
        self.order: Sequence[int] = sorted(found.sizes, reverse=True)
        self.states, self.how, self.apart = found.states, str(stages), found.states

    def contents(self) -> Contents:
        """Of the stages only their sizes are kept: the records have the keys of those that are solved."""
        columns = [
            self.order,
            *([column[stage] for stage in self.order] for column in (self.found.sizes, self.found.steps)),
        ]
        return Contents({}, {"stages": np.array(columns, dtype=np.int64)})

    @staticmethod
    def of_contents(
        explorer: Explorer, stages: Stages, kept: Contents, kind: Kind, records: Records, memory: int | None
    ) -> Stagewise:
        """The inverse: a course that answers what is asked, and walks again where a stage is still to be solved."""
        order, states, steps = kept.columns["stages"].tolist()
        found = Walk(sizes=dict(zip(order, states, strict=True)), steps=dict(zip(order, steps, strict=True)))
        return Stagewise(explorer, stages, found, kind, records, memory)

    def largest(self) -> tuple[int, int, int]:
        """The stage that needs most memory, its states, and about how many bytes it needs."""
        stage, steps = max(self.found.steps.items(), key=lambda one: one[1])
        needed = steps * BYTES
        if self.kind in ("optimal", "zero-sum"):
            needed = min(needed, SWEEPS + steps * SWEPT)
        return stage, self.found.sizes[stage], needed

    def work(self, stage: int) -> int:
        """How many transitions lead on from a stage."""
        return self.found.steps[stage]

    def find(self, key: Ints) -> int | None:
        """The number of a state in its stage."""
        record = self.records.get(int(self.stages.of(key)[0]))
        number = -1 if record is None else int(record.index.known(key)[0])
        return None if number < 0 else number

    def around(self, keys: Ints) -> Around:
        """What lies around some states. The row that each takes was noted."""
        graph, beside = self.explorer.around(keys)
        arena = Arena.of(graph, beside.shape[1])
        around = self.known(np.concatenate([keys, beside], axis=1))[0]
        bounds = ProvenBounds(arena, around.point.places, around.primes)
        bounds.take(arange(arena.states), around)
        parts = ((here, self.records.needed(stage)) for stage, here in self._by_stage(keys))
        undecided = [state for here, record in parts if record.told[UNDECIDED] for state in here.tolist()]
        return Around(graph, beside, bounds, graph.state_rows[:-1] + self.picks(keys), frozenset(undecided))

    def picks(self, keys: Ints) -> Ints:
        """The places of the actions that are taken in some different states, as they were noted."""
        found = np.zeros(keys.shape[1], dtype=np.int64)
        for stage, here in self._by_stage(keys):
            record = self.records.needed(stage)
            found[here] = record.offset[record.numbers(keys[:, here])]
        return found

    def stage(self, keys: Ints) -> Ints:
        """The stages of some states."""
        return self.stages.of(keys)

    def positions(self, stage: int) -> Iterator[Ints]:
        """The keys of all states of a stage, some at a time."""
        keys = self.records.needed(stage).keys
        return (keys[:, first : first + TOGETHER] for first in range(0, keys.shape[1], TOGETHER))

    def _by_stage(self, keys: Ints) -> Iterator[tuple[int, Ints]]:
        """The stages of some keys, each with the places of its keys."""
        stage = self.stages.of(keys)
        return ((each, np.flatnonzero(stage == each)) for each in different(stage).tolist())

    def known(self, keys: Ints) -> tuple[Known, Known]:
        """Values and turns of states of solved stages, by their keys."""
        parts = []
        for stage, here in self._by_stage(keys):
            record = self.records.needed(stage)
            parts.append((here, record, record.numbers(keys[:, here])))
        return known_of(keys.shape[1], parts)

    def solve(self, stage: int, tell: Progress) -> Record:
        """The record of a stage. SolveError."""
        if stage not in self.found.keys:
            self.found = walk(self.explorer, self.stages, tell)
        started, keys = perf_counter(), self.found.keys[stage]  # exploring again is not counted
        graph, beside = self.explorer.around(keys)
        refuse_disagreement(graph, beside=beside)
        known, turns = self.known(beside) if beside.shape[1] else (None, None)
        largest = largest_part(graph)
        swept = self._swept(graph, largest, known, turns, tell) or self._solved(graph, known, turns, tell)
        offset = (swept.rows - graph.state_rows[:-1]).astype(np.uint16)
        told = (graph.states, len(graph.target), largest, swept.undecided, perf_counter() - started)
        return Record(keys, swept.values, swept.turns, offset, told)

    def _swept(
        self, graph: StateGraph, largest: int, known: Known | None, turns: Known | None, tell: Progress
    ) -> Swept | None:
        """A stage solved in sweeps where it is large, or would fill the memory otherwise; None where that does not serve."""
        total = constant_sum(self.explorer, self.found.paid, self.found.ends) if graph.seats == 2 else Fraction(0)
        large = len(graph.target) >= LARGE and largest >= LARGE_PART
        if total is None or graph.seats > 2 or not (large or len(graph.target) * BYTES > self.memory):
            return None
        with suppress(Unproven):
            return LargeStage(graph, known, turns, total, self.records.digits, tell).solve()
        return None

    def _solved(self, graph: StateGraph, known: Known | None, turns: Known | None, tell: Progress) -> Swept:
        """A stage solved as any game is."""
        arena = Arena.of(graph, 0 if known is None else len(known.radius))
        solver = Solver(arena, unique_values=self.kind != "symmetric", digits=self.records.digits, known=known)
        try:
            solved = solver.solve(tell)
            length = self._turns(graph, arena, solved.rows, turns)
        except NoPureEquilibrium as none:
            raise SolveError(
                self._at(graph, none.states, "No pure play that is the same for every seat is found")
            ) from None
        except NeverEnds as endless:
            raise SolveError(self._at(graph, [endless.state], "Best play may go on for ever")) from None
        own = arange(graph.states)
        return Swept(solved.rows[own], solved.bounds.known(own), length.known(own), len(solved.undecided))

    def _turns(self, graph: StateGraph, arena: Arena, rows: Ints, known: Known | None) -> ProvenBounds:
        """How many turns are still to come, under the policy: as values of one seat that is paid for each."""
        counting = replace(arena.counting([graph.turn_over]), fixed=rows)
        return Solver(counting, unique_values=True, digits=self.records.digits, known=known).solve().bounds

    @staticmethod
    def _at(graph: StateGraph, states: Sequence[int] | Ints, what: str) -> str:
        shown = "; ".join(describe(graph, graph.state(int(state))) for state in list(states)[:3])
        return f"{what}: see {shown}"
