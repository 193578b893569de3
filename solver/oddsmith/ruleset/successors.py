"""Derives the rows of a state with ``Rules``, for all positions that the state represents.

A position is mapped to a state as follows. Seats are numbered from the seat to move. ``carried`` cells, which only add
to payoffs, are set to 0; the payoff of one more in such a cell is known for every seat. ``forgotten`` cells, which
nothing reads again, are set to their start values. If the members of a family of cells may be exchanged
(``exchangeable_families``), the members are sorted.

``SuccessorDeriver.successors`` proves that this is right. ``Rules`` receives a position with an unknown value in every
cell that the state leaves out. Every operation that reads an unknown raises LeftOutCellRead; the rules may only copy
it, or add it to the value of a carried cell. So the calculation of a row is the same for all values of these cells, and
the row is valid for all positions with this state. Two facts remain to be shown. Carried cells never leave their
bounds: :func:`without_bounds_of_carried_cells` shows this. Exchanging members and rotating seats changes nothing: the
rows are derived for every arrangement, with each seat as the mover.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import factorial, lcm, prod
from random import Random
from typing import Any, NoReturn, assert_never

from oddsmith.base.dice import Hand
from oddsmith.base.errors import Signal
from oddsmith.expr import FALSE, SEAT, TRUE, Expr
from oddsmith.ruleset.game import Cell, Game
from oddsmith.ruleset.model.effects import Add, Drop, Effect, ForItems, ForSeats, If, Let, Move, Reveal, Set
from oddsmith.ruleset.model.phases import Entry
from oddsmith.ruleset.rules import Action, Rules, State, Step


class LeftOutCellRead(Signal):
    """Raised if a rule reads a cell that the state leaves out."""


class Unknown:
    """An unknown value, which no rule may read. ``name``: the name of the cell that holds it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def raise_left_out_cell_read(self, *_: object) -> NoReturn:
        """Raise LeftOutCellRead. This implements every operator."""
        raise LeftOutCellRead(f"the rules look at {self.name}, which the state leaves out")


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_OPERATORS = (
    *("eq", "ne", "lt", "le", "gt", "ge", *_ARITHMETIC, *(f"r{name}" for name in _ARITHMETIC), "neg", "abs"),
    *("bool", "hash", "iter", "len", "getitem", "contains", "index", "int", "float", "round"),
)
for _name in _OPERATORS:
    setattr(Unknown, f"__{_name}__", Unknown.raise_left_out_cell_read)


class LinearUnknown(Unknown):
    """A linear combination of unknown numbers, plus a known number. Known numbers may be added to it and multiply it.

    ``coefficients``: the coefficient of each unknown, by the index of its cell. ``constant``: the known number.
    """

    __slots__ = ("coefficients", "constant")

    def __init__(self, name: str, coefficients: Mapping[int, Fraction | int], constant: Fraction | int = 0) -> None:
        super().__init__(name)
        self.coefficients, self.constant = coefficients, constant

    def __add__(self, other: Any) -> Any:
        """Return the sum; a number if all unknowns cancel."""
        parts, rest = (other.coefficients, other.constant) if isinstance(other, LinearUnknown) else ({}, other)
        sums = {part: self.coefficients.get(part, 0) + parts.get(part, 0) for part in {**self.coefficients, **parts}}
        left = {part: times for part, times in sums.items() if times}
        return LinearUnknown(self.name, left, self.constant + rest) if left else self.constant + rest

    def __mul__(self, factor: Any) -> Any:
        """Return the product with a known number; the number 0 if this number is 0."""
        if not factor:
            return 0
        return LinearUnknown(
            self.name, {part: each * factor for part, each in self.coefficients.items()}, self.constant * factor
        )

    def __sub__(self, other: Any) -> Any:
        return self + other * -1

    def __rsub__(self, other: Any) -> Any:
        return self * -1 + other

    def __neg__(self) -> Any:
        return self * -1

    __radd__, __rmul__ = __add__, __mul__


CellsOfMembers = Sequence[Sequence[int]]
"""The indices of the cells of each member of a family."""


class CanonicalForm:
    """Maps positions of one game to their canonical states, and back. Both are instances of ``State``.

    ``carried_unit_payoffs``: maps each carried cell to what every seat is paid if the cell grows by 1.
    ``forgotten_cells_by_phase``: maps each phase to the cells that nothing reads again. ``exchangeable_families``: the
    families whose members may be exchanged. Payoffs of carried cells are multiples of ``1 / scale``.
    """

    def __init__(
        self,
        game: Game,
        carried_unit_payoffs: Mapping[int, Sequence[Fraction]],
        forgotten_cells_by_phase: Mapping[str, Iterable[int]],
        exchangeable_families: Sequence[CellsOfMembers],
    ) -> None:
        self.game, self.unit_payoffs = game, carried_unit_payoffs
        self.orders = [self._cell_order_from_seat(seat_shift) for seat_shift in range(game.seats)]
        self.scale = lcm(*(count.denominator for each in carried_unit_payoffs.values() for count in each))
        self.absolute_unit_payoffs = self._unit_payoffs_for_mover(0)
        if any(self._unit_payoffs_for_mover(mover) != self.absolute_unit_payoffs for mover in range(game.seats)):
            raise LeftOutCellRead("what a carried cell is worth depends on who is to move")
        self.forgotten = {
            phase: frozenset(cells) - carried_unit_payoffs.keys() for phase, cells in forgotten_cells_by_phase.items()
        }
        self.exchangeable_families = exchangeable_families
        kinds = (cell.variable.kind for cell in game.cells)
        self.seat_cells = [where for where, kind in enumerate(kinds) if kind == "seat"]

    def left_out_cells(self, phase: str) -> frozenset[int]:
        """Return the indices of the cells whose values a canonical state of this phase leaves out."""
        return self.forgotten.get(phase, frozenset()) | self.unit_payoffs.keys()

    def state(self, position: State) -> State:
        """Return the canonical state that represents a position."""
        seats, seat_shift = self.game.seats, position.mover
        cells = [position.cells[where] for where in self.orders[seat_shift]]
        for where in self.forgotten.get(position.phase, ()):
            cells[where] = self.game.start[where]
        for where in self.unit_payoffs:
            cells[where] = 0
        for where in self.seat_cells:
            if where not in self.forgotten.get(position.phase, ()):
                cells[where] = (cells[where] - seat_shift) % seats
        for places in self._exchangeable_families_in_phase(position.phase):
            _store_values_of_members(
                cells,
                places,
                sorted(_values_of_members(cells, places), key=lambda each: list(map(_sort_key_of_cell_value, each))),
            )
        return State(position.phase, 0, _rotated_seat_bits(position.seats_out_bits, -seat_shift, seats), tuple(cells))

    def positions_with_members_exchanged(self, state: State) -> Iterator[State]:
        """Yield the state, and then all positions that differ from it only in the order of exchangeable members."""
        families = self._exchangeable_families_in_phase(state.phase)
        for orders in product(*(_distinct_orders(_values_of_members(state.cells, places)) for places in families)):
            cells = list(state.cells)
            for places, held in zip(families, orders, strict=True):
                _store_values_of_members(cells, places, held)
            yield State(state.phase, 0, state.seats_out_bits, tuple(cells))

    def with_members_shuffled(self, state: State, random: Random) -> State:
        """Return a state with its exchangeable members in a random order."""
        cells = list(state.cells)
        for places in self._exchangeable_families_in_phase(state.phase):
            held = _values_of_members(cells, places)
            _store_values_of_members(cells, places, random.sample(held, len(held)))
        return State(state.phase, 0, state.seats_out_bits, tuple(cells))

    def count_member_arrangements(self, state: State) -> int:
        """Return the number of different orders of the exchangeable members in a state."""
        return prod(
            _count_distinct_orders(_values_of_members(state.cells, places))
            for places in self._exchangeable_families_in_phase(state.phase)
        )

    def _unit_payoffs_for_mover(self, mover: int) -> dict[int, list[int]]:
        """Return, for each carried cell, what every seat is paid if the cell grows by 1 while ``mover`` is to move.

        A *carried* cell is left out of states, because the payoff is linear in it: each increase is paid at once.
        Payoffs are whole units of ``1 / self.scale``; cells and seats are numbered from the first seat.
        """
        seats = self.game.seats
        units = {where: [int(count * self.scale) for count in each] for where, each in self.unit_payoffs.items()}
        return {
            self.orders[mover][where]: [*each[seats - mover :], *each[: seats - mover]] for where, each in units.items()
        }

    def scaled_gains_in_carried_cells(self, cells_before: Sequence[Any], cells_after: Sequence[Any]) -> list[Any]:
        """Return the payoff to each seat from the changes of carried cells between two positions, times ``scale``.

        ``cells_before``, ``cells_after``: the values of the cells. Seats are numbered from the first seat.
        """
        gains: list[Any] = [0] * self.game.seats
        for where, counts in self.absolute_unit_payoffs.items():
            if cells_after[where] is not cells_before[where]:
                more = cells_after[where] - cells_before[where]
                gains = [had + count * more for had, count in zip(gains, counts, strict=True)]
        return gains

    def position(self, state: State, mover: int) -> State:
        """Return the position with a given canonical state in which the seat ``mover`` is to move."""
        seats, order = self.game.seats, self.orders[mover]
        cells: list[Any] = [None] * len(order)
        shifted_cells = set(self.seat_cells) - self.left_out_cells(state.phase)
        for where, value in enumerate(state.cells):
            cells[order[where]] = (value + mover) % seats if where in shifted_cells else value
        return State(state.phase, mover, _rotated_seat_bits(state.seats_out_bits, mover, seats), tuple(cells))

    def _exchangeable_families_in_phase(self, phase: str) -> list[CellsOfMembers]:
        """Return the families of exchangeable members. Cells that states of the phase leave out are omitted."""
        left_out = self.left_out_cells(phase)
        return [
            [[where for where in member if where not in left_out] for member in members]
            for members in self.exchangeable_families
        ]

    def _cell_order_from_seat(self, seat_shift: int) -> list[int]:
        """Return the indices of the cells in the order that makes seat ``seat_shift`` the first seat."""
        order = list(range(len(self.game.cells)))
        for name, variable in self.game.ruleset.state.items():
            if variable.is_per_seat:
                block = self.game.cell_indices_of(name)
                shift = seat_shift * (len(block) // self.game.seats)
                order[block.start : block.stop] = [*block[shift:], *block[:shift]]
        return order


def _rotated_seat_bits(seat_bits: int, seat_shift: int, seats: int) -> int:
    """Return a set of seats (as bits), with ``seat_shift`` added to each seat modulo the number of seats."""
    return sum(1 << (seat + seat_shift) % seats for seat in range(seats) if seat_bits >> seat & 1)


def _values_of_members(cells: Sequence[Any], cells_of_members: CellsOfMembers) -> list[tuple[Any, ...]]:
    return [tuple(cells[where] for where in member) for member in cells_of_members]


def _store_values_of_members(
    cells: list[Any], cells_of_members: CellsOfMembers, values_of_members: Iterable[Sequence[Any]]
) -> None:
    for member, values in zip(cells_of_members, values_of_members, strict=True):
        for where, value in zip(member, values, strict=True):
            cells[where] = value


def _distinct_orders(items: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the distinct orders of the items; the first is the given order."""
    if not items:
        yield ()
    for item in dict.fromkeys(items):
        place = items.index(item)
        for rest in _distinct_orders([*items[:place], *items[place + 1 :]]):
            yield (item, *rest)


def _count_distinct_orders(items: Sequence[Any]) -> int:
    """Return the number of distinct orders of the items."""
    return factorial(len(items)) // prod(map(factorial, Counter(items).values()))


def _sort_key_of_cell_value(value: Any) -> Any:
    """Return the key by which a value is sorted: for a hand, its size and its dice; for any other value, the value."""
    return (len(value), value) if isinstance(value, Hand) else value


Landing = tuple[int, int, tuple[Fraction | int, ...]]
"""The number of the next state (-1 if the game is over), the seat shift, and each seat's payoff, from the mover on."""
LandingDistribution = dict[Landing, Fraction]
"""The probability of every landing."""
StateIndexFunction = Callable[[State], int | None]
"""A function that returns the number of a state; None for a state that the table does not contain."""

UNKNOWN_VALUE_ERRORS = (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError)
"""Errors that Python may raise if a value has an unexpected type, such as ``Unknown``."""


@dataclass(frozen=True)
class Successors:
    """The successors of a position. ``actions``: its legal actions; empty if chance decides.

    ``landing_distributions``: for each action, the distribution of the landings to which it leads; a single one for
    chance. ``actions_relative_to_mover``: the same actions, with seats numbered from the mover.
    """

    position: State
    actions: Sequence[Action]
    landing_distributions: Sequence[LandingDistribution]
    actions_relative_to_mover: Sequence[Action] = ()


class SuccessorDeriver:
    """Derives the successors of positions by the rules, with the payoffs of one objective.

    ``steps``: the number of steps that ``Rules`` has computed so far. ``state_index``: returns the number of a state.
    Its methods raise LeftOutCellRead if successors depend on cells that states leave out.
    """

    def __init__(self, game: Game, objective: str, canonical: CanonicalForm, state_index: StateIndexFunction) -> None:
        self.canonical, self.objective, self.state_index = canonical, objective, state_index
        self.game, self.steps = _with_constant_tests_replaced(without_bounds_of_carried_cells(game, canonical)), 0
        self.rules = Rules(self.game)

    def position_with_unknowns(self, state: State, mover: int) -> State:
        """Return the position with a given state in which ``mover`` is to move.

        The cells that the state leaves out hold unknowns.
        """
        cells = list(state.cells)
        for where in self.canonical.forgotten.get(state.phase, ()):
            cells[where] = Unknown(self.game.cells[where].name)
        for where in self.canonical.unit_payoffs:
            cells[where] = LinearUnknown(self.game.cells[where].name, {where: 1})
        return self.canonical.position(replace(state, cells=tuple(cells)), mover)

    def successors(self, state: State, mover: int) -> Successors:
        """Return the successors of the position with a given state in which ``mover`` is to move.

        Raises LeftOutCellRead if they depend on cells that the state leaves out, PlayError if a rule breaks, and
        MissingStateReached for a successor that has no number.
        """
        position = self.position_with_unknowns(state, mover)
        try:
            if self.rules.phase(position).kind == "roll":
                return Successors(
                    position, (), [self._landing_distribution(position, self._weighted_steps_of_roll(position))]
                )
            actions = self.rules.actions(position)
            rows = [
                self._landing_distribution(position, self._weighted_steps_of_action(position, each)) for each in actions
            ]
            return Successors(
                position, actions, rows, [self._action_relative_to_mover(position, each) for each in actions]
            )
        except UNKNOWN_VALUE_ERRORS as wrong:
            raise LeftOutCellRead(f"the rules look at what the state leaves out ({wrong})") from None

    def _action_relative_to_mover(self, position: State, action: Action) -> Action:
        loops = self.rules.phase(position).entries[action.entry_index].loops
        seats = {name for name, items in loops if items.type.item == SEAT}
        mover, count = position.mover, self.game.seats
        binding = ((name, (value - mover) % count if name in seats else value) for name, value in action.binding)
        return replace(action, binding=tuple(binding))

    def _weighted_steps_of_action(self, position: State, action: Action) -> Iterator[tuple[int, Step]]:
        """Yield the steps of an action with their weights. A roll that follows in the same turn is included."""
        step = self.rules.choose(position, action)
        if not step.turn_over and self.rules.phase(step.state).kind == "roll":
            yield from self._weighted_steps_of_roll(step.state)
        else:
            yield 1, step

    def _weighted_steps_of_roll(self, position: State) -> Iterator[tuple[int, Step]]:
        for weight, thrown in self.rules.weighted_chance_results(position)[0]:
            yield weight, self.rules.resolve(position, thrown)

    def _landing_distribution(self, position: State, weighted_steps: Iterator[tuple[int, Step]]) -> LandingDistribution:
        weights = defaultdict[Landing, int](int)
        for weight, step in weighted_steps:
            weights[self.landing(position, step.state)] += weight
            self.steps += 1
        total = sum(weights.values())
        return {landing: Fraction(weight, total) for landing, weight in weights.items()}

    def landing(self, position: State, successor: State) -> Landing:
        """Return the landing of a move from a position to the position ``successor``: next state, seat shift, and
        payoffs.

        Raises MissingStateReached if the next state has no number.
        """
        seats, start = self.game.seats, position.mover
        gains = (
            self.canonical.scaled_gains_in_carried_cells(position.cells, successor.cells)
            if successor.phase
            else self._scaled_final_gains(position, successor)
        )
        if any(isinstance(gain, Unknown) for gain in gains):
            raise LeftOutCellRead("what is paid depends on cells that count as carried, and not as the state says")
        turned = tuple(Fraction(gain, self.canonical.scale) if gain else 0 for gain in (*gains[start:], *gains[:start]))
        if not successor.phase:
            return -1, 0, turned
        state = self.canonical.state(successor)
        unknown = next((value for value in state.cells if isinstance(value, Unknown)), None)
        if unknown is not None:
            raise LeftOutCellRead(f"what {unknown.name} holds goes on to a state that tells it")
        target = self.state_index(state)
        if target is None:
            raise MissingStateReached(state)
        return target, (successor.mover - start) % seats, turned

    def _scaled_final_gains(self, position: State, final_position: State) -> list[Any]:
        """Return the final payoff of each seat minus the payoff of the carried cells so far, times ``scale``."""
        context, gains = self.rules.context(final_position), []
        had = self.canonical.scaled_gains_in_carried_cells(self.game.start, position.cells)
        for seat in range(self.game.seats):
            context.seat = seat
            gains.append(self.rules.pay[self.objective](context) * self.canonical.scale - had[seat])
        return gains


def distributions_as_multiset(
    distributions: Sequence[LandingDistribution],
) -> Counter[frozenset[tuple[Landing, Fraction]]]:
    """Return distributions of landings as a multiset, so that their order does not matter in comparisons."""
    return Counter(frozenset(row.items()) for row in distributions)


class MissingStateReached(Signal):
    """Raised if the rules lead to a state that has no number."""

    def __init__(self, state: State) -> None:
        super().__init__("the rules lead to a position that the table does not hold")
        self.state = state


# --- bounds that are never met


def without_bounds_of_carried_cells(game: Game, canonical: CanonicalForm) -> Game:
    """Return the game without bounds on its carried cells. Raises LeftOutCellRead if play might violate a bound.

    A tally has no bounds (the limit of 2^53 on all numbers is disregarded here). Any other variable must belong to a
    group of variables such that effects only move amounts within the group or out of it. Then no variable falls below
    0, and none exceeds the sum of the group at the start.
    """
    for where in sorted(canonical.unit_payoffs):
        cell = game.cells[where]
        if cell.variable.kind == "number" and not _always_stays_in_bounds(game, cell):
            raise LeftOutCellRead(f"{cell.name} has bounds that it might leave, so a state must tell it")
    cells = (replace(cell, is_unbounded=where in canonical.unit_payoffs) for where, cell in enumerate(game.cells))
    return replace(game, cells=tuple(cells))


def _always_stays_in_bounds(game: Game, cell: Cell) -> bool:
    """Return whether a cell can never leave its bounds, because nothing adds to the sum of its group of variables.

    The variables of a group are connected by moves. No effect or reset may add to the sum of the group, all cells of
    the group must have the minimum 0, and the maximum of the cell must be at least the sum of the group at the start.
    Draws only reduce the sum. The group is not that of ``linked_names``, because this checks what was derived with it.
    """
    group = {cell.variable.name}
    while True:
        ends = [{place.name for place in effect.variables_written} for effect in game.effects]
        more = group.union(*(names for names in ends if names & group))
        if more == group:
            break
        group = more
    cells = [where for name in group for where in game.cell_indices_of(name)]
    return (
        all(not _may_add_to_group(effect, group) for effect in game.effects)
        and not any(game.cells[where].variable.resets_each_turn and game.start[where] for where in cells)
        and all(game.cells[where].least == 0 for where in cells)
        and sum(game.start[where] for where in cells) <= cell.most
    )


def _may_add_to_group(effect: Effect, variable_names: Collection[str]) -> bool:
    """Return whether an effect may add to the sum of a group of variables. Effects inside it are not considered."""
    match effect:
        case Move():
            return effect.source is None and effect.target is not None and effect.target.name in variable_names
        case Set() | Add():
            return effect.target.name in variable_names
        case Let() | Drop() | Reveal() | If() | ForSeats() | ForItems():
            return False
        case _:
            assert_never(effect)


# --- tests that do not depend on the state


def _with_constant_tests_replaced(game: Game) -> Game:
    """Return the game with every test replaced by a constant if its value is the same in every state.

    For example, ``stash > 0 and brave`` becomes false if the parameter ``brave`` is false, and no longer reads
    ``stash``.
    """
    phases = {
        name: replace(phase, entries=tuple(_simplified_entry(entry, game) for entry in phase.entries))
        for name, phase in game.ruleset.phases.items()
    }
    return replace(
        game, ruleset=replace(game.ruleset, phases=phases, at_end=_simplified_effects(game.ruleset.at_end, game))
    )


def _simplified_entry(entry: Entry, game: Game) -> Entry:
    when = _test_or_constant(entry.when, game)
    loops = () if when == FALSE else entry.loops  # an option that nobody ever has goes through nothing
    return replace(entry, when=when, do=_simplified_effects(entry.do, game), loops=loops)


def _simplified_effects(effects: Sequence[Effect], game: Game) -> tuple[Effect, ...]:
    return tuple(_simplified_effect(effect, game) for effect in effects)


def _simplified_effect(effect: Effect, game: Game) -> Effect:
    match effect:
        case If():
            test = _test_or_constant(effect.test, game)
            return replace(
                effect,
                test=test,
                do=_simplified_effects(effect.do, game),
                else_do=_simplified_effects(effect.else_do, game),
            )
        case ForSeats() | ForItems():
            return replace(effect, do=_simplified_effects(effect.do, game))
        case Move() | Set() | Add() | Let() | Drop() | Reveal():
            return effect
        case _:
            assert_never(effect)


def _test_or_constant(test: Expr, game: Game) -> Expr:
    found = game.constant_truth(test)
    return test if found is None else TRUE if found else FALSE
