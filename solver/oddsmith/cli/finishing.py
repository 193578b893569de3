"""``python -m oddsmith.cli.finishing SITE CHANGELOG``: the last step of ``make site``, after the pages are HTML.

It puts wide tables into boxes, and writes three files into a built site: the lists of files to keep for use without a
network, the feed of changes, and the schema of rulesets, for editors. It reads the environment variables ``SITE_URL``,
the address of the site, and ``SOURCE_DATE_EPOCH``, the time of the newest change.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from oddsmith.base.files import folder_files, write_folder_files
from oddsmith.base.resources import SCHEMA, schema_text
from oddsmith.publish import atom_feed, offline_lists_script, with_boxed_tables


def finish_site(site: Path, changelog: Path, url: str, built_at: int) -> None:
    """Put the wide tables of a built site into boxes. Write the list of files for use without a network, the feed of
    changes, and the schema of rulesets into the site.

    ``site``: its folder. ``changelog``: the file from which the feed is made. ``url``: the address of the site.
    ``built_at``: the time of the newest change, in seconds since 1970.
    """
    files = folder_files(site)
    pages = {name: with_boxed_tables(data) for name, data in files.items() if name.endswith(".html")}
    made = pages | {
        "offline-files.js": offline_lists_script(files | pages),
        "feed.xml": atom_feed(changelog.read_text("utf-8"), built_at, url),
        f"schemas/{SCHEMA}": schema_text(SCHEMA).encode(),
    }
    write_folder_files(site, made)


if __name__ == "__main__":
    finish_site(
        Path(sys.argv[1]), Path(sys.argv[2]), os.environ.get("SITE_URL", ""), int(os.environ["SOURCE_DATE_EPOCH"])
    )
