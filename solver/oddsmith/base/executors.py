"""How long work is done: its options, and executors that may distribute it.

The caller of long work passes an executor with processes or machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from oddsmith.base.errors import SolveError

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Work:
    """How a large game is solved.

    ``by``: as one graph in memory, or stage by stage; None leaves the choice to the number of positions. ``memory``: the most
    bytes that a stage may need. ``store``: a folder in which solved stages are kept, so that they are not solved again. Both
    of these select stages. ``jobs``: the number of processes that share the parts of a stage. ``cluster``: a running Dask
    cluster that does instead, by its address or as a client of it. ``begin`` is called before stages are solved, with
    the reason why stages are used, and the effort that they need.
    """

    by: Literal["graph", "stages"] | None = None
    memory: int | None = None
    store: Path | str | None = None
    jobs: int = 1
    cluster: Any = None
    begin: Callable[[str, Any], None] | None = None

    @property
    def bounded(self) -> bool:
        """Whether ``memory`` or ``store`` is given, either of which selects stages."""
        return self.memory is not None or self.store is not None


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


def completed(
    executor: Executor, work: Callable[[Task], Result], tasks: Sequence[Task]
) -> Iterator[tuple[Task, Result]]:
    """Yield each part of a stage with the result of its work.

    A single part is done in this process. Raises SolveError if a worker process died.
    """
    for task, result in (executor if len(tasks) > 1 else SerialExecutor())(work, tasks):
        if result is None:
            raise SolveError(
                "something outside ended a process that worked on a stage, perhaps because memory ran out: try fewer --jobs "
                "or less --memory; with --store, stages that were solved are kept"
            )
        yield task, result
