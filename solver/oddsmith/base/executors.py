"""Work that may be distributed: callers that know of processes and machines pass what does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from oddsmith.base.errors import SolveError

Task = TypeVar("Task")
Result = TypeVar("Result")


class Executor(Protocol):
    """Does work for every task, and yields each task with its result, in any order. ``jobs``: how many run at the same
    time.

    The result is None where the worker of a task ended. With several workers, tasks and results are sent between
    processes.
    """

    jobs: int

    def __call__(
        self, work: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]: ...


class SerialExecutor:
    """Does all work in this process, task by task."""

    jobs = 1

    def __call__(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result | None]]:
        return ((task, work(task)) for task in tasks)


def completed(share: Executor, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result]]:
    """Do work for every part of a stage, and yield each part with its result.

    A single part is done in this process. Raises SolveError where a worker process ends.
    """
    for task, result in (share if len(tasks) > 1 else SerialExecutor())(work, tasks):
        if result is None:
            raise SolveError(
                "something outside ended a process that worked on a stage, perhaps because memory ran out: try fewer --jobs "
                "or less --memory; with --store, stages that were solved are kept"
            )
        yield task, result
