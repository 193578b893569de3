"""Work that may be shared: what does it is given by whoever knows of processes and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

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
