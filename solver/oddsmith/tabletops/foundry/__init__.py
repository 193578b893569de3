"""Modules for Foundry VTT: manifest, journals, roll tables and compendium packs.

``build`` returns the files of a module, given its content about each game: ``solved_content`` for a solved game, or
``unsolved_content``, which is made from the rules without a solution and does not import numpy. ``build_odds`` returns
the files of the module that computes the odds of any roll.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.tabletops.foundry.any_roll import build_odds, odds_shared_files
from oddsmith.tabletops.foundry.documents import GameContent
from oddsmith.tabletops.foundry.journal import unsolved_content
from oddsmith.tabletops.foundry.language import ENGLISH, Translation, translation, translation_files
from oddsmith.tabletops.foundry.manifest import MAX_NAME_LENGTH, VERSION, ModuleOptions
from oddsmith.tabletops.foundry.module import build, bundle_head, shared_files

if TYPE_CHECKING:
    from oddsmith.tabletops.foundry.odds import solved_content

__all__ = [
    "ENGLISH",
    "MAX_NAME_LENGTH",
    "VERSION",
    "GameContent",
    "ModuleOptions",
    "Translation",
    "build",
    "build_odds",
    "bundle_head",
    "odds_shared_files",
    "shared_files",
    "solved_content",
    "translation",
    "translation_files",
    "unsolved_content",
]

_HOMES = {
    "odds": ("solved_content",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
