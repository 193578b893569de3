"""What a key leaves out is held against the one-state rules: a fault of a reduction stops the answer."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.base.errors import DisagreementError, PlayError, RulesetError
from oddsmith.base.location import Source
from oddsmith.graph import explore
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions import carry, reduce
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.successors import CanonicalForm, LeftOutCellRead, LinearUnknown, SuccessorDeriver, Unknown
from oddsmith.solve.game_solver import solve
from tests.certify.suite import SUITE

LAST_MOVER = """
format: 1
id: last-mover
title: Last mover
summary: Points count double against whoever moves last.
seats: 2
state:
  left: {start: 3, max: 3}
  points: {each: seat, max: 3}
payoffs:
  gain: points - 2 * points[mover]
turn: choose
phases:
  choose:
    choose:
      - name: Take and stay
        do: [add 1 to points, add -1 to left]
        then: choose
      - name: Take and pass
        do: [add 1 to points, add -1 to left]
        then: pass
      - name: Wait and pass
        do: add -1 to left
        then: pass
end_when: left == 0
"""
LEAVING = """
format: 1
id: leaving
title: Leaving
summary: Points are worth more while more are in.
seats: 2
state:
  left: {start: 3, max: 3}
  points: {type: tally, each: seat}
payoffs:
  gain: points * size(everyone)
turn: choose
phases:
  choose:
    choose:
      - {name: Take, do: [add 1 to points, add -1 to left], then: pass}
      - {name: Leave, do: [drop out, add -1 to left], then: pass}
end_when: left == 0
"""
TALLY = LAST_MOVER.replace("points: {each: seat, max: 3}", "points: {type: tally, each: seat}")
COFFERS = """
format: 1
id: two-coffers
title: Two coffers
summary: The dice fill two coffers, of which one counts.
seats: 1
lists:
  place: [1, 2]
state:
  coffer: {each: place, max: 2}
  left: {start: 3, max: 3}
payoffs:
  gain: 1 if left == 0 and coffer[1] > 0 else 0
turn: throw
phases:
  throw:
    roll: {die: d2}
    outcomes:
      - when: coffer[die] < 2
        do:
          - add 1 to coffer[die]
          - add -1 to left
        then: again
      - {do: add -1 to left, then: again}
end_when: left == 0
"""


def game(text: str) -> Game:
    return bind(read_ruleset(Source("game.yaml", text))[0])


def test_a_payoff_that_reads_a_number_by_the_mover_is_what_it_is() -> None:
    """As all plays in a tree of three moves have it; carried by whoever moves next, it would be 1 and 1."""
    values = [number.exact for number in solve(game(LAST_MOVER)).values]
    assert values == [2, 0]


@pytest.mark.parametrize("text", [TALLY, LEAVING], ids=["by the mover", "by who is in"])
def test_a_tally_that_is_not_always_worth_the_same_is_refused_at_its_line(text: str) -> None:
    with pytest.raises(RulesetError, match="needs the tally points itself") as refused:
        solve(game(text))
    assert refused.value.problems[0].location.line == text[: text.index("points:")].count("\n") + 1


def worth_of_the_first_view(game: Game, *_: object) -> carry.UnitPayoffs:
    """What was wrong once: the worth of points for the seat that moves now."""
    cells = game.cell_indices_of("points")
    return {
        where: tuple(
            Fraction(1 - 3 * (seat == 0)) if seat == place else Fraction(-2 * (place == 0)) for seat in range(2)
        )
        for place, where in enumerate(cells)
    }


def worth_while_all_are_in(game: Game, *_: object) -> carry.UnitPayoffs:
    """The worth of points as long as nobody has left."""
    own = [(Fraction(2), Fraction(0)), (Fraction(0), Fraction(2))]
    return dict(zip(game.cell_indices_of("points"), own, strict=True))


def everything_is_forgotten(game: Game, objective: str) -> dict[str, frozenset[int]]:
    return {phase: frozenset(game.cell_indices_of("points")) for phase in game.ruleset.phases}


def coffers_are_alike(*_: object) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return (((0,), (1,)),)


FAULTS: list[tuple[str, str, Callable[..., object], str]] = [
    (LAST_MOVER, "carried_unit_payoffs", worth_while_all_are_in, "has bounds that it might leave"),
    (TALLY, "carried_unit_payoffs", worth_of_the_first_view, "depends on who is to move"),
    (LEAVING, "carried_unit_payoffs", worth_while_all_are_in, "what is paid depends on cells that count as carried"),
    (LAST_MOVER, "forgotten_cells", everything_is_forgotten, "look at points"),
    (COFFERS, "find_orbits", coffers_are_alike, "the rows are others"),
]


@pytest.mark.parametrize(("text", "reduction", "wrong", "why"), FAULTS)
def test_a_fault_of_a_reduction_stops_the_answer(
    text: str, reduction: str, wrong: Callable[..., object], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these would be a wrong number, and was one."""
    monkeypatch.setattr(reduce, reduction, wrong)
    with pytest.raises(DisagreementError, match=why):
        Explorer(game(text), "gain").explore()


def test_nobody_can_look_at_an_unknown() -> None:
    unknown: Any = Unknown("purse")
    looks: list[Callable[[], object]] = [
        lambda: unknown == 1, lambda: unknown != 1, lambda: unknown in (1, 2), lambda: unknown in {1: 2}, lambda: [1][unknown],
        lambda: unknown < 1, lambda: max(unknown, 1), lambda: sorted([2, unknown]), lambda: bool(unknown), lambda: -unknown,
        lambda: unknown + 1, lambda: 1 - unknown, lambda: 2 * unknown, lambda: sum([unknown]), lambda: abs(unknown),
        lambda: list(unknown), lambda: len(unknown), lambda: {unknown}, lambda: (1, 2).count(unknown), lambda: unknown % 2,
        lambda: range(unknown), lambda: Fraction(1, 2) * unknown, lambda: int(unknown), lambda: 5 // unknown,
    ]  # fmt: skip
    for look in looks:
        with pytest.raises(LeftOutCellRead):
            look()


def test_an_unknown_amount_is_added_up_and_not_compared() -> None:
    amount: Any = LinearUnknown("points", {3: 1})
    assert amount + 5 - amount == 5
    assert (2 * amount - amount * Fraction(1, 2)) * 0 == 0
    assert Fraction(1, 3) * amount - amount * Fraction(2, 6) + 1 == 1
    looks: list[Callable[[], object]] = [
        lambda: amount == amount + 1,
        lambda: amount > 0,
        lambda: abs(amount),
        lambda: amount * amount,
        lambda: amount // 2,
    ]
    for look in looks:
        with pytest.raises(LeftOutCellRead):
            look()


def test_the_rules_are_asked_with_every_seat_to_move() -> None:
    """A state derived with another seat to move has the same rows."""
    graph = Explorer(game(LAST_MOVER), "gain").explore()[0]
    deriver = SuccessorDeriver(graph.game, "gain", CanonicalForm(graph.game, {}, {}, ()), graph.index_of)
    for number in range(graph.state_count):
        first, second = (deriver.successors(graph.state(number), mover) for mover in range(2))
        assert first.landing_distributions == second.landing_distributions
        assert first.actions_relative_to_mover == second.actions_relative_to_mover


def test_a_test_that_the_settings_decide_is_no_look() -> None:
    """Nobody is brave, so the count of throws decides nothing and is forgotten, wherever in the test it stands."""
    text = COFFERS.replace("id: two-coffers", "id: coward\nparameters:\n  brave: {type: flag, default: false}")
    never = "      - {when: thrown > 1 and brave, then: end}\n"
    text = text.replace("      - when: coffer[die] < 2", f"{never}      - when: coffer[die] < 2")
    text = text.replace("  left: {start: 3, max: 3}", "  left: {start: 3, max: 3}\n  thrown: {max: 3}")
    text = text.replace("          - add -1 to left", "          - add -1 to left\n          - set thrown to 1")
    graph = Explorer(game(text), "gain").explore()[0]
    where = game(text).layout["thrown"].first
    assert where in graph.codec.reduction.forgotten["throw"]


BREAKING = """\
format: 1
id: nobody-in
title: Nobody in
summary: Whoever is left alone leaves as well, whoever comes next.
seats: 2
state:
  marks: {each: seat, max: 2}
payoffs:
  points: marks
turn: go
phases:
  go:
    roll: {die: d2}
    outcomes:
      - do:
          - drop out
          - if: TEST
            do: drop out
        then: pass
"""


@pytest.mark.parametrize(
    "test", ["next != next", "marks == die or next == next", "min(x for x in [die] if x > 2) == 3"]
)
def test_a_test_that_breaks_is_told_even_where_both_ways_come_to_the_same(test: str) -> None:
    """Found by random games: the way that both branches took was kept, and the test that leads to it was never asked."""
    with pytest.raises(PlayError, match="OD5"):
        solve(game(BREAKING.replace("TEST", test)))


@pytest.mark.parametrize(
    "amount",
    ["1 // (2 - die)", "0 if marks == 0 and next == next else 1", "min(x for x in [die] if x > 2)"],
)
def test_a_name_that_breaks_is_told_even_where_nothing_asks_for_it(
    amount: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        explore, "refuse_expressions_out_of_range", lambda game: None
    )  # which knows it of a division before play
    text = BREAKING.replace(
        "          - drop out\n          - if: TEST\n            do: drop out\n",
        f"          - let y be {amount}\n          - drop out\n",
    )
    assert "let y" in text
    text = text.replace("          - let", "          - drop out\n          - let")
    with pytest.raises(PlayError, match=r"OD(411|5)"):
        solve(game(text))


def test_an_option_that_nobody_has_looks_at_nothing() -> None:
    """Found by random games: a loop of such an option read a cup that the state left out, and the answer was refused."""
    text = (SUITE / "rules" / "settled.yaml").read_text("utf-8")
    assert 'for: {n: "[seen, 2]"}' in text
    assert solve(game(text)).values[0].exact == 2


PASSING = """
format: 1
id: passing
title: Passing
summary: The turn passes and a count goes down.
seats: 2
state:
  left: {start: 3, max: 3}
  holder: {type: seat}
payoffs:
  passes: 3 - left
turn: choose
phases:
  choose:
    choose:
      - name: Pass
        do: add -1 to left
        then: pass
out_when: TEST
end_when: left == 0 or size(everyone) == 1
"""


@pytest.mark.parametrize("test", ["seat < holder", "seat == mover and mover != holder"])
def test_who_leaves_may_depend_on_the_turn_alone(test: str) -> None:
    """Nothing that the test reads is written, yet it comes true on the second turn."""
    assert [value.exact for value in solve(game(PASSING.replace("TEST", test))).values] == [2, 2]
