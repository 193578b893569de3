"""A game as a function of one parameter of its rules: values as functions, and the exact points at which best play
changes.

Begin with ``solve_symbol``, which returns a ``ParametricSolution``. The parameter is called the symbol.
"""

from oddsmith.solve.parameter.algebraic import Algebraic, RationalFunction
from oddsmith.solve.parameter.parametric import ParametricSolution, Piece, signs_near_bounds, solve_symbol

__all__ = ["Algebraic", "ParametricSolution", "Piece", "RationalFunction", "signs_near_bounds", "solve_symbol"]
