"""From a YAML file to a ruleset: every problem at its line, all at once.

``load`` reads a file, and ``read`` a text. The text becomes nodes that know their location (``source``), their structure is
checked (``schema``), and a reader for each part of the language makes the records of the model. ``formatted`` lays a file out
in the house style, ``upgraded`` brings it to the newest format, ``with_values`` changes parameters in it, and ``comments``
finds its comments. Editors use the parts on a text that somebody is still typing: ``outline`` reads as much as possible,
``schema`` says which keys may stand where, and ``name_refusal`` says why a word cannot be a name.
"""

from oddsmith.ruleset.reading.build import load, read
from oddsmith.ruleset.reading.format import formatted, upgraded, with_values
from oddsmith.ruleset.reading.reader import name_refusal
from oddsmith.ruleset.reading.schema import schema
from oddsmith.ruleset.reading.source import Node, comments, location_of, outline, read_source, source_of

__all__ = [
    "Node",
    "comments",
    "formatted",
    "load",
    "location_of",
    "name_refusal",
    "outline",
    "read",
    "read_source",
    "schema",
    "source_of",
    "upgraded",
    "with_values",
]
