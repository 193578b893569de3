"""What answers are in a notebook: values, actions and distributions that show themselves as tables and draw themselves."""

from oddsmith.library.notebooks.answers import Actions, Chances, Values
from oddsmith.library.notebooks.pictures import best_play, over_settings
from oddsmith.library.notebooks.thresholds import thresholds

__all__ = ["Actions", "Chances", "Values", "best_play", "over_settings", "thresholds"]
