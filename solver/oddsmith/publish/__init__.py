"""Pages and data from solved rulesets, as paths and bytes. The caller writes them to files.

``markup`` makes safe HTML and prints numbers, and ``charts`` draws. ``sections`` has a module for each question that a
game's page answers, and ``pages`` makes pages of them. ``finishing`` adds to a built site what it needs besides its
pages. Names are imported when they are used, so a browser that only shows rules loads no charts.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.publish.finishing import box_tables, feed, file_links, offline_files, offline_list
    from oddsmith.publish.site import PLAYGROUND, game_files, has_tavern, mkdocs_config, publish, site_pages

__all__ = [
    "PLAYGROUND",
    "box_tables",
    "feed",
    "file_links",
    "game_files",
    "has_tavern",
    "mkdocs_config",
    "offline_files",
    "offline_list",
    "publish",
    "site_pages",
]

_HOMES = {
    "finishing": (
        "box_tables",
        "feed",
        "offline_files",
        "offline_list",
        "file_links",
    ),
    "site": (
        "PLAYGROUND",
        "game_files",
        "has_tavern",
        "mkdocs_config",
        "publish",
        "site_pages",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
