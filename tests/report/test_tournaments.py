"""Tournaments: what other ways of asking say, and the laws that every table of matches keeps."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest

import oddsmith
from oddsmith.base.exact import Number, average
from oddsmith.report.contests.tables import ANSWER, BEST, ENDLESS
from tests.cases import SAMPLES
from tests.report.test_evenings import meets, piglet

TWICE = """  bank at once again:
    decide:
      - {option: Bank}
remember:
"""


def test_a_tournament_says_what_solve_says() -> None:
    book = oddsmith.load("piglet")
    solved = book.at(target=3).solve()
    found = solved.tournament(exact=True)
    assert found.grade == "exact"
    names = [name for name in found.policies if name != BEST]
    for one, other in product(names, names):
        match = found.match(one, other)
        for seat in (1, 2):
            policies = {seat: one, 3 - seat: other}
            values = book.at(target=3).solve(policies=policies).values
            assert (match.values[seat - 1], match.mean_values_of_others[seat - 1]) == (
                values[seat - 1],
                values[2 - seat],
            )
    for name in names:
        answers = [book.at(target=3).solve(policies={3 - seat: name}).values[seat - 1] for seat in (1, 2)]
        assert found.match(ANSWER, name).values == tuple(answers)


def test_one_sits_among_others_alike() -> None:
    book = oddsmith.load("rogues-gambit")
    solved = book.at(seats=3, coins_each=4).solve()
    found = solved.tournament()
    for seat in (1, 2, 3):
        others = {each: "hold at 20" for each in (1, 2, 3) if each != seat}
        values = book.at(seats=3, coins_each=4).solve(policies=others).values
        assert meets(found.match(ANSWER, "hold at 20").values[seat - 1], values[seat - 1])
        rest = average([value for each, value in enumerate(values, 1) if each != seat])
        assert meets(found.match(ANSWER, "hold at 20").mean_values_of_others[seat - 1], rest)
    alike = found.match("hold at 20", "hold at 20")
    assert all(
        meets(a, b)
        for a, b in zip(
            alike.values,
            book.at(seats=3, coins_each=4).solve(policies=dict.fromkeys((1, 2, 3), "hold at 20")).values,
            strict=True,
        )
    )
    assert alike.mean is not None
    assert meets(alike.mean, Number.of(4))


def test_where_all_adds_up_to_one_win_so_do_both_sides_of_a_match() -> None:
    found = piglet().tournament()
    for one, other in permutations(found.policies, 2):
        mine, theirs = found.match(one, other), found.match(other, one)
        assert mine.mean is not None
        assert theirs.mean is not None
        assert mine.mean + theirs.mean == Number.of(1)
        assert mine.lead == -(theirs.lead or Number.of(0))
        assert (other in found.beaten_policies(one)) == (mine.mean.lower > Fraction(1, 2))


def test_two_policies_that_do_the_same_get_the_same() -> None:
    text = oddsmith.load("piglet").ruleset.source
    assert text is not None
    found = oddsmith.loads(text.text.replace("remember:\n", TWICE)).at(target=3).solve().tournament(exact=True)
    one, other = "bank at once", "bank at once again"
    for foe in (*found.policies, ANSWER):
        if foe != ANSWER:
            assert found.match(one, foe).values == found.match(other, foe).values
        assert found.match(foe, one).values == found.match(foe, other).values
    assert other not in found.beaten_policies(one)
    assert one not in found.beaten_policies(other)


def test_nobody_does_better_than_the_best_answer() -> None:
    found = piglet().tournament()
    for foe in found.policies:
        best = found.match(ANSWER, foe)
        for name in found.policies:
            for value, other in zip(best.values, found.match(name, foe).values, strict=True):
                assert value.upper >= other.lower
        gain = found.best_response_gain(foe)
        assert gain is not None
        assert gain.lower >= 0
        assert (gain.lower > 0) == (foe in ("bank at once", "hold at 2"))


def test_play_that_may_never_end_is_refused_for_that_pair_alone() -> None:
    """Where one may wait, two who always wait never end; one who waits among others may well."""
    waiting = oddsmith.load(SAMPLES / "piglet.yaml").ruleset.source
    assert waiting is not None
    policies = """policies:
  wait for ever:
    decide:
      - {option: Stop, when: stash == 0}
      - {option: Stop}
  stop at once:
    decide:
      - {option: Stop, when: stash > 0}
      - {option: Toss}
"""
    solved = oddsmith.loads(waiting.text + policies).at(target=2, may_wait=True).solve()
    found = solved.tournament()
    assert found.match("wait for ever", "wait for ever").problem == ENDLESS
    met = found.match("stop at once", "wait for ever")
    assert met.values == (Number.of(1), Number.of(1))
    assert found.beaten_policies("stop at once") == ("wait for ever",)
    with pytest.raises(oddsmith.SolveError, match=ENDLESS):
        solved.evening(2, matchup=oddsmith.Matchup(player_policy="wait for ever", others_policy="wait for ever"))


def test_a_game_of_one_seat_ranks_its_policies() -> None:
    found = oddsmith.load(SAMPLES / "farkle-turn.yaml").at(limit=4).solve().tournament()
    best = found.match(BEST).mean
    assert best is not None
    assert found.best_responses == ()
    with pytest.raises(oddsmith.ContestError, match="do not meet"):
        found.match(BEST, BEST)
    for each in found.matches:
        assert each.mean is not None
        assert each.mean.lower <= best.upper
        assert each.mean_values_of_others == ()


def test_the_free_seat_of_a_solution_knows_what_it_gains() -> None:
    book = oddsmith.load("piglet")
    answered = book.at(target=3).solve(policies={2: "bank at once"})
    found, gained = answered.best_response(), book.at(target=3).solve().tournament().match(BEST, "bank at once")
    assert found is not None
    assert (found.seat, found.value, found.usual_value) == (1, answered.values[0], gained.values[0])
    assert found.gain == answered.values[0] - gained.values[0]
    assert book.at(target=3).solve().best_response() is None
    three = oddsmith.load("rogues-gambit").at(seats=3, coins_each=3).solve(policies={2: "hold at 20"})
    assert three.best_response() is None
