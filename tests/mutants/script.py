"""The same for the checker in JavaScript: ``python -m tests.mutants.script [--every N] [--only WORDS]``."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.certify.suite import cases
from tests.mutants.equivalents import PATTERNS_OF_THE_SCRIPT, pattern_of
from tests.node import NODE, ROOT

CHECKER = ROOT / "site" / "proof" / "check.mjs"


def main(args: Sequence[str] | None = None) -> int:
    """Run the mutants, and tell of those that pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.script")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th mutant")
    parser.add_argument("--only", default="", metavar="WORDS", help="only mutants whose name holds these words")
    given = parser.parse_args(args)
    count, passed, used = 0, 0, Counter[str]()
    with TemporaryDirectory() as folder:
        for name, seen in _run(Path(folder), given.every, given.only):
            count += 1
            if seen:
                continue
            if pattern := pattern_of(name, PATTERNS_OF_THE_SCRIPT):
                used[pattern] += 1
            else:
                passed += 1
                sys.stdout.write(f"passes unseen: {name}\n")
                sys.stdout.flush()
    unused = set(PATTERNS_OF_THE_SCRIPT) - set(used) if given.every == 1 and not given.only else set[str]()
    for pattern in sorted(unused):
        sys.stdout.write(f"listed as equivalent, but seen or gone: {pattern}\n")
    sys.stdout.write(
        f"{count} mutants of the checker in JavaScript: {count - passed - used.total()} seen, {used.total()} equivalent\n"
    )
    return 1 if passed or unused or not count else 0


def _run(folder: Path, every: int, only: str) -> Iterator[tuple[str, str | None]]:
    """Each mutant with the case that sees it."""
    jobs: list[dict[str, object]] = [{"checker": str(CHECKER), "every": every, "only": only}]
    for number, case in enumerate(cases()):
        (folder / str(number)).write_bytes(case.data)
        jobs.append({"name": case.name, "path": str(folder / str(number))})
    command = [str(NODE), str(Path(__file__).with_suffix(".mjs"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin
        assert node.stdout
        node.stdin.write("\n".join(map(json.dumps, jobs)))
        node.stdin.close()
        for line in node.stdout:
            found = json.loads(line)
            yield found["name"], found["seen"]
    assert node.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
