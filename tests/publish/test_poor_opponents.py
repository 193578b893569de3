"""What a poor opponent is worth to you, on pages of games with secrets."""

from __future__ import annotations

import re
from pathlib import Path

from oddsmith.api import LoadedRuleset
from oddsmith.publish.sections.secrets import secret_key_facts_html
from oddsmith.report.answers import answers_of

BOAST = re.search("```yaml\n# boast.yaml\n(.*?)```", Path("docs/secrets.md").read_text("utf-8"), re.DOTALL)


def test_a_drunk_is_worth_to_each_seat_what_a_hand_count_says(tmp_path: Path) -> None:
    """The boaster's plan makes the doubter indifferent, so a drunk doubter brings it nothing. A drunk boaster gives up
    half of its sixes: it gets (5 * -1 + (-1 + (1/3 * 1 + 2/3 * 2)) / 2) / 6 = -7/9, and so the doubter 7/9 instead of 5/9.
    """
    assert BOAST
    rules = tmp_path / "boast.yaml"
    rules.write_text(BOAST[1], "utf-8")
    account = answers_of(LoadedRuleset.open(str(rules)).ruleset)
    assert account.main_secret_answer
    facts = secret_key_facts_html(account, account.main_secret_answer, "")
    told = "as the doubter you get 0.78, not 0.56."
    assert f"Against a drunk, {told}" in facts.replace("\N{MINUS SIGN}", "-")


def test_a_player_who_bluffs_too_much_is_priced() -> None:
    account = answers_of(LoadedRuleset.open("cups-and-coins").ruleset)
    assert account.main_secret_answer
    (bluffer,) = (each for each in account.main_secret_answer.opponents if each.kind == "named")
    gained = [
        best.middle - poor.middle for best, poor in zip(account.main_secret_answer.values, bluffer.values, strict=True)
    ]
    assert min(gained) > 0
    assert "Against “bluffs too much”, as the first player you get 0.05" in secret_key_facts_html(
        account, account.main_secret_answer, ""
    )
