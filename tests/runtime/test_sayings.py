"""What rulesets say of entries, of who goes out and of the end: both engines say the same, and it changes no rule."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oddsmith.report.english.play_bundle import entry_texts_by_phase
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import bundle, sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.play import PlayedMove, played_moves, random_result_picker
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.transcript import TranscriptWriter
from tests import node
from tests.cases import RULESETS, SAMPLES, open_games, ruleset

MOST = 60  # moves of a play


def play(rules: Rules, seed: int) -> list[PlayedMove]:
    """The first moves of a random play."""
    random = Random(seed)  # noqa: S311
    return list(
        islice(
            played_moves(rules, lambda _, actions: random.randrange(len(actions)), random_result_picker(random)), MOST
        )
    )


def told(move: PlayedMove) -> str:
    """What is said of a move after its dice, or after the name of its option."""
    return move.step.in_words_after_option_name if move.action is not None else move.step.in_words


LEAVING = 'out_when: {when: lives == 0, say: "{seat} falls: {size(everyone) | hero is | heroes are} left."}'
ENDING = 'at_end: {do: set bar to 0, say: "The last throw to beat was {bar}."}'


def agreed(rules: Ruleset, plays: int, **values: Any) -> list[str]:
    """What both engines tell of the moves of some plays at random."""
    game = bind(rules, Setting(values=values))
    aloud = Rules(game, with_words=True)
    said = []
    for seed in range(plays):
        found = play(aloud, seed)
        writer = TranscriptWriter(aloud)
        for move in found:
            writer.add(move)
        job: dict[str, Any] = {
            "bundle": bundle(rules),
            "seats": game.seats,
            "parameters": dict(game.parameters),
            "said": entry_texts_by_phase(rules),
            "rules": sha256(rules),
            "data": writer.data(found[-1].step.state),
        }
        (answer,) = node.answers(Path(__file__).with_name("words.mjs"), {"job": "aloud", **job})
        assert len(answer) == len(found)
        for move, (offers, text) in zip(found, answer, strict=True):
            if move.action is not None:
                assert offers == [aloud.action_in_words(move.state, action) for action in aloud.actions(move.state)]
                assert not any(re.search(r"(?<![\d,.])0 or more", offer) for offer in offers), "it always holds"
            if any(words is not None for _, words in move.step.words_of_entries) and told(move):
                assert text.endswith(f" {told(move)}"), (move, text)
            said.append(told(move))
    return said


@pytest.mark.parametrize("name", open_games())
def test_both_engines_offer_and_say_the_same(name: str) -> None:
    assert agreed(ruleset(f"shipped-{name}"), 3)


@pytest.mark.parametrize("name", ["farkle-turn", "mia", "shut-the-box", "royal-game-of-ur"])
def test_both_engines_offer_options_by_their_values_where_no_words_say_what_they_do(name: str, tmp_path: Path) -> None:
    text = (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")
    path = tmp_path / f"{name}.yaml"
    path.write_text(re.sub(r"^ +does: .*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    agreed(load_ruleset(path)[0], 3)


def test_words_stand_for_0_where_a_ruleset_has_them(tmp_path: Path) -> None:
    text = (SAMPLES / "last-hero.yaml").read_text(encoding="utf-8")
    (tmp_path / "last-hero.yaml").write_text(
        text.replace(
            "out_when: lives == 0",
            'out_when: {when: lives == 0, say: "{size(everyone) - 2 | Two heroes are | hero more is | heroes more are} left."}',
        ),
        encoding="utf-8",
    )
    told = {
        sentence
        for text in agreed(load_ruleset(tmp_path / "last-hero.yaml")[0], 5)
        for sentence in re.findall(r"[^.]* left\.", text)
    }
    assert {each.strip() for each in told} == {"Two heroes are left.", "\N{MINUS SIGN}1 heroes more are left."}


def test_who_goes_out_and_how_a_game_ends_is_told_as_it_happens(tmp_path: Path) -> None:
    text = (SAMPLES / "last-hero.yaml").read_text(encoding="utf-8")
    (tmp_path / "last-hero.yaml").write_text(
        text.replace("out_when: lives == 0", f"{LEAVING}\n{ENDING}"), encoding="utf-8"
    )
    said = agreed(load_ruleset(tmp_path / "last-hero.yaml")[0], 5)
    fallen = [text for text in said if "falls" in text]
    assert any(re.fullmatch(r"Wound\. Player \d falls: 2 heroes are left\.", text) for text in fallen)
    ends = [text for text in said if "The last throw" in text]
    assert len(ends) == 5
    assert all(
        re.search(r"falls: (1 hero is|0 heroes are) left\. The last throw to beat was \d\.$", text) for text in ends
    )


def test_a_seat_that_drops_out_is_told_of_as_one_that_the_test_puts_out() -> None:
    said = agreed(ruleset("shipped-rogues-gambit"), 3, full_belly="hungry")
    assert any(text.endswith(" Player 1 is out of the game.") for text in said)
    assert not any(" is out of the game" in text for text in agreed(ruleset("shipped-rogues-gambit"), 3))


def test_what_is_said_is_no_rule(tmp_path: Path) -> None:
    text = (RULESETS / "pig.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.strip().startswith(("say:", "does:"))]
    assert len(lines) < len(text.splitlines())
    (tmp_path / "pig.yaml").write_text("\n".join(lines), encoding="utf-8")
    assert sha256(load_ruleset(tmp_path / "pig.yaml")[0]) == sha256(ruleset("shipped-pig"))


def test_words_that_cannot_be_filled_in_give_way_to_the_name(tmp_path: Path) -> None:
    text = (RULESETS / "pig.yaml").read_text(encoding="utf-8")
    broken = text.replace("{pot + die|point|points}", "{6 // (die * 0)}")
    assert broken != text
    (tmp_path / "pig.yaml").write_text(broken, encoding="utf-8")
    rules, _ = load_ruleset(tmp_path / "pig.yaml")
    steps = [move.step for move in play(Rules(bind(rules), with_words=True), 1)]
    assert "Safe" in {step.in_words for step in steps}
