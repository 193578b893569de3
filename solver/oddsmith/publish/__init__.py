"""Pages and data from solved rulesets, as paths and bytes; whoever calls writes them."""

from oddsmith.publish.site import game_files, mkdocs_config, publish, site_pages

__all__ = ["game_files", "mkdocs_config", "publish", "site_pages"]
