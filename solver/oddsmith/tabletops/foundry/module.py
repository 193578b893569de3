"""Build the files of a module for Foundry from its content about games.

The readme of a module says how to install it, what was tested, and who wrote the games.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from oddsmith.base.files import joined_scripts_header
from oddsmith.ruleset import canonical_bytes, sha256
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.foundry.art import (
    COVER_FILE,
    ICON_FILE,
    files_with_rasters,
    foundry_path,
    game_icon_path,
    game_icon_svg,
    module_cover_svg,
    module_icon_svg,
    roll_table_icon_path,
    roll_table_icon_svg,
)
from oddsmith.tabletops.foundry.documents import (
    Document,
    GameContent,
    Known,
    Macro,
    Pack,
    document_id,
    journal_document,
    macro_document,
    pack_database_files,
    pack_source_files,
    roll_table_document,
)
from oddsmith.tabletops.foundry.language import (
    ENGLISH,
    english_texts,
    language_file_json,
    module_texts,
    translation_files,
    with_shipped_translations,
)
from oddsmith.tabletops.foundry.manifest import ModuleOptions, games_module_manifest, least_knowledge_of_games
from oddsmith.tabletops.shared import generator_name, markdown_line, refuse_equal_ids


def readme_file(options: ModuleOptions, games: Sequence[GameContent]) -> bytes:
    """Return the ``README.md`` of a module."""
    install = INSTALL_BY_URL.format(address=options.address) if options.url else INSTALL_BY_FOLDER
    listed = "\n\n".join(_readme_section_of_game(each.ruleset) for each in games)
    brings, odds = _KNOWN[least_knowledge_of_games(games)]
    titles = ", ".join(markdown_line(each.ruleset.title) for each in games)
    text = _TEXT.format(
        title=markdown_line(options.title), titles=titles, id=options.id, install=install, brings=brings, odds=odds,
        games=listed, generator=generator_name(),
    )  # fmt: skip
    return text.encode()


def changelog_file(options: ModuleOptions, rulesets: Sequence[Ruleset]) -> bytes:
    """Return the ``CHANGELOG.md`` of a module. It has only the present version, because others are not known."""
    lines = [f"- {markdown_line(each.title)}, rules {sha256(each)}" for each in rulesets]
    return "\n".join([f"# {options.version}", "", f"Written by {generator_name()}.", "", *lines, ""]).encode()


def _readme_section_of_game(rules: Ruleset) -> str:
    source = rules.data.get("source", {})
    lines = [f"### {markdown_line(rules.title)}", "", markdown_line(rules.summary), ""]
    lines += [f"- {words}: {markdown_line(source[name])}" for name, words in _SOURCE.items() if name in source]
    lines.append(f"- Rules: `{rules.id}`, SHA-256 `{sha256(rules)}`")
    return "\n".join(lines)


_SOURCE = {
    "title": "Source",
    "author": "Author",
    "year": "Year",
    "licence": "Licence",
    "url": "Address",
    "note": "Note",
}
"""The words of a readme for each key of a source."""
INSTALL_BY_URL = "In Foundry, under Add-on Modules, choose Install Module and give it the address {address}module.json."
INSTALL_BY_FOLDER = "Copy this folder to `Data/modules` in the user data of Foundry, and start Foundry again."
_BRINGS = """\
brings dice games to play at the table, journals with their rules, exact odds and best play, tables to roll on, and macros."""
_CHECKS = "`checks.json` holds games with which the module tests itself against the engine that solved them."
_KNOWN: dict[Known, tuple[str, str]] = {
    "solved": (_BRINGS, f"The odds do not depend on Foundry: each is exact or proven, and says which.\n{_CHECKS}"),
    "estimated": (
        _BRINGS,
        f"""\
The odds do not depend on Foundry. Each is exact, proven, or estimated where a game is too large to be solved, and says which.
{_CHECKS}""",
    ),
    "nothing": (
        "brings dice games to play at the table, journals with their rules, tables to roll on, and macros.",
        "The games were not solved, so there are no odds, no best play and no advice. `oddsmith foundry` adds them.",
    ),
}
_TEXT = """\
# {title}

This is a module for Foundry Virtual Tabletop, version 13 or later. It works in every game system, with or without a scene. It
{brings}

- Games: {titles}.
- Seats belong to players, to tokens, or to non-players that play as well as you choose.
- The game master's Foundry rolls the dice, in the chat, and keeps a record of every move. Moves can be taken back.
- Stakes are chips. A setting pays them in coins of Item Piles, D&D 5e or Pathfinder 2e, or in a number of the actor.
- Nothing else is required. Dice So Nice rolls the dice in 3D if it is there.
- The scripts load nothing from elsewhere and send nothing anywhere.

## Install

{install} Then enable the module in a world.

## Play

1. Click the dice among the token controls, type `/oddsmith` in the chat, or use a macro of the pack Macros.
2. Choose a game under *Quick game*, or *New table* for a table with seats and a stake of your own.
3. Players press *Join* on the card in the chat. The game master starts the game. Whoever is to move has buttons.
4. The journals have the rules of each game, and a second one for the game master has its line to remember and its odds.

## In another language

The module speaks English, German and French, as the world does. For another language, or for words of your own, translate
`lang/en.json` into a file that is named after its language, such as `es.json`. Then write the module again with
`oddsmith foundry --lang es.json`. Do not put the file here by hand: it is lost when the module is written again. The texts of
the rulesets stay as they are.

## What was tested

We did not test the module in a licensed Foundry, so the manifest names no verified version. We read the packs with LevelDB
and with Foundry's own command line tool. The scripts ran in a stand-in for Foundry with several clients. Their types are
checked against our own description of what they use of Foundry, and against the types of Foundry 13 that its community
publishes. We did not test how Foundry cleans HTML, its themes, its real sockets, and 3D dice.

{odds}

## The games

{games}

## Licences

The scripts are under the licence in `LICENSE`. The texts about the games come from their rulesets. The list above and each
journal say who wrote a game, and under which licence. Numbers and tables are computed. The pictures in `art` are drawn by the
same program, from the rules and the chances; other icons are Foundry's own. Foundry has a policy on what packages may contain.
Read it before you list this package anywhere.

Written by {generator}. The folder `{id}` must keep its name.
"""


STYLES = "styles/module.css"
ENTRY = "scripts/foundry/main.mjs"
"""The script that Foundry loads first."""
_MACROS = (("open", "Open the table", "tankard"),)
_KEPT_MACROS = (
    ("advise", "Ask the advisor", "eye"),
    ("purses", "Open the purses", "coins"),
    ("transcript", "Save the transcript", "book"),
)
"""The macros for game masters; those for players are in ``_MACROS``. Each has the function to call, its name, and an
icon of Foundry. There is one more macro for each game.
"""


def build_games_module(
    games: Sequence[GameContent],
    options: ModuleOptions,
    scripts: Mapping[str, bytes],
    rasters: Mapping[str, bytes] = MappingProxyType({}),
) -> dict[str, bytes]:
    """Return the files of a module, by path below its folder.

    ``scripts``: the files of :func:`games_module_shared_files`. ``rasters``: pictures as WebP files, by the name that
    ``raster_file_name`` gives.

    Raises InputError if two rulesets have the same id.
    """
    rulesets = [each.ruleset for each in games]
    refuse_equal_ids(rulesets)
    options, files = options_and_scripts_with_translations(options, scripts)
    for game in games:
        files |= game.files | _icon_files(game)
    art = files_with_rasters(module_pictures(options.title, rulesets), rasters)
    files |= dict(art.values())
    packs = _make_packs(games, options)
    for pack in packs:
        files |= {f"packs/{pack.name}/{name}": data for name, data in pack_database_files(pack).items()}
        if options.pack_source:
            files |= {f"packs/_source/{pack.name}/{name}": data for name, data in pack_source_files(pack).items()}
    files["games.json"] = canonical_bytes(_game_list_data(rulesets, options))
    files["checks.json"] = canonical_bytes(
        {"checks": 1, "plays": [play for each in games for play in each.self_test_games]}
    )
    files["module.json"] = (
        json.dumps(
            games_module_manifest(options, games, packs, art[COVER_FILE][0], art[ICON_FILE][0]),
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    ).encode()
    files["README.md"], files["CHANGELOG.md"] = readme_file(options, games), changelog_file(options, rulesets)
    return dict(sorted(files.items()))


def module_pictures(heading: str, rulesets: Sequence[Ruleset]) -> dict[str, bytes]:
    """Return the cover and the icon of a module as SVG files, by path below its folder."""
    return {COVER_FILE: module_cover_svg(heading, rulesets), ICON_FILE: module_icon_svg(rulesets)}


def options_and_scripts_with_translations(
    options: ModuleOptions, scripts: Mapping[str, bytes]
) -> tuple[ModuleOptions, dict[str, bytes]]:
    """Return the options with all translations added, and the shared files as one module needs them, by path.

    The id of the module is put into the keys of texts and the classes of styles, because a world may contain several
    modules of different versions. ``scripts``: the files that all modules share.
    """
    options = replace(options, languages=with_shipped_translations(options.languages, scripts))
    texts = {ENGLISH: json.loads(scripts[ENGLISH])} | {each.path: each.texts for each in options.languages}
    files = dict(scripts) | {path: language_file_json(module_texts(options.id, each)) for path, each in texts.items()}
    files[STYLES] = files[STYLES].replace(b".oddsmith-", f".oddsmith-{options.id}-".encode())
    return options, files


def games_module_shared_files(
    foundry_scripts: Mapping[str, bytes], runtime_scripts: Mapping[str, bytes], licence_text: bytes, bundle: bytes = b""
) -> dict[str, bytes]:
    """Return the files that are the same in all modules, by path below the module's folder.

    ``foundry_scripts``, ``runtime_scripts``: the files in the site's folders of these names, of which only scripts,
    texts and styles are used. ``licence_text``: the text of the project's licence. ``bundle``: a file of joined
    scripts. It replaces the scripts, unless it was made from another version of them.
    """
    files = _module_scripts(foundry_scripts, runtime_scripts)
    if bundle.startswith(bundle_first_line(foundry_scripts, runtime_scripts)):
        files = {ENTRY: bundle}
    files |= translation_files(foundry_scripts)
    files[ENGLISH] = language_file_json(english_texts(foundry_scripts[ENGLISH], runtime_scripts["words/words.mjs"]))
    return files | {STYLES: foundry_scripts["module.css"], "LICENSE": licence_text}


def _icon_files(game: GameContent) -> dict[str, bytes]:
    """Return the icons of a game and of its roll tables, by path."""
    rules = game.ruleset
    tables = {roll_table_icon_path(rules.id, each): roll_table_icon_svg(rules, each) for each in game.tables}
    return {game_icon_path(rules.id): game_icon_svg(rules), **tables}


def bundle_first_line(foundry_scripts: Mapping[str, bytes], runtime_scripts: Mapping[str, bytes]) -> bytes:
    """Return the first line of the file of joined scripts, which identifies the scripts that were joined."""
    return joined_scripts_header(_module_scripts(foundry_scripts, runtime_scripts))


def _module_scripts(foundry_scripts: Mapping[str, bytes], runtime_scripts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the scripts of a module by path below its folder."""
    rooms = {"foundry": foundry_scripts, "runtime": runtime_scripts}
    return {
        f"scripts/{room}/{name}": data
        for room, files in rooms.items()
        for name, data in files.items()
        if name.endswith(".mjs")
    }


def _make_packs(games: Sequence[GameContent], options: ModuleOptions) -> list[Pack]:
    """Return the compendium packs of a module. Empty packs are left out."""
    named = [(each, each.ruleset.id, each.ruleset.title) for each in games]
    rules = [journal_document(options.id, name, title, each.rules) for each, name, title in named]
    odds = [
        journal_document(options.id, name, f"{title}: odds and best play", each.odds, "odds")
        for each, name, title in named
    ]
    tables = [roll_table_document(options.id, name, roll) for each, name, _ in named for roll in each.tables]
    packs = [
        Pack("rules", "Rules", "JournalEntry", tuple(rules)),
        Pack("odds", "Odds and Best Play", "JournalEntry", tuple(odds), hidden_from_players=True),
        Pack("tables", "Roll Tables", "RollTable", tuple(tables), hidden_from_players=True),
        Pack(
            "macros", "Macros", "Macro", (*_macro_documents(options, _MACROS), *_game_macro_documents(options, games))
        ),
        Pack(
            "gm-macros",
            "Macros for Game Masters",
            "Macro",
            _macro_documents(options, _KEPT_MACROS),
            hidden_from_players=True,
        ),
    ]
    return [pack for pack in packs if pack.documents]


def _macro_documents(options: ModuleOptions, macro_texts: Sequence[tuple[str, str, str]]) -> tuple[Document, ...]:
    """Return a macro as a document for each of ``macro_texts``: triples of the name of a function of the module, a
    title, and the name of an icon.
    """
    return tuple(
        macro_document(
            options.id, Macro(verb, name, f"{_api_javascript_expression(options)}.{verb}()", f"icons/svg/{icon}.svg")
        )
        for verb, name, icon in macro_texts
    )


def _game_macro_documents(options: ModuleOptions, games: Sequence[GameContent]) -> tuple[Document, ...]:
    """Return a macro for each game as a document. The macro opens the table at which the game is played. If there is
    none, it opens a new table.
    """
    rulesets = [each.ruleset for each in games]
    return tuple(
        macro_document(
            options.id,
            Macro(
                f"open/{each.id}",
                each.title,
                f'{_api_javascript_expression(options)}.open("{each.id}")',
                foundry_path(options.id, game_icon_path(each.id)),
            ),
        )
        for each in rulesets
    )


def _api_javascript_expression(options: ModuleOptions) -> str:
    return f'game.modules.get("{options.id}")?.api?'


def _game_list_data(rulesets: Sequence[Ruleset], options: ModuleOptions) -> dict[str, Any]:
    """Return the list of games that the module's scripts read, as plain data: the texts and the paths of each game."""
    games = [
        {
            "id": each.id,
            "title": each.title,
            "about": each.summary,
            "seats": list(each.seats[:2]),
            "rules": sha256(each),
            "book": f"games/{each.id}/play.json",
            "icon": game_icon_path(each.id),
            "journal": f"Compendium.{options.id}.rules.JournalEntry.{document_id(options.id, 'journal', each.id)}",
            "odds": f"Compendium.{options.id}.odds.JournalEntry.{document_id(options.id, 'odds', each.id)}",
        }
        for each in rulesets
    ]
    return {"format": 1, "generator": generator_name(), "games": games}
