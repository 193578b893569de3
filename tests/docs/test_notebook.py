"""The notebook runs from the top, shows what its text promises, and holds no outputs of somebody's machine.

Its cells run in one namespace, as a kernel would run them, and what a cell ends in is asked to show itself.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.docs.blocks import ROOT
from tests.docs.test_prose import faults

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
RICH = ("_repr_html_", "_repr_png_")
KEYS = {
    "markdown": {"cell_type", "id", "metadata", "source"},
    "code": {"cell_type", "execution_count", "id", "metadata", "outputs", "source"},
}


@cache
def notebook(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def cells(path: Path, kind: str) -> list[tuple[str, str]]:
    """The id and the text of all cells of a kind."""
    return [(cell["id"], "".join(cell["source"])) for cell in notebook(path)["cells"] if cell["cell_type"] == kind]


def shown(path: Path) -> dict[str, Any]:
    """What each cell of code ends in, by the cell's id, after all cells before it have run."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = {}
    for name, text in cells(path, "code"):
        tree = ast.parse(text, f"{path.name}:{name}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}:{name}", "exec"), names)  # noqa: S102 - our own notebook
        if isinstance(last, ast.Expr):
            found[name] = eval(compile(ast.Expression(last.value), f"{path.name}:{name}", "eval"), names)  # noqa: S307
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_itself(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas", reason="pandas makes the frames: make setup")
    monkeypatch.chdir(tmp_path)
    found = shown(path)
    assert len(found) > 8
    for name, thing in found.items():
        assert any(way() for way in (getattr(thing, rich, None) for rich in RICH) if way) or repr(thing), name
        assert type(thing).__module__ == "builtins" or any(hasattr(thing, rich) for rich in RICH), name
    assert {type(thing).__name__ for thing in found.values()} >= {
        "Values",
        "Actions",
        "Outline",
        "Difference",
        "Picture",
    }
    assert [each.option for each in found["dead"]] == ["Come up"]
    assert 0 < found["close"] < 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_the_form_of_nbformat_4_5_and_no_outputs(path: Path) -> None:
    data = notebook(path)
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    assert set(data) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    ids = [cell["id"] for cell in data["cells"]]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in ids)
    for cell in data["cells"]:
        assert set(cell) == KEYS[cell["cell_type"]]
        assert cell["metadata"] == {}
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_words_are_those_of_pages(path: Path) -> None:
    for name, text in cells(path, "markdown"):
        assert list(faults(f"{path.name}:{name}", text)) == []


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
