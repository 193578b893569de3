"""Applies the rules of a game to one state at a time, by section 8 of the language reference.

This module defines what a game means, and all other code must agree with it. Seats are absolute here: seat 0 starts. A
state is a position before a choice or a roll. Phases of cases follow immediately, without a state of their own. The
words of a ruleset for an entry are filled in for the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

from oddsmith.base.dice import Die, RollDistribution, check_hand_count, hand_count_after_draw, roll_distribution
from oddsmith.base.errors import PlayError, RuleFailure
from oddsmith.base.exact import short_repr
from oddsmith.expr import Compiled, EvaluationContext, compiled_function, items_or_faces, variable_cell_index
from oddsmith.ruleset.effects import (
    EffectFunction,
    check_hand,
    compile_effects,
    loop_bindings,
    next_mover_function,
    seats_as_set,
)
from oddsmith.ruleset.game import Game, possible_draws_with_run_lengths
from oddsmith.ruleset.model.phases import End, Entry, Phase, RollOrDraw, SimultaneousPhase, ToPhase
from oddsmith.ruleset.model.wording import ComputedValue, Sentence, number_with_unit

WordsFunction = Callable[[EvaluationContext], str | None]
EntryWords = tuple[str, str | None]
"""The name of an entry (empty for words that belong to no entry), and the ruleset's words for it, or None."""


def words_as_sentences(words_of_entries: Iterable[EntryWords]) -> str:
    """Return the words for several entries as sentences. For an entry without words, its name is the sentence."""
    texts = ((f"{name}." if name else "") if words is None else words for name, words in words_of_entries)
    return " ".join(each[:1].upper() + each[1:] for each in texts if each)


def compile_words(words: Sentence | None, game: Game, seat_namer: Callable[[int], str] | None = None) -> WordsFunction:
    """Return a function that returns the given words with the values of a position filled in.

    It returns None if there are no words, or if the evaluation of a value breaks a rule. ``seat_namer``: returns the
    name of a seat; by default, this is the ruleset's name for the player.
    """
    if words is None:
        return lambda _: None
    called = seat_namer or game.ruleset.player_name
    parts = [_compile_computed_value(part, game, called) if isinstance(part, ComputedValue) else part for part in words]

    def words_in_position(context: EvaluationContext) -> str | None:
        try:
            return "".join(part if isinstance(part, str) else part(context) for part in parts)
        except RuleFailure:
            return None

    return words_in_position


def option_in_words(entry: Entry, value_texts: Mapping[str, str]) -> str:
    """Return an option with the values of its loop names in words: ``Set aside: 1 1``.

    ``value_texts``: the values as text, by loop name.

    A loop name is written before its value, unless it is one letter or part of the option's name, or the value is dice
    or a player.
    """
    own, shown = entry.name.lower().split(" "), []
    for name, items in entry.loops:
        if name in value_texts:
            kind = items.type.item.kind if items.type.item is not None else ""
            bare = kind in ("hand", "seat") or len(name) == 1 or name.lower() in own
            text = value_texts[name].replace("_", " ") if kind == "word" else value_texts[name]
            shown.append(text if bare else f"{name.replace('_', ' ')} {text}")
    return f"{entry.name}: {', '.join(shown)}" if shown else entry.name


def _compile_computed_value(
    part: ComputedValue, game: Game, seat_namer: Callable[[int], str]
) -> Callable[[EvaluationContext], str]:
    worth, kind = compiled_function(part.tree), part.tree.type.kind

    def value_in_words(value: Any) -> str:
        if kind == "seat":
            return seat_namer(value)
        if kind == "flag":
            return "yes" if value else "no"
        text = f"{value:,}" if isinstance(value, int) else game.value_text(value)
        return text.replace("_", " ") if kind == "word" else text.replace("-", "\N{MINUS SIGN}")

    def text_in_position(context: EvaluationContext) -> str:
        value = worth(context)
        return number_with_unit(value_in_words(value), value, part.unit_forms)

    return text_in_position


@dataclass(frozen=True, slots=True)
class State:
    """A position, or its canonical form, in which seats are numbered from the mover.

    ``phase``: the name of the phase; empty if the game is over. ``seats_out_bits``: the seats that are out, as bits.
    ``cells``: the values of the cells.
    """

    phase: str
    mover: int
    seats_out_bits: int
    cells: tuple[Any, ...]

    def __repr__(self) -> str:
        gone = f", out {self.seats_out_bits:b}" if self.seats_out_bits else ""
        return short_repr(
            self, f"{self.phase or 'over'}, mover {self.mover}{gone}, cells {', '.join(map(str, self.cells))}"
        )


@dataclass(frozen=True, slots=True)
class ChanceResult:
    """The result of chance in a phase. ``values``: the names of its rolls and draws, with their values.

    ``cells``: the values of the cells after it.
    """

    values: tuple[tuple[str, Any], ...]
    cells: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """A legal option of a phase. ``entry_index``: the index of the option in the phase. ``name``: the name of the
    option.

    ``binding``: its loop names with their values.
    """

    entry_index: int
    name: str
    binding: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """The transition that a roll or an action causes. ``state``: the next state.

    ``events``: the entries taken, as (phase, entry). ``turn_over``: whether the turn ended.

    ``words_of_entries``: the words of the entries, with the values at the moment when each was taken; empty unless
    ``Rules.aloud`` is set. ``revealed_values``: the revealed values, as pairs: the seats that see a value (None for all
    seats), and the value.
    """

    state: State
    events: tuple[tuple[str, str], ...]
    turn_over: bool
    words_of_entries: tuple[EntryWords, ...] = ()
    revealed_values: tuple[tuple[frozenset[int] | None, Any], ...] = ()

    @property
    def in_words(self) -> str:
        """The step in words: for each entry, the ruleset's words, or the name if there are none. It may be empty."""
        return self._words_from_entry(0)

    @property
    def in_words_after_option_name(self) -> str:
        """The step in words, for use after a text that already names the option that was chosen. It may be empty."""
        return self._words_from_entry(int(not self.words_of_entries or self.words_of_entries[0][1] is None))

    def _words_from_entry(self, first_entry: int) -> str:
        if all(words is None for _, words in self.words_of_entries):
            return ", ".join(name for _, name in self.events[first_entry:] if name)
        return words_as_sentences(self.words_of_entries[first_entry:])


@dataclass(frozen=True, slots=True)
class _CompiledEntry:
    entry: Entry
    when: Compiled
    carry_out_effects: EffectFunction
    loops: tuple[tuple[str, Compiled], ...]
    next_mover_function: Compiled
    words_when_taken: WordsFunction
    words_of_option: WordsFunction


_Option = tuple[int, _CompiledEntry, Mapping[str, Any]]
"""The index of an option in its phase, the option, and the values of its loop names."""


class Rules:
    """The rules of a game, compiled to functions of one state. Every method raises PlayError if a rule breaks.

    ``with_words``: whether steps contain the ruleset's words for their entries.
    """

    def __init__(self, game: Game, *, with_words: bool = False) -> None:
        self.game, self.with_words = game, with_words
        rules = game.ruleset
        self.entries = {
            phase.name: [self._compiled_entry(entry) for entry in phase.entries] for phase in rules.phases.values()
        }
        self.items, self.who, self.seeing = dict[str, Compiled](), dict[str, Compiled](), dict[str, Compiled]()
        for phase in rules.phases.values():
            if isinstance(phase, SimultaneousPhase):
                self.items[phase.name] = game.with_error_location(compiled_function(phase.items), phase.location)
                self.who[phase.name] = game.with_error_location(compiled_function(phase.choosing_seats), phase.location)
            elif phase.seen_by is not None:
                self.seeing[phase.name] = game.with_error_location(compiled_function(phase.seen_by), phase.location)
        self.out_when = game.with_error_location(compiled_function(rules.out_when), rules.out_when.span.location)
        self.end_when = game.with_error_location(compiled_function(rules.end_when), rules.end_when.span.location)
        self.at_end = compile_effects(rules.at_end, game)
        self.resets = [
            (where, cell.variable.starts_as_mover)
            for where, cell in enumerate(game.cells)
            if cell.variable.resets_each_turn
        ]
        self.out_says, self.end_says = (
            compile_words(words if with_words else None, game) for words in (rules.words_when_out, rules.words_at_end)
        )
        self.pay = {
            name: game.with_error_location(compiled_function(payoff.value), payoff.value.span.location)
            for name, payoff in rules.payoffs.items()
        }

    def _compiled_entry(self, entry: Entry) -> _CompiledEntry:
        loops = tuple((name, compiled_function(items)) for name, items in entry.loops)
        located, where = self.game.with_error_location, entry.location
        when, onward = located(compiled_function(entry.when), where), located(next_mover_function(entry.then), where)
        says, does = (
            compile_words(entry.say if self.with_words else None, self.game),
            compile_words(entry.does, self.game),
        )
        return _CompiledEntry(entry, when, compile_effects(entry.do, self.game), loops, onward, says, does)

    def phase(self, state: State) -> Phase:
        """Return the phase of a state."""
        return self.game.ruleset.phases[state.phase]

    def context(self, state: State) -> EvaluationContext:
        """Return the context in which expressions are evaluated in a state."""
        return self.game.context(state.cells, state.mover, state.seats_out_bits)

    def start(self) -> State:
        """Return the first position. Raises PlayError if the game would be over before it begins."""
        return self.step_to_first_position().state

    def step_to_first_position(self) -> Step:
        """Return the step to the first position.

        The events of the step are the entries of the phases of cases before the first position. Raises PlayError if the
        game would be over before it begins.
        """
        context = self.game.context(self.game.start)
        turn = self.game.ruleset.first_phase_of_turn
        if self.end_when(context):
            where = self.game.ruleset.end_when.span.location
            raise self.game.play_error(
                RuleFailure("OD531", "the game is over before it begins", "end_when holds at the start"), where
            )
        if self.game.ruleset.phases[turn].kind == "cases":
            step = self._step_of_entry(turn, self._first_entry_that_applies(turn, context, None), context)
            if not step.state.phase:
                raise self.game.play_error(
                    RuleFailure("OD531", "the game is over before it begins", "nobody rolls or chooses before it ends"),
                    self.game.ruleset.phases[turn].location,
                )
            return step
        return Step(State(turn, context.mover, context.out, tuple(context.cells)), (), False)

    # --- chance

    def weighted_chance_results(self, state: State) -> tuple[list[tuple[int, ChanceResult]], int]:
        """Return all results of chance in a state of a roll phase with their weights, and the sum of all weights.

        Only one order of interchangeable draws is listed, with the weight of all orders.
        """
        found = list(
            self._weighted_results(
                self.game.rolls_and_draws_with_places_in_runs(self.phase(state)), self.context(state), (), Fraction(1)
            )
        )
        common = lcm(*(weight.denominator for weight, _ in found))
        return [(int(weight * common), thrown) for weight, thrown in found], common

    def chance_results(self, state: State) -> Iterator[ChanceResult]:
        """Return an iterator over all results of chance in a state of a roll phase, without weights."""
        return (
            thrown
            for _, thrown in self._weighted_results(
                self.game.rolls_and_draws_with_places_in_runs(self.phase(state)), self.context(state), (), Fraction(1)
            )
        )

    def _weighted_results(
        self,
        rolls_and_draws: tuple[tuple[RollOrDraw, int], ...],
        context: EvaluationContext,
        values: tuple[tuple[str, Any], ...],
        weight: Fraction,
        result_count: int = 1,
        run_length: int = 0,
    ) -> Iterator[tuple[Fraction, ChanceResult]]:
        if not rolls_and_draws:
            yield weight, ChanceResult(values, tuple(context.cells))
            return
        (throw, rank), rest = rolls_and_draws[0], rolls_and_draws[1:]
        distribution, denominator = self.value_distribution(throw, context)
        try:
            result_count = hand_count_after_draw(result_count, len(distribution), rank)
            check_hand_count(result_count, "the dice and draws of this phase together", throw.kind == "draw")
        except RuleFailure as failure:
            raise self.game.play_error(failure, throw.location) from None
        items = self.game.layout[throw.bag].dims[0] if throw.kind == "draw" else {}
        for value, times, again in possible_draws_with_run_lengths(
            distribution, items, values[-1][1] if rank > 1 else None, run_length
        ):
            branch = self.game.context(context.cells, context.mover, context.out)
            branch.local = dict(context.local)
            self._store_result(throw, value, branch)
            shown, chance = (*values, (throw.name, value)), weight * Fraction(times * rank, denominator * again)
            yield from self._weighted_results(rest, branch, shown, chance, result_count, again)

    def pick_chance_result(self, state: State, pick: Callable[[RollOrDraw, Any], Any]) -> ChanceResult:
        """Return one result of chance in a state of a roll phase.

        ``pick(throw, [(value, weight), ...])`` picks the value of each roll or draw.
        """
        context = self.context(state)
        values = []
        for throw in self.phase(state).rolls_and_draws:
            value = pick(throw, self.value_distribution(throw, context)[0])
            self._store_result(throw, value, context)
            values.append((throw.name, value))
        return ChanceResult(tuple(values), tuple(context.cells))

    def value_distribution(self, throw: RollOrDraw, context: EvaluationContext) -> tuple[Any, int]:
        """Return the values of one roll or draw with their weights, and the sum of the weights.

        ``context``: the context in which the dice or the bag are evaluated.
        """
        if throw.kind == "draw":
            dims = self.game.layout[throw.bag].dims
            counts = [
                (item, context.cells[variable_cell_index(context.layout, throw.bag, (item,))]) for item in dims[0]
            ]
            total = sum(count for _, count in counts)
            if total == 0:
                empty = RuleFailure(
                    "OD532", f"nothing is left in {throw.bag} to draw", "test first that it holds something"
                )
                raise self.game.play_error(empty, throw.location)
            return [(item, count) for item, count in counts if count > 0], total
        try:
            distribution: RollDistribution = roll_distribution(self.dice_of_roll(throw, context))
        except RuleFailure as failure:
            raise self.game.play_error(failure, throw.location) from None
        return distribution.hands, distribution.denominator

    def dice_of_roll(self, throw: RollOrDraw, context: EvaluationContext) -> tuple[tuple[int, Die], ...]:
        """Return the dice of a roll, as (count, die). Raises RuleFailure for a negative number of dice.

        ``context``: the context in which the numbers of dice are evaluated.
        """
        if throw.kind == "rest":
            cell = self.game.cells[self.game.layout[throw.name].first]
            lying = [kind for _, kind in context.cells[self.game.layout[throw.name].first]]
            return tuple((count - lying.count(die.kind), die) for die, count in cell.dice)
        terms = self.game.dice_counts(throw.dice, context)
        if any(count < 0 for count, _ in terms):
            raise RuleFailure("OD533", "a negative number of dice", "roll max(0, ...) dice")
        return terms

    def _store_result(self, throw: RollOrDraw, value: Any, context: EvaluationContext) -> None:
        """Write a result to the cell or local name of a roll or draw, and remove a drawn item from its bag."""
        if throw.kind == "draw":
            context.cells[variable_cell_index(context.layout, throw.bag, (value,))] -= 1
        if not throw.is_kept:
            context.local[throw.name] = value
            return
        where = self.game.layout[throw.name].first
        if throw.kind == "rest":
            value = context.cells[where] + value
        if throw.kind != "draw":
            try:
                check_hand(self.game, where, value)
            except RuleFailure as failure:
                raise self.game.play_error(failure, throw.location) from None
        context.cells[where] = value

    def resolve(self, state: State, chance_result: ChanceResult) -> Step:
        """Return the step of the first outcome that applies after a result of chance."""
        return self._step_of_entry(state.phase, *self._matching_entry_and_context(state, chance_result))

    def entry_name_and_context(
        self, state: State, chance_result: ChanceResult | None = None
    ) -> tuple[str, EvaluationContext]:
        """Return the name of the entry that is taken, and the context before its effects.

        ``chance_result``: the result of chance; None in a phase of cases.
        """
        entry, context = self._matching_entry_and_context(state, chance_result)
        return entry.entry.name, context

    def _matching_entry_and_context(
        self, state: State, chance_result: ChanceResult | None
    ) -> tuple[_CompiledEntry, EvaluationContext]:
        context = self.game.context(
            chance_result.cells if chance_result else state.cells, state.mover, state.seats_out_bits
        )
        kept = self.game.ruleset.state
        context.local = (
            {name: value for name, value in chance_result.values if name not in kept} if chance_result else {}
        )
        return self._first_entry_that_applies(state.phase, context, chance_result), context

    def _first_entry_that_applies(
        self, phase: str, context: EvaluationContext, chance_result: ChanceResult | None
    ) -> _CompiledEntry:
        for entry in self.entries[phase]:
            if entry.when(context):
                return entry
        shown = (
            (f"{name} {self.game.value_text(value)}" for name, value in chance_result.values)
            if chance_result
            else ("this position",)
        )
        where = self.game.ruleset.phases[phase].location
        hint = "add a last entry without `when`, which catches all the rest"
        raise self.game.play_error(RuleFailure("OD511", f"no entry of {phase} covers {', '.join(shown)}", hint), where)

    # --- choice

    def actions(self, state: State) -> list[Action]:
        """Return the legal actions in a state, in the order of the options. Raises PlayError if there are none."""
        context = self.context(state)
        legal = [
            action
            for option in self._all_options(state.phase, context)
            if (action := self._action_if_legal(option, context))
        ]
        if not legal:
            raise self._no_legal_option_error(state.phase, context)
        return legal

    def random_legal_action(self, state: State, random: Random) -> Action:
        """Return a random legal action, each with the same probability. Raises PlayError if there are none.

        Options are tested in random order until one is legal.
        """
        context = self.context(state)
        options = list(self._all_options(state.phase, context))
        while options:
            place = random.randrange(len(options))
            options[place], options[-1] = options[-1], options[place]
            if action := self._action_if_legal(options.pop(), context):
                return action
        raise self._no_legal_option_error(state.phase, context)

    def _all_options(self, phase: str, context: EvaluationContext) -> Iterator[_Option]:
        """Yield all options of a phase in order, whether legal or not."""
        for number, entry in enumerate(self.entries[phase]):
            try:
                bindings = loop_bindings(entry.loops, context)
            except RuleFailure as failure:
                raise self.game.play_error(failure, entry.entry.location) from None
            for binding in bindings:
                yield number, entry, binding

    def _action_if_legal(self, option: _Option, context: EvaluationContext) -> Action | None:
        number, entry, binding = option
        context.local = dict(binding)
        return Action(number, entry.entry.name, tuple(binding.items())) if entry.when(context) else None

    def _no_legal_option_error(self, phase: str, context: EvaluationContext) -> PlayError:
        message, hint = f"no option of {phase} is legal here", "add one without `when`"
        if not any(True for _ in self._all_options(phase, context)):
            message, hint = f"{message}: the list of `for` is empty", "let it have an item, as span(1, 6) has six"
        none = RuleFailure("OD512", message, hint)
        return self.game.play_error(none, self.game.ruleset.phases[phase].location)

    def choose(self, state: State, action: Action) -> Step:
        """Return the step that a legal action causes in a state."""
        context = self.context(state)
        context.local = dict(action.binding)
        return self._step_of_entry(state.phase, self.entries[state.phase][action.entry_index], context)

    # --- choices at once, and who sees what

    def choosable_items_by_seat(self, state: State) -> dict[int, tuple[Any, ...]]:
        """Return the seats that choose simultaneously in a state, each with the items from which it chooses.

        The seats are in the order of the key ``who``. Raises PlayError if a seat has no items, or no seat chooses.
        """
        phase, context = self.phase(state), self.context(state)
        assert isinstance(phase, SimultaneousPhase)
        items, found = self.items[phase.name], {}
        for seat in self.who[phase.name](context):
            context.seat = seat
            found[seat] = tuple(dict.fromkeys(items_or_faces(items(context))))
        lacking = next((seat for seat, offered in found.items() if not offered), None)
        if lacking is not None or not found:
            whom = "nobody" if lacking is None else self.game.ruleset.player_name(lacking)
            message = f"{whom} {'is asked' if lacking is None else 'has nothing to choose from'} in {phase.name}"
            hint = "let every list have an item" if lacking is not None else "let `who` name somebody who is in"
            raise self.game.play_error(RuleFailure("OD512", message, hint), phase.location)
        return found

    def choose_together(self, state: State, item_by_seat: Mapping[int, Any]) -> Step:
        """Return the step after simultaneous choices. ``item_by_seat``: the item of each seat that chose."""
        phase, context = self.phase(state), self.context(state)
        assert isinstance(phase, SimultaneousPhase)
        context.local = {phase.choice_name: dict(item_by_seat)}
        shown = ChanceResult(((phase.choice_name, tuple(item_by_seat.values())),), state.cells)
        return self._step_of_entry(state.phase, self._first_entry_that_applies(state.phase, context, shown), context)

    def seats_that_see(self, state: State) -> frozenset[int]:
        """Return the seats that see the rolls, draws or choices in a state. It may lack the seat that chooses."""
        tell = self.seeing.get(state.phase)
        return frozenset(range(self.game.seats)) if tell is None else seats_as_set(tell(self.context(state)))

    def action_in_words(self, state: State, action: Action) -> str:
        """Return an action in words: its name, with the ruleset's words for what it does.

        If there are no such words, the name is followed by the loop values.
        """
        entry, context = self.entries[state.phase][action.entry_index], self.context(state)
        context.local = dict(action.binding)
        does = entry.words_of_option(context)
        return (
            f"{action.name}: {does}"
            if does
            else option_in_words(entry.entry, self._loop_values_in_words(entry.entry, action))
        )

    def _loop_values_in_words(self, entry: Entry, action: Action) -> dict[str, str]:
        """Return the values of the loop names of an action in words, by loop name."""
        seats = {name for name, items in entry.loops if items.type.item is not None and items.type.item.kind == "seat"}
        player, show = self.game.ruleset.player_name, self.game.value_text
        return {name: player(value) if name in seats else show(value) for name, value in action.binding}

    # --- steps 2 to 6

    def _step_of_entry(self, phase_name: str, entry: _CompiledEntry, context: EvaluationContext) -> Step:
        """Return the step of an entry. ``phase_name``: the phase of the entry. ``context``: the context, which is
        changed.

        The step includes the entries of following phases of cases, up to a roll, a choice or the end of the game.
        """
        events: list[tuple[str, str]] = []
        said: list[EntryWords] = []
        turn_over = False
        while True:
            events.append((phase_name, entry.entry.name))
            said.append((entry.entry.name, entry.words_when_taken(context)))
            phase_name, over = self._carry_out_entry(entry, context, said)
            turn_over = turn_over or over
            if not phase_name or self.game.ruleset.phases[phase_name].kind != "cases":
                return Step(
                    State(phase_name, context.mover, context.out, tuple(context.cells)),
                    tuple(events),
                    turn_over,
                    tuple(said) if self.with_words else (),
                    context.shown,
                )
            if len(events) > self.game.max_consecutive_cases:
                hint = "let one of them lead to a roll, a choice, or the end of the game"
                failure = RuleFailure(
                    "OD428", f"the phase {phase_name} only sorts, and play comes to it again and again", hint
                )
                raise self.game.play_error(failure, self.game.ruleset.phases[phase_name].location)
            entry = self._first_entry_that_applies(phase_name, context, None)

    def _carry_out_entry(
        self, entry: _CompiledEntry, context: EvaluationContext, words_of_entries: list[EntryWords]
    ) -> tuple[str, bool]:
        """Carry out an entry of a phase: an option, an outcome or a case. Return the next phase (empty if the game is
        over), and whether the turn is over.

        The words for seats that go out, and for the end of the game, are added to ``words_of_entries``.
        """
        inside = context.seats_in_order(context.mover)
        entry.carry_out_effects(context)
        if self.game.has_elimination:
            self._eliminate_seats(inside, context, words_of_entries)
        context.seat = context.mover
        then = entry.entry.then
        everyone_out = context.out == (1 << context.seats) - 1
        if everyone_out or isinstance(then, End) or self.end_when(context):
            words_of_entries.append(("", self.end_says(context)))
            self.at_end(context)
            context.seat = context.mover
            return "", True
        if isinstance(then, ToPhase) and not context.out >> context.mover & 1:
            context.local = {}
            return then.phase, False
        self._begin_turn(entry.next_mover_function(context), context)
        return self.game.ruleset.first_phase_of_turn, True

    def _eliminate_seats(
        self, seats_in_before: Sequence[int], context: EvaluationContext, words_of_entries: list[EntryWords]
    ) -> None:
        """Eliminate the seats for which `out_when` holds.

        Words for every seat of ``seats_in_before`` that is now out are added to ``words_of_entries``.
        ``seats_in_before``: the seats that were not out before the effects.
        """
        gone = 0
        for seat in context.seats_in_order(context.mover):
            context.seat = seat
            if self.out_when(context):
                gone |= 1 << seat
        context.out |= gone
        for seat in seats_in_before:
            context.seat = seat
            if context.out >> seat & 1:
                words_of_entries.append(("", self.out_says(context)))

    def _begin_turn(self, seat: int, context: EvaluationContext) -> None:
        """Begin the turn of a seat, and reset the variables that are reset every turn."""
        context.mover = context.seat = seat
        for where, as_mover in self.resets:
            context.cells[where] = seat if as_mover else self.game.start[where]
        context.local = {}

    # --- the end

    def payoffs(self, state: State, objective: str) -> tuple[Fraction, ...]:
        """Return the payoff of each seat in a final state."""
        context = self.context(state)
        worth = []
        for seat in range(self.game.seats):
            context.seat = seat
            worth.append(Fraction(self.pay[objective](context)))
        return tuple(worth)
