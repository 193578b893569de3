"""Parse questions that people type: the name of a distribution with its seat and its condition, and a parameter with
its range.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from oddsmith.base.errors import DistributionError, SymbolError

_DISTRIBUTION = re.compile(r"(?P<what>.+?)(?:\s+seat\s+(?P<seat>\d+))?(?:\s+given\s+(?P<phase>[^/]+)/(?P<entry>.+))?")
_END = r"(-?[0-9]{1,1000}(?:/0*[1-9][0-9]{0,999})?)"
_SYMBOL = re.compile(rf"\s*(\w+)\s*(?:=\s*{_END}\s*\.\.\s*{_END}\s*)?")


def parameters_by_name(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments as parameters by name. A trailing underscore is removed: ``seats_`` means the parameter
    ``seats``.
    """
    return {word.removesuffix("_"): value for word, value in arguments.items()}


def parse_distribution_question(text: str) -> tuple[str, int | None, tuple[str, str] | None]:
    """Parse a text such as ``turns seat 2 given throw/Bust``. Return the name of a number of the game, its seat, and
    its condition as phase and entry; seat and condition are None if the text names none.

    Raises DistributionError.
    """
    match = _DISTRIBUTION.fullmatch(text.strip())
    if match is None:
        raise DistributionError("say what to print, such as payoff")
    given = (match["phase"].strip(), match["entry"].strip()) if match["phase"] else None
    return match["what"], int(match["seat"]) if match["seat"] else None, given


def parse_parameter_range(text: str) -> tuple[str, Fraction | None, Fraction | None]:
    """Parse a text such as ``bend=1..5/2``. Return the name of a parameter and the two ends of its range, which are
    None if the text has no range. Raises SymbolError.
    """
    match = _SYMBOL.fullmatch(text)
    if match is None or (match[2] and Fraction(match[2]) >= Fraction(match[3])):
        raise SymbolError(f"{text!r}: write a parameter, or NAME=LOW..HIGH")
    return match[1], *((Fraction(match[2]), Fraction(match[3])) if match[2] else (None, None))


def position_text(variables: Mapping[str, Any]) -> str:
    """Return a position as people type it. Flags are ``true`` and ``false``; the faces of a hand are separated by
    spaces.
    """
    return ",".join(f"{name}={_value_text(value)}" for name, value in variables.items())


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
