"""Read rulesets from YAML. All problems are reported at once, each with its line.

``load`` reads a file, and ``read`` a text. The text is parsed into nodes with locations (``source``), their structure
is checked (``schema``), and a reader for each part of the language makes the records of the model. ``formatted``
changes the layout of a file to the house style, ``upgraded`` converts it to the newest format, ``with_values`` changes
parameters in it, and ``comments`` finds its comments. Editors use three functions on a text that somebody is still
typing. ``outline`` parses as much as possible, ``schema`` returns the keys that are allowed in each place, and
``name_refusal`` explains why a word cannot be a name.
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
