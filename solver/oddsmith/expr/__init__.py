"""Expressions: text to typed tree, proved ranges, and two ways to evaluate one tree (one state, whole columns)."""
