"""Safe HTML: texts of rulesets are escaped once and appear as text, whatever characters they contain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from html import unescape

from oddsmith.base.exact import one_line

_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # signs that steer what is around them
_PLAIN = re.compile(r"[A-Za-z0-9 ,;?%.()]")
_MINUS = re.compile(r"(?<![\w)\].,-])-(?=\.?\d)")
_TOGETHER = ((re.compile(r"(?<=\d) %"), "\u00a0%"), (re.compile("± (?=\\d)"), "±\u00a0"), (re.compile(" · "), "\u00a0· "),
             (re.compile(r"(?<=\d)-(?=\d)"), "-\u2060"))  # fmt: skip
_VOID = {"br", "hr", "input", "wbr"}


class Html(str):
    """Text that is already safe HTML. It is the only text that :func:`tag` does not escape."""

    __slots__ = ()


def esc(text: object) -> Html:
    """Return a text escaped, such that both Markdown and HTML show its characters literally.

    Every character with a meaning in Markdown, HTML or templates becomes a character reference, and line breaks become
    spaces. Invisible control characters, such as changes of the writing direction, are shown by their code points. A
    hyphen before a number becomes a minus sign. The result does not allow line breaks between a number and its %,
    between ± and its number, inside a range of numbers with a hyphen, or before a centred dot.
    """
    plain = re.sub(r"\s+", " ", str(text))
    for wanted, sign in ((_MINUS, "−"), *_TOGETHER):
        plain = wanted.sub(sign, plain)
    return _escape(plain)


def _escape(plain: str) -> Html:
    signs = "".join(map(_escape_character, plain))
    escaped = re.sub(r"^( ?[0-9]+)([.)])", lambda at: f"{at[1]}&#{ord(at[2])};", signs)  # else it would begin a list
    rtl = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in plain)
    return Html(f"<bdi>{escaped}</bdi>" if rtl else escaped)


def _escape_character(character: str) -> str:
    if _PLAIN.fullmatch(character):
        return character
    if unicodedata.category(character) in (*_UNSEEN, "Co") and character not in "\u200c\u200d\u00ad\u2060":
        return f"&#9001;U+{ord(character):04X}&#9002;"
    return character if ord(character) > 127 else f"&#{ord(character)};"


def title_text(text: object) -> str:
    """Return a text for the title of a page, with the special characters of HTML replaced by similar characters.

    The theme inserts titles without escaping them.
    """
    plain = one_line(str(text)).replace("<", "‹").replace(">", "›").replace('"', "”")
    plain = re.sub(r"&(?=[#A-Za-z])", "＆", plain)
    return "".join(letter for letter in plain if unicodedata.category(letter) not in _UNSEEN)


def front_matter(
    title: str, description: str, search_names: Sequence[str], picture_path: str, search_boost: int
) -> str:
    """Return the front matter of a page for the theme, as YAML between lines of dashes.

    ``title``: the title. ``description``: the description. ``search_names``: additional words by which the search finds
    the page. ``picture_path``: the path of the picture that programs show with a link to the page. ``search_boost``:
    the weight of the page in the search.
    """
    lines = [
        f"title: {_yaml_scalar(title)}",
        f"description: {_yaml_scalar(description)}",
        f"picture: {_yaml_scalar(picture_path)}",
    ]
    lines += [f"tags: [{', '.join(map(_yaml_scalar, search_names))}]"] if search_names else []
    return "\n".join(["---", *lines, f"search: {{boost: {search_boost}}}", "---"])


def _yaml_scalar(text: str) -> str:
    return "'" + title_text(text).replace("'", "''") + "'"


def tag(name: str, /, *children: str, **attributes: object) -> Html:
    """Return an element of HTML. Children that are not :class:`Html` are escaped. The attribute ``cls`` is the class;
    ``_`` in names of attributes stands for ``-``.
    """
    written = "".join(
        f" {_attribute_name(key)}" + ("" if value is True else f'="{_attribute_value(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    write = _escape_exactly if name == "code" else esc
    inner = "".join(part if isinstance(part, Html) else write(part) for part in children)
    return Html(f"<{name}{written}>{inner}</{name}>")


def _escape_exactly(text: str) -> Html:
    """Return text that people may type, such as a command, escaped but with the same characters."""
    return _escape(one_line(text))


def _attribute_value(text: str) -> str:
    """Return the value of an attribute, escaped and without invisible control characters."""
    plain = "".join(letter for letter in text if unicodedata.category(letter) not in _UNSEEN)
    return re.sub(r"[&<>\"'`{}]", lambda found: f"&#{ord(found[0])};", plain)


def _attribute_name(key: str) -> str:
    return "class" if key == "cls" else key.rstrip("_").replace("_", "-")


def join_html(parts: Sequence[str], separator: str = "") -> Html:
    """Return texts joined by ``separator``. Texts that are not :class:`Html` are escaped."""
    return Html(separator.join(part if isinstance(part, Html) else esc(part) for part in parts))


def html_with_code(text: str) -> Html:
    """Return a sentence as HTML, with the parts between backquotes as code."""
    parts = re.split(r"`([^`]*)`", text)
    return Html("".join(tag("code", part) if at % 2 else esc(part) for at, part in enumerate(parts)))


# --- a ruleset's own prose

_HEADING, _SIGN = re.compile(r"\s*#+\s+"), r"(?<!\\)\|"
_ITEMS = {"ul": re.compile(r"\s*[-*+]\s+"), "ol": re.compile(r"\s*([0-9]{1,6})[.)]\s+")}
_RULE = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?")
_MARKS = {"**": "strong", "*": "em", "`": "code"}
_SPANS = re.compile(r"(\*\*(?!\s)[^*]+(?<!\s)\*\*|\*(?!\s)[^*]+(?<!\s)\*|`[^`]+`)")


def prose_html(text: str) -> Html:
    """Return a ruleset's prose as HTML. A subset of Markdown is converted: paragraphs, headings, lists, tables,
    *emphasis*, **strength**, code. Everything else is escaped as text.
    """
    blocks: list[Html] = []
    lines = text.strip().splitlines()
    while lines:
        if not lines[0].strip():
            lines.pop(0)
        elif _HEADING.match(lines[0]):
            blocks.append(tag("h3", _inline_html(_HEADING.sub("", lines.pop(0), count=1))))
        elif _begins_table(lines):
            blocks.append(_table_html(_take_block(lines, lambda rest: "|" in rest[0])))
        elif kind := _list_kind(lines[0]):
            blocks.append(
                _list_html(
                    kind, _take_block(lines, lambda rest: bool(rest[0].strip()) and not _begins_block(rest, kind))
                )
            )
        else:
            words = _take_block(lines, lambda rest: bool(rest[0].strip()) and not _begins_block(rest))
            blocks.append(tag("p", _inline_html(" ".join(words))))
    return Html("\n".join(blocks))


def _take_block(lines: list[str], belongs_to_block: Callable[[list[str]], bool]) -> list[str]:
    """Remove the first block of ``lines`` and return it: the first line, and the following lines as long as they belong
    to it. ``belongs_to_block``: a function that says whether the first of the remaining lines belongs to the block.
    """
    found: list[str] = []
    while lines and (not found or belongs_to_block(lines)):
        found.append(lines.pop(0))
    return found


def _list_kind(line: str) -> str:
    return next((kind for kind, sign in _ITEMS.items() if sign.match(line)), "")


def _begins_block(lines: list[str], enclosing_list_kind: str = "") -> bool:
    """Return whether the first line begins a heading, a table or a list.

    ``enclosing_list_kind``: the kind of the enclosing list, whose items do not count. A wrapped line may begin with a
    number, so only item 1 begins a numbered list.
    """
    kind = _list_kind(lines[0])
    item = kind != enclosing_list_kind and (kind == "ul" or lines[0].lstrip().startswith(("1. ", "1) ")))
    return item or _HEADING.match(lines[0]) is not None or _begins_table(lines)


def _begins_table(lines: list[str]) -> bool:
    return "|" in lines[0] and len(lines) > 1 and _RULE.fullmatch(lines[1]) is not None


def _list_html(kind: str, lines: list[str]) -> Html:
    items: list[str] = []
    for line in lines:
        starts = _ITEMS[kind].match(line)
        if starts:
            items.append(line[starts.end() :])
        else:
            items[-1] += f" {line}"
    first = _ITEMS["ol"].match(lines[0])
    start = int(first[1]) if first else 1
    return tag(kind, *(tag("li", _inline_html(item)) for item in items), start=None if start == 1 else start)


def _table_html(lines: list[str]) -> Html:
    head, _, *rows = [[_inline_html(part.replace("\\|", "|")) for part in _split_cells(line)] for line in lines]
    made = [_table_row([cell(part, cls="od-plain") for part in each]) for each in rows]
    top = _table_row([column_header(part, cls="od-plain") for part in head])
    parts = tag("table", tag("thead", top), "\n", tag("tbody", join_html(made, "\n")), cls="od-table")
    return tag("div", parts, cls="od-scroll", tabindex="0", role="region", aria_label="Table")


def _split_cells(line: str) -> list[str]:
    parts = re.split(_SIGN, line.strip())
    return [part.strip() for part in parts[not parts[0] : len(parts) - (not parts[-1])]]


def _inline_html(text: str) -> Html:
    parts = []
    for part in _SPANS.split(text.strip()):
        mark = next((mark for mark in _MARKS if _SPANS.fullmatch(part) and part.startswith(mark)), "")
        parts.append(tag(_MARKS[mark], part.removeprefix(mark).removesuffix(mark)) if mark else esc(part))
    return join_html(parts)


# --- tables


def table(
    caption: str, head: list[Html], rows: list[list[Html]], foot: list[Html] | None = None, **attributes: object
) -> Html:
    """Return a table with a caption, in a box that scrolls. ``head``, ``rows``, ``foot``: its cells.

    Spaces separate all cells, so a search that strips the markup does not join two numbers.
    """
    parts = [
        tag("caption", tag("span", caption)),
        *([tag("thead", _table_row(head))] if head else []),
        tag("tbody", join_html([_table_row(row) for row in rows], "\n")),
    ]
    if foot:
        parts.append(tag("tfoot", _table_row(foot)))
    name = unescape(re.sub(r"<[^>]*>", "", caption)) if isinstance(caption, Html) else caption
    return tag(
        "div",
        tag("table", join_html(parts, "\n"), cls="od-table"),
        cls=" ".join(["od-scroll", *([str(attributes["cls"])] if "cls" in attributes else [])]),
        tabindex="0",
        role="region",
        aria_label=name,
    )


def _table_row(cells: Sequence[Html]) -> Html:
    return tag("tr", join_html(cells, " "))


def column_header(text: str, **attributes: object) -> Html:
    """Return a header cell of a column."""
    return tag("th", text, scope="col", **attributes)


def row_header(text: str, **attributes: object) -> Html:
    """Return the header cell of a row. ``text``: its content. ``attributes``: those of the element."""
    return tag("th", text, scope="row", **attributes)


def cell(text: str, **attributes: object) -> Html:
    """Return a data cell."""
    return tag("td", text, **attributes)


def question_and_answer_html(question: str, answer: str, note: str = "") -> Html:
    """Return an entry of a description list: a question and its answer, with small print below."""
    small = [Html(" "), tag("small", note)] if note else []
    return tag("div", tag("dt", question), Html(" "), tag("dd", answer, *small))
