"""Tables over two variables: bins hold every line once, and say what is in them."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast

from oddsmith.publish.markup.numbers import range_text
from oddsmith.publish.sections.deciding import MAX_BINS, binned_options_table, thresholds_html
from oddsmith.report.policy.decisions import Feature
from oddsmith.report.policy.thresholds import ACTION_VARIES, OptionRun, Segment, Strategy, ThresholdLine, ThresholdTable


def named(name: str) -> Feature:
    return Feature(name, name, "number")


def shown(lines: list[ThresholdLine]) -> list[list[str]]:
    strategy = SimpleNamespace(across=(named("day"), named("depth")), down=named("coins"), options=("Stop", "Go on"))
    html = binned_options_table(cast(Strategy, strategy), ThresholdTable(((),), tuple(lines)), ("S", "G"))
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [
        [re.sub(r"<[^>]*>", "", each).replace("&#42;", "*") for each in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def line(day: int, depth: int, *options: int, played: bool = True) -> ThresholdLine:
    return ThresholdLine((day, depth), tuple(OptionRun(k, k, option, played) for k, option in enumerate(options)))


def test_cells_say_every_option_that_good_play_takes_there() -> None:
    rows = shown(
        [
            line(0, 0, 0),
            line(1, 0, 0, 1),
            line(0, 1, 1, ACTION_VARIES),
            line(1, 2, ACTION_VARIES),
            line(2, 2, 0, played=False),
        ]
    )
    assert rows[1:] == [["0", "S", "S G"], ["1", "G *", ""], ["2", "", "*"]]


def test_many_values_share_bins() -> None:
    rows = shown([line(day, depth, day % 2) for day in range(3 * MAX_BINS) for depth in (0, 5)])
    assert len(rows[0]) == MAX_BINS + 1
    assert {text for row in rows[1:] for text in row[1:]} == {"S G"}


def test_a_table_of_thresholds_leaves_no_column_out() -> None:
    """Columns without a single threshold say so where a reader looks for them."""
    lines = tuple(ThresholdLine((day,), (OptionRun(0, 2, 0, True), OptionRun(3, 5, 1, True))) for day in range(6))
    segments = (Segment(0, 1, 3, None, True), Segment(4, 5, 3, None, True))
    across, down = named("day"), named("coins")
    strategy = SimpleNamespace(across=(across,), down=down, options=("Go on", "Stop"), below=0, above=1)
    html = thresholds_html(cast(Strategy, strategy), ThresholdTable(((),), lines, segments, lines[2:4]))
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th> <td[^>]*>(.*?)</td>", html)
    assert rows == [
        (range_text(0, 1), "3 or more"),
        (range_text(2, 3), "no single threshold"),
        (range_text(4, 5), "3 or more"),
    ]
