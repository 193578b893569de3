"""Questions as people type them: a distribution with its seat and its condition, a symbol with its range."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from oddsmith.base.errors import DistributionError, SymbolError

_DISTRIBUTION = re.compile(r"(?P<what>.+?)(?:\s+seat\s+(?P<seat>\d+))?(?:\s+given\s+(?P<phase>[^/]+)/(?P<entry>.+))?")
_END = r"(-?[0-9]{1,1000}(?:/0*[1-9][0-9]{0,999})?)"
_SYMBOL = re.compile(rf"\s*(\w+)\s*(?:=\s*{_END}\s*\.\.\s*{_END}\s*)?")


def asked_parameters(words: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by their names. As a keyword a name may have an underscore more, as where a word is taken (PEP 8)."""
    return {word.removesuffix("_"): value for word, value in words.items()}


def asked_distribution(text: str) -> tuple[str, int | None, tuple[str, str] | None]:
    """The number asked for, its seat, and the entry that is given: ``turns seat 2 given throw/Bust``. Raises
    DistributionError.
    """
    match = _DISTRIBUTION.fullmatch(text.strip())
    if match is None:
        raise DistributionError("say what to print, such as payoff")
    given = (match["phase"].strip(), match["entry"].strip()) if match["phase"] else None
    return match["what"], int(match["seat"]) if match["seat"] else None, given


def asked_symbol(text: str) -> tuple[str, Fraction | None, Fraction | None]:
    """A parameter, and its range where one is given: ``bend=1..5/2``. Raises SymbolError."""
    match = _SYMBOL.fullmatch(text)
    if match is None or (match[2] and Fraction(match[2]) >= Fraction(match[3])):
        raise SymbolError(f"{text!r}: write a parameter, or NAME=LOW..HIGH")
    return match[1], *((Fraction(match[2]), Fraction(match[3])) if match[2] else (None, None))


def as_text(variables: Mapping[str, Any]) -> str:
    """A position as it is typed: flags are ``true`` and ``false``, hands are faces with spaces between."""
    return ",".join(f"{name}={_value(value)}" for name, value in variables.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
