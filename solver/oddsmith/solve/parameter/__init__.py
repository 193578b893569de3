"""One parameter of the rules left open: values as functions of it, and the exact points where best play changes.

Begin with ``solve_symbol``, which returns a ``ParametricSolution``.
"""

from oddsmith.solve.parameter.algebraic import Algebraic, RationalFunction
from oddsmith.solve.parameter.parametric import ParametricSolution, Piece, signs_inside, solve_symbol

__all__ = ["Algebraic", "ParametricSolution", "Piece", "RationalFunction", "signs_inside", "solve_symbol"]
