"""Rulesets: YAML with places, schema, frozen model, canonical bundle, and the rules for one state."""
