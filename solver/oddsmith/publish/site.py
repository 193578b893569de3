"""Build a whole site: pages of games, their list, the home page, and the configuration of mkdocs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from threadpoolctl import threadpool_limits

from oddsmith.base.progress import Progress
from oddsmith.publish.charts.emblem import link_picture_png, project_icon_png
from oddsmith.publish.markup.html import title_text
from oddsmith.publish.pages.card import card_page
from oddsmith.publish.pages.downloads import TAVERN, answer_files
from oddsmith.publish.pages.listing import filter_form_html, game_cards_html
from oddsmith.publish.pages.page import PICTURE, game_page
from oddsmith.publish.pages.playing import game_list_file, play_files
from oddsmith.publish.sections.first_screen import opening_line_to_remember
from oddsmith.publish.sections.rolled import with_questions_answered
from oddsmith.publish.sections.secrets import secret_download_files
from oddsmith.publish.sections.strategy import map_data_files
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
    with_full_settings: bool = False,
    answers: AnswerStore = NOTHING,
    extra_downloads: Extras | None = None,
    url: str = "",
) -> dict[str, bytes]:
    """Return the pages and data files of rulesets, by path below the folder that mkdocs reads.

    ``docs``: written pages to add to the site: ``index.md`` is the home page, ``games/index.md`` the list of games. In
    both, cards of games replace the comments ``<!-- games -->`` and ``<!-- games: pig craps -->``, and a form that
    filters them replaces ``<!-- filters -->``. ``with_full_settings``: whether to add the settings that rulesets list
    under ``full``. ``answers``: the source of answers; by default each game is solved. ``extra_downloads``: a function
    that returns further downloads of a game. ``url``: the address of the site, empty if it is not known.
    """
    with threadpool_limits(1):  # many small systems, as in solving: threads only get in one another's way
        return site_pages(
            [answers_of(ruleset, progress, with_full_settings, answers) for ruleset in rulesets],
            docs or {},
            extra_downloads,
            url,
        )


def site_pages(
    accounts: Sequence[RulesetAnswers], docs: Mapping[str, bytes], extra_downloads: Extras | None = None, url: str = ""
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
        files |= game_files(each, grades, extra_downloads, _further_page_links(each, docs), url, tavern)
    files |= game_list_file(accounts)
    files["assets/picture.png"] = link_picture_png("Exact odds for tavern games", _ABOUT, _SITE)
    files["assets/icon.png"] = project_icon_png()
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


def _comment_replacement(
    accounts: Sequence[RulesetAnswers], base_url: str, heading_tag: str, match: re.Match[str]
) -> str:
    """Return the HTML that replaces a comment ``match``: the form that filters cards, or the cards of games.

    If the comment names games, only their cards are returned. ``base_url``: the address of the folder of games' pages.
    ``heading_tag``: the element of the cards' titles.
    """
    if match[1] == "filters":
        return filter_form_html(accounts)
    known = {each.ruleset.id: each for each in accounts}
    named = [known[name] for name in match[2].split() if name in known] if match[2] else accounts
    return game_cards_html(
        named, base_url, heading_tag, "line" if base_url else "summary" if heading_tag == "h2" else ""
    )


def _further_page_links(account: RulesetAnswers, docs: Mapping[str, bytes]) -> dict[str, str]:
    """Return the addresses of further pages to which the page of a game links, by the text of the link.

    These are the stories that mention the game, the page about larger games, and the page on which the game can be
    changed, as far as the site has them. The page about larger games is included if the game's page is about a part.
    """
    link = f"games/{account.ruleset.id}.md".encode()
    telling = [name for name, text in docs.items() if name.startswith("stories/") and link in text]
    headings = {name: re.search(rb"(?m)^# (.+)$", docs[name]) for name in telling}
    stories = {
        f"The story: {found[1].decode()}": f"../../{name.removesuffix('.md')}/"
        for name, found in headings.items()
        if found
    }
    if account.ruleset.covered_part and link in docs.get(LARGE_GAMES_PAGE, b""):
        stories = {"Larger settings, solved": f"../../{LARGE_GAMES_PAGE.removesuffix('.md')}/", **stories}
    change = {"Change this game": f"../../{PLAYGROUND}/#game={account.ruleset.id}"}
    return stories | (change if f"{PLAYGROUND}/index.html" in docs else {})


def game_files(
    account: RulesetAnswers,
    grades_url: str = "",
    extra_downloads: Extras | None = None,
    further_links: Mapping[str, str] | None = None,
    url: str = "",
    all_games_module_url: str = "",
) -> dict[str, bytes]:
    """Return the page of one game and its downloads, by path; all paths begin with ``games/``.

    ``grades_url``: the address of the page that explains grades, if the site has one. ``further_links``: the addresses
    of further pages by the text of their links. ``url``: the address of the site. ``all_games_module_url``: the address
    of the Foundry module with all games of the site, if there is one.
    """
    rules = account.ruleset
    address = f"{url.rstrip('/')}/games/{rules.id}/" if url else ""
    downloads: dict[str, bytes] = dict(extra_downloads(account)) if extra_downloads else {}
    for one in account.answers:
        downloads |= answer_files(one)
    for secret in account.secrets:
        downloads |= secret_download_files(secret)
    map_files = {name: data for answer in account.plain for name, data in map_data_files(answer).items()}
    downloads[f"{rules.id}.yaml"] = rules.source.text.encode()
    beside = {
        f"games/{rules.id}/{name}": data for name, data in sorted((downloads | play_files(account) | map_files).items())
    }
    # Not an index.md in the folder: mkdocs would call that entry of the menu by the folder's name.
    # The card is HTML already, so that it is in no menu and no search.
    pages = {
        f"games/{rules.id}.md": game_page(account, downloads, grades_url, further_links or {}, all_games_module_url),
        f"games/{rules.id}/card.html": card_page(account, address),
        f"games/{rules.id}/{PICTURE}": link_picture_png(
            rules.title, opening_line_to_remember(account), _SITE, account.main
        ),
    }
    return pages | beside


# --- what builds it


def mkdocs_config(site_name: str, theme_folder: str = "theme") -> bytes:
    """Return the ``mkdocs.yml`` of a small site that looks like the project's own site. ``site_name``: the title of the
    site. ``theme_folder``: the folder of the theme.
    """
    given = {"NAME": title_text(site_name), "THEME": theme_folder}
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
      separator: '[\\s\\-=()"]+'

markdown_extensions:
  - attr_list
  - md_in_html
  - tables
  - toc: {permalink: true}
"""
