"""Policies and best play against each other in games with secrets: all that they get is what the whole tree says."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import oddsmith
from oddsmith.api.secret import SecretGame
from oddsmith.base.errors import PlayError, SecretsError
from oddsmith.base.exact import Number, average
from oddsmith.ruleset import Action, Observer
from oddsmith.solve.extensive import InPlay, SecretSolution
from oddsmith.solve.policies import NamedPolicy
from tests.cases import RULESETS
from tests.secrets.test_advice import Asked
from tests.secrets.test_circles import RULES
from tests.secrets.test_measures import BOAST
from tests.terminal import run

BEST, ANSWER = "best play", "best answer"
POLICIES = """
policies:
  honest:
    speak:
      - {option: Boast, when: die == 6}
      - {option: Give up}
    answer:
      - {option: Believe}
  bold:
    speak:
      - {option: Boast}
    answer:
      - {option: Doubt}
"""

Chances = Callable[[InPlay, int], list[Fraction]]


def game(text: str) -> SecretGame:
    """A ruleset, solved."""
    solved = oddsmith.loads(text).solve()
    assert isinstance(solved, SecretGame)
    return solved


def chances(solution: SecretSolution, name: str) -> Chances:
    """How a policy or best play chooses, by the rules for one state."""
    observer = Observer(solution.game)

    def planned(course: InPlay, seat: int) -> list[Fraction]:
        if name == BEST:
            return list(course.decision(seat).chances.values())
        moves = observer.moves(course.situation)
        actions = [each.label for each in moves.occurrences if isinstance(each.label, Action)]
        if not actions:
            return [Fraction(1, len(moves.occurrences))] * len(moves.occurrences)
        taken = NamedPolicy(solution.game, name).pick(course.situation.state, actions)
        return [Fraction(place == taken) for place in range(len(actions))]

    return planned


def worth(solution: SecretSolution, names: tuple[str, str]) -> tuple[Fraction, Fraction]:
    """What both seats get, summed over all plays."""
    observer, chosen = Observer(solution.game), [chances(solution, name) for name in names]

    def follow(course: InPlay) -> tuple[Fraction, Fraction]:
        moves = observer.moves(course.situation)
        if not moves.occurrences:
            first, second = observer.rules.payoffs(course.situation.state, solution.objective)
            return first, second
        odds = [each.chance for each in moves.occurrences]
        if moves.seat is not None and len(odds) > 1:
            odds = chosen[moves.seat](course, moves.seat)
        parts = [
            (chance, follow(course.after(each))) for chance, each in zip(odds, moves.occurrences, strict=True) if chance
        ]
        first, second = (sum((chance * got[seat] for chance, got in parts), Fraction(0)) for seat in range(2))
        return first, second

    return follow(InPlay(solution, observer.start()))


@pytest.mark.parametrize(("file", "sides"), [("boast", None), ("liars-dice", 3)])
def test_matches_bring_what_the_whole_tree_says(file: str, sides: int | None) -> None:
    book = oddsmith.loads(BOAST + POLICIES) if sides is None else oddsmith.load(file)
    solved = book.at(seats=2).solve() if sides is None else book.at(seats=2, sides=sides).solve()
    assert isinstance(solved, SecretGame)
    found = solved.tournament()
    names = (*solved.game.ruleset.policies, BEST)
    assert found.policies == names
    assert found.grade == "exact"
    for one, other in product(names, names):
        match = found.match(one, other)
        first, second = worth(solved.secrets, (one, other)), worth(solved.secrets, (other, one))
        assert match.values == (Number.of(first[0]), Number.of(second[1]))
        assert match.others == (Number.of(first[1]), Number.of(second[0]))


def test_a_best_answer_gets_what_the_whole_tree_allows() -> None:
    solved = game(BOAST + POLICIES)
    for foe in ("honest", "bold"):
        got = []
        for seat in range(2):
            other = chances(solved.secrets, foe)
            got.append(Number.of(AgainstPolicy(solved.secrets, seat, other).most()))
        assert solved.tournament().match(ANSWER, foe).mean == average(got)
        assert solved.tournament().gain(foe).lower >= 0  # type: ignore[union-attr]
    assert solved.tournament().match(ANSWER, BEST).values == solved.values


class AgainstPolicy(Asked):
    """The tree of a seat's choices against somebody who does not play by a plan."""

    def __init__(self, solution: SecretSolution, seat: int, other: Chances) -> None:
        self.other = other
        super().__init__(solution, seat)

    def chosen(self, course: InPlay, seat: int) -> list[Fraction]:
        """The chances of the other."""
        return self.other(course, seat)

    def most(self) -> Fraction:
        """What the seat gets at most."""
        return self.best(self.plays, 0)


def test_nobody_beats_best_play() -> None:
    found = oddsmith.load("liars-dice").at(seats=2, sides=3).solve().tournament(answers=False)
    assert found.beaten(BEST) == ("doubt sooner",)
    assert not any(BEST in found.beaten(name) for name in found.policies)


def test_a_policy_that_looks_under_the_cup_may_not_take_part() -> None:
    text = (RULESETS / "liars-dice.yaml").read_text("utf-8")
    peeking = oddsmith.loads(text.replace("count(cup, number) >", "count(cup[next], number) >"))
    with pytest.raises(PlayError, match=r"lets player 2 choose .* cannot tell these apart"):
        peeking.at(seats=2, sides=3).solve().tournament()


def test_where_play_can_come_back_a_best_answer_is_not_worked_out() -> None:
    outcomes = [{"when": "hand[mover] == hand[next]", "then": "toss"}, {"do": "set gain to 1", "then": "stop"}]
    stop = "  stop:\n    choose:\n      - {name: Now, then: end}\n      - {name: At once, then: end}\n"
    policies = "policies:\n  still:\n    stop:\n      - {option: Now}\n"
    text = RULES.replace("OUTCOMES", json.dumps(outcomes)) + stop + policies
    found = game(text).tournament()
    assert found.match("still", BEST).values
    assert (
        found.match(ANSWER, "still").problem
        == "where play can come back to where it was, a best answer is not worked out"
    )
    assert any("any item, each with the same chance" in note for note in found.notes)


def test_the_command_line_has_the_table() -> None:
    done = run("contest", "tournament", "liars-dice", "--seats", "2", "--set", "sides=3")
    assert done.returncode == 0, done.stderr
    assert "Liar's Dice, 2 seats, win: a tournament (exact)" in done.stdout
    assert "note: best play is the play that was found" in done.stdout
    data = json.loads(run("contest", "tournament", "liars-dice", "--seats", "2", "--set", "sides=3", "--json").stdout)
    assert data["ruleset"]["id"] == "liars-dice"
    assert data["matches"][-1]["policy"] == data["matches"][-1]["against"] == BEST


def test_an_evening_is_refused() -> None:
    with pytest.raises(SecretsError):
        game(BOAST).evening(10)
    assert "does not know such games" in run("contest", "evening", "mia", "--games", "3").stderr
