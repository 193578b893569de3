"""Modules for Foundry VTT: manifest, journals, roll tables and compendium packs.

``build_games_module`` returns the files of a module, given its content about each game: ``solved_game_content`` for a
solved game, or ``unsolved_game_content``, which is made from the rules without a solution and does not import numpy.
``build_odds_module`` returns the files of the module that computes the odds of any roll.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.tabletops.foundry.any_roll import build_odds_module, odds_module_shared_files
from oddsmith.tabletops.foundry.documents import GameContent
from oddsmith.tabletops.foundry.journal import unsolved_game_content
from oddsmith.tabletops.foundry.language import ENGLISH, Translation, parse_translation, translation_files
from oddsmith.tabletops.foundry.manifest import MAX_NAME_LENGTH, VERSION, ModuleOptions
from oddsmith.tabletops.foundry.module import build_games_module, bundle_first_line, games_module_shared_files

if TYPE_CHECKING:
    from oddsmith.tabletops.foundry.odds import solved_game_content

__all__ = [
    "ENGLISH",
    "MAX_NAME_LENGTH",
    "VERSION",
    "GameContent",
    "ModuleOptions",
    "Translation",
    "build_games_module",
    "build_odds_module",
    "bundle_first_line",
    "games_module_shared_files",
    "odds_module_shared_files",
    "parse_translation",
    "solved_game_content",
    "translation_files",
    "unsolved_game_content",
]

_HOMES = {
    "odds": ("solved_game_content",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
