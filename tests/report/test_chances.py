"""The chances of a roll are those of positions that play can reach, and each table says of which."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oddsmith
from oddsmith.graph.explore import Explorer
from oddsmith.report.facts.chances import ChanceTable, chance_tables
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from tests.cases import ruleset

SAMPLES = ("craps", "farkle-turn", "marbles", "pig", "rogues-gambit", "left-centre-right", "four-fields", "last-hero")


def tables(name: str, **settings: int) -> list[ChanceTable]:
    game = bind(ruleset(name), Setting(values=settings))
    return chance_tables(Explorer(game, next(iter(game.ruleset.payoffs))).explore(max_states=5_000)[0])


def chances(table: ChanceTable) -> dict[str, Fraction]:
    return {event.name: event.chance for event in table.events}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_chances_of_a_roll_add_up_to_one(name: str) -> None:
    for table in tables(name):
        assert len(table.events) > 1
        assert sum(event.chance for event in table.events) == 1
        assert sum(event.ways for event in table.events) == table.ways


def test_what_a_flag_decides_is_told_at_both_of_its_values() -> None:
    plain, fed = chance_tables(oddsmith.load("rogues-gambit").at(seats=2, coins_each=4).solve().graph)
    assert plain.when == "when the dragon is full: no"
    assert chances(plain) == {
        "Made a Meal": Fraction(91, 216),
        "Trifecta": Fraction(5, 216),
        "Accumulate": Fraction(5, 9),
    }
    assert plain.events[-1].mean == 12
    assert fed.when == "when the dragon is full: yes"
    assert fed.events[0].name == "Skipped"


def test_a_roll_is_told_where_play_comes_to_it_and_not_at_the_start_of_the_game() -> None:
    game = oddsmith.load("craps").game
    chase = [each for each in chance_tables(Explorer(game, "rounds_won").explore()[0]) if each.phase == "chase"]
    assert [(each.when, chances(each)["Point made"]) for each in chase] == [
        ("when point is 4 or 10", Fraction(1, 12)),
        ("when point is 5 or 9", Fraction(1, 9)),
        ("when point is 6 or 8", Fraction(5, 36)),
    ]


def test_a_roll_that_cannot_come_has_no_table() -> None:
    few = {each.phase for each in tables("dragons-lair", goblins=0, traps=0)}
    assert few == {"steal"}
    assert {each.phase for each in tables("dragons-lair", goblins=1, traps=1)} == {"steal", "fight", "trap"}


def test_a_roll_that_an_action_leads_to_is_found_with_every_number_of_dice() -> None:
    found = chance_tables(Explorer(oddsmith.load("farkle-turn").game, "points").explore(max_states=10_000)[0])
    assert {each.when for each in found} == {f"when dice left are {dice}" for dice in range(1, 7)}
    assert {each.dice for each in found} == {"d6", *(f"{dice}d6" for dice in range(2, 7))}
    assert chances(found[0])["Farkle"] == Fraction(5, 216)


def test_where_more_than_one_thing_decides_an_example_is_given() -> None:
    _, example = chance_tables(oddsmith.load("wizards-and-thieves").at(seats=2, coins_each=10, ante=8).solve().graph)
    assert example.when.startswith("for example when ")
