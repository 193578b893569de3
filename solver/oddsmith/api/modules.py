"""Modules for Foundry Virtual Tabletop: what suits the games that they hold, and the module beside a game's page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.base.errors import UnplayableError
from oddsmith.base.files import folder_files, joined_head, zipped
from oddsmith.base.resources import PACKAGE, data_folder, licence

if TYPE_CHECKING:
    from oddsmith.report.answers import RulesetAnswers
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.tabletops.foundry import GameContent, ModuleOptions


LARGE = 2**20
"""Bytes of a table of best play, beyond which a module of all games leaves it to the module of its game."""
FIRST = "1.0.0"
"""The version of a module that was given none."""


@dataclass(frozen=True)
class Delivery:
    """How modules beside pages reach people. ``url``: where the site will be; then a module can be installed and kept up to
    date by the address of its manifest. ``version``: the least of a module. ``before``: a file of the pages as they were
    published last, by its path below their folder; None where there was none.
    """

    url: str = ""
    version: str = FIRST
    before: Callable[[str], bytes | None] = lambda _: None


PLAIN = Delivery()


def archives(each: RulesetAnswers, how: Delivery = PLAIN) -> dict[str, bytes]:
    """A game as a module of its own, for download beside its page; nothing where no module can play it.

    With an address, a module has the version that it had before if its bytes are the same, and else the next one.
    """
    from oddsmith.tabletops.foundry import build, solved

    try:
        games = [solved(each)]
    except UnplayableError:
        return {}
    folder = f"games/{each.ruleset.id}"
    return _archived(folder, beside(each.ruleset, how), how, lambda options: build(games, options, scripts()))


def tavern_archive(accounts: Sequence[RulesetAnswers], how: Delivery = PLAIN) -> dict[str, bytes]:
    """The module with all games of a site that a table can play, by path below its root: as an archive by the same name in
    every version, and as those beside pages are. Nothing where there is no such game.
    """
    from oddsmith.publish.pages import TAVERN
    from oddsmith.tabletops.foundry import build

    playable = [each for each in accounts if each.ruleset.keeps_secrets_apart]
    found = [_held(each) for each in sorted(playable, key=lambda each: each.ruleset.id)]
    if not found:
        return {}
    options = options_for([each.ruleset for each in found], _given("games", how))
    options = replace(options, id="oddsmith-games", title="Tavern Games")
    made = _archived("games", options, how, lambda options: build(found, options, scripts()))
    files = {f"games/{path}": data for path, data in made.items()}
    return files | {TAVERN: next(data for path, data in files.items() if path.endswith(".zip"))}


def _held(each: RulesetAnswers) -> GameContent:
    """What a module of many games has of one: no table of best play that is very large."""
    from oddsmith.tabletops.foundry import solved, unsolved

    try:
        return solved(each, LARGE)
    except UnplayableError:
        return unsolved(each.ruleset)


def odds_archive(how: Delivery = PLAIN) -> dict[str, bytes]:
    """The module that tells the odds of any roll, for download beside the page of any roll, by path below its folder."""
    from oddsmith.tabletops.foundry import build_odds

    return _archived(
        "roll", odds_options(_given("roll", how)), how, lambda options: build_odds(options, odds_scripts())
    )


def _archived(
    folder: str, options: ModuleOptions, how: Delivery, make: Callable[[ModuleOptions], dict[str, bytes]]
) -> dict[str, bytes]:
    """A module as an archive, and its manifest where it has an address. ``folder``: of the page beside which it lies."""
    last = _last(how.before(f"{folder}/{_manifest(options)}"), how.version) if how.url else None
    files = make(options := replace(options, version=last or how.version))
    if last and zipped(files) != how.before(f"{folder}/foundry/{options.archive}"):
        files = make(options := replace(options, version=_next(last)))
    if not how.url:
        return {f"foundry/{options.id}.zip": zipped(files)}
    return {f"foundry/{options.archive}": zipped(files), _manifest(options): files["module.json"]}


def _manifest(options: ModuleOptions) -> str:
    return f"foundry/{options.id}/module.json"


def _last(manifest: bytes | None, least: str) -> str | None:
    """The version that a manifest names, if Foundry does not take it for an older one than ``least``."""
    try:
        version = json.loads(manifest or b"{}").get("version")
        return version if _numbers(version) >= _numbers(least) else None
    except (ValueError, TypeError, AttributeError):  # it is no manifest of ours
        return None


def _numbers(version: str) -> list[int]:
    from oddsmith.tabletops.foundry import VERSION

    found = VERSION.fullmatch(version)
    if not found:
        raise ValueError(version)
    return [int(part) for part in found[1].split(".")]


def _next(version: str) -> str:
    *first, last = _numbers(version)
    return ".".join(map(str, [*first, last + 1]))


def beside(game: Ruleset, how: Delivery) -> ModuleOptions:
    """What a module beside the page of its game says of itself. Raises InputError where an address or a version is none."""
    return options_for([game], _given(f"games/{game.id}", how))


def _given(folder: str, how: Delivery) -> dict[str, str]:
    """What a module beside a page says of its version, and of its address where it has one. ``folder``: that of the page."""
    page = f"{how.url.rstrip('/')}/{folder}/"
    return {"version": how.version} | ({"url": f"{page}foundry", "page": page} if how.url else {})


def options_for(games: Sequence[Ruleset], given: Mapping[str, Any]) -> ModuleOptions:
    """What was asked for, and else what suits the games."""
    from oddsmith.tabletops.foundry import LONGEST, ModuleOptions

    one = games[0] if len(games) == 1 else None
    name, title = (f"oddsmith-{one.id}", one.title[:LONGEST]) if one else ("oddsmith-games", "Tavern Games")
    asked = {key: value for key, value in given.items() if value not in (None, ())}
    return ModuleOptions(**{"id": name, "title": title} | asked)


@cache
def scripts() -> dict[str, bytes]:
    """What all modules share, as it comes with the program: their scripts joined to one, where ``make bundle`` joined them."""
    from oddsmith.tabletops.foundry import shared

    site = data_folder("site")
    return shared(folder_files(site / "foundry"), folder_files(site / "runtime"), licence(), bundled("foundry.js"))


def bundled(name: str) -> bytes:
    """Scripts that ``make bundle`` joined to one; nothing where it did not, as git does not have them."""
    return folder_files(data_folder("site") / "bundled").get(name, b"")


def bundle_head() -> str:
    """The first line of the scripts of modules when they are joined to one: which ones they are."""
    from oddsmith.tabletops.foundry import bundle_head

    site = data_folder("site")
    return bundle_head(folder_files(site / "foundry"), folder_files(site / "runtime")).decode().strip()


def roll_scripts() -> dict[str, bytes]:
    """The scripts that answer any roll, by the names of their files."""
    return folder_files(data_folder("site") / "rolls", ("*.mjs",))


def rolls_head() -> str:
    """The first line of the scripts that answer any roll, when they are joined to one."""
    return joined_head(roll_scripts()).decode().strip()


def lean_roll_scripts() -> dict[str, bytes]:
    """The scripts that answer any roll, joined to one and minified where ``make bundle`` joined these."""
    made = roll_scripts()
    joined = bundled("rolls.js")
    return {"answer.mjs": joined} if joined.startswith(joined_head(made)) else made


def roll_grammars() -> dict[str, bytes]:
    """The grammars of questions about rolls, as small as scripts can read them, by the names of their files."""
    from oddsmith.rolls import lean

    found = folder_files(PACKAGE / "rolls", ("*.peg",))
    return {name: lean(data.decode()).encode() for name, data in found.items()}


@cache
def odds_scripts() -> dict[str, bytes]:
    """What every module of odds shares, as it comes with the program."""
    from oddsmith.tabletops.foundry import odds_shared

    site = data_folder("site")
    rolls = folder_files(site / "rolls") | roll_grammars()
    return odds_shared(folder_files(site / "odds"), rolls, licence())


def odds_options(given: Mapping[str, Any]) -> ModuleOptions:
    """What was asked for of the module that tells the odds of any roll, and else its own name."""
    from oddsmith.tabletops.foundry import ModuleOptions

    asked = {key: value for key, value in given.items() if value not in (None, ())}
    return ModuleOptions(**{"id": "oddsmith-odds", "title": "Oddsmith Odds"} | asked)
