"""From a YAML file to a ruleset: every problem at its line, all at once.

``load`` does all of it, and ``read`` all but opening the file: the text becomes nodes that know their place (``source``),
their shape is checked (``schema``), and a reader for each part of the language makes the records of the model. ``formatted``
lays a file out in the house style, ``upgraded`` brings it to the newest format, ``with_values`` changes parameters in it, and
``comments`` finds what is said to people alone. Whoever helps somebody who is still typing takes the parts: ``outline`` reads
what can be read, ``schema`` says what may stand where, and ``name_refusal`` why a word cannot be a name.
"""

from oddsmith.ruleset.reading.build import load, read
from oddsmith.ruleset.reading.format import formatted, upgraded, with_values
from oddsmith.ruleset.reading.reader import name_refusal
from oddsmith.ruleset.reading.schema import schema
from oddsmith.ruleset.reading.source import Node, comments, outline, place_of, read_source, source_of

__all__ = [
    "Node",
    "comments",
    "formatted",
    "load",
    "name_refusal",
    "outline",
    "place_of",
    "read",
    "read_source",
    "schema",
    "source_of",
    "upgraded",
    "with_values",
]
