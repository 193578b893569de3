"""A solution as a file: a certificate that others can check, and tables in CSV, JSON, Parquet and Storm's format."""

from oddsmith.report.files.certificate import certificate
from oddsmith.report.files.decision_table import decision_table
from oddsmith.report.files.export import Table, arrow, csv_bytes, csv_parts, json_bytes, parquet_bytes, storm
from oddsmith.report.files.plays import BYTES, PLAYS, moved, proven
from oddsmith.report.files.staged_certificate import refuse_few, staged_certificate

__all__ = [
    "BYTES",
    "PLAYS",
    "Table",
    "arrow",
    "certificate",
    "csv_bytes",
    "csv_parts",
    "decision_table",
    "json_bytes",
    "moved",
    "parquet_bytes",
    "proven",
    "refuse_few",
    "staged_certificate",
    "storm",
]
