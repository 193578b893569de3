"""Modules for Foundry Virtual Tabletop: what suits the games that they hold, and the module beside a game's page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.errors import UnplayableError
from oddsmith.files import folder_files
from oddsmith.resources import data_folder, licence

if TYPE_CHECKING:
    from oddsmith.report.answers import Account
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.tabletops.foundry import Options

FIRST = "1.0.0"
"""The version of a module that was given none."""


def archives(each: Account, url: str = "", version: str = FIRST) -> dict[str, bytes]:
    """A game as a module of its own, for download beside its page; nothing where no module can play it.

    ``url``: where the site will be; then the module can be installed and kept up to date by the address of its manifest.
    """
    from oddsmith.tabletops.foundry import archive, build

    options = beside(each.ruleset, url, version)
    try:
        files = build([each], options, scripts())
    except UnplayableError:
        return {}
    if not url:
        return {f"foundry/{options.id}.zip": archive(files)}
    return {f"foundry/{options.archive}": archive(files), f"foundry/{options.id}/module.json": files["module.json"]}


def beside(game: Ruleset, url: str, version: str) -> Options:
    """What a module beside the page of its game says of itself. Raises InputError where an address or a version is none."""
    page = f"{url.rstrip('/')}/games/{game.id}/" if url else ""
    return options_for([game], {"version": version, **({"url": f"{page}foundry", "page": page} if url else {})})


def options_for(games: Sequence[Ruleset], given: Mapping[str, Any]) -> Options:
    """What was asked for, and else what suits the games."""
    from oddsmith.tabletops.foundry import LONGEST, Options

    one = games[0] if len(games) == 1 else None
    name, title = (f"oddsmith-{one.id}", one.title[:LONGEST]) if one else ("oddsmith-games", "Tavern Games")
    asked = {key: value for key, value in given.items() if value not in (None, ())}
    return Options(**{"id": name, "title": title} | asked)


@cache
def scripts() -> dict[str, bytes]:
    """What all modules share, as it comes with the program."""
    from oddsmith.tabletops.foundry import shared

    site = data_folder("site")
    return shared(folder_files(site / "foundry"), folder_files(site / "runtime"), licence())
