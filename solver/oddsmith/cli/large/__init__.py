"""The verb for games that are larger than memory."""

from oddsmith.cli.large.staging import stages

__all__ = ["stages"]
