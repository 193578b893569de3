"""Answers that come with the program, because they take long to find.

The name of such a file has the hash of its bytes, and its bytes have the address of what it answers. A file is refused where
either is another one: it was changed, the rules were, or the engine answers otherwise now. Then the game is solved.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from oddsmith.report.answers import answers, solving
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.names import address
from oddsmith.report.answers.packing import pack, unpack
from oddsmith.ruleset.model import Ruleset, Setting

HASH = 16  # hexadecimal digits of a name
ENDING = ".json.gz"


@dataclass(frozen=True)
class ShippedAnswers:
    """Answers that come with the program. ``files``: gives the files of a ruleset by name, from the id of the ruleset."""

    files: Callable[[str], Mapping[str, bytes]]

    def has(self, ruleset: Ruleset, setting: Setting) -> bool:
        """Whether there is a shipped answer whose address and hash are right."""
        return self._bytes(ruleset, setting) is not None

    def known(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """The shipped answer, or None if there is none for these rules."""
        data = self._bytes(ruleset, setting)
        return None if data is None else unpack(data, ruleset, setting)

    def keep(self, answer: Answer) -> None:
        """Does nothing: shipped answers are never changed."""

    def answer(self, ruleset: Ruleset, setting: Setting) -> Answer:
        """The shipped answer, or a new one."""
        return self.known(ruleset, setting) or solving.solved_answer(ruleset, setting)

    def _bytes(self, ruleset: Ruleset, setting: Setting) -> bytes | None:
        start = f"{answers.slug(setting)}."
        found = [(name, data) for name, data in self.files(ruleset.id).items() if name.startswith(start)]
        right = [data for name, data in found if name == f"{start}{_digest(data)}{ENDING}"]
        of = address(ruleset, setting)
        return next((data for data in right if json.loads(gzip.decompress(data))["of"] == of), None)


NOTHING = ShippedAnswers(lambda _: {})


def to_ship(answer: Answer) -> tuple[str, bytes]:
    """A complete answer as a file: its name and its bytes."""
    data = pack(answer, address(answer.game.ruleset, answer.setting))
    return f"{answer.slug}.{_digest(data)}{ENDING}", data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:HASH]
