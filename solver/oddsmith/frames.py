"""Tables as data frames, where a library for them is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from oddsmith.errors import ExportError

FRAMES = ("pandas", "polars")


def frame(names: Sequence[str], lines: Iterable[Sequence[Any]], kind: str | None = None) -> Any:
    """A table as a pandas or polars ``DataFrame``, whichever is installed first, else as a list of records.

    ``kind``: ``pandas``, ``polars`` or ``records``. Raises ExportError where that is none, or not installed.
    """
    if kind not in (None, "records", *FRAMES):
        raise ExportError(f"there is no table of the kind {kind}: take records, {' or '.join(FRAMES)}")
    kind = kind or next((name for name in FRAMES if find_spec(name) is not None), "records")
    if kind == "records":
        return [dict(zip(names, line, strict=True)) for line in lines]
    held = list(lines)
    columns = {name: [line[place] for line in held] for place, name in enumerate(names)}
    try:
        return import_module(kind).DataFrame(columns)
    except ImportError:
        raise ExportError(f"{kind} is not installed: pip install {kind}") from None
