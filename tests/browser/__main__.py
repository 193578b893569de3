"""Screenshots of every page of the built site: ``python -m tests.browser`` leaves them in build/shots."""

from __future__ import annotations

import sys

from tests.browser.conftest import every_page, look_at, served
from tests.chromium import ROOT, SITE

FOLDER = ROOT / "build" / "shots" / "pages"


def main() -> None:
    """Each page on a phone and a desktop, light and dark, and printed."""
    if not (SITE / "index.html").exists():
        sys.exit("build/site is missing: run `make site`")
    with served(SITE) as base:
        for page in every_page(SITE):
            look_at(base, [page], scripts=[True], axe=False, shots=str(FOLDER))


if __name__ == "__main__":
    main()
