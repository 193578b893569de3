"""Strategies as tables. For each phase, tables show the features that matter, thresholds, and exceptions without a
threshold.

Monotonicity is never assumed: it is verified column by column. Thresholds come only from decisions that can occur.

``Strategy`` is plain data; ``SolvedStrategy`` also has the decisions of the solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, pairwise
from math import inf

import numpy as np

from oddsmith.base.arrays import Ints, arange, cumsum, reduceat
from oddsmith.base.location import text_without_file
from oddsmith.expr import Scope, typed_tree
from oddsmith.graph import unique
from oddsmith.report.english.words import ExpressionWords, joined
from oddsmith.report.policy.decisions import (
    Decisions,
    Feature,
    FeatureColumn,
    OptionShares,
    decisions_by_phase,
    group_numbers,
    option_shares,
)
from oddsmith.report.policy.wording import or_more_words_up_to
from oddsmith.solve import Solution

ACTION_VARIES = -1
"""The option of a cell in which the best option depends on something that the table leaves out. Unless the ruleset gives
its own layout, that happens only in positions that best play never reaches.
"""


ReachedRanges = tuple[tuple[int, int], ...]
"""The ranges of a line that best play reaches, each as its first and its last value."""


@dataclass(frozen=True)
class OptionRun:
    """Neighbouring values of the stopping variable with the same option, from ``first`` to ``last``.

    ``option``: the index of the option, or ACTION_VARIES. ``played``: whether best play reaches any of the values.
    """

    first: int
    last: int
    option: int
    played: bool


@dataclass(frozen=True)
class ThresholdLine:
    """One column of a table of thresholds.

    ``at``: the values of the other numbers, which are fixed in the column. ``runs``: the ranges of the stopping
    variable with their options, ascending.
    """

    at: tuple[int, ...]
    runs: tuple[OptionRun, ...]

    @property
    def is_reached_by_best_play(self) -> bool:
        """Whether best play reaches any value of the column."""
        return any(run.played for run in self.runs)


@dataclass(frozen=True)
class Segment:
    """Neighbouring lines of a table with one threshold in common: the option above it is taken from ``threshold`` on,
    and the option below it otherwise.

    ``first`` and ``last``: the value of the other number in the first and in the last line. ``threshold``: None if one
    option is taken everywhere, which is then ``always``. ``played``: whether best play reaches any of the lines.
    """

    first: int
    last: int
    threshold: int | None
    always: int | None
    played: bool


@dataclass(frozen=True)
class OptionGrid:
    """A complete table.

    ``rows`` and ``columns``: the range of values of each, as (first, last). ``cells``: by the indices of row and
    column, the option and whether best play reaches the cell. A cell is missing if play cannot reach it.
    """

    rows: tuple[tuple[int, int], ...]
    columns: tuple[tuple[int, int], ...]
    cells: Mapping[tuple[int, int], tuple[int, bool]]


@dataclass(frozen=True)
class ThresholdTable:
    """The best actions of a phase by two variables, if further *split* variables have certain values.

    ``where``: the values of the split variables, in words; several if they share the table. ``lines``: the table,
    column by column; along a column the *stopping* variable rises, the one with thresholds. ``segments``: neighbouring
    columns with a common threshold. ``exceptions``: the columns without a single threshold. ``grid``: the complete
    table; None if it would be too large. ``met``: for each column, the ranges of the stopping variable that best play
    reaches.
    """

    where: tuple[tuple[str, ...], ...]
    lines: tuple[ThresholdLine, ...]
    segments: tuple[Segment, ...] = ()
    exceptions: tuple[ThresholdLine, ...] = ()
    grid: OptionGrid | None = None
    met: tuple[ReachedRanges, ...] = ()

    def number_and_beyond_words(self, threshold: int, stopping_feature: Feature) -> str:
        """Return a threshold in words with everything above it, such as "20 or more". It is the number alone if no
        value in the table is above it. ``stopping_feature``: the stopping variable.
        """
        top = max((line.runs[-1].last for line in self.lines if line.runs), default=threshold + 1)
        return or_more_words_up_to(stopping_feature.displayed_number(threshold), stopping_feature.displayed_number(top))

    def threshold_of_line(self, line: ThresholdLine) -> int:
        """Return the threshold of a line that has a single one. In a table with segments, it is the threshold of the
        segment of the line.
        """
        at = line.at[0] if line.at else 0
        around = (each.threshold for each in self.segments if each.first <= at <= each.last)
        return next((shared for shared in around if shared is not None), line.runs[1].first)


@dataclass(frozen=True)
class Strategy:
    """A strategy in one phase. Options are given by their index in ``options``.

    ``options``: the names of the options. ``decided``: the number of decisions. ``met``: the number of decisions that
    best play reaches. ``constant``: the option that best play takes in all of these; None if it takes several.
    ``needed``: the features that determine the choice. ``split``: the needed features that are not numbers; each
    combination of their values has a table. ``down``: the stopping variable. ``across``: the other numbers. ``below``
    and ``above``: the options on both sides of a threshold. ``tables``: the tables of thresholds. ``cases``: pairs of
    values of the needed features, in words, and the option, if no threshold describes the choice; empty if there are
    too many. ``shares``: how often best play takes each option.
    """

    phase: str
    options: tuple[str, ...]
    decided: int
    met: int
    constant: int | None
    needed: tuple[Feature, ...]
    split: tuple[Feature, ...] = ()
    down: Feature | None = None
    across: tuple[Feature, ...] = ()
    below: int = 0
    above: int = 0
    tables: tuple[ThresholdTable, ...] = ()
    cases: tuple[tuple[tuple[str, ...], int], ...] = ()
    shares: OptionShares | None = None

    @property
    def has_thresholds(self) -> bool:
        """Whether every line of every table has a single threshold or takes one option throughout."""
        return self.down is not None and bool(self.tables) and not any(table.exceptions for table in self.tables)

    def thresholds_of_table(self, table: ThresholdTable) -> dict[tuple[int, ...], int]:
        """Return the thresholds of a table, by the values of the other numbers.

        Only lines that have a single threshold and that best play reaches are included. Several numbers may describe a
        line equally well. Then the threshold is that of the segment of the line. In a table without segments, it is the
        highest of these numbers.
        """
        both = (self.below, self.above)
        lines = (
            line
            for line in table.lines
            if line.is_reached_by_best_play and tuple(run.option for run in line.runs) == both
        )
        return {line.at: table.threshold_of_line(line) for line in lines}

    def with_names_of_table(self, table: ThresholdTable) -> Strategy:
        """Return the strategy with features named as they are seen in one table. If the table is for a single side, the
        cells of other seats are named by their sides.
        """
        known = {where[k] for k, feature in enumerate(self.split) if feature.kind == "side" for where in table.where}
        if len(known) != 1:
            return self
        (side,) = known

        def renamed(feature: Feature) -> Feature:
            return replace(feature, name=dict(feature.sided).get(side, feature.name))

        down = None if self.down is None else renamed(self.down)
        return replace(self, split=tuple(map(renamed, self.split)), down=down, across=tuple(map(renamed, self.across)))

    def condition_words_of_table(self, table: ThresholdTable) -> str:
        """Describe the decisions that a table is for, such as: seat 1, nobody is out. Variables that do not tell the
        table from the others are left out.
        """
        kept, rows = _distinguishing_items([where for each in self.tables for where in each.where], table.where)
        features = sorted(
            ((self.split[k], place) for place, k in enumerate(kept)), key=lambda pair: pair[0].kind != "mover"
        )
        return joined(
            [", ".join(feature.value_clause(row[place]) for feature, place in features) for row in rows], "or"
        )

    def threshold_range(self) -> tuple[int, int] | None:
        """Return the least and the greatest threshold of lines that best play reaches; None if there is no threshold."""
        found = [threshold for table in self.tables for threshold in self.thresholds_of_table(table).values()]
        return (min(found), max(found)) if found else None

    def usual_threshold_range(self) -> tuple[int, int] | None:
        """Return the least and the greatest threshold; None if more lines are exceptions than have a threshold."""
        single = sum(len(self.thresholds_of_table(table)) for table in self.tables)
        odd = sum(line.is_reached_by_best_play for table in self.tables for line in table.exceptions)
        return self.threshold_range() if single >= odd else None

    def shown_range(self, table: ThresholdTable) -> tuple[int, int]:
        """Return the range of the stopping variable that a picture of a table shows: its first value, and the value
        after its last.

        The range goes from the least value to somewhat above the highest threshold.
        """
        low = min(run.first for line in table.lines for run in line.runs)
        top = max(run.last for line in table.lines for run in line.runs)
        found = self.threshold_range()
        ceiling = min(top, found[1] + max(6, (found[1] - low) // 3)) if found else top
        return low, max(ceiling + 1, low + 2)


def threshold_bounds(line: ThresholdLine, option_below: int, option_above: int) -> tuple[float, float]:
    """Return bounds of the possible thresholds of a line: a threshold is greater than the first number, and at most the
    second. They are infinite if nothing bounds it.
    """
    low, high = -inf, inf
    for run in line.runs:
        if run.option == option_below and option_below != option_above:
            low = run.last
        else:
            high = run.first
    return low, high


def _distinguishing_items(
    all_keys: Sequence[tuple[str, ...]], own_keys: Sequence[tuple[str, ...]]
) -> tuple[list[int], list[tuple[str, ...]]]:
    """Shorten the keys ``own_keys`` to the items by which they differ from all other keys in ``all_keys``.

    Return the indices of these items, and the shortened keys, each once.
    """
    kept = list(range(len(own_keys[0])))
    for place in range(len(own_keys[0])):
        rest = [k for k in kept if k != place]
        inside, outside = (
            {tuple(key[k] for k in rest) for key in keys} for keys in (own_keys, set(all_keys) - set(own_keys))
        )
        if not inside & outside:
            kept = rest
    return kept, list(dict.fromkeys(tuple(key[k] for k in kept) for key in own_keys))


MAX_SPLITS = 12  # tables of one phase
MAX_CELLS = 1_500  # of a table on a page
MAX_CASES = 60  # lines of a list on a page


@dataclass(frozen=True)
class SolvedStrategy(Strategy):
    """A strategy with the decisions of the solution from which it was derived."""

    needed: tuple[FeatureColumn, ...]
    split: tuple[FeatureColumn, ...] = ()
    down: FeatureColumn | None = None
    across: tuple[FeatureColumn, ...] = ()
    decisions: Decisions = field(kw_only=True)

    @property
    def separates_options(self) -> bool:
        """Whether there are thresholds between two different options, rather than two instances of one option."""
        if self.down is None or self.below == self.above or not self.threshold_range():
            return False
        entries = self.decisions.game.ruleset.phases[self.phase].entries
        return {self.options[self.below], self.options[self.above]} <= {entry.name for entry in entries}


def strategies_by_phase(solution: Solution) -> list[SolvedStrategy]:
    """Return the strategy of every phase that has a decision, in the order of the ruleset."""
    return [_strategy_of_phase(each) for each in decisions_by_phase(solution)]


def _strategy_of_phase(decisions: Decisions) -> SolvedStrategy:
    needed = _features_with_readable_names(decisions) if decisions.has_layout else decisions.needed_features()
    numbers = [feature for feature in needed if feature.is_number]
    split = tuple(feature for feature in needed if not feature.is_number)
    taken = np.unique(decisions.choice[decisions.played])
    bare = SolvedStrategy(
        decisions.phase,
        decisions.options,
        len(decisions.states),
        int(decisions.played.sum()),
        int(taken[0]) if len(taken) == 1 else None,
        needed,
        cases=_reached_cases(decisions, needed),
        shares=option_shares(decisions, needed),
        decisions=decisions,
    )
    if not numbers or (decisions.coarse and not decisions.has_layout) or len(numbers) > 3:
        return bare
    group = group_numbers([feature.column for feature in split], len(decisions.choice))
    if group.max() >= MAX_SPLITS:
        return bare
    down = _stopping_feature(decisions, numbers, group)
    across = tuple(feature for feature in numbers if feature is not down)
    found = {
        number: list(_threshold_lines(decisions, down, across, group == number))
        for number in range(int(group.max()) + 1)
    }
    below, above = _most_common_options_around_threshold([line for each in found.values() for line, _ in each])
    tables: dict[tuple[ThresholdLine, ...], list[tuple[str, ...]]] = {}
    met: dict[tuple[ThresholdLine, ...], list[tuple[ReachedRanges, ...]]] = {}
    for number, each in found.items():
        state = int(np.flatnonzero(group == number)[0])
        where = tuple(feature.code_text(int(feature.column[state])) for feature in split)
        lines = tuple(line for line, _ in each)
        tables.setdefault(lines, []).append(where)
        met.setdefault(lines, []).append(tuple(stretches for _, stretches in each))
    made = tuple(
        replace(_threshold_table(tuple(where), lines, below, above, len(across)), met=_union_of_ranges(met[lines]))
        for lines, where in tables.items()
    )
    return replace(bare, split=split, down=down, across=across, below=below, above=above, tables=made, cases=())


def _union_of_ranges(ranges_by_table: Sequence[tuple[ReachedRanges, ...]]) -> tuple[ReachedRanges, ...]:
    """Return, for each line, the ranges that best play reaches in any of several tables with the same lines."""
    if len(ranges_by_table) == 1:
        return ranges_by_table[0]
    return tuple(
        tuple(_consecutive_ranges(sorted({value for first, last in chain(*line) for value in range(first, last + 1)})))
        for line in zip(*ranges_by_table, strict=True)
    )


def _consecutive_ranges(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of consecutive numbers in ascending ``values``, each as its first and its last number."""
    for _, many in groupby(enumerate(values), key=lambda one: one[1] - one[0]):
        kept = [value for _, value in many]
        yield kept[0], kept[-1]


def _reached_cases(decisions: Decisions, features: Sequence[FeatureColumn]) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return every combination of values of the needed features that best play reaches, each with its option; empty if
    there are too many.
    """
    mine = np.flatnonzero(decisions.played)
    group = group_numbers([feature.column[mine] for feature in features], len(mine))
    if decisions.coarse or not len(mine) or group.max() >= MAX_CASES:
        return ()
    first = mine[np.unique(group, return_index=True)[1]]
    return tuple(
        (tuple(feature.code_text(int(feature.column[state])) for feature in features), int(decisions.choice[state]))
        for state in first
    )


def _features_with_readable_names(decisions: Decisions) -> tuple[FeatureColumn, ...]:
    """Return the features with readable names. If the ruleset lays out the table itself, its rows, columns and split
    are expressions, which are written in words.
    """
    words = ExpressionWords(decisions.game)
    scope = Scope(decisions.game.ruleset.symbols)
    plain = decisions.game.ruleset.state  # what these are called is known
    named = {
        feature.key: words.noun_words(typed_tree(text_without_file(feature.key), scope)).replace("`", "")
        for feature in decisions.features
        if feature.key not in plain
    }
    return tuple(replace(feature, name=named.get(feature.key, feature.name)) for feature in decisions.features)


def _stopping_feature(
    decisions: Decisions, number_features: Sequence[FeatureColumn], table_numbers: Ints
) -> FeatureColumn:
    """Return the stopping variable: the one of ``number_features`` whose thresholds describe the choice best.

    Variables that are reset in each turn come first. Among equal ones, the variable with the fewest exceptions is
    chosen. ``table_numbers``: the number of the table of each decision.
    """

    def fault_counts(feature: FeatureColumn) -> tuple[int, int, int]:
        rest = tuple(other for other in number_features if other is not feature)
        exceptions = 0
        for number in range(int(table_numbers.max()) + 1):
            lines = [line for line, _ in _threshold_lines(decisions, feature, rest, table_numbers == number)]
            exceptions += len(_lines_without_threshold(lines, *_most_common_options_around_threshold(lines)))
        return (not feature.resets, exceptions, -len(unique(feature.column)))

    return min(number_features, key=fault_counts) if len(number_features) > 1 else number_features[0]


# --- lines


def _threshold_lines(
    decisions: Decisions, stopping_feature: FeatureColumn, fixed_features: Sequence[FeatureColumn], mask: np.ndarray
) -> Iterator[tuple[ThresholdLine, ReachedRanges]]:
    """Yield the decisions as lines, each with the ranges that best play reaches. In a line, the features ``fixed_features`` are
    fixed, and ``stopping_feature`` ascends.

    ``mask``: the mask of the decisions to use. Several decisions may have the same values. Then only those that best
    play reaches count, if there are any.
    """
    keys = np.stack([*(feature.column[mask] for feature in fixed_features), stopping_feature.column[mask]])
    option, played = decisions.choice[mask], decisions.played[mask]
    order = np.lexsort((~played, *keys[::-1]))  # of equal cells those of good play first
    keys, option, played = keys[:, order], option[order], played[order]
    new = np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))
    first, cell = np.flatnonzero(new), cumsum(new) - 1
    counts = played == played[first][cell]
    varies = reduceat(np.logical_or, counts & (option != option[first][cell]), first)
    options, at, good = np.where(varies, ACTION_VARIES, option[first]), keys[:, first], played[first]
    for line in np.split(arange(len(first)), np.flatnonzero((at[:-1, 1:] != at[:-1, :-1]).any(axis=0)) + 1):
        cells = list(zip(at[-1, line].tolist(), options[line].tolist(), good[line].tolist(), strict=True))
        met = [value for value, _, played_there in cells if played_there]
        yield (
            ThresholdLine(tuple(at[:-1, line[0]].tolist()), tuple(_runs_of_one_option(cells))),
            tuple(_consecutive_ranges(met)),
        )


def _runs_of_one_option(cells: list[tuple[int, int, bool]]) -> Iterator[OptionRun]:
    first, option, played = cells[0]
    last = first
    for value, other, good in cells[1:]:
        if other != option:
            yield OptionRun(first, last, option, played)
            first, option, played = value, other, False
        last, played = value, played or good
    yield OptionRun(first, last, option, played)


def _most_common_options_around_threshold(lines: Sequence[ThresholdLine]) -> tuple[int, int]:
    """Return the option below and the option above a threshold that occur together most often. If no line has a
    threshold, return the most frequent option twice.
    """
    pairs = Counter(
        (a.option, b.option)
        for line in lines
        for a, b in pairwise(line.runs)
        if ACTION_VARIES not in (a.option, b.option)
    )
    if pairs:
        return min(pairs, key=lambda pair: (-pairs[pair], pair))
    only = Counter(run.option for line in lines for run in line.runs)
    option = min(only, key=lambda option: (-only[option], option))
    return option, option


def _lines_without_threshold(
    lines: Sequence[ThresholdLine], option_below: int, option_above: int
) -> list[ThresholdLine]:
    """Return the lines that are described neither by a single threshold between the two options nor by one of them
    alone.
    """
    fitting = ((option_below, option_above), (option_below,), (option_above,))
    return [line for line in lines if tuple(run.option for run in line.runs) not in fitting]


# --- tables


def _threshold_table(
    case_texts: tuple[tuple[str, ...], ...],
    lines: tuple[ThresholdLine, ...],
    option_below: int,
    option_above: int,
    fixed_feature_count: int,
) -> ThresholdTable:
    exceptions = tuple(_lines_without_threshold(lines, option_below, option_above))
    if fixed_feature_count > 1:
        return ThresholdTable(case_texts, lines, (), exceptions)
    return ThresholdTable(
        case_texts,
        lines,
        tuple(_segments(lines, exceptions, option_below, option_above)),
        exceptions,
        _option_grid(lines),
    )


def _segments(
    lines: Sequence[ThresholdLine], exceptions: Sequence[ThresholdLine], option_below: int, option_above: int
) -> Iterator[Segment]:
    """Yield segments of neighbouring lines with a common threshold, each as long as possible.

    ``exceptions``: the lines without a threshold, which are in no segment.
    """
    batch: list[ThresholdLine] = []
    low, high = -np.inf, np.inf
    for line in lines:
        apart = line in exceptions
        a, b = (np.inf, -np.inf) if apart else threshold_bounds(line, option_below, option_above)
        if batch and max(low, a) >= min(high, b):
            yield _segment_of(batch, low, high, option_below, option_above)
            batch, low, high = [], -np.inf, np.inf
        if apart:
            continue
        batch.append(line)
        low, high = max(low, a), min(high, b)
    if batch:
        yield _segment_of(batch, low, high, option_below, option_above)


def _segment_of(
    lines: Sequence[ThresholdLine], lower_bound: float, upper_bound: float, option_below: int, option_above: int
) -> Segment:
    first, last = (lines[0].at or (0,))[0], (lines[-1].at or (0,))[0]
    played = any(line.is_reached_by_best_play for line in lines)
    if lower_bound == -np.inf:
        return Segment(first, last, None, option_above, played)
    if upper_bound == np.inf:
        return Segment(first, last, None, option_below, played)
    return Segment(first, last, int(upper_bound), None, played)


def _option_grid(lines: Sequence[ThresholdLine]) -> OptionGrid | None:
    """Return the complete table. Neighbouring columns that agree are merged, and then neighbouring rows. Return None if
    the table is still too large.
    """
    columns: list[tuple[tuple[int, int], dict[int, tuple[int, bool]]]] = []
    for line in lines:
        cells = {value: (run.option, run.played) for run in line.runs for value in (run.first, run.last)}
        for run in line.runs:
            cells |= dict.fromkeys(range(run.first, run.last + 1), (run.option, run.played))
        at = (line.at or (0,))[0]
        if columns and _do_options_agree(columns[-1][1], cells):
            (first, _), union = columns[-1]
            columns[-1] = ((first, at), _merged_cells(union, cells))
        else:
            columns.append(((at, at), cells))
    values = sorted({value for _, cells in columns for value in cells})
    rows: list[tuple[tuple[int, int], dict[int, tuple[int, bool]]]] = []
    for value in values:
        row = {number: cells[value] for number, (_, cells) in enumerate(columns) if value in cells}
        if rows and _do_options_agree(rows[-1][1], row):
            (first, _), union = rows[-1]
            rows[-1] = ((first, value), _merged_cells(union, row))
        else:
            rows.append(((value, value), row))
    if len(rows) * len(columns) > MAX_CELLS:
        return None
    by_place = {(number, column): cell for number, (_, row) in enumerate(rows) for column, cell in row.items()}
    return OptionGrid(tuple(span for span, _ in rows), tuple(span for span, _ in columns), by_place)


def _do_options_agree(first: Mapping[int, tuple[int, bool]], second: Mapping[int, tuple[int, bool]]) -> bool:
    """Whether two rows or columns have the same option wherever both have a cell."""
    return all(first[key][0] == second[key][0] for key in first.keys() & second.keys())


def _merged_cells(
    first: Mapping[int, tuple[int, bool]], second: Mapping[int, tuple[int, bool]]
) -> dict[int, tuple[int, bool]]:
    both = {**first, **second}
    return {key: (cell[0], any(each[key][1] for each in (first, second) if key in each)) for key, cell in both.items()}
