"""The page of a game and what lies beside it: its card, its downloads, the files to play it; and the list of games.

What a table takes to play is light. The rest draws, so it is loaded only when somebody takes it.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.publish.pages.playing import SCRIPTS, TABLE, games_file, listed, play_files, playable

if TYPE_CHECKING:
    from oddsmith.publish.pages.card import card_page
    from oddsmith.publish.pages.data import files
    from oddsmith.publish.pages.listing import filters, game_list
    from oddsmith.publish.pages.page import PICTURE, game_page

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
    "play_files",
    "playable",
]

_HOMES = {"card_page": "card", "files": "data", "filters": "listing", "game_list": "listing"}
__getattr__ = later(__name__, _HOMES | dict.fromkeys(("PICTURE", "game_page"), "page"))
