"""A game's two journals, of its rules and of its odds: the pages of the site, made still, for a host that runs no script of
ours inside them.

Whatever a ruleset says is text here as it is there. The marks that open doors, such as ``@Oddsmith[open]``, are written in this
file alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from oddsmith.publish.markup import Html, amount, cell, column, join, marked, prose, row, table, tag
from oddsmith.publish.pages import method_html, seats_html, side_by_side, source_html
from oddsmith.publish.sections import (
    bets_html,
    brief,
    chances,
    claims,
    claims_title,
    example_html,
    hero,
    in_a_line,
    key_facts,
    ladder_html,
    measures_html,
    one_more_html,
    rules_html,
    tables_html,
    told_html,
)
from oddsmith.report.answers import Account, Answer
from oddsmith.report.english import capital, count, plain_name, sentence
from oddsmith.report.strategy import Opponent
from oddsmith.ruleset.model import Origin
from oddsmith.tabletops.common import generator, left_out, roll_tables
from oddsmith.tabletops.foundry.content import Page

ROWS = 200  # of the tables of one decision; what is longer stands in the module's table of play only
VALUES = 40  # of a distribution

NOTES = (
    "The game master's Foundry rolls the dice as ordinary rolls in the chat, and records every move.",
    "Stakes are chips. The module touches coins of characters only if one of its settings says so.",
    "Each table says who sees advice.",
    "A game master may take moves back. The module then plays the game again from its start.",
    "You can save a game as a transcript. `oddsmith play --verify FILE` checks every roll and every move of it.",
)

SLUGS: dict[Origin, str] = {"published": "claims", "counted": "counted"}
"""The pages of claims, by their origin: links to journals depend on the slugs."""

WIDE = "overflow-x: auto"
PALE = "opacity: 0.6"


def rules_pages(account: Account) -> list[Page]:
    """What everybody may read: how the game goes and where it comes from, and no word on chances or best play."""
    source = account.ruleset.data.get("source")
    pages = [
        _page("how-to-play", "How to play", _how_to_play(account)),
        Page("at-this-table", "At this table", _at_this_table(account)),
        _page("source", "Where this game comes from", [source_html(source)] if source else []),
    ]
    return _filled(pages)


def odds_pages(account: Account) -> list[Page]:
    """What a game master may keep from the players: the odds, best play, and the opponents that the module offers."""
    turn = example_html(account.main)
    pages = [
        _page("odds", "Exact odds", _odds(account)),
        _page("strategy", "Best play", _strategy(account)),
        *_other_strategies(account),
        _page("turn", "A turn, as it happened", turn),
        Page("players", "What the module plays", _players(account)),
        _page("stakes", "Stakes", bets_html(account)),
        *(_page(SLUGS[origin], claims_title(account, origin), claims(account, origin)) for origin in SLUGS),
        _page("method", "How these numbers were computed", _method(account)),
    ]
    return _filled(pages)


def _filled(pages: list[Page]) -> list[Page]:
    return [page for page in pages if page.html]


def _page(slug: str, title: str, parts: list[Html], level: int = 1) -> Page:
    return Page(slug, title, still(join(parts, "\n")), level)


# --- making still

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


# --- the pages


def _how_to_play(account: Account) -> list[Html]:
    rules = account.ruleset
    parts = [tag("p", rules.summary)]
    told = told_html(account.main.game)
    exact = [*([tag("h3", "The rules, exactly")] if told else []), *rules_html(account.main.game)]
    if "prose" in rules.data:
        exact.insert(0, prose(str(rules.data["prose"])))
    return [*parts, *told, *exact, *tables_html(rules)]


def _at_this_table(account: Account) -> Html:
    """How to begin, and what a game master should know. The doors are written here and nowhere else."""
    rules, (low, high, _) = account.ruleset, account.ruleset.seats
    doors = [
        tag("li", Html(f"@Oddsmith[{door} {rules.id}]"), f": {words}")
        for door, words in (
            ("open", "opens the table in play, or a new one."),
            ("new", "lets you choose the house rules, the seats and the stake."),
            ("advice", "says what every action is worth in the position on the table."),
        )
    ]
    players = str(low) if low == high else f"{low} to {high}"
    notes = [f"Players: {players}. Each seat belongs to a user or to a non-player.", *NOTES]
    told = tag("ul", *(tag("li", marked(note)) for note in notes))
    lists = [tag("h3", "Begin"), tag("ul", *doors), tag("h3", "For the game master"), told]
    return join(lists, "\n")


def _players(account: Account) -> Html:
    """The settings with best play, how non-players play them, and tables to roll on."""
    return join([*_settings(account), *_opponents(account.main), *_rolls(account)], "\n")


def _settings(account: Account) -> Iterator[Html]:
    """The games of the ruleset that were solved, each with how to play it in a line."""
    rows = [
        [row(capital(account.name(answer))), cell(count(answer.setting.seats)), cell(in_a_line(answer))]
        for answer in account.answers
        if answer.result
    ]
    head = [column(text) for text in ("rules", "players", "best play in a line")]
    if rows:
        yield still(table("Games in which the module knows best play.", head, rows))


def _opponents(answer: Answer) -> Iterator[Html]:
    """The opponents that the module offers in the usual game, and what each gets."""
    if answer.result is None or not answer.strategies:
        return
    seats = range(answer.setting.seats)
    head = [column("plays a seat"), *(column(f"as {answer.game.ruleset.seat(seat)}") for seat in seats)]
    rows = [
        [row(each.name), *(cell(_gets(answer, each, seat) if each.values else "not computed") for seat in seats)]
        for each in answer.opponents
    ]
    alone = "" if len(seats) == 1 else " while everybody else plays best"
    yield still(
        table(f"The opponents that the module offers with {count(len(seats))}, and what each gets{alone}.", head, rows)
    )


def _gets(answer: Answer, each: Opponent, seat: int) -> str:
    found = [f"{amount(answer.unit, each.values[seat])} ({each.values[seat].grade})"]
    if each.wins and not answer.for_coins:
        found.append(f"{each.wins[seat].percent(2)} of the pot ({each.wins[seat].grade})")
    return ", ".join(found)


def _rolls(account: Account) -> Iterator[Html]:
    """The tables to roll on, and what has none."""
    made, missing = roll_tables(account), left_out(account)
    if made:
        yield tag("p", "The pack Roll Tables has these tables, each with exactly the chances of the game:")
        yield tag("ul", *(tag("li", f"{each.title} (1d{each.sides})") for each in made))
    if missing:
        yield tag("p", "These have no table, because none would be exact:")
        yield tag("ul", *(tag("li", each) for each in missing))


def _odds(account: Account) -> list[Html]:
    main = account.main
    if main.result is None:
        return [tag("p", sentence(main.failure))]
    parts = [
        tag("p", "Exact numbers are fractions. Proven ones lie between two fractions that agree in every digit shown."),
        key_facts(account, ""),
        *seats_html(account),
        *chances(main),
        *measures_html(main),
        *_distributions(main),
    ]
    if account.changed:
        parts += [tag("h3", "House rules"), side_by_side(account)]
    return parts


def _distributions(answer: Answer) -> Iterator[Html]:
    """How long a game lasts and what it brings, value by value."""
    known = answer.distributions
    for words, unit, law in (
        ("How long a game lasts", known.unit, known.length),
        (f"What a game brings {answer.game.ruleset.seat(0)}", answer.unit.name, known.payoff),
    ):
        if law is None or len(law.outcomes) > VALUES:
            continue
        head = [column(unit), column("chance"), column("this or less")]
        rows = [
            [row(each.name), cell(each.chance.percent(2)), cell(each.at_most.percent(2) if each.at_most else "")]
            for each in law.outcomes
        ]
        rest = f" Everything beyond has a chance of {law.beyond.percent(2)}." if law.beyond.upper else ""
        yield table(f"{words}, under best play ({law.grade}).{rest}", head, rows)


def _strategy(account: Account) -> list[Html]:
    main = account.main
    return [hero(account), *_tables(account, main), *ladder_html(main), *one_more_html(main.one_more, main.rolling)]


def _other_strategies(account: Account) -> Iterator[Page]:
    """A page for every other game with something to decide."""
    for answer in account.answers:
        if answer is not account.main and answer.strategies:
            title = f"Best play: {account.name(answer)}"
            parts = [tag("p", in_a_line(answer)), *_tables(account, answer)]
            yield _page(f"strategy-{answer.slug}", title, parts, level=2)


def _tables(account: Account, answer: Answer) -> Iterator[Html]:
    """What to do, phase by phase, as far as it is short enough to read."""
    if not answer.strategies:
        return
    for strategy in answer.strategies:
        if len(answer.strategies) > 1:
            yield tag("h3", capital(plain_name(strategy.phase)))
        parts = brief(strategy)
        if sum(part.count("<tr") for part in parts) <= ROWS:
            yield from parts
        else:
            yield tag("p", "The table of this decision is too long for a page.")
    if answer.mixed:
        yield tag("p", "In some positions best play decides by chance between two actions. A table names one of them.")
    words = (
        f"The advisor at the table knows the best action in all {answer.choices:,} positions with a choice, from the "
    )
    yield tag(
        "p",
        f"{words}module's games/{account.ruleset.id}/play. ",
        tag("code", "oddsmith export"),
        " writes them as text.",
    )


def _method(account: Account) -> list[Html]:
    return [tag("p", f"Computed by {generator()}."), *method_html(account, "")] if account.main.result else []
