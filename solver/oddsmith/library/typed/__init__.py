"""What people type, and programs say in the same words: positions, what positions have in common, questions, symbols."""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.library.typed.asking import asked_distribution, asked_parameters, asked_symbol

if TYPE_CHECKING:
    from oddsmith.library.typed.position import Fixed, Position, asked_position, fixed_by, position_of

__all__ = [
    "Fixed",
    "Position",
    "asked_distribution",
    "asked_parameters",
    "asked_position",
    "asked_symbol",
    "fixed_by",
    "position_of",
]

# They take arrays, and a browser reads without.
_POSITIONS = ("Fixed", "Position", "asked_position", "fixed_by", "position_of")
__getattr__ = later(__name__, dict.fromkeys(_POSITIONS, "position"))
