"""Choices at once of three seats or more, and of two whose payoffs do not add up to a constant: equilibria, and their
proof.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oddsmith
from oddsmith.api.secret import SecretGame
from oddsmith.base.errors import ContestError, SolveError
from oddsmith.base.location import Source
from oddsmith.proof import compare_plans_with_rules, prove_plans
from oddsmith.publish.sections.secrets import (
    secret_download_files,
    secret_key_facts_html,
    secret_method_html,
    secret_page_head_html,
)
from oddsmith.report.answers import answers_of
from oddsmith.report.export import plan_certificate
from oddsmith.report.policy import review_secret_play
from oddsmith.ruleset import Observer, Rules, played_moves, random_result_picker
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import SecretSolution, UnfinishedPlay, simulate_plans, solve_secrets
from oddsmith.solve.extensive.normal_form import NashEquilibrium, NormalForm
from tests.terminal import run

GAMES = Path(__file__).with_name("games")
VOLUNTEERS = GAMES / "volunteers.yaml"
CLOSE = Fraction(1, 10**30)
TABLE = """
format: 1
id: table
title: A table
summary: Both choose at once, and a table says what each gets.
seats: 2
sides: [row, column]
state:
  up: {one_of: [none, first, second], start: none}
  side: {one_of: [none, first, second], start: none}
define:
  one: 2 * (1 if up == second else 0) + (1 if side == second else 0)
payoffs:
  gain: PAID
turn: decide
phases:
  decide:
    choose_together: {way: [first, second]}
    do:
      - set up to way[row]
      - set side to way[column]
    then: end
"""
MODULUS = 7


def table(rows: list[list[tuple[int, int]]], goal: str = "max") -> SecretSolution:
    """The equilibrium of a game of two actions each."""
    flat = [pair for row in rows for pair in row]
    parts = (" else ".join([*(f"{pair[seat]} if one == {at}" for at, pair in enumerate(flat)), "0"]) for seat in (0, 1))
    paid = "({}) if seat == row else ({})".format(*parts)
    return oddsmith.loads(TABLE.replace("PAID", f"{{value: {paid}, goal: {goal}}}")).solve_secrets()


def chances(found: SecretSolution) -> list[list[Fraction]]:
    """The chances of every decision, seat by seat."""
    return [list(each.action_probabilities.values()) for each in found.decisions()]


# --- games that are known


@pytest.mark.parametrize(("seats", "cost", "good"), [(3, 1, 2), (4, 1, 2), (5, 2, 7), (3, 3, 10), (2, 1, 3), (3, 1, 4)])
def test_volunteers_wait_as_often_as_diekmann_says(seats: int, cost: int, good: int) -> None:
    """The chance of waiting, to the power of the number of others, is the cost over the good; all get good less cost."""
    found = oddsmith.load(VOLUNTEERS).at(seats=seats, cost=cost, good=good).solve_secrets()
    assert found.kind == "mixed"
    for _, wait in chances(found):
        assert abs(wait ** (seats - 1) - Fraction(cost, good)) < CLOSE
    for value in found.values:
        assert value.lower <= good - cost <= value.upper
        assert value.upper - value.lower < CLOSE
    rational = seats == 2 or (seats, cost, good) == (3, 1, 4)
    assert found.grade == ("exact" if rational else "proven")


def test_an_inspector_mixes_what_makes_the_other_indifferent() -> None:
    """Work or shirk, inspect or not (Dresher 1962): one looks with chance 1/2, the other shirks with chance 1/4."""
    found = table([[(4, -1), (4, 0)], [(0, 5), (8, 2)]], "max")
    assert chances(found) == [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)]]
    assert [each.exact for each in found.values] == [4, Fraction(1, 2)]
    assert found.kind == "mixed"


def test_prisoners_tell() -> None:
    found = table([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
    assert [each.exact for each in found.values] == [1, 1]
    assert found.kind == "pure-by-seat"
    years = table([[(1, 1), (5, 0)], [(0, 5), (3, 3)]], "min")
    assert [each.exact for each in years.values] == [3, 3]


def test_of_several_equilibria_one_without_chances_is_taken_in_the_order_of_the_rules() -> None:
    found = table([[(2, 1), (0, 0)], [(0, 0), (1, 2)]])
    assert [each.exact for each in found.values] == [2, 1]


# --- any games of one choice


def plain_gain(counts: tuple[int, ...], paid: Mapping[tuple[int, ...], list[int]], found: NashEquilibrium) -> Fraction:
    """How much a seat gains at most that alone takes an action, summed over all that can happen."""
    most = Fraction(0)
    for seat, count in enumerate(counts):
        brings = [Fraction(0)] * count
        for profile in product(*map(range, counts)):
            weight = Fraction(1)
            for other, action in enumerate(profile):
                weight *= found.probabilities[other][action] if other != seat else 1
            brings[profile[seat]] += weight * paid[profile][seat]
        mean = sum((chance * each for chance, each in zip(found.probabilities[seat], brings, strict=True)), Fraction(0))
        low, high = found.payoff_bounds[seat]
        assert low - found.payoff_error <= mean <= high + found.payoff_error
        most = max(most, max(brings) - mean)
    return most


@pytest.mark.parametrize("counts", [(2, 2), (3, 3), (2, 2, 2), (3, 2, 3), (3, 3, 3), (2, 2, 2, 2), (9, 9), (7, 7, 7)])
@pytest.mark.parametrize("top", [1, 3, 40])
def test_nobody_gains_alone(counts: tuple[int, ...], top: int) -> None:
    kinds = Counter[str]()
    for seed in range(12):
        random = Random(f"{counts} {top} {seed}")  # noqa: S311 - a game, no secret
        paid = {each: [random.randint(0, top) for _ in counts] for each in product(*map(range, counts))}
        ends = {each: {each: Fraction(1)} for each in paid}
        worth = {each: tuple((Fraction(one),) * 2 for one in got) for each, got in paid.items()}
        found = NormalForm(counts, ends, worth, 128).equilibrium()
        if found is None:
            kinds["none"] += 1
            continue
        kinds["exact" if found.payoff_error == 0 else "rounded"] += 1
        assert all(sum(own) == 1 and min(own) >= 0 for own in found.probabilities)
        gain = plain_gain(counts, paid, found)
        assert gain <= 2 * found.payoff_error < CLOSE
    assert kinds["none"] <= (2 if len(counts) == 3 and counts[0] == 7 else 0), kinds


# --- games of several choices


def random_open_game(seed: int) -> dict[str, Any]:
    """A game of three seats that roll, choose openly, and choose at once, with payoffs of any sum."""
    random = Random(seed)  # noqa: S311 - a game, no secret
    steps = [random.choice(["together", "together", "roll", "choose"]) for _ in range(random.randint(1, 3))]
    if "together" not in steps:
        steps[-1] = "together"
    phases: dict[str, Any] = {
        "go on": {"cases": [{"when": f"step == {n}", "then": f"step {n}"} for n in range(len(steps))]}
    }
    phases["go on"]["cases"][-1].pop("when")
    for number, kind in enumerate(steps):
        a, b, c = (random.randint(1, 6) for _ in range(3))
        do: list[Any] = ["add 1 to step"]
        body: dict[str, Any]
        if kind == "roll":
            body = {"roll": {"fall": "d2"}, "do": [f"set mix to ({a} * mix + {b} * fall) % {MODULUS}", *do]}
        elif kind == "choose":
            pick = f"set mix to ({a} * mix + {b} * pick) % {MODULUS}"
            options = {
                "name": "Pick",
                "for": {"pick": "span(1, 2)"},
                "do": [pick, f"set own to pick * {c} % {MODULUS}", *do],
            }
            body = {"choose": [{**options, "then": "end" if number == len(steps) - 1 else "pass"}]}
            phases[f"step {number}"] = body
            continue
        else:
            items = random.choice(["[1, 2]", "[1, 2]", "[1, 2, 3]", "span(1, 2 + mix % 2)"])
            mine = f"set own to ({a} * own + {b} * pick + {c} * mix) % {MODULUS}"
            all_ = f"set mix to (mix + {a} * sum(pick[one] * pick[one] for one in everyone)) % {MODULUS}"
            body = {"choose_together": {"pick": items}, "do": [{"for": "everyone", "do": mine}, all_, *do]}
        phases[f"step {number}"] = {**body, "then": "end" if number == len(steps) - 1 else "pass"}
    d, e = random.randint(1, 6), random.randint(1, 6)
    return {
        "format": 1,
        "id": f"open-{seed}",
        "title": f"Open {seed}",
        "summary": "A small game of choices at once.",
        "seats": 3,
        "state": {
            "mix": {"max": MODULUS - 1},
            "step": {"max": len(steps)},
            "own": {"each": "seat", "max": MODULUS - 1},
        },
        "payoffs": {"win": f"({d} * own + {e} * mix) % {MODULUS}"},
        "turn": "go on",
        "phases": phases,
    }


def solved(data: Mapping[str, Any]) -> SecretSolution:
    """A game given as data, solved."""
    return solve_secrets(bind(read_ruleset(Source("game.yaml", json.dumps(data)))[0]), "win")


class Play:
    """What seats get by a solution's decisions, by the rules for one state, with a seat that may do something else
    once.
    """

    def __init__(self, found: SecretSolution) -> None:
        self.found, self.observer, self.seats = found, Observer(found.game), range(found.game.seats)
        self.begun: list[UnfinishedPlay] = []

    def worth(self, course: UnfinishedPlay, seat: int = -1, action: int = -1) -> list[Fraction]:
        """What all get. ``seat``: takes an action at its next choice, and then plays on as before."""
        if course.position in self.found.subgames and seat < 0:
            self.begun.append(course)
        moves = self.observer.possible_moves(course.position)
        if not moves.moves:
            return list(self.observer.rules.payoffs(course.position.state, "win"))
        odds, other = [each.probability for each in moves.moves], seat
        if moves.seat is not None and len(odds) > 1:
            odds = list(course.decision(moves.seat).action_probabilities.values())
            if moves.seat == seat:
                odds, other = [Fraction(place == action) for place in range(len(odds))], -2
        total = [Fraction(0)] * len(self.seats)
        for chance, each in zip(odds, moves.moves, strict=True):
            if chance:
                got = self.worth(course.after_move(each), other, action)
                total = [one + chance * more for one, more in zip(total, got, strict=True)]
        return total


def examine(found: SecretSolution) -> None:
    """Nobody gains who does something else once, wherever all know the position; so nobody gains at all."""
    play = Play(found)
    start = UnfinishedPlay(found, play.observer.start())
    assert [abs(got - value.middle) < CLOSE for got, value in zip(play.worth(start), found.values, strict=True)]
    for course in {each.position: each for each in play.begun}.values():
        usual = play.worth(course, -2)
        for seat in play.seats:
            for choice in found.planned_choices(course.position, seat):
                for action in range(len(choice.information_set.labels)):
                    other = play.worth(course, seat, action)[seat]
                    assert other <= usual[seat] + CLOSE
                    if choice.action_values is not None and len(choice.information_set.labels) > 1:
                        assert abs(choice.action_values[action] - other) < CLOSE


@pytest.mark.parametrize("part", range(4))
def test_nobody_gains_alone_in_games_of_several_choices(part: int) -> None:
    kinds = Counter[str]()
    for seed in range(part * 15, part * 15 + 15):
        found = solved(random_open_game(seed))
        assert not found.has_constant_sum
        examine(found)
        kinds[found.kind] += 1
        kinds["several"] += len(found.subgames) > 1
    assert kinds["several"] > 5
    assert kinds["pure-by-seat"] > 2


@pytest.mark.parametrize("seed", range(8))
def test_less_is_better_with_the_other_sign(seed: int) -> None:
    data = random_open_game(seed)
    turned = {**data, "payoffs": {"win": {"value": f"0 - ({data['payoffs']['win']})", "goal": "min"}}}
    more, less = solved(data), solved(turned)
    assert [each.middle for each in more.values] == [-each.middle for each in less.values]
    assert chances(more) == chances(less)


@pytest.mark.parametrize("goal", ["max", "min"])
def test_certificates_hold_and_enclose_the_values(goal: str) -> None:
    for seed in range(12):
        data = random_open_game(seed)
        sign = "0 - " if goal == "min" else ""
        data["payoffs"] = {"win": {"value": f"{sign}({data['payoffs']['win']})", "goal": goal}}
        rules = read_ruleset(Source("game.yaml", json.dumps(data)))[0]
        found = solve_secrets(bind(rules), "win")
        written = b"".join(plan_certificate(found))
        proof = prove_plans(written)
        for (low, high), value in zip(proof.values, found.values, strict=True):
            assert low <= value.lower <= value.upper <= high
            assert high - low < CLOSE
        assert compare_plans_with_rules(written, rules)


# --- what is told of them


def test_the_command_says_that_there_may_be_other_equilibria() -> None:
    done = run("solve", str(VOLUNTEERS), "--seats", "3", "--distribution", "gain", "--plays", "400")
    assert done.returncode == 0, done.stderr
    assert "seat 3: 1.000000000000" in done.stdout
    assert "nobody gains by departing from it alone, and other equilibria may bring other values" in done.stdout
    assert "decide: wake 29.289322 %, wait 70.710678 %" in done.stdout
    told = run("advise", str(VOLUNTEERS), "--seats", "3", "--state", "mover=3")
    assert told.stdout.count("best, taken with chance") == 2, told.stderr
    assert "70.7107 %" in told.stdout


def test_games_are_played_reviewed_and_measured() -> None:
    game = oddsmith.load(VOLUNTEERS).at(seats=3).solve()
    assert isinstance(game, SecretGame)
    found = game.secret_solution
    played = simulate_plans(found, 400, 1)
    for each in played.payoffs_by_seat:
        assert abs(float(each.mean) - 1) < 5 * each.standard_error
    random = Random(3)  # noqa: S311 - a game, no secret
    moves = list(played_moves(Rules(found.game), random, random_result_picker(random)))
    review = review_secret_play(found, moves)
    for seat in (1, 2, 3):
        parts = [
            review.start[seat - 1],
            review.gain_from_luck(seat),
            review.gain_from_own_choices(seat),
            review.gain_from_others_choices(seat),
        ]
        total = sum((each.middle for each in parts), Fraction(0))
        assert abs(total - review.end[seat - 1].middle) < CLOSE


def test_what_needs_two_players_of_constant_sum_is_refused() -> None:
    game = oddsmith.load(VOLUNTEERS).at(seats=3).solve()
    with pytest.raises(ContestError, match="add up to a constant"):
        game.tournament()
    hidden = (
        VOLUNTEERS.read_text("utf-8")
        .replace("turn: decide", "turn: toss")
        .replace("phases:\n", "phases:\n  toss:\n    roll: {coin: d2}\n    seen_by: mover\n    then: decide\n")
    )
    with pytest.raises(SolveError, match="solved for one or two seats"):
        oddsmith.loads(hidden).at(seats=3).solve()
    with pytest.raises(SolveError, match="adds up to"):
        oddsmith.loads(hidden).at(seats=2).solve()
    circle = VOLUNTEERS.read_text("utf-8").replace(
        "    then: end", "    outcomes: [{when: woken, then: end}, {then: again}]"
    )
    assert "again" in circle
    with pytest.raises(SolveError, match="come back to where it was"):
        oddsmith.loads(circle).at(seats=3).solve()


def test_pages_say_what_an_equilibrium_is() -> None:
    text = VOLUNTEERS.read_text("utf-8").replace("default: 2}\nparameters", "default: 3}\nparameters")
    account = answers_of(oddsmith.loads(text).ruleset)
    answer = account.main_secret_answer
    assert answer
    assert secret_download_files(answer).keys() == {"3-seats-gain.csv", "3-seats-gain.jsonl.gz"}
    assert len(prove_plans(answer.proof).values) == 3
    facts = secret_key_facts_html(account, answer, "")
    assert "nobody gains by playing otherwise alone" in secret_page_head_html(answer)
    assert "Other such plans may bring other values." in facts
    assert "Is it fair?" not in facts, "the bounds leave it open"
    assert "What is skill worth?" not in facts, "all get the same"
    assert "no other is possible" not in "".join(secret_method_html(answer))


def test_pages_say_whether_seats_get_the_same() -> None:
    text = TABLE.replace("PAID", "3 if one == 0 and seat == row else 1")
    account = answers_of(oddsmith.loads(text).ruleset)
    assert account.main_secret_answer
    assert "No." in secret_key_facts_html(account, account.main_secret_answer, "")
    alike = answers_of(oddsmith.loads(TABLE.replace("PAID", "2 if one == 0 else 1")).ruleset)
    assert alike.main_secret_answer
    assert "Both seats are worth the same." in secret_key_facts_html(alike, alike.main_secret_answer, "")


def test_three_play_in_a_terminal_and_review_the_game(tmp_path: Path) -> None:
    written = tmp_path / "play.json"
    asked = ["--seats", "3", "--seed", "2", "--transcript", str(written)]
    done = run("play", str(VOLUNTEERS), "--human", "1", *asked, given="?\n1\n")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "wake: 29.3 %, brings 1.0000" in done.stdout
    told = run("play", str(VOLUNTEERS), "--review", str(written))
    assert told.returncode == 0, told.stderr
    assert "seat 3: " in told.stdout
    assert "which best play does with 29.2893 %" in told.stdout
    assert "costs" not in told.stdout.partition("note:")[0]
