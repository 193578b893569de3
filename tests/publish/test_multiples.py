"""Maps over three variables: every map of the slider says what the strategy says, and the little ones are some of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import groupby
from typing import Any

import pytest

from oddsmith.publish.charts.bars import option_shares_chart
from oddsmith.publish.charts.boundary import thresholds_text
from oddsmith.publish.charts.multiples import (
    MAPS_PER_ROW,
    MAX_MAPS,
    UNREACHED,
    SlicedTable,
    slice_table,
    sliding_map_html,
    sliding_maps_json,
    small_maps_html,
)
from oddsmith.report.policy.decisions import FeatureColumn
from oddsmith.report.policy.thresholds import (
    ACTION_VARIES,
    OptionRun,
    SolvedStrategy,
    ThresholdLine,
    ThresholdTable,
    strategies_by_phase,
)
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve
from tests.cases import RULESETS, Value


@cache
def strategy(name: str, seats: int, **parameters: Value) -> SolvedStrategy:
    found = strategies_by_phase(
        solve(bind(load_ruleset(RULESETS / f"{name}.yaml")[0], Setting(seats, values=parameters)), "win")
    )
    return next(each for each in found if len(each.across) == 2)


def pig() -> SolvedStrategy:
    return strategy("piglet", 2, target=14)


def whole() -> SlicedTable:
    found = slice_table(pig(), pig().tables[0])
    assert found is not None
    return found


def test_every_slide_says_what_is_best_in_each_position_and_where_best_play_gets() -> None:
    found, decisions = whole(), pig().decisions
    data = json.loads(sliding_maps_json(found))
    across, third, down = found.strategy.across[0], found.sliced_feature, found.strategy.down
    assert down is not None
    assert len(data["slides"]) == len(found.values) > MAX_MAPS
    told = {
        (found.first_column + x, value, y): code
        for value, slide in zip(found.values, data["slides"], strict=True)
        for x, column in enumerate(slide["columns"])
        for low, code, below in zip(column[::2], column[1::2], column[2::2], strict=False)
        for y in range(low, below)
    }
    seen = 0
    assert isinstance(across, FeatureColumn)
    assert isinstance(third, FeatureColumn)
    assert isinstance(down, FeatureColumn)
    for place, played in enumerate(decisions.played.tolist()):
        at = (int(across.column[place]), int(third.column[place]), int(down.column[place]))
        if at[1] in found.values and found.first_row <= at[2] < found.end_row and told[at] != ACTION_VARIES:
            assert (told[at] < UNREACHED) >= played
            if played:
                assert told[at] == decisions.choice[place]
                seen += 1
    assert seen > 100


def test_a_slide_tells_its_thresholds_in_words() -> None:
    found = whole()
    for table, slide in zip(found.strategy.tables, json.loads(sliding_maps_json(found))["slides"], strict=True):
        thresholds = found.strategy.thresholds_of_table(table).values()
        assert slide["words"].startswith(f"Where {found.sliced_feature.name} is ")
        if thresholds:
            assert re.search(
                rf"{found.strategy.options[found.strategy.above]} from .*\b{min(thresholds)}\b", slide["words"]
            )


def test_little_maps_are_few_and_lie_evenly_in_one_frame() -> None:
    found = whole()
    drawn = small_maps_html(found)
    assert [found.values[k] for k in found.small_map_indices] == sorted(
        {found.values[k] for k in found.small_map_indices}
    )
    assert {found.small_map_indices[0], found.small_map_indices[-1]} == {0, len(found.values) - 1}
    assert len(found.small_map_indices) == MAX_MAPS == 2 * MAPS_PER_ROW
    texts = [unescape(text) for text in re.findall("<text[^>]*>(.*?)</text>", drawn)]
    for k in found.small_map_indices:
        assert any(re.search(rf"\b{found.values[k]}$", text) for text in texts)
    assert f"a map for some values of {found.sliced_feature.name}" in unescape(drawn)
    assert not re.search(r"style=|fill=|stroke=|#[0-9a-f]{6}|clip| id=|href|url\(", drawn)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ([(0, 1), (0, 0, 1)], "B from a threshold between 1 and 2 on: 1 where day is 0, 2 where it is 1."),
        ([(0, 1, 0), (0, 1, 1, 0)], "B from 1 on; not all the way up."),
        ([(0, 1), (0, 1, 0)], "B from 1 on in 1 of 2 columns; the others differ."),
        ([(0, 0), (0,)], "always A."),
        ([(1, 0), (1, 0)], "there is no single threshold."),
    ],
)
def test_a_map_says_where_something_else_begins_also_if_it_ends_again(columns: list[Any], words: str) -> None:
    lines = tuple(
        ThresholdLine((day,), tuple(OptionRun(low, low, option, True) for low, option in enumerate(options)))
        for day, options in enumerate(columns)
    )
    odd = tuple(line for line, options in zip(lines, columns, strict=True) if list(options) != sorted(options))
    table = ThresholdTable(((),), tuple(joined(line) for line in lines), (), tuple(map(joined, odd)))
    each = replace(pig(), options=("A", "B"), below=0, above=1, across=(replace(pig().across[0], name="day"),))
    assert thresholds_text(each, table) == words


def joined(line: ThresholdLine) -> ThresholdLine:
    """The line with equal neighbours as one run."""
    groups = [list(group) for _, group in groupby(line.runs, key=lambda run: run.option)]
    return ThresholdLine(
        line.at, tuple(OptionRun(runs[0].first, runs[-1].last, runs[0].option, True) for runs in groups)
    )


def test_the_large_map_is_hidden_where_no_script_slides_it() -> None:
    drawn = sliding_map_html(whole(), "maps/a.json")
    assert drawn.startswith("<figure class")
    assert re.search("<figure[^>]* hidden", drawn)
    assert " ".join(map(str, whole().values)) in unescape(drawn)


def test_a_value_that_means_none_is_told_so() -> None:
    found = whole()
    third = replace(found.sliced_feature, none=-1)
    drawn = unescape(
        sliding_map_html(replace(found, sliced_feature=third, values=(-1, *found.values[1:])), "maps/a.json")
    )
    assert " ".join(["none", *map(str, found.values[1:])]) in drawn
    assert [third.value_text(value) for value in (-1, -2, 0)] == ["none", "-2", "0"]
    assert [third.range_text(-1, last) for last in (-1, 9)] == ["none", "none\u20139"]
    assert found.sliced_feature.range_text(-1, 1) == "-1\u20131"


def test_where_the_first_variable_has_few_values_there_is_a_map_for_each() -> None:
    ship = strategy("ship-captain-crew", 2)
    (found,) = [many for each in ship.tables if (many := slice_table(ship, each))]
    assert not found.needs_slider
    assert (found.sliced_feature.name, found.values) == ("rolls made", (1, 2))
    assert "a map for each value of rolls made" in unescape(small_maps_html(found))


def test_one_variable_less_has_nothing_to_slide() -> None:
    (alone,) = strategies_by_phase(
        solve(bind(load_ruleset(RULESETS / "pig.yaml")[0], Setting(1, values={"target": 30})), "turns_taken")
    )
    assert slice_table(alone, alone.tables[0]) is None


@pytest.mark.parametrize("place", [0, -1])
def test_the_ends_are_told_below_the_little_maps(place: int) -> None:
    found = whole()
    assert json.loads(sliding_maps_json(found))["slides"][place]["words"] in unescape(small_maps_html(found))


def test_what_no_map_shows_is_told_in_shares_of_its_positions() -> None:
    (found,) = (
        each
        for each in strategies_by_phase(solve(bind(load_ruleset(RULESETS / "shut-the-box.yaml")[0], Setting(1))))
        if each.needed
    )
    told, decisions = found.shares, found.decisions
    assert told is not None
    assert told.feature.name == "to make up"
    assert told.position_count == decisions.played.sum()
    assert isinstance(told.feature, FeatureColumn)
    for value, counts in zip(told.values, told.counts, strict=True):
        mine = decisions.played & (told.feature.column == int(value))
        assert list(counts) == [(decisions.choice[mine] == option).sum() for option in range(len(found.options))]
    drawn = option_shares_chart(found)
    assert drawn is not None
    assert (
        f"in the {told.position_count:,} positions that it meets here, each counted once: One tile most often"
        in unescape(drawn)
    )
    used = sum(count > 0 for counts in told.counts for count in counts)
    assert len(re.findall(r'class="od-f\d"', drawn)) == used + len(found.options)  # and the key
    assert not re.search(r"style=|fill=|stroke=|#[0-9a-f]{6}|clip| id=|href|url\(", drawn)


def test_shares_need_a_thing_with_few_values_and_few_options() -> None:
    (hold,) = strategies_by_phase(
        solve(bind(load_ruleset(RULESETS / "hold-the-pot-turn.yaml")[0], Setting(1, variants=("no-coin",))), "score")
    )
    assert [feature.name for feature in hold.needed] == ["dice"]
    assert option_shares_chart(hold) is None
