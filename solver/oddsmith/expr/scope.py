"""The names that can be used in an expression, and the meaning of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from oddsmith.base.location import Location, Span, Text
from oddsmith.expr.functions import FUNCTIONS
from oddsmith.expr.parse import BadExpression
from oddsmith.expr.tree import NUMBER, SEAT, Expr, Op, Type, list_of

SymbolKind = Literal["parameter", "constant", "map", "list", "word", "state", "define", "local", "argument"]

_KINDS: Mapping[SymbolKind, str] = {
    "parameter": "the parameter", "constant": "the constant", "map": "the map", "list": "the list", "word": "the word",
    "state": "the variable", "define": "the definition", "local": "the name of a roll, a `let` or a loop",
    "argument": "the argument of a definition",
}  # fmt: skip

BUILTINS: dict[Op, Type] = {
    "seats": NUMBER,
    "mover": SEAT,
    "seat": SEAT,
    "next": SEAT,
    "previous": SEAT,
    "everyone": list_of(SEAT),
    "others": list_of(SEAT),
    "table": list_of(SEAT),
}
IN_PLAY: frozenset[Op] = frozenset({"state", *BUILTINS}) - {"seats"}
"""The operators that depend on a position."""


@dataclass(frozen=True)
class Symbol:
    """The meaning of a name.

    ``dims``: the types of the indices of a variable. ``tally``: whether the variable is a tally, which rules cannot
    read. ``arguments``, ``text``: the arguments and the body of a definition. ``tree``: the expression that an argument
    of a definition stands for.
    """

    kind: SymbolKind
    type: Type
    dims: tuple[Type, ...] = ()
    tally: bool = False
    arguments: tuple[str, ...] = ()
    text: Text | None = None
    tree: Expr | None = None


@dataclass(frozen=True)
class Scope:
    """The names that can be used at one place of a ruleset.

    ``symbols``: the meaning of each name. ``exact``: whether fractions are allowed. ``tallies``: whether tallies may be
    read. ``state``: whether variables and seats may be read. ``used``: the names that expressions have read so far.
    ``spent``: one item, the number of nodes of all expressions of the file so far. ``locations``: the locations at
    which names are defined.
    """

    symbols: Mapping[str, Symbol]
    exact: bool = False
    tallies: bool = False
    state: bool = True
    used: set[str] = field(default_factory=set, compare=False)
    spent: list[int] = field(default_factory=lambda: [0], compare=False)
    locations: Mapping[str, Location] = field(default_factory=dict, compare=False)

    def with_local(self, name: str, type_: Type, span: Span) -> Scope:
        """Return the scope with one more local name, that of a `let`, a roll or a loop.

        Raises BadExpression if the name is in use.
        """
        if name in self.symbols or name in FUNCTIONS or name in BUILTINS:
            raise BadExpression("OD311", f"the name {name} {self._meaning_in_words(name)}", span, "rename one of them")
        places = {**self.locations, name: span.location}
        return replace(self, symbols={**self.symbols, name: Symbol("local", type_)}, locations=places)

    def _meaning_in_words(self, name: str) -> str:
        """Return in words the meaning of a name that is in use, and the location of its definition."""
        if name not in self.symbols:
            return f"is {'a function' if name in FUNCTIONS else 'a word'} of the language"
        place = self.locations.get(name)
        line = f" in {place.file}:{place.line}" if place else ""
        return f"already means something here: {_KINDS[self.symbols[name].kind]}{line}"
