"""Mod scripts for Roll20: a single file that plays a game in the chat, and a list of its random tables to copy.

``joined_javascript_modules`` joins modules of JavaScript into one script, because Roll20 does not support modules: each
module becomes a function with its own scope. Only these forms are supported, each at the start of a line: ``import {
one, other } from "./file.mjs";``, whose names may be on several lines, and ``export`` before ``function``, ``async
function``, ``class`` or ``const``. Any other import or export is an error.
"""

from __future__ import annotations

import gzip
import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from oddsmith.base.errors import InputError, JoinError, UnplayableError
from oddsmith.base.exact import one_line
from oddsmith.publish.markup import title_text
from oddsmith.publish.pages import play_files
from oddsmith.report.answers import Answer, EstimatedAnswer, RulesetAnswers
from oddsmith.report.english import capital
from oddsmith.ruleset import canonical_bytes, sha256
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.roll_tables import RollTable
from oddsmith.tabletops.shared import generator_name, markdown_line
from oddsmith.tabletops.solved import omitted_distribution_sentences, roll_tables

_IMPORT = re.compile(r'^import \{\s+(\w+(?:,\s+\w+)*),?\s+\} from "(\.[\w./-]+\.mjs)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)  # types in comments look like imports
_OTHER = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*(?:\(|\.).*", re.MULTILINE)


def joined_javascript_modules(modules: Mapping[str, str], entry_path: str) -> str:
    """Return a module and all modules that it imports, directly or not, as one script. Each module comes after those
    that it imports.

    ``modules``: the sources of modules by path. ``entry_path``: the path of the module to begin with. The script holds
    each module as a constant: an object with the exports of the module, under the name that :func:`module_scope_name`
    returns. Raises JoinError.
    """
    done: dict[str, str] = {}
    _join_imports(modules, entry_path, done, ())
    return "\n".join(done.values())


def module_scope_name(path: str) -> str:
    """Return the name of the constant that holds the exports of a module. ``path``: the path of the module."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".mjs"))


def _join_imports(
    modules: Mapping[str, str], path: str, joined: dict[str, str], importing_paths: tuple[str, ...]
) -> None:
    if path in joined:
        return
    if path in importing_paths:
        raise JoinError(
            f"{path} imports itself by way of {' and '.join(importing_paths[importing_paths.index(path) + 1 :]) or 'nothing'}"
        )
    if path not in modules:
        raise JoinError(f"{importing_paths[-1] if importing_paths else 'nothing'} imports {path}, which is not there")
    source = modules[path]
    imports = []
    for listed, target in _IMPORT.findall(source):
        names = re.split(r",\s+", listed)
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        _join_imports(modules, other, joined, (*importing_paths, path))
        if missing := set(names) - set(_EXPORT.findall(modules[other])):
            raise JoinError(f"{path} imports {', '.join(sorted(missing))}, which {other} does not export")
        imports.append(f"const {{ {', '.join(names)} }} = {module_scope_name(other)};")
    exports = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if left := _OTHER.search(_COMMENT.sub("", body)):
        raise JoinError(f"{path}: this form is not known: {left[0].strip()}")
    shown = f"return {{ {', '.join(exports)} }};"
    lines = [f"const {module_scope_name(path)} = (() => {{", *imports, body.rstrip("\n"), shown, "})();", ""]
    joined[path] = "\n".join(lines)


VERSION = "1.0.0"
MAX_TABLE_CHARACTERS = 400_000
"""The greatest number of characters that tables of best play may take in a script."""
_ENTRY = "roll20/main.mjs"
_GIVEN = ("on", "sendChat", "createObj", "findObjs", "getObj", "playerIsGM", "randomInteger", "log")


@dataclass(frozen=True)
class Roll20Mod:
    """A Mod script for Roll20.

    ``files``: its files by name. ``missing_table_notes``: sentences about tables and advice that had to be left out.
    """

    files: dict[str, bytes]
    missing_table_notes: tuple[str, ...]


def build_mod(
    account: RulesetAnswers, site_files: Mapping[str, bytes], licence_text: bytes, user: str = ""
) -> Roll20Mod:
    """Return the Mod script of one game.

    ``site_files``: the files of the project's ``site/``. ``licence_text``: the text of the licence. ``user``: the
    Roll20 user number of the person who submits the script to Roll20's collection; if it is given, the files include
    the ``script.json`` that the collection requires. Raises UnplayableError.
    """
    rules = account.ruleset
    if rules.has_secrets:
        raise UnplayableError(
            f"{rules.id} cannot be played in Roll20: it has secrets, and a chat shows everything to all"
        )
    played = play_files(account)
    if not played:
        raise UnplayableError(
            f"{rules.id} cannot be played in Roll20: {account.main.failure or 'it has no table of best play'}"
        )
    book = json.loads(played["play.json"])
    tables, notes = _tables_by_setting(account, book["settings"], played)
    rolls = roll_tables(account)
    content = {
        "game": rules.id,
        "title": rules.title,
        "rules": sha256(rules),
        "generator": generator_name(),
        "tables": tables,
        "book": book,
        "rolls": [{"name": _table_name(rules.id, each), "items": _texts_with_weights(each)} for each in rolls],
    }
    script = f"oddsmith-{rules.id}.js"
    notes += [f"No random table: {reason}" for reason in omitted_distribution_sentences(account)]
    files = {
        script: _script_text(content, site_files).encode(),
        "tables.txt": _table_list(rules.id, rolls).encode(),
        "README.md": _readme(account, script, notes).encode(),
        "LICENSE": licence_text,
    }
    if user:
        about = _script_json_data(rules, script, user)
        files["script.json"] = (json.dumps(about, indent=2, ensure_ascii=False) + "\n").encode()
    return Roll20Mod(files, tuple(notes))


def check_user_name(user: str) -> None:
    """Raise InputError unless a text is a user number of Roll20."""
    if not re.fullmatch(r"[0-9]{1,20}", user):
        raise InputError(f"{user[:40]!r} is no user of Roll20: give the number of a profile, such as 123456")


def _tables_by_setting(
    account: RulesetAnswers, settings: Sequence[dict[str, Any]], files: Mapping[str, bytes]
) -> tuple[dict[str, str], list[str]]:
    """Return the tables of best play that fit into a script, as text by the slug of the setting, and sentences about
    the settings without a table.

    ``settings``: settings as plain data. ``files``: the tables by path.
    """
    tables: dict[str, str] = {}
    notes = []
    known: list[Answer | EstimatedAnswer] = [*account.answers, *account.estimates]
    names = {answer.slug: capital(account.difference_words(answer) or "the usual game") for answer in known}
    for setting in settings:
        if setting["policy"] is None:
            notes.append(f"{names[setting['slug']]}: too large to be solved, so there are no odds and no advice.")
            continue
        text = b64encode(gzip.decompress(files[setting["policy"]])).decode()
        if sum(map(len, tables.values())) + len(text) <= MAX_TABLE_CHARACTERS:
            tables[setting["slug"]] = text
        else:
            notes.append(
                f"{names[setting['slug']]}: the table of best play is too large, so non-players do not use it there."
            )
    return tables, notes


def _script_text(content: Mapping[str, Any], site_files: Mapping[str, bytes]) -> str:
    modules = {name: data.decode() for name, data in site_files.items() if name.endswith(".mjs")}
    data = json.dumps(
        canonical_bytes(content).decode()
    )  # as a text, so that no name in it means anything to JavaScript
    return _SCRIPT.format(
        generator=generator_name(),
        modules=joined_javascript_modules(modules, _ENTRY),
        decoder=module_scope_name("roll20/bytes.mjs"),
        main=module_scope_name(_ENTRY),
        data=data,
        given=", ".join(_GIVEN),
    )


def _table_name(game_id: str, table: RollTable) -> str:
    """Return the name of a random table. It has no spaces, because ``/roll 1t[...]`` does not accept them."""
    return f"{game_id}-{table.slug}"


def _texts_with_weights(table: RollTable) -> list[tuple[str, int]]:
    """Return the texts of a random table with their weights, which are the smallest whole numbers in the same ratio."""
    common = gcd(*(line.weight for line in table.lines))
    return [(line.text, line.weight // common) for line in table.lines]


def _table_list(game_id: str, tables: Sequence[RollTable]) -> str:
    """Return a text for game masters who cannot use Mod scripts: what to type into each random table, with the weight
    first.
    """
    parts = ["Random tables for Roll20. Make a table of each name, and give it these items with these weights.\n"]
    for table in tables:
        rows = [f"{weight}\t{one_line(text)}" for text, weight in _texts_with_weights(table)]
        about = one_line(f"{table.title}. {table.about}")
        parts.append("\n".join([_table_name(game_id, table), about, "Weight\tItem", *rows]) + "\n")
    return "\n".join(parts)


def _script_json_data(rules: Ruleset, script: str, user: str) -> dict[str, Any]:
    """Return the content of ``script.json``, which Roll20's collection of scripts requires, as plain data. The
    collection shows only its description.
    """
    named, game = title_text(rules.title), rules.id
    description = (
        f"{named}: {title_text(rules.summary)} A game for the chat, with non-players that play as well as you say, and with"
        f" exact random tables. !oddsmith {game} shows the table, or how to open one. !oddsmith {game} open SEATS NAME=VALUE"
        f" opens one at any setting that the rules allow. !oddsmith {game} more has the rest for the game master: advice, take"
        " back, transcript, random tables, seats, close. Buttons on the cards do the same."
    )
    return {
        "name": f"{named} (Oddsmith)",
        "script": script,
        "version": VERSION,
        "previousversions": [],
        "description": description,
        "authors": "Oddsmith",
        "roll20userid": user,
        "useroptions": [],
        "dependencies": [],
        "modifies": {"state.Oddsmith": "read, write", "rollabletable": "read, write", "handout": "read, write"},
        "conflicts": [],
    }


def _readme(account: RulesetAnswers, script: str, notes: Sequence[str]) -> str:
    rules = account.ruleset
    source = rules.data.get("source", {})
    licence = f"Licence of the game: {markdown_line(source['licence'])}\n\n" if "licence" in source else ""
    left = "## Left out\n\n" + "\n".join(f"- {markdown_line(note)}" for note in notes) + "\n\n" if notes else ""
    return _README.format(
        title=markdown_line(rules.title),
        game=rules.id,
        script=script,
        left=left,
        licence=licence,
        generator=generator_name(),
    )


_SCRIPT = """\
// A dice game for the chat of Roll20, written by {generator}. The MIT licence of the program is in LICENSE.
(() => {{
"use strict";
{modules}
const {{ TextDecoder }} = {decoder};
{main}.listenToChat(JSON.parse({data}), {{ {given}, state: () => state }});
}})();
"""
_README = """\
# {title}, for Roll20

`{script}` is a Mod script. In the settings of your game, under Mod (API) Scripts, make a new script and paste the whole file
into it. The creator of the game needs a Pro account for that. Then say `!oddsmith {game}` in the chat. Buttons do the rest.

`tables.txt` lists the random tables for game masters without Mods. Make each by hand from its items and weights. With the
script, `!oddsmith {game} tables` makes them.

| Command | Does |
|---|---|
| `!oddsmith {game}` | shows the table, or how to open one |
| `!oddsmith {game} open SEATS NAME=VALUE` | for the game master: opens a table at any setting; the card says what you can set |
| `!oddsmith {game} more` | for the game master: advice, take back, transcript, random tables, seats, close |

A setting that was not solved has no odds and no advice, and its non-players play in a way that the rules name, or at random.

Roll20 rolls the dice and says who sent a command. The script keeps the table in `state.Oddsmith`, so the table is there again
after a restart.

{left}We tested the script in a stand-in for Roll20's sandbox, and not in Roll20 itself. It needs a sandbox of Node 18 or later.

{licence}Written by {generator}.
"""
