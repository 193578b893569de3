"""Foundry's documents (versions 13 and 14) and the packs that hold them.

A pack's database has a record for every document and one for every part of it (a page, a result); the document lists the ids
of its parts. The official command line tool knows the same as one JSON file a document, with its parts whole inside.

What a module's compendium packs hold, before it takes Foundry's form.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.publish.markup import join, title
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.foundry.art import address, table_file
from oddsmith.tabletops.foundry.leveldb import database
from oddsmith.tabletops.roll_tables import RollTable


@dataclass(frozen=True)
class JournalPage:
    """A page of a journal. ``slug``: what its id is made from; ``html``: its text, safe as it stands."""

    slug: str
    title: str
    html: str
    level: int = 1


@dataclass(frozen=True)
class Macro:
    """A button: one line of script."""

    slug: str
    title: str
    command: str
    icon: str


Known = Literal["solved", "estimated", "nothing"]
"""What is known of a game: values and best play, estimates of some policies, or its rules alone."""


@dataclass(frozen=True)
class GameContent:
    """The content of a module about one game.

    ``known``: what its odds are. ``files``: ``play.json`` and what that names, by path below the module's folder.
    ``rules``, ``odds``: the pages of its two journals. ``tables``: tables to roll on. ``plays``: plays by which the module
    tests itself; none where nothing is solved. ``left_out``: what is missing, each a sentence without its game.
    """

    ruleset: Ruleset
    known: Known
    files: dict[str, bytes]
    rules: tuple[JournalPage, ...]
    odds: tuple[JournalPage, ...]
    tables: tuple[RollTable, ...]
    plays: tuple[dict[str, Any], ...] = ()
    left_out: tuple[str, ...] = ()


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
    """A compendium pack. ``type``: a kind of document; ``documents``: at least one, with their parts whole; ``kept``: whether
    only game masters see it, until one of them opens it to others."""

    name: str
    label: str
    type: str
    documents: tuple[Document, ...]
    kept: bool = False


def identifier(module: str, kind: str, slug: str) -> str:
    """Return the id of a document, 16 letters and digits. All versions of a module have the same, so that links last."""
    number = int.from_bytes(hashlib.sha256(f"{module}\x1f{kind}\x1f{slug}".encode()).digest())
    found = ""
    for _ in range(16):
        number, place = divmod(number, 62)
        found += _DIGITS[place]
    return found


# --- documents


def journal_entry(module: str, game: str, name: str, pages: Sequence[JournalPage], kind: str = "journal") -> Document:
    """Make a journal of a game. A game has one of each kind."""
    made = [
        {
            "_id": identifier(module, "page", f"{game}/{page.slug}"),
            "name": title(page.title),
            "type": "text",
            "title": {"show": True, "level": page.level},
            "text": {"format": 1, "content": without_enrichers(page.html)},
            "sort": at * 100_000,
            "ownership": {"default": -1},
            "flags": {},
            "_stats": _STATS,
        }
        for at, page in enumerate(pages, 1)
    ]
    return {
        "_id": identifier(module, kind, game),
        "name": title(name),
        "pages": made,
        "categories": [],
        **_common(0),
    }


def roll_table(module: str, game: str, roll: RollTable) -> Document:
    """Make a table to roll on. The weight of a result is the number of ways in which the dice give it."""
    slug = f"{game}/{roll.slug}"
    icon = address(module, table_file(game, roll))
    results = [
        {
            "_id": identifier(module, "result", f"{slug}/{line.low}"),
            "type": "text",
            "name": "",
            "description": without_enrichers(join([line.text])),
            "img": icon,
            "weight": line.weight,
            "range": [line.low, line.high],
            "drawn": False,
            "flags": {},
            "_stats": _STATS,
        }
        for line in roll.lines
    ]
    return {
        "_id": identifier(module, "table", slug),
        "name": title(roll.title),
        "img": icon,
        "description": without_enrichers(join([roll.about])),
        "results": results,
        "formula": roll.formula,
        "replacement": True,
        "displayRoll": True,
        **_common(0),
    }


def macro(module: str, each: Macro) -> Document:
    """Make a button for the bar."""
    return {
        "_id": identifier(module, "macro", each.slug),
        "name": title(each.title),
        "type": "script",
        "scope": "global",
        "command": each.command,
        "img": each.icon,
        **_common(2),
    }


def _common(ownership: int) -> Document:
    return {"folder": None, "sort": 0, "ownership": {"default": ownership}, "flags": {}, "_stats": _STATS}


def without_enrichers(html: str) -> str:
    """Escape HTML so that Foundry takes no text of a ruleset for its own marks, such as a roll in two brackets.

    Foundry looks for marks in each stretch of text, and all of them need a bracket beside another sign. Brackets that
    were escaped come from a ruleset; each becomes a stretch of its own. Those written plainly are ours.
    """
    return html.replace("&#91;", "<span>&#91;</span>")


# --- packs


def pack_files(pack: Pack) -> dict[str, bytes]:
    """Return the files of a pack's database."""
    collection, parts = _COLLECTIONS[pack.type]
    records = {}
    for document in pack.documents:
        key = f"!{collection}!{document['_id']}"
        below = document.get(parts, [])
        for part in below:
            records[f"!{collection}.{parts}!{document['_id']}.{part['_id']}"] = _json(part)
        records[key] = _json({**document, parts: [part["_id"] for part in below]} if parts else document)
    return database(records)


def source_files(pack: Pack) -> dict[str, bytes]:
    """Return the pack in the form that the official command line tool reads and writes: a JSON file for each document."""
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


def _json(data: Document) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
