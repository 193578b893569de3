"""The same questions put to other programs, each in a process of its own: `python -m tests.bench.peer storm burglar 3 12`.

Prints JSON like `tests.bench.question`, or `{"missing": ...}` where the peer is not installed.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


def burglar(seats: int, tokens: int) -> str:
    """Burglar without leaving as a PRISM model, with the label `done` and the chance question `win`."""
    most, coffers = seats * tokens, {3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2}
    lines = ["dtmc", "module burglar", f"turn:[1..{seats}] init 1;", f"h:[0..{most}] init 0;"]
    lines += [f"c{k}:[0..1] init 0;" for k in coffers]
    lines += [f"p{i}:[0..{most}] init {tokens};" for i in range(1, seats + 1)]
    playing = " + ".join(f"(p{i}>0?1:0)" for i in range(1, seats + 1))
    full = " + ".join(f"c{k}" for k in coffers)
    for i in range(1, seats + 1):
        others = [(i + step - 1) % seats + 1 for step in range(1, seats)]
        follows = "".join(f"p{j}>0?{j}:(" for j in others) + str(i) + ")" * len(others)
        after = f"(turn'={follows})"
        empty = " & ".join(f"(c{k}'=0)" for k in coffers)
        branches = [
            f"1/36:(p{i}'=p{i}+{full}) & {empty} & {after}",
            f"1/36:(p{i}'=p{i}+h) & (h'=0) & {after}",
            f"6/36:(p{i}'=p{i}-1) & (h'=h+1) & {after}",
            *(f"{w}/36:(c{k}'=1-c{k}) & (p{i}'=p{i}+(c{k}>0?1:-1)) & {after}" for k, w in coffers.items()),
        ]
        lines.append(f"[] turn={i} & {playing} > 1 & p{i}>0 -> " + " + ".join(branches) + ";")
    lines += [f"[] {playing} = 1 -> true;", "endmodule", f'label "win" = {playing} = 1 & p1>0;']
    return "\n".join(lines)


def pig_alone(target: int) -> str:
    """Pig for one as a PRISM model: the fewest turns to the target, as a reward `turns`."""
    faces = [f"1/6:(t'=min(t+{k},{target}-s)) & (d'=1)" for k in range(2, 7)]
    throw = " + ".join(["1/6:(t'=0) & (d'=0)", *faces]) + ";"
    return "\n".join([
        "mdp", "module pig", f"s:[0..{target}] init 0;", f"t:[0..{target}] init 0;", "d:[0..1] init 0;",
        f"[begin] d=0 & s<{target} -> {throw}", f"[again] d=1 -> {throw}", "[hold] d=1 -> (s'=s+t) & (t'=0) & (d'=0);",
        f"[] s={target} & d=0 -> true;", "endmodule", f'label "done" = s={target};', 'rewards "turns"', "[begin] true:1;",
        "endrewards",
    ])  # fmt: skip


def storm(name: str, *sizes: int) -> dict[str, Any]:
    """Storm builds the model and answers: exactly for one seat, as by default for several (floats, to 1e-6)."""
    import stormpy  # noqa: PLC0415

    model_of: dict[str, tuple[Callable[..., str], str]] = {
        "burglar": (burglar, 'P=? [F "win"]'),
        "pig-alone": (pig_alone, 'R{"turns"}min=? [F "done"]'),
    }
    text, question = model_of[name]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.prism"
        file.write_text(text(*sizes), encoding="utf-8")
        program = stormpy.parse_prism_program(str(file))
    wanted = stormpy.parse_properties(question, program)
    found: dict[str, Any] = {}
    for _ in range(2 if name == "pig-alone" else 1):  # warm
        started = time.perf_counter()
        exact = name == "pig-alone"
        model = stormpy.build_model[stormpy.Rational if exact else float](program, wanted)
        built = time.perf_counter() - started
        found = {"states": model.nr_states, "transitions": model.nr_transitions, "explore": built}
        if len(sizes) == 1 or sizes[0] == 2:  # three seats take it too long
            value = stormpy.model_checking(model, wanted[0]).get_value(model.initial_states[0])
            found |= {"seconds": time.perf_counter() - started, "value": str(value)[:30]}
    return found


def plain(name: str, *sizes: int) -> dict[str, Any]:
    """A chain as a networkx graph of fractions, solved by eliminating state after state."""
    import networkx as nx  # noqa: PLC0415

    started = time.perf_counter()
    assert name == "betting"
    graph = nx.DiGraph()
    for state, follower, chance in _betting(*sizes):
        before = graph.get_edge_data(state, follower, {"chance": Fraction(0)})["chance"]
        graph.add_edge(state, follower, chance=before + chance)
    start = (sizes[0] // 2, sizes[0] // 2)
    built, explored = time.perf_counter() - started, graph.number_of_nodes()
    for state in [node for node in graph if node not in (start, "win", "lose")]:
        stay = graph.edges[state, state]["chance"] if graph.has_edge(state, state) else Fraction(0)
        for before in [node for node in graph.predecessors(state) if node != state]:
            arriving = graph.edges[before, state]["chance"] / (1 - stay)
            for after in [node for node in graph.successors(state) if node != state]:
                old = graph.get_edge_data(before, after, {"chance": Fraction(0)})["chance"]
                graph.add_edge(before, after, chance=old + arriving * graph.edges[state, after]["chance"])
        graph.remove_node(state)
    back = graph.edges[start, start]["chance"] if graph.has_edge(start, start) else Fraction(0)
    value = graph.edges[start, "win"]["chance"] / (1 - back)
    seconds = time.perf_counter() - started
    digits = int(value.denominator.bit_length() * 0.30103)
    return {"states": explored, "explore": built, "seconds": seconds, "digits": digits, "value": f"{float(value):.15f}"}


def _betting(coins: int) -> Iterator[tuple[Any, Any, Fraction]]:
    """The betting game from the first player's side: even and odd turns are told apart by a flag."""
    law = Counter(map(sum, product(range(1, 7), repeat=3)))
    todo: list[Any] = [(coins // 2, coins // 2)]
    seen = set(todo)
    while todo:
        state = todo.pop()
        a, b, second = (*state, 0)[:3]
        mine, other = (a, b) if not second else (b, a)
        for total, weight in law.items():
            pot = coins - a - b
            x, y = mine, other
            if total >= 15:
                x += pot
            elif total >= 12:
                x, y = x + 1, y - 1
            else:
                x -= min(x, 1 if total >= 8 else 2)
            if x == 0 or y == 0:
                follower: Any = "win" if (y == 0) != bool(second) else "lose"
            else:
                follower = (x, y, 1) if not second else (y, x)
            yield state, follower, Fraction(weight, 216)
            if isinstance(follower, tuple) and follower not in seen:
                seen.add(follower)
                todo.append(follower)


PEERS: dict[str, Callable[..., dict[str, Any]]] = {"storm": storm, "plain": plain}


def main() -> None:
    peer, name, *sizes = sys.argv[1:]
    try:
        found = PEERS[peer](name, *map(int, sizes))
    except ImportError as error:
        found = {"missing": str(error.name)}
    print(json.dumps({**found, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
