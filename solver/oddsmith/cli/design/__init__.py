"""The verbs of a designer: a ruleset to start from, the chances of one roll, and what a change of the rules does."""

from oddsmith.cli.design.asking import ask
from oddsmith.cli.design.comparing import diff
from oddsmith.cli.design.following import serve, watch
from oddsmith.cli.design.linting import lint
from oddsmith.cli.design.starting import new, schema
from oddsmith.cli.design.sweeping import sweep

__all__ = ["ask", "diff", "lint", "new", "schema", "serve", "sweep", "watch"]
