"""What is wrong with a game, found without playing it.

``check_everywhere`` looks at every setting: ranges of all expressions, outcomes that cover every roll, and mistakes
of shape. ``bounds_of`` gives the proven range of every variable, on which the graph relies.
``explain`` says what the code of a problem means.
"""

from oddsmith.ruleset.checking.check import check_everywhere
from oddsmith.ruleset.checking.codes import explain
from oddsmith.ruleset.checking.ranging import bounds_of

__all__ = ["bounds_of", "check_everywhere", "explain"]
