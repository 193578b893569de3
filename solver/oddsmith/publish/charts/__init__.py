"""Charts of a game's page, as pictures within it that need no script."""
