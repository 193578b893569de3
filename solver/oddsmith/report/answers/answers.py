"""One game of a ruleset with everything that its page needs. Each part is computed when it is asked for.

``GameResult`` holds the parts of a solution that people and programs read. It can be kept without the solution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any, TypeVar

from oddsmith.base.errors import BreakEvenError, InputError, MissingAnswerPartError
from oddsmith.base.exact import Grade, Number
from oddsmith.report.answers.objective import WithObjective
from oddsmith.report.english.options import OptionWords
from oddsmith.report.english.play_bundle import purse_variables
from oddsmith.report.export.certificates import certificate
from oddsmith.report.export.plays import proven_plays
from oddsmith.report.export.tables import decisions_as_csv
from oddsmith.report.facts.chances import ChanceTable, chance_tables
from oddsmith.report.facts.cheats import CheatValue, cheat_values
from oddsmith.report.facts.claims import claim_numbers
from oddsmith.report.facts.example import ExampleMove, example_moves
from oddsmith.report.facts.key_facts import (
    DistributionSummary,
    KeyFacts,
    LengthAndPayoffDistributions,
    MixedPosition,
    distribution_summary,
    key_facts_of,
    length_and_payoff_distributions,
    mixed_positions,
)
from oddsmith.report.facts.profile import (
    GameProfile,
    Handicap,
    ValuesByHoldings,
    Wager,
    game_as_wager,
    game_profile,
    most_even_handicap,
    values_by_holdings,
)
from oddsmith.report.facts.regrets import MapCells, map_cells_of_tables
from oddsmith.report.facts.rolling import RollOnRisk, RollOrStop, roll_on_risks
from oddsmith.report.policy.lists import DecisionLists, decision_lists, lists_with_worded_options
from oddsmith.report.policy.opponents import Opponent, opponents_of_game
from oddsmith.report.policy.outline import stopping_limits
from oddsmith.report.policy.policy_table import action_value_table, policy_table, training_table
from oddsmith.report.policy.rules_of_thumb import (
    RuleComparison,
    RuleNumberComparison,
    RuleValue,
    compare_rule_numbers,
    compare_rules,
    comparison_with_worded_options,
    other_payoff_evaluators,
    sorted_by_loss,
)
from oddsmith.report.policy.thresholds import SolvedStrategy, Strategy, strategies_by_phase
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Setting
from oddsmith.solve import PlayKind, Solution
from oddsmith.solve.questions import PolicyEvaluator


@dataclass(frozen=True)
class GameResult:
    """The value of a game to each seat, and the parts of its solution that people and programs read.

    ``ties``: the number of ties between the best actions of a mover that matter to another seat. ``mixed``: the number
    of positions in which best play mixes actions. ``transitions``: the number of transitions. ``data``: the result as
    plain data, without seconds. It has the key ``limit_sentences`` if best play stops only because of limits of
    variables.
    """

    values: tuple[Number, ...]
    grade: Grade
    kind: PlayKind
    notes: tuple[str, ...]
    ties: int
    mixed: int
    positions: int
    transitions: int
    data: dict[str, Any]

    @staticmethod
    def of(solution: Solution, strategies: list[SolvedStrategy]) -> GameResult:
        """Return the result of a solution. ``strategies``: its strategies."""
        data = solution.to_json()
        del data["seconds"]  # they would differ from build to build
        graph, limits = solution.graph, [limit.words for limit in stopping_limits(solution, strategies)]
        if limits:
            data["limits"] = limits
        return GameResult(
            solution.values,
            solution.grade,
            solution.kind,
            solution.notes,
            solution.tie_count,
            len(solution.mixtures),
            graph.state_count,
            len(graph.target),
            data,
        )

    @property
    def limit_sentences(self) -> tuple[str, ...]:
        """Sentences about the limits of variables because of which best play stops; empty if there are none."""
        return tuple(self.data.get("limits", ()))

    @property
    def all_plays_equally_long(self) -> bool:
        """Whether all plays are known to have the same number of turns.

        This is known only of games that were solved turn by turn, and in which play never returns to a layer of turns.
        """
        by_turns = self.data.get("stages_by", "").startswith("turns, ")
        return by_turns and self.data["turns"]["exact"] is not None and "/" not in self.data["turns"]["exact"]


MAX_POLICY_TRANSITIONS = 30_000_000
"""The most transitions, for all seats, of a game in which named policies and other payoffs are valued as well."""
BRIEF_WORK = 1_000_000  # transitions, for all seats, up to which short rules are found in moments
MAX_LISTED_DECISIONS = 100_000  # decisions of a table that anybody would download
MAX_CERTIFIED_TRANSITIONS = 400_000  # transitions of a table whose certificate a page has, for all seats' copies
MAX_CERTIFICATE_BYTES = 5_000_000  # bytes of a certificate that a page has
T = TypeVar("T")


class StoredPart(cached_property[T]):
    """A part of an answer that takes time to compute. It is computed once, when it is asked for or by ``complete``, and
    a store keeps it.
    """


class StoredForMainGame(StoredPart[T]):
    """A part that is computed and stored for the main game only, because pages show it only there."""


class StoredIfKeyPresent(StoredForMainGame[T]):
    """A part that shipped answers lack, because it was added after they had been made.

    It is computed only for rulesets that have a key with the name of the part. The schema of answers does not contain
    the part. So ``VERSION`` must go up whenever the type of the part changes.
    """


class StoredForRulesAsWritten(StoredPart[T]):
    """A part that is computed and stored only for the rules as written, at every number of seats, because pages show it
    only there.
    """


def setting_slug(setting: Setting) -> str:
    """Return the name of a setting in names of files."""
    words = [f"{setting.seats}-seats-{setting.objective}", *setting.variants]
    words += [f"{name}-{value}" for name, value in setting.values.items()]
    return re.sub(r"[^a-z0-9_-]+", "-", "-".join(word for word in words if word).lower()).strip("-")


@dataclass(frozen=True, eq=False)
class Answer(WithObjective):
    """A setting with all that is known about its game, or with the reason why it is not solved.

    ``failure``: the reason; empty for a solved game. ``main``: whether the page opens with this game. ``too_large``:
    whether the reason is the size of the game, so that it can be estimated. ``unsolvable``: whether no game of this
    kind is solved, whatever its size; it can be estimated too.
    """

    setting: Setting
    game: Game
    _solution: Solution | None = field(repr=False)
    failure: str = ""
    main: bool = False
    too_large: bool = False
    unsolvable: bool = False

    @property
    def slug(self) -> str:
        """The name of the answer's files."""
        return setting_slug(self.setting)

    @property
    def brief_answer(self) -> BriefAnswer:
        """This answer with only the parts that are computed in moments."""
        return BriefAnswer(self.setting, self.game, self._solution, self.failure, self.main)

    @property
    def _required_solution(self) -> Solution:
        if self._solution is None:
            which = f"{self.game.ruleset.id}{self.setting.options_text}"
            raise MissingAnswerPartError(f"{which}: a part was asked for that was not kept")
        return self._solution

    @property
    def _seat_transition_count(self) -> int:
        """The number of transitions times the number of seats, by which long computations are left out."""
        return len(self._required_solution.graph.target) * self._required_solution.graph.seats

    @property
    def computed_part_names(self) -> list[str]:
        """The names of the parts that ``complete`` computes. Without a solution, these are the parts that the answer
        already has.
        """
        if self.failure:
            return []
        home, data = self.game.ruleset.edition.main_setting, self.game.ruleset.data
        kept = [(name, part) for name, part in vars(Answer).items() if isinstance(part, StoredPart)]
        kept = [(name, part) for name, part in kept if name in data or not isinstance(part, StoredIfKeyPresent)]
        if not self.main:
            kept = [(name, part) for name, part in kept if not isinstance(part, StoredForMainGame)]
        if replace(self.setting, seats=home.seats) != home:
            kept = [(name, part) for name, part in kept if not isinstance(part, StoredForRulesAsWritten)]
        return [name for name, _ in kept if self.has_solution or name in vars(self)]

    @property
    def has_solution(self) -> bool:
        """Whether the answer has a solution from which parts can be computed."""
        return self._solution is not None

    def compute_all_parts(self, report_part: Callable[[str], None] = lambda _: None) -> None:
        """Compute all parts that a page may ask for. ``report_part``: a function that receives the name of each part
        before it is computed.
        """
        for name in self.computed_part_names:
            report_part(name.replace("_", " "))
            getattr(self, name)

    @StoredPart
    def result(self) -> GameResult | None:
        """The value of the game and its grade; None if the game is not solved."""
        return GameResult.of(self._solution, self._solved_strategies) if self._solution else None

    @property
    def values(self) -> tuple[Number, ...]:
        """The value of the game to every seat. Raises InputError with the reason if the game is not solved."""
        if self.result is None:
            raise InputError(self.failure)
        return self.result.values

    @cached_property
    def _solved_strategies(self) -> list[SolvedStrategy]:
        """The strategy of each phase with its decisions; empty without a solution."""
        return strategies_by_phase(self._solution) if self._solution else []

    @StoredPart
    def strategies(self) -> Sequence[Strategy]:
        """The strategy of each phase."""
        return self._solved_strategies

    @cached_property
    def option_words(self) -> OptionWords:
        """A function that words the options in a text for people."""
        return OptionWords(self.game)

    @cached_property
    def shown_strategies(self) -> Sequence[Strategy]:
        """The strategy of each phase, with options worded for people."""
        return [
            replace(each, options=self.option_words.worded_each(each.options, each.phase)) for each in self.strategies
        ]

    @cached_property
    def shown_rule_comparison(self) -> RuleComparison:
        """The comparison of rules of thumb, with options worded for people."""
        return comparison_with_worded_options(self.rule_comparison, self.option_words)

    @cached_property
    def _other_payoff_evaluators(self) -> Mapping[str, PolicyEvaluator]:
        """Evaluators of best play for the other payoffs of the main game. All parts of the answer share them."""
        return (
            other_payoff_evaluators(self._required_solution)
            if self.main and self._solved_strategies and not self._required_solution.mixtures
            else {}
        )

    @property
    def decision_count(self) -> int:
        """The number of decisions."""
        return sum(each.decided for each in self.strategies)

    @property
    def covers_first_turn_only(self) -> bool:
        """Whether the strategies are those of the first turn only, because the game was solved turn by turn."""
        return self.result is not None and "stages_by" in self.result.data

    @property
    def has_decision_table(self) -> bool:
        """Whether the page offers a table of all decisions for download: there are decisions, not too many, and they
        are those of the whole game.
        """
        return 0 < self.decision_count <= MAX_LISTED_DECISIONS and not self.covers_first_turn_only

    @StoredPart
    def rule_comparison(self) -> RuleComparison:
        """The comparison of rules of thumb, with their costs.

        Only the main game has all kinds of rules, and only if it is not too large.
        """
        return compare_rules(
            self._required_solution,
            self._solved_strategies,
            self.main and self._seat_transition_count <= MAX_POLICY_TRANSITIONS,
            self._other_payoff_evaluators,
        )

    @cached_property
    def short_lists_in_words(self) -> DecisionLists | None:
        """The short decision lists for best play, with options worded for people. It is None if there are none, if the
        game is not solved, or if its page does not open with it.
        """
        found = self.short_lists if self.main and self.result else None
        return found and lists_with_worded_options(found, self.option_words)

    @StoredForMainGame
    def short_lists(self) -> DecisionLists | None:
        """A short list of decisions for each choice, in the words of the ruleset; None if none can be found."""
        try:
            return decision_lists(
                self._required_solution,
                self._solved_strategies,
                self.rule_comparison.rules,
                self._other_payoff_evaluators,
            )
        except InputError:
            return None

    @property
    def ways_of_playing(self) -> list[RuleValue]:
        """Ways of playing from the plainest to the best: rules of thumb, and lists that say more than these rules.

        If several have the same name and cost, only one is kept.
        """
        rule_values = [
            *self.shown_rule_comparison.rungs,
            *(self.short_lists_in_words.rule_values if self.short_lists_in_words else ()),
        ]
        return sorted_by_loss({(each.name.casefold(), each.loss): each for each in rule_values}.values())

    @StoredForMainGame
    def rule_number_comparison(self) -> RuleNumberComparison | None:
        """The comparison of other numbers in the first rule of thumb.

        It is None if there is no such rule, or if the game is not the main one.
        """
        rule = self.rule_comparison.main_rule if self.main and self.result else None
        if rule is None:
            return None
        return compare_rule_numbers(
            self._required_solution, next(each for each in self._solved_strategies if each.phase == rule.phase), rule
        )

    @StoredPart
    def opponents(self) -> tuple[Opponent, ...]:
        """The opponents that a page of play can offer."""
        return opponents_of_game(self._solution, self._other_payoff_evaluators) if self._solution else ()

    @StoredPart
    def certificate_or_reason(self) -> bytes | str:
        """The certificate, gzipped, for readers to check on the page. If the page has none, the reason in words,
        without a full stop.
        """
        transitions = len(self._required_solution.graph.target)
        if transitions > MAX_CERTIFIED_TRANSITIONS:
            return f"its table has {transitions:,} ways from one position to another"
        try:
            data = certificate(self._required_solution, gzipped=True)
        except InputError as error:
            return str(error)
        return data if len(data) <= MAX_CERTIFICATE_BYTES else f"it would have {len(data) / 1e6:.0f} MB"

    @StoredPart
    def wager(self) -> Wager | None:
        """The game as a bet; None if it is not one."""
        return game_as_wager(self._solution) if self._solution else None

    @StoredIfKeyPresent
    def cheats(self) -> tuple[CheatValue, ...]:
        """The values of the ruleset's cheats; empty if they cannot be computed, or not soon."""
        try:
            return (
                cheat_values(self._solution)
                if self._solution and self._seat_transition_count <= MAX_POLICY_TRANSITIONS
                else ()
            )
        except InputError:
            return ()

    @StoredPart
    def policy_and_value_tables(self) -> tuple[bytes, bytes | None] | None:
        """The table of best play for the engine of pages and modules, and the table of action values, which may be
        None. The pair is None if there is no table of best play.
        """
        policy = self._solution and policy_table(self._solution)
        return (policy, action_value_table(self._required_solution)) if policy else None

    @StoredPart
    def proven_plays(self) -> Sequence[tuple[int | None, ...]]:
        """The proven actions in a few short plays, one tuple for each play, with which modules test themselves. An item
        is the index of the action of best play; None if it is not known. Empty without a table of best play.
        """
        return proven_plays(self._required_solution, self.slug) if self.policy_and_value_tables else ()

    @StoredPart
    def training_table(self) -> bytes | None:
        """The table of action values in a few decisions in which people go wrong; None if there are no such decisions."""
        return training_table(self._solution) if self._solution else None

    @StoredPart
    def key_facts(self) -> KeyFacts:
        """The key facts of the game, such as its values and its length."""
        return key_facts_of(self._required_solution)

    @StoredPart
    def claim_numbers(self) -> dict[str, Number]:
        """The computed numbers for the claims about this game, by the key of the claim."""
        return claim_numbers(self._solution, self.setting) if self._solution else {}

    @StoredForMainGame
    def distribution_summaries(self) -> dict[str, DistributionSummary]:
        """Summaries of the distributions whose standard deviations the ruleset asks for, by the name of the question.
        Unknown ones are left out.
        """
        asked = self.game.ruleset.measures
        known = [name for name, number in self.key_facts.measures.items() if number is not None]
        return {
            name: distribution_summary(self._required_solution, asked[name])
            for name in known
            if asked[name].kind == "spread"
        }

    @StoredForMainGame
    def example_moves(self) -> Sequence[ExampleMove]:
        """The first turns of a play under best play."""
        return example_moves(self._solution) if self._solution else []

    @StoredForMainGame
    def roll_or_stop_rules(self) -> Sequence[RollOrStop]:
        """Decisions between stopping and rolling, with formulas for when one more roll pays; empty if there are no
        formulas.
        """
        if self._solution is None or not find_spec("sympy"):  # a browser has no algebra
            return []
        from oddsmith.report.facts.breakeven import break_even, break_even_rules

        try:
            return break_even_rules(break_even(self._solution.graph))
        except BreakEvenError:
            return []

    @StoredForMainGame
    def roll_on_risks(self) -> Sequence[RollOnRisk]:
        """The risks of a player who always rolls, for each decision between stopping and rolling."""
        return roll_on_risks(self._solution, self._solved_strategies) if self._solution else []

    @StoredPart
    def handicap(self) -> Handicap | None:
        """The head start of the second of two players that makes the game most even."""
        return most_even_handicap(self._solution) if self._solution else None

    @StoredForMainGame
    def chance_tables(self) -> Sequence[ChanceTable]:
        """The chances of what each roll leads to; empty without a solution."""
        return chance_tables(self._solution.graph) if self._solution else []

    @StoredForMainGame
    def distributions(self) -> LengthAndPayoffDistributions:
        """The distributions of the length and of the payoff; empty if the game is not the main one."""
        return (
            length_and_payoff_distributions(self._solution)
            if self._solution and self.main
            else LengthAndPayoffDistributions()
        )

    @StoredForMainGame
    def profile(self) -> GameProfile:
        """The length of the game, its swing, and the value of skill in it, for the list of games."""
        return game_profile(self._required_solution, self.key_facts, self.rule_comparison)

    @StoredPart
    def decisions_csv(self) -> str:
        """Every decision as CSV; empty if there are no decisions, or too many."""
        return (
            decisions_as_csv(self._required_solution, [each.decisions for each in self._solved_strategies])
            if self.has_decision_table
            else ""
        )

    @StoredForRulesAsWritten
    def map_cells_by_phase(self) -> dict[str, Sequence[MapCells]]:
        """For each phase, the cells of its drawn maps of best actions, one item for each table of thresholds."""
        return {each.phase: map_cells_of_tables(each) for each in self._solved_strategies}

    @StoredPart
    def values_by_holdings(self) -> ValuesByHoldings | None:
        """The values at the start of a turn, by what both players have; None if pages do not show them."""
        return values_by_holdings(self._solution) if self._solution else None

    @StoredPart
    def mixed_positions(self) -> Sequence[MixedPosition]:
        """Positions in which best play mixes actions."""
        return mixed_positions(self._solution) if self._solution else []

    @property
    def values_are_shares(self) -> bool:
        """Whether values are shares of one win, which pages show as percentages."""
        return self.game.ruleset.payoffs[self.setting.objective].is_share

    @property
    def is_played_for_coins(self) -> bool:
        """Whether people play for coins, which can stand for money, rather than for a pot."""
        return self.setting.objective in purse_variables(self.game.ruleset)


class BriefAnswer(Answer):
    """The main game without the parts that need a search, such as rules and opponents, so that a page can show it in
    moments.
    """

    @cached_property
    def rule_comparison(self) -> RuleComparison:
        """The comparison of rules of thumb; no rules if they take long to find."""
        return compare_rules(
            self._required_solution, self._solved_strategies if self._seat_transition_count <= BRIEF_WORK else [], False
        )

    short_lists_in_words = property(lambda _: None)
    rule_number_comparison = property(lambda _: None)
    certificate_or_reason = property(lambda _: "it is not written yet")
    opponents = property(lambda _: ())
    roll_or_stop_rules = property(lambda _: [])
    distribution_summaries = property(lambda self: {name: DistributionSummary() for name in self.key_facts.measures})
    distributions = property(lambda _: LengthAndPayoffDistributions())
    decisions_csv = property(lambda _: "")
