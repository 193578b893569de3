"""Writes a solution to a file: as a certificate that others can check, or as a table in CSV, JSON, Parquet or Storm's
format.
"""

from oddsmith.report.export.certificates import certificate, refuse_few_digits, staged_certificate
from oddsmith.report.export.plans import (
    DECISION_COLUMNS,
    decision_table_rows,
    decisions_csv,
    decisions_parquet,
    plan_certificate,
)
from oddsmith.report.export.plays import MAX_PLAYS_BYTES, PLAYS_PER_SETTING, played_transcript
from oddsmith.report.export.tables import (
    StateTable,
    csv_bytes,
    csv_bytes_in_parts,
    import_pyarrow,
    json_bytes,
    parquet_bytes,
    storm_drn_bytes,
)
from oddsmith.report.export.trees import game_tree_efg

__all__ = [
    "DECISION_COLUMNS",
    "MAX_PLAYS_BYTES",
    "PLAYS_PER_SETTING",
    "StateTable",
    "certificate",
    "csv_bytes",
    "csv_bytes_in_parts",
    "decision_table_rows",
    "decisions_csv",
    "decisions_parquet",
    "game_tree_efg",
    "import_pyarrow",
    "json_bytes",
    "parquet_bytes",
    "plan_certificate",
    "played_transcript",
    "refuse_few_digits",
    "staged_certificate",
    "storm_drn_bytes",
]
