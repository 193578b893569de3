"""A module for Foundry with the odds of one game, as a terminal makes it, but for what a browser leaves out."""

from __future__ import annotations

import gzip
import io
import zipfile
from typing import Any

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.modules import game_module_options, module_scripts
from oddsmith.api.site import ruleset_about_one_setting
from oddsmith.base.files import zip_archive
from oddsmith.report.answers.accounts import answers_of
from oddsmith.ruleset.model import Setting
from oddsmith.tabletops.foundry.module import build_games_module
from oddsmith.tabletops.foundry.odds import solved_game_content

WITHOUT = ("matplotlib", "sympy", "networkx", "segno")
"""What a browser does not have."""


def files(data: bytes) -> dict[str, bytes]:
    """What is in an archive, by path. What is packed therein is unpacked, because a browser may pack it in other bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    return {name: gzip.decompress(each) if name.endswith(".gz") else each for name, each in found.items()}


def module(text: str, seats: int | None = None, values: dict[str, Any] | None = None) -> dict[str, bytes]:
    """The files of a module of one game, made the way ``oddsmith foundry`` makes them, without formulas."""
    rules = LoadedRuleset.read(text).ruleset
    told = answers_of(ruleset_about_one_setting(rules, Setting(seats or 0, values=values or {})))
    vars(told.main)["roll_or_stop_rules"] = []
    return files(
        zip_archive(build_games_module([solved_game_content(told)], game_module_options([rules], {}), module_scripts()))
    )
