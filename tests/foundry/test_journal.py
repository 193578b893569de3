"""Journals: every page there, still, safe, with the numbers of the solver."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from oddsmith.base.exact import fraction_text, plural
from oddsmith.publish.markup import numbers
from oddsmith.publish.markup.html import Html, tag
from oddsmith.publish.markup.numbers import amount_text_without_unit
from oddsmith.publish.pages import source_html
from oddsmith.publish.sections.first_screen import line_to_remember_and_value
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.report.answers.answers import Answer
from oddsmith.ruleset.bundle import sha256
from oddsmith.solve.game_solver import solve
from oddsmith.tabletops.foundry.documents import JournalPage
from oddsmith.tabletops.foundry.journal import rules_pages, static_html
from oddsmith.tabletops.foundry.odds import MAX_DECISION_ROWS, odds_pages
from tests.foundry.accounts import PATHS, accounts

TAGS = {
    "p", "div", "ul", "ol", "li", "dl", "dt", "dd", "h3", "h4", "small", "strong", "em", "b", "q", "span", "code", "bdi", "br",
    "a", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td",
}  # fmt: skip
ATTRIBUTES = {"scope", "colspan", "start", "role", "tabindex", "aria-label", "style", "href", "rel"}
STYLES = {"overflow-x: auto", "opacity: 0.6"}
games = pytest.mark.parametrize("name", PATHS)


class Reader(HTMLParser):
    """A page's elements in order, its text, and whether every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.opened: list[tuple[str, dict[str, str | None]]] = []
        self.path: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append((tag, dict(attrs)))
        if tag not in ("br", "wbr"):
            self.path.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.path.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data.replace("\u00a0%", " %")  # whether these stay on one line has a test of its own


def marked_text(html: str) -> str:
    return " ".join(Reader(html).text.split())


def journal(account: RulesetAnswers) -> list[JournalPage]:
    return [*rules_pages(account.main.game), *odds_pages(account)]


def pages(name: str) -> dict[str, JournalPage]:
    found = {page.slug: page for page in journal(accounts(name))}
    assert len(found) == len(journal(accounts(name))), "a slug is the seed of an id: there is one of each"
    return found


@games
def test_pages_come_in_their_order_and_only_where_they_have_something_to_say(name: str) -> None:
    account, kept = accounts(name), [page.slug for page in odds_pages(accounts(name))]
    shown = [page.slug for page in rules_pages(account.main.game)]
    assert shown == ["how-to-play", "at-this-table", *["source"] * ("source" in account.ruleset.data)]
    told = account.main.strategies or len(account.answers) > 1
    assert kept == ["odds", *["strategy"] * bool(told), "players", "chances", "method"]


@games
def test_the_line_to_remember_comes_first_and_what_proves_it_last(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        numbers, "MAX_SHOWN_DIGITS", 2
    )  # so that every fraction is told by its hash, as that of a large game
    found = [Reader(page.html).text for page in odds_pages(accounts(name))]
    words = marked_text(line_to_remember_and_value(accounts(name).main)[0])
    assert " ".join(found[0].split()).startswith(words)
    proofs = [re.search(r"SHA.?256|digits;|fingerprint|transitions", text) is not None for text in found]
    assert proofs == [False] * (len(found) - 1) + [True]


@games
def test_what_players_read_holds_no_odds_and_no_best_play(name: str) -> None:
    account = accounts(name)
    ours = [page for page in rules_pages(account.main.game) if page.slug != "source"]
    text = " ".join(Reader("\n".join(page.html for page in ours)).text.split())
    assert not re.search(r"[0-9] %|\b(odds|exact|proven|best play)\b", text)
    for answer in account.answers:
        for each in answer.opponents if answer.result else ():
            assert each.name not in text
    assert {"odds", "method"} <= {page.slug for page in odds_pages(account)}


@games
def test_a_journal_is_still(name: str) -> None:
    """No script, nothing that acts, nothing for the site's style sheets or addresses, every table told and headed."""
    for page in pages(name).values():
        reader = Reader(page.html)
        assert reader.path == []
        for element, attributes in reader.opened:
            assert element in TAGS, page.slug
            assert attributes.keys() <= ATTRIBUTES, (page.slug, element, attributes)
            assert attributes.get("style", "opacity: 0.6") in STYLES
            assert element != "a" or str(attributes["href"]).startswith("https://")
            assert element != "th" or attributes["scope"] in ("row", "col")
        tables = [part for part, _ in reader.opened if part == "table"]
        assert len(tables) == sum(part == "caption" for part, _ in reader.opened)


@games
def test_no_table_is_longer_than_anybody_reads(name: str) -> None:
    for page in pages(name).values():
        assert all(part.count("<tr") <= MAX_DECISION_ROWS for part in page.html.split("<table"))


def test_what_a_ruleset_says_is_text() -> None:
    account = accounts("hostile")
    whole = "\n".join(page.html for page in journal(account))
    text = " ".join(Reader(whole).text.split())
    rules = account.ruleset
    named = [entry.name for phase in rules.phases.values() for entry in phase.entries]
    for said in [rules.summary, *named, *rules.policies]:
        assert " ".join(said.replace("`", "").split()) in text.replace("`", ""), said
    assert "<script" not in whole
    assert "<img" not in whole


@games
def test_brackets_that_open_something_in_foundry_are_ours_alone(name: str) -> None:
    """A mark of Foundry's needs a bracket; one of a ruleset is escaped in every text, and only three are not."""
    for page in journal(accounts(name)):
        plain = re.sub(r"<[^>]*>", "", page.html)
        doors = re.findall(r"@Oddsmith\[(?:open|new|advice) [\w-]+\]", plain)
        assert len(doors) == (3 if page.slug == "at-this-table" else 0)
        assert "[" not in re.sub(r"@Oddsmith\[[\w -]+\]", "", plain)


@games
def test_the_numbers_are_the_solver_s(name: str) -> None:
    account, found = accounts(name), pages(name)
    main = account.main
    solution = solve(main.game, main.setting.objective).with_fractions()
    odds, method = Reader(found["odds"].html).text, Reader(found["method"].html).text
    for value in solution.values:
        assert amount_text_without_unit(account.main.unit, value) in Reader(found["players"].html).text
        if value.exact is not None and len(fraction_text(value.exact)) < 20:
            assert fraction_text(value.exact) in method
    assert solution.grade in odds
    for wanted in (
        sha256(account.ruleset),
        plural(solution.graph.state_count, "position"),
        "oddsmith solve",
        "Computed by oddsmith",
    ):
        assert wanted in method
    for verdict in account.verdicts:
        assert verdict.claim.quote in method
        assert ("right" if verdict.is_right else "wrong") in method


def test_stakes_are_those_of_the_bet() -> None:
    text = Reader(pages("bet")["players"].html).text
    assert "1.414 %" in text  # 7/495 on the pass line
    assert "49.293 %" in text


def test_every_setting_that_can_be_played_is_listed() -> None:
    text = pages("race")["strategy"].html.partition("Settings that were solved")[2].partition("</table>")[0]
    assert text.count("<tr") - 1 == sum(answer.result is not None for answer in accounts("race").answers)


def test_opponents_are_told_with_what_they_get() -> None:
    main = accounts("race").main
    text = Reader(pages("race")["players"].html.partition("The opponents that")[2].partition("</table>")[0]).text
    for each in main.opponents:
        assert each.title in text
        for value in each.values:
            assert f"{amount_text_without_unit(main.unit, value)} ({value.grade})" in text


def test_a_game_that_was_not_solved_still_has_its_rules() -> None:
    account, main = accounts("choices"), accounts("choices").main
    failed = Answer(main.setting, main.game, None, "no equilibrium was found", main=True)
    unsolved = replace(account, plain=(failed,))
    found = {page.slug: Reader(page.html).text for page in journal(unsolved)}
    assert found["how-to-play"]
    assert "equilibrium" in found["odds"]
    assert "Computed by" not in found.get("method", "")


def test_the_same_rules_give_the_same_journal() -> None:
    assert journal(answers_of(accounts("race").ruleset)) == journal(accounts("race"))


# --- making still


@pytest.mark.parametrize(
    ("moving", "quiet"),
    [
        (tag("p", "a", tag("a", "b", href="#c"), "d"), "<p>abd</p>"),
        (tag("a", "b", href="../x/"), "b"),
        (tag("a", "b", href="https://a.org/?a=1&b=[2]"), '<a href="https://a.org/?a=1&#38;b=[2]" rel="noreferrer">b</a>'),
        (tag("p", "a", tag("a", "csv", href="x.csv", download=True)), "<p>a</p>"),
        (tag("details", tag("summary", "s"), tag("p", "t"), open=True), "<div><p>s</p><p>t</p></div>"),
        (tag("p", "a", cls="od-screen") + tag("p", "b"), "<p>b</p>"),
        (tag("figure", tag("svg", tag("path", d="M0")), tag("figcaption", "x")) + tag("p", "b"), "<p>b</p>"),
        (tag("script", Html("let a = '<p>' < 1;")) + tag("p", "b"), "<p>b</p>"),
        (tag("td", "3", cls="od-a1 od-pale"), '<td style="opacity: 0.6">3</td>'),
        (tag("div", "x", data_od_play="p", id="i", onclick="x()", cls="od-scroll"), '<div style="overflow-x: auto">x</div>'),
        (tag("dd", "4 turns", tag("small", "on average")), "<dd>4 turns <small>on average</small></dd>"),
        (tag("p", "a [[/r 1d6]] &lt;b&gt; <b>"), tag("p", "a [[/r 1d6]] &lt;b&gt; <b>")),
        (tag("p", "a", tag("br"), "b"), "<p>a<br>b</p>"),
        (tag("div", tag("p", "gone", tag("br"), tag("a", "x", href="#")), cls="od-screen") + "c", "c"),
    ],
)  # fmt: skip
def test_what_moves_is_taken_out_and_text_is_kept(moving: str, quiet: str) -> None:
    assert static_html(Html(moving)) == quiet


def test_links_to_elsewhere_keep_their_address() -> None:
    html = static_html(tag("a", "x", href='https://example.org/"><script>&amp;'))
    (found,) = re.findall('href="([^"]*)"', html)
    assert unescape(found) == 'https://example.org/"><script>&amp;'
    assert "<script" not in html


@pytest.mark.parametrize(
    ("author", "said"),
    [("unknown", "author unknown"), ("unknown, of Ur", "author unknown, of Ur"), ("Ann", "Ann")],
)
def test_the_source_says_of_what_it_does_not_know_who(author: str, said: str) -> None:
    told = source_html({"title": "a leaf", "author": author, "year": 1901, "licence": "unknown"})
    assert Reader(told).text == f"Source: a leaf, {said}, 1901. Licence: unknown."
