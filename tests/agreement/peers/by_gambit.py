"""Games of two players put to Gambit, a library of game theory by other people: EFG files, in fractions.

Reads a list of paths as JSON, and prints its version and what the first player gets in the equilibrium of its linear program.
"""

from __future__ import annotations

import json
import sys

import pygambit


def value(terms: str) -> str:
    """What the first player gets, for two players of constant sum."""
    game = pygambit.read_efg(terms)
    profile = pygambit.nash.lp_solve(game, rational=True).equilibrium
    return str(profile.payoffs[next(iter(game.players))])


if __name__ == "__main__":
    found = [value(each) for each in json.load(sys.stdin)]
    json.dump({"version": pygambit.__version__, "answers": found}, sys.stdout)
