"""Whole answers as bytes: compressed JSON of their parts, without the game and its ruleset."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any, get_type_hints

from oddsmith.report.answers import answers
from oddsmith.report.answers.answers import Answer, Kept
from oddsmith.report.answers.packing import Form, form
from oddsmith.ruleset import game_at
from oddsmith.ruleset.model import Ruleset, Setting


@cache
def form_of(part: str) -> Form:
    """How a part of an answer is written."""
    kept: Any = vars(Answer)[part]
    return form(get_type_hints(kept.func)["return"])


@cache
def shape() -> str:
    """What an answer consists of, down to every field: what reads another shape reads nonsense."""
    names = [name for name, part in vars(Answer).items() if isinstance(part, Kept)]
    return "; ".join(f"{name}: {form_of(name).shape}" for name in names)


def packed(answer: Answer, of: str = "") -> bytes:
    """A complete answer as compressed JSON. ``of``: the address of what it answers, where that goes with it."""
    parts = {name: form_of(name).write(getattr(answer, name)) for name in answer.parts}
    data = {"of": of, "failure": answer.failure, "parts": parts}
    return gzip.compress(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), 6, mtime=0)


def unpacked(data: bytes, ruleset: Ruleset, setting: Setting) -> Answer:
    """The answer that was packed, with the words that its ruleset has now."""
    kept = json.loads(gzip.decompress(data))
    found = Answer(setting, game_at(ruleset, setting), None, kept["failure"], setting == ruleset.edition.home)
    vars(found).update({name: form_of(name).read(part) for name, part in kept["parts"].items()})
    return found


def whole(ruleset: Ruleset, setting: Setting) -> bytes:
    """A setting solved with all that pages need, packed."""
    return packed(complete(ruleset, setting))


def complete(ruleset: Ruleset, setting: Setting) -> Answer:
    """A setting solved with all that pages need."""
    found = answers.answer(ruleset, setting)
    found.complete()
    return found
