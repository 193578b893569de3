r"""Runs AnyDice programs with exact probabilities.

``anydice.peg`` is the grammar of programs, ``anydice_values`` has the operations, and this module executes statements.
If AnyDice's documentation leaves something open, this module does what the site AnyDice does:

- ``[explode 2d6]`` explodes the sum. A collection of dice is summed for a parameter ``X:n`` (a number); for a parameter
  ``X:s`` (a sequence) the function is called for every hand that the dice can show. ``d6 = d6`` compares two rolls.
  ``XdYdZ`` rolls as many dice Z as XdY shows. ``n / 0`` and ``d0`` are 0. Quotients and powers are truncated towards 0.
  ``&`` and ``|`` have the same precedence.
- A function sees the variables of its caller. The variables that a function sets are dropped when it returns.
- Cases in which a function returns ``d{}`` are left out, so ``if X = 1 { result: d{} }`` rolls again. A function that
  reaches no result, or is called beyond the maximum depth, returns ``d{}``.

If the site AnyDice is wrong, this module deviates from it:

- Numbers beyond 2^63 and weights are integers of any length, so nothing overflows and nothing is rounded.
- A function whose argument is dice is called for each number that the dice can show. A variable or parameter that one
  of these calls changes stays unchanged in the other calls: after ``REROLL: 1``, ``if REROLL { REROLL: 0 result: [f d6]
  }`` rolls once more in every case, while AnyDice does so only in the first case.
- The weights of two weighted dice that are arguments of one function are multiplied.
- ``<=`` compares dice with the sum of a sequence, as every other comparison does.
- Calls that reach no result are always left out, so the chances sum to 1.
- ``d{}`` is 0 as an operand of ``+``, ``-`` and ``|``, on either side. ``[reverse {}]`` is the empty sequence.
- A negative power of 0 is refused, while AnyDice shows the least number that it can represent.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from oddsmith.base.errors import QuestionError, RuleFailure, Signal, did_you_mean
from oddsmith.base.resources import package_text
from oddsmith.rolls import anydice_values as values
from oddsmith.rolls.anydice_values import Builtin, Dice, Value
from oddsmith.rolls.peg import Grammar, Node, NotParsed, walk_nodes
from oddsmith.rolls.pmf import Pmf

MAX_STEPS = 3_000_000
MAX_ELEMENTS = 200_000
MAX_CACHED_CALLS = 100_000  # calls whose results are remembered
RECURSION_LIMIT = 20_000  # frames of Python
_COMMENT = re.compile(r'("[^"]*")|\\[^\\]*\\')
_INSERTED = re.compile(r"\[([A-Z_]+)\]")
_SIGNS = {"output": "one result after another is shown", "function": "a function is defined", "set": "settings are set"}

Signature = tuple[str, ...]


class _FunctionReturn(Signal):
    """The signal that a ``result`` statement raises to end a function. ``value``: the result of the function."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


def run_program(program: str) -> list[tuple[str, Pmf]]:
    """Run a program and return its outputs in order, each as a name and a distribution. Raises QuestionError.

    The distribution of the empty die ``d{}`` has no values and the total weight 0.
    """
    with _raised_recursion_limit():
        machine = _Interpreter(program)
        try:
            for statement in _parse(program):
                machine.execute(statement)
        except RecursionError:
            raise _error_in_line(
                program, 0, "this program is nested too deeply", "set a smaller maximum function depth"
            ) from None
    return machine.outputs


@cache
def _grammar() -> Grammar:
    return Grammar(package_text("rolls/anydice.peg"), case_sensitive=True)


@contextmanager
def _raised_recursion_limit() -> Iterator[None]:
    """Raise Python's recursion limit within the context, because programs may nest calls deeply."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _error_in_line(program: str, offset: int, message: str, hint: str = "") -> QuestionError:
    """Return an error that shows the line of the program with the index ``offset``, and the place in this line."""
    start = program.rfind("\n", 0, offset) + 1
    end = program.find("\n", offset)
    line = program[start : end if end >= 0 else len(program)].rstrip("\r")
    number = program.count("\n", 0, offset) + 1
    where = f"line {number}: " if "\n" in program.strip() else ""
    return QuestionError(line.replace("\t", " "), offset - start, where + message, hint)


# --- reading


def _parse(program: str) -> list[Node]:
    def blank_comment(match: re.Match[str]) -> str:
        return match[0] if match[1] else re.sub(r"[^\n]", " ", match[0])

    text = _COMMENT.sub(blank_comment, program)
    try:
        statements: list[Node] = _grammar().parse(text, "program")
    except NotParsed as problem:
        raise _error_in_line(program, problem.offset, *_syntax_message_and_hint(text, problem.offset)) from None
    _check_statement_placement(program, [*walk_nodes(statements)])
    return statements


def _syntax_message_and_hint(text: str, offset: int) -> tuple[str, str]:
    """Return the message and the hint for the error that parsing stopped at the index ``offset`` of the text."""
    rest = text[offset:]
    if not rest.strip():
        opened = _last_open_bracket(text)
        return "the program ends too early", f"close the {opened}" if opened else "write on"
    if rest[0] == "\\":
        return "this comment has no end", "end it with a \\"
    if rest[0] == '"':
        return "a text cannot stand here", "texts follow `named` and `set`, between two quotation marks"
    word = re.match(r"[a-z]+|[A-Z_]+|[0-9]+|.", rest)
    shown = word[0] if word else rest[0]
    hint = "see anydice.com/docs"
    if rest[0] == "%":
        hint = "AnyDice has no remainder; write X - X / N * N"
    elif rest.startswith("="):
        hint = "equality is written with one ="
    elif not text[:offset].strip():
        hint = "a program says what it shows: output 3d6"
    elif rest.startswith("legacy"):
        hint = "this old notation is not read: write [highest 3 of 4d6]"
    elif re.match(r"[a-z]", rest):
        hint = "variables have capital letters, and functions are called in brackets: [highest 3 of 4d6]"
    elif re.match(r"[0-9]", rest) and re.match(r"[A-Z_]", text[offset - 1]):
        hint = "names of variables have no digits"
    return f"`{shown}` cannot stand here", hint


def _last_open_bracket(text: str) -> str:
    opened = list[str]()
    for sign in re.sub(r'"[^"]*"', "", text):
        if sign in "([{":
            opened.append(sign)
        elif sign in ")]}" and opened:
            opened.pop()
    return opened[-1] if opened else ""


def _check_statement_placement(program: str, nodes: list[Node]) -> None:
    """Raise QuestionError for a ``result`` outside functions, or for a statement that functions must not contain."""
    inside = {id(each) for node in nodes if node[0] == "function" for each in walk_nodes(node[3])}
    for node in nodes:
        name, offset, *_ = node
        if name == "result" and id(node) not in inside:
            raise _error_in_line(program, offset, "a result stands in a function only", "write output here")
        if name in _SIGNS and id(node) in inside:
            raise _error_in_line(
                program, offset, f"{_SIGNS[name]} outside of functions only", "give the function a result"
            )


# --- carrying out


class _Function:
    """A function that the program defines.

    ``signature``: the words of its name, with an empty word for each parameter. ``names``, ``kinds``: the names of its
    parameters, and one letter for the kind of each. ``body``: its statements. ``variables_read``: the variables in its
    body. ``signatures_called``: the signatures of the functions that its body calls.
    """

    def __init__(self, name_parts: list[Any], body: list[Node]) -> None:
        self.signature: Signature = tuple(word if isinstance(word, str) else "" for word in name_parts)
        parameters = [word for word in name_parts if not isinstance(word, str)]
        self.names = [name for _, _, name, _ in parameters]
        self.kinds = "".join(kind or "?" for _, _, _, kind in parameters)
        self.body = body
        nodes = [*walk_nodes(body)]
        self.variables_read: set[str] = {node[2] for node in nodes if node[0] == "variable"}
        self.signatures_called: set[Signature] = {_signature_of_name(node[2]) for node in nodes if node[0] == "call"}


def _signature_of_name(name_parts: list[Any]) -> Signature:
    return tuple(part if isinstance(part, str) else "" for part in name_parts)


class _Interpreter:
    """The interpreter of one program.

    ``outputs``: the names and distributions of the outputs so far. ``variables``, ``functions``: those of the program.
    ``depth``: the number of nested calls. ``steps``: the number of statements and expressions so far. ``cached_calls``:
    cached results of calls. ``visible_variables``: by function, the variables that it may read.
    """

    def __init__(self, program: str) -> None:
        self.program = program
        self.outputs: list[tuple[str, Pmf]] = []
        self.variables: dict[str, Value] = {}
        self.functions: dict[Signature, _Function] = {}
        self.highest_first, self.explode_depth, self.max_depth = True, 2, 10
        self.depth = self.steps = 0
        self.cached_calls: dict[Any, Value] = {}
        self.visible_variables: dict[_Function, tuple[str, ...]] = {}
        self.builtin_functions = values.builtin_functions(True, 2)
        self.statements: dict[str, Callable[..., None]] = {
            "output": self._carry_out_output,
            "assign": self._carry_out_assignment,
            "set": self._carry_out_setting,
            "loop": self._carry_out_loop,
            "if": self._carry_out_conditional,
            "result": self._end_function_with_result,
            "function": self._define_function,
        }
        self.expressions: dict[str, Callable[[Node], Value]] = {
            "number": self._number_literal,
            "variable": self._value_of_variable,
            "sequence": self._value_of_sequence,
            "call": self._value_of_call,
            "unary": lambda node: values.unary_operation(node[2], self.evaluate(node[3])),
            "d": lambda node: values.roll_dice(self.evaluate(node[2]), self.evaluate(node[3])),
            "@": lambda node: values.sum_at_positions(
                self.evaluate(node[2]), self.evaluate(node[3]), self.highest_first
            ),
        }
        for sign in values.NUMBERS:
            self.expressions[sign] = self._value_of_operation

    def program_error(self, offset: int, message: str, hint: str = "") -> QuestionError:
        return _error_in_line(self.program, offset, message, hint)

    def too_long_error(self, node: Node) -> QuestionError:
        """Return the error for a program that takes too many steps. ``node``: the node at which it passes the limit."""
        return self.program_error(node[1], f"this program takes more than {MAX_STEPS:,} steps", "roll fewer dice")

    def execute(self, statement: Node) -> None:
        """Execute a statement. Raises QuestionError if it is wrong, or after too many steps."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise self.too_long_error(statement)
        try:
            self.statements[statement[0]](*statement[2:])
        except RuleFailure as problem:
            raise self.program_error(statement[1], problem.message, problem.hint) from None

    def evaluate(self, node: Node) -> Value:
        """Return the value of an expression. Raises QuestionError if it has none, or after too many steps."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise self.too_long_error(node)
        try:
            return self.expressions[node[0]](node)
        except RuleFailure as problem:
            raise self.program_error(node[1], problem.message, problem.hint) from None

    # --- statements

    def _carry_out_output(self, value_node: Node, label_node: Node | None) -> None:
        shown = values.distribution_in_output(self.evaluate(value_node))
        self.outputs.append(
            (self._name_of_output_with_values(label_node) if label_node else f"output {len(self.outputs) + 1}", shown)
        )

    def _name_of_output_with_values(self, label_node: Node) -> str:
        def inserted_value(match: re.Match[str]) -> str:
            if match[1] not in self.variables:
                raise self._unknown_variable_error(label_node[1] + 1 + match.start(1), match[1])
            return values.text_in_output_name(self.variables[match[1]])

        return _INSERTED.sub(inserted_value, label_node[2][1:-1])

    def _carry_out_assignment(self, variable: str, value_node: Node) -> None:
        self.variables[variable] = self.evaluate(value_node)

    def _carry_out_setting(self, setting_name: Node, value_node: Node) -> None:
        name = setting_name[2][1:-1].strip().lower()
        value = (
            value_node[2][1:-1].strip().lower()
            if value_node[0] == "text"
            else values.sum_of_value(self.evaluate(value_node))
        )
        if name == "position order" and value in ("highest first", "lowest first"):
            self.highest_first = value == "highest first"
        elif name == "explode depth" and isinstance(value, int) and value > 0:
            self.explode_depth = value
        elif name == "maximum function depth" and isinstance(value, int) and value > 0:
            self.max_depth = value
        else:
            known = ("position order", "explode depth", "maximum function depth")
            if name not in known:
                raise self.program_error(
                    setting_name[1], f"there is no setting {setting_name[2]}", did_you_mean(name, known, "settings")
                )
            wanted = '"highest first" or "lowest first"' if name == "position order" else "a number from 1 on"
            raise self.program_error(value_node[1], f"this setting is {wanted}")
        self.builtin_functions = values.builtin_functions(self.highest_first, self.explode_depth)
        self.cached_calls.clear()

    def _carry_out_loop(self, variable: str, sequence_node: Node, body: list[Node]) -> None:
        sequence = self.evaluate(sequence_node)
        if not isinstance(sequence, tuple):
            raise self.program_error(
                sequence_node[1], "a loop goes over a sequence", "put it in braces: loop X over {1..6}"
            )
        for each in sequence:
            self.variables[variable] = each
            for statement in body:
                self.execute(statement)

    def _carry_out_conditional(self, branches: list[tuple[Node, list[Node]]], else_body: list[Node] | None) -> None:
        body = else_body or []
        for condition, then in branches:
            value = self.evaluate(condition)
            if not isinstance(value, int):
                what = "dice" if isinstance(value, Dice) else "a sequence"
                hint = "give them to a function as a number: function: name X:n { if X > 3 ..."
                raise self.program_error(condition[1], f"a condition is a number, and this is {what}", hint)
            if value:
                body = then
                break
        for statement in body:
            self.execute(statement)

    def _end_function_with_result(self, value_node: Node) -> None:
        raise _FunctionReturn(self.evaluate(value_node))

    def _define_function(self, name_parts: list[Any], body: list[Node]) -> None:
        made = _Function(name_parts, body)
        self.functions[made.signature] = made
        self.cached_calls.clear()
        self.visible_variables.clear()

    # --- expressions

    def _number_literal(self, node: Node) -> int:
        if len(node[2]) > 4000:
            raise self.program_error(node[1], "this number is too long")
        return int(node[2])

    def _unknown_variable_error(self, offset: int, name: str) -> QuestionError:
        hint = did_you_mean(name, self.variables, "variables")
        return self.program_error(offset, f"the variable {name} has no value here", hint)

    def _value_of_variable(self, node: Node) -> Value:
        found = self.variables.get(node[2])
        if found is None:
            raise self._unknown_variable_error(node[1], node[2])
        return found

    def _value_of_operation(self, node: Node) -> Value:
        return values.binary_operation(node[0], self.evaluate(node[2]), self.evaluate(node[3]))

    def _value_of_sequence(self, node: Node) -> Value:
        found: list[int] = []
        for _, place, first, last, times in node[2:]:
            repeats = 1 if times is None else self._required_number(times)
            if last is None:
                part: Sequence[int] = values.as_sequence(self.evaluate(first))
                many = len(part)
            else:
                start, stop = self._required_number(first), self._required_number(last) + 1
                part, many = range(start, stop), stop - start
            if many <= 0 or repeats <= 0:
                continue
            if len(found) + many * repeats > MAX_ELEMENTS:
                raise self.program_error(place, f"this sequence has over {MAX_ELEMENTS:,} numbers", "")
            found.extend([*part] * repeats)
        return tuple(found)

    def _required_number(self, node: Node) -> int:
        number = values.sum_of_value(self.evaluate(node))
        if isinstance(number, int):
            return number
        raise self.program_error(node[1], "here stands a number, not dice", "let a function take them as X:n")

    # --- functions

    def _value_of_call(self, node: Node) -> Value:
        _, offset, parts = node
        if self.depth >= self.max_depth:
            return values.EMPTY
        signature = _signature_of_name(parts)
        function = self.functions.get(signature)
        builtin = None if function else self.builtin_functions.get(signature)
        if function is None and builtin is None:
            raise self._no_function_error(offset, signature)
        arguments = [self.evaluate(part) for part in parts if not isinstance(part, str)]
        try:
            if function is not None:
                return self._value_of_function_call(function, arguments)
            assert builtin is not None
            return self._value_of_builtin_call(builtin, arguments)
        except RuleFailure as problem:
            raise self.program_error(offset, problem.message, problem.hint) from None

    def _no_function_error(self, offset: int, signature: Signature) -> QuestionError:
        def signature_text(each: Signature) -> str:
            return " ".join(word or "..." for word in each)

        known = [signature_text(each) for each in (*self.functions, *self.builtin_functions)]
        hint = (
            did_you_mean(signature_text(signature), known, "functions")
            if any(signature)
            else "sums stand in round brackets: (d6 + 2)"
        )
        return self.program_error(offset, f"there is no function [{signature_text(signature)}]", hint)

    def _value_of_builtin_call(self, builtin: Builtin, arguments: list[Value]) -> Value:
        if builtin.value_for_dice is not None and (found := builtin.value_for_dice(*arguments)) is not None:
            return found
        return self._mixture_over_cases(builtin.parameter_kinds, arguments, lambda case: builtin.value_of_case(*case))

    def _mixture_over_cases(
        self, parameter_kinds: str, arguments: list[Value], result_of_case: Callable[[list[Any]], Value]
    ) -> Value:
        """Return the mixture of the results of ``result_of_case`` over all cases of the arguments.

        A case has one value for each argument. If there is only one case, the result is that of ``result_of_case``,
        unmixed. ``parameter_kinds``: the kinds of the parameters, to which the arguments are converted.
        """
        given = [
            values.converted_argument(kind, each, self.highest_first)
            for kind, each in zip(parameter_kinds, arguments, strict=True)
        ]
        if not any(isinstance(each, list) for each in given):
            return result_of_case(given)
        return values.mixture((result_of_case(case), weight) for case, weight in values.cases_of_arguments(given))

    def _value_of_function_call(self, function: _Function, arguments: list[Value]) -> Value:
        """Return the result of a function. The result for the same arguments and variables is computed only once."""
        seen = self._visible_variables(function)
        place = (
            function.signature,
            self.depth,
            *map(values.cache_key, arguments),
            *(values.cache_key(self.variables[name]) if name in self.variables else None for name in seen),
        )
        if place not in self.cached_calls:
            found = self._mixture_over_cases(
                function.kinds, arguments, lambda case: self._result_of_body(function, case)
            )
            if len(self.cached_calls) >= MAX_CACHED_CALLS:
                self.cached_calls.clear()
            self.cached_calls[place] = found
        return self.cached_calls[place]

    def _visible_variables(self, function: _Function) -> tuple[str, ...]:
        """Return the sorted names of the variables that a function, or any function that it calls, may read."""
        if function not in self.visible_variables:
            names, todo, done = set[str](), [function], set[Signature]()
            while todo:
                each = todo.pop()
                names |= each.variables_read
                todo += [self.functions[name] for name in each.signatures_called - done if name in self.functions]
                done |= each.signatures_called
            self.visible_variables[function] = tuple(sorted(names))
        return self.visible_variables[function]

    def _result_of_body(self, function: _Function, arguments: list[Any]) -> Value:
        """Return the result of a function for one case of its arguments, and restore the variables of the caller."""
        before, self.variables = self.variables, dict(self.variables)
        self.variables.update(zip(reversed(function.names), reversed(arguments), strict=True))
        self.depth += 1
        try:
            for statement in function.body:
                self.execute(statement)
        except _FunctionReturn as result:
            return result.value
        finally:
            self.depth -= 1
            self.variables = before
        return values.EMPTY
