"""Every error that can leave the program stands in one module, under one of two branches, and says what to do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy

import pytest

from oddsmith.base import errors
from oddsmith.base.errors import InputError, InternalError, OddsmithError, Signal
from oddsmith.base.location import Location, Source
from tests.architecture.test_layers import modules

ALONE = {("oddsmith.proof.values", "Refused")}  # runs by itself, as a program of one file


def public() -> list[type[OddsmithError]]:
    """The errors of the two branches."""
    found = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, OddsmithError)]
    return [each for each in found if each is not OddsmithError]


def raised() -> Iterator[tuple[str, str, str]]:
    """Every class of the program that is raised: its module, its name, and what it derives from."""
    for module, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            bases = [base.id for base in getattr(node, "bases", []) if isinstance(base, ast.Name)]
            if isinstance(node, ast.ClassDef) and any(
                base.endswith(("Error", "Exception", "Signal")) for base in bases
            ):
                yield module, node.name, bases[0]


def test_errors_stand_in_one_module_and_signals_where_they_are_raised() -> None:
    for module, name, base in raised():
        if module == "oddsmith.base.errors":
            assert name.endswith("Error") or name == "Signal" or base == "Signal"
        elif (module, name) not in ALONE:
            assert base == "Signal", f"{module}.{name}: an error belongs in oddsmith.base.errors"
            assert not name.endswith("Error"), (
                f"{module}.{name} is a signal: call it so that nobody takes it for an error"
            )


@pytest.mark.parametrize("error", public(), ids=lambda error: error.__name__)
def test_an_error_has_a_branch_and_says_what_to_do(error: type[OddsmithError]) -> None:
    assert issubclass(error, InputError) != issubclass(error, InternalError)
    assert "What to do: " in (error.__doc__ or "")


def test_an_error_from_another_process_is_the_same() -> None:
    problem = errors.Problem("OD541", Location("game.yaml", 3, 7), "it breaks", "mend it")
    error = errors.PlayError(problem, ("a roll",), Source("game.yaml", "format: 1"))
    again = copy(error)  # made again as another process does it
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_the_command_line_ends_as_the_branch_says() -> None:
    assert {error.exit_code for error in public() if issubclass(error, InputError)} == {1}
    assert {error.exit_code for error in public() if issubclass(error, InternalError)} == {3}
    assert not issubclass(Signal, OddsmithError)


def test_a_fault_of_ours_says_so() -> None:
    assert str(errors.JoinError("one and one are three")).startswith("one and one are three. This is a fault of ours")
