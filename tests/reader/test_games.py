"""Every game there is means the same to the plain reader as to the one-state rules, as far as some positions go."""

from __future__ import annotations

from pathlib import Path

import pytest

from oddsmith.base.location import Source
from oddsmith.ruleset import model
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from tests.cases import RULESETS, SAMPLES, SHIPPED, Case, cases
from tests.docs.blocks import Block, block_id
from tests.docs.test_language import LINE, VALUES, whole, yaml
from tests.reader.agree import differences
from tests.reader.expressions import value
from tests.reader.scene import Scene, Setting
from tests.reader.texts import data_of
from tests.reader.values import Hand, Seat

MOST = 12  # positions of each game
STARTERS = sorted((RULESETS / "starters").glob("*.yaml"))


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_a_game_is_read_alike(case: Case) -> None:
    folder = SAMPLES if (SAMPLES / f"{case.name}.yaml").exists() else RULESETS
    text = (folder / f"{case.name.removeprefix(SHIPPED)}.yaml").read_text("utf-8")
    assert differences(data_of(text), case.game, MOST) == []


@pytest.mark.parametrize("path", STARTERS, ids=lambda path: path.stem)
def test_a_starter_is_read_alike(path: Path) -> None:
    rules = load_ruleset(path)[0]
    text = path.read_text("utf-8")
    for variants in ((), *((name,) for name in rules.variants)):
        assert differences(data_of(text), bind(rules, model.Setting(variants=variants)), MOST) == []


@pytest.mark.parametrize("block", yaml(wrong=False), ids=block_id)
def test_an_example_of_the_page_is_read_alike(block: Block) -> None:
    text = whole(block)
    assert differences(data_of(text), bind(read_ruleset(Source(str(block), text))[0]), MOST) == []


@pytest.mark.parametrize("line", VALUES)
def test_a_value_is_what_the_page_says(line: str) -> None:
    match = LINE.fullmatch(line)
    assert match is not None
    text, _, told = line[match.start("text") :].rpartition(" = ")
    scene = Scene(Setting(1), {}, Seat(0), Seat(0), set())
    if match["name"]:
        scene.local[match["name"]] = Hand.of((int(face), "d6") for face in match["faces"].split())
    assert shown(value(text, scene)) == told


def shown(found: object) -> str:
    """A value as the page writes it."""
    if isinstance(found, Hand):
        return "{" + " ".join(map(str, found.faces)) + "}"
    if isinstance(found, list):
        return "[" + ", ".join(map(shown, found)) + "]"
    return str(found).lower() if isinstance(found, bool) else str(found)
