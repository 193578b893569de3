"""Answers that come with the program: believed where they are of these rules, and what solving gives."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from oddsmith.base.files import shipped_answer_files
from oddsmith.base.resources import data_folder
from oddsmith.cli.shipping import write_shipped_answers
from oddsmith.publish.charts.boundary import thresholds_text
from oddsmith.publish.sections.first_screen import NO_RULE, line_to_remember, page_head_html
from oddsmith.publish.site import publish
from oddsmith.report.answers import accounts, names, setting_slug, solving
from oddsmith.report.answers.shipped import ESTIMATED, ShippedAnswers, answer_file_name_and_bytes
from oddsmith.report.answers.store import Store
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from tests.cases import RULESETS
from tests.publish.test_store import SECRET, TEXT, Memory, ruleset

BROUGHT = sorted(path.name for path in data_folder("answers").iterdir() if path.is_dir())


def shipped(rules: Ruleset) -> dict[str, bytes]:
    """Every answer that pages of a ruleset need, as files."""
    made = dict[str, bytes]()
    for part in accounts.settings_to_solve(rules, include_full=False):
        for setting in part:
            found = solving.solved_answer(rules, setting)
            found.compute_all_parts()
            made |= [answer_file_name_and_bytes(found)]
    return made


FILES = shipped(ruleset())


def test_pages_of_answers_that_came_are_those_from_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, shelf = publish([ruleset()]), Memory()
    monkeypatch.setattr(solving, "solve", None)
    assert publish([ruleset()], answers=ShippedAnswers(lambda _: FILES)) == solved
    assert publish([ruleset()], answers=Store(shelf, SECRET, ShippedAnswers(lambda _: FILES))) == solved
    assert shelf.kept == {}, "what came is not kept once more"


@pytest.mark.parametrize("what", ["rules", "questions", "home", "version", "bytes", "nothing"])
def test_an_answer_of_anything_else_is_refused(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, files, home = TEXT, FILES, ruleset().edition.main_setting
    if what == "rules":
        text = text.replace("when: stash > 0 or may_wait", "when: stash > 1 or may_wait")
    elif what == "questions":
        text = text.replace("{chance: [toss, Head], in: turn}\n  Tails", "{spread: turns}\n  Tails")
    elif what == "home":
        text += "publish: {game: {set: {target: 3}}}\n"
    elif what == "version":
        monkeypatch.setattr(names, "VERSION", names.VERSION + 1)
    elif what == "bytes":
        files = {name: data[:-1] + bytes([data[-1] ^ 1]) for name, data in FILES.items()}
    assert ShippedAnswers(lambda _: files).has_answer(ruleset(text), home) == (what == "nothing")


def test_words_may_change_without_solving_again() -> None:
    counted = re.sub(r"(  target: \{.*)\}", r"\1, unit: head | heads}", TEXT)
    assert counted != TEXT
    for text in (TEXT + "prose: A game for two purses.\n", counted):
        told = ruleset(text)
        assert ShippedAnswers(lambda _: FILES).has_answer(told, told.edition.main_setting)


def test_where_no_short_rule_serves_the_page_says_so_and_what_one_costs() -> None:
    """A person's line for all choices is dear here, and a rule for one of them is no advice in its place."""
    costly, text = "fours and fives, then threes too", (RULESETS / "hold-the-pot.yaml").read_text("utf-8")
    rules = ruleset(text.replace("    policy: stop when ahead\n", f'    policy: "{costly}"\n'))
    each = accounts.answers_of(rules, store=ShippedAnswers(shipped_answer_files))
    rule_value = next(rule_value for rule_value in each.main.rule_comparison.rungs if rule_value.name == costly)
    assert rule_value.loss
    words = re.sub("<[^>]*>", "", unescape(str(page_head_html(each))))
    assert words.startswith(NO_RULE)
    assert (
        f"The best short rule that we have costs {100 * float(rule_value.loss):.2f} percentage points: Where nobody pays"
        in words
    )
    assert line_to_remember(each.main) == NO_RULE


@pytest.mark.parametrize("name", BROUGHT)
def test_what_comes_with_the_program_is_of_the_rules_as_they_stand(name: str) -> None:
    rules = ruleset((RULESETS / f"{name}.yaml").read_text("utf-8"))
    shown = [setting for part in accounts.settings_to_solve(rules, include_full=False) for setting in part]
    files, came = shipped_answer_files(name), ShippedAnswers(shipped_answer_files)
    solved = [file.partition(".")[0] for file in files if ESTIMATED not in file]
    by_slug = {setting_slug(setting): setting for setting in shown}
    assert len(files) - len(solved) == len(rules.edition.estimated_games)
    assert len({*solved}) == len(solved)
    for each in solved:
        assert came.has_answer(rules, by_slug[each]), f"solve it again: make answers GAMES={name}/{each}"
    for game in rules.edition.estimated_games:
        assert came.known_estimate(rules, game), f"play it again: make answers GAMES='--estimates {name}'"


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_what_is_estimated_on_pages_comes_with_the_program(path: Path) -> None:
    assert path.stem in BROUGHT or not load_ruleset(path)[0].edition.estimated_games


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_table_size_has_an_answer(path: Path) -> None:
    """Solved or estimated. Of a single round of pots and coins, what larger tables bring has no bounds."""
    rules = load_ruleset(path)[0]
    low, high, _ = rules.seats
    shown = [setting for part in accounts.settings_to_solve(rules, include_full=False) for setting in part]
    sizes = {each.seats for each in shown} | {each.setting.seats for each in rules.edition.estimated_games}
    missing = {4, 5} if path.stem == "hold-the-pot-round" else set()
    assert sizes == set(range(low, high + 1)) - missing


@pytest.mark.long
@pytest.mark.parametrize("name", BROUGHT)
def test_what_comes_with_the_program_is_what_solving_gives(name: str) -> None:
    assert write_shipped_answers([name], only_compare=True) == []


def test_a_folder_of_answers_is_small() -> None:
    """Those with a table of turns may be larger: it has a value for each sheet. So may a few with charts of many
    decisions.
    """
    sizes = {path.name: path.stat().st_size for path in Path(data_folder("answers")).rglob("*.json.gz")}
    assert {name: size for name, size in sizes.items() if size > 3_000_000} == {}
    assert sum(size > 800_000 for size in sizes.values()) <= 7


def test_what_a_race_says_to_remember_is_best_in_its_first_turn() -> None:
    rules = ruleset((RULESETS / "farkle.yaml").read_text("utf-8"))
    main = ShippedAnswers(shipped_answer_files).known_answer(rules, rules.edition.main_setting)
    assert main is not None
    decide = next(each for each in main.strategies if each.phase == "decide")
    (table,) = decide.tables
    assert (
        thresholds_text(decide, table)
        == "Stop from a threshold between 250 and 5,000 on: 300 where dice left is 1, 5,000 where it is 6."
    )
    points = {dice: 50 * fifties for (dice,), fifties in decide.thresholds_of_table(table).items()}
    assert points == {1: 300, 2: 250, 3: 450, 4: 1000, 5: 2500, 6: 5000}
    line = line_to_remember(main)
    assert "10,000 points" in line or "10000 points" in line
    for dice, word in ((1, "one die is"), (2, "two are"), (3, "three are"), (4, "four are")):
        assert re.search(rf"{points[dice]:,}( points)? if {word}", line)


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_player_who_is_on_no_board_has_a_name_that_says_which(path: Path) -> None:
    """Tables of best play tell apart who that is. *Leader* was whoever had begun, and not whoever was ahead."""
    rules = load_ruleset(path)[0]
    hidden = [each for each in rules.state.values() if each.kind == "seat" and each.show == "hidden"]
    assert all(each.label for each in hidden if not rules.has_secrets)
