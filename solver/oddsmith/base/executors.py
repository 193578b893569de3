"""Work that may be shared: what does it is given by whoever knows of processes and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from oddsmith.base.errors import SolveError

Task = TypeVar("Task")
Result = TypeVar("Result")


class Share(Protocol):
    """Does work for every task: each task with its result, as they come. ``jobs``: how many are done at the same time.

    None is the result of a task that ends whatever works on it. Where several share the work, tasks and results are sent.
    """

    jobs: int

    def __call__(
        self, work: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]: ...


class Alone:
    """Does everything here, one after the other."""

    jobs = 1

    def __call__(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result | None]]:
        return ((task, work(task)) for task in tasks)


def completed(share: Share, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result]]:
    """Work for every part of a stage. A single part is done here. Raises SolveError where a worker process ends."""
    for task, result in (share if len(tasks) > 1 else Alone())(work, tasks):
        if result is None:
            raise SolveError(
                "something outside ended a process that worked on a stage, perhaps because memory ran out: try fewer --jobs "
                "or less --memory; with --store, stages that were solved are kept"
            )
        yield task, result
