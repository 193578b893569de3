"""Help for editors while somebody types: problems, completion, what words mean, new names, and what the game is worth.

``start`` answers an editor by the Language Server Protocol. It needs ``pygls``, the extra
``oddsmith[lsp]``. What can be said of a text at once comes from ``editing``. The whole check and the solution come from a
process that a newer edit ends (``background``).
"""

from oddsmith.lsp.server import start

__all__ = ["start"]
