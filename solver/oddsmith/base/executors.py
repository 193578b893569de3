"""Executors for work that may be distributed. The caller of long work passes an executor with processes or machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from oddsmith.base.errors import SolveError

Task = TypeVar("Task")
Result = TypeVar("Result")


class Executor(Protocol):
    """Does work for every task, and yields each task with its result, in any order.

    ``jobs``: how many tasks run at the same time. A result is None if the worker process of its task died. With several
    workers, tasks and results are pickled.
    """

    jobs: int

    def __call__(
        self, work: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]: ...


class SerialExecutor:
    """An executor that does all work in this process, task by task."""

    jobs = 1

    def __call__(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result | None]]:
        return ((task, work(task)) for task in tasks)


def completed(share: Executor, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result]]:
    """Yield each part of a stage with the result of its work.

    A single part is done in this process. Raises SolveError if a worker process died.
    """
    for task, result in (share if len(tasks) > 1 else SerialExecutor())(work, tasks):
        if result is None:
            raise SolveError(
                "something outside ended a process that worked on a stage, perhaps because memory ran out: try fewer --jobs "
                "or less --memory; with --store, stages that were solved are kept"
            )
        yield task, result
