"""The readme and the changelog in a module's folder: how to install it, what was tested, whose games these are."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.ruleset import sha256
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.common import generator, plain
from oddsmith.tabletops.foundry.content import Content
from oddsmith.tabletops.foundry.manifest import Options


def readme(options: Options, games: Sequence[Content]) -> bytes:
    """``README.md``."""
    install = _BY_URL.format(address=options.address) if options.url else _BY_FOLDER
    listed = "\n\n".join(_game(each.ruleset) for each in games)
    brings, odds = _SOLVED if all(each.solved for each in games) else _UNSOLVED
    text = _TEXT.format(
        title=plain(options.title), id=options.id, install=install, brings=brings, odds=odds, games=listed,
        generator=generator(),
    )  # fmt: skip
    return text.encode()


def changelog(options: Options, rulesets: Sequence[Ruleset]) -> bytes:
    """``CHANGELOG.md``: of this version only, because nothing here knows others."""
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
_SOLVED = (
    """\
brings dice games to play at the table, journals with their rules, exact odds and best play, tables to roll on, and macros.""",
    """\
The odds do not depend on Foundry: each is exact or proven, and says which. `checks.json` holds games with which the module
tests itself against the engine that solved them.""",
)
_UNSOLVED = (
    "brings dice games to play at the table, journals with their rules, tables to roll on, and macros.",
    "The games were not solved, so there are no odds, no best play and no advice. `oddsmith foundry` adds them.",
)
_TEXT = """\
# {title}

This is a module for Foundry Virtual Tabletop, version 13 or later. It works in every game system, with or without a scene. It
{brings}

## Install

{install} Then enable the module in a world.

A game master opens a table with the button among the token controls, with `/oddsmith` in the chat, or with a macro of the
pack Macros. The scripts load nothing from elsewhere and send nothing anywhere.

## In another language

Translate `lang/en.json` into a file that is named after its language, such as `de.json`. Then write the module again with
`oddsmith foundry --lang de.json`. Do not put the file here by hand: it is lost when the module is written again. The texts of
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
journal say who wrote a game, and under which licence. Numbers and tables are computed. The only pictures are icons of Foundry
itself. Foundry has a policy on what packages may contain. Read it before you list this package anywhere.

Written by {generator}. The folder `{id}` must keep its name.
"""
