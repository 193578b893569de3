"""Members of a family that the rules do not distinguish, such as two coffers that the same number of rolls hits.

Let s exchange two items of a list. It exchanges the cells of all families over that list. If s turns the rules into
themselves, a position p and s(p) have the same future except for names: the rows of s(p) are those of p with s applied
to every target. So p and s(p) may share a state, and by the same argument so may all positions that such exchanges lead
to. Items joined by exchanges of pairs can be put in any order by them, because exchanges along a connected graph make
every permutation of its nodes. A key then holds the members in order (``codec``).

That s turns the rules into themselves is tested on the folded entries: every class of rolls, option, phase of cases and
ending, for every set of seats that may be out, must be as before once the cells are renamed. They are compared in a
normal form that ignores the order of the arguments of commutative operators, and the order of the classes of a roll.
The weights of equal classes are added. An option must keep its name and its index. Rules that cannot be folded without
knowing a member's value count as different. The two items must agree in bounds, in dice and, if they are reset, in the
values after the reset. Neither the objective nor a named policy may read the families.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from oddsmith.base.errors import RuleFailure
from oddsmith.expr import Expr, UnknownCellsNeeded, fold, variables_in
from oddsmith.graph.columns.effects import RangeCheck
from oddsmith.graph.columns.symbolic import Branch, SymbolicRules
from oddsmith.graph.reductions.liveness import variables_in_policies
from oddsmith.ruleset import Game

MAX_ITEMS = 24  # of a list that is looked at: pairs are many
Orbits = tuple[tuple[tuple[int, ...], ...], ...]


def find_orbits(game: Game, objective: str, symbolic: SymbolicRules) -> Orbits:
    """Return the orbits: groups of exchangeable members, each member a tuple of cells."""
    lists = {dim for variable in game.ruleset.state.values() for dim in variable.index_lists if dim != "seat"}
    distinguished = variables_in(game.ruleset.payoffs[objective].value) | variables_in_policies(game)
    orbits: list[tuple[tuple[int, ...], ...]] = []
    for name in sorted(lists):
        families = [variable.name for variable in game.ruleset.state.values() if name in variable.index_lists]
        items = game.static_values[name]
        if len(items) > MAX_ITEMS or any(game.ruleset.state[family].index_lists.count(name) > 1 for family in families):
            continue
        if distinguished.intersection(families):
            continue
        try:
            more = _find_member_orbits(
                _FoldedRules(game, symbolic), [_member_cells(game, families, name, item) for item in items]
            )
            taken = {where for orbit in orbits for member in orbit for where in member}
            orbits += [orbit for orbit in more if not taken.intersection(where for member in orbit for where in member)]
        except (UnknownCellsNeeded, RuleFailure):
            continue
    return tuple(orbits)


def _member_cells(game: Game, families: list[str], list_name: str, item: Any) -> tuple[int, ...]:
    """Return the cells of one item of a list, family by family. ``list_name``: the name of the list."""
    cells = []
    for family in families:
        at = game.ruleset.state[family].index_lists.index(list_name)
        cells += [where for where in game.cell_indices_of(family) if game.cells[where].indices[at] == item]
    return tuple(cells)


def _find_member_orbits(rules: _FoldedRules, members: list[tuple[int, ...]]) -> list[tuple[tuple[int, ...], ...]]:
    """Return the orbits that have at least two members.

    Two members are in one orbit if exchanges lead from one to the other. Each exchanges a pair of members, and leaves
    the rules as they are.
    """
    orbit = list(range(len(members)))
    for a, b in combinations(range(len(members)), 2):
        if orbit[a] != orbit[b] and rules.are_unchanged_by_exchange(members[a], members[b]):
            orbit = [orbit[a] if number == orbit[b] else number for number in orbit]
    groups = [tuple(members[place] for place, number in enumerate(orbit) if number == head) for head in set(orbit)]
    return sorted(group for group in groups if len(group) > 1)


class _FoldedRules:
    """All entries of the rules, folded with unknown cells, for every set of seats that may be out."""

    def __init__(self, game: Game, symbolic: SymbolicRules) -> None:
        self.game = game
        self.table: dict[Any, int] = {}
        self.bodies: list[tuple[bool, list[Any]]] = []
        for out in range(0, 1 << game.seats if game.has_elimination else 1, 2):  # the mover is in
            view = symbolic.view({}, out)
            for phase in game.ruleset.phases.values():
                if phase.kind == "roll":
                    chances = symbolic.roll_classes(phase, view)
                    self.bodies.append(
                        (True, [(one.weight, one.counts, one.rolls_dice, one.branches) for one in chances])
                    )
                elif phase.kind == "choose":
                    options = symbolic.options(phase, view)
                    self.bodies.append((False, [(option.binding, option.branch) for option in options]))
                else:
                    self.bodies.append((False, list(symbolic.branches(phase, view, view))))
            self.bodies.append((False, [fold(game.ruleset.end_when, view), symbolic.at_end_branch(view)]))
        self.plain = self.normal_form({})

    def are_unchanged_by_exchange(self, first_cells: tuple[int, ...], second_cells: tuple[int, ...]) -> bool:
        """Return whether the rules stay the same if the cells of two members are exchanged."""
        if any(
            self.range_dice_and_reset_value(x) != self.range_dice_and_reset_value(y)
            for x, y in zip(first_cells, second_cells, strict=True)
        ):
            return False
        return (
            self.normal_form(
                {
                    **dict(zip(first_cells, second_cells, strict=True)),
                    **dict(zip(second_cells, first_cells, strict=True)),
                }
            )
            == self.plain
        )

    def range_dice_and_reset_value(self, cell_index: int) -> tuple[Any, ...]:
        """Return the properties of a cell that no entry shows: its range, its dice, and its value after a reset."""
        cell = self.game.cells[cell_index]
        back = self.game.start[cell_index] if cell.variable.resets_each_turn else None
        return cell.least, cell.most, cell.dice, back

    def normal_form(self, renamed_cells: Mapping[int, int]) -> list[Any]:
        """Return all entries in a normal form, which ignores the order of the classes of a roll.

        ``renamed_cells``: the new index of each cell that is renamed.
        """
        normal = _Normalizer(renamed_cells, self.table)
        shapes: list[Any] = []
        for rolled, body in self.bodies:
            if not rolled:
                shapes.append([normal.normal_form(part) for part in body])
                continue
            classes = Counter[Any]()
            for weight, counts, *rest in body:  # the counts of what is drawn are multiplied
                classes[tuple(sorted(map(normal.tree_index, counts))), normal.normal_form(tuple(rest))] += weight
            shapes.append(classes)
        return shapes


class _Normalizer:
    """Computes the normal form of folded entries, with some cells renamed.

    Equal trees have the same number in ``tree_numbers``.
    """

    def __init__(self, renamed_cells: Mapping[int, int], tree_numbers: dict[Any, int]) -> None:
        self.renamed_cells, self.tree_numbers = renamed_cells, tree_numbers
        self.seen: dict[int, tuple[Expr, int]] = {}

    def normal_form(self, part: Any) -> Any:
        """Return the normal form of a tree, a branch, a check, or a tuple of these.

        Any other value is returned as it is.
        """
        if isinstance(part, Expr):
            return self.tree_index(part)
        if isinstance(part, Branch):
            checks = tuple(sorted(map(self.normal_form, part.checks)))
            writes = tuple(
                sorted((self.renamed_cells.get(where, where), self.tree_index(tree)) for where, tree in part.writes)
            )
            return (part.entry, checks, writes, *map(self.normal_form, (part.guard, part.seats_out, part.seat)))
        if isinstance(part, RangeCheck):
            return self.tree_index(part.guard), self.tree_index(part.value), part.low, part.high
        if isinstance(part, tuple):
            return tuple(map(self.normal_form, part))
        return part

    def tree_index(self, tree: Expr) -> int:
        """Return the index of a tree in ``tree_numbers``. It is computed only once for a shared tree."""
        if id(tree) not in self.seen:
            self.seen[id(tree)] = (tree, self._new_tree_index(tree))
        return self.seen[id(tree)][1]

    def _new_tree_index(self, tree: Expr) -> int:
        """Return the index of a tree in ``tree_numbers``, to which a new tree is added. Does not use the cache."""
        value = self.renamed_cells.get(tree.value, tree.value) if tree.op == "cell" else repr(tree.value)
        args = [self.tree_index(part) for part in tree.flattened_arguments]
        if tree.is_commutative:
            args.sort()
        return self.tree_numbers.setdefault((tree.function_or_operator, value, *args), len(self.tree_numbers))
