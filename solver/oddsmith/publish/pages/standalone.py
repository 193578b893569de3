"""Standalone pages: each is a single file of HTML that needs no scripts and no other files."""

from __future__ import annotations

from collections.abc import Iterable

from oddsmith.base.resources import style_text
from oddsmith.publish.markup.html import Html, esc, join, tag

_PAGE = """\
<!doctype html>
<html lang="en" data-md-color-scheme="default">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body class="md-typeset">
{body}
</body>
</html>
"""
_OWN = """\
body { background: var(--md-default-bg-color); color: var(--md-typeset-color); font: 1rem/1.6 var(--od-sans); margin: 0 auto;
  max-width: 60rem; padding: 1rem; }
h1, h2 { font-family: var(--od-serif); line-height: 1.2; }
.md-typeset table.od-table { border-collapse: collapse; font-size: .9rem; }
.md-typeset .od-table td, .md-typeset .od-table th { padding: .3rem .7rem; }
"""


def standalone_page(title: str, parts: Iterable[Html]) -> bytes:
    """Return a standalone page with the heading ``title``."""
    style = "\n".join(style_text(name) for name in ("palettes.css", "oddsmith.css"))
    body = join([tag("h1", title), *parts], "\n")
    return _PAGE.format(title=esc(title), style=style + _OWN, body=body).encode()
