"""A whole site: pages of games, their list, the home page, and what builds them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from threadpoolctl import threadpool_limits

from oddsmith.publish.data import files
from oddsmith.publish.html import Html, esc, join, tag, title
from oddsmith.publish.numbers import bare, difference
from oddsmith.publish.page import game_page
from oddsmith.publish.plan import Account, Answers, Progress, account
from oddsmith.publish.strategy import summary
from oddsmith.report.prose import count, sentence
from oddsmith.ruleset.model import Ruleset

GAMES = "<!-- games -->"
"""In a written page: here comes the list of games."""


def publish(
    rulesets: Sequence[Ruleset], docs: Mapping[str, bytes] | None = None, progress: Progress | None = None,
    whole: bool = False, answers: Answers | None = None,
) -> dict[str, bytes]:  # fmt: skip
    """The pages and data files of rulesets, by path below the folder that mkdocs reads.

    ``docs``: pages that people wrote, which go along; ``index.md`` among them is the home page, and the list of games
    stands in for the comment ``<!-- games -->`` in it. ``whole``: with the games under ``full``; ``answers``: where
    answers come from, if not from solving here.
    """
    with threadpool_limits(1):  # many small systems, as in solving: threads only get in one another's way
        return site_pages([account(ruleset, progress, whole, answers) for ruleset in rulesets], docs or {})


def site_pages(accounts: Sequence[Account], docs: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a site of games that are solved already."""
    found = dict(docs)
    for each in accounts:
        found |= game_files(each, "../../grades/" if "grades.md" in docs else "")
    found["games/index.md"] = f"# Games\n\n{_cards(accounts, '', 'h2')}\n".encode()
    home = docs.get("index.md")
    if home is None:
        found["index.md"] = f"# Games\n\n{_cards(accounts, 'games/', 'h2')}\n".encode()
    else:
        found["index.md"] = home.replace(GAMES.encode(), _cards(accounts, "games/", "h3").encode())
    return found


def game_files(each: Account, grades: str = "") -> dict[str, bytes]:
    """The page of one game with its downloads, below ``games/``."""
    rules = each.ruleset
    downloads: dict[str, bytes] = {}
    for answer in each.answers:
        downloads |= files(answer)
    downloads[f"{rules.id}.yaml"] = rules.source.text.encode()
    found = {f"games/{rules.id}/{name}": data for name, data in sorted(downloads.items())}
    # Not an index.md in the folder: mkdocs would call that entry of the menu by the folder's name.
    return {f"games/{rules.id}.md": game_page(each, downloads, grades), **found}


# --- the list of games


def _cards(accounts: Sequence[Account], base: str, heading: str) -> Html:
    """What the list says of each game: its rule to remember, and what it is worth to go first."""
    return tag("div", *(_card(each, base, heading) for each in accounts), cls="od-cards")


def _card(each: Account, base: str, heading: str) -> Html:
    rules, main = each.ruleset, each.main
    low, high, _ = rules.seats
    players = f"{low} to {high} players" if low != high else count(low)
    parts = [
        tag(heading, tag("a", rules.title, href=f"{base}{rules.id}/")), tag("p", rules.summary),
    ]  # fmt: skip
    if main.solution is None:
        return tag("section", *parts, tag("p", sentence(main.failure)))
    parts.append(tag("p", tag("strong", sentence(summary(main))), cls="od-card-rule"))
    facts = main.facts
    shown = [players]
    if main.setting.seats > 1:
        shown.append(f"going first: {difference(main, facts.first_seat)} of {bare(main, facts.even_share)} on average")
    if "turns" in facts.lengths:
        shown.append(f"{facts.lengths['turns'].decimal(1)} turns")
    if each.verdicts:
        wrong = sum(not verdict.right for verdict in each.verdicts)
        shown.append(f"{len(each.verdicts)} published odds checked, {wrong} wrong")
    grade = tag("span", main.solution.grade, cls=f"od-grade od-grade--{main.solution.grade}")
    return tag(
        "section", *parts, tag("p", join([esc(text) for text in shown], " · "), Html(" "), grade, cls="od-card-facts")
    )


# --- what builds it


def mkdocs_config(name: str, pages: str = "docs", output: str = "site", theme: str = "theme") -> bytes:
    """The ``mkdocs.yml`` of a small site: the same dress as the project's own."""
    text = _CONFIG
    for key, value in {"NAME": title(name), "PAGES": pages, "OUTPUT": output, "THEME": theme}.items():
        text = text.replace(f"@{key}@", json.dumps(value, ensure_ascii=False))
    return text.encode()


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

extra_css: [assets/oddsmith.css]
plugins: [search]

markdown_extensions:
  - attr_list
  - md_in_html
  - tables
  - toc: {permalink: true}
"""
