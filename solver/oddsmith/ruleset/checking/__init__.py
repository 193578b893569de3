"""Find problems of a game without playing it.

``check_at_many_settings`` checks a ruleset at many settings: the ranges of all expressions, rolls that no outcome
covers, and mistakes in the structure of the rules. ``games_to_check`` yields the games at these settings, and
``problem_naming_setting`` adds a setting to a problem. ``declared_bounds`` returns the declared range of every
variable, and ``effects_with_bounds`` the ranges that hold before each effect. ``refuse_expressions_out_of_range``
refuses a game with an expression that is certainly wrong, before the game is explored. ``explain_problem_code`` returns
the explanation of the code of a problem, ``problem_codes_by_name`` all codes, and ``find_problem_code`` one code.
"""

from oddsmith.ruleset.checking.check import check_at_many_settings, games_to_check, problem_naming_setting
from oddsmith.ruleset.checking.codes import explain_problem_code, find_problem_code, problem_codes_by_name
from oddsmith.ruleset.checking.ranging import declared_bounds, effects_with_bounds, refuse_expressions_out_of_range
from oddsmith.ruleset.checking.traps import entry_in_words

__all__ = [
    "check_at_many_settings",
    "declared_bounds",
    "effects_with_bounds",
    "entry_in_words",
    "explain_problem_code",
    "find_problem_code",
    "games_to_check",
    "problem_codes_by_name",
    "problem_naming_setting",
    "refuse_expressions_out_of_range",
]
