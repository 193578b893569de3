"""A whole module for Foundry: from solved games to the files of its folder, and these as an archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from oddsmith.report.answers import Account
from oddsmith.ruleset import canonical, sha256
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.common import generator, played, refuse_twice, roll_tables
from oddsmith.tabletops.foundry.checks import checks
from oddsmith.tabletops.foundry.content import Macro
from oddsmith.tabletops.foundry.documents import (
    Document,
    Pack,
    identifier,
    journal_entry,
    macro,
    pack_files,
    roll_table,
    source_files,
)
from oddsmith.tabletops.foundry.journal import odds_pages, rules_pages
from oddsmith.tabletops.foundry.language import ENGLISH, english, language_file, of_module
from oddsmith.tabletops.foundry.manifest import Options, manifest
from oddsmith.tabletops.foundry.readme import changelog, readme

STYLES = "styles/module.css"
_MACROS = (("open", "Open the table", "tankard"), ("create", "New table", "d20-black"))
_KEPT_MACROS = (
    ("advise", "Ask the advisor", "eye"),
    ("purses", "Open the purses", "coins"),
    ("transcript", "Save the transcript", "book"),
)
"""Of each what it calls, its name and the icon, which Foundry brings; those of game masters apart."""


def build(accounts: Sequence[Account], options: Options, scripts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a module, by path below its folder. ``scripts``: what all modules share, of :func:`shared`.

    Raises UnplayableError, and InputError where a game is there twice.
    """
    rulesets = [each.ruleset for each in accounts]
    refuse_twice(rulesets)
    # Modules of several versions may lie in one world: each has texts of its own, and styles what is its own.
    texts = {ENGLISH: json.loads(scripts[ENGLISH])} | {each.path: each.texts for each in options.languages}
    files = dict(scripts) | {path: language_file(of_module(options.id, each)) for path, each in texts.items()}
    files[STYLES] = files[STYLES].replace(b".oddsmith-", f".oddsmith-{options.id}-".encode())
    for each in accounts:
        files |= played(each)
    packs = _packs(accounts, options)
    for pack in packs:
        files |= {f"packs/{pack.name}/{name}": data for name, data in pack_files(pack).items()}
        if options.pack_source:
            files |= {f"packs/_source/{pack.name}/{name}": data for name, data in source_files(pack).items()}
    files["games.json"] = canonical(_games(rulesets, options))
    files["checks.json"] = canonical(
        {"checks": 1, "plays": [play for each in accounts for play in checks(each)["plays"]]}
    )
    files["module.json"] = (
        json.dumps(manifest(options, rulesets, packs), indent=2, ensure_ascii=False) + "\n"
    ).encode()
    files["README.md"], files["CHANGELOG.md"] = readme(options, rulesets), changelog(options, rulesets)
    return dict(sorted(files.items()))


def shared(foundry: Mapping[str, bytes], runtime: Mapping[str, bytes], licence: bytes) -> dict[str, bytes]:
    """What all modules have alike, by path below the module's folder.

    ``foundry``, ``runtime``: the files of the site's folders of these names; what only checks or serves the site stays
    behind. ``licence``: the text of the project's.
    """
    files = {f"scripts/foundry/{name}": data for name, data in foundry.items() if name.endswith(".mjs")}
    files |= {f"scripts/runtime/{name}": data for name, data in runtime.items() if name.endswith(".mjs")}
    files[ENGLISH] = language_file(english(foundry[ENGLISH], runtime["words/words.mjs"]))
    return files | {STYLES: foundry["module.css"], "LICENSE": licence}


def archive(files: Mapping[str, bytes]) -> bytes:
    """Files as a zip archive, in order and without times: the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            packed.writestr(info, data)
    return stream.getvalue()


def _packs(accounts: Sequence[Account], options: Options) -> list[Pack]:
    """The packs that have something in them."""
    games = [(each, each.ruleset) for each in accounts]
    rules = [journal_entry(options.id, game.id, game.title, rules_pages(each)) for each, game in games]
    odds = [
        journal_entry(options.id, game.id, f"{game.title}: odds and best play", odds_pages(each), "odds")
        for each, game in games
    ]
    tables = [roll_table(options.id, game.id, roll) for each, game in games for roll in roll_tables(each)]
    packs = [
        Pack("rules", "Rules", "JournalEntry", tuple(rules)),
        Pack("odds", "Odds and Best Play", "JournalEntry", tuple(odds), kept=True),
        Pack("tables", "Roll Tables", "RollTable", tuple(tables), kept=True),
        Pack("macros", "Macros", "Macro", _buttons(options, _MACROS)),
        Pack("gm-macros", "Macros for Game Masters", "Macro", _buttons(options, _KEPT_MACROS), kept=True),
    ]
    return [pack for pack in packs if pack.documents]


def _buttons(options: Options, macros: Sequence[tuple[str, str, str]]) -> tuple[Document, ...]:
    api = f'game.modules.get("{options.id}")?.api?'
    return tuple(
        macro(options.id, Macro(verb, name, f"{api}.{verb}()", f"icons/svg/{icon}.svg")) for verb, name, icon in macros
    )


def _games(rulesets: Sequence[Ruleset], options: Options) -> dict[str, Any]:
    """What the module's scripts list, and where they find each game."""
    games = [
        {
            "id": each.id,
            "title": each.title,
            "about": each.summary,
            "rules": sha256(each),
            "book": f"games/{each.id}/play.json",
            "journal": f"Compendium.{options.id}.rules.JournalEntry.{identifier(options.id, 'journal', each.id)}",
            "odds": f"Compendium.{options.id}.odds.JournalEntry.{identifier(options.id, 'odds', each.id)}",
        }
        for each in rulesets
    ]
    return {"format": 1, "generator": generator(), "games": games}
