"""A check of some random states of every explored graph against the rules for one state.

If they disagree, no answer is given.

The code that computes on columns and keys takes no part in the check. The rules for one state are given a state with an
unknown value in each cell that its key leaves out (``ruleset.successors``). They must give the rows that were explored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from random import Random

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.errors import DisagreementError, OddsmithError
from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset import (
    CanonicalForm,
    LandingDistribution,
    LeftOutCellRead,
    MissingStateReached,
    State,
    SuccessorDeriver,
    distributions_as_multiset,
)

STEPS_TO_CHECK = 500  # steps of the one-state rules: some ten milliseconds
UNEXPLORED = -2  # the number of every state that was not explored
FEW_ORDERS = 4  # orders of alike members that are all derived


def refuse_disagreement(graph: StateGraph, has_all_actions: bool = True, boundary_keys: Ints | None = None) -> None:
    """Compare the rows of random states with the rules for one state. Raises DisagreementError if they differ.

    It stops after more than ``STEPS_TO_CHECK`` steps, so in a small graph all states are compared. ``has_all_actions``:
    whether the graph has all actions of its states. ``boundary_keys``: the keys of the states outside the graph to
    which it leads; they are numbered after the graph's states.
    """
    sample = _StateComparer(
        graph,
        has_all_actions,
        graph.keys if boundary_keys is None else np.concatenate([graph.keys, boundary_keys], axis=1),
    )
    for number in _random_states(graph):
        sample.compare(number)
        if sample.deriver.steps > STEPS_TO_CHECK:
            return


def _random_states(graph: StateGraph) -> Iterator[int]:
    """Yield random states, each at most once: all states of a small graph, in random order.

    In a large graph, every second state is drawn from those that may end the game, if there are any.
    """
    random = Random(graph.state_count)  # noqa: S311 - a sample, not a secret
    ends = np.flatnonzero(graph.target < 0)
    seen: set[int] = set()
    order = random.sample(range(graph.state_count), graph.state_count) if graph.state_count <= STEPS_TO_CHECK else None
    for turn in range(graph.state_count if order else STEPS_TO_CHECK):
        if not order and turn % 2 and len(ends):
            edge = int(ends[random.randrange(len(ends))])
            row = int(np.searchsorted(graph.row_edges, edge, side="right")) - 1
            number = int(np.searchsorted(graph.state_rows, row, side="right")) - 1
        else:
            number = order[turn] if order else random.randrange(graph.state_count)
        if number not in seen:
            seen.add(number)
            yield number


class _StateComparer:
    """Compares single states of a graph with the rules for one state."""

    def __init__(self, graph: StateGraph, has_all_actions: bool, keys: Ints) -> None:
        self.graph, self.keys, reduction = graph, keys, graph.codec.reduction
        self.has_all_actions, self.reached = has_all_actions, dict[State, int]()
        self.random = Random(graph.state_count)  # noqa: S311 - a sample, not a secret
        try:
            self.canonical = CanonicalForm(graph.game, reduction.unit_payoffs, reduction.forgotten, reduction.orbits)
            self.deriver = SuccessorDeriver(
                graph.game, graph.objective, self.canonical, _state_number_function(self.reached, has_all_actions)
            )
        except LeftOutCellRead as wrong:
            raise _disagreement_error(graph, "", wrong) from None

    def compare(self, state_index: int) -> None:
        """Compute the rows of a state again, with exchangeable members in the given order and in others.

        Raises DisagreementError if they differ from the graph's rows.
        """
        graph, state = self.graph, self.graph.state(state_index)
        stated = [_row_distribution(graph, row) for row in graph.rows(state_index)]
        targets = sorted({target for row in stated for target, _, _ in row if target >= 0})
        self.reached.clear()
        self.reached.update(zip(graph.codec.states(self.keys[:, targets]), targets, strict=True))
        try:
            rows = self.deriver.successors(state, state_index % graph.seats).landing_distributions
            same = rows == stated if self.has_all_actions else all(row in rows for row in stated)
            if not same or any(
                distributions_as_multiset(self.deriver.successors(other, 0).landing_distributions)
                != distributions_as_multiset(rows)
                for other in self._reorderings(state)
            ):
                raise LeftOutCellRead("the rows are others")
        except (OddsmithError, LeftOutCellRead, MissingStateReached) as wrong:
            shown = ", ".join(f"{cell.name} {value}" for cell, value in zip(graph.game.cells, state.cells, strict=True))
            raise _disagreement_error(graph, f" in {state.phase} ({shown})", wrong) from None

    def _reorderings(self, state: State) -> Iterable[State]:
        """Return the state with its exchangeable members in other orders. These are all orders if they are few, else a
        random one.
        """
        if self.canonical.count_member_arrangements(state) <= FEW_ORDERS:
            return islice(self.canonical.positions_with_members_exchanged(state), 1, None)
        return [self.canonical.with_members_shuffled(state, self.random)]


def _state_number_function(known_numbers: Mapping[State, int], has_all_actions: bool) -> Callable[[State], int | None]:
    """Return a function from a state to its number.

    For a state that was not reached, it returns None if the graph is ``has_all_actions``, else ``UNEXPLORED``. The
    function holds no reference to the comparer, so the comparer can be freed before it.
    """
    return lambda state: known_numbers.get(state, None if has_all_actions else UNEXPLORED)


def _disagreement_error(graph: StateGraph, state_text: str, cause: Exception) -> DisagreementError:
    """Return the error for a graph that disagrees with the rules. ``state_text``: the state in words."""
    return DisagreementError(
        f"{graph.game.ruleset.id}: the rules do not give what was explored{state_text}: {cause}. No answer is given"
    )


def _row_distribution(graph: StateGraph, row: int) -> LandingDistribution:
    """Return the distribution of a row of the graph: the chance of each triple (target, seat shift, payoffs).

    It has the same form as what the rules for one state give.
    """
    chances: LandingDistribution = {}
    for edge in graph.edges(row):
        target = int(graph.target[edge])
        paid = tuple(Fraction(units, graph.scale) for units in graph.payoffs[int(graph.payoff[edge])])
        landing = (target, int(graph.tags[int(graph.tag[edge])][0]) if target >= 0 else 0, paid)
        chance = Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
        chances[landing] = chances.get(landing, Fraction(0)) + chance
    return chances
