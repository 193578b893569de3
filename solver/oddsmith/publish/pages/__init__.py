"""Pages of games, the files in their folders (cards, downloads, and the files to play a game), and the list of games.

Names are imported when they are used, because most of these modules import the charts.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.publish.pages.downloads import TAVERN
    from oddsmith.publish.pages.playing import (
        SCRIPTS,
        TABLE,
        game_list_entry,
        is_playable_by_link,
        play_files,
        playable_answers,
    )
    from oddsmith.publish.pages.rules import how_to_play_html, outcomes_note, random_table_odds_html, source_html
    from oddsmith.publish.pages.standalone import changes_page, grid_page

__all__ = [
    "SCRIPTS",
    "TABLE",
    "TAVERN",
    "changes_page",
    "game_list_entry",
    "grid_page",
    "how_to_play_html",
    "is_playable_by_link",
    "outcomes_note",
    "play_files",
    "playable_answers",
    "random_table_odds_html",
    "source_html",
]

_HOMES = {
    "downloads": ("TAVERN",),
    "playing": (
        "SCRIPTS",
        "TABLE",
        "is_playable_by_link",
        "game_list_entry",
        "play_files",
        "playable_answers",
    ),
    "rules": (
        "outcomes_note",
        "source_html",
        "random_table_odds_html",
        "how_to_play_html",
    ),
    "standalone": ("changes_page", "grid_page"),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
