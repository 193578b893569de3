"""Modules for Foundry Virtual Tabletop: their options, versions and files, and the module beside a game's page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.base.errors import UnplayableError
from oddsmith.base.files import folder_files, joined_scripts_header, zip_archive
from oddsmith.base.resources import PACKAGE, data_folder, licence

if TYPE_CHECKING:
    from oddsmith.report.answers import RulesetAnswers
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.tabletops.foundry import GameContent, ModuleOptions


LARGE = 2**20
"""The largest table of best play, in bytes, in a module of all games; larger ones are in the module of their game."""
FIRST = "1.0.0"
"""The version of a module if none is given."""


@dataclass(frozen=True)
class Delivery:
    """The address and the versions of modules beside pages.

    ``url``: the address of the site; with it a module can be installed and updated by the address of its manifest.
    ``version``: the least version of a module. ``before``: returns the bytes of a file of the pages as last published,
    given its path below their folder; None if there was none.
    """

    url: str = ""
    version: str = FIRST
    before: Callable[[str], bytes | None] = lambda _: None


PLAIN = Delivery()


def module_files(each: RulesetAnswers, delivery: Delivery = PLAIN) -> dict[str, bytes]:
    """Build the Foundry module of one game as files for download beside its page; empty if no module can play the game.

    With an address, a module has the version that it had before if its bytes are the same, and else the next one.
    """
    from oddsmith.tabletops.foundry import build, solved_content

    try:
        games = [solved_content(each)]
    except UnplayableError:
        return {}
    folder = f"games/{each.ruleset.id}"
    return _archive_files(
        folder, options_beside_page(each.ruleset, delivery), delivery, lambda options: build(games, options, scripts())
    )


def tavern_archive(accounts: Sequence[RulesetAnswers], how: Delivery = PLAIN) -> dict[str, bytes]:
    """Build the module with all games of a site that a table can play: its files by path below the site's root.

    The archive is there under its version's name, and under a name that is the same in every version. Returns nothing
    without such a game.
    """
    from oddsmith.publish.pages import TAVERN
    from oddsmith.tabletops.foundry import build

    playable = [each for each in accounts if each.ruleset.keeps_secrets_apart]
    found = [_tavern_content(each) for each in sorted(playable, key=lambda each: each.ruleset.id)]
    if not found:
        return {}
    options = options_for([each.ruleset for each in found], _version_and_address("games", how))
    options = replace(options, id="oddsmith-games", title="Tavern Games")
    made = _archive_files("games", options, how, lambda options: build(found, options, scripts()))
    files = {f"games/{path}": data for path, data in made.items()}
    return files | {TAVERN: next(data for path, data in files.items() if path.endswith(".zip"))}


def _tavern_content(each: RulesetAnswers) -> GameContent:
    """Return the content of one game in a module of many games, without a table of best play over the size limit."""
    from oddsmith.tabletops.foundry import solved_content, unsolved_content

    try:
        return solved_content(each, LARGE)
    except UnplayableError:
        return unsolved_content(each.ruleset)


def odds_archive(how: Delivery = PLAIN) -> dict[str, bytes]:
    """Build the module that answers the odds of any roll: its files for download, by path below the folder of its
    page.
    """
    from oddsmith.tabletops.foundry import build_odds

    return _archive_files(
        "roll",
        odds_options(_version_and_address("roll", how)),
        how,
        lambda options: build_odds(options, odds_scripts()),
    )


def _archive_files(
    folder: str, options: ModuleOptions, how: Delivery, make: Callable[[ModuleOptions], dict[str, bytes]]
) -> dict[str, bytes]:
    """Build a module with the right version: return its archive, and its manifest if the site has an address.

    ``folder``: the folder of the page beside which the module lies.
    """
    last = _last_version(how.before(f"{folder}/{_manifest(options)}"), how.version) if how.url else None
    files = make(options := replace(options, version=last or how.version))
    if last and zip_archive(files) != how.before(f"{folder}/foundry/{options.archive}"):
        files = make(options := replace(options, version=_next_version(last)))
    if not how.url:
        return {f"foundry/{options.id}.zip": zip_archive(files)}
    return {f"foundry/{options.archive}": zip_archive(files), _manifest(options): files["module.json"]}


def _manifest(options: ModuleOptions) -> str:
    return f"foundry/{options.id}/module.json"


def _last_version(manifest: bytes | None, least: str) -> str | None:
    """Return the version that a manifest names; None if there is none, or if Foundry would count it as older than
    ``least``.
    """
    try:
        version = json.loads(manifest or b"{}").get("version")
        return version if _version_numbers(version) >= _version_numbers(least) else None
    except (ValueError, TypeError, AttributeError):  # it is no manifest of ours
        return None


def _version_numbers(version: str) -> list[int]:
    from oddsmith.tabletops.foundry import VERSION

    found = VERSION.fullmatch(version)
    if not found:
        raise ValueError(version)
    return [int(part) for part in found[1].split(".")]


def _next_version(version: str) -> str:
    *first, last = _version_numbers(version)
    return ".".join(map(str, [*first, last + 1]))


def options_beside_page(game: Ruleset, how: Delivery) -> ModuleOptions:
    """Return the options of the module beside a game's page. Raises InputError for a faulty address or version."""
    return options_for([game], _version_and_address(f"games/{game.id}", how))


def _version_and_address(folder: str, how: Delivery) -> dict[str, str]:
    """Return the version of a module beside a page, and its addresses if the site has one. ``folder``: the page's
    folder.
    """
    page = f"{how.url.rstrip('/')}/{folder}/"
    return {"version": how.version} | ({"url": f"{page}foundry", "page": page} if how.url else {})


def options_for(games: Sequence[Ruleset], given: Mapping[str, Any]) -> ModuleOptions:
    """Return the options that were given for a module, with a name and a title that suit its games where none were
    given.
    """
    from oddsmith.tabletops.foundry import LONGEST, ModuleOptions

    one = games[0] if len(games) == 1 else None
    name, title = (f"oddsmith-{one.id}", one.title[:LONGEST]) if one else ("oddsmith-games", "Tavern Games")
    asked = {key: value for key, value in given.items() if value not in (None, ())}
    return ModuleOptions(**{"id": name, "title": title} | asked)


@cache
def scripts() -> dict[str, bytes]:
    """Read the files that all modules share from the program. Their scripts are one file if ``make bundle`` joined
    them.
    """
    from oddsmith.tabletops.foundry import shared_files

    site = data_folder("site")
    return shared_files(
        folder_files(site / "foundry"), folder_files(site / "runtime"), licence(), bundled_scripts("foundry.js")
    )


def bundled_scripts(name: str) -> bytes:
    """Read a file of scripts that ``make bundle`` joined; empty if it did not, because git does not hold such files."""
    return folder_files(data_folder("site") / "bundled").get(name, b"")


def bundle_head() -> str:
    """Return the first line of the joined scripts of modules, which says what was joined."""
    from oddsmith.tabletops.foundry import bundle_head

    site = data_folder("site")
    return bundle_head(folder_files(site / "foundry"), folder_files(site / "runtime")).decode().strip()


def roll_scripts() -> dict[str, bytes]:
    """Read the scripts that answer any roll, by file name."""
    return folder_files(data_folder("site") / "rolls", ("*.mjs",))


def rolls_head() -> str:
    """Return the first line of the joined scripts that answer any roll, which says what was joined."""
    return joined_scripts_header(roll_scripts()).decode().strip()


def lean_roll_scripts() -> dict[str, bytes]:
    """Read the scripts that answer any roll: minified and joined if ``make bundle`` joined these, else as they stand."""
    made = roll_scripts()
    joined = bundled_roll_scripts()
    head = joined_scripts_header(made)
    return joined if joined and all(data.startswith(head) for data in joined.values()) else made


def bundled_roll_scripts() -> dict[str, bytes]:
    """Read the scripts of any roll that ``make bundle`` joined: those of every question, and those of programs only."""
    return folder_files(data_folder("site") / "bundled" / "rolls")


def roll_grammars() -> dict[str, bytes]:
    """Return the grammars of questions about rolls by file name, each as short as scripts can read it."""
    from oddsmith.rolls import shortest_grammar

    found = folder_files(PACKAGE / "rolls", ("*.peg",))
    return {name: shortest_grammar(data.decode()).encode() for name, data in found.items()}


@cache
def odds_scripts() -> dict[str, bytes]:
    """Read the files that every module of odds shares from the program."""
    from oddsmith.tabletops.foundry import odds_shared

    site = data_folder("site")
    rolls = folder_files(site / "rolls") | roll_grammars()
    return odds_shared(folder_files(site / "odds"), rolls, licence())


def odds_options(given: Mapping[str, Any]) -> ModuleOptions:
    """Return the options that were given for the module of odds of any roll, with its own name and title as defaults."""
    from oddsmith.tabletops.foundry import ModuleOptions

    asked = {key: value for key, value in given.items() if value not in (None, ())}
    return ModuleOptions(**{"id": "oddsmith-odds", "title": "Oddsmith Odds"} | asked)
