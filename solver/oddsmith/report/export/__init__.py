"""Writes a solution to a file: as a certificate that others can check, or as a table in CSV, JSON, Parquet or Storm's
format.
"""

from oddsmith.report.export.certificates import certificate, refuse_few_digits, staged_certificate
from oddsmith.report.export.plans import (
    DECISION_COLUMNS,
    decision_lines,
    decisions_csv,
    decisions_parquet,
    plan_certificate,
)
from oddsmith.report.export.plays import MAX_PLAYS_BYTES, PLAYS_PER_SETTING, played_transcript
from oddsmith.report.export.tables import (
    StateTable,
    csv_bytes,
    csv_parts,
    import_pyarrow,
    json_bytes,
    parquet_bytes,
    storm_files,
)
from oddsmith.report.export.trees import tree_efg

__all__ = [
    "DECISION_COLUMNS",
    "MAX_PLAYS_BYTES",
    "PLAYS_PER_SETTING",
    "StateTable",
    "certificate",
    "csv_bytes",
    "csv_parts",
    "decision_lines",
    "decisions_csv",
    "decisions_parquet",
    "import_pyarrow",
    "json_bytes",
    "parquet_bytes",
    "plan_certificate",
    "played_transcript",
    "refuse_few_digits",
    "staged_certificate",
    "storm_files",
    "tree_efg",
]
