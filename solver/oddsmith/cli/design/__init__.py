"""The doors by which designers come in: the chances of one roll, a ruleset to start from, the schema for their editor."""

from oddsmith.cli.design.asking import ask
from oddsmith.cli.design.starting import new, schema

__all__ = ["ask", "new", "schema"]
