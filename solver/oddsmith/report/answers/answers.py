"""One game of a ruleset with all that its page needs, worked out when it is asked for.

What a solution comes to, without the solution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any, TypeVar

from oddsmith.base.errors import BreakEvenError, InputError, UnkeptError
from oddsmith.base.exact import Grade, Number
from oddsmith.report.english.play_bundle import purse_variables
from oddsmith.report.export.certificates import certificate
from oddsmith.report.export.plays import proven_plays
from oddsmith.report.export.tables import decision_table
from oddsmith.report.facts.chances import ChanceTable, chance_tables
from oddsmith.report.facts.character import Character, Handicap, Standing, Wager, character, handicap, standing, wager
from oddsmith.report.facts.cheats import CheatValue, cheat_values
from oddsmith.report.facts.claims import claim_numbers
from oddsmith.report.facts.example import ExampleMove, example
from oddsmith.report.facts.key_facts import (
    Distributions,
    DistributionSummary,
    Facts,
    MixedPosition,
    distribution_summary,
    distributions,
    facts,
    mixed_positions,
)
from oddsmith.report.facts.regrets import MapCells, maps
from oddsmith.report.facts.rolling import RollOnRisk, RollOrStop, roll_on_risks
from oddsmith.report.facts.unit import Unit
from oddsmith.report.policy.lists import DecisionLists, decision_lists, lists_in_words
from oddsmith.report.policy.opponents import Opponent, opponents
from oddsmith.report.policy.options import OptionWords
from oddsmith.report.policy.outline import limits_of
from oddsmith.report.policy.policy_table import policy_table, training_table, value_table
from oddsmith.report.policy.rules_of_thumb import (
    NumberComparison,
    RuleComparison,
    RuleValue,
    by_cost,
    compare_numbers,
    compare_rules,
    comparison_in_words,
    other_payoffs,
)
from oddsmith.report.policy.thresholds import SolvedStrategy, Strategy, strategies
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Setting
from oddsmith.solve import Kind, Solution
from oddsmith.solve.questions import PolicyEvaluator


@dataclass(frozen=True)
class GameResult:
    """What a game is worth to each seat, and what of its solution people and programs read.

    ``mixed``: in how many positions best play leaves the choice to chance. ``transitions``: weighted ways from one position to
    another. ``data``: the result for machines, without measures and seconds, and the limits that alone end best play, if any.
    """

    values: tuple[Number, ...]
    grade: Grade
    kind: Kind
    notes: tuple[str, ...]
    ties: int
    mixed: int
    positions: int
    transitions: int
    data: dict[str, Any]

    @staticmethod
    def of(solution: Solution, found: list[SolvedStrategy]) -> GameResult:
        """Builds the result of a solution. ``found``: the strategies of that solution."""
        data = solution.to_json()
        del data["seconds"]  # they would differ from build to build
        graph, limits = solution.graph, [limit.words for limit in limits_of(solution, found)]
        if limits:
            data["limits"] = limits
        return GameResult(
            solution.values,
            solution.grade,
            solution.kind,
            solution.notes,
            solution.ties,
            len(solution.mixtures),
            graph.states,
            len(graph.target),
            data,
        )

    @property
    def limits(self) -> tuple[str, ...]:
        """What is said of numbers that are why best play stops."""
        return tuple(self.data.get("limits", ()))


PLENTY = 30_000_000  # transitions, for all seats, up to which named policies and other payoffs are valued as well
BRIEF_WORK = 1_000_000  # transitions, for all seats, up to which short rules are found in moments
MOST = 100_000  # decisions of a table that anybody would download
PROVED = 400_000  # transitions of a table whose certificate a page has, for all seats' copies
PROOF = 5_000_000  # bytes of a certificate that a page has
T = TypeVar("T")


class StoredPart(cached_property[T]):
    """A part of an answer that takes time: worked out once, when it is asked for or with ``complete``, and kept by a store."""


class StoredForMain(StoredPart[T]):
    """A part that pages show of the main game only, so that no store waits for it with the others."""


class StoredLater(StoredForMain[T]):
    """A part that came after answers had shipped. Only answers of rulesets that have a key of its name have it, so it is not in
    the shape of all answers: where its own shape changes, the version has to.
    """


class StoredForPlain(StoredPart[T]):
    """A part that pages show of the plain game only, at every number of seats."""


def slug(setting: Setting) -> str:
    """A setting as the name of its files."""
    words = [f"{setting.seats}-seats-{setting.objective}", setting.variant]
    words += [f"{name}-{value}" for name, value in setting.values]
    return re.sub(r"[^a-z0-9_-]+", "-", "-".join(word for word in words if word).lower()).strip("-")


@dataclass(frozen=True, eq=False)
class Answer:
    """A setting with all answers to it, or with the reason why it is not solved. ``main``: the one the page opens with;
    ``too_large``: whether that reason is its size, so that it can be estimated.

    Its parts are plain data. They are worked out from a solution when they are asked for; an answer that was kept has them,
    and no solution.
    """

    setting: Setting
    game: Game
    _solution: Solution | None = field(repr=False)
    failure: str = ""
    main: bool = False
    too_large: bool = False

    @property
    def slug(self) -> str:
        """The name of its files."""
        return slug(self.setting)

    @property
    def brief(self) -> BriefAnswer:
        """This answer reduced to the parts that take moments."""
        return BriefAnswer(self.setting, self.game, self._solution, self.failure, self.main)

    @property
    def _solved(self) -> Solution:
        if self._solution is None:
            raise UnkeptError(f"{self.game.ruleset.id}{self.setting.options}: a part was asked for that was not kept")
        return self._solution

    @property
    def _work(self) -> int:
        """How large the game is: transitions, for all seats."""
        return len(self._solved.graph.target) * self._solved.graph.seats

    @property
    def parts(self) -> list[str]:
        """The names of what ``complete`` works out; of an answer that was kept, what it has."""
        if self.failure:
            return []
        home, data = self.game.ruleset.edition.home, self.game.ruleset.data
        kept = [(name, part) for name, part in vars(Answer).items() if isinstance(part, StoredPart)]
        kept = [(name, part) for name, part in kept if name in data or not isinstance(part, StoredLater)]
        if not self.main:
            kept = [(name, part) for name, part in kept if not isinstance(part, StoredForMain)]
        if replace(self.setting, seats=home.seats) != home:
            kept = [(name, part) for name, part in kept if not isinstance(part, StoredForPlain)]
        return [name for name, _ in kept if self.solved or name in vars(self)]

    @property
    def solved(self) -> bool:
        """Whether a solution is at hand, from which parts are worked out."""
        return self._solution is not None

    def complete(self, report: Callable[[str], None] = lambda _: None) -> None:
        """Work out now all that a page may ask for. ``report`` hears what is worked out next."""
        for name in self.parts:
            report(name.replace("_", " "))
            getattr(self, name)

    @StoredPart
    def result(self) -> GameResult | None:
        """What it is worth and how sure that is; None where it is not solved."""
        return GameResult.of(self._solution, self._decided) if self._solution else None

    @property
    def values(self) -> tuple[Number, ...]:
        """What it is worth to every seat. Raises InputError with the reason where it is not solved."""
        if self.result is None:
            raise InputError(self.failure)
        return self.result.values

    @cached_property
    def _decided(self) -> list[SolvedStrategy]:
        return strategies(self._solution) if self._solution else []

    @StoredPart
    def strategies(self) -> Sequence[Strategy]:
        """How to choose in each phase."""
        return self._decided

    @cached_property
    def say(self) -> OptionWords:
        """Texts with options as people say them."""
        return OptionWords(self.game)

    @cached_property
    def shown_strategies(self) -> Sequence[Strategy]:
        """How to choose in each phase, with options as people say them."""
        return [replace(each, options=self.say.each(each.options, each.phase)) for each in self.strategies]

    @cached_property
    def shown_ladder(self) -> RuleComparison:
        """The comparison of rules of thumb, with options as people say them."""
        return comparison_in_words(self.ladder, self.say)

    @cached_property
    def _elsewhere(self) -> Mapping[str, PolicyEvaluator]:
        """Best play in the other payoffs of the main game: explored once for all parts that ask."""
        return other_payoffs(self._solved) if self.main and self._decided and not self._solved.mixtures else {}

    @property
    def choices(self) -> int:
        """How many decisions there are."""
        return sum(each.decided for each in self.strategies)

    @property
    def first_turn(self) -> bool:
        """Whether its strategies are those of the first turn alone: the game was solved turn by turn."""
        return self.result is not None and "stages_by" in self.result.data

    @property
    def listed(self) -> bool:
        """Whether every decision is in a table to download."""
        return 0 < self.choices <= MOST and not self.first_turn

    @StoredPart
    def ladder(self) -> RuleComparison:
        """The comparison of rules of thumb, with all kinds of rules for the main game unless it is too large."""
        return compare_rules(self._solved, self._decided, self.main and self._work <= PLENTY, self._elsewhere)

    @cached_property
    def lists(self) -> DecisionLists | None:
        """A short list of decisions for every choice, as people say it (main game only); None where none is searched for."""
        found = self.short_lists if self.main and self.result else None
        return found and lists_in_words(found, self.say)

    @StoredForMain
    def short_lists(self) -> DecisionLists | None:
        """The short lists of all choices, searched for now; None if no search is worth while."""
        try:
            return decision_lists(self._solved, self._decided, self.ladder.rules, self._elsewhere)
        except InputError:
            return None

    @property
    def rungs(self) -> list[RuleValue]:
        """Ways of playing from the plainest to the best: rules of thumb, and the lists that tell what no rule does.

        A policy that is called as the short rule that it is stands there once.
        """
        rungs = [*self.shown_ladder.rungs, *(self.lists.rungs if self.lists else ())]
        return by_cost({(rung.name.casefold(), rung.loss): rung for rung in rungs}.values())

    @StoredForMain
    def numbers(self) -> NumberComparison | None:
        """What changes with the number of the first rule of thumb; of the main game only."""
        rule = self.ladder.rule if self.main and self.result else None
        if rule is None:
            return None
        return compare_numbers(self._solved, next(each for each in self._decided if each.phase == rule.phase), rule)

    @StoredPart
    def opponents(self) -> tuple[Opponent, ...]:
        """Whom a table can offer to play against."""
        return opponents(self._solution, self._elsewhere) if self._solution else ()

    @StoredPart
    def proof(self) -> bytes | str:
        """The certificate, gzipped, for readers to check on the page; or why the page has none: a sentence without its end."""
        transitions = len(self._solved.graph.target)
        if transitions > PROVED:
            return f"its table has {transitions:,} ways from one position to another"
        try:
            data = certificate(self._solved, packed=True)
        except InputError as error:
            return str(error)
        return data if len(data) <= PROOF else f"it would have {len(data) / 1e6:.0f} MB"

    @StoredPart
    def wager(self) -> Wager | None:
        """The game as a bet, where it is one."""
        return wager(self._solution) if self._solution else None

    @StoredLater
    def cheats(self) -> tuple[CheatValue, ...]:
        """What the loaded dice of the ruleset are worth; nothing where that cannot be said."""
        try:
            return cheat_values(self._solution) if self._solution and self._work <= PLENTY else ()
        except InputError:
            return ()

    @StoredPart
    def tables(self) -> tuple[bytes, bytes | None] | None:
        """The policy table for the engine of pages and modules, and the table of action values, if there is one."""
        policy = self._solution and policy_table(self._solution)
        return (policy, value_table(self._solved)) if policy else None

    @StoredPart
    def plays(self) -> Sequence[tuple[int | None, ...]]:
        """A few short plays with the actions of best play, for modules to test themselves; empty without a table."""
        return proven_plays(self._solved, self.slug) if self.tables else ()

    @StoredPart
    def training(self) -> bytes | None:
        """What actions are worth in a few decisions in which people go wrong; None where nobody can."""
        return training_table(self._solution) if self._solution else None

    @StoredPart
    def facts(self) -> Facts:
        """Key facts."""
        return facts(self._solved)

    @StoredPart
    def claimed(self) -> dict[str, Number]:
        """The numbers that the ruleset's claims about this game should have, by the key of the claim."""
        return claim_numbers(self._solution, self.setting) if self._solution else {}

    @StoredForMain
    def spreads(self) -> dict[str, DistributionSummary]:
        """What belongs to each standard deviation that the ruleset asks for and that is known, by the name of the question."""
        asked = self.game.ruleset.measures
        known = [name for name, number in self.facts.measures.items() if number is not None]
        return {name: distribution_summary(self._solved, asked[name]) for name in known if asked[name].kind == "spread"}

    @StoredForMain
    def example(self) -> Sequence[ExampleMove]:
        """A turn from a real play under best play."""
        return example(self._solution) if self._solution else []

    @StoredForMain
    def one_more(self) -> Sequence[RollOrStop]:
        """When one more roll pays, as formulas; nothing where there is none."""
        if self._solution is None or not find_spec("sympy"):  # a browser has no algebra
            return []
        from oddsmith.report.facts.breakeven import break_even, one_more

        try:
            return one_more(break_even(self._solution.graph))
        except BreakEvenError:
            return []

    @StoredForMain
    def rolling(self) -> Sequence[RollOnRisk]:
        """What rolling on risks, for decisions between that and stopping."""
        return roll_on_risks(self._solution, self._decided) if self._solution else []

    @StoredPart
    def handicap(self) -> Handicap | None:
        """The head start of the second of two players that makes the game most even."""
        return handicap(self._solution) if self._solution else None

    @StoredForMain
    def chances(self) -> Sequence[ChanceTable]:
        """What every roll leads to; nothing where the game is not even explored."""
        return chance_tables(self._solution.graph) if self._solution else []

    @StoredForMain
    def distributions(self) -> Distributions:
        """How its length and what it brings are distributed; of the main game only."""
        return distributions(self._solution) if self._solution and self.main else Distributions()

    @StoredForMain
    def character(self) -> Character:
        """How long it lasts, how much it swings, what skill is worth: for the list of games."""
        return character(self._solved, self.facts, self.ladder)

    @StoredPart
    def spreadsheet(self) -> str:
        """Every decision as CSV; empty where there are none, or too many."""
        return decision_table(self._solved, [each.decisions for each in self._decided]) if self.listed else ""

    @StoredForPlain
    def maps(self) -> dict[str, Sequence[MapCells]]:
        """The cells of the map of each table, by phase."""
        return {each.phase: maps(each) for each in self._decided}

    @StoredPart
    def standing(self) -> Standing | None:
        """What the start of a turn is worth by what both players have, where that is told."""
        return standing(self._solution) if self._solution else None

    @StoredPart
    def mixed(self) -> Sequence[MixedPosition]:
        """Positions in which best play leaves the choice to chance."""
        return mixed_positions(self._solution) if self._solution else []

    @property
    def share(self) -> bool:
        """Whether values are shares of one win."""
        return self.game.ruleset.payoffs[self.setting.objective].is_share

    @property
    def for_coins(self) -> bool:
        """Whether people play for coins, which they can stake as money, and for no pot."""
        return self.setting.objective in purse_variables(self.game.ruleset)

    @property
    def unit(self) -> Unit:
        """What values are counted in."""
        return Unit.of(self.game.ruleset.payoffs[self.setting.objective])

    @property
    def rules(self) -> list[str]:
        """What differs from the rules as written, in words."""
        return self.setting.changes or ["as written"]


class BriefAnswer(Answer):
    """The main game as a page can show it in moments: without rules, opponents and laws that have to be searched for."""

    @cached_property
    def ladder(self) -> RuleComparison:
        """Rules of thumb, where they are quickly found."""
        return compare_rules(self._solved, self._decided if self._work <= BRIEF_WORK else [], False)

    lists = property(lambda _: None)
    numbers = property(lambda _: None)
    proof = property(lambda _: "it is not written yet")
    opponents = property(lambda _: ())
    one_more = property(lambda _: [])
    spreads = property(lambda self: {name: DistributionSummary() for name in self.facts.measures})
    distributions = property(lambda _: Distributions())
    spreadsheet = property(lambda _: "")
