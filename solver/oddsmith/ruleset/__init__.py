"""What a game is.

``model`` holds the rules as frozen records. ``Game`` is a ruleset at a number of seats and parameter values (``bind``).
``Rules`` plays it from one ``State`` to the next, and defines what the rules mean; ``played_moves`` plays a whole game.
``canonical`` and ``sha256`` give the form in which other programs read the rules; a transcript is a play written down.
``Observer`` finds what can happen in a position, and what each seat learns by it. ``TreeBuilder`` makes games in extensive
form from that.
``roll_tables`` gives the tables to roll on, whose chances are known without solving. Of the other sub-rooms, ``reading``
makes a ruleset from YAML, and ``checking`` finds what is wrong in it without playing.
"""

from oddsmith.ruleset.binding import bind, with_loaded_dice
from oddsmith.ruleset.bundle import bundle, canonical_bytes, plain_data, sha256, tree_data
from oddsmith.ruleset.effects import check_hand
from oddsmith.ruleset.extensive_form import ROOT, InformationSet, Node, NumberedOccurrence, Subgame, TreeBuilder, Walk
from oddsmith.ruleset.game import Cell, Game
from oddsmith.ruleset.observations import (
    Happening,
    Moves,
    Observer,
    Occurrence,
    Situation,
    find_result,
    label_words,
    results_in_words,
)
from oddsmith.ruleset.play import Choose, PlayedMove, by_chance, fullest_hand, played_moves
from oddsmith.ruleset.roll_tables import ListedTable, TableLine, on_one_die, roll_tables
from oddsmith.ruleset.rules import Action, Rules, State, Step, Thrown, compile_words, option_in_words
from oddsmith.ruleset.simulation import MAX_MOVES, GameSums, SampleMoments, SimulationResult, simulate_together
from oddsmith.ruleset.successors import (
    Canonical,
    Chances,
    Deriver,
    LeftOutCellRead,
    MissingState,
    Successors,
    unordered_rows,
)
from oddsmith.ruleset.transcript import TranscriptRecord, TranscriptWriter, read_transcript, replay, verify_transcript

__all__ = [
    "MAX_MOVES",
    "ROOT",
    "Action",
    "Canonical",
    "Cell",
    "Chances",
    "Choose",
    "Deriver",
    "Game",
    "GameSums",
    "Happening",
    "InformationSet",
    "LeftOutCellRead",
    "ListedTable",
    "MissingState",
    "Moves",
    "Node",
    "NumberedOccurrence",
    "Observer",
    "Occurrence",
    "PlayedMove",
    "Rules",
    "SampleMoments",
    "SimulationResult",
    "Situation",
    "State",
    "Step",
    "Subgame",
    "Successors",
    "TableLine",
    "Thrown",
    "TranscriptRecord",
    "TranscriptWriter",
    "TreeBuilder",
    "Walk",
    "bind",
    "bundle",
    "by_chance",
    "canonical_bytes",
    "check_hand",
    "compile_words",
    "find_result",
    "fullest_hand",
    "label_words",
    "on_one_die",
    "option_in_words",
    "plain_data",
    "played_moves",
    "read_transcript",
    "replay",
    "results_in_words",
    "roll_tables",
    "sha256",
    "simulate_together",
    "tree_data",
    "unordered_rows",
    "verify_transcript",
    "with_loaded_dice",
]
