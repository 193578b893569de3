"""The search for a short list. It works in floats, so it only suggests lists: each list found is valued like any other
policy.

To first order, a list costs in each position the expected number of visits times the loss of the action that the list
takes there. So a beam search adds the line that saves most, and then replaces each line in turn by the best line at its
index. A list changes the positions that play visits, so the search is repeated with the visits under the list that it
found. Then the candidates play against the solution. All steps have a fixed order, so the same game always gives the
same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np

from oddsmith.base.arrays import Floats, Ints, Mask, bincount, cumsum
from oddsmith.report.policy.quantities import PrescribableAction as Move
from oddsmith.report.policy.quantities import Quantity

MAX_CONDITIONS = 3  # of a list, so that it has four lines with its last
BEAM_WIDTH = 4
MAX_SWEEPS = 4  # in which every line is replaced in turn
UNIFORM_WEIGHT_SHARE = 1e-6
"""The share of the weight that is spread over all positions, so that actions matter where play hardly comes."""
MIN_SAVING_PER_STEP = 0.004
"""What an expression must save for each step that it is harder to see, as a share of the cost without any condition."""
THRESHOLD_STEPS = (1, -1, 2, -2)
MAX_SPECIAL = 3  # numbers of a condition that names them
MAX_PAIRED = 6  # quantities of which two may be bounded by one condition
MAX_NUMBERS = 500  # values of each of them


@dataclass(frozen=True)
class QuantityCondition:
    """A condition on a quantity: at least ``number``, at most ``number``, or one of ``allowed_numbers``.

    ``quantity``: the index of the quantity. ``at_least``: whether ``number`` is a lower bound. ``allowed_numbers``: the numbers
    that the quantity may be, ``number`` among them; empty for a bound. ``second_bound``: a bound on a second quantity, which
    must hold at the same time; None if there is none.
    """

    quantity: int
    number: int
    at_least: bool
    allowed_numbers: tuple[int, ...] = ()
    second_bound: QuantityCondition | None = None

    @property
    def effort(self) -> int:
        """How much harder the condition is to remember than a single bound, which has 0."""
        return 2 * len(self.allowed_numbers) + (self.second_bound is not None)

    @property
    def size(self) -> int:
        """How much the condition adds to a list: one bound counts 1, two that hold together count 3."""
        return 3 if self.second_bound else 1


@dataclass(frozen=True)
class ListDraft:
    """A list of decisions as numbers.

    ``lines``: pairs of a condition and the index of an action. The first line whose condition holds and whose action is
    legal applies; a condition None always holds. ``default_action``: the index of the action that is taken if no line applies.
    """

    lines: tuple[tuple[QuantityCondition | None, int], ...]
    default_action: int

    @property
    def size(self) -> int:
        """The number of bounds to remember, as the sum over the lines; a line without a condition counts 1."""
        return sum(test.size if test else 1 for test, _ in self.lines)


@dataclass(frozen=True, eq=False)
class PhaseOptions:
    """The quantities and the actions of which the lists of a phase are made. ``default_rows``: for each decision, the row that
    is taken if no action of a list applies.
    """

    quantities: Sequence[Quantity]
    actions: Sequence[Move]
    default_rows: Ints

    @cached_property
    def values_and_codes(self) -> list[tuple[Ints, Ints]]:
        """A pair for each quantity: its values in ascending order, and the index of its value in each decision."""
        return [np.unique(each.column, return_inverse=True) for each in self.quantities]

    def mask_where(self, condition: QuantityCondition | None) -> Mask:
        """Return the mask of decisions in which a condition holds. The condition None always holds."""
        if condition is None:
            return np.ones(len(self.default_rows), dtype=bool)
        column = self.quantities[condition.quantity].column
        if condition.allowed_numbers:
            return np.isin(column, condition.allowed_numbers)
        held = column >= condition.number if condition.at_least else column <= condition.number
        return held & self.mask_where(condition.second_bound) if condition.second_bound else held

    def rows_taken_by(self, draft: ListDraft) -> Ints:
        """Return the row that a list takes in each decision."""
        last = self.actions[draft.default_action].rows
        rows = np.where(last >= 0, last, self.default_rows)
        for test, move in reversed(draft.lines):
            own = self.actions[move].rows
            rows = np.where(self.mask_where(test) & (own >= 0), own, rows)
        return rows

    def without_idle_lines(self, draft: ListDraft) -> ListDraft:
        """Return a list without the lines that change the action of no decision."""
        for k in reversed(range(len(draft.lines))):
            less = replace(draft, lines=(*draft.lines[:k], *draft.lines[k + 1 :]))
            if np.array_equal(self.rows_taken_by(less), self.rows_taken_by(draft)):
                draft = less
        return draft


class ListFitter:
    """Finds lists with a low total price.

    The price of a row is its loss times the expected number of visits to its position. ``losses``: the loss of each
    row. ``visits``: the expected number of visits to each decision. ``max_actions``: the number of actions to try.
    ``allow_pairs``: whether a condition may bound two quantities.
    """

    def __init__(
        self, phase_options: PhaseOptions, losses: Floats, visits: Floats, max_actions: int, allow_pairs: bool = True
    ) -> None:
        self.ground = phase_options
        weight = visits + UNIFORM_WEIGHT_SHARE * max(float(visits.sum()), 1.0) / len(visits)
        self.first = losses[phase_options.default_rows] * weight
        self.legal = [move.rows >= 0 for move in phase_options.actions[:max_actions]]
        self.prices = [
            np.where(move.rows >= 0, losses[move.rows] * weight, 0.0) for move in phase_options.actions[:max_actions]
        ]
        self.codes = phase_options.values_and_codes
        self.easy = [
            place
            for place, each in enumerate(phase_options.quantities)
            if allow_pairs and each.effort <= 1 and 2 <= len(self.codes[place][0]) <= MAX_NUMBERS
        ][:MAX_PAIRED]
        self.plain = min(self.total_cost(ListDraft((), move)) for move in range(len(self.prices)))

    def price_by_decision(self, draft: ListDraft) -> Floats:
        """Return the price of a list in each decision."""
        found = np.where(self.legal[draft.default_action], self.prices[draft.default_action], self.first)
        for test, move in reversed(draft.lines):
            found = np.where(self.ground.mask_where(test) & self.legal[move], self.prices[move], found)
        return found

    def total_cost(self, draft: ListDraft) -> float:
        """Return the total price of a list, plus a charge for conditions that are hard to see or to remember."""
        effort = sum(self.effort_of_condition(test) for test, _ in draft.lines if test)
        charged = MIN_SAVING_PER_STEP * effort * self.plain if draft.lines else 0.0
        return float(self.price_by_decision(draft).sum()) + charged

    def effort_of_condition(self, condition: QuantityCondition) -> int:
        """Return how hard the quantities of a condition are to see, plus how hard the condition is to remember."""
        own = self.ground.quantities[condition.quantity].effort + condition.effort
        return own + self.ground.quantities[condition.second_bound.quantity].effort if condition.second_bound else own

    def best_drafts_by_line_count(self) -> list[list[ListDraft]]:
        """Return lists of the best lists by their number of lines: first those with no line, then those with one line,
        with two, and so on.
        """
        beam = sorted((ListDraft((), last) for last in range(len(self.prices))), key=self.total_cost)
        found = [beam[:BEAM_WIDTH]]
        beam = beam[: len(self.prices)]
        for _ in range(MAX_CONDITIONS):
            longer = [each for draft in beam for each in self.drafts_with_one_more_line(draft)]
            beam = sorted(dict.fromkeys(longer), key=self.total_cost)[:BEAM_WIDTH]
            beam = sorted(dict.fromkeys(map(self.improve_lines, beam)), key=self.total_cost)
            if not beam:
                break
            found.append(beam)
        return found

    def drafts_with_one_more_line(self, draft: ListDraft) -> Iterator[ListDraft]:
        """Yield lists with one more line after the lines of a draft: for each action, the line with its best
        conditions.
        """
        open_ = np.ones(len(self.first), dtype=bool)
        for test, move in draft.lines:
            open_ &= ~(self.ground.mask_where(test) & self.legal[move])
        rest = np.where(self.legal[draft.default_action], self.prices[draft.default_action], self.first)
        for move in range(len(self.prices)):
            if move != draft.default_action:
                for best in self.best_conditions(open_, move, rest):
                    yield replace(draft, lines=(*draft.lines, (best, move)))

    def best_conditions(
        self, undecided: Mask, action_index: int, later_price: Floats
    ) -> Iterator[QuantityCondition | None]:
        """Yield the best conditions for a line that takes the action ``action_index``, at most four: None (no condition), the
        best bound, the best set of a few numbers, and the best pair of bounds.

        ``undecided``: the mask of the decisions that no earlier line decides. ``later_price``: the price of each
        decision if later lines decide it. A condition is yielded only if it saves something. The set and the pair are
        yielded only if they save more than the bound.
        """
        mine = np.flatnonzero(undecided & self.legal[action_index])
        saved = (later_price - self.prices[action_index])[mine]
        found, most, singled = None, 0.0, list[tuple[float, QuantityCondition]]()
        if saved.sum() > 0 and (~self.legal[action_index]).any():
            yield None
        for place, (values, code) in enumerate(self.codes):
            total = cumsum(bincount(code[mine], saved, len(values)))
            below, above = total[:-1], total[-1] - total[:-1]
            charged = MIN_SAVING_PER_STEP * self.ground.quantities[place].effort * self.plain
            singled = [*singled, *self.value_set_conditions(place, values, total, charged)]
            for at_least, worth in ((True, above), (False, below)):
                best = int(np.argmax(worth))
                if worth[best] - charged > most + 1e-12 * self.plain:
                    number = int(values[best + 1] if at_least else values[best])
                    found, most = QuantityCondition(place, number, at_least), float(worth[best] - charged)
        if found is not None:
            yield found
        worth, special = max(singled, key=lambda one: one[0], default=(0.0, None))
        if special is not None and worth > most + 1e-12 * self.plain:
            yield special
        worth, pair = self.best_pair_of_bounds(mine, saved)
        if pair is not None and worth > most + 1e-12 * self.plain:
            yield pair

    def best_pair_of_bounds(self, decision_indices: Ints, savings: Floats) -> tuple[float, QuantityCondition | None]:
        """Return what the best pair of bounds saves, and the pair as one condition; None if no pair saves anything. The
        bounds are on two of the quantities that are easiest to see.

        ``decision_indices``: the indices of the decisions to consider. ``savings``: what the action saves in each of them.
        """
        most, found = 0.0, None
        for one, other in combinations(self.easy, 2):
            (values, code), (others, code_of_other) = self.codes[one], self.codes[other]
            cells = bincount(
                code[decision_indices] * len(others) + code_of_other[decision_indices],
                savings,
                len(values) * len(others),
            ).reshape(len(values), len(others))
            charged = (
                MIN_SAVING_PER_STEP
                * self.plain
                * (self.ground.quantities[one].effort + self.ground.quantities[other].effort + 1)
            )
            for at_least, also_at_least in product((True, False), repeat=2):
                turned = cells[:: -1 if at_least else 1, :: -1 if also_at_least else 1]
                total = turned.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
                at, also_at = np.unravel_index(int(np.argmax(total)), total.shape)
                if total[at, also_at] - charged > most:
                    most = float(total[at, also_at]) - charged
                    number, also = (
                        int(each[-1 - where] if up else each[where])
                        for each, where, up in ((values, at, at_least), (others, also_at, also_at_least))
                    )
                    found = QuantityCondition(
                        one, number, at_least, second_bound=QuantityCondition(other, also, also_at_least)
                    )
        return most, found

    def value_set_conditions(
        self, quantity_index: int, values: Ints, cumulative_savings: Floats, charge: float
    ) -> Iterator[tuple[float, QuantityCondition]]:
        """Yield pairs: what a condition saves, and the condition that a quantity is one of a few numbers.

        ``quantity_index``: the index of the quantity. ``values``: its values, ascending. ``cumulative_savings``: for
        each value, what the action saves in decisions with at most this value. ``charge``: the charge for the quantity.
        """
        if self.ground.quantities[quantity_index].is_flag or len(values) < MAX_SPECIAL + 2:
            return
        by_value = np.diff(cumulative_savings, prepend=0.0)
        order = [at for at in np.argsort(-by_value, kind="stable")[:MAX_SPECIAL].tolist() if by_value[at] > 0]
        for many in range(1, len(order) + 1):
            numbers = tuple(sorted(int(values[at]) for at in order[:many]))
            test = QuantityCondition(quantity_index, numbers[0], at_least=True, allowed_numbers=numbers)
            yield float(by_value[order[:many]].sum()) - charge - MIN_SAVING_PER_STEP * test.effort * self.plain, test

    def improve_lines(self, draft: ListDraft) -> ListDraft:
        """Return the list after replacing single lines, one after another, as long as that reduces its cost."""
        for _ in range(MAX_SWEEPS):
            better = min([draft, *self._drafts_with_one_line_replaced(draft)], key=self.total_cost)
            if self.total_cost(better) >= self.total_cost(draft) - 1e-9 * self.plain:
                break
            draft = better
        return draft

    def _drafts_with_one_line_replaced(self, draft: ListDraft) -> Iterator[ListDraft]:
        for last in range(len(self.prices)):
            yield replace(draft, default_action=last)
        for k in range(len(draft.lines)):
            before, after = draft.lines[:k], draft.lines[k + 1 :]
            open_ = np.ones(len(self.first), dtype=bool)
            for test, move in before:
                open_ &= ~(self.ground.mask_where(test) & self.legal[move])
            rest = self.price_by_decision(ListDraft(after, draft.default_action))
            for move in range(len(self.prices)):
                for best in self.best_conditions(open_, move, rest):
                    yield ListDraft((*before, (best, move), *after), draft.default_action)


def draft_with_tuned_numbers(
    phase_options: PhaseOptions, draft: ListDraft, cost: Callable[[ListDraft], float], max_tries: int
) -> ListDraft:
    """Return the list after changing single numbers in conditions, one after another, as long as that reduces its cost.

    ``max_tries``: the greatest number of changes to try.
    """
    while max_tries > 0:
        changed = list(_drafts_with_one_bound_moved(phase_options, draft))[:max_tries]
        max_tries -= len(changed)
        better = min([draft, *changed], key=cost)
        if cost(better) >= cost(draft):
            break
        draft = better
    return draft


def _drafts_with_one_bound_moved(phase_options: PhaseOptions, draft: ListDraft) -> Iterator[ListDraft]:
    for k, (test, move) in enumerate(draft.lines):
        for moved in _conditions_with_moved_bound(phase_options, test) if test else ():
            yield replace(draft, lines=(*draft.lines[:k], (moved, move), *draft.lines[k + 1 :]))


def _conditions_with_moved_bound(
    phase_options: PhaseOptions, condition: QuantityCondition
) -> Iterator[QuantityCondition]:
    """Yield copies of a condition in which one bound is moved by one or two of the values that its quantity has.
    Nothing is yielded for a set of numbers.
    """
    if condition.allowed_numbers:
        return
    quantity = phase_options.quantities[condition.quantity]
    values, _ = phase_options.values_and_codes[condition.quantity]
    at = int(np.searchsorted(values, condition.number))
    for step in THRESHOLD_STEPS:
        if not quantity.is_flag and 0 <= at + step < len(values):
            yield replace(condition, number=int(values[at + step]))
    if condition.second_bound:
        yield from (
            replace(condition, second_bound=also)
            for also in _conditions_with_moved_bound(phase_options, condition.second_bound)
        )
