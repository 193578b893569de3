"""The rules of games, and play by these rules.

``model`` holds the rules as frozen records. ``bind`` makes a ``Game``: a ruleset with a number of seats and parameter
values. ``Rules`` plays it from one ``State`` to the next, and defines what the rules mean; ``played_moves`` plays a
whole game. ``bundle`` and ``sha256`` return the rules in the form that other programs read, and its hash. A transcript
records the moves of one game. ``Observer`` finds the possible moves in a position, and what each seat learns by them;
``TreeBuilder`` makes games in extensive form from these. ``roll_tables`` returns the tables to roll on, whose chances
are known without solving. The subpackage ``reading`` makes a ruleset from YAML, and ``checking`` finds its mistakes
without playing.
"""

from oddsmith.ruleset.binding import bind, with_loaded_dice
from oddsmith.ruleset.bundle import bundle, canonical_bytes, expression_data, plain_data, sha256
from oddsmith.ruleset.effects import check_hand
from oddsmith.ruleset.extensive_form import (
    ROOT,
    IndexedMove,
    InformationSet,
    Node,
    Subgame,
    SubgameTraversal,
    TreeBuilder,
)
from oddsmith.ruleset.foresight import joint_landing_distributions
from oddsmith.ruleset.game import Cell, Game
from oddsmith.ruleset.moves_in_words import (
    call_adding_move_to_error,
    chance_in_words,
    choice_in_words,
    simultaneous_choices_in_words,
)
from oddsmith.ruleset.observations import (
    CountedEvents,
    ObservedMove,
    ObservedPosition,
    Observer,
    PossibleMoves,
    SeatKnowledge,
    index_of_chance_move,
    label_in_words,
    results_in_words,
)
from oddsmith.ruleset.play import Choose, PlayedMove, faces_of_fullest_hand, played_moves, random_result_picker
from oddsmith.ruleset.roll_tables import BoundRollTable, BoundTableRow, roll_tables, table_for_one_die
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State, Step, compile_words, option_in_words
from oddsmith.ruleset.simulation import MAX_MOVES, GameSums, SampleMoments, SimulationResult, simulate_games_in_lockstep
from oddsmith.ruleset.successors import (
    CanonicalForm,
    Landing,
    LandingDistribution,
    LeftOutCellRead,
    MissingStateReached,
    SuccessorDeriver,
    Successors,
    distributions_as_multiset,
)
from oddsmith.ruleset.transcript import (
    TranscriptRecord,
    TranscriptWriter,
    read_transcript,
    replay_transcript,
    verify_transcript,
)

__all__ = [
    "MAX_MOVES",
    "ROOT",
    "Action",
    "BoundRollTable",
    "BoundTableRow",
    "CanonicalForm",
    "Cell",
    "ChanceResult",
    "Choose",
    "CountedEvents",
    "Game",
    "GameSums",
    "IndexedMove",
    "InformationSet",
    "Landing",
    "LandingDistribution",
    "LeftOutCellRead",
    "MissingStateReached",
    "Node",
    "ObservedMove",
    "ObservedPosition",
    "Observer",
    "PlayedMove",
    "PossibleMoves",
    "Rules",
    "SampleMoments",
    "SeatKnowledge",
    "SimulationResult",
    "State",
    "Step",
    "Subgame",
    "SubgameTraversal",
    "SuccessorDeriver",
    "Successors",
    "TranscriptRecord",
    "TranscriptWriter",
    "TreeBuilder",
    "bind",
    "bundle",
    "call_adding_move_to_error",
    "canonical_bytes",
    "chance_in_words",
    "check_hand",
    "choice_in_words",
    "compile_words",
    "distributions_as_multiset",
    "expression_data",
    "faces_of_fullest_hand",
    "index_of_chance_move",
    "joint_landing_distributions",
    "label_in_words",
    "option_in_words",
    "plain_data",
    "played_moves",
    "random_result_picker",
    "read_transcript",
    "replay_transcript",
    "results_in_words",
    "roll_tables",
    "sha256",
    "simulate_games_in_lockstep",
    "simultaneous_choices_in_words",
    "table_for_one_die",
    "verify_transcript",
    "with_loaded_dice",
]
