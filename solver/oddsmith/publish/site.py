"""A whole site: pages of games, their list, the home page, and the configuration that builds it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from threadpoolctl import threadpool_limits

from oddsmith.base.progress import Progress
from oddsmith.publish.charts.emblem import icon, link_picture
from oddsmith.publish.markup.html import title
from oddsmith.publish.pages.card import card_page
from oddsmith.publish.pages.downloads import TAVERN, answer_files
from oddsmith.publish.pages.listing import filter_form, game_list
from oddsmith.publish.pages.page import PICTURE, game_page
from oddsmith.publish.pages.playing import games_file, play_files
from oddsmith.publish.sections.first_screen import opening_line
from oddsmith.publish.sections.rolled import with_answers
from oddsmith.publish.sections.secrets import secret_files
from oddsmith.publish.sections.strategy import map_files_of
from oddsmith.report.answers import NOTHING, AnswerStore, RulesetAnswers, answers_of
from oddsmith.ruleset.model import Ruleset

Extras = Callable[[RulesetAnswers], Mapping[str, bytes]]
"""Further downloads of a game, by name below its folder."""

_MARK = re.compile(r"<!-- (games|filters)(?:: ([a-z0-9 -]+?))? -->")
"""The comment in a written page that cards of all games or of named ones replace, or the form to choose among them."""
PLAYGROUND = "playground"
"""The folder of the page on which games can be changed, below the root of a site. Not every site has one."""

LARGE_GAMES_PAGE = "large-games.md"
"""The written page with answers for whole games of which a game's page has only a part."""

_SITE = "Oddsmith: exact odds, proven play"
_ABOUT = "What to remember, what it is worth, and the proof."


def publish(
    rulesets: Sequence[Ruleset],
    docs: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
    whole: bool = False,
    answers: AnswerStore = NOTHING,
    extras: Extras | None = None,
    url: str = "",
) -> dict[str, bytes]:
    """Build the pages and data files of rulesets, by path below the folder that mkdocs reads.

    ``docs``: written pages, which become part of the site: ``index.md`` is the home page, ``games/index.md`` the list
    of games. In both, cards replace the comments ``<!-- games -->`` and ``<!-- games: pig craps -->``, and a form to
    choose among them replaces ``<!-- filters -->``. ``whole``: whether to add the games under ``full``; ``answers``:
    the source of answers; by default each game is solved; ``extras``: a function that gives further downloads of a
    game; ``url``: the address of the site, if it is known.
    """
    with threadpool_limits(1):  # many small systems, as in solving: threads only get in one another's way
        return site_pages(
            [answers_of(ruleset, progress, whole, answers) for ruleset in rulesets], docs or {}, extras, url
        )


def site_pages(
    accounts: Sequence[RulesetAnswers], docs: Mapping[str, bytes], extras: Extras | None = None, url: str = ""
) -> dict[str, bytes]:
    """Build the files of a site from the answers of its games."""
    files = {name: with_answers(name, text) if name.endswith(".md") else text for name, text in docs.items()}
    accounts = sorted(accounts, key=lambda each: not each.main.strategies)  # those where nothing is decided come last
    grades, tavern = "../../grades/" if "grades.md" in docs else "", f"../../{TAVERN}" if has_tavern(docs) else ""
    for each in accounts:
        files |= game_files(each, grades, extras, _further_pages(each, docs), url, tavern)
    files |= games_file(accounts)
    files["assets/picture.png"] = link_picture("Exact odds for tavern games", _ABOUT, _SITE)
    files["assets/icon.png"] = icon()
    for name, base in (("games/index.md", ""), ("index.md", "games/")):
        written = files.get(name, b"# Games\n\n<!-- filters -->\n\n<!-- games -->\n").decode()
        heading = "h3" if "\n## " in written else "h2"
        files[name] = _MARK.sub(partial(_replacement, accounts, base, heading), written).encode()
    return files


def has_tavern(docs: Mapping[str, bytes]) -> bool:
    """Whether a site has the Foundry module with all its games: then a written page links to it."""
    return TAVERN.encode() in docs.get("foundry.md", b"")


def _replacement(accounts: Sequence[RulesetAnswers], base: str, heading: str, mark: re.Match[str]) -> str:
    """Return the HTML that replaces a comment: the filter form, the cards of the games that the comment names, or the
    cards of all games.
    """
    if mark[1] == "filters":
        return filter_form(accounts)
    known = {each.ruleset.id: each for each in accounts}
    named = [known[name] for name in mark[2].split() if name in known] if mark[2] else accounts
    return game_list(named, base, heading, "line" if base else "summary" if heading == "h2" else "")


def _further_pages(each: RulesetAnswers, docs: Mapping[str, bytes]) -> dict[str, str]:
    """Return the addresses of pages to which the page of a game links, by their names.

    They are the stories that link to the game, the answers of the whole game if its page is about a part, and the page
    on which it can be changed, as far as they exist.
    """
    link = f"games/{each.ruleset.id}.md".encode()
    telling = [name for name, text in docs.items() if name.startswith("stories/") and link in text]
    headings = {name: re.search(rb"(?m)^# (.+)$", docs[name]) for name in telling}
    stories = {
        f"The story: {found[1].decode()}": f"../../{name.removesuffix('.md')}/"
        for name, found in headings.items()
        if found
    }
    if each.ruleset.part and link in docs.get(LARGE_GAMES_PAGE, b""):
        stories = {"Larger sizes, solved": f"../../{LARGE_GAMES_PAGE.removesuffix('.md')}/", **stories}
    change = {"Change this game": f"../../{PLAYGROUND}/#game={each.ruleset.id}"}
    return stories | (change if f"{PLAYGROUND}/index.html" in docs else {})


def game_files(
    each: RulesetAnswers,
    grades: str = "",
    extras: Extras | None = None,
    doors: Mapping[str, str] | None = None,
    url: str = "",
    tavern: str = "",
) -> dict[str, bytes]:
    """Build the page of one game with its downloads, below ``games/``.

    ``doors``: addresses of further pages by their names. ``url``: the address of the site. ``tavern``: the address of
    the Foundry module with all games of the site, if there is one.
    """
    rules = each.ruleset
    address = f"{url.rstrip('/')}/games/{rules.id}/" if url else ""
    downloads: dict[str, bytes] = dict(extras(each)) if extras else {}
    for one in each.answers:
        downloads |= answer_files(one)
    if each.secret:
        downloads |= secret_files(each.secret)
    map_files = {name: data for answer in each.plain for name, data in map_files_of(answer).items()}
    downloads[f"{rules.id}.yaml"] = rules.source.text.encode()
    beside = {
        f"games/{rules.id}/{name}": data for name, data in sorted((downloads | play_files(each) | map_files).items())
    }
    # Not an index.md in the folder: mkdocs would call that entry of the menu by the folder's name.
    # The card is HTML already, so that it is in no menu and no search.
    pages = {
        f"games/{rules.id}.md": game_page(each, downloads, grades, doors or {}, tavern),
        f"games/{rules.id}/card.html": card_page(each, address),
        f"games/{rules.id}/{PICTURE}": link_picture(rules.title, opening_line(each), _SITE, each.main),
    }
    return pages | beside


# --- what builds it


def mkdocs_config(name: str, theme: str = "theme") -> bytes:
    """Write the ``mkdocs.yml`` of a small site that looks like the project's own."""
    given = {"NAME": title(name), "THEME": theme}
    return re.sub("@([A-Z]+)@", lambda found: json.dumps(given[found[1]], ensure_ascii=False), _CONFIG).encode()


_CONFIG = """\
# Written by `oddsmith publish`. `mkdocs build` makes HTML of it.
site_name: @NAME@
docs_dir: docs
site_dir: site
use_directory_urls: true

theme:
  name: material
  custom_dir: @THEME@
  font: false
  favicon: assets/favicon.svg
  logo: assets/logo.svg
  features:
    - navigation.footer
    - navigation.indexes
    - navigation.sections
    - search.highlight
    - search.suggest
    - toc.follow
  palette:
    - media: "(prefers-color-scheme)"
      scheme: default
      primary: custom
      accent: custom
      toggle: {icon: material/brightness-auto, name: Use the light colours}
    - media: "(prefers-color-scheme: light)"
      scheme: default
      primary: custom
      accent: custom
      toggle: {icon: material/weather-sunny, name: Use the dark colours}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      primary: custom
      accent: custom
      toggle: {icon: material/weather-night, name: Follow the system}

extra_css: [assets/palettes.css, assets/oddsmith.css]
plugins:
  - search:
      fields: {tags: {boost: 1500}}

markdown_extensions:
  - attr_list
  - md_in_html
  - tables
  - toc: {permalink: true}
"""
