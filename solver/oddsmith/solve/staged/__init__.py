"""Solving games that are larger than memory by stages. Play never returns to a stage that it has left.

``find`` finds the stages in the rules, and ``forward`` explores their states. In many games a turn is the same on every
sheet; the sheet is the part of the state that stays fixed during a turn. ``turn`` explores such a turn.
``by_component`` and ``by_turn`` solve the stages backward, ``store`` keeps the solved stages, and ``staged`` combines
these steps. ``along`` follows the policy; ``measure`` and ``distribution`` answer questions about it.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.solve.staged.by_turn import LayerSolver
    from oddsmith.solve.staged.distribution import best_play
    from oddsmith.solve.staged.find import find_stages
    from oddsmith.solve.staged.forward import explore_stages
    from oddsmith.solve.staged.measure import answer_ruleset_questions
    from oddsmith.solve.staged.staged import (
        DIGITS,
        Effort,
        Staged,
        effort_by_stages,
        load_by_stages,
        solve_by_stages,
        solve_by_turns,
    )
    from oddsmith.solve.staged.store import BlobStore, Bytes, Neighbourhood

__all__ = [
    "DIGITS",
    "BlobStore",
    "Bytes",
    "Effort",
    "LayerSolver",
    "Neighbourhood",
    "Staged",
    "answer_ruleset_questions",
    "best_play",
    "effort_by_stages",
    "explore_stages",
    "find_stages",
    "load_by_stages",
    "solve_by_stages",
    "solve_by_turns",
]

_HOMES = {
    "by_turn": ("LayerSolver",),
    "distribution": ("best_play",),
    "find": ("find_stages",),
    "forward": ("explore_stages",),
    "measure": ("answer_ruleset_questions",),
    "staged": (
        "DIGITS",
        "Effort",
        "Staged",
        "effort_by_stages",
        "solve_by_stages",
        "solve_by_turns",
        "load_by_stages",
    ),
    "store": (
        "BlobStore",
        "Bytes",
        "Neighbourhood",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
