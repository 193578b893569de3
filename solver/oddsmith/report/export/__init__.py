"""A solution as a file: a certificate that others can check, and tables in CSV, JSON, Parquet and Storm's format."""

from oddsmith.report.export.certificates import certificate, refuse_few, staged_certificate
from oddsmith.report.export.plays import BYTES, PLAYS, moved
from oddsmith.report.export.tables import Table, arrow, csv_bytes, csv_parts, json_bytes, parquet_bytes, storm

__all__ = [
    "BYTES",
    "PLAYS",
    "Table",
    "arrow",
    "certificate",
    "csv_bytes",
    "csv_parts",
    "json_bytes",
    "moved",
    "parquet_bytes",
    "refuse_few",
    "staged_certificate",
    "storm",
]
