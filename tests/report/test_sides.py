"""Sides are names of seats: in the rules, and wherever people read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import oddsmith
from oddsmith.api.positions import parse_position
from oddsmith.base.errors import PositionError, RulesetError, SettingError
from oddsmith.base.resources import starter_text
from oddsmith.cli import cli
from oddsmith.graph.witness import describe, steps_in_words
from oddsmith.report.english.prose import rules_in_words
from oddsmith.report.facts.chances import chance_tables
from oddsmith.ruleset.rules import Rules
from tests.cases import SAMPLES

BEASTS = SAMPLES / "three-beasts.yaml"
STEAL = {"mover": "sly_fox", "food[wolf]": "1", "food[bear]": "2", "food": "2"}


def position(**changed: str) -> str:
    return ", ".join(f"{name}={value}" for name, value in {**STEAL, **changed}.items())


def by_hand(path: Path) -> Path:
    """The same game without sides: a variable for each seat, and tests of it."""
    text = BEASTS.read_text(encoding="utf-8")
    text = text.replace("sides: [wolf, bear, sly_fox]\n", "")
    first = "{type: seat}\n  bear: {type: seat, start: next}\n  sly_fox: {type: seat, start: previous}"
    text = text.replace("state:\n", f"state:\n  wolf: {first}\n")
    text = text.replace(
        "start: {wolf: 1, bear: 0, sly_fox: enough - 2}",
        "start: 1 if seat == wolf else 0 if seat == bear else enough - 2",
    )
    text = text.replace("only: [wolf, bear]", "when: mover != sly_fox")
    text = text.replace("        only: sly_fox\n", "").replace(
        "when: food[victim] > 0", "when: mover == sly_fox and food[victim] > 0"
    )
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("enough", [3, 4])
def test_sides_are_seats_that_never_change(tmp_path: Path, enough: int) -> None:
    named = oddsmith.load(BEASTS).at(enough=enough).solve()
    plain = oddsmith.load(by_hand(tmp_path / "plain.yaml")).at(enough=enough).solve()
    assert [value.exact for value in named.values] == [value.exact for value in plain.values]
    assert named.solution.graph.state_count == plain.solution.graph.state_count


def test_a_position_says_which_side_is_to_move() -> None:
    solution = oddsmith.load(BEASTS).solve().solution
    by_name = parse_position(solution, position())
    counted = parse_position(solution, "mover=3, food[2]=1, food[3]=2, food[1]=2")
    assert (by_name.state_index, by_name.mover) == (counted.state_index, 2)
    assert by_name.variables["mover"] == "sly fox"
    assert parse_position(solution, "mover=wolf").state_index != parse_position(solution, "mover=bear").state_index
    with pytest.raises(PositionError, match="wolf is a side: say who is to move by mover=wolf"):
        parse_position(solution, "wolf=2")
    with pytest.raises(PositionError, match="seats are 1 to 3, or wolf, bear, sly_fox"):
        parse_position(solution, "mover=4")


def test_nobody_reads_the_number_of_a_seat_that_has_a_name() -> None:
    shown = [
        CliRunner().invoke(cli, words, catch_exceptions=False).output
        for words in (
            ["solve", str(BEASTS), "--distribution", "winner", "--distribution", "turns seat 2"],
            ["play", str(BEASTS), "--watch", "--seed", "3"],
            ["advise", str(BEASTS), "--state", position()],
        )
    ]
    for text in shown:
        assert "sly fox" in text or "sly_fox" in text
        assert not re.search(r"\b[Ss]eat \d|\[\d\]", text), text
    assert "  sly fox: 0.8" in shown[0]
    assert "turns of bear" in shown[0]
    rules = Rules(oddsmith.load(BEASTS).at(3).game, with_words=True)
    (_, _), (rest, after) = steps_in_words(rules, rules.start())
    (_, _), (_, then) = steps_in_words(rules, after.state)
    (_, _), (steal, last) = steps_in_words(rules, then.state)
    assert (rest, steal, last.in_words) == (
        "wolf chooses Rest", "sly fox chooses Steal (victim wolf)", "The wolf loses food to the sly fox.",
    )  # fmt: skip


def test_the_rules_in_words_name_the_sides() -> None:
    sections = rules_in_words(oddsmith.load(BEASTS).at(3).game)
    assert "The wolf begins, then the bear, then the sly fox, and the turn goes round." in sections[0].text
    assert [item.name for item in sections[0].items] == ["each player\N{RIGHT SINGLE QUOTATION MARK}s food"]
    assert "Starts as 1 for the wolf, 0 for the bear and 2 for the sly fox" in sections[0].items[0].what
    steal = next(item for section in sections for item in section.items if item.name == "Steal")
    assert "when you are the sly fox" in steal.when


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("seats: 3", "seats: 2", "`sides` names 3 seats"),
        ("bear: 0", "boar: 0", "there is no side boar"),
        (", sly_fox: enough - 2", "", "there is no start for sly_fox"),
        ("only: sly_fox", "only: fox", "there is no side fox"),
        ("do: add 2 to food", "do: set bear to wolf", "an effect changes the side bear"),
        ("sides: [wolf, bear", "sides: [wolf, wolf", "the name wolf has two meanings"),
    ],
)
def test_a_side_that_does_not_fit_is_refused_at_its_line(tmp_path: Path, old: str, new: str, problem: str) -> None:
    text = BEASTS.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "bad.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        oddsmith.load(path)
    assert problem in str(caught.value)


QUIET = """
format: 1
id: quiet
title: Quiet
summary: Two sides that no rule names; the first with enough wins.
seats: 2
sides: [ant, bee]
state:
  score:
    each: seat
    start: {ant: 0, bee: 1}
    max: 4
payoffs:
  win: 1 if score >= 3 else 0
turn: decide
phases:
  decide:
    choose:
      - name: Gain
        do: add 1 to score
        then: pass
      - name: Rob
        for: {victim: others}
        when: score[victim] > 0
        do: move 1 from score[victim] to score
        then: pass
end_when: any(score[s] >= 3 for s in table)
"""


def test_a_position_knows_its_side_though_no_rule_reads_it() -> None:
    graph = oddsmith.loads(QUIET).solve().solution.graph
    names = [describe(graph, graph.state(number)) for number in range(graph.state_count)]
    assert len(set(names)) == graph.state_count
    assert {name.partition(",")[0] for name in names} == {"decide: mover=ant", "decide: mover=bee"}


def test_an_action_names_the_side_that_it_is_about() -> None:
    graph = oddsmith.loads(QUIET).solve().solution.graph
    for row in range(len(graph.row_action)):
        mover = graph.game.seat_name(graph.state(int(graph.row_state[row])).cells, 0)
        assert graph.action_name(row) in ("Gain", f"Rob (victim {'bee' if mover == 'ant' else 'ant'})")
    advice = CliRunner().invoke(cli, ["advise", str(BEASTS), "--state", position()], catch_exceptions=False).output
    assert "Steal: the wolf" in advice
    assert "Steal: the bear" in advice
    solved = CliRunner().invoke(cli, ["solve", str(BEASTS)], catch_exceptions=False).output
    assert not re.search(r"victim \d", solved)


def test_a_question_names_the_seat_by_its_side() -> None:
    asked = "measures:\n  {0}: {{chance: [hunt, Catch], in: game, seat: {0}}}\n"
    text = BEASTS.read_text(encoding="utf-8")
    answers = {
        str(seat): oddsmith.loads(text + asked.format(seat)).solve().measures[str(seat)].exact
        for seat in ("sly_fox", "bear")
    }
    counted = oddsmith.loads(text + asked.format("bear").replace("seat: bear", "seat: 2")).solve().measures["bear"]
    assert answers["bear"] == counted.exact
    assert answers["bear"] != answers["sly_fox"]
    with pytest.raises(RulesetError, match="there is no side boar"):
        oddsmith.loads(text + asked.format("boar"))


def test_tables_say_which_side_is_to_move() -> None:
    tables = chance_tables(oddsmith.load(BEASTS).at(enough=3).solve().solution.graph)
    whens = " / ".join(table.when for table in tables)
    assert "you are the bear" in whens
    assert "player" not in whens


def test_a_position_shows_a_flag_as_it_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "duel.yaml"
    path.write_text(starter_text("duel"), encoding="utf-8")
    done = CliRunner().invoke(
        cli, ["advise", str(path), "--state", "mover=witch, potion=false"], catch_exceptions=False
    )
    assert done.output.splitlines()[0] == "phase decide, mover witch, potion false"


def test_a_side_plays_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "beasts.yaml"
    lazy = "policies:\n  lazy:\n    act:\n      - {option: Rest}\n      - {option: Hunt}\n"
    path.write_text(BEASTS.read_text(encoding="utf-8") + lazy, encoding="utf-8")
    by_side = oddsmith.load(path).solve(policies={"bear": "lazy"}).values
    assert by_side == oddsmith.load(path).solve(policies={2: "lazy"}).values
    shown = [
        CliRunner().invoke(cli, ["solve", str(path), "--policy", words], catch_exceptions=False).output
        for words in ("bear=lazy", "2=lazy")
    ]
    assert shown[0] == shown[1]
    with pytest.raises(SettingError, match="there is no side boar"):
        oddsmith.load(path).solve(policies={"boar": "lazy"})
