"""Fills in what follows from the vectors themselves: ``python -m tests.vectors.write``.

In expressions.json the values are written by hand, and only the typed trees are made here, for readers without a parser.
In dice.json everything is made, by counting every throw one by one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from oddsmith.expr.parse import BadExpression
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import expression_data
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import load_ruleset
from tests.expressions import local_of, tree_of

HERE = Path(__file__).resolve().parent
Plain = dict[str, list[int]]

D6: Plain = {"faces": [1, 2, 3, 4, 5, 6], "weights": [1] * 6}
ROLLS: list[tuple[str, list[tuple[int, Plain]]]] = [
    ("3d6", [(3, D6)]),
    ("no dice", [(0, D6)]),
    ("2d6 + d4", [(2, D6), (1, {"faces": [1, 2, 3, 4], "weights": [1] * 4})]),
    ("four loaded coins", [(4, {"faces": [0, 1], "weights": [1, 2]})]),
    ("three dice of left, centre, right", [(3, {"faces": [1, 2, 3, 4, 4, 4], "weights": [1] * 6})]),
    ("a die with a face that never shows", [(2, {"faces": [1, 2, 3], "weights": [3, 0, 2]})]),
    ("two kinds with the same faces", [(1, D6), (2, {"faces": [6, 5, 1], "weights": [1, 1, 1]})]),
]


def brute_force(terms: Sequence[tuple[int, Plain]]) -> tuple[dict[tuple[tuple[int, int], ...], int], int]:
    """Every throw of every die, one by one: hands of (face, kind) with weights, and the sum of the weights."""
    dice = [(kind, die) for kind, (count, die) in enumerate(terms) for _ in range(count)]
    law: Counter[tuple[tuple[int, int], ...]] = Counter()
    for throw in product(*(range(len(die["faces"])) for _, die in dice)):
        hand = sorted((die["faces"][side], kind) for side, (kind, die) in zip(throw, dice, strict=True))
        law[tuple(hand)] += prod(die["weights"][side] for side, (_, die) in zip(throw, dice, strict=True))
    return {hand: weight for hand, weight in sorted(law.items()) if weight}, sum(law.values())


def laws() -> list[dict[str, Any]]:
    """The rolls with their laws."""
    found = []
    for name, terms in ROLLS:
        law, denominator = brute_force(terms)
        dice = [{"count": count, "kind": kind, **die} for kind, (count, die) in enumerate(terms)]
        hands = [[[list(die) for die in hand], weight] for hand, weight in law.items()]
        found.append({"roll": name, "dice": dice, "denominator": denominator, "hands": hands})
    return found


def ground() -> Game:
    """The game on which the expressions are read."""
    return bind(load_ruleset(HERE / "ground.yaml")[0])


def with_trees(data: dict[str, Any]) -> dict[str, Any]:
    """The expressions with the trees of those that can be read."""
    game, found = ground(), []
    for expression in data["expressions"]:
        moment = data["moments"][expression["at"]]
        kept = {key: value for key, value in expression.items() if key != "tree"}
        try:
            tree = tree_of(expression["text"], game, local_of(moment), exact=bool(moment.get("exact")))
            kept["tree"] = json.loads(json.dumps(expression_data(tree)))
        except BadExpression:
            pass
        found.append(kept)
    return {**data, "expressions": found}


def text(data: dict[str, Any], rows: str) -> str:
    """JSON with one entry of ``rows`` a line."""
    head = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items() if key != rows]
    lines = ",\n".join(f"    {json.dumps(row)}" for row in data[rows])
    return "{\n" + ",\n".join([*head, f'  "{rows}": [\n{lines}\n  ]']) + "\n}\n"


def files() -> dict[str, str]:
    """The two files as they should be."""
    expressions = json.loads((HERE / "expressions.json").read_text("utf-8"))
    about = "Laws of rolls: hands of [face, kind] with whole weights over a denominator. Made by tests.vectors.write."
    return {
        "expressions.json": text(with_trees(expressions), "expressions"),
        "dice.json": text({"about": about, "laws": laws()}, "laws"),
    }


if __name__ == "__main__":
    for name, content in files().items():
        (HERE / name).write_text(content, "utf-8")
