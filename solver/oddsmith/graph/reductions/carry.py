"""Carried cells: running totals that count as payoff and are not part of the state, because no rule reads them and the
objective is linear in them.

*Carried.* Let c be a cell that no rule and no named policy reads, and let the payoff of a seat be w c + (what does not
depend on c). Pay w times the change of c on every transition, and at the end pay as if c still had its start value.
Over a game the changes add up to c at the end minus c at the start. So every seat receives the same, and c need not be
part of the state. The factor w must be the same at every end of a game, whichever seat moves last and whichever seats
are out then. ``_linear_factors`` computes w for every set of seats that may be out, and ``_are_same_for_next_mover``
compares it with what the next seat sees.

*Bounds.* Leaving a bound is an error, so a bound reads its variable. A tally has no bounds. A number may be carried
only if it belongs to a group of variables among which amounts only move. A move takes at most what is there, so no cell
falls below 0, and no cell ever holds more than the whole group held at the start. So a group counts only if nothing can
make its sum grow. A ``set`` writes any number, an ``add`` makes amounts, a move from the supply brings some in, a reset
may bring the start values back, and a draw changes a bag in its own way. A group with any of these does not count. A
move to the supply only takes away.

*Given by a sum.* If nothing leaves a group either, its sum is the same in every position as at the start. Then one of
its cells is that sum minus the others, and a key that holds all the others need not hold it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from oddsmith.base.errors import Problem, RulesetError, Signal
from oddsmith.expr import Expr, UnknownCellsNeeded, fold, variables_in
from oddsmith.graph.columns.reduction import ImpliedCell, Reduction, cell_rotation
from oddsmith.graph.columns.symbolic import SymbolicRules
from oddsmith.graph.reductions.liveness import variables_in_policies
from oddsmith.ruleset import Game, Rules
from oddsmith.ruleset.model import (
    Add,
    Draw,
    Drop,
    ForItems,
    ForSeats,
    If,
    Let,
    Move,
    Reveal,
    Set,
    linked_names,
    variable_read_by,
    variables_moved_between,
)

UnitPayoffs = Mapping[int, tuple[Fraction, ...]]
"""For each carried cell, the payoff of one more unit in it to every seat, counted from the mover."""


@dataclass(frozen=True)
class ConservedGroups:
    """The groups of variables whose sums can never grow, because amounts only move among them.

    ``groups``: for each variable, the members of its group. ``safe``: variables that no play can take out of their
    bounds.
    """

    groups: Mapping[str, frozenset[str]]
    safe: frozenset[str]

    @staticmethod
    def of(game: Game) -> ConservedGroups:
        """Return the conserved groups of a game at its settings."""
        groups = _conserved_groups(game)
        return ConservedGroups(groups, frozenset(_safe_variables(game, groups)))


def cells_implied_by_sums(
    game: Game, conserved: ConservedGroups, left_out_cells: frozenset[int]
) -> tuple[ImpliedCell, ...]:
    """Return one cell that follows from the others, for each group of variables whose sum never changes.

    It is the cell with the largest range among the variables with a single cell, because leaving it out saves most.
    ``left_out_cells``: cells that some key lacks. A group with one of them is skipped.
    """
    given = []
    losing = {name for name, variable in game.ruleset.state.items() if variable.resets_each_turn}
    moves = [effect for effect in game.effects if isinstance(effect, Move)]
    losing |= {move.source.name for move in moves if move.source and move.target is None}
    for names in {frozenset(group) for group in conserved.groups.values()}:
        cells = [where for name in sorted(names) for where in game.cell_indices_of(name)]
        single = [name for name in names if not game.ruleset.state[name].index_lists]
        if len(cells) < 2 or not single or names & losing or left_out_cells.intersection(cells):
            continue
        cell = max(
            (game.cell_indices_of(name)[0] for name in single), key=lambda where: (_range_width(game, where), -where)
        )
        others = tuple(where for where in cells if where != cell)
        given.append(ImpliedCell(cell, others, sum(game.start[where] for where in cells)))
    return tuple(sorted(given, key=lambda one: one.cell))


def _range_width(game: Game, cell_index: int) -> int:
    """Return the largest value of a cell minus its least."""
    return game.cells[cell_index].most - game.cells[cell_index].least


def carried_unit_payoffs(
    game: Game,
    objective: str,
    conserved: ConservedGroups,
    exclude_objective_cells: bool = False,
    finer_than: Reduction | None = None,
) -> UnitPayoffs:
    """Return the carried cells of an objective: running totals that no rule reads, so that states leave them out.

    Each cell has what every seat is paid for one more unit in that cell, which is 0 if the objective does not read it.
    ``exclude_objective_cells``: whether to leave out the cells that the objective reads. ``finer_than``: a reduction;
    only cells that it carries too are carried.
    """
    names = set(conserved.safe - _variables_read(game) - _variables_with_unequal_starts(game))
    paying = variables_in(game.ruleset.payoffs[objective].value)
    if exclude_objective_cells:
        names -= paying
    if finer_than is not None:
        names = {name for name in names if finer_than.carried.issuperset(game.cell_indices_of(name))}
    cells = {where for name in names & paying for where in game.cell_indices_of(name)}
    worth = _linear_factors(game, objective, cells) if cells else {}
    if worth is None:
        names, worth = names - paying, {}
    nothing = (Fraction(0),) * game.seats
    return {where: worth.get(where, nothing) for name in sorted(names) for where in game.cell_indices_of(name)}


def _variables_with_unequal_starts(game: Game) -> set[str]:
    """Return the variables that do not start alike for all seats, or that change before the first choice or roll.

    They cannot be carried, because a state would have to remember the start values of the seats.
    """
    unlike = set()
    first = Rules(game).start().cells
    for name, variable in game.ruleset.state.items():
        starts = [game.start[where] for where in game.cell_indices_of(name)]
        each = len(starts) // game.seats if variable.is_per_seat else 0
        differs = bool(each) and starts[each:] + starts[:each] != starts
        if differs or starts != [first[where] for where in game.cell_indices_of(name)]:
            unlike.add(name)
    return unlike


def refuse_uncarried_tallies(game: Game, objective: str, carried: frozenset[int]) -> None:
    """Raise RulesetError for a tally that is not among the carried cells ``carried``.

    A tally has no bounds, so it cannot be part of the state.
    """
    for where, cell in enumerate(game.cells):
        if cell.variable.kind == "tally" and where not in carried:
            name = cell.variable.name
            message = f"the objective {objective} needs the tally {name} itself, and not only a multiple of it"
            hint = f"make it a number with a max, or use it as it is: coins: {name}"
            raise RulesetError([Problem("OD431", cell.variable.location, message, hint)], game.ruleset.source)


def conserved_sums(game: Game) -> list[tuple[tuple[str, ...], int]]:
    """Return the groups of variables whose sums can never grow, each with its sum at the start."""
    groups = sorted({tuple(sorted(group)) for group in _conserved_groups(game).values()})
    return [
        (group, sum(game.start[where] for name in group for where in game.cell_indices_of(name))) for group in groups
    ]


def _variables_read(game: Game) -> set[str]:
    """Return the variables that some rule or named policy reads."""
    rules = game.ruleset
    trees: list[Expr] = [rules.out_when, rules.end_when]
    for phase in rules.phases.values():
        trees += [term.count for throw in phase.rolls_and_draws for term in throw.dice]
        for entry in phase.entries:
            trees += [*entry.expressions_read, *entry.then.expressions_read]
    for effect in game.effects:
        trees += effect.expressions_read
    names = {*variables_in(*trees), *variables_in_policies(game)}
    names |= {place.name for effect in game.effects for place in effect.variables_read}
    names |= {variable_read_by(throw) for phase in rules.phases.values() for throw in phase.rolls_and_draws}
    return names | {name for name, variable in rules.state.items() if variable.resets_each_turn}


def _conserved_groups(game: Game) -> dict[str, frozenset[str]]:
    """Return, for each variable, the group of variables among which moves can carry its amounts.

    Groups whose sums may grow are left out.
    """
    counted = [name for name, variable in game.ruleset.state.items() if variable.kind in ("number", "tally")]
    group = linked_names(counted, variables_moved_between(game.effects))
    throws = [throw for phase in game.ruleset.phases.values() for throw in phase.rolls_and_draws]
    growing = {throw.bag for throw in throws if isinstance(throw, Draw)}
    for effect in game.effects:
        match effect:
            case Move():
                if effect.target and effect.source is None:
                    growing.add(effect.target.name)
            case Set() | Add():
                growing.add(effect.target.name)
            case Let() | Drop() | Reveal() | If() | ForSeats() | ForItems():
                pass  # nothing grows by these themselves; what lies inside them is an effect of the game too
            case _:
                assert_never(effect)
    for name, variable in game.ruleset.state.items():
        cells = game.cell_indices_of(name)
        if variable.resets_each_turn and any(
            game.start[where] > game.cells[where].least for where in cells if name in group
        ):
            growing.add(name)
    return {name: members for name, members in group.items() if not members & growing}


def _safe_variables(game: Game, groups: Mapping[str, frozenset[str]]) -> set[str]:
    """Return the variables that can never leave their bounds."""
    names = {name for name, variable in game.ruleset.state.items() if variable.kind == "tally"}
    for name, group in groups.items():
        places = [where for member in group for where in game.cell_indices_of(member)]
        room = min(game.cells[where].most for where in game.cell_indices_of(name))
        # A move takes no more than is there, so it leaves 0 or more; of a cell with another minimum that says nothing.
        if all(game.cells[where].least == 0 for where in places) and sum(game.start[where] for where in places) <= room:
            names.add(name)
    return names


def cells_added_up(game: Game, objective: str) -> frozenset[int]:
    """Return the cells that a payoff adds up multiples of, so that it can be read at any time of play; none if it is
    any other payoff.
    """
    factors = _linear_factors(game, objective, set(range(len(game.cells)))) or {}
    return frozenset(where for where, worth in factors.items() if any(worth))


def _linear_factors(game: Game, objective: str, cells: set[int]) -> UnitPayoffs | None:
    """Return the payoff of one more unit in each cell to every seat; None if the objective has no fixed linear factors.

    The growth of a carried cell is paid at once, before it is known which seat moves last and which are out then. So
    the factor of a seat must be the same whichever seats are out and whichever seat moves.
    """
    symbolic, worths = SymbolicRules(game), list[UnitPayoffs]()
    for out in range(1 << game.seats if game.has_elimination else 1):
        view, parts = symbolic.view({}, out), list[Mapping[int, Fraction]]()
        for seat in range(game.seats):
            view.seat = seat
            try:
                tree = fold(game.ruleset.payoffs[objective].value, view)
                parts.append(_linear_coefficients(tree, Fraction(1), cells))
            except (UnknownCellsNeeded, _NotLinear):
                return None
        worths.append({where: tuple(part.get(where, Fraction(0)) for part in parts) for where in cells})
    same = all(worth == worths[0] for worth in worths)
    return worths[0] if same and _are_same_for_next_mover(game, worths[0]) else None


def _are_same_for_next_mover(game: Game, unit_payoffs: UnitPayoffs) -> bool:
    """Return whether each seat has the same factors when they are seen from the next mover. ``unit_payoffs``: the
    factors.

    If this holds for the next mover, it holds for every mover.
    """
    before = cell_rotation(game, 1)
    return all(
        worths == (*unit_payoffs[before[where]][1:], unit_payoffs[before[where]][0])
        for where, worths in unit_payoffs.items()
    )


class _NotLinear(Signal):
    """Raised if an expression is not linear."""


def _linear_coefficients(tree: Expr, factor: Fraction, cells: set[int]) -> dict[int, Fraction]:
    """Return the coefficient of each of ``cells`` in a folded tree, times ``factor``. Raises _NotLinear.

    Terms that contain none of the cells are ignored.
    """
    inside = {node.value for node in tree.walk() if node.op == "cell"} & cells
    if not inside:
        return {}
    if tree.op == "cell":
        return {tree.value: factor}
    if tree.op in ("+", "-", "neg"):
        parts: dict[int, Fraction] = {}
        for at, arg in enumerate(tree.args):
            sign = -1 if tree.op == "neg" or (tree.op == "-" and at == 1) else 1
            for where, value in _linear_coefficients(arg, factor * sign, cells).items():
                parts[where] = parts.get(where, Fraction(0)) + value
        return parts
    if tree.op in ("*", "/"):
        left, right = tree.args
        if right.op == "const":
            return _linear_coefficients(
                left, factor * right.value if tree.op == "*" else factor / Fraction(right.value), cells
            )
        if left.op == "const" and tree.op == "*":
            return _linear_coefficients(right, factor * left.value, cells)
    raise _NotLinear
