"""Checking certificates without the solver, in two steps: the table of a certificate proves its values, and the rules
give the table.

Nothing here uses the solver or its exploration in columns. ``values`` needs only Python's standard library, so it also
runs alone.
"""

from oddsmith.proof.rules import (
    Derivation,
    action_data,
    canonical_steps_data,
    compare_plans_with_rules,
    compare_table_with_rules,
    is_for_secret_game,
    observed_position_data,
    position_data,
    prove_plans,
    prove_table,
    setting_data,
    start_data,
)
from oddsmith.proof.values import (
    FORMAT,
    MAX_JSON_INTEGER,
    MAX_VALUE_WIDTH,
    NEVER_ENDS,
    SECRETS_FORMAT,
    Proof,
    Row,
    Source,
    ValueTable,
)

__all__ = [
    "FORMAT",
    "MAX_JSON_INTEGER",
    "MAX_VALUE_WIDTH",
    "NEVER_ENDS",
    "SECRETS_FORMAT",
    "Derivation",
    "Proof",
    "Row",
    "Source",
    "ValueTable",
    "action_data",
    "canonical_steps_data",
    "compare_plans_with_rules",
    "compare_table_with_rules",
    "is_for_secret_game",
    "observed_position_data",
    "position_data",
    "prove_plans",
    "prove_table",
    "setting_data",
    "start_data",
]
