"""One SHA-256 over everything that is made of a commit: `make digest`, or `python -m tests.reproducible FOLDER [FILE ...]`.

Makes wheel and sdist in the folder, and for each FILE (a ruleset; some shipped ones if none is named) its page, its module for
Foundry, its certificate and its export. With files named, it makes no wheel and sdist. Prints a digest for each part, for the
built site if there is one, and one over all.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path

from oddsmith.base.files import folder_files
from oddsmith.cli import cli

SITE = Path("build/site")
SHIPPED = ("piglet", "craps", "shut-the-box")


def digest(files: dict[str, bytes]) -> str:
    """One SHA-256 over the lines that `sha256sum` prints for files, sorted by path."""
    lines = [f"{sha256(data).hexdigest()}  ./{path}\n" for path, data in sorted(files.items())]
    return sha256("".join(lines).encode()).hexdigest()


def make(folder: Path, rulesets: list[str]) -> None:
    """Make everything of some rulesets in a folder."""
    for name in rulesets:
        into = folder / Path(name).stem
        into.mkdir(parents=True)
        for words in (
            ["publish", name, "-o", f"{into}/pages"],
            ["foundry", name, "-o", f"{into}/foundry"],
            ["solve", name, "--certificate", f"{into}/certificate.jsonl.gz"],
            ["export", name, "-o", f"{into}/game.drn"],
        ):
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                cli.main(words, standalone_mode=False)


def main(folder: Path, rulesets: list[str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if not rulesets:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-d", str(folder / "dist")], check=True, stdout=sys.stderr
        )
    make(folder, rulesets or list(SHIPPED))
    parts = {part.name: folder_files(part) for part in sorted(folder.iterdir())}
    if SITE.exists() and not rulesets:
        parts["site"] = folder_files(SITE)
    for name, files in parts.items():
        print(f"{digest(files)}  {name}, {len(files)} files")
    print(
        f"{digest({f'{name}/{path}': data for name, files in parts.items() for path, data in files.items()})}  everything"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
