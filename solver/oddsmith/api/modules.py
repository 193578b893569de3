"""Modules for Foundry Virtual Tabletop: their options, versions and files. A site offers a module on the page of each
game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.base.errors import UnplayableError
from oddsmith.base.files import folder_files, joined_scripts_header, zip_archive
from oddsmith.base.resources import PACKAGE, data_folder, licence_bytes

if TYPE_CHECKING:
    from oddsmith.report.answers import RulesetAnswers
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.tabletops.foundry import GameContent, ModuleOptions


MAX_SHARED_TABLE_BYTES = 2**20
"""The largest table of best play, in bytes, that the module with all games contains. A larger table is only in the
module of its own game.
"""
FIRST = "1.0.0"
"""The version of a module if none is given."""
TITLE = "Tavern Games"
"""The title of a module with several games if none is given."""


@dataclass(frozen=True)
class ModulePublication:
    """The address and the versions of the modules that a site offers.

    ``url``: the address of the site; if it is not empty, modules can be installed and updated by the address of their
    manifest. ``least_version``: the least version of a module. ``previous_file``: a function from the path of a file,
    below the folder of the pages, to its bytes when the site was last published; None if there was no such file.
    """

    url: str = ""
    least_version: str = FIRST
    previous_file: Callable[[str], bytes | None] = lambda _: None


PLAIN = ModulePublication()


def module_files(answers: RulesetAnswers, publication: ModulePublication = PLAIN) -> dict[str, bytes]:
    """Return the Foundry module of one game as files for download, by path below the folder of the game's page; empty
    if no module can play the game.

    If the site has an address, the version is the last published one if the bytes of the module are the same, else the
    next one. Without an address, the version is ``delivery.version``.
    """
    from oddsmith.tabletops.foundry import build_games_module, solved_game_content

    try:
        games = [solved_game_content(answers)]
    except UnplayableError:
        return {}
    folder = f"games/{answers.ruleset.id}"
    return _module_archive_files(
        folder,
        options_of_module_on_page(answers.ruleset, publication),
        publication,
        lambda options: build_games_module(games, options, module_scripts(), module_pictures()),
    )


def shared_module_files(
    all_answers: Sequence[RulesetAnswers], publication: ModulePublication = PLAIN
) -> dict[str, bytes]:
    """Return the module with all games of a site that can be played at a virtual tabletop: its files by path below the
    site's root.

    The archive occurs twice: under a name with its version, and under a name that is the same in every version. The
    dictionary is empty if there is no such game.
    """
    from oddsmith.publish.pages import TAVERN
    from oddsmith.tabletops.foundry import build_games_module

    playable = [each for each in all_answers if each.ruleset.needs_no_dealer]
    found = [_content_for_shared_module(each) for each in sorted(playable, key=lambda each: each.ruleset.id)]
    if not found:
        return {}
    options = game_module_options([each.ruleset for each in found], _version_and_address_options("games", publication))
    options = replace(options, id="oddsmith-games", title=TITLE)
    made = _module_archive_files(
        "games",
        options,
        publication,
        lambda options: build_games_module(found, options, module_scripts(), module_pictures()),
    )
    files = {f"games/{path}": data for path, data in made.items()}
    return files | {TAVERN: next(data for path, data in files.items() if path.endswith(".zip"))}


def _content_for_shared_module(answers: RulesetAnswers) -> GameContent:
    """Return the content of one game for a module of many games. Tables of best play with more than
    ``MAX_SHARED_TABLE_BYTES`` bytes are left out.
    """
    from oddsmith.tabletops.foundry import solved_game_content, unsolved_game_content

    try:
        return solved_game_content(answers, MAX_SHARED_TABLE_BYTES)
    except UnplayableError:
        return unsolved_game_content(answers.ruleset)


def odds_module_files(publication: ModulePublication = PLAIN) -> dict[str, bytes]:
    """Return the module that computes the odds of any roll: its files for download, by path below the folder of its
    page.
    """
    from oddsmith.tabletops.foundry import build_odds_module

    return _module_archive_files(
        "roll",
        odds_module_options(_version_and_address_options("roll", publication)),
        publication,
        lambda options: build_odds_module(options, odds_scripts(), module_pictures()),
    )


def _module_archive_files(
    folder: str,
    options: ModuleOptions,
    publication: ModulePublication,
    build_files: Callable[[ModuleOptions], dict[str, bytes]],
) -> dict[str, bytes]:
    """Build a module with the right version. Return its archive, and its manifest if the site has an address, by path
    below ``folder``.

    ``folder``: the folder of the page that offers the module. ``build_files``: a function that builds the files of the
    module from its options.
    """
    last = (
        _published_version(publication.previous_file(f"{folder}/{_manifest_path(options)}"), publication.least_version)
        if publication.url
        else None
    )
    files = build_files(options := replace(options, version=last or publication.least_version))
    if last and zip_archive(files) != publication.previous_file(f"{folder}/foundry/{options.archive}"):
        files = build_files(options := replace(options, version=_next_version(last)))
    if not publication.url:
        return {f"foundry/{options.id}.zip": zip_archive(files)}
    return {f"foundry/{options.archive}": zip_archive(files), _manifest_path(options): files["module.json"]}


def _manifest_path(options: ModuleOptions) -> str:
    return f"foundry/{options.id}/module.json"


def _published_version(manifest: bytes | None, least_version: str) -> str | None:
    """Return the version in a manifest; None if the manifest names none, or if Foundry would count it as older than
    ``least_version``.
    """
    try:
        version = json.loads(manifest or b"{}").get("version")
        return version if _version_numbers(version) >= _version_numbers(least_version) else None
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


def options_of_module_on_page(game: Ruleset, publication: ModulePublication) -> ModuleOptions:
    """Return the options of the module that a game's page offers. Raises InputError for a faulty address or version."""
    return game_module_options([game], _version_and_address_options(f"games/{game.id}", publication))


def _version_and_address_options(folder: str, publication: ModulePublication) -> dict[str, str | bool]:
    """Return the options ``version``, ``url``, ``page`` and ``texts_online`` of a module that a page offers; all but
    the first only if the site has an address. ``folder``: the folder of the page, which says what README would say.
    """
    page = f"{publication.url.rstrip('/')}/{folder}/"
    addresses: dict[str, str | bool] = {"url": f"{page}foundry", "page": page, "texts_online": False}
    return {"version": publication.least_version} | (addresses if publication.url else {})


def game_module_options(games: Sequence[Ruleset], given_options: Mapping[str, Any]) -> ModuleOptions:
    """Return the options of a module. ``games``: its games, which determine the id and the title if ``given_options``
    has none. ``given_options``: options by name.
    """
    from oddsmith.tabletops.foundry import MAX_NAME_LENGTH, ModuleOptions

    one = games[0] if len(games) == 1 else None
    name, title = (f"oddsmith-{one.id}", one.title[:MAX_NAME_LENGTH]) if one else ("oddsmith-games", TITLE)
    asked = {key: value for key, value in given_options.items() if value not in (None, ())}
    return ModuleOptions(**{"id": name, "title": title} | asked)


@cache
def module_scripts() -> dict[str, bytes]:
    """Return the files that all modules with games share, by path in a module. The scripts among them are one file if
    ``make bundle`` has joined them.
    """
    from oddsmith.tabletops.foundry import games_module_shared_files

    site = data_folder("site")
    return games_module_shared_files(
        folder_files(site / "foundry"),
        folder_files(site / "runtime"),
        licence_bytes(),
        bundled_script_bytes("foundry.js"),
    )


def module_pictures() -> dict[str, bytes]:
    """Read the pictures of modules that ``make covers`` drew as WebP files, by file name. Git does not track them."""
    return folder_files(data_folder("site") / "bundled" / "art", ("*.webp",))


def bundled_script_bytes(file_name: str) -> bytes:
    """Read a file into which ``make bundle`` joined scripts. The bytes are empty if there is no such file: git does not
    track it.
    """
    return folder_files(data_folder("site") / "bundled").get(file_name, b"")


def bundle_header_line() -> str:
    """Return the first line of the joined scripts of modules, a comment that identifies the scripts that were joined."""
    from oddsmith.tabletops.foundry import bundle_first_line

    site = data_folder("site")
    return bundle_first_line(folder_files(site / "foundry"), folder_files(site / "runtime")).decode().strip()


def roll_scripts() -> dict[str, bytes]:
    """Read the scripts that compute the odds of any roll, by file name."""
    return folder_files(data_folder("site") / "rolls", ("*.mjs",))


def rolls_header_line() -> str:
    """Return the first line of the joined scripts for rolls: a comment that identifies the scripts that were joined."""
    return joined_scripts_header(roll_scripts()).decode().strip()


def roll_scripts_to_publish() -> dict[str, bytes]:
    """Return the scripts that compute the odds of any roll, by file name.

    They are joined and minified if ``make bundle`` has joined their present text. Otherwise they are unchanged.
    """
    made = roll_scripts()
    joined = bundled_roll_scripts()
    head = joined_scripts_header(made)
    return joined if joined and all(data.startswith(head) for data in joined.values()) else made


def bundled_roll_scripts() -> dict[str, bytes]:
    """Return the files into which ``make bundle`` joined the scripts for rolls, by name; empty if there are none.

    One file is for all questions, the other only for questions that are programs for AnyDice.
    """
    return folder_files(data_folder("site") / "bundled" / "rolls")


def roll_grammars() -> dict[str, bytes]:
    """Return the grammars of questions about rolls by file name, shortened as far as the scripts can still read them."""
    from oddsmith.rolls import shortest_grammar

    found = folder_files(PACKAGE / "rolls", ("*.peg",))
    return {name: shortest_grammar(data.decode()).encode() for name, data in found.items()}


@cache
def odds_scripts() -> dict[str, bytes]:
    """Read the files that every module of odds contains from the program's data."""
    from oddsmith.tabletops.foundry import odds_module_shared_files

    site = data_folder("site")
    rolls = folder_files(site / "rolls") | roll_grammars()
    return odds_module_shared_files(folder_files(site / "odds"), rolls, licence_bytes())


def odds_module_options(given_options: Mapping[str, Any]) -> ModuleOptions:
    """Return the options of the module that computes the odds of any roll. ``given_options``: options by name; the id
    and the title have defaults.
    """
    from oddsmith.tabletops.foundry import ModuleOptions

    asked = {key: value for key, value in given_options.items() if value not in (None, ())}
    return ModuleOptions(**{"id": "oddsmith-odds", "title": "Oddsmith Odds"} | asked)
