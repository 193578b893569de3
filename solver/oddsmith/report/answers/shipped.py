"""Answers that come with the program, because they take long to compute.

Each answer is a file. The name of the file contains a hash of its bytes. The file itself contains its *address*: a hash
of the rules, the setting and the version of answers. If either does not match, the file is refused, and the game is
solved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers import answers, solving
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.estimated import EstimatedAnswer, estimated_answer, pack_estimate, unpack_estimate
from oddsmith.report.answers.names import answer_address, estimate_address
from oddsmith.report.answers.packing import decompress_json, pack_answer, unpack_answer
from oddsmith.report.answers.secret import SecretAnswer, solved_secret_answer
from oddsmith.ruleset.model import EstimatedGame, Ruleset, Setting

HASH_DIGITS = 16  # hexadecimal digits of a name
ENDING, ESTIMATED = ".json.gz", ".estimated"


@dataclass(frozen=True)
class ShippedAnswers:
    """Answers that come with the program.

    ``files``: a function from the id of a ruleset to the bytes of its files by name.
    """

    files: Callable[[str], Mapping[str, bytes]]

    def has_answer(self, ruleset: Ruleset, setting: Setting) -> bool:
        """Whether there is a shipped answer with the right address and the right hash."""
        return self._answer_bytes(ruleset, setting) is not None

    def known_answer(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """Return the shipped answer; None if there is none for these rules."""
        data = self._answer_bytes(ruleset, setting)
        return None if data is None else unpack_answer(data, ruleset, setting)

    def known_secret_answer(self, ruleset: Ruleset, setting: Setting) -> SecretAnswer | Answer | None:  # noqa: ARG002
        """Return None: games with secrets do not ship their answers."""
        return None

    def keep(self, answer: Answer | SecretAnswer) -> None:
        """Do nothing: shipped answers are never changed."""

    def answer_or_solve(self, ruleset: Ruleset, setting: Setting) -> Answer:
        """Return the shipped answer. If there is none for these rules, solve the game."""
        return self.known_answer(ruleset, setting) or solving.solved_answer(ruleset, setting)

    def secret_answer_or_solve(
        self, ruleset: Ruleset, setting: Setting, progress: Progress = ignore_progress
    ) -> SecretAnswer | Answer:
        """Solve the game, and return its answer, or the one that says why it cannot be solved."""
        return solved_secret_answer(ruleset, setting, progress)

    def known_estimate(self, ruleset: Ruleset, estimated_game: EstimatedGame) -> EstimatedAnswer | None:
        """Return the shipped estimates; None if there are none for these rules."""
        data = self._file_bytes(
            ruleset, answers.setting_slug(estimated_game.setting) + ESTIMATED, estimate_address(ruleset, estimated_game)
        )
        return None if data is None else unpack_estimate(data, ruleset, estimated_game)

    def estimate_or_simulate(
        self, ruleset: Ruleset, estimated_game: EstimatedGame, progress: Progress = ignore_progress
    ) -> EstimatedAnswer:
        """Return the shipped estimates. If there are none for these rules, simulate the game."""
        return self.known_estimate(ruleset, estimated_game) or estimated_answer(ruleset, estimated_game, progress)

    def _answer_bytes(self, ruleset: Ruleset, setting: Setting) -> bytes | None:
        """Return the bytes of the shipped answer for a setting; None if there is none for these rules."""
        return self._file_bytes(ruleset, answers.setting_slug(setting), answer_address(ruleset, setting))

    def _file_bytes(self, ruleset: Ruleset, file_name: str, address: str) -> bytes | None:
        """Return the bytes of a file if its hash and its address are right; else None.

        ``file_name``: the name of the file without the hash. ``address``: the right address.
        """
        found = [data for each, data in self.files(ruleset.id).items() if each == _file_name_with_hash(file_name, data)]
        return next((data for data in found if decompress_json(data)["of"] == address), None)


NOTHING = ShippedAnswers(lambda _: {})


def answer_file_name_and_bytes(answer: Answer) -> tuple[str, bytes]:
    """Return the name and the bytes of the file with which a complete answer is shipped."""
    data = pack_answer(answer, answer_address(answer.game.ruleset, answer.setting))
    return _file_name_with_hash(answer.slug, data), data


def estimate_file_name_and_bytes(answer: EstimatedAnswer) -> tuple[str, bytes]:
    """Return the name and the bytes of the file with which estimates are shipped."""
    data = pack_estimate(answer, estimate_address(answer.game.ruleset, answer.of))
    return _file_name_with_hash(answer.slug + ESTIMATED, data), data


def _file_name_with_hash(name: str, data: bytes) -> str:
    return f"{name}.{hashlib.sha256(data).hexdigest()[:HASH_DIGITS]}{ENDING}"
