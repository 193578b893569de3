"""Writes what is told of every wrong example: ``python -m tests.ruleset.write``. Read the change before it is committed."""

from __future__ import annotations

from tests.ruleset.test_bad_input import GOLDEN, golden

if __name__ == "__main__":
    for name, path in GOLDEN.items():
        path.write_text(golden(name), "utf-8")
