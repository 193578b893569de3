"""A module for Foundry VTT: manifest, journals, roll tables and compendium packs.

``build`` makes the files of a module, ``archive`` packs them.
"""

from oddsmith.tabletops.foundry.language import ENGLISH, Translation, translation
from oddsmith.tabletops.foundry.manifest import LONGEST, VERSION, Options
from oddsmith.tabletops.foundry.module import archive, build, shared

__all__ = ["ENGLISH", "LONGEST", "VERSION", "Options", "Translation", "archive", "build", "shared", "translation"]
