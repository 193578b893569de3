"""Answers for games that are too large for one graph, and are solved turn by turn.

Parts that need all positions at once are left out: rules of thumb, maps, values of opponents, and the table of all
decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from oddsmith.base.errors import InputError
from oddsmith.base.exact import Number
from oddsmith.report.answers.answers import Answer, GameResult, StoredForMainGame, StoredPart
from oddsmith.report.export.plays import proven_actions_in_staged_game
from oddsmith.report.facts.key_facts import (
    MIN_PICTURED_VALUES,
    SPREAD_TAIL,
    DistributionSummary,
    KeyFacts,
    LengthAndPayoffDistributions,
    is_probability_question,
    play_kind_words,
)
from oddsmith.report.facts.profile import GameProfile
from oddsmith.report.policy.lists import DecisionLists
from oddsmith.report.policy.opponents import Opponent
from oddsmith.report.policy.rules_of_thumb import RuleComparison
from oddsmith.report.policy.thresholds import SolvedStrategy, Strategy, strategies_by_phase
from oddsmith.report.policy.turn_table import turn_table
from oddsmith.solve import FractionTooLong
from oddsmith.solve.questions import distribution
from oddsmith.solve.staged import LayerSolver, Staged, answer_ruleset_questions, best_play

FOLLOWED = (
    500_000_000  # positions up to which best play is followed, for the questions of a ruleset and for a distribution
)


@dataclass(frozen=True, eq=False)
class LargeAnswer(Answer):
    """A setting that was solved turn by turn, with all that is known about its game. ``staged``: the result of the
    solver.
    """

    staged: Staged | None = field(default=None, repr=False)

    @property
    def has_solution(self) -> bool:
        """Always true: parts are computed from the result of the solver."""
        return True

    @property
    def _staged(self) -> Staged:
        assert self.staged is not None
        return self.staged

    @property
    def _layer_solver(self) -> LayerSolver:
        schedule = self._staged.schedule
        assert isinstance(schedule, LayerSolver)
        return schedule

    @StoredPart
    def result(self) -> GameResult | None:
        """The value of the game and its grade."""
        staged = self._staged
        transitions = sum(each.transitions for each in staged.summaries.values())
        data = staged.to_json([], [])
        del data["stages"]  # their seconds would differ from build to build
        return GameResult(
            staged.values, staged.grade, staged.kind, (), 0, staged.mixed_count, staged.state_count, transitions, data
        )

    @cached_property
    def _solved_strategies(self) -> list[SolvedStrategy]:
        keys = self._layer_solver.turn.keys
        if (
            self._layer_solver.turn_starts.return_targets
        ):  # play may come back to the beginning, which then counts as known
            keys = keys[:, 1:]
        return strategies_by_phase(self._staged.partial_solution_of_keys(keys))

    @StoredPart
    def strategies(self) -> Sequence[Strategy]:
        """The strategy of each phase in the first turn. Only its counts of decisions, ``decided`` and ``met``, are
        those of all turns.
        """
        sheets = self._layer_solver.turn_starts.turn_start_count
        counts = {each.phase: each.decided * sheets for each in self._solved_strategies}
        return [replace(each, decided=counts[each.phase], met=counts[each.phase]) for each in self._solved_strategies]

    @StoredPart
    def rule_comparison(self) -> RuleComparison:
        """An empty comparison, because no rule of thumb is valued."""
        return RuleComparison(())

    @StoredForMainGame
    def short_lists(self) -> DecisionLists | None:
        """None, because no list is searched for."""
        return None

    @StoredPart
    def opponents(self) -> tuple[Opponent, ...]:
        """The opponents that a page of play can offer. Only best play has values."""
        named = [Opponent(name[:1].upper() + name[1:], "named", name) for name in self.game.ruleset.policies]
        best = Opponent("Best play", "best", values=self.values)
        return (best, *named, Opponent("Any legal action", "random"))

    @StoredPart
    def certificate_or_reason(self) -> bytes | str:
        """The reason why the page has no certificate."""
        return f"it would list {self._staged.state_count:,} positions; oddsmith solve --certificate writes it"

    @StoredPart
    def policy_and_value_tables(self) -> tuple[bytes, bytes | None] | None:
        """The table from which pages and modules compute the best play of a turn."""
        table = turn_table(self._staged)
        return (table, None) if table else None

    @StoredPart
    def proven_plays(self) -> Sequence[tuple[int | None, ...]]:
        """A few short plays with the actions of best play, by which modules test themselves."""
        return proven_actions_in_staged_game(self._staged, self.slug) if self.policy_and_value_tables else ()

    @StoredPart
    def key_facts(self) -> KeyFacts:
        """The key facts of the game: values, length, answers to the ruleset's questions, and the kind of play."""
        staged, asked = self._staged, self.game.ruleset.measures
        found = answer_ruleset_questions(staged) if staged.state_count <= FOLLOWED else {}
        answers = {name: each if isinstance(each := found.get(name), Number) else None for name in asked}
        chances = frozenset(name for name, each in self.game.ruleset.measures.items() if is_probability_question(each))
        return KeyFacts(staged.values, {"turns": staged.mean_turns}, answers, play_kind_words(staged).sentence, chances)

    @StoredForMainGame
    def distribution_summaries(self) -> dict[str, DistributionSummary]:
        """A summary without numbers for each question that asks for a standard deviation, by the name of the question.
        The distributions of large games are not computed.
        """
        asked = self.game.ruleset.measures
        return {name: DistributionSummary() for name in self.key_facts.measures if asked[name].kind == "spread"}

    @StoredForMainGame
    def distributions(self) -> LengthAndPayoffDistributions:
        """The distribution of the payoff.

        It is left out if the payoff is a share of a single win, or if the game has too many positions.
        """
        staged = self._staged
        if self.values_are_shares or staged.state_count > FOLLOWED:
            return LengthAndPayoffDistributions()
        try:
            found = distribution(best_play(staged), "payoff", max_tail_chance=SPREAD_TAIL, allow_decreasing=False)
        except (InputError, FractionTooLong):
            return LengthAndPayoffDistributions()
        return LengthAndPayoffDistributions(payoff=found if len(found.outcomes) >= MIN_PICTURED_VALUES else None)

    @StoredForMainGame
    def profile(self) -> GameProfile:
        """The length of the game. Its swing and the value of skill in it are not known."""
        return GameProfile(self._staged.mean_turns, None, None)
