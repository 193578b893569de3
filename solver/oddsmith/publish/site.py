"""A whole site: pages of games, their list, the home page, and what builds them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence

from threadpoolctl import threadpool_limits

from oddsmith.publish.markup import title
from oddsmith.publish.pages import card_page, files, game_list, game_page, play_files
from oddsmith.report.answers import Account, Answers, Progress, account
from oddsmith.ruleset.model import Ruleset

Extras = Callable[[Account], Mapping[str, bytes]]
"""Further downloads of a game, by name below its folder."""

GAMES = "<!-- games -->"
"""In a written page: here comes the list of games."""


def publish(
    rulesets: Sequence[Ruleset],
    docs: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
    whole: bool = False,
    answers: Answers | None = None,
    extras: Extras | None = None,
) -> dict[str, bytes]:
    """The pages and data files of rulesets, by path below the folder that mkdocs reads.

    ``docs``: pages that people wrote, which go along; ``index.md`` among them is the home page, and the list of games
    stands in for the comment ``<!-- games -->`` in it. ``whole``: with the games under ``full``; ``answers``: where
    answers come from, if not from solving here; ``extras``: what else each game has for download.
    """
    with threadpool_limits(1):  # many small systems, as in solving: threads only get in one another's way
        return site_pages([account(ruleset, progress, whole, answers) for ruleset in rulesets], docs or {}, extras)


def site_pages(
    accounts: Sequence[Account], docs: Mapping[str, bytes], extras: Extras | None = None
) -> dict[str, bytes]:
    """The files of a site of games that are solved already."""
    files = dict(docs)
    accounts = sorted(accounts, key=lambda each: not each.main.strategies)  # those where nothing is decided come last
    for each in accounts:
        files |= game_files(each, "../../grades/" if "grades.md" in docs else "", extras, _stories(each, docs))
    files["games/index.md"] = f"# Games\n\n{game_list(accounts, '', 'h2', filters=True)}\n".encode()
    home = docs.get("index.md")
    if home is None:
        files["index.md"] = f"# Games\n\n{game_list(accounts, 'games/', 'h2', filters=True)}\n".encode()
    else:
        files["index.md"] = home.replace(GAMES.encode(), game_list(accounts, "games/", "h3").encode())
    return files


def _stories(each: Account, docs: Mapping[str, bytes]) -> dict[str, str]:
    """The written pages that tell of a game, by their titles: those below ``stories/`` that link to it."""
    link = f"games/{each.ruleset.id}.md".encode()
    telling = [name for name, text in docs.items() if name.startswith("stories/") and link in text]
    headings = {name: re.search(rb"(?m)^# (.+)$", docs[name]) for name in telling}
    return {found[1].decode(): f"../../{name.removesuffix('.md')}/" for name, found in headings.items() if found}


def game_files(
    each: Account, grades: str = "", extras: Extras | None = None, stories: Mapping[str, str] | None = None
) -> dict[str, bytes]:
    """The page of one game with its downloads, below ``games/``. ``stories``: pages that tell of it, by their titles."""
    rules = each.ruleset
    downloads: dict[str, bytes] = dict(extras(each)) if extras else {}
    for answer in each.answers:
        downloads |= files(answer)
    downloads[f"{rules.id}.yaml"] = rules.source.text.encode()
    beside = {f"games/{rules.id}/{name}": data for name, data in sorted((downloads | play_files(each)).items())}
    # Not an index.md in the folder: mkdocs would call that entry of the menu by the folder's name.
    # The card is HTML already, so that it is in no menu and no search.
    pages = {
        f"games/{rules.id}.md": game_page(each, downloads, grades, stories or {}),
        f"games/{rules.id}/card.html": card_page(each, grades),
    }
    return pages | beside


# --- what builds it


def mkdocs_config(name: str, pages: str = "docs", output: str = "site", theme: str = "theme") -> bytes:
    """The ``mkdocs.yml`` of a small site: the same dress as the project's own."""
    given = {"NAME": title(name), "PAGES": pages, "OUTPUT": output, "THEME": theme}
    return re.sub("@([A-Z]+)@", lambda found: json.dumps(given[found[1]], ensure_ascii=False), _CONFIG).encode()


_CONFIG = """\
# Written by `oddsmith publish`. `mkdocs build` makes HTML of it.
site_name: @NAME@
docs_dir: @PAGES@
site_dir: @OUTPUT@
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
    - navigation.top
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
plugins: [search]

markdown_extensions:
  - attr_list
  - md_in_html
  - tables
  - toc: {permalink: true}
"""
