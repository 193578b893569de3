"""In a notebook answers show themselves: every text escaped, every number the same, figures without shared state."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.patches import Rectangle

import oddsmith
from oddsmith.base.dataframes import MAX_NOTEBOOK_LINES, Records, html_table, make_table
from oddsmith.base.resources import data_folder
from oddsmith.publish.charts.figures import COLOURS, LOOKS
from tests.docs.blocks import ROOT
from tests.library.test_door import gambit

HOSTILE = ROOT / "tests" / "publish" / "hostile.yaml"
STRIP = """\
format: 1
id: one-turn
title: One Turn
summary: Roll on for more, or stop before a 1.
seats: 1
state: {stash: {max: 35}}
payoffs: {points: stash}
turn: throw
phases:
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Bust, when: die == 1, do: set stash to 0, then: end}
      - {name: Safe, do: "set stash to min(35, stash + die)", then: decide}
  decide:
    choose:
      - {name: Stop, then: end}
      - {name: Go on, when: stash < 35, then: throw}
"""


@cache
def hostile() -> oddsmith.SolvedGame:
    return oddsmith.load(HOSTILE).solve()


@cache
def grid() -> oddsmith.Sweep:
    return oddsmith.sweep("rogues-gambit", {"coins_each": [4, 5, 6], "seats": [2, 3]})


def cells(html: str) -> list[list[str]]:
    """The cells of all tables, line by line."""
    lines = re.findall("<tr>(.*?)</tr>", html)
    return [[unescape(cell) for cell in re.findall("<t[hd]>(.*?)</t[hd]>", line)] for line in lines]


# --- what is shown


def test_what_is_shown_are_the_answers_own_numbers() -> None:
    solved = gambit()
    assert cells(solved.values._repr_html_())[1:] == [
        [f"seat {seat}", value.decimal(), "exact"] for seat, value in enumerate(solved.values, 1)
    ]
    advice = solved.advise("hoard=1,stash=7")
    assert [line[:2] for line in cells(advice._repr_html_())[1:]] == [
        [each.action, each.value.decimal(6)] for each in advice
    ]
    turns = solved.distribution("turns")
    assert cells(turns._repr_html_())[1][:2] == [turns.outcomes[0].name, turns.outcomes[0].chance.percent(4)]
    assert cells(grid()._repr_html_())[1][2:3] == [str(grid().records()[0]["states"])]
    other = oddsmith.load("rogues-gambit").at(seats=2, coins_each=5).solve()
    for shown in (oddsmith.diff(solved, other), solved.outline()):
        told = [unescape(line) for line in re.findall("<li>(.*?)</li>", shown._repr_html_())]
        assert told == list(shown.lines(6 if shown.__class__.__name__ == "Difference" else 4))
    assert "1/3 = 0.333333333333 (exact)" in oddsmith.Number.of(Fraction(1, 3))._repr_html_()


def test_no_markup_of_a_ruleset_gets_into_a_notebook() -> None:
    solved = hostile()
    choice = next(each.name for each in solved.game.ruleset.phases.values() if each.kind == "choose")
    where = next(line for line in solved.table("records") if line["phase"] == choice)
    position = solved.graph.state(where["state"])
    things: list[Any] = [solved, solved.advise(position), solved.distribution("turns"), solved.outline()]
    things.append(oddsmith.load(HOSTILE))
    things += [oddsmith.diff(solved, solved), Records(solved.table("records"))]
    for thing in things:
        shown = thing._repr_html_()
        assert set(re.findall(r"<\s*/?\s*(\w+)", shown)) <= {
            "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "code"
        }  # fmt: skip
        assert not re.search(r"<\w+\s", shown), "no element has an attribute"
    assert html_table(["<b>"], [['"&<script>']]).count("<script>") == 0


def test_a_long_table_says_how_much_it_leaves_out() -> None:
    shown = html_table(["a"], [[number] for number in range(MAX_NOTEBOOK_LINES + 3)])
    assert len(cells(shown)) == MAX_NOTEBOOK_LINES + 1
    assert "and 3 more lines" in shown


# --- data frames


def test_tables_hold_the_answers_numbers() -> None:
    solved = gambit()
    values = solved.values.table("records")
    assert [Fraction(line["exact"]) for line in values] == [value.exact for value in solved.values]
    turns = solved.distribution("turns")
    table = turns.table("records")
    assert [line["outcome"] for line in table][:3] == [1, 2, 3]
    assert Fraction(table[1]["at_most_exact"]) == turns.at_most(2).exact
    winner = solved.distribution("winner").table("records")[0]
    assert (winner["outcome"], winner["at_most"]) == ("1", None)
    advice = solved.advise("hoard=1,stash=7")
    assert [line["best"] for line in advice.table("records")] == [each.best for each in advice]
    rules = oddsmith.diff(solved, oddsmith.load("rogues-gambit").at(seats=3, coins_each=4).solve()).table("records")
    assert [line["what"] for line in rules][:3] == ["seat 1", "seat 2", "seat 3"]
    assert (rules[2]["before"], rules[2]["change"]) == (None, None)
    assert oddsmith.roll("at least 10 on 3d6").table("records")[1]["outcome"] == "yes"


def test_a_frame_of_pandas_holds_the_same() -> None:
    pytest.importorskip("pandas", reason="pandas makes the frames: make setup")
    turns = gambit().distribution("turns")
    assert list(turns.table("pandas")["chance_exact"]) == [line["chance_exact"] for line in turns.table("records")]
    assert list(make_table(["a"], [[1], [2]], "pandas")["a"]) == [1, 2]


# --- figures


@pytest.mark.parametrize("name", ["map", "curves", "strip", "shares", "values", "turns", "winner", "roll", "sweep"])
def test_a_figure_is_matplotlib_s_own_and_says_what_it_shows(name: str) -> None:
    figure = drawn(name)
    assert isinstance(figure, Figure)
    axes = figure.axes[0]
    assert axes.get_xlabel()
    assert axes.has_data() or axes.patches
    assert imread(io.BytesIO(figure._repr_png_())).std() > 0, "something is drawn"  # type: ignore[attr-defined]


def drawn(name: str) -> Figure:
    if name == "map":
        return oddsmith.load("rogues-gambit").at(seats=2).solve().plot("decide")
    if name == "curves":
        return oddsmith.load("ship-captain-crew").solve().plot()
    if name == "shares":
        return oddsmith.load(data_folder("rulesets") / "starters" / "push-your-luck.yaml").solve().plot()
    if name == "strip":
        return oddsmith.loads(STRIP).solve().plot()
    if name == "sweep":
        return grid().plot("value_1", "value_2")
    if name == "roll":
        return oddsmith.roll("3d6").plot()
    return gambit().values.plot() if name == "values" else gambit().distribution(name).plot()


def bars(figure: Figure) -> list[Rectangle]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


def test_a_figure_draws_the_proven_numbers() -> None:
    odds = oddsmith.roll("3d6")
    heights = {round(bar.get_center()[0]): bar.get_height() for bar in bars(odds.plot())}
    assert {value: pytest.approx(100 * chance) for value, chance in odds.probabilities.items()} == heights
    widths = [bar.get_width() for bar in bars(gambit().values.plot())]
    assert widths == [pytest.approx(float(value)) for value in gambit().values]
    (line, *_) = grid().plot("turns").axes[0].lines
    told = [float(record["turns"]) for record in grid().records() if record["seats"] == 2]
    assert np.asarray(line.get_ydata()).tolist() == told


def test_names_across_are_points_and_the_plain_game_has_a_name() -> None:
    found = oddsmith.sweep(oddsmith.load("rogues-gambit").at(seats=2, coins_each=4), {"variant": ["", "hungry-dragon"]})
    axes = found.plot("turns").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["as written", "hungry-dragon"]
    assert axes.lines[0].get_linestyle() == "None"


def test_what_cannot_be_drawn_is_refused_in_words() -> None:
    with pytest.raises(oddsmith.ExportError, match="there is no column value_l: did you mean value_"):
        grid().plot("value_l")
    with pytest.raises(oddsmith.ExportError, match="holds no numbers, such as 'exact'"):
        grid().plot("grade")
    with pytest.raises(oddsmith.PositionError, match="did you mean decide"):
        gambit().plot("decidee")
    with pytest.raises(oddsmith.ExportError, match=r"(Gambit|Escape) is best wherever"):
        gambit().plot()
    with pytest.raises(oddsmith.ExportError, match="no picture shows best play here"):
        oddsmith.load("craps").solve().plot()


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("matplotlib", "oddsmith.publish"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for thing in (gambit().plot, gambit().values.plot, gambit().distribution("turns").plot, grid().plot):
        with pytest.raises(oddsmith.ExportError, match=r"pip install 'oddsmith\[site\]'"):
            thing()


def test_figures_leave_the_shared_state_of_pyplot_alone(tmp_path: Path) -> None:
    told = "import sys, oddsmith; oddsmith.roll('3d6').plot(); import matplotlib as m; "
    told += "print('matplotlib.pyplot' in sys.modules, m.rcParams['svg.fonttype'])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["False", "path"]


def test_figures_have_the_colours_of_the_page_by_day() -> None:
    palette = (data_folder("site") / "theme" / "assets" / "palettes.css").read_text("utf-8")
    day = palette.partition('[data-md-color-scheme="slate"]')[0]
    assert tuple(re.findall(r"--od-c\d: (#\w+);", day)) == COLOURS
    sheet = (data_folder("site") / "theme" / "assets" / "oddsmith.css").read_text("utf-8")
    assert [name for name in LOOKS if f".{name}" not in sheet] == []
