"""Pages and data files from solved rulesets, as bytes by path. The caller writes them to files.

``markup`` makes safe HTML and formats numbers, and ``charts`` draws. ``sections`` has a module for each section of a
game's page, and ``pages`` joins sections into pages. ``finishing`` adds files to a built site that are not pages, such
as a feed. Names are imported when they are used, so a program that only shows rules does not load the charts.
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
