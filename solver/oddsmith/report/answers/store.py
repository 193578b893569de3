"""Answers that are kept between builds, so that only changed games are solved again.

The key of an answer is a hash of everything that it depends on: the code that solves and reports, the rules, the
questions about them, and the setting. Descriptions and sources have no effect on it.

Answers are kept as plain data, and reading them runs no code. But their numbers are believed. So an answer is read only
if its seal (an HMAC) shows that somebody with the secret key wrote it under this name.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field

from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.estimated import EstimatedAnswer, estimated_answer, pack_estimate, unpack_estimate
from oddsmith.report.answers.names import estimate_key, store_key
from oddsmith.report.answers.packing import (
    pack_answer,
    pack_secret_answer,
    solve_with_all_parts,
    unpack_answer,
    unpack_secret_answer,
)
from oddsmith.report.answers.secret import SecretAnswer, solved_secret_answer
from oddsmith.report.answers.shipped import NOTHING, ShippedAnswers
from oddsmith.ruleset.model import EstimatedGame, Ruleset, Setting
from oddsmith.solve.staged import BlobStore, Bytes

SEAL_BYTES = 32


@dataclass(frozen=True)
class SealedStorage:
    """Storage of bytes by name, each with a seal that only the holder of a secret key can make.

    ``blobs``: the storage that holds the bytes. ``secret``: the secret key.
    """

    blobs: BlobStore
    secret: bytes = field(repr=False)

    def get(self, name: str) -> bytes | None:
        """Return the bytes kept under a name; None if there are none with a valid seal."""
        found = self.memory_map(name)
        return None if found is None else bytes(found)

    def memory_map(self, name: str) -> Bytes | None:
        """Return a view of the bytes kept under a name, without a copy; None if there are none with a valid seal."""
        found = memoryview(self.blobs.memory_map(name) or b"")
        seal, data = found[:SEAL_BYTES], found[SEAL_BYTES:]
        return data if hmac.compare_digest(seal, self._seal(name, data)) else None

    def put(self, name: str, *parts: Bytes) -> None:
        """Keep bytes under a name. ``parts``: the bytes, in one or more pieces."""
        self.blobs.put(name, self._seal(name, *parts), *parts)

    def _seal(self, name: str, *parts: Bytes) -> bytes:
        """Return the seal: the HMAC of a name followed by the bytes kept under it. All names have the same length, so
        the seal tells where the name ends.
        """
        made = hmac.new(self.secret, name.encode(), "sha256")
        for part in parts:
            made.update(part)
        return made.digest()


@dataclass(frozen=True)
class Store(SealedStorage):
    """Answers by their keys.

    ``shipped``: the answers that come with the program, which are not stored again.
    """

    shipped: ShippedAnswers = NOTHING

    def has_answer(self, ruleset: Ruleset, setting: Setting) -> bool:
        """Return whether an answer is shipped, or stored with a valid seal."""
        return self.shipped.has_answer(ruleset, setting) or self.get(store_key(ruleset, setting)) is not None

    def known_answer(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """Return the shipped or stored answer; None if there is none with a valid seal."""
        found = self.shipped.known_answer(ruleset, setting)
        data = None if found else self.get(store_key(ruleset, setting))
        return found if data is None else unpack_answer(data, ruleset, setting)

    def known_secret_answer(self, ruleset: Ruleset, setting: Setting) -> SecretAnswer | Answer | None:
        """Return the stored answer to a game with secrets, or the one that says why it cannot be solved; None if there
        is none with a valid seal.
        """
        data = self.get(store_key(ruleset, setting))
        return None if data is None else unpack_secret_answer(data, ruleset, setting)

    def keep(self, answer: Answer | SecretAnswer) -> None:
        """Keep an answer that is complete."""
        if isinstance(answer, SecretAnswer) or answer.game.ruleset.has_secrets:
            packed = pack_secret_answer(answer)
        else:
            packed = pack_answer(answer)
        self.put_answer_bytes(answer.game.ruleset, answer.setting, packed)

    def put_answer_bytes(self, ruleset: Ruleset, setting: Setting, data: bytes) -> None:
        """Keep an answer that was packed elsewhere, such as by another process. ``data``: its bytes. The caller must
        trust their source.
        """
        self.put(store_key(ruleset, setting), data)

    def answer_or_solve(self, ruleset: Ruleset, setting: Setting) -> Answer:
        """Return the shipped or stored answer. If there is none with a valid seal, compute and store a new one."""
        found = self.known_answer(ruleset, setting)
        if found is None:
            found = solve_with_all_parts(ruleset, setting)
            self.keep(found)
        return found

    def secret_answer_or_solve(
        self, ruleset: Ruleset, setting: Setting, progress: Progress = ignore_progress
    ) -> SecretAnswer | Answer:
        """Return what ``known_secret_answer`` returns. If there is no stored answer, compute and store a new one."""
        found = self.known_secret_answer(ruleset, setting)
        if found is None:
            found = solved_secret_answer(ruleset, setting, progress)
            self.keep(found)
        return found

    def known_estimate(self, ruleset: Ruleset, estimated_game: EstimatedGame) -> EstimatedAnswer | None:
        """Return the shipped or stored estimates; None if there are none with a valid seal."""
        found = self.shipped.known_estimate(ruleset, estimated_game)
        data = None if found else self.get(estimate_key(ruleset, estimated_game))
        return found if data is None else unpack_estimate(data, ruleset, estimated_game)

    def estimate_or_simulate(
        self, ruleset: Ruleset, estimated_game: EstimatedGame, progress: Progress = ignore_progress
    ) -> EstimatedAnswer:
        """Return the shipped or stored estimates. If there are none with a valid seal, compute and store new ones."""
        found = self.known_estimate(ruleset, estimated_game)
        if found is None:
            found = estimated_answer(ruleset, estimated_game, progress)
            self.put(estimate_key(ruleset, estimated_game), pack_estimate(found))
        return found
