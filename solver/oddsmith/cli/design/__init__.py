"""The verbs of a designer: what a change of the rules does."""

from oddsmith.cli.design.comparing import diff

__all__ = ["diff"]
