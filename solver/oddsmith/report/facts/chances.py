"""The probabilities of the outcomes of each roll, at positions that play can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice

import numpy as np

from oddsmith.base.dice import Hand
from oddsmith.expr import Expr, variables_in
from oddsmith.graph import StateGraph
from oddsmith.report.english.words import joined, plain_name, seat_name
from oddsmith.report.policy.decisions import cell_label, value_clause
from oddsmith.ruleset import Game, Rules, State
from oddsmith.ruleset.model import Draw, Entry, Phase, effects_in_preorder

MAX_TABLES = 6  # of one phase, where one variable decides which of them holds
EXAMPLES_PER_PHASE = 2  # of one phase, where it takes more than one
MAX_SEARCHED_STATES = 200_000  # states that are looked through for positions of a phase
MAX_VALUES_PER_VARIABLE = 100  # values of each variable from which the actions are looked at that may lead to a roll
MAX_POSITIONS_ROLLED = 200  # positions of a phase, no two alike in what the roll looks at, that are rolled at


@dataclass(frozen=True)
class RollOutcome:
    """One outcome of a roll: a line of a chance table.

    ``ways``: the number of equally likely results of the dice that lead to it. ``mean``: the mean sum of the dice,
    given the outcome; None if the outcome does not use the sum.
    """

    name: str
    ways: int
    chance: Fraction
    mean: Fraction | None


@dataclass(frozen=True)
class ChanceTable:
    """The outcomes of a roll, in the order of the rules.

    ``dice``: the dice in words. ``when``: a clause that says when the table holds; empty if always. ``ways``: the
    number of all equally likely results.
    """

    phase: str
    dice: str
    when: str
    events: tuple[RollOutcome, ...]
    ways: int


def chance_tables(graph: StateGraph) -> list[ChanceTable]:
    """Return tables of the outcomes of each roll that play can reach.

    A roll whose chances depend on the position has one table for each case; if there are too many cases, only two
    examples are returned. A roll with only one outcome has no table.
    """
    reached = _ReachablePositions(graph)
    phases = graph.game.ruleset.phases.values()
    rolled = [phase for phase in phases if phase.kind == "roll" and len(phase.entries) > 1]
    return [table for phase in rolled for table in _chance_tables_of_phase(reached, phase)]


@dataclass(frozen=True)
class _RollDistribution:
    """The distribution of a roll, and the positions in which it has this distribution."""

    table: ChanceTable
    states: list[State]


def _chance_tables_of_phase(reached: _ReachablePositions, phase: Phase) -> list[ChanceTable]:
    game, cells = reached.graph.game, _relevant_cells(reached.graph.game, phase)
    laws: dict[tuple[str, tuple[RollOutcome, ...]], _RollDistribution] = {}
    for state in islice(reached.positions_by_cell_values(phase, cells), MAX_POSITIONS_ROLLED):
        table = _chance_table(reached.rules, phase, state)
        laws.setdefault((table.dice, table.events), _RollDistribution(table, [])).states.append(state)
    different = list(laws.values())
    branching = [law for law in different if len(law.table.events) > 1]
    if len(different) == 1:
        return [law.table for law in branching]
    decisive = next((where for where in cells if _cell_determines_distribution(where, different)), None)
    if decisive is None or len(branching) > MAX_TABLES:
        return [
            replace(law.table, when=_example_position_clause(game, cells, law))
            for law in branching[:EXAMPLES_PER_PHASE]
        ]
    return [replace(law.table, when=f"when {_cell_values_clause(game, decisive, law)}") for law in branching]


def _relevant_cells(game: Game, phase: Phase) -> list[int]:
    """Return the indices of the cells on which the distribution of a roll may depend."""
    rolled = {throw.name for throw in phase.rolls_and_draws if throw.is_kept and throw.kind == "roll"}
    names = set(variables_in(*(entry.when for entry in phase.entries))) - rolled
    for throw in phase.rolls_and_draws:
        names |= variables_in(*(term.count for term in throw.dice)) | (
            {throw.bag} if isinstance(throw, Draw) else set()
        )
        names |= {throw.name} if throw.is_kept and throw.kind == "rest" else set()
    return [where for where, cell in enumerate(game.cells) if cell.variable.name in names]


# --- positions of a phase


class _ReachablePositions:
    """The positions that play can reach, in the order of exploration.

    They are the states of the graph, and the positions after actions. A roll that follows an action is part of the
    action's transitions, so the position before it is no state of the graph.
    """

    def __init__(self, graph: StateGraph) -> None:
        self.graph, self.rules = graph, Rules(graph.game)
        self.cells, self.phases, self.out = graph.codec.decode(graph.keys[:, :MAX_SEARCHED_STATES])

    def positions_by_cell_values(self, phase: Phase, cell_indices: Sequence[int]) -> Iterator[State]:
        """Yield positions of a phase, the first for each combination of values of ``cell_indices`` and set of seats that are
        out. ``cell_indices``: the indices of cells.
        """
        seen = set()
        for state in self._candidate_positions(phase.name, list(cell_indices)):
            key = (state.seats_out_bits, *(state.cells[where] for where in cell_indices))
            if key not in seen:
                seen.add(key)
                yield state

    def _candidate_positions(self, phase: str, cell_indices: list[int]) -> Iterator[State]:
        here = np.flatnonzero(self.phases == self.graph.codec.phases.index(phase))
        _, first = np.unique(np.vstack([self.cells[cell_indices][:, here], self.out[here]]), axis=1, return_index=True)
        yield from (self.graph.state(number) for number in here[np.sort(first)].tolist())
        yield from (state for state in self._positions_after_actions if state.phase == phase)

    @cached_property
    def _positions_after_actions(self) -> list[State]:
        """The positions right after actions, for a sample of decisions: the first state of the graph for each value of
        each variable.
        """
        phases = self.graph.game.ruleset.phases
        choosing = [number for number, name in enumerate(self.graph.codec.phases) if phases[name].kind == "choose"]
        where = np.flatnonzero(np.isin(self.phases, choosing))
        firsts = [np.unique(column[where], return_index=True)[1] for column in (self.phases, self.out, *self.cells)]
        some = np.unique(np.concatenate([first[:: -(-len(first) // MAX_VALUES_PER_VARIABLE) or 1] for first in firsts]))
        states = map(self.graph.state, where[some].tolist())
        after = (self.rules.choose(state, action).state for state in states for action in self.rules.actions(state))
        return [self.graph.codec.canonical_state(state) for state in after if state.phase]


# --- where a table holds


def _cell_determines_distribution(cell_index: int, distributions: Sequence[_RollDistribution]) -> bool:
    """Return whether the value of one cell determines which of several distributions a roll has. ``cell_index``: the index
    of the cell.
    """
    values = [{state.cells[cell_index] for state in law.states} for law in distributions]
    return sum(map(len, values)) == len(set().union(*values))


def _example_position_clause(game: Game, cell_indices: Sequence[int], roll_distribution: _RollDistribution) -> str:
    """Describe, as a clause, the first position in the order of exploration that has this distribution."""
    first = _RollDistribution(roll_distribution.table, roll_distribution.states[:1])
    changed = [where for where in cell_indices if first.states[0].cells[where] != game.start[where]]
    clauses = list(
        dict.fromkeys(_cell_values_clause(game, where, first) for where in changed)
    )  # every side tells the same
    return f"for example when {joined(clauses)}" if clauses else "at the start of the game"


def _cell_values_clause(game: Game, cell_index: int, distribution: _RollDistribution) -> str:
    """Return a clause on the values that a cell has in the positions with a distribution, such as "point is 4 or 10".
    ``cell_index``: the index of the cell.
    """
    cell, values = game.cells[cell_index], list(dict.fromkeys(state.cells[cell_index] for state in distribution.states))
    times = cell.variable.display_factor
    if cell.name in game.ruleset.sides:  # where a side sits tells which one is to move
        own = game.ruleset.sides.index(cell.name)
        return f"you are {joined([game.ruleset.player_name((own - value) % game.seats) for value in values], 'or')}"
    if cell.variable.kind == "seat":
        shown = joined([seat_name(value, game.seats) for value in values], "or")
    elif cell.variable.kind == "number" and len(values) > 2 and max(values) - min(values) == len(values) - 1:
        shown = f"{min(values) * times:,} to {max(values) * times:,}"
    elif cell.variable.kind == "number":
        shown = joined([f"{value * times:,}" for value in values], "or")
    else:
        shown = joined([game.value_text(value) for value in values], "or")
    return value_clause(cell_label(game, cell), cell.variable.kind, shown)


# --- one table


def _chance_table(rules: Rules, phase: Phase, state: State) -> ChanceTable:
    outcomes, ways = rules.weighted_chance_results(state)
    hits: dict[str, int] = {}
    sums: dict[str, int] = {}
    for weight, thrown in outcomes:
        name = rules.entry_name_and_context(state, thrown)[0]
        hits[name] = hits.get(name, 0) + weight
        sums[name] = sums.get(name, 0) + weight * _sum_of_faces(thrown.values)
    summed = {entry.name for entry in phase.entries if _uses_sum_of_dice(phase, entry)}
    named = [entry.name for entry in phase.entries if entry.name in hits]
    events = tuple(
        RollOutcome(
            name, hits[name], Fraction(hits[name], ways), Fraction(sums[name], hits[name]) if name in summed else None
        )
        for name in dict.fromkeys(named)
    )
    return ChanceTable(phase.name, _dice_words(rules.game, phase, state), "", events, ways)


def _sum_of_faces(values: tuple[tuple[str, object], ...]) -> int:
    return sum(sum(value.faces) for _, value in values if isinstance(value, Hand))


def _uses_sum_of_dice(phase: Phase, entry: Entry) -> bool:
    """Return whether an entry uses the sum of the dice, and its phase has a single roll."""
    if len(phase.rolls_and_draws) != 1 or phase.rolls_and_draws[0].kind != "roll":
        return False
    trees = [tree for effect in effects_in_preorder(entry.do) for tree in effect.expressions_read]
    return any(_is_sum_of_roll(node, phase.rolls_and_draws[0].name) for tree in trees for node in tree.walk())


def _is_sum_of_roll(node: Expr, roll_name: str) -> bool:
    adds = node.op == "face" or (node.op == "call" and node.value == "sum")
    return adds and node.args[0].op == "local" and node.args[0].value == roll_name


def _dice_words(game: Game, phase: Phase, state: State) -> str:
    """Return the dice of a roll in words, such as 3d6."""
    parts = []
    context = game.context(state.cells)
    for throw in phase.rolls_and_draws:
        if throw.kind == "draw":
            parts.append(f"one from {plain_name(throw.bag)}")
        for count, die in game.dice_counts(throw.dice, context):
            plain = f"{count if count > 1 else ''}{die.name}"
            parts.append(plain if die.name.startswith("d") else f"{count} × {die.name}")
    return " + ".join(parts)
