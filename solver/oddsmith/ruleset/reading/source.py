"""Parse YAML into a tree of nodes with locations. Features of YAML that format 1 does not allow are reported as errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from oddsmith.base.errors import Problem, RulesetError, Signal
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.base.location import Location, Source, Text

MAX_BYTES = 1_000_000
MAX_DEPTH = 64
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+")
_ODD = {
    "yes": "true", "no": "false", "on": "true", "off": "false", "Yes": "true", "No": "false", "True": "true",
    "False": "false", "null": "", "~": "",
}  # fmt: skip
CUT_TEXT_HINT = (
    "a comma inside {...} or [...] cut this text in two: write each key on its own line, or put the text in quotes"
)


@dataclass(eq=False)
class Node:
    """A scalar, a list or a map in the file.

    ``value``: for a scalar a bool, int, Decimal or str; for a list a list of nodes; for a map a dict of nodes by key.
    ``text``: the text of a scalar. ``is_unquoted``: whether a scalar has no quotes. ``keys``: the keys of a map as
    nodes.
    """

    value: Any
    location: Location
    text: Text | None = None
    is_unquoted: bool = False
    keys: dict[Any, Node] = field(default_factory=dict)

    def data(self) -> Any:
        """Return the node as plain data, without locations."""
        if isinstance(self.value, dict):
            return {key: node.data() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.data() for node in self.value]
        return self.value

    def node_and_key_at(self, path: Iterator[Any] | list[Any]) -> tuple[Node, Node | None]:
        """Return the node at a path of keys and indices, and the node of the last key of the path, None if the path
        ends with an index.
        """
        node, key = self, None
        for step in path:
            key = node.keys.get(step) if isinstance(node.value, dict) else None
            node = node.value[step]
        return node, key

    def get(self, key: str) -> Node | None:
        """Return the value of a map at a key, as a node; None if the key is missing, or if the node is not a map."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def scalar_text(self) -> Text:
        """Return a scalar as a text with its location."""
        return self.text if self.text is not None else Text(str(self.value), self.location)


PIPE_FOLDERS = (("/", "dev"), ("/", "proc"))
"""The folders of pipes that may be read: standard input, and pipes that a shell passes instead of files."""


def read_source(path: Path) -> Source:
    """Return the text of a file. Raises RulesetError if the file cannot be read, is too large, or is not text."""
    name = str(path)

    def unreadable_file_error(code: str, message: str) -> RulesetError:
        return RulesetError([Problem(code, Location(name), message)])

    try:
        size = path.stat().st_size
        if path.is_dir():
            raise unreadable_file_error("OD101", "this is a folder, not a ruleset")
        if path.is_fifo() and path.parts[:2] not in PIPE_FOLDERS:
            raise unreadable_file_error("OD101", "this is not a regular file, but a pipe that may never end")
        if size > MAX_BYTES:
            raise unreadable_file_error("OD102", f"the file has {size:,} bytes; a ruleset has at most {MAX_BYTES:,}")
        with path.open("rb") as stream:  # a pipe or a device has no size: read no more than is allowed
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise unreadable_file_error("OD101", f"the file cannot be read: {error.strerror}") from None
    return source_from_bytes(raw, name)


def source_from_bytes(data: bytes, file_name: str) -> Source:
    """Return the text of a file from its bytes. ``file_name``: the name of the file in errors. Raises RulesetError if
    there are too many bytes, or if they are not UTF-8.
    """
    if len(data) > MAX_BYTES:
        raise RulesetError([Problem("OD102", Location(file_name), f"a ruleset has at most {MAX_BYTES:,} bytes")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        problem = Problem(
            "OD103", Location(file_name, line), "this is not text in UTF-8", "save the file as UTF-8 text"
        )
        raise RulesetError([problem]) from None
    return Source(file_name, text.replace("\r\n", "\n"))


def parse_source(source: Source) -> Node:
    """Return the root of the tree of nodes. Raises RulesetError with the problems found, up to the first syntax error."""
    root, problems = parse_as_far_as_possible(source)
    if problems:
        raise RulesetError(problems, source)
    if root is None or not isinstance(root.value, dict):
        location = root.location if root else Location(source.file)
        what = "the file is empty" if root is None or root.value == "" else "a ruleset is a map of keys"
        hint = "`oddsmith new push-your-luck` writes a whole game to start from"
        raise RulesetError([Problem("OD105", location, what, hint)], source)
    return root


def parse_as_far_as_possible(source: Source) -> tuple[Node | None, list[Problem]]:
    """Return the root of the tree of nodes as far as the text can be parsed, None if there is none; and the problems
    found.
    """
    builder = _NodeTreeBuilder(source)
    try:
        for event in YAML(typ="safe", pure=True).parse(source.text):
            builder.handle_event(event)
    except _ParsingStopped:
        pass
    except ReaderError as error:
        line = source.text[: error.position].count("\n") + 1
        builder.report("OD103", Location(source.file, line), "a control character stands here", "save it as plain text")
    except MarkedYAMLError as error:
        builder.report_syntax_error(error)
    except (YAMLError, RecursionError, ValueError) as error:
        builder.report("OD104", Location(source.file), f"this is not YAML: {error}")
    return builder.root, builder.problems


def location_of_path(source: Source, *path: str) -> Location:
    """Return the location of the last key of a path. The source must not have syntax errors."""
    node, key = parse_source(source).node_and_key_at(list(path))
    return node.location if key is None else key.location


def spans_of_comments(text: str, events: Iterable[Any] | None = None) -> list[tuple[int, int]]:
    """Return the start and the end of each comment of a text without syntax errors.

    ``events``: the events of the parser for the text; None if the text must be parsed.
    """
    scalars: set[int] = set()
    for event in YAML(typ="safe", pure=True).parse(text) if events is None else events:
        if isinstance(event, ScalarEvent):
            scalars.update(range(event.start_mark.index, event.end_mark.index))
    found = re.finditer(r"(?<![^\s])#[^\n]*", text)
    return [match.span() for match in found if match.start() not in scalars]


class _ParsingStopped(Signal):
    """Stops parsing when the rest of the text would not give useful results."""


class _NodeTreeBuilder:
    """Builds the tree of nodes from the events of the parser. It has an explicit stack, so deep nesting is reported as
    an error instead of a stack overflow.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.stack: list[tuple[Node, Node | None, bool]] = []
        self.cuts: dict[int, tuple[Location, Any, str, Problem]] = {}  # per map: the text that commas cut last
        self.root: Node | None = None
        self.documents = self.nodes = 0

    def report(self, code: str, location: Location, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code, location, message, hint))

    def location_of_mark(self, mark: Any) -> Location:
        return Location(self.source.file, mark.line + 1, mark.column + 1)

    def location_of_scalar(self, event: Any) -> Location:
        """Return the location of a scalar, including its end."""
        until = (event.end_mark.line + 1, event.end_mark.column + 1)
        return replace(self.location_of_mark(event.start_mark), until=until)

    def handle_event(self, event: Any) -> None:
        here = self.location_of_mark(event.start_mark) if event.start_mark else Location(self.source.file)
        if isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.report("OD106", here, "a second document starts here", "one file holds one game: remove the ---")
                raise _ParsingStopped
        elif isinstance(event, AliasEvent):
            hint = "write the value out, or name it under `define:` or `constants:`"
            self.report("OD107", here, f"the alias *{event.anchor} is not allowed", hint)
            self.add_node(Node("", here, Text("", here)))
        elif isinstance(event, ScalarEvent | SequenceStartEvent | MappingStartEvent):
            self.report_unsupported_yaml(event, here)
            self.add_event(event, here)
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            self.stack.pop()

    def report_unsupported_yaml(self, event: Any, location: Location) -> None:
        if event.anchor:
            hint = "write the value out, or name it under `define:`"
            self.report("OD107", location, f"the anchor &{event.anchor} is not allowed", hint)
        if event.tag and not isinstance(event.tag, bool) and str(event.tag) != "None":
            hint = "put a text that starts with ! in quotes"
            self.report("OD108", location, f"the tag {event.tag} is not allowed", hint)

    def add_event(self, event: Any, location: Location) -> None:
        self.nodes += 1
        if self.nodes > limits().values:
            message = f"over {limits().values:,} keys and values stand before this one"
            hint = f"a game is a page or two: leave out what it does not need, {hint_to_raise_limit('values')}"
            self.report("OD113", location, message, hint)
            raise _ParsingStopped
        if isinstance(event, ScalarEvent):
            self.add_node(self.scalar_node(event))
            return
        if len(self.stack) >= MAX_DEPTH:
            self.report("OD109", location, f"brackets are nested more than {MAX_DEPTH} deep", "close some of them")
            raise _ParsingStopped
        node = Node({} if isinstance(event, MappingStartEvent) else [], location)
        self.add_node(node)
        self.stack.append((node, None, bool(event.flow_style)))

    def scalar_node(self, event: Any) -> Node:
        raw = self.source.text[event.start_mark.index : event.end_mark.index]
        here = self.location_of_scalar(event)
        text = Text(event.value, here, raw)
        if "\\" in raw and any("\ud800" <= letter <= "\udfff" for letter in event.value):
            self.report("OD103", here, "half a character stands here", "write the character itself")
        plain = event.style is None or event.style == ""
        value: Any = event.value
        if plain and event.value in ("true", "false"):
            value = event.value == "true"
        elif plain and len(event.value) < 400 and _INTEGER.fullmatch(event.value):
            value = int(event.value)
        elif plain and len(event.value) < 400 and _DECIMAL.fullmatch(event.value):
            value = Decimal(event.value)
        return Node(value, here, text, plain)

    def add_node(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent, key, flow = self.stack[-1]
        if isinstance(parent.value, list):
            parent.value.append(node)
        elif key is None:
            self.add_key(parent, node, flow)
        else:
            if flow and node.value == "" and node.is_unquoted:
                self.report_key_without_value(parent, key)
            parent.value[key.value], parent.keys[key.value] = node, key
            self.stack[-1] = (parent, None, flow)

    def report_key_without_value(self, parent: Node, key_node: Node) -> None:
        """Report an error with a hint for a key in braces that has no value.

        Such a key is nearly always the rest of a text that a comma split; then the hint shows the whole text in quotes.
        """
        if joined := re.fullmatch(r"(\w+):(\S+)", str(key_node.value)):
            message = "a space is missing after the colon"
            self.report("OD110", key_node.location, message, f"write {joined[1]}: {joined[2]}")
            return
        name = next(reversed(parent.value), None)
        last = parent.value.get(name)
        before = self.cuts.get(id(parent)) if last is not None and last.value == "" else None
        where, hint = key_node.location, f"if {key_node.value} is a key, write its value, too: {key_node.value}: ..."
        if before is not None:
            where, name, text, problem = before
            self.problems.remove(problem)
        else:
            text = last.value if last is not None and isinstance(last.value, str) else ""
        whole = f"{text}, {key_node.value}"
        if text and (" " in whole.replace(", ", ",") or not re.fullmatch(r"[\w-]+", str(key_node.value))):
            hint = f"write {name}: {json.dumps(whole, ensure_ascii=False)}"
        self.report("OD110", where, CUT_TEXT_HINT, hint)
        self.cuts[id(parent)] = where, name, whole, self.problems[-1]

    def add_key(self, parent: Node, key_node: Node, is_in_braces: bool) -> None:
        if isinstance(key_node.value, list | dict):
            self.report("OD111", key_node.location, "a key is a word or a number, not a list or a map", CUT_TEXT_HINT)
            raise _ParsingStopped
        if isinstance(key_node.value, bool | Decimal):
            key_node.value = key_node.text.value if key_node.text else str(key_node.value)
        if key_node.value == "<<":
            self.report("OD107", key_node.location, "merge keys (<<) are not allowed", "write the keys out")
        if key_node.value in parent.value:
            first = parent.keys[key_node.value].location
            message = f"the key {key_node.value} stands twice"
            self.report("OD112", key_node.location, message, f"the first is in line {first.line}")
        self.stack[-1] = (parent, key_node, is_in_braces)

    def report_syntax_error(self, error: MarkedYAMLError) -> None:
        """Report a syntax error of YAML in plain words, with a guess at the cause."""
        mark = error.problem_mark or error.context_mark
        here = self.location_of_mark(mark) if mark else Location(self.source.file)
        line = self.source.lines[here.line - 1] if here.line <= len(self.source.lines) else ""
        problem = str(error.problem or error)
        hint = ""
        if "\t" in line[: len(line) - len(line.lstrip())]:
            problem, hint = "a tab stands at the start of this line", "YAML indents with spaces only"
        elif ("mapping values" in problem or "expected ':'" in problem) and (
            bare := self.location_of_key_without_colon(here, line)
        ):
            here, problem = bare, "a `:` is missing after this key"
            hint = "write it with a colon, and what belongs to it below"
        elif "mapping values are not allowed" in problem:
            problem = "a second `: ` stands in this line"
            hint = "put a text that holds `: ` in quotes; check the indentation of the line before"
        elif "expected ',' or" in problem:
            problem, hint = "a bracket or a comma is missing here", CUT_TEXT_HINT
        elif "could not find expected ':'" in problem:
            problem, hint = "a `:` is missing after this key", "write `key: value`, with a space after the colon"
        elif "block end" in problem and re.match(r"[^'\"]*: *[\[{]", line[: here.column - 1]):
            problem = "something follows a closing bracket"
            hint = "put a text that starts with a bracket in quotes"
        elif "block end" in problem and re.match(r" *(- +)?[^'\"#]*: +'[^']*'\w", line):
            problem, hint = "an apostrophe ends this text", "put a text that holds an apostrophe in double quotes"
        elif "block end" in problem and self.is_item_without_dash(here, line):
            problem = "a list goes on here without its mark"
            hint = f"begin with a dash, as the item before: - {line.strip()}"
        elif "block end" in problem:
            problem, hint = "the indentation does not fit the lines before", "keys of one map stand in one column"
        elif "cannot start any token" in problem and re.search(r"[{\[].*[\[\]{}]", line[: here.column - 1]):
            problem, hint = "a bracket inside braces ends the text here", CUT_TEXT_HINT.partition(": ")[2]
        elif "cannot start any token" in problem:
            hint = "put a text that starts with this character in quotes"
        self.report("OD104", here, f"this is not YAML: {problem}", hint)

    def location_of_key_without_colon(self, error_location: Location, line: str) -> Location | None:
        """Return the location of a key without a colon: a line above that has only words and is indented less. Return
        None if there is no such key.
        """
        above = next((n for n in range(error_location.line - 2, -1, -1) if self.source.lines[n].strip()), -1)
        bare = re.fullmatch(r"( *)[A-Za-z]\w*( \w+)* *", self.source.lines[above]) if above >= 0 else None
        if bare is None or len(bare[1]) >= len(line) - len(line.lstrip()):
            return None
        return replace(error_location, line=above + 1, column=len(bare[1]) + 1)

    def is_item_without_dash(self, error_location: Location, line: str) -> bool:
        """Return whether a line is probably a list item whose dash is missing.

        The nearest line above that is not indented deeper must begin an item, in the same column, or two columns to the
        left if the item is in braces.
        """
        indent = len(line) - len(line.lstrip())
        above = [other for other in self.source.lines[: error_location.line - 1] if other.strip()]
        near = next((other for other in reversed(above) if len(other) - len(other.lstrip()) <= indent), "")
        items = (" " * indent + "- ", " " * (indent - 2) + "- {")
        return error_location.column == indent + 1 and near.startswith(items)


def hint_for_misread_scalar(node: Node) -> str:
    """Return the hint for a scalar that is a word although a number or a flag is required; empty if there is no hint."""
    value = node.scalar_text().value
    if isinstance(node.value, bool):
        return ""
    if not node.is_unquoted:
        return "remove the quotes" if _INTEGER.fullmatch(value) or value in ("true", "false") else ""
    if value in _ODD:
        return f"YAML 1.2 reads `{value}` as a word" + (f": write {_ODD[value]}" if _ODD[value] else "")
    if re.fullmatch(r"[0-9]+:[0-9:]+", value):
        return f"`{value}` is a word, not a time or a ratio"
    if re.fullmatch(r"0[0-9]+", value):
        return f"write the number without the leading zero: {value.lstrip('0') or '0'}"
    if re.fullmatch(r"[0-9]+(_[0-9]+)+", value):
        return f"write the number without _: {value.replace('_', '')}"
    if re.fullmatch(r"[0-9.]+[eE]\+?[0-9]+", value):
        return "write the number out, without e"
    return ""
