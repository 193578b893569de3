"""One parameter of the rules left open: values as functions of it, and the exact points where best play changes.

``solve_symbol`` is the way in; it returns a ``Parametric``.
"""

from oddsmith.solve.parameter.parametric import Parametric, Piece, solve_symbol

__all__ = ["Parametric", "Piece", "solve_symbol"]
