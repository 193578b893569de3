"""Text from a ruleset is shown as text, whatever signs are in it."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oddsmith.publish.markup.html import Html, esc, html_with_code, prose_html, tag, title_text
from oddsmith.ruleset.reading.build import load_ruleset
from tests.cases import RULESETS

EXTENSIONS = ["abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc"]
NASTY = [
    "<script>alert(1)</script>", "a | b", "`code`", "*a* _b_ **c**", "[x](javascript:alert(1))", "![x](y)", "{{ 7*7 }}",
    "{% x %}", "{: .cls #id }", "{ .cls onclick=x }", "# head", "1. item", "- item", "> quote", "    code", "*[HTML]: x",
    "[^1]", "[^1]: note", "&lt;b&gt;", "&#60;b&#62;", "<!-- x", "-->", "]]>", "\\*a\\*", "a  \nb", "http://example.org",
    "<http://example.org>", "$x$", '=== "tab"', "??? note", "!!! note", ":smile:", "~~~\ncode\n~~~", "```\ncode\n```",
    "|a|b|\n|-|-|\n|1|2|", "term\n: def",
]  # fmt: skip


class Reader(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the base class's signature
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def visible(text: str) -> str:
    return " ".join(text.split())


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=60))
@settings(max_examples=150, deadline=None, derandomize=True)
@example("".join(NASTY).replace("\n", " "))
def test_any_text_survives_markdown_in_a_block_and_in_a_heading(text: str) -> None:
    if not text.strip():
        return
    page = read(markdown.markdown(f"## x {esc(text)} x {{#id}}\n\n{tag('p', text)}\n", extensions=EXTENSIONS))
    assert set(page.tags) <= {"h2", "p", "bdi"}
    assert visible(page.text).count(visible(text)) == 2


@pytest.mark.parametrize("text", NASTY)
def test_no_sign_of_markup_is_read_as_markup(text: str) -> None:
    page = read(markdown.markdown(f"{esc(text)}\n\n{tag('div', tag('td', text), title=text)}\n", extensions=EXTENSIONS))
    assert set(page.tags) <= {"p", "div", "td"}
    assert visible(page.text).count(visible(text)) == 2


def test_signs_that_steer_the_direction_are_named() -> None:
    assert "\u202e" not in esc("a\u202eb")
    assert "U+202E" in esc("a\u202eb")
    assert esc("שלום 1").startswith("<bdi>")


def test_children_are_escaped_unless_they_are_html() -> None:
    assert tag("p", "<b>") == "<p>&#60;b&#62;</p>"
    assert tag("p", Html("<b>x</b>")) == "<p><b>x</b></p>"
    assert tag("a", "x", href='"><script>') == '<a href="&#34;&#62;&#60;script&#62;">x</a>'


def test_a_title_holds_no_markup_however_often_it_is_unescaped() -> None:
    made = title_text('</title><script> &lt;b&gt; "x" & y')
    assert "<" not in made
    assert '"' not in made
    assert "&lt" not in made
    assert "& y" in made


def test_prose_knows_emphasis_lists_and_code_and_nothing_else() -> None:
    page = read(prose_html("A *b* **c** `d` <i>e</i>\n\n- one\n- [two](javascript:x)"))
    assert page.tags == ["p", "em", "strong", "code", "ul", "li", "li"]
    assert "<i>e</i>" in page.text
    assert "[two](javascript:x)" in page.text


def test_code_in_a_sentence_is_marked() -> None:
    assert html_with_code("if `a < b` holds") == "if <code>a &#60; b</code> holds"


def test_a_number_and_its_percent_sign_stay_on_one_line() -> None:
    assert esc("wins 3.72 % of\u00a0games") == "wins 3.72\u00a0% of games"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gets -0.074 coins, or -2", "gets \u22120.074 coins, or \u22122"),
        ("0.76 · -0.76", "0.76\u00a0· \u22120.76"),
        ("-34 36ths, from -8\u2013-5, (-1)", "\u221234 36ths, from \u22128\u2013\u22125, (\u22121)"),
        ("a 4-2 and 2-3-4", "a 4-\u20602 and 2-\u20603-\u20604"),
        ("each ± 0.7", "each ±\u00a00.7"),
        ("a well-known ace - 1 of 4", "a well-known ace - 1 of 4"),
    ],
)
def test_signs_of_numbers_are_true_and_keep_together(text: str, shown: str) -> None:
    assert unescape(esc(text)) == shown
    assert unescape(tag("code", text)) == f"<code>{text}</code>", "what is typed stays as it is typed"


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_no_shipped_game_writes_a_link_into_its_prose(path: Path) -> None:
    """It would stay text, brackets and all."""
    words = load_ruleset(path)[0].data
    told = "\n".join(str(words.get(key, "")) for key in ("prose", "told", "summary"))
    assert "](" not in told
