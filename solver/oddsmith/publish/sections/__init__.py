"""The sections of a game's page, a file for each question that a reader may have.

Each takes what the report knows and gives back HTML: for the page of the site, its card, and the journals of virtual tabletops.
Those with pictures load what draws only when somebody takes them, because a journal has none.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.publish.sections.chances import chances, one_more_html
from oddsmith.publish.sections.claims import claims, claims_title, method_html
from oddsmith.publish.sections.deciding import brief
from oddsmith.publish.sections.example import example_html
from oddsmith.publish.sections.first_screen import (
    first_answers,
    hero,
    in_a_line,
    key_facts,
    lines_by_size,
    minutes,
    numbers_by_size,
    setting_words,
    to_remember,
)
from oddsmith.publish.sections.measures import measures_html
from oddsmith.publish.sections.simple_rules import ladder_html
from oddsmith.publish.sections.stakes import bets_html, seats_html, side_by_side

if TYPE_CHECKING:
    from oddsmith.publish.sections.pictures import numbers_html, pictures_html, rolling_html
    from oddsmith.publish.sections.strategy import maps, strategy_html, strategy_picture

__all__ = [
    "bets_html",
    "brief",
    "chances",
    "claims",
    "claims_title",
    "example_html",
    "first_answers",
    "hero",
    "in_a_line",
    "key_facts",
    "ladder_html",
    "lines_by_size",
    "maps",
    "measures_html",
    "method_html",
    "minutes",
    "numbers_by_size",
    "numbers_html",
    "one_more_html",
    "pictures_html",
    "rolling_html",
    "seats_html",
    "setting_words",
    "side_by_side",
    "strategy_html",
    "strategy_picture",
    "to_remember",
]

_PICTURES = ("numbers_html", "pictures_html", "rolling_html")
_STRATEGY = ("maps", "strategy_html", "strategy_picture")
__getattr__ = later(__name__, dict.fromkeys(_PICTURES, "pictures") | dict.fromkeys(_STRATEGY, "strategy"))
