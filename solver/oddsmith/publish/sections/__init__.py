"""The sections of a game's page, with a module for each question that a visitor may have.

Each section is HTML made from the answers about a game. Sections occur on the page of the game, on its card, and in the
journals of virtual tabletops. Sections with pictures are not exported here, because journals have no pictures and
should not load the charts.
"""

from oddsmith.publish.sections.chances import asked_measures_html, chances_html, roll_or_stop_formulas_html
from oddsmith.publish.sections.claims import claims_html, claims_title, proof_method_html
from oddsmith.publish.sections.deciding import FIRST_TURN, short_strategy_html
from oddsmith.publish.sections.estimated import estimate_reliability_text, estimated_games_html, solved_games_note
from oddsmith.publish.sections.example import example_turn_html
from oddsmith.publish.sections.first_screen import key_facts_html, line_to_remember, page_head_html
from oddsmith.publish.sections.secrets import (
    other_secret_settings_html,
    secret_key_facts_html,
    secret_method_html,
    secret_page_head_html,
    secret_seat_values_html,
    secret_strategy_html,
)
from oddsmith.publish.sections.simple_rules import policies_table_html
from oddsmith.publish.sections.stakes import (
    bets_html,
    cheats_html,
    exact_values_html,
    house_rules_table,
    seat_values_html,
)

__all__ = [
    "FIRST_TURN",
    "asked_measures_html",
    "bets_html",
    "chances_html",
    "cheats_html",
    "claims_html",
    "claims_title",
    "estimate_reliability_text",
    "estimated_games_html",
    "exact_values_html",
    "example_turn_html",
    "house_rules_table",
    "key_facts_html",
    "line_to_remember",
    "other_secret_settings_html",
    "page_head_html",
    "policies_table_html",
    "proof_method_html",
    "roll_or_stop_formulas_html",
    "seat_values_html",
    "secret_key_facts_html",
    "secret_method_html",
    "secret_page_head_html",
    "secret_seat_values_html",
    "secret_strategy_html",
    "short_strategy_html",
    "solved_games_note",
]
