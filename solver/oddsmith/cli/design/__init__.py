"""The verbs of a designer: a ruleset to start from, the chances of one roll, what a change of the rules does, what would make a
game fair, contests, and help in an editor.
"""

from oddsmith.cli.design.asking import ask
from oddsmith.cli.design.balancing import fair
from oddsmith.cli.design.comparing import diff
from oddsmith.cli.design.contests import evening, tournament
from oddsmith.cli.design.editing import lsp
from oddsmith.cli.design.following import serve, watch
from oddsmith.cli.design.linting import lint
from oddsmith.cli.design.starting import new, schema
from oddsmith.cli.design.sweeping import sweep

__all__ = ["ask", "diff", "evening", "fair", "lint", "lsp", "new", "schema", "serve", "sweep", "tournament", "watch"]
