"""The section with the strategy of a game: thresholds with maps, and whole tables, which are folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from oddsmith.publish.charts.bars import option_shares_chart
from oddsmith.publish.charts.boundary import MapData, can_table_be_drawn, map_cells_json, map_chart
from oddsmith.publish.charts.drawing import Size
from oddsmith.publish.charts.lines import threshold_chart, turn_start_value_chart
from oddsmith.publish.charts.multiples import slice_table, sliding_map_html, sliding_maps_json, small_maps_html
from oddsmith.publish.markup.html import Html, esc, join_html, tag
from oddsmith.publish.markup.numbers import loss_text_with_unit
from oddsmith.publish.sections.deciding import (
    ADVISE,
    FIRST_TURN,
    binned_thresholds_table,
    decisions_by_importance,
    exceptions_html,
    feature_notes,
    has_thresholds,
    is_in_line_to_remember,
    option_grid_legend,
    option_grid_table,
    option_tables,
    pale_rows_note,
    strategy_summary,
    strategy_without_tables_html,
    thresholds_html,
)
from oddsmith.publish.sections.first_screen import NO_RULE, line_to_remember, loses_too_much_for_advice, remembered_line
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, plain_name, sentence
from oddsmith.report.policy import DecisionList, Rule, Strategy, ThresholdTable, take_when_words

ASK = (tag("em", tag("a", "Play it, or ask", href="#play")), " (below) answers for any position.")


def strategy_html(answer: Answer, is_interactive: bool = False) -> Html:
    """Return the strategy of every phase that has decisions, as HTML. Only the tables of the most important decision
    are unfolded.

    ``is_interactive``: whether maps are interactive and describe the cell that a visitor touches. ``map_data_files``
    returns the data for this.
    """
    if not answer.strategies:
        return tag("p", "There is nothing to decide: the dice do everything.")
    many, first = len(answer.strategies) > 1, decisions_by_importance(answer)[0]
    rules = {rule.phase: rule for rule in answer.shown_rule_comparison.rules}
    parts = [tag("p", FIRST_TURN, *ADVISE)] if answer.covers_first_turn_only else []
    for strategy in answer.shown_strategies:
        phase, shown = strategy.phase, strategy is first or not strategy.tables
        cells = _map_data(answer, strategy) if is_interactive else ()
        short = answer.short_lists_in_words.list_of_phase(phase) if answer.short_lists_in_words else None
        lists = [short_list_html(answer, short)] if short else []
        made = _phase_strategy_html(strategy, many and shown, rules.get(phase), cells, lists, strategy is first)
        parts.append(made if shown else _folded_on_screen_html(capital(plain_name(phase)), made))
    mixed = answer.result.mixed if answer.result else 0
    if mixed:
        words = "one position" if mixed == 1 else f"{mixed} positions"
        text = f"In {words} best play decides by chance between several actions. The table names one of them."
        parts.append(tag("p", text, cls="od-note"))
    standing = turn_start_value_chart(answer)
    if standing and "od-chart" in join_html(parts):  # one picture is open
        standing = _folded_on_screen_html("What the start of your turn is worth", standing)
    made = join_html([*parts, standing] if standing else parts, "\n")
    return (
        Html(made.replace(join_html(ADVISE), join_html(ASK)))
        if is_interactive and answer.policy_and_value_tables
        else made
    )


def _folded_on_screen_html(summary: str, *parts: Html) -> Html:
    """Return an element that is folded on a screen, but not on paper. ``summary``: its heading."""
    return tag("details", tag("summary", summary), *parts, cls="od-rest")


def short_list_html(answer: Answer, decision_list: DecisionList) -> Html:
    """Return the short list of a decision with its loss, as HTML.

    It is empty if the line to remember loses less. If the list loses too much to be advice, it is a note that no good
    rule is known.
    """
    line = remembered_line(answer)
    if (
        line
        and line.rule_value
        and line.rule_value.loss
        and decision_list.loss
        and line.rule_value.loss.upper < decision_list.loss.lower
    ):
        return esc("")
    if decision_list.poor or decision_list.loss is None or loses_too_much_for_advice(answer, decision_list.rung):
        return esc("") if line_to_remember(answer) == NO_RULE else tag("p", NO_RULE, cls="od-note")
    costs = f"costs {loss_text_with_unit(answer.unit, decision_list.loss)}"
    note = f"({decision_list.loss.grade})."
    if len(decision_list.lines) > 2:
        note += " The first line that holds counts; skip a line whose option is not possible."
    if (
        strategy_summary(answer) == decision_list.words and not answer.game.ruleset.advice_lines
    ):  # the line above says it
        return tag("p", f"Playing by this line {costs} {note}")
    return tag("p", tag("strong", "In short: "), f"{sentence(decision_list.words)} This {costs} {note}")


def _common_threshold_note(strategy: Strategy, threshold_table: ThresholdTable) -> Iterator[Html]:
    """Yield a sentence with the threshold, if it is the same in all positions that best play reaches; else nothing."""
    found = set(strategy.thresholds_of_table(threshold_table).values())
    if len(found) == 1 and strategy.down is not None:
        above = take_when_words(
            strategy.options[strategy.above],
            strategy.down,
            threshold_table.number_and_beyond_words(found.pop(), strategy.down),
        )
        yield tag("p", f"Wherever best play gets and there is a single threshold, it is the same: {above}.")


def map_data_files(answer: Answer) -> dict[str, bytes]:
    """Return the files that scripts fetch for the maps of an answer, by path below the game's folder. Each has the
    cells of a map, or all maps of a slider.
    """
    found = {}
    for strategy in answer.shown_strategies:
        if strategy.constant is None:
            for each, cells in zip(strategy.tables, _map_data(answer, strategy), strict=True):
                seen = strategy.with_names_of_table(each)
                many = slice_table(seen, each)
                if can_table_be_drawn(seen, each) and has_thresholds(seen, each):
                    found[cells.cells_path] = map_cells_json(seen, each, cells)
                elif many and many.needs_slider:
                    found[cells.cells_path] = sliding_maps_json(many)
    return found


def _map_data(answer: Answer, strategy: Strategy) -> list[MapData]:
    """Return the data of an interactive map for each table of a strategy, in the order of its tables."""
    name = f"maps/{answer.slug}-{strategy.phase}"
    return [
        MapData(
            f"{name}-{number}.json",
            {
                at: replace(spot, other=answer.option_words.worded_each(spot.other, strategy.phase))
                for at, spot in spots.items()
            },
            answer.unit,
        )
        for number, spots in enumerate(answer.map_cells_by_phase[strategy.phase])
    ]


def strategy_picture(answer: Answer, size: Size) -> Html | None:
    """Return a picture of the most important decision that can be drawn, with a line that says for which positions it
    holds; None if no decision can be drawn.
    """
    for strategy in (each for each in decisions_by_importance(answer) if is_in_line_to_remember(answer, each)):
        for each in strategy.tables:
            seen = strategy.with_names_of_table(each)
            drawn = map_chart(seen, each, answer.shown_rule_comparison.main_rule, size) or threshold_chart(
                seen, each, size
            )
            if drawn and has_thresholds(seen, each):
                where = capital(seen.condition_words_of_table(each)) or (
                    "In the first turn" if answer.covers_first_turn_only else ""
                )
                return join_html([tag("p", where, cls="od-where"), drawn]) if where else drawn
    return None


def _phase_strategy_html(
    strategy: Strategy,
    with_heading: bool,
    rule: Rule | None,
    map_data: Sequence[MapData] = (),
    short_list_parts: Sequence[Html] = (),
    is_first: bool = True,
) -> Html:
    """Return the section of one decision.

    ``with_heading``: whether the section has a heading. ``rule``: the rule with one number. ``map_data``: the data of
    interactive maps for its tables. ``short_list_parts``: its short list. ``is_first``: whether its picture is
    unfolded.
    """
    parts: list[Html] = []
    name = plain_name(strategy.phase)
    if with_heading:
        parts.append(tag("h4", capital(name)))
    parts += short_list_parts
    if strategy.constant is None and strategy.down is not None:
        if feature_notes(strategy):
            parts.append(tag("p", feature_notes(strategy), cls="od-about"))
        for each, cells in zip_longest(strategy.tables, map_data):
            seen = strategy.with_names_of_table(each)
            where, made = (
                capital(seen.condition_words_of_table(each)),
                list(_threshold_table_parts(seen, each, rule, cells)),
            )
            if each is strategy.tables[0]:
                parts += [*([tag("p", tag("strong", where), cls="od-where")] if where else []), *made]
            else:
                parts.append(_folded_on_screen_html(where, *made))
    elif strategy.constant is None or not short_list_parts:  # a list says which of its kinds
        parts.append(strategy_without_tables_html(strategy))
    if strategy.constant is None and not strategy.has_thresholds and "od-chart" not in join_html(parts):
        drawn = option_shares_chart(strategy)
        parts += (
            [drawn if is_first else _folded_on_screen_html("What best play takes, and how often", drawn)]
            if drawn
            else []
        )
    return join_html(parts, "\n")


def _threshold_table_parts(
    strategy: Strategy, threshold_table: ThresholdTable, rule: Rule | None, map_data: MapData | None
) -> Iterator[Html]:
    if not has_thresholds(strategy, threshold_table):
        yield from option_tables(strategy, threshold_table)
        yield from _third_variable_maps(strategy, threshold_table, map_data)
        yield from _variables_left_out_note(strategy)
        return
    if len(strategy.across) > 1:
        maps, shown = (
            list(_third_variable_maps(strategy, threshold_table, map_data)),
            binned_thresholds_table(strategy, threshold_table),
        )
        yield from (
            [*maps, _folded_on_screen_html("The thresholds as a table", shown)]
            if maps
            else [shown, *_thresholds_without_map(strategy, threshold_table)]
        )
    else:
        drawn = map_chart(strategy, threshold_table, rule, map_data=map_data)
        shown = thresholds_html(strategy, threshold_table)
        yield tag("div", shown, drawn, cls="od-pair") if drawn else shown
        yield from pale_rows_note(strategy, threshold_table)
        if threshold_table.grid:
            grid = [
                option_grid_legend(strategy, threshold_table.grid),
                option_grid_table(strategy, threshold_table.grid),
                *_variables_left_out_note(strategy),
            ]
            yield tag("details", tag("summary", "The whole table"), *grid, cls="od-more")
    if threshold_table.exceptions:
        yield exceptions_html(strategy, threshold_table)


def _variables_left_out_note(strategy: Strategy) -> Iterator[Html]:
    """Yield a note that the table has only the variables that best play needs. Yield nothing if best play reaches all
    decisions.
    """
    if strategy.met < strategy.decided:
        words = (
            "The table leaves out what best play does not depend on. In positions that best play never reaches, more may "
            "matter."
        )
        yield tag("p", words, cls="od-note")


def _third_variable_maps(
    strategy: Strategy, threshold_table: ThresholdTable, map_data: MapData | None
) -> Iterator[Html]:
    """Yield small maps for some values of a third variable, if a table has one.

    ``map_data``: the data of a large map with a slider for all values, which is yielded first; None for no such map.
    """
    found = slice_table(strategy, threshold_table)
    if found is not None and map_data and found.needs_slider:
        yield sliding_map_html(found, map_data.cells_path)
        yield _folded_on_screen_html("Some of these maps side by side", small_maps_html(found))
    elif found is not None:
        yield small_maps_html(found)


def _thresholds_without_map(strategy: Strategy, threshold_table: ThresholdTable) -> Iterator[Html]:
    """Yield thresholds over two variables of a table that has no map: as a line chart, or in words."""
    drawn = threshold_chart(strategy, threshold_table)
    yield from [drawn] if drawn else _common_threshold_note(strategy, threshold_table)
