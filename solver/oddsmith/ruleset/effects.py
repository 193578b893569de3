"""Compiles effects to functions that change a position. Bounds of variables are checked after each effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from oddsmith.base.errors import RuleFailure
from oddsmith.expr import (
    MAX_NUMBER,
    Compiled,
    EvaluationContext,
    compile_cell_index,
    compiled_function,
    items_or_faces,
    refuse_too_long_list,
)
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.effects import (
    Add,
    Drop,
    Effect,
    ForItems,
    ForSeats,
    If,
    Let,
    Move,
    Reveal,
    Set,
    VariableRef,
)
from oddsmith.ruleset.model.phases import Again, End, EntryEnding, Pass, PassTo, ToPhase

EffectFunction = Callable[[EvaluationContext], None]


def compile_effects(effects: Sequence[Effect], game: Game) -> EffectFunction:
    """Return a function that carries out effects in order. It raises PlayError if an effect cannot be carried out."""
    steps = [(_compile_effect(effect, game), effect.location) for effect in effects]

    def carry_out_effects(context: EvaluationContext) -> None:
        for step, location in steps:
            try:
                step(context)
            except RuleFailure as failure:
                raise game.play_error(failure, location) from None

    return carry_out_effects


def _compile_effect(effect: Effect, game: Game) -> EffectFunction:
    match effect:
        case Move():
            return _compile_move(effect, game)
        case Set():
            return _compile_set(effect, game)
        case Add():
            return _compile_add(effect, game)
        case Let():
            return _compile_let(effect)
        case Drop():
            return _eliminate_seat
        case Reveal():
            return _compile_reveal(effect)
        case If():
            test, do, other = (
                compiled_function(effect.test),
                compile_effects(effect.do, game),
                compile_effects(effect.else_do, game),
            )
            return lambda context: do(context) if test(context) else other(context)
        case ForSeats():
            return _compile_loop_over_seats(effect, game)
        case ForItems():
            return _compile_loop_over_items(effect, game)
        case _:
            assert_never(effect)


def _cell_index_function(variable_ref: VariableRef) -> Callable[[EvaluationContext], int]:
    return compile_cell_index(variable_ref.name, [compiled_function(index) for index in variable_ref.indices])


def _cell_writer(game: Game) -> Callable[[EvaluationContext, int, Any], None]:
    """Return a function that writes a value to a cell. It raises RuleFailure if the value does not fit."""

    def write_cell(context: EvaluationContext, index_of_cell: int, value: Any) -> None:
        cell = game.cells[index_of_cell]
        kind = "" if cell.is_unbounded else cell.variable.kind
        if kind == "number" and not cell.least <= value <= cell.most:
            hint = "raise its max, or write min(...) if the rules stop it there"
            if not cell.variable.resets_each_turn and not cell.variable.is_per_seat:
                hint += "; if the count starts again every turn, add resets: turn"
            if value < cell.least:
                hint = "with add, first test that enough is left, or use move"
            if not game.ruleset.has_end:
                hint = f"nothing ends this game: write end_when, or `then: end` where it is over; else {hint}"
            raise RuleFailure(
                "OD521", f"{cell.name_with_sides} would become {value}, {cell.violated_bound_in_words(value)}", hint
            )
        if kind == "tally" and abs(value) > MAX_NUMBER:
            raise RuleFailure("OD522", f"the tally {cell.name_with_sides} goes beyond 2^53")
        if kind == "word" and value not in cell.variable.words:
            raise RuleFailure("OD523", f"{cell.name_with_sides} cannot be {value}")
        if kind == "hand":
            check_hand(game, index_of_cell, value)
        context.cells[index_of_cell] = value

    return write_cell


def check_hand(game: Game, index_of_cell: int, hand: Any) -> None:
    """Raise RuleFailure if a hand variable would hold dice that its definition does not allow.

    ``index_of_cell``: the index of its cell; ``hand``: the hand.
    """
    cell = game.cells[index_of_cell]
    for die, count in cell.dice:
        if sum(kind == die.kind for _, kind in hand) > count:
            raise RuleFailure("OD524", f"{cell.name_with_sides} would hold more than {count} {die.name}")
    if any(kind not in {die.kind for die, _ in cell.dice} for _, kind in hand):
        raise RuleFailure(
            "OD524", f"{cell.name_with_sides} would hold a die that does not belong to it", "name it under its `dice:`"
        )


def _compile_move(effect: Move, game: Game) -> EffectFunction:
    write = _cell_writer(game)
    amount = compiled_function(effect.amount) if effect.amount else None
    source = _cell_index_function(effect.source) if effect.source else None
    target = _cell_index_function(effect.target) if effect.target else None

    def move_amount(context: EvaluationContext) -> None:
        wanted = amount(context) if amount else None
        if wanted is not None and wanted < 0:
            raise RuleFailure("OD525", f"a move of {wanted}", "a move needs an amount of at least 0")
        here = source(context) if source else None
        there = target(context) if target else None
        held: Any = context.cells[here] if here is not None else wanted
        moved = held if wanted is None else min(wanted, held)
        if here == there:
            return
        if here is not None:
            write(context, here, held - moved)
        if there is not None:
            write(context, there, context.cells[there] + moved)

    return move_amount


def _compile_set(effect: Set, game: Game) -> EffectFunction:
    write, amount, target = _cell_writer(game), compiled_function(effect.amount), _cell_index_function(effect.target)
    return lambda context: write(context, target(context), amount(context))


def _compile_add(effect: Add, game: Game) -> EffectFunction:
    write, amount, target = _cell_writer(game), compiled_function(effect.amount), _cell_index_function(effect.target)

    def add_amount(context: EvaluationContext) -> None:
        where = target(context)
        write(context, where, context.cells[where] + amount(context))

    return add_amount


def _compile_let(effect: Let) -> EffectFunction:
    name, amount = effect.name, compiled_function(effect.amount)

    def bind_local_name(context: EvaluationContext) -> None:
        context.local[name] = amount(context)

    return bind_local_name


def _compile_reveal(effect: Reveal) -> EffectFunction:
    amount, to = compiled_function(effect.amount), None if effect.seats is None else compiled_function(effect.seats)

    def reveal_value(context: EvaluationContext) -> None:
        context.shown = (*context.shown, (None if to is None else seats_as_set(to(context)), amount(context)))

    return reveal_value


def seats_as_set(seats: int | Sequence[int]) -> frozenset[int]:
    """Return a seat or a list of seats as a set."""
    return frozenset((seats,) if isinstance(seats, int) else seats)


def _eliminate_seat(context: EvaluationContext) -> None:
    context.out |= 1 << context.seat


def _compile_loop_over_seats(effect: ForSeats, game: Game) -> EffectFunction:
    group, do, single = (
        compiled_function(effect.group),
        compile_effects(effect.do, game),
        effect.group.type.kind == "seat",
    )

    def loop_over_seats(context: EvaluationContext) -> None:
        seats = group(context)
        own, before = context.seat, context.out
        for seat in (seats,) if single else seats:
            if context.out & ~before & 1 << seat:
                continue  # dropped out since the loop began
            context.seat = seat
            do(context)
        context.seat = own

    return loop_over_seats


def _compile_loop_over_items(effect: ForItems, game: Game) -> EffectFunction:
    loops = [(name, compiled_function(items)) for name, items in effect.loops]
    do = compile_effects(effect.do, game)

    def loop_over_items(context: EvaluationContext) -> None:
        for binding in loop_bindings(loops, context):
            context.local.update(binding)
            do(context)

    return loop_over_items


def loop_bindings(
    loops: Sequence[tuple[str, Callable[[EvaluationContext], Any]]], context: EvaluationContext
) -> list[dict[str, Any]]:
    """Return the bindings of nested loops in order: a map from loop names to items for each combination of items.

    ``loops``: for each loop, its name and the function that returns its items. Repeated items are left out.
    """
    bindings: list[dict[str, Any]] = [{}]
    for name, items in loops:
        longer = []
        for binding in bindings:
            context.local.update(binding)
            seen = items(context)
            longer += [{**binding, name: item} for item in dict.fromkeys(items_or_faces(seen))]
            refuse_too_long_list(len(longer), f"the loop over {', '.join(each for each, _ in loops)}")
        bindings = longer
    return bindings


def next_mover_function(entry_ending: EntryEnding) -> Compiled:
    """Return a function that returns the mover of the next turn. ``entry_ending``: the ending of the entry that was
    taken.

    If the current mover is out, the next mover is the next seat that is not out, whatever ``entry_ending`` says.
    """
    chosen: Compiled
    match entry_ending:
        case Again():
            chosen = _current_mover
        case PassTo():
            chosen = _seat_function_refusing_seats_out(compiled_function(entry_ending.seat))
        case Pass() | ToPhase() | End():
            chosen = _next_seat
        case _:
            assert_never(entry_ending)
    return lambda context: _next_seat(context) if context.out >> context.mover & 1 else chosen(context)


def _current_mover(context: EvaluationContext) -> int:
    return context.mover


def _next_seat(context: EvaluationContext) -> int:
    return context.neighbour(1)


def _seat_function_refusing_seats_out(seat_function: Compiled) -> Compiled:
    def seat_that_is_in(context: EvaluationContext) -> int:
        found: int = seat_function(context)
        if context.out >> found & 1:
            raise RuleFailure("OD534", "the turn would pass to a player who is out", "choose among everyone or others")
        return found

    return seat_that_is_in
