"""What a module says of itself to somebody who opens its folder: how to install it, what was tested, whose games these are."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.ruleset import Ruleset, sha256
from oddsmith.tabletops.common import generator, plain
from oddsmith.tabletops.foundry.manifest import Options


def readme(options: Options, rulesets: Sequence[Ruleset]) -> bytes:
    """``README.md``."""
    install = _BY_URL.format(address=options.address) if options.url else _BY_FOLDER
    games = "\n\n".join(map(_game, rulesets))
    text = _TEXT.format(title=plain(options.title), id=options.id, install=install, games=games, generator=generator())
    return text.encode()


def changelog(options: Options, rulesets: Sequence[Ruleset]) -> bytes:
    """``CHANGELOG.md``: of this version only, for nothing here knows others."""
    lines = [f"- {plain(each.title)}, rules {sha256(each)}" for each in rulesets]
    return "\n".join([f"# {options.version}", "", f"Written by {generator()}.", "", *lines, ""]).encode()


def _game(rules: Ruleset) -> str:
    source = rules.data.get("source", {})
    lines = [f"### {plain(rules.title)}", "", plain(rules.summary), ""]
    lines += [f"- {name.capitalize()}: {plain(source[name])}" for name in _SOURCE if name in source]
    lines.append(f"- Rules: `{rules.id}`, SHA-256 `{sha256(rules)}`")
    return "\n".join(lines)


_SOURCE = ("title", "author", "year", "licence", "url", "note")
_BY_URL = "In Foundry, under Add-on Modules, choose Install Module and give it the address {address}module.json."
_BY_FOLDER = "Copy this folder to `Data/modules` in the user data of Foundry, and start Foundry again."
_TEXT = """\
# {title}

A module for Foundry Virtual Tabletop, version 13 or later, for every game system, with or without a scene: dice games to
play at the table, journals with their rules, exact odds and best play, tables to roll on, and macros.

## Install

{install} Then enable the module in a world.

A game master opens a table by the button among the token controls, by `/oddsmith` in the chat or by a macro of the pack
Macros. The scripts load nothing from elsewhere and send nothing anywhere.

## In another language

Translate `lang/en.json` into a file that is named after its language, `de.json` for instance, and write the module again with
`oddsmith foundry --lang de.json`. A file that is put here by hand is lost when the module is written again. What the rulesets
say of their games stays as it is.

## What was tested

Nothing was tried in a licensed Foundry, so the manifest names no verified version. The packs were read with LevelDB and with
Foundry's own command line tool. The scripts ran against a stand-in for Foundry with several clients, and their types are
checked against our own account of what they use of Foundry, and against the types of Foundry 13 that its community publishes.
How Foundry cleans HTML, its themes, its real sockets and 3D dice remain untried.

The odds are another matter: each is exact or proven, and says which. `checks.json` holds plays by which the module tests
itself against the engine that solved the games.

## The games

{games}

## Licences

The scripts are under the licence in `LICENSE`. The words on the games come from their rulesets; who wrote the games, and under
which licence, stands above and in each journal. Numbers and tables are computed. There are no pictures but icons that Foundry
brings. Foundry has a policy on what packages may contain: read it before you list this one anywhere.

Written by {generator}. The folder `{id}` must keep its name.
"""
