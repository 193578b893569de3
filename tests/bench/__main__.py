"""Times `oddsmith solve` on every shipped ruleset: `make bench`. Measures, and never passes or fails."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def solve(ruleset: Path) -> str:
    """One row of the table, from the command's own account of where the time went."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "oddsmith", "solve", str(ruleset), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    total = time.perf_counter() - started
    if done.returncode != 0:
        return f"{ruleset.stem:<24} failed: {done.stderr.strip()[-80:]}"
    result = json.loads(done.stdout)
    graph, spent = result["graph"], result["seconds"]
    sizes = f"{graph['states']:>12,} {graph['transitions']:>13,}"
    times = f"{spent['explore']:>8.2f} {spent['solve']:>8.2f} {spent['verify']:>8.2f} {total:>8.2f}"
    return f"{ruleset.stem:<24} {sizes} {times}  {result['grade']}"


def main() -> None:
    times = f"{'explore':>8} {'solve':>8} {'verify':>8} {'total s':>8}"
    print(f"{'ruleset':<24} {'states':>12} {'transitions':>13} {times}  grade")
    for ruleset in sorted((ROOT / "rulesets").glob("*.yaml")):
        print(solve(ruleset), flush=True)


if __name__ == "__main__":
    main()
