"""The list of games: a card for each, and filters that a script brings to life."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oddsmith.exact import Number, plural
from oddsmith.publish.markup import Html, amount, esc, join, shares, tag, turns
from oddsmith.publish.sections import in_a_line
from oddsmith.report.answers import Account
from oddsmith.report.english import capital, count, sentence
from oddsmith.report.facts import NOUNS
from oddsmith.ruleset.model import Origin

NOTHING = Fraction(-1)  # before any number that is measured


@dataclass(frozen=True)
class Scale:
    """Something measured, in bands: each from a bound upwards, with its name. ``about``: how it is measured."""

    key: str
    label: str
    about: str
    bands: Mapping[str, Fraction]

    def band(self, number: Number | None) -> str:
        """The band that a number lies in; empty where that is not known."""
        if number is None:
            return ""
        low, high = (
            [name for name, least in self.bands.items() if least <= end] for end in (number.lower, number.upper)
        )
        return low[-1] if low == high else ""


LENGTH = Scale(
    "length",
    "Length",
    "the mean number of turns of all players together under best play: short below 5, long from 15 on",
    {"short game": NOTHING, "medium length": Fraction(5), "long game": Fraction(15)},
)
RISK = Scale(  # the bounds are squares, as the variance is
    "risk",
    "Risk",
    "the standard deviation of what the first player gets, compared with its mean: low under half of the mean, "
    "high from the whole mean on",
    {"low risk": NOTHING, "medium risk": Fraction(1, 4), "high risk": Fraction(1)},
)
SKILL = Scale(
    "skill",
    "Luck or skill",
    "what the first player loses by random legal actions, compared with what best play brings: "
    "mostly luck under a tenth of that, mostly skill from half of it on",
    {"mostly luck": NOTHING, "luck and skill": Fraction(1, 10), "mostly skill": Fraction(1, 2)},
)
SCALES = (LENGTH, RISK, SKILL)


def game_list(accounts: Sequence[Account], base: str, heading: str, filters: bool = False) -> Html:
    """The cards of games. ``base``: where their pages are from here; ``filters``: with a form to choose among them."""
    cards = tag("div", *(_card(each, base, heading) for each in accounts), cls="od-cards")
    return join([_form(accounts), cards], "\n\n") if filters else cards


def bands(each: Account) -> dict[str, str]:
    """The words for what a game is like, by the scale; empty where it is not known."""
    if each.main.solution is None:
        return dict.fromkeys((scale.key for scale in SCALES), "")
    found = each.main.character
    numbers = {"length": found.turns, "risk": found.swing, "skill": found.skill}
    return {scale.key: scale.band(numbers[scale.key]) for scale in SCALES}


def _form(accounts: Sequence[Account]) -> Html:
    """A choice for everything in which the games differ. Hidden until the script is there that acts on it."""
    seats = sorted({seat for each in accounts for seat in _seats(each)})
    choices = [("seats", "Players", {str(seat): str(seat) for seat in seats})]
    for scale in SCALES:
        seen = {bands(each)[scale.key] for each in accounts}
        choices.append((scale.key, scale.label, {_word(name): name for name in scale.bands if name in seen}))
    boxes = [_choice(*choice) for choice in choices if len(choice[2]) > 1]
    if not boxes:
        return esc("")
    shown = tag("output", "", cls="od-shown", aria_live="polite")
    every = tag("button", "Show all", type="reset")
    form = tag("form", *boxes, every, shown, cls="od-filters", aria_label="Choose among the games", hidden=True)
    told = [tag("li", tag("strong", scale.label), f": {scale.about}.") for scale in SCALES]
    about = tag("details", tag("summary", "How length, risk and skill are measured"), tag("ul", *told), cls="od-more")
    return join([form, about], "\n\n")


def _choice(key: str, label: str, values: Mapping[str, str]) -> Html:
    options = [tag("option", "any", value="")]
    options += [tag("option", capital(name), value=value) for value, name in values.items()]
    return tag("label", tag("span", label), tag("select", *options, name_=key, autocomplete="off"))


def _word(name: str) -> str:
    """A band in an address."""
    return name.replace(" ", "-")


def _seats(each: Account) -> range:
    low, high, _ = each.ruleset.seats
    return range(low, high + 1)


def _card(each: Account, base: str, heading: str) -> Html:
    """What the list says of a game: its rule to remember, and what it is worth to go first."""
    rules, main = each.ruleset, each.main
    seats, words = _seats(each), bands(each)
    marks = {f"data_{key}": _word(word) for key, word in words.items()}
    marks["data_seats"] = " ".join(map(str, seats))
    parts = [tag(heading, tag("a", rules.title, href=f"{base}{rules.id}/")), tag("p", rules.summary)]
    if main.solution is None:
        return tag("section", *parts, tag("p", sentence(main.failure)), **marks)
    parts.append(tag("p", tag("strong", in_a_line(main)), cls="od-card-rule"))
    facts = main.facts
    shown = [f"{seats[0]} to {seats[-1]} players" if len(seats) > 1 else count(seats[0])]
    shown += [word for word in words.values() if word]
    if main.setting.seats > 1:
        first = (
            f"wins {shares(facts.values[:1])} of 100 games"
            if main.share
            else f"gets {amount(main.unit, facts.values[0])}"
        )
        shown.append(f"the first of {main.setting.seats} {first}")
    if "turns" in facts.lengths:
        shown.append(turns(facts.lengths["turns"]))
    shown += [_checked(each, origin) for origin in NOUNS if each.claimed(origin)]
    grade = tag("span", main.solution.grade, cls=f"od-grade od-grade--{main.solution.grade}")
    facts_line = tag("p", join([esc(text) for text in shown], " · "), Html(" "), grade, cls="od-card-facts")
    return tag("section", *parts, facts_line, **marks)


def _checked(each: Account, origin: Origin) -> str:
    """How many numbers of an origin were checked, and how many of them are wrong."""
    found = each.claimed(origin)
    wrong = sum(not verdict.right for verdict in found)
    verdict = f"checked, {wrong or 'none'} wrong" if wrong or origin == "published" else "and confirmed"
    return f"{plural(len(found), *NOUNS[origin])} {verdict}"
