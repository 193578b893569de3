"""The rules of a game as frozen records: the language as types.

``effects`` and ``phases`` are unions of records, one for each kind of effect, throw, phase and ending of an entry. ``state``
holds variables, dice and parameters; ``questions`` payoffs, measures, claims and policies; ``editions`` what a site shows,
``wording`` what a person says of the game, ``boards`` how tables of play draw it, ``tables`` what is rolled for colour.
"""

from oddsmith.ruleset.model.boards import PlayBoard
from oddsmith.ruleset.model.editions import Edition, EstimatedGame, Setting
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
    looked_at,
)
from oddsmith.ruleset.model.questions import ANY, RULE, Claim, Measure, Origin, Payoff, Policy, PolicyLine, one_or_none
from oddsmith.ruleset.model.ruleset import SHOWN_ONLY, Ruleset
from oddsmith.ruleset.model.state import Cheat, Parameter, Variable
from oddsmith.ruleset.model.wording import Answered, Board, Computed, Remembered, Sentence, Wording, counted

__all__ = [
    "ANY",
    "RULE",
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
    "counted",
    "every_effect",
    "looked_at",
    "one_or_none",
]
