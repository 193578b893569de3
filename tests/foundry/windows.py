"""Modules on a page in a real browser, and scenes that people play there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from oddsmith.base.files import write_folder_files
from oddsmith.report.answers.accounts import RulesetAnswers
from oddsmith.tabletops.foundry.documents import GameContent
from oddsmith.tabletops.foundry.manifest import ModuleOptions
from oddsmith.tabletops.foundry.module import build_games_module
from oddsmith.tabletops.foundry.odds import solved_game_content
from tests.browser.conftest import served
from tests.chromium import ROOT
from tests.foundry.joining import plain
from tests.node import answers, picture

HERE = Path(__file__).parent
THEMES = ["light", "dark"]
"""For scenes that are looked at in both."""


@contextmanager
def pages(
    folder: Path,
    modules: Mapping[str, Sequence[RulesetAnswers | GameContent]],
    scripts: Mapping[str, bytes] | None = None,
) -> Iterator[str]:
    """The address of a page beside modules, by id. ``scripts``: what they share, if not each script as it stands."""
    found = {
        f"modules/{name}/{path}": data
        for name, games in modules.items()
        for path, data in build_games_module(
            [each if isinstance(each, GameContent) else solved_game_content(each) for each in games],
            ModuleOptions(name, f"{name.title()} games"),
            scripts or plain(),
        ).items()
    }
    for name in ("page.html", "page.mjs", "double.mjs", "chat.mjs"):
        found[f"tests/foundry/{name}"] = (HERE / name).read_bytes()
    found["tests/foundry/face.svg"] = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 16"><path d="M0 0h8v16z"/></svg>'
    )
    for script in (ROOT / "site" / "runtime").rglob("*.mjs"):
        found[script.relative_to(ROOT).as_posix()] = script.read_bytes()  # for the double
    write_folder_files(folder, found)
    with served(folder) as address:
        yield address


def use(base: str, scene: str, query: str, **job: Any) -> Any:
    """What a scene shows ("making doors": doors of making.mjs; else of view.mjs).

    In none may anything break, be out of reach or run out of the page.
    """
    script, _, name = scene.rpartition(" ")
    job = {"base": base, "scene": name, "query": query, **picture(f"foundry-{scene.replace(' ', '-')}"), **job}
    (found,) = answers(HERE / f"{script or 'view'}.mjs", job, timeout=600)
    assert found["errors"] == [], found["errors"]
    assert found["missing"] == []
    assert found["serious"] == []
    assert found["wide"] <= 0
    assert found["document"] == "Table"
    return found
