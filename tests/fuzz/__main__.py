"""Feed files by their seeds: ``python -m tests.fuzz KIND FIRST [COUNT]``, in a process with bounded memory and time."""

from __future__ import annotations

import resource
import signal
import sys
import traceback
import warnings
from collections import Counter

from tests.fuzz.feeding import KINDS, fed

MEMORY = 4 << 30
SECONDS = 60  # of work on one file


def main(kind: str, first: int, count: int = 1) -> int:
    """Feed them; print each fault, and at the end how far the files came. The exit code says whether there was a fault."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    ways: Counter[str] = Counter()
    for seed in range(first, first + count):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            ways[fed(kind, seed)] += 1
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            ways["FAULT"] += 1
            print(traceback.format_exc(limit=-6), file=sys.stderr)  # noqa: T201 - this is a command
    print(kind, first, dict(sorted(ways.items())))  # noqa: T201
    return int(ways["FAULT"] > 0)


def _hangs(*_: object) -> None:
    raise TimeoutError(f"over {SECONDS} s of work")


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, _hangs)
    if len(sys.argv) < 3 or sys.argv[1] not in KINDS:
        sys.exit(f"python -m tests.fuzz {'|'.join(KINDS)} FIRST [COUNT]")
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4])))
