"""Takes the checker of certificates apart, one small change at a time, and asks whether the suite sees it.

``python -m tests.mutants [--every N] [--only WORDS]``: exit code 1 where a change passes unseen that is not listed in
``equivalents.py``. Each mutant runs in a process of its own, on modules made anew from its program.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType

from tests.certify.suite import Case, Record, cases, outcome, rules_of
from tests.mutants.changes import Mutant, mutants
from tests.mutants.equivalents import PATTERNS, pattern_of

MODULES = ("oddsmith.ruleset.successors", "oddsmith.proof.values", "oddsmith.proof.rules")
VALUES, RULES = "oddsmith.proof.values", "oddsmith.proof.rules"
NOT_CHECKS = ("canonical_steps_data", "value_text", "main")  # what writes and prints; other tests read what it says
WORK = 20  # seconds of the processor for one mutant; the suite takes one
ROOM = 4 << 30  # bytes


@dataclass
class Suite:
    """The cases with what the checker itself says of them; those that caught mutants come first."""

    cases: list[Case]
    said: dict[str, Record]

    def caught(self, name: str) -> None:
        """This case caught a mutant: it is tried early from now on."""
        self.cases.sort(key=lambda case: case.name != name)


def main(args: Sequence[str] | None = None) -> int:
    """Run the mutants, and tell of those that pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th mutant")
    parser.add_argument("--only", default="", metavar="WORDS", help="only mutants whose name holds these words")
    given = parser.parse_args(args)
    programs = {name: _source(name) for name in MODULES}
    original = {name: compile(text, name, "exec") for name, text in programs.items()}
    modules = _loaded(original)
    for case in (suite := Suite(cases(), {})).cases:
        rules_of(case.rules)
        suite.said[case.name] = outcome(case, modules[VALUES], modules[RULES])
    count, passed, used = 0, list[str](), Counter[str]()
    for module, text in programs.items():
        short = f"{module.removeprefix('oddsmith.')}."
        for number, mutant in enumerate(mutants(text, partial(_wanted, given.only, short))):
            name = short + mutant.name
            if number % given.every:
                continue
            count += 1
            killer = _killer(original, module, mutant, suite)
            if killer:
                suite.caught(killer)
            elif pattern := pattern_of(name):
                used[pattern] += 1
            else:
                passed.append(name)
                sys.stdout.write(f"passes unseen: {name}\n")
                sys.stdout.flush()
    unused = set(PATTERNS) - set(used) if given.every == 1 and not given.only else set[str]()
    for name in sorted(unused):
        sys.stdout.write(f"listed as equivalent, but seen or gone: {name}\n")
    sys.stdout.write(
        f"{count} mutants of the checker: {count - len(passed) - used.total()} seen, {used.total()} equivalent\n"
    )
    return 1 if passed or unused else 0


def _wanted(words: str, module: str, name: str) -> bool:
    return words in module + name and not name.startswith(NOT_CHECKS)


def _source(module: str) -> str:
    spec = find_spec(module)
    assert spec is not None
    return Path(str(spec.origin)).read_text("utf-8")


def _loaded(programs: dict[str, CodeType]) -> dict[str, ModuleType]:
    """The modules anew, each from its program."""
    for name in programs:
        sys.modules.pop(name, None)
    for name, code in programs.items():
        module = sys.modules[name] = ModuleType(name)
        exec(code, module.__dict__)  # noqa: S102 - the project's own program, changed in one place
        face = import_module(name.rpartition(".")[0])  # what other rooms import is of this program too
        face.__dict__.update({public: getattr(module, public) for public in face.__all__ if public in module.__dict__})
    return {name: sys.modules[name] for name in programs}


def _killer(original: dict[str, CodeType], module: str, mutant: Mutant, suite: Suite) -> str:
    """The first case by which the mutant is told from the checker; empty where there is none."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (WORK, WORK))
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - the process ends at once
        found = "it cannot be loaded"
        try:
            modules = _loaded(original | {module: compile(mutant.code, module, "exec")})
            touched = [case for case in suite.cases if module == VALUES or case.refused != "values"]
            found = next((case.name for case in touched if _differs(case, mutant, modules, suite.said)), "")
        finally:
            os.write(writing, json.dumps(found).encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else "it was stopped"


def _differs(case: Case, mutant: Mutant, modules: dict[str, ModuleType], said: dict[str, Record]) -> bool:
    """Whether a mutant says something else. One that refuses less must accept what the checker refuses."""
    try:
        found = outcome(case, modules[VALUES], modules[RULES])
    except Exception:  # noqa: BLE001 - whatever it is, the checker does not raise it
        return True
    before = said[case.name]
    if mutant.weaker and before["refused"]:
        return bool(before["refused"] != found["refused"] != "values")
    return bool(found != before)


if __name__ == "__main__":
    sys.exit(main())
