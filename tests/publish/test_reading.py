"""Pages read well: what a game does not have is not spoken of, and what is shown is said in words."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.publish.markup.html import prose_html
from oddsmith.publish.markup.numbers import text_with_short_numbers
from oddsmith.publish.sections.chances import roll_or_stop_formulas_html
from oddsmith.publish.sections.deciding import (
    decisions_by_importance,
    feature_notes,
    option_abbreviations,
    strategy_summary,
)
from oddsmith.publish.sections.secrets import decision_words
from oddsmith.publish.sections.simple_rules import policies_table_html
from oddsmith.publish.sections.strategy import strategy_html
from oddsmith.publish.site import site_pages
from oddsmith.report.answers import Decision, SecretAnswer
from oddsmith.report.answers.answers import Answer
from oddsmith.report.english import OptionWords
from oddsmith.report.english.prose import capital, sentence
from oddsmith.report.english.words import plain_name
from oddsmith.report.facts.breakeven import BreakEven, break_even_rules
from oddsmith.report.facts.unit import Unit
from oddsmith.report.policy.decisions import Feature
from oddsmith.report.policy.quantities import WrittenLine
from oddsmith.report.policy.rules_of_thumb import Rule, RuleComparison, RuleValue
from oddsmith.report.policy.thresholds import Strategy, strategies_by_phase
from oddsmith.ruleset import bind
from oddsmith.ruleset.reading.build import load_ruleset
from tests.cases import RULESETS, account_of
from tests.publish.test_html import NASTY, read

HERE = Path(__file__).parent
ALONE = HERE / "alone.yaml"


def text(html: str) -> str:
    """What a reader sees, elements apart."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@cache
def page(path: Path) -> str:
    return site_pages([account_of(path)], {})[f"games/{path.stem}.md"].decode()


def laid_out(tmp_path: Path, show: str) -> Strategy:
    """The strategy of the game for one, laid out otherwise."""
    path = tmp_path / "alone.yaml"
    path.write_text(ALONE.read_text("utf-8").replace("{rows: pot}", show), "utf-8")
    return strategies_by_phase(oddsmith.load(path).solve().solution)[0]


def shown(strategy: Strategy) -> str:
    return strategy_html(unsolved(strategy))


def test_what_says_no_more_than_a_name_is_left_out() -> None:
    best, stash = (
        Feature("best", "score to beat", "number", "The score to beat."),
        Feature("stash", "stash", "number", "Not safe yet."),
    )
    strategy = Strategy("decide", ("Stop", "Roll"), 2, 2, None, (best, stash), across=(best,), down=stash)
    assert feature_notes(strategy) == "Stash: Not safe yet."


def test_a_rule_without_a_number_is_called_a_short_rule() -> None:
    answer = unsolved(Strategy("decide", ("Wizard", "Thief"), 2, 2, None, ()))
    rule = Rule("decide", (WrittenLine("Wizard"),), "always Wizard", None)
    object.__setattr__(answer, "shown_rule_comparison", RuleComparison((), (rule,)))
    assert sentence(strategy_summary(answer)) == "A short rule: always Wizard."


def test_a_plan_names_an_option_once_before_the_values_and_chances_of_each_choice() -> None:
    game = bind(load_ruleset(RULESETS / "liars-dice.yaml")[0])
    taken = {"Claim (many 1, face 2)": Fraction(1, 2), "Claim (many 2, face 1)": Fraction(1, 2)}
    known = ("dice 1", "seat 2: Claim (many 1, face 1)")
    answer = cast(SecretAnswer, SimpleNamespace(game=game, option_words=OptionWords(game, game.ruleset.player_name)))
    said = decision_words(answer, cast(Decision, SimpleNamespace(support=taken, known_facts=known, phase="speak")))
    assert said == ("dice 1 · seat 2: Claim: 1 die shows 1", "Claim: 1 die shows 2 (1/2), 2 dice show 1 (1/2)")


def unsolved(*decisions: Strategy) -> Answer:
    """What a page shows of decisions, with nothing else known of their game."""
    game = SimpleNamespace(ruleset=SimpleNamespace(advice_lines=()))
    answer = SimpleNamespace(
        strategies=decisions, shown_strategies=decisions, result=None, values_by_holdings=None,
        shown_rule_comparison=RuleComparison(()), short_lists_in_words=None, main=False, game=game,
        covers_first_turn_only=False,
    )  # fmt: skip
    return cast(Answer, answer)


# --- one player


def test_nobody_else_is_spoken_of_where_one_player_plays() -> None:
    words = text(page(ALONE))
    for never in (
        "turn goes round",
        "first player",
        "Seat 1",
        "seat 1",
        "everybody",
        "the others",
        "to each",
        "A player gets",
    ):
        assert never not in words
    assert "One player. A turn starts with Decide." in words
    assert "This brings 4.00 points" in words
    assert "You get the pot." in words
    assert "seat 2" in text(page(HERE / "hostile.yaml"))


def test_one_more_throw_without_a_formula_is_no_section() -> None:
    assert roll_or_stop_formulas_html(break_even_rules([BreakEven("decide", "Stop", "Stay", (), 0, 0)])) == []


# --- strategy


def test_a_table_without_thresholds_is_a_grid_with_a_key(tmp_path: Path) -> None:
    html = shown(laid_out(tmp_path, "{rows: dust}"))
    words = text(html)
    assert "or more; below it" not in words
    assert "<details" not in html
    assert "* it depends on more than the table shows" in words
    assert "What to do at each dust." in words
    assert "* it depends" not in text(shown(laid_out(tmp_path, "{rows: pot}")))


def test_a_grid_that_is_too_large_is_a_sentence(tmp_path: Path) -> None:
    strategy = laid_out(tmp_path, "{rows: dust}")
    bare = replace(strategy, tables=tuple(replace(each, grid=None) for each in strategy.tables))
    assert "whole table is too large for a page" in text(shown(bare))
    assert "<li>" not in shown(bare)


def test_only_the_tables_of_the_main_decision_are_open(tmp_path: Path) -> None:
    strategy = laid_out(tmp_path, "{rows: pot}")
    html = strategy_html(unsolved(replace(strategy, phase="rare_choice", met=0), strategy))
    assert re.findall("<summary>(.*?)</summary>|<h4>(.*?)</h4>", html)[0] == ("Rare choice", "")
    assert f"<h4>{capital(plain_name(strategy.phase))}</h4>" in html


def test_the_decision_that_the_line_to_remember_is_about_is_open(tmp_path: Path) -> None:
    strategy = laid_out(tmp_path, "{rows: pot}")
    answer = unsolved(replace(strategy, phase="rare_choice", met=0), strategy)
    line = SimpleNamespace(policy="careful", holds_for_seat_count=lambda seats: seats == 2)
    rules = SimpleNamespace(advice_lines=(line,), policies={"careful": {"rare_choice": ()}})
    object.__setattr__(answer.game, "ruleset", rules)
    object.__setattr__(answer, "setting", SimpleNamespace(seats=2))
    assert [each.phase for each in decisions_by_importance(answer)] == ["rare_choice", strategy.phase]
    object.__setattr__(answer, "setting", SimpleNamespace(seats=3))
    assert [each.phase for each in decisions_by_importance(answer)] == [strategy.phase, "rare_choice"]


def test_a_table_for_one_side_names_the_other_by_its_side() -> None:
    duel = oddsmith.load(HERE.parents[1] / "rulesets" / "starters" / "duel.yaml")
    (strategy,) = strategies_by_phase(duel.at(knight_lives=4, witch_lives=4).solve().solution)
    words = text(shown(strategy))
    knights, witches = words.index("You are the knight"), words.index("You are the witch")
    assert "What to do at each number of lives of the witch." in words[knights:witches]
    assert "What to do at each number of lives of the knight." in words[witches:]
    assert words.count("the other player") == 0
    assert "Cut most often where you are the knight (50 %)" in words
    assert "Drink never" in words


def test_tables_are_for_what_tells_them_apart(tmp_path: Path) -> None:
    strategy = laid_out(tmp_path, "{rows: pot}")
    split = (Feature("out", "players who are out", "out"), Feature("mover", "seat", "mover"))
    wheres = ((("nobody", "1"),), (("nobody", "2"),), (("the other player", "1"), ("the other player", "2")))
    tables = tuple(replace(strategy.tables[0], where=where) for where in wheres)
    html = shown(replace(strategy, split=split, tables=tables))
    assert re.findall('<details class="od-rest"><summary>(.*?)</summary>', html) == [  # the first stays open
        "Seat 2, nobody is out",
        "The other player is out",
    ]
    words = text(html)
    for heading in ("Seat 1, nobody is out", "Seat 2, nobody is out", "The other player is out"):
        assert words.count(heading) == 1
    assert "players who are out" not in words


def test_what_a_large_table_depends_on_is_named_by_family(tmp_path: Path) -> None:
    strategy = laid_out(tmp_path, "{rows: pot}")
    needed = tuple(Feature(f"up[{tile}]", f"up {tile}", "flag") for tile in (3, 4, 9))
    words = text(shown(replace(strategy, needed=needed, down=None, tables=(), cases=())))
    assert "depends on up (3, 4 and 9), which is too much" in words


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("Leave", "Reach for coins"), ("L", "R")),
        (("Collect", "Call"), ("Co", "Ca")),
        (("Keep 3", "Keep 4"), ("3", "4")),
        (("Ask", "Steal all", "Stay"), ("A", "Ste", "Sta")),
    ],
)
def test_marks_tell_options_apart(options: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert option_abbreviations(options) == expected


def test_marks_are_never_the_same() -> None:
    for options in (
        ("Play", "Play on"),
        ("a", "a b", "a b c", "!"),
        ("!", "?"),
        ("Pass", "Press", "Pay", "Pass it on"),
    ):
        assert len(set(option_abbreviations(options))) == len(options)


# --- simple rules


@pytest.mark.parametrize(
    ("seats", "kind", "expected"),
    [
        (1, "optimal", "what it costs against the best"),
        (2, "zero-sum", "the other keeps to best play"),
        (2, "pure-by-seat", "the other keeps to best play"),
        (3, "zero-sum", "the others keep to best play"),
    ],
)
def test_a_table_of_policies_says_how_the_others_play(seats: int, kind: str, expected: str) -> None:
    one = Number.of(1)
    rule_values = tuple(RuleValue(name, name, one, one, (one,) * seats) for name in ("number", "solution"))
    answer = SimpleNamespace(
        result=SimpleNamespace(kind=kind),
        shown_rule_comparison=RuleComparison(rule_values),
        ways_of_playing=list(rule_values),
        short_lists_in_words=None,
        unit=Unit("coins", False),
        rule_number_comparison=None,
        setting=SimpleNamespace(seats=seats),
        game=SimpleNamespace(ruleset=SimpleNamespace(payoffs={}, nth_player=lambda _: "the first player")),
    )
    words = text("".join(policies_table_html(cast(Answer, answer))))
    assert expected in words
    assert ("everybody" in words) == (seats > 1)


# --- answers, tables, notes


def test_a_spread_is_named_and_stands_beside_the_mean() -> None:
    words = text(page(ALONE))
    assert "mean 2.6622 standard deviation 0.6349 median 3 at least nine games in ten: 2 to 4" in words


def test_tables_to_roll_on_begin_with_the_lowest_result() -> None:
    words = text(page(ALONE))
    assert (
        "Forfeits. 2d4 result chance exactly 2\u20134 A song 37.50 % 3/8 5 A jug 25.00 % 1/4 6\u20138 A <b>hat</b> 37.50 % 3/8"
        in words
    )
    assert "## Tables to roll on {#tables}" in page(ALONE)  # printed too: without .od-screen


def test_numbers_of_many_digits_are_rounded_in_notes() -> None:
    times = "\u00d7"
    assert (
        text_with_short_numbers("There are 5414749731834512345 equilibria.")
        == f"There are about 5.4 {times} 10¹⁸ equilibria."
    )
    assert text_with_short_numbers("There are 1" + "0" * 5000) == f"There are about 1.0 {times} 10⁵⁰⁰⁰"
    assert (
        text_with_short_numbers("9,960,000,000,000,000 of 123,456,789,012,345.")
        == f"about 1.0 {times} 10¹⁶ of 123,456,789,012,345."
    )
    for kept in ("worth 0.12345678901234567890", "worth 1/12345678901234567", "12345678901234567/3"):
        assert text_with_short_numbers(kept) == kept


# --- prose


def test_prose_has_tables_lists_and_headings() -> None:
    found = read(page(ALONE).partition("{#author}")[2].partition("##")[0])
    assert found.tags == [
        "p", "div", "table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "em", "ol", "li", "li",
    ]  # fmt: skip
    assert read(prose_html("# One\n## Two\nthree")).tags == ["h3", "h3", "p"]
    assert read(prose_html("Do this:\n1. one\n   more\n2. two")).tags == ["p", "ol", "li", "li"]
    assert '<ol start="3">' in prose_html("3. three")


def test_prose_keeps_together_what_was_wrapped() -> None:
    assert (
        prose_html("It takes\n6. That is\n**all of\nit**.") == "<p>It takes 6. That is <strong>all of it</strong>.</p>"
    )
    assert prose_html("6 * 7 * 8") == "<p>6 &#42; 7 &#42; 8</p>"
    assert prose_html("a | b\n- - | c") == "<p>a &#124; b</p>\n<ul><li>&#45; &#124; c</li></ul>"


@pytest.mark.parametrize("sign", NASTY)
def test_nothing_else_is_markup_in_a_table_or_a_list_of_prose(sign: str) -> None:
    line = " ".join(sign.split())
    found = read(prose_html(f"### {line}\n\n| a | b |\n|---|---|\n| {line} | x |\n\n1. {line}"))
    assert set(found.tags) <= {
        "h3", "div", "table", "thead", "tbody", "tr", "th", "td", "ol", "li", "em", "strong", "code", "bdi",
    }  # fmt: skip
