"""Documents of Foundry (versions 13 and 14) and the compendium packs that contain them.

The database of a pack has a record for every document, and a record for every part of a document (a page or a result).
The record of a document lists the ids of its parts. For Foundry's official command line tool, a document is a JSON file
that contains its parts.

``GameContent`` is the content of a module about one game, before it becomes documents.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.publish.markup import join_html, title_text
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.foundry.art import foundry_path, roll_table_icon_path
from oddsmith.tabletops.foundry.leveldb import database_files
from oddsmith.tabletops.roll_tables import RollTable


@dataclass(frozen=True)
class JournalPage:
    """A page of a journal. ``slug``: the text from which its id is computed. ``html``: its text, which is safe HTML."""

    slug: str
    title: str
    html: str


@dataclass(frozen=True)
class Macro:
    """A macro: a button of Foundry's macro bar. ``slug``: the text from which its id is computed. ``command``: one line
    of JavaScript. ``icon``: the path of its icon.
    """

    slug: str
    title: str
    command: str
    icon: str


Known = Literal["solved", "estimated", "nothing"]
"""What is known about a game: its values and best play, estimates of a few policies, or only its rules."""


@dataclass(frozen=True)
class GameContent:
    """The content of a module about one game.

    ``knowledge``: what is known about the game. ``files``: ``play.json`` and the files that it names, by path below the
    module's folder. ``rules``, ``odds``: the pages of its two journals. ``tables``: its roll tables.
    ``self_test_games``: games with which the module tests itself; none if nothing is solved. ``missing_table_notes``:
    sentences about tables that are missing, without the name of the game.
    """

    ruleset: Ruleset
    knowledge: Known
    files: dict[str, bytes]
    rules: tuple[JournalPage, ...]
    odds: tuple[JournalPage, ...]
    tables: tuple[RollTable, ...]
    self_test_games: tuple[dict[str, Any], ...] = ()
    missing_table_notes: tuple[str, ...] = ()


Document = dict[str, Any]

_COLLECTIONS = {"JournalEntry": ("journal", "pages"), "RollTable": ("tables", "results"), "Macro": ("macros", "")}
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# Nothing here tells when or by whom, so that the same rules give the same bytes.
_STATS = {
    "compendiumSource": None, "coreVersion": "13", "createdTime": None, "duplicateSource": None, "exportSource": None,
    "lastModifiedBy": None, "modifiedTime": None, "systemId": None, "systemVersion": None,
}  # fmt: skip


@dataclass(frozen=True)
class Pack:
    """A compendium pack. ``name``: its name in paths. ``label``: its name for people. ``type``: the kind of its
    documents. ``documents``: its documents with their parts, at least one. ``hidden_from_players``: whether the pack is
    hidden from players until a game master shows it.
    """

    name: str
    label: str
    type: str
    documents: tuple[Document, ...]
    hidden_from_players: bool = False


def document_id(module_id: str, kind: str, slug: str) -> str:
    """Return the id of a document: 16 letters and digits, from a hash of the three texts. It is the same in all
    versions of a module, so links to it remain valid.
    """
    number = int.from_bytes(hashlib.sha256(f"{module_id}\x1f{kind}\x1f{slug}".encode()).digest())
    found = ""
    for _ in range(16):
        number, place = divmod(number, 62)
        found += _DIGITS[place]
    return found


# --- documents


def journal_document(
    module_id: str, game_id: str, name: str, pages: Sequence[JournalPage], kind: str = "journal"
) -> Document:
    """Return a journal of a game as a document.

    A game has one journal of each kind. ``module_id``: the id of the module. ``game_id``: the id of the game.
    """
    made = [
        {
            "_id": document_id(module_id, "page", f"{game_id}/{page.slug}"),
            "name": title_text(page.title),
            "type": "text",
            "title": {"show": True, "level": 1},
            "text": {"format": 1, "content": without_enrichers(page.html)},
            "sort": at * 100_000,
            "ownership": {"default": -1},
            "flags": {},
            "_stats": _STATS,
        }
        for at, page in enumerate(pages, 1)
    ]
    return {
        "_id": document_id(module_id, kind, game_id),
        "name": title_text(name),
        "pages": made,
        "categories": [],
        **_common_document_fields(0),
    }


def roll_table_document(module_id: str, game_id: str, table: RollTable) -> Document:
    """Return a roll table as a document. The weight of a line is the number of results of the dice that lead to it.
    ``module_id``: the id of the module. ``game_id``: the id of the game.
    """
    slug = f"{game_id}/{table.slug}"
    icon = foundry_path(module_id, roll_table_icon_path(game_id, table))
    results = [
        {
            "_id": document_id(module_id, "result", f"{slug}/{line.lowest_result}"),
            "type": "text",
            "name": "",
            "description": without_enrichers(join_html([line.text])),
            "img": icon,
            "weight": line.weight,
            "range": [line.lowest_result, line.highest_result],
            "drawn": False,
            "flags": {},
            "_stats": _STATS,
        }
        for line in table.lines
    ]
    return {
        "_id": document_id(module_id, "table", slug),
        "name": title_text(table.title),
        "img": icon,
        "description": without_enrichers(join_html([table.about])),
        "results": results,
        "formula": table.formula,
        "replacement": True,
        "displayRoll": True,
        **_common_document_fields(0),
    }


def macro_document(module_id: str, macro: Macro) -> Document:
    """Return a macro as a document. ``module_id``: the id of the module."""
    return {
        "_id": document_id(module_id, "macro", macro.slug),
        "name": title_text(macro.title),
        "type": "script",
        "scope": "global",
        "command": macro.command,
        "img": macro.icon,
        **_common_document_fields(2),
    }


def _common_document_fields(ownership: int) -> Document:
    """Return the fields that all documents have. ``ownership``: the default permission of players, as a number of
    Foundry.
    """
    return {"folder": None, "sort": 0, "ownership": {"default": ownership}, "flags": {}, "_stats": _STATS}


def without_enrichers(html: str) -> str:
    """Return HTML without commands for Foundry in text that comes from a ruleset, such as a roll in two brackets.

    Foundry looks for commands in each text node, and every command has a bracket next to another character. Escaped
    brackets come from a ruleset, so each is put into a text node of its own. Plain brackets come from this program and
    stay.
    """
    return html.replace("&#91;", "<span>&#91;</span>")


# --- packs


def pack_database_files(pack: Pack) -> dict[str, bytes]:
    """Return the files of a pack's database, by name."""
    collection, parts = _COLLECTIONS[pack.type]
    records = {}
    for document in pack.documents:
        key = f"!{collection}!{document['_id']}"
        below = document.get(parts, [])
        for part in below:
            records[f"!{collection}.{parts}!{document['_id']}.{part['_id']}"] = _json_bytes(part)
        records[key] = _json_bytes({**document, parts: [part["_id"] for part in below]} if parts else document)
    return database_files(records)


def pack_source_files(pack: Pack) -> dict[str, bytes]:
    """Return a pack in the form that Foundry's official command line tool reads and writes: a JSON file for each
    document, by name.
    """
    collection, parts = _COLLECTIONS[pack.type]
    files = {}
    for document in pack.documents:
        whole = {**document, "_key": f"!{collection}!{document['_id']}"}
        if parts:
            key = f"!{collection}.{parts}!{document['_id']}"
            whole[parts] = [{**part, "_key": f"{key}.{part['_id']}"} for part in document[parts]]
        slug = re.sub(r"[^a-z0-9]+", "-", document["name"].lower()).strip("-")
        files[f"{slug}_{document['_id']}.json"] = (json.dumps(whole, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def _json_bytes(data: Document) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
