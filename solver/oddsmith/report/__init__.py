"""Answers as data: verdicts on claims, facts, tables and rules of thumb. Nothing here writes text for a page."""
