"""Answers that are kept between builds, so that only what changed is solved again.

The name of an answer is a hash of everything it follows from: the code that solves and reports, the rules, the questions
asked of them, and the setting. Prose, source and claims are no part of it.

What is kept is plain data, which runs nothing when it is read. But its numbers are believed, so it is read only where its seal
shows that it was written under this name by who has the key.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from importlib.metadata import version
from typing import Any, Protocol, get_type_hints

from oddsmith.report.answers import answers as plan
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.packing import Form, form
from oddsmith.report.facts import claim_key, claim_setting
from oddsmith.resources import package_code
from oddsmith.ruleset import canonical, game_at, plain_data, sha256
from oddsmith.ruleset.model import Ruleset, Setting

ENGINE = (
    "errors.py", "exact.py", "limits.py", "location.py", "outcomes.py", "dice.py", "expr", "ruleset", "derive", "graph",
    "solve", "report",
)  # fmt: skip
"""Code that an answer comes from; the rest only shows it."""

LIBRARIES = ("numpy", "scipy", "sympy", "python-flint")
SEAL_BYTES = 32
SHOWN_ONLY = ("title", "summary", "source", "prose", "tables", "claims", "publish")


class Shelf(Protocol):
    """Where bytes are kept by name: whole or not at all, whoever else writes at the same time."""

    def get(self, name: str) -> bytes | None:
        """What is kept under a name."""

    def put(self, name: str, data: bytes) -> None:
        """Keep it."""


@dataclass(frozen=True)
class Sealed:
    """Bytes by name, each with a seal that only the key can make. ``shelf``: where they lie; ``secret``: the key."""

    shelf: Shelf
    secret: bytes = field(repr=False)

    def get(self, name: str) -> bytes | None:
        """What is kept under a name and has its seal; None where there is nothing to believe."""
        found = self.shelf.get(name) or b""
        seal, data = found[:SEAL_BYTES], found[SEAL_BYTES:]
        return data if hmac.compare_digest(seal, self._seal(name, data)) else None

    def put(self, name: str, data: bytes) -> None:
        """Keep bytes under a name."""
        self.shelf.put(name, self._seal(name, data) + data)

    def _seal(self, name: str, data: bytes) -> bytes:
        """What only the key can make of a name and what is kept under it; names are all of one length."""
        return hmac.digest(self.secret, name.encode() + data, "sha256")


class Store(Sealed):
    """Answers by what they follow from."""

    def has(self, ruleset: Ruleset, setting: Setting) -> bool:
        """Whether an answer is kept that will be believed."""
        return self.get(name_of(ruleset, setting)) is not None

    def known(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """The answer that is kept and has its seal, if there is one."""
        data = self.get(name_of(ruleset, setting))
        if data is None:
            return None
        return unpacked(data, ruleset, setting)

    def keep(self, answer: Answer) -> None:
        """Keep an answer that is complete."""
        self.take(answer.game.ruleset, answer.setting, packed(answer))

    def take(self, ruleset: Ruleset, setting: Setting, data: bytes) -> None:
        """Keep an answer that was packed elsewhere, by somebody who is believed."""
        self.put(name_of(ruleset, setting), data)

    def answer(self, ruleset: Ruleset, setting: Setting) -> Answer:
        """The answer that is kept, or a new one, which is kept then. What has no right seal is made again."""
        found = self.known(ruleset, setting)
        if found is None:
            found = _complete(ruleset, setting)
            self.keep(found)
        return found


@cache
def form_of(part: str) -> Form:
    """How a part of an answer is written."""
    kept: Any = vars(Answer)[part]
    return form(get_type_hints(kept.func)["return"])


def packed(answer: Answer) -> bytes:
    """A complete answer as compressed JSON, without its game and its ruleset."""
    parts = {name: form_of(name).write(getattr(answer, name)) for name in answer.parts}
    data = {"failure": answer.failure, "parts": parts}
    return gzip.compress(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), 6, mtime=0)


def unpacked(data: bytes, ruleset: Ruleset, setting: Setting) -> Answer:
    """The answer that was packed, with the words that its ruleset has now."""
    kept = json.loads(gzip.decompress(data))
    found = Answer(setting, game_at(ruleset, setting), None, kept["failure"], setting == ruleset.edition.home)
    vars(found).update({name: form_of(name).read(part) for name, part in kept["parts"].items()})
    return found


def whole(ruleset: Ruleset, setting: Setting) -> bytes:
    """A setting solved with all that pages need, packed."""
    return packed(_complete(ruleset, setting))


def _complete(ruleset: Ruleset, setting: Setting) -> Answer:
    found = plan.answer(ruleset, setting)
    found.complete()
    return found


def name_of(ruleset: Ruleset, setting: Setting) -> str:
    """The name of an answer: hexadecimal digits."""
    asked = {name: part for name, part in ruleset.data.items() if name not in SHOWN_ONLY}
    home = ruleset.edition.home
    shown = [setting == home, replace(setting, seats=home.seats) == home]
    claims = [claim_key(ruleset, each) for each in ruleset.claims if claim_setting(ruleset, each.of) == setting]
    parts = [engine(), sha256(ruleset), asked, astuple(setting), shown, claims]
    return hashlib.sha256(canonical(plain_data(parts))).hexdigest()


@cache
def engine() -> str:
    """The version of the engine: a hash of its code and of the libraries that count for it."""
    found = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for name, code in package_code(ENGINE):
        found.update(name.encode() + b"\0" + code)
    return found.hexdigest()
