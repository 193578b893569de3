"""The tables to roll on of a game: the results of the dice that give each row, and the exact weight of the row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import gcd, prod

from oddsmith.base.dice import Die
from oddsmith.base.errors import Problem, RuleFailure
from oddsmith.base.exact import one_line, plural
from oddsmith.expr import compiled_function
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import plain_die_sides
from oddsmith.ruleset.model.ruleset import RollTableRule, TableDice, TableRow
from oddsmith.ruleset.rules import Rules, State

MAX_TABLE_DIE_SIDES = 10_000  # of the largest die that stands for a table
MAX_TABLE_WAYS = 1_000_000  # in which the dice of a table can fall
MAX_ROW_CHARACTERS = 30  # characters of a row in a hint


@dataclass(frozen=True, slots=True)
class BoundTableRow:
    """A row of a table. ``lowest_result``, ``highest_result``: the first and the last result of the dice that give it.

    ``weight``: its probability, times the sum of the weights of all rows.
    """

    lowest_result: int
    highest_result: int
    text: str
    weight: int


@dataclass(frozen=True)
class BoundRollTable:
    """A table to roll on at a setting. ``rows``: its rows, from the lowest result.

    ``dice_in_words``: the dice to roll, in words; empty if one die would need over ``MAX_TABLE_DIE_SIDES`` sides.
    ``has_own_dice``: whether the ruleset itself defines some of the dice, which other programs then cannot roll.
    ``phase_of_outcomes``: the phase whose outcomes are the rows, or empty. ``impossible_outcomes``: outcomes of that
    phase that cannot happen.
    """

    name: str
    dice_in_words: str
    rows: tuple[BoundTableRow, ...]
    has_own_dice: bool = False
    phase_of_outcomes: str = ""
    impossible_outcomes: tuple[str, ...] = ()

    @property
    def total_weight(self) -> int:
        """The sum of the weights of all lines."""
        return sum(line.weight for line in self.rows)

    @property
    def has_equal_weights(self) -> bool:
        """Whether all lines have the same weight."""
        return len({line.weight for line in self.rows}) == 1

    def with_standard_dice(self) -> BoundRollTable:
        """Return a table with the same chances that needs only standard dice.

        It is this table if possible, and a table for a single die otherwise.
        """
        weighted = [(line.text, line.weight) for line in self.rows]
        return table_for_one_die(self.name, _with_weights_reduced(weighted)) if self.has_own_dice else self


def table_for_one_die(name: str, weighted_texts: Iterable[tuple[str, int]]) -> BoundRollTable:
    """Return a table for one die. Each text has as many results as its weight; texts of weight 0 are left out.

    ``weighted_texts``: the texts with their weights.
    """
    lines: list[BoundTableRow] = []
    last = 0
    for text, weight in weighted_texts:
        if weight:
            lines.append(BoundTableRow(last + 1, last + weight, text, weight))
            last += weight
    return BoundRollTable(name, f"1d{last}" if last <= MAX_TABLE_DIE_SIDES else "", tuple(lines))


def _with_weights_reduced(weighted_texts: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return texts with their weights divided by the greatest common divisor of all weights."""
    common = gcd(*(weight for _, weight in weighted_texts))
    return [(text, weight // common) for text, weight in weighted_texts]


def roll_tables(game: Game) -> tuple[BoundRollTable, ...]:
    """Return the tables of a game, in the order of the ruleset.

    Raises PlayError if the phase of a table cannot be rolled.
    """
    return tuple(_bound_roll_table(game, table) for table in game.ruleset.tables)


def _bound_roll_table(game: Game, table: RollTableRule) -> BoundRollTable:
    if table.phase:
        return _table_of_outcomes(game, table)
    if table.dice is None:
        return table_for_one_die(table.name, [(row.text, row.weight) for row in table.rows])
    dice = _table_dice_at_setting(game, table.dice)
    return BoundRollTable(
        table.name, dice.dice_in_words, tuple(_bound_rows(table.rows, dice.way_counts)), has_own_dice=dice.has_own_dice
    )


def _table_of_outcomes(game: Game, table: RollTableRule) -> BoundRollTable:
    """Return a table of the outcomes of a phase if every variable has its start value."""
    rules, state = Rules(game), State(table.phase, 0, 0, game.start)
    weights = dict.fromkeys((entry.name for entry in game.ruleset.phases[table.phase].entries), 0)
    for weight, thrown in rules.weighted_chance_results(state)[0]:
        weights[rules.entry_name_and_context(state, thrown)[0]] += weight
    found = table_for_one_die(table.name, _with_weights_reduced(list(weights.items())))
    return replace(
        found,
        phase_of_outcomes=table.phase,
        impossible_outcomes=tuple(name for name, weight in weights.items() if not weight),
    )


# --- dice


@dataclass(frozen=True)
class _BoundTableDice:
    """The dice of a table at a setting. ``dice_in_words``: the dice in words. ``way_counts``: the number of ways to
    roll each result.

    ``has_own_dice``: whether the ruleset itself defines some of the dice.
    """

    dice_in_words: str
    way_counts: Mapping[int, int]
    has_own_dice: bool


def _table_dice_at_setting(game: Game, dice: TableDice) -> _BoundTableDice:
    """Return the dice of a table at a setting. Raises RuleFailure if they cannot be rolled."""
    context = game.context()
    counts = [int(compiled_function(term.count)(context)) for term in dice.terms]
    plus = int(compiled_function(dice.added_number)(context)) if dice.added_number else 0
    kinds = [_table_die(game, term.die) for term in dice.terms]
    if min(counts) < 1:
        raise RuleFailure("OD381", f"the table would roll {min(counts)} dice", "roll at least one die of each kind")
    words = [_dice_in_words(count, die) for count, die in zip(counts, kinds, strict=True)]
    shown = " + ".join(words) + (f" {'+' if plus > 0 else '-'} {abs(plus)}" if plus else "")
    if (
        sum(counts) > MAX_TABLE_WAYS
        or prod(sum(die.weights) ** n for n, die in zip(counts, kinds, strict=True)) > MAX_TABLE_WAYS
    ):
        hint = "roll fewer dice, or give the rows `weights:` in place of dice"
        raise RuleFailure("OD381", f"{shown} fall in over {MAX_TABLE_WAYS:,} ways, too many for a table", hint)
    ways = _way_counts_by_total(tuple(zip(counts, kinds, strict=True)))
    own = any(plain_die_sides(die.name) is None for die in kinds)
    return _BoundTableDice(shown, {total + plus: ways[total] for total in sorted(ways)}, own)


def _table_die(game: Game, die_name: str) -> Die:
    sides = plain_die_sides(die_name)
    if sides is not None:
        return Die(die_name, 0, tuple(range(1, sides + 1)), (1,) * sides)
    if game.ruleset.dice[die_name].face_names:
        hint = "give the table `weights:`, or the die faces that are numbers"
        raise RuleFailure("OD381", f"the faces of {die_name} have names, and a table adds up numbers", hint)
    return game.dice[die_name]


def _dice_in_words(count: int, die: Die) -> str:
    if plain_die_sides(die.name) is not None:
        return f"{count}{die.name}"
    return die.name if count == 1 else f"{count} of {die.name}"


@lru_cache(maxsize=256)
def _way_counts_by_total(dice: tuple[tuple[int, Die], ...]) -> Mapping[int, int]:
    """Return the number of ways to roll each total. ``dice``: the dice, as (count, die)."""
    ways = Counter({0: 1})
    for count, die in dice:
        for _ in range(count):
            more: Counter[int] = Counter()
            for total, times in ways.items():
                for face, weight in zip(die.faces, die.weights, strict=True):
                    if weight:
                        more[total + face] += times * weight
            ways = more
    return ways


# --- rows and results


def _bound_rows(rows: Sequence[TableRow], way_counts: Mapping[int, int]) -> Iterator[BoundTableRow]:
    """Yield the rows of a table, from the lowest result. ``way_counts``: the number of ways to roll each result."""
    spans = [
        row.result_range or (result, result)
        for row, result in zip(rows, way_counts, strict=_has_one_row_per_result(rows))
    ]
    for (low, high), row in sorted(zip(spans, rows, strict=True), key=lambda each: each[0]):
        yield BoundTableRow(
            low, high, row.text, sum(times for result, times in way_counts.items() if low <= result <= high)
        )


def _has_one_row_per_result(rows: Sequence[TableRow]) -> bool:
    """Return whether no row names its results; then the rows are for the results in ascending order, one for each."""
    return all(row.result_range is None for row in rows)


def table_problems(game: Game) -> Iterator[Problem]:
    """Yield the problems with the dice and rows of the tables of a game."""
    for table in game.ruleset.tables:
        if table.dice is None:
            yield from _weight_problems(table)
            continue
        try:
            dice = _table_dice_at_setting(game, table.dice)
        except RuleFailure as failure:
            yield Problem(failure.code, table.dice.location, failure.message, failure.hint)
            continue
        yield from (
            _row_count_problems(table, dice)
            if _has_one_row_per_result(table.rows)
            else _result_range_problems(table, dice)
        )


def _weight_problems(table: RollTableRule) -> Iterator[Problem]:
    """Yield a problem if the weights add up to more than the sides of the largest allowed die."""
    total = sum(row.weight for row in table.rows)
    if total > MAX_TABLE_DIE_SIDES:
        message = f"the weights of {table.name} add up to {total:,}, over {MAX_TABLE_DIE_SIDES:,}"
        yield Problem("OD381", table.location, message, "divide all of them by the same number")


def _row_count_problems(table: RollTableRule, dice: _BoundTableDice) -> Iterator[Problem]:
    """Yield a problem unless the number of rows equals the number of results of the dice."""
    rows, results = len(table.rows), list(dice.way_counts)
    if rows == len(results):
        return
    message = f"{table.name} has {plural(rows, 'row')}, and {dice.dice_in_words} gives {plural(len(results), 'result')}"
    hints = ["write a row for each result"]
    if rows < len(results):
        hints.append(
            f"say which results a row is for, as in `{_result_range_text(*results[:2])}: {_shortened_row_text(table.rows[0])}`"
        )
    if rows > 1:
        hints.append(f"roll 1d{rows}")
    yield Problem("OD381", table.location, f"{message}, {_runs_of_integers_text(results)}", "; or ".join(hints))


def _result_range_problems(table: RollTableRule, dice: _BoundTableDice) -> Iterator[Problem]:
    """Yield the problems with rows that name results.

    Every result needs exactly one row, and both ends of every range must be possible results.
    """
    taken: dict[int, TableRow] = {}
    sound = True
    for row in table.rows:
        low, high = row.result_range or (0, 0)
        if low > high:
            sound = False
            yield Problem(
                "OD381",
                row.location,
                f"{_result_range_text(low, high)} runs backwards",
                f"write {_result_range_text(high, low)}",
            )
            continue
        for end in sorted({low, high} - set(dice.way_counts)):
            sound = False
            message = f"{dice.dice_in_words} never gives {end}"
            yield Problem(
                "OD381",
                row.location,
                message,
                f"{dice.dice_in_words} gives {_runs_of_integers_text(list(dice.way_counts))}",
            )
        here = [result for result in dice.way_counts if low <= result <= high]
        twice = next((result for result in here if result in taken), None)
        if twice is not None:
            other = taken[twice]
            message = f"{twice} has two rows: {_shortened_row_text(other)}, and {_shortened_row_text(row)}"
            yield Problem(
                "OD381", row.location, message, f"the first is in line {other.location.line}; keep one of them"
            )
        taken |= {result: taken.get(result, row) for result in here}
    missing = [result for result in dice.way_counts if result not in taken]
    if missing and sound:
        first = _runs_of_integers(missing)[0]
        message = f"{table.name} has no row for {_runs_of_integers_text(missing)}, which {dice.dice_in_words} can give"
        yield Problem("OD381", table.location, message, f"write {_result_range_text(*first)}: and what it says")


def _shortened_row_text(row: TableRow) -> str:
    words = one_line(row.text)
    return words if len(words) <= MAX_ROW_CHARACTERS else words[: MAX_ROW_CHARACTERS - 3] + "..."


def _result_range_text(low: int, high: int) -> str:
    """Return a range of results as the key of a row in the file: ``2-5``, or ``2``."""
    return str(low) if low == high else f"{low}-{high}"


def _runs_of_integers(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the runs of consecutive integers among ascending numbers, each as its first and its last number."""
    gaps = [(low, high) for low, high in pairwise(numbers) if high > low + 1]
    starts, ends = [numbers[0], *(high for _, high in gaps)], [*(low for low, _ in gaps), numbers[-1]]
    return list(zip(starts, ends, strict=True))


def _runs_of_integers_text(numbers: Sequence[int]) -> str:
    """Return ascending numbers in words, by their runs: ``2 to 12``, or ``11 to 16, 21 to 26``."""
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in _runs_of_integers(numbers))
