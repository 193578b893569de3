"""A ruleset with a number of seats and parameter values: every list, die, bound and start value is a plain value.

If a phase does not distinguish several draws from one bag, their order does not matter, and they are interchangeable.

Two consecutive draws are interchangeable if exchanging their names changes no expression of the phase, and no question
about it. Then k draws of m1, m2, ... items of each kind have the same chance in all k! / (m1! m2! ...) orders. So only
one order is listed, and its weight is multiplied by the number of orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeVar

from oddsmith.base.dice import Die, Hand
from oddsmith.base.errors import PlayError, Problem, RuleFailure
from oddsmith.base.exact import plain_text, plural, short_repr
from oddsmith.base.location import Location
from oddsmith.expr import EvaluationContext, Expr, Layout, compiled_function
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.effects import Drop, Effect, effects_in_preorder
from oddsmith.ruleset.model.phases import DiceTerm, Draw, Entry, Phase, RollOrDraw
from oddsmith.ruleset.model.questions import Measure
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.model.state import Variable
from oddsmith.ruleset.model.wording import number_with_unit

MAX_CASES_IN_A_ROW = 1_000  # phases of cases that play may run through in a row in every game

_ORDER_FREE_FUNCTIONS = {
    "sum",
    "rank",
    "has_run",
    "min",
    "max",
    "size",
    "sorted",
    "distinct",
    "all_equal",
    "any",
    "all",
    "count",
}  # of lists, in any order
_FIELDS_FOR_PEOPLE = {"location", "span", "say", "does", "words", "name"}


def ranks_in_draw_runs_by_phase(ruleset: Ruleset) -> Mapping[str, tuple[int, ...]]:
    """Return, by phase, the rank (from 1) of each roll or draw in its run of interchangeable draws.

    A draw that begins a run, and a roll or draw in no run, have the rank 1.
    """
    asked = [*ruleset.measures.values(), *(claim.question for claim in ruleset.claims)]
    return {name: _ranks_in_draw_runs(phase, asked) for name, phase in ruleset.phases.items()}


def possible_draws_with_run_lengths(
    distribution: Iterable[tuple[Any, int]], index_by_item: Mapping[Any, int], previous_item: Any, run_length: int
) -> Iterator[tuple[Any, int, int]]:
    """Yield the possible items of a draw, each with its weight and the number of consecutive draws of the item so far.

    Interchangeable draws take items in the order of the bag, so only one of their orders is yielded. ``distribution``:
    the items with their weights. ``index_by_item``: the index of each item in the bag. ``previous_item``: the item of
    the previous draw, which was drawn ``run_length`` times in a row; None if the previous draw is not interchangeable
    with this one.
    """
    for value, times in distribution:
        if previous_item is None or index_by_item[value] >= index_by_item[previous_item]:
            yield value, times, run_length + 1 if previous_item is not None and value == previous_item else 1


def _ranks_in_draw_runs(phase: Phase, measures: Iterable[Measure]) -> tuple[int, ...]:
    places: list[int] = []
    questions = [tree for each in measures for tree in (each.when, each.value) if tree is not None]
    whole = (phase.entries, tuple(questions))
    plain: Any = None
    for number, throw in enumerate(phase.rolls_and_draws):
        before = phase.rolls_and_draws[number - 1] if number else None
        same = False
        if isinstance(throw, Draw) and isinstance(before, Draw) and throw.bag == before.bag:
            plain = plain or _normal_form(whole, {})
            swapped = {throw.name: before.name, before.name: throw.name}
            same = not (throw.is_kept or before.is_kept) and _normal_form(whole, swapped) == plain
        places.append(places[-1] + 1 if same else 1)
    return tuple(places)


def _normal_form(rule_part: Any, new_names: Mapping[str, str]) -> Any:
    """Return a part of the rules in normal form. Equal rules have equal normal forms.

    ``new_names``: new names for draws.
    """
    if isinstance(rule_part, Expr):
        return _normal_form_of_expression(rule_part, new_names)
    if isinstance(rule_part, tuple):
        return tuple(_normal_form(part, new_names) for part in rule_part)
    if is_dataclass(rule_part):
        parts = (
            _normal_form(getattr(rule_part, field.name), new_names)
            for field in fields(rule_part)
            if field.name not in _FIELDS_FOR_PEOPLE
        )
        return (type(rule_part).__name__, *parts, getattr(rule_part, "name", ""))
    return repr(rule_part)


def _normal_form_of_expression(tree: Expr, new_names: Mapping[str, str]) -> Any:
    value = new_names.get(tree.value, tree.value) if tree.op == "local" else tree.value
    args = [_normal_form_of_expression(part, new_names) for part in tree.flattened_arguments]
    if (
        tree.op == "call"
        and tree.function_or_operator in _ORDER_FREE_FUNCTIONS
        and tree.args
        and tree.args[0].op == "listed"
    ):
        args[0] = ("listed", "", *sorted(args[0][2:], key=repr))
    if tree.op == "in" and tree.args[1].op == "listed":
        args[1] = ("listed", "", *sorted(args[1][2:], key=repr))
    if tree.is_commutative:
        args.sort(key=repr)
    return (tree.function_or_operator, repr(value), *args)


def _reads_only_total(phase: Phase, roll_name: str) -> bool:
    """Return whether the entries of a phase read the total of a roll, and nothing else of it. ``roll_name``: the roll."""
    entries, effects = phase.entries, [effect for entry in phase.entries for effect in effects_in_preorder(entry.do)]
    trees = [
        tree for part in (*entries, *effects, *(entry.then for entry in entries)) for tree in part.expressions_read
    ]
    nodes = [node for tree in trees for node in tree.walk()]
    added = [node.args[0] for node in nodes if node.op == "call" and node.value == "sum"]
    read, totals = ([each for each in part if (each.op, each.value) == ("local", roll_name)] for part in (nodes, added))
    return len(read) == len(totals) > 0


Result = TypeVar("Result")


_STATIC = {
    "const", "parameter", "constant", "map", "list", "seats", "+", "-", "*", "//", "%", "neg", "==", "!=", "<", "<=", ">", ">=",
    "in", "if", "listed", "lookup",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A place for one value of a position: a variable without indices, or one member of a variable with indices.

    ``indices``: the indices of the member. ``least``, ``most``: the bounds of the value. ``dice``: the dice that a hand
    can hold, each kind once, as (die, count). ``is_unbounded``: whether bounds are not tested, because
    ``successors.without_bounds_of_carried_cells`` proves that they hold. ``sides``: the names of the seats, or empty.
    """

    variable: Variable
    indices: tuple[Any, ...]
    least: int
    most: int
    dice: tuple[tuple[Die, int], ...] = ()
    is_unbounded: bool = False
    sides: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name for programs, with seats numbered from 0: ``hoard``, or ``step[3]``."""
        return self.variable.name + (f"[{', '.join(map(str, self.indices))}]" if self.indices else "")

    @property
    def name_for_people(self) -> str:
        """The name for people, with seats numbered from 1. In a canonical state, the mover is seat 1."""
        return self.variable.name + self._indices_text(())

    @property
    def name_with_sides(self) -> str:
        """The name for people, with the names of sides, if there are any, in place of seat numbers."""
        return self.variable.name + self._indices_text(self.sides)

    @property
    def display_name(self) -> str:
        """The name for people, with the variable's label if it has one, and names of sides in place of seat numbers."""
        return self._variable_label + self._indices_text(self.sides)

    @property
    def name_with_owner(self) -> str:
        """The name for a sentence, with the owner of the cell: ``light``, ``crow's bag``, ``column 3 4``."""
        owner, items = "", list(self.indices)
        if self.variable.is_per_seat:
            seat = items.pop(0)
            owner = f"{self.sides[seat] if self.sides else f'seat {seat + 1}'}'s "
        return " ".join([owner + self._variable_label, *map(str, items)])

    @property
    def _variable_label(self) -> str:
        """The variable's label, or its name with spaces."""
        return self.variable.label or self.variable.name.replace("_", " ")

    def violated_bound_in_words(self, value: int) -> str:
        """Return in words which bound a value violates: ``above its max of 6``, or ``below its min of 0``."""
        return f"above its max of {self.most}" if value > self.most else f"below its min of {self.least}"

    def _indices_text(self, sides: Sequence[str]) -> str:
        items = list(self.indices)
        if self.variable.is_per_seat:
            items[0] = sides[items[0]] if sides else items[0] + 1
        return f"[{', '.join(map(str, items))}]" if items else ""


@dataclass(frozen=True)
class Game:
    """A ruleset with a number of seats and parameter values. Seats are numbered from 0; texts for people count from 1.

    ``static_values``: the values of parameters, constants, maps and lists by name. ``layout``: the cells of each
    variable. ``cells``: all cells, in the order of the ruleset's variables. ``start``: the start values of the cells.
    """

    ruleset: Ruleset
    seats: int
    parameters: Mapping[str, Any]
    variants: tuple[str, ...]
    static_values: Mapping[str, Any]
    dice: Mapping[str, Die]
    layout: Mapping[str, Layout]
    cells: tuple[Cell, ...]
    start: tuple[Any, ...] = field(default=())

    def __repr__(self) -> str:
        settings = [*self.variants, *(f"{name} {self.value_text(value)}" for name, value in self.parameters.items())]
        return short_repr(self, ", ".join([self.ruleset.id, plural(self.seats, "seat"), *settings]))

    def __hash__(self) -> int:  # the maps in it have none
        return hash((self.ruleset.id, self.seats, self.variants, frozenset(self.parameters.items())))

    @property
    def setting(self) -> Setting:
        """The setting of the game: it names the value of every parameter, but no objective."""
        return Setting(self.seats, "", self.variants, self.parameters)

    @cached_property
    def max_consecutive_cases(self) -> int:
        """A limit on the number of consecutive phases of cases; play that exceeds it counts as endless.

        It is large enough for seats that lose several turns.
        """
        return max(MAX_CASES_IN_A_ROW, len(self.ruleset.phases) * (self.seats + 1))

    def context(self, cells: Sequence[Any] = (), mover: int = 0, seats_out_bits: int = 0) -> EvaluationContext:
        """Return the context in which expressions are evaluated in a position.

        ``cells``: the values of the cells. ``seats_out_bits``: the seats that are out, as bits.
        """
        return EvaluationContext(self.static_values, self.layout, self.seats, list(cells), mover, mover, seats_out_bits)

    def play_error(self, failure: RuleFailure, location: Location) -> PlayError:
        """Return the error for a rule that breaks in play. ``location``: where the rule is in the file."""
        return PlayError(Problem(failure.code, location, failure.message, failure.hint), source=self.ruleset.source)

    def with_error_location(
        self, function: Callable[[EvaluationContext], Result], location: Location
    ) -> Callable[[EvaluationContext], Result]:
        """Return a function that calls ``function``, and raises PlayError with the location in place of RuleFailure."""

        def call_with_location(context: EvaluationContext) -> Result:
            try:
                return function(context)
            except RuleFailure as failure:
                raise self.play_error(failure, location) from None

        return call_with_location

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All effects of the rules, including those at the end of the game."""
        return self.ruleset.effects

    def rolls_and_draws_with_places_in_runs(self, phase: Phase) -> tuple[tuple[RollOrDraw, int], ...]:
        """Return the rolls and draws of a phase, each with its rank (from 1) in its run of interchangeable draws."""
        return tuple(zip(phase.rolls_and_draws, self._ranks_in_draw_runs_by_phase[phase.name], strict=True))

    @cached_property
    def _ranks_in_draw_runs_by_phase(self) -> Mapping[str, tuple[int, ...]]:
        return ranks_in_draw_runs_by_phase(self.ruleset)

    @cached_property
    def rolls_read_only_as_total(self) -> frozenset[str]:
        """The names of the rolls of which the rules read only the total."""
        rolls: dict[str, list[bool]] = {}
        for phase in self.ruleset.phases.values():
            for throw in phase.rolls_and_draws:
                only = throw.kind == "roll" and not throw.is_kept and _reads_only_total(phase, throw.name)
                rolls.setdefault(throw.name, []).append(only)
        return frozenset(name for name, only in rolls.items() if all(only))

    @cached_property
    def has_elimination(self) -> bool:
        """Whether a seat can ever go out."""
        out_when = self.ruleset.out_when
        return (
            out_when.op != "const" or bool(out_when.value) or any(isinstance(effect, Drop) for effect in self.effects)
        )

    def constant_truth(self, tree: Expr) -> bool | None:
        """Return the value of a test if it is the same in every state; None if it may depend on the state."""
        if tree.op == "not":
            inner = self.constant_truth(tree.args[0])
            return None if inner is None else not inner
        if tree.op in ("and", "or"):
            parts, strong = [self.constant_truth(arg) for arg in tree.args], tree.op == "or"
            return strong if strong in parts else None if None in parts else not strong
        if all(node.op in _STATIC for node in tree.walk()):
            return bool(compiled_function(tree)(self.context()))
        return None

    def cell_indices_of(self, name: str) -> range:
        """Return the indices of the cells of a variable."""
        layout = self.layout[name]
        return range(layout.first, layout.first + prod(map(len, layout.dims)))

    def dice_counts(self, terms: Sequence[DiceTerm], context: EvaluationContext) -> tuple[tuple[int, Die], ...]:
        """Return the dice of a roll in a position, as (count, die). ``context``: the context of the position."""
        return tuple((compiled_function(term.count)(context), self.dice[term.die]) for term in terms)

    def face_name(self, die_kind: int, face_index: int) -> str:
        """Return the name of a face; its number as text if it has no name. ``die_kind``: the kind of the die."""
        rule = next((rule for rule in self.ruleset.dice.values() if self.dice[rule.name].kind == die_kind), None)
        return rule.face_names.get(face_index, str(face_index)) if rule else str(face_index)

    def option_text(self, entry: Entry, binding: Sequence[tuple[str, Any]], seat_of_first_side: int = 0) -> str:
        """Return an option with the values of its loop names, as files and commands write it: ``Rob (victim 2)``.

        Seats are written as numbers from 1, or as the names of their sides. ``seat_of_first_side``: the seat of the
        first side.
        """
        seats = {name for name, items in entry.loops if items.type.item is not None and items.type.item.kind == "seat"}

        def seat_text(seat: int) -> str:
            return self._seat_label((seat - seat_of_first_side) % self.seats)

        shown = ", ".join(
            f"{name} {seat_text(value) if name in seats else self.value_text(value)}" for name, value in binding
        )
        return f"{entry.name} ({shown})" if shown else entry.name

    def cell_in_words(self, cell_index: int, value: Any, cell_name: str) -> str:
        """Return ``cell_name`` followed by the value of a cell in words, with its unit.

        ``cell_index``: the index of the cell. A value that is a seat is written as its number from 1, or as its side.
        """
        if isinstance(value, bool):
            return f"{cell_name}: {'yes' if value else 'no'}"
        variable = self.cells[cell_index].variable
        if variable.kind == "number":
            if value == variable.value_shown_as_none:
                return f"{cell_name} none"
            value *= variable.display_factor
        if isinstance(value, int):
            shown = self._seat_label(value) if variable.kind == "seat" else f"{value:,}"
        else:
            shown = self.value_text(value)
        return f"{cell_name} {number_with_unit(shown, value, variable.unit)}"

    def cell_value_in_words(self, cell_index: int, value: Any) -> str:
        """Return a value of a cell in words. Seats are numbered from 1. ``cell_index``: the index of the cell."""
        return _seat_number_text(value) if self.cells[cell_index].variable.kind == "seat" else self.value_text(value)

    def seat_name(self, cells: Sequence[Any], seat: int) -> str:
        """Return the name of a seat in a position. ``cells``: its values, which say in which seat each side is."""
        return self.ruleset.seat_name((seat - self.seat_of_first_side(cells)) % self.seats)

    def seat_of_first_side(self, cells: Sequence[Any]) -> int:
        """Return the seat of the first side in a position; 0 if the ruleset has no sides."""
        sides = self.ruleset.sides
        return int(cells[self.cell_indices_of(sides[0]).start]) if sides else 0

    def _seat_label(self, seat: int) -> str:
        """Return the name of a seat's side, or the number of the seat from 1 if there are no sides."""
        return self.ruleset.seat_name(seat) if self.ruleset.sides else _seat_number_text(seat)

    def value_text(self, value: Any) -> str:
        """Return a value in words: a hand as its faces, a list in brackets, any other value as plain text."""
        if isinstance(value, Hand):
            return " ".join(self.face_name(kind, face) for face, kind in value) or "no dice"
        if isinstance(value, tuple):
            return "[" + ", ".join(map(self.value_text, value)) + "]"
        return plain_text(value)


def _seat_number_text(seat: int) -> str:
    return str(seat + 1)
