"""Pages and data files from solved rulesets, as bytes by path. The caller writes them to files.

``markup`` makes safe HTML and formats numbers, and ``charts`` draws. ``sections`` has a module for each section of a
game's page, and ``pages`` joins sections into pages. ``finishing`` adds files to a built site that are not pages, such
as a feed. Names are imported when they are used, so a program that only shows rules does not load the charts.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.publish.finishing import (
        atom_feed,
        offline_file_hashes,
        offline_lists_script,
        with_boxed_tables,
        with_links_to_files,
    )
    from oddsmith.publish.site import PLAYGROUND, game_files, mkdocs_config, offers_foundry_module, publish, site_pages

__all__ = [
    "PLAYGROUND",
    "atom_feed",
    "game_files",
    "mkdocs_config",
    "offers_foundry_module",
    "offline_file_hashes",
    "offline_lists_script",
    "publish",
    "site_pages",
    "with_boxed_tables",
    "with_links_to_files",
]

_HOMES = {
    "finishing": (
        "with_boxed_tables",
        "atom_feed",
        "offline_file_hashes",
        "offline_lists_script",
        "with_links_to_files",
    ),
    "site": (
        "PLAYGROUND",
        "game_files",
        "offers_foundry_module",
        "mkdocs_config",
        "publish",
        "site_pages",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
