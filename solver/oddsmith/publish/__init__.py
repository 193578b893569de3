"""Pages and data from solved rulesets, as paths and bytes; whoever calls writes them.

``markup`` makes safe HTML and prints numbers, ``charts`` draws, ``pages`` has a module for each part of a game's
page.
"""

from oddsmith.publish.site import game_files, mkdocs_config, publish, site_pages

__all__ = ["game_files", "mkdocs_config", "publish", "site_pages"]
