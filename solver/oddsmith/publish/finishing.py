"""Finish a built site: lists of files that a browser keeps for use without a network, and a feed of changes.

This module also puts wide tables of written pages into boxes that scroll, because Markdown cannot express such boxes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatch
from hashlib import sha256
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from oddsmith.publish.markup.html import prose_html

CERTIFICATES, TABLES = "*.jsonl.gz", "*/play/*.gz"
MAX_BYTES_KEPT = {CERTIFICATES: 20_000, TABLES: 250_000}
"""The greatest size in bytes of kept files that are not necessary to read a page, by pattern of their names. Most such
files are smaller; the others would take megabytes.
"""
KEPT = (
    "*.html",
    "assets/*",
    "search/*",
    "*/play.json",
    "*/games.json",
    TABLES,
    CERTIFICATES,
    "manifest.webmanifest",
    "sitemap.xml",
)
"""The files to keep for use without a network: pages and the files that they load. A star matches any characters,
including slashes.
"""
ASKED = ("playground/python/*", "playground/starters.json", "games/*.yaml")
"""The files to keep only after the visitor loaded them to change a game. They are large, and few visitors need them."""
SOLVING = "playground/python/solving.json"
"""A file of the site with a list of files on another host, which are loaded to solve games in the browser."""
LEFT = ("404.html", "*.map", "assets/javascripts/lunr/*", "*picture.png")
"""The files that are never kept, because no page loads them."""
RELEASE = re.compile(r"(?m)^## \[([^\]]+)\](?: - ([0-9]{4}-[0-9]{2}-[0-9]{2}))?[^\n]*$")
FOLDER_LINK = re.compile(rb'(\bhref="(?:\.\.?(?=["#?])|(?![a-z]+:|/)[^"#?]*(?=/["#?])))/?((?:[#?][^"]*)?")')
HEADING_OR_TABLE = re.compile(rb"<h[1-6][^>]*>(.*?)(?=<a |</h[1-6]>)|<table>(.*?)</table>", re.DOTALL)
COLUMNS = 5
"""The least number of columns of a wide table."""
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def offline_file_hashes(site: Mapping[str, bytes], path_patterns: Sequence[str] = KEPT) -> dict[str, str]:
    """Return which files a browser keeps: the hash of each, by its address relative to the root of the site.

    ``site``: all files by path. ``path_patterns``: patterns of the paths to keep.
    """
    chosen = {
        name: data
        for name, data in sorted(site.items())
        if any(fnmatch(name, each) for each in path_patterns) and not any(fnmatch(name, each) for each in LEFT)
        if all(len(data) <= most for kind, most in MAX_BYTES_KEPT.items() if fnmatch(name, kind))
    }
    return {re.sub(r"(^|/)index\.html$", r"\1", name): sha256(data).hexdigest()[:16] for name, data in chosen.items()}


def with_links_to_files(page: bytes) -> bytes:
    """Return a page with each link to a folder replaced by a link to the ``index.html`` in it."""
    return FOLDER_LINK.sub(rb"\1/index.html\2", page)


def with_boxed_tables(page: bytes) -> bytes:
    """Return a page with each wide table in a box that a keyboard can scroll. The name of the box is the heading above
    the table.

    Only tables without a class are put into boxes: those that were written in Markdown.
    """
    heading = b""

    def boxed_table(match: re.Match[bytes]) -> bytes:
        nonlocal heading
        if match[2] is None:
            heading = re.sub(rb"<[^>]*>", b"", match[1]).strip().replace(b'"', b"&quot;")
            return match[0]
        if match[2].partition(b"</tr>")[0].count(b"</th>") < COLUMNS:
            return match[0]
        box = b'<div class="od-scroll" tabindex="0" role="region" aria-label="%b">' % heading
        return box + b'<table class="od-table od-written">%b</table></div>' % match[2]

    return HEADING_OR_TABLE.sub(boxed_table, page)


def offline_lists_script(site: Mapping[str, bytes]) -> bytes:
    """Return a script that defines two lists of files for the service worker of the theme.

    The files in ``FILES`` are kept at once, those in ``ASKED`` after they were requested. ``site``: all files by path.
    """
    elsewhere = json.loads(site[SOLVING])["network"] if SOLVING in site else {}
    asked = offline_file_hashes(site, ASKED) | {address: digest[:16] for address, digest in sorted(elsewhere.items())}
    lists = {"FILES": offline_file_hashes(site), "ASKED": asked}
    return "".join(f"self.{name} = {json.dumps(files, indent=0)};\n" for name, files in lists.items()).encode()


def atom_feed(changelog: str, build_time: int, url: str = "") -> bytes:
    """Return an Atom feed with an entry for each release in a changelog, and one for unreleased changes if there are
    any.

    ``build_time``: the time of the newest change in seconds since 1970, which is the date of unreleased changes.
    ``url``: the address of the site, empty if it is not known.
    """
    now = datetime.fromtimestamp(build_time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    base = url.rstrip("/") + "/" if url else ""
    _, *parts = RELEASE.split(changelog)
    entries = [
        _feed_entry(name, f"{date}T00:00:00Z" if date else now, text, base)
        for name, date, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        if text.strip()
    ]
    links = (
        [f'<link rel="self" href={quoteattr(f"{base}feed.xml")}/>', f"<link href={quoteattr(base)}/>"] if base else []
    )
    head = [
        "<title>Oddsmith: what changed</title>", f"<id>{base or _uuid_urn('feed')}</id>", f"<updated>{now}</updated>",
        "<author><name>the Oddsmith authors</name></author>", *links,
    ]  # fmt: skip
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        *head,
        *entries,
        "</feed>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _feed_entry(name: str, date: str, text: str, base_url: str) -> str:
    title = "Oddsmith, not yet released" if name == "Unreleased" else f"Oddsmith {name}"
    parts = [
        f"<title>{escape(title)}</title>", f"<id>{_uuid_urn(name)}</id>", f"<updated>{date}</updated>",
        *([f"<link href={quoteattr(base_url)}/>"] if base_url else []),
        f'<content type="html">{escape(prose_html(LINK.sub(chr(92) + "1", text)))}</content>',
    ]  # fmt: skip
    return "<entry>" + "".join(parts) + "</entry>"


def _uuid_urn(name: str) -> str:
    """Return an identifier (URN) of the feed or of an entry that does not depend on the address of the site."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'oddsmith:{name}')}"
