"""The scripts of modules as they stand, and joined to one as ``make bundle`` joins them."""

from __future__ import annotations

import re
import subprocess
from functools import cache

from oddsmith.api.modules import bundle_head
from oddsmith.base.files import folder_files
from oddsmith.base.resources import licence
from oddsmith.tabletops.foundry.module import shared_files
from tests.node import NODE, ROOT, missing

SITE = ROOT / "site"
BUNDLER = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"


@cache
def plain() -> dict[str, bytes]:
    """What modules share where nothing was joined."""
    return with_bundle(b"")


def with_bundle(bundle: bytes) -> dict[str, bytes]:
    """What modules share with a bundle beside the scripts."""
    return shared_files(folder_files(SITE / "foundry"), folder_files(SITE / "runtime"), licence(), bundle)


@cache
def bundled() -> bytes:
    """The bundle of modules, by the options that the Makefile has."""
    return joined("site/foundry/main.mjs", bundle_head())


def joined(entry: str, head: str) -> bytes:
    """Scripts joined to one, by the options that the Makefile has."""
    if not BUNDLER.is_file():
        missing("esbuild is not installed: run `make bundle`")
    recipe = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    found = re.search(rf"esbuild/bin/esbuild ({re.escape(entry)} .*?) --banner:js=\S+.*? --outfile=", recipe)
    assert found
    done = subprocess.run(
        [NODE, BUNDLER, *found[1].split(), f"--banner:js={head}"], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return done.stdout
