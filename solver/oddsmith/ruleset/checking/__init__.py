"""Find problems of a game without playing it.

``check_everywhere`` checks a ruleset at many settings: the ranges of all expressions, rolls that no outcome covers, and
mistakes in the structure of the rules. ``games_to_check`` yields the games at these settings, and ``with_setting`` adds a
setting to a problem. ``bounds_of`` returns the declared range of every variable, and ``effects_with_bounds`` the ranges
that hold before each effect. ``refuse_unsound`` refuses a game with an expression that is certainly wrong, before the
game is explored. ``explain`` returns the explanation of the code of a problem, ``codes`` all codes, and ``find_code``
one code.
"""

from oddsmith.ruleset.checking.check import check_everywhere, games_to_check, with_setting
from oddsmith.ruleset.checking.codes import codes, explain, find_code
from oddsmith.ruleset.checking.ranging import bounds_of, effects_with_bounds, refuse_unsound
from oddsmith.ruleset.checking.traps import entry_words

__all__ = [
    "bounds_of",
    "check_everywhere",
    "codes",
    "effects_with_bounds",
    "entry_words",
    "explain",
    "find_code",
    "games_to_check",
    "refuse_unsound",
    "with_setting",
]
