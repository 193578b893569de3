"""The charts: true to the tables, told in words, dressed by the page and by nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import oddsmith
from oddsmith.base.distributions import Distribution, Outcome
from oddsmith.base.exact import Number
from oddsmith.base.resources import data_folder
from oddsmith.publish.charts.bars import MAX_BARS as MOST
from oddsmith.publish.charts.bars import draw_bars, draw_comparison
from oddsmith.publish.charts.boundary import MapData, map_cells_json, map_chart
from oddsmith.publish.charts.drawing import svg_of_plot
from oddsmith.publish.charts.lines import (
    next_roll_risk_chart,
    rule_value_chart,
    turn_lost_chart,
    turn_start_value_chart,
)
from oddsmith.publish.markup.html import Html
from oddsmith.report.answers.answers import Answer
from oddsmith.report.facts.key_facts import length_and_payoff_distributions
from oddsmith.report.facts.regrets import map_cells
from oddsmith.report.facts.rolling import RollOnRisk
from oddsmith.report.facts.unit import Unit
from oddsmith.report.policy.rules_of_thumb import compare_rules
from oddsmith.report.policy.thresholds import SolvedStrategy, strategies_by_phase
from oddsmith.ruleset.model.editions import Setting
from oddsmith.solve.solution import Solution

STYLES = (data_folder("site") / "theme" / "assets" / "oddsmith.css").read_text("utf-8")
HEAVIEST = 15_000  # bytes of a chart


@cache
def solution() -> Solution:
    return oddsmith.load("rogues-gambit").at(seats=2).solve().solution


@cache
def strategy() -> SolvedStrategy:
    return next(each for each in strategies_by_phase(solution()) if each.down is not None and len(each.across) == 1)


@cache
def fields() -> Html:
    drawn = map_chart(
        strategy(), strategy().tables[0], compare_rules(solution(), [strategy()], with_all_kinds=False).main_rule
    )
    assert drawn is not None
    return drawn


@cache
def told_cells() -> MapData:
    return MapData("maps/a.json", map_cells(strategy(), strategy().tables[0]), Unit("coins", False))


@cache
def touched() -> Html:
    drawn = map_chart(strategy(), strategy().tables[0], map_data=told_cells())
    assert drawn is not None
    return drawn


@cache
def length() -> Html:
    found = length_and_payoff_distributions(solution())
    assert found.length is not None
    drawn = draw_bars(found.length, found.length.mean, "A game lasts", found.unit)
    assert drawn is not None
    return drawn


def law(chances: dict[int, Fraction], beyond: Number | None = None) -> Distribution:
    """A distribution whose chances are known; what lies beyond them as a number."""
    outcomes, sum_ = [], Fraction(0)
    for value, chance in sorted(chances.items()):
        sum_ += chance
        outcomes.append(Outcome(str(value), Fraction(value), Number.of(chance), Number.of(sum_)))
    return Distribution("points", tuple(outcomes), beyond or Number.of(1 - sum_))


def finding(drawn: Html) -> str:
    titles = re.findall("<title>(.*?)</title>", drawn)
    assert len(titles) == 1
    return unescape(titles[0]).replace("\u00a0", " ")


@pytest.mark.parametrize("drawn", [fields, touched, length], ids=["fields", "touched", "bars"])
def test_a_chart_is_small_and_brings_no_dress_of_its_own(drawn: Callable[[], Html]) -> None:
    text = drawn()
    assert len(text.encode()) < HEAVIEST
    assert 'viewBox="0 0 420 250" role="img"' in text
    assert not re.search(r"style=|fill=|stroke=|font|#[0-9a-f]{6}|clip|<svg [^>]*(width|height)=| id=|href|url\(", text)
    for classes in re.findall('class="([^"]*)"', text):
        assert all(f".{name}" in STYLES for name in classes.split())


def test_the_same_chart_is_the_same_to_the_byte() -> None:
    assert (
        map_chart(
            strategy(), strategy().tables[0], compare_rules(solution(), [strategy()], with_all_kinds=False).main_rule
        )
        == fields()
    )


def test_a_readers_own_settings_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl  # noqa: PLC0415

    monkeypatch.setitem(mpl.rcParams, "svg.fonttype", "path")
    monkeypatch.setitem(mpl.rcParams, "font.size", 30)
    assert (
        map_chart(
            strategy(), strategy().tables[0], compare_rules(solution(), [strategy()], with_all_kinds=False).main_rule
        )
        == fields()
    )
    assert mpl.rcParams["font.size"] == 30


def test_fields_tell_the_thresholds_that_the_table_has() -> None:
    lines = [line for line in strategy().tables[0].lines if line.is_reached_by_best_play and len(line.runs) == 2]
    thresholds = [
        segment.threshold
        for segment in strategy().tables[0].segments
        if segment.threshold is not None and segment.played
    ]
    words = finding(fields())
    assert f"Thief's Escape from a threshold between {min(thresholds)} and {max(thresholds)} on" in words
    assert f": {thresholds[0]} where hoard is {lines[0].at[0]}" in words
    rule = compare_rules(solution(), [strategy()], with_all_kinds=False).main_rule
    assert rule is not None
    assert rule.number is not None
    assert f"The best single number is {rule.number.best}." in words
    assert f"the best single number: {rule.number.best} or more" in unescape(fields())


def test_what_good_play_never_comes_to_is_hatched_and_nothing_else() -> None:
    """Every stroke runs through cells that no state of good play lies in."""
    across, down = strategy().across[0], strategy().down
    assert down is not None
    played = strategy().decisions.played
    reached = set(zip(across.column[played].tolist(), down.column[played].tolist(), strict=True))
    strokes = re.search('<path d="([^"]*)" class="od-hatch">', fields())
    assert strokes is not None
    lines = strategy().tables[0].lines
    box = re.findall(r'<path d="([^"]*)" class="od-f\d">', fields())
    xs = [float(x) for path in box for x in re.findall(r"[ML] (\S+) \S+", path)]
    ys = [float(y) for path in box for y in re.findall(r"[ML] \S+ (\S+)", path)]
    first, last = lines[0].at[0], lines[-1].at[0]
    wide = (max(xs) - min(xs)) / (last - first + 1)
    floor = min(run.first for line in lines for run in line.runs)
    rows = sorted(float(y) for y in re.findall(r'<text x="\S+" y="(\S+)" text-anchor="end">', fields()))
    labels = sorted((int(n) for n in re.findall(r'text-anchor="end">(\d+)<', fields())), reverse=True)
    high = (rows[-1] - rows[0]) / (labels[0] - labels[-1])
    found = 0
    for x, y, x2, y2 in re.findall(r"M (\S+) (\S+) L (\S+) (\S+)", strokes[1]):
        size = round((float(x2) - float(x)) / wide)
        assert round((float(y) - float(y2)) / high) == size > 0
        column, row = first + round((float(x) - min(xs)) / wide), floor + round((max(ys) - float(y)) / high)
        for step in range(size):
            assert (column + step, row + step) not in reached
            found += 1
    assert found > 0


def test_a_map_tells_what_advice_tells() -> None:
    """Every position of a cell: the same best option, worth and cost as the solution's own advice in fractions."""
    decisions, (across, down) = strategy().decisions, (strategy().across[0], strategy().down)
    assert down is not None
    found = told_cells().map_cells
    low, below = strategy().shown_range(strategy().tables[0])
    for place in np.flatnonzero((down.column >= low) & (down.column < below)).tolist()[::7]:
        spot = found[int(across.column[place]), int(down.column[place])]
        best, second = solution().advise(int(decisions.states[place]), int(decisions.movers[place]))[:2]
        assert strategy().options[spot.option] == best.action
        assert spot.other == (second.action,)
        assert spot.worth[0].lower <= best.value.middle <= spot.worth[1].upper
        assert spot.costs[0].lower <= second.loss.middle <= spot.costs[1].upper
        assert spot.costs[1].upper - spot.costs[0].lower < Fraction(1, 10**9)
    data = json.loads(map_cells_json(strategy(), strategy().tables[0], told_cells()))
    told = {
        (data["first"] + x, data["low"] + y): cell
        for x, column in enumerate(data["columns"])
        for y, cell in enumerate(column)
        if cell
    }
    assert told.keys() == {at for at in found if low <= at[1] < below}
    for at, (option, worth, played, other, costs) in told.items():
        spot = found[at]
        assert (option, bool(played), other) == (spot.option, spot.played, spot.other[0])
        assert worth == f"{spot.worth[0].decimal(2)} coins"
        assert costs in (f"{spot.costs[0].decimal(2)} coins", "under 0.01 coins", "nothing")


def test_a_map_is_paler_where_less_is_at_stake() -> None:
    cuts = re.search(r"costs less than (\S+), and in the palest cells less than (\S+), in coins", unescape(touched()))
    assert cuts
    assert 'class="od-box"' in touched()
    assert 'data-od-map="maps&#47;a.json"' in touched() or 'data-od-map="maps/a.json"' in touched()
    assert 'data-od-across="hoard" data-od-down="stash"' in touched()
    costs = [spot.costs[1] for spot in told_cells().map_cells.values()]
    most = max(float(cost) for cost in costs)
    assert float(cuts[2]) <= most / 20 < float(cuts[1]) <= most / 5
    for name, some in (("od-less", True), ("od-least", any(float(cost) < float(cuts[2]) for cost in costs))):
        assert (f" {name}" in touched()) == some
        assert f" {name}" not in fields()


def test_too_few_columns_are_left_to_the_table() -> None:
    table = strategy().tables[0]
    few = type(table)(table.where, table.lines[:4], table.segments, table.exceptions, table.grid)
    assert map_chart(strategy(), few) is None


def test_bars_tell_the_mean_and_where_most_games_lie() -> None:
    text = draw_bars(
        law(dict.fromkeys(range(1, 11), Fraction(1, 10))), Number.of(Fraction(11, 2)), "A game lasts", "turns"
    )
    assert text is not None
    assert (
        finding(text) == "A game lasts 5.50 turns on average, 1 to 9 in at least eight games out of ten."
    )  # none is the likeliest
    assert len(re.findall('<path d="[^"]*" class="od-bar">', text)) == 9 + 1  # and one in the key
    assert len(re.findall('<path d="[^"]*" class="od-bar od-faint">', text)) == 1 + 1


def numbers(drawn: Html) -> list[str]:
    """The lines of the table below a picture."""
    assert drawn.count("<summary>The numbers</summary>") == 1
    return [
        re.sub("<[^>]*>", "", line) for line in re.findall("<tr>(.*?)</tr>", unescape(drawn).replace("\u00a0", " "))
    ][1:]


def test_below_bars_stand_their_numbers() -> None:
    text = draw_bars(law({k: Fraction(k, 10) for k in range(1, 5)}), None, "A game lasts", "turns")
    assert text is not None
    assert numbers(text) == ["1 10.00 %", "2 20.00 %", "3 30.00 %", "4 40.00 %"]
    wide = draw_bars(law(dict.fromkeys(range(100), Fraction(1, 100))), None, "A game lasts", "turns")
    assert wide is not None
    assert numbers(wide)[0] == "0 to 4 5.00 %"


def test_bars_that_lie_are_as_long_as_what_they_stand_for_and_all_is_told() -> None:
    named = {"seat 1": Number.of(30), "seat 2": Number.of(20), "seat 3": Number.of(-10)}
    text = draw_comparison(named, Unit("coins", False), "What each gets", Number.of(Fraction(40, 3)))
    assert text is not None
    assert finding(text) == "What each gets. Seat 1: 30 coins · seat 2: 20 coins · seat 3: \u221210 coins."
    assert "an even share: 13.33 coins" in unescape(text)
    drawn = re.findall('<path d="([^"]*)" class="od-bar">', text.partition("</svg>")[0])
    wide = [max(xs) - min(xs) for path in drawn for xs in [[float(x) for x in re.findall(r"[ML] (\S+) \S+", path)]]]
    assert wide[0] == pytest.approx(3 * wide[2], abs=0.3)
    assert wide[1] == pytest.approx(2 * wide[2], abs=0.3)


def test_there_is_no_picture_of_a_constant() -> None:
    same = {"seat 1": Number.of(1), "seat 2": Number.of(1)}
    assert draw_comparison(same, Unit("coins", False), "What each gets") is None
    assert draw_comparison({"expert": Number.of(1)}, Unit("coins", False), "What each gets") is None


def test_the_likeliest_value_is_told_where_it_is_certain() -> None:
    chances = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 8), 4: Fraction(1, 8)}
    known = draw_bars(law(chances), None, "It brings", "points")
    assert known is not None
    assert finding(known).endswith("The likeliest number is 1, with a chance of 50.0 %.")
    vague = law(chances)
    outcomes = (*(Outcome(o.name, o.value, Number(Fraction(0), o.chance.upper), o.at_most) for o in vague.outcomes),)
    open_ = draw_bars(Distribution("points", outcomes, Number.of(0)), None, "It brings", "points")
    assert open_ is not None
    assert "likeliest" not in finding(open_)


def test_many_values_share_bars_and_a_long_tail_is_told_in_words() -> None:
    chances = {50 * k: Fraction(1, 1000) if k > 100 else Fraction(9, 1010) for k in range(201)}
    text = draw_bars(law(chances), None, "It brings", "points")
    assert text is not None
    shown = re.findall('<path d="[^"]*" class="od-bar[^"]*">', text.partition("</svg>")[0])
    assert 4 <= len(shown) <= MOST + 1
    assert "500 of them to a bar" in text
    rare = draw_bars(
        law({1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 8), 4: Fraction(249, 2000)}), None, "It", "turns"
    )
    assert rare is not None
    assert "has a chance of at most 0.1 %" in finding(rare)


def test_bars_end_where_the_values_end() -> None:
    text = draw_bars(law({k: Fraction(1, 98) for k in range(3, 101)}), None, "It brings", "points")
    assert text is not None
    named = re.findall(r'<th scope="row">([^<]*)', text)
    assert (named[0], named[-1]) == ("3 to 4", "100"), "no bar is about less than 3, or more than 100"
    assert "5 of them to a bar" in text


def test_two_or_three_values_make_no_chart() -> None:
    assert draw_bars(law({0: Fraction(1, 2), 1: Fraction(1, 2)}), None, "It brings", "points") is None


def test_names_of_a_ruleset_stay_text() -> None:
    name = "<script>alert(1)</script> $x^2$ שלום"
    text = svg_of_plot(lambda axes: None, name, "龍 & {{ x }}", name)
    assert "<script" not in text
    assert "{{" not in text
    assert "<text" in text
    words = unescape("".join(re.findall("<text[^>]*>(.*?)</text>", text)))
    assert name in words
    assert "龍" in words
    assert "<bdi>" not in "".join(re.findall("<text[^>]*>(.*?)</text>", text))


def test_distributions_are_left_out_where_they_tell_nothing() -> None:
    race = length_and_payoff_distributions(
        oddsmith.load(Path(__file__).parents[1] / "samples" / "craps.yaml").solve().solution
    )
    assert race.payoff is None  # won or lost
    assert race.unit == "rolls"  # a single turn
    two = length_and_payoff_distributions(solution())
    assert two.unit == "turns"
    assert two.payoff is not None


def test_the_numbers_of_a_rule_rise_to_the_best_one() -> None:
    found = Answer(Setting(2, "coins"), solution().graph.game, solution())
    rule, best = found.rule_comparison.main_rule, found.rule_comparison.first_value_of_kind("number")
    assert rule is not None
    assert rule.number is not None
    assert best is not None
    assert best.alone is not None
    number, (low, high), worths = rule.number.best, rule.number.tried, rule.number.worths
    assert len(worths) == high - low + 1
    assert max(worths) == worths[number - low] == pytest.approx(float(best.alone))
    drawn = rule_value_chart(found)
    assert drawn is not None
    said = f"at {number} or more brings {best.alone.decimal(2)} coins, and no number from {low} to "
    assert said in finding(drawn)
    assert re.search(r'd="M (\S+ \S+) L \1" class="od-dot"', drawn)


def test_the_start_of_a_turn_is_worth_what_the_solution_says() -> None:
    book = oddsmith.load("pig")
    race = book.at(seats=2, objective="win", target=12).solve().solution
    drawn = turn_start_value_chart(Answer(Setting(2, "win", values={"target": 12}), race.graph.game, race))
    assert drawn is not None
    assert f"where the other player's score is 0, from {race.values[0].percent(2)} at 0 to " in finding(drawn)
    assert {f'class="od-l{number}"' in drawn for number in range(3)} == {True}
    assert numbers(drawn)[0].startswith(f"0 {race.values[0].percent(2)} ")
    assert len(numbers(drawn)) == 11  # nobody has a score of 1
    several = book.at(seats=1, objective="turns_taken", target=12).solve().solution
    assert turn_start_value_chart(Answer(Setting(1, "turns_taken"), several.graph.game, several)) is None


def test_the_risk_of_a_turn_grows_roll_by_roll_and_is_told_in_full() -> None:
    told = RollOnRisk("decide", "Stop", "Roll", (Fraction(1), Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4),) * 3)
    drawn = turn_lost_chart(told)
    assert drawn is not None
    assert finding(drawn) == (
        "If you always choose Roll, roll 1 loses the turn with a chance of 25.00 %. By roll 3 the chance is 75.00 %."
    )
    assert len(re.findall('class="od-bar"', drawn)) == 3 + 1  # and one in the key
    assert len(re.findall('class="od-bar od-faint"', drawn)) == 2 + 1
    assert numbers(drawn) == [
        "1 always 25.00 % 25.00 %",
        "2 75.00 % 33.33 % 50.00 %",
        "3 25.00 % always 75.00 %",
    ]
    short = RollOnRisk("decide", "Stop", "Roll", (Fraction(1), Fraction(3, 4)), (Fraction(1, 4),) * 2)
    assert turn_lost_chart(short) is None
    assert next_roll_risk_chart(short) is None


def test_the_risk_is_drawn_by_what_it_depends_on() -> None:
    risks = ((1, Fraction(2, 3)), (2, Fraction(4, 9)), (3, Fraction(5, 18)))
    drawn = next_roll_risk_chart(RollOnRisk("decide", "Stop", "Roll", (Fraction(1),), (Fraction(0),), "dice", risks))
    assert drawn is not None
    assert (
        finding(drawn) == "Roll loses the turn with a chance of 66.67 % where dice is 1, and of 27.78 % where it is 3."
    )
    assert len(re.findall('class="od-bar"', drawn)) == 3
    assert "5/18" in unescape(drawn)
