"""Live variables: cells that nothing reads again before they are set are left out of keys.

This is the analysis of live variables that compilers do (Aho, Lam, Sethi, Ullman, Compilers, section 9.2.5). Let L be
the set of variables live after a step, G those that the step reads, and K those that it surely sets. Then G + (L - K)
is live before the step. What is live at the beginning of a phase depends on the phases that follow, in circles.
Starting from nothing, the sets only grow until they no longer change, and that is the least solution. It errs only on
the safe side: K holds only what is surely set (a plain `set` of a variable with one cell, a roll that replaces a hand,
the resets at the end of a turn), and G everything that might be read. Adding to a variable or moving from it reads it,
because its bounds are rules too. Entries that the parameters rule out read nothing. The body of a loop runs any number
of times. So a variable is live before a loop if it is in L, or if it is live before a round of the body that another
round may follow. A second pass over the body finds this.

Why a cell that is not live may be forgotten: take two positions that differ only in this cell. Every test, every amount
and every payoff is the same in both until the cell is set, and from then on the positions are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from oddsmith.expr import variables_in
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import (
    Add,
    Draw,
    Drop,
    Effect,
    Entry,
    ForItems,
    ForSeats,
    If,
    Let,
    Move,
    Phase,
    Reveal,
    Roll,
    Set,
    SimultaneousPhase,
    ToPhase,
)

Names = frozenset[str]


def forgotten_cells(game: Game, objective: str) -> dict[str, frozenset[int]]:
    """Return for each phase the cells that nothing reads, from the beginning of the phase on, before they are set.

    The cell that holds the seat of the first side is never among them, because it tells people which side is to move.
    """
    live, first_side = _Liveness(game, objective).live, frozenset(game.ruleset.sides[:1])
    return {
        phase: frozenset(
            where
            for name in game.ruleset.state
            if name not in names | first_side
            for where in game.cell_indices_of(name)
        )
        for phase, names in live.items()
    }


def variables_in_policies(game: Game, phase: str | None = None) -> Names:
    """Return the variables that the named policies read in one phase, or in all phases if none is given."""
    policies = game.ruleset.policies.values()
    lines = [line for policy in policies for name in policy for line in policy[name] if phase in (None, name)]
    return variables_in(*(tree for line in lines for tree in (line.when, line.prefer)))


class _Liveness:
    """Finds the live variables.

    ``live``: for each phase, the variables that may be read from its beginning on. ``over``: those that may be read at
    the end of a step. ``resets``: those that are reset at the end of a turn.
    """

    def __init__(self, game: Game, objective: str) -> None:
        self.game, self.rules = game, game.ruleset
        self.resets = frozenset(name for name, variable in self.rules.state.items() if variable.resets_each_turn)
        payoff = variables_in(self.rules.payoffs[objective].value)
        self.over = variables_in(self.rules.out_when, self.rules.end_when) | self.live_before_effects(
            self.rules.at_end, payoff
        )
        self.live: dict[str, Names] = dict.fromkeys(self.rules.phases, frozenset())
        while True:
            more = {name: self.live_in_phase(phase) for name, phase in self.rules.phases.items()}
            if more == self.live:
                return
            self.live = more

    def live_in_phase(self, phase: Phase) -> Names:
        """Return the variables that may be read from the beginning of a phase on."""
        alive = variables_in_policies(self.game, phase.name).union(
            *(self.live_before_entry(entry) for entry in self.possible_entries(phase))
        )
        for throw in reversed(phase.rolls_and_draws):
            if throw.is_kept and isinstance(throw, Roll):
                alive -= {throw.name}
            elif throw.is_kept:
                alive |= {throw.name}
            alive |= variables_in(*(term.count for term in throw.dice)) | (
                {throw.bag} if isinstance(throw, Draw) else set()
            )
        asked = (phase.items, phase.choosing_seats) if isinstance(phase, SimultaneousPhase) else (phase.seen_by,)
        return alive | variables_in(*asked)

    def possible_entries(self, phase: Phase) -> Iterator[Entry]:
        """Yield the entries of a phase that can be taken with the game's parameters."""
        for entry in phase.entries:
            test = self.game.constant_truth(entry.when)
            if test is not False:
                yield entry
            if test and phase.kind != "choose":
                return

    def live_before_entry(self, entry: Entry) -> Names:
        """Return the variables that one entry, and all that follows it, may read."""
        after = self.over
        if not isinstance(entry.then, ToPhase) or (self.game.has_elimination and self.game.seats > 1):
            after |= (
                self.live[self.rules.first_phase_of_turn] - self.resets
            )  # whose seat is out passes, whatever `then` says
        if isinstance(entry.then, ToPhase):
            after |= self.live[entry.then.phase]
        return variables_in(*entry.expressions_read) | self.live_before_effects(
            entry.do, after | variables_in(*entry.then.expressions_read)
        )

    def live_before_effects(self, effects: Sequence[Effect], live_after: Names) -> Names:
        """Return the variables that may be read from the first of some effects on.

        ``live_after``: those that may be read after the last.
        """
        for effect in reversed(effects):
            live_after = self.live_before_effect(effect, live_after)
        return live_after

    def live_before_effect(self, effect: Effect, live_after: Names) -> Names:
        """Return the variables that may be read from one effect on. ``live_after``: those that may be read after it."""
        read = variables_in(*effect.expressions_read)
        match effect:
            case Set():
                name = effect.target.name
                return (live_after - {name} if len(self.game.cell_indices_of(name)) == 1 else live_after) | read
            case If():
                test = self.game.constant_truth(effect.test)
                if test is not None:
                    return self.live_before_effects(effect.do if test else effect.else_do, live_after)
                return (
                    read
                    | self.live_before_effects(effect.do, live_after)
                    | self.live_before_effects(effect.else_do, live_after)
                )
            case ForSeats() | ForItems():
                return (
                    read
                    | live_after
                    | self.live_before_effects(effect.do, live_after | self.live_before_effects(effect.do, live_after))
                )
            case Move() | Add() | Let() | Drop() | Reveal():
                return read | live_after | {place.name for place in effect.variables_updated}
            case _:
                assert_never(effect)
