"""Games larger than memory, solved by stages that play runs through and never comes back to.

``find`` finds the stages in the rules, ``forward`` explores their states, and ``turn`` explores a turn that is the same
on every sheet. ``by_component`` and ``by_turn`` solve them backward, ``store`` keeps what is solved, and ``staged``
puts it all together. ``along`` follows the policy; ``measure`` and ``distribution`` answer questions about it.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later

if TYPE_CHECKING:
    from oddsmith.solve.staged.by_turn import ByTurn
    from oddsmith.solve.staged.distribution import best_play
    from oddsmith.solve.staged.find import find_stages
    from oddsmith.solve.staged.forward import explore_stages
    from oddsmith.solve.staged.measure import measures
    from oddsmith.solve.staged.staged import (
        DIGITS,
        Effort,
        Staged,
        effort_by_stages,
        solve_by_stages,
        solve_by_turns,
        stored_by_stages,
    )
    from oddsmith.solve.staged.store import BlobStore, Bytes, Neighbourhood

__all__ = [
    "DIGITS",
    "BlobStore",
    "ByTurn",
    "Bytes",
    "Effort",
    "Neighbourhood",
    "Staged",
    "best_play",
    "effort_by_stages",
    "explore_stages",
    "find_stages",
    "measures",
    "solve_by_stages",
    "solve_by_turns",
    "stored_by_stages",
]

_HOMES = {
    "by_turn": ("ByTurn",),
    "distribution": ("best_play",),
    "find": ("find_stages",),
    "forward": ("explore_stages",),
    "measure": ("measures",),
    "staged": (
        "DIGITS",
        "Effort",
        "Staged",
        "effort_by_stages",
        "solve_by_stages",
        "solve_by_turns",
        "stored_by_stages",
    ),
    "store": (
        "BlobStore",
        "Bytes",
        "Neighbourhood",
    ),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
