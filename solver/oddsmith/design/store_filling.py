"""Fills a store with the answers that pages need, by several processes or by the computers of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.api import LoadedRuleset, open_answer_store, share_tasks
from oddsmith.base.errors import InputError

if TYPE_CHECKING:
    from oddsmith.base.progress import Progress
    from oddsmith.ruleset.model import Ruleset, Setting


Task = tuple[str, str, str, "Setting"]
"""The name of a game in progress reports, its file, its text (for a computer without the file), and the setting."""


def fill_store(
    books: Mapping[str, LoadedRuleset],
    include_full: bool,
    folder: Path,
    jobs: int = 1,
    cluster: Any = None,
    progress: Progress | None = None,
) -> None:
    """Solve the games that a store of answers lacks, several at the same time. Store each answer as soon as it is
    ready.

    ``books``: rulesets by their names in progress reports. ``include_full``: whether to add the games that they list
    under ``full``. ``folder``: the folder of the store. ``jobs``, ``cluster``: as for ``share_tasks``. Without a
    cluster, do nothing if fewer than ``jobs`` games are missing. Raises InputError if a process dies.
    """
    from oddsmith.report.answers import settings_to_solve

    store = open_answer_store(folder)
    todo = [
        (name, book.ruleset.source.file, book.ruleset.source.text, setting)
        for name, book in books.items()
        for part in settings_to_solve(book.ruleset, include_full)
        for setting in part
        if not store.has_answer(book.ruleset, setting)
    ]
    if cluster is None and len(todo) < jobs:
        return
    # At the end, nobody waits long for another. What is secret makes a game long that has few positions.
    todo.sort(
        key=lambda task: (
            not books[task[0]].ruleset.has_secrets,
            -_count_cell_combinations(books[task[0]].ruleset, task[3]),
        )
    )
    for number, ((name, _, _, setting), found) in enumerate(share_tasks(_solve_and_pack, todo, jobs, cluster), 1):
        if found is None:
            raise InputError(
                "something outside ended a process that was solving, perhaps because memory ran out: try --jobs 1; "
                "what was solved is kept"
            )
        store.put_answer_bytes(books[name].ruleset, setting, found)
        if progress:
            progress(f"solved {name}", number, len(todo))


def _count_cell_combinations(ruleset: Ruleset, setting: Setting) -> int:
    """Return the number of combinations of values of all variables of a game, by which games are ordered by expected
    time.
    """
    from oddsmith.ruleset import bind

    return prod(cell.most - cell.least + 1 for cell in bind(ruleset, setting).cells)


def _solve_and_pack(task: Task) -> bytes:
    """Solve a game, and return its answer as bytes for a store."""
    from threadpoolctl import threadpool_limits

    from oddsmith.report.answers import solve_and_pack

    _, file, text, setting = task
    with threadpool_limits(1):
        return solve_and_pack(_read_ruleset(file, text), setting)


@lru_cache(maxsize=8)
def _read_ruleset(file: str, text: str) -> Ruleset:
    from oddsmith.base.location import Source
    from oddsmith.ruleset.reading import read_ruleset

    return read_ruleset(Source(file, text))[0]
