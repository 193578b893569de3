"""The files of sites about games: pages, data, modules and scripts, as bytes by path."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

from oddsmith.api.modules import (
    PLAIN,
    ModulePublication,
    module_files,
    odds_module_files,
    options_of_module_on_page,
    roll_grammars,
    roll_scripts_to_publish,
    shared_module_files,
)
from oddsmith.base.errors import InputError
from oddsmith.base.files import Folder, folder_files, shipped_answer_files, user_key, write_folder_files
from oddsmith.base.limits import limits
from oddsmith.base.progress import duration_text
from oddsmith.base.resources import data_folder

if TYPE_CHECKING:
    from oddsmith.base.progress import Progress
    from oddsmith.report.answers import RulesetAnswers, ShippedAnswers, Store
    from oddsmith.ruleset.model import Ruleset, Setting


EPOCH = "1767225600"  # a fixed date, so that two builds give the same bytes
SECONDS_BETWEEN_WRITINGS = 10.0  # seconds between two writings of a site that grows
WRITING_TIME_FACTOR = 4  # times as long as a writing took
SECONDS_PER_POSITION = 5e-5  # seconds that solving takes for a position, about
_ROOMS = ("link", "page", "proof", "room", "runtime", "vendor")
"""The folders of the project's ``site/`` whose scripts a published site contains."""
ROLL = "roll.md"
"""The written page on which visitors can ask for the odds of any roll. Not every site has it."""
OWLBEAR = "owlbear.md"
"""The written page about the extension for Owlbear Rodeo. A site with this page hosts the extension."""
ODDS = "foundry/oddsmith-odds.zip"
"""The path of the Foundry module for rolls, below the folder of the page for rolls. It is the same for every version.
"""


def open_answer_store(folder: Path) -> Store:
    """Return the store of answers in a folder.

    Its entries are authenticated with the user's key. If it lacks an answer, the answer that ships with the program is
    taken. Raises UnwritableError if there is no usable key.
    """
    from oddsmith.report.answers import Store

    return Store(Folder(folder), user_key(), shipped_answer_store())


def shipped_answer_store() -> ShippedAnswers:
    """Return the answers that are shipped with the program."""
    from oddsmith.report.answers import ShippedAnswers

    return ShippedAnswers(shipped_answer_files)


def site_pages(
    games: Sequence[Ruleset],
    docs: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
    full: bool = False,
    store: Path | None = None,
    publication: ModulePublication = PLAIN,
) -> dict[str, bytes]:
    """Return the pages of games with their data and modules, and the scripts that play the games, by path below the
    pages' folder.

    ``docs``: written pages to add. ``full``: whether to solve also the settings that rulesets list under ``full``.
    ``store``: the folder where answers are stored. ``publication``: the address of the site and the versions of its
    modules.
    """
    from oddsmith.publish import offers_foundry_module, publish

    options_of_module_on_page(games[0], publication)  # refused before anything is solved
    kept = open_answer_store(store) if store else shipped_answer_store()
    found: list[RulesetAnswers] = []

    def module_files_of_game(answers: RulesetAnswers) -> dict[str, bytes]:
        found.append(answers)
        return module_files(answers, publication)

    pages = publish(games, docs or {}, progress, full, kept, module_files_of_game, publication.url)
    pages |= shared_module_files(found, publication) if offers_foundry_module(docs or {}) else {}
    pages |= _owlbear_extension_files(found, publication) if OWLBEAR in pages else {}
    return pages | _page_scripts() | (roll_page_files(publication) if ROLL in pages else {})


def _owlbear_extension_files(all_answers: Sequence[RulesetAnswers], publication: ModulePublication) -> dict[str, bytes]:
    """Return the files of the extension for Owlbear Rodeo, with all games of a site that friends can play together by
    sharing a link.
    """
    from oddsmith.publish.pages import is_playable_by_link
    from oddsmith.tabletops import hosted_extension

    rulesets = sorted((each.ruleset for each in all_answers if is_playable_by_link(each)), key=lambda each: each.id)
    return hosted_extension(rulesets, publication.url, folder_files(data_folder("site")))


def roll_page_files(publication: ModulePublication = PLAIN) -> dict[str, bytes]:
    """Return the files of the page for the odds of any roll: its scripts, the page that other sites can embed, and the
    module for Foundry.
    """
    from oddsmith.publish.pages import SCRIPTS

    site = _site_files("roll")
    scripts = {f"{SCRIPTS}/{name}": data for name, data in site.items() if _is_page_file(name, ("roll",))}
    answers = {f"{SCRIPTS}/rolls/{path}": data for path, data in (roll_scripts_to_publish() | roll_grammars()).items()}
    module = {f"roll/{path}": data for path, data in odds_module_files(publication).items()}
    module[f"roll/{ODDS}"] = next(data for path, data in module.items() if path.endswith(".zip"))
    return scripts | answers | module | {"roll/embed/index.html": site["roll/embed.html"]}


def _site_files(folder_name: str) -> dict[str, bytes]:
    """Return the files in a folder of the project's ``site/``, by path below ``site/``. ``folder_name``: the name of
    the folder.
    """
    return {f"{folder_name}/{path}": data for path, data in folder_files(data_folder("site") / folder_name).items()}


def successive_sites(
    games: Sequence[Ruleset],
    docs: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
    full: bool = False,
    store: Path | None = None,
    publication: ModulePublication = PLAIN,
    only_last: bool = False,
) -> Iterator[dict[str, bytes]]:
    """Yield versions of a small site as more answers become known, each as all its files by path.

    The first version has the main setting of each game in brief, the last has everything. Files that take longer than
    the answers, such as modules, are only in the last version. Earlier versions are at least
    ``SECONDS_BETWEEN_WRITINGS`` seconds apart, unless the next answer may take long. ``only_last``: whether to yield
    only the last version. The other arguments are as in ``site_pages``.
    """
    from threadpoolctl import threadpool_limits

    from oddsmith.publish import site_pages
    from oddsmith.report.answers import answers_of, growing_answers

    options_of_module_on_page(games[0], publication)  # refused before anything is solved
    kept = open_answer_store(store) if store else shipped_answer_store()
    known: dict[str, RulesetAnswers] = {}
    due = inf if only_last else 0.0
    along = _page_scripts() | dict(docs or {})
    title = games[0].title if len(games) == 1 else "Games"
    with threadpool_limits(1):  # many small systems: threads only get in one another's way
        for game in games:
            grown = growing_answers(game, progress, full, kept)
            for found in [answers_of(game, progress, full, kept)] if only_last else grown:
                known[game.id] = found
                begun = monotonic()
                if begun >= due or (found.has_growing_estimates and not only_last):  # what comes next may take long
                    yield site_source_files(site_pages(list(known.values()), along, None, publication.url), title)
                    due = monotonic() + max(SECONDS_BETWEEN_WRITINGS, WRITING_TIME_FACTOR * (monotonic() - begun))
        pages = site_pages(list(known.values()), along, partial(module_files, publication=publication), publication.url)
    yield site_source_files(pages, title)


def answering_forecast_text(ruleset: Ruleset, store: Path | None = None) -> str:
    """Return sentences that say how many positions the main game of a ruleset has at most, how it will be answered, and
    how long that may take.

    The text is empty if the answer is stored, and for games with secrets, whose size does not predict the time.
    """
    from oddsmith.graph import Explorer
    from oddsmith.ruleset import bind

    home = ruleset.edition.main_setting
    if ruleset.has_secrets or (open_answer_store(store) if store else shipped_answer_store()).known_answer(
        ruleset, home
    ):
        return ""
    size = Explorer(bind(ruleset, home), home.objective).estimate
    game = f"{ruleset.id}{home.options_text}: at most {size.bound_text} positions"
    played = "games are played first: a page with estimated numbers comes in about ten seconds, and better ones follow"
    if size.upper_bound > limits().states:
        return f"{game}, perhaps too many to solve. So {played}."
    seconds = size.upper_bound * SECONDS_PER_POSITION
    if seconds <= SECONDS_BETWEEN_WRITINGS:
        return f"{game}. Solving takes seconds."
    return f"{game}. Solving takes {duration_text(seconds)} at most. If that takes long, {played}."


def _page_scripts() -> dict[str, bytes]:
    """Return the scripts that pages load, and the page on which friends play together by sharing a link."""
    from oddsmith.publish.pages import SCRIPTS, TABLE

    site = folder_files(data_folder("site"))
    scripts = {f"{SCRIPTS}/{name}": data for name, data in site.items() if _is_page_file(name)}
    return scripts | {f"{TABLE}/index.html": site["link/index.html"]}


def build_html(folder: Path) -> Path:
    """Build the HTML of the site in a folder. A double-click on a file opens its page. Return the path of the first
    page.

    Links lead to files, not to folders, because a browser that opens a local folder does not look for ``index.html``.
    Raises InputError.
    """
    from oddsmith.publish import with_links_to_files

    # A process of its own: the builder looks at standard input, and the theme advertises its successor.
    plain = {"NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": EPOCH}
    with TemporaryDirectory() as made:
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(folder / "mkdocs.yml"), "-d", made]
        done = subprocess.run(  # noqa: S603 - no shell
            command, env={**os.environ, **plain}, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        # Without an address of the site its map is empty.
        files = {name: data for name, data in folder_files(Path(made)).items() if not name.startswith("sitemap.xml")}
    if done.returncode:
        raise InputError(
            f"the pages could not be made into HTML: {done.stderr.decode(errors='replace').strip()[-500:]}"
        )
    write_folder_files(
        folder / "site",
        {name: with_links_to_files(data) if name.endswith(".html") else data for name, data in files.items()},
    )
    return folder / "site" / "index.html"


def _is_page_file(path: str, folder_names: Sequence[str] = _ROOMS) -> bool:
    """Return whether pages load a file of the project's ``site/``. ``path``: its path below ``site/``.
    ``folder_names``: the folders whose files pages load.
    """
    room, _, _ = path.partition("/")
    return room in folder_names and path.endswith((".mjs", ".js", ".css", "/LICENSE"))


def site_source_files(pages: Mapping[str, bytes], title: str) -> dict[str, bytes]:
    """Return the source files of a site, from which ``mkdocs build`` makes HTML: the pages, the theme and the
    configuration.
    """
    from oddsmith.publish import mkdocs_config

    theme = {f"theme/{name}": data for name, data in folder_files(data_folder("site") / "theme").items()}
    docs = {f"docs/{name}": data for name, data in pages.items()}
    return {**docs, **theme, "mkdocs.yml": mkdocs_config(title)}


def ruleset_about_one_setting(ruleset: Ruleset, setting: Setting) -> Ruleset:
    """Return the ruleset with an edition that publishes a single setting; its pages are about this setting only. Raises
    SettingError.
    """
    from oddsmith.ruleset import bind
    from oddsmith.ruleset.model import Edition
    from oddsmith.solve import objective_name

    setting.single_variant("a page")  # refuses several
    game = bind(ruleset, setting)
    home = replace(setting, seats=game.seats, objective=objective_name(game, setting.objective))
    return replace(ruleset, edition=Edition(home, (home.seats,), (home.objective,), (), (), ()))
