"""Check the ranges of all expressions of a game by interval arithmetic. The tests under which an expression is
evaluated narrow its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import assert_never

from oddsmith.base.dice import check_roll_size
from oddsmith.base.errors import Problem, RuleFailure, RulesetError
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.base.location import Location
from oddsmith.expr import ALWAYS, HAND, MAX_NUMBER, NEVER, UNKNOWN, Bound, Bounds, Expr, Interval, RangeAnalyzer
from oddsmith.ruleset.checking.traps import entry_in_words, location_of_when
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
    effects_in_preorder,
)
from oddsmith.ruleset.model.phases import DiceTerm, Entry, EntryEnding, Phase, RollOrDraw
from oddsmith.ruleset.model.questions import Measure

MAX_DICE = 1_000  # of a term in a roll


def declared_bounds(game: Game) -> Bounds:
    """Return the bounds that hold in every position, according to the declarations of the variables."""
    variables, members = {}, {}
    for variable in game.ruleset.state.values():
        dims = game.layout[variable.name].dims
        members[variable.name] = tuple(
            () if dim == "seat" else tuple(items) for dim, items in zip(variable.index_lists, dims, strict=True)
        )
        cells = [game.cells[where] for where in game.cell_indices_of(variable.name)]
        known = UNKNOWN
        if cells and variable.kind == "hand":
            faces = [face for die, _ in cells[0].dice for face in die.faces] or [0]
            known = Interval(min(faces), max(faces), 0, cells[0].most)
        elif cells and variable.kind != "tally":
            known = Interval(cells[0].least, cells[0].most)
        variables[variable.name] = known
    ranges = {where: variables[cell.variable.name] for where, cell in enumerate(game.cells)}
    return Bounds(game.static_values, variables, members, game.seats, len(game.dice), cells=ranges)


class RangeChecker:
    """Checks every expression in the rules of a game, given the bounds of variables that hold when the expression is
    evaluated. ``problems``: the problems found. ``met``: the effects that can happen, each with the bounds before it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.problems: list[Problem] = []
        self.met: list[tuple[Effect, Bounds]] = []
        self.ranger = RangeAnalyzer(self.problems.append)
        self.base = declared_bounds(game)

    def report_error(self, code: str, location: Location, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code, location, message, hint))

    def report_warning(self, code: str, location: Location, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code, location, message, hint, "warning"))

    def check_all_rules(self) -> None:
        """Check all rules, and add the problems found to ``problems``."""
        rules = self.game.ruleset
        for cell in self.game.cells:
            if cell.variable.kind == "number" and max(abs(cell.least), abs(cell.most)) > MAX_NUMBER:
                message = f"{cell.variable.name} can go beyond 2^53"
                self.report_error("OD412", cell.variable.location, message, "lower its max")
        for phase in rules.phases.values():
            self.check_phase(phase)
        for test in (rules.out_when, rules.end_when):  # asked only while somebody is in
            self.ranger.range(test, replace(self.base, least_in=1))
        self.check_effects(rules.at_end, self.base)
        for payoff in rules.payoffs.values():
            self.ranger.range(payoff.value, self.base)
        for measure in [*rules.measures.values(), *(claim.question for claim in rules.claims)]:
            self.check_measure(measure)
        self.check_policies()

    # --- phases

    def check_phase(self, phase: Phase) -> None:
        """Check a phase and all its entries. Warn about entries that can never apply."""
        bounds = self.bounds_after_rolls(phase)
        if phase.kind == "together":
            self.ranger.range(phase.choosing_seats, bounds)
            items = self.ranger.iterable_range(phase.items, bounds)
            bounds = bounds.with_local(phase.choice_name, Interval(items.low, items.high, *items.inner))
        elif phase.seen_by is not None:
            self.ranger.range(phase.seen_by, bounds)
        taken = False
        for number, entry in enumerate(phase.entries):
            inside = self.bounds_inside_loops(entry.loops, bounds)
            if inside is None:
                continue
            test = self.ranger.range(entry.when, inside)
            if test == NEVER:
                self.warn_never_applies(phase, entry, inside)
                continue
            rest = phase.entries[number + 1 :]
            if test == ALWAYS and rest and not taken and phase.kind != "choose":
                taken = True
                self.warn_always_applies(phase, entry, rest)
            within = self.ranger.narrow(entry.when, True, inside)
            self.check_transition(entry.then, self.check_effects(entry.do, within))

    def warn_never_applies(self, phase: Phase, entry: Entry, bounds: Bounds) -> None:
        """Warn about the `when` of an entry that can never hold."""
        where, words = location_of_when(entry), entry_in_words(phase, entry)
        for node in entry.when.walk():
            hands = [arg.type.kind for arg in node.args]
            own = node.span.text is entry.when.span.text  # definitions may serve hands of other sizes too
            if node.op == "==" and "hand" in hands and own and self.ranger.range(node, bounds) == NEVER:
                sizes = " and ".join(
                    f"`{arg.span.covered_text}` {self.hand_size_in_words(arg, bounds)}" for arg in node.args
                )
                message = f"`{node.span.covered_text}` can never hold: {sizes}"
                hint = "== compares all dice; to ask for a part of them use count(hand, face) or `face in hand`"
                self.report_warning("OD610", node.span.location, message, hint)
                return
        self.report_warning(
            "OD605",
            where,
            f"{words} never applies: its `when` can never hold",
            "remove it, or mend its `when`",
        )

    def hand_size_in_words(self, tree: Expr, bounds: Bounds) -> str:
        found = self.ranger.range(tree, bounds)
        size = f"{found.least}" if found.least == found.most else f"{found.least} to {found.most}"
        return f"has {size} {'dice' if tree.type.kind == 'hand' else 'faces'}"

    def warn_always_applies(self, phase: Phase, entry: Entry, later_entries: Sequence[Entry]) -> None:
        """Warn about an entry whose `when` always holds although it is not the last. ``later_entries``: the entries
        after it, which never apply.
        """
        idle = " and ".join(entry_in_words(phase, later) for later in later_entries)
        where = location_of_when(entry)
        why = "has no `when`" if where == entry.location else "always applies"
        verb = "applies" if len(later_entries) == 1 else "apply"
        message = f"{entry_in_words(phase, entry)} {why}, so {idle} never {verb}"
        self.report_warning("OD604", where, message, "the first entry that matches applies: put this one last")

    def check_transition(self, entry_ending: EntryEnding, bounds: Bounds) -> None:
        """Check the expressions that a transition to the next phase or turn reads."""
        for tree in entry_ending.expressions_read:
            self.ranger.range(tree, bounds)

    def bounds_inside_loops(self, loops: Sequence[tuple[str, Expr]], bounds: Bounds) -> Bounds | None:
        """Return the bounds inside loops; None if a list never has items, so the loops do nothing.

        Reports OD415 if nested loops have too many combinations.
        """
        ways: Bound = 1
        for name, items in loops:
            items_range = self.ranger.iterable_range(items, bounds)
            if items_range.most == 0:
                return None
            ways *= items_range.most
            bounds = bounds.with_local(name, Interval(items_range.low, items_range.high, *items_range.inner))
        if len(loops) > 1 and limits().items < ways < inf:
            names = ", ".join(name for name, _ in loops)
            message = f"the names {names} can have {ways:,} combinations, over {limits().items:,}"
            self.report_warning(
                "OD415", loops[0][1].span.location, message, f"let the lists be shorter, {hint_to_raise_limit('items')}"
            )
        return bounds

    # --- chance

    def bounds_after_rolls(self, phase: Phase) -> Bounds:
        """Return the bounds after the rolls and draws of a phase. They include that at least the player to move is
        still in the game.
        """
        bounds = replace(self.base, least_in=1)
        for throw in phase.rolls_and_draws:
            if throw.kind == "draw":
                items = [item for item in self.base.members[throw.bag][0] if isinstance(item, int)]
                shows = Interval(min(items), max(items)) if items else UNKNOWN
            else:
                shows = self.range_of_roll(throw, bounds)
            if throw.is_kept and throw.kind != "draw":
                hand = Expr("state", HAND, (), throw.name)
                bounds = replace(bounds, narrowed={**bounds.narrowed, hand: shows})
            elif not throw.is_kept:
                bounds = bounds.with_local(throw.name, shows)
        return bounds

    def range_of_roll(self, throw: RollOrDraw, bounds: Bounds) -> Interval:
        """Check the dice of a roll. Return its range: the least and greatest face, and the least and greatest number
        of dice.
        """
        own = self.game.cells[self.game.layout[throw.name].first].dice if throw.is_kept else ()
        if throw.kind == "rest":
            whole = self.base.variables[throw.name]
            return replace(whole, least=whole.most)
        counts = [self.ranger.range(term.count, bounds) for term in throw.dice]
        for term, count in zip(throw.dice, counts, strict=True):
            self.check_number_of_dice(throw, term, count, {die.name: held for die, held in own})
        dice = [self.game.dice[term.die] for term in throw.dice]
        for tell, ends in (
            (self.report_error, [count.low for count in counts]),
            (self.report_warning, [count.high for count in counts]),
        ):
            try:
                check_roll_size([(int(min(max(end, 0), MAX_DICE)), die) for end, die in zip(ends, dice, strict=True)])
            except RuleFailure as failure:
                tell(failure.code, throw.location, failure.message, failure.hint)
                break
        faces_seen = [face for term in throw.dice for face in self.game.dice[term.die].faces] or [0]
        least, most = sum(max(0, count.low) for count in counts), sum(max(0, count.high) for count in counts)
        return Interval(min(faces_seen), max(faces_seen), least, most)

    def check_number_of_dice(
        self, throw: RollOrDraw, term: DiceTerm, count_range: Interval, capacity_by_die: dict[str, int]
    ) -> None:
        """Check the number of dice of one term of a roll. ``count_range``: the range of this number.
        ``capacity_by_die``: the number of dice that the variable of a kept roll can hold, by die.
        """
        words, where = term.count.span.covered_text, term.count.span.location
        if count_range.low < 0:  # play tests what the ranges leave open
            tell, may = (self.report_error, "is always") if count_range.high < 0 else (self.report_warning, "may be")
            hint = f"write max(0, {words}) of {term.die}"
            tell("OD416", where, f"`{words} of {term.die}` {may} a negative number of dice", hint)
        if count_range.high > MAX_DICE:
            tell, may = (
                (self.report_error, "is always") if count_range.low > MAX_DICE else (self.report_warning, "may be")
            )
            tell("OD417", where, f"`{words} of {term.die}` {may} over {MAX_DICE:,} dice", "bound it with min(...)")
        if throw.is_kept and term.die not in capacity_by_die:
            message = f"{throw.name} has no {term.die} among its dice ({', '.join(capacity_by_die) or 'none'})"
            self.report_error("OD419", throw.location, message, f"add {term.die} to `dice:` of {throw.name}")
        elif throw.is_kept and count_range.low > capacity_by_die[term.die]:
            message = f"{throw.name} holds {capacity_by_die[term.die]} of {term.die}, and this rolls {count_range.low}"
            self.report_error("OD419", throw.location, message, f"raise the number under `dice:` of {throw.name}")

    # --- effects

    def check_effects(self, effects: Sequence[Effect], bounds: Bounds) -> Bounds:
        """Check effects in order. Return the bounds after them."""
        for effect in effects:
            bounds = self.check_effect(effect, bounds)
        return bounds

    def check_effect(self, effect: Effect, bounds: Bounds) -> Bounds:
        """Check an effect. Return the bounds after it."""
        self.met.append((effect, bounds))
        for place in effect.variables_written:
            self.check_variable_indices(place, bounds)
        match effect:
            case Move():
                self.check_move(effect, bounds)
            case Set():
                self.check_set(effect, bounds)
            case Add():
                self.ranger.range(effect.amount, bounds)
            case Let():
                amount = self.ranger.range(effect.amount, bounds)
                lets = {**bounds.lets, effect.name: effect.amount}
                return replace(bounds.with_local(effect.name, amount), lets=lets)
            case If():
                self.check_if(effect, bounds)
            case ForSeats() | ForItems():
                self.check_loop(effect, bounds)
            case Reveal():
                for tree in effect.expressions_read:
                    self.ranger.range(tree, bounds)
            case Drop():
                pass
            case _:
                assert_never(effect)
        return _bounds_after(effect, bounds)

    def check_move(self, move: Move, bounds: Bounds) -> None:
        """Check that the source of a `move` cannot be negative, and that it cannot move a negative amount."""
        if move.source and self.base.variables[move.source.name].low < 0:
            message = f"{move.source.name} can be below 0, and less than nothing cannot be moved"
            self.report_error("OD414", move.source.location, message, "use add, or give it min: 0")
        if move.amount is None:
            return
        amount, words = self.ranger.range(move.amount, bounds), move.amount.span.covered_text
        if amount.low < 0:  # play tests what the ranges leave open
            tell = self.report_error if amount.high < 0 else self.report_warning
            hint = f"move max(0, {words}), or test first that it is not negative"
            may = "is always" if amount.high < 0 else "may be"
            tell("OD414", move.amount.span.location, f"the amount `{words}` that is moved {may} negative", hint)

    def check_set(self, effect: Set, bounds: Bounds) -> None:
        """Check that the value of a `set` can be in the range of its variable."""
        tree, name = effect.amount, effect.target.name
        amount, target = self.ranger.range(tree, bounds), self.base.variables[name]
        if tree.type.kind == "number" and (amount.low > target.high or amount.high < target.low):
            message = (
                f"`{tree.span.covered_text}` never fits {name}, which is {_violated_bound_in_words(amount, target)}"
            )
            self.report_error("OD420", tree.span.location, message, f"change the value, or min and max of {name}")

    def check_variable_indices(self, variable_ref: VariableRef, bounds: Bounds) -> None:
        """Check that the indices of a variable are in their ranges."""
        variable = self.game.ruleset.state[variable_ref.name]
        tree = Expr("state", HAND, variable_ref.indices, variable_ref.name)
        if len(variable_ref.indices) == len(variable.index_lists):
            self.ranger.range(tree, bounds)

    def check_if(self, effect: If, bounds: Bounds) -> None:
        test = self.ranger.range(effect.test, bounds)
        if test != NEVER:
            self.check_effects(effect.do, self.ranger.narrow(effect.test, True, bounds))
        if test != ALWAYS:
            self.check_effects(effect.else_do, self.ranger.narrow(effect.test, False, bounds))

    def check_loop(self, effect: ForSeats | ForItems, bounds: Bounds) -> None:
        after = _bounds_after(effect, bounds)  # the second round sees what the first did
        inside = (
            self.bounds_inside_loops(effect.loops, after)
            if isinstance(effect, ForItems)
            else self.bounds_inside_seat_loop(effect, bounds)
        )
        if inside is not None:
            self.check_effects(effect.do, inside)

    def bounds_inside_seat_loop(self, effect: ForSeats, bounds: Bounds) -> Bounds | None:
        """Return the bounds inside a loop over seats; None if the list of seats is always empty."""
        group = self.ranger.range(effect.group, bounds)
        if effect.group.type.kind == "list" and group.most == 0:
            return None
        inside = _bounds_after(effect, bounds).without_trees_containing(
            lambda node: node.op in ("seat", "everyone", "others", "table")
        )
        still_in = effect.group.op in ("everyone", "others") and not _may_drop_seat(effect)
        return replace(inside, least_in=1) if still_in else inside

    # --- questions

    def bounds_inside_entry(self, phase_and_entry: tuple[str, str]) -> Bounds | None:
        """Return the bounds inside an entry, including the names of its loops; None if the entry can never apply.
        ``phase_and_entry``: the names of the phase and the entry.
        """
        phase = self.game.ruleset.phases[phase_and_entry[0]]
        entry = next(entry for entry in phase.entries if entry.name == phase_and_entry[1])
        inside = self.bounds_inside_loops(entry.loops, self.bounds_after_rolls(phase))
        if inside is None or self.ranger.range(entry.when, inside) == NEVER:
            return None
        return self.ranger.narrow(entry.when, True, inside)

    def check_measure(self, measure: Measure) -> None:
        bounds = self.bounds_inside_entry(measure.at_entry) if measure.at_entry else self.base
        if measure.value is not None and bounds is not None:
            self.ranger.range(measure.value, bounds)
        for name, tree in measure.start_values.items():
            value, fits = self.ranger.range(tree, self.base), self.base.variables[name]
            if tree.type.kind == "number" and (value.low > fits.high or value.high < fits.low):
                message = f"{name} cannot be `{tree.span.covered_text}`: it is {_violated_bound_in_words(value, fits)}"
                self.report_error("OD420", tree.span.location, message, "ask about a value that it can have")

    def check_policies(self) -> None:
        for policy in self.game.ruleset.policies.values():
            for phase, choices in policy.items():
                for choice in choices:
                    inside = self.bounds_inside_entry((phase, choice.option))
                    if inside is None or self.ranger.range(choice.when, inside) == NEVER:
                        continue
                    if choice.prefer is not None:
                        self.ranger.range(choice.prefer, self.ranger.narrow(choice.when, True, inside))


def refuse_expressions_out_of_range(game: Game) -> None:
    """Raise RulesetError if the ranges prove an error in an expression of a game."""
    checker = RangeChecker(game)
    checker.check_all_rules()
    problems = [problem for problem in checker.problems if problem.severity == "error"]
    if problems:
        raise RulesetError(problems, game.ruleset.source)


def effects_with_bounds(game: Game) -> list[tuple[Effect, Bounds]]:
    """Return the effects of all phases that can happen, each with the bounds before it."""
    checker = RangeChecker(game)
    for phase in game.ruleset.phases.values():
        checker.check_phase(phase)
    return checker.met


def _violated_bound_in_words(value_range: Interval, allowed_range: Interval) -> str:
    """Return in words the bound that an amount outside a range violates, such as ``at most 5``."""
    return f"at most {allowed_range.high}" if value_range.low > allowed_range.high else f"at least {allowed_range.low}"


def _bounds_after(effect: Effect, bounds: Bounds) -> Bounds:
    """Return the bounds after an effect, without the bounds of expressions that the effect, or an effect inside it, may
    change.
    """
    written = {place.name for one in effects_in_preorder([effect]) for place in one.variables_written}
    gone = {"everyone", "others", "next", "previous"} if _may_drop_seat(effect) else set()
    bounds = replace(bounds, least_in=0) if gone else bounds
    return bounds.without_trees_containing(
        lambda node: (node.op == "state" and node.value in written) or node.op in gone
    )


def _may_drop_seat(effect: Effect) -> bool:
    """Return whether an effect, or an effect inside it, can eliminate a seat."""
    return any(isinstance(one, Drop) for one in effects_in_preorder([effect]))
