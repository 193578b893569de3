"""The page of a game, part by part, and the list of games."""

from oddsmith.publish.pages.card import card_page
from oddsmith.publish.pages.data import files
from oddsmith.publish.pages.first_screen import hero, key_facts
from oddsmith.publish.pages.listing import game_list
from oddsmith.publish.pages.page import game_page, method_html, seats_html, side_by_side, source_html
from oddsmith.publish.pages.parts import (
    chances,
    claims,
    claims_title,
    example_html,
    measures_html,
    one_more_html,
    rules_html,
    tables_html,
)
from oddsmith.publish.pages.playing import SCRIPTS, play_files, playable
from oddsmith.publish.pages.simple_rules import ladder_html
from oddsmith.publish.pages.stakes import bets_html
from oddsmith.publish.pages.strategy import brief, summary

__all__ = [
    "SCRIPTS",
    "bets_html",
    "brief",
    "card_page",
    "chances",
    "claims",
    "claims_title",
    "example_html",
    "files",
    "game_list",
    "game_page",
    "hero",
    "key_facts",
    "ladder_html",
    "measures_html",
    "method_html",
    "one_more_html",
    "play_files",
    "playable",
    "rules_html",
    "seats_html",
    "side_by_side",
    "source_html",
    "summary",
    "tables_html",
]
