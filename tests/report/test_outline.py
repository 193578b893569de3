"""The outline of a game says of every option what the proof says of it, and a difference what a change of the rules moved."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.publish.sections.first_screen import page_head_html
from oddsmith.report.answers.accounts import answers_of
from oddsmith.report.policy.difference import Difference, solution_difference
from oddsmith.report.policy.outline import Outline, outline_of_solution
from oddsmith.report.policy.quantities import Quantity
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.solution import Solution
from tests.report.test_breakeven import GOAT_RUN
from tests.report.test_stopping import RISK

NERVE = """\
format: 1
id: nerve
title: Nerve
summary: Roll for coins, and stop before a 1.
seats: 1
dice: {{bone: {{faces: [{dice}]}}}}
constants: {{fee: 0}}
state:
  stash: {{start: 0, max: 40, resets: turn}}
payoffs:
  coins: stash
turn: decide
phases:
  decide:
    choose:
      - {{name: Stop, then: end}}
      - {{name: Roll, then: throw}}
{more}
  throw:
    roll: {{die: bone}}
    outcomes:
      - name: Lost
        when: die == 1
        do: set stash to 0
        then: end
      - name: More
        do: set stash to min(stash + die, 40)
        then: decide
"""
TWELVE = ", ".join(map(str, range(1, 13)))
WASTE = "      - {name: Waste, do: set stash to 0, then: end}"
AGAIN = "      - {name: Roll on, then: throw}"


def solved(more: str = "", dice: str = "1, 2, 3, 4, 5, 6") -> Solution:
    return oddsmith.LoadedRuleset.read(NERVE.format(more=more, dice=dice)).solve().solution


def advised(solution: Solution, option: str, choices: bool) -> tuple[bool, bool]:
    """Whether an option is best anywhere, and where best play gets: by asking for advice state by state.

    ``choices``: where there is another action, or else where there is none.
    """
    met = solution.solved.arena.reachable_states(solution.solved.rows)
    best = [
        number
        for number in range(solution.graph.state_count)
        if (len(solution.graph.rows(number)) > 1) == choices
        for advice in solution.advise(number)
        if advice.best and advice.action == option
    ]
    return bool(best), any(met[number] for number in best)


def test_thresholds_and_short_rules_are_told() -> None:
    lines = list(outline_of_solution(solved()).lines(4))
    assert lines[1] == "  Stop when stash is 20 or more, else Roll"
    assert lines[-1] == "to remember: Stop when stash is 20 or more; else Roll; costs 0.0000"


@pytest.mark.parametrize(("top", "said"), [(4, "4"), (5, "5"), (6, "5 or more"), (12, "5 or more")])
def test_nothing_is_said_to_lie_beyond_the_top_of_a_range(top: int, said: str) -> None:
    """Where the pot cannot be more, nobody stops at that or more; a list and a page say so too."""
    text = RISK.replace("default: 6", f"default: {top}")
    lines = list(outline_of_solution(oddsmith.loads(text).solve().solution).lines(4))
    assert lines[1] == f"  Stop when pot is {said}, else Roll"
    assert f"to remember: Stop when pot is {said}; else Roll; costs 0.0000" in lines
    page = unescape(re.sub("<[^>]*>", "", page_head_html(answers_of(read_ruleset(Source("game.yaml", text))[0]))))
    assert page.startswith(f"Stop when pot is {said}; else Roll.")
    quantity = Quantity("pot", is_flag=False, effort=0, column=np.arange(top + 1))
    assert quantity.condition_text(top, at_least=True) == f"pot == {top}"
    assert quantity.condition_text(top - 1, at_least=True) == f"pot >= {top - 1}"


def test_an_option_that_is_never_best_is_named_and_one_that_is_as_good_is_not() -> None:
    (choice,) = outline_of_solution(solved(WASTE)).choices
    assert [unused.words for unused in choice.unused] == ["Waste is never best"]
    (choice,) = outline_of_solution(solved(AGAIN)).choices
    assert choice.unused == (), "two names of one thing to do are as good as each other"


FORCED = """\
format: 1
id: forced
title: Forced
summary: Three steps, then a stop that pays.
seats: 1
state:
  left: {start: 3, max: 3}
  paid: {type: flag}
payoffs:
  pay: 1 if paid else 0
turn: walk
phases:
  walk:
    choose:
      - {name: Step, do: add -1 to left, then: walk}
      - {name: Take, when: left == 1, do: set paid to true, then: end}
end_when: left == 0
"""


def test_an_option_that_is_taken_where_it_is_the_only_one_is_not_called_never_best() -> None:
    """Step loses everything in its only choice, and without it nobody comes there."""
    (choice,) = outline_of_solution(oddsmith.loads(FORCED).solve().solution).choices
    assert [each.words for each in choice.unused] == ["Step is best only where it is the only option"]
    assert choice.lines == ("Take wherever there is a choice",)


def test_always_is_said_where_best_play_never_takes_another_option() -> None:
    (choice,) = outline_of_solution(oddsmith.loads(FORCED.replace("start: 3", "start: 1")).solve().solution).choices
    assert choice.lines == ("always Take",)
    assert [each.words for each in choice.unused] == ["Step is never best"]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("shut-the-box", {}),
        ("column-race", {}),
        ("rogues-gambit", {"seats": 2, "coins_each": 6}),
        ("piglet", {}),
        ("hold-the-pot-turn", {}),
    ],
)
def test_what_is_for_nothing_agrees_with_the_advice_for_every_state(name: str, settings: dict[str, Any]) -> None:
    solution = oddsmith.load(name).at(**settings).solve().solution
    whole = solution.graph.game.ruleset.phases
    for choice in outline_of_solution(solution).choices:
        told = {unused.option: unused for unused in choice.unused}
        plain = [entry.name for entry in whole[choice.phase].entries if not entry.loops]
        for option in plain:
            (anywhere, met), (only, taken) = (advised(solution, option, choices) for choices in (True, False))
            assert (option in told) == (not met), option
            if option in told:
                assert told[option].is_forced == taken
                assert told[option].is_best_elsewhere == (anywhere or (only and not taken))


STRANDED = """\
format: 1
id: stranded
title: Stranded
summary: Who swims is at the mercy of the sea.
seats: 1
state:
  strength: {max: 2}
payoffs:
  pay: strength
turn: shore
phases:
  shore:
    choose:
      - {name: Stay, do: set strength to 2, then: end}
      - {name: Swim, do: set strength to 1, then: sea}
      - {name: Dive, then: sea}
  sea:
    choose:
      - {name: Drift, then: end}
      - {name: Float, when: strength == 1, then: end}
"""


def test_an_option_that_the_game_needs_is_not_to_be_left_out() -> None:
    """Who dived can only drift, so the game must have it; who swam may float instead, and nobody has to."""
    found = {each.problem.message: each for each in oddsmith.loads(STRANDED).lint().findings}
    (drift,) = [each for message, each in found.items() if message.startswith("Drift")]
    assert drift.problem.message == "Drift is best only where best play never gets: in 2 of 2 positions"
    needed = "make it cheaper or better; the game needs it, because there is no other option in one of these positions"
    assert drift.problem.hint == needed
    (float_,) = [each for message, each in found.items() if message.startswith("Float")]
    assert float_.problem.hint == "make it cheaper or better, or leave it out"


def test_data_says_what_the_lines_say() -> None:
    data = outline_of_solution(solved(WASTE)).to_json()
    assert data["choices"][0]["thresholds"] == [20, 20]
    assert data["choices"][0]["unused"] == [
        {"option": "Waste", "elsewhere": False, "forced": False, "words": "Waste is never best"}
    ]
    assert Fraction(data["rules"][0]["costs"]["exact"]) == 0


def test_rules_that_take_long_are_found_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("oddsmith.report.policy.outline"), "RULES_WORK", 0)
    assert outline_of_solution(solved()).rules is None
    assert outline_of_solution(solved(), with_rules=True).rules


# --- differences


def test_nothing_differs_from_itself() -> None:
    one = solved()
    found = solution_difference(one, one)
    assert (found.rules, [moved.worse_count for moved in found.choices]) == ((), [0])
    assert found.loyal_loss == Number.of(0)
    assert list(found.lines(3))[-1] == "seat 1, if it alone keeps the old strategy, gets 8.142 (loses nothing)"


def test_what_moved_is_told_with_what_the_old_way_costs() -> None:
    """With a twelve-sided die one rolls on for longer. The old threshold of 20 is valued by hand, state by state."""
    before, after = solved(), solved(dice=TWELVE)
    found = solution_difference(before, after)
    assert [change.words for change in found.rules][:1] == ["dice.bone.faces.7: new, 7"]
    (moved,) = found.choices
    assert moved.thresholds_before == (20, 20)
    assert moved.worse_count > 0
    assert all(example.action_before == "Stop" and example.action_after == "Roll" for example in moved.examples)
    worth = {stash: Fraction(stash) for stash in range(20, 41)}
    for stash in range(19, -1, -1):
        worth[stash] = sum((worth[min(stash + die, 40)] for die in range(2, 13)), Fraction(0)) / 12
    assert found.loyal_value is not None
    assert found.loyal_value.lower <= worth[0] <= found.loyal_value.upper
    assert found.loyal_loss is not None
    assert float(found.loyal_loss) == pytest.approx(float(after.values[0].middle - worth[0]))
    assert not found.loyal_loss.lower < 0


def test_games_that_tell_their_positions_apart_otherwise_say_so() -> None:
    found = solution_difference(oddsmith.load("rogues-gambit").at(seats=2, coins_each=12).solve().solution, solved())
    (moved,) = found.choices
    assert moved.comparable_count is None
    assert moved.words.endswith("positions of the two games cannot be compared")
    assert found.loyal_value is None


def test_a_difference_is_the_same_from_python_and_as_data() -> None:
    book = oddsmith.load("rogues-gambit")
    found: Difference = oddsmith.diff(book.at(seats=2, coins_each=5).solve(), book.at(seats=3, coins_each=5).solve())
    data = found.to_json()
    assert data["rules"] == [{"place": "seats", "before": 2, "after": 3}]
    assert data["values"][2]["before"] is None
    assert "seats: 2 → 3" in list(found.lines(3))


def test_outline_of_a_game_without_decisions_is_empty() -> None:
    assert outline_of_solution(oddsmith.load("chip-passing").solve().solution) == Outline((), ())


SECOND_LOOK = """\
format: 1
id: second-look
title: Second Look
summary: Two roll a die each and may roll again once; the higher one wins.
seats: 2
state:
  score: {each: seat, max: 6}
  rolled: {max: 2, resets: turn}
  round: {max: 2}
payoffs: {win: share(score)}
turn: throw
end_when: round == 2
phases:
  throw:
    roll: {die: d6}
    do:
      - set score to die
      - add 1 to rolled
    then: decide
  decide:
    choose:
      - {name: Again, when: rolled == 1, then: throw}
      - name: Keep
        do: add 1 to round
        then: pass
"""


def test_a_rule_that_costs_another_seat_more_says_so() -> None:
    """Who rolls first keeps a 4 or more, at no cost. Who rolls second knows what to beat, so that rule costs a share."""
    faces = range(1, 7)

    def wins(own: int, other: int) -> Fraction:
        return Fraction(2 * (own > other) + (own == other), 2)

    def again(other: int) -> Fraction:
        return sum((wins(own, other) for own in faces), Fraction(0)) / 6

    firsts = {score: Fraction(1, 4) if score >= 4 else Fraction(1, 12) for score in faces}
    lost = sum(
        chance * (max(wins(own, other), again(other)) - (wins(own, other) if own >= 4 else again(other))) / 6
        for other, chance in firsts.items()
        for own in faces
    )
    found = outline_of_solution(oddsmith.loads(SECOND_LOOK).solve().solution)
    ((first, second, loss),) = found.rules_dearer_for_others.values()
    assert (first, second, loss.exact) == ("seat 1", "seat 2", lost)
    (line,) = (line for line in found.lines(4) if "to remember" in line)
    assert line.endswith(f"costs seat 1 0.0000, and seat 2 {float(lost):.4f}")


def test_values_of_different_payoffs_are_not_subtracted() -> None:
    book = oddsmith.load("rogues-gambit").at(seats=2, coins_each=3)
    coins, win = book.solve(), book.at(objective="win").solve()
    found = oddsmith.diff(coins, win)
    lines = list(found.lines(4))
    assert f"seat 1: {coins.values[0].decimal(4)} coins → {win.values[0].decimal(4)} win" in lines
    changes = {record["what"]: record["change"] for record in found.table("records")}
    assert changes["seat 1"] is None
    assert changes["turns"] is not None


def test_thresholds_that_differ_do_not_read_as_a_range() -> None:
    lines = list(oddsmith.loads(GOAT_RUN).solve().outline(rules=False).lines(4))
    (line,) = (each for each in lines if "at least a number from" in each)
    assert re.search(
        r"Go when held is at least a number from \d+ to \d+, else Throw again, in \d of \d cases of ", line
    )
