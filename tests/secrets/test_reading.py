"""The one-state rules and the plain reader say the same of games with secrets, and of choices at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import load
from tests.reader.agree import differences

GAMES = sorted(Path(__file__).with_name("games").glob("*.yaml"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_plain_reader_agrees(path: Path) -> None:
    data = YAML(typ="safe").load(path.read_text("utf-8"))
    assert differences(data, bind(load(path)[0]), 120) == []
