"""The house style for rulesets. Formatting changes the layout of a file, but neither its data nor its comments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import MappingEndEvent, MappingStartEvent, SequenceEndEvent, SequenceStartEvent
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, PlainScalarString, SingleQuotedScalarString

from oddsmith.base.errors import RulesetError
from oddsmith.base.exact import plain_text
from oddsmith.base.location import Source
from oddsmith.ruleset.reading.source import (
    CUT_TEXT_HINT,
    Node,
    parse_as_far_as_possible,
    parse_source,
    spans_of_comments,
)

LINE_WIDTH = 120  # a map in braces that does not fit into this is written out
_CUTTING = frozenset(",[]{}")


class _ScalarsAsTextResolver(VersionedResolver):
    """A resolver of YAML that keeps every scalar as text, so scalars such as 010, yes and 1_000 are written unchanged."""

    @property
    def versioned_resolver(self) -> dict[str, Any]:
        """The patterns of scalars that are not text: none."""
        return {}


def formatted_text(text: str) -> str:
    """Return the text of a ruleset in house style; unchanged if it cannot be parsed, or if its data or comments would
    change.
    """
    text = with_quotes_around_split_texts(text.replace("\r\n", "\n"))
    before = _typed_data_of_text(text)
    if before is None:
        return text
    try:
        styled = _text_in_house_style(text)
    except YAMLError:
        return text
    same = _typed_data_of_text(styled) == before and sorted(_comment_texts(styled)) == sorted(_comment_texts(text))
    return styled if same else text


def with_quotes_around_split_texts(text: str) -> str:
    """Return the text of a ruleset with quotes around texts in braces that a comma splits. The text is unchanged if the
    places of these texts are ambiguous or if errors would remain.
    """
    mended = text
    for problem in [each for each in parse_as_far_as_possible(Source("", text))[1] if each.message == CUT_TEXT_HINT]:
        found = re.fullmatch(r"write (\w+): (\".*\")", problem.hint)
        if found is None:
            return text
        whole = re.escape(json.loads(found[2])).replace(r",\ ", r",\s*")
        pattern = re.compile(rf"(?<=[{{,\s]){re.escape(found[1])}:\s+{whole}(?=\s*[,}}])")
        places = list(pattern.finditer(mended))
        if len(places) != 1:
            return text
        mended = f"{mended[: places[0].start()]}{found[1]}: {found[2]}{mended[places[0].end() :]}"
    return mended if mended != text and not parse_as_far_as_possible(Source("", mended))[1] else text


UPGRADES: dict[int, Callable[[str], str]] = {}
"""Functions that convert the text of a file to the next format, by the number of the older format. Format 1 is the only
format so far.
"""


def upgraded_text(text: str) -> str:
    """Return the text of a ruleset in the newest format; unchanged if it already has this format or cannot be parsed."""
    while (older := _format_number(text)) in UPGRADES:
        text = UPGRADES[older](text)
    return text


def _format_number(text: str) -> int | None:
    found = parse_as_far_as_possible(Source("", text))[0]
    node = found.get("format") if found else None
    return node.value if node and type(node.value) is int else None


def text_with_parameter_values(source: Source, values: Mapping[str, Any], variant: str = "") -> str:
    """Return the text of a ruleset with new values of parameters. Comments and layout do not change.

    ``values``: the new values by name; unknown names are ignored. ``variant``: the name of a variant; a value that it
    sets is replaced in the variant, any other value as the default of its parameter. The ruleset must not have errors.
    """
    root, lines = parse_source(source), list(source.lines)
    at_home, elsewhere = (root.get(key) for key in ("parameters", "variants"))
    change = elsewhere.value[variant].get("set") if elsewhere and variant else None
    found = []
    for name, value in values.items():
        own = at_home.get(name) if at_home else None
        node = (change.get(name) if change else None) or (own.get("default") if own else None)
        if node is not None:
            found.append((node.location, node.scalar_text().raw, value))
    for location, raw, value in sorted(found, key=lambda each: each[0], reverse=True):  # from the end: places stay true
        quote = raw[0] if raw[:1] in ("'", '"') else ""
        text = f"{quote}{plain_text(value)}{quote}"
        line, at = lines[location.line - 1], location.column - 1
        lines[location.line - 1] = line[:at] + text + line[at + len(raw) :]
    return "\n".join(lines)


def _typed_data_of_text(text: str) -> Any:
    """Return the data of a text, in which each scalar is a pair of its type and its text; None if the text cannot be
    parsed.
    """
    try:
        return _typed_data(parse_source(Source("", text)))
    except RulesetError:
        return None


def _typed_data(node: Node) -> Any:
    if isinstance(node.value, dict):
        return [(key, _typed_data(item)) for key, item in node.value.items()]
    if isinstance(node.value, list):
        return [_typed_data(item) for item in node.value]
    return (type(node.value).__name__, str(node.value))


def _comment_texts(text: str) -> Iterator[str]:
    """Yield the text of every comment. A `#` inside a scalar also counts as a comment, which does not matter for a
    comparison.
    """
    for line in text.split("\n"):
        head, mark, words = line.partition("#")
        if mark and (not head or head[-1] in " \t"):
            yield words.strip()


def _yaml_parser() -> YAML:
    yaml = YAML(typ="rt", pure=True)
    yaml.Resolver = _ScalarsAsTextResolver
    yaml.preserve_quotes = True
    yaml.width = 1_000_000  # lines are never folded
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _text_in_house_style(text: str) -> str:
    brackets = list(_outermost_bracket_pairs(text))
    if any(bracket.comments_inside for bracket in brackets):
        text = _with_comments_moved_above_brackets(
            text, [(bracket.line_and_column, bracket.comments_inside) for bracket in brackets]
        )
        brackets = list(_outermost_bracket_pairs(text))
    behind = [(bracket.line_and_column, [bracket.comment_after]) for bracket in brackets if bracket.comment_after]
    if behind:
        opened, lines = _brackets_unsafe_for_comments(_yaml_parser().load(text)), text.split("\n")
        text = _with_comments_moved_above_brackets(
            text, [each for each in behind if each[0] in opened or _is_item_before_unbraced_item(lines, each[0][0])]
        )
    yaml = _yaml_parser()
    root = yaml.load(text)
    _set_layout(root, 0)
    out = StringIO()
    yaml.dump(root, out)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))


# --- comments in and behind brackets, which the round trip would lose or misplace


@dataclass(frozen=True)
class _BracketPair:
    """An outermost pair of brackets. ``line_and_column``: its line and column, from 0. ``comments_inside``: the spans
    of the comments in it. ``comment_after``: the span of the comment after it in its last line, None if there is none.
    """

    line_and_column: tuple[int, int]
    comments_inside: list[tuple[int, int]]
    comment_after: tuple[int, int] | None


def _outermost_bracket_pairs(text: str) -> Iterator[_BracketPair]:
    """Yield the outermost pairs of brackets of a text without syntax errors."""
    pairs: list[tuple[Any, Any]] = []
    opening: list[Any] = []
    events = list(_yaml_parser().parse(text))
    for event in events:
        if isinstance(event, SequenceStartEvent | MappingStartEvent):
            opening.append(event)
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            start = opening.pop()
            if start.flow_style and not any(outer.flow_style for outer in opening):
                pairs.append((start.start_mark, event.end_mark))
    spans = spans_of_comments(text, events)
    for start, end in pairs:
        line_end = text.find("\n", end.index) % (len(text) + 1)
        inside = [span for span in spans if start.index < span[0] < end.index]
        behind = next((span for span in spans if end.index <= span[0] < line_end), None)
        yield _BracketPair((start.line, start.column), inside, behind)


def _with_comments_moved_above_brackets(
    text: str, comments_by_bracket: Iterable[tuple[tuple[int, int], list[tuple[int, int]]]]
) -> str:
    """Return a text with comments moved to separate lines, above the line in which their brackets open.
    ``comments_by_bracket``: the place of each pair of brackets, with the spans of the comments to move.
    """
    lines = text.split("\n")
    for (opening, _), spans in sorted(comments_by_bracket, reverse=True):
        above = lines[opening]
        indent = above[: len(above) - len(above.lstrip(" "))]
        for start, _ in spans:
            line = text.count("\n", 0, start)
            lines[line] = lines[line][: start - text.rfind("\n", 0, start) - 1].rstrip()
        lines[opening:opening] = [indent + text[start:end].rstrip() for start, end in spans]
    return "\n".join(lines)


def _is_item_before_unbraced_item(lines: list[str], line_index: int) -> bool:
    """Return whether a line is a list item in braces and the next item has no braces. Then a comment between the two
    would belong to the second item. ``line_index``: the number of the line, from 0.
    """
    after = next(
        (text.strip() for text in lines[line_index + 1 :] if text.strip() and not text.strip().startswith("#")), ""
    )
    return lines[line_index].lstrip().startswith("- {") and re.match(r"- [^{\[]", after) is not None


def _brackets_unsafe_for_comments(root: Any) -> set[tuple[int, int]]:
    """Return the places of brackets that must not be followed by a comment: brackets that the house style removes, and
    empty brackets. ``root``: the root of the document.
    """
    written = [node for node in _nested_collections(root) if node.fa.flow_style() or not node]
    places = [(node.lc.line, node.lc.col) for node in written]
    _set_layout(root, 0)
    return {place for node, place in zip(written, places, strict=True) if not (node and node.fa.flow_style())}


def _nested_collections(node: Any) -> Iterator[Any]:
    if isinstance(node, CommentedMap | CommentedSeq):
        yield node
        for item in node.values() if isinstance(node, CommentedMap) else node:
            yield from _nested_collections(item)


# --- layout


def _set_layout(node: Any, column: int, key: str = "") -> bool:
    """Set the layout of a node and of all nodes inside it. Return whether the node is written on one line. ``column``:
    the column of the node. ``key``: its key.
    """
    if isinstance(node, CommentedMap):
        inner = [_set_layout(item, column + 2, str(name)) for name, item in node.items()]
        flow = bool(node.fa.flow_style()) and all(inner) and not any(map(_needs_quotes_in_brackets, node.values()))
        flow = flow and column + len(key) + len(_text_on_one_line(node)) <= LINE_WIDTH
    elif isinstance(node, CommentedSeq):
        inner = [_set_layout(item, column + 4) for item in node]
        effects = key in ("do", "else", "at_end")
        flow = (
            bool(node.fa.flow_style()) and all(inner) and not effects and not any(map(_needs_quotes_in_brackets, node))
        )
    else:
        return "\n" not in str(node)
    if flow:
        node.fa.set_flow_style()
    else:
        node.fa.set_block_style()
        _remove_needless_quotes(node)
    return flow


def _needs_quotes_in_brackets(item: Any) -> bool:
    """Return whether an item is a text with characters that need quotes inside brackets."""
    return isinstance(item, str) and bool(_CUTTING & set(item))


def _text_on_one_line(node: Any) -> str:
    if isinstance(node, CommentedMap):
        return "{" + ", ".join(f"{key}: {_text_on_one_line(item)}" for key, item in node.items()) + "}"
    if isinstance(node, CommentedSeq):
        return "[" + ", ".join(map(_text_on_one_line, node)) + "]"
    return str(node)


def _remove_needless_quotes(node: CommentedMap | CommentedSeq) -> None:
    """Remove the quotes of the texts in a node that needed quotes only inside brackets."""
    places: Any = list(node) if isinstance(node, CommentedMap) else range(len(node))
    for place in places:
        item = node[place]
        quoted = isinstance(item, DoubleQuotedScalarString | SingleQuotedScalarString)
        if quoted and _needs_quotes_in_brackets(item) and _is_safe_unquoted(str(item)):
            node[place] = PlainScalarString(item)


def _is_safe_unquoted(text: str) -> bool:
    """Return whether YAML certainly parses a text without quotes, outside brackets, as the same text."""
    first = text[:1]
    return (
        (first.isalnum() or first == "(")
        and text == text.strip()
        and not any(mark in text for mark in (": ", " #", "\n", "\t", '"', "'", "\\"))
        and not text.endswith(":")
    )
