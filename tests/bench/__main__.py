"""Times the command line on the shipped rulesets: `make bench`. Measures, and never passes or fails.

Seconds depend on the machine; the last column is comparable between machines: the time as a multiple of what Python needs
on the same machine, in the same run, to start and load the numerical libraries.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from oddsmith.files import find_ruleset, shipped
from oddsmith.ruleset.build import load

CORES = 2
BASE = ["-c", "import numpy, scipy.sparse.linalg, sympy, networkx"]


def timed(arguments: list[str]) -> tuple[float, str]:
    """Seconds of a whole process, and what it printed; its error where it failed."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=Path.cwd())
    return time.perf_counter() - started, done.stdout if done.returncode == 0 else f"failed: {done.stderr[-200:]}"


def sizes(output: str) -> str:
    """States and transitions of a `solve --json`."""
    try:
        graph = json.loads(output)["graph"]
    except (ValueError, KeyError):
        return output.strip()[:60]
    return f"{graph['states']:>10,} states {graph['transitions']:>12,} transitions"


def row(name: str, seconds: float, base: float, note: str = "") -> None:
    print(f"{name:<52} {seconds:>7.2f} s {seconds / base:>7.1f} x  {note}", flush=True)


def main() -> None:
    timed(BASE)  # once for the file cache
    base = min(timed(BASE)[0] for _ in range(3))
    row("python with numpy, scipy, sympy, networkx", base, base)
    for name in shipped():
        row(f"check {name}", timed(["-m", "oddsmith", "check", name])[0], base)
        low, high, _ = load(find_ruleset(name))[0].seats
        commands = [["-m", "oddsmith", "solve", name, "--seats", str(n), "--json"] for n in range(low, high + 1)]
        for command in commands:
            seconds, output = timed(command)
            row(" ".join(command[2:-1]), seconds, base, sizes(output))
        started = time.perf_counter()
        with ThreadPoolExecutor(CORES) as pool:
            list(pool.map(timed, commands))
        row(f"all seats of {name}, {CORES} processes", time.perf_counter() - started, base)
        row(f"verify {name}", timed(["-m", "oddsmith", "verify", name, "--expected"])[0], base)


if __name__ == "__main__":
    main()
