"""Best play as sentences and tables without pictures: thresholds, lists of positions, and the variables on which
decisions depend.

A table over two variables has thresholds or best options. Variables with many values are grouped into bins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import ceil

from oddsmith.publish.markup.html import Html, cell, column_header, esc, join_html, row_header, table, tag
from oddsmith.publish.markup.numbers import range_text
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, joined, sentence
from oddsmith.report.policy import (
    ACTION_VARIES,
    DecisionList,
    Feature,
    OptionGrid,
    Segment,
    Strategy,
    ThresholdLine,
    ThresholdTable,
    always_take_words,
    threshold_bounds,
    threshold_caption,
    threshold_column_heading,
    threshold_sentence,
    without_owner,
)

MAX_BINS = 12  # rows and columns


def thresholds_table_caption(strategy: Strategy) -> str:
    """Return the caption of a table of thresholds, which says what its numbers mean."""
    assert strategy.down is not None
    return threshold_caption(strategy.down, strategy.options[strategy.above], strategy.options[strategy.below])


@dataclass(frozen=True)
class _BinnedLines:
    """The lines of a table, grouped by bins of two variables. Bins of the first variable are columns, those of the
    second rows.
    """

    strategy: Strategy
    lines: Sequence[ThresholdLine]

    @cached_property
    def bin_bounds(self) -> list[tuple[int, int, int]]:
        """The least value, the greatest value and the width of bins, for each of the two variables."""
        found = []
        for which in (0, 1):
            values = [line.at[which] for line in self.lines]
            low, top = min(values), max(values)
            found.append((low, top, max(1, ceil((top - low + 1) / MAX_BINS))))
        return found

    def bin_of_line(self, line: ThresholdLine) -> tuple[int, int]:
        """Return the row and the column of a line's bin, as indices from 0."""
        (first, _, wide), (low, _, width) = self.bin_bounds
        return (line.at[1] - low) // width, (line.at[0] - first) // wide

    def table_of_bins(self, caption: str, cell_of_lines: Callable[[list[ThresholdLine]], Html]) -> Html:
        """Return the table with the caption ``caption``.

        ``cell_of_lines``: a function that makes the cell of a bin from the lines in the bin.
        """
        across, second = self.strategy.across
        cells: dict[tuple[int, int], list[ThresholdLine]] = {}
        for line in self.lines:
            cells.setdefault(self.bin_of_line(line), []).append(line)
        columns = sorted({k for _, k in cells})
        head = [
            column_header(f"{second.name} / {across.name}"),
            *(column_header(self._bin_name(0, k)) for k in columns),
        ]
        rows = [
            [
                row_header(self._bin_name(1, r)),
                *(cell_of_lines(cells[r, k]) if (r, k) in cells else cell("") for k in columns),
            ]
            for r in sorted({r for r, _ in cells})
        ]
        return table(caption, head, rows)

    def _bin_name(self, variable: int, bin_index: int) -> str:
        low, top, width = self.bin_bounds[variable]
        first = low + bin_index * width
        return self.strategy.across[variable].range_text(first, min(first + width - 1, top))


def binned_thresholds_table(strategy: Strategy, threshold_table: ThresholdTable) -> Html:
    """Return a table of thresholds over bins of two variables: each cell has the lowest and the highest threshold in
    its bin.
    """
    words = (
        f"{thresholds_table_caption(strategy)} Two numbers are the lowest and the highest threshold within the cell. "
    )
    words += "Best play never reaches pale cells."
    words += (
        " A star marks cells in which some positions have no single threshold." if threshold_table.exceptions else ""
    )
    odd = set(threshold_table.exceptions)

    def thresholds_cell(lines: list[ThresholdLine]) -> Html:
        return _thresholds_of_bin_cell(
            strategy, [line for line in lines if line not in odd], "*" * any(line in odd for line in lines)
        )

    return _BinnedLines(strategy, threshold_table.lines).table_of_bins(words, thresholds_cell)


def binned_options_table(strategy: Strategy, threshold_table: ThresholdTable, abbreviations: Sequence[str]) -> Html:
    """Return a table of the best options over bins of two variables, for strategies without thresholds in the third
    variable. ``abbreviations``: the abbreviations of the options.
    """
    assert strategy.down is not None
    across, second = strategy.across
    words = f"What to do at each {without_owner(second.name)} (down) and {without_owner(across.name)} (across), "
    words += f"wherever best play gets. Where a cell has several marks, it depends on {without_owner(strategy.down.name)} too."

    def options_cell(lines: list[ThresholdLine]) -> Html:
        found = {run.option for line in lines for run in line.runs if run.played}
        sure = sorted(found - {ACTION_VARIES})
        text = " ".join([*(abbreviations[option] for option in sure), *("*" for _ in found & {ACTION_VARIES})])
        return cell(text, cls=f"od-a{sure[0] % 4}" if len(sure) == 1 and ACTION_VARIES not in found else None)

    return _BinnedLines(
        strategy, [line for line in threshold_table.lines if line.is_reached_by_best_play]
    ).table_of_bins(words, options_cell)


def _thresholds_of_bin_cell(strategy: Strategy, lines: list[ThresholdLine], footnote_mark: str) -> Html:
    good = [line for line in lines if line.is_reached_by_best_play]
    pale = None if good else "od-pale"
    thresholds = [threshold_bounds(line, strategy.below, strategy.above) for line in (good or lines)]
    if not thresholds:
        return cell(footnote_mark)
    numbers = [int(high) for low, high in thresholds if high < float("inf") and low > -float("inf")]
    if numbers:
        assert strategy.down is not None
        low, high = map(strategy.down.displayed_number, (min(numbers), max(numbers)))
        return cell(range_text(low, high) + footnote_mark, cls=pale)
    return cell(("always" if thresholds[0][0] == -float("inf") else "never") + footnote_mark, cls=pale)


# --- the whole table


def option_abbreviations(options: Sequence[str]) -> tuple[str, ...]:
    """Return a short unique abbreviation for each option, in their order: the first letter of its name if no other name
    begins with it, else the initial of another word or more letters.
    """
    tried = [_possible_abbreviations(option) or [str(number)] for number, option in enumerate(options, 1)]
    firsts = [mine[0] for mine in tried]
    chosen: list[str] = []
    for number, mine in enumerate(tried):
        others = {mark for other, theirs in enumerate(tried) if other != number for mark in theirs}
        own = mine[:1] if firsts.count(mine[0]) == 1 else [mark for mark in mine if mark not in others]
        free = [mark for mark in mine if mark not in chosen]
        chosen.append((own or free or [str(number + 1)])[0])
    return tuple(chosen)


def _possible_abbreviations(option: str) -> list[str]:
    """Return possible abbreviations of an option, the best first: the initials of its words, then its first two and
    three letters.
    """
    words = re.findall(r"[^\W_]+", option)
    return [*(word[0].upper() for word in words), *(words[0][:size].capitalize() for size in (2, 3) if words)]


def option_grid_legend(strategy: Strategy, grid: OptionGrid) -> Html:
    """Return the key to the abbreviations that occur in a grid."""
    used = {option for option, _ in grid.cells.values()}
    return abbreviations_legend(
        strategy, option_abbreviations(strategy.options), used, not all(played for _, played in grid.cells.values())
    )


def abbreviations_legend(
    strategy: Strategy, abbreviations: Sequence[str], used_options: set[int], has_pale_cells: bool = False
) -> Html:
    """Return a list that explains the abbreviations in a table.

    ``abbreviations``: the abbreviations of all options. ``used_options``: the indices of the options in the table.
    ``has_pale_cells``: whether the table has pale cells.
    """
    items = [
        tag("li", tag("span", mark, cls=f"od-a{number % 4}"), Html(" "), esc(name))
        for number, (mark, name) in enumerate(zip(abbreviations, strategy.options, strict=True))
        if number in used_options
    ]
    if ACTION_VARIES in used_options:
        items.append(tag("li", tag("span", "*"), Html(" "), "it depends on more than the table shows"))
    if has_pale_cells:
        items.append(tag("li", tag("span", "pale", cls="od-pale"), Html(" "), "best play never gets there"))
    return tag("ul", *items, cls="od-legend")


def option_grid_table(strategy: Strategy, grid: OptionGrid) -> Html:
    down = strategy.down
    assert down is not None
    known = option_abbreviations(strategy.options)
    across = strategy.across[0].name if strategy.across else ""
    each = "each number of" if down.verb == "are" else "each"
    caption = (
        f"What to do at {each} {without_owner(down.name)}" + (f" (down) and {across} (across)" if across else "") + "."
    )
    head = [column_header(f"{down.name} / {across}" if across else down.name)]
    head += [column_header(strategy.across[0].range_text(*columns) if across else "best") for columns in grid.columns]
    rows = []
    for number, values in enumerate(grid.rows):
        line = [row_header(down.range_text(*values))]
        for place in range(len(grid.columns)):
            best = grid.cells.get((number, place))
            if best is None:
                line.append(cell(""))
                continue
            option, played = best
            pale = "" if played else "od-pale"
            if option == ACTION_VARIES:
                line.append(cell("*", cls=pale or None))
            else:
                line.append(cell(known[option], cls=f"od-a{option % 4} {pale}".strip()))
        rows.append(line)
    return table(caption, head, rows)


MAX_LISTED_THINGS = 6  # things that a sentence lists
MAX_LISTED_EXCEPTIONS = 12  # exceptions that are listed
NONE = "no single threshold"


def decisions_by_importance(answer: Answer) -> list[Strategy]:
    """Return the decisions in order of importance.

    First come those that the line to remember is about, and among these the decision of the rule with one number.
    Decisions in which one option is always best come last. Others are in descending order of the number of positions
    that best play reaches.
    """
    rule = answer.shown_rule_comparison.main_rule

    def importance(strategy: Strategy) -> tuple[bool, bool, bool, int]:
        remembered, own = is_in_line_to_remember(answer, strategy), rule is not None and rule.phase == strategy.phase
        return not remembered, not own, strategy.constant is not None, -strategy.met

    return sorted(answer.shown_strategies, key=importance)


def is_in_line_to_remember(answer: Answer, strategy: Strategy) -> bool:
    """Return whether the line to remember is about a decision, because the policy of the line decides in its phase.

    If no line of the ruleset has a policy, the result is True.
    """
    rules = answer.game.ruleset
    policies = [
        each.policy for each in rules.advice_lines if each.policy and each.holds_for_seat_count(answer.setting.seats)
    ]
    return not policies or strategy.phase in rules.policies[policies[0]]


def strategy_summary(answer: Answer) -> str:
    """Return the strategy of an answer in one line of text."""
    rule = answer.shown_rule_comparison.main_rule
    short = best_decision_list(answer)
    if short and (not rule or is_list_better_than_number_rule(answer, short)):
        return short.words
    if rule:
        return f"a short rule: {rule.words}" if rule.is_constant else rule.words
    fixed = [
        strategy.options[strategy.constant] for strategy in answer.shown_strategies if strategy.constant is not None
    ]
    if fixed and len(fixed) == len(answer.strategies):
        return always_take_words(joined(fixed))
    return "no single number says what to do" if answer.strategies else "nothing to decide"


def best_decision_list(answer: Answer) -> DecisionList | None:
    """Return the short list of the most important decision that has a good short list; None if there is none."""
    lists = answer.short_lists_in_words if answer.main and answer.strategies else None
    found = [lists.list_of_phase(each.phase) for each in decisions_by_importance(answer)] if lists else []
    return next((each for each in found if each and not each.poor and each.loss), None)


def is_list_better_than_number_rule(answer: Answer, decision_list: DecisionList) -> bool:
    """Return whether to prefer a short list to the number rule, which is the rule with one number.

    ``decision_list``: the list. It must have one number only, and be for the phase of the number rule. It is preferred
    if its loss is surely less, or if the number rule does not exist or has no known loss.
    """
    rule, rule_value = (
        answer.shown_rule_comparison.main_rule,
        answer.shown_rule_comparison.first_value_of_kind("number"),
    )
    if not decision_list.has_one_number or (rule and rule.phase != decision_list.phase):
        return False
    return (
        rule_value is None
        or rule_value.loss is None
        or (decision_list.loss is not None and decision_list.loss.upper < rule_value.loss.lower)
    )


FIRST_TURN = "This is best play in the first turn. In later turns other numbers are best. "
"""The note on the strategies of a game if they are only those of the first turn."""

ADVISE = (tag("code", "oddsmith advise"), " answers for any position.")
"""The hint at the command that advises in any position. Pages that can advise themselves replace it."""


def strategy_without_tables_html(strategy: Strategy) -> Html:
    """Return best play in a phase without tables of thresholds: the only best option, a list of positions, or the
    variables on which it depends.
    """
    if strategy.constant is not None:
        return tag(
            "p",
            capital(f"{always_take_words(strategy.options[strategy.constant])}, at every choice that best play meets."),
        )
    return _table_of_cases(strategy) if strategy.cases else _table_too_large_note(strategy)


def _table_too_large_note(strategy: Strategy) -> Html:
    names = list(dict.fromkeys(_feature_or_family_name(strategy, feature) for feature in strategy.needed))
    more = len(names) - MAX_LISTED_THINGS
    shown = joined(names) if more <= 0 else f"{', '.join(names[:MAX_LISTED_THINGS])} and {more} more things"
    return tag("p", f"What to do here depends on {shown}, which is too much for a table. ", *ADVISE)


def _feature_or_family_name(strategy: Strategy, feature: Feature) -> str:
    """Return the name of a feature. If the strategy needs several members of its family, such as the coffers of a
    board, return one name for all of them.
    """
    kin = [other for other in strategy.needed if _family_key(other) == _family_key(feature)]
    if "[" not in feature.key or len(kin) == 1:
        return {"out": "who is out", "side": "the side", "mover": "the seat"}.get(feature.kind, feature.name)
    names = [other.name.split() for other in kin]
    same = [word for word in names[0] if all(word in name for name in names)]
    rest = [" ".join(word for word in name if word not in same) for name in names]
    if not same:
        return feature.name
    members = (
        joined(rest) if not any(" " in each for each in rest) and len(rest) <= MAX_BINS else f"{len(rest)} of them"
    )
    return f"{' '.join(same)} ({members})"


def _family_key(feature: Feature) -> str:
    return feature.key.partition("[")[0]


def short_strategy_html(strategy: Strategy) -> list[Html]:
    """Return the shortest description of best play in a phase: a sentence, or tables without the parts that pages fold."""
    if strategy.constant is not None or strategy.down is None:
        return [strategy_without_tables_html(strategy)]
    parts = []
    for each in strategy.tables:
        seen = strategy.with_names_of_table(each)
        where = capital(seen.condition_words_of_table(each))
        head = [tag("p", tag("strong", where), cls="od-where")] if where else []
        if not has_thresholds(seen, each):
            parts.append(join_html([*head, *option_tables(seen, each)]))
        else:
            shown = binned_thresholds_table(seen, each) if len(seen.across) > 1 else thresholds_html(seen, each)
            notes = list(pale_rows_note(seen, each))
            if each.exceptions:
                words = "Where there is no single threshold, the game’s page says what to do."
                notes.append(tag("p", words, cls="od-note"))
            parts.append(join_html([*head, shown, *notes]))
    return parts


def has_thresholds(strategy: Strategy, threshold_table: ThresholdTable) -> bool:
    """Return whether thresholds describe a table well: the options on both sides differ, and at most half of the
    columns that best play reaches are exceptions.
    """
    lines = [line for line in threshold_table.lines if line.is_reached_by_best_play] or list(threshold_table.lines)
    odd = sum(line in threshold_table.exceptions for line in lines)
    return strategy.below != strategy.above and 2 * odd <= len(lines)


def option_tables(strategy: Strategy, threshold_table: ThresholdTable) -> Iterator[Html]:
    """Yield the key and a table of the best options, for a strategy without thresholds. If the table is too large,
    yield a note instead.
    """
    if threshold_table.grid:
        yield from (
            option_grid_legend(strategy, threshold_table.grid),
            option_grid_table(strategy, threshold_table.grid),
        )
        return
    if len(strategy.across) == 2:
        known = option_abbreviations(strategy.options)
        used = {run.option for line in threshold_table.lines for run in line.runs if run.played}
        yield from (abbreviations_legend(strategy, known, used), binned_options_table(strategy, threshold_table, known))
        return
    names = joined([feature.name for feature in (*strategy.across, strategy.down) if feature is not None])
    yield tag("p", f"There are no thresholds over {names}, and the whole table is too large for a page. ", *ADVISE)


# --- thresholds over one variable


def thresholds_html(strategy: Strategy, threshold_table: ThresholdTable) -> Html:
    """Return the thresholds of a strategy as HTML: as sentences, or as a table over one variable."""
    down, above = strategy.down, strategy.options[strategy.above]
    assert down is not None
    if not strategy.across:
        lines = [_threshold_sentence(strategy, threshold_table, segment) for segment in threshold_table.segments]
        return join_html([tag("p", line, cls="od-line") for line in lines]) if lines else esc("")
    across = strategy.across[0]
    head = [column_header(across.name), column_header(threshold_column_heading(down, above))]
    parts = [
        (part.first, part.last, _threshold_text(strategy, threshold_table, part), part.played)
        for part in threshold_table.segments
    ]
    parts += [(first, last, NONE, played) for first, last, played in _column_ranges_without_threshold(threshold_table)]
    rows = [
        [row_header(across.range_text(first, last)), cell(words, cls=None if played else "od-pale")]
        for first, last, words, played in sorted(parts)
    ]
    return table(thresholds_table_caption(strategy), head, rows, cls="od-thresholds")


def _column_ranges_without_threshold(threshold_table: ThresholdTable) -> Iterator[tuple[int, int, bool]]:
    """Yield the ranges of adjacent columns without a single threshold: the first column, the last column, and whether
    best play reaches them.
    """
    kept = sorted(
        [
            (line.at[0], line.is_reached_by_best_play, line in threshold_table.exceptions)
            for line in threshold_table.lines
        ]
    )
    for (odd, played), group in groupby(kept, key=lambda one: (one[2], one[1])):
        columns = [at for at, _, _ in group]
        if odd:
            yield columns[0], columns[-1], played


def pale_rows_note(strategy: Strategy, threshold_table: ThresholdTable) -> Iterator[Html]:
    """Yield a note on the meaning of the paler rows of a table, if it has any."""
    if len(strategy.across) == 1 and not all(segment.played for segment in threshold_table.segments):
        yield tag("p", "Best play never reaches the paler rows, in slanted type.", cls="od-note")


def feature_notes(strategy: Strategy) -> str:
    """Return the descriptions of the variables of a table as text, each once. Owners, such as "your", are left out of
    the names.
    """
    features = [f for f in (*strategy.split, *strategy.across, strategy.down) if f is not None and f.about]
    names = {f.about: f.name.rpartition("'s ")[2].removeprefix("your ") for f in features}
    notes = {sentence(about): name for about, name in names.items()}
    more = {about: name for about, name in notes.items() if about not in (sentence(name), sentence(f"the {name}"))}
    return " ".join(f"{capital(name)}: {about}" for about, name in more.items())


def _threshold_text(strategy: Strategy, threshold_table: ThresholdTable, segment: Segment) -> str:
    if segment.threshold is not None:
        assert strategy.down is not None
        return threshold_table.number_and_beyond_words(segment.threshold, strategy.down)
    return "always" if segment.always == strategy.above else "never"


def _threshold_sentence(strategy: Strategy, threshold_table: ThresholdTable, segment: Segment) -> str:
    down, above, below = strategy.down, strategy.options[strategy.above], strategy.options[strategy.below]
    assert down is not None
    if segment.threshold is not None:
        return threshold_sentence(down, threshold_table.number_and_beyond_words(segment.threshold, down), above, below)
    return sentence(always_take_words(strategy.options[segment.always or 0]))


def exceptions_html(strategy: Strategy, threshold_table: ThresholdTable) -> Html:
    """Return a folded list of the columns without a single threshold, with the best options in each."""
    down = strategy.down
    assert down is not None
    good = sum(line.is_reached_by_best_play for line in threshold_table.exceptions)
    words = f"{len(threshold_table.exceptions):,} of {len(threshold_table.lines):,} columns have no single threshold. "
    reached = "all" if good == len(threshold_table.exceptions) else f"{good:,}" if good else "none"
    words += f"Best play reaches {reached} of them."
    items = [
        tag("li", _threshold_line_text(strategy, line)) for line in threshold_table.exceptions[:MAX_LISTED_EXCEPTIONS]
    ]
    more = len(threshold_table.exceptions) - MAX_LISTED_EXCEPTIONS
    if more > 0:
        items.append(tag("li", f"and {more:,} more"))
    return tag("details", tag("summary", words), tag("ul", *items), cls="od-more")


def _threshold_line_text(strategy: Strategy, line: ThresholdLine) -> str:
    assert strategy.down is not None
    at = ", ".join(f"{f.name} {f.value_text(value)}" for f, value in zip(strategy.across, line.at, strict=True))
    runs = ", ".join(
        f"{_option_text(strategy, run.option)} at {strategy.down.range_text(run.first, run.last)}" for run in line.runs
    )
    return f"{at}: {runs}" if at else runs


def _option_text(strategy: Strategy, option: int) -> str:
    return "it depends on more" if option == ACTION_VARIES else strategy.options[option]


# --- a list of positions


def _table_of_cases(strategy: Strategy) -> Html:
    head = [*(column_header(feature.name) for feature in strategy.needed), column_header("best")]
    rows = []
    for values, option in strategy.cases:
        made = [row_header(values[0]), *(cell(value) for value in values[1:])] if values else []
        rows.append([*made, cell(strategy.options[option], cls="od-text")])
    return table("What to do in every position that best play reaches.", head, rows)
