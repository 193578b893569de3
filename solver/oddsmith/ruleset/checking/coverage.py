"""Find rolls that no outcome covers, and outcomes that no roll reaches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

from oddsmith.base.dice import roll_distribution
from oddsmith.base.errors import Problem, RuleFailure
from oddsmith.base.exact import decimal_text
from oddsmith.expr import (
    ALWAYS,
    FALSE,
    FLAG,
    HAND,
    IN_PLAY,
    NEVER,
    NUMBER,
    SEAT,
    TRUE,
    Bounds,
    Expr,
    PartialPosition,
    RangeAnalyzer,
    Type,
    UnknownCellsNeeded,
    compiled_function,
    const,
    fold,
    word_type,
)
from oddsmith.ruleset.checking.traps import entry_in_words, location_of_when
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import DiceTerm, Draw, Entry, Phase, Roll, RollMissingDice, variable_read_by

MAX_ROLLS = 100_000  # of a phase that depend on nothing but the dice
MAX_OPEN_ROLLS = 4_000  # where a `when` reads more than the dice, each roll takes far longer
_FIXED = {"parameter", "constant", "list", "map"}


@dataclass(frozen=True, slots=True)
class _RollResult:
    """One joint result of all rolls and draws of a phase. ``values``: the result of each. ``weight``: the numerator of
    its probability over the common denominator of the phase; None if the probability depends on the state.
    """

    values: tuple[Any, ...]
    weight: int | None


KnownProblems = dict[str, list[Problem]]
"""A cache of the problems of phases. The key is a text with everything on which the problems of a phase depend."""


def coverage_problems(
    game: Game, bounds_after_rolls: Callable[[Phase], Bounds], known_problems: KnownProblems | None = None
) -> list[Problem]:
    """Return the problems of all phases whose rolls and draws can be enumerated: results that no outcome covers, and
    outcomes that never apply.

    ``bounds_after_rolls``: a function that returns the bounds of variables after the rolls and draws of a phase.
    ``known_problems``: a cache to share among settings.
    """
    problems: list[Problem] = []
    known_problems = {} if known_problems is None else known_problems
    for phase in game.ruleset.phases.values():
        plain = len(phase.entries) == 1 and phase.entries[0].when == TRUE
        if phase.kind == "roll" and phase.rolls_and_draws and not plain:
            bounds = bounds_after_rolls(phase)
            key = _cache_key(game, phase, bounds)
            if key not in known_problems:
                known_problems[key] = _CoverageChecker(game, phase, bounds).coverage_problems_of_phase()
            problems += known_problems[key]
    return problems


def _cache_key(game: Game, phase: Phase, bounds: Bounds) -> str:
    """Return a text with everything on which the coverage of a phase depends, as a key of the cache."""
    trees = [entry.when for entry in phase.entries]
    trees += [term.count for throw in phase.rolls_and_draws for term in throw.dice]
    nodes = [node for tree in trees for node in tree.walk()]
    fixed = {node.value: game.static_values[node.value] for node in nodes if node.op in _FIXED}
    read = {node.value for node in nodes if node.op == "state"} | {
        variable_read_by(throw) for throw in phase.rolls_and_draws
    }
    ranges = {name: (bounds.variables[name], bounds.members[name]) for name in sorted(read & set(bounds.variables))}
    seats = game.seats if any(node.op in IN_PLAY | {"seats"} for node in nodes) else 0
    return repr((phase.name, sorted(game.dice.items()), sorted(fixed.items()), ranges, seats))


class _CoverageChecker:
    def __init__(self, game: Game, phase: Phase, bounds: Bounds) -> None:
        self.game, self.phase, self.bounds = game, phase, bounds
        self.ranger = RangeAnalyzer(lambda problem: None)
        self.fixed, self.denominator = True, 1
        self.covered: dict[tuple[Expr, ...], bool] = {}
        self.names = [throw.name for throw in phase.rolls_and_draws]
        self.cells = [Expr("cell", _type_of_cell(game, where), value=where) for where in range(len(game.cells))]
        self.gone = [
            FALSE,
            *(Expr("cell", FLAG, value=-seat) if game.has_elimination else FALSE for seat in range(1, game.seats)),
        ]
        pure = [entry for entry in phase.entries if not _reads_state(entry.when)]
        self.pure = {entry.location: compiled_function(entry.when) for entry in pure}
        last = next((k for k, entry in enumerate(phase.entries) if self.always_applies(entry)), len(phase.entries))
        self.entries = phase.entries[: last + 1]  # those behind it are reported as such

    def always_applies(self, entry: Entry) -> bool:
        return self.ranger.range(entry.when, self.bounds) == ALWAYS

    def coverage_problems_of_phase(self) -> list[Problem]:
        rolls = self.possible_rolls()
        if not rolls:
            return []
        decided = [self.reduced_entry_tests(rolled) for rolled in rolls]
        return [*self.problems_of_uncovered_rolls(rolls, decided), *self.problems_of_shadowed_entries(rolls, decided)]

    # --- what can be thrown

    def possible_rolls(self) -> list[_RollResult]:
        """Return all joint results of the rolls and draws; an empty list if they are not known, or if there are too
        many.
        """
        pure = all(entry.location in self.pure for entry in self.entries)
        limit = MAX_ROLLS if pure else MAX_OPEN_ROLLS
        parts: list[list[tuple[Any, int | None]]] = []
        for throw in self.phase.rolls_and_draws:
            part = self.possible_draws(throw) if isinstance(throw, Draw) else self.possible_roll_values(throw, limit)
            if not part or prod(map(len, parts)) * len(part) > limit:
                return []
            parts.append(part)
        grouped = []
        for items in product(*parts):
            weights = [weight for _, weight in items]
            whole = None if None in weights else prod(weight for weight in weights if weight is not None)
            grouped.append(_RollResult(tuple(value for value, _ in items), whole))
        return grouped

    def possible_draws(self, throw: Draw) -> list[tuple[Any, int | None]]:
        self.fixed = False
        return [(item, None) for item in self.bounds.members[throw.bag][0]]

    def possible_roll_values(self, throw: Roll | RollMissingDice, limit: int) -> list[tuple[Any, int | None]]:
        """Return the results of a roll with their weights; an empty list if there are more than ``limit``.

        A weight is None if the number of dice depends on the state.
        """
        if throw.kind == "rest":  # whatever lies there: in the end all of the dice do
            dice = self.game.cells[self.game.layout[throw.name].first].dice
            counts = [range(count, count + 1) for _, count in dice]
        else:
            dice = tuple((self.game.dice[term.die], 0) for term in throw.dice)
            ranges = [self.ranger.range(term.count, self.bounds) for term in throw.dice]
            if any(hands.high > 100 for hands in ranges):
                return []
            counts = [range(int(max(hands.low, 0)), int(hands.high) + 1) for hands in ranges]
        choices = list(product(*counts))
        faces = [len(set(die.faces)) for die, _ in dice]
        sizes = [prod(comb(n + f - 1, n) for n, f in zip(counts, faces, strict=True)) for counts in choices]
        if sum(sizes) > limit:
            return []
        self.fixed = self.fixed and len(choices) == 1
        hands: list[tuple[Any, int | None]] = []
        for choice in choices:
            try:
                distribution = roll_distribution([(count, die) for count, (die, _) in zip(choice, dice, strict=True)])
            except RuleFailure:
                return []  # the ranges have said that it is too large
            self.denominator *= distribution.denominator if len(choices) == 1 else 1
            hands += [(hand, weight if len(choices) == 1 else None) for hand, weight in distribution.hands]
        return hands

    # --- what takes it

    def reduced_entry_tests(self, roll_result: _RollResult) -> list[Expr]:
        """Return the tests of the entries after a roll, up to the first test that is true.

        Each test is reduced to true, to false, or to the part that depends on the state.
        """
        found: list[Expr] = []
        for entry in self.entries:
            found.append(self.reduced_test_after_roll(entry, roll_result))
            if found[-1] == TRUE:
                break
        return found

    def reduced_test_after_roll(self, entry: Entry, roll_result: _RollResult) -> Expr:
        test, function = entry.when, self.pure.get(entry.location)
        if function is not None:
            context = self.game.context()
            context.local = dict(zip(self.names, roll_result.values, strict=True))
            try:
                return TRUE if function(context) else FALSE
            except RuleFailure:
                return test  # play says what is wrong, where it gets there
        try:
            folded = fold(test, self.position_after_roll(roll_result))
        except UnknownCellsNeeded:
            return test
        return test if folded.op == "broken" else folded

    def position_after_roll(self, roll_result: _RollResult) -> PartialPosition:
        """Return a partial position in which only the results of the rolls and draws are known."""
        cells, local = list(self.cells), {}
        for throw, value in zip(self.phase.rolls_and_draws, roll_result.values, strict=True):
            type_ = HAND if throw.kind != "draw" else NUMBER if isinstance(value, int) else word_type(value)
            if throw.is_kept:
                cells[self.game.layout[throw.name].first] = const(value, type_)
            else:
                local[throw.name] = const(value, type_)
        return PartialPosition(
            self.game.static_values, self.game.layout, self.game.seats, cells, self.gone, local=local
        )

    # --- what there is to say

    def problems_of_uncovered_rolls(
        self, rolls: Sequence[_RollResult], tests_by_roll: Sequence[list[Expr]]
    ) -> Iterator[Problem]:
        bare, unsure = [], []
        for rolled, statuses in zip(rolls, tests_by_roll, strict=True):
            left = tuple(status for status in statuses if status != FALSE)
            if not left:
                bare.append(rolled)
            elif TRUE not in left and not self.is_one_test_always_true(left):
                unsure.append(rolled)
        hint = "add a last outcome without `when`, which catches all the rest"
        if bare and self.fixed:
            message = f"{self.likeliest_example_in_words(bare)}: no outcome covers it{self.odds_in_words(bare)}"
            yield Problem("OD511", self.phase.location, message, hint)
        elif bare or unsure:
            some = bare or unsure
            message = (
                f"{self.likeliest_example_in_words(some)}, and perhaps no outcome covers it{self.odds_in_words(some)}"
            )
            yield Problem("OD611", self.phase.location, message, hint, "warning")

    def is_one_test_always_true(self, tests: tuple[Expr, ...]) -> bool:
        """Return whether in every state at least one of the tests holds. The range of a test is computed under the
        condition that the tests before it are false.
        """
        if tests not in self.covered:
            bounds, sure = self.bounds, False
            for test in tests:
                sure = sure or self.ranger.range(test, bounds) == ALWAYS
                bounds = self.ranger.narrow(test, False, bounds)
            self.covered[tests] = sure
        return self.covered[tests]

    def problems_of_shadowed_entries(
        self, rolls: Sequence[_RollResult], tests_by_roll: Sequence[list[Expr]]
    ) -> Iterator[Problem]:
        for number, entry in enumerate(self.entries):
            if self.ranger.range(entry.when, self.bounds) == NEVER:
                continue  # the ranges have said so
            if any(len(statuses) > number and statuses[number] != FALSE for statuses in tests_by_roll):
                continue
            fits = [k for k, rolled in enumerate(rolls) if self.reduced_test_after_roll(entry, rolled) != FALSE]
            words, where = entry_in_words(self.phase, entry), location_of_when(entry)
            if not fits:
                hint = "remove it, or mend its `when`"
                yield Problem("OD605", where, f"{words} never applies: no roll fits it", hint, "warning")
                continue
            takers = sorted({tests_by_roll[k].index(TRUE) for k in fits})
            names = " or ".join(self.entries[k].name or entry_in_words(self.phase, self.entries[k]) for k in takers)
            example = rolls[fits[0]]
            odds = f", probability {Fraction(example.weight, self.denominator)}" if example.weight else ""
            taken = f"every roll that fits it goes to {names} (e.g. {self.result_in_words(example)}{odds})"
            hint = "the first outcome that matches applies: put this one earlier"
            yield Problem("OD606", where, f"{words} never applies: {taken}", hint, "warning")

    def result_in_words(self, roll_result: _RollResult) -> str:
        """Return the results of the rolls and draws in words."""
        if len(roll_result.values) == 1:
            return self.game.value_text(roll_result.values[0])
        pairs = zip(self.phase.rolls_and_draws, roll_result.values, strict=True)
        return ", ".join(f"{throw.name} {self.game.value_text(value)}" for throw, value in pairs)

    def likeliest_example_in_words(self, rolls: Sequence[_RollResult]) -> str:
        example = max(rolls, key=lambda rolled: rolled.weight or 0)  # the first of the likeliest
        return f"{self.dice_or_draw_in_words()} can give {self.result_in_words(example)}"

    def dice_or_draw_in_words(self) -> str:
        if len(self.phase.rolls_and_draws) > 1:
            return f"the phase {self.phase.name}"
        throw = self.phase.rolls_and_draws[0]
        if throw.kind != "roll":
            return f"the roll of {throw.name}" if throw.kind == "rest" else f"a draw from {throw.bag}"
        return " + ".join(_term_as_written(term) for term in throw.dice)

    def odds_in_words(self, rolls: Sequence[_RollResult]) -> str:
        if not self.fixed:
            return ""
        ways = sum(rolled.weight or 0 for rolled in rolls)
        percent = decimal_text(Fraction(ways * 100, self.denominator).limit_denominator(10**9), 1)
        return f"; {ways} way{'s' * (ways != 1)}, {percent} %"


def _term_as_written(term: DiceTerm) -> str:
    """Return the dice of a term as they are written in the file: 3d6, d8, 2 of coin."""
    count = term.count.span.covered_text or str(term.count.value)
    if term.count.op != "const" or not re.fullmatch(r"d[0-9]+", term.die):
        return f"{count} of {term.die}"
    return term.die if count == "1" else f"{count}{term.die}"


def _reads_state(test: Expr) -> bool:
    """Return whether a test depends on the state, and not only on results of rolls and draws and on values known before
    play.
    """
    return any(node.op in IN_PLAY for node in test.walk())


def _type_of_cell(game: Game, cell_index: int) -> Type:
    variable = game.cells[cell_index].variable
    if variable.kind == "word":
        return word_type(*variable.words)
    return {"flag": FLAG, "seat": SEAT, "hand": HAND}.get(variable.kind, NUMBER)
