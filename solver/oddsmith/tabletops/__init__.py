"""Modules for virtual tabletops, made from solved games, as bytes by path.

``build_extension`` makes an extension for Owlbear Rodeo, ``hosted_extension`` the extension that a site hosts, and
``build_mod`` a script for Roll20. ``foundry`` makes modules for Foundry VTT, and ``shared`` has the functions that all
of them use.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.tabletops.shared import refuse_equal_ids

if TYPE_CHECKING:
    from oddsmith.tabletops.owlbear import build_extension, hosted_extension
    from oddsmith.tabletops.roll20 import build_mod, check_user_name

__all__ = ["build_extension", "build_mod", "check_user_name", "hosted_extension", "refuse_equal_ids"]

_HOMES = {
    "owlbear": ("build_extension", "hosted_extension"),
    "roll20": (
        "check_user_name",
        "build_mod",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
