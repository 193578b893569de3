"""Help for editors while somebody types: problems, completion, what words mean, new names, and what the game is worth.

``start`` answers an editor by the Language Server Protocol. It needs ``pygls``, the extra
``oddsmith[lsp]``. A text is read as far as it can be (``reading``), the schema says what may stand where (``allowed``), and
``uses`` what each word names. The whole check and the solution come from a process that a newer edit ends (``background``).
"""

from oddsmith.lsp.server import start

__all__ = ["start"]
