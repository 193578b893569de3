"""What to do as a short list that one can read at the table, where no single number tells it: searched for, valued exactly.

``decision_lists`` finds a list for every choice of a solved game. Its lines are lines of a policy in the ruleset's own
language, so that the list can be named there and played by.
"""

from oddsmith.report.lists.lists import DecisionList, Lists, decision_lists

__all__ = ["DecisionList", "Lists", "decision_lists"]
