"""Extensions for Owlbear Rodeo: a folder of static files with a page, its scripts, and games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from oddsmith.publish.pages import SCRIPTS, game_list_entry
from oddsmith.report.answers import RulesetAnswers
from oddsmith.ruleset import canonical_bytes
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.shared import generator_name, markdown_line, refuse_equal_ids
from oddsmith.tabletops.solved import virtual_tabletop_files

VERSION = "1.0.0"
HOSTED = "owlbear/room"
"""The folder of the extension that a site hosts, below the root of the site."""
_FOLDERS = ("owlbear/", "room/", "runtime/")
_SIZE = {"width": 400, "height": 640}  # of the page in a room, in pixels


def build_extension(
    accounts: Sequence[RulesetAnswers], url: str, site_files: Mapping[str, bytes], licence_text: bytes
) -> dict[str, bytes]:
    """Return the files of an extension, by path below its folder.

    ``accounts``: the answers about its games. ``url``: the address of the folder, empty for the root of a site.
    ``site_files``: the files of the project's ``site/``. ``licence_text``: the text of the licence. Raises
    UnplayableError, and InputError if two rulesets have the same id.
    """
    rulesets = [each.ruleset for each in accounts]
    refuse_equal_ids(rulesets)
    files = _script_files(site_files, _FOLDERS, "scripts")
    for each in accounts:
        files |= virtual_tabletop_files(each)
    files |= _page_files(rulesets, url, "games/", site_files)
    files["style.css"], files["LICENSE"] = site_files["room/style.css"], licence_text
    files["README.md"] = _readme(rulesets, url)
    return dict(sorted(files.items()))


def hosted_extension(rulesets: Sequence[Ruleset], url: str, site_files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the extension that a site hosts, by path below the site's root. The extension uses the
    scripts and the files of games that the site already has.

    ``rulesets``: the games that friends can play together by sharing a link. ``url``: the address of the site, empty
    for the root of a domain. ``site_files``: the files of the project's ``site/``. The result is empty if no game can
    be played.
    """
    playable = [each for each in rulesets if each.needs_no_dealer]
    if not playable:
        return {}
    up = "../" * (HOSTED.count("/") + 1)
    files = _page_files(playable, f"{url.rstrip('/')}/{HOSTED}", f"{up}games/", site_files)
    page = files["index.html"].decode().replace('href="style.css"', f'href="{up}{SCRIPTS}/room/style.css"')
    files["index.html"] = page.replace('src="scripts/', f'src="{up}{SCRIPTS}/').encode()
    return {f"{HOSTED}/{path}": data for path, data in files.items()} | _script_files(
        site_files, ("owlbear/",), SCRIPTS
    )


def _script_files(site_files: Mapping[str, bytes], folders: tuple[str, ...], target_folder: str) -> dict[str, bytes]:
    """Return the scripts in the folders ``folders`` of the project's ``site/``, by path; all paths begin with
    ``target_folder``.
    """
    return {
        f"{target_folder}/{name}": data
        for name, data in site_files.items()
        if name.startswith(folders) and name.endswith(".mjs")
    }


def _page_files(
    rulesets: Sequence[Ruleset], url: str, game_list: str, site_files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the page of an extension, its icon, its manifest and its list of games, by name.

    ``game_list``: the address of the folder of the games.
    """
    entries = [game_list_entry(each, game_list) for each in rulesets]
    return {
        "games.json": canonical_bytes({"format": 1, "generator": generator_name(), "games": entries}),
        "manifest.json": (json.dumps(_extension_manifest(rulesets, url), indent=2, ensure_ascii=False) + "\n").encode(),
        "index.html": site_files["owlbear/index.html"],
        "icon.svg": site_files["theme/assets/favicon.svg"],
    }


def _extension_manifest(rulesets: Sequence[Ruleset], url: str) -> dict[str, Any]:
    """Return the manifest that Owlbear Rodeo reads first. ``url``: the address of the extension; if it is empty, paths
    in the manifest begin with a slash, which means the root of the site.
    """
    titles = [each.title for each in rulesets]
    base = f"{url.rstrip('/')}/"
    return {
        "name": titles[0] if len(titles) == 1 else "Tavern games",
        "version": VERSION,
        "manifest_version": 1,
        "author": "Oddsmith",
        "description": f"Dice games with exact odds: {', '.join(titles)}.",
        "icon": f"{base}icon.svg",
        "action": {"title": "Tavern games", "icon": f"{base}icon.svg", "popover": f"{base}index.html", **_SIZE},
    }


def _readme(rulesets: Sequence[Ruleset], url: str) -> bytes:
    where = f"at {url.rstrip('/')}/" if url else "as the root of a site of its own"
    lines = []
    for rules in rulesets:
        licence = rules.data.get("source", {}).get("licence")
        lines.append(
            f"- {markdown_line(rules.title)} (`{rules.id}`){f'. Licence: {markdown_line(licence)}' if licence else ''}"
        )
    return _TEXT.format(where=where, games="\n".join(lines), generator=generator_name()).encode()


_TEXT = """\
# Tavern games for Owlbear Rodeo

Put this folder on the web {where}. The server needs HTTPS, and must let other sites read its files (CORS).
In Owlbear Rodeo, add an extension with the address of `manifest.json`.

{games}

The table is for friends: each player's own machine rolls the dice. Every machine replays all moves by the rules and reports a
move or a roll that is not possible. It cannot find a roll that somebody made up, if the dice can show it.

We tested the extension in a stand-in for Owlbear Rodeo, and not in a real room. The scripts load nothing from elsewhere.

Written by {generator}.
"""
