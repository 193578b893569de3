"""What every room stands on: errors, exact numbers, distributions, dice, files, limits, and what differs between systems.

Each module here is its own face: take from it directly.
"""
