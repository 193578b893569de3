"""Runs the command line again and again, each time in a process of its own that is stopped or refused at one operation.

Started with the package on its path, it reads jobs as lines of JSON and answers each with a line: the exit code, what was
printed, and how many operations on files below the folder there were. A job has ``words`` of the command line and its
``folder``; ``how`` and ``at``: what happens in place of which operation; ``room``: how many bytes a file may have.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import pkgutil
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = {
    "os.rename": 2,
    "os.remove": 1,
    "os.mkdir": 2,
    "os.rmdir": 1,
    "os.link": 2,
    "os.chmod": 2,
    "os.truncate": None,
}
"""What changes files, and which of what is told of it is the open folder that a path starts from, -1 for none."""


def refused(number: int) -> Callable[[], None]:
    """The system says no."""

    def now() -> None:
        raise OSError(number, os.strerror(number))

    return now


HOW = {
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "interrupt": lambda: os.kill(os.getpid(), signal.SIGINT),
    "full": refused(errno.ENOSPC),
    "denied": refused(errno.EROFS),
}


def opened(number: int) -> Path:
    """What an open file is called; a pipe has a name without a folder."""
    return Path("/", Path(f"/proc/self/fd/{number}").readlink())


def watch(folder: str, at: int | None, how: str) -> list[int]:
    """Count what a process does to files below a folder, and do something else at one of them."""
    steps = [0]

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event not in CHANGES and not (event == "open" and isinstance(given[2], int) and given[2] & WRITES):
            return
        path = given[0]
        if isinstance(path, int):  # a file that is open already
            path = opened(path)
        elif (place := CHANGES.get(event)) is not None and given[place] >= 0:
            path = opened(given[place]) / os.fspath(path)
        if not os.path.abspath(os.fspath(path)).startswith(f"{folder}/"):  # noqa: PTH100 - as text
            return
        steps[0] += 1
        if steps[0] == at:
            HOW[how]()

    sys.addaudithook(hook)
    return steps


def child(job: dict[str, Any], printed: Sequence[int], counted: int) -> None:
    """One run of the command line, in this process, which it ends."""
    from oddsmith.cli import main  # noqa: PLC0415 - it is there by now

    os.chdir(job["folder"])
    for number, stream in enumerate(printed, 1):
        os.dup2(stream, number)
    if "room" in job:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["room"], job["room"]))
    steps = watch(job["folder"], job.get("at"), job.get("how", ""))
    try:
        main(job["words"])
    finally:
        os.write(counted, str(steps[0]).encode())


def run(job: dict[str, Any]) -> dict[str, Any]:
    """What came of a job. What it prints is less than a pipe holds."""
    pipes = [os.pipe() for _ in range(3)]
    ends = [end for _, end in pipes]
    process = os.fork()
    if not process:
        code = 99
        try:
            child(job, ends[:2], ends[2])
        except SystemExit as over:
            code = int(over.code or 0)
        finally:
            sys.stdout.flush()
            os._exit(code)
    for end in ends:
        os.close(end)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    out, err, steps = (os.fdopen(told, encoding="utf-8").read() for told, _ in pipes)
    return {"code": code, "steps": int(steps or 0), "out": out, "err": err}


def everything() -> None:
    """Load the whole program, so that no run has to."""
    package = importlib.import_module("oddsmith")
    for found in pkgutil.walk_packages(package.__path__, "oddsmith."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


if __name__ == "__main__":
    everything()
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)  # noqa: T201 - its answers
