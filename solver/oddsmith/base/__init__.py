"""The foundations of every room: errors, exact numbers, distributions, dice, files, limits, and differences between
systems.

Each module here is its own face: take from it directly.
"""
