"""Packs the text of a ruleset for a reader: as a module for Foundry, or as a project for a repository."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oddsmith.api import game_module_options, module_scripts
from oddsmith.base.errors import OddsmithError, RulesetError
from oddsmith.base.files import zip_archive
from oddsmith.base.resources import site_workflow_bytes
from oddsmith.browser.checked import FILE
from oddsmith.design import Message
from oddsmith.publish.markup import esc
from oddsmith.publish.pages import how_to_play_html, source_html
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.reading import read_ruleset, source_from_bytes

if TYPE_CHECKING:
    from oddsmith.report.answers import RulesetAnswers


WORKFLOW = ".github/workflows/shelf.yml"


AnswerFunction = Callable[[Ruleset], "RulesetAnswers"]
"""A function that returns the answers of a solved ruleset."""


def ruleset_archive(kind: str, text: str, compute_answers: AnswerFunction | None = None) -> tuple[Message, bytes]:
    """Make a zip archive from the text of a ruleset. Return a message and the bytes of the archive.

    The message has the ``name`` of the archive. If there is none, it has the reason (``failed``), and the bytes are
    empty. ``kind``: ``foundry`` for a module, or ``project`` for a repository. ``compute_answers``: returns the answers
    of the ruleset for a module; if it is None, the module has only the rules.
    """
    try:
        ruleset, _ = read_ruleset(source_from_bytes(text.encode("utf-8", "replace"), FILE))
        name, files = foundry_module_files(ruleset, compute_answers) if kind == "foundry" else project_files(ruleset)
    except RulesetError:
        return {"failed": "The ruleset has errors, which are told below it. Mend them first."}, b""
    except OddsmithError as error:
        return {"failed": str(error)}, b""
    return {"name": f"{name}.zip"}, zip_archive(files)


def foundry_module_files(ruleset: Ruleset, compute_answers: AnswerFunction | None) -> tuple[str, dict[str, bytes]]:
    """Return the id of a module for Foundry, and its files by path. ``compute_answers``: as for ``ruleset_archive``.

    Raises UnplayableError if the game cannot be played at a table.
    """
    from oddsmith.tabletops.foundry import build_games_module, unsolved_game_content

    options = game_module_options([ruleset], {})
    if compute_answers is None:
        content = unsolved_game_content(ruleset)
    else:
        from oddsmith.tabletops.foundry import solved_game_content  # which takes arrays

        content = solved_game_content(compute_answers(ruleset))
    return options.id, build_games_module([content], options, module_scripts())


def project_files(ruleset: Ruleset) -> tuple[str, dict[str, bytes]]:
    """Return the id of a game, and the files of a repository for it by path: the ruleset, its rules in words, a README,
    and a workflow that builds a site.
    """
    home = f"games/{ruleset.id}"
    files = {
        f"{home}.yaml": ruleset.source.text.encode(),
        f"{home}.md": _rules_markdown(ruleset),
        "README.md": _README.format(title=esc(ruleset.title), home=home).encode(),
        WORKFLOW: site_workflow_bytes(),
    }
    return ruleset.id, files


def _rules_markdown(ruleset: Ruleset) -> bytes:
    """Return the rules in words, as the Markdown source of a page."""
    source = ruleset.data.get("source")
    parts = [*how_to_play_html(bind(ruleset)), *([source_html(source)] if source else [])]
    return ("\n\n".join([f"# {esc(ruleset.title)}", *parts]) + "\n").encode()


_README = """\
# {title}

A dice game for Oddsmith, which finds exact odds and best play, and proves them.

| File | What it is |
|---|---|
| `{home}.yaml` | the rules, for you to change |
| `{home}.md` | the same rules in words |
| `.github/workflows/shelf.yml` | builds a site of all rulesets in `games` whenever one changes |

```sh
pip install 'oddsmith[serve,site]'
oddsmith check games/*.yaml
oddsmith serve {home}.yaml
oddsmith publish games/*.yaml -o shelf
```

`check` finds mistakes. `serve` shows values and best play while you write. `publish` makes a site, with odds, that opens by
double-click: `shelf/site/index.html`.
"""
