"""``make dist``: build what is released, twice, and try it as a stranger would.

The wheel must be the same bytes from the checkout and from the source archive. Both must pass twine. In an environment that has
nothing else and in a folder outside the checkout, every command must work, or must name the extra that it needs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.packaging.tries import EXTRAS, NOWHERE, PENNY, TRIES, WITH_SITE

DIST = Path("dist")


def run(*words: str | Path, cwd: Path | None = None, fails: bool = False, **more: str) -> str:
    """What a command prints. Ends the program where it fails, or where it ought to and does not."""
    free = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, words)), cwd=cwd, env=free | more, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if bool(done.returncode) != fails:
        sys.exit(f"{' '.join(map(str, words))}\nended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def build() -> Path:
    """The wheel, after all checks of it and of the source archive."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, "."
    )  # the wheel is made of the source archive
    (built,) = DIST.glob("*.whl")
    with tempfile.TemporaryDirectory() as again:
        run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", again, ".")
        if (Path(again) / built.name).read_bytes() != built.read_bytes():
            sys.exit("the wheel of the checkout is not that of the source archive: commit, or name what is left out")
    run(sys.executable, "-m", "twine", "check", "--strict", *DIST.iterdir())
    return built.resolve()


def environment(folder: Path) -> tuple[Path, Path]:
    """A new environment: its Python and its folder of commands."""
    venv.create(folder, with_pip=True)
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    return commands / "python", commands


def main() -> None:
    """Build, install, try. Prints what was tried."""
    built = build()
    print(f"{built.name} is the same bytes from the checkout and from the source archive, and its texts are sound.")
    with tempfile.TemporaryDirectory() as folder:
        python, commands = environment(Path(folder) / "environment")
        place, oddsmith = Path(folder) / "elsewhere", commands / "oddsmith"
        place.mkdir()
        shutil.copy(PENNY, place)
        run(python, "-m", "pip", "install", "--quiet", built)
        print(run(oddsmith, "--version").strip(), "is installed by itself.", flush=True)
        for extra, words in EXTRAS.items():
            if f"oddsmith[{extra}]" not in run(oddsmith, *words.split(), cwd=place, fails=True):
                sys.exit(f"without the extra {extra}, `oddsmith {words}` does not name it")
        for verb, words in TRIES.items():
            if verb not in WITH_SITE:
                run(oddsmith, *words.split(), cwd=place)
        print(f"{len(TRIES) - len(WITH_SITE)} commands work, and what needs an extra names it.", flush=True)
        run(python, "-m", "pip", "install", "--quiet", f"{built}[{','.join(EXTRAS)}]")
        for words in [*(TRIES[verb] for verb in TRIES if verb in WITH_SITE), EXTRAS["parquet"]]:
            run(oddsmith, *words.split(), cwd=place)
        if "nothing can listen" not in (said := run(oddsmith, *NOWHERE.split(), cwd=place, fails=True)):
            sys.exit(f"`oddsmith {NOWHERE}` says\n{said}")
        print(f"With the extras {', '.join(EXTRAS)}, all {len(TRIES)} commands work. See {DIST}/.")


main()
