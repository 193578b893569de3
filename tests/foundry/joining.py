"""The scripts of modules as they stand, and joined as ``make bundle`` joins them."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from oddsmith.api.modules import bundle_header_line, rolls_header_line
from oddsmith.base.files import folder_files
from oddsmith.base.resources import licence_bytes
from oddsmith.tabletops.foundry.module import games_module_shared_files
from tests.node import NODE, ROOT, missing

SITE = ROOT / "site"
BUNDLER = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"


@cache
def plain() -> dict[str, bytes]:
    """What modules share where nothing was joined."""
    return with_bundle(b"")


def with_bundle(bundle: bytes) -> dict[str, bytes]:
    """What modules share with a bundle beside the scripts."""
    return games_module_shared_files(
        folder_files(SITE / "foundry"), folder_files(SITE / "runtime"), licence_bytes(), bundle
    )


@cache
def bundled() -> bytes:
    """The bundle of modules, by the options that the Makefile has."""
    return joined("site/foundry/main.mjs", bundle_header_line())


def joined(entry: str, head: str) -> bytes:
    """Scripts joined to one, by the options that the Makefile has."""
    return _esbuild(entry, head)


def joined_rolls() -> dict[str, bytes]:
    """The scripts that answer any roll, joined to a few by the options that the Makefile has."""
    with TemporaryDirectory() as folder:
        _esbuild("site/rolls/answer.mjs", rolls_header_line(), f"--outdir={folder}")
        return folder_files(Path(folder))


def _esbuild(entry: str, head: str, *more: str) -> bytes:
    if not BUNDLER.is_file():
        missing("esbuild is not installed: run `make bundle`")
    recipe = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    found = re.search(rf"esbuild/bin/esbuild ({re.escape(entry)} .*?) --banner:js=\S+.*? --out(?:file|dir)=", recipe)
    assert found
    done = subprocess.run(
        [NODE, BUNDLER, *found[1].split(), f"--banner:js={head}", *more], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return done.stdout
