"""Entries carried out on cells with unknown values: where each entry applies, what it changes, and the results of
rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import Any

from oddsmith.base.dice import MAX_DENOMINATOR, check_hand_count, hand_count_after_draw, roll_distribution
from oddsmith.base.errors import Problem, RuleFailure, RulesetError
from oddsmith.expr import (
    FALSE,
    FLAG,
    HAND,
    NUMBER,
    SEAT,
    TRUE,
    Expr,
    FoldCache,
    PartialPosition,
    Type,
    compiled_function,
    const,
    constant_value,
    disjunction,
    fold,
    simplify_root,
)
from oddsmith.graph.columns.effects import RangeCheck, SymbolicEffects, copy_view
from oddsmith.ruleset import Game, check_hand
from oddsmith.ruleset.model import Draw, Entry, PassTo, Phase, RollOrDraw


@dataclass(frozen=True, slots=True)
class Branch:
    """The outcome of one entry, in expressions of the cells before it.

    ``entry``: the index of the entry in its phase. ``guard``: whether the entry applies. ``writes``: each cell that it
    changes, with the new value. ``seats_out``: for each seat, whether it is out afterwards. ``checks``: the conditions
    for no rule to break. ``seat``: the seat of a ``pass_to``, or None.
    """

    entry: int
    guard: Expr
    writes: tuple[tuple[int, Expr], ...]
    seats_out: tuple[Expr, ...]
    checks: tuple[RangeCheck, ...]
    seat: Expr | None


@dataclass(frozen=True, slots=True)
class RollClass:
    """A class of rolls that the rules do not distinguish.

    ``weight``: its weight. ``counts``: for draws, expressions by which the weight is multiplied. ``rolls_dice``:
    whether any die was rolled. ``branches``: the entries that may apply.
    """

    weight: int
    counts: tuple[Expr, ...]
    rolls_dice: bool
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class _ResultProbability:
    """The probability of results of the first rolls and draws of a phase: ``weight / denominator``, times all
    ``counts``.

    ``counts``: for each drawn item, the number of such items in its bag. ``rolls_dice``: whether any die was rolled.
    ``results``: an upper bound on the number of such results. ``last``: the index in its bag of the item drawn last.
    ``run``: the number of times that it was drawn in a row.
    """

    weight: int = 1
    counts: tuple[Expr, ...] = ()
    denominator: int = 1
    rolls_dice: bool = False
    results: int = 1
    last: int = -1
    run: int = 0


@dataclass(frozen=True, slots=True)
class Option:
    """An instance of an option: the values of its loop names (``binding``), and its branch."""

    binding: tuple[tuple[str, Any], ...]
    branch: Branch


class SymbolicRules:
    """Carries out phases of a game on a :class:`PartialPosition`.

    Every method raises UnknownCellsNeeded if a cell must be known.

    ``safe``: variables that can never leave their bounds, so that they need no checks.
    """

    def __init__(self, game: Game, safe: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.worked = 0  # entries carried out so far
        self.memory = FoldCache({}, {})
        kinds: dict[str, Type] = {"flag": FLAG, "hand": HAND, "seat": SEAT}
        self.types = [
            Type("word", words=frozenset(cell.variable.words))
            if cell.variable.kind == "word"
            else kinds.get(cell.variable.kind, NUMBER)
            for cell in game.cells
        ]
        self.effects = SymbolicEffects(game, self.types, safe)
        leave = game.ruleset.out_when
        self.out_waits_for_change = not any(map(self._depends_on_turn, leave.walk()))
        context = game.context(game.start)
        for seat in range(game.seats):  # where it holds for nobody at the start, it does so in no state
            context.seat = seat
            self.out_waits_for_change = self.out_waits_for_change and not compiled_function(leave)(context)

    def _depends_on_turn(self, node: Expr) -> bool:
        """Return whether the value of a node may change when the turn passes, although no effect changes a cell."""
        if node.op in ("everyone", "others", "next", "previous", "mover"):
            return True
        if node.op == "state":
            return bool(self.game.ruleset.state[node.value].resets_each_turn)
        return node.op == "<" and node.args[0].type.kind == "seat"

    def view(self, known_cells: dict[int, Any], out_mask: int) -> PartialPosition:
        """Return a position in which only some cells are known.

        ``known_cells``: the values of the known cells, by index of the cell. ``out_mask``: the seats that are out, as bits.
        """
        cells = [
            const(known_cells[where], type_) if where in known_cells else Expr("cell", type_, value=where)
            for where, type_ in enumerate(self.types)
        ]
        gone = [TRUE if out_mask >> seat & 1 else FALSE for seat in range(self.game.seats)]
        return PartialPosition(
            self.game.static_values, self.game.layout, self.game.seats, cells, gone, memory=self.memory
        )

    # --- the three bodies

    def roll_classes(self, phase: Phase, view: PartialPosition) -> list[RollClass]:
        """Return the classes of rolls of a phase. Rolls with the same consequences are in one class."""
        weighted_views = list(
            self._roll_and_draw_results(
                self.game.rolls_and_draws_with_places_in_runs(phase), view, _ResultProbability()
            )
        )
        common = lcm(*(luck.denominator for _, luck in weighted_views))
        classes: dict[tuple[Any, ...], int] = {}
        for after, luck in weighted_views:
            key = (luck.counts, luck.rolls_dice, tuple(self.branches(phase, after, view)))
            classes[key] = classes.get(key, 0) + luck.weight * (common // luck.denominator)
        least = gcd(*classes.values())
        if sum(classes.values()) // least > MAX_DENOMINATOR:
            raise self.too_many_ways_error(phase)
        return [RollClass(weight // least, *key) for key, weight in classes.items()]

    def too_many_ways_error(self, phase: Phase) -> RulesetError:
        """Return the error for a phase whose probabilities have a common denominator beyond 64 bits."""
        message = f"rolls and draws in {phase.name} fall in over 7 * 10^16 ways, over which no chances are counted"
        hint = "divide them among several phases, and keep what matters of each, such as a sum"
        return RulesetError([Problem("OD417", phase.location, message, hint)], self.game.ruleset.source)

    def options(self, phase: Phase, view: PartialPosition) -> list[Option]:
        """Return every instance of every option that may be legal, in the order of the phase."""
        legal = []
        for number, entry in enumerate(phase.entries):
            for binding in self.effects.loop_bindings(entry.loops, view):
                inside = copy_view(view)
                inside.local = dict(binding)
                branch = self._branch_of_entry(number, entry, inside, view)
                if branch.guard != FALSE:
                    values = tuple((name, tree.value) for name, tree in binding.items())
                    legal.append(Option(values, branch))
        return legal

    def branches(self, phase: Phase, view: PartialPosition, view_before: PartialPosition) -> Iterator[Branch]:
        """Yield the branches of the entries that may apply, in order.

        The first entry that always applies comes last. ``view``: the position after a roll. ``view_before``: the
        position before it.
        """
        for number, entry in enumerate(phase.entries):
            branch = self._branch_of_entry(number, entry, copy_view(view), view_before)
            if branch.guard != FALSE:
                yield branch
            if branch.guard == TRUE:
                return

    def at_end_branch(self, view: PartialPosition) -> Branch:
        """Return the branch of the effects ``at_end``, which are not an entry of a phase."""
        after, checks = copy_view(view), list[RangeCheck]()
        self.effects.run(self.game.ruleset.at_end, after, TRUE, checks)
        return Branch(-1, TRUE, _changed_cells(view, after), tuple(after.seats_out), tuple(checks), None)

    def _branch_of_entry(
        self, entry_index: int, entry: Entry, view: PartialPosition, view_before: PartialPosition
    ) -> Branch:
        """Return the branch of an entry.

        ``entry_index``: the index of the entry. ``view``: the position to change. ``view_before``: the position that
        ``writes`` are compared with.
        """
        self.worked += 1
        guard = fold(entry.when, view)
        if guard == FALSE:
            return Branch(entry_index, FALSE, (), (), (), None)
        checks: list[RangeCheck] = []
        self.effects.run(entry.do, view, TRUE, checks)
        view.seats_out = self._seats_out_after_step(view, view_before)
        seat = fold(entry.then.seat, view) if isinstance(entry.then, PassTo) else None
        return Branch(entry_index, guard, _changed_cells(view_before, view), tuple(view.seats_out), tuple(checks), seat)

    def _seats_out_after_step(self, view: PartialPosition, view_before: PartialPosition) -> list[Expr]:
        """Return for each seat an expression for whether it is out after a step: it was out, it dropped out, or
        ``out_when`` holds.

        ``view``: the position after the step. ``view_before``: the position before it. Where the step leaves
        ``out_when`` unchanged, it is known not to hold, because it did not hold before.
        """
        gone = []
        leave = self.game.ruleset.out_when
        for seat in range(self.game.seats):
            view.seat = view_before.seat = seat
            leaves = fold(leave, view)
            if self.out_waits_for_change and leaves == fold(leave, view_before):
                leaves = FALSE
            gone.append(disjunction(view.seats_out[seat], leaves))
        view.seat = view_before.seat = 0
        return gone

    # --- chance

    def _draw_results(
        self,
        draw: Draw,
        place_in_run: int,
        rolls_and_draws_after: Sequence[tuple[RollOrDraw, int]],
        view: PartialPosition,
        probability: _ResultProbability,
    ) -> Iterator[tuple[PartialPosition, _ResultProbability]]:
        """Yield the results of a draw and of the rolls and draws after it: the position after them, and its
        probability.

        ``place_in_run``: the number of the draw in a run of equal draws. The results of a run are yielded in one order
        only, with the probability of all orders. ``rolls_and_draws_after``: the rolls and draws after it.
        ``probability``: the probability of the results before it.
        """
        layout, empty = self.game.layout[draw.bag], const(0, NUMBER)
        found = [(item, at) for item, at in layout.dims[0].items() if view.cells[layout.first + at] != empty]
        results = hand_count_after_draw(probability.results, len(found), place_in_run)
        check_hand_count(results, "the dice and draws of this phase together", is_draw=True)
        for item, at in found:
            if place_in_run > 1 and at < probability.last:
                continue
            after, run = copy_view(view), probability.run + 1 if place_in_run > 1 and at == probability.last else 1
            held = after.cells[layout.first + at]
            after.cells[layout.first + at] = simplify_root(Expr("-", NUMBER, (held, const(1, NUMBER))))
            type_ = Type("word", words=frozenset([item])) if isinstance(item, str) else NUMBER
            self._store_result(draw, const(item, type_), after)
            weight, counts = probability.weight * place_in_run // run, (*probability.counts, held)
            more = replace(probability, weight=weight, counts=counts, results=results, last=at, run=run)
            yield from self._roll_and_draw_results(rolls_and_draws_after, after, more)

    def _roll_and_draw_results(
        self, rolls_and_draws: Sequence[tuple[RollOrDraw, int]], view: PartialPosition, probability: _ResultProbability
    ) -> Iterator[tuple[PartialPosition, _ResultProbability]]:
        """Yield the results of rolls and draws: the position after them, and its probability.

        ``probability``: the probability of the results before them.
        """
        if not rolls_and_draws:
            yield view, probability
            return
        (throw, place), rest = rolls_and_draws[0], rolls_and_draws[1:]
        if isinstance(throw, Draw):
            yield from self._draw_results(throw, place, rest, view, probability)
            return
        distribution = roll_distribution(self._dice_of_roll(throw, view))
        results = probability.results * len(distribution.hands)
        check_hand_count(results, "the dice and draws of this phase together")
        for hand, times in distribution.hands:
            after = copy_view(view)
            lying = constant_value(after.cells[self.game.layout[throw.name].first]) if throw.kind == "rest" else None
            whole = hand if lying is None else lying + hand
            if throw.is_kept:
                check_hand(self.game, self.game.layout[throw.name].first, whole)
            self._store_result(throw, const(whole, HAND), after)
            weight, denominator = probability.weight * times, probability.denominator * distribution.denominator
            more = _ResultProbability(
                weight, probability.counts, denominator, probability.rolls_dice or bool(hand), results
            )
            yield from self._roll_and_draw_results(rest, after, more)

    def _dice_of_roll(self, roll: RollOrDraw, view: PartialPosition) -> list[tuple[int, Any]]:
        """Return the dice of a roll, as pairs (count, die). Raises RuleFailure for a negative count."""
        if roll.kind == "rest":
            where = self.game.layout[roll.name].first
            lying = [kind for _, kind in constant_value(view.cells[where])]
            return [(count - lying.count(die.kind), die) for die, count in self.game.cells[where].dice]
        counted = [(constant_value(fold(term.count, view)), self.game.dice[term.die]) for term in roll.dice]
        if any(count < 0 for count, _ in counted):
            raise RuleFailure("OD533", "a negative number of dice", "roll max(0, ...) dice")
        return counted

    def _store_result(self, roll_or_draw: RollOrDraw, value: Expr, view: PartialPosition) -> None:
        """Store the result of a roll or draw in its variable, or under its local name."""
        if roll_or_draw.is_kept:
            view.cells[self.game.layout[roll_or_draw.name].first] = value
        else:
            view.local[roll_or_draw.name] = value


def _changed_cells(view_before: PartialPosition, view_after: PartialPosition) -> tuple[tuple[int, Expr], ...]:
    """Return the cells that differ between two positions, each with its value in ``view_after``."""
    pairs = enumerate(zip(view_before.cells, view_after.cells, strict=True))
    return tuple((where, new) for where, (old, new) in pairs if new is not old and new != old)
