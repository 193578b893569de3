"""Build a whole site: pages of games, their list, the home page, and the configuration of mkdocs."""

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
from oddsmith.publish.sections.rolled import with_questions_answered
from oddsmith.publish.sections.secrets import secret_files
from oddsmith.publish.sections.strategy import map_files_of
from oddsmith.report.answers import NOTHING, AnswerStore, RulesetAnswers, answers_of
from oddsmith.ruleset.model import Ruleset

Extras = Callable[[RulesetAnswers], Mapping[str, bytes]]
"""A function that returns further downloads of a game, by path below the folder of the game."""

_MARK = re.compile(r"<!-- (games|filters)(?:: ([a-z0-9 -]+?))? -->")
"""The comments in a written page that are replaced by cards of games (all games, or those that it names) or by the form
that filters these cards.
"""
PLAYGROUND = "playground"
"""The folder of the page on which visitors can change games, below the root of a site. Not every site has this page."""

LARGE_GAMES_PAGE = "large-games.md"
"""The written page with answers for games whose own page is only about a part of the game."""

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
    """Return the pages and data files of rulesets, by path below the folder that mkdocs reads.

    ``docs``: written pages to add to the site: ``index.md`` is the home page, ``games/index.md`` the list of games. In
    both, cards of games replace the comments ``<!-- games -->`` and ``<!-- games: pig craps -->``, and a form that
    filters them replaces ``<!-- filters -->``. ``whole``: whether to add the settings that rulesets list under
    ``full``. ``answers``: the source of answers; by default each game is solved. ``extras``: a function that returns
    further downloads of a game. ``url``: the address of the site, empty if it is not known.
    """
    with threadpool_limits(1):  # many small systems, as in solving: threads only get in one another's way
        return site_pages(
            [answers_of(ruleset, progress, whole, answers) for ruleset in rulesets], docs or {}, extras, url
        )


def site_pages(
    accounts: Sequence[RulesetAnswers], docs: Mapping[str, bytes], extras: Extras | None = None, url: str = ""
) -> dict[str, bytes]:
    """Return the files of a site by path. ``accounts``: the answers about its games. The other parameters are as in
    ``publish``.
    """
    files = {name: with_questions_answered(name, text) if name.endswith(".md") else text for name, text in docs.items()}
    accounts = sorted(accounts, key=lambda each: not each.main.strategies)  # those where nothing is decided come last
    grades, tavern = (
        "../../grades/" if "grades.md" in docs else "",
        f"../../{TAVERN}" if offers_foundry_module(docs) else "",
    )
    for each in accounts:
        files |= game_files(each, grades, extras, _further_page_links(each, docs), url, tavern)
    files |= games_file(accounts)
    files["assets/picture.png"] = link_picture("Exact odds for tavern games", _ABOUT, _SITE)
    files["assets/icon.png"] = icon()
    for name, base in (("games/index.md", ""), ("index.md", "games/")):
        written = files.get(name, b"# Games\n\n<!-- filters -->\n\n<!-- games -->\n").decode()
        heading = "h3" if "\n## " in written else "h2"
        files[name] = _MARK.sub(partial(_comment_replacement, accounts, base, heading), written).encode()
    return files


def offers_foundry_module(docs: Mapping[str, bytes]) -> bool:
    """Return whether a site offers a Foundry module with all its games. It does if its page about Foundry links to this
    module.
    """
    return TAVERN.encode() in docs.get("foundry.md", b"")


def _comment_replacement(accounts: Sequence[RulesetAnswers], base: str, heading: str, mark: re.Match[str]) -> str:
    """Return the HTML that replaces a comment ``mark``: the form that filters cards, or the cards of games.

    If the comment names games, only their cards are returned. ``base``: the address of the folder of games' pages.
    ``heading``: the element of the cards' titles.
    """
    if mark[1] == "filters":
        return filter_form(accounts)
    known = {each.ruleset.id: each for each in accounts}
    named = [known[name] for name in mark[2].split() if name in known] if mark[2] else accounts
    return game_list(named, base, heading, "line" if base else "summary" if heading == "h2" else "")


def _further_page_links(each: RulesetAnswers, docs: Mapping[str, bytes]) -> dict[str, str]:
    """Return the addresses of further pages to which the page of a game links, by the text of the link.

    These are the stories that mention the game, the page about larger games, and the page on which the game can be
    changed, as far as the site has them. The page about larger games is included if the game's page is about a part.
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
    """Return the page of one game and its downloads, by path; all paths begin with ``games/``.

    ``grades``: the address of the page that explains grades, if the site has one. ``doors``: the addresses of further
    pages by the text of their links. ``url``: the address of the site. ``tavern``: the address of the Foundry module
    with all games of the site, if there is one.
    """
    rules = each.ruleset
    address = f"{url.rstrip('/')}/games/{rules.id}/" if url else ""
    downloads: dict[str, bytes] = dict(extras(each)) if extras else {}
    for one in each.answers:
        downloads |= answer_files(one)
    for secret in each.secrets:
        downloads |= secret_files(secret)
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
    """Return the ``mkdocs.yml`` of a small site that looks like the project's own site. ``name``: the title of the
    site. ``theme``: the folder of the theme.
    """
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
