"""The built site: every link leads somewhere. It reads build/site, so `make site` comes first."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

SITE = Path(__file__).resolve().parents[2] / "build" / "site"


@pytest.mark.browser
def test_no_link_of_the_site_is_dead() -> None:
    pages = sorted(SITE.rglob("*.html"))
    assert pages, "no built site: make site first"
    dead = []
    for page in pages:
        for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8")):
            path, _, _ = unescape(link).partition("#")
            if not path or re.match(r"[a-z]+:|//", path):
                continue
            target = SITE / path.lstrip("/") if path.startswith("/") else page.parent / path
            target = Path(unquote(str(target).partition("?")[0]))
            if not (target / "index.html" if target.is_dir() else target).exists():
                dead.append(f"{page.relative_to(SITE)}: {link}")
    assert not dead, "\n".join(dead)
