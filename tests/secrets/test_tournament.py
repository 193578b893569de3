"""Policies and best play against each other in games with secrets: all that they get is what the whole tree says."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import oddsmith
from oddsmith.api.secret import SecretGame
from oddsmith.base.errors import ContestError, PlayError, SolveError, UncertifiableError, UnknownPolicyError
from oddsmith.base.exact import Number, average
from oddsmith.ruleset import Action, Observer
from oddsmith.solve.extensive import SecretSolution, UnfinishedPlay
from oddsmith.solve.policies import NamedPolicy
from tests.cases import RULESETS
from tests.secrets.test_advice import Asked
from tests.secrets.test_circles import RULES
from tests.secrets.test_measures import BOAST
from tests.terminal import run

BEST, ANSWER = "best play", "best response"
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

Chances = Callable[[UnfinishedPlay, int], list[Fraction]]


def game(text: str) -> SecretGame:
    """A ruleset, solved."""
    solved = oddsmith.loads(text).solve()
    assert isinstance(solved, SecretGame)
    return solved


def chances(solution: SecretSolution, name: str) -> Chances:
    """How a policy or best play chooses, by the rules for one state."""
    observer = Observer(solution.game)

    def planned(course: UnfinishedPlay, seat: int) -> list[Fraction]:
        if name == BEST:
            return list(course.decision(seat).action_probabilities.values())
        moves = observer.possible_moves(course.position)
        actions = [each.label for each in moves.moves if isinstance(each.label, Action)]
        if not actions:
            return [Fraction(1, len(moves.moves))] * len(moves.moves)
        taken = NamedPolicy(solution.game, name).choose_action_index(course.position.state, actions)
        return [Fraction(place == taken) for place in range(len(actions))]

    return planned


def worth(solution: SecretSolution, names: tuple[str, str]) -> tuple[Fraction, Fraction]:
    """What both seats get, summed over all plays."""
    observer, chosen = Observer(solution.game), [chances(solution, name) for name in names]

    def follow(course: UnfinishedPlay) -> tuple[Fraction, Fraction]:
        moves = observer.possible_moves(course.position)
        if not moves.moves:
            first, second = observer.rules.payoffs(course.position.state, solution.objective)
            return first, second
        odds = [each.probability for each in moves.moves]
        if moves.seat is not None and len(odds) > 1:
            odds = chosen[moves.seat](course, moves.seat)
        parts = [
            (chance, follow(course.after_move(each))) for chance, each in zip(odds, moves.moves, strict=True) if chance
        ]
        first, second = (sum((chance * got[seat] for chance, got in parts), Fraction(0)) for seat in range(2))
        return first, second

    return follow(UnfinishedPlay(solution, observer.start()))


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
        first, second = worth(solved.secret_solution, (one, other)), worth(solved.secret_solution, (other, one))
        assert match.values == (Number.of(first[0]), Number.of(second[1]))
        assert match.mean_values_of_others == (Number.of(first[1]), Number.of(second[0]))


def test_a_best_answer_gets_what_the_whole_tree_allows() -> None:
    solved = game(BOAST + POLICIES)
    for foe in ("honest", "bold"):
        got = []
        for seat in range(2):
            other = chances(solved.secret_solution, foe)
            got.append(Number.of(AgainstPolicy(solved.secret_solution, seat, other).most()))
        assert solved.tournament().match(ANSWER, foe).mean == average(got)
        assert solved.tournament().best_response_gain(foe).lower >= 0  # type: ignore[union-attr]
    assert solved.tournament().match(ANSWER, BEST).values == solved.values


class AgainstPolicy(Asked):
    """The tree of a seat's choices against somebody who does not play by a plan."""

    def __init__(self, solution: SecretSolution, seat: int, other: Chances) -> None:
        self.other = other
        super().__init__(solution, seat)

    def chosen(self, course: UnfinishedPlay, seat: int) -> list[Fraction]:
        """The chances of the other."""
        return self.other(course, seat)

    def most(self) -> Fraction:
        """What the seat gets at most."""
        return self.best(self.plays, 0)


def test_nobody_beats_best_play() -> None:
    found = oddsmith.load("liars-dice").at(seats=2, sides=3).solve().tournament(with_best_responses=False)
    assert found.beaten_policies(BEST) == ("doubt sooner", "bluffs too much")
    assert not any(BEST in found.beaten_policies(name) for name in found.policies)


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
        == "where play can come back to where it was, a best response is not worked out"
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


def test_one_game_of_an_evening_brings_what_play_brings() -> None:
    """The law of one game, by the plans at the ends, is that of play, which is followed transition by transition."""
    boast = game(BOAST)
    for seat in (1, 2):
        play = boast.distribution("payoff", seat)
        law = boast.evening(1, matchup=oddsmith.Matchup(seat=seat)).result.distribution
        assert [(each.value, each.chance) for each in law.outcomes] == [
            (each.value, each.chance) for each in play.outcomes
        ]
        assert law.mean == boast.values[seat - 1]


def test_two_games_are_the_sums_of_one() -> None:
    """The boaster in one game, the doubter in the other: what they bring, added up by hand."""
    boast = game(BOAST)
    first, second = (boast.distribution("payoff", seat).outcomes for seat in (1, 2))
    sums = dict[Fraction, Fraction]()
    for one, other in product(first, second):
        assert one.value is not None
        assert other.value is not None
        total = one.value + other.value
        sums[total] = sums.get(total, Fraction(0)) + (one.chance * other.chance).middle
    law = boast.evening(2).result.distribution
    assert {each.value: each.chance.exact for each in law.outcomes} == sums
    assert law.mean == Number.of(0)


def test_an_evening_with_policies_has_the_means_of_the_tournament() -> None:
    taught = game(BOAST + POLICIES)
    met = taught.tournament()
    for player, others in product(("honest", "bold", "best"), repeat=2):
        full = {"best": BEST}
        mean = taught.evening(
            4, matchup=oddsmith.Matchup(player_policy=player, others_policy=others)
        ).result.distribution.mean
        assert mean == (met.match(full.get(player, player), full.get(others, others)).mean or Number.of(0)) * 4
    answered = taught.evening(
        2, matchup=oddsmith.Matchup(player_policy="answer", others_policy="bold")
    ).result.distribution.mean
    assert answered == (met.match(ANSWER, "bold").mean or Number.of(0)) * 2
    lead = taught.evening(
        2, matchup=oddsmith.Matchup(player_policy="answer", others_policy="bold", second_player_policy="honest")
    ).lead_over_second_player
    best, honest = (met.match(name, "bold").mean for name in (ANSWER, "honest"))
    assert lead is not None
    assert best is not None
    assert honest is not None
    assert lead.distribution.mean == (best - honest) * 2


def test_play_that_goes_round_has_its_evening_too() -> None:
    """Matching hands win, and a toss decides whether that stands or a new round is played: each player wins one half."""
    listed = [
        {"when": "hand[mover] == hand[next]", "do": "set gain to 1", "then": "toss"},
        {"when": "true", "do": "set gain to -1", "then": "toss"},
    ]
    law = (
        game(RULES.replace("OUTCOMES", json.dumps(listed)))
        .evening(1, matchup=oddsmith.Matchup(seat=1))
        .result.distribution
    )
    assert {each.name: each.chance.exact for each in law.outcomes} == {"-1": Fraction(1, 2), "1": Fraction(1, 2)}


def test_the_command_line_has_the_evening() -> None:
    done = run("contest", "evening", "cups-and-coins", "--games", "10", "--purse", "12")
    assert done.returncode == 0, done.stderr
    assert "ruined with a purse of 12" in done.stdout
    assert "note: best play is the play that was found" in done.stdout
    data = json.loads(run("contest", "evening", "cups-and-coins", "--games", "2", "--json").stdout)
    assert data["ruleset"]["id"] == "cups-and-coins"
    assert data["notes"]


# --- solved against a policy


@pytest.mark.parametrize("name", ["honest", "bold"])
@pytest.mark.parametrize("seat", [1, 2])
def test_best_play_against_a_policy_is_the_best_answer_of_the_tournament(name: str, seat: int) -> None:
    usual = game(BOAST + POLICIES)
    solved = oddsmith.loads(BOAST + POLICIES).solve(policies={seat: name})
    answers = usual.tournament().match(ANSWER, name)
    assert solved.values[2 - seat] == answers.values[2 - seat]
    assert solved.values[seat - 1] == -answers.values[2 - seat]
    assert solved.kind == "named"
    mean = solved.distribution("payoff", 3 - seat).mean
    assert mean == answers.values[2 - seat]
    assert solved.to_json()["policy"]["policies"] == {str(seat): name}


def test_advice_against_a_policy_is_what_each_action_brings_against_it() -> None:
    """Against somebody who always believes, every boast wins one coin; against one who always doubts, only a six does."""
    text = BOAST + POLICIES
    honest = oddsmith.loads(text).solve(policies={2: "honest"}).advise("thrown 2")
    assert [(each.action, each.value.exact) for each in honest] == [("Boast", Fraction(1)), ("Give up", Fraction(-1))]
    bold = oddsmith.loads(text).solve(policies={2: "bold"})
    for seen, told in (("2", [("Give up", -1), ("Boast", -2)]), ("6", [("Boast", 2), ("Give up", -1)])):
        found = [(each.action, each.value) for each in bold.advise(f"thrown {seen}")]
        assert found == [(action, Number.of(value)) for action, value in told]


def test_what_a_policy_cannot_do_is_refused() -> None:
    loaded = oddsmith.loads(BOAST + POLICIES)
    with pytest.raises(SolveError, match="one of two seats may follow a policy"):
        loaded.solve(policies={1: "honest", 2: "bold"})
    with pytest.raises(UnknownPolicyError):
        loaded.solve(policies={1: "nobody"})
    solved = loaded.solve(policies={2: "bold"})
    with pytest.raises(UncertifiableError, match="leave out the policy"):
        solved.certificate()
    with pytest.raises(ContestError, match="name them here"):
        solved.tournament()


def test_the_command_line_solves_against_a_policy() -> None:
    done = run("solve", "liars-dice", "--set", "sides=3", "--policy", "2=count your own dice", "--plays", "300")
    assert done.returncode == 0, done.stderr
    assert "= 7/9" in done.stdout
    assert "note: seat 2 plays count your own dice" in done.stdout
    assert "meet in them" not in done.stdout
