"""What all packages use: errors, exact numbers, distributions, dice, files, limits, and differences between systems.

Import from each module here directly.
"""
