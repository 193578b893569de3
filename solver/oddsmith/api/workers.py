"""Share tasks among processes or machines. Results are yielded as soon as they are known, and a worker that dies loses
only its own tasks.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from typing import Any

from oddsmith.base.errors import InputError
from oddsmith.base.exact import plural
from oddsmith.base.executors import Executor, Result, SerialExecutor, Task
from oddsmith.base.limits import Limits, limits, set_limits
from oddsmith.base.resources import missing_extra_text

ANSWERS = "20s"  # after which nobody is thought to answer at the address of a cluster
MAX_RETRIES = 3  # on other workers of a cluster, before a task is given up


@contextmanager
def open_workers(jobs: int = 1, cluster: Any = None) -> Iterator[Executor]:
    """Open an executor that shares tasks among workers: a running Dask cluster, several processes, or only this
    process.

    ``jobs``: the number of processes. ``cluster``: the address of the cluster or a client of it. Raises InputError.
    """
    if cluster is not None:
        with _cluster_client(cluster) as client:
            yield _ClusterExecutor(client)
    elif jobs > 1:
        processes = _ProcessExecutor(jobs)
        try:
            yield processes
        except BaseException:
            processes.terminate()
            raise
        processes.close()
    else:
        yield SerialExecutor()


def share_tasks(
    compute: Callable[[Task], Result], tasks: Sequence[Task], jobs: int = 1, cluster: Any = None
) -> Iterator[tuple[Task, Result | None]]:
    """Call ``compute`` for every task, and yield each task with its result, in the order of completion.

    A result is None if the process of its task died. ``jobs``, ``cluster``: the workers, as for ``open_workers``.
    Raises InputError.
    """
    with open_workers(min(jobs, len(tasks)), cluster) as share:
        yield from share(compute, tasks)


class _ProcessExecutor:
    """An executor of several processes on this machine. They are started with the first task, and again after a process
    has died.

    Errors of ``compute`` are raised to the caller and stop the other tasks. If a process dies, perhaps because memory
    ran out, every running task is repeated alone. A task that ends its process again has the result None.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.pool: ProcessPoolExecutor | None = None

    def __call__(
        self, compute: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]:
        left, alone = deque(tasks), deque[Task]()
        while left:
            with suppress(BrokenProcessPool):
                yield from self._run_in_processes(compute, left, self.jobs, alone)
        while alone:
            task = alone.popleft()
            try:
                yield from self._run_in_processes(compute, deque([task]), 1, deque())
            except BrokenProcessPool:
                yield task, None

    def _run_in_processes(
        self, compute: Callable[[Task], Result], pending: deque[Task], max_running: int, interrupted: deque[Task]
    ) -> Iterator[tuple[Task, Result]]:
        """Give the tasks in ``pending`` to processes as these become free, at most ``max_running`` at a time. Yield
        each task with its result.

        If a process dies, the tasks that were running are added to ``interrupted``. Raises BrokenProcessPool then.
        """
        if self.pool is None:
            # Started afresh, for libraries with threads of their own do not bear being copied.
            self.pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _set_up_process, (limits(),))
        held: dict[Future[Result], Task] = {}
        try:
            while pending or held:
                while pending and len(held) < max_running:
                    held[self.pool.submit(compute, pending[0])] = pending[0]
                    pending.popleft()
                for done in wait(held, return_when=FIRST_COMPLETED).done:
                    result = done.result()
                    yield held.pop(done), result
        except BrokenProcessPool:
            interrupted.extend(held.values())
            self.close()
            raise

    def close(self) -> None:
        """End the processes after their tasks are complete."""
        if self.pool is not None:
            self.pool.shutdown()
            self.pool = None

    def terminate(self) -> None:
        """End the processes without waiting for their tasks."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None
            for helper in active_children():
                helper.terminate()


def _set_up_process(parent_limits: Limits) -> None:
    """Set up a worker process: it ends silently on an interrupt, and it ends when its parent process ends.

    ``parent_limits``: the limits of the parent process, which the worker adopts.
    """
    set_limits(parent_limits)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    above = parent_process()
    assert above is not None

    def exit_with_parent() -> None:
        above.join()
        os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()


# --- on a cluster


@contextmanager
def _cluster_client(cluster: Any) -> Iterator[Any]:
    if not isinstance(cluster, str):
        yield cluster
        return
    try:
        client = _import_distributed().Client(cluster, timeout=ANSWERS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no cluster answers at {cluster}: {error}") from None
    with client:
        yield client


def _import_distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise InputError(missing_extra_text("a cluster", "dask")) from None


class _ClusterExecutor:
    """An executor on a running Dask cluster, given a client of it. Raises InputError if a worker has another version of
    Oddsmith.
    """

    def __init__(self, client: Any) -> None:
        _require_same_engine(client)
        self.client = client
        self.jobs = max(1, sum(client.nthreads().values()))

    def __call__(
        self, compute: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Result | None]]:
        dask = _import_distributed()
        futures = {self.client.submit(compute, task, retries=MAX_RETRIES, pure=False): task for task in tasks}
        try:
            with self.client.as_current():
                coming = dask.as_completed(list(futures))
            for done in coming:
                task = futures.pop(done)
                try:
                    found = done.result()
                except dask.KilledWorker:
                    found = None
                yield task, found
        finally:
            self.client.cancel(list(futures))


def _require_same_engine(client: Any) -> None:
    """Raise InputError if a worker runs another version of the engine than this program. Its answers would be stored as
    answers of this program.
    """
    from oddsmith.report.answers import engine_hash

    other = [worker for worker, found in client.run(engine_hash).items() if found != engine_hash()]
    if other:
        raise InputError(f"{plural(len(other), 'worker')} of the cluster, such as {other[0]}, has another Oddsmith")
