"""Write the golden texts anew: ``python -m tests.ruleset.bad.write``. Read what changed."""

from __future__ import annotations

from tests.ruleset.test_bad_input import GOLDEN, golden


def main() -> None:
    """Write every golden file."""
    for name, path in GOLDEN.items():
        path.write_text(golden(name), encoding="utf-8")


if __name__ == "__main__":
    main()
