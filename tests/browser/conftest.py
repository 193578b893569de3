"""Serves a built site on a loopback port and lets the browser look at it."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api.site import ruleset_about_one_setting
from oddsmith.base.files import folder_files, write_folder_files
from oddsmith.base.resources import data_folder
from oddsmith.publish.pages.playing import SCRIPTS
from oddsmith.publish.site import mkdocs_config, site_pages
from oddsmith.report.answers.accounts import answers_of
from oddsmith.ruleset.model import Setting
from tests.cases import SAMPLES, TESTS, account_of
from tests.chromium import ROOT
from tests.node import answers
from tests.publish.test_remember import GAMBIT

Look = dict[str, Any]


class _Quiet(SimpleHTTPRequestHandler):
    # The server's log would drown pytest's own output.
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, ARG002 - the base class's signature
        return


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler] | None = None) -> Iterator[str]:
    """Serve `folder` on a free loopback port; the value is its base address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler or _Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def runtime() -> dict[str, bytes]:
    """The scripts of a page where pages look for them."""
    rooms = {room: folder_files(ROOT / "site" / room) for room in ("page", "proof", "runtime")}
    return {f"{SCRIPTS}/{room}/{name}": data for room, files in rooms.items() for name, data in files.items()}


@pytest.fixture(scope="session")
def small(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Where a small site is served, and its folder, once for all tests. It has Pig, a game whose every text is an attack and
    which gives the site its title, Rogue's Gambit for two with a map to touch, and Piglet to 14.
    """
    folder, hostile = tmp_path_factory.mktemp("small"), account_of(TESTS / "publish" / "hostile.yaml")
    games = [account_of(SAMPLES / "pig.yaml"), hostile, account_of(GAMBIT.replace("[2, 3]", "[2]"))]
    games.append(
        answers_of(ruleset_about_one_setting(oddsmith.load("piglet").ruleset, Setting(2, "win", values={"target": 14})))
    )
    write_folder_files(folder / "docs", site_pages(games, {}) | runtime())
    (folder / "mkdocs.yml").write_bytes(
        mkdocs_config(hostile.ruleset.title, theme_folder=str(data_folder("site") / "theme"))
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, timeout=120)
    with served(folder / "site") as base:
        yield base, folder / "site"


def look_at(base: str, pages: list[str], **job: object) -> list[Look]:
    """Open each page in every look that the job asks for; see the head of shots.mjs."""
    job = {"base": base, "pages": pages, **job}
    (records,) = answers(ROOT / "tests" / "browser" / "shots.mjs", job, timeout=60 + 30 * 9 * len(pages))
    found: list[Look] = records
    return found


def every_page(folder: Path) -> list[str]:
    """Addresses of the pages, the home page first. mkdocs' 404 page has none of its own, and a frame is filled by its page."""
    apart = {"404.html", "playground/play.html"}
    found = sorted({p.relative_to(folder).as_posix() for p in folder.rglob("*.html")} - apart)
    return sorted(found, key=lambda page: (page.count("/"), page))


def one_page_a_folder(folder: Path) -> list[str]:
    """The home page, each page of the first rank, and one page below each."""
    chosen: dict[tuple[str, int], str] = {}
    for page in every_page(folder):
        parts = page.split("/")
        chosen.setdefault((parts[0], len(parts)), page)
    return list(chosen.values())


def made_of(page: Path) -> set[str]:
    """The names of a page's elements and of their classes, and the scripts that it loads."""
    found = re.findall(r'<([a-z][\w-]*)|\sclass="?([^">]*)|\ssrc="?(?:[^">]*/)?([^"/>]+)', page.read_text("utf-8"))
    return {name for parts in found for part in parts for name in part.split()}


def of_each_kind(folder: Path) -> list[str]:
    """The home page and a few others that together have every element, class and script of the site."""
    names = {page: made_of(folder / page) for page in every_page(folder)}
    chosen = [next(iter(names))]
    missing = set().union(*names.values()) - names[chosen[0]]
    while missing:
        brings = {page: len(held & missing) for page, held in names.items()}
        chosen.append(max(brings, key=brings.__getitem__))
        missing -= names[chosen[-1]]
    return chosen


@pytest.fixture(scope="session")
def looks(browser: None, site: Path) -> list[Look]:
    """Each kind of page with every width, scheme and medium, and one page of each folder as most people see it first."""
    kinds = of_each_kind(site)
    others = [page for page in one_page_a_folder(site) if page not in kinds]
    phone, desktop = (
        {"viewports": [viewport], "schemes": [scheme]} for viewport, scheme in (("phone", "light"), ("desktop", "dark"))
    )
    with served(site) as base:
        looks = look_at(base, kinds, **phone) + look_at(base, kinds, **desktop, scripts=[True], print=False)
        return looks + look_at(base, others, **phone, scripts=[True], print=False)


@pytest.fixture(scope="session")
def all_looks(browser: None, site: Path) -> list[Look]:
    with served(site) as base:
        return look_at(base, every_page(site))
