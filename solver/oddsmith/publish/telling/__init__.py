"""A game told as HTML, from its rules alone: what a page can say before anything is solved."""

from oddsmith.publish.telling.rules import (
    outcomes_told,
    rules_html,
    source_html,
    table_odds_html,
    tables_html,
    told_html,
    whole_html,
)

__all__ = ["outcomes_told", "rules_html", "source_html", "table_odds_html", "tables_html", "told_html", "whole_html"]
