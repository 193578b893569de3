"""Finds options that are never best, and choices that hardly matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Mask, reduceat
from oddsmith.base.exact import Number, plural
from oddsmith.graph import concatenated_ranges, unique
from oddsmith.report.lint.finding import (
    Finding,
    LintLimits,
    number_with_grade_words,
    percent_words,
    phase_location,
    position_count_words,
    warning_at,
)
from oddsmith.report.lint.plays import ShortestPlays
from oddsmith.report.policy.decisions import decisions_by_phase
from oddsmith.report.policy.outline import unused_options
from oddsmith.ruleset.model import Entry, Phase
from oddsmith.solve import Solution

MAX_EXACT_TIES = 200  # actions that lose as little as any, whose losses are worked out as fractions


def value_range(solution: Solution) -> Number:
    """Return the difference between the greatest and the least value of a position to any seat. Payoffs at the end
    count as values.
    """
    arena = solution.solved.arena
    ending = arena.target < 0
    paid = [Fraction(units, arena.scale) for kind in unique(arena.payoff[ending]) for units in arena.payoffs[kind]]
    if not any(any(arena.payoffs[kind]) for kind in unique(arena.payoff[~ending])):
        return Number.of(max(paid) - min(paid))  # all is paid at the end, and values are means of it
    least, most = solution.solved.bounds.least_and_greatest_value()
    low = Number(min(least.lower, *paid), min(least.upper, *paid))
    high = Number(max(most.lower, *paid), max(most.upper, *paid))
    return high - low


@dataclass(frozen=True, eq=False)
class ActionLosses:
    """The losses of actions: how much worse each is for the mover than the best action. ``rows``: the actions, as rows
    of the arena.
    """

    solution: Solution
    rows: Ints

    @staticmethod
    def of(solution: Solution) -> ActionLosses:
        """Return the losses of all actions in positions with a choice."""
        arena = solution.solved.arena
        states = np.flatnonzero(np.diff(arena.state_rows) > 1)
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        return ActionLosses(solution, concatenated_ranges(arena.state_rows[states], counts))

    @cached_property
    def graph_states(self) -> Ints:
        """The state of the graph that each of the rows belongs to."""
        arena = self.solution.solved.arena
        return np.asarray(arena.row_state[self.rows] // arena.copies_per_state)

    @cached_property
    def graph_rows(self) -> Ints:
        """Each of the rows as a row of the graph."""
        arena = self.solution.solved.arena
        first = self.solution.graph.state_rows[self.graph_states]
        return np.asarray(first + self.rows - arena.state_rows[arena.row_state[self.rows]])

    def mask_of_rows(self, phase: Phase, entry: Entry | None = None) -> Mask:
        """Return the mask of the rows that belong to a phase, or only to its option ``entry``."""
        graph = self.solution.graph
        wanted = [
            name == phase.name and (entry is None or phase.entries[number] is entry)
            for name, number, _ in graph.actions
        ]
        return np.append(wanted, False)[graph.row_action[self.graph_rows]]

    @cached_property
    def loss_bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The lower bounds and the upper bounds of all losses, in units of the proven bounds."""
        arena, proven = self.solution.solved.arena, self.solution.solved.bounds
        owner = arena.row_state[self.rows]
        movers, (states, place) = arena.mover[owner], np.unique(owner, return_inverse=True)
        worth = (
            np.array(list(proven.row_intervals(self.rows, movers)), dtype=object).reshape(-1, 2) * arena.objective_sign
        )
        best = list(proven.row_intervals(self.solution.solved.rows[states], arena.mover[states]))
        chosen = (np.array(best, dtype=object).reshape(-1, 2) * arena.objective_sign)[place.reshape(-1)]
        low, high = (chosen.min(axis=1) - worth.max(axis=1), chosen.max(axis=1) - worth.min(axis=1))
        tied = ~self.solution.proven_worse_mask(self.rows)  # the solver compared all that bounds do not tell apart
        return np.where(tied, 0, np.maximum(low, 0)), np.where(tied, 0, high)

    def _number_from_units(self, low: int, high: int) -> Number:
        return Number(low * self.solution.solved.bounds.unit, high * self.solution.solved.bounds.unit)

    def least_loss(self, mask: Mask) -> Number:
        """Return the least loss among the rows in ``mask``, as a fraction if it is known, else as bounds."""
        low, high = self.loss_bounds
        bound = high[mask].min()
        found = self._exact_losses(np.flatnonzero(mask & (low <= bound)))
        return Number.of(min(found)) if found else self._number_from_units(low[mask].min(), bound)

    def greatest_loss(self, mask: Mask) -> Number:
        """Return the greatest loss among the rows in ``mask``, as a fraction if it is known, else as bounds."""
        low, high = self.loss_bounds
        bound = low[mask].max()
        found = self._exact_losses(np.flatnonzero(mask & (high >= bound)))
        return Number.of(max(found)) if found else self._number_from_units(bound, high[mask].max())

    def _exact_losses(self, row_indices: Ints) -> list[Fraction]:
        """Return the losses of some rows as fractions. Return an empty list if there are too many rows, or if a loss is
        not known as a fraction. ``row_indices``: the indices of the rows.
        """
        arena, found = self.solution.solved.arena, list[Fraction]()
        for place in row_indices.tolist() if len(row_indices) <= MAX_EXACT_TIES else ():
            mover = int(arena.mover[arena.row_state[self.rows[place]]])
            advice = self.solution.advise(int(self.graph_states[place]), mover)
            loss = next(each.loss.exact for each in advice if each.row == self.graph_rows[place])
            if loss is None:
                return []
            found.append(loss)
        return found

    def index_of_greatest_loss(self, mask: Mask) -> int:
        """Return the index of the row in ``mask`` whose loss has the greatest upper bound. Among equal ones, it is the
        row nearest to the start.
        """
        return int(np.flatnonzero(mask)[np.argmax(self.loss_bounds[1][mask])])


def find_never_best_options(solution: Solution, losses: ActionLosses) -> Iterator[Finding]:
    """Report OD701 and OD702: options that are best in no position, or only in positions that best play never reaches."""
    plays, phases = ShortestPlays(solution.graph), solution.graph.game.ruleset.phases
    for each in decisions_by_phase(solution):
        phase = phases[each.phase]
        for option in unused_options(solution, each):
            entry = next(entry for entry in phase.entries if entry.name == option.option)
            mine = losses.mask_of_rows(phase, entry)
            chosen = (
                np.flatnonzero(mine & ~solution.proven_worse_mask(losses.rows))
                if option.is_best_elsewhere
                else np.flatnonzero(mine)
            )
            only = _states_with_single_option(solution, phase, entry)
            without = _omission_hint(len(only))
            if option.is_best_elsewhere:
                count = len({*losses.graph_states[mine].tolist(), *only})
                best = len({*losses.graph_states[chosen].tolist(), *only})
                message = f"{option.words}: in {best:,} of {plural(count, 'position')}"
                code, hint = "OD702", f"make it cheaper or better{without}"
            else:
                least, only = number_with_grade_words(losses.least_loss(mine)), {}
                where = position_count_words(len(np.unique(losses.graph_states[mine])))
                message = (
                    f"{option.words}: {'where there is a choice, ' * option.is_forced}it loses at least {least} {where}"
                )
                price = "its price is wrong" if option.is_forced else "its price is wrong, or nobody needs it"
                code, hint = "OD701", f"{price}: make it cheaper or better{without}"
            chosen = chosen[::-1]  # of the rows of a state the first is shown
            shown = {
                **only,
                **dict(zip(losses.graph_states[chosen].tolist(), losses.graph_rows[chosen].tolist(), strict=True)),
            }
            nearest = min(shown)
            yield warning_at(code, entry.location, message, hint, plays.play_to_choice(nearest, shown[nearest]))


def _states_with_single_option(solution: Solution, phase: Phase, entry: Entry) -> dict[int, int]:
    """Return the states of the graph in which the option ``entry`` is the only one, each with its first row."""
    graph = solution.graph
    mine = [name == phase.name and phase.entries[number] is entry for name, number, _ in graph.actions]
    first = graph.state_rows[:-1]
    states = np.flatnonzero(reduceat(np.logical_and, np.append(mine, False)[graph.row_action], first))
    return dict(zip(states.tolist(), first[states].tolist(), strict=True))


def _omission_hint(forced_position_count: int) -> str:
    """Return the end of a hint, which says whether an option can be left out of the game. ``forced_position_count``:
    the number of positions in which it is the only option. Without it, play could not go on there.
    """
    if not forced_position_count:
        return ", or leave it out"
    where = "one of these positions" if forced_position_count == 1 else f"{forced_position_count:,} of these positions"
    return f"; the game needs it, because there is no other option in {where}"


def find_choices_without_stakes(solution: Solution, losses: ActionLosses, limits: LintLimits) -> Iterator[Finding]:
    """Report OD741: choices in which the worst mistake costs hardly anything."""
    at_stake, plays = value_range(solution), ShortestPlays(solution.graph)
    for phase in solution.graph.game.ruleset.phases.values():
        mine = losses.mask_of_rows(phase) if phase.kind == "choose" else np.array([False])
        if not mine.any():
            continue
        most = losses.greatest_loss(mine)
        if most.upper >= limits.loss * at_stake.lower:
            continue
        worst = losses.index_of_greatest_loss(mine)
        where = position_count_words(len(np.unique(losses.graph_states[mine])))
        costs = f"costs at most {number_with_grade_words(most)}" if most.upper > 0 else "costs nothing"
        message = (
            f"the choice in {phase.name} hardly matters: the worst mistake {costs} {where}, "
            f"less than {percent_words(limits.loss)} of what is at stake ({number_with_grade_words(at_stake)})"
        )
        hint = "let the options differ in what they risk or bring, or leave the choice out"
        play = plays.play_to_choice(int(losses.graph_states[worst]), int(losses.graph_rows[worst]))
        yield warning_at("OD741", phase_location(solution.graph.game, phase.name), message, hint, play)
