"""What a game is.

``model`` holds the rules as frozen records. ``Game`` is a ruleset at a number of seats and parameter values (``bind``).
``Rules`` plays it from one ``State`` to the next, and defines what the rules mean; ``played_moves`` plays a whole game.
``canonical`` and ``sha256`` give the form in which other programs read the rules; a transcript is a play written down.
``Observer`` tells what can happen in a position, and what each seat learns by it; ``TreeBuilder`` makes games in extensive
form of that.
``listed`` gives the tables to roll on, whose chances are known without solving. Of the other sub-rooms, ``reading`` makes a
ruleset from YAML, and ``checking`` finds what is wrong in it without playing.
"""

from oddsmith.ruleset.binding import bind, game_at, with_loaded_dice
from oddsmith.ruleset.bundle import bundle, canonical, plain_data, sha256, tree_data
from oddsmith.ruleset.effects import check_hand
from oddsmith.ruleset.extensive_form import ROOT, InformationSet, Node, Subgame, TreeBuilder, Walk
from oddsmith.ruleset.game import Cell, Game
from oddsmith.ruleset.observations import Happening, Observer, Occurrence, Situation, label_words, thrown_words
from oddsmith.ruleset.play import Choose, PlayedMove, by_chance, fullest_hand, played_moves
from oddsmith.ruleset.roll_tables import ListedTable, TableLine, listed, on_one_die
from oddsmith.ruleset.rules import Action, Rules, State, Step, Thrown, in_words, saying
from oddsmith.ruleset.simulation import SampleMoments, SimulationResult, simulate_together
from oddsmith.ruleset.successors import Canonical, Chances, Deriver, LeftOutCellRead, Missing, Successors, bag
from oddsmith.ruleset.transcript import TranscriptRecord, TranscriptWriter, read, replayed, verify

__all__ = [
    "ROOT",
    "Action",
    "Canonical",
    "Cell",
    "Chances",
    "Choose",
    "Deriver",
    "Game",
    "Happening",
    "InformationSet",
    "LeftOutCellRead",
    "ListedTable",
    "Missing",
    "Node",
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
    "bag",
    "bind",
    "bundle",
    "by_chance",
    "canonical",
    "check_hand",
    "fullest_hand",
    "game_at",
    "in_words",
    "label_words",
    "listed",
    "on_one_die",
    "plain_data",
    "played_moves",
    "read",
    "replayed",
    "saying",
    "sha256",
    "simulate_together",
    "thrown_words",
    "tree_data",
    "verify",
    "with_loaded_dice",
]
