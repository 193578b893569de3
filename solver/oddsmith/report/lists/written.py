"""A policy as it stands in a ruleset, in house style."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from oddsmith.report.lists.moves import Line

_PLAIN = re.compile(r"[A-Za-z-](?:[\w\s'’!?().=<>+*/%-]|,(?= )|\[|\])*")
_OTHER = re.compile(r"(?i)(?:true|false|yes|no|on|off|null)|.*\s|- .*")
_SHORT = re.compile(r"[^,\[\]{}]*")


def written(name: str, phases: Mapping[str, Sequence[Line]]) -> str:
    """The key ``policies`` with one policy."""
    lines = ["policies:", f"  {_scalar(name)}:"]
    for phase, choices in phases.items():
        lines.append(f"    {phase}:")
        for choice in choices:
            keys = [f"{key}: {_scalar(text)}" for key, text in choice.keys.items()]
            if len(keys) == 1 and _SHORT.fullmatch(keys[0]):
                lines.append(f"      - {{{keys[0]}}}")
            else:
                lines += [f"      {'  ' if number else '- '}{text}" for number, text in enumerate(keys)]
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    """A text as YAML reads it back: plain where that is certain, else in quotes."""
    return text if _PLAIN.fullmatch(text) and not _OTHER.fullmatch(text) else json.dumps(text, ensure_ascii=False)
