"""What a page says of loaded dice."""

from __future__ import annotations

import re
from html import unescape

import oddsmith
from oddsmith.publish.sections import cheats_html
from oddsmith.report.answers import answers_of
from oddsmith.report.answers.packing import pack_answer, unpack_answer
from tests.cases import RULESETS

PIGLET = (RULESETS / "piglet.yaml").read_text("utf-8")
CHEATS = """
cheats:
  a coin with two good sides:
    die: coin
    weights: {Heads: 3}
    caught: 0
    about: It falls on heads three times as often.
  a bad coin: {die: coin, weights: {Tails: 2}, caught: 0}
"""


def test_a_page_says_what_loaded_dice_are_worth_and_how_often_a_cheat_may_be_found_out() -> None:
    book = oddsmith.loads(PIGLET.partition("publish:")[0] + CHEATS)
    account = answers_of(book.ruleset)
    good, bad = account.main.cheats
    assert good.gain.lower > 0 > bad.gain.upper
    assert good.found_out is not None
    assert bad.found_out is None
    words = re.sub("<[^>]*>", " ", unescape("".join(map(str, cheats_html(account))))).replace("\N{NO-BREAK SPACE}", " ")
    assert "a coin with two good sides : It falls on heads three times as often." in words
    assert f"+{100 * float(good.gain):.2f} %" in words
    assert good.found_out.percent(1) in words
    kept = unpack_answer(pack_answer(account.main), book.ruleset, account.main.setting)
    assert kept.cheats == account.main.cheats


def test_a_game_without_loaded_dice_says_nothing_of_them() -> None:
    account = answers_of(oddsmith.loads(PIGLET.partition("publish:")[0]).ruleset)
    assert cheats_html(account) == []
    assert "cheats" not in account.main.computed_part_names
