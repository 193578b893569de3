"""The arena that a game is solved on, level by level, and the play that floats propose for its components.

``search``, ``passes`` and ``guesses`` propose; nothing here is proved. ``solve.values`` proves it.
"""

from oddsmith.solve.arenas.arena import Arena, coming_back, strong_parts
from oddsmith.solve.arenas.component import Component, Guess, Mixes, NeverEnds, RarelyEnds
from oddsmith.solve.arenas.guesses import guesses
from oddsmith.solve.arenas.levels import by_label, layers, levels
from oddsmith.solve.arenas.passes import Passes, serves
from oddsmith.solve.arenas.search import NoPureEquilibrium, policy_iteration, sweeps, tolerance
from oddsmith.solve.arenas.waiting import Ways

__all__ = [
    "Arena",
    "Component",
    "Guess",
    "Mixes",
    "NeverEnds",
    "NoPureEquilibrium",
    "Passes",
    "RarelyEnds",
    "Ways",
    "by_label",
    "coming_back",
    "guesses",
    "layers",
    "levels",
    "policy_iteration",
    "serves",
    "strong_parts",
    "sweeps",
    "tolerance",
]
