"""The names of a ruleset: parameters, constants, lists, words, dice, variables and definitions. All share one
namespace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oddsmith.base.errors import did_you_mean
from oddsmith.base.location import Location, Text
from oddsmith.expr import (
    BUILTINS,
    FLAG,
    HAND,
    NUMBER,
    SEAT,
    BadExpression,
    Expr,
    Scope,
    Symbol,
    Type,
    const,
    list_of,
    syntax_tree,
    word_type,
)
from oddsmith.ruleset.model.phases import DiceTerm
from oddsmith.ruleset.model.state import DieRule, Parameter, Variable
from oddsmith.ruleset.reading.dice import DiceReader, die_with_totals_as_faces
from oddsmith.ruleset.reading.reader import ReadingContext, unit_forms_and_factor
from oddsmith.ruleset.reading.source import Node, hint_for_misread_scalar

_DEFINE = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(?:\(\s*([A-Za-z0-9_,\s]*)\s*\))?")


@dataclass
class NameTable:
    """The names of a ruleset by kind. They are read in an order such that each name may use only names before it.

    ``listed_choices_by_phase``: for each phase with simultaneous choices whose items the file lists, the items and
    their type, by the name of the phase. Words among these items are names too.
    """

    reading: ReadingContext
    symbols: dict[str, Symbol] = field(default_factory=dict)
    locations: dict[str, Location] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    node_count: list[int] = field(default_factory=lambda: [0])
    parameters: dict[str, Parameter] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    maps: dict[str, dict[Any, Any]] = field(default_factory=dict)
    lists: dict[str, tuple[Any, ...] | Expr] = field(default_factory=dict)
    list_types: dict[str, Type] = field(default_factory=dict)
    dice: dict[str, DieRule] = field(default_factory=dict)
    state: dict[str, Variable] = field(default_factory=dict)
    sides: list[str] = field(default_factory=list)
    defines: dict[str, Text] = field(default_factory=dict)
    listed_choices_by_phase: dict[str, tuple[tuple[Any, ...], Type]] = field(default_factory=dict)

    def read_sections(self, root: Node) -> None:
        """Read all sections of a file that define names. ``root``: the root of the file."""
        self._add_sides(root.get("sides"))
        sections = {
            "parameters": self._add_parameter,
            "constants": self._add_constant,
            "lists": self._add_list,
            "dice": self._add_die,
            "state": self._add_variable,
            "define": self._add_definition,
        }
        for section, add in sections.items():
            node = root.get(section)
            for key, value in node.value.items() if node else ():
                name = str(key).partition("(")[0].strip()
                key_node = node.keys[key] if node else root
                if self.claim_new_name(name, key_node):
                    add(name, value, key_node)
        for phase, node in root.value["phases"].value.items():
            together = node.get("choose_together")
            for items in together.value.values() if together else ():
                if isinstance(items.value, list):
                    self.listed_choices_by_phase[phase] = self.read_listed_items(items.value)

    def scope(self, **scope_fields: bool) -> Scope:
        """Return a scope with the names read so far. ``scope_fields``: further fields of the scope."""
        return Scope(self.symbols, used=self.used, spent=self.node_count, locations=self.locations, **scope_fields)

    def scope_known_before_play(self) -> Scope:
        """Return the scope of everything that is known before play: parameters, constants and lists."""
        return self.scope(state=False)

    def claim_new_name(self, name: str, key_node: Node) -> bool:
        """Record the location of a new name if the name is free, else report an error. Return whether it is free."""
        named = Node(name, key_node.location, key_node.text) if name != key_node.value else key_node
        if not self.reading.can_be_name(named):
            return False
        if name in self.symbols or name in self.dice:
            self.report_second_meaning(name, key_node)
            return False
        self.locations[name] = key_node.location
        return True

    def report_second_meaning(self, name: str, node: Node) -> None:
        hint = f"the other stands in line {self.locations[name].line}: rename one of them"
        self.reading.report("OD311", node.location, f"the name {name} has two meanings", hint)

    def claim_word(self, node: Node) -> str:
        """Add a word of a list or of a variable to the names, and return it. Report an error if the word has another
        meaning.
        """
        word = str(node.scalar_text().value)
        known = self.symbols.get(word)
        if known is None and self.reading.can_be_name(Node(word, node.location)):
            self.symbols[word] = Symbol("word", word_type(word))
            self.locations[word] = node.location
        elif known is not None and known.kind != "word":
            self.report_second_meaning(word, node)
        return word

    def read_listed_items(self, nodes: list[Node]) -> tuple[tuple[Any, ...], Type]:
        """Return the values of literal items and their common type. Report an error unless all are whole numbers (or
        constants), or all are words.
        """
        values: list[Any] = []
        for node in nodes:
            if isinstance(node.value, int) and not isinstance(node.value, bool):
                values.append(node.value)
            elif isinstance(node.value, str) and node.value in self.constants:
                self.used.add(node.value)
                values.append(self.constants[node.value])
            elif isinstance(node.value, str) and not hint_for_misread_scalar(node):
                values.append(self.claim_word(node))
            else:
                hint = (
                    hint_for_misread_scalar(node) if isinstance(node.value, str) else "write a whole number or a word"
                )
                message = f"`{node.value}` is neither a whole number nor a word"
                self.reading.report("OD351", node.location, message, hint)
        words = [value for value in values if isinstance(value, str)]
        if words and len(words) < len(values):
            self.reading.report("OD352", nodes[0].location, "a list cannot mix words and numbers")
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            self.reading.report("OD353", nodes[0].location, f"{twice} stands twice in the list")
        return tuple(values), word_type(*words) if words else NUMBER

    # --- sections

    def _add_sides(self, node: Node | None) -> None:
        """Add each side as a variable of type seat that never changes. Positions are relative to the player to move, so
        they would not otherwise say which player has which side.
        """
        for item in node.value if node else ():
            name = str(item.value)
            if self.claim_new_name(name, item):
                start = const(len(self.sides), SEAT)
                self.state[name] = Variable(name, "seat", item.location, start=start, show="hidden")
                self.symbols[name] = Symbol("state", SEAT)
                self.used.add(name)
                self.sides.append(name)

    def seat_of_side(self, node: Node) -> int | None:
        """Return the seat of a side, from 0. Report an error and return None if there is no such side."""
        name = str(node.value)
        if name in self.sides:
            return self.sides.index(name)
        hint = did_you_mean(name, self.sides, "sides") if self.sides else "name the sides: `sides: [knight, witch]`"
        self.reading.report("OD368", node.location, f"there is no side {name}", hint)
        return None

    def _add_parameter(self, name: str, node: Node, key_node: Node) -> None:
        data = node.data()
        about = data.get("about", "")
        if "one_of" in data:
            values, type_ = self.read_listed_items(node.value["one_of"].value)
            parameter = Parameter(name, data["default"], one_of=values, about=about)
        elif data.get("type") == "flag":
            parameter, type_ = Parameter(name, data["default"], about=about), FLAG
        else:
            unit, times = unit_forms_and_factor(str(data.get("unit", "")))
            parameter = Parameter(name, data["default"], data.get("min"), data.get("max"), (), about, unit, times)
            type_ = NUMBER
        least, most = parameter.least, parameter.most
        if least is not None and most is not None and least > most:
            where = node.value["min"].location
            self.reading.report("OD354", where, f"the min {least} of {name} is above its max {most}")
        elif wanted := parameter.allowed_values_if_broken(parameter.default):
            where = node.value["default"].location
            message = f"the default {parameter.default} of {name} is not allowed: it must be {wanted}"
            self.reading.report("OD354", where, message)
        self.parameters[name] = parameter
        self.symbols[name] = Symbol("parameter", type_)

    def _add_constant(self, name: str, node: Node, key_node: Node) -> None:
        if isinstance(node.value, dict):
            keys, key_type = self.read_listed_items(list(node.keys.values()))
            nodes = list(node.value.values())
            kinds = [word_type(self.claim_word(item)) if isinstance(item.value, str) else NUMBER for item in nodes]
            if len({kind.kind for kind in kinds}) > 1:
                self.reading.report("OD352", node.location, f"the map {name} cannot mix words and numbers")
            type_ = kinds[0] if kinds and kinds[0] == NUMBER else word_type(*(str(item.value) for item in nodes))
            self.maps[name] = dict(zip(keys, (item.value for item in nodes), strict=False))
            self.symbols[name] = Symbol("map", Type("map", item=type_, key=key_type))
        else:
            self.constants[name] = node.value
            self.symbols[name] = Symbol("constant", NUMBER)

    def _add_list(self, name: str, node: Node, key_node: Node) -> None:
        if isinstance(node.value, list):
            values, item = self.read_listed_items(node.value)
            self.lists[name] = values
        else:
            tree = self.reading.parse_scalar(node, self.scope_known_before_play(), list_of(None))
            self.lists[name], item = tree, tree.type.item or NUMBER
        self.list_types[name] = item
        self.symbols[name] = Symbol("list", list_of(item))

    def _add_die(self, name: str, node: Node, key_node: Node) -> None:
        if "total" in node.value:
            self.dice[name] = die_with_totals_as_faces(self.reading, name, node)
            return
        spec = node.value["faces"]
        weights = node.get("weights")
        if isinstance(spec.value, list):
            faces = []
            named: dict[int, str] = {}
            for item in spec.value:
                face = self.constants.get(item.value) if isinstance(item.value, str) else item.value
                if not isinstance(face, int) or isinstance(face, bool):
                    hint = hint_for_misread_scalar(item) or did_you_mean(str(item.value), self.constants, "constants")
                    message = f"`{item.value}` is neither a whole number nor a constant that names a face"
                    self.reading.report("OD355", item.location, message, hint)
                    continue
                if isinstance(item.value, str):
                    self.used.add(item.value)
                if face in faces and named.get(face, face) != item.value:
                    other = named.get(face, face)
                    hint = "faces that the rules tell apart need different numbers"
                    message = f"the faces {other} and {item.value} are both {face}"
                    self.reading.report("OD418", item.location, message, hint)
                if isinstance(item.value, str):
                    named[face] = item.value
                faces.append(face)
            rule = DieRule(name, tuple(faces), self.read_weights(weights), named)
            if weights and len(weights.value) != len(spec.value):
                message = f"there are {len(weights.value)} weights for {len(spec.value)} faces"
                self.reading.report("OD356", weights.location, message, "write one weight for each face")
        else:
            rule = DieRule(
                name,
                self.reading.parse_scalar(spec, self.scope_known_before_play(), list_of(NUMBER)),
                self.read_weights(weights),
            )
        self.dice[name] = rule

    def read_weights(self, node: Node | None) -> tuple[Expr, ...]:
        return (
            tuple(self.reading.parse_scalar(item, self.scope_known_before_play(), NUMBER) for item in node.value)
            if node
            else ()
        )

    def _add_definition(self, name: str, node: Node, key_node: Node) -> None:
        match = _DEFINE.fullmatch(str(key_node.value).strip())
        if match is None:
            self.reading.report(
                "OD316", key_node.location, f"`{key_node.value}` is not a definition", "write name or name(a, b)"
            )
            return
        arguments = tuple(part.strip() for part in (match[2] or "").split(",") if part.strip())
        text = node.scalar_text()
        self.symbols[name] = Symbol("define", NUMBER, arguments=arguments, text=text)
        self.defines[name] = text
        for argument in arguments:
            if argument not in BUILTINS:
                self.reading.can_be_name(Node(argument, key_node.location))
        try:
            syntax_tree(text)
        except BadExpression as error:
            self.reading.report_expression_error(error)

    def _add_variable(self, name: str, node: Node, key_node: Node) -> None:
        kind = node.data().get("type", "word" if node.get("one_of") else "number")
        dims, types = self.read_index_lists(node.get("each"))
        words: tuple[str, ...] = ()
        dice: tuple[DiceTerm, ...] = ()
        type_ = {"flag": FLAG, "seat": SEAT, "hand": HAND}.get(kind, NUMBER)
        if kind == "word":
            words = tuple(self.claim_word(item) for item in node.value["one_of"].value)
            type_ = word_type(*words)
        if kind == "hand":
            dice = DiceReader(self.reading, self.dice).terms_of_roll(
                node.value["dice"].scalar_text(), self.scope_known_before_play()
            )
        bounds = {key: self.read_bound(node.get(key)) for key in ("min", "max")}
        start = self.read_start_value(node.get("start"), type_, dims)
        self.state[name] = Variable(
            name,
            kind,
            key_node.location,
            dims,
            start,
            bounds["min"],
            bounds["max"],
            words,
            dice,
            node.data().get("resets") == "turn",
            node.data().get("about", ""),
            str(node.data().get("label", "")),
            node.data().get("show"),
            *unit_forms_and_factor(str(node.data().get("unit", ""))),
            node.data().get("none"),
        )
        self.symbols[name] = Symbol("state", type_, types, tally=kind == "tally")

    def read_bound(self, node: Node | None) -> Expr | None:
        return None if node is None else self.reading.parse_scalar(node, self.scope_known_before_play(), NUMBER)

    def read_index_lists(self, each_node: Node | None) -> tuple[tuple[str, ...], tuple[Type, ...]]:
        """Return the names of the lists that are the indices of a family, and the types of their items."""
        if each_node is None:
            return (), ()
        nodes = each_node.value if isinstance(each_node.value, list) else [each_node]
        names: list[str] = []
        types: list[Type] = []
        for item in nodes:
            name = str(item.value)
            if name != "seat" and name not in self.lists:
                hint = did_you_mean(name, [*self.lists, "seat"], "lists")
                self.reading.report("OD357", item.location, f"there is no list {name}", hint)
                continue
            if name == "seat" and names:
                self.reading.report("OD358", item.location, "seat comes first in `each:`", "write each: [seat, list]")
                continue
            self.used.add(name)
            names.append(name)
            types.append(SEAT if name == "seat" else self.list_types[name])
        return tuple(names), tuple(types)

    def read_start_value(
        self, node: Node | None, type_: Type, index_lists: tuple[str, ...]
    ) -> Expr | Mapping[Any, Expr] | None:
        if node is None:
            return None
        if isinstance(node.value, dict):
            if index_lists == ("seat",) and self.sides:
                return self.read_start_values_by_seat(node, type_)
            if not index_lists or index_lists[-1] == "seat":
                hint = "a map gives a start to each item of a list: add `each:` with that list"
                if index_lists:
                    hint = "name the sides, `sides: [knight, witch]`, or write start: 5 if seat == mover else 7"
                self.reading.report("OD359", node.location, "a map of starts needs a family over a list", hint)
                return None
            return self.read_start_values_by_item(node, type_, index_lists[-1])
        return self.reading.parse_scalar(node, self.scope_of_start_values(), type_)

    def read_start_values_by_seat(self, node: Node, type_: Type) -> Mapping[Any, Expr]:
        """Return the start values of a variable by the seat (from 0) of each side."""
        starts = {
            seat: self.reading.parse_scalar(item, self.scope_of_start_values(), type_)
            for name, item in node.value.items()
            if (seat := self.seat_of_side(node.keys[name])) is not None
        }
        self.report_missing_start(node, [name for seat, name in enumerate(self.sides) if seat not in starts])
        return starts

    def read_start_values_by_item(self, node: Node, type_: Type, list_name: str) -> Mapping[Any, Expr]:
        """Return the start values of a variable by the items of a list. ``list_name``: the name of the list. The items
        of a computed list are not known yet, so they are not checked.
        """
        starts = {
            key: self.reading.parse_scalar(item, self.scope_of_start_values(), type_)
            for key, item in node.value.items()
        }
        items = self.lists[list_name]
        if not isinstance(items, Expr):
            unknown = [key for key in starts if key not in items]
            for key in unknown:
                hint = did_you_mean(str(key), map(str, items), "items")
                self.reading.report("OD359", node.keys[key].location, f"{list_name} has no item {key}", hint)
            self.report_missing_start(node, [str(item) for item in items if item not in starts and not unknown])
        return starts

    def report_missing_start(self, node: Node, missing_names: Sequence[str]) -> None:
        """Report an error for a map of start values that leaves out a side or an item. ``missing_names``: the names
        that are left out.
        """
        if missing_names:
            message = f"there is no start for {missing_names[0]}"
            self.reading.report("OD359", node.location, message, f"write {missing_names[0]}: and a value")

    def item_types_of_bags(self) -> dict[str, Type]:
        """Return the bags: families of numbers over a single list, from which items can be drawn. The result has the
        types of their items by name.
        """
        families = {name: symbol for name, symbol in self.symbols.items() if symbol.kind == "state"}
        return {
            name: symbol.dims[0]
            for name, symbol in families.items()
            if symbol.type == NUMBER and len(symbol.dims) == 1 and symbol.dims != (SEAT,)
        }

    def report_name_is_no_bag(self, node: Node, bag: str) -> None:
        """Report an error for a name that is not a bag."""
        message, hint = (
            f"`{bag}` is not a bag: a number family over one list",
            did_you_mean(bag, self.item_types_of_bags(), "bags"),
        )
        self.reading.report("OD346", node.location, message, hint)

    def scope_of_start_values(self) -> Scope:
        """Return the scope of a start value: everything that is fixed before play, and the single variables that come
        earlier in the file.
        """
        early = {
            name: symbol
            for name, symbol in self.symbols.items()
            if symbol.kind != "state" or (not symbol.dims and not symbol.tally)
        }
        return Scope(early, used=self.used, spent=self.node_count)
