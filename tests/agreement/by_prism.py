"""Questions put to PRISM-games, which solves games of several by value iteration in floats: games that Oddsmith exports.

It is a Java program that no package registry has. Whoever built it names its command in the variable PRISM_GAMES.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from oddsmith.graph.export.model_checkers import prism
from tests.agreement.asking import PATIENCE, Said
from tests.cases import SHIPPED, Case, cases_of, explored, size, solved

COMMAND = os.environ.get("PRISM_GAMES", "")
CLOSE = "1e-15"  # the change of a value below which it stops
MOST = 240  # states of a game
NAMES = (f"{SHIPPED}piglet", f"{SHIPPED}pig", "chip-passing", "rogues-gambit", "burglar-and-the-dragon")


@cache
def games() -> list[tuple[Case, str]]:
    """Games of two whose values always add up to the same, so that each seat can make sure of its own."""
    small = [
        (case, objective)
        for name in NAMES
        for case in cases_of(name)
        for objective in case.objectives
        if case.seats == 2 and size(case, objective)["states"] <= MOST
    ]
    return [game for game in small if solved(*game).kind == "zero-sum"]


def question(case: Case, objective: str, seat: int) -> str:
    """How PRISM-games is asked what a seat can make sure of."""
    goal = case.game.ruleset.payoffs[objective].goal
    return f'<<seat_{seat}>> R{{"seat_{seat}"}}{goal}=? [F "done"]'


def said() -> Said:
    """What PRISM-games says of each game: two floats as text, one for each seat."""
    if not COMMAND:
        return Said(missing="no command is named in `PRISM_GAMES`")
    version = run("-version").split()[-1]
    return Said(version, tuple(tuple(answers(case, objective)) for case, objective in games()))


def answers(case: Case, objective: str) -> Iterator[str]:
    """What each seat can make sure of."""
    with TemporaryDirectory() as folder:
        model, asked = Path(folder, "game.prism"), Path(folder, "game.props")
        model.write_bytes(prism(explored(case, objective)))
        asked.write_text(";\n".join(question(case, objective, seat) for seat in (1, 2)) + ";\n", encoding="utf-8")
        told = run(str(model), str(asked), "-explicit", "-epsilon", CLOSE, "-maxiters", "1000000")
    found = re.findall(r"^Result: (\S+)", told, re.MULTILINE)
    assert len(found) == 2, told
    yield from found


def run(*words: str) -> str:
    """What the program prints."""
    return subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, timeout=PATIENCE, check=True, stdin=subprocess.DEVNULL
    ).stdout
