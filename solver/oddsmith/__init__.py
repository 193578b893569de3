"""Oddsmith: rules of dice games as YAML, exact odds and optimal play, proven."""
