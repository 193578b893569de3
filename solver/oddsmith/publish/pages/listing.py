"""The list of games: a card for each game, and a form that filters the cards with a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from oddsmith.base.exact import Number
from oddsmith.publish.charts.emblem import emblem_svg
from oddsmith.publish.markup.html import Html, esc, join_html, tag
from oddsmith.publish.sections.durations import duration_text
from oddsmith.publish.sections.first_screen import opening_line_to_remember, setting_note, setting_words_for_line
from oddsmith.report.answers import RulesetAnswers
from oddsmith.report.english import capital, player_count_words, player_range_words

CardText = Literal["", "summary", "line"]
"""The text of a card besides facts: none, the summary of its game, or the line to remember."""
NOTHING = Fraction(-1)  # before any number that is measured


@dataclass(frozen=True)
class GameScale:
    """A property of games that is measured and divided into bands. ``key``: its name in HTML. ``label``: its name for
    people. ``description``: how it is measured. ``bands``: the lower bound of each band by the name of the band, in
    ascending order.
    """

    key: str
    label: str
    description: str
    bands: Mapping[str, Fraction]

    def band_name(self, number: Number | None) -> str:
        """Return the name of the band that contains a number; empty if the number is not known, or if its two bounds
        lie in different bands.
        """
        if number is None:
            return ""
        low, high = (
            [name for name, least in self.bands.items() if least <= end] for end in (number.lower, number.upper)
        )
        return low[-1] if low == high else ""


LENGTH = GameScale(
    "length",
    "Length",
    "the mean number of turns of all players together under best play: short below 5, long from 15 on",
    {"short game": NOTHING, "medium length": Fraction(5), "long game": Fraction(15)},
)
RISK = GameScale(  # the bounds are squares, as the variance is
    "risk",
    "Risk",
    "the standard deviation of what the first player gets, compared with its mean: low under half of the mean, "
    "high from the whole mean on",
    {"low risk": NOTHING, "medium risk": Fraction(1, 4), "high risk": Fraction(1)},
)
SKILL = GameScale(
    "skill",
    "Luck or skill",
    "what the first player loses by random legal actions, compared with what best play brings: "
    "mostly luck under a tenth of that, mostly skill from half of it on",
    {"mostly luck": NOTHING, "luck and skill": Fraction(1, 10), "mostly skill": Fraction(1, 2)},
)
SCALES = (LENGTH, RISK, SKILL)


def game_cards_html(
    accounts: Sequence[RulesetAnswers], base_url: str, heading_tag: str, card_text: CardText = ""
) -> Html:
    """Return the cards of games.

    ``base_url``: the address of the folder of their pages. ``heading_tag``: the element of their titles. ``card_text``:
    which text a card has besides facts: ``summary``, ``line`` (the line to remember), or none.
    """
    return tag("div", *(_game_card_html(each, base_url, heading_tag, card_text) for each in accounts), cls="od-cards")


def bands_by_scale(account: RulesetAnswers) -> dict[str, str]:
    """Return the name of the game's band on each scale, by the key of the scale; empty if it is not known."""
    if account.main.result is None:
        return dict.fromkeys((scale.key for scale in SCALES), "")
    found = account.main.profile
    numbers = {"length": found.turns, "risk": found.swing, "skill": found.skill}
    return {scale.key: scale.band_name(numbers[scale.key]) for scale in SCALES}


def filter_form_html(accounts: Sequence[RulesetAnswers]) -> Html:
    """Return a form that filters the cards of a page, with a field for each property in which the games differ.

    It is hidden until its script is loaded.
    """
    seats = sorted({seat for each in accounts for seat in _seat_range(each)})
    choices = [("seats", "Players", {str(seat): str(seat) for seat in seats})]
    for scale in SCALES:
        seen = {bands_by_scale(each)[scale.key] for each in accounts}
        choices.append((scale.key, scale.label, {_band_slug(name): name for name in scale.bands if name in seen}))
    boxes = [_choice_field_html(*choice) for choice in choices if len(choice[2]) > 1]
    if not boxes:
        return esc("")
    shown = tag("output", "", cls="od-shown", aria_live="polite")
    every = tag("button", "Show all", type="reset")
    form = tag("form", *boxes, every, shown, cls="od-filters", aria_label="Choose among the games", hidden=True)
    scales = [tag("li", tag("strong", scale.label), f": {scale.description}.") for scale in SCALES]
    about = tag("details", tag("summary", "How length, risk and skill are measured"), tag("ul", *scales), cls="od-more")
    return join_html([form, about], "\n\n")


def _choice_field_html(key: str, label: str, labels_by_value: Mapping[str, str]) -> Html:
    options = [tag("option", "any", value="")]
    options += [tag("option", capital(name), value=value) for value, name in labels_by_value.items()]
    return tag("label", tag("span", label), tag("select", *options, name_=key, autocomplete="off"))


def _band_slug(name: str) -> str:
    """Return the name of a band with hyphens instead of spaces, as a value in the form and in the cards."""
    return name.replace(" ", "-")


def _seat_range(account: RulesetAnswers) -> range:
    low, high, _ = account.ruleset.seats
    return range(low, high + 1)


def _game_card_html(account: RulesetAnswers, base_url: str, heading_tag: str, card_text: CardText) -> Html:
    """Return the card of a game: its picture, numbers of players, duration, and whether luck or skill decides."""
    rules, words = account.ruleset, bands_by_scale(account)
    seats = _seat_range(account)
    marks = {f"data_{key}": _band_slug(word) for key, word in words.items()}
    marks["data_seats"] = " ".join(map(str, seats))
    of = setting_words_for_line(account)
    long = (
        "" if setting_note(account.main) else duration_text(account, account.main)
    )  # another setting says nothing of the usual one
    long += f" with {player_count_words(account.main.setting.seats)}" if long and len(seats) > 1 else ""
    known = words[SKILL.key] if account.main.result else "secrets" if account.main_secret_answer else "not solved"
    facts = [capital(player_range_words(seats[0], seats[-1])), long, known]
    parts = [
        emblem_svg(account.main),
        tag(heading_tag, tag("a", rules.title, href=f"{base_url}{rules.id}/")),
        *([tag("p", rules.summary)] if card_text == "summary" else []),
        *([tag("p", opening_line_to_remember(account), cls="od-card-line")] if card_text == "line" else []),
        *([tag("p", f"This is for {of}.", cls="od-card-facts")] if card_text == "line" and of else []),
        tag("p", " · ".join(fact for fact in facts if fact), cls="od-card-facts"),
    ]
    return tag("section", join_html(parts, "\n"), data_search_exclude=True, **marks)
