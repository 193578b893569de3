"""A solution as a file: a certificate that others can check, and tables in CSV, JSON, Parquet and Storm's format."""

from oddsmith.report.files.certificate import certificate
from oddsmith.report.files.export import Table, arrow, csv_bytes, json_bytes, parquet_bytes, spreadsheet_text, storm

__all__ = ["Table", "arrow", "certificate", "csv_bytes", "json_bytes", "parquet_bytes", "spreadsheet_text", "storm"]
