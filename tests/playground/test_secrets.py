"""Secrets and choices at once in the page for changing games: what is offered, coloured, and told of a mistake."""

from __future__ import annotations

from typing import Any

import pytest

from oddsmith.browser.checked import check_messages, completion_message
from oddsmith.browser.solving import lint_text
from tests.playground.test_highlight import coloured
from tests.secrets.test_errors import AT_ONCE, BOAST

LOOKING = BOAST.replace("{name: Doubt, do", "{name: Doubt, when: die > 3, do")


def problem_of(problems: list[dict[str, Any]]) -> dict[str, Any]:
    (problem,) = (each for each in problems if each["severity"] == "error")
    return problem


def test_a_choice_by_what_is_not_seen_is_told_with_both_plays() -> None:
    problem = problem_of(lint_text(LOOKING)["problems"])
    before = LOOKING.partition("die > 3")[0]
    assert problem["code"] == "OD536"
    assert (problem["line"], problem["column"]) == (before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
    assert problem["play"] == ["boaster in roll: thrown 4; in the other play thrown 1", "boaster chooses Boast"]
    assert not [each for each in lint_text(BOAST)["problems"] if each["severity"] == "error"]


def test_a_rule_that_breaks_is_told_with_the_play_that_leads_there() -> None:
    text = BOAST.replace("set gain to 1,", "add die to gain,")
    play = ["boaster in roll: thrown 5", "boaster chooses Boast", "doubter chooses Believe"]
    assert problem_of(lint_text(text)["problems"])["play"] == play
    walked = [told for told in check_messages(text) if any("play" in each for each in told.get("problems", []))]
    assert problem_of(walked[-1]["problems"])["play"] == play


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOAST.replace("seen_by: mover", "seen_by: movr"), "there is nothing called movr here"),
        (BOAST.replace("set die to thrown", "[set die to thrown, reveal dei]"), "there is nothing called dei here"),
        (AT_ONCE.replace("way[p]", "wya[p]"), "wya"),
        (BOAST.replace("seen_by: mover", "forget: die"), "there is no key `forget`"),
    ],
)
def test_a_mistake_in_words_of_secrets_is_told_while_somebody_types(text: str, told: str) -> None:
    (found,) = check_messages(text)
    assert told in problem_of(found["problems"])["message"]


def offers(text: str) -> set[str]:
    """What is offered at the mark ``‸``."""
    before = text.partition("‸")[0]
    found = completion_message(text.replace("‸", ""), before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
    return {each["label"] for each in found["offers"]}


def test_words_of_secrets_are_offered_where_they_may_stand() -> None:
    assert "seen_by" in offers(BOAST.replace("seen_by: mover", "see‸"))
    assert "seen_by" not in offers(BOAST.replace("do: set die to thrown", "do: se‸"))
    assert offers(BOAST.replace("seen_by: mover", "seen_by: no‸")) == {"nobody"}
    assert "choose_together" in offers(AT_ONCE.replace('choose_together: {way: "[1, 2]"}', "choo‸"))
    assert "reveal" in offers(BOAST.replace("do: set die to thrown", "do: rev‸"))
    assert "way" in offers(AT_ONCE.replace("sum(way[p]", "sum(wa‸"))


def test_words_of_secrets_have_their_colours() -> None:
    ((seen, mover), (reveal, *_)) = (
        [colour for colour, _ in line if colour] or [""] for line in coloured("seen_by: 1\n  do: reveal die to next")
    )
    assert (seen, mover, reveal) == ("key", "number", "key")
    pieces = {piece.strip(): colour for colour, piece in coloured("do: reveal die to next")[0]}
    assert (pieces["reveal"], pieces["to"]) == ("word", "word")
