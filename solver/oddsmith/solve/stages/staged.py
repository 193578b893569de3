"""Backward through the stages of a game: one at a time is explored again, solved, noted and dropped.

When a stage is solved, all that its states lead to lies in it or in later stages, whose values are known. So each stage is
a game of its own whose ends pay those values, and what holds for the parts of a game in ``arena_solver`` holds for it. Of a
solved stage only values with their radii and the rows taken are kept, so memory is that of the largest stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from oddsmith.arrays import Ints, arange, bincount
from oddsmith.errors import PositionError, SolveError, TooManyStatesError
from oddsmith.exact import Number
from oddsmith.graph import Explorer, StateGraph, describe
from oddsmith.progress import Progress, silent
from oddsmith.ruleset import Game, State, sha256
from oddsmith.solve import BYTES, Advice, Kind, loss_of, objective_of
from oddsmith.solve.stages.growing import Stages, find_stages
from oddsmith.solve.stages.kept import Record, Records, Shelf
from oddsmith.solve.stages.walking import Walk, constant_sum, walk
from oddsmith.solve.values import Arena, Known, NeverEnds, NoPureEquilibrium, ProvenBounds, Solver

DIGITS = 12
VERSION = 1  # of what is kept


@dataclass(frozen=True)
class StageTold:
    """One stage: its number, its size, and how long it took."""

    stage: int
    states: int
    transitions: int
    largest: int
    undecided: int
    seconds: float


@dataclass
class Staged:
    """A game solved by stages. Its values are proven; what lies between them is kept.

    ``turns``: how many turns it takes on average. ``undecided``: in how many states no bound tells two actions apart.
    """

    game: Game
    objective: str
    kind: Kind
    values: tuple[Number, ...]
    turns: Number
    stages: Stages
    told: Sequence[StageTold]
    explorer: Explorer = field(repr=False)
    records: Records = field(repr=False)

    @property
    def states(self) -> int:
        """How many states there are."""
        return sum(each.states for each in self.told)

    @property
    def undecided(self) -> int:
        """In how many states no bound tells two actions apart."""
        return sum(each.undecided for each in self.told)

    @property
    def carried(self) -> frozenset[int]:
        """The cells that no state tells."""
        return self.explorer.codec.carried

    def find(self, state: State) -> int | None:
        """The number of a state in its stage, for states seen from any seat; None where play cannot reach it."""
        found = self._found(state)
        return None if found is None else found[2]

    def _found(self, state: State) -> tuple[Ints, Record, int] | None:
        """The key of a state, shape (words, 1), its stage and its number there."""
        codec = self.explorer.codec
        key = codec.key(codec.seen_from_mover(state))
        record = None if key is None else self.records.get(int(self.stages.of(key.reshape(-1, 1))[0]))
        if key is None or record is None:
            return None
        number = int(record.index.known(key.reshape(-1, 1))[0])
        return None if number < 0 else (key.reshape(-1, 1), record, number)

    def advise(self, state: State) -> list[Advice]:
        """Every action of a position, the best first, worked out from the values of what they lead to. PositionError."""
        found = self._found(state)
        if found is None:
            raise PositionError("play never comes to this state")
        key, record, number = found
        graph, beside = self.explorer.around(key)
        arena = Arena.of(graph, beside.shape[1])
        around = self.records.known(np.concatenate([key, beside], axis=1))[0]
        bounds = ProvenBounds(arena, around.point.places, around.primes)
        bounds.take(arange(arena.states), around)
        rows = arange(len(graph.row_action))
        worth = bounds.row_numbers(rows, np.zeros_like(rows))
        taken = int(record.offset[number])
        losses = [
            Number.of(0) if row == taken else loss_of(worth[taken], worth[row], arena.sign) for row in rows.tolist()
        ]
        advices = [
            Advice(row, graph.action_name(row), value, loss, row == taken)
            for row, (value, loss) in enumerate(zip(worth, losses, strict=True))
        ]
        return sorted(advices, key=lambda advice: (not advice.best, advice.loss.middle, advice.row))


def solve_by_stages(
    game: Game,
    objective: str | None = None,
    report: Progress | None = None,
    digits: int = DIGITS,
    memory: int | None = None,
    shelf: Shelf | None = None,
) -> Staged:
    """A game solved stage by stage.

    ``digits``: how many decimal digits values should have. ``memory``: bytes that no stage may need more of, by what solving
    is known to take. ``shelf``: where solved stages are kept; those that it has are not solved again.

    Raises SolveError where the rules have no stages or a stage no equilibrium in which all seats play alike,
    TooManyStatesError where a stage needs more memory, and PlayError where a rule breaks.
    """
    objective, tell = objective_of(game, objective), report or silent
    explorer = Explorer(game, objective)
    stages = find_stages(explorer.codec)
    if stages is None:
        raise SolveError(f"{game.ruleset.id} has no stages: nothing in its rules only grows or only falls")
    found = walk(explorer, stages, tell)
    _refuse_large(game, found, memory)
    kind: Kind = "optimal" if game.seats == 1 else "symmetric"
    if game.seats == 2 and constant_sum(explorer, found):
        kind = "zero-sum"
    title = (
        f"{VERSION} {sha256(game.ruleset)} {game.seats} {objective} {dict(game.parameters)} {game.variants} {digits}"
    )
    records = Records(explorer.codec, stages, title, shelf)
    told, done = list[StageTold](), 0
    with threadpool_limits(1):
        for place, stage in enumerate(sorted(found.keys, reverse=True), 1):
            name = f"stage {place} of {len(found.keys)}"
            record = records.get(stage)
            if record is None:
                within = _part_of(tell, name, done, found.states)
                record = _Stage(explorer, records, kind, digits).solve(found.keys[stage], within)
                records.put(stage, record)
            done += record.keys.shape[1]
            states, transitions, largest, undecided, seconds = record.told
            told.append(StageTold(stage, int(states), int(transitions), int(largest), int(undecided), seconds))
            tell(name, done, found.states)
    values, turns = (known.numbers(0) for known in records.known(explorer.start))
    first = explorer.rules.start().mover
    seats = tuple(values[(seat - first) % game.seats] for seat in range(game.seats))
    return Staged(game, objective, kind, seats, turns[0], stages, told, explorer, records)


def _part_of(tell: Progress, name: str, done: int, states: int) -> Progress:
    """Progress within a stage as progress of the whole game, of whose states so many are done."""
    return lambda _, part, __: tell(name, done + part, states)


def _refuse_large(game: Game, found: Walk, memory: int | None) -> None:
    stage, steps = max(found.steps.items(), key=lambda one: one[1])
    if memory is not None and steps * BYTES > memory:
        raise TooManyStatesError(
            f"{game.ruleset.id} has {found.states:,} positions in {len(found.keys)} stages. Stage {stage} has "
            f"{found.keys[stage].shape[1]:,} of them and needs about {steps * BYTES / 1e6:,.0f} MB, more than the "
            f"{memory / 1e6:,.0f} MB that it may have"
        )


class _Stage:
    """Solves one stage after another."""

    def __init__(self, explorer: Explorer, records: Records, kind: Kind, digits: int) -> None:
        self.explorer, self.records, self.kind, self.digits = explorer, records, kind, digits

    def solve(self, keys: Ints, tell: Progress) -> Record:
        """The record of a stage. SolveError."""
        started = perf_counter()
        graph, beside = self.explorer.around(keys)
        known, turns = self.records.known(beside) if beside.shape[1] else (None, None)
        arena = Arena.of(graph, beside.shape[1])
        solver = Solver(arena, unique_values=self.kind != "symmetric", digits=self.digits, known=known)
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
        told = (
            graph.states,
            len(graph.target),
            int(bincount(arena.components[own]).max()),
            len(solved.undecided),
            perf_counter() - started,
        )
        offset = (solved.rows[own] - graph.state_rows[:-1]).astype(np.uint16)
        return Record(keys, solved.bounds.known(own), length.known(own), offset, told)

    def _turns(self, graph: StateGraph, arena: Arena, rows: Ints, known: Known | None) -> ProvenBounds:
        """How many turns are still to come, under the policy: as values of one seat that is paid for each."""
        counting = replace(
            arena,
            seats=1,
            by=np.zeros_like(arena.by),
            payoff=graph.turn_over.astype(np.int64),
            payoffs=((0,), (1,)),
            scale=1,
            fixed=rows,
            sign=1,
        )
        return Solver(counting, unique_values=True, digits=self.digits, known=known).solve().bounds

    @staticmethod
    def _at(graph: StateGraph, states: Sequence[int] | Ints, what: str) -> str:
        shown = "; ".join(describe(graph, graph.state(int(state))) for state in list(states)[:3])
        return f"{what}: see {shown}"
