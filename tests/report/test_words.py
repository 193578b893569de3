"""Rules in plain words, chances and examples: for any ruleset, from the ruleset alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.location import Source
from oddsmith.report.english.prose import Section, rules_in_words
from oddsmith.report.facts.example import example_moves
from oddsmith.report.facts.key_facts import key_facts_of
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Rules
from tests.ruleset.finding import laid_over

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "tests" / "samples").glob("*.yaml"))


def told(sections: list[Section]) -> str:
    lines = []
    for section in sections:
        lines += [section.title, section.text]
        lines += [f"{item.name} {item.when} {item.what}" for item in section.items]
    return "\n".join(lines)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_name_that_players_see_is_told(path: Path) -> None:
    game = oddsmith.load(path).game
    words = told(rules_in_words(game))
    for phase in game.ruleset.phases.values():
        assert all(entry.name in words for entry in phase.entries)
    for variable in game.ruleset.state.values():
        assert variable.about in words
    assert "Expr(" not in words
    assert "None" not in words


def test_a_game_master_can_play_from_the_words() -> None:
    words = told(rules_in_words(oddsmith.load("rogues-gambit").at(seats=4).game))
    for line in (
        "Roll 3d6",
        "Skipped a 1 shows and fed is true your stash goes to the hoard; fed becomes false",
        "Trifecta all dice of the hand show the same your stash goes to your purse",
        "move the total of the hand from the hoard to your stash; go on to Decide",
        "Starts at 100",
        "The game is over when the hoard is 0 and your stash is 0.",
        "may be 1 to 60",
    ):
        assert line in words


def test_hands_in_a_list_are_told_apart() -> None:
    fragment = """
phases:
  throw:
    roll: {cup: 3d6}
    outcomes:
      - name: Street
        when: cup in [[1, 2, 3], [2, 3, 4]]
        do: add 1 to purse
        then: pass
      - {name: Other, do: add 1 to pot, then: pass}
"""
    ruleset, _ = read_ruleset(Source("game.yaml", laid_over(fragment)))
    assert "Street the cup is one of (1, 2 and 3) and (2, 3 and 4)" in told(rules_in_words(bind(ruleset)))


def test_long_definitions_are_called_by_name_and_told_as_terms() -> None:
    sections = rules_in_words(oddsmith.load(ROOT / "tests" / "publish" / "alone.yaml").game)
    words = told(sections)
    assert "Bad bad is true the pot goes to the supply" in words
    assert "Good  add gain to the pot" in words
    terms = {item.name: item.what for item in sections[-1].items}
    assert sections[-1].title == "Terms"
    assert set(terms) == {"bad", "gain"}  # the short ones stand in full where they are used
    assert terms["gain"].endswith("else the lowest f in the hand where f is more than 1, or 0 where there is none.")
    assert "`" not in words


def test_definitions_with_arguments_are_quoted_and_told_as_written() -> None:
    game = oddsmith.load(ROOT / "tests" / "samples" / "shut-the-box.yaml").game
    terms = {
        item.name: item.what for section in rules_in_words(game) for item in section.items if section.title == "Terms"
    }
    assert all(name.startswith("`") == what.startswith("`") for name, what in terms.items())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("min((f for f in hand), default=9)", "the lowest f in the hand, or 9 where there is none"),
        ("max(hand)", "the highest of the hand"),
        ("max(pot, dust)", "the greater of the pot and dust"),
        ("sum(f + 1 for f in hand if f > 2)", "the total of f + 1 for every f in the hand where f is more than 2"),
        ("min(pot, dust) + 1", "(the smaller of the pot and dust) + 1"),
        ("1 if count(hand, 4) > count(hand, 1) else 0", "(1 if more dice of the hand show 4 than 1, else 0)"),
        (
            "1 if not any(f > 2 for f in hand) else 0",
            "(1 if for every f in the hand, f is 2 or less, else 0)",
        ),
        (
            "1 if not all(f > 2 and g < 4 for f in hand for g in hand) else 0",
            "(1 if for at least one f in the hand, for at least one g in the hand, f is 2 or less or g is 4 or more, else 0)",
        ),
        (
            "1 if not (pot > 2 and (dust == 0 or not pot in [1, 2])) else 0",
            "(1 if the pot is 2 or less or both dust is not 0 and the pot is one of 1 and 2, else 0)",
        ),
        ("1 if not all_equal(hand) else 0", "(1 if it is not true that all dice of the hand show the same, else 0)"),
        ("1 if not bad else 0", "(1 if bad is false, else 0)"),
        ("1 if not (bad and pot > 2) else 0", "(1 if bad is false or the pot is 2 or less, else 0)"),
    ],
)
def test_values_in_words(tmp_path: Path, value: str, expected: str) -> None:
    path = tmp_path / "alone.yaml"
    text = (ROOT / "tests" / "publish" / "alone.yaml").read_text("utf-8")
    path.write_text(text.replace("do: add gain to pot", f"do: add {value} to pot"), "utf-8")
    assert f"add {expected} to the pot;" in told(rules_in_words(oddsmith.load(path).game))


def test_a_variant_changes_the_words() -> None:
    book = oddsmith.load("rogues-gambit")
    assert "you are out of the game" in told(rules_in_words(book.at(variants=["hungry-dragon"]).game))
    assert "you are out of the game" not in told(rules_in_words(book.game))


def test_an_example_is_a_play_by_the_rules_with_the_best_action_taken() -> None:
    solution = oddsmith.load("rogues-gambit").at(seats=2, coins_each=10).solve().solution
    moves = example_moves(solution)
    assert example_moves(solution) == moves
    assert len({move.took for move in moves if move.advice}) > 1
    for move in moves:
        if move.advice:
            assert move.took.partition(":")[0] == next(each.action for each in move.advice if each.best)
    assert moves[0].seat == Rules(solution.graph.game).start().mover + 1


def test_an_even_share_is_the_mean_of_all_seats() -> None:
    found = key_facts_of(oddsmith.load("rogues-gambit").at(seats=2, coins_each=10).solve().solution)
    assert found.mean_seat_value.exact == 10
    assert found.values[0].exact != 10


def test_what_settings_must_meet_is_told_with_what_may_be_changed() -> None:
    text = (ROOT / "rulesets" / "pig.yaml").read_text("utf-8")
    text += "require:\n  - {that: target >= seats, about: The target is at least the number of players}\n"
    (changes,) = [
        section
        for section in rules_in_words(bind(read_ruleset(Source("pig.yaml", text))[0]))
        if section.title == "What a table may change"
    ]
    assert changes.text == "The target is at least the number of players."


def test_a_total_is_rolled_as_it_is_written() -> None:
    text = """\
format: 1
id: heal
title: Heal
summary: Drink a potion.
seats: 1
state:
  life: {max: 30, start: 5}
payoffs: {life: life}
turn: drink
phases:
  drink:
    roll: {heal: {total: 2d4 + 2}}
    do: add heal to life
    then: end
"""
    assert "Roll 2d4 + 2 (the heal). Add the heal to life." in told(rules_in_words(oddsmith.loads(text).game))
