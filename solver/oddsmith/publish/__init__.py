"""Pages and data from solved rulesets, as paths and bytes; whoever calls writes them.

``markup`` makes safe HTML and prints numbers, ``charts`` draws, ``pages`` has a module for each part of a game's
page. ``finishing`` adds to a built site what it needs besides its pages.
"""

from oddsmith.publish.finishing import feed, kept_files, kept_list, to_files
from oddsmith.publish.site import PLAYGROUND, game_files, mkdocs_config, publish, site_pages

__all__ = [
    "PLAYGROUND",
    "feed",
    "game_files",
    "kept_files",
    "kept_list",
    "mkdocs_config",
    "publish",
    "site_pages",
    "to_files",
]
