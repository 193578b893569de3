"""Whether best play stops only because a limit stops it: told by solving the same game with a higher limit.

A number only bounds a game if the game with a higher one, played as before and stopped where the lower one stopped it, is
worth the same. It is why play stops if it then always pays to go on there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oddsmith.arrays import Ints, reduceat
from oddsmith.errors import InputError
from oddsmith.exact import Number
from oddsmith.expr import Expr, const
from oddsmith.report.english import plain_name
from oddsmith.report.strategy import SolvedStrategy, worth_of
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.model import Ruleset
from oddsmith.solve import Solution, solve
from oddsmith.solve.questions import Follower

WORK = 20_000  # transitions of a game that is solved again and again with higher limits: moments
CLOSE = 1e-9  # how far apart two proven values may be that are taken for the same, relative


@dataclass(frozen=True)
class Limit:
    """A number that ends play where best play would go on.

    ``option``: what best play never takes before; ``name``: of the limit, and ``number`` what it is. ``higher``: another
    number for it that the ruleset allows, None where it allows none; ``worth`` and ``raised``: what best play gets now, and
    with that.
    """

    phase: str
    option: str
    name: str
    number: int
    higher: int | None
    worth: Number
    raised: Number

    @property
    def words(self) -> str:
        """The same in a sentence, or two."""
        said = f"Best play never takes {self.option} before {self.name} ({self.number}): that limit is why it stops."
        if self.higher is None:
            return said
        return (
            f"{said} With {self.higher} in its place, best play gets {self.raised.brief} instead of {self.worth.brief}."
        )


def limits_of(solution: Solution, found: list[SolvedStrategy]) -> tuple[Limit, ...]:
    """The limits that are why best play stops, at most one for each phase; none where the game is too large to say."""
    graph = solution.graph
    mixed = solution.mixtures or solution.named or solution.solved.undecided
    if graph.seats > 1 or mixed or len(graph.target) > WORK:
        return ()
    asked = {each.phase: stops for each in found if (stops := _stops(solution, each))}
    if not asked:
        return ()
    limits: dict[str, Limit] = {}
    for node, number in _bounding(graph.game):
        phases = [
            phase for phase, (_, taken) in asked.items() if phase not in limits and _at(solution, taken, node, number)
        ]
        if not phases:
            continue
        try:
            name, higher, game = _raised(graph.game, node, number)
            other = solve(game, graph.objective)
            why = [phase for phase in phases if _is_why(solution, other, phase, asked[phase][0])]
        except InputError:  # there is no such game, or no number for it
            continue
        for phase in why:
            option = graph.game.ruleset.phases[phase].entries[asked[phase][0]].name
            limits[phase] = Limit(phase, option, name, number, higher, solution.values[0], other.values[0])
    return tuple(limits.values())


# --- the option that stops


def _entries(solution: Solution) -> Ints:
    """The place of the option of each row in its phase; of a roll it says nothing."""
    graph = solution.graph
    return np.array([*(entry for _, entry, _ in graph.actions), -1], dtype=np.int64)[graph.row_action]


def _stops(solution: Solution, strategy: SolvedStrategy) -> tuple[int, tuple[int, ...]] | None:
    """The option of a phase that ends the game and that best play leaves for another, and the states in which it takes it
    although there is another. None where there is none."""
    graph, decisions = solution.graph, strategy.decisions
    entries, (met,) = _entries(solution), [decisions.states[decisions.played]]
    ends = reduceat(np.maximum, graph.target, graph.row_edges[:-1]) < 0
    for stop in range(len(graph.game.ruleset.phases[strategy.phase].entries)):
        theirs = [row for state in met.tolist() for row in graph.rows(state) if entries[row] == stop]
        if not theirs or not ends[theirs].all():
            continue
        rows = np.array(theirs, dtype=np.int64)
        left = solution.worse(rows)
        if left.any():
            return stop, tuple(graph.row_state[rows[~left]].tolist())
    return None


# --- the same game with a higher limit


def _bounding(game: Game) -> Iterator[tuple[Expr, int]]:
    """The parameters, constants and plain numbers that bound variables from above, each with what it is."""
    seen = set[Any]()
    for variable in game.ruleset.state.values():
        if variable.kind != "number" or variable.most is None:
            continue
        for node in variable.most.walk():
            number = game.static.get(node.value) if node.op in ("parameter", "constant") else node.value
            named = node.op in ("parameter", "constant") or node is variable.most
            if not named or (node.op, node.value) in seen or isinstance(number, bool) or not isinstance(number, int):
                continue
            seen.add((node.op, node.value))
            began = node.op == "const" and number in (game.start[where] for where in game.cells_of(variable.name))
            if number > 0 and not began:  # what starts at its top is filled, not limited
                yield node, number


def _raised(game: Game, node: Expr, number: int) -> tuple[str, int | None, Game]:
    """What a bounding number is called, a higher one that the ruleset allows, and the game with a higher one."""
    rules, higher, values = game.ruleset, 2 * number, dict(game.parameters)
    if node.op == "constant":
        changed = replace(rules, constants={**rules.constants, node.value: higher})
        return plain_name(node.value), higher, bind(changed, game.seats, values)
    if node.op == "const":
        names = [each.label or plain_name(each.name) for each in rules.state.values() if _is(each.most, node)]
        return f"the top of {names[0]}", higher, bind(_written(rules, number, higher), game.seats, values)
    parameter = rules.parameters[node.value]
    most, fits = parameter.most, not parameter.refuses(number + 1)
    higher = min(higher, most) if fits and most is not None else higher
    free = replace(parameter, most=None, one_of=())
    changed = replace(rules, parameters={**rules.parameters, node.value: free})
    bound = bind(changed, game.seats, {**values, node.value: higher})
    return plain_name(node.value), higher if fits else None, bound


def _is(tree: Expr | None, node: Expr) -> bool:
    return tree is not None and (tree.op, tree.value) == (node.op, node.value)


def _written(rules: Ruleset, number: int, higher: int) -> Ruleset:
    """A ruleset with another number in place of one that stands in its bounds and conditions as it is."""

    def changed(tree: Expr) -> Expr:
        return tree.transform(
            lambda node: const(higher, node.type) if node.op == "const" and node.value == number else node
        )

    state = {
        name: replace(variable, most=changed(variable.most)) if variable.most is not None else variable
        for name, variable in rules.state.items()
    }
    phases = {
        name: replace(phase, entries=tuple(replace(entry, when=changed(entry.when)) for entry in phase.entries))
        for name, phase in rules.phases.items()
    }
    return replace(rules, state=state, phases=phases, end_when=changed(rules.end_when))


# --- whether it is why


def _is_why(solution: Solution, other: Solution, phase: str, stop: int) -> bool:
    """Whether the other game, stopped where this one is, is worth the same, and better where it goes on there."""
    graph, beyond = solution.graph, other.graph
    if other.mixtures or other.solved.undecided or not _gains(solution, other):
        return False
    known = _places(solution, other)
    entries, rows = _entries(other), np.full(beyond.states, -1, dtype=np.int64)
    for state in range(beyond.states):
        mine = {_done(beyond, row): row for row in beyond.rows(state)}
        if state in known:
            taken = mine.get(_done(graph, solution.best_row(known[state])))
            if taken is None:
                return False
            rows[state] = taken
        elif len(mine) > 1 and beyond.state(state).phase == phase:
            rows[state] = next((row for row in mine.values() if entries[row] == stop), -1)
    worth = worth_of(Follower(other), rows)
    if worth is None or not _same(worth[0], solution.values[0]):
        return False
    arena = other.solved.arena
    met = arena.met(np.where(rows >= 0, rows, other.solved.rows))
    stopping = [
        row for state in np.flatnonzero(met).tolist() for row in beyond.rows(state)
        if entries[row] == stop and beyond.state(state).phase == phase
    ]  # fmt: skip
    return bool(stopping) and bool(other.worse(np.array(stopping, dtype=np.int64)).all())


def _gains(solution: Solution, other: Solution) -> bool:
    """Whether the other game is proven to be worth more to whoever plays it."""
    before, after = solution.values[0], other.values[0]
    return after.lower > before.upper if solution.solved.arena.sign > 0 else after.upper < before.lower


def _at(solution: Solution, taken: tuple[int, ...], node: Expr, number: int) -> bool:
    """Whether best play stops by choice only where a variable that a number bounds is as high as that number."""
    held = [solution.graph.state(state).cells for state in taken]
    trees = [cell.variable.most for cell in solution.graph.game.cells]
    bound = [
        where for where, most in enumerate(trees) if most is not None and any(_is(each, node) for each in most.walk())
    ]
    return not held or any(all(cells[where] == number for cells in held) for where in bound)


def _places(solution: Solution, other: Solution) -> Mapping[int, int]:
    """The states of the other game that this one has as well, with the numbers that they have here.

    What counts down starts higher there, and is the same when as much of it is gone.
    """
    found, states = {}, map(solution.graph.state, range(solution.graph.states))
    game, beyond = solution.graph.game, other.graph.game
    numbers = [cell.variable.kind == "number" for cell in game.cells]
    more = [b - a if number else 0 for number, a, b in zip(numbers, game.start, beyond.start, strict=True)]
    for here, state in enumerate(states):
        cells = tuple(cell + extra if extra else cell for cell, extra in zip(state.cells, more, strict=True))
        there = other.graph.number(replace(state, cells=cells))
        if there is not None:
            found[there] = here
    return found


def _done(graph: Any, row: int) -> Any:
    """What a row does, the same in both games."""
    action = int(graph.row_action[row])
    return graph.actions[action] if action >= 0 else None


def _same(one: Number, two: Number) -> bool:
    apart = one - two
    return apart.lower <= 0 <= apart.upper and float(apart.upper - apart.lower) <= CLOSE * (1 + abs(float(two)))
