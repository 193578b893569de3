"""The lines that people wrote: what is filled in is computed, and what they cost stands beside them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.publish.markup.numbers import amount_text
from oddsmith.publish.pages.card import card_page
from oddsmith.publish.pages.playing import play_files, play_html
from oddsmith.publish.pages.rules import short_rules_html
from oddsmith.publish.sections.deciding import strategy_summary
from oddsmith.publish.sections.first_screen import DEAR, NO_RULE, key_facts_html, line_to_remember, page_head_html
from oddsmith.publish.sections.strategy import short_list_html, strategy_html
from oddsmith.publish.site import LARGE_GAMES_PAGE, _further_page_links
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.ruleset.reading.build import read_ruleset
from tests.cases import RULESETS, SAMPLES, account_of
from tests.report.test_lists import GAP

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "rulesets").glob("*.yaml"))


def without_words(name: str) -> str:
    """A shipped game before a person said anything about it, at its usual setting alone."""
    text = (ROOT / "rulesets" / f"{name}.yaml").read_text(encoding="utf-8")
    for key in ("told", "remember", "publish", "measures", "claims"):
        text = re.sub(rf"(?m)^{key}:.*\n(?:(?: .*)?\n)*", "", text)
    return text


PIGLET = without_words("piglet")
GAMBIT = without_words("rogues-gambit") + "publish: {seats: [2, 3], game: {seats: 2}}\n"


ESCAPE = "remember:\n  - {line: 'Stop with {number} or more.', option: Thief's Escape, from: stash}\n"


def solved(base: str, words: str) -> RulesetAnswers:
    """The account of a sample with words of a person."""
    return answers_of(read_ruleset(Source("game.yaml", f"{base.rstrip()}\n{words}"))[0])


def shown(each: RulesetAnswers) -> str:
    return re.sub("<[^>]*>", "", unescape(str(page_head_html(each))))


def test_a_line_with_a_policy_says_what_the_policy_costs() -> None:
    each = solved(
        PIGLET.replace("{default: 2", "{default: 4", 1),
        "remember:\n  - {line: Bank two heads, policy: hold at 2}\n",
    )
    rung = next(rung for rung in each.main.rule_comparison.rungs if rung.name == "hold at 2")
    assert rung.loss
    assert float(rung.loss) > 0.01
    assert shown(each).startswith("Bank two heads.")
    assert f"the short rule costs {100 * float(rung.loss):.2f} percentage points" in shown(each)


LONG = PIGLET.replace("target: {default: 2", "target: {default: 10", 1)


def test_a_line_that_costs_too_much_stands_only_with_its_price() -> None:
    each = solved(LONG, "remember:\n  - {line: Bank whatever you have, policy: bank at once}\n")
    rung = next(rung for rung in each.main.rule_comparison.rungs if rung.name == "bank at once")
    assert rung.loss
    assert float(rung.loss) > DEAR * float(each.main.key_facts.values[0])
    price = f"The best short rule that we have costs {100 * float(rung.loss):.2f} percentage points: Bank whatever you have."
    assert "Bank whatever you have" not in shown(each).partition("The best short rule that we have costs")[0]
    assert price in shown(each)
    assert "Bank whatever you have" not in re.sub("<[^>]*>", "", card_page(each).decode())
    other = solved(LONG, "remember:\n  - {line: Bank, policy: bank at once}\n  - {line: Never mind}\n")
    assert line_to_remember(other.main) == "Never mind."


def test_the_first_screen_and_the_card_say_which_part_of_a_game_they_are_about() -> None:
    each = solved(PIGLET, "part: a race to {target}, where tables play to a hundred\n")
    told = "All this is for a race to 2, where tables play to a hundred."
    assert told in shown(each)
    assert told in card_page(each).decode()
    doors = {"games/piglet.md": b"", LARGE_GAMES_PAGE: b"See [Piglet](games/piglet.md)."}
    assert _further_page_links(each, doors) == {"Larger settings, solved": "../../large-games/"}
    assert "All this is for" not in shown(solved(PIGLET, ""))
    assert _further_page_links(solved(PIGLET, ""), doors) == {}


def test_a_policy_that_is_called_as_the_short_rule_that_it_is_stands_once_among_ways_of_playing() -> None:
    main = solved(without_words("wizards-and-thieves") + "publish: {seats: [2]}\n", "").main
    alike = [each.kind for each in main.rule_comparison.rungs if each.name.lower() == "always wizard"]
    assert sorted(alike) == ["named", "number"]
    assert [each.name.lower() for each in main.ways_of_playing].count("always wizard") == 1


def test_an_ordinary_player_plays_by_the_policy_that_the_ruleset_names() -> None:
    each = solved(PIGLET, "regular: bank at once\n")
    rule_value = next(rule_value for rule_value in each.main.rule_comparison.rungs if rule_value.name == "bank at once")
    assert rule_value.alone
    told = unescape(str(key_facts_html(each, "")))
    assert f"a regular {amount_text(each.main.unit, rule_value.alone)}, a drunk".replace(" %", "\u00a0%") in told
    assert "The regular plays by the rule “bank at once”" in told
    wrong = f"{PIGLET.rstrip()}\nregular: bank at twice\n"
    with pytest.raises(RulesetError, match="there is no policy bank at twice"):
        read_ruleset(Source("game.yaml", wrong))


def test_a_line_with_a_number_has_that_of_every_table_size() -> None:
    each = solved(GAMBIT, ESCAPE)
    rule = each.main.rule_comparison.main_rule
    assert rule
    assert rule.number
    assert not rule.is_constant
    assert shown(each).startswith(f"Stop with {rule.number.best} or more.")
    (other,) = [answer for answer in each.plain if answer is not each.main]
    assert other.rule_comparison.main_rule
    assert other.rule_comparison.main_rule.number
    assert f"With 3 players: {other.rule_comparison.main_rule.number.best}." in shown(each)


def test_a_line_whose_number_would_be_of_something_else_gives_way() -> None:
    each = solved(GAMBIT.replace("{seats: 2}", "{seats: 2, set: {coins_each: 9}}"), ESCAPE)
    (other,) = [answer for answer in each.plain if answer is not each.main]
    assert other.rule_comparison.main_rule
    assert other.rule_comparison.main_rule.number
    assert other.rule_comparison.main_rule.number.feature.name == "hoard"
    assert "Stop with" not in line_to_remember(other)
    assert "3 players" not in shown(each)


def test_what_a_seat_gets_and_how_long_it_takes_are_computed() -> None:
    each = solved(PIGLET, 'remember:\n  - line: "{seat 1} go to the first, in {rolls} tosses to {target}"\n')
    first = 100 * float(each.main.key_facts.values[0])
    rolls = each.main.key_facts.lengths["rolls"].decimal(1).removesuffix(".0")
    assert line_to_remember(each.main) == f"{first:.2f} % go to the first, in {rolls} tosses to 2."


def test_a_line_whose_number_is_not_there_gives_way() -> None:
    again = "  - {line: Toss again!}\n"
    words = f"remember:\n  - {{line: 'Bank {{number}}.', option: Bank, from: row}}\n  - {{line: For one., seats: [1]}}\n{again}"
    assert line_to_remember(solved(PIGLET, words).main) == "Toss again!"
    assert line_to_remember(solved(PIGLET, words.replace(again, "")).main) == "Always Toss again."


def test_what_the_rules_fix_is_printed_in_what_is_told() -> None:
    words = "told: |\n  To {target} heads, *twice* {2 * target}. <b>A coin shows {coin}.</b>\n"
    game = solved(PIGLET, words).main.game
    (paragraph,) = short_rules_html(game)
    assert unescape(paragraph) == "<p>To 2 heads, <em>twice</em> 4. <b>A coin shows Tails and Heads.</b></p>"
    assert "<b>" not in paragraph


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_game_is_told_as_a_person_tells_it(path: Path) -> None:
    told = "".join(short_rules_html(oddsmith.load(path).game))
    words = re.sub("<[^>]*>", " ", told)
    assert 20 < len(words.split()) <= 200, len(words.split())
    assert not re.search(r"_|becomes |go on to|\{|\}", words)


def test_a_table_calls_things_by_their_labels_and_is_not_shown_what_is_hidden() -> None:
    text = PIGLET.replace("show: pile", "label: this turn, show: hidden")
    words = json.loads(play_files(solved(text, ""))["play.json"])["words"]["variables"]
    unit = ["head", "heads"]
    assert words["row"] == {"label": "this turn", "about": "Heads of this turn.", "show": "hidden", "unit": unit}
    assert words["score"] == {"label": "score", "about": "Heads in the bank.", "show": "track", "unit": unit}


def test_where_no_number_tells_what_to_do_the_page_opens_with_a_list_and_its_cost() -> None:
    each = solved((ROOT / "rulesets" / "starters" / "duel.yaml").read_text("utf-8"), "publish: {variants: []}\n")
    lists = each.main.short_lists_in_words
    assert lists is not None
    assert lists.rung.loss is not None
    (short,) = lists.lists
    assert shown(each).startswith(short.words)
    assert line_to_remember(each.main).startswith(short.words)
    assert lists.rung.loss.upper == 0
    assert "No play does better." in shown(each)
    assert "Playing by this line costs nothing (exact)." in str(strategy_html(each.main))
    assert [rule_value.name for rule_value in each.main.ways_of_playing if rule_value.kind == "list"] == [short.words]


def test_a_short_list_is_shown_only_where_it_is_cheap_and_no_line_of_a_person_is_cheaper() -> None:
    duel = (ROOT / "rulesets" / "starters" / "duel.yaml").read_text("utf-8")
    each = solved(duel, "publish: {variants: []}\nremember:\n  - line: Always cut.\n")
    lists = each.main.short_lists_in_words
    assert lists is not None
    (short,) = lists.lists
    best = float(each.main.key_facts.values[0])

    def told(share: float) -> str:
        loss = Number.of(Fraction(share * best))
        return unescape(short_list_html(each.main, replace(short, rung=replace(short.rung, loss=loss))))

    assert "In short:" in told(DEAR * 0.9)
    assert NO_RULE in told(DEAR * 1.1)
    assert short.words not in told(DEAR * 1.1)
    way = "policies:\n  by hand:\n    decide: [{option: Stay, when: room < 7}, {option: Raise}]\n"
    by_hand = solved(GAP, f"{way}remember:\n  - {{line: Raise at seven, policy: by hand}}\n")
    rule_value = next(each for each in by_hand.main.rule_comparison.rungs if each.name == "by hand")
    assert rule_value.loss
    listed = by_hand.main.short_lists_in_words
    assert listed is not None
    dearer, cheaper = (replace(rule_value, loss=rule_value.loss + Fraction(off, 10**6)) for off in (1, -1))
    assert short_list_html(by_hand.main, replace(listed.lists[0], rung=dearer)) == ""
    assert "In short:" in unescape(short_list_html(by_hand.main, replace(listed.lists[0], rung=cheaper)))


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("craps", "You can play the game on this page."),
        (
            "piglet",
            "On this page you can look up what every action is worth in any position, or play against best play.",
        ),
    ],
)
def test_a_page_offers_what_holds_for_the_setting_that_is_open_first(name: str, offer: str) -> None:
    each = account_of(SAMPLES / f"{name}.yaml")
    assert re.sub("<[^>]*>", "", unescape(play_html(each)[0])) == offer
    first = json.loads(play_files(each)["play.json"])["settings"][0]
    assert first["slug"] == each.main.slug


@pytest.mark.parametrize(("folder", "name"), [(RULESETS, "craps"), (SAMPLES, "craps.yaml")])
def test_without_scripts_a_page_names_the_game_as_the_command_finds_it(folder: Path, name: str) -> None:
    """Whoever reads the page of a shipped game may have no file of it."""
    told = "".join(play_html(account_of(folder / "craps.yaml")))
    assert f"oddsmith play {name} does the same." in told


def test_the_large_line_is_the_cheapest_with_one_number() -> None:
    """A number that the rules have a name for says it all, and no variable does."""
    each = answers_of(read_ruleset(Source("game.yaml", GAP))[0])
    rule, number = each.main.rule_comparison.main_rule, each.main.rule_comparison.first_value_of_kind("number")
    assert rule
    assert number
    assert number.loss
    assert float(number.loss) > 0
    assert shown(each).startswith("Raise when room is 7 or more; else Stay.")
    assert "With a little more to remember" not in shown(each)
    assert strategy_summary(each.main) == "Raise when room is 7 or more; else Stay"
