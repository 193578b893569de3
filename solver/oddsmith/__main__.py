"""``python -m oddsmith``."""

from __future__ import annotations

from oddsmith.cli import main

if __name__ == "__main__":
    main()
