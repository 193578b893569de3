"""A whole module for Foundry: from the games that it holds to the files of its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from oddsmith.ruleset import canonical, sha256
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.common import generator, refuse_twice
from oddsmith.tabletops.foundry.content import Content, Macro
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


def build(games: Sequence[Content], options: Options, scripts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a module, by path below its folder. ``scripts``: what all modules share, of :func:`shared`.

    Raises InputError where a game is there twice.
    """
    rulesets = [each.ruleset for each in games]
    refuse_twice(rulesets)
    # Modules of several versions may lie in one world: each has texts of its own, and styles what is its own.
    texts = {ENGLISH: json.loads(scripts[ENGLISH])} | {each.path: each.texts for each in options.languages}
    files = dict(scripts) | {path: language_file(of_module(options.id, each)) for path, each in texts.items()}
    files[STYLES] = files[STYLES].replace(b".oddsmith-", f".oddsmith-{options.id}-".encode())
    for game in games:
        files |= game.files
    packs = _packs(games, options)
    for pack in packs:
        files |= {f"packs/{pack.name}/{name}": data for name, data in pack_files(pack).items()}
        if options.pack_source:
            files |= {f"packs/_source/{pack.name}/{name}": data for name, data in source_files(pack).items()}
    files["games.json"] = canonical(_games(rulesets, options))
    files["checks.json"] = canonical({"checks": 1, "plays": [play for each in games for play in each.plays]})
    files["module.json"] = (json.dumps(manifest(options, games, packs), indent=2, ensure_ascii=False) + "\n").encode()
    files["README.md"], files["CHANGELOG.md"] = readme(options, games), changelog(options, rulesets)
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


def _packs(games: Sequence[Content], options: Options) -> list[Pack]:
    """The packs that have something in them."""
    named = [(each, each.ruleset.id, each.ruleset.title) for each in games]
    rules = [journal_entry(options.id, name, title, each.rules) for each, name, title in named]
    odds = [
        journal_entry(options.id, name, f"{title}: odds and best play", each.odds, "odds")
        for each, name, title in named
    ]
    tables = [roll_table(options.id, name, roll) for each, name, _ in named for roll in each.tables]
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
