"""The chances of one roll, without a ruleset: a question in plain words or in the language of rulesets, and its answer."""

from oddsmith.library.rolls.odds import Odds, ask

__all__ = ["Odds", "ask"]
