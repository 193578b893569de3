"""Proofs that certain positions may share one state.

``find_reduction`` in ``reduce`` is the entry point. ``carry`` finds cells that are payoff and not state, and cells that
follow from a sum. ``liveness`` finds cells that nothing reads again before they are set. ``symmetry`` finds members of
a family that the rules do not distinguish. ``docs/how-it-is-proved.md`` has the proofs.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.graph.reductions.reduce import ReductionOptions

if TYPE_CHECKING:
    from oddsmith.graph.reductions.carry import conserved_sums

__all__ = ["ReductionOptions", "conserved_sums"]

_HOMES = {
    "carry": ("conserved_sums",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
