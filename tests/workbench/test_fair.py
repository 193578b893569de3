"""What would make a game fair: answers agree with what is worked out by hand, and with solving the game that they
write.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

import oddsmith
from oddsmith.api.loaded import LoadedRuleset
from oddsmith.base.exact import Number
from oddsmith.design.fairness import TriedValue, result_pairs_around_answers, result_with_least_miss, solve_by_bisection
from oddsmith.report.policy.rules_of_thumb import compare_rules
from oddsmith.report.policy.thresholds import strategies_by_phase
from tests.open_games import HEAD, TWICE, UNTIL
from tests.secrets.test_errors import BOAST
from tests.terminal import run

# A head wins the prize, a tail loses the stake: worth (2 * prize - bend * stake) / (2 + bend) with tails that weigh bend.
COIN = """\
format: 1
id: coin
title: Coin
summary: A head wins the prize, a tail loses the stake.
seats: 1
parameters:
  prize: {default: 1, min: 0, max: 20}  # paid for a head
  stake: {default: 3, min: 1, max: 9}
  bend: {default: 4, min: 1, max: 8}
  dear: {default: false, type: flag}
variants:
  twice: {set: {prize: 2}}
dice:
  coin: {faces: [1, 0], weights: [2, bend]}
state:
  won: {type: flag}
  rolls: {type: tally}
payoffs:
  coins: prize if won else -stake
  heads: 1 if won else 0
turn: toss
phases:
  toss:
    roll: {flip: coin}
    outcomes:
      - {name: Head, when: flip == 1, do: [set won to true, add 1 to rolls], then: end}
      - {name: Tail, do: add 1 to rolls, then: end}
"""

# A ladder of some steps: each is climbed with the chance bend / (1 + bend), and a fall ends it.
CLIMB = """\
format: 1
id: climb
title: Climb
summary: Climb until you fall, or until the ladder ends.
seats: 1
parameters:
  steps: {default: 2, min: 1, max: 60}
  bend: {default: 1, min: 1, max: 9}
dice:
  coin: {faces: [1, 0], weights: [1, bend]}
state:
  step: {max: steps}
payoffs:
  climbed: step
turn: toss
phases:
  toss:
    roll: {flip: coin}
    outcomes:
      - {name: Fall, when: flip == 1, then: end}
      - {name: Top, when: step + 1 == steps, do: add 1 to step, then: end}
      - {name: Up, do: add 1 to step, then: toss}
"""

# Keep two sure coins, or toss for a prize.
CHOICE = """\
format: 1
id: choice
title: Choice
summary: A sure coin, or a toss.
seats: 1
parameters:
  prize: {default: 3, min: 1, max: 9}
state:
  got: {type: tally}
payoffs:
  coins: got
turn: decide
phases:
  decide:
    choose:
      - {name: Keep, do: add 2 to got, then: end}
      - {name: Toss, then: toss}
  toss:
    roll: {flip: d2}
    outcomes:
      - {name: Head, when: flip == 1, do: add prize to got, then: end}
      - {name: Tail, then: end}
policies:
  timid:
    decide:
      - {option: Keep}
  greedy:
    decide:
      - {option: Toss, when: prize > 1}
"""


def book(text: str) -> LoadedRuleset:
    return LoadedRuleset.read(text, "game.yaml")


def test_a_stake_makes_a_toss_even() -> None:
    """2 * 1 = 4 * stake would need half a coin; 2 * prize = 4 * 3 needs 6."""
    found = oddsmith.fair(book(COIN), "worth 0", {"prize": None})
    (answer,) = found.answers
    assert repr(answer) == "FairValue(at 6)"
    assert found.cases[0].is_from_formula
    assert found.cases[0].is_complete
    assert answer.patch.splitlines()[-2:] == [
        "-  prize: {default: 1, min: 0, max: 20}  # paid for a head",
        "+  prize: {default: 6, min: 0, max: 20}  # paid for a head",
    ]
    assert oddsmith.fair(book(COIN), "worth -1/2", {"prize": None}).answers[0].low.exact == Fraction(9, 2)


def test_an_irrational_root_is_named_and_its_neighbours_are_solved() -> None:
    """(b / (b + 2))^2 = 1/2 at b = 2 + 2 sqrt(2)."""
    found = oddsmith.fair(book(HEAD + TWICE), "even", {"bend": None})
    (answer,) = found.answers
    assert answer.low.expression() == 2 + 2 * sympy.sqrt(2)
    assert [tried.value for tried in found.cases[0].tried_values] == [4, 5]
    by_hand = {bend: 2 * Fraction(bend, bend + 2) ** 2 - 1 for bend in (4, 5)}
    assert {tried.value: tried.miss for tried in found.cases[0].tried_values} == {
        bend: Number.of(off) for bend, off in by_hand.items()
    }
    assert answer.nearest_value is not None
    assert answer.nearest_value.value == 5
    assert "{default: 5, min: 0, max: 9}" in answer.patch


def test_whole_numbers_are_bracketed_where_the_parameter_decides_what_can_happen() -> None:
    """Each step is climbed with the chance 9/10, so that n steps take (1 - 0.9^n) * 10 rolls."""
    rolls = [10 * (1 - Fraction(9, 10) ** steps) for steps in range(61)]
    found = oddsmith.fair(book(CLIMB).at(bend=9), "length 5 rolls", {"steps": None})
    (answer,) = found.answers
    assert repr(answer) == "FairValue(between 6..7)"
    assert rolls[6] < 5 < rolls[7]
    (case,) = found.cases
    assert not case.is_complete
    assert "changes the structure" in case.reason
    assert all(tried.result == Number.of(rolls[tried.value]) for tried in case.tried_values)
    listed = oddsmith.fair(book(CLIMB).at(bend=9), "length 5 rolls", {"steps": range(5, 9)})
    assert [repr(each) for each in listed.answers] == [repr(answer)]
    assert listed.cases[0].is_complete


def test_a_length_as_a_formula() -> None:
    """One roll, and a second unless the first is a fall: 1 + b / (b + 1) = 7/4 at b = 3."""
    (answer,) = oddsmith.fair(book(CLIMB), "length 7/4 rolls", {"bend": None}).answers
    assert repr(answer) == "FairValue(at 3)"


def test_a_length_jumps_where_best_play_changes() -> None:
    """The toss is worth prize / 2 against 2, so below 4 nobody rolls."""
    found = oddsmith.fair(book(CHOICE), "length 1/2 rolls", {"prize": None})
    (answer,) = found.answers
    assert repr(answer) == "FairValue(jump 4)"


def test_an_end_at_which_play_goes_on_for_ever_is_left_out() -> None:
    """The first head wins: with no weight on heads there is none, and the first who tosses is always ahead."""
    found = oddsmith.fair(LoadedRuleset.read(HEAD + UNTIL), "even", {"bend": None})
    assert found.answers == ()
    assert found.cases[0].notes == ("bend 0 itself is left out, because play might never end there",)


def test_everywhere_is_one_answer() -> None:
    """With nothing at stake and no prize every coin is fair."""
    found = oddsmith.fair(
        book(COIN.replace("stake: {default: 3, min: 1", "stake: {default: 0, min: 0")).at(prize=0),
        "worth 0",
        {"bend": None},
    )
    assert [repr(answer) for answer in found.answers] == ["FairValue(everywhere 1..8)"]
    assert found.answers[0].nearest_value is not None
    assert found.answers[0].nearest_value.value == 4, "the usual one"


def test_a_frontier_has_an_answer_for_each_value() -> None:
    """2 * prize = bend * stake."""
    found = oddsmith.fair(book(COIN), "worth 0", {"stake": "1..9", "prize": None})
    assert [case.answers[0].low.exact if case.answers else None for case in found.cases] == [
        2 * n for n in range(1, 10)
    ]
    assert "stake: {default: 9" in found.cases[8].answers[0].patch
    assert "prize: {default: 18" in found.cases[8].answers[0].patch
    flags = oddsmith.fair(book(COIN), "worth 0", {"dear": None, "prize": None})
    assert [case.settings["dear"] for case in flags.cases] == [False, True]
    assert "+  dear: {default: true, type: flag}" in flags.cases[1].patch.splitlines()
    two = oddsmith.fair(book(COIN), "worth 0", {"variant": None, "stake": None})
    assert [case.answers[0].low.exact for case in two.cases if case.answers] == [1]
    assert [repr(case.nearest_value) for case in two.cases] == ["TriedValue(1: -1/3)", "TriedValue(1: 0)"]


def test_what_a_beginner_loses() -> None:
    """Any legal action gets the mean of 2 and prize / 2; from 4 on best play tosses, and who keeps gets 2."""
    game = book(CHOICE)
    for goal, plays, wanted in [
        ("beginner 1/2", "any", [2, 6]),
        ("beginner 1", "timid", [6]),
        ("beginner 50%", "timid", [8]),
        ("beginner 25%", "any", [2, 8]),
    ]:
        found = oddsmith.fair(game, oddsmith.Goal.of(goal, beginner_policy=plays), {"prize": None})
        assert [answer.low.exact for answer in found.answers] == wanted, goal
        assert found.cases[0].is_from_formula
    greedy = oddsmith.fair(game, oddsmith.Goal.of("beginner 1/2", beginner_policy="greedy"), {"prize": None})
    assert not greedy.cases[0].is_from_formula
    assert "looks at prize" in greedy.cases[0].reason
    assert [repr(answer) for answer in greedy.answers] == ["FairValue(between 1..2)", "FairValue(at 3)"], (
        "at 1 it keeps"
    )
    heads = oddsmith.fair(
        "piglet", oddsmith.Goal.of("beginner 9%", beginner_policy="bank at once"), {"heads_weight": "1..5"}
    )
    opened = {tried.value: tried.result for tried in heads.cases[0].tried_values}
    for weight, loss in opened.items():
        solution = oddsmith.load("piglet").at(heads_weight=weight).solve().solution
        rule_values = compare_rules(solution, strategies_by_phase(solution)).rungs
        assert loss == next(each.loss for each in rule_values if each.name == "bank at once")


def test_what_cannot_be_is_said() -> None:
    game = book(COIN)
    never = oddsmith.fair(game, "worth 30", {"prize": None})
    assert never.answers == ()
    assert never.cases[0].is_complete
    assert repr(never.cases[0].nearest_value) == "TriedValue(20: 14/3)"
    for wrong, said in [
        ("even", "one seat"),
        ("worth", "is no goal"),
        ("beginner -1", "nobody loses less"),
        ("length 5%", "a number of turns or rolls"),
        ("worth 0 turns", "is no goal"),
    ]:
        with pytest.raises(oddsmith.GoalError, match=said):
            oddsmith.fair(game, wrong, {"prize": None})
    spans: list[tuple[dict[str, Any], str]] = [
        ({"price": None}, "did you mean prize"),
        ({"dear": None}, "is no number"),
        ({"prize": "5..30"}, "prize cannot be 30"),
        ({"prize": "5.."}, "write LOW..HIGH"),
        ({"seats": "1..9999999", "prize": None}, "over 100,000"),
        ({"prize": []}, "varies over nothing"),
        ({}, "name a parameter"),
    ]
    for varied, said in spans:
        with pytest.raises(oddsmith.SettingError, match=said):
            oddsmith.fair(game, "worth 0", varied)
    with pytest.raises(oddsmith.SettingError, match="stay the same"):
        oddsmith.fair(game.at(prize=3), "worth 0", {"prize": None})
    with pytest.raises(oddsmith.GoalError, match="no seat 2"):
        oddsmith.fair(game, oddsmith.Goal.of("worth 0", seat=2), {"prize": None})
    with pytest.raises(oddsmith.UnknownPolicyError, match="ways of playing: any, rule"):
        oddsmith.fair(game, oddsmith.Goal.of("beginner 1", beginner_policy="wild"), {"prize": None})


def test_blanks_before_a_unit_are_no_part_of_a_number() -> None:
    for text in ("length 3 turns", "length 3  turns", "length 3turns", " length 3"):
        assert oddsmith.Goal.of(text).number_text == "3"
    found = oddsmith.fair(book(CLIMB).at(bend=9), "length 5 rolls", {"steps": range(5, 9)})
    assert found.cases[0].goal is not None
    assert found.cases[0].goal.words == "a game takes 5 rolls on average"


def test_a_variant_that_sets_the_parameter_is_what_changes() -> None:
    found = oddsmith.fair(book(COIN).at(variants=("twice",)), "worth 0", {"prize": None})
    assert found.answers[0].patch.splitlines()[-1] == "+  twice: {set: {prize: 6}}"


# --- the search over whole numbers


def _solve(misses: dict[int, int | None]) -> tuple[list[int], object]:
    asked: list[int] = []

    def solve(values: list[int]) -> list[TriedValue]:
        asked.extend(values)
        found = [(value, misses[value]) for value in values]
        return [
            TriedValue(value, None, None, "refused")
            if off is None
            else TriedValue(value, Number.of(off), Number.of(off))
            for value, off in found
        ]

    return asked, solve


def test_a_long_range_is_halved_and_no_value_is_asked_twice() -> None:
    misses = {value: value - 617 if value != 618 else None for value in range(1000) if value != 617} | {617: -1}
    asked, solve = _solve(misses)
    found = solve_by_bisection(range(1000), solve, solve_all=False, misses_have_sign=True)  # type: ignore[arg-type]
    assert [(low.value, high.value) for low, high in result_pairs_around_answers(found)] == [(617, 619)], (
        "618 is refused"
    )
    assert len(asked) == len(set(asked)) < 30


def test_a_long_range_without_signs_is_searched_around_the_least() -> None:
    asked, solve = _solve({value: abs(value - 617) + 1 for value in range(1000)})
    best = result_with_least_miss(solve_by_bisection(range(1000), solve, solve_all=False, misses_have_sign=False))  # type: ignore[arg-type]
    assert best is not None
    assert best.value == 617
    assert len(asked) < 60


def test_of_a_short_range_every_crossing_is_found() -> None:
    asked, solve = _solve(dict(enumerate([3, -1, 0, 2, None, -4, 1])))
    found = solve_by_bisection(range(7), solve, solve_all=False, misses_have_sign=True)  # type: ignore[arg-type]
    assert [(low.value, high.value) for low, high in result_pairs_around_answers(found)] == [
        (0, 1),
        (2, 2),
        (3, 5),
        (5, 6),
    ]
    assert len(asked) == 7


# --- points that are kept, and the command


def test_a_second_question_solves_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store, told = tmp_path / "store", list[str]()
    game = book(CLIMB)
    oddsmith.sweep(game, {"steps": range(1, 6)}, store=store)
    oddsmith.fair(game, "length 3/2 rolls", {"steps": "1..5"}, store=store, progress=lambda what, *_: told.append(what))
    assert told == [], "a sweep has solved them"
    for expected in (5, 0):
        told.clear()
        oddsmith.fair(
            game, "beginner 1", {"steps": range(1, 6)}, store=store, progress=lambda what, *_: told.append(what)
        )
        assert len(told) == expected


def test_the_command_writes_lines_that_patch_the_file(tmp_path: Path) -> None:
    file = tmp_path / "coin.yaml"
    file.write_text(COIN, encoding="utf-8")
    done = run("fair", "coin.yaml", "--worth", "0", "--vary", "prize", "--jobs", "1", cwd=tmp_path)
    assert done.stdout.startswith("Coin: prize at which seat 1 gets 0\nprize = 6  (exact)\n")
    data = json.loads(
        run("fair", "coin.yaml", "--worth", "0", "--vary", "prize", "--jobs", "1", "--json", cwd=tmp_path).stdout
    )
    (case,) = data["cases"]
    assert data["goal"] == {"kind": "worth", "number": "0", "seat": 1}
    assert (case["method"], case["complete"], case["answers"][0]["write"]) == ("formula", True, 6)
    patch = case["answers"][0]["lines"] + "\n"
    assert patch in done.stdout
    before, after = patch.splitlines()[-2:]
    assert (before[0], after[0], COIN.count(before[1:])) == ("-", "+", 1)
    file.write_text(COIN.replace(before[1:], after[1:]), encoding="utf-8")
    assert oddsmith.load(file).solve().values == (Number.of(0),)


def test_the_command_shows_a_frontier_and_refuses_two_goals(tmp_path: Path) -> None:
    (tmp_path / "coin.yaml").write_text(COIN, encoding="utf-8")
    words = ("fair", "coin.yaml", "--jobs", "1", "--vary", "stake=1..9..4", "--vary", "prize")
    lines = run(*words, "--worth", "0", cwd=tmp_path).stdout.splitlines()
    assert lines[1:5] == ["stake  prize", "    1  2", "    5  10", "    9  18"]
    asked = run(*words, cwd=tmp_path)  # even, if nothing else is said
    assert asked.returncode == 1
    assert "coin has one seat here, which is even with nobody" in asked.stdout
    assert run(*words, "--worth", "0", "--length", "2", cwd=tmp_path).returncode == 2
    assert run("fair", "coin.yaml", "--worth", "0", "--vary", "prize=1..", cwd=tmp_path).returncode == 2


def test_no_patch_is_printed_where_no_value_fits_and_numbers_stand_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "coin.yaml").write_text(COIN, encoding="utf-8")
    never = run("fair", "coin.yaml", "--worth", "30.50", "--vary", "prize", cwd=tmp_path)
    assert never.returncode == 0, never.stderr
    assert "prize at which seat 1 gets 30.50" in never.stdout
    assert "comes nearest" in never.stdout
    assert "+++" not in never.stdout
    assert "+++" in run("fair", "coin.yaml", "--worth", "2", "--vary", "prize", cwd=tmp_path).stdout


def test_values_that_are_refused_are_not_told_to_be_solved(tmp_path: Path) -> None:
    over = COIN.replace("variants:", "require:\n  - that: stake < 8\n    about: It is not too dear.\nvariants:", 1)
    (tmp_path / "coin.yaml").write_text(over, encoding="utf-8")
    done = run("fair", "coin.yaml", "--worth", "99", "--vary", "stake=6,7,8,9", cwd=tmp_path)
    assert "2 of 4 values were solved" in done.stdout, done.stdout + done.stderr


def test_without_a_goal_seats_are_to_be_even_and_are_called_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "boast.yaml"
    file.write_text(
        BOAST.replace("state:\n", "parameters:\n  price: {default: 2, min: 1, max: 2}\nstate:\n", 1).replace(
            "2 if die == 6 else -2", "price if die == 6 else -price"
        ),
        "utf-8",
    )
    missing = run("fair", str(file))
    assert missing.returncode == 2
    assert "--vary says which parameter may change: seats, price" in missing.stderr
    done = run("fair", str(file), "--vary", "price=1..2..1")
    assert "price at which all seats get the same" in done.stdout
    assert re.search(r"price \d comes nearest: (boaster|doubter) gets [\d.]+ more", done.stdout), done.stdout
