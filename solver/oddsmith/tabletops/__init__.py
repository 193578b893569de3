"""Modules for virtual tabletops, from solved games, as paths and bytes.

``extension`` makes a folder for Owlbear Rodeo, ``mod`` a script for Roll20. ``foundry`` makes modules for Foundry VTT,
and ``shared`` has what all of them use.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later
from oddsmith.tabletops.shared import refuse_twice

if TYPE_CHECKING:
    from oddsmith.tabletops.owlbear import extension
    from oddsmith.tabletops.roll20 import check_user, mod

__all__ = ["check_user", "extension", "mod", "refuse_twice"]

_HOMES = {
    "owlbear": ("extension",),
    "roll20": (
        "check_user",
        "mod",
    ),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
