"""Finding the stages of a game from the quantities that only grow or only fall. Play never returns to a stage that it
has left.

A variable only grows if every effect of the rules that writes it does one of three things: it adds an amount that is
known to be at least 0 at that point, it moves something into the variable, or it sets the variable to no less than its
old value. A variable only falls if every such effect does the opposite, or draws from it. Apart from these effects,
only a reset writes a number or a flag, and a variable that is reset is not counted. Seats that are out stay out, so
their number grows.

An effect that moves something from one variable to another may make each of them grow and fall, but does not change
their sum. So variables that are linked by such moves are taken together. If all other effects that write any of them
allow one direction, their sum moves in that direction.

Phases have an order as well: the fewer phases play may still reach, the later the phase. In most games a turn leads to
all phases again. A phase to which play never returns is a stage.

The *stage* of a position is the sum of the quantities that grow, less the sum of those that fall, counted from its
lower bound. A permutation of the seats, or of the members of a family, does not change a sum, so the stage is the same
for all positions of one state. It never falls from one position to the next. So a component lies within one stage, and
all transitions that leave a stage go to later ones. If the keys of a phase leave out the cells of a variable, its value
would seem to jump back there, so that variable is not counted.

Within a stage, variables that are counted alone do not change, except that seats and members of a family change places.
So if two positions differ in the multiset of values that the cells of such a variable hold, neither leads to the other:
they lie in different *parts*.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.expr import Bounds, Expr, Interval, RangeAnalyzer
from oddsmith.graph.columns import Codec
from oddsmith.ruleset import Game
from oddsmith.ruleset.checking import effects_with_bounds
from oddsmith.ruleset.model import Add, Draw, Drop, Effect, ForItems, ForSeats, If, Let, Move, Reveal, Set, linked_names

GROWS, FALLS = 1, -1
HASH_MULTIPLIER = 0x9E3779B1  # odd: numbers that wrap around stay apart as far as possible
EITHER = frozenset((GROWS, FALLS))


@dataclass(frozen=True)
class StageMap:
    """The map from keys to stages.

    ``direction_by_variable``: for each variable that stages are made of, 1 if it grows and -1 if it falls as play goes
    on. ``counts_eliminated_seats``: whether stages are also made of the number of seats that are out. ``monotone_sums``:
    groups of these variables of which only the sum, and not each variable, is monotone. ``phase_ranks``: the rank of
    each phase of the codec in the order of phases; all ranks are 0 if there is no order.
    """

    codec: Codec
    direction_by_variable: dict[str, int]
    counts_eliminated_seats: bool
    monotone_sums: tuple[tuple[str, ...], ...] = ()
    phase_ranks: tuple[int, ...] = ()

    def __str__(self) -> str:
        names = [
            *((name,) for name in self.direction_by_variable if not any(name in each for each in self.monotone_sums)),
            *self.monotone_sums,
        ]
        grows, falls = (
            [" + ".join(each) for each in names if self.direction_by_variable[each[0]] == direction]
            for direction in (GROWS, FALLS)
        )
        kinds = [f"what only {how}: {', '.join(names)}" for names, how in ((grows, "grows"), (falls, "falls")) if names]
        kinds += ["seats that are out stay out"] * self.counts_eliminated_seats + [
            "phases that are over for good"
        ] * any(self.phase_ranks)
        return "; ".join(kinds)

    def stages_of(self, keys: Ints) -> Ints:
        """Return the stage of each key, counted from 0. ``keys``: shape (words, states)."""
        cells, phase, out = self.codec.decode(keys)
        stage = self._ranks_of_phases(phase)
        for where, cell in enumerate(self.codec.game.cells):
            direction = self.direction_by_variable.get(cell.variable.name)
            if direction is not None:
                stage += cells[where] - cell.least if direction == GROWS else cell.most - cells[where]
        if self.counts_eliminated_seats:
            for seat in range(self.codec.game.seats):
                stage += out >> seat & 1
        return stage

    def _ranks_of_phases(self, phase_numbers: Ints) -> Ints:
        """Return the ranks of phases, given by their numbers."""
        found: Ints = np.array(self.phase_ranks or [0] * len(self.codec.phases), dtype=np.int64)[phase_numbers]
        return found

    def part_numbers(self, keys: Ints) -> Ints:
        """Return the part number of each key, for keys of one stage, of shape (words, states).

        States with different part numbers do not lead to one another. Numbers that overflow wrap around; parts whose
        numbers then collide are treated as a single part.
        """
        cells, phase, out = self.codec.decode(keys)
        part = self._ranks_of_phases(phase)
        for name in self.direction_by_variable:
            if any(name in each for each in self.monotone_sums):
                continue
            for held in np.sort([cells[where] for where in self.codec.game.cell_indices_of(name)], axis=0):
                part = part * HASH_MULTIPLIER + held
        for seat in range(self.codec.game.seats if self.counts_eliminated_seats else 0):
            part += out >> seat & 1
        return part


def find_stages(codec: Codec) -> StageMap | None:
    """Find the stages of a game in its rules; None if no quantity only grows or only falls."""
    game, met = codec.game, effects_with_bounds(codec.game)
    in_all_keys = frozenset.intersection(*(frozenset(_cells_in_keys(codec, phase)) for phase in codec.phases))
    counts = {
        name
        for name, one in game.ruleset.state.items()
        if not one.resets_each_turn and in_all_keys.issuperset(game.cell_indices_of(name))
    }
    directions = _directions_by_variable(game, met)
    found = {
        name: max(directions[name]) for name in game.ruleset.state if len(directions[name]) == 1 and name in counts
    }
    sums = list[tuple[str, ...]]()
    for group, moves in _groups_linked_by_moves(game, found.keys()):
        directions = _directions_by_variable(game, [one for one in met if not any(one[0] is each for each in moves)])
        direction = frozenset.intersection(*(directions[name] for name in group))
        if len(direction) == 1 and counts.issuperset(group):
            sums.append(group)
            found |= dict.fromkeys(group, max(direction))
    phases = _phase_ranks(codec)
    return (
        StageMap(codec, found, game.has_elimination, tuple(sums), phases)
        if found or game.has_elimination or any(phases)
        else None
    )


def _phase_ranks(codec: Codec) -> tuple[int, ...]:
    """Return the rank of each phase of a codec, counted from 0. The fewer phases play may still reach, the higher the
    rank.

    In games in which players may go out, any phase may lead to the next player's turn.
    """
    rules, passes = codec.game.ruleset, codec.game.has_elimination
    then = {name: {rules.first_phase_of_turn} if passes else set[str]() for name in rules.phases}
    for name, phase in rules.phases.items():
        then[name] |= {
            entry.then.phase if entry.then.kind == "phase" else rules.first_phase_of_turn
            for entry in phase.entries
            if entry.then.kind != "end"
        }
    ahead = {name: {name} for name in then}
    for _ in then:  # each round finds all that is a step farther
        ahead = {name: found.union(*(then[each] for each in found)) for name, found in ahead.items()}
    ranks = sorted({len(ahead[name]) for name in codec.phases}, reverse=True)
    return tuple(ranks.index(len(ahead[name])) for name in codec.phases)


def _groups_linked_by_moves(
    game: Game, ungrouped_variables: Collection[str]
) -> Iterable[tuple[tuple[str, ...], list[Effect]]]:
    """Yield groups of variables between which effects move something, in the order of the rules, each with these
    effects.

    ``ungrouped_variables``: variables that belong to no group.
    """
    links = [
        (effect, {effect.source.name, effect.target.name})
        for effect in game.ruleset.effects_before_end
        if isinstance(effect, Move) and effect.source and effect.target
    ]
    links = [(effect, ends) for effect, ends in links if ends.isdisjoint(ungrouped_variables)]
    linked = [name for name in game.ruleset.state if any(name in ends for _, ends in links)]
    for group in dict.fromkeys(linked_names(linked, [ends for _, ends in links]).values()):
        yield tuple(name for name in linked if name in group), [effect for effect, ends in links if ends <= group]


def _cells_in_keys(codec: Codec, phase: str) -> Iterable[int]:
    """Return the cells whose values the keys of a phase hold or determine."""
    return (where for where in range(len(codec.game.cells)) if where not in codec.left_out[phase])


def _directions_by_variable(game: Game, effects: Iterable[tuple[Effect, Bounds]]) -> dict[str, frozenset[int]]:
    """Return the directions in which draws and the given effects let each number or flag move; both if nothing writes
    it.

    Variables of other kinds have no direction.
    """
    kinds = {name: variable.kind for name, variable in game.ruleset.state.items()}
    directions = {name: EITHER if kind in ("number", "flag") else frozenset[int]() for name, kind in kinds.items()}
    ranger = RangeAnalyzer(lambda problem: None)
    for throw in (throw for phase in game.ruleset.phases.values() for throw in phase.rolls_and_draws):
        if isinstance(throw, Draw):
            directions[throw.bag] &= {FALLS}
    for effect, bounds in effects:
        for name, left in _allowed_directions(effect, lambda tree: ranger.range(tree, bounds)):  # noqa: B023 - used at once
            directions[name] &= left
    return directions


def _allowed_directions(effect: Effect, range_of: Callable[[Expr], Interval]) -> Iterable[tuple[str, frozenset[int]]]:
    """Yield the variables that an effect writes, each with the directions that the effect allows."""
    match effect:
        case Add():
            amount = range_of(effect.amount)
            yield (
                effect.target.name,
                frozenset(direction for direction in EITHER if _steps_have_direction(amount, direction)),
            )
        case Move():
            if effect.target:
                yield effect.target.name, frozenset((GROWS,))
            if effect.source:
                yield effect.source.name, frozenset((FALLS,))
        case Set():
            held = Expr("state", effect.amount.type, effect.target.indices, effect.target.name)
            yield (
                effect.target.name,
                frozenset(
                    direction for direction in EITHER if _is_surely_bounded_by(effect.amount, held, direction, range_of)
                ),
            )
        case Let() | Drop() | Reveal() | If() | ForSeats() | ForItems():
            pass  # what lies inside it is an effect of the game too
        case _:
            assert_never(effect)


def _is_surely_bounded_by(expression: Expr, cell: Expr, direction: int, range_of: Callable[[Expr], Interval]) -> bool:
    """Return whether a value is surely at least the value of a cell (``direction`` 1), or at most that value (-1).

    ``expression``: the expression of the value. ``cell``: the expression of the cell. ``range_of``: gives the range of
    an expression.
    """
    own, other = range_of(expression), range_of(cell)
    if expression == cell or (own.low >= other.high if direction == GROWS else own.high <= other.low):
        return True
    if expression.op == "if":
        return all(_is_surely_bounded_by(branch, cell, direction, range_of) for branch in expression.args[1:])
    numbers = all(
        arg.type.kind == "number" for arg in expression.args
    )  # and no list with what to take where it is empty
    if expression.op == "call" and expression.value in {"min", "max"} and numbers:
        some = any if (expression.value == "max") == (direction == GROWS) else all
        return some(_is_surely_bounded_by(part, cell, direction, range_of) for part in expression.args)
    if expression.op not in {"+", "-"}:
        return False
    one, two = expression.args
    ahead = _steps_have_direction(
        range_of(two), direction if expression.op == "+" else -direction
    ) and _is_surely_bounded_by(one, cell, direction, range_of)
    return ahead or (
        expression.op == "+"
        and _steps_have_direction(range_of(one), direction)
        and _is_surely_bounded_by(two, cell, direction, range_of)
    )


def _steps_have_direction(steps: Interval, direction: int) -> bool:
    """Return whether every number in an interval of steps is 0 or has the sign of the direction."""
    return steps.low >= 0 if direction == GROWS else steps.high <= 0
