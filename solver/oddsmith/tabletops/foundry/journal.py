"""The journal with the rules of a game, which everybody may read, and the complete content of a module about an
unsolved game.

Text of a ruleset is escaped here as on the site. Links with an action, such as ``@Oddsmith[open]``, occur only in this
module.

``static_html`` turns parts of the site's pages into HTML that needs no scripts, because Foundry does not run scripts in
journals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from oddsmith.publish.markup import Html, html_with_code, join_html, tag
from oddsmith.publish.pages import how_to_play_html, source_html
from oddsmith.report.english import unsolved_bundle as unsolved_book
from oddsmith.ruleset import Game, bind, canonical_bytes
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.foundry.documents import GameContent, JournalPage, Known
from oddsmith.tabletops.roll_tables import (
    RollTable,
    author_table_sources,
    exact_roll_tables,
    missing_table_notes,
    omitted_table_sentences,
)
from oddsmith.tabletops.shared import refuse_secrets_a_tabletop_cannot_keep

WIDE = "overflow-x: auto"
PALE = "opacity: 0.6"

_GONE = {"script", "style", "figure", "svg", "form", "button", "input"}
_VOID = {"br", "hr", "wbr"}
_KEPT = {"scope", "colspan", "start", "role", "tabindex", "aria-label"}
_AS = {"details": "div", "section": "div", "summary": "p"}


def static_html(html: Html) -> Html:
    """Return HTML of the site without the elements that work only on the site.

    Scripts, charts, downloads and parts for the screen are removed. Links within the site become plain text, folded
    parts are unfolded, and CSS classes are removed; a few classes are replaced by inline styles.
    """
    reader = _StaticHtmlWriter()
    reader.feed(html)
    reader.close()
    # What the site sets on a line of its own would run into the word before it.
    return Html(re.sub(r"(?<=\S)<small>(?=[^\s<])", " <small>", "".join(reader.found)))


class _StaticHtmlWriter(HTMLParser):
    """A parser that converts HTML of the site, as ``static_html`` says.

    ``found``: the converted parts. ``ends``: the closing tag of each open element, outermost first; None if the element
    is left out.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)  # an escaped sign stays escaped
        self.found: list[str] = []
        self.ends: list[str | None] = []

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the opening tag of an element, unless the element is left out."""
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
            start, end = _opening_and_closing_tag(name, known, classes)
            self.found.append(start)
            self.ends.append(end)

    def handle_endtag(self, name: str) -> None:  # noqa: ARG002 - the base class's signature
        """Write the closing tag of the innermost open element, unless it is left out."""
        self._write(self.ends.pop() or "")

    def handle_data(self, data: str) -> None:
        """Write a text node."""
        self._write(data)

    def handle_charref(self, name: str) -> None:
        """Write a numeric character reference."""
        self._write(f"&#{name};")

    def handle_entityref(self, name: str) -> None:
        """Write a named character reference."""
        self._write(f"&{name};")

    def _write(self, text: str) -> None:
        if None not in self.ends:
            self.found.append(text)


def _opening_and_closing_tag(name: str, attributes: dict[str, str], classes: list[str]) -> tuple[str, str]:
    """Return the opening tag of an element, with the attributes that are kept, and its closing tag. ``attributes``: all
    attributes. ``classes``: its CSS classes.
    """
    kept: dict[str, object] = {key: value for key, value in attributes.items() if key in _KEPT}
    if name == "a":
        kept |= {"href": attributes["href"], "rel": "noreferrer"}
    if "od-scroll" in classes or "od-pale" in classes:
        kept["style"] = WIDE if "od-scroll" in classes else PALE
    shown = _AS.get(name, name)
    end = f"</{shown}>"
    return tag(shown, **{key.replace("-", "_"): value for key, value in kept.items()}).removesuffix(end), end


def static_journal_page(slug: str, title: str, parts: list[Html]) -> JournalPage:
    """Return a page of a journal. ``parts``: parts of a page of the site, which are made to work without scripts."""
    return JournalPage(slug, title, static_html(join_html(parts, "\n")))


PLAYED = "A non-player plays by a policy of the ruleset, or takes any legal action."
UNKNOWN: dict[Known, tuple[str, ...]] = {
    "solved": (),
    "estimated": ("This game is too large to be solved, so the module has estimates, and no advice.", PLAYED),
    "nothing": ("This game was not solved, so the module has no odds, no best play and no advice.", PLAYED),
}
"""Notes for the game master, by what is known about a game."""

DOORS = (
    ("open", "opens the table in play, or a new one."),
    ("new", "lets you choose the house rules, the seats and the stake."),
)
ADVICE = ("advice", "says what every action is worth in the position on the table.")

OPEN_NOTES = (
    "The game master's Foundry rolls the dice as ordinary rolls in the chat, and records every move.",
    "A game master may take moves back. The module then plays the game again from its start.",
)
SECRET_NOTES = (
    "Rolls come of numbers that the browsers of all seats promise and then show. Whoever may look keeps a number back.",
    "A hidden choice is kept as a hash. So nobody else can look, not even the game master, and nobody can change anything.",
    "The secrets of non-players lie in the browser of one game master, who could look there. Nobody else needs to be trusted.",
    "Players stay with the browser in which they began. If somebody is away, the game waits.",
    "A game master can close the table at any time, and stakes then go back.",
    "No move is taken back, and nobody plays for somebody else.",
    "When the game is over, everything is opened, and every browser checks it.",
)
NOTES = (
    "Stakes are chips. The module touches coins of characters only if one of its settings says so.",
    "Each table says who sees advice.",
    "You can save a game as a transcript. `oddsmith play --verify FILE` checks every roll and every move of it.",
)


def unsolved_game_content(rules: Ruleset) -> GameContent:
    """Return the content of a module about an unsolved game: its rules, the files to play it, and the random tables of
    the ruleset.

    Raises UnplayableError for a game with secrets that cannot be kept at a virtual tabletop.
    """
    refuse_secrets_a_tabletop_cannot_keep(rules)
    more = "To add them, solve the ruleset with `oddsmith foundry` in a terminal."
    game = bind(rules)
    found = list(author_table_sources(game))
    tables, missing = exact_roll_tables(rules, found), omitted_table_sentences(found)
    parts = [tag("p", html_with_code(" ".join([*UNKNOWN["nothing"], more]))), *roll_tables_list_html(tables, missing)]
    return GameContent(
        rules,
        "nothing",
        {f"games/{rules.id}/play.json": canonical_bytes(unsolved_book(rules))},
        tuple(rules_pages(game, "nothing")),
        (static_journal_page("odds", "No odds yet", parts),),
        tuple(tables),
        missing_table_notes=tuple(missing_table_notes(found)),
    )


def roll_tables_list_html(tables: Sequence[RollTable], missing_notes: Sequence[str]) -> Iterator[Html]:
    """Yield a list of roll tables, and a list of distributions without a table.

    ``tables``: the tables. ``missing_notes``: a sentence about each of the distributions.
    """
    if tables:
        yield tag("p", "The pack Roll Tables has these tables, each with exactly the chances of the game:")
        yield tag("ul", *(tag("li", f"{each.title} ({each.formula})") for each in tables))
    if missing_notes:
        yield tag("p", "These have no table, because none would be exact:")
        yield tag("ul", *(tag("li", each) for each in missing_notes))


def rules_pages(game: Game, known: Known = "solved") -> list[JournalPage]:
    """Return the pages of the journal of rules: how to play, how to begin, and the source. Everybody may read them, so
    they have no chances and no best play.
    """
    source = game.ruleset.data.get("source")
    pages = [
        static_journal_page("how-to-play", "How to play", how_to_play_html(game)),
        JournalPage("at-this-table", "At this table", _table_links_and_notes_html(game.ruleset, known)),
        static_journal_page("source", "Where this game comes from", [source_html(source)] if source else []),
    ]
    return [page for page in pages if page.html]


def _table_links_and_notes_html(rules: Ruleset, known: Known) -> Html:
    """Return HTML with links that begin a game, and notes for the game master.

    ``known``: what is known about the game.
    """
    low, high, _ = rules.seats
    doors = [
        tag("li", Html(f"@Oddsmith[{door} {rules.id}]"), f": {words}")
        for door, words in (*DOORS, *((ADVICE,) if known == "solved" and not rules.has_secrets else ()))
    ]
    players = str(low) if low == high else f"{low} to {high}"
    notes = [
        f"Players: {players}. Each seat belongs to a user or to a non-player.",
        *(SECRET_NOTES if rules.has_secrets else OPEN_NOTES),
        *NOTES,
        *UNKNOWN[known],
    ]
    advice = tag("ul", *(tag("li", html_with_code(note)) for note in notes))
    lists = [tag("h3", "Begin"), tag("ul", *doors), tag("h3", "For the game master"), advice]
    return join_html(lists, "\n")
