"""One question put to the engine in a process of its own: `python -m tests.bench.question '{...}'` prints what it took.

The request: `file`, `seats`, `objective`, `set`, `policies`, `digits`, `symmetry`, `only` ("explore" stops there), `before`
(settings of another game of the ruleset that the same process solves first, and that is not timed).
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import oddsmith.solve.search  # noqa: F401 - solving loads it at its first use, and loading modules is not timed
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions.reduce import ReductionOptions
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve


def ask(request: dict[str, Any]) -> dict[str, Any]:
    """The answer, with seconds, sizes and digits."""
    game = bind(load_ruleset(Path(request["file"]))[0], Setting(request["seats"], values=request.get("set", {})))
    symmetry, objective = request.get("symmetry", True), request["objective"]
    started = time.perf_counter()
    if request.get("only") == "explore":
        graph = Explorer(game, objective, sharing=ReductionOptions(symmetry=symmetry)).explore()[0]
        return {"states": graph.state_count, "transitions": len(graph.target), "explore": time.perf_counter() - started}
    policies = {int(seat): name for seat, name in request.get("policies", {}).items()}
    solution = solve(game, objective, policies, digits=request.get("digits"), merge_symmetric_states=symmetry)
    value = solution.values[0]
    seconds = time.perf_counter() - started
    width = value.upper - value.lower
    return {
        "states": solution.graph.state_count,
        "transitions": len(solution.graph.target),
        "explore": solution.seconds["explore"],
        "seconds": seconds,
        "grade": solution.grade,
        "digits": int(value.lower.denominator.bit_length() * 0.30103)
        if width == 0
        else -len(str(width.numerator)) + 1 + int((width.denominator.bit_length() - 1) * 0.30103),
        "value": value.decimal(30),
        "methods": solution.component_count_by_method,
        "proved": not solution.solved.undecided_states,
    }


def main() -> None:
    request = json.loads(sys.argv[1])
    if "before" in request:
        ask({**request, "set": request["before"]})
    found = ask(request)
    print(json.dumps({**found, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
