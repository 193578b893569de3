"""The texts of a ruleset: YAML as plain data, and sentences cut at their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from tests.random.text import Data

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")
_FLAGS = {"true": True, "false": False}


def data_of(text: str) -> Data:
    """A YAML file as data: only plain whole numbers are numbers, only ``true`` and ``false`` flags."""
    return _data(YAML(typ="safe", pure=True).compose(text))


def _data(node: Node) -> Data:
    if isinstance(node, MappingNode):
        return {_data(key): _data(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [_data(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    if not node.style:
        if _NUMBER.fullmatch(node.value):
            return int(node.value)
        return _FLAGS.get(node.value, node.value)
    return node.value


def listed(what: Any) -> list[Any]:
    """One or several, as a list."""
    return what if isinstance(what, list) else [what]


def outside(text: str) -> Iterator[int]:
    """The places of a text that stand in no brackets."""
    depth = 0
    for place, letter in enumerate(text):
        depth += letter in "([{"
        if not depth:
            yield place
        depth -= letter in ")]}"


def cut(text: str, word: str) -> tuple[str, str] | None:
    """What stands before and after a word; the last one outside brackets counts."""
    free = set(outside(text))
    found = [match for match in re.finditer(rf"(?<!\w){word}(?!\w)", text) if match.start() in free]
    return (text[: found[-1].start()].strip(), text[found[-1].end() :].strip()) if found else None
