"""Where a turn is the same on every sheet, distributions come from turns, and are those of the whole game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import oddsmith
from oddsmith.api.solved import SolvedGame
from oddsmith.api.staged import StagedGame
from oddsmith.base.distributions import Distribution
from oddsmith.base.errors import DistributionError
from oddsmith.base.exact import Number
from oddsmith.ruleset.model.questions import Payoff
from oddsmith.solve.questions.distribution import SumAlongPlay, distribution
from oddsmith.solve.questions.sums import FloatDistribution
from oddsmith.solve.staged import (
    distribution as flowing,
)
from oddsmith.solve.staged import (
    distribution as sheets,
)
from oddsmith.solve.staged import (
    distribution as spreading,
)
from oddsmith.solve.staged import (
    measure as counting,
)
from oddsmith.solve.staged.distribution import SEAT_BITS, SumIncrements, best_play, distribution_by_turns
from tests.solve.test_returning import race
from tests.solve.test_turns import sheet
from tests.staged import by_stages

ASKED = [
    "payoff",
    "rolls",
    "turns",
    "count keep/Again",
    "count write/Write",
    "count cup/Last",
    "payoff given keep/Again",
    "rolls given keep/Enough",
    "count keep/Again given cup/Last",
]
OF_SEATS = [
    "payoff seat 2",
    "turns seat 2",
    "rolls seat 1",
    "count keep/Again seat 2",
    "payoff seat 2 given keep/Again",
]


@cache
def both(seats: int, points: str) -> tuple[SolvedGame, StagedGame]:
    """The game of a sheet, solved whole and by stages. Thirds are nothing that floats can hold."""
    book = sheet(points=points)
    rules = book.ruleset.source.text.replace("2d4", "2d3" if seats == 1 else "2d2")
    book = oddsmith.loads(rules)
    objective = "points" if seats == 1 else "win"
    return book.at(seats, objective).solve(), by_stages(book, seats, objective, digits=30)


@cache
def returning(target: int) -> tuple[SolvedGame, StagedGame]:
    """A race in which a turn may bring nothing, solved whole and by stages: of Farkle to a target, or a simpler one."""
    book = oddsmith.load("farkle") if target else race()
    settings: dict[str, Any] = {"target": target} if target else {}
    return book.at(**settings).solve(), by_stages(book, digits=30, **settings)


@pytest.fixture
def by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing follows positions."""
    monkeypatch.setattr(spreading, "PolicyExplorer", None)


def same(mine: Distribution, theirs: Distribution) -> None:
    """Each of my bounds holds what the whole game says."""
    assert mine.what == theirs.what
    known = {each.name: each for each in theirs.outcomes}
    for one in mine.outcomes:
        if (
            one.name not in known
        ):  # under a condition it may be that nothing tells what cannot be from what hardly can be
            assert " given " in mine.what
            assert one.chance.lower == 0
            assert one.chance.upper < 1e-9
            continue
        two = known.pop(one.name)
        assert holds(one.chance, two.chance)
        assert one.at_most is not None
        assert two.at_most is not None
        assert holds(one.at_most, two.at_most)
    assert not known
    assert mine.beyond.upper < Fraction(1, 10**200)
    for number, other in ((mine.mean, theirs.mean), (mine.standard_deviation, theirs.standard_deviation)):
        assert number is not None
        assert other is not None
        assert holds(number, other)


def holds(mine: Number, theirs: Number) -> bool:
    """Whether narrow bounds meet others."""
    return mine.lower <= theirs.upper and theirs.lower <= mine.upper and mine.upper - mine.lower < 1e-9


@pytest.mark.usefixtures("by_turns")
@pytest.mark.parametrize("points", ["score / 3", "score / 3 - 2", "{value: score, goal: min}"])
def test_distributions_are_those_of_the_whole_game(points: str) -> None:
    whole, staged = both(1, points)
    for what in ASKED if points == "score / 3" else ASKED[:1]:
        same(staged.distribution(what), whole.distribution(what))


@pytest.mark.usefixtures("by_turns")
def test_each_of_two_seats_has_its_own() -> None:
    whole, staged = both(2, "score / 3")
    for what in [*ASKED, *OF_SEATS]:
        same(staged.distribution(what), whole.distribution(what))


def test_a_condition_that_no_play_meets_has_no_distribution() -> None:
    staged = by_stages(sheet(again="size(part) < 0"))
    with pytest.raises(DistributionError, match="no play takes it"):
        staged.distribution("payoff given keep/Again")


def test_other_payoffs_and_too_many_sums_are_followed_by_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, staged = both(1, "score / 3")
    same(staged.distribution("win"), whole.distribution("win"))
    monkeypatch.setattr(sheets, "MAX_TOTAL", 0)
    same(staged.distribution("payoff"), whole.distribution("payoff"))


def test_the_bounds_are_no_wider_than_the_roundings_make_them() -> None:
    _, staged = both(1, "score / 3")
    for each in staged.distribution("payoff").outcomes:
        assert 0 < each.chance.upper - each.chance.lower < each.chance.upper * Fraction(1, 10**11)


@pytest.mark.usefixtures("by_turns")
def test_sheets_may_be_followed_in_parts_and_by_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, staged = both(1, "score / 3")
    monkeypatch.setattr(flowing, "SHEETS_PER_BATCH", 2)
    parts = staged.distribution("payoff")
    same(parts, whole.distribution("payoff"))
    assert staged.distribution("payoff", jobs=2) == parts


def test_a_law_by_floats_holds_the_chances_that_were_rounded() -> None:
    """Mass goes one of two ways at each of many steps, by thirds. Without room for roundings the law would lie."""
    law, exact = {0: 1.0}, {0: Fraction(1)}
    steps = 40
    for _ in range(steps):
        law = step(law, lambda mass, weight: mass / 3 * weight)
        exact = step(exact, lambda mass, weight: mass * weight / 3)
    masses = {value: Fraction(mass) for value, mass in law.items()}
    told = FloatDistribution(masses, 3 * steps, Fraction(0), omits_plays=False)
    naive = FloatDistribution(masses, 0, Fraction(0), omits_plays=True)
    below = Fraction(0)
    for value, chance in sorted(exact.items()):
        below += chance
        assert told.chance(value).lower <= chance <= told.chance(value).upper
        assert told.chance_at_most(value).lower <= below <= told.chance_at_most(value).upper
    assert any(naive.chance(value).exact != chance for value, chance in exact.items())
    assert told.chance_at_most(-1).upper == 0
    assert told.total_chance.exact == 1


def step(law: Mapping[int, Any], share: Any) -> dict[int, Any]:
    """One step: twice as likely up as not."""
    found = dict[int, Any]()
    for value, mass in law.items():
        for more, weight in ((0, 1), (1, 2)):
            found[value + more] = found.get(value + more, 0) + share(mass, weight)
    return found


def test_what_is_too_small_for_floats_is_counted_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, staged = both(1, "score / 3")
    monkeypatch.setattr(flowing, "MIN_FULL_EXPONENT", 0)
    law = staged.distribution("payoff")
    assert 0 < law.beyond.upper < Fraction(1, 10**200)
    same(law, whole.distribution("payoff"))


def test_what_is_added_for_several_movers_fits_into_one_number() -> None:
    for one in (-7, 0, 3, 20_000):
        for two in (-20_000, -1, 0, 5):
            code = one + (two << SEAT_BITS)
            assert (SumIncrements.unpacked_amount(code, 0), SumIncrements.unpacked_amount(code, 1)) == (one, two)


LUCKY = """          - add worth_of(box) to score
          - if: box == pair and worth_of(box) > 0
            do: set lucky to true
"""
MEASURES = """measures:
  Twice: {mean: 2 * score, at: end}
  Lucky: {mean: 1 if lucky else 0, at: end}
  Lucky in the end: {mean: 1 if lucky else 0, at: end, given: [keep, Again]}
  Written: {count: [write, Write]}
"""


@cache
def lucky() -> tuple[SolvedGame, StagedGame]:
    """A sheet whose points are a tally, and which tells whether a pair was written."""
    book = sheet(more="  lucky: {type: flag}", points="score + (1 if lucky else 0)", after=MEASURES)
    text = book.ruleset.source.text.replace("{max: 24, each: seat}", "{type: tally, each: seat}").replace("2d4", "2d3")
    book = oddsmith.loads(text.replace("          - add worth_of(box) to score\n", LUCKY))
    return book.at(1, "points").solve(), by_stages(book, 1, "points")


def test_means_at_the_end_of_many_sheets_come_from_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another payoff is paid at the end, by the same play."""
    whole, staged = lucky()
    monkeypatch.setattr(counting, "MAX_POSITIONS", 0)
    questions = dict(staged.game.ruleset.measures)
    questions.pop("Twice")
    found = counting.answer_questions(staged.staged, questions)
    assert found.keys() == questions.keys()
    for name, answer in found.items():
        assert isinstance(answer, Number)
        assert holds(answer, whole.measures[name])
    assert whole.measures["Lucky"] != whole.measures["Lucky in the end"]


def test_a_payoff_that_is_paid_on_the_way_is_followed_by_positions() -> None:
    whole, staged = lucky()
    value = staged.game.ruleset.measures["Twice"].value
    assert value is not None
    twice = Payoff("twice", value)
    assert distribution_by_turns(staged.staged, SumAlongPlay(twice, None, False, 0), None) is None
    same(distribution(best_play(staged.staged), twice), distribution(whole.solution, twice))


RARE = """
format: 1
id: rare
title: Rare
summary: A jackpot that hardly ever comes.
seats: 1
lists:
  boxes: [one, two]
state:
  hits: {max: 6, resets: turn}
  open: {type: flag, each: boxes, start: true}
  score: {max: 40}
payoffs:
  points: score
turn: cup
phases:
  cup:
    roll: {die: d1000}
    outcomes:
      - {name: Jackpot, when: die == 1 and hits == 5, do: [add 1 to hits], then: write}
      - {name: Hit, when: die == 1, do: [add 1 to hits], then: cup}
      - {name: Miss, then: write}
  write:
    choose:
      - name: Write
        for: {box: boxes}
        when: open[box]
        do:
          - set open[box] to false
          - add (hits if box == one else min(2, 2 * hits)) to score
        then: close
  close:
    cases:
      - {name: Full, when: "not any(open[b] for b in boxes)", then: end}
      - {name: Next, then: again}
"""


def test_a_condition_that_is_too_rare_for_floats_is_left_to_positions() -> None:
    book = oddsmith.loads(RARE)
    whole, staged = book.solve(), by_stages(book, digits=30)
    assert staged.staged.stages_in_words.startswith("turns")
    same(staged.distribution("payoff given cup/Hit"), whole.distribution("payoff given cup/Hit"))
    same(staged.distribution("payoff given cup/Jackpot"), whole.distribution("payoff given cup/Jackpot"))


def test_play_between_actions_that_few_digits_leave_open_need_not_be_worth_the_value() -> None:
    """They are worth nearly the same, and no bound of the value holds what all of them together lose."""
    staged = by_stages(sheet(points="score * 4 / 1000003 / 1000033 / 1000037"), 1, "points")
    assert staged.undecided_count > 0
    law = staged.distribution("payoff")
    read = sum((each.chance * (each.value or 0) for each in law.outcomes), Number.of(0))
    assert law.mean is not None
    assert holds(law.mean, read)


BACK = [
    "turns",
    "payoff seat 2",
    "count throw/Bust",
    "turns given throw/Bust",
    "rolls given throw/Bust",
    "rolls seat 1",
]


def near(mine: Distribution, theirs: Distribution) -> None:
    """Both go on without end, and are cut off somewhere."""
    known = {each.name: each for each in theirs.outcomes}
    for one in mine.outcomes:
        two = known.pop(one.name, None)
        if two is None:
            assert one.chance.upper < 1e-9
            continue
        assert holds(one.chance, two.chance)
        assert one.at_most is not None
        assert two.at_most is not None
        assert holds(one.at_most, two.at_most)
    assert all(each.chance.upper < 1e-9 for each in known.values())
    assert mine.beyond.upper < Fraction(1, 10**20)
    for number, other in ((mine.mean, theirs.mean), (mine.standard_deviation, theirs.standard_deviation)):
        assert number is not None
        assert other is not None
        assert number.lower <= other.upper
        assert other.lower <= number.upper
        assert number.upper - number.lower < 1e-7


@pytest.mark.usefixtures("by_turns")
@pytest.mark.parametrize("what", BACK)
@pytest.mark.parametrize("target", [0, 3])
def test_mass_goes_round_where_a_turn_may_leave_the_sheet_as_it_was(
    monkeypatch: pytest.MonkeyPatch, target: int, what: str
) -> None:
    whole, staged = returning(target)
    if target:
        what = what.replace("throw/Bust", "decide/Roll")
    monkeypatch.setattr(sheets, "BY_POSITIONS", 0)
    near(staged.distribution(what), whole.distribution(what))


def test_mass_that_goes_round_too_long_is_followed_by_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, staged = returning(0)
    monkeypatch.setattr(sheets, "BY_POSITIONS", 0)
    monkeypatch.setattr(flowing, "MAX_ROUNDS", 3)
    found = staged.distribution("turns")
    assert found.mean == whole.distribution("turns").mean
    monkeypatch.setattr(flowing, "MAX_ROUNDS", 1_000)
    monkeypatch.setattr(flowing, "MAX_SUMS", 3)
    assert staged.distribution("rolls").mean == whole.distribution("rolls").mean
