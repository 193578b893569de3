"""Text made safe for a page, once: what a ruleset says is shown as text, whatever signs are in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import unescape

_PLAIN = re.compile(r"[A-Za-z0-9 ,;?%.()]")
_VOID = {"br", "hr", "wbr"}


class Html(str):
    """Text that is HTML already, and safe: the only text that :func:`tag` takes as it is."""

    __slots__ = ()


def esc(text: object) -> Html:
    """Any text, to be shown letter by letter in Markdown and in HTML alike.

    Every sign that Markdown, HTML or a template could read becomes a character reference; line breaks become spaces;
    signs that cannot be seen but steer what is around them (such as changes of the writing direction) are named.
    """
    plain = re.sub(r"\s+", " ", str(text))
    found = re.sub(
        r"^( ?[0-9]+)([.)])", lambda at: f"{at[1]}&#{ord(at[2])};", "".join(map(_sign, plain))
    )  # else a list
    rtl = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in plain)
    return Html(f"<bdi>{found}</bdi>" if rtl else found)


def _sign(letter: str) -> str:
    if _PLAIN.fullmatch(letter):
        return letter
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and letter not in "\u200c\u200d\u00ad":
        return f"&#9001;U+{ord(letter):04X}&#9002;"
    return letter if ord(letter) > 127 else f"&#{ord(letter)};"


def title(text: object) -> str:
    """A text for a page's title, which the theme puts into several places without looking: without signs of HTML."""
    plain = " ".join(str(text).split()).replace("<", "‹").replace(">", "›").replace('"', "”")
    plain = re.sub(r"&(?=[#A-Za-z])", "＆", plain)
    return "".join(letter for letter in plain if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))


def tag(name: str, *children: str, **attributes: object) -> Html:
    """An element. Children that are not :class:`Html` are escaped; ``cls`` is the class, ``_`` in names stands for ``-``."""
    written = "".join(
        f" {_attribute(key)}" + ("" if value is True else f'="{_quoted(str(value))}"')
        for key, value in attributes.items() if value is not None and value is not False
    )  # fmt: skip
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def _quoted(text: str) -> str:
    """The value of an attribute; what steers the writing direction is left out."""
    plain = "".join(letter for letter in text if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return re.sub(r"[&<>\"'`{}]", lambda found: f"&#{ord(found[0])};", plain)


def _attribute(key: str) -> str:
    return "class" if key == "cls" else key.rstrip("_").replace("_", "-")


def join(parts: Sequence[str], between: str = "") -> Html:
    """Several texts, those that are not Html escaped."""
    return Html(between.join(part if isinstance(part, Html) else esc(part) for part in parts))


def marked(text: str) -> Html:
    """A sentence of the report in which stretches between backquotes are code."""
    parts = re.split(r"`([^`]*)`", text)
    return Html("".join(tag("code", part) if at % 2 else esc(part) for at, part in enumerate(parts)))


def prose(text: str) -> Html:
    """A ruleset's own prose: paragraphs, lists, *emphasis* and **strength**; everything else stays text."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if block.strip()]
    return Html("\n".join(_block(block) for block in blocks))


def _block(block: str) -> Html:
    lines = block.strip().split("\n")
    if all(re.match(r"\s*[-*] ", line) for line in lines):
        return tag("ul", *(tag("li", _spans(re.sub(r"^\s*[-*] ", "", line))) for line in lines))
    return tag("p", _spans(re.sub(r"^#+\s*", "", block)))


def _spans(text: str) -> Html:
    found = []
    for part in re.split(r"(\*\*[^*\n]+\*\*|\*[^*\n]+\*|`[^`\n]+`)", text):
        if part.startswith("**") and part.endswith("**") and len(part) > 4:
            found.append(tag("strong", part[2:-2]))
        elif part[:1] == part[-1:] == "*" and len(part) > 2:
            found.append(tag("em", part[1:-1]))
        elif part[:1] == part[-1:] == "`" and len(part) > 2:
            found.append(tag("code", part[1:-1]))
        elif part:
            lead, tail = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
            found.append(Html(f"{' ' * bool(lead)}{esc(part)}{' ' * bool(tail)}"))
    return join(found)


# --- tables


def table(
    caption: str, head: list[Html], rows: list[list[Html]], foot: list[Html] | None = None, **attributes: object
) -> Html:
    """A table in a scroll box of its own, with a caption, and cells that are made already."""
    parts = [
        tag("caption", tag("span", caption)),
        tag("thead", tag("tr", *head)),
        tag("tbody", *(tag("tr", *row) for row in rows)),
    ]
    if foot:
        parts.append(tag("tfoot", tag("tr", *foot)))
    name = unescape(re.sub(r"<[^>]*>", "", caption)) if isinstance(caption, Html) else caption
    return tag(
        "div", tag("table", *parts, cls="od-table"),
        cls=" ".join(["od-scroll", *([str(attributes["cls"])] if "cls" in attributes else [])]),
        tabindex="0", role="region", aria_label=name,
    )  # fmt: skip


def column(text: str, **attributes: object) -> Html:
    """A cell at the head of a column."""
    return tag("th", text, scope="col", **attributes)


def row(text: str, **attributes: object) -> Html:
    """A cell at the head of a row."""
    return tag("th", text, scope="row", **attributes)


def cell(text: str, **attributes: object) -> Html:
    """A plain cell."""
    return tag("td", text, **attributes)
