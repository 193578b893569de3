"""Published values of classic problems, each with where it was published and how it is computed here.

Fractions must be equal; decimals must round to what was printed. ``source`` is a name in ``sources.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

from oddsmith.base.dice import NO_DICE
from oddsmith.base.exact import Number
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.game_solver import solve
from tests.cases import Value, ruleset

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Known:
    """A printed number, and how it is computed."""

    words: str
    printed: str
    source: str
    find: Callable[[], Number]

    def __str__(self) -> str:
        return f"{self.words}: {self.printed}"


def known(name: str, **parameters: Value) -> Game:
    """A game of this folder."""
    return bind(load_ruleset(HERE / f"{name}.yaml")[0], Setting(values=parameters))


def value(game: Game, objective: str | None = None, seat: int = 1) -> Number:
    """What a seat gets."""
    return solve(game, objective).values[seat - 1]


def asked(name: str, **parameters: Value) -> Number:
    """What the first seat of a game of this folder gets."""
    return value(known(name, **parameters))


def piglet(mine: int, theirs: int, turn: int) -> Number:
    """The chance to win Piglet to 2 from a position."""
    solution = solve(bind(ruleset("piglet"), Setting(values={"target": 2})))
    number = solution.state_index(State("decide", 0, 0, (mine, theirs, turn)))
    assert number is not None
    return solution.state_values(number)[0]


def farkle(dice: int) -> Number:
    """The chance that a roll of some dice scores nothing."""
    game = bind(ruleset("farkle-turn"))
    rules, state = Rules(game), State("throw", 0, 0, (NO_DICE, dice, 0, 0))
    outcomes, whole = rules.weighted_chance_results(state)
    failing = sum(weight for weight, rolled in outcomes if rules.entry_name_and_context(state, rolled)[0] == "Farkle")
    return Number.of(Fraction(failing, whole))


def _points() -> list[Known]:
    shares = {(1, 2): "48", (1, 3): "56", (2, 3): "44", (2, 2): "32"}
    return [
        Known(
            f"Pistoles of 64 for a player who needs {mine} where the other needs {theirs}",
            printed,
            "pascal",
            partial(asked, "points", mine=mine, theirs=theirs),
        )
        for (mine, theirs), printed in shares.items()
    ]


def _piglet() -> list[Known]:
    chances = {
        (0, 0, 0): "4/7",
        (0, 0, 1): "5/7",
        (0, 1, 0): "2/5",
        (0, 1, 1): "3/5",
        (1, 0, 0): "4/5",
        (1, 1, 0): "2/3",
    }
    return [
        Known(
            f"Piglet to 2: the chance to win with {mine} against {theirs} and {turn} in this turn",
            printed,
            "neller-presser-piglet",
            partial(piglet, mine, theirs, turn),
        )
        for (mine, theirs, turn), printed in chances.items()
    ]


def _stopping() -> list[Known]:
    worth = {1: ("7/2", "die-three-times"), 2: ("17/4", "die-three-times"), 3: ("14/3", "die-three-rolls")}
    return [
        Known(
            f"A die that may be rolled up to {rolls} times, and pays what shows when one stops",
            printed,
            source,
            partial(asked, "stop-or-throw", throws=rolls),
        )
        for rolls, (printed, source) in worth.items()
    ]


def _farkle() -> list[Known]:
    missing = {1: "4/6", 2: "16/36", 3: "60/216"}
    return [
        Known(
            f"Farkle: {dice} dice score nothing, which is what is left of the list",
            printed,
            "farkle-games",
            partial(farkle, dice),
        )
        for dice, printed in missing.items()
    ]


MINE, OTHER = 244_140_625, 282_429_536_481
RATIO = [f"{each}/{MINE + OTHER}" for each in (MINE, OTHER)]
CARCAVI = (129_746_337_890_625, 150_094_635_296_999_121)
KNOWN = [
    Known("The pass line of craps wins", "244/495", "grinstead-snell", lambda: value(bind(ruleset("craps")), "win")),
    Known(
        "The pass line of craps pays, for a stake of 1",
        "-7/495",
        "grinstead-snell",
        lambda: value(bind(ruleset("craps")), "even"),
    ),
    Known("Huygens' fifth problem: A wins", RATIO[0], "huygens", lambda: value(known("huygens-fifth"))),
    Known("Huygens' fifth problem: B wins", RATIO[1], "huygens", lambda: value(known("huygens-fifth"), seat=2)),
    Known(
        "Huygens' fifth problem: A wins, in Pascal's numbers",
        f"{CARCAVI[0]}/{sum(CARCAVI)}",
        "carcavi",
        lambda: value(known("huygens-fifth")),
    ),
    *_points(),
    Known("A six in four rolls of a die", f"671/{671 + 625}", "pascal", lambda: value(known("de-mere"))),
    Known("Collecting all six faces of a die, in rolls", "147/10", "feller", lambda: value(known("coupons"))),
    *_stopping(),
    *_piglet(),
    *_farkle(),
    Known(
        "Pig alone to 100, in turns",
        "12.545",
        "haigh-roters",
        lambda: value(bind(ruleset("pig"), Setting(1, values={"target": 100})), "haste"),
    ),
]
