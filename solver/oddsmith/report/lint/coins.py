"""Finds coins that appear or vanish by a single rule, while all other rules only move them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from oddsmith.base.errors import RulesetError, Signal
from oddsmith.base.exact import plural
from oddsmith.base.location import Location
from oddsmith.graph import Explorer, steps_in_words
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.report.lint.finding import Finding, Moves, warning_at
from oddsmith.ruleset import Game, Rules, State, Step
from oddsmith.ruleset.model import (
    Add,
    Draw,
    Effect,
    Move,
    Set,
    effects_in_preorder,
    linked_names,
    variables_moved_between,
)
from oddsmith.ruleset.reading import location_of_path

MAX_MOVES_TRIED = 50_000  # moves, the nearest to the start, among which one is looked for

MovePath = tuple["MovePath", str] | None
"""The moves that led to a position, as nested pairs; the outermost pair has the last move."""


class CoinSearchUndecided(Signal):
    """Raised if the search for a play that changes the sum gives up: no move that it tried changes the sum, and more
    moves are left. Moves nearest to the start are tried first.
    """


@dataclass(frozen=True)
class _CoinLeak:
    """The only rule by which the sum of the variables ``variable_names`` can change: an effect, or a variable that resets."""

    variable_names: tuple[str, ...]
    location: Location
    words: str


def find_coin_leaks(game: Game, exhaustive: bool = False) -> Iterator[Finding]:
    """Report OD711 and OD712: one effect creates coins, or removes them, while all other effects only move them.

    ``exhaustive``: whether to try every move, however many there are. Otherwise, raises CoinSearchUndecided if too many
    moves were tried.
    """
    undecided: list[_CoinLeak] = []
    for names in _circulating_variable_groups(game):
        effects = [effect for effect in game.effects if _can_change_sum(effect, names)]
        resets = [
            variable for name, variable in game.ruleset.state.items() if name in names and variable.resets_each_turn
        ]
        if len(effects) > 1 or not (effects or resets) or _has_bag(game, names):
            continue  # more than one: a bank, which is meant to give and take
        leaks = [_CoinLeak(names, effect.location, f"`{getattr(effect, 'words', '')}`") for effect in effects]
        leaks += [
            _CoinLeak(names, location_of_path(game.ruleset.source, "state", each.name), f"the reset of {each.name}")
            for each in resets
        ]
        try:
            found = _search_for_leak(game, leaks, effects, exhaustive)
        except CoinSearchUndecided:
            undecided += leaks[:1]
            continue
        if found is not None:
            yield found
    if undecided:
        raise CoinSearchUndecided


def _circulating_variable_groups(game: Game) -> list[tuple[str, ...]]:
    """Return the groups of variables that share a unit or are connected by moves. A group without a move, or with the
    sum 0 at the start, is left out.
    """
    state = game.ruleset.state
    moves = variables_moved_between(game.effects)
    units = {name: variable.unit for name, variable in state.items() if variable.kind in ("number", "tally")}
    alike = [(one, two) for one in units for two in units if one < two and units[one] and units[one] == units[two]]
    groups = sorted({tuple(sorted(names)) for names in linked_names(units, [*moves, *alike]).values()})
    inside = {source for source, _ in moves}
    return [names for names in groups if inside & set(names) and _sum_of_variables(game, names, game.start) > 0]


def _can_change_sum(effect: Effect, variable_names: tuple[str, ...]) -> bool:
    """Return whether an effect, by itself, can change the sum of the variables ``variable_names``."""
    if isinstance(effect, Move):
        ends = [end.name in variable_names if end else False for end in (effect.source, effect.target)]
        return ends[0] != ends[1]
    return isinstance(effect, Set | Add) and effect.target.name in variable_names


def _has_bag(game: Game, variable_names: tuple[str, ...]) -> bool:
    """Return whether one of the variables is a bag. Draws take from a bag without an effect."""
    throws = [throw for phase in game.ruleset.phases.values() for throw in phase.rolls_and_draws]
    return any(isinstance(throw, Draw) and throw.bag in variable_names for throw in throws)


def _sum_of_variables(game: Game, variable_names: tuple[str, ...], cells: tuple[object, ...]) -> int:
    return sum(int(cells[where]) for name in variable_names for where in game.cell_indices_of(name))  # type: ignore[call-overload]  # numbers


def _search_for_leak(game: Game, leaks: list[_CoinLeak], effects: list[Effect], exhaustive: bool) -> Finding | None:
    """Find a shortest play that changes the sum of a group of variables, by breadth-first search, and return the
    finding that blames the rule that changes it. Return None if no play does.

    ``leaks``: the rules that may be to blame, all with the same variables. ``effects``: the effect among these rules,
    if there is one. ``exhaustive``: whether to try every move. Raises CoinSearchUndecided.
    """
    rules, names, alike = Rules(game), leaks[0].variable_names, _position_key(game, effects)
    start = rules.start()
    met, taken = {alike(start)}, 0
    wave: list[tuple[State, MovePath]] = [(start, None)]
    while wave:
        following: list[tuple[State, MovePath]] = []
        for state, way in wave:
            for words, step in steps_in_words(rules, state):
                taken += 1
                change = _sum_of_variables(game, names, step.state.cells) - _sum_of_variables(game, names, state.cells)
                if change:
                    return _leak_finding(
                        game, _leak_of_step(game, leaks, effects, step), change, _moves_of_path((way, words))
                    )
                if step.state.phase and alike(step.state) not in met:
                    met.add(alike(step.state))
                    following.append((step.state, (way, words)))
            if taken > MAX_MOVES_TRIED and not exhaustive:
                raise CoinSearchUndecided
        wave = following
    return None


def _position_key(game: Game, effects: list[Effect]) -> Callable[[State], object]:
    """Return a function from a position to its key. The search visits only one of the positions with equal keys,
    because they differ only in variables that no rule reads.

    A variable that is reset before it is read again belongs to the key, because the reset may lose the coins in it. If
    one of ``effects`` is a `set`, which may lose coins too, the whole position is the key.
    """
    if any(isinstance(effect, Set) for effect in effects):
        return lambda state: state
    try:
        codec = Explorer(
            game, next(iter(game.ruleset.payoffs)), sharing=ReductionOptions(forget=False), allow_secrets=True
        ).codec
    except RulesetError:
        return lambda state: state

    def key(state: State) -> object:
        found = codec.key(codec.canonical_state(state))
        return state if found is None else found.tobytes()

    return key


def _moves_of_path(path: MovePath) -> Moves:
    moves: list[str] = []
    while path is not None:
        path, words = path
        moves.append(words)
    return tuple(reversed(moves))


def _leak_of_step(game: Game, leaks: list[_CoinLeak], effects: list[Effect], step: Step) -> _CoinLeak:
    """Return the rule in ``leaks`` that changed the sum in a step: the effect if the step carried it out, else the
    variable that resets.
    """
    if not effects:
        return leaks[0]
    phases = game.ruleset.phases
    passed = [entry.do for phase, name in step.events for entry in phases[phase].entries if entry.name == name]
    passed += [] if step.state.phase else [game.ruleset.at_end]
    through = any(effects[0] == effect for do in passed for effect in effects_in_preorder(do))
    return leaks[0] if through or len(leaks) == 1 else leaks[1]


def _leak_finding(game: Game, leak: _CoinLeak, sum_change: int, play: Moves) -> Finding:
    unit = next(
        (game.ruleset.state[name].unit for name in leak.variable_names if game.ruleset.state[name].unit), ("", "")
    )
    counted = plural(abs(sum_change), *unit) if unit[0] else f"{abs(sum_change):,}"
    every = " + ".join(leak.variable_names)
    code, what, hint = (
        ("OD711", f"makes {counted} out of nothing", "say where they come from: move ... from ... to ...")
        if sum_change > 0
        else ("OD712", f"lets {counted} vanish", "say where they go: move ... from ... to ...")
    )
    message = f"{leak.words} {what}: all other effects leave {every} as it is"
    return warning_at(code, leak.location, message, hint, play)
