"""The rules of a game as frozen records: the language as types.

``effects`` and ``phases`` are unions of records, one for each kind of effect, throw, phase and ending of an entry. ``state``
holds variables, dice and parameters; ``questions`` payoffs, measures, claims and policies; ``editions`` the games that a site
shows; ``wording`` texts with values that are filled in; ``boards`` how play tables draw a board; ``ruleset`` the whole.
"""

from oddsmith.ruleset.model.boards import PlayBoard
from oddsmith.ruleset.model.editions import SETTING_NAMES, Edition, EstimatedGame, Setting
from oddsmith.ruleset.model.effects import (
    Add,
    Drop,
    Effect,
    ForItems,
    ForSeats,
    If,
    Let,
    Move,
    Reveal,
    Set,
    VariableRef,
    every_effect,
)
from oddsmith.ruleset.model.phases import (
    Again,
    Draw,
    End,
    Entry,
    Pass,
    PassTo,
    Phase,
    Roll,
    RollPhase,
    Then,
    Throw,
    TogetherPhase,
    ToPhase,
    variable_of_throw,
)
from oddsmith.ruleset.model.questions import (
    ANY,
    RULE,
    Claim,
    Measure,
    Origin,
    Payoff,
    Policy,
    PolicyLine,
    is_one_or_zero,
)
from oddsmith.ruleset.model.ruleset import SHOWN_ONLY, Ruleset
from oddsmith.ruleset.model.state import Cheat, Parameter, Variable
from oddsmith.ruleset.model.wording import Answered, Board, Computed, Remembered, Sentence, Wording, with_unit

__all__ = [
    "ANY",
    "RULE",
    "SETTING_NAMES",
    "SHOWN_ONLY",
    "Add",
    "Again",
    "Answered",
    "Board",
    "Cheat",
    "Claim",
    "Computed",
    "Draw",
    "Drop",
    "Edition",
    "Effect",
    "End",
    "Entry",
    "EstimatedGame",
    "ForItems",
    "ForSeats",
    "If",
    "Let",
    "Measure",
    "Move",
    "Origin",
    "Parameter",
    "Pass",
    "PassTo",
    "Payoff",
    "Phase",
    "PlayBoard",
    "Policy",
    "PolicyLine",
    "Remembered",
    "Reveal",
    "Roll",
    "RollPhase",
    "Ruleset",
    "Sentence",
    "Set",
    "Setting",
    "Then",
    "Throw",
    "ToPhase",
    "TogetherPhase",
    "Variable",
    "VariableRef",
    "Wording",
    "every_effect",
    "is_one_or_zero",
    "variable_of_throw",
    "with_unit",
]
