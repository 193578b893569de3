"""Backward through the stages of a game: one at a time is solved, noted and dropped.

``stagewise`` and ``turnwise`` are two courses that this may take. Of a solved stage only values with their radii are kept,
and the rows taken, so memory is that of the largest stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from threadpoolctl import threadpool_limits

from oddsmith.arrays import arange
from oddsmith.errors import PositionError, SolveError, TooManyStatesError
from oddsmith.exact import Number
from oddsmith.graph import Explorer
from oddsmith.progress import Progress, silent
from oddsmith.ruleset import Game, State, sha256
from oddsmith.sharing import Alone, Share
from oddsmith.solve import Advice, Kind, loss_of, objective_of
from oddsmith.solve.stages.growing import Stages, find_stages
from oddsmith.solve.stages.kept import Course, Records, Shelf
from oddsmith.solve.stages.sheet import find_turn
from oddsmith.solve.stages.stagewise import Stagewise
from oddsmith.solve.stages.turnwise import Turnwise, walk_turns
from oddsmith.solve.stages.walking import constant_sum, walk

DIGITS = 12
VERSION = 2  # of what is kept


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

    ``turns``: how many turns it takes on average. ``how``: what its stages are.
    ``undecided``: in how many states no bound tells two actions apart.
    """

    game: Game
    objective: str
    kind: Kind
    values: tuple[Number, ...]
    turns: Number
    how: str
    told: Sequence[StageTold]
    explorer: Explorer = field(repr=False)
    course: Course = field(repr=False)

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
        codec = self.explorer.codec
        key = codec.key(codec.seen_from_mover(state))
        return None if key is None else self.course.find(key.reshape(-1, 1))

    def advise(self, state: State) -> list[Advice]:
        """Every action of a position, the best first, worked out from the values of what they lead to. PositionError."""
        codec = self.explorer.codec
        key = codec.key(codec.seen_from_mover(state))
        around = None if key is None else self.course.around(key.reshape(-1, 1))
        if around is None:
            raise PositionError("play never comes to this state")
        graph, bounds, number, taken = around
        rows = arange(int(graph.state_rows[number]), int(graph.state_rows[number + 1]))
        worth = bounds.row_numbers(rows, rows * 0)
        advices = [
            Advice(
                place,
                graph.action_name(row),
                value,
                Number.of(0) if place == taken else loss_of(worth[taken], value, bounds.arena.sign),
                place == taken,
            )
            for place, (row, value) in enumerate(zip(rows.tolist(), worth, strict=True))
        ]
        return sorted(advices, key=lambda advice: (not advice.best, advice.loss.middle, advice.row))


def solve_by_stages(
    game: Game,
    objective: str | None = None,
    report: Progress | None = None,
    digits: int = DIGITS,
    memory: int | None = None,
    shelf: Shelf | None = None,
    share: Share | None = None,
) -> Staged:
    """A game solved stage by stage.

    ``digits``: how many decimal digits values should have. ``memory``: bytes that no stage may need more of, by what solving
    is known to take. ``shelf``: where solved stages are kept; those that it has are not solved again. ``share``: who shares the
    work on turns that are the same on every sheet.

    Raises SolveError where the rules have no stages or a stage no equilibrium in which all seats play alike,
    TooManyStatesError where a stage needs more memory, and PlayError where a rule breaks.
    """
    objective, tell = objective_of(game, objective), report or silent
    explorer = Explorer(game, objective)
    stages = find_stages(explorer.codec)
    if stages is None:
        raise SolveError(f"{game.ruleset.id} has no stages: nothing in its rules only grows or only falls")
    title = (
        f"{VERSION} {sha256(game.ruleset)} {game.seats} {objective} {dict(game.parameters)} {game.variants} {digits}"
    )
    kind, course = _course(explorer, stages, digits, memory, Records(title, shelf), tell, share or Alone())
    _refuse_large(game, course, memory)
    records, told, done = course.records, list[StageTold](), 0
    with threadpool_limits(1):
        for place, stage in enumerate(course.order, 1):
            name = f"stage {place} of {len(course.order)}"
            record = records.get(stage)
            if record is None:
                record = course.solve(stage, _part_of(tell, name, done, course.states))
                records.put(stage, record)
            states, transitions, largest, undecided, seconds = record.told
            done += int(states)
            told.append(StageTold(stage, int(states), int(transitions), int(largest), int(undecided), seconds))
            tell(name, done, course.states)
    values, turns = (known.numbers(0) for known in course.known(explorer.start))
    first = explorer.rules.start().mover
    seats = tuple(values[(seat - first) % game.seats] for seat in range(game.seats))
    return Staged(game, objective, kind, seats, turns[0], course.how, told, explorer, course)


def _course(
    explorer: Explorer,
    stages: Stages,
    digits: int,
    memory: int | None,
    records: Records,
    tell: Progress,
    share: Share,
) -> tuple[Kind, Course]:
    """How the game is solved, turn by turn where that is possible, and which kind of solution it has."""
    seats = explorer.game.seats
    turn = find_turn(explorer, frozenset(stages.ways)) if seats < 3 else None
    sheets = walk_turns(turn, tell, share) if turn else None
    if turn and sheets and (seats == 1 or constant_sum(explorer, sheets.paid, sheets.ends)):
        return "optimal" if seats == 1 else "zero-sum", Turnwise(turn, sheets, digits, records, memory, share)
    found = walk(explorer, stages, tell)
    kind: Kind = "optimal" if seats == 1 else "symmetric"
    if seats == 2 and constant_sum(explorer, found.paid, found.ends):
        kind = "zero-sum"
    return kind, Stagewise(explorer, stages, found, kind, digits, records)


def _part_of(tell: Progress, name: str, done: int, states: int) -> Progress:
    """Progress within a stage as progress of the whole game, of whose states so many are done."""
    return lambda _, part, __: tell(name, done + part, states)


def _refuse_large(game: Game, course: Course, memory: int | None) -> None:
    stage, states, needed = course.largest()
    if memory is not None and needed > memory:
        raise TooManyStatesError(
            f"{game.ruleset.id} has {course.states:,} positions in {len(course.order)} stages. Stage {stage} has "
            f"{states:,} of them and needs about {needed / 1e6:,.0f} MB, more than the {memory / 1e6:,.0f} MB that it may have"
        )
