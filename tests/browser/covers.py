"""Covers and icons of Tavern Games and of the module of odds as WebP files in ``site/bundled/art``.

``python -m tests.browser.covers`` draws them. Each has the name of the picture that it shows, so a cover that has changed
since is not taken.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.modules import TITLE, odds_module_options
from oddsmith.base.files import shipped_rulesets
from oddsmith.tabletops.foundry.any_roll import odds_module_pictures
from oddsmith.tabletops.foundry.art import raster_file_name
from oddsmith.tabletops.foundry.module import module_pictures
from tests.chromium import CHROMIUM, ROOT
from tests.node import answers

FOLDER = ROOT / "site" / "bundled" / "art"
SCRIPT = Path(__file__).with_name("covers.mjs")


def pictures_to_draw() -> dict[str, bytes]:
    """Return the covers and the icons of both modules as SVG files, by the names of their WebP files."""
    games = [LoadedRuleset.open(name).ruleset for name in shipped_rulesets()]
    tavern = module_pictures(TITLE, [each for each in games if each.needs_no_dealer])
    odds = odds_module_pictures(odds_module_options({}).title)
    return {raster_file_name(svg): svg for svg in (*tavern.values(), *odds.values())}


def draw(pictures: Mapping[str, bytes], folder: Path) -> list[tuple[int, int]]:
    """Draw SVG files as WebP files in a folder. Return their sizes. ``pictures``: by the name of the WebP file."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [{"svg": svg.decode(), "path": str(folder / name)} for name, svg in pictures.items()]
    return [(round(width), round(height)) for width, height in answers(SCRIPT, *jobs)]


def main() -> int:
    """Draw what the modules of this checkout want, and nothing where there is no browser."""
    rmtree(FOLDER, ignore_errors=True)
    if not CHROMIUM.exists():
        sys.stdout.write("    no packaged Chromium: covers stay SVG\n")
        return 0
    draw(pictures_to_draw(), FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
