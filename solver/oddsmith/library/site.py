"""The pages of games as files: all that a site needs, as bytes by path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.errors import SettingError
from oddsmith.files import Folder, folder_files, own_key
from oddsmith.library.modules import PLAIN, Delivery, archives, beside
from oddsmith.resources import data_folder

if TYPE_CHECKING:
    from oddsmith.report.answers import Progress, Store
    from oddsmith.ruleset.model import Ruleset

_ROOMS = ("link", "page", "room", "runtime", "vendor")
"""Of the scripts in ``site/``, those of a site."""


def kept_answers(folder: Path) -> Store:
    """The answers that are kept in a folder, by the key of whoever runs this program."""
    from oddsmith.report.answers import Store

    return Store(Folder(folder), own_key())


def site_pages(
    games: Sequence[Ruleset],
    docs: Mapping[str, bytes] | None = None,
    report: Progress | None = None,
    full: bool = False,
    store: Path | None = None,
    modules: Delivery = PLAIN,
) -> dict[str, bytes]:
    """The pages of games with their data and modules, and the engine that plays them, by path below the pages' folder.

    ``docs``: written pages that go along; ``full``: with what the rulesets list under ``full``; ``store``: where answers are
    kept.
    """
    from oddsmith.publish import publish
    from oddsmith.publish.pages import SCRIPTS, TABLE

    beside(games[0], modules)  # refused before anything is solved
    kept = kept_answers(store).answer if store else None
    pages = publish(games, docs or {}, report, full, kept, partial(archives, how=modules), modules.url)
    site = folder_files(data_folder("site"))
    pages |= {f"{SCRIPTS}/{name}": data for name, data in site.items() if _goes_along(name)}
    return pages | {f"{TABLE}/index.html": site["link/index.html"]}


def _goes_along(name: str) -> bool:
    """Whether a file of the project's ``site/`` is one that pages load."""
    room, _, _ = name.partition("/")
    return room in _ROOMS and name.endswith((".mjs", ".css", ".LICENSE"))


def small_site(pages: Mapping[str, bytes], title: str) -> dict[str, bytes]:
    """The files of a site of its own, of which ``mkdocs build`` makes HTML."""
    from oddsmith.publish import mkdocs_config

    theme = {f"theme/{name}": data for name, data in folder_files(data_folder("site") / "theme").items()}
    docs = {f"docs/{name}": data for name, data in pages.items()}
    return {**docs, **theme, "mkdocs.yml": mkdocs_config(title)}


def about_one_game(
    ruleset: Ruleset, seats: int | None, objective: str | None, variants: Sequence[str], values: Mapping[str, Any]
) -> Ruleset:
    """A ruleset whose pages are about one game alone. Raises SettingError."""
    from oddsmith.ruleset import bind
    from oddsmith.ruleset.model import Edition, Setting
    from oddsmith.solve import objective_of

    if len(variants) > 1:
        raise SettingError("a page is about one variant at a time: set the parameters of the other with --set")
    game = bind(ruleset, seats, values, variants)
    goal, variant = objective_of(game, objective), "".join(variants)
    home = Setting(game.seats, goal, variant, tuple(values.items()))
    return replace(ruleset, edition=Edition(home, (game.seats,), (goal,), (), (), ()))
