"""What a built site has besides its pages: the list of what is kept, the feed, and what a page tells those who link to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from oddsmith.cli.finishing import finish_site
from oddsmith.publish.finishing import atom_feed, offline_file_hashes, offline_lists_script, with_boxed_tables

ROOT = Path(__file__).resolve().parents[2]
ATOM = "{http://www.w3.org/2005/Atom}"
CHANGES = """# Changelog

## [Unreleased]

### Added

- A thing & another, for `play <me>`.

## [0.1.0] - 2026-01-31

- The first, as [the docs](docs/index.md) say.
"""


def test_what_is_kept_goes_by_address_and_by_what_is_there() -> None:
    site = {
        "index.html": b"home", "games/pig/index.html": b"pig", "games/pig/card.html": b"card", "games/pig/play.json": b"{}",
        "games/pig/play/1.policy.gz": b"table", "games/pig/1.csv": b"1", "games/pig/picture.png": b"png", "404.html": b"none",
        "assets/a.css": b"css", "assets/a.js.map": b"map", "search/search_index.json": b"{}",
        "table/games.json": b"{}", "games/pig/1.jsonl.gz": b"a proof", "games/pig/2.jsonl.gz": b"a long proof" * 10_000,
    }  # fmt: skip
    kept = offline_file_hashes(site)
    assert list(kept) == [
        "assets/a.css", "games/pig/1.jsonl.gz", "games/pig/card.html", "games/pig/", "games/pig/play.json",
        "games/pig/play/1.policy.gz", "", "search/search_index.json", "table/games.json",
    ]  # fmt: skip
    assert offline_file_hashes(site | {"games/pig/1.csv": b"2"}) == kept
    changed = offline_file_hashes(site | {"games/pig/index.html": b"pigs"})
    assert [name for name in kept if changed[name] != kept[name]] == ["games/pig/"]
    assert offline_lists_script(site) == offline_lists_script(dict(reversed(site.items())))


def test_wide_written_tables_stand_in_boxes_named_by_their_headings() -> None:
    def table(columns: int, attributes: bytes = b"") -> bytes:
        row = b"<tr>" + b"<th>a</th>" * columns + b"</tr>"
        return b"<table%b><thead>%b</thead><tbody>%b</tbody></table>" % (attributes, row, row.replace(b"th", b"td"))

    heading = b'<h2 id="x">Say <code>"much"</code><a class="headerlink" href="#x">#</a></h2>'
    page = heading + table(4) + table(5) + table(7, b' class="od-table"')
    found = with_boxed_tables(page)
    box = b'<div class="od-scroll" tabindex="0" role="region" aria-label="Say &quot;much&quot;">'
    written = table(5, b' class="od-table od-written"')
    assert found == heading + table(4) + box + written + b"</div>" + table(7, b' class="od-table"')
    assert with_boxed_tables(found) == found


def test_a_feed_has_no_entry_for_what_is_not_released_where_nothing_is() -> None:
    _, releases = CHANGES.split("## [0.1.0]")
    root = ET.fromstring(atom_feed(f"# Changelog\n\n## [Unreleased]\n\n## [0.1.0]{releases}", 0))  # noqa: S314 - made just above
    assert [each.findtext(f"{ATOM}title") for each in root.findall(f"{ATOM}entry")] == ["Oddsmith 0.1.0"]


def test_a_feed_has_an_entry_for_each_release_and_dates_that_are_known() -> None:
    root = ET.fromstring(atom_feed(CHANGES, 1_800_000_000))  # noqa: S314 - made just above
    unreleased, first = root.findall(f"{ATOM}entry")
    assert unreleased.findtext(f"{ATOM}updated") == root.findtext(f"{ATOM}updated") == "2027-01-15T08:00:00Z"
    assert first.findtext(f"{ATOM}updated") == "2026-01-31T00:00:00Z"
    text = unreleased.findtext(f"{ATOM}content") or ""
    assert "<li>" in text
    assert "<me>" not in text, "text stays text once it is unpacked"
    assert "the docs say" in (first.findtext(f"{ATOM}content") or "")
    names = [each.findtext(f"{ATOM}id") or "" for each in (root, unreleased, first)]
    assert len(set(names)) == 3
    assert all(name.startswith("urn:uuid:") for name in names)
    assert b"href" not in atom_feed(CHANGES, 0), "no address where none is known"
    assert b'<link rel="self" href="https://example.org/odds/feed.xml"/>' in atom_feed(
        CHANGES, 0, "https://example.org/odds"
    )


@pytest.mark.parametrize("url", ["", "https://example.org/odds/"])
def test_a_page_tells_its_address_and_picture_where_the_site_knows_its_own(url: str, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("---\ntitle: 'Odds & ends'\ndescription: 'All about \"odds\".'\n---\n# Home\n")
    (docs / "pig.md").write_text("---\npicture: games/pig/picture.png\n---\n# Pig\n")
    ours = (ROOT / "mkdocs.yml").read_text("utf-8")
    config = re.sub(r"(?ms)^nav:.*?(?=^\w)", "", ours.replace("build/pages", str(docs)).replace("build/site", "site"))
    (tmp_path / "mkdocs.yml").write_text(config.replace("site/theme", str(ROOT / "site" / "theme")))
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(tmp_path / "mkdocs.yml")]
    environment = {key: value for key, value in os.environ.items() if key != "SITE_URL"} | (
        {"SITE_URL": url} if url else {}
    )
    subprocess.run(command, check=True, timeout=120, env=environment, capture_output=True)
    home, pig = ((tmp_path / "site" / name).read_text("utf-8") for name in ("index.html", "pig/index.html"))
    assert '<meta property="og:title" content="Odds &amp; ends">' in home
    assert '<meta property="og:description" content="All about &#34;odds&#34;.">' in home
    told = re.findall(r'<(?:link rel="canonical"|meta property="og:(?:url|image)") (?:href|content)="([^"]+)"', pig)
    assert told == ([f"{url}pig/", f"{url}pig/", f"{url}games/pig/picture.png"] if url else [])
    assert (f"{url}assets/picture.png" in home) == bool(url)
    assert ("<loc>" in (tmp_path / "site" / "sitemap.xml").read_text("utf-8")) == bool(url)


def test_a_finished_site_has_the_schema_at_the_address_that_the_pages_name(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>Odds</p>", encoding="utf-8")
    finish_site(tmp_path, ROOT / "CHANGELOG.md", "", 0)
    kept = "schemas/ruleset.schema.json"
    assert (tmp_path / kept).read_bytes() == (ROOT / kept).read_bytes()
    assert f"`{kept}`" in (ROOT / "docs" / "editors.md").read_text("utf-8")
