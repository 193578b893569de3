"""The pages of the site made still, for a host that runs no script of ours inside them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from oddsmith.publish.markup import Html, join, tag
from oddsmith.tabletops.foundry.content import Page

WIDE = "overflow-x: auto"
PALE = "opacity: 0.6"

_GONE = {"script", "style", "figure", "svg", "form", "button", "input"}
_VOID = {"br", "hr", "wbr"}
_KEPT = {"scope", "colspan", "start", "role", "tabindex", "aria-label"}
_AS = {"details": "div", "section": "div", "summary": "p"}


def still(html: Html) -> Html:
    """A page's HTML without what only works on the site.

    Scripts, charts, downloads and what is for the screen of the site go; links that stay on the site become their text; what
    was folded away is laid open; classes go, with their sense kept where they have one.
    """
    reader = _Still()
    reader.feed(html)
    reader.close()
    # What the site sets on a line of its own would run into the word before it.
    return Html(re.sub(r"(?<=\S)<small>(?=[^\s<])", " <small>", "".join(reader.found)))


class _Still(HTMLParser):
    """Writes well-formed HTML again. ``ends``: of each open element what closes it; None where it is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)  # an escaped sign stays escaped
        self.found: list[str] = []
        self.ends: list[str | None] = []

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        if name in _VOID:
            self._write(f"<{name}>")
            return
        known = {key: value or "" for key, value in attrs}
        classes = known.get("class", "").split()
        if None in self.ends or name in _GONE or "download" in known or "od-screen" in classes:
            self.ends.append(None)
        elif name == "a" and not known.get("href", "").startswith(("https://", "http://")):
            self.ends.append("")
        else:
            start, end = _opened(name, known, classes)
            self.found.append(start)
            self.ends.append(end)

    def handle_endtag(self, name: str) -> None:  # noqa: ARG002 - the base class's signature
        """Close the element that was opened last."""
        self._write(self.ends.pop() or "")

    def handle_data(self, data: str) -> None:
        """Text."""
        self._write(data)

    def handle_charref(self, name: str) -> None:
        """An escaped sign, by number."""
        self._write(f"&#{name};")

    def handle_entityref(self, name: str) -> None:
        """An escaped sign, by name."""
        self._write(f"&{name};")

    def _write(self, text: str) -> None:
        if None not in self.ends:
            self.found.append(text)


def _opened(name: str, known: dict[str, str], classes: list[str]) -> tuple[str, str]:
    """The start and the end of an element with what is kept of its attributes."""
    kept: dict[str, object] = {key: value for key, value in known.items() if key in _KEPT}
    if name == "a":
        kept |= {"href": known["href"], "rel": "noreferrer"}
    if "od-scroll" in classes or "od-pale" in classes:
        kept["style"] = WIDE if "od-scroll" in classes else PALE
    shown = _AS.get(name, name)
    end = f"</{shown}>"
    return tag(shown, **{key.replace("-", "_"): value for key, value in kept.items()}).removesuffix(end), end


def still_page(slug: str, title: str, parts: list[Html], level: int = 1) -> Page:
    """A page of a journal from parts of a page of the site."""
    return Page(slug, title, still(join(parts, "\n")), level)
