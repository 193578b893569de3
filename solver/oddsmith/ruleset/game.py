"""A ruleset at a number of seats and parameter values: every list, die, bound and start is a plain value.

If a phase does not distinguish several draws from one bag, their order does not matter, so they are counted as a hand.

Two draws in a row are alike if exchanging their names turns every expression of the phase, and every question about it,
into itself. A draw of m1, m2, ... items of each kind then has the same chance in all its k! / (m1! m2! ...) orders. So one
order stands for all, and its weight is multiplied by their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeVar

from oddsmith.base.dice import Die, Hand
from oddsmith.base.errors import Broken, PlayError, Problem
from oddsmith.base.exact import plain_text, plural, short_repr
from oddsmith.base.location import Location
from oddsmith.expr import EvaluationContext, Expr, Layout, compiled
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.effects import Drop, Effect, every_effect
from oddsmith.ruleset.model.phases import Draw, Entry, Phase, RollOrDraw, Term
from oddsmith.ruleset.model.questions import Measure
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.model.state import Variable
from oddsmith.ruleset.model.wording import with_unit

MOST_CASES_IN_A_ROW = 1_000  # phases of cases that play may always run through at once

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


def draw_ranks(ruleset: Ruleset) -> Mapping[str, tuple[int, ...]]:
    """Return for each phase the rank (from 1) of each roll or draw in its run of interchangeable draws.

    A roll or draw that begins a run, or is in none, has the rank 1.
    """
    asked = [*ruleset.measures.values(), *(claim.ask for claim in ruleset.claims)]
    return {name: _draw_ranks(phase, asked) for name, phase in ruleset.phases.items()}


def possible_draws_in_order(
    distribution: Iterable[tuple[Any, int]], items: Mapping[Any, int], last: Any, run: int
) -> Iterator[tuple[Any, int, int]]:
    """Yield the possible items of a draw. Interchangeable draws are taken in the order of the bag, so that no order
    counts twice.

    Each item comes with its weight, and how often in a row it is then drawn. ``items``: the index of each in the bag.
    ``last``: the item of the draw before, drawn ``run`` times in a row; None if that draw is not alike.
    """
    for value, times in distribution:
        if last is None or items[value] >= items[last]:
            yield value, times, run + 1 if last is not None and value == last else 1


def _draw_ranks(phase: Phase, asked: Iterable[Measure]) -> tuple[int, ...]:
    places: list[int] = []
    questions = [tree for each in asked for tree in (each.when, each.value) if tree is not None]
    whole = (phase.entries, tuple(questions))
    plain: Any = None
    for number, throw in enumerate(phase.rolls_and_draws):
        before = phase.rolls_and_draws[number - 1] if number else None
        same = False
        if isinstance(throw, Draw) and isinstance(before, Draw) and throw.bag == before.bag:
            plain = plain or _normal_form(whole, {})
            swapped = {throw.name: before.name, before.name: throw.name}
            same = not (throw.kept or before.kept) and _normal_form(whole, swapped) == plain
        places.append(places[-1] + 1 if same else 1)
    return tuple(places)


def _normal_form(thing: Any, renamed: Mapping[str, str]) -> Any:
    """Return a part of the rules in normal form, with some names of draws exchanged. Equal rules have equal forms."""
    if isinstance(thing, Expr):
        return _normal_tree(thing, renamed)
    if isinstance(thing, tuple):
        return tuple(_normal_form(part, renamed) for part in thing)
    if is_dataclass(thing):
        parts = (
            _normal_form(getattr(thing, field.name), renamed)
            for field in fields(thing)
            if field.name not in _FIELDS_FOR_PEOPLE
        )
        return (type(thing).__name__, *parts, getattr(thing, "name", ""))
    return repr(thing)


def _normal_tree(tree: Expr, renamed: Mapping[str, str]) -> Any:
    value = renamed.get(tree.value, tree.value) if tree.op == "local" else tree.value
    args = [_normal_tree(part, renamed) for part in tree.joined_arguments]
    if (
        tree.op == "call"
        and tree.function_or_operator in _ORDER_FREE_FUNCTIONS
        and tree.args
        and tree.args[0].op == "listed"
    ):
        args[0] = ("listed", "", *sorted(args[0][2:], key=repr))
    if tree.op == "in" and tree.args[1].op == "listed":
        args[1] = ("listed", "", *sorted(args[1][2:], key=repr))
    if tree.unordered:
        args.sort(key=repr)
    return (tree.function_or_operator, repr(value), *args)


def _reads_total_alone(phase: Phase, name: str) -> bool:
    """Return whether the entries of a phase read the total of a roll, and nothing else of it."""
    entries, effects = phase.entries, [effect for entry in phase.entries for effect in every_effect(entry.do)]
    trees = [tree for part in (*entries, *effects, *(entry.then for entry in entries)) for tree in part.reads]
    nodes = [node for tree in trees for node in tree.walk()]
    added = [node.args[0] for node in nodes if node.op == "call" and node.value == "sum"]
    read, totals = ([each for each in part if (each.op, each.value) == ("local", name)] for part in (nodes, added))
    return len(read) == len(totals) > 0


Result = TypeVar("Result")


_STATIC = {
    "const", "parameter", "constant", "map", "list", "seats", "+", "-", "*", "//", "%", "neg", "==", "!=", "<", "<=", ">", ">=",
    "in", "if", "listed", "lookup",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a position: a variable, or one member of it.

    ``dice``: the dice that a hand can hold, each kind once, as (die, count). ``free``: whether bounds are not tested,
    because ``successors.without_carried_bounds`` proves that they hold. ``sides``: the names of the seats.
    """

    variable: Variable
    index: tuple[Any, ...]
    least: int
    most: int
    dice: tuple[tuple[Die, int], ...] = ()
    free: bool = False
    sides: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name for programs, which count seats from 0: ``hoard``, or ``step[3]``."""
        return self.variable.name + (f"[{', '.join(map(str, self.index))}]" if self.index else "")

    @property
    def shown(self) -> str:
        """The name for people, who count seats from 1. Seat 1 is the mover where positions are seen from the mover."""
        return self.variable.name + self._place(())

    @property
    def seated(self) -> str:
        """The name for people, with the names of sides in place of seats."""
        return self.variable.name + self._place(self.sides)

    @property
    def called(self) -> str:
        """The name as people say it, with the variable's label if it has one, and sides in place of seats."""
        return self._label + self._place(self.sides)

    @property
    def owned(self) -> str:
        """The name in a sentence: ``light``, ``crow's bag``, ``column 3 4``."""
        owner, items = "", list(self.index)
        if self.variable.per_seat:
            seat = items.pop(0)
            owner = f"{self.sides[seat] if self.sides else f'seat {seat + 1}'}'s "
        return " ".join([owner + self._label, *map(str, items)])

    @property
    def _label(self) -> str:
        """The variable's label, or its name with spaces."""
        return self.variable.label or self.variable.name.replace("_", " ")

    def violated_bound(self, value: int) -> str:
        """Return in words the bound that a value out of range violates."""
        return f"above its max of {self.most}" if value > self.most else f"below its min of {self.least}"

    def _place(self, sides: Sequence[str]) -> str:
        items = list(self.index)
        if self.variable.per_seat:
            items[0] = sides[items[0]] if sides else items[0] + 1
        return f"[{', '.join(map(str, items))}]" if items else ""


@dataclass(frozen=True)
class Game:
    """A ruleset at a number of seats and parameter values. Seats are numbered from 0 here; people count them from 1."""

    ruleset: Ruleset
    seats: int
    parameters: Mapping[str, Any]
    variants: tuple[str, ...]
    static: Mapping[str, Any]
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
        """The setting of the game, with every parameter, and without an objective."""
        return Setting(self.seats, "", self.variants, self.parameters)

    @cached_property
    def most_cases(self) -> int:
        """The most phases of cases that play may pass in a row before it must reach a roll, a choice or the end. Seats
        that lose several turns make long rows.
        """
        return max(MOST_CASES_IN_A_ROW, len(self.ruleset.phases) * (self.seats + 1))

    def moment(self, cells: Sequence[Any] = (), mover: int = 0, out: int = 0) -> EvaluationContext:
        """Return the context in which expressions are evaluated in a position."""
        return EvaluationContext(self.static, self.layout, self.seats, list(cells), mover, mover, out)

    def play_error(self, broken: Broken, location: Location) -> PlayError:
        """Return the error for a rule that breaks in play, with its place and its line."""
        return PlayError(Problem(broken.code, location, broken.message, broken.hint), source=self.ruleset.source)

    def with_location(
        self, function: Callable[[EvaluationContext], Result], location: Location
    ) -> Callable[[EvaluationContext], Result]:
        """Return a function that calls another, and raises PlayError with a location where that raises Broken."""

        def run(m: EvaluationContext) -> Result:
            try:
                return function(m)
            except Broken as broken:
                raise self.play_error(broken, location) from None

        return run

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All effects of the rules, wherever they stand."""
        return self.ruleset.effects

    def ranked_rolls_and_draws(self, phase: Phase) -> tuple[tuple[RollOrDraw, int], ...]:
        """Return the rolls and draws of a phase, each with its rank (from 1) in its run of interchangeable draws."""
        return tuple(zip(phase.rolls_and_draws, self._alike[phase.name], strict=True))

    @cached_property
    def _alike(self) -> Mapping[str, tuple[int, ...]]:
        return draw_ranks(self.ruleset)

    @cached_property
    def totalled(self) -> frozenset[str]:
        """The names of rolls of which the rules read nothing but the total."""
        rolls: dict[str, list[bool]] = {}
        for phase in self.ruleset.phases.values():
            for throw in phase.rolls_and_draws:
                only = throw.kind == "roll" and not throw.kept and _reads_total_alone(phase, throw.name)
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
        """Return the value of a test that the setting decides in every state; None if the state may decide it."""
        if tree.op == "not":
            inner = self.constant_truth(tree.args[0])
            return None if inner is None else not inner
        if tree.op in ("and", "or"):
            parts, strong = [self.constant_truth(arg) for arg in tree.args], tree.op == "or"
            return strong if strong in parts else None if None in parts else not strong
        if all(node.op in _STATIC for node in tree.walk()):
            return bool(compiled(tree)(self.moment()))
        return None

    def cells_of(self, name: str) -> range:
        """Return the cells of a variable."""
        layout = self.layout[name]
        return range(layout.first, layout.first + prod(map(len, layout.dims)))

    def dice_counts(self, terms: Sequence[Term], moment: EvaluationContext) -> tuple[tuple[int, Die], ...]:
        """Return the dice of a roll in a position, as (count, die)."""
        return tuple((compiled(term.count)(moment), self.dice[term.die]) for term in terms)

    def face(self, die_kind: int, face: int) -> str:
        """Return the name of a face."""
        rule = next((rule for rule in self.ruleset.dice.values() if self.dice[rule.name].kind == die_kind), None)
        return rule.named.get(face, str(face)) if rule else str(face)

    def option_text(self, entry: Entry, binding: Sequence[tuple[str, Any]], first: int = 0) -> str:
        """Return an option with the values of its loop names, as files and commands write it: ``Rob (victim 2)``.

        Seats count from 1, or have the names of their sides. ``first``: the seat of the first side.
        """
        seats = {name for name, items in entry.loops if items.type.item is not None and items.type.item.kind == "seat"}

        def place(seat: int) -> str:
            return self._seat_label((seat - first) % self.seats)

        shown = ", ".join(
            f"{name} {place(value) if name in seats else self.value_text(value)}" for name, value in binding
        )
        return f"{entry.name} ({shown})" if shown else entry.name

    def cell_in_words(self, where: int, value: Any, name: str) -> str:
        """Return ``name`` followed by the value of the cell in words, with its unit. Seats are numbered from seat 1, not
        from the mover.
        """
        if isinstance(value, bool):
            return f"{name}: {'yes' if value else 'no'}"
        variable = self.cells[where].variable
        if variable.kind == "number":
            if value == variable.none:
                return f"{name} none"
            value *= variable.times
        if isinstance(value, int):
            shown = self._seat_label(value) if variable.kind == "seat" else f"{value:,}"
        else:
            shown = self.value_text(value)
        return f"{name} {with_unit(shown, value, variable.unit)}"

    def value_in_words(self, where: int, value: Any) -> str:
        """Return a value of a cell in words. Seats count from 1."""
        return _seat_number(value) if self.cells[where].variable.kind == "seat" else self.value_text(value)

    def seat_name(self, cells: Sequence[Any], seat: int) -> str:
        """Return the name of a seat of a position. The cells of the sides say where each side sits in it."""
        return self.ruleset.seat_name((seat - self.first_side(cells)) % self.seats)

    def first_side(self, cells: Sequence[Any]) -> int:
        """Return the seat of the first side in a position; 0 if the ruleset has no sides."""
        sides = self.ruleset.sides
        return int(cells[self.cells_of(sides[0]).start]) if sides else 0

    def _seat_label(self, seat: int) -> str:
        """Return the name of a seat's side, or its number from 1 if there are no sides."""
        return self.ruleset.seat_name(seat) if self.ruleset.sides else _seat_number(seat)

    def value_text(self, value: Any) -> str:
        """Return a value in words."""
        if isinstance(value, Hand):
            return " ".join(self.face(kind, face) for face, kind in value) or "no dice"
        if isinstance(value, tuple):
            return "[" + ", ".join(map(self.value_text, value)) + "]"
        return plain_text(value)


def _seat_number(seat: int) -> str:
    return str(seat + 1)
