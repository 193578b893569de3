"""Games with hidden information or simultaneous choices, solved in extensive form.

Begin with ``solve_secrets``. ``ruleset`` follows what every seat observes, and divides the game into subgames that
begin where the position is common knowledge. ``sequence_form`` and ``solve_matrix_game`` solve a subgame: floats propose
plans, and fractions verify them. ``solver`` combines the subgames. ``played`` follows play by the plans of both seats,
and ``measure`` answers questions about that play. ``known`` puts into words what a seat has observed.
"""

from oddsmith.solve.extensive.known import (
    common_knowledge_wordings,
    known_fact_texts,
    learned_fact_texts,
    observed_facts,
)
from oddsmith.solve.extensive.measure import (
    answer_all_measures,
    answer_measure,
    expected_turns_and_rolls,
    mean_behind_deviation,
)
from oddsmith.solve.extensive.played import PlayedPlans, to_best_play
from oddsmith.solve.extensive.sampled import simulate_plans
from oddsmith.solve.extensive.sequence_form import SubgameEquilibrium
from oddsmith.solve.extensive.solver import (
    Decision,
    PlannedChoice,
    SeatPlan,
    SecretSolution,
    UnfinishedPlay,
    solve_secrets,
)
from oddsmith.solve.extensive.traced import TracedStep, trace_play

__all__ = [
    "Decision",
    "PlannedChoice",
    "PlayedPlans",
    "SeatPlan",
    "SecretSolution",
    "SubgameEquilibrium",
    "TracedStep",
    "UnfinishedPlay",
    "answer_all_measures",
    "answer_measure",
    "common_knowledge_wordings",
    "expected_turns_and_rolls",
    "known_fact_texts",
    "learned_fact_texts",
    "mean_behind_deviation",
    "observed_facts",
    "simulate_plans",
    "solve_secrets",
    "to_best_play",
    "trace_play",
]
