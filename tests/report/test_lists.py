"""A short list of decisions is a policy of the ruleset's own language, and costs exactly what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import oddsmith
from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.solved import SolvedGame
from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import OddsmithError, ShortListError
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.report.policy.list_search import MIN_SAVING_PER_STEP, ListFitter, PhaseOptions
from oddsmith.report.policy.lists import DecisionLists, decision_lists
from oddsmith.report.policy.outline import outline_of_solution
from oddsmith.report.policy.quantities import PrescribableAction, Quantity, WrittenLine
from oddsmith.report.policy.rules_of_thumb import compare_rules
from oddsmith.report.policy.thresholds import strategies_by_phase
from oddsmith.report.policy.wording import decision_list_words
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.simulation import simulate_one_game
from oddsmith.solve.game_solver import solve
from oddsmith.solve.policies import NamedPolicy, policy_rows
from oddsmith.solve.solution import Solution
from tests.random.grammar import ruleset
from tests.random.text import as_yaml
from tests.terminal import run

ROOT = Path(__file__).resolve().parents[2]
STARTERS = ROOT / "rulesets" / "starters"
NAME = "short list"

# Strike pays twice the strength, Guard always 7, and Blow 13 where it is ready. So the blow is best where it can be struck,
# then the strike with a strength of 4 or more. Nothing else that is seen pays.
FIGHT = """\
format: 1
id: fight
title: Fight
summary: Choose what pays most.
seats: 1
state:
  force: {max: 6, label: strength, unit: point | points}
  colour: {one_of: [red, blue]}
  ready: {type: flag}
  won: {max: 13}
payoffs: {points: won}
turn: draw
phases:
  draw:
    roll: {one: d6, two: d2, three: d2}
    do:
      - set force to one
      - set ready to two == 1
      - set colour to red if three == 1 else blue
    then: act
  act:
    choose:
      - {name: Strike, do: set won to 2 * force, then: end}
      - {name: Guard, do: set won to 7, then: end}
      - {name: Blow, when: ready, do: set won to 13, then: end}
"""
NERVE = """\
format: 1
id: nerve
title: Nerve
summary: Roll for coins, and stop before a 1.
seats: 1
state: {stash: {max: 40, resets: turn}}
payoffs: {coins: stash}
turn: decide
phases:
  decide:
    choose:
      - {name: Stop, then: end}
      - {name: Roll, then: throw}
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Lost, when: die == 1, do: set stash to 0, then: end}
      - name: More
        do: set stash to min(stash + die, 40)
        then: decide
"""

# Two dice, of which any are rolled once more. A die is worth keeping from 4 on, because another brings 3.5: best play keeps the
# dice above that, and gets (3 * 3.5 + 4 + 5 + 6) / 6 for each.
KEEPING = """\
format: 1
id: keeping
title: Keeping
summary: Roll two dice, and any of them again.
seats: 1
state:
  kept: {type: hand, dice: 2d6}
  rolled: {max: 1}
  won: {max: 12}
define:
  above(h): sum(2 * f - 7 for f in h)
payoffs: {points: won}
turn: throw
phases:
  throw:
    roll: {kept: rest}
    outcomes:
      - {name: Last, when: rolled == 1, do: set won to sum(kept), then: end}
      - {name: First, do: set rolled to 1, then: keep}
  keep:
    choose:
      - {name: Keep, for: {some: subsets(kept)}, do: set kept to some, then: throw}
"""


@cache
def solved(text: str) -> SolvedGame:
    return LoadedRuleset.read(text).solve()


def lines_of(found: DecisionLists) -> list[tuple[str, ...]]:
    return [tuple(line.text_by_key.values()) for each in found.lists for line in each.lines]


def starter(name: str) -> str:
    return (STARTERS / f"{name}.yaml").read_text("utf-8")


# --- lists that are known by hand


def test_the_list_of_a_game_that_is_worked_out_by_hand() -> None:
    found = solved(FIGHT).short_list()
    assert lines_of(found) == [("Blow",), ("Strike", "force >= 4"), ("Guard",)]
    (only,) = found.lists
    assert only.words == "Blow where that is possible; Strike when strength is 4 points or more; else Guard"
    assert only.loss is not None
    assert only.loss.exact == 0
    assert not only.poor


def test_a_flag_and_a_word_are_conditions_too() -> None:
    by_colour = FIGHT.replace("set won to 7", "set won to 0 if colour == red else 13").replace(
        "      - {name: Blow", "#"
    )
    found = solved(by_colour).short_list()
    assert lines_of(found) in (
        [("Strike", "colour == red"), ("Guard",)],
        [("Guard", "colour != red"), ("Strike",)],
        [("Guard", "colour == blue"), ("Strike",)],
        [("Strike", "colour != blue"), ("Guard",)],
    )
    assert found.loss is not None
    assert found.loss.exact == 0
    by_flag = FIGHT.replace("set won to 7", "set won to 0 if ready else 13").replace("      - {name: Blow", "#")
    told = solved(by_flag).short_list().lists[0].words
    assert told in ("Strike when ready is true; else Guard", "Guard when ready is false; else Strike")


def test_where_one_number_tells_all_the_list_is_that_number() -> None:
    (rule,) = compare_rules(
        solved(NERVE).solution, strategies_by_phase(solved(NERVE).solution), with_all_kinds=False
    ).rules
    (only,) = solved(NERVE).short_list().lists
    assert rule.number is not None
    told = [{"option": "Stop", "when": f"stash >= {rule.number.best}"}, {"option": "Roll"}]
    assert [line.text_by_key for line in only.lines] == told
    assert only.lines == rule.lines
    assert only.single
    assert "in short" not in "\n".join(outline_of_solution(solved(NERVE).solution).lines(4)), (
        "the rule with one number says it"
    )


def test_a_list_of_several_choices_costs_less_than_any_single_number() -> None:
    game = solved(starter("push-your-luck"))
    rules = compare_rules(game.solution, strategies_by_phase(game.solution), with_all_kinds=False)
    number = rules.first_value_of_kind("number")
    (only,) = game.short_list().lists
    assert number is not None
    assert number.loss is not None
    assert only.loss is not None
    assert not only.single
    assert 4 * only.loss.upper < number.loss.lower


def test_two_bounds_hold_together_where_only_both_tell_what_pays() -> None:
    both = FIGHT.replace("  won: {max: 13}", "  luck: {max: 6}\n  won: {max: 13}").replace("two: d2", "two: d6")
    both = both.replace("set ready to two == 1", "set luck to two").replace("      - {name: Blow", "#")
    both = both.replace("set won to 2 * force", "set won to 13 if (force >= 4) == (luck <= 2) else 0")
    found = solved(both).short_list()
    assert lines_of(found) == [
        ("Strike", "force <= 3 and luck >= 3"),
        ("Strike", "force >= 4 and luck <= 2"),
        ("Guard",),
    ]
    assert (
        found.lists[0].words
        == "Strike when strength is 3 points or less and luck is 3 or more, or when strength is 4 points or more and luck is 2 "
        "or less; else Guard"
    )
    assert found.loss == Number.of(0)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_two_bounds_are_those_that_save_most(seed: int) -> None:
    random = np.random.default_rng(seed)
    columns = [random.integers(0, 4, 60) for _ in range(3)]
    every = np.arange(60)
    moves = [PrescribableAction(str(number), "", "", every + 60 * number) for number in range(2)]
    quantities = [
        Quantity(str(number), is_flag=False, effort=0, column=column) for number, column in enumerate(columns)
    ]
    losses = random.normal(size=120)
    fitter = ListFitter(PhaseOptions(quantities, moves, every), losses, np.ones(60), max_actions=2)
    saved = fitter.prices[0] - fitter.prices[1]
    worth, found = fitter.best_pair_of_bounds(every, saved)

    def bounds(column: Ints) -> Iterator[Mask]:
        for number in range(1, 4):
            yield from (column >= number, column < number)

    each = [
        saved[one & other].sum()
        for first, second in combinations(columns, 2)
        for one, other in product(bounds(first), bounds(second))
    ]
    charged = MIN_SAVING_PER_STEP * fitter.plain
    assert worth == pytest.approx(max(*each, charged) - charged)
    if found is not None:
        assert saved[fitter.ground.mask_where(found)].sum() - charged == pytest.approx(worth)
        assert found.second_bound is not None


def test_dice_are_chosen_by_what_a_definition_makes_of_them() -> None:
    assert solved(KEEPING).values[0].exact == Fraction(17, 2)
    (only,) = solved(KEEPING).short_list().lists
    assert [line.text_by_key for line in only.lines] == [{"option": "Keep", "prefer": "above(some)"}]
    assert only.loss == Number.of(0)
    (plain,) = solved(KEEPING.replace("above(h): sum(2 * f - 7 for f in h)", "unused: 1")).short_list().lists
    assert plain.loss is not None
    assert plain.loss.lower > Fraction(1, 2), "by the sum all dice are kept, or none"


def test_a_lead_is_told_as_a_lead() -> None:
    lines = [WrittenLine("Walk", "step == 9"), WrittenLine("Walk", "step - step[next] >= 6"), WrittenLine("Run")]
    told = "Walk when your step is 9, or when your step is 6 or more above the other player's; else Run"
    assert decision_list_words(solved(starter("race")).solution.graph.game, "decide", lines) == told


@pytest.mark.parametrize(
    ("when", "told"),
    [
        (["step - step[next] >= -5"], "Walk unless your step is 6 or more below the other player's; else Run"),
        (["step - step[next] <= 5"], "Walk unless your step is 6 or more above the other player's; else Run"),
        (
            ["step - step[next] >= -5", "step == 9"],
            "Walk unless your step is 6 or more below the other player's, and always when your step is 9; else Run",
        ),
        (
            ["step == 9", "step - step[next] >= -5"],
            "Walk when your step is 9, or when your step is not 6 or more below the other player's; else Run",
        ),
    ],
)
def test_no_more_behind_than_so_much_may_be_ahead(when: list[str], told: str) -> None:
    """“At most 5 below” would hide that whoever is ahead is meant too."""
    lines = [*(WrittenLine("Walk", each) for each in when), WrittenLine("Run")]
    assert decision_list_words(solved(starter("race")).solution.graph.game, "decide", lines) == told


def test_a_list_with_two_bounds_at_once_is_best_play_of_a_race() -> None:
    (only,) = solved(starter("race")).short_list().lists
    told = "Walk when your step is 9, or when your step is 6 or more and the other player's step is 3 or less; else Run"
    assert (only.words, only.loss) == (told, Number.of(0))


def test_a_list_that_does_not_come_near_best_play_says_so() -> None:
    too_large_warning = FIGHT.replace("set won to 7", "set won to 13 if force % 2 == 0 else 0")
    too_large_warning = too_large_warning.replace("set won to 2 * force", "set won to 0 if force % 2 == 0 else 13")
    too_large_warning = too_large_warning.replace("{one: d6", "{one: d40").replace(
        "force: {max: 6", "force: {max: 40"
    )  # too many to name
    game = solved(too_large_warning.replace("      - {name: Blow", "#"))
    (only,) = game.short_list().lists
    assert only.poor
    assert (
        only.with_cost("costs 1")
        == f"no list of up to 4 lines was found that comes near best play; the best costs 1: {only.words}"
    )


# --- what is pasted costs what was said


def pasted(text: str, found: DecisionLists) -> Solution:
    return LoadedRuleset.read(f"{text.rstrip()}\n{found.to_yaml(NAME)}").solve().solution


@pytest.mark.parametrize("text", [FIGHT, NERVE, *map(starter, ("duel", "race", "betting"))])
def test_the_pasted_policy_costs_exactly_what_was_said(text: str) -> None:
    game = solved(text)
    found = game.short_list()
    again = pasted(text, found)
    assert np.array_equal(again.graph.keys, game.graph.keys)
    rule_values = compare_rules(again, strategies_by_phase(again)).rungs
    (named,) = [each for each in rule_values if each.name == NAME]
    assert (named.alone, named.loss, named.everyone) == (found.rung.alone, found.rung.loss, found.rung.everyone)


def test_alone_the_policy_brings_best_play_less_its_cost() -> None:
    text = NERVE.replace("set stash to min(stash + die, 40)", "set stash to min(stash + die, 40 - die)")
    found = solved(text).short_list()
    book = LoadedRuleset.read(f"{text}{found.to_yaml(NAME)}")
    brings = book.solve(policies={1: NAME}).values[0]
    assert found.loss is not None
    assert found.loss.exact == solved(text).values[0].middle - brings.middle


@pytest.mark.parametrize("name", ["duel", "betting"])
def test_no_line_ever_prescribes_an_option_that_is_not_legal(name: str) -> None:
    """By the rules for one position, which offer only what is legal: the line that the columns took is the line that fits."""
    text = starter(name)
    again = pasted(text, solved(text).short_list())
    rows, graph = policy_rows(again.graph, NAME), again.graph
    assert (rows >= graph.state_rows[:-1]).all()
    assert (rows < graph.state_rows[1:]).all()
    prescription, rules = NamedPolicy(graph.game, NAME), Rules(graph.game)
    for seed in range(20):
        for move in simulate_one_game(rules, prescription.choose_action_index, Random(seed)).moves:  # noqa: S311 - games
            if move.action is not None:
                number = graph.index_of(move.state)
                assert number is not None
                assert graph.action_name(int(rows[number])).startswith(move.action.name)


def test_random_games_play_a_pasted_list_as_it_was_valued() -> None:
    tried = 0
    for seed in range(300):
        data = ruleset(seed)
        data.pop("policies", None)
        try:
            solution = solve(bind(read_ruleset(Source("random.yaml", as_yaml(data)))[0]))
            found = decision_lists(solution, strategies_by_phase(solution))
        except OddsmithError:
            continue
        text = f"{as_yaml(data)}{found.to_yaml(NAME)}"
        again = solve(bind(read_ruleset(Source("random.yaml", text))[0]))
        (named,) = [each for each in compare_rules(again, strategies_by_phase(again)).rungs if each.name == NAME]
        assert named.alone == found.rung.alone, seed
        tried += 1
        if tried == 8:
            break
    assert tried == 8


# --- the same every time, and what is refused


def test_the_same_game_gives_the_same_list() -> None:
    text = starter("bag")
    assert solved(text).short_list().to_json() == LoadedRuleset.read(text).solve().short_list().to_json()


def test_what_has_no_list_says_why() -> None:
    with pytest.raises(ShortListError, match="nothing is to decide"):
        oddsmith.load("craps").solve().short_list()
    with pytest.raises(ShortListError, match="named policies"):
        oddsmith.load("piglet").solve(policies={1: "bank at once"}).short_list()


def test_a_game_that_is_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.report.policy.lists.MAX_STATES", 10)
    with pytest.raises(ShortListError, match="positions, each counted for every seat"):
        solved(starter("duel")).short_list()


# --- where it is told


def test_solve_tells_the_list_and_prints_the_policy(tmp_path: Path) -> None:
    file = tmp_path / "fight.yaml"
    file.write_text(FIGHT, "utf-8")
    assert (
        "in short: Blow where that is possible; Strike when strength is 4 points or more; else Guard"
        in run("solve", str(file)).stdout
    )
    printed = run("solve", str(file), "--list").stdout
    assert "# All of it: costs 0.0000 (exact)." in printed
    file.write_text(f"{FIGHT}{printed}", "utf-8")
    values = run("solve", str(file), "--values", "--policy", f"1={NAME}").stdout
    assert values.splitlines()[1] == run("solve", str(file), "--values").stdout.splitlines()[1]


def test_a_list_and_something_else_cannot_be_asked_for_at_once(tmp_path: Path) -> None:
    file = tmp_path / "fight.yaml"
    file.write_text(FIGHT, "utf-8")
    assert run("solve", str(file), "--list", "--json").returncode == 2


def test_data_has_the_lists_and_the_policy() -> None:
    data = outline_of_solution(solved(FIGHT).solution).to_json()["short_lists"]
    assert data["policy"] == {
        "act": [{"option": "Blow"}, {"option": "Strike", "when": "force >= 4"}, {"option": "Guard"}]
    }
    assert Fraction(data["costs"]["exact"]) == 0
    assert outline_of_solution(oddsmith.load("craps").solve().solution).to_json()["short_lists"] is None


# Two dice lose on nothing but what the third die must repair: with it, 7 and 12 are reached from 6 in two ways, else in one.
BONES = """\
format: 1
id: bones
title: Bones
summary: Two dice; give up, or pay for a third one that must make 7 or 12.
seats: 1
state:
  total: {max: 12}
  coins: {min: -2, max: 2, start: 0}
payoffs: {won: coins}
turn: roll
phases:
  roll:
    roll: {hand: 2d6}
    do: set total to sum(hand)
    then: decide
  decide:
    choose:
      - {name: Give up, do: set coins to -1, then: end}
      - {name: Double, then: third}
  third:
    roll: {die: d6}
    outcomes:
      - {name: Made it, when: "total + die in [7, 12]", do: set coins to 2, then: end}
      - {name: Missed, do: set coins to -2, then: end}
"""


def test_one_special_number_is_found_and_told() -> None:
    """Double pays 4 in six more than it costs with two ways, and less with one: -2 + 4 * ways / 6 against -1."""
    lines = list(outline_of_solution(oddsmith.loads(BONES).solve().solution).lines(4))
    assert lines[1] == "  Double when total is 6, else Give up"
    assert lines[2:] == ["to remember: Double when total is 6; else Give up; costs 0.0000"]


def test_few_special_numbers_are_named_one_by_one() -> None:
    """With four ways of six Double is worth -2 + 4 * 4 / 6, with one way less than -1."""
    book = oddsmith.loads(BONES.replace("total + die in [7, 12]", "die == 6 or (total in [4, 9] and die > 2)"))
    lines = list(outline_of_solution(book.solve().solution).lines(4))
    assert lines[1] == "  Double when total is 4 or 9, else Give up"
    assert lines[2:] == ["in short: Double when total is 4 or 9; else Give up; costs 0.0000"]
    assert book.solve().short_list().loss == Number.of(0)


# What is good is told by a number that the rules have a name for, and by no variable alone.
GAP = """\
format: 1
id: gap
title: Gap
summary: Two dice set two posts; raise, and win if the third falls between them.
seats: 1
state:
  low: {min: 1, max: 12}
  high: {min: 1, max: 12}
  coins: {min: -2, max: 2, start: 0}
payoffs: {won: coins}
define:
  room: high - low - 1
turn: roll
phases:
  roll:
    roll: {one: d12, two: d12}
    do:
      - set low to min(one, two)
      - set high to max(one, two)
    then: decide
  decide:
    choose:
      - {name: Stay, then: end}
      - {name: Raise, then: third}
  third:
    roll: {die: d20}
    outcomes:
      - {name: Between, when: low < die and die < high, do: set coins to 2, then: end}
      - {name: Outside, do: set coins to -1, then: end}
"""


def test_the_line_to_remember_is_the_cheapest_with_one_number_by_its_own_name() -> None:
    """Raising pays where 2 * room exceeds 20 - room: from seven on."""
    lines = list(outline_of_solution(oddsmith.loads(GAP).solve().solution).lines(4))
    assert [line for line in lines if "remember" in line or "short" in line] == [
        "to remember: Raise when room is 7 or more; else Stay; costs 0.0000"
    ]
