"""The uses of names in a text, and the places that define them.

The schema says what each value is: an expression, a sentence with braces, the name of a phase. All names of a ruleset
share one namespace, so a word means the same in all expressions. That includes the names of rolls, loops and ``let``,
which definitions may read. Only the arguments of a definition are local to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from oddsmith.base.errors import InputError
from oddsmith.base.location import Location, Span, Text
from oddsmith.editor.allowed import (
    NamedSubschemas,
    Subschema,
    definition_names,
    key_definition_names,
    subschemas_at,
    takes_expression,
    takes_sentence,
)
from oddsmith.editor.reading import ParsedText, YamlNode
from oddsmith.expr import BUILTINS, FUNCTIONS
from oddsmith.ruleset.reading import Node, reason_name_is_invalid, ruleset_schema

NameKind = Literal["name", "local", "phase", "entry", "policy", "payoff", "variant", "measure"]

SECTIONS = {
    "parameters": "parameter", "constants": "constant", "lists": "list", "dice": "die", "state": "variable",
    "define": "definition",
}  # fmt: skip
NAMES = {"identifier", "item", "item_key", "word", "list_name", "parameter_value", "each", "sides"}
ENDINGS = ("again", "pass", "end")
NUMBERS = ("number", "turns", "rolls")  # what a line to remember can fill in besides
_NAMED: dict[str, NameKind] = {
    "phase_name": "phase",
    "then": "phase",
    "payoff_name": "payoff",
    "variant_name": "variant",
}
_LABELLED: dict[str, NameKind] = {"policies": "policy", "measures": "measure"}
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_BRACES = re.compile(r"\{([^{}|]*)")
_ARGUMENTS = re.compile(r"\(([^)]*)\)")


@dataclass(frozen=True)
class Use:
    """A use of a name: a word of the text that names something.

    ``owner``: for an entry, its phase; for an argument, its definition; else empty. ``defines``: whether the name is
    defined here. ``quoted``: the quotation mark around the name, if any. ``scope``: for a local name, the part of the
    file in which it is valid.
    """

    kind: NameKind
    name: str
    owner: str
    location: Location
    defines: bool = False
    quoted: str = ""
    scope: str = ""

    @property
    def reference_key(self) -> tuple[str, str, str]:
        """A key that is equal for all uses that name the same thing."""
        return self.kind, self.owner, self.name

    def covers_position(self, line: int, column: int) -> bool:
        """Return whether a place (from 1) lies in the word, or just after it."""
        here = self.location
        return here.line == line and here.column <= column <= here.column + len(self.name)


@dataclass(frozen=True)
class KnownName:
    """A name that a file defines. ``use``: the definition as a use; ``what``: its kind; ``key``: the node of the name;
    ``node``: the value of the key, if any.
    """

    use: Use
    what: str
    key: Node
    node: Node | None

    @property
    def author_sentence(self) -> str:
        """The author's sentence about the name; empty if there is none."""
        for key in ("about", "label"):
            said = self.node.get(key) if self.node else None
            if said is not None:
                return str(said.value)
        return ""


class NameIndex:
    """An index of all uses of names in a text."""

    def __init__(self, parsed: ParsedText) -> None:
        self.parsed = parsed
        self.data: dict[str, Any] = parsed.root.data()
        self._subschemas: dict[tuple[Any, ...], NamedSubschemas] = {}

    def subschemas_at(self, path: tuple[Any, ...]) -> NamedSubschemas:
        """Return the subschemas that apply at a path."""
        return subschemas_at(self.data, path, self._subschemas)

    @cached_property
    def known_names(self) -> dict[str, KnownName]:
        """The names of the file that all expressions can use, in the order of ``SECTIONS``."""
        found: dict[str, KnownName] = {}
        for section, what in SECTIONS.items():
            part = self.parsed.root.get(section)
            for key, node in part.keys.items() if part else ():
                name = str(key).partition("(")[0].strip()
                value = part.value[key] if part else None
                if section == "constants" and value is not None and isinstance(value.value, dict):
                    found.setdefault(
                        name, KnownName(_use_of_whole_node("name", name, node, defines=True), "map", node, value)
                    )
                found.setdefault(
                    name, KnownName(_use_of_whole_node("name", name, node, defines=True), what, node, value)
                )
        sides = self.parsed.root.get("sides")
        for side in sides.value if sides and isinstance(sides.value, list) else ():
            name = str(side.value)
            found.setdefault(name, KnownName(_use_of_whole_node("name", name, side, defines=True), "side", side, None))
        for word in self._nodes_defining_words():
            name = str(word.value)
            if not reason_name_is_invalid(name):
                found.setdefault(
                    name, KnownName(_use_of_whole_node("name", name, word, defines=True), "word", word, None)
                )
        return found

    def _nodes_defining_words(self) -> Iterator[Node]:
        """Yield the scalars that define words, such as the items of lists."""
        root = self.parsed.root
        listed = [root.value[key] for key in ("lists", "constants", "state", "parameters") if root.get(key)]
        for section in listed:
            for value in section.value.values() if isinstance(section.value, dict) else ():
                maps = isinstance(value.value, dict) and value.get("one_of") is None
                choice = value.get("one_of")
                if isinstance(value.value, list) or choice is not None:
                    items = value.value if choice is None else choice.value
                    yield from (item for item in items if isinstance(item, Node) and isinstance(item.value, str))
                elif maps and section is root.get("constants"):
                    both = [*value.keys.values(), *value.value.values()]
                    yield from (item for item in both if isinstance(item.value, str))
        for phase in self.phases.values():
            together = phase.get("choose_together")
            for offered in together.value.values() if together and isinstance(together.value, dict) else ():
                items = offered.value if isinstance(offered.value, list) else []
                yield from (item for item in items if isinstance(item, Node) and isinstance(item.value, str))

    @cached_property
    def phases(self) -> dict[str, Node]:
        """The phases of the file, by name."""
        part = self.parsed.root.get("phases")
        return {str(key): node for key, node in part.value.items()} if part and isinstance(part.value, dict) else {}

    def phase_entries(self, phase: str) -> dict[str, Node]:
        """Return the outcomes, options or cases of a phase, by name."""
        node = self.phases.get(phase)
        bodies = [node.get(key) for key in ("choose", "cases", "outcomes")] if node else []
        items = [item for body in bodies if body and isinstance(body.value, list) for item in body.value]
        return {str(name.value): item for item in items if (name := item.get("name")) is not None}

    def local_names(self, scope: str) -> list[str]:
        """Return the local names of a scope: those of rolls, loops and ``let``.

        The scope of a definition has its arguments, and the local names of all phases.
        """
        wanted = (scope, "phases/") if scope.startswith("define/") else (scope,)
        mine = (use for use in self.uses if use.kind == "local" and use.defines and use.scope.startswith(wanted))
        return list(dict.fromkeys(use.name for use in mine))

    @cached_property
    def uses(self) -> list[Use]:
        """All uses, in the order of the file. Lines that cannot be read come last, with every word in them that may be
        a name.
        """
        found = [use for place in self.parsed.walk() for use in self._uses_in(place)]
        for number in self.parsed.left_out:  # what cannot be read is searched for names all the same
            line = Text(self.parsed.source.lines[number - 1], Location(self.parsed.source.file, number))
            found += self._word_uses(line, 0, len(line.value), "")
        return found

    def use_at(self, line: int, column: int) -> Use | None:
        """Return the use at a place (from 1); None if there is none."""
        return next((use for use in self.uses if use.covers_position(line, column)), None)

    # --- one place

    def _uses_in(self, yaml_node: YamlNode) -> Iterator[Use]:
        if isinstance(yaml_node.node.value, dict | list | bool):
            return
        if yaml_node.is_key:
            yield from self._key_uses(yaml_node)
        elif isinstance(yaml_node.node.value, str):
            yield from self._value_uses(yaml_node)

    def _key_uses(self, yaml_node: YamlNode) -> Iterator[Use]:
        *above, name = yaml_node.path
        asked = key_definition_names(self.subschemas_at(tuple(above)))
        owner = self.scope_at(yaml_node.path)
        if "definition_name" in asked:
            yield from self._definition_uses(yaml_node.node)
        elif asked & NAMES:
            yield from self._name_uses(str(name), owner, yaml_node.node, defines=len(above) == 1)
        elif asked & _NAMED.keys():
            kind = _NAMED[next(iter(asked & _NAMED.keys()))]
            yield _use_of_whole_node(
                kind, str(name), yaml_node.node, defines=above in (["phases"], ["payoffs"], ["variants"])
            )
        elif len(above) == 1 and above[0] in _LABELLED:
            yield _use_of_whole_node(_LABELLED[above[0]], str(name), yaml_node.node, defines=True)

    def _definition_uses(self, key_node: Node) -> Iterator[Use]:
        text, name = key_node.scalar_text(), str(key_node.value).partition("(")[0].strip()
        yield _use_in_text("name", name, "", text, 0, defines=True)
        arguments = _ARGUMENTS.search(text.value)
        for found in _WORD.finditer(text.value, *arguments.span(1)) if arguments else ():
            use = _use_in_text("local", found[0], f"define/{name}", text, found.start(), defines=True)
            yield replace(use, scope=use.owner)

    def _value_uses(self, yaml_node: YamlNode) -> Iterator[Use]:
        path, node, text = yaml_node.path, yaml_node.node, yaml_node.node.scalar_text()
        names = definition_names(self.subschemas_at(path))
        owner = self.scope_at(path)
        if "entry_path" in definition_names(self.subschemas_at(path[:-1])) and path[-1] == 1:
            phase = _value_at(self.data, (*path[:-1], 0))
            yield _use_of_whole_node("entry", str(node.value), node, str(phase))
        elif names & _NAMED.keys():
            if node.value not in ENDINGS:
                yield _use_of_whole_node(_NAMED[next(iter(names & _NAMED.keys()))], str(node.value), node)
        elif "label" in names:
            yield from self._entry_or_policy_uses(yaml_node)
        elif takes_sentence(path, names):
            yield from self._sentence_uses(text, owner, NUMBERS if path[0] == "remember" else ())
        elif path[-1] == "spread":
            yield _use_of_whole_node("payoff", str(node.value), node)
        elif takes_expression(path, names):
            if " ".join(text.value.split()) not in ("drop out", "nobody"):
                yield from self._word_uses(text, 0, len(text.value), owner, self._predefined_board_names(path))
        elif names & NAMES:
            yield from self._name_uses(str(node.value), owner, node, defines=False)

    def _entry_or_policy_uses(self, yaml_node: YamlNode) -> Iterator[Use]:
        """Yield the use of a value that names an entry or a policy."""
        path, node = yaml_node.path, yaml_node.node
        if path[0] == "phases" and path[-1] == "name":
            yield _use_of_whole_node("entry", str(node.value), node, str(path[1]), defines=True)
        elif path[0] == "policies" and path[-1] == "option":
            yield _use_of_whole_node("entry", str(node.value), node, str(path[2]))
        elif takes_policy_name(path):
            yield _use_of_whole_node("policy", str(node.value), node)
        elif path[0] == "remember" and path[-1] == "option":
            owners = [phase for phase in self.phases if str(node.value) in self.phase_entries(phase)]
            yield _use_of_whole_node("entry", str(node.value), node, owners[0] if owners else "")

    def _sentence_uses(self, text: Text, owner: str, number_names: tuple[str, ...]) -> Iterator[Use]:
        measures = self.data.get("measures") or {}
        for found in _BRACES.finditer(text.value):
            inner = found[1].strip()
            if inner in measures:
                yield _use_in_text("measure", inner, "", text, found.start(1) + found[1].index(inner))
            elif inner not in number_names:
                yield from self._word_uses(text, *found.span(1), owner)

    def _predefined_board_names(self, path: tuple[Any, ...]) -> tuple[str, ...]:
        """Return the predefined names in the expressions of a board, such as those for its squares; empty elsewhere.
        Nobody can rename them.
        """
        if path[0] != "boards":
            return ()
        board = _value_at(self.data, path[:2])
        return ("row", "column") if isinstance(board, dict) and "across" in board else ("square",)

    def _word_uses(
        self, text: Text, start: int, end: int, owner: str, excluded_names: tuple[str, ...] = ()
    ) -> Iterator[Use]:
        for found in _WORD.finditer(text.value, start, end):
            name = found[0]
            if name in excluded_names:
                continue
            argument = name in self._argument_names(owner)
            if name in self.known_names and not argument:
                yield _use_in_text("name", name, "", text, found.start())
            elif name not in BUILTINS and name not in FUNCTIONS and not reason_name_is_invalid(name):
                defines = text.value[: found.start()].split()[-1:] in (["let"], ["for"])
                use = _use_in_text("local", name, owner if argument else "", text, found.start(), defines)
                yield replace(use, scope=owner)

    def _name_uses(self, name: str, owner: str, node: Node, defines: bool) -> Iterator[Use]:
        if name in self.known_names:
            yield _use_of_whole_node("name", name, node, defines=defines or self.known_names[name].key is node)
        elif not reason_name_is_invalid(name):
            yield replace(_use_of_whole_node("local", name, node, defines=True), scope=owner)

    def _argument_names(self, owner: str) -> list[str]:
        if not owner.startswith("define/"):
            return []
        key = next(
            (str(key) for key in self.data.get("define", {}) if f"define/{_without_arguments(str(key))}" == owner), ""
        )
        found = _ARGUMENTS.search(key)
        return [part.strip() for part in found[1].split(",")] if found else []

    def scope_at(self, path: tuple[Any, ...]) -> str:
        """Return the scope of local names at a path: a phase such as ``phases/decide``, a definition, or a part of the
        file.
        """
        if path[0] == "define" and len(path) > 1:
            return f"define/{_without_arguments(str(path[1]))}"
        if path[0] == "policies" and len(path) > 2:
            return f"phases/{path[2]}"
        if path[0] in ("measures", "claims"):
            for length in range(len(path), 1, -1):
                for key in ("at", "chance", "count"):
                    place = _value_at(self.data, (*path[:length], key))
                    if isinstance(place, list) and place:
                        return f"phases/{place[0]}"
        return "/".join(str(step) for step in path[:2])


def _without_arguments(name: str) -> str:
    return name.partition("(")[0].strip()


def _value_at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def takes_policy_name(path: tuple[Any, ...]) -> bool:
    """Return whether a place takes the name of a policy of the ruleset."""
    named = path[-1] == "policy" or path[-2:-1] == ("compared",)
    return path == ("regular",) or (path[0] in ("remember", "publish") and named)


def _use_of_whole_node(kind: NameKind, name: str, node: Node, owner: str = "", defines: bool = False) -> Use:
    return _use_in_text(kind, name, owner, node.scalar_text(), 0, defines)


def _use_in_text(kind: NameKind, name: str, owner: str, text: Text, start: int, defines: bool = False) -> Use:
    quoted = text.raw[:1] if text.raw[:1] in ("'", '"') else ""
    return Use(kind, name, owner, Span(text, start, start + len(name)).location, defines, quoted)


# --- renaming


_LABEL = re.compile(r"[A-Za-z][^:#{}\[\],\"|&*!%@`\n]*(?<! )")


def definition_location(index: NameIndex, line: int, column: int) -> Location | None:
    """Return the place that defines the name at a place (from 1); None if there is no such place."""
    use = index.use_at(line, column)
    return (
        None if use is None else next((each.location for each in _uses_of_same_name(index, use) if each.defines), None)
    )


def references(index: NameIndex, line: int, column: int) -> list[Use]:
    """Return every use of the name at a place (from 1)."""
    use = index.use_at(line, column)
    return [] if use is None else _uses_of_same_name(index, use)


def renameable_use(index: NameIndex, line: int, column: int) -> Use:
    """Return the use of a name at a place (from 1). Raises InputError if there is none, or if the name cannot be
    changed.
    """
    use = index.use_at(line, column)
    if use is None or not any(each.defines for each in _uses_of_same_name(index, use)):
        raise InputError("nothing that this file names stands here: put the cursor on a variable, a phase or a policy")
    return use


def locations_to_rename(index: NameIndex, line: int, column: int, new_name: str) -> list[Location]:
    """Return the places to change if the name at a place (from 1) becomes ``new_name``. Raises InputError if that is
    not possible.
    """
    use = renameable_use(index, line, column)
    if new_name == use.name:
        return []
    found = _uses_of_same_name(index, use)
    _check_new_name(index, use, found, new_name)
    return [each.location for each in found]


def _uses_of_same_name(index: NameIndex, use: Use) -> list[Use]:
    return list(dict.fromkeys(each for each in index.uses if each.reference_key == use.reference_key))


def _check_new_name(index: NameIndex, use: Use, all_uses: list[Use], new_name: str) -> None:
    """Raise InputError if ``new_name`` is not a valid name, or already has a meaning."""
    if use.kind in ("name", "local"):
        why = reason_name_is_invalid(new_name)
        same = [each for each in index.uses if each.name == new_name and each.kind in ("name", "local")]
        taken = [each for each in same if not each.owner or not use.owner or each.owner == use.owner]
    else:
        why = _name_refusal_reason(use, all_uses, new_name)
        taken = [each for each in index.uses if (each.kind, each.owner, each.name) == (use.kind, use.owner, new_name)]
    if why:
        raise InputError(why)
    if taken:
        line = next((each for each in taken if each.defines), taken[0]).location.line
        raise InputError(f"{new_name} already means something in line {line}: choose another name")


def _name_refusal_reason(use: Use, all_uses: list[Use], new_name: str) -> str:
    """Return the reason why a phase, an entry or another named part cannot have a new name; empty if it can.

    ``all_uses``: all uses of the part. ``new_name``: the new name.
    """
    kind = {"phase": "phase_name", "payoff": "payoff_name", "variant": "variant_name"}.get(use.kind)
    subschema: Subschema = ruleset_schema()["definitions"][kind] if kind else {}
    if subschema and not re.fullmatch(subschema["pattern"].strip("^$"), new_name):
        return f"`{new_name}` does not fit: {subschema['description']}"
    marks = {each.quoted for each in all_uses}
    if (
        not _LABEL.fullmatch(new_name)
        or new_name in ("true", "false", "null", "yes", "no")
        or ("'" in new_name and "'" in marks)
    ):
        return f"`{new_name}` does not fit: begin with a letter, and leave out brackets, commas, colons and quotation marks"
    return ""
