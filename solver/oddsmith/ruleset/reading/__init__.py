"""Read rulesets from YAML. All problems are reported at once, each with its line.

``load_ruleset`` reads a file, and ``read_ruleset`` a text. The text is parsed into nodes with locations (``source``),
their structure is checked (``schema``), and a reader for each part of the language makes the records of the model.
``formatted_text`` changes the layout of a file to the house style, ``upgraded_text`` converts it to the newest format,
``text_with_parameter_values`` changes parameters in it, and ``spans_of_comments`` finds its comments. Editors use three
functions on a text that somebody is still typing. ``parse_as_far_as_possible`` parses as much as possible,
``ruleset_schema`` returns the keys that are allowed in each place, and ``reason_name_is_invalid`` explains why a word
cannot be a name.
"""

from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.reading.format import formatted_text, text_with_parameter_values, upgraded_text
from oddsmith.ruleset.reading.reader import reason_name_is_invalid
from oddsmith.ruleset.reading.schema import ruleset_schema
from oddsmith.ruleset.reading.source import (
    Node,
    location_of_path,
    parse_as_far_as_possible,
    read_source,
    source_from_bytes,
    spans_of_comments,
)

__all__ = [
    "Node",
    "formatted_text",
    "load_ruleset",
    "location_of_path",
    "parse_as_far_as_possible",
    "read_ruleset",
    "read_source",
    "reason_name_is_invalid",
    "ruleset_schema",
    "source_from_bytes",
    "spans_of_comments",
    "text_with_parameter_values",
    "upgraded_text",
]
