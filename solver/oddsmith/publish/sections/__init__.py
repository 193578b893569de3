"""The sections of a game's page, a file for each question that a reader may have.

Each takes what the report knows and gives back HTML: for the page of the site, its card, and the journals of virtual tabletops.
"""

from oddsmith.publish.sections.chances import chances
from oddsmith.publish.sections.claims import claims, claims_title
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
from oddsmith.publish.sections.measures import measures_html, pictures_html
from oddsmith.publish.sections.one_more import one_more_html
from oddsmith.publish.sections.simple_rules import ladder_html
from oddsmith.publish.sections.stakes import bets_html, handicaps_html
from oddsmith.publish.sections.strategy import brief, maps, strategy_html, strategy_picture

__all__ = [
    "bets_html",
    "brief",
    "chances",
    "claims",
    "claims_title",
    "example_html",
    "first_answers",
    "handicaps_html",
    "hero",
    "in_a_line",
    "key_facts",
    "ladder_html",
    "lines_by_size",
    "maps",
    "measures_html",
    "minutes",
    "numbers_by_size",
    "one_more_html",
    "pictures_html",
    "setting_words",
    "strategy_html",
    "strategy_picture",
    "to_remember",
]
