"""Completions at the cursor: keys that the schema allows, names that the file defines, functions, and phases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.base.exact import plain_text
from oddsmith.editor.allowed import (
    NamedSubschemas,
    addable_keys,
    allows_map,
    definition_names,
    enumerated_values,
    first_described_subschema,
    key_definition_names,
    subschemas_at,
    takes_expression,
    takes_sentence,
)
from oddsmith.editor.reading import MARK, Cursor
from oddsmith.editor.showing import builtin_description, key_description, known_name_description
from oddsmith.editor.uses import ENDINGS, NAMES, NameIndex, takes_policy_name
from oddsmith.expr import BUILTINS, FUNCTIONS

ItemKind = Literal["key", "variable", "constant", "function", "phase", "value", "word", "snippet"]
_ITEM: dict[str, ItemKind] = {
    "parameter": "constant", "constant": "constant", "map": "constant", "list": "constant", "die": "constant",
    "variable": "variable", "definition": "function", "word": "word", "side": "word",
}  # fmt: skip
_LAST = re.compile(r"[A-Za-z0-9_]*$")
_PLACE = re.compile(r"\$\{(\d+):([^}]*)\}")


@dataclass(frozen=True)
class Completion:
    """A completion. ``insert``: the text that replaces the ``replaced`` characters before the cursor."""

    label: str
    kind: ItemKind
    detail: str = ""
    documentation: str = ""
    insert: str = ""
    replaced: int = 0
    snippet: bool = False


def completions(cursor: Cursor) -> list[Completion]:
    """Return the completions at the cursor, the likeliest first."""
    index = NameIndex(cursor.parsed)
    offered = _key_items(cursor, index) if cursor.yaml_node.is_key else _value_items(cursor, index)
    unique = {(item.label, item.kind): item for item in reversed(list(offered)) if MARK not in item.label}
    return list(reversed(unique.values()))


# --- keys


def _key_items(cursor: Cursor, index: NameIndex) -> Iterator[Completion]:
    """Yield the keys that can be added to the map in which the cursor is."""
    path = cursor.yaml_node.path[:-1]
    data = _without_cursor_key(index.data)
    typed = len(cursor.typed_text)
    for key, subschema in addable_keys(data, path).items():
        yield Completion(key, "key", "", key_description(key, subschema), f"{key}: ", typed)
    asked = key_definition_names(subschemas_at(data, path))
    for name in _defined_key_names(asked, path, index):
        yield Completion(name, "variable", "", "", f"{name}: ", typed)
    if len(cursor.parsed.root.node_and_key_at(list(path))[0].value) == 1:
        yield from _snippet_items(subschemas_at(data, path), cursor)


def _defined_key_names(key_definitions: set[str], path: tuple[Any, ...], index: NameIndex) -> Iterator[str]:
    """Yield the names that the file defines and that the map at ``path`` takes as keys. ``key_definitions``: the
    definitions that its keys must match.
    """
    if "phase_name" in key_definitions and path[0] != "phases":
        yield from index.phases
    elif path and path[-1] in ("set", "parameters") and len(path) > 1:
        yield from (name for name, known in index.known_names.items() if known.what == "parameter")
        yield "seats"
    elif path and (path == ("boards",) or path[-1] in ("with", "roll")):
        hands = path[-1] == "roll"
        yield from (
            name
            for name, known in index.known_names.items()
            if known.what == "variable" and (not hands or _is_hand_variable(known.node))
        )
    elif "item_key" in key_definitions:
        yield from (name for name, known in index.known_names.items() if known.what in ("word", "side"))


def _is_hand_variable(node: Any) -> bool:
    kind = node.get("type") if node else None
    return kind is not None and kind.value == "hand"


# --- values


def _value_items(cursor: Cursor, index: NameIndex) -> Iterator[Completion]:
    """Yield the values that are possible at the cursor."""
    path, before = cursor.yaml_node.path, cursor.typed_text
    data = _with_empty_text_at(index.data, path)
    found = subschemas_at(data, path)
    names = definition_names(found)
    yield from (_plain_item(plain_text(value), "value", before) for value in enumerated_values(found))
    yield from _name_items(path, names, before, index)
    if cursor.is_first_in_line and allows_map(found):
        for key, subschema in addable_keys(data, path).items():
            yield Completion(key, "key", "", key_description(key, subschema), f"{key}: ", len(before))
    if " " not in before:
        yield from _snippet_items(found, cursor)
    if _is_in_expression(path, names, before):
        yield from _expression_items(cursor, index, names)


def _name_items(
    path: tuple[Any, ...], definitions: set[str], typed_text: str, index: NameIndex
) -> Iterator[Completion]:
    """Yield the values that consist of one name that the file defines."""
    phases = [*index.phases, *(ENDINGS if "then" in definitions else ())]
    if "then" in definitions or "phase_name" in definitions:
        yield from (_plain_item(name, "phase", typed_text) for name in phases)
    elif "label" in definitions:
        yield from (_plain_item(name, "value", typed_text) for name in _entry_or_policy_names(path, index))
    elif "payoff_name" in definitions or path[-1] == "spread":
        lengths = ["turns", "rolls"] if path[-1] == "spread" else []
        yield from (_plain_item(name, "value", typed_text) for name in [*index.data.get("payoffs", {}), *lengths])
    elif "variant_name" in definitions:
        yield from (_plain_item(name, "value", typed_text) for name in index.data.get("variants", {}))
    elif definitions & NAMES:
        wanted = _allowed_name_kinds(path, definitions)
        yield from (
            _known_name_item(index, name, typed_text) for name, each in index.known_names.items() if each.what in wanted
        )
        if "list" in wanted:
            yield _plain_item("seat", "value", typed_text)


def _allowed_name_kinds(path: tuple[Any, ...], definitions: set[str]) -> tuple[str, ...]:
    """Return the kinds of names that are allowed at a place that takes one name."""
    if definitions & {"each", "list_name"} or "each" in path[-2:]:
        return ("list",)
    if "draw" in path[-2:] or path[-1] in ("from", "across", "laid", "facing"):
        return ("variable",)
    if "sides" in definitions or "only" in path[-2:]:
        return ("side",)
    return ("word", "constant")


def _entry_or_policy_names(path: tuple[Any, ...], index: NameIndex) -> Iterable[str]:
    """Return the names of entries or policies that the place takes; none if it takes neither."""
    if path[-1] == 1:  # the second of a pair of phase and entry
        pair = index.parsed.root.node_and_key_at(list(path[:-1]))[0].value
        return index.phase_entries(str(pair[0].value))
    if path[0] == "policies" and path[-1] == "option":
        return index.phase_entries(str(path[2]))
    if takes_policy_name(path):
        return [str(name) for name in index.data.get("policies", {})]
    if path[0] == "remember" and path[-1] == "option":
        return [name for phase in index.phases for name in index.phase_entries(phase)]
    return []


def _is_in_expression(path: tuple[Any, ...], definitions: set[str], typed_text: str) -> bool:
    if takes_sentence(path, definitions):
        return typed_text.rfind("{") > typed_text.rfind("}") and "|" not in typed_text[typed_text.rfind("{") :]
    return takes_expression(path, definitions)


def _expression_items(cursor: Cursor, index: NameIndex, definitions: set[str]) -> Iterator[Completion]:
    """Yield the words that an expression at the cursor may use."""
    before = cursor.typed_text
    last = _LAST.search(before)
    assert last is not None, "an empty word ends every text"
    typed = len(last[0])
    if "effect" in definitions and not before[: last.start()].strip():
        return  # an effect begins with its verb
    path = cursor.yaml_node.path
    for name in () if _is_evaluated_at_phase_start(path) else index.local_names(index.scope_at(path)):
        yield Completion(name, "variable", "here", "", name, typed)
    if "seen_by" in definitions:
        yield Completion(
            "nobody", "value", "", "No seat; whoever chooses knows the choice nevertheless.", "nobody", typed
        )
    if "dice_expression" in definitions:
        yield Completion("rest", "value", "", "The dice that do not lie in a kept hand.", "rest", typed)
    for name, known in index.known_names.items():
        yield Completion(name, _ITEM[known.what], known.what, known_name_description(index, known), name, typed)
    for builtin in BUILTINS:
        yield Completion(builtin, "variable", str(BUILTINS[builtin]), builtin_description(builtin), builtin, typed)
    for name, function in FUNCTIONS.items():
        yield Completion(
            name, "function", function.signature, builtin_description(name), f"{name}($0)", typed, snippet=True
        )
    for word in ("true", "false"):
        yield Completion(word, "value", "flag", "", word, typed)


def _is_evaluated_at_phase_start(path: tuple[Any, ...]) -> bool:
    """Return whether an expression is evaluated before anything is rolled, drawn or chosen in its phase."""
    return path[0] == "phases" and (path[-1] in ("seen_by", "who") or path[-2:-1] == ("choose_together",))


def _known_name_item(index: NameIndex, name: str, typed_text: str) -> Completion:
    known = index.known_names[name]
    return Completion(name, _ITEM[known.what], known.what, known_name_description(index, known), name, len(typed_text))


def _plain_item(text: str, kind: ItemKind, typed_text: str) -> Completion:
    return Completion(text, kind, "", "", text, len(typed_text))


# --- snippets


def _snippet_items(subschemas: NamedSubschemas, cursor: Cursor) -> Iterator[Completion]:
    """Yield the snippets that the schema has for the place of the cursor."""
    said = str(first_described_subschema(subschemas).get("description", ""))
    for _, subschema in subschemas:
        for snippet in subschema.get("defaultSnippets", ()):
            text = _yaml_block(snippet["body"])
            block = text.startswith("\n")
            if block and cursor.is_in_brackets:
                continue
            # Editors indent new lines as the line of the cursor is; a dash, or a key before it, wants more.
            text = text.replace("\n", "\n" + " " * (len(cursor.line_start.lstrip()) if cursor.is_first_in_line else 2))
            text = text if block and not cursor.is_first_in_line else text.lstrip()
            yield Completion(
                snippet["label"], "snippet", snippet["description"], said, text, len(cursor.typed_text), snippet=True
            )


def _yaml_block(data: Any, depth: int = 0) -> str:
    """Return data as YAML, to be written below or after a key."""
    indent = "  " * depth
    if isinstance(data, dict):
        pairs = (f"{indent}{plain_text(key)}:{_yaml_after_key(value, depth)}" for key, value in data.items())
        return "\n" + "\n".join(pairs)
    if isinstance(data, list):
        return "\n" + "\n".join(f"{indent}- {_yaml_block(item, depth + 1).lstrip()}" for item in data)
    return f" {plain_text(data)}"


def _yaml_after_key(value: Any, depth: int) -> str:
    short = isinstance(value, dict) and not any(isinstance(item, dict | list) for item in value.values())
    if short or (isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)):
        return f" {plain_text(value)}"
    return _yaml_block(value, depth + 1)


def fill_snippet_defaults(snippet: str) -> str:
    """Return the text of a snippet with its defaults filled in, for editors that do not support snippets."""
    return _PLACE.sub(lambda match: match[2], snippet).replace("$0", "")


def _without_cursor_key(data: Any) -> Any:
    """Return a copy of the data without the key that is being typed."""
    if isinstance(data, dict):
        return {key: _without_cursor_key(value) for key, value in data.items() if MARK not in str(key)}
    return [_without_cursor_key(item) for item in data] if isinstance(data, list) else data


def _with_empty_text_at(data: Any, path: tuple[Any, ...]) -> Any:
    """Return a copy of the data with an empty text at a path."""
    if not path:
        return ""
    if isinstance(data, dict):
        return {key: _with_empty_text_at(value, path[1:]) if key == path[0] else value for key, value in data.items()}
    return [_with_empty_text_at(item, path[1:]) if at == path[0] else item for at, item in enumerate(data)]
