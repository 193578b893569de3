"""Advice in games with secrets: what each action brings is what a walk of the whole tree says, and words find the decision."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api.secret import SecretGame
from oddsmith.base.errors import PlayError, PositionError, SecretsError
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.ruleset import Observer, label_in_words
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import SecretSolution, UnfinishedPlay, solve_secrets
from tests.cases import RULESETS, ruleset
from tests.report.test_breakeven import GOAT_RUN
from tests.secrets.random_games import random_game
from tests.secrets.test_circles import rounds
from tests.secrets.test_known_values import GAMES
from tests.secrets.test_measures import BOAST
from tests.terminal import run

View = tuple[Any, ...]


@dataclass(frozen=True)
class Ended:
    """A play: how often chance and the other seat lead to it, what it pays, and what the seat chose where it saw what."""

    reach: Fraction
    paid: Fraction
    own: tuple[tuple[View, str], ...]


@dataclass
class Asked:
    """The whole tree of a seat's choices against the plan of the other. ``weight``: how often that leads to what was seen."""

    solution: SecretSolution
    seat: int

    def __post_init__(self) -> None:
        self.weight: dict[View, Fraction] = {}
        self.told: dict[View, UnfinishedPlay] = {}
        observer = self.observer = Observer(self.solution.game)
        self.plays = list(self.follow(UnfinishedPlay(self.solution, observer.start()), Fraction(1), (), ()))

    def follow(
        self, course: UnfinishedPlay, reach: Fraction, view: View, own: tuple[tuple[View, str], ...]
    ) -> Iterator[Ended]:
        """All plays that follow."""
        situation = course.position
        moves = self.observer.possible_moves(situation)
        if not moves.moves:
            rules = self.observer.rules
            yield Ended(reach, rules.payoffs(situation.state, self.solution.objective)[self.seat], own)
            return
        chances = [each.probability for each in moves.moves]
        several = moves.seat is not None and len(chances) > 1
        if several and moves.seat == self.seat:
            self.weight[view] = self.weight.get(view, Fraction(0)) + reach
            self.told[view] = course
        elif several and moves.seat is not None:
            chances = self.chosen(course, moves.seat)
        for each, chance in zip(moves.moves, chances, strict=True):
            if chance:
                name = label_in_words(self.solution.game, situation, each.label)
                mine = (*own, (view, name)) if several and moves.seat == self.seat else own
                yield from self.follow(
                    course.after_move(each), reach * chance, (*view, each.observations[self.seat]), mine
                )

    def chosen(self, course: UnfinishedPlay, seat: int) -> list[Fraction]:
        """The chances of the other seat."""
        return list(course.decision(seat).action_probabilities.values())

    def best(self, plays: Sequence[Ended], depth: int) -> Fraction:
        """What the seat gets at most from some plays, of which it made so many choices already."""
        over = sum((play.reach * play.paid for play in plays if len(play.own) == depth), Fraction(0))
        views = {play.own[depth][0] for play in plays if len(play.own) > depth}
        return over + sum((max(self.brings(view, plays, depth).values()) for view in views), Fraction(0))

    def brings(self, view: View, plays: Sequence[Ended], depth: int) -> dict[str, Fraction]:
        """What each action brings there, times how often play comes there."""
        here = [play for play in plays if len(play.own) > depth and play.own[depth][0] == view]
        names = dict.fromkeys(play.own[depth][1] for play in here)
        return {name: self.best([play for play in here if play.own[depth][1] == name], depth + 1) for name in names}

    def compare(self) -> int:
        """Compares all choices of the seat with what the solution says, and counts them."""
        for view, course in self.told.items():
            depth = next(at for play in self.plays for at, (seen, _) in enumerate(play.own) if seen == view)
            worth = {name: value / self.weight[view] for name, value in self.brings(view, self.plays, depth).items()}
            assert course.decision(self.seat).action_values == worth
        return len(self.told)


@pytest.mark.parametrize("part", range(3))
def test_what_an_action_brings_is_what_the_whole_tree_says(part: int) -> None:
    compared = 0
    for seed in range(part * 20, part * 20 + 20):
        try:
            solution = solve_secrets(
                bind(read_ruleset(Source(f"{seed}.yaml", json.dumps(random_game(seed))))[0]), "win"
            )
        except PlayError:  # a seat would choose by what it has not seen
            continue
        compared += sum(Asked(solution, seat).compare() for seat in range(2))
    assert compared > 100


@pytest.mark.parametrize(("game", "parameters"), [("cups-and-coins", {}), ("liars-dice", {"sides": 2})])
def test_the_words_of_a_decision_find_it(game: str, parameters: dict[str, int]) -> None:
    bound = bind(ruleset(game), Setting(2, values=parameters))
    solved = SecretGame(solve_secrets(bound, next(iter(bound.ruleset.payoffs))))
    decisions = list(solved.secret_solution.decisions())
    assert len(decisions) > 5
    for each in decisions:
        advice = solved.advice(", ".join([f"mover={each.seat + 1}, phase={each.phase}", *each.known_facts]))
        assert {action.action: action.value.exact for action in advice.actions} == (each.action_values or {})
        several = len(each.support) > 1 or sum(action.best for action in advice.actions) > 1
        assert advice.action_probabilities == ({n: Number.of(c) for n, c in each.support.items()} if several else {})
        if each.action_values:
            most = max(each.action_values.values())
            assert {action.action: action.loss.exact for action in advice.actions} == {
                name: most - value for name, value in each.action_values.items()
            }


def boast() -> SecretGame:
    """The game of the page about secrets."""
    solved = oddsmith.loads(BOAST).solve()
    assert isinstance(solved, SecretGame)
    return solved


@pytest.mark.parametrize(
    "words", ["thrown 5", "thrown=5", " Thrown  5 ", "phase=speak, thrown 5", "thrown 5, mover=boaster"]
)
def test_a_decision_may_be_said_in_several_ways(words: str) -> None:
    solved = boast()
    assert {each.action: each.value for each in solved.advise(words)} == dict.fromkeys(
        ("Give up", "Boast"), Number.of(-1)
    )
    assert solved.mixture(words) == {"Give up": Number.of(Fraction(2, 3)), "Boast": Number.of(Fraction(1, 3))}
    assert solved.policy_action(words) == "Give up"
    assert solved.policy(words) == "Give up"


def test_variables_by_name_say_what_was_seen() -> None:
    assert [each.loss.exact for each in boast().advise(thrown=6)] == [0, Fraction(8, 3)]


def test_one_of_several_results_that_come_to_the_same_is_enough() -> None:
    solved = oddsmith.load("cups-and-coins").solve()
    assert solved.advise("dice 2 5") == solved.advise("dice 1 6 or 2 5 or 3 4")


def test_what_all_know_may_come_in_any_order() -> None:
    solved = oddsmith.load("two-lanterns").solve()
    one = solved.advise("mover=crow, bag[raven]=10, light=1, bag[crow]=9")
    assert one == solved.advise("light 1 roll, bag[crow] 9 coins, bag[raven] 10 coins, mover=crow")
    assert one == solved.advise("bag[raven] 10; mover=crow; light 1; bag[crow]: 9")


REFUSED = [
    (
        "thrown 7",
        "nobody has to choose who has seen just this: thrown 7; nobody sees `thrown 7` in these words; such a decision is",
    ),
    ("", "say what the player has seen, as in --state: mover=boaster"),
    ("thrown 5, mover=3", "mover=3: seats are 1 to 2, or boaster, doubter"),
    ("thrown 5, phase=shout", "there is no phase shout"),
    ("thrown 5, mover=doubter", "nobody has to choose who has seen just this"),
]


@pytest.mark.parametrize(("words", "why"), REFUSED)
def test_words_that_no_decision_fits_are_refused(words: str, why: str) -> None:
    with pytest.raises(PositionError) as refused:
        boast().advise(words)
    assert why in str(refused.value)


def test_words_that_fit_several_decisions_are_refused_with_them() -> None:
    with pytest.raises(PositionError, match=r"this is said of 2 decisions: mover=crow, .*; or mover=raven, "):
        oddsmith.load("two-lanterns").solve().advise("light=1, bag[crow]=9, bag[raven]=10")


def test_a_position_that_all_would_see_is_refused() -> None:
    solved = boast()
    with pytest.raises(SecretsError):
        solved.advise(Observer(solved.game).start().state)


def test_a_decision_to_which_the_other_never_leads_has_no_worth() -> None:
    """An offer is a mistake, so nothing says by the value what a guess is worth."""
    done = run("advise", str(GAMES / "guess-the-ace.yaml"), "--state", "phase=guess, mover=2, dealer: Offer")
    assert done.returncode == 0, done.stderr
    assert "note: best play of the others never leads there, so no action has a worth against it" in done.stdout
    solved = oddsmith.load(GAMES / "guess-the-ace.yaml").solve()
    with pytest.raises(PositionError, match="never leads there, so no action has a worth"):
        solved.advise("phase=guess, mover=2, dealer: Offer")


def test_advice_is_proven_where_values_are() -> None:
    solved = SecretGame(
        rounds(
            ("hand[mover] == high and hand[next] == high", 0, "toss"),
            ("hand[mover] == low and hand[next] == low", 0, "end"),
            ("true", 1, "end"),
        )
    )
    advice = solved.advice("mover=1")
    assert {each.action: each.value.grade for each in advice.actions} == {"high": "proven", "low": "exact"}
    assert all(each.best for each in advice.actions)
    assert len(advice.action_probabilities) == 2


def test_the_command_line_advises(tmp_path: Path) -> None:
    file = tmp_path / "boast.yaml"
    file.write_text(BOAST, encoding="utf-8")
    done = run("advise", str(file), "--state", "boaster: Boast")
    assert done.stdout.splitlines() == [
        "mover=doubter, phase=answer, boaster: Boast",
        "  Believe  -1.000000  best, taken with chance 33.3333 %  (exact)",
        "  Doubt    -1.000000  best, taken with chance 66.6667 %  (exact)",
    ]
    done = run("advise", "liars-dice", "--seats", "2", "--set", "sides=2", "--state", "dice 2")
    assert sum("best" in line for line in done.stdout.splitlines()) > done.stdout.count("always taken") == 1
    told = json.loads(run("solve", str(file), "--json", "--state", "thrown 6").stdout)["advice"]
    assert told["state"] == {"phase": "speak", "mover": 1, "known": ["thrown 6"]}
    assert [each["loss"] for each in told["actions"]] == ["0", "8/3"]


def test_dice_of_which_only_the_total_counts_are_told_by_their_total() -> None:
    """Which dice make it is noise. What somebody types may still name them."""
    solved = oddsmith.load("cups-and-coins").solve()
    assert isinstance(solved, SecretGame)
    known = {
        item for each in solved.secret_solution.decisions() for item in each.known_facts if item.startswith("dice")
    }
    assert known == {f"dice total {total}" for total in range(2, 13)}
    assert solved.advise("dice total 7") == solved.advise("dice 2 5")


def test_dice_of_which_more_counts_than_the_total_are_told_by_their_faces() -> None:
    text = (RULESETS / "cups-and-coins.yaml").read_text("utf-8")
    looked = text.replace("set cup to sum(dice)", "set cup to sum(dice) - (1 if 6 in dice else 0)")
    assert bind(oddsmith.loads(text).ruleset).rolls_read_only_as_total == {"dice"}
    assert bind(oddsmith.loads(looked).ruleset).rolls_read_only_as_total == set()


def test_whoever_says_nothing_or_something_odd_is_told_what_to_say() -> None:
    solved = oddsmith.loads(BOAST).solve()
    with pytest.raises(PositionError, match=r"^say what the player has seen, as in --state: mover="):
        solved.advise("")
    with pytest.raises(PositionError, match="just this: thrown=3, gain=7; nobody sees `gain=7` in these words; such"):
        solved.advise("thrown=3, gain=7")


def test_a_position_that_is_left_out_is_asked_for_with_one_that_play_reaches() -> None:
    solved = oddsmith.loads(GOAT_RUN).solve()
    with pytest.raises(PositionError, match=r"^say where, such as --state held=3$"):
        solved.advise()
    assert solved.advise(held=3)
