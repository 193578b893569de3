"""Modules for Foundry VTT: manifest, journals, roll tables and compendium packs.

``build`` makes the files of a module from what it holds of each game: of one that was ``solved``, or by the rules alone
(``unsolved``), for which no arrays are loaded. ``build_odds`` makes those of the module that tells the odds of any roll.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later
from oddsmith.tabletops.foundry.any_roll import build_odds, odds_shared
from oddsmith.tabletops.foundry.documents import GameContent
from oddsmith.tabletops.foundry.journal import unsolved
from oddsmith.tabletops.foundry.language import ENGLISH, Translation, translation
from oddsmith.tabletops.foundry.manifest import LONGEST, VERSION, ModuleOptions
from oddsmith.tabletops.foundry.module import build, bundle_head, shared

if TYPE_CHECKING:
    from oddsmith.tabletops.foundry.odds import solved

__all__ = [
    "ENGLISH",
    "LONGEST",
    "VERSION",
    "GameContent",
    "ModuleOptions",
    "Translation",
    "build",
    "build_odds",
    "bundle_head",
    "odds_shared",
    "shared",
    "solved",
    "translation",
    "unsolved",
]

_HOMES = {
    "odds": ("solved",),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
