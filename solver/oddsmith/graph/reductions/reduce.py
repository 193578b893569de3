"""The search for what the keys of a game can leave out. It is the entry point of this folder.

Each step needs the steps before it. Carried cells come first, because a tally that is not carried has no bounds and is
refused. Cells that nothing reads again before they are set come next. Only then is it known which conserved sums have
all their cells in every key. One cell of each such sum follows from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oddsmith.graph.columns.reduction import Reduction
from oddsmith.graph.columns.symbolic import SymbolicRules
from oddsmith.graph.reductions.carry import (
    ConservedGroups,
    carried_unit_payoffs,
    cells_implied_by_sums,
    refuse_uncarried_tallies,
)
from oddsmith.graph.reductions.liveness import forgotten_cells
from oddsmith.graph.reductions.symmetry import Orbits, find_orbits
from oddsmith.ruleset import Game


@dataclass(frozen=True, slots=True)
class ReductionOptions:
    """Options that say which positions may share a state.

    ``carry``: positions that differ only in carried cells. ``forget``: positions that differ only in cells that nothing
    reads again before they are set. ``symmetry``: positions that differ only in the order of members that the rules do
    not distinguish. ``at_end``: whether the objective is paid only at the end, so that the variables that it reads are
    not carried. ``finer_than``: another reduction of the same game; only positions that share a state under it may
    share one here.
    """

    carry: bool = True
    forget: bool = True
    symmetry: bool = True
    at_end: bool = False
    finer_than: Reduction | None = None


def find_reduction(game: Game, objective: str, phases: Sequence[str], options: ReductionOptions) -> Reduction:
    """Return the reduction of a game under an objective.

    ``phases``: the phases whose positions become states. ``options``: the options.

    Raises RulesetError if a tally would have to be part of the state.
    """
    conserved, finer_than = ConservedGroups.of(game), options.finer_than
    worth = carried_unit_payoffs(game, objective, conserved, options.at_end, finer_than) if options.carry else {}
    refuse_uncarried_tallies(game, objective, frozenset(worth))
    dead = {
        phase: cells for phase, cells in forgotten_cells(game, objective).items() if options.forget and phase in phases
    }
    orbits = find_orbits(game, objective, SymbolicRules(game, conserved.safe)) if options.symmetry else ()
    if finer_than is not None:
        dead = {phase: cells & finer_than.left_out_cells(phase) for phase, cells in dead.items()}
        orbits = _orbits_within(orbits, finer_than.orbits)
    given = cells_implied_by_sums(game, conserved, frozenset(worth).union(*dead.values()))
    return Reduction(worth, given, dead, orbits, conserved.safe)


def _orbits_within(orbits: Orbits, larger_orbits: Orbits) -> Orbits:
    """Return those of the orbits that are subsets of some orbit of ``larger_orbits``."""
    return tuple(orbit for orbit in orbits if any(set(orbit) <= set(other) for other in larger_orbits))
