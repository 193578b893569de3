"""Options of modules, and their manifest, ``module.json``, for Foundry 13 and later."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from oddsmith.base.errors import InputError
from oddsmith.publish.markup import title_text
from oddsmith.ruleset import sha256
from oddsmith.tabletops.foundry.art import foundry_path
from oddsmith.tabletops.foundry.documents import GameContent, Known, Pack
from oddsmith.tabletops.foundry.language import ENGLISH, Translation
from oddsmith.tabletops.shared import generator_name

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
VERSION = re.compile(r"([0-9]+(?:\.[0-9]+){0,3})(?:[-+][0-9A-Za-z.+-]+)?")
_URL = re.compile(r"https?://[^\s\"'<>&?#\\]+")
_AUTHOR = re.compile(rf"(\S.*?)\s*<({_URL.pattern})>")
MAX_NAME_LENGTH = 100
AUTHORS = "the Oddsmith authors"
_READERS = {False: {"PLAYER": "OBSERVER", "ASSISTANT": "OWNER"}, True: {"PLAYER": "NONE", "ASSISTANT": "OWNER"}}


@dataclass(frozen=True)
class ModuleOptions:
    """The options of a module, which its author chooses. Raises InputError for an option that Foundry would refuse.

    ``url``: the address of the folder that will contain the folder of the module and its archives; if it is empty, the
    manifest has no addresses of files. ``page``: the address of a page about the module; README stands in for it where
    there is none. ``texts_online``: whether README and CHANGELOG are at ``url`` too. ``pack_source``: whether to add
    the packs as JSON. ``authors``: names of authors, each optionally followed by an address in angle brackets.
    ``bugs``: the address for bug reports. ``languages``: translations.
    """

    id: str
    title: str
    version: str = "1.0.0"
    url: str = ""
    page: str = ""
    texts_online: bool = True
    pack_source: bool = False
    authors: tuple[str, ...] = (AUTHORS,)
    bugs: str = ""
    languages: tuple[Translation, ...] = ()

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id) or len(self.id) > MAX_NAME_LENGTH:
            raise InputError(
                f"{_quoted_start_of_text(self.id)} is no id of a module: write small letters and digits, joined by hyphens,"
                f" such as tavern-games, at most {MAX_NAME_LENGTH} of them"
            )
        if not title_text(self.title) or len(self.title) > MAX_NAME_LENGTH:
            raise InputError(f"the title of a module has 1 to {MAX_NAME_LENGTH} letters")
        if not VERSION.fullmatch(self.version) or len(self.version) > MAX_NAME_LENGTH:
            raise InputError(
                f"{_quoted_start_of_text(self.version)} is no version: write numbers and points, such as 1.2.0"
            )
        for url, what in ((self.url, "a folder"), (self.page, "a page"), (self.bugs, "a page")):
            if url and not _URL.fullmatch(url):
                raise InputError(f"{_quoted_start_of_text(url)} is no address: write https://, a host and {what}")
        if not self.authors or not all(title_text(name) and len(name) <= MAX_NAME_LENGTH for name in self.authors):
            raise InputError(f"the name of an author has 1 to {MAX_NAME_LENGTH} letters")
        tags = [each.tag for each in self.languages]
        if len(set(tags)) < len(tags):
            raise InputError("two of the translations are for the same language")

    @property
    def address(self) -> str:
        """The address of the folder with the module's files, which ends with ``/``; empty if it is not known."""
        return f"{self.url.rstrip('/')}/{self.id}/" if self.url else ""

    @property
    def archive(self) -> str:
        """The name of the archive with the module, for the manifest. It contains the version, so archives of older
        versions remain available.
        """
        return f"{self.id}-{self.version}.zip"


def _quoted_start_of_text(text: str) -> str:
    return repr(text if len(text) <= MAX_NAME_LENGTH else f"{text[:MAX_NAME_LENGTH]}...")


def least_knowledge_of_games(games: Sequence[GameContent]) -> Known:
    """Return what is known about the game about which the least is known, such as "nothing" if one game is unsolved."""
    return max((each.knowledge for each in games), key=list(_ODDS).index)


_ODDS: dict[Known, str] = {
    "solved": "with exact odds",
    "estimated": "with odds, exact or estimated",
    "nothing": "without odds",
}


def games_module_manifest(
    options: ModuleOptions, games: Sequence[GameContent], packs: Sequence[Pack], cover: str, icon: str
) -> dict[str, Any]:
    """Return the manifest of a module with games, as plain data. ``packs``: its compendium packs. ``cover``, ``icon``:
    the paths of its pictures.
    """
    rulesets = [each.ruleset for each in games]
    odds = _ODDS[least_knowledge_of_games(games)]
    about = (
        f"Games for the tavern table, {odds}, in any system: {'; '.join(title_text(each.title) for each in rulesets)}."
    )
    packed: dict[str, Any] = {
        "media": _media_data(options, cover, icon),
        "socket": True,
        "packs": [
            {
                "name": each.name,
                "label": each.label,
                "path": f"packs/{each.name}",
                "type": each.type,
                "banner": foundry_path(options.id, cover),
                "ownership": _READERS[each.hidden_from_players],
            }
            for each in packs
        ],
        "packFolders": [
            {
                "name": title_text(options.title),
                "sorting": "m",
                "color": "#5b3a1e",
                "packs": [each.name for each in packs],
            }
        ],
        "relationships": {"recommends": [{"id": "dice-so-nice", "type": "module", "reason": "3D dice"}]},
    }
    return _manifest_data(options, about, "foundry", packed, {"rulesSha256": [sha256(each) for each in rulesets]})


def odds_module_manifest(options: ModuleOptions, cover: str, icon: str) -> dict[str, Any]:
    """Return the manifest of the module that computes the odds of any roll, as plain data. ``cover``, ``icon``: the
    paths of its pictures.
    """
    about = "Exact odds of any roll, typed or rolled, in any system."
    return _manifest_data(options, about, "odds", {"media": _media_data(options, cover, icon)}, {})


def _media_data(options: ModuleOptions, cover: str, icon: str) -> list[dict[str, str]]:
    """Return the pictures of a module in the form of a manifest. ``cover``, ``icon``: their paths."""
    return [
        {"type": kind, "url": foundry_path(options.id, path), "thumbnail": foundry_path(options.id, icon)}
        for kind, path in (("cover", cover), ("icon", icon), ("setup", cover))
    ]


def _manifest_data(
    options: ModuleOptions,
    description: str,
    script_folder: str,
    extra_entries: Mapping[str, Any],
    flags: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a manifest as plain data.

    ``description``: the description of the module. ``script_folder``: the folder of the script that Foundry loads
    first. ``extra_entries``: keys to add to the manifest. ``flags``: flags to add. Manifests do not require other
    packages, because modules work in every game system. They do not name a verified version, because only a test in
    Foundry can verify one.
    """
    languages = {ENGLISH: ("en", "English")} | {each.path: (each.tag, each.name) for each in options.languages}
    data: dict[str, Any] = {
        "id": options.id,
        "title": title_text(options.title),
        "description": f"<p>{escape(description, quote=False)}</p>",
        "version": options.version,
        "authors": [_author_data(name) for name in options.authors],
        "compatibility": {"minimum": "13"},
        "esmodules": [f"scripts/{script_folder}/main.mjs"],
        "styles": [{"src": "styles/module.css"}],
        "languages": [{"lang": tag, "name": title_text(name), "path": path} for path, (tag, name) in languages.items()],
        **extra_entries,
        "license": "LICENSE",
        "flags": {
            options.id: {"generator": generator_name(), **flags},
            "hotReload": {
                "extensions": ["css", "json"],
                "paths": ["styles", "lang"],
            },  # for who restyles or translates it
        },
    }
    at = options.address
    readme = f"{at}README.md" if at and options.texts_online else ""
    if at:
        data |= {"manifest": f"{at}module.json", "download": f"{options.url.rstrip('/')}/{options.archive}"}
    if readme:
        data |= {"readme": readme, "changelog": f"{at}CHANGELOG.md"}
    known = {"url": options.page or readme, "bugs": options.bugs}
    return data | {key: address for key, address in known.items() if address}


def _author_data(name: str) -> dict[str, str]:
    """Return an author as an entry of a manifest. ``name``: the name, optionally followed by an address in angle
    brackets.
    """
    found = _AUTHOR.fullmatch(name)
    return {"name": title_text(found[1]), "url": found[2]} if found else {"name": title_text(name)}
