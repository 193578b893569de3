"""Functions for the commands that write folders of solved games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.api import open_answer_store, shipped_answer_store
from oddsmith.base.errors import InputError
from oddsmith.cli.common import Command, store_option, terminal_progress

if TYPE_CHECKING:
    from oddsmith.report.answers import RulesetAnswers
    from oddsmith.ruleset.model import Ruleset


STORE = store_option("Folder that keeps answers, so that only what changed is solved again.")


def folder_option(help_text: str) -> Callable[[Command], Command]:
    """Make the option for the folder that a command writes; ``help_text``: its help."""
    where = click.Path(path_type=Path, file_okay=False)
    return click.option("-o", "--output", required=True, metavar="DIR", type=where, help=help_text)


def stored_or_solved_answers(games: Sequence[Ruleset], store: Path | None, full: bool = False) -> list[RulesetAnswers]:
    """Return the answers of each game. Those in the store are read, and the others are solved. ``full``: whether to add
    the games under the key ``full``.
    """
    from threadpoolctl import threadpool_limits

    from oddsmith.report.answers import answers_of

    kept = open_answer_store(store) if store else shipped_answer_store()
    with terminal_progress() as report, threadpool_limits(1):  # small systems: threads only get in one another's way
        return [answers_of(game, report, full, kept) for game in games]


def refuse_foreign_folder(folder: Path, marked_file: str, marker: bytes, alternative: str) -> None:
    """Raise InputError if a folder contains files that oddsmith did not write.

    A folder that is new or empty is accepted, and a folder whose file ``marked_file`` contains ``marker``.
    ``alternative``: what the user may choose instead, for the error.
    """
    from oddsmith.base.files import UNFINISHED_SUFFIX

    if folder.is_dir() and any(not path.name.endswith(UNFINISHED_SUFFIX) for path in folder.iterdir()):
        written = folder / marked_file
        if not written.is_file() or marker not in written.read_bytes():
            raise InputError(f"{folder} holds something that oddsmith did not write: choose another {alternative}")
