"""Read the key ``boards``, which says how a variable that every seat has is drawn as a board."""

from __future__ import annotations

from oddsmith.base.errors import did_you_mean
from oddsmith.base.location import Span
from oddsmith.expr import FLAG, NUMBER, BadExpression, Expr, Scope
from oddsmith.ruleset.model.state import BoardRow, PlayBoard, Variable
from oddsmith.ruleset.reading.names import Names
from oddsmith.ruleset.reading.reader import ReadingContext
from oddsmith.ruleset.reading.source import Node

GAP = "none"
"""The word in a row that stands for a gap between squares."""
SQUARE, ROW, COLUMN = "square", "row", "column"
"""The local names in expressions about a square of a board: the square, or its row and its column in a grid."""


class BoardReader:
    """Reads the boards of a ruleset."""

    def __init__(self, reading: ReadingContext, names: Names) -> None:
        self.reading, self.names = reading, names

    def boards(self, node: Node | None) -> tuple[PlayBoard, ...]:
        """Return all boards in the order of the file. ``node``: the value of the key ``boards``."""
        return tuple(self.board(str(name), node.keys[name], each) for name, each in node.value.items()) if node else ()

    def board(self, name: str, key: Node, node: Node) -> PlayBoard:
        """Return one board. ``name``: its variable, which has a value for each seat and square, or whose value for a
        seat is the square of that seat's piece.
        """
        variable = self.variable(name, key)
        across, laid = (self.seat_variable(node.get(each)) for each in ("across", "laid"))
        grid = "across" in node.value
        if variable and len(variable.dims) > 1 and (grid or "laid" in node.value):
            self.report(
                key, f"{name} has a value for each square, and no place in a grid", "leave `across` and `laid` out"
            )
        marks, length, columns = node.get("marks"), node.get("length"), node.get("columns")
        inner = self.scope(key, variable, grid) if marks or length else self.names.fixed_scope()
        return PlayBoard(
            name,
            tuple(self.row(each) for each in (node.value["rows"].value if "rows" in node.value else ())),
            None if length is None else self.reading.expr(length, inner, NUMBER),
            across,
            columns.value if columns else 0,
            laid,
            {str(text): self.mark(each, inner) for text, each in marks.value.items()} if marks else {},
        )

    def variable(self, name: str, key: Node) -> Variable | None:
        """Return the variable of a board. Report an error and return None if there is no such variable or if a board
        cannot show it.
        """
        found = self.names.state.get(name)
        if found is None:
            self.report(key, f"there is no variable {name}", did_you_mean(name, self.names.state, "variables"))
        elif not found.per_seat or found.kind != "number":
            self.report(key, f"{name} is no number of each seat", "a board shows where the pieces of the seats are")
            return None
        return found

    def seat_variable(self, node: Node | None) -> str:
        """Return the name of a further variable of the board, and report an error unless every seat has this variable.
        The name is empty if ``node`` is None.
        """
        if node is None:
            return ""
        name = str(node.words().value)
        found = self.names.state.get(name)
        if found is None or found.dims != ("seat",):
            each = [other.name for other in self.names.state.values() if other.dims == ("seat",)]
            self.report(node, f"there is no variable {name} of each seat alone", did_you_mean(name, each, "variables"))
        return name

    def scope(self, key: Node, variable: Variable | None, grid: bool) -> Scope:
        """Return the scope of expressions about a square: everything that is fixed before play, and the local names of
        a square.
        """
        listed = variable.dims[1:2] if variable else ()
        type_ = self.names.list_types[listed[0]] if listed else NUMBER
        scope, span = self.names.fixed_scope(), Span(key.words(), 0, len(str(key.value)))
        for name in (ROW, COLUMN) if grid else (SQUARE,):
            try:
                scope = scope.with_local(name, NUMBER if grid else type_, span)
            except BadExpression as error:
                self.reading.note(error)
        return scope

    def mark(self, node: Node, scope: Scope) -> Expr:
        return self.reading.expr(node, scope, FLAG)

    def row(self, node: Node) -> BoardRow:
        """Return one row of a board: its squares, and the seat to which it belongs, if any."""
        data = node.data()
        seat = data.get("seat")
        squares = tuple(None if each == GAP else each for each in data["squares"])
        return BoardRow(squares, None if seat is None else seat - 1)

    def report(self, node: Node, message: str, hint: str) -> None:
        self.reading.report("OD369", node.location, message, hint)
