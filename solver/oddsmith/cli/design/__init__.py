"""The verbs of a designer: a ruleset to start from, the chances of one roll, what a change of the rules does, and what
would make a game fair."""

from oddsmith.cli.design.asking import ask
from oddsmith.cli.design.balancing import fair
from oddsmith.cli.design.comparing import diff
from oddsmith.cli.design.following import serve, watch
from oddsmith.cli.design.starting import new, schema
from oddsmith.cli.design.sweeping import sweep

__all__ = ["ask", "diff", "fair", "new", "schema", "serve", "sweep", "watch"]
