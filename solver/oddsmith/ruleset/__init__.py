"""What a game is.

``model`` holds the rules as frozen records. ``Game`` is a ruleset at a number of seats and parameter values
(``bind``). ``Rules`` plays it from one ``State`` to the next, and defines what the rules mean. ``canonical`` and
``sha256`` give the form in which other programs read the rules; a transcript is a play written down. Two sub-rooms:
``reading`` makes a ruleset from YAML, ``checking`` finds what is wrong in it without playing.
"""

from oddsmith.ruleset.acting import check_hand
from oddsmith.ruleset.bundle import bundle, canonical, sha256
from oddsmith.ruleset.game import Cell, Game, Unmet, bind, game_at
from oddsmith.ruleset.model import (
    PLAIN_DIE,
    Choice,
    Claim,
    DieRule,
    Edition,
    Effect,
    Entry,
    Measure,
    Origin,
    Parameter,
    Payoff,
    Phase,
    Place,
    Policy,
    Requirement,
    Ruleset,
    Setting,
    Term,
    Then,
    Throw,
    Variable,
    Variant,
    changes,
    one_or_none,
    plain_die,
)
from oddsmith.ruleset.rules import Action, Rules, State, Step, Thrown
from oddsmith.ruleset.transcript import TranscriptError, Writer, read, verify

__all__ = [
    "PLAIN_DIE",
    "Action",
    "Cell",
    "Choice",
    "Claim",
    "DieRule",
    "Edition",
    "Effect",
    "Entry",
    "Game",
    "Measure",
    "Origin",
    "Parameter",
    "Payoff",
    "Phase",
    "Place",
    "Policy",
    "Requirement",
    "Rules",
    "Ruleset",
    "Setting",
    "State",
    "Step",
    "Term",
    "Then",
    "Throw",
    "Thrown",
    "TranscriptError",
    "Unmet",
    "Variable",
    "Variant",
    "Writer",
    "bind",
    "bundle",
    "canonical",
    "changes",
    "check_hand",
    "game_at",
    "one_or_none",
    "plain_die",
    "read",
    "sha256",
    "verify",
]
