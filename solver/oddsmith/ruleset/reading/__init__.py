"""From a YAML file to a ruleset: every problem at its line, all at once.

``load`` does all of it, and ``read`` all but opening the file: the text becomes nodes that know their place (``source``),
their shape is checked (``schema``), and a reader for each part of the language makes the records of the model. ``formatted``
lays a file out in the house style.
"""

from oddsmith.ruleset.reading.build import load, read
from oddsmith.ruleset.reading.format import formatted
from oddsmith.ruleset.reading.schema import schema
from oddsmith.ruleset.reading.source import source_of

__all__ = ["formatted", "load", "read", "schema", "source_of"]
