"""The page of a game and what lies beside it: its card, its downloads, the files to play it; and the list of games."""

from oddsmith.publish.pages.card import card_page
from oddsmith.publish.pages.data import files
from oddsmith.publish.pages.listing import filters, game_list
from oddsmith.publish.pages.page import PICTURE, game_page, method_html, seats_html, side_by_side
from oddsmith.publish.pages.playing import SCRIPTS, TABLE, games_file, listed, play_files, playable

__all__ = [
    "PICTURE",
    "SCRIPTS",
    "TABLE",
    "card_page",
    "files",
    "filters",
    "game_list",
    "game_page",
    "games_file",
    "listed",
    "method_html",
    "play_files",
    "playable",
    "seats_html",
    "side_by_side",
]
