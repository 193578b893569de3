"""``oddsmith lsp``: help for an editor while somebody types."""

from __future__ import annotations

import os

import click

from oddsmith.base.errors import InputError
from oddsmith.base.resources import missing_extra_text


@click.command()
def lsp() -> int:
    """Help an editor: it starts this command, and talks with it by the Language Server Protocol.

    The editor then shows problems while you type, completes and explains keys and names, goes to where a name is defined,
    and renames it everywhere. Above each phase stands what best play does. This needs the extra oddsmith[lsp].

    \b
    Example:
      oddsmith lsp
    """
    try:
        from oddsmith.editor import serve_editor
    except ModuleNotFoundError:
        raise InputError(missing_extra_text("`lsp`", "lsp")) from None
    # Copies, because whoever says goodbye closes them, and what is printed by accident must not reach the editor.
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as answered:
        os.dup2(2, 1)
        serve_editor(asked, answered)
    return 0
