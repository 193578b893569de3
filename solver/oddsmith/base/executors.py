"""Options for the work of solving a large game, and executors that run its tasks.

A caller with several processes or machines passes an executor that distributes the tasks among them.
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
    """Options for solving a large game.

    ``method``: ``graph`` solves it as one graph in memory, ``stages`` stage by stage; None: the number of positions
    decides. ``memory``: the largest number of bytes that a stage may need. ``store``: a folder that keeps solved
    stages, so that they are not solved again. Either of ``memory`` and ``store`` selects stages. ``jobs``: the number
    of processes that share the parts of a stage. ``cluster``: a running Dask cluster to use instead of processes: its
    address, or a client of it. ``before_stages``: a function that is called before stages are solved, with the reason
    for using stages and the effort that they need.
    """

    method: Literal["graph", "stages"] | None = None
    memory: int | None = None
    store: Path | str | None = None
    jobs: int = 1
    cluster: Any = None
    before_stages: Callable[[str, Any], None] | None = None

    @property
    def requires_stages(self) -> bool:
        """Whether ``memory`` or ``store`` is given, so that the game is solved stage by stage."""
        return self.memory is not None or self.store is not None


class Executor(Protocol):
    """A callable that applies ``compute`` to each task, and yields pairs (task, result) in any order.

    ``jobs``: the number of tasks that run at the same time. A result is None if the worker process of its task died. If
    there are several workers, tasks and results are pickled.
    """

    jobs: int

    def __call__(
        self, compute: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]: ...


class SerialExecutor:
    """An executor that runs all tasks in this process, one after the other."""

    jobs = 1

    def __call__(
        self, compute: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]:
        return ((task, compute(task)) for task in tasks)


@dataclass(frozen=True)
class Resources:
    """What solving by stages may use: ``memory``, in bytes, by default all memory of the machine; and the ``executor``
    that distributes its tasks among processes.
    """

    memory: int | None = None
    executor: Executor = SerialExecutor()


def completed_tasks(
    executor: Executor, compute: Callable[[Task], Result], tasks: Sequence[Task]
) -> Iterator[tuple[Task, Result]]:
    """Yield each task, such as a part of a stage, with its result.

    ``compute``: the function that computes the result of a task.

    A single task runs in this process, without the executor. Raises SolveError if a worker process died.
    """
    for task, result in (executor if len(tasks) > 1 else SerialExecutor())(compute, tasks):
        if result is None:
            raise SolveError(
                "something outside ended a process that worked on a stage, perhaps because memory ran out: try fewer --jobs "
                "or less --memory; with --store, stages that were solved are kept"
            )
        yield task, result
