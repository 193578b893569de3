"""A ruleset as data, written as YAML."""

from __future__ import annotations

import json
import re
from typing import Any

Data = Any
"""Dictionaries, lists, text, whole numbers and flags."""

_PLAIN = re.compile(r"[A-Za-z0-9(][A-Za-z0-9 _.+*()<>=/%!,\[\]'-]*")


def as_yaml(data: Data) -> str:
    """The text of a ruleset, in blocks."""
    return "\n".join(_lines(data)) + "\n"


def _lines(data: Data) -> list[str]:
    if isinstance(data, dict):
        return [line for key, value in data.items() for line in _entry(f"{key}:", value)]
    return [line for value in data for line in _item(value)]


def _entry(head: str, value: Data) -> list[str]:
    if isinstance(value, dict | list) and value:
        return [head, *("  " + line for line in _lines(value))]
    return [f"{head} {_scalar(value)}"]


def _item(value: Data) -> list[str]:
    if isinstance(value, dict | list) and value:
        first, *rest = _lines(value)
        return [f"- {first}", *("  " + line for line in rest)]
    return [f"- {_scalar(value)}"]


def _scalar(value: Data) -> str:
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    if not isinstance(value, str):
        return json.dumps(value)
    plain = _PLAIN.fullmatch(value) and not value.endswith(" ") and not re.fullmatch(r"[0-9.]+", value)
    return value if plain else json.dumps(value)
