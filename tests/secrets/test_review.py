"""A play of a game with secrets reviewed: its changes add up to its result, luck is nothing on average, and the costs of a
seat are on average what it loses to best play of the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.report.policy import review_secret_play
from oddsmith.ruleset import PlayedMove, Rules, played_moves, random_result_picker
from oddsmith.ruleset.observations import Observer, index_of_chance_move
from oddsmith.solve.extensive import SecretSolution, UnfinishedPlay
from tests.terminal import run

GAMES = Path(__file__).with_name("games")
KUHN = str(GAMES / "kuhn-poker.yaml")

PLAYED: list[tuple[str, dict[str, int]]] = [
    ("kuhn-poker", {}),
    ("goofspiel", {"top": 3}),
    ("le-her", {"king": 3, "suits": 1}),
    ("liars-dice", {"sides": 2}),
    ("odd-or-even", {}),
    ("guess-the-ace", {}),
    ("stripped-down-poker", {}),
]


def solution(game: str, parameters: dict[str, Any]) -> SecretSolution:
    """A game of this folder, or a shipped one, solved."""
    own = GAMES / f"{game}.yaml"
    return oddsmith.load(own if own.exists() else game).at(**parameters).solve_secrets()


Weighed = tuple[Fraction, list[PlayedMove]]


class _Plays:
    """All plays of a game with their chances. A seat takes any action; the other follows its plan."""

    def __init__(self, found: SecretSolution, seat: int) -> None:
        self.found, self.seat = found, seat
        self.observer, self.rules = Observer(found.game), Rules(found.game)

    def all(self) -> Iterator[Weighed]:
        start = UnfinishedPlay(self.found, self.observer.start())
        return ((chance, moves) for chance, moves in self.follow(start) if chance)

    def follow(self, course: UnfinishedPlay) -> Iterator[Weighed]:
        if not course.position.state.phase:
            yield Fraction(1), []
            return
        for chance, move, picked in self.ways(course):
            for rest, moves in self.follow(self.after(course, picked)):
                yield chance * rest, [move, *moves]

    def chances(self, chooser: int, course: UnfinishedPlay, count: int) -> list[Fraction]:
        if chooser == self.seat or count == 1:
            return [Fraction(1, count)] * count
        return list(course.decision(chooser).action_probabilities.values())

    def after(self, course: UnfinishedPlay, picked: Sequence[int]) -> UnfinishedPlay:
        for place in picked:
            course = course.after_move(self.observer.possible_moves(course.position).moves[place])
        return course

    def ways(self, course: UnfinishedPlay) -> Iterator[tuple[Fraction, PlayedMove, list[int]]]:
        state, rules = course.position.state, self.rules
        kind = rules.phase(state).kind
        if kind == "together":
            yield from self.together(course, rules.choosable_items_by_seat(state))
        elif kind == "choose":
            actions = rules.actions(state)
            for place, chance in enumerate(self.chances(state.mover, course, len(actions))):
                yield chance, PlayedMove(state, None, actions[place], rules.choose(state, actions[place])), [place]
        else:
            results, total = rules.weighted_chance_results(state)
            for weight, thrown in results:
                step = rules.resolve(state, thrown)
                place = index_of_chance_move(self.observer.possible_moves(course.position), thrown, step)
                yield Fraction(weight, total), PlayedMove(state, thrown, None, step), [place]

    def together(
        self, course: UnfinishedPlay, offers: dict[int, tuple[Any, ...]]
    ) -> Iterator[tuple[Fraction, PlayedMove, list[int]]]:
        state = course.position.state
        for picked in product(*(range(len(items)) for items in offers.values())):
            chance, so_far = Fraction(1), course
            for (chooser, items), place in zip(offers.items(), picked, strict=True):
                chance *= self.chances(chooser, so_far, len(items))[place]
                so_far = self.after(so_far, [place])
            chosen = {each: items[place] for (each, items), place in zip(offers.items(), picked, strict=True)}
            step = self.rules.choose_together(state, chosen)
            yield chance, PlayedMove(state, None, None, step, tuple(chosen.items())), list(picked)


def plays(found: SecretSolution, seat: int) -> Iterator[Weighed]:
    return _Plays(found, seat).all()


def exact(number: Number) -> Fraction:
    assert number.exact is not None
    return number.exact


@pytest.mark.parametrize(("game", "parameters"), PLAYED)
@pytest.mark.parametrize("seat", [0, 1])
def test_costs_are_on_average_what_a_seat_loses_and_luck_is_nothing(
    game: str, parameters: dict[str, int], seat: int
) -> None:
    found = solution(game, parameters)
    lost, luck, whole = Fraction(0), Fraction(0), Fraction(0)
    for chance, moves in plays(found, seat):
        review = review_secret_play(found, moves)
        whole += chance
        lost += chance * exact(review.cost_of_choices(seat + 1))
        luck += chance * exact(review.gain_from_luck(seat + 1))
        assert review.cost_of_choices(2 - seat).exact == 0
    assert whole == 1
    assert luck == 0
    assert lost == exact(found.values[seat]) - found.value_of_trembling(seat, Fraction(0))


@pytest.mark.parametrize(
    ("game", "parameters"), [*PLAYED, ("cups-and-coins", {}), ("two-lanterns", {}), ("leduc-poker", {}), ("mia", {})]
)
def test_what_steps_brought_adds_up_to_the_result(game: str, parameters: dict[str, int]) -> None:
    found = solution(game, parameters)
    rules = Rules(found.game)
    for seed in range(3):
        random = Random(seed)  # noqa: S311 - a game, no secret
        moves = list(played_moves(rules, random, random_result_picker(random)))
        review = review_secret_play(found, moves)
        assert review.over
        assert [exact(each) for each in review.end] == list(rules.payoffs(moves[-1].step.state, found.objective))
        for seat in (1, 2):
            parts = (
                review.start[seat - 1],
                review.gain_from_luck(seat),
                review.gain_from_own_choices(seat),
                review.gain_from_others_choices(seat),
            )
            assert sum(map(exact, parts)) == exact(review.end[seat - 1])


def test_a_choice_has_the_chance_of_best_play_and_a_mistake_its_cost() -> None:
    """Whoever holds the lowest card and calls a bet gives away one coin: a fold loses 1, and a call 2."""
    found = solution("kuhn-poker", {})
    for _, moves in plays(found, 0):
        review = review_secret_play(found, moves)
        for move in review.moves:
            if move.what == "Call" and review.moves[0].what == "1" and move.seat == 1:
                assert move.loss is not None
                assert move.loss.exact == 1
                assert move.better == ("Fold",)
                assert move.chance is not None
                assert move.chance.exact == 0


def test_the_terminal_writes_a_play_and_reviews_it(tmp_path: Path) -> None:
    file = tmp_path / "play.json"
    done = run("play", KUHN, "--watch", "--seed", "3", "--transcript", str(file))
    assert done.returncode == 0, done.stderr
    assert f"transcript written to {file}" in done.stdout
    assert run("play", KUHN, "--verify", str(file)).returncode == 0
    done = run("play", KUHN, "--review", str(file))
    assert done.returncode == 0, done.stderr
    assert "given away 0.0000" in done.stdout
    assert "a cost is what a choice gives away on average" in done.stdout
    data = json.loads(run("play", KUHN, "--review", str(file), "--json").stdout)
    assert data["over"]
    assert [each["given away"]["exact"] for each in data["seats"]] == ["0", "0"]
    assert len(data["moves"]) == len(json.loads(file.read_text())["log"])


def test_a_play_with_choices_at_once_is_written_and_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "play.json"
    run("play", "two-lanterns", "--watch", "--seed", "3", "--transcript", str(file))
    log = json.loads(file.read_text())["log"]
    assert [each["choose"] for each in log if "choose" in each] == ["way"] * sum("choose" in each for each in log)
    assert run("play", "--verify", str(file)).returncode == 0
    done = run("play", "--review", str(file))
    assert done.returncode == 0, done.stderr
    assert "raven: " in done.stdout
