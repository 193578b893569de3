"""Solved games, as objects that answer questions about values, best actions, distributions, lengths, formulas, proofs
and files.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.api.asking import parse_distribution_question
from oddsmith.api.contests import ContestQuestions
from oddsmith.api.exporting import export_format_of_file, export_solution
from oddsmith.api.notebooks import Actions, Chances, Values
from oddsmith.base.errors import MeasureError, PositionError, WholeGraphError
from oddsmith.base.exact import DIGITS, Grade, Number, plural, short_repr

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from oddsmith.api.positions import Position, PositionLookup
    from oddsmith.base.progress import Progress
    from oddsmith.graph import StateGraph
    from oddsmith.report.facts import BreakEven, CheatValue
    from oddsmith.report.policy import DecisionLists, Outline
    from oddsmith.ruleset import Game, State
    from oddsmith.solve import PlayKind, Solution
    from oddsmith.solve.extensive import SecretSolution
    from oddsmith.solve.questions import BestPlay, Horizon
    from oddsmith.solve.staged import Staged


AS_ASKED = "as asked"  # why a game is solved by stages


@dataclass(frozen=True)
class PositionAdvice:
    """Advice on a position. ``words``: the position in one line of text. ``variables``: the position as plain data.

    ``actions``: all actions, the best first. ``action_probabilities``: the actions that the policy mixes, each with its
    chance; empty if the policy takes a single action. A game with secrets has one exception: if several actions are
    best and the policy takes only one of them, ``action_probabilities`` has this action with chance 1. ``notes``:
    sentences for the user.
    """

    words: str
    variables: dict[str, Any]
    actions: Actions
    action_probabilities: dict[str, Number]
    notes: tuple[str, ...] = ()


class SolvedGame(ContestQuestions):
    """A game with its best play, as ``LoadedRuleset.solve`` returns it.

    A game that fits in memory is solved as one graph, a larger game stage by stage; both answer the same questions.
    Methods that need all positions at once raise WholeGraphError if the game was solved by stages. A game with secrets
    is solved as an extensive form; its methods about positions that all seats see raise SecretsError.

    Methods accept a position as text in the syntax of the command line (``"hoard=60,stash=20"``), as a mapping from the
    same names, or as keyword arguments. Variables that are left out have their start values. Seat 1 is the player to
    move, so ``purse[1]`` is the purse of that player.

    >>> piglet = oddsmith.load("piglet").solve()
    >>> piglet
    SolvedGame(Piglet, 2 seats, win 4/7, 3/7 (exact))
    """

    method: Literal["graph", "stages", "secrets"]
    """How the game was solved: as one graph in memory, stage by stage, or as an extensive form with secrets."""

    @staticmethod
    def of(solution: Solution) -> SolvedGame:
        """Return a solved game for a solution that is in memory."""
        return _GraphGame(solution)

    def __repr__(self) -> str:
        values = ", ".join(value.brief for value in self.values)
        title, seats = self.game.ruleset.title, plural(self.game.seats, "seat")
        words = f"{title[:30]}, {seats}, {self.objective} {values} ({self.grade})"
        return short_repr(self, words).replace(type(self).__name__, "SolvedGame", 1)

    @abstractmethod
    def _repr_html_(self) -> str:
        """Return the game as HTML for a notebook."""

    # --- what was solved

    @property
    @abstractmethod
    def _solver_result(self) -> Solution | Staged | SecretSolution:
        """The result of the solver. Its type depends on ``method``."""

    @property
    def _position_lookup(self) -> PositionLookup:
        """The solution in which positions are looked up. Raises SecretsError for a game with secrets, in which a
        decision depends on what the seat has seen.
        """
        return self.solution

    @property
    def solution(self) -> Solution:
        """The solution with its arrays. Raises WholeGraphError."""
        raise WholeGraphError(self.game.ruleset.id)

    @property
    def graph(self) -> StateGraph:
        """Every state and transition, in arrays. ``graph.to_networkx()`` converts the graph for networkx. Raises
        WholeGraphError.
        """
        return self.solution.graph

    @property
    def game(self) -> Game:
        """The game that was solved: the ruleset at one setting."""
        return self._solver_result.game

    @property
    @abstractmethod
    def objective(self) -> str:
        """The name of the payoff that is optimized."""

    @property
    def kind(self) -> PlayKind:
        """The kind of best play: ``optimal``, ``zero-sum``, ``symmetric``, ``pure-by-seat``, ``mixed`` or ``named``."""
        return self._solver_result.kind

    @property
    @abstractmethod
    def state_count(self) -> int:
        """The number of positions."""

    @property
    @abstractmethod
    def undecided_count(self) -> int:
        """The number of positions in which the bounds do not decide which of the two best actions is better."""

    @property
    def can_be_stalled(self) -> bool:
        """Whether, in a constant-sum game of two players, one player could make the game endless while the other plays
        the policy of this solution.
        """
        return self._solver_result.can_be_stalled

    @property
    def grade(self) -> Grade:
        """``exact`` if every value is a known fraction, else ``proven``: every value is enclosed by two fractions."""
        return "exact" if all(value.exact is not None for value in self.values) else "proven"

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user, for example about a state that has no pure equilibrium."""

    # --- what it is worth

    @property
    def values(self) -> Values:
        """The value of the game to each seat, seat 1 first, in the unit of the objective."""
        from oddsmith.report.facts import Unit

        rules = self.game.ruleset
        names = map(rules.seat_name, range(self.game.seats))
        return Values(self._solver_result.values, Unit.of(rules.payoffs[self.objective]), names)

    @abstractmethod
    def values_at(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> tuple[Number, ...]:
        """Return the value of a position to every seat, the player to move first. Raises PositionError.

        A value counts what is still to come. It leaves out what a seat holds already in a variable that only adds up
        its payoff; ``advice`` has a note on that.

        >>> piglet.values_at(row=1)
        (Number(5/7), Number(2/7))
        """

    @cached_property
    def _answers(self) -> dict[str, Number | MeasureError]:
        return self.answer_questions()

    @abstractmethod
    def answer_questions(self, progress: Progress | None = None) -> dict[str, Number | MeasureError]:
        """Answer the questions that the ruleset asks. Return the answers by the names of the questions; a question
        without an answer has the error that says why.
        """

    @property
    def measures(self) -> dict[str, Number]:
        """The answers to the questions that the ruleset asks, by their names. Chances are between 0 and 1.

        >>> race = oddsmith.load("column-race").at(shortest=1).solve(work=oddsmith.Work(method="stages"))
        >>> race.measures["Turns lost in a game"].decimal(10)
        '0.2979481898'
        """
        return {name: found for name, found in self._answers.items() if isinstance(found, Number)}

    @cached_property
    def means(self) -> dict[str, Number]:
        """The means of the numbers whose standard deviations the ruleset asks for, by the names of its questions."""
        return {}

    @property
    def unanswered(self) -> dict[str, str]:
        """The reasons why questions of the ruleset have no answer at this setting, by the names of the questions."""
        return {name: str(found) for name, found in self._answers.items() if isinstance(found, MeasureError)}

    def distribution(
        self,
        quantity: str,
        seat: int | None = None,
        given_entry: tuple[str, str] | None = None,
        progress: Progress | None = None,
        *,
        jobs: int = 1,
        cluster: Any = None,
    ) -> Chances:
        """Return the distribution of a number of the game, such as a payoff or the number of turns.

        ``quantity``: ``payoff`` or a payoff's name, ``win``, ``winner``, ``turns``, ``rolls`` or ``count PHASE/ENTRY``;
        as on the command line, ``seat N`` and ``given_entry PHASE/ENTRY`` may follow. The arguments ``seat`` (from 1)
        and ``given_entry`` (phase, entry) are equivalent to these. In a game that was solved by stages, the computation
        takes about as long as solving. ``jobs``: the number of processes that share the work; ``cluster``: a Dask
        cluster that shares it instead. Work can be shared only in a game that was solved turn by turn, such as Yahtzee.
        Raises DistributionError, MeasureError.

        >>> piglet.distribution("turns").at_most(2)
        Number(7/16)
        """
        from oddsmith.solve.questions import distribution

        name, its_seat, condition = parse_distribution_question(quantity)
        with self._best_play(progress, jobs, cluster) as plays:
            return Chances.of(distribution(plays, name, its_seat if seat is None else seat, given_entry or condition))

    @abstractmethod
    def _best_play(
        self, progress: Progress | None, jobs: int, cluster: Any
    ) -> AbstractContextManager[Solution | BestPlay]:
        """Return a context manager that yields best play, as the object that answers questions about distributions.

        ``jobs``, ``cluster``: as for ``distribution``.
        """

    def horizon(self, turns: int) -> Horizon:
        """Return the value to each seat if the game is stopped after ``turns`` turns. Raises HorizonError,
        WholeGraphError.

        ``policy_values`` of the result has the values under the policy of the unlimited game, and ``best_values`` the
        values under best play for this number of turns.
        """
        from oddsmith.solve.questions import horizon

        return horizon(self.solution, turns)

    def break_even(self) -> list[BreakEven]:
        """Return formulas for each choice between rolling and stopping: they say in which positions one more roll, and
        then a stop, is better than an immediate stop.

        Raises BreakEvenError, WholeGraphError.
        """
        from oddsmith.report.facts import break_even

        return break_even(self.graph)

    def cheats(self) -> tuple[CheatValue, ...]:
        """Return the value of each cheat that the ruleset describes: seat 1 plays best with it, and the other seats do
        not know of it.

        Raises MeasureError where seats mix actions, TooManyStatesError, WholeGraphError.
        """
        from oddsmith.report.facts import cheat_values

        return cheat_values(self.solution)

    # --- what to do

    def position(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Position:
        """Return the position that a text, a mapping, or variables by name describe, with its state.

        ``phase`` names a phase, which is necessary if several phases have a choice; ``mover`` names the seat to move,
        and ``out`` the seats that are out. Raises PositionError.
        """
        from oddsmith.api.positions import find_position

        return find_position(self._position_lookup, position, variables)

    @abstractmethod
    def advise(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Actions:
        """Return every action of a position, the best first, with its value to the player to move and its loss against
        the best action. Raises PositionError.

        In a game with secrets, the text of a position lists all that a player has seen, in the words that the command
        ``solve`` prints.

        >>> piglet.advise(row=1)
        [Advice(Toss again, 5/7, best), Advice(Bank, 3/5, loses 4/35)]
        >>> oddsmith.load("cups-and-coins").solve().advise("dice 1 1, Check, seat 2: Bet")
        [Advice(Fold, -1, best), Advice(Call, -17/6, loses 11/6)]
        """

    def advice(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> PositionAdvice:
        """Return the advice on a position: its actions, the chances of mixed actions, and notes.

        Raises PositionError.

        >>> piglet.advice(row=1).words
        'phase decide, row 1'
        """
        from oddsmith.api.positions import held_payoff_notes, seat_numbering_notes

        asked = self.position(position, **variables)
        notes = seat_numbering_notes(self.game, asked.variables)
        notes += held_payoff_notes(self._position_lookup, asked.variables)
        return PositionAdvice(asked.words, asked.variables, self.advise(asked.state), self.mixture(asked.state), notes)

    @abstractmethod
    def mixture(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> dict[str, Number]:
        """Return the actions that the policy mixes in a position, each with its chance; empty if it takes a single
        action. Raises PositionError.
        """

    @abstractmethod
    def policy_action(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> str:
        """Return the name of the action that the policy takes in a position; the likeliest if it mixes several. Raises
        PositionError.
        """

    @abstractmethod
    def sampled_action_index(self, state: State, random_number: float) -> int:
        """Return the index of the action that the policy takes in a state, among the actions of that state.
        ``random_number``: a random number in 0..1 that selects an action if several are mixed.
        """

    def sampled_action_indices(self, states: Sequence[State], random_numbers: Sequence[float]) -> list[int]:
        """Return ``sampled_action_index`` of many states, in their order. ``random_numbers``: the random number for
        each state.
        """
        return [self.sampled_action_index(state, chance) for state, chance in zip(states, random_numbers, strict=True)]

    @cached_property
    def policy(self) -> Policy:
        """Best play as a callable from a position to the name of an action."""
        return Policy(self)

    @abstractmethod
    def outline(self, rules: bool | None = None, where: str = "") -> Outline:
        """Return a description of best play in each choice: short rules and lists of decisions with their losses, and
        options that are never best.

        ``rules``: whether to look for short rules and lists; by default only if that takes a few seconds at most.
        ``where``: a condition such as ``score[1]=3`` that selects positions, whether best play reaches them or not; if
        it is given, there are no rules. Raises PositionError if no position or too many positions fulfil it.

        >>> piglet.outline().choices[0].unused
        (UnusedOption(option='Bank', is_best_elsewhere=False, is_forced=True),)
        """

    def short_list(self) -> DecisionLists:
        """Return a short list of decisions for every choice, and what seat 1 loses if it alone plays by the list.

        ``to_yaml`` writes it as a policy that a ruleset can name. Raises ShortListError if there is no list or if the
        search would take long, and WholeGraphError.

        >>> print(piglet.short_list().to_yaml("always on"), end="")
        policies:
          always on:
            decide:
              - {option: Toss again}
        """
        from oddsmith.report.policy import compare_rules, decision_lists, strategies_by_phase

        found = strategies_by_phase(self.solution)
        return decision_lists(self.solution, found, compare_rules(self.solution, found, with_all_kinds=False).rules)

    def thresholds(self, phase: str | None = None, table_type: str | None = None, where: str = "") -> Any:
        """Return a table of thresholds: a line for each case in which best play changes from one action to another
        once, at a value of a variable.

        The first columns are the variables on which the threshold depends. Then come ``below`` (the best action below
        the threshold), the variable that has the threshold (the threshold itself), and ``above`` (the best action from
        the threshold on). The table is empty if there are no thresholds. ``phase``: the phase, if several have
        thresholds. ``table_type``: as for ``table``. ``where``: as in ``outline``. Raises PositionError, ExportError.

        >>> oddsmith.load("rogues-gambit").at(seats=2, coins_each=6).solve().thresholds(table_type="records")
        [{'below': "Rogue's Gambit", 'stash': 8, 'above': "Thief's Escape"}]
        """
        from oddsmith.api.notebooks import threshold_table

        return threshold_table(self._solution_with_states_where(where), phase, table_type)

    @abstractmethod
    def _solution_with_states_where(self, where: str) -> Solution:
        """Return a solution that contains only the positions that fulfil the condition ``where``. Raises PositionError."""

    def plot(self, phase: str | None = None) -> Figure:
        """Draw the best options of a choice as a figure of matplotlib: a map, a curve of thresholds, or the share of
        each option.

        ``phase``: the phase of the choice, if there are several. Raises PositionError, WholeGraphError, and ExportError
        if matplotlib is not installed or if no picture can show the choice.

        >>> oddsmith.load("rogues-gambit").at(seats=2).solve().plot().axes[0].get_ylabel()
        'stash'
        """
        from oddsmith.api.figures import draw_best_play

        return draw_best_play(self.solution, phase)

    # --- as tables and files

    def table(self, table_type: str | None = None, digits: int = DIGITS) -> Any:
        """Return a table with a line for each state: its variables, the action, the value to every seat in order from
        the player to move, the next best action, and its loss.

        It is a pandas or polars ``DataFrame``, whichever is installed, else a list of records; ``table_type``
        (``pandas``, ``polars``, ``records``) selects one. The columns are as in the CSV export: fractions are text, and
        decimals have ``digits`` places. Raises ExportError, WholeGraphError.
        """
        from oddsmith.base.dataframes import make_table
        from oddsmith.report.export import StateTable

        table = StateTable(self.solution, digits)
        return make_table([column.name for column in table.columns], table.lines(), table_type)

    @abstractmethod
    def write_table(
        self, file: str | Path, where: str = "", digits: int = DIGITS, progress: Progress | None = None
    ) -> int:
        """Write positions, actions and values as CSV, with the columns of ``export``. Return the number of lines.

        Only a few thousand positions are in memory at a time. ``where``: a condition such as ``phase=decide, pot=12``
        that selects the positions to write. ``digits``: decimal places. Raises PositionError, UnwritableError.
        """

    @abstractmethod
    def to_json(self, digits: int = DIGITS) -> dict[str, Any]:
        """Return the result as plain data for JSON, as ``solve --json`` prints it: fractions are text.

        ``digits``: decimal places of the measures.
        """

    def _measures_json(
        self, answer_by_measure: Mapping[str, Number | MeasureError], digits: int
    ) -> list[dict[str, Any]]:
        asked = self.game.ruleset.measures
        means = {name: {"mean": mean.to_json(digits)} for name, mean in self.means.items()}
        return [
            {"name": name, "kind": asked[name].kind, **number.to_json(digits), **means.get(name, {})}
            for name, number in answer_by_measure.items()
            if isinstance(number, Number)
        ]

    def export(
        self,
        file_format: str | None = None,
        file: str | Path | None = None,
        digits: int = DIGITS,
        seat: int | None = None,
    ) -> bytes:
        """Return the game in a format of other programs: csv, json, parquet, drn, prism, graphml or dot.

        If ``file`` is given, the bytes are also written to it. ``write_table`` writes large tables piece by piece.

        ``file_format``: the format, by default the ending of the file's name. ``digits``: decimal places. ``seat``: in
        drn, the format of Storm, the seat (from 1) whose choices remain nondeterministic, 0 for none. Raises
        ExportError, SettingError, UnwritableError, WholeGraphError.
        """
        from oddsmith.base.files import write_named_file

        data = export_solution(self.solution, file_format or export_format_of_file(file), digits, seat)
        if file is not None:
            write_named_file(Path(file), data)
        return data

    def certificate(
        self, file: str | Path | None = None, packed: bool | None = None, progress: Progress | None = None
    ) -> bytes:
        """Return the proof of the values, which can be checked without the solver.

        If ``file`` is given, the bytes are also written to it; ``write_certificate`` does so without holding all bytes
        in memory. ``packed``: whether to compress with gzip, by default only if the file's name ends in ``.gz``.
        ``LoadedRuleset.certify`` checks a certificate. Raises UncertifiableError, UnwritableError.
        """
        from oddsmith.base.files import write_named_file

        data = b"".join(self._certificate_parts(_should_compress(file, packed), progress))
        if file is not None:
            write_named_file(Path(file), data)
        return data

    def write_certificate(self, file: str | Path, packed: bool | None = None, progress: Progress | None = None) -> int:
        """Write the certificate part by part. Return the number of bytes. Raises UncertifiableError, UnwritableError.

        A game that was solved by stages must have been solved to about 40 ``digits``.
        """
        from oddsmith.base.files import write_file_parts

        written = 0

        def parts_while_counting_them() -> Iterator[bytes]:
            nonlocal written
            for part in self._certificate_parts(_should_compress(file, packed), progress):
                written += len(part)
                yield part

        write_file_parts(Path(file), parts_while_counting_them())
        return written

    @abstractmethod
    def _certificate_parts(self, compressed: bool, progress: Progress | None) -> Iterator[bytes]:
        """Yield the bytes of the certificate in parts. ``compressed``: whether to compress with gzip."""


def _should_compress(file: str | Path | None, packed: bool | None) -> bool:
    return file is not None and Path(file).suffix == ".gz" if packed is None else packed


@dataclass(frozen=True, eq=False, repr=False)
class _GraphGame(SolvedGame):
    """A game that was solved as one graph in memory."""

    graph_solution: Solution
    method: Literal["graph", "stages", "secrets"] = "graph"

    def _repr_html_(self) -> str:
        from oddsmith.api.notebooks import solution_html

        return solution_html(self.graph_solution)

    @property
    def solution(self) -> Solution:
        """The solution."""
        return self.graph_solution

    @property
    def _solver_result(self) -> Solution:
        return self.graph_solution

    @property
    def objective(self) -> str:
        """The name of the payoff that is optimized."""
        return self.graph_solution.graph.objective

    @property
    def state_count(self) -> int:
        """The number of positions."""
        return self.graph_solution.graph.state_count

    @property
    def undecided_count(self) -> int:
        """The number of positions in which the bounds do not decide which of the two best actions is better."""
        return len(self.graph_solution.solved.undecided_states)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user."""
        return self.graph_solution.notes

    def values_at(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> tuple[Number, ...]:
        """Return the value of a position to every seat, the player to move first."""
        asked = self.position(position, **variables)
        return self.graph_solution.state_values(asked.state_index, asked.mover)

    def answer_questions(self, progress: Progress | None = None) -> dict[str, Number | MeasureError]:  # noqa: ARG002 - quick enough
        """Answer the questions that the ruleset asks. Return the answers or errors by the names of the questions."""
        from oddsmith.solve.questions import answer_question

        answers: dict[str, Number | MeasureError] = {}
        for name, question in self.game.ruleset.measures.items():
            try:
                answers[name] = answer_question(self.game, question, lambda: self.graph_solution)
            except MeasureError as error:
                answers[name] = error
        return answers

    @cached_property
    def means(self) -> dict[str, Number]:
        """The means of the numbers whose standard deviations the ruleset asks for, by the names of its questions."""
        from oddsmith.solve.questions import mean_of_quantity

        asked = self.game.ruleset.measures
        return {
            name: mean_of_quantity(asked[name], self.graph_solution)
            for name in self.measures
            if asked[name].kind == "spread"
        }

    def _best_play(self, progress: Progress | None, jobs: int, cluster: Any) -> AbstractContextManager[Solution]:  # noqa: ARG002 - there is nothing to share
        return nullcontext(self.graph_solution)

    def advise(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Actions:
        """Return every action of a position, the best first, with its value and its loss."""
        asked = self.position(position, **variables)
        return Actions(self.graph_solution.advise(asked.state_index, asked.mover))

    def mixture(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> dict[str, Number]:
        """Return the actions that the policy mixes in a position, each with its chance; empty if it takes a single
        action.
        """
        mixture = self.graph_solution.mixtures.get(self.position(position, **variables).state_index)
        if mixture is None:
            return {}
        return {self.graph.action_name(row): mixture.row_probabilities[row] for row in mixture.rows_by_probability}

    def policy_action(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> str:
        """Return the name of the action that the policy takes in a position; the likeliest if it mixes several."""
        from oddsmith.api.notebooks import policy_rows

        asked = self.position(position, **variables)
        return self.graph.action_name(policy_rows(self.graph_solution, asked.state_index, asked.mover)[0])

    def sampled_action_index(self, state: State, random_number: float) -> int:
        """Return the index of the action that the policy takes in a state, among the actions of that state."""
        number = self.graph_solution.state_index(state)
        assert number is not None, "play comes to no other states"
        return self.graph_solution.sampled_row(number, state.mover, random_number) - int(self.graph.state_rows[number])

    def outline(self, rules: bool | None = None, where: str = "") -> Outline:
        """Return a description of best play in each choice."""
        from oddsmith.report.policy import outline_of_solution

        return (
            outline_of_solution(self._solution_with_states_where(where), with_rules=False)
            if where
            else outline_of_solution(self.graph_solution, rules)
        )

    def _solution_with_states_where(self, where: str) -> Solution:
        from oddsmith.api.positions import parse_position_filter, position_filter_mask

        if not where:
            return self.graph_solution
        among = position_filter_mask(
            self.graph.codec, self.graph.keys, parse_position_filter(self.graph_solution, where)
        )
        if not among.any():
            raise PositionError(f"play never comes to a position with {where}")
        return replace(self.graph_solution, listed_mask=among)

    def write_table(
        self, file: str | Path, where: str = "", digits: int = DIGITS, progress: Progress | None = None
    ) -> int:
        """Write positions, actions and values as CSV. Return the number of lines."""
        from oddsmith.base.files import write_file_parts
        from oddsmith.report.export import csv_bytes_in_parts

        some = self._solution_with_states_where(where)
        count = self.state_count if some.listed_mask is None else int(some.listed_mask.sum())
        write_file_parts(Path(file), csv_bytes_in_parts([some], digits))
        if progress:
            progress("writing", count, count)
        return count

    def to_json(self, digits: int = DIGITS) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        return self.graph_solution.to_json(self._measures_json(self._answers, digits)) | {"solved_by": self.method}

    def _certificate_parts(self, compressed: bool, progress: Progress | None) -> Iterator[bytes]:
        from oddsmith.report.export import certificate

        yield certificate(self.graph_solution, compressed, progress)


class Policy:
    """Best play of a solved game. Call the object with a position, as text, as a mapping, or as keyword arguments.

    >>> piglet.policy("row=1"), piglet.policy(row=1)
    ('Toss again', 'Toss again')
    """

    def __init__(self, game: SolvedGame) -> None:
        self._game = game

    def __repr__(self) -> str:
        return short_repr(self, f"{self._game.game.ruleset.title}, {self._game.kind}")

    def __call__(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> str:
        """Return the name of the action; the likeliest if the player mixes several. Raises PositionError."""
        return next(iter(self.action_probabilities(position, **variables)))

    def action_probabilities(
        self, position: str | Mapping[str, Any] | State = "", /, **variables: Any
    ) -> dict[str, Number]:
        """Return the actions that the player takes, each with its chance, the likeliest first. There is a single action
        with chance 1 unless the player mixes.
        """
        mixed = self._game.mixture(position, **variables)
        return mixed or {self._game.policy_action(position, **variables): Number.of(1)}
