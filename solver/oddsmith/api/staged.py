"""Games that are solved stage by stage, as objects that answer questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from oddsmith.api.solved import SolvedGame
from oddsmith.base.arrays import Ints
from oddsmith.base.dataframes import html_heading, html_list
from oddsmith.base.errors import MeasureError, PositionError
from oddsmith.base.exact import Number, plural
from oddsmith.base.executors import Resources, Work
from oddsmith.base.progress import Progress
from oddsmith.graph import Explorer
from oddsmith.ruleset import Game, State
from oddsmith.solve import objective_name
from oddsmith.solve.staged import find_stages

if TYPE_CHECKING:
    from oddsmith.api.notebooks import Actions
    from oddsmith.report.answers import Store
    from oddsmith.report.policy import Outline
    from oddsmith.solve import Solution
    from oddsmith.solve.questions import BestPlay
    from oddsmith.solve.staged import Effort, Staged


MAX_TOGETHER = 200_000  # positions that one outline or table of thresholds covers


@dataclass(frozen=True, eq=False, repr=False)
class StagedGame(SolvedGame):
    """A game that was solved stage by stage. ``LoadedRuleset.solve`` returns it for a game that does not fit in memory.

    Answers to questions about best play take about as long as solving, and are computed only when they are needed.
    ``staged``: the result of the solver.
    """

    staged: Staged
    method: Literal["graph", "stages", "secrets"] = "stages"

    def _repr_html_(self) -> str:
        rules = self.game.ruleset
        lines = [f"{rules.seat_name(seat)}: {value.decimal(6)}" for seat, value in enumerate(self.values)]
        return f"{html_heading(self.game.ruleset.title)}{html_list([*lines, self.size_in_words])}"

    # --- what was solved

    @property
    def _solver_result(self) -> Staged:
        return self.staged

    @property
    def _position_lookup(self) -> Staged:
        return self.staged

    @property
    def objective(self) -> str:
        """The name of the payoff that is optimized."""
        return self.staged.objective

    @property
    def state_count(self) -> int:
        """The number of positions."""
        return self.staged.state_count

    @property
    def undecided_count(self) -> int:
        """The number of positions in which the bounds do not decide which of the two best actions is better."""
        return self.staged.undecided_count

    @property
    def mean_turns(self) -> Number:
        """The mean number of turns of the game."""
        return self.staged.mean_turns

    @property
    def size_in_words(self) -> str:
        """The size in words: the number of positions, the number of stages, and how the stages are defined."""
        stages = plural(len(self.staged.summaries), "stage")
        return f"{plural(self.state_count, 'position')} in {stages} ({self.staged.stages_in_words})"

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user."""
        from oddsmith.report.facts import play_kind_words

        notes = [play_kind_words(self).sentence] if self.can_be_stalled else []
        if self.staged.mixed_count:
            where = f"in {plural(self.staged.mixed_count, 'position')}"
            mixes = "the player to move decides by chance between several actions"
            notes.append(f"{where} {mixes}; --table says with what chances")
        if self.undecided_count:
            notes.append("more --digits tell such actions apart, unless they are equal")
        return tuple(notes)

    # --- what it is worth

    def values_at(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> tuple[Number, ...]:
        """Return the value of a position to every seat, the player to move first."""
        return self.staged.partial_solution([self.position(position, **variables).state]).state_values(0)

    def answer_questions(self, progress: Progress | None = None) -> dict[str, Number | MeasureError]:
        """Return the answers to the questions that the ruleset asks, by their names; a question without an answer has
        the error that says why.
        """
        from oddsmith.solve.staged import answer_ruleset_questions

        return answer_ruleset_questions(self.staged, progress)

    @contextmanager
    def _best_play(self, progress: Progress | None, jobs: int, cluster: Any) -> Iterator[BestPlay]:
        """Yield best play as the object that answers questions about distributions.

        It holds all reachable positions in memory, unless the game was solved turn by turn, such as Yahtzee.
        """
        from oddsmith.api.workers import open_workers
        from oddsmith.solve.staged import best_play

        with open_workers(jobs, cluster) as share:
            yield best_play(self.staged, progress, share)

    # --- what to do

    def advise(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Actions:
        """Return every action of a position, the best first, with its value and its loss."""
        from oddsmith.api.notebooks import Actions

        return Actions(self.staged.advise(self.position(position, **variables).state))

    def mixture(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> dict[str, Number]:
        """Return the actions that the policy mixes in a position, each with its chance; empty if it takes a single
        action.
        """
        return self.staged.action_probabilities(self.position(position, **variables).state)

    def policy_action(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> str:
        """Return the name of the action that the policy takes in a position; the likeliest if it mixes several."""
        state = self.position(position, **variables).state
        graph = self.staged.partial_solution([state]).graph
        return graph.action_name(int(graph.state_rows[0]) + self.staged.sampled_action_indices([state], [0.0])[0])

    def sampled_action_index(self, state: State, random_number: float) -> int:
        """Return the index of the action that the policy takes in a state, among the actions of that state."""
        return self.staged.sampled_action_indices([state], [random_number])[0]

    def sampled_action_indices(self, states: Sequence[State], random_numbers: Sequence[float]) -> list[int]:
        """Return ``sampled_action_index`` of many states, in their order. The states are computed together."""
        return self.staged.sampled_action_indices(states, random_numbers)

    def outline(self, rules: bool | None = None, where: str = "") -> Outline:  # noqa: ARG002 - rules take all positions
        """Return a description of best play in each choice, in the positions that fulfil the condition ``where``."""
        from oddsmith.report.policy import outline_of_solution

        return outline_of_solution(self._solution_with_states_where(where), with_rules=False)

    def _solution_with_states_where(self, where: str) -> Solution:
        """Return a solution that contains only the positions that fulfil the condition ``where``. Raises PositionError
        if there are none or too many.
        """
        found, count = list[Ints](), 0
        for keys in self._position_key_batches(where, None):
            found.append(keys)
            count += keys.shape[1]
            if count > MAX_TOGETHER:
                raise PositionError(
                    f"there are over {MAX_TOGETHER:,} such positions: name more that they have in common"
                )
        return self.staged.partial_solution_of_keys(np.concatenate(found, axis=1))

    def _position_key_batches(self, where: str, progress: Progress | None) -> Iterator[Ints]:
        """Yield the keys of the positions that fulfil the condition ``where``, in batches of shape (words, positions).
        Raises PositionError if there are none.
        """
        from oddsmith.api.positions import parse_position_filter, position_filter_mask

        staged, codec = self.staged, self.staged.explorer.codec
        fixed = parse_position_filter(staged, where)
        sizes = {stage: each.states for stage, each in staged.summaries.items()}
        held = {cell: codec.encode_value(cell, value) for cell, value in fixed.value_by_cell.items()}
        before, found = 0, False
        for stage in reversed(staged.schedule.order):
            done = before
            for keys in staged.schedule.key_batches(stage, held):
                fitting = keys[:, position_filter_mask(codec, keys, fixed)]
                if fitting.shape[1]:
                    found = True
                    yield fitting
                done += keys.shape[1]
                if progress:
                    progress("writing", done, self.state_count)
            before += sizes[stage]
            staged.schedule.records.drop(stage)
        if not found:
            raise PositionError(f"play never comes to a position with {where}")

    # --- as tables and files

    def write_table(self, file: str | Path, where: str = "", digits: int = 12, progress: Progress | None = None) -> int:
        """Write positions, actions and values as CSV, stage by stage in the order of play. Return the number of lines."""
        from oddsmith.base.files import write_file_parts
        from oddsmith.report.export import csv_bytes_in_parts

        lines = 0

        def parts_while_counting_them() -> Iterator[Solution]:
            nonlocal lines
            for part in map(self.staged.partial_solution_of_keys, self._position_key_batches(where, progress)):
                lines += part.graph.state_count
                yield part

        write_file_parts(Path(file), csv_bytes_in_parts(parts_while_counting_them(), digits))
        return lines

    def to_json(self, digits: int = 12, answers: Mapping[str, Number | MeasureError] | None = None) -> dict[str, Any]:
        """Return the result as plain data for JSON, with the same structure as for a game that was solved as one graph.

        ``answers``: the answers to the ruleset's questions by their names, if they were computed.
        """
        return self.staged.to_json(self.notes, self._measures_json(answers or {}, digits), digits)

    def _certificate_parts(self, compressed: bool, progress: Progress | None) -> Iterator[bytes]:
        from oddsmith.report.export import staged_certificate

        yield from staged_certificate(self.staged, compressed, progress)


@dataclass(frozen=True)
class StagedSolver:
    """A game that is to be solved stage by stage. The fields are as the parameters of ``LoadedRuleset.solve``."""

    game: Game
    objective: str
    digits: int | None
    work: Work
    progress: Progress | None

    @property
    def has_stages(self) -> bool:
        """Whether some quantity of positions only grows or only falls during play, and the game therefore has stages."""
        return find_stages(self._explorer.codec) is not None

    def solve(self, reason: str) -> StagedGame:
        """Solve the game, or read its solution from the store if it is stored there with enough digits. ``reason``: the
        reason for solving by stages, which is passed to ``work.before_stages``.
        """
        from oddsmith.api.workers import open_workers

        self._explorer.refuse_too_large(staged=True)  # before what solves is loaded
        from oddsmith.solve.staged import DIGITS, load_by_stages, solve_by_stages

        shelf, begin, digits = (
            self._answer_store,
            self.work.before_stages,
            DIGITS if self.digits is None else self.digits,
        )
        if shelf is not None:
            kept = load_by_stages(self.game, self.objective, shelf)
            if kept is not None and kept.digits >= digits:
                return StagedGame(kept)
        announce = (lambda effort: begin(reason, effort)) if begin else None
        with open_workers(self.work.jobs, self.work.cluster) as share:
            found = solve_by_stages(
                self.game,
                self.objective,
                self.progress,
                digits=digits,
                store=shelf,
                resources=Resources(self.work.memory, share),
                before_solving=announce,
            )
        return StagedGame(found)

    def effort(self) -> Effort:
        """Return how much time and memory it takes to solve the game, without solving it."""
        from oddsmith.api.workers import open_workers

        self._explorer.refuse_too_large(staged=True)
        from oddsmith.solve.staged import DIGITS, effort_by_stages

        digits = DIGITS if self.digits is None else self.digits
        with open_workers(self.work.jobs, self.work.cluster) as share:
            return effort_by_stages(
                self.game,
                self.objective,
                self.progress,
                digits=digits,
                store=self._answer_store,
                resources=Resources(self.work.memory, share),
            )

    @property
    def _explorer(self) -> Explorer:
        return Explorer(self.game, objective_name(self.game, self.objective))

    @property
    def _answer_store(self) -> Store | None:
        from oddsmith.api.site import open_answer_store

        return open_answer_store(Path(self.work.store)) if self.work.store else None


@dataclass(frozen=True)
class _UnsolvedLookup:
    """A stand-in for a solution before the game is solved: every state counts as found. It serves to check the names in
    a position.
    """

    game: Game
    cells_counted_as_payoff: frozenset[int]

    def state_index(self, state: State) -> int:  # noqa: ARG002 - nothing is known yet
        """Return 0 for any state."""
        return 0


def refuse_unknown_names(
    game: Game,
    objective: str | None,
    position_text: str | None,
    where: str,
    distributions: Sequence[str],
    certificate_digits: int | None,
) -> None:
    """Raise an error if questions to a solved game contain an unknown name. This is checked before hours are spent on
    solving.

    ``position_text``: the text of a position. ``where``: a condition on positions. Whether play reaches such positions
    is known only after solving. ``certificate_digits``: the decimal digits of the values that a certificate is to
    prove, None for no certificate. Raises ObjectiveError, PositionError, DistributionError, UncertifiableError.
    """
    from oddsmith.api.asking import parse_distribution_question
    from oddsmith.api.positions import parse_position, parse_position_filter

    if certificate_digits is not None:
        from oddsmith.report.export import refuse_few_digits

        refuse_few_digits(certificate_digits)
    objective = objective_name(game, objective)
    if position_text is not None or where:
        unsolved = _UnsolvedLookup(game, Explorer(game, objective).codec.carried)
        if position_text is not None:
            parse_position(unsolved, position_text)
        parse_position_filter(unsolved, where)
    for text in distributions:
        from oddsmith.solve.questions import refuse_unknown_quantity

        refuse_unknown_quantity(game, objective, *parse_distribution_question(text))
