"""What rulesets say of their entries: both engines say the same, and what is said changes no rule."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oddsmith.files import shipped
from oddsmith.publish.pages.playing import entry_words
from oddsmith.ruleset import Move, Rules, Writer, bundle, by_chance, moves, sha256
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading import load
from tests import node
from tests.cases import RULESETS, ruleset

MOST = 60  # moves of a play


def play(rules: Rules, seed: int) -> list[Move]:
    """The first moves of a random play."""
    random = Random(seed)  # noqa: S311
    return list(islice(moves(rules, lambda _, actions: random.randrange(len(actions)), by_chance(random)), MOST))


def told(move: Move) -> str:
    """What is said of a move after its dice, or after the name of its option."""
    return move.step.sequel if move.action is not None else move.step.story


@pytest.mark.parametrize("name", shipped())
def test_both_engines_offer_and_say_the_same(name: str) -> None:
    rules = ruleset(f"shipped-{name}")
    game = bind(rules)
    aloud = Rules(game, aloud=True)
    for seed in range(3):
        found = play(aloud, seed)
        writer = Writer(aloud)
        for move in found:
            writer.add(move)
        job: dict[str, Any] = {
            "bundle": bundle(rules),
            "seats": game.seats,
            "parameters": dict(game.parameters),
            "entries": entry_words(rules),
            "rules": sha256(rules),
            "data": writer.data(found[-1].step.state),
        }
        (answer,) = node.answers(Path(__file__).with_name("words.mjs"), {"job": "aloud", **job})
        assert len(answer) == len(found)
        for move, (offers, text) in zip(found, answer, strict=True):
            if move.action is not None:
                assert offers == [aloud.offer(move.state, action) for action in aloud.actions(move.state)]
            if any(move.step.said) and told(move):
                assert text.endswith(f" {told(move)}"), (move, text)


def test_what_is_said_is_no_rule(tmp_path: Path) -> None:
    text = (RULESETS / "pig.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.strip().startswith(("say:", "does:"))]
    assert len(lines) < len(text.splitlines())
    (tmp_path / "pig.yaml").write_text("\n".join(lines), encoding="utf-8")
    assert sha256(load(tmp_path / "pig.yaml")[0]) == sha256(ruleset("shipped-pig"))


def test_words_that_cannot_be_filled_in_give_way_to_the_name(tmp_path: Path) -> None:
    text = (RULESETS / "pig.yaml").read_text(encoding="utf-8")
    broken = text.replace("{pot + die|point|points}", "{6 // (die * 0)}")
    assert broken != text
    (tmp_path / "pig.yaml").write_text(broken, encoding="utf-8")
    rules, _ = load(tmp_path / "pig.yaml")
    steps = [move.step for move in play(Rules(bind(rules), aloud=True), 1)]
    assert "Safe" in {step.story for step in steps}
