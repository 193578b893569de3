"""How many positions there are, counted twice: ``python -m tests.counts.write`` writes what is missing.

With ``--all`` it writes every file anew, which takes minutes. Look at the difference before you keep it.

``play``: breadth first by the one-state rules, one entry for each depth. A position is a phase, the cells as the mover
sees them (seats counted from the mover, tallies left out) and who is out; a step is a result of the dice or an action,
never two at once. ``outcomes`` are the results that dice can show there, ``actions`` the legal options.

``graph``: for every objective the sizes of the graph, in which a choice and the roll after it are one step.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oddsmith.ruleset.rules import Rules, State
from tests.cases import Case, cases, explored, explorer, large
from tests.reference import Walk, seen_from_mover

HERE = Path(__file__).resolve().parent


def followers(rules: Rules, state: State) -> Iterator[State]:
    """What can come after a position, one for each result of the dice or each action."""
    if rules.phase(state).kind == "roll":
        for _, thrown in rules.weighted_chance_results(state)[0]:
            yield rules.resolve(state, thrown).state
    else:
        for action in rules.actions(state):
            yield rules.choose(state, action).state


def by_depth(case: Case) -> list[dict[str, int]]:
    """Breadth first over the one-state rules."""
    game, rules = case.game, Rules(case.game)
    tallies = frozenset(where for where, cell in enumerate(game.cells) if cell.variable.kind == "tally")
    level = [seen_from_mover(game, rules.start(), tallies)]
    known = set(level)
    found = []
    while level:
        sizes = {"states": len(level), "choices": 0, "actions": 0, "outcomes": 0, "ends": 0}
        fresh = []
        for state in level:
            after = list(followers(rules, state))
            choice = rules.phase(state).kind == "choose"
            sizes["choices"] += choice
            sizes["actions" if choice else "outcomes"] += len(after)
            for follower in after:
                sizes["ends"] += not follower.phase
                seen = seen_from_mover(game, follower, tallies)
                if follower.phase and seen not in known:
                    known.add(seen)
                    fresh.append(seen)
        found.append(sizes)
        level = fresh
    return found


def graph_by_rules(case: Case, objective: str) -> dict[str, int]:
    """The sizes of the graph, by the one-state rules alone (but for which cells count as payoff)."""
    how = explorer(case, objective, reduced=False)
    carried = {where: dict(enumerate(shares)) for where, shares in how.codec.reduction.unit_payoffs.items()}
    walk = Walk(case.game, objective, carried)
    todo = [seen_from_mover(case.game, walk.rules.start(), frozenset(carried))]
    known = set(todo)
    decisions = transitions = 0
    while todo:
        rows = walk.rows(todo.pop())
        decisions += len(rows) > 1
        for row in rows:
            transitions += len(row)
            fresh = {landing.state for landing in row if landing.state is not None} - known
            known |= fresh
            todo += fresh
    return {"states": len(known), "decisions": decisions, "transitions": transitions}


def graph_by_columns(case: Case, objective: str) -> dict[str, int]:
    """The sizes of the graph as it was explored."""
    graph = explored(case, objective, reduced=False)
    return {"states": graph.state_count, "decisions": graph.decision_count, "transitions": len(graph.target)}


def counted(case: Case) -> dict[str, Any]:
    """The counts of one game at one size."""
    depth = by_depth(case)
    return {
        "ruleset": case.name,
        "seats": case.seats,
        "parameters": dict(case.game.parameters),
        "total": sum(level["states"] for level in depth),
        "play": depth,
        "graph": {objective: graph_by_columns(case, objective) for objective in case.objectives},
    }


def text(case: Case) -> str:
    """The counts as JSON, one depth a line."""
    data = counted(case)
    lines = ",\n".join(f"    {json.dumps(level)}" for level in data.pop("play"))
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return f'{{\n{head},\n  "play": [\n{lines}\n  ]\n}}\n'


if __name__ == "__main__":
    paths = {HERE / f"{case}.json": case for case in [*cases(), *large()]}
    for old in set(HERE.glob("*.json")) - paths.keys():
        old.unlink()
    for path, case in paths.items():
        if "--all" in sys.argv or not path.exists():
            path.write_text(text(case), "utf-8")
