"""Processes and machines that share work: each result comes as soon as it is there, and one that dies costs nobody else's."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from typing import Any, TypeVar

from oddsmith.errors import InputError
from oddsmith.exact import plural
from oddsmith.limits import Limits, limits, set_limits

Task = TypeVar("Task")
Result = TypeVar("Result")


ANSWERS = "20s"  # after which nobody is thought to answer at the address of a cluster
RETRIES = 3  # on other workers of a cluster, before a task is given up


def spread(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int = 1, cluster: Any = None
) -> Iterator[tuple[Task, Result | None]]:
    """Do ``work`` for every task on a Dask cluster, in several processes, or here: each task with its result, as they come.

    ``cluster``: a running cluster, by its address or as a client of it. None is the result of a task that ends whatever works
    on it. Raises InputError.
    """
    if cluster is not None:
        return _by_cluster(work, tasks, cluster)
    if jobs > 1 and len(tasks) > 1:
        return crew(work, tasks, jobs)
    return ((task, work(task)) for task in tasks)


def crew(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Result | None]]:
    """Do ``work`` for every task in ``jobs`` processes: each task with its result, in the order in which they come.

    What ``work`` raises is raised here, and stops the others. If a process dies, perhaps because memory ran out, the tasks
    that were in hand are done again, each alone. A task that ends its process even then has None as its result.
    """
    left, alone = deque(tasks), deque[Task]()
    while left:
        with suppress(BrokenProcessPool):
            yield from _share(work, left, jobs, alone)
    while alone:
        task = alone.popleft()
        try:
            yield from _share(work, deque([task]), 1, deque())
        except BrokenProcessPool:
            yield task, None


def _share(
    work: Callable[[Task], Result], left: deque[Task], jobs: int, lost: deque[Task]
) -> Iterator[tuple[Task, Result]]:
    """Hand out what is left as processes become free. Those that were in hand when a process died go to ``lost``.

    Raises BrokenProcessPool then.
    """
    held: dict[Future[Result], Task] = {}
    # Started afresh, for libraries with threads of their own do not bear being copied.
    with ProcessPoolExecutor(min(jobs, len(left)), get_context("spawn"), _begin, (limits(),)) as pool:
        try:
            while left or held:
                while left and len(held) < jobs:
                    held[pool.submit(work, left[0])] = left[0]
                    left.popleft()
                for done in wait(held, return_when=FIRST_COMPLETED).done:
                    result = done.result()
                    yield held.pop(done), result
        except BrokenProcessPool:
            lost.extend(held.values())
            raise
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for helper in active_children():
                helper.terminate()
            raise


def _begin(kept: Limits) -> None:
    """A process of a crew goes without a word on an interrupt, and when the one that started it has gone."""
    set_limits(kept)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    above = parent_process()
    assert above is not None

    def follow() -> None:
        above.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


# --- on a cluster


def _by_cluster(
    work: Callable[[Task], Result], tasks: Sequence[Task], cluster: Any
) -> Iterator[tuple[Task, Result | None]]:
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise InputError("a cluster needs Dask, which is not installed: pip install 'oddsmith[dask]'") from None
    if isinstance(cluster, str):
        try:
            client = dask.Client(cluster, timeout=ANSWERS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f"no cluster answers at {cluster}: {error}") from None
        with client:
            yield from _by_cluster(work, tasks, client)
        return
    _same_engine(cluster)
    futures = {cluster.submit(work, task, retries=RETRIES, pure=False): task for task in tasks}
    try:
        with cluster.as_current():
            coming = dask.as_completed(list(futures))
        for done in coming:
            task = futures.pop(done)
            try:
                found = done.result()
            except dask.KilledWorker:
                found = None
            yield task, found
    finally:
        cluster.cancel(list(futures))


def _same_engine(client: Any) -> None:
    """InputError where a worker solves by other code than this program: its answers would be kept under our name."""
    from oddsmith.report.answers import engine

    other = [worker for worker, found in client.run(engine).items() if found != engine()]
    if other:
        raise InputError(f"{plural(len(other), 'worker')} of the cluster, such as {other[0]}, has another Oddsmith")
