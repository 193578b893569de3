"""What can follow a position, by the one-state rules, whatever the cells hold that its state leaves out.

Explored graphs are held against this by sample, certificates state by state.
"""
