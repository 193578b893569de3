"""A text that somebody types is read in parts: together they are the whole text, and a key that is typed reads its own."""

from __future__ import annotations

from itertools import pairwise

import pytest

from oddsmith.base.location import Source
from oddsmith.editor import reading
from oddsmith.editor.reading import ParsedText, cursor_at, parse_leniently
from oddsmith.ruleset.reading.source import parse_as_far_as_possible
from tests.cases import RULESETS, SAMPLES

TEXTS = sorted([*RULESETS.glob("*.yaml"), *SAMPLES.glob("*.yaml")])
OPEN = """format: 1
state:
  # what lies on the table
  purse: {max: 9,
  about: 'Coins, and the
  rest'}
  hoard: {max: 9}
phases:
  - no map
told: |
  one: line
  two: lines
"""


@pytest.mark.parametrize(
    "text", [*(path.read_text("utf-8") for path in TEXTS), OPEN], ids=[*(p.stem for p in TEXTS), ""]
)
def test_parts_read_by_themselves_are_the_whole_text_with_every_place(text: str) -> None:
    source = Source("game.yaml", text)
    whole, parts = parse_leniently(source), reading._read_by_sections(source, source.lines)
    assert told(parts) == told(whole)
    assert len(told(whole)) > 9
    assert parts.left_out == ()


def told(page: ParsedText) -> list[tuple[object, ...]]:
    """Every key and every value of a text but the whole, with its path, its place and how it is written."""
    places = [place for place in page.walk() if place.path]
    return [(each.path, each.is_key, each.node.data(), each.node.location, repr(each.node.text)) for each in places]


def test_a_key_that_is_typed_reads_no_more_than_its_own_part(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = max(TEXTS, key=lambda path: path.stat().st_size).read_text("utf-8").split("\n")
    parts = [0]  # the lengths of the keys of the map of phases
    for line in lines[lines.index("phases:") + 1 :]:
        if line[:1] not in ("", " "):
            break
        parts += [0] if line[:2] == "  " and line[2:3].isalpha() else []
        parts[-1] += 1
    assert len(parts) > 9
    heard: list[int] = []

    def read(source: Source) -> object:
        heard.append(sum(bool(line.strip()) for line in source.text.split("\n")))
        return parse_as_far_as_possible(source)

    monkeypatch.setattr(reading, "parse_as_far_as_possible", read)
    cursor_at(Source("", "\n".join(lines)), 2, 0)
    one, two = max(parts) + 1, max(map(sum, pairwise(parts))) + 1  # with the line above all parts
    asked = 0
    for row in range(lines.index("phases:") + 1, len(lines), 5):
        heard.clear()
        typed = [*lines]
        typed[row] += " s"
        cursor_at(Source("", "\n".join(typed)), row, len(typed[row]))
        # The line of a key that is broken belongs to the part before it as well.
        assert max(heard, default=0) <= (two if lines[row][2:3].isalpha() else one), row
        asked += len(heard)
    assert asked
