"""The sections of a game's page, with a module for each question that a visitor may have.

Each section is HTML made from the answers about a game. Sections occur on the page of the game, on its card, and in the
journals of virtual tabletops. Sections with pictures are not exported here, because journals have no pictures and
should not load the charts.
"""

from oddsmith.publish.sections.chances import chances_html, measures_html, one_more_html
from oddsmith.publish.sections.claims import claims_html, claims_title, method_html
from oddsmith.publish.sections.deciding import FIRST_TURN, short_strategy
from oddsmith.publish.sections.estimated import estimated_rows, opening_sure, solved_note
from oddsmith.publish.sections.example import example_html
from oddsmith.publish.sections.first_screen import hero, in_a_line, key_facts
from oddsmith.publish.sections.secrets import (
    other_secrets,
    secret_facts,
    secret_hero,
    secret_method,
    secret_strategy,
    secret_worth,
)
from oddsmith.publish.sections.simple_rules import ladder_html
from oddsmith.publish.sections.stakes import bets_html, cheats_html, exact_html, side_by_side, worth_html

__all__ = [
    "FIRST_TURN",
    "bets_html",
    "chances_html",
    "cheats_html",
    "claims_html",
    "claims_title",
    "estimated_rows",
    "exact_html",
    "example_html",
    "hero",
    "in_a_line",
    "key_facts",
    "ladder_html",
    "measures_html",
    "method_html",
    "one_more_html",
    "opening_sure",
    "other_secrets",
    "secret_facts",
    "secret_hero",
    "secret_method",
    "secret_strategy",
    "secret_worth",
    "short_strategy",
    "side_by_side",
    "solved_note",
    "worth_html",
]
