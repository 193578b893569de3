"""Laws of rolls: weights sum to the denominator, and are what counting every throw gives."""

from __future__ import annotations

from math import comb

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oddsmith.base.dice import Die, Hand, distribution_of_equal_dice, roll_distribution, sub_hands
from tests.vectors.write import Plain, brute_force

law = settings(
    derandomize=True, max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@st.composite
def plain_dice(draw: st.DrawFn) -> Plain:
    """A die with up to four sides, some of them alike, some without weight."""
    faces = draw(st.lists(st.integers(-2, 6), min_size=1, max_size=4))
    weights = draw(st.lists(st.integers(0, 4), min_size=len(faces), max_size=len(faces)))
    weights[0] += 1
    return {"faces": faces, "weights": weights}


terms = st.lists(st.tuples(st.integers(0, 3), plain_dice()), min_size=1, max_size=2)


def as_terms(drawn: list[tuple[int, Plain]]) -> list[tuple[int, Die]]:
    return [
        (count, Die(f"die{kind}", kind, tuple(die["faces"]), tuple(die["weights"])))
        for kind, (count, die) in enumerate(drawn)
    ]


@law
@given(terms)
def test_weights_sum_to_the_denominator(drawn: list[tuple[int, Plain]]) -> None:
    found = roll_distribution(as_terms(drawn))
    assert sum(weight for _, weight in found.hands) == found.denominator
    assert all(weight > 0 for _, weight in found.hands)
    assert len({hand for hand, _ in found.hands}) == len(found.hands)


@law
@given(terms)
def test_a_law_is_what_counting_every_throw_gives(drawn: list[tuple[int, Plain]]) -> None:
    found = roll_distribution(as_terms(drawn))
    law, denominator = brute_force(drawn)
    assert (dict(found.hands), found.denominator) == ({Hand(hand): weight for hand, weight in law.items()}, denominator)


@law
@given(st.integers(0, 5), st.integers(0, 5))
def test_throwing_in_two_parts_changes_nothing(first: int, second: int) -> None:
    die = Die("d4", 0, (1, 2, 3, 4), (1, 2, 1, 3))
    assert dict(roll_distribution([(first, die), (second, die)]).hands) == dict(
        distribution_of_equal_dice(first + second, die).hands
    )


@law
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 1)), max_size=5))
def test_sub_hands_are_all_different_and_all_there(dice: list[tuple[int, int]]) -> None:
    hand = Hand(sorted(dice))
    found = sub_hands(hand)
    count = 1
    for die in set(hand):
        count *= hand.count(die) + 1
    assert len(set(found)) == len(found) == count
    assert list(found) == sorted(found, key=lambda sub: (len(sub), sub))
    assert (found[0], found[-1]) == (Hand(), hand)
    for size in range(len(hand) + 1):
        assert set(sub_hands(hand, size)) == {sub for sub in found if len(sub) == size}


def test_hands_of_like_dice_are_few() -> None:
    die = Die("d6", 0, (1, 2, 3, 4, 5, 6), (1,) * 6)
    for count in range(9):
        assert len(distribution_of_equal_dice(count, die).hands) == comb(count + 5, 5)
