"""Putting questions to programs by other people, each in a process of its own, and comparing what they say with what we say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from oddsmith.base.exact import Number, fraction_text
from tests.agreement.questions import Answer

HERE = Path(__file__).resolve().parent
INSTALLED = HERE.parents[1] / "build" / "peers"
PATIENCE = 240  # seconds, after which a program is stopped
SHORT = 30  # characters of a fraction that is shown whole
PLACES = 12
ENOUGH = 10  # digits to which floats must agree
DIFFERENT = "different"


@dataclass(frozen=True)
class Said:
    """What a program answered. ``missing``: why it was not asked, or did not answer."""

    version: str = ""
    answers: tuple[Any, ...] = ()
    missing: str = ""


def put(program: str, terms: Sequence[str]) -> Said:
    """The answers of a program of ``peers/``."""
    words = [sys.executable, str(HERE / "peers" / f"by_{program}.py")]
    where = {**os.environ, "PYTHONPATH": str(INSTALLED)}
    try:
        done = subprocess.run(
            words, input=json.dumps(terms), env=where, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return Said(missing=f"stopped after {PATIENCE // 60} minutes")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        return Said(missing="not installed" if last.startswith("ModuleNotFoundError") else last[:160])
    found = json.loads(done.stdout)
    return Said(found["version"], tuple(found["answers"]))


def shown(answer: Answer) -> str:
    """An answer of ours for a table."""
    if not isinstance(answer, Number):
        return f"{len(answer)} chances"
    if answer.exact is not None and len(text := fraction_text(answer.exact)) <= SHORT:
        return text
    return answer.decimal(PLACES)


def agreement(ours: Answer, theirs: Any) -> str:
    """How far both say the same: in fractions, or to how many digits if they answered in floats."""
    if not isinstance(ours, Number):
        law = {Fraction(value): Fraction(chance) for value, chance in theirs}
        return "every chance equal" if law == dict(ours) else DIFFERENT
    if not theirs.lstrip("-").replace("/", "").isdigit():
        digits = digits_alike(ours.middle, Fraction(theirs))
        return f"{digits} digits" if digits >= ENOUGH else f"{DIFFERENT}: {theirs}"
    return "equal" if ours.exact == Fraction(theirs) else f"{DIFFERENT}: {theirs}"


def digits_alike(one: Fraction, other: Fraction) -> int:
    """To how many digits two numbers agree; 17 if a float could not be closer."""
    apart = abs(one - other) / abs(one or Fraction(1))
    return next((digits for digits in range(17) if apart > Fraction(1, 10 ** (digits + 1))), 17)
