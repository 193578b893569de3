"""The pictures of the README: ``python -m tests.browser.pictures`` takes them anew, of what this checkout makes.

Two are of the built site. A table of the Foundry module stands on the page that its tests play on. The cells of a notebook are
those of the shipped one, run from the top. Look at the pictures before you commit them.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from html import escape
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl

import oddsmith
from oddsmith.api.site import ruleset_about_one_setting
from oddsmith.report.answers import answers_of
from oddsmith.ruleset.model import Setting
from tests.browser.conftest import served
from tests.chromium import ROOT, SITE
from tests.docs.test_notebook import NOTEBOOKS, cells, shown
from tests.foundry.windows import pages, use
from tests.node import answers

FOLDER = ROOT / "docs" / "images"
HERE = Path(__file__).parent

CELLS = ("solved.advise(held=8)", "turns.plot()")
"""The cells of the notebook that are shown, by their last lines."""
PAGE = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Notebook</title>
<style>
  @font-face { font-family: Code; src: url(code.ttf); }
  body { background: #fff; color: #1f1f1f; font: 14px/1.5 "Open Sans", sans-serif; margin: 0; padding: 14px; }
  section { display: grid; grid-template-columns: 4.6rem 1fr; margin-bottom: 10px; }
  section > * { padding: 7px 10px; }
  b { color: #5b6b7c; font: 12.5px/1.6 Code; white-space: pre; }
  pre { background: #f4f5f7; border: 1px solid #dadde1; font: 12.5px/1.6 Code; margin: 0; }
  table { border-collapse: collapse; font-size: 13px; }
  td, th { padding: 4px 12px; text-align: left; }
  tr:nth-child(even) { background: #f4f5f7; }
  img { max-width: 100%; }
</style>
<body>
"""
CELL = "<section><b>In [{place}]:</b><pre>{code}</pre><b>Out[{place}]:</b><div>{seen}</div></section>\n"


def site() -> None:
    """A page on a phone, and the map of a decision with what it says of the cell that the mouse points at."""
    page = "games/rogues-gambit/"
    phone = {"width": 390, "from": ".md-header", "to": ".od-facts > :nth-child(3)"}
    chart = "details[open] figure[data-od-map]"
    with served(SITE) as base:
        take(
            {"url": base + page, "path": "page.webp", **phone},
            {
                "url": base + page,
                "path": "map.webp",
                "width": 540,
                "from": chart,
                "pad": 10,
                "point": f"{chart} .od-box",
            },
        )


def table() -> None:
    """A table of the Foundry module in the middle of a game, with the advisor open."""
    game = answers_of(ruleset_about_one_setting(oddsmith.load("rogues-gambit").ruleset, Setting(3, "coins")))
    job = {
        "game": "rogues-gambit", "names": ["Keeper", "Odo", "Bess"], "press": ["Rogue's Gambit"], "width": 450,
        "path": str(FOLDER / "foundry.webp"), "from": ".window-header", "to": ".od-advice", "pad": 1,
    }  # fmt: skip
    with TemporaryDirectory() as folder, pages(Path(folder), {"tavern": [game]}) as base:
        found = use(base, "picture table", "user=gm&away=ann&seed=3", **job)
    print(f"foundry.webp: {found['bytes']:,} bytes")


def notebook() -> None:
    """Two cells of the notebook, with what they show."""
    (path,) = NOTEBOOKS
    found = shown(path)
    text = PAGE
    for place, (name, code) in enumerate(cells(path, "code"), 1):
        if code.rstrip().endswith(CELLS):
            text += CELL.format(place=place, code=escape(code.rstrip()), seen=seen(found[name]))
    with TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text(text, "utf-8")
        copy(Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSansMono.ttf", Path(folder) / "code.ttf")
        with served(Path(folder)) as base:
            take({"url": base, "path": "notebook.webp", "width": 640})


def seen(thing: Any) -> str:
    """What a notebook shows of a thing."""
    if hasattr(thing, "_repr_png_"):
        return f'<img src="data:image/png;base64,{b64encode(thing._repr_png_()).decode()}" alt="">'
    return str(thing._repr_html_())


def take(*jobs: dict[str, Any]) -> None:
    """Pictures as pictures.mjs takes them, in the folder of the README's pictures."""
    placed = [job | {"path": str(FOLDER / job["path"])} for job in jobs]
    for found in answers(HERE / "pictures.mjs", *placed):
        print(f"{Path(found['path']).name}: {found['bytes']:,} bytes")


def main() -> None:
    """All pictures."""
    if not (SITE / "index.html").exists():
        sys.exit("build/site is missing: run `make site`")
    FOLDER.mkdir(exist_ok=True)
    site()
    table()
    notebook()


if __name__ == "__main__":
    main()
