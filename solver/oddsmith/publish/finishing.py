"""What a built site needs besides its pages: the list of what is kept for use without a network, and a feed of what changed.

Wide tables of written pages get boxes here in which they scroll, because Markdown cannot name one.
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

from oddsmith.publish.markup.html import prose

CERTIFICATES, TABLES = "*.jsonl.gz", "*/play/*.gz"
SMALL = {CERTIFICATES: 20_000, TABLES: 250_000}
"""Bytes up to which a file is kept that no page needs to be read: most are shorter, and the others fill megabytes."""
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
"""What is kept for use without a network: pages and what they load. A star stands for any letters, slashes included."""
ASKED = ("playground/python/*", "playground/starters.json", "games/*.yaml")
"""What is kept only once somebody loaded it to change a game: large, and not for everybody."""
SOLVING = "playground/python/solving.json"
"""What says which files of another host somebody may have loaded to solve games."""
LEFT = ("404.html", "*.map", "assets/javascripts/lunr/*", "*picture.png")
"""What no page loads."""
RELEASE = re.compile(r"(?m)^## \[([^\]]+)\](?: - ([0-9]{4}-[0-9]{2}-[0-9]{2}))?[^\n]*$")
FOLDER_LINK = re.compile(rb'(\bhref="(?:\.\.?(?=["#?])|(?![a-z]+:|/)[^"#?]*(?=/["#?])))/?((?:[#?][^"]*)?")')
HEADING_OR_TABLE = re.compile(rb"<h[1-6][^>]*>(.*?)(?=<a |</h[1-6]>)|<table>(.*?)</table>", re.DOTALL)
COLUMNS = 5
"""From so many on, a table of a written page is wide."""
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def offline_files(site: Mapping[str, bytes], kinds: Sequence[str] = KEPT) -> dict[str, str]:
    """Return the addresses of kept files below the root of the site, each with the hash of its file."""
    chosen = {
        name: data
        for name, data in sorted(site.items())
        if any(fnmatch(name, each) for each in kinds) and not any(fnmatch(name, each) for each in LEFT)
        if all(len(data) <= most for kind, most in SMALL.items() if fnmatch(name, kind))
    }
    return {re.sub(r"(^|/)index\.html$", r"\1", name): sha256(data).hexdigest()[:16] for name, data in chosen.items()}


def file_links(page: bytes) -> bytes:
    """Return a page with links to files where they led to folders."""
    return FOLDER_LINK.sub(rb"\1/index.html\2", page)


def box_tables(page: bytes) -> bytes:
    """Put each wide table of a page into a box that a keyboard can scroll, named by the heading above it.

    This is for tables without a class: those that were written in Markdown.
    """
    heading = b""

    def change(found: re.Match[bytes]) -> bytes:
        nonlocal heading
        if found[2] is None:
            heading = re.sub(rb"<[^>]*>", b"", found[1]).strip().replace(b'"', b"&quot;")
            return found[0]
        if found[2].partition(b"</tr>")[0].count(b"</th>") < COLUMNS:
            return found[0]
        box = b'<div class="od-scroll" tabindex="0" role="region" aria-label="%b">' % heading
        return box + b'<table class="od-table od-written">%b</table></div>' % found[2]

    return HEADING_OR_TABLE.sub(change, page)


def offline_list(site: Mapping[str, bytes]) -> bytes:
    """Write two lists for the theme's worker: files to keep at once, and files to keep once they were asked for."""
    elsewhere = json.loads(site[SOLVING])["network"] if SOLVING in site else {}
    asked = offline_files(site, ASKED) | {address: digest[:16] for address, digest in sorted(elsewhere.items())}
    lists = {"FILES": offline_files(site), "ASKED": asked}
    return "".join(f"self.{name} = {json.dumps(files, indent=0)};\n" for name, files in lists.items()).encode()


def feed(changelog: str, built: int, url: str = "") -> bytes:
    """Write an Atom feed with an entry for each release in a changelog, and for unreleased changes if there are any.

    ``built``: when the newest change was made, in seconds since 1970, the date of what is not released; ``url``: the address of
    the site, empty where it is not known.
    """
    now = datetime.fromtimestamp(built, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    base = url.rstrip("/") + "/" if url else ""
    _, *parts = RELEASE.split(changelog)
    entries = [
        _entry(name, f"{date}T00:00:00Z" if date else now, text, base)
        for name, date, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        if text.strip()
    ]
    links = (
        [f'<link rel="self" href={quoteattr(f"{base}feed.xml")}/>', f"<link href={quoteattr(base)}/>"] if base else []
    )
    head = [
        "<title>Oddsmith: what changed</title>", f"<id>{base or _urn('feed')}</id>", f"<updated>{now}</updated>",
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


def _entry(name: str, date: str, text: str, base: str) -> str:
    title = "Oddsmith, not yet released" if name == "Unreleased" else f"Oddsmith {name}"
    parts = [
        f"<title>{escape(title)}</title>", f"<id>{_urn(name)}</id>", f"<updated>{date}</updated>",
        *([f"<link href={quoteattr(base)}/>"] if base else []),
        f'<content type="html">{escape(prose(LINK.sub(chr(92) + "1", text)))}</content>',
    ]  # fmt: skip
    return "<entry>" + "".join(parts) + "</entry>"


def _urn(name: str) -> str:
    """Return a name that stays the same wherever the site is."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'oddsmith:{name}')}"
