"""``python -m oddsmith``."""

from oddsmith.cli import main

if __name__ == "__main__":
    main()
