"""Games with hidden information or simultaneous choices, solved in extensive form.

Begin with ``solve_secrets``. ``ruleset`` follows what every seat observes, and divides the game into subgames that
begin where the position is common knowledge. ``sequence_form`` and ``matrix_game`` solve a subgame: floats propose
plans, and fractions verify them. ``solver`` combines the subgames. ``played`` follows play by the plans of both seats,
and ``measure`` answers questions about that play. ``known`` puts into words what a seat has observed.
"""

from oddsmith.solve.extensive.known import (
    common_knowledge_wordings,
    known_words,
    learned_words,
    observations,
    public_cell_words,
)
from oddsmith.solve.extensive.measure import answer, expected_lengths, mean_of, measures
from oddsmith.solve.extensive.played import PlayedPlans, as_best_play
from oddsmith.solve.extensive.sampled import simulate_plans
from oddsmith.solve.extensive.sequence_form import SubgameEquilibrium
from oddsmith.solve.extensive.solver import (
    Decision,
    InPlay,
    PlannedChoice,
    SeatPlan,
    SecretSolution,
    solve_secrets,
)
from oddsmith.solve.extensive.traced import TracedStep, trace

__all__ = [
    "Decision",
    "InPlay",
    "PlannedChoice",
    "PlayedPlans",
    "SeatPlan",
    "SecretSolution",
    "SubgameEquilibrium",
    "TracedStep",
    "answer",
    "as_best_play",
    "common_knowledge_wordings",
    "expected_lengths",
    "known_words",
    "learned_words",
    "mean_of",
    "measures",
    "observations",
    "public_cell_words",
    "simulate_plans",
    "solve_secrets",
    "trace",
]
