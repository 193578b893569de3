"""When one more throw pays: the formulas, against the rules carried out in single positions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest
import sympy

from oddsmith.base.errors import BreakEvenError
from oddsmith.base.location import Source
from oddsmith.graph.explore import Explorer
from oddsmith.publish.sections.chances import roll_or_stop_formulas_html
from oddsmith.report.facts.breakeven import BreakEven, break_even, break_even_rules, symbol_name
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.rules import Rules, State
from tests.cases import ruleset
from tests.open_games import UNTIL, made

HOARD, STASH, POT = sympy.symbols("hoard stash pot")
GOAT_RUN = """\
format: 1
id: goat-run
title: Goat Run
summary: Run up the hill over a bridge and past a bog.
seats: 2
state:
  step: {each: seat, max: 16}
  held: {max: 24, resets: turn}
payoffs: {win: 1 if step == 16 else 0}
define:
  land(n): 11 if n == 5 else (7 if n == 13 else min(16, n))
turn: throw
phases:
  throw: {roll: {die: d6}, do: set held to die, then: decide}
  decide:
    choose:
      - {name: Go, do: set step to land(step + held), then: pass}
      - {name: Throw again, when: held < 19, then: again throw}
  again throw:
    roll: {die: d6}
    outcomes:
      - {name: Slip, when: die <= 2, then: pass}
      - {name: On, do: add die to held, then: decide}
end_when: step == 16
"""
DICE = sympy.Rational(120, 216) * 12, sympy.Rational(5, 216) * HOARD, sympy.Rational(91, 216) * STASH


def formulas(game: Game, objective: str) -> BreakEven:
    (found,) = break_even(Explorer(game, objective).explore()[0])
    return found


def test_rogues_gambit() -> None:
    """The hoard does not bind: a stash below (120 * 12 + 5 * hoard) / 91 is worth another throw."""
    found = formulas(bind(ruleset("rogues-gambit"), Setting(4)), "coins")
    assert (found.phase, found.stop_option, found.throw_option) == ("decide", "Thief's Escape", "Rogue's Gambit")
    first = found.formulas[0]
    assert first.region == ("hoard >= 17",)
    assert sympy.expand(first.gain - (DICE[0] + DICE[1] - DICE[2])) == 0
    (threshold,) = first.thresholds
    assert (threshold.variable, threshold.pays_below) == ("stash", True)
    assert sympy.expand(threshold.limit - (120 * 12 + 5 * HOARD) / 91) == 0
    assert str(first) == "while stash < (5*hoard + 1440)/91"
    assert found.decisions_without_formula == 0
    assert sum(formula.decision_count for formula in found.formulas) == found.decision_count


def test_a_dragon_that_is_full_takes_nothing() -> None:
    """Where a meal lets the stash be pocketed, a formula for each: the throw always pays while the dragon is fed."""
    found = formulas(bind(ruleset("rogues-gambit"), Setting(2, values={"full_belly": "pocketed"})), "coins")
    regions = {formula.region: formula for formula in found.formulas}
    fed, hungry = regions["fed", "hoard >= 17"], regions["not fed", "hoard >= 17"]
    assert fed.always_pays
    assert str(fed) == "always"
    assert sympy.expand(fed.gain - hungry.gain - DICE[2]) == 0


def test_pig() -> None:
    found = formulas(bind(ruleset("pig"), Setting(2, values={"target": 40})), "points")
    (formula,) = found.formulas
    assert sympy.expand(formula.gain - (sympy.Rational(5, 6) * 4 - POT / 6)) == 0
    assert str(formula) == "while pot < 20"
    assert "pot + score <= 39" in formula.region
    small = formulas(bind(ruleset("pig"), Setting(2, values={"target": 10})), "points")
    assert small.formulas[0].always_pays  # nobody can have 20


def once_more(game: Game, objective: str, state: State, found: BreakEven) -> Fraction:
    """The gain by the rules for one state: throw, and stop if that is asked."""
    rules = Rules(game)

    def take(at: State, name: str) -> State:
        return rules.choose(at, next(action for action in rules.actions(at) if action.name == name)).state

    def worth(at: State) -> Fraction:
        return rules.payoffs(at, objective)[0]

    rolling = take(state, found.throw_option)
    outcomes, denominator = rules.weighted_chance_results(rolling)
    gain = Fraction(0)
    for weight, thrown in outcomes:
        after = rules.resolve(rolling, thrown).state
        if after.phase == found.phase and after.mover == state.mover:
            after = take(after, found.stop_option)
        gain += Fraction(weight, denominator) * worth(after)
    return gain - worth(take(state, found.stop_option))


@pytest.mark.parametrize(
    ("name", "seats", "objective", "values"),
    [
        ("rogues-gambit", 2, "coins", {"coins_each": 12}),
        ("rogues-gambit", 2, "coins", {"coins_each": 10, "full_belly": "pocketed"}),
        ("rogues-gambit", 3, "coins", {"coins_each": 7, "full_belly": "hungry"}),
        ("rogues-gambit", 2, "coins", {"coins_each": 10, "full_belly": "first_roll"}),
        ("pig", 2, "points", {"target": 10}),
    ],
)
def test_in_every_position_one_formula_holds(
    name: str, seats: int, objective: str, values: dict[str, int | str]
) -> None:
    game = bind(ruleset(name), Setting(seats, values=values))
    graph = Explorer(game, objective).explore()[0]
    (found,) = break_even(graph)
    assert found.decisions_without_formula == 0
    labels = [symbol_name(cell) for cell in game.cells]
    exact = [[sympy.sympify(text) for text in map(_relation, formula.region)] for formula in found.formulas]
    decisions = [number for number in range(graph.state_count) if graph.state(number).phase == found.phase]
    checked = 0
    for number in decisions[:: max(1, len(decisions) // 40)]:
        state = graph.state(number)
        if len(graph.rows(number)) < 2:
            continue
        here = {sympy.Symbol(key): int(cell) for key, cell in zip(labels, state.cells, strict=True)}
        holding = [
            formula
            for formula, conditions in zip(found.formulas, exact, strict=True)
            if all(condition.subs(here) for condition in conditions)
        ]
        assert holding
        wanted = once_more(game, objective, state, found)
        assert {Fraction(str(formula.gain.subs(here))) for formula in holding} == {wanted}
        assert all((wanted > 0) == formula.always_pays for formula in holding if formula.always_pays is not None)
        checked += 1
    assert checked > 5


def _relation(condition: str) -> str:
    """A printed condition as SymPy reads it."""
    if " = " in condition:
        return "Eq({}, {})".format(*condition.split(" = "))
    return condition.replace("not fed", "Eq(fed, 0)") if " " in condition else f"Eq({condition}, 1)"


def test_what_has_no_formula_says_why() -> None:
    with pytest.raises(BreakEvenError, match="win is not a sum of amounts"):
        break_even(Explorer(bind(ruleset("piglet"), Setting(2)), "win").explore()[0])
    with pytest.raises(BreakEvenError, match="no decision between ending the turn and rolling"):
        break_even(Explorer(made(UNTIL, bend=1), "win").explore()[0])
    found = formulas(
        bind(ruleset("farkle-turn"), Setting(1)), "hundreds"
    )  # after the throw, what counts must be chosen
    assert found.formulas == ()
    assert found.decisions_without_formula == found.decision_count > 0
    assert found.reason == "after the roll comes pick"


# Two bags: what a draw finds depends on what is left in it, and a bonus ends the game at once.
DRAW = """\
seats: 1
state:
  left: {each: suits, start: 3, max: 3}
  heap: {max: 9}
  safe: {max: 9}
lists: {suits: [red, black]}
payoffs:
  coins: safe - 1
turn: decide
phases:
  decide:
    choose:
      - name: Stop
        do: move heap to safe
        then: end
      - name: Draw
        when: left[red] > 0
        then: draw
  draw:
    draw: {ball: left}
    outcomes:
      - {name: Red, when: ball == red, do: add 2 to heap, then: decide}
      - name: Black
        do: set heap to 0
        then: end
"""


def test_draws_weigh_what_is_left() -> None:
    found = formulas(made(DRAW), "coins")
    gains = [formula.gain for formula in found.formulas]
    red, black, heap = sympy.symbols("left[red] left[black] heap")
    wanted = (2 * red - heap * black) / (red + black)
    assert any(sympy.simplify(gain - wanted) == 0 for gain in gains), gains
    assert found.decisions_without_formula == 0


def test_data_for_machines() -> None:
    data = formulas(bind(ruleset("pig"), Setting(2, values={"target": 40})), "points").to_json()
    assert data["left"] == 0
    assert data["formulas"][0]["pays"] == "while pot < 20"
    assert data["formulas"][0]["gain"] == "10/3 - pot/6"
    assert data["formulas"][0]["thresholds"] == ["pot < 20"]


def test_a_game_without_variables(tmp_path: Path) -> None:
    """Nothing tells its one position apart: the formula has no condition."""
    text = """
    format: 1
    id: once-more
    title: Once more
    summary: Stop, or throw once more for as much on average.
    seats: 1
    state: {}
    payoffs: {coins: 1}
    turn: decide
    phases:
      decide: {choose: [{name: Stop, then: end}, {name: Throw, then: throw}]}
      throw: {roll: {die: d2}, outcomes: [{name: One, when: die == 1, then: decide}, {name: Two, then: end}]}
    """
    path = tmp_path / "once-more.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    found = formulas(bind(load_ruleset(path)[0]), "coins")
    assert [(formula.region, formula.decision_count) for formula in found.formulas] == [((), 1)]
    assert found.decisions_without_formula == 0


def test_conditions_that_others_imply_are_not_told_and_long_ones_stay_off_the_page() -> None:
    """A board with a bridge and a bog asks of every square whether it is one of them."""
    found = formulas(bind(read_ruleset(Source("goat-run.yaml", GOAT_RUN))[0]), "win")
    regions = [formula.region for formula in found.formulas]
    assert ("held <= 18", "held + step = 9", "step is not 16") in regions
    for region in regions:
        assert "0 = 0" not in region
        assert not any("held + step is not" in words for words in region if "held + step = 9" in region)
    told = "".join(roll_or_stop_formulas_html(break_even_rules([found])))
    shown = [formula.region for formula in found.formulas if len(formula.region) <= 3][:3]
    assert told.count("<li>") == len(shown)
    assert "is not 0" not in told
