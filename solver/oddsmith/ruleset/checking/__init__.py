"""What is wrong with a game, found without playing it.

``check_everywhere`` looks at every setting: ranges of all expressions, outcomes that cover every roll, and mistakes
of shape; ``other_games`` are the games at those settings, and ``with_setting`` names one in a problem.
``bounds_of`` gives the declared range of every variable, and ``effects_with_bounds`` the ranges that hold where effects
happen. ``refuse_unsound`` refuses a game whose expressions may break a rule of the language, before it is explored.
``explain`` says what the code of a problem means; ``codes`` has them all, and ``find_code`` one of them.
"""

from oddsmith.ruleset.checking.check import check_everywhere, other_games, with_setting
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
    "other_games",
    "refuse_unsound",
    "with_setting",
]
