"""Games larger than memory, as programs ask about them: solved by stages, and followed along best play afterwards."""

from oddsmith.library.large.commands import stages_command, stages_instead
from oddsmith.library.large.staged import StagedGame, refuse_words

__all__ = ["StagedGame", "refuse_words", "stages_command", "stages_instead"]
