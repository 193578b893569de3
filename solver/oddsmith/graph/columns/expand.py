"""One step of play for all states of a block at once: rolls and draws, choices, and phases of cases.

If folding needs the value of a cell, it raises UnknownCellsNeeded. Then the block is split by the values of that cell,
and folding is tried again for each part with the cell known, until nothing more is needed. So no more cells are known
than the rules need. Classes of rolls whose entries differ only in constants are joined, so that one pass over the
columns serves them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange, bincount, repeat
from oddsmith.base.dice import MAX_DENOMINATOR
from oddsmith.base.errors import Problem, RuleFailure, RulesetError
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.expr import FALSE, TRUE, Expr, PartialPosition, Type, UnknownCellsNeeded, fold
from oddsmith.graph.columns.block import PositionBlock, RuleFailureInBlock
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.effects import RangeCheck
from oddsmith.graph.columns.reduction import rotate_seat_mask
from oddsmith.graph.columns.symbolic import Branch, Option, RollClass, SymbolicRules
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Again, End, Pass, PassTo, ToPhase

SAMPLED_VALUES = 16  # values of a cell from which the work for all of them is foreseen

KnownCells = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RollClasses:
    """Classes of rolls whose entries differ only in constants.

    In their trees, the node ``slot`` i stands for ``slots[i]``.

    ``weights``: the weight of each class. ``slots``: the constants as codes of the codec, shape (slots, classes).
    ``counts``: expressions by which the weights are multiplied. ``rolls_dice``: whether dice are rolled. ``branches``:
    the entries that may apply.
    """

    weights: Ints
    slots: Ints
    counts: tuple[Expr, ...]
    rolls_dice: bool
    branches: tuple[Branch, ...]

    @property
    def event_bits(self) -> int:
        """The event bits of transitions with these rolls: ``DICE_ROLLED_BIT`` if dice are rolled, else 0."""
        return DICE_ROLLED_BIT * self.rolls_dice


def group_rolls(roll_classes: Sequence[RollClass], encode_value: Callable[[int | None, Any], int]) -> list[RollClasses]:
    """Join classes of rolls whose entries differ only in constants. ``roll_classes``: the single classes.

    ``encode_value``: a function from a cell and a value in it to the code of the value.
    """
    shapes: dict[Any, list[tuple[RollClass, list[int]]]] = {}
    for roll_class in roll_classes:
        slotted = _SlotReplacer(encode_value)
        branches = tuple(slotted.branch_with_slots(branch) for branch in roll_class.branches)
        counts = tuple(map(slotted.tree_with_slots, roll_class.counts))
        shapes.setdefault((counts, roll_class.rolls_dice, branches), []).append((roll_class, slotted.values))
    rolls = []
    for shape, classes in shapes.items():
        weights = np.array([roll_class.weight for roll_class, _ in classes], dtype=np.int64)
        slots = np.array([values for _, values in classes], dtype=np.int64).reshape(len(classes), -1).T
        if len(classes) == 1:  # constants are quicker than columns of them
            roll_class = classes[0][0]
            rolls.append(RollClasses(weights, slots[:0], roll_class.counts, roll_class.rolls_dice, roll_class.branches))
        else:
            rolls.append(RollClasses(weights, slots, *shape))
    return rolls


class _SlotReplacer:
    """Replaces the constants in the entries of one class of rolls by slots.

    ``values``: the codes of these constants, by slot.
    """

    def __init__(self, encode_value: Callable[[int | None, Any], int]) -> None:
        self.encode_value, self.values = encode_value, list[int]()
        self.done: dict[int, tuple[Expr, Expr]] = {}

    def new_slot(self, type_: Type, code: int) -> Expr:
        """Return the node of a new slot, which holds ``code``."""
        self.values.append(code)
        return Expr("slot", type_, value=len(self.values) - 1)

    def tree_with_slots(self, tree: Expr, cell_index: int | None = None) -> Expr:
        """Return a tree in which slots replace constants. ``cell_index``: the cell to which its value is written, if
        any.
        """
        if id(tree) in self.done:  # shared parts stay shared
            return self.done[id(tree)][1]
        if tree.op == "const" and (
            tree.type.kind in ("number", "word", "seat") or (cell_index is not None and tree.type.kind == "hand")
        ):
            return self.new_slot(tree.type, self.encode_value(cell_index, tree.value))
        replaced = tree.with_args(tuple(map(self.tree_with_slots, tree.args))) if tree.args else tree
        self.done[id(tree)] = (tree, replaced)
        return replaced

    def branch_with_slots(self, branch: Branch) -> Branch:
        """Return a branch in which slots replace constants."""
        return replace(
            branch,
            guard=self.tree_with_slots(branch.guard),
            writes=tuple((where, self.tree_with_slots(tree, where)) for where, tree in branch.writes),
            seats_out=tuple(map(self.tree_with_slots, branch.seats_out)),
            checks=tuple(
                replace(one, guard=self.tree_with_slots(one.guard), value=self.tree_with_slots(one.value))
                for one in branch.checks
            ),
            seat=self.tree_with_slots(branch.seat) if branch.seat else None,
        )


class BlockSplitter:
    """Folds the rules for parts of blocks, with as few known cells as possible, and caches the results.

    A result depends on the phase, on the seats that are out, and on the known cells. So it serves all blocks that agree
    in these.
    """

    def __init__(self, codec: Codec, symbolic: SymbolicRules) -> None:
        self.codec, self.symbolic = codec, symbolic
        self.made: dict[Any, Any] = {}

    def divide(
        self,
        block: PositionBlock,
        cache_key: Any,
        fold_view: Callable[[PartialPosition], Any],
        known_cells: KnownCells = (),
    ) -> Iterator[tuple[PositionBlock, Any]]:
        """Yield the parts of a block, each with the result of ``fold_view`` for a view in which some cells are known.

        ``cache_key``: the name of ``fold_view`` in the cache. ``known_cells``: the cells that are known from the
        beginning, each with its code. Raises RuleFailureInBlock if a rule breaks, and RulesetError if folding would
        take too long.
        """
        made = self._cached_result(block, cache_key, fold_view, known_cells)
        if not isinstance(made, int):
            yield block, made
            return
        column = block.cell_column(made)
        ways = {code: tuple(sorted((*known_cells, (made, code)))) for code in np.unique(column).tolist()}
        if len(ways) > 2 * SAMPLED_VALUES:
            self._refuse_long_work(block, cache_key, fold_view, list(ways.values()), made)
        for code, known in ways.items():
            part = block.select(column == code)
            assert part
            yield from self.divide(part, cache_key, fold_view, known)

    def _cached_result(
        self, block: PositionBlock, cache_key: Any, fold_view: Callable[[PartialPosition], Any], known_cells: KnownCells
    ) -> Any:
        """Return the result of ``fold_view`` for a view with the known cells ``known_cells``. If another cell must be
        known, return its index.

        ``cache_key``: the name of ``fold_view`` in the cache.
        """
        key = (cache_key, block.phase, block.out, known_cells)
        if key not in self.made:
            view = self.symbolic.view(
                {where: self.codec.decode_value(where, code) for where, code in known_cells}, block.out
            )
            try:
                self.made[key] = fold_view(view)
            except UnknownCellsNeeded as needs:
                self.made[key] = min(needs.cells)
            except RuleFailure:
                raise RuleFailureInBlock(int(block.sources[0])) from None
        return self.made[key]

    def _refuse_long_work(
        self,
        block: PositionBlock,
        cache_key: Any,
        fold_view: Callable[[PartialPosition], Any],
        known_cell_sets: list[KnownCells],
        varied_cell: int,
    ) -> None:
        """Raise RulesetError if a sample of ``known_cell_sets`` suggests that folding for all of them would take too
        long.

        ``known_cell_sets``: sets of known cells, which differ in the code of ``varied_cell``.
        """
        before = self.symbolic.worked
        for given in known_cell_sets[:: len(known_cell_sets) // SAMPLED_VALUES]:
            try:
                self._cached_result(block, cache_key, fold_view, given)
            except RuleFailureInBlock:
                return  # the parts tell which row it is
        work = before + (self.symbolic.worked - before) * len(known_cell_sets) // SAMPLED_VALUES
        if work <= limits().entries:
            return
        game = self.codec.game
        name, phase = game.cells[varied_cell].name, game.ruleset.phases[block.phase]
        message = (
            f"what can be done in {phase.name} depends on {name}, which has {len(known_cell_sets):,} values here: about "
            f"{work:,} entries would be computed one by one, over {limits().entries:,}"
        )
        hint = f"let {name} have fewer values, or loop over fewer items, {hint_to_raise_limit('entries')}"
        raise RulesetError([Problem("OD432", phase.location, message, hint)], game.ruleset.source)


Action = tuple[str, int, tuple[tuple[str, Any], ...]]
"""An action: its phase, the index of its option, and the values of its loop names."""
DICE_ROLLED_BIT = 1
"""The event bit of transitions on which at least one die is rolled."""
MAX_BLOCK_POSITIONS = 1 << 19  # positions on their way at a time


class Expander:
    """Finds the successors of blocks of states of one game. ``event_bits``: the event bit of each watched entry.

    ``action_numbers``: the number by which ``SourceStates.taken`` refers to each action; needed only if not all actions
    are explored.
    """

    def __init__(
        self,
        game: Game,
        codec: Codec,
        symbolic: SymbolicRules,
        event_bits: dict[tuple[str, str], int] | None = None,
        action_numbers: Mapping[Action, int] | None = None,
    ) -> None:
        self.game, self.codec, self.event_bits, self.symbolic, self.action_numbers = (
            game,
            codec,
            event_bits or {},
            symbolic,
            action_numbers or {},
        )
        self.rules = game.ruleset
        self.divider = BlockSplitter(codec, symbolic)
        self.actions: dict[Action, int] = {}

    def expand(self, block: PositionBlock) -> Iterator[PositionBlock]:
        """Yield the successors of a block, up to the next choice, roll or turn.

        A block without a phase is at the end of the game.

        Raises RuleFailureInBlock, with the row of a state in which a rule breaks.
        """
        choosing = self.rules.phases[block.phase].kind == "choose"
        ways = [self._blocks_after_choice(block) if choosing else self._blocks_after_roll(block)]
        while ways:  # a stack, since phases that only sort may follow one another in any number
            arrived = next(ways[-1], None)
            if arrived is None:
                ways.pop()
            elif not arrived.phase or self.rules.phases[arrived.phase].kind != "cases":
                yield arrived
            elif len(ways) > self.game.max_consecutive_cases:  # in a circle
                raise RuleFailureInBlock(int(arrived.sources[0]))
            else:
                ways.append(self._blocks_after_case(arrived, arrived.merges_roll))

    # --- the three bodies

    def parts_with_rolls(self, block: PositionBlock) -> Iterator[tuple[PositionBlock, list[RollClasses]]]:
        """Yield the parts of a block in a phase of rolls or draws, each with its classes of rolls."""
        phase = self.rules.phases[block.phase]
        return self.divider.divide(
            block, "roll", lambda view: group_rolls(self.symbolic.roll_classes(phase, view), self.codec.encode_value)
        )

    def parts_with_options(self, block: PositionBlock) -> Iterator[tuple[PositionBlock, list[Option]]]:
        """Yield the parts of a block in a phase of choice, each with all instances of its options."""
        phase = self.rules.phases[block.phase]
        return self.divider.divide(block, "choose", lambda view: self.symbolic.options(phase, view))

    def _blocks_after_roll(self, block: PositionBlock) -> Iterator[PositionBlock]:
        """Yield the blocks after all results of a phase of rolls and draws."""
        phase = self.rules.phases[block.phase]
        for part, rolls in self.parts_with_rolls(block):
            possible = np.zeros(part.count, dtype=bool)
            several = sum(len(classes.weights) for classes in rolls)
            for classes in rolls:
                step = max(1, MAX_BLOCK_POSITIONS // part.count)
                for first in range(0, len(classes.weights), step):
                    rolled = repeat_for_rolls(part, classes, slice(first, first + step))
                    weight = rolled.weight
                    for count in classes.counts:
                        held = rolled.column(count)
                        if int(weight.max(initial=0)) * int(np.max(held, initial=0)) * several > MAX_DENOMINATOR:
                            raise self.symbolic.too_many_ways_error(phase)
                        weight = weight * held
                    live = weight > 0
                    possible |= live.reshape(-1, part.count).any(axis=0)
                    going = rolled.with_fields(weight=weight).select(live)
                    if going:
                        yield from self._carry_out_first_match(going, classes.branches, merge_rolls=False)
            if not possible.all():  # a draw from an empty bag
                raise RuleFailureInBlock(int(part.sources[np.argmin(possible)]))

    def _blocks_after_choice(self, block: PositionBlock) -> Iterator[PositionBlock]:
        """Yield the blocks after each legal option."""
        legal = np.zeros(block.base.cells.shape[1], dtype=bool)
        for part, options in self.parts_with_options(block):
            for action_index, option in enumerate(options):
                key = (block.phase, option.branch.entry, option.binding)
                number = self.actions.setdefault(key, len(self.actions))
                matches = part.condition_mask(option.branch.guard)
                if part.base.taken is not None:
                    matches = matches & (part.base.taken[:, part.sources] == self.action_numbers.get(key, -1)).any(
                        axis=0
                    )
                chosen = part.select(matches)
                if chosen:
                    legal[chosen.sources] = True
                    chosen = chosen.with_fields(action=number, action_index=action_index)
                    yield from self._carry_out_entry(chosen, option.branch, merge_rolls=True)
        if not legal[block.sources].all():
            raise RuleFailureInBlock(int(block.sources[np.argmin(legal[block.sources])]))

    def _blocks_after_case(self, block: PositionBlock, merge_rolls: bool) -> Iterator[PositionBlock]:
        """Yield the blocks after a phase of cases.

        ``merge_rolls``: whether a roll that follows belongs to the same transition.
        """
        phase = self.rules.phases[block.phase]
        for part, branches in self.divider.divide(
            block, "sort", lambda view: tuple(self.symbolic.branches(phase, view, view))
        ):
            yield from self._carry_out_first_match(part, branches, merge_rolls)

    def _carry_out_first_match(
        self, block: PositionBlock, branches: tuple[Branch, ...], merge_rolls: bool
    ) -> Iterator[PositionBlock]:
        """Carry out, for each position, the first entry that matches.

        Yield the blocks after the entry. ``merge_rolls``: whether a roll that follows belongs to the same transition.
        """
        for branch in branches:
            if branch.guard == TRUE:
                yield from self._carry_out_entry(block, branch, merge_rolls)
                return
            matches = block.condition_mask(branch.guard)
            taken, left = block.select(matches), block.select(~matches)
            if taken:
                yield from self._carry_out_entry(taken, branch, merge_rolls)
            if left is None:
                return
            block = left
        raise RuleFailureInBlock(int(block.sources[0]))

    # --- steps 2 to 6 of the evaluation order

    def _carry_out_entry(self, block: PositionBlock, branch: Branch, merge_rolls: bool) -> Iterator[PositionBlock]:
        """Carry out an entry for all positions of a block, and yield the blocks after it.

        ``merge_rolls``: whether a roll that follows belongs to the same transition.
        """
        entry = self.rules.phases[block.phase].entries[branch.entry]
        mark = self.event_bits.get((block.phase, entry.name), 0)
        after = self._write_cells(block, branch.writes, branch.checks, marks=block.marks | mark)
        if branch.seat is not None:
            after = after.with_fields(new={**after.new, -1: arange(block.count)})  # the row that its seat is read in
        for part in self._split_by_seats_out(after, self._seats_out_after(block, branch)):
            yield from self._continue_after_entry(part, block, branch, merge_rolls)

    def _split_by_seats_out(self, block: PositionBlock, out_masks: Ints | int) -> Iterator[PositionBlock]:
        """Yield the parts of a block with the same seats out.

        ``out_masks``: the seats out as bits, a column or one number for all positions.
        """
        for out in [out_masks] if isinstance(out_masks, int) else np.flatnonzero(bincount(out_masks)).tolist():
            part = block if isinstance(out_masks, int) else block.select(out_masks == out)
            assert part
            yield part.with_fields(out=out)

    def _seats_out_after(self, block: PositionBlock, branch: Branch) -> Ints | int:
        """Return the seats that are out after an entry, as bits: one number if it is the same for all positions, else a
        column.
        """
        fixed = sum(1 << seat for seat, tree in enumerate(branch.seats_out) if tree == TRUE)
        open_seats = [(seat, tree) for seat, tree in enumerate(branch.seats_out) if tree not in (TRUE, FALSE)]
        if not open_seats:
            return fixed
        outs = np.full(block.count, fixed, dtype=np.int64)
        for seat, tree in open_seats:
            outs += block.condition_mask(tree).astype(np.int64) << seat
        return outs

    def _continue_after_entry(
        self, block: PositionBlock, block_before_entry: PositionBlock, branch: Branch, merge_rolls: bool
    ) -> Iterator[PositionBlock]:
        """Yield a block at the place to which its entry leads: the end of the game, or the next phase.

        ``block``: the positions after the entry. ``block_before_entry``: the block before the entry.
        """
        then = self.rules.phases[block_before_entry.phase].entries[branch.entry].then
        over = np.ones(block.count, dtype=bool)
        if block.out != (1 << self.game.seats) - 1 and not isinstance(then, End):
            over = self._game_over_mask(block)
        ending, going = block.select(over), block.select(~over)
        if ending:
            yield from self._end_game(ending)
        if not going:
            return
        if going.out & 1:
            then = Pass()
        match then:
            case ToPhase():
                yield from self._enter_phase(going.with_fields(phase=then.phase), merge_rolls)
            case PassTo():
                yield from self._pass_turn(going, block_before_entry, branch)
            case Pass():  # a turn starts in a state of its own
                yield from self._enter_phase(self._start_turn(going, self._next_seat(going.out)), merge_rolls=False)
            case Again():
                yield from self._enter_phase(self._start_turn(going, 0), merge_rolls=False)
            case End():
                raise AssertionError("a game that is over goes on")
            case _:
                assert_never(then)

    def _pass_turn(
        self, block: PositionBlock, block_before_entry: PositionBlock, branch: Branch
    ) -> Iterator[PositionBlock]:
        """Yield the blocks at the start of the turn of the seat that the branch names.

        That seat is evaluated in ``block_before_entry``, the block before the entry, and only for the positions in
        ``block``.
        """
        assert branch.seat is not None
        rows = block.new[-1]
        read = np.zeros(block_before_entry.count, dtype=bool)
        read[rows] = True
        seats = block_before_entry.as_column(block_before_entry.column(branch.seat, read))[rows]
        for seat_shift in np.unique(seats).tolist():
            part = block.select(seats == seat_shift)
            assert part
            if part.out >> seat_shift & 1:
                raise RuleFailureInBlock(int(part.sources[0]))
            yield from self._enter_phase(self._start_turn(part, seat_shift), merge_rolls=False)

    def _start_turn(self, block: PositionBlock, seat_shift: int) -> PositionBlock:
        """Return a block at the start of the next turn, after resets.

        It is seen from the next mover, ``seat_shift`` seats on.
        """
        new, seats = dict(block.new), self.game.seats
        for where, cell in enumerate(self.game.cells):
            if cell.variable.resets_each_turn:
                new[where] = block.as_column(seat_shift if cell.variable.starts_as_mover else self.codec.start[where])
            if cell.variable.kind == "seat" and seat_shift:
                new[where] = (new.get(where, block.cell_column(where)) - seat_shift) % seats
        rotation = self.codec.cell_rotation(seat_shift)
        return block.with_fields(
            phase=self.rules.first_phase_of_turn,
            order=tuple(block.order[old] for old in rotation),
            turn_over=True,
            new={where: new[old] for where, old in enumerate(rotation) if old in new},
            seat_shift=(block.seat_shift + seat_shift) % seats,
            out=rotate_seat_mask(block.out, seat_shift, seats),
        )

    def _next_seat(self, out_mask: int) -> int:
        """Return the next seat after the mover that is not out; 0, the mover, if there is none."""
        return next((seat for seat in range(1, self.game.seats) if not out_mask >> seat & 1), 0)

    def _enter_phase(self, block: PositionBlock, merge_rolls: bool) -> Iterator[PositionBlock]:
        """Yield a block that has entered its phase.

        If the phase rolls, and the roll belongs to the same transition, yield the blocks after the roll instead.
        """
        kind = self.rules.phases[block.phase].kind
        if kind == "cases":
            yield block.with_fields(merges_roll=merge_rolls)
        elif kind == "roll" and merge_rolls:
            yield from self._blocks_after_roll(block)
        else:
            yield block

    def _end_game(self, block: PositionBlock) -> Iterator[PositionBlock]:
        """Yield a block at the end of the game, after the effects of ``at_end``."""
        for part, ending in self.divider.divide(block, "end", self.symbolic.at_end_branch):
            over = self._write_cells(part, ending.writes, ending.checks, phase="", turn_over=True)
            yield from self._split_by_seats_out(over, self._seats_out_after(part, ending))

    def _write_cells(
        self,
        block: PositionBlock,
        writes: tuple[tuple[int, Expr], ...],
        checks: tuple[RangeCheck, ...],
        **field_changes: Any,
    ) -> PositionBlock:
        """Return the block after some cells are written. Raises RuleFailureInBlock if a check fails."""
        for check in checks:
            guard = block.condition_mask(check.guard)
            value = block.column(check.value, None if check.guard == TRUE else guard)
            wrong = guard & ((value < check.low) | (value > check.high))
            if wrong.any():
                raise RuleFailureInBlock(int(block.sources[np.argmax(wrong)]))
        new = {where: block.as_column(self._encoded_value(where, tree, block)) for where, tree in writes}
        return block.with_fields(new={**block.new, **new}, slots=None, **field_changes)

    def _encoded_value(self, cell_index: int, tree: Expr, block: PositionBlock) -> Any:
        """Return the codes of a written value: a column, or one code for all positions."""
        if tree.op == "const" and cell_index in self.codec.hands:
            return self.codec.encode_value(cell_index, tree.value)
        return np.asarray(block.column(tree), dtype=np.int64)

    def _game_over_mask(self, block: PositionBlock) -> Mask:
        """Return a mask of the positions in which ``end_when`` holds."""
        over = np.zeros(block.count, dtype=bool)
        numbered = block.with_fields(new={**block.new, -1: arange(block.count)})
        for part, folded in self.divider.divide(numbered, "over", lambda view: fold(self.rules.end_when, view)):
            over[part.new[-1]] = part.condition_mask(folded)
        return over


def repeat_for_rolls(block: PositionBlock, classes: RollClasses, class_slice: slice) -> PositionBlock:
    """Return a block with its positions repeated for each class of rolls in ``class_slice``, class by class."""
    weights, slots = classes.weights[class_slice], classes.slots[:, class_slice]
    count = len(weights)
    if count > 1:
        new = {where: np.tile(column, count) for where, column in block.new.items()}
        block = block.with_fields(at=np.tile(block.sources, count), weight=np.tile(block.weight, count), new=new)
    each = block.count // count
    return block.with_fields(
        weight=block.weight * repeat(weights, each),
        marks=block.marks | classes.event_bits,
        rolled_or_drawn=True,
        slots=repeat(slots, each, axis=1) if len(slots) else None,
    )
