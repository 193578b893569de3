"""One game of a ruleset with all that its page needs, worked out when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from oddsmith.errors import BreakEvenError, InputError
from oddsmith.report.balance import (
    BreakEven,
    Handicap,
    RollingOn,
    Wager,
    break_even,
    coins,
    handicap,
    rolling_on,
    wager,
)
from oddsmith.report.facts import (
    ChanceTable,
    Character,
    Distributions,
    Facts,
    Spread,
    Told,
    Unit,
    chance_tables,
    character,
    distributions,
    example,
    facts,
    spread,
    without_seconds,
)
from oddsmith.report.files import certificate
from oddsmith.report.lists import Lists, decision_lists
from oddsmith.report.strategy import (
    ByNumber,
    Ladder,
    Opponent,
    Rung,
    Strategy,
    by_number,
    in_order,
    ladder,
    opponents,
    policy_table,
    strategies,
    value_table,
)
from oddsmith.ruleset import Game, game_at
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.solve import Solution, solve

BRIEF_WORK = 1_000_000  # transitions, for all seats, up to which short rules are found in moments
MOST = 250_000  # decisions of a table that anybody would download
PROVED = 400_000  # transitions of a table whose certificate a page has, for all seats' copies
PROOF = 5_000_000  # bytes of a certificate that a page has
T = TypeVar("T")


class Kept(cached_property[T]):
    """A part of an answer that takes time: worked out once, when it is asked for or with ``complete``, and kept by a store."""


class KeptOfMain(Kept[T]):
    """A part that pages show of the main game only, so that no store waits for it with the others."""


@dataclass(frozen=True, eq=False)
class Answer:
    """A setting with its solution, or with the reason why there is none. ``main``: the one the page opens with."""

    setting: Setting
    game: Game
    solution: Solution | None
    failure: str = ""
    main: bool = False

    @property
    def slug(self) -> str:
        """The name of its files."""
        setting = self.setting
        words = [f"{setting.seats}-seats-{setting.objective}", setting.variant]
        words += [f"{name}-{value}" for name, value in setting.values]
        return re.sub(r"[^a-z0-9_-]+", "-", "-".join(word for word in words if word).lower()).strip("-")

    def solved(self) -> Solution:
        """The solution. Raises InputError with the reason where there is none."""
        if self.solution is None:
            raise InputError(self.failure)
        return self.solution

    @property
    def parts(self) -> list[str]:
        """The names of what ``complete`` works out."""
        kept = ((name, part) for name, part in vars(Answer).items() if isinstance(part, Kept))
        return [name for name, part in kept if self.main or not isinstance(part, KeptOfMain)] if self.solution else []

    def complete(self, told: Callable[[str], None] = lambda _: None) -> None:
        """Work out now all that a page may ask for. ``told`` hears what is worked out next."""
        for name in self.parts:
            told(name.replace("_", " "))
            getattr(self, name)

    @Kept
    def strategies(self) -> list[Strategy]:
        """How to choose in each phase."""
        return strategies(self.solution) if self.solution else []

    @property
    def choices(self) -> int:
        """How many decisions there are."""
        return sum(len(each.decisions.states) for each in self.strategies)

    @property
    def listed(self) -> bool:
        """Whether every decision is in a table to download."""
        return 0 < self.choices <= MOST

    @Kept
    def ladder(self) -> Ladder:
        """Rules of thumb; all of them for the main game."""
        assert self.solution is not None
        return ladder(self.solution, self.strategies, self.main)

    @property
    def lists(self) -> Lists | None:
        """A short list of decisions for every choice, of the main game only; None where none is searched for."""
        return self.short_lists if self.main and self.solution else None

    @KeptOfMain
    def short_lists(self) -> Lists | None:
        """The same, once it is looked for."""
        try:
            return decision_lists(self.solved(), self.strategies, self.ladder.rules, everything=True)
        except InputError:
            return None

    @property
    def rungs(self) -> list[Rung]:
        """Ways of playing from the plainest to the best: rules of thumb, and the lists that tell what no rule does."""
        return in_order([*self.ladder.rungs, *(self.lists.rungs if self.lists else ())])

    @KeptOfMain
    def numbers(self) -> ByNumber | None:
        """What changes with the number of the first rule of thumb; of the main game only."""
        rule = self.ladder.rule if self.main and self.solution else None
        if rule is None:
            return None
        strategy = next(each for each in self.strategies if each.decisions.phase == rule.phase)
        return by_number(self.solved(), strategy, rule)

    @Kept
    def opponents(self) -> tuple[Opponent, ...]:
        """Whom a table can offer to play against."""
        return opponents(self.solution) if self.solution else ()

    @Kept
    def proof(self) -> bytes | str:
        """The certificate, gzipped, for readers to check on the page; or why the page has none: a sentence without its end."""
        transitions = len(self.solved().graph.target)
        if transitions > PROVED:
            return f"its table has {transitions:,} ways from one position to another"
        try:
            data = certificate(self.solved(), packed=True)
        except InputError as error:
            return str(error)
        return data if len(data) <= PROOF else f"it would have {len(data) / 1e6:.0f} MB"

    @Kept
    def wager(self) -> Wager | None:
        """The game as a bet, where it is one."""
        return wager(self.solution) if self.solution else None

    @Kept
    def tables(self) -> tuple[bytes, bytes | None] | None:
        """Best play as a table for the second engine, and what actions are worth where that is told."""
        policy = self.solution and policy_table(self.solution)
        return (policy, value_table(self.solved())) if policy else None

    @Kept
    def facts(self) -> Facts:
        """Key facts."""
        assert self.solution is not None
        return facts(self.solution)

    @KeptOfMain
    def spreads(self) -> dict[str, Spread]:
        """What belongs to each standard deviation that the ruleset asks for and that is known, by the name of the question."""
        asked = self.game.ruleset.measures
        known = [name for name, number in self.facts.measures.items() if number is not None]
        return {name: spread(self.solved(), asked[name]) for name in known if asked[name].kind == "spread"}

    @KeptOfMain
    def example(self) -> list[Told]:
        """A turn from a real play under best play."""
        return example(self.solution) if self.solution else []

    @KeptOfMain
    def one_more(self) -> list[BreakEven]:
        """When one more roll pays, as formulas; nothing where there is none."""
        try:
            return break_even(self.solution.graph) if self.solution else []
        except BreakEvenError:
            return []

    @KeptOfMain
    def rolling(self) -> list[RollingOn]:
        """What rolling on risks, for decisions between that and stopping."""
        return rolling_on(self.solution, self.strategies) if self.solution else []

    @Kept
    def handicap(self) -> Handicap | None:
        """The head start of the second of two players that makes the game most even."""
        return handicap(self.solution) if self.solution else None

    @KeptOfMain
    def chances(self) -> list[ChanceTable]:
        """What every roll leads to; nothing where the game is not even explored."""
        return chance_tables(self.solution.graph) if self.solution else []

    @KeptOfMain
    def distributions(self) -> Distributions:
        """How its length and what it brings are distributed; of the main game only."""
        return distributions(self.solution) if self.solution and self.main else Distributions()

    @KeptOfMain
    def character(self) -> Character:
        """How long it lasts, how much it swings, what skill is worth: for the list of games."""
        return character(self.solved(), self.facts, self.ladder)

    @property
    def share(self) -> bool:
        """Whether values are shares of one win."""
        return self.game.ruleset.payoffs[self.setting.objective].is_share

    @property
    def for_coins(self) -> bool:
        """Whether people play for coins, which they can stake as money, and for no pot."""
        return self.setting.objective in coins(self.game.ruleset)

    @property
    def unit(self) -> Unit:
        """What values are counted in."""
        return Unit.of(self.game.ruleset.payoffs[self.setting.objective])

    @property
    def rules(self) -> list[str]:
        """What differs from the rules as written, in words."""
        setting = self.setting
        words = [setting.variant.replace("-", " ")] if setting.variant else []
        return words + [f"{name} {value}".replace("_", " ") for name, value in setting.values] or ["as written"]


class Brief(Answer):
    """The main game as a page can show it in moments: without rules, opponents and laws that have to be searched for."""

    @cached_property
    def ladder(self) -> Ladder:
        """Rules of thumb, where they are quickly found."""
        solution = self.solved()
        quick = len(solution.graph.target) * solution.graph.seats <= BRIEF_WORK
        return ladder(solution, self.strategies if quick else [], False)

    lists = property(lambda _: None)
    numbers = property(lambda _: None)
    proof = property(lambda _: "it is not written yet")
    opponents = property(lambda _: ())
    one_more = property(lambda _: [])
    spreads = property(lambda self: {name: Spread() for name in self.facts.measures})
    distributions = property(lambda _: Distributions())


def answer(ruleset: Ruleset, setting: Setting) -> Answer:
    """A setting solved, or the reason why it is not."""
    game, main = game_at(ruleset, setting), setting == ruleset.edition.home
    try:
        solution = without_seconds(solve(game, setting.objective))
        # What a page opens with is told in fractions, however long they take; what it says beside them need not be.
        return Answer(setting, game, solution.thoroughly() if main else solution, main=main)
    except InputError as error:
        return Answer(setting, game, None, str(error), main)
