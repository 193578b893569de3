"""The verbs of a designer: a ruleset to start from, the chances of one roll, what a change of the rules does, and help
in an editor."""

from oddsmith.cli.design.asking import ask
from oddsmith.cli.design.comparing import diff
from oddsmith.cli.design.editing import lsp
from oddsmith.cli.design.following import serve, watch
from oddsmith.cli.design.starting import new, schema
from oddsmith.cli.design.sweeping import sweep

__all__ = ["ask", "diff", "lsp", "new", "schema", "serve", "sweep", "watch"]
