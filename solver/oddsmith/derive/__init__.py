"""What can follow a position, by the one-state rules, whatever the cells hold that its state leaves out.

Explored graphs are held against this by sample, certificates state by state. ``Canonical`` says which state a
position belongs to; ``Deriver`` gives the rows of a state, and refuses where two positions of one state differ.
"""

from oddsmith.derive.canonical import Canonical
from oddsmith.derive.futures import Chances, Deriver, Futures, Missing, bag
from oddsmith.derive.unknown import Seen

__all__ = ["Canonical", "Chances", "Deriver", "Futures", "Missing", "Seen", "bag"]
