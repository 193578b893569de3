"""The Foundry module that computes the odds of any roll, typed or rolled. It works in every game system and needs no
ruleset.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from oddsmith.tabletops.foundry.art import (
    COVER_FILE,
    ICON_FILE,
    files_with_rasters,
    odds_module_cover_svg,
    odds_module_icon_svg,
)
from oddsmith.tabletops.foundry.language import ENGLISH, language_file_json, translation_files
from oddsmith.tabletops.foundry.manifest import ModuleOptions, odds_module_manifest
from oddsmith.tabletops.foundry.module import (
    INSTALL_BY_FOLDER,
    INSTALL_BY_URL,
    STYLES,
    options_and_scripts_with_translations,
)
from oddsmith.tabletops.shared import generator_name, markdown_line


def odds_module_shared_files(
    odds_scripts: Mapping[str, bytes], roll_scripts: Mapping[str, bytes], licence_text: bytes
) -> dict[str, bytes]:
    """Return the files that are the same in all modules of odds, by path below the module's folder.

    ``odds_scripts``: the files of the folder ``odds_scripts`` of the site. ``roll_scripts``: the scripts that compute
    the odds of any roll, and their grammars. ``licence_text``: the text of the project's licence.
    """
    files = {f"scripts/odds/{name}": data for name, data in odds_scripts.items() if name.endswith(".mjs")}
    files |= {f"scripts/rolls/{name}": data for name, data in roll_scripts.items() if name.endswith((".mjs", ".peg"))}
    files |= translation_files(odds_scripts) | {ENGLISH: language_file_json(json.loads(odds_scripts[ENGLISH]))}
    return files | {STYLES: odds_scripts["module.css"], "LICENSE": licence_text}


def build_odds_module(
    options: ModuleOptions, scripts: Mapping[str, bytes], rasters: Mapping[str, bytes] = MappingProxyType({})
) -> dict[str, bytes]:
    """Return the files of the module, by path below its folder.

    ``scripts``: the files of :func:`odds_module_shared_files`. ``rasters``: pictures as WebP files, by the name that
    ``raster_file_name`` gives.
    """
    options, files = options_and_scripts_with_translations(options, scripts)
    art = files_with_rasters(odds_module_pictures(options.title), rasters)
    files |= dict(art.values())
    told = odds_module_manifest(options, art[COVER_FILE][0], art[ICON_FILE][0])
    files["module.json"] = (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()
    install = INSTALL_BY_URL.format(address=options.address) if options.url else INSTALL_BY_FOLDER
    files["README.md"] = _README.format(
        title=markdown_line(options.title), id=options.id, install=install, generator=generator_name()
    ).encode()
    files["CHANGELOG.md"] = f"# {options.version}\n\nWritten by {generator_name()}.\n".encode()
    return dict(sorted(files.items()))


def odds_module_pictures(heading: str) -> dict[str, bytes]:
    """Return the cover and the icon of the module as SVG files, by path below its folder."""
    return {COVER_FILE: odds_module_cover_svg(heading), ICON_FILE: odds_module_icon_svg()}


_README = """\
# {title}

This is a module for Foundry Virtual Tabletop, version 13 or later. It tells the exact odds of any roll, in every game system.

- `/odds 4d6kh3 >= 14` in the chat gives the chance. `/odds 8d6` gives the mean, the standard deviation and every value.
- *Odds of this roll*, in the menu of any roll in the chat, tells how its formula is distributed and where the roll lies.

Questions are read as Foundry rolls them, with its modifiers, or in plain words. Every case is counted, nothing is simulated.

## Install

{install} Then enable the module in a world.

## Who may see what

Answers go only to whoever asks. Players learn the odds only of rolls whose result and whole formula their own screen shows:
not of blind, private or hidden ones. A game master chooses in the settings of the module who may ask, and who may show an
answer to everybody. Foundry sends whispers to every client and hides them there, as it does with its own private rolls.

## What it refuses

Dice of a system that fall in a way of their own, modifiers and functions that Foundry does not have, and terms that are no
numbers are refused by name. Where a system changes a total after the dice fell, the card says that the total cannot come up.

## What was tested

We did not test the module in a licensed Foundry, so the manifest names no verified version. The scripts ran in a stand-in for
Foundry in a real browser, and gave the numbers of the program that wrote them.

The scripts load nothing from elsewhere and send nothing anywhere. They are under the licence in `LICENSE`. The
module speaks English, German and French. For another language, translate `lang/en.json` into a file such as `es.json`, and
write the module again with `oddsmith foundry --odds --lang es.json`.

Written by {generator}. The folder `{id}` must keep its name.
"""
