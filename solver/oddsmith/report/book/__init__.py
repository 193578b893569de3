"""What a table of play loads of a game: its rules as a bundle, their words, and the settings at which it can be played."""

from oddsmith.report.book.book import book, unsolved
from oddsmith.report.book.coins import coins

__all__ = ["book", "coins", "unsolved"]
