"""Solving a game by stages in backward induction: each stage is solved, stored and dropped from memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from oddsmith.base.arrays import Ints, arange
from oddsmith.base.errors import PositionError, SolveError, TooManyStatesError
from oddsmith.base.exact import Grade, Number, plural
from oddsmith.base.executors import Resources
from oddsmith.base.progress import Progress, TimeLeftEstimator, ignore_progress
from oddsmith.base.systems import size_text
from oddsmith.graph import Explorer
from oddsmith.ruleset import Game, State, sha256
from oddsmith.solve.game_solver import objective_name
from oddsmith.solve.solution import Advice, PlayKind, Solution, loss_of, setting_json
from oddsmith.solve.staged.by_component import StageSolver
from oddsmith.solve.staged.by_turn import (
    CyclicLayerSolver,
    LayerSolver,
    UndeterminedValues,
    explore_cyclic_turn_starts,
    explore_turn_starts,
)
from oddsmith.solve.staged.find import StageMap, find_stages
from oddsmith.solve.staged.forward import EXPLORING, constant_payoff_sum, explore_stages, remaining_sum_is_constant
from oddsmith.solve.staged.store import BlobStore, ColumnFile, Schedule, StageRecords, StageSummary
from oddsmith.solve.staged.turn import find_turn_graph
from oddsmith.solve.values.arena_solver import SolvedArena
from oddsmith.solve.values.fractions import ExactValues

DIGITS = 12
VERSION = 15  # of what is kept
WAY, SOLVED, UNSETTLED = "the way", "all is solved", "position by position"  # notes beside the stages


@dataclass(frozen=True)
class Effort:
    """An estimate of the effort of solving a game by stages, made after its positions are found.

    ``seats``: the number of seats; ``objective``: the payoff to optimize; ``state_count``, ``stage_count``: the numbers
    of positions and of stages; ``stages_in_words``: the kind of stages, in words. ``largest_stage``: the stage that
    needs the most memory, with ``largest_stage_state_count`` positions. ``memory_bytes``: the bytes that solving needs;
    ``seconds``: the time that it takes.
    """

    seats: int
    objective: str
    state_count: int
    stage_count: int
    stages_in_words: str
    largest_stage: int
    largest_stage_state_count: int
    memory_bytes: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.state_count:,} positions in {plural(self.stage_count, 'stage')}. Stage {self.largest_stage} has "
            f"{self.largest_stage_state_count:,} of them, and with it solving needs about {size_text(self.memory_bytes)}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the estimate as plain data for JSON."""
        return {
            "seats": self.seats,
            "objective": self.objective,
            "states": self.state_count,
            "stages": self.stage_count,
            "how": self.stages_in_words,
            "largest": self.largest_stage,
            "largest_states": self.largest_stage_state_count,
            "memory": self.memory_bytes,
            "seconds": self.seconds,
        }


@dataclass
class Staged:
    """A game solved by stages. The values are proven, and the solved stages are stored.

    ``objective``: the payoff that is optimized; ``kind``: the kind of the solution; ``values``: the value of the game
    for each seat. ``mean_turns``: the expected number of turns. ``stages_in_words``: the kind of stages, in words.
    ``summaries``: the summary of each stage, by stage number, in the order of solving. ``explorer``: finds the
    successors of states; ``schedule``: looks up solved stages.
    """

    game: Game
    objective: str
    kind: PlayKind
    values: tuple[Number, ...]
    mean_turns: Number
    stages_in_words: str
    summaries: Mapping[int, StageSummary]
    explorer: Explorer = field(repr=False)
    schedule: Schedule = field(repr=False)

    @property
    def state_count(self) -> int:
        """The number of states."""
        return sum(each.states for each in self.summaries.values())

    @property
    def digits(self) -> int:
        """The number of decimal digits for which the game was solved."""
        return self.schedule.records.digits

    @property
    def undecided_count(self) -> int:
        """The number of states in which the proven bounds do not tell the best two actions apart."""
        return sum(each.undecided for each in self.summaries.values())

    @property
    def mixed_count(self) -> int:
        """The number of states in which the mover mixes actions."""
        return sum(each.mixed for each in self.summaries.values())

    @property
    def can_be_stalled(self) -> bool:
        """Whether, in a game of two players with a constant sum, one player could keep play from ending while the other
        plays this policy.
        """
        return any(each.waiting for each in self.summaries.values())

    @property
    def grade(self) -> Grade:
        """``exact`` if the exact fraction of every value is known, else ``proven``: each value lies between two known
        fractions.
        """
        return "exact" if all(value.exact is not None for value in self.values) else "proven"

    def to_json(
        self, notes: Sequence[str], measures: Sequence[Mapping[str, Any]], digits: int = DIGITS
    ) -> dict[str, Any]:
        """Return the result as plain data for JSON, in the same shape as for a game that is solved as a single graph.

        ``notes``: sentences for people. ``measures``: the answers to the ruleset's questions as plain data. ``digits``:
        the number of decimal digits to write.
        """
        stages = [{"stage": stage, **each._asdict()} for stage, each in self.summaries.items()]
        return {
            "ruleset": setting_json(self.game),
            "objective": self.objective,
            "grade": self.grade,
            "graph": {"states": self.state_count},
            "values": [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(self.values, 1)],
            "turns": self.mean_turns.to_json(digits),
            "measures": list(measures),
            "policy": {
                "kind": self.kind,
                "proved": not self.undecided_count,
                "undecided": self.undecided_count,
                "mixed": self.mixed_count,
                "notes": list(notes),
            },
            "solved_by": "stages",
            "stages_by": self.stages_in_words,
            "stages": stages,
        }

    @property
    def cells_counted_as_payoff(self) -> frozenset[int]:
        """The cells that are not part of any state, because their amounts are counted as payoffs."""
        return self.explorer.codec.carried

    def state_index(self, state: State) -> int | None:
        """Return the number of a state in its stage; None if the state is not reachable.

        The state may be given from the point of view of any seat.
        """
        key = self._key(state)
        return None if key is None else self.schedule.state_number_in_stage(key)

    def advise(self, state: State, /) -> list[Advice]:
        """Return one ``Advice`` for every action of a position, computed from the values of its successors, the best
        action first.

        All actions that tie for the best are marked as best. Raises PositionError, StagesNotStoredError.
        """
        neighbourhood = self.schedule.neighbourhood(self._reachable_key(state))
        graph, taken = neighbourhood.graph, int(neighbourhood.policy_rows[0])
        rows = arange(graph.state_rows[1])
        worth = neighbourhood.bounds.row_numbers(rows, rows * 0)
        advices, mixed = [], set(neighbourhood.mixtures[0].rows) if neighbourhood.mixtures else set()
        for row, value in enumerate(worth):
            loss = loss_of(worth[taken], value, neighbourhood.bounds.arena.objective_sign)
            tied = (
                row == taken
                or row in mixed
                or loss.upper == 0
                or (not neighbourhood.undecided_states and loss.lower == 0)
            )
            advices.append(Advice(row, graph.action_name(row), value, Number.of(0) if tied else loss, tied))
        return sorted(advices, key=lambda advice: (not advice.best, advice.loss.middle, advice.row))

    def partial_solution(self, states: Sequence[State]) -> Solution:
        """Return a solution of the given positions alone. Its graph has their successors as further positions.

        Raises PositionError, StagesNotStoredError.
        """
        keys = [
            key
            for state in states
            if (key := self._key(state)) is not None and self.schedule.state_number_in_stage(key) is not None
        ]
        if len(keys) < len(states):
            raise PositionError("play never comes to this state")
        return self.partial_solution_of_keys(np.unique(np.concatenate(keys, axis=1), axis=1))

    def partial_solution_of_keys(self, keys: Ints) -> Solution:
        """Return a solution of distinct reachable positions alone, given by their keys of shape (words, states)."""
        neighbourhood = self.schedule.neighbourhood(keys)
        arena = neighbourhood.bounds.arena
        exact = ExactValues(arena, neighbourhood.policy_rows, neighbourhood.bounds)
        exact.fraction_unavailable[:] = True  # what bounds do not give away rests on later stages
        undecided, mixtures = sorted(neighbourhood.undecided_states), dict(neighbourhood.mixtures)
        solved = SolvedArena(
            arena, neighbourhood.policy_rows, neighbourhood.bounds, exact, undecided_states=undecided, mixtures=mixtures
        )
        return Solution(neighbourhood.graph, solved, self.kind, start_count=neighbourhood.graph.state_count)

    def sampled_action_indices(self, states: Sequence[State], random_numbers: Sequence[float]) -> list[int]:
        """Return the index of the action that the policy takes in each of the given reachable positions.

        ``random_numbers``: for each position a number in 0..1 that selects the action if the mover mixes several.
        Raises StagesNotStoredError.
        """
        keys = [key for state in states if (key := self._key(state)) is not None]
        assert len(keys) == len(states)
        different, which = np.unique(np.concatenate(keys, axis=1), axis=1, return_inverse=True)
        which = which.reshape(-1)
        places: list[int] = self.schedule.action_indices(different)[which].tolist()
        for place, mixture in self.schedule.mixtures(different).items():
            for state in np.flatnonzero(which == place).tolist():
                places[state] = mixture.row_at_quantile(random_numbers[state])
        return places

    def action_probabilities(self, state: State, /) -> dict[str, Number]:
        """Return the mixed action of a position: the probability of each action by name; empty if the mover does not
        mix.

        Raises PositionError, StagesNotStoredError.
        """
        neighbourhood = self.schedule.neighbourhood(self._reachable_key(state))
        mixture = neighbourhood.mixtures.get(0)
        return (
            {neighbourhood.graph.action_name(row): chance for row, chance in mixture.row_probabilities.items()}
            if mixture
            else {}
        )

    def _reachable_key(self, state: State) -> Ints:
        """Return the key of a reachable state, shape (words, 1). Raises PositionError for any other state."""
        key = self._key(state)
        if key is None or self.schedule.state_number_in_stage(key) is None:
            raise PositionError("play never comes to this state")
        return key

    def _key(self, state: State) -> Ints | None:
        """Return the key of a state given from any seat's point of view, shape (words, 1); None if no key encodes it."""
        codec = self.explorer.codec
        key = codec.key(codec.canonical_state(state))
        return None if key is None else key.reshape(-1, 1)


def solve_by_stages(
    game: Game,
    objective: str | None = None,
    progress: Progress | None = None,
    *,
    digits: int = DIGITS,
    store: BlobStore | None = None,
    resources: Resources = Resources(),
    before_solving: Callable[[Effort], None] | None = None,
) -> Staged:
    """Solve a game stage by stage.

    ``digits``: the number of decimal digits that the values should have. ``store``: keeps solved stages; a stage that
    is in the store is not solved again. If the store has all stages to more digits, the values have those digits.
    ``resources``: the memory that solving may use, where a game that needs more is refused as soon as that is known;
    and the executor that distributes the work, by parts of a stage or by sheets (positions in which a turn begins).
    ``before_solving`` is called with the estimated effort before solving begins.

    Raises SolveError if the rules have no stages, or if a stage has no equilibrium in which all seats play alike;
    TooManyStatesError if a stage needs more memory; and PlayError if a rule fails.
    """
    objective, progress = objective_name(game, objective), progress or ignore_progress
    records = _stage_records(game, objective, digits, store)

    def solve(stage_records: StageRecords) -> Staged:
        explorer = Explorer(game, objective)
        schedule = _kind_and_schedule(explorer, stage_records, progress, resources)
        return _solve_schedule(explorer, schedule, stage_records, progress, resources, before_solving)

    try:
        return solve(records)
    except UndeterminedValues:
        return solve(_records_to_solve_by_position(records))


def _solve_schedule(
    explorer: Explorer,
    kind_and_schedule: tuple[PlayKind, Schedule],
    records: StageRecords,
    progress: Progress,
    resources: Resources,
    before_solving: Callable[[Effort], None] | None = None,
) -> Staged:
    game, (kind, schedule), memory = explorer.game, kind_and_schedule, resources.memory
    clock = _new_clock(schedule)
    effort = _effort(game, explorer.objective, schedule, clock)
    progress(f"solving needs about {size_text(effort.memory_bytes)}, {clock.time_left_text(0)}", 0, schedule.states)
    if memory is not None and effort.memory_bytes > memory:
        raise TooManyStatesError(f"{game.ruleset.id} has {effort}, more than the {size_text(memory)} that it may have")
    if before_solving is not None:
        before_solving(effort)
    summaries, done = dict[int, StageSummary](), 0
    with threadpool_limits(1):
        for place, stage in enumerate(schedule.order, 1):
            name, work = f"stage {place} of {len(schedule.order)}", schedule.transition_count_of_stage(stage)
            record, began = records.get(stage), perf_counter()
            if record is None:
                record = schedule.solve(stage, _progress_of_stage(progress, name, done, schedule.states, clock, work))
                records.put(stage, record)
                clock.record_stage(work, perf_counter() - began)
            else:  # processes that shared it took their seconds side by side
                clock.record_stage(work, record.summary.seconds / resources.executor.jobs)
            done += record.summary.states
            summaries[stage] = record.summary
            progress(f"{name}, {clock.time_left_text(0)}", done, schedule.states)
    records.store_columns(SOLVED, ColumnFile({"digits": records.digits, "told": list(summaries.items())}, {}))
    return _staged_solution(explorer, kind, schedule, summaries)


def solve_by_turns(game: Game, objective: str, store: BlobStore | None, max_seconds: float) -> Staged | None:
    """Solve a game turn by turn. ``store``: as in ``solve_by_stages``.

    Returns None if the game has no stages, if its turns are not the same on every sheet, if solving takes more than
    ``max_seconds`` by an estimate, or if solving by turns does not determine the values. Raises SolveError, PlayError.
    """
    records, explorer = _stage_records(game, objective, DIGITS, store), Explorer(game, objective)
    stages = find_stages(explorer.codec)
    if stages is None:
        return None
    stored = records.stored_columns(WAY)
    if stored is not None:
        way: tuple[PlayKind, Schedule] | None = _stored_schedule(explorer, stages, stored, records, Resources())
    else:
        way = _turn_schedule(explorer, stages, records, ignore_progress, Resources())
    if way is None or not isinstance(way[1], LayerSolver) or way[1].estimated_seconds > max_seconds:
        return None
    if stored is None:
        _store_schedule(records, way)
    try:
        return _solve_schedule(explorer, way, records, ignore_progress, Resources())
    except UndeterminedValues:
        return None


def effort_by_stages(
    game: Game,
    objective: str | None = None,
    progress: Progress | None = None,
    *,
    digits: int = DIGITS,
    store: BlobStore | None = None,
    resources: Resources = Resources(),
) -> Effort:
    """Estimate the effort of ``solve_by_stages`` after finding the positions. Raises the same errors."""
    objective = objective_name(game, objective)
    explorer, records = Explorer(game, objective), _stage_records(game, objective, digits, store)
    _, schedule = _kind_and_schedule(explorer, records, progress or ignore_progress, resources)
    return _effort(game, objective, schedule, _new_clock(schedule))


def _new_clock(schedule: Schedule) -> TimeLeftEstimator:
    return TimeLeftEstimator(sum(map(schedule.transition_count_of_stage, schedule.order)), schedule.estimated_seconds)


def _effort(game: Game, objective: str, schedule: Schedule, clock: TimeLeftEstimator) -> Effort:
    stage, states, needed = schedule.largest_stage_size_and_bytes()
    return Effort(
        game.seats,
        objective,
        schedule.states,
        len(schedule.order),
        schedule.stage_kind_text,
        stage,
        states,
        needed,
        clock.seconds_left(),
    )


def load_by_stages(game: Game, objective: str | None, store: BlobStore) -> Staged | None:
    """Return a solved game from a store that has all its stages, to the most digits stored; None if a stage is missing.

    Nothing is solved, and no stage is read before it is needed. Raises ObjectiveError, StagesNotStoredError.
    """
    objective = objective_name(game, objective)
    records = _stage_records(game, objective, 0, store)
    solved, stored = records.stored_columns(SOLVED), records.stored_columns(WAY)
    explorer = Explorer(game, objective)
    stages = find_stages(explorer.codec)
    if solved is None or stored is None or stages is None:
        return None
    kind, schedule = _stored_schedule(explorer, stages, stored, records, Resources())
    return _staged_solution(
        explorer, kind, schedule, {stage: StageSummary(*each) for stage, each in solved.metadata["told"]}
    )


def _staged_solution(
    explorer: Explorer, kind: PlayKind, schedule: Schedule, summaries: Mapping[int, StageSummary]
) -> Staged:
    game, first = explorer.game, explorer.rules.start().mover
    if any(each.mixed for each in summaries.values()):
        kind = "mixed"
    values, turns = (known.state_numbers(0) for known in schedule.values_and_remaining_turns(explorer.start_key))
    seats = tuple(values[(seat - first) % game.seats] for seat in range(game.seats))
    return Staged(
        game, explorer.objective, kind, seats, turns[0], schedule.stage_kind_text, summaries, explorer, schedule
    )


def _stage_records(game: Game, objective: str, digits: int, store: BlobStore | None) -> StageRecords:
    """Return the stage records of a game for ``digits`` decimal digits, or for more if the store has all stages to
    more.
    """
    title = f"{VERSION} {sha256(game.ruleset)} {game.seats} {objective} {dict(game.parameters)} {game.variants}"
    records = StageRecords(title, digits, store)
    if records.stored_columns(UNSETTLED) is not None:
        records = _records_to_solve_by_position(records)
    solved = records.stored_columns(SOLVED)
    if solved is not None:
        records.digits = max(digits, solved.metadata["digits"])
    return records


def _records_to_solve_by_position(records: StageRecords) -> StageRecords:
    """Return stage records for solving the same game position by position.

    Also note in the store that solving by turns does not determine its values.
    """
    records.store_columns(UNSETTLED, ColumnFile({}, {}))
    return StageRecords(f"{records.title} {UNSETTLED}", records.digits, records.store)


def _kind_and_schedule(
    explorer: Explorer, records: StageRecords, progress: Progress, resources: Resources
) -> tuple[PlayKind, Schedule]:
    """Return the kind of the solution and the schedule: the stored one, or else a new one, which is then stored.

    Raises SolveError.
    """
    stages = find_stages(explorer.codec)
    if stages is None:
        raise SolveError(
            f"{explorer.game.ruleset.id} has no stages when it is played for {explorer.objective}: nothing that a position "
            "holds only grows or only falls"
        )
    stored = records.stored_columns(WAY)
    if stored is not None:
        return _stored_schedule(explorer, stages, stored, records, resources)
    progress(explorer.estimate.progress_text, 0, 1)
    way = _new_schedule(explorer, stages, records, progress, resources)
    _store_schedule(records, way)
    return way


def _store_schedule(records: StageRecords, kind_and_schedule: tuple[PlayKind, Schedule]) -> None:
    kind, schedule = kind_and_schedule
    column_file = schedule.to_column_file()
    records.store_columns(WAY, ColumnFile(column_file.metadata | {"kind": kind}, column_file.columns))


def _stored_schedule(
    explorer: Explorer,
    stages: StageMap,
    stored: ColumnFile,
    records: StageRecords,
    resources: Resources,
) -> tuple[PlayKind, Schedule]:
    """Return the kind of the solution and the schedule from a stored column file."""
    kind: PlayKind = stored.metadata["kind"]
    if "sheets" in stored.columns:
        schedule = CyclicLayerSolver if "back" in stored.columns else LayerSolver
        return kind, schedule.from_column_file(explorer, stored, records, resources)
    return kind, StageSolver.from_column_file(explorer, stages, stored, kind, records, resources)


def _new_schedule(
    explorer: Explorer,
    stages: StageMap,
    records: StageRecords,
    progress: Progress,
    resources: Resources,
) -> tuple[PlayKind, Schedule]:
    """Return the kind of the solution and a new schedule, which solves turn by turn if that is possible."""
    seats, alone = explorer.game.seats, records.title.endswith(UNSETTLED)
    by_turns = None if alone else _turn_schedule(explorer, stages, records, progress, resources)
    if by_turns is not None:
        return by_turns
    found = explore_stages(explorer, stages, progress, resources.memory)
    kind: PlayKind = "optimal" if seats == 1 else "symmetric"
    if seats == 2 and (
        constant_payoff_sum(explorer, found.interim_payoff_indices, found.final_payoff_indices) is not None
        or remaining_sum_is_constant(explorer, stages, found)
    ):
        kind = "zero-sum"
    return kind, StageSolver(explorer, stages, found, kind, records, resources)


def _turn_schedule(
    explorer: Explorer,
    stages: StageMap,
    records: StageRecords,
    progress: Progress,
    resources: Resources,
) -> tuple[PlayKind, LayerSolver] | None:
    """Return the kind of the solution and a schedule of turns.

    Returns None if there are more than two seats, if turns are not the same on every sheet, or if the payoffs of two
    seats have no constant sum.
    """
    seats = explorer.game.seats
    turn = find_turn_graph(explorer, frozenset(stages.direction_by_variable)) if seats < 3 else None
    if turn is None:
        return None
    sheets = explore_turn_starts(turn, progress, resources.executor)
    if sheets and (
        seats == 1
        or constant_payoff_sum(explorer, sheets.interim_payoff_indices, sheets.final_payoff_indices) is not None
    ):
        return "optimal" if seats == 1 else "zero-sum", LayerSolver(turn, sheets, records, resources)
    returning = explore_cyclic_turn_starts(turn, stages, progress) if seats == 2 else None
    if (
        returning
        and constant_payoff_sum(explorer, returning.interim_payoff_indices, returning.final_payoff_indices) is not None
    ):
        return "zero-sum", CyclicLayerSolver(turn, returning, records, resources)
    return None


def _progress_of_stage(
    progress: Progress, stage_text: str, states_done: int, state_count: int, clock: TimeLeftEstimator, stage_work: int
) -> Progress:
    """Return a progress callback for one stage that reports to the progress of the whole game.

    ``stage_text``: the stage in words. ``states_done`` of the ``state_count`` of the game belong to stages that were
    finished before. ``stage_work``: the work of the stage, for the ``clock``.
    """

    def report_part(activity: str, done_in_stage: int, total: int) -> None:
        if activity == EXPLORING:  # all stages again
            progress(activity, done_in_stage, total)
        else:
            # What a stage leads to may count as solved there.
            progress(
                f"{stage_text}, {clock.time_left_text(stage_work * min(done_in_stage / max(total, 1), 1))}",
                min(states_done + done_in_stage, state_count),
                state_count,
            )

    return report_part
