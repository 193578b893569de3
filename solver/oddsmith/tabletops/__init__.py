"""Modules for virtual tabletops, from solved games, as paths and bytes.

``extension`` makes a folder for Owlbear Rodeo, ``mod`` a script for Roll20. ``foundry`` makes modules for Foundry
VTT, ``common`` has what all of them share.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later

if TYPE_CHECKING:
    from oddsmith.tabletops.owlbear import extension
    from oddsmith.tabletops.roll20 import check_user, mod

__all__ = ["check_user", "extension", "mod"]

__getattr__ = later(__name__, {"extension": "owlbear", "check_user": "roll20", "mod": "roll20"})
