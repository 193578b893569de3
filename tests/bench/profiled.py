"""Where the time of a command goes: `python -m tests.bench.profiled solve pig --values` prints shares as JSON.

The command runs under Python's profiler. The share of a step is the time from its beginning to its end, with all that it
calls, so a step that another one calls counts in both. The profiler slows many short calls more than few long ones.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout, suppress
from cProfile import Profile
from io import StringIO
from pstats import Stats

from oddsmith.cli import main

# (what a person calls it, the end of the file's path, the function)
STEPS = [
    ("loading modules", "importlib._bootstrap>", "_find_and_load"),
    ("reading rules", "api/loaded.py", "open"),
    ("exploring", "graph/explore.py", "explore"),
    ("choosing actions", "values/arena_solver.py", "_propose_policy"),
    ("proving", "values/arena_solver.py", "_prove_policy"),
    ("iterating", "_isolve/iterative.py", "bicgstab"),
    ("fractions", "values/fractions.py", "state_value"),
    ("measures", "questions/measure.py", "answer_question"),
    ("other policies", "policy/opponents.py", "opponents_of_game"),
    ("short lists", "policy/rules_of_thumb.py", "compare_rules"),
]


def shares(arguments: list[str]) -> dict[str, float]:
    """The share of each step in the time of a command."""
    sys.argv = ["oddsmith", *arguments]
    profile = Profile()
    with redirect_stdout(StringIO()), suppress(SystemExit):
        profile.runcall(main)
    stats = Stats(profile)
    times = stats.stats  # type: ignore[attr-defined]
    found = dict.fromkeys((name for name, _, _ in STEPS), 0.0)
    for (file, _, function), (_, _, _, cumulative, _) in times.items():
        for name, path, step in STEPS:
            if function == step and file.endswith(path):
                found[name] += cumulative / stats.total_tt  # type: ignore[attr-defined]
    return found


if __name__ == "__main__":
    print(json.dumps(shares(sys.argv[1:])))
