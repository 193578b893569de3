"""What is asked of a game after its stages are solved: play is followed along the policy, from one stage to the next.

``parts`` follows it, ``counting`` answers the ruleset's questions backward, and ``spreading`` puts it together as one chain.
Where a turn is the same on every sheet, chances flow from sheet to sheet instead: ``turning``, ``flowing``, ``sheets``.
"""

from oddsmith.solve.stages.along.counting import measures
from oddsmith.solve.stages.along.spreading import best_play

__all__ = ["best_play", "measures"]
