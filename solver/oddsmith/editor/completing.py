"""Completions at the cursor: keys that the schema allows, names that the file defines, functions, and phases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.base.exact import plain_text
from oddsmith.editor.allowed import (
    Pieces,
    definition_names,
    first_described_piece,
    key_definition_names,
    keys_at,
    pieces_at,
    takes_map,
    values_of,
)
from oddsmith.editor.reading import MARK, Cursor
from oddsmith.editor.showing import builtin_description, key_description, known_name_description
from oddsmith.editor.uses import ENDINGS, EXPRESSIONS, NAMES, Index, takes_policy_name
from oddsmith.expr import BUILTINS, FUNCTIONS

ItemKind = Literal["key", "variable", "constant", "function", "phase", "value", "word", "snippet"]
_ITEM: dict[str, ItemKind] = {
    "parameter": "constant", "constant": "constant", "map": "constant", "list": "constant", "die": "constant",
    "variable": "variable", "definition": "function", "word": "word", "side": "word",
}  # fmt: skip
_LAST = re.compile(r"[A-Za-z0-9_]*$")
_PLACE = re.compile(r"\$\{(\d+):([^}]*)\}")


@dataclass(frozen=True)
class Item:
    """A completion. ``insert``: the text that replaces the ``replaced`` characters before the cursor."""

    label: str
    kind: ItemKind
    detail: str = ""
    documentation: str = ""
    insert: str = ""
    replaced: int = 0
    snippet: bool = False


def completions(cursor: Cursor) -> list[Item]:
    """Return the completions at the cursor, the likeliest first."""
    index = Index(cursor.page)
    offered = _key_items(cursor, index) if cursor.place.is_key else _value_items(cursor, index)
    unique = {(item.label, item.kind): item for item in reversed(list(offered)) if MARK not in item.label}
    return list(reversed(unique.values()))


# --- keys


def _key_items(cursor: Cursor, index: Index) -> Iterator[Item]:
    """Yield the keys that can be added to the map in which the cursor is."""
    path = cursor.place.path[:-1]
    data = _without_mark(index.data)
    typed = len(cursor.before)
    for key, piece in keys_at(data, path).items():
        yield Item(key, "key", "", key_description(key, piece), f"{key}: ", typed)
    asked = key_definition_names(pieces_at(data, path))
    for name in _defined_key_names(asked, path, index):
        yield Item(name, "variable", "", "", f"{name}: ", typed)
    if len(cursor.page.root.at(list(path))[0].value) == 1:
        yield from _snippet_items(pieces_at(data, path), cursor)


def _defined_key_names(asked: set[str], path: tuple[Any, ...], index: Index) -> Iterator[str]:
    """Yield the names that the file defines and that the map at ``path`` takes as keys. ``asked``: the definitions that
    its keys must match.
    """
    if "phase_name" in asked and path[0] != "phases":
        yield from index.phases
    elif path and path[-1] in ("set", "parameters") and len(path) > 1:
        yield from (name for name, known in index.known.items() if known.what == "parameter")
        yield "seats"
    elif path and (path == ("boards",) or path[-1] in ("with", "roll")):
        hands = path[-1] == "roll"
        yield from (
            name
            for name, known in index.known.items()
            if known.what == "variable" and (not hands or _is_hand(known.node))
        )
    elif "item_key" in asked:
        yield from (name for name, known in index.known.items() if known.what in ("word", "side"))


def _is_hand(node: Any) -> bool:
    kind = node.get("type") if node else None
    return kind is not None and kind.value == "hand"


# --- values


def _value_items(cursor: Cursor, index: Index) -> Iterator[Item]:
    """Yield the values that are possible at the cursor."""
    path, before = cursor.place.path, cursor.before
    data = _with_empty_text(index.data, path)
    found = pieces_at(data, path)
    names = definition_names(found)
    yield from (_plain_item(plain_text(value), "value", before) for value in values_of(found))
    yield from _name_items(path, names, before, index)
    if cursor.begins_line and takes_map(found):
        for key, piece in keys_at(data, path).items():
            yield Item(key, "key", "", key_description(key, piece), f"{key}: ", len(before))
    if " " not in before:
        yield from _snippet_items(found, cursor)
    if _is_in_expression(path, names, before):
        yield from _expression_items(cursor, index, names)


def _name_items(path: tuple[Any, ...], names: set[str], before: str, index: Index) -> Iterator[Item]:
    """Yield the values that consist of one name that the file defines."""
    phases = [*index.phases, *(ENDINGS if "then" in names else ())]
    if "then" in names or "phase_name" in names:
        yield from (_plain_item(name, "phase", before) for name in phases)
    elif "label" in names:
        yield from (_plain_item(name, "value", before) for name in _label_names(path, index))
    elif "payoff_name" in names or path[-1] == "spread":
        lengths = ["turns", "rolls"] if path[-1] == "spread" else []
        yield from (_plain_item(name, "value", before) for name in [*index.data.get("payoffs", {}), *lengths])
    elif "variant_name" in names:
        yield from (_plain_item(name, "value", before) for name in index.data.get("variants", {}))
    elif names & NAMES:
        wanted = _allowed_kinds(path, names)
        yield from (
            _item_of_known_name(index, name, before) for name, each in index.known.items() if each.what in wanted
        )
        yield from (_plain_item("seat", "value", before) for _ in range("list" in wanted))


def _allowed_kinds(path: tuple[Any, ...], names: set[str]) -> tuple[str, ...]:
    """Return the kinds of names that are allowed at a place that takes one name."""
    if names & {"each", "list_name"} or "each" in path[-2:]:
        return ("list",)
    if "draw" in path[-2:] or path[-1] in ("from", "across", "laid", "facing"):
        return ("variable",)
    if "sides" in names or "only" in path[-2:]:
        return ("side",)
    return ("constant", "word") if "faces" in path else ("word", "constant")


def _label_names(path: tuple[Any, ...], index: Index) -> Iterable[str]:
    """Return the names of entries or policies that the place takes; none if it takes neither."""
    if path[-1] == 1:  # the second of a pair of phase and entry
        pair = index.page.root.at(list(path[:-1]))[0].value
        return index.entries(str(pair[0].value))
    if path[0] == "policies" and path[-1] == "option":
        return index.entries(str(path[2]))
    if takes_policy_name(path):
        return [str(name) for name in index.data.get("policies", {})]
    if path[0] == "remember" and path[-1] == "option":
        return [name for phase in index.phases for name in index.entries(phase)]
    return []


def _is_in_expression(path: tuple[Any, ...], names: set[str], before: str) -> bool:
    if "sentence" in names or path in (("told",), ("part",)) or (path[0] == "remember" and path[-1] == "line"):
        return before.rfind("{") > before.rfind("}") and "|" not in before[before.rfind("{") :]
    return bool(names & EXPRESSIONS) or path[-1] in ("weights", "for", "faces") or path[-2:-1] == ("weights",)


def _expression_items(cursor: Cursor, index: Index, names: set[str]) -> Iterator[Item]:
    """Yield the words that an expression at the cursor may use."""
    before = cursor.before
    last = _LAST.search(before)
    assert last is not None, "an empty word ends every text"
    typed = len(last[0])
    if "effect" in names and not before[: last.start()].strip():
        return  # an effect begins with its verb
    path = cursor.place.path
    for name in () if _precedes_its_phase(path) else index.locals_of(index.scope_at(path)):
        yield Item(name, "variable", "here", "", name, typed)
    if "seen_by" in names:
        yield Item("nobody", "value", "", "No seat; whoever chooses knows the choice nevertheless.", "nobody", typed)
    if "dice_expression" in names:
        yield Item("rest", "value", "", "The dice that do not lie in a kept hand.", "rest", typed)
    for name, known in index.known.items():
        yield Item(name, _ITEM[known.what], known.what, known_name_description(index, known), name, typed)
    for builtin in BUILTINS:
        yield Item(builtin, "variable", str(BUILTINS[builtin]), builtin_description(builtin), builtin, typed)
    for name, function in FUNCTIONS.items():
        yield Item(name, "function", function.signature, builtin_description(name), f"{name}($0)", typed, snippet=True)
    for word in ("true", "false"):
        yield Item(word, "value", "flag", "", word, typed)


def _precedes_its_phase(path: tuple[Any, ...]) -> bool:
    """Return whether an expression is evaluated before anything is rolled, drawn or chosen in its phase."""
    return path[0] == "phases" and (path[-1] in ("seen_by", "who") or path[-2:-1] == ("choose_together",))


def _item_of_known_name(index: Index, name: str, before: str) -> Item:
    known = index.known[name]
    return Item(name, _ITEM[known.what], known.what, known_name_description(index, known), name, len(before))


def _plain_item(text: str, kind: ItemKind, before: str) -> Item:
    return Item(text, kind, "", "", text, len(before))


# --- snippets


def _snippet_items(found: Pieces, cursor: Cursor) -> Iterator[Item]:
    """Yield the snippets that the schema has for the place of the cursor."""
    said = str(first_described_piece(found).get("description", ""))
    for _, piece in found:
        for snippet in piece.get("defaultSnippets", ()):
            text = _block_text(snippet["body"])
            block = text.startswith("\n")
            if block and cursor.in_brackets:
                continue
            # Editors indent new lines as the line of the cursor is; a dash, or a key before it, wants more.
            text = text.replace("\n", "\n" + " " * (len(cursor.lead.lstrip()) if cursor.begins_line else 2))
            text = text if block and not cursor.begins_line else text.lstrip()
            yield Item(
                snippet["label"], "snippet", snippet["description"], said, text, len(cursor.before), snippet=True
            )


def _block_text(body: Any, depth: int = 0) -> str:
    """Return data as YAML, to be written below or after a key."""
    indent = "  " * depth
    if isinstance(body, dict):
        pairs = (f"{indent}{plain_text(key)}:{_text_behind_key(value, depth)}" for key, value in body.items())
        return "\n" + "\n".join(pairs)
    if isinstance(body, list):
        return "\n" + "\n".join(f"{indent}- {_block_text(item, depth + 1).lstrip()}" for item in body)
    return f" {plain_text(body)}"


def _text_behind_key(value: Any, depth: int) -> str:
    short = isinstance(value, dict) and not any(isinstance(item, dict | list) for item in value.values())
    if short or (isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)):
        return f" {plain_text(value)}"
    return _block_text(value, depth + 1)


def fill_snippet(text: str) -> str:
    """Return the text of a snippet with its defaults filled in, for editors that do not support snippets."""
    return _PLACE.sub(lambda match: match[2], text).replace("$0", "")


def _without_mark(data: Any) -> Any:
    """Return a copy of the data without the key that is being typed."""
    if isinstance(data, dict):
        return {key: _without_mark(value) for key, value in data.items() if MARK not in str(key)}
    return [_without_mark(item) for item in data] if isinstance(data, list) else data


def _with_empty_text(data: Any, path: tuple[Any, ...]) -> Any:
    """Return a copy of the data with an empty text at a path."""
    if not path:
        return ""
    if isinstance(data, dict):
        return {key: _with_empty_text(value, path[1:]) if key == path[0] else value for key, value in data.items()}
    return [_with_empty_text(item, path[1:]) if at == path[0] else item for at, item in enumerate(data)]
