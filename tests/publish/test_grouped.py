"""Numbers of four and more digits have commas wherever people read them."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

from oddsmith.publish.markup.numbers import range_text, short_number_text
from oddsmith.publish.site import publish
from oddsmith.report.policy import or_more_words
from oddsmith.report.policy.decisions import Feature
from oddsmith.solve.estimates import EstimatedLength
from tests.cases import RULESETS
from tests.publish.test_store import ruleset

BARE = re.compile(r"(?<![\w.,/#-])[0-9]{4,}(?![\w./-])")


def test_numbers_and_ranges_have_commas() -> None:
    assert or_more_words(1000) == "1,000 or more"
    assert or_more_words("N") == "N or more"
    assert range_text(1000, 2450) == "1,000\N{EN DASH}2,450"
    assert short_number_text(Fraction(1100)) == "1,100"
    assert EstimatedLength(1410, 1381, 1440).interval_in_words == "1,381 to 1,440"
    assert Feature("score", "score", "number", times=50).range_text(20, 49) == "1,000\N{EN DASH}2,450"


def test_a_page_on_which_people_count_in_thousands_has_commas() -> None:
    text = (RULESETS / "piglet.yaml").read_text("utf-8").replace("unit: head | heads", "unit: 1000 head | heads")
    text = re.sub(r"year: .*|, [12][0-9]{3}\b", "", text)
    page = publish([ruleset(text)])["games/piglet.md"].decode()
    words = unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<(script|style|code)\b.*?</\1>", "", page, flags=re.DOTALL)))
    assert "2,000" in words
    assert BARE.findall(words) == []
