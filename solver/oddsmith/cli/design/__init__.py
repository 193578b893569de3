"""The verbs of a designer: what a change of the rules does."""

from oddsmith.cli.design.comparing import diff
from oddsmith.cli.design.following import serve, watch
from oddsmith.cli.design.sweeping import sweep

__all__ = ["diff", "serve", "sweep", "watch"]
