"""A solved game with secrets or with simultaneous choices, as an object that answers questions."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from oddsmith.api.asking import position_text
from oddsmith.api.exporting import export_format_of_file, export_secret_solution
from oddsmith.api.notebooks import Actions
from oddsmith.api.seen import SecretDecision, decisions_where, find_secret_decision
from oddsmith.api.solved import PositionAdvice, SolvedGame
from oddsmith.base.dataframes import html_heading, html_list
from oddsmith.base.errors import MeasureError, SecretsError, UncertifiableError
from oddsmith.base.exact import DIGITS, Number, plural
from oddsmith.base.progress import Progress
from oddsmith.ruleset import State
from oddsmith.solve.extensive import (
    PlayedPlans,
    SecretSolution,
    answer_all_measures,
    mean_behind_deviation,
    to_best_play,
)

if TYPE_CHECKING:
    from oddsmith.report.policy import Outline
    from oddsmith.solve import Solution
    from oddsmith.solve.questions import BestPlay

PLACES = 6  # in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class SecretGame(SolvedGame):
    """A game of imperfect information that was solved as an extensive form. ``LoadedRuleset.solve`` returns it for a
    game with secrets.

    Numbers about play are those of the equilibrium that was found; another equilibrium may have other numbers.
    Questions about positions that all seats see raise SecretsError. ``secret_solution``: the result of the solver.
    """

    secret_solution: SecretSolution
    method: Literal["graph", "stages", "secrets"] = "secrets"

    def _repr_html_(self) -> str:
        rules = self.game.ruleset
        lines = [f"{rules.seat_name(seat)}: {value.decimal(PLACES)}" for seat, value in enumerate(self.values)]
        return f"{html_heading(rules.title)}{html_list([*lines, self.size_in_words])}"

    # --- what was solved

    @property
    def _solver_result(self) -> SecretSolution:
        return self.secret_solution

    @property
    def solution(self) -> Solution:
        """Always raises SecretsError, because there is no graph of positions that all seats see."""
        self._refuse_position_question()

    def _refuse_position_question(self) -> NoReturn:
        raise SecretsError(self.game.ruleset.id)

    @property
    def objective(self) -> str:
        """The name of the payoff that is optimized."""
        return self.secret_solution.objective

    @property
    def state_count(self) -> int:
        """The number of positions."""
        return self.secret_solution.position_count

    @property
    def undecided_count(self) -> int:
        """Always 0, because a best action is known in every decision."""
        return 0

    @property
    def size_in_words(self) -> str:
        """The number of positions in words."""
        return plural(self.state_count, "position")

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user: the policies that seats follow."""
        rules, named = self.game.ruleset, self.secret_solution.named_policies
        return tuple(f"{rules.seat_name(seat - 1)} plays {name}" for seat, name in named.items())

    # --- what it is worth

    def values_at(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> tuple[Number, ...]:
        """Always raises SecretsError, because the value of a position depends on what each seat has seen."""
        self._refuse_position_question()

    @cached_property
    def played_plans(self) -> PlayedPlans:
        """The distribution of play if both seats follow their plans."""
        return PlayedPlans.of(self.secret_solution)

    def answer_questions(self, progress: Progress | None = None) -> dict[str, Number | MeasureError]:
        """Answer the questions that the ruleset asks, under the plans that were found. Return the answers by the names
        of the questions.
        """
        return answer_all_measures(self.played_plans) if self.game.ruleset.measures else {}

    @cached_property
    def means(self) -> dict[str, Number]:
        """The means of the numbers whose standard deviations the ruleset asks for, by the names of its questions."""
        asked = self.game.ruleset.measures
        return {
            name: mean_behind_deviation(self.played_plans, asked[name])
            for name in self.measures
            if asked[name].kind == "spread"
        }

    def _best_play(
        self,
        progress: Progress | None,
        jobs: int,
        cluster: Any,
    ) -> AbstractContextManager[BestPlay]:
        return nullcontext(to_best_play(self.played_plans))

    # --- what to do

    def _find_decision(self, position: str | Mapping[str, Any] | State, variables: Mapping[str, Any]) -> SecretDecision:
        asked = variables or position
        if isinstance(asked, State):
            self._refuse_position_question()
        return find_secret_decision(self.secret_solution, asked if isinstance(asked, str) else position_text(asked))

    def advise(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Actions:
        """Return every action in the decision of a seat, the best first, with its value against best play of the other
        seat.

        ``position``: all that the seat has seen, in the words that the command ``solve`` prints, such as
        ``"thrown 5"``. ``phase=NAME`` and ``mover=SEAT`` select one decision if several fit. Raises PositionError, and
        SecretsError for a ``State``.
        """
        return Actions(self._find_decision(position, variables).advice())

    def advice(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> PositionAdvice:
        """Return the advice on a decision. Raises PositionError, and SecretsError for a ``State``."""
        asked = self._find_decision(position, variables)
        actions = asked.advice() if asked.choice.reach_probability else []
        several = len(asked.action_probabilities) > 1 or sum(each.best for each in actions) > 1
        chances = asked.action_probabilities if several else {}
        return PositionAdvice(asked.description, asked.plain_data, Actions(actions), chances, asked.notes)

    def mixture(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> dict[str, Number]:
        """Return the actions that the plan mixes in a decision, each with its chance; empty if it takes a single
        action.
        """
        chances = self._find_decision(position, variables).action_probabilities
        return chances if len(chances) > 1 else {}

    def policy_action(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> str:
        """Return the action that the plan takes in a decision; the likeliest if it mixes several.

        If the plan of the seat never reaches the decision, this is the best action against the plan of the other seat.
        """
        asked = self._find_decision(position, variables)
        if not asked.action_probabilities:
            return asked.advice()[0].action
        return max(asked.action_probabilities, key=lambda name: asked.action_probabilities[name].middle)

    def sampled_action_index(self, state: State, random_number: float) -> int:
        """Always raises SecretsError, because a seat chooses by what it has seen, which a position does not contain."""
        self._refuse_position_question()

    def outline(self, rules: bool | None = None, where: str = "") -> Outline:
        """Always raises SecretsError, because outlines are about positions that all seats see."""
        self._refuse_position_question()

    def _solution_with_states_where(self, where: str) -> Solution:
        self._refuse_position_question()

    # --- against others

    @property
    def _contest_solution(self) -> SecretSolution:
        return self.secret_solution

    # --- as tables and files

    def table(self, table_type: str | None = None, digits: int = DIGITS) -> Any:
        """Return a table of the decisions with a line for each action: its chance, its value against best play of the
        other seat, and the chance that play reaches the decision.

        ``table_type``: ``pandas``, ``polars`` or ``records``, as for other games. Fractions are text. Raises
        ExportError.
        """
        from oddsmith.base.dataframes import make_table
        from oddsmith.report.export import DECISION_COLUMNS, decision_table_rows

        return make_table(list(DECISION_COLUMNS), decision_table_rows(self.secret_solution.decisions()), table_type)

    def write_table(
        self,
        file: str | Path,
        where: str = "",
        digits: int = DIGITS,
        progress: Progress | None = None,
    ) -> int:
        """Write the decisions as CSV, with a line for each action. Return the number of lines.

        ``where``: a condition on the decisions to write, such as ``phase=answer, card 2``: ``phase=NAME``,
        ``mover=SEAT``, and items that the seat has seen. Raises PositionError if no decision fits.
        """
        from oddsmith.base.files import write_named_file
        from oddsmith.report.export import decisions_csv

        decisions = decisions_where(self.secret_solution, where)
        write_named_file(Path(file), decisions_csv(decisions))
        return sum(len(each.action_probabilities) for each in decisions)

    def export(
        self,
        file_format: str | None = None,
        file: str | Path | None = None,
        digits: int = DIGITS,
        seat: int | None = None,
    ) -> bytes:
        """Return the decisions as csv, json or parquet, or the game as a tree in the format efg.

        If ``file`` is given, the bytes are also written to it. ``file_format``: the format, by default the ending of
        the file's name. Raises ExportError, UnwritableError.
        """
        from oddsmith.base.files import write_named_file

        data = export_secret_solution(self.secret_solution, file_format or export_format_of_file(file), digits)
        if file is not None:
            write_named_file(Path(file), data)
        return data

    def to_json(self, digits: int = DIGITS) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        asked = {"measures": self._measures_json(self._answers, digits)}
        return self.secret_solution.to_json(digits) | asked | {"solved_by": self.method}

    def _certificate_parts(self, compressed: bool, progress: Progress | None) -> Iterator[bytes]:
        from oddsmith.report.export import plan_certificate

        if self.secret_solution.named_policies:
            raise UncertifiableError("a certificate proves best play of both seats: leave out the policy")
        parts = plan_certificate(self.secret_solution)
        yield from (gzip.compress(b"".join(parts), mtime=0),) if compressed else parts
