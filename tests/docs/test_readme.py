"""What README and pages show is what happens: commands print what stands below them, Python gives what stands there.

In a ``console`` block a line with ``...`` stands for any number of lines, and ``...`` within a line for any text. A ``yaml``
block that begins with ``# name.yaml`` is a file that the commands below it find, as it was written last.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from oddsmith.cli import cli
from tests.docs.blocks import ROOT, Block, block_id, blocks, pages
from tests.terminal import run

FOUND = [block for page in pages() for block in blocks(page)]
ENVIRONMENT = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100"}


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block starts with `$ `"
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def as_pattern(output: str) -> str:
    """Printed text as a pattern: a line of dots is any lines, dots in a line any text."""
    return "".join(
        "(?:.*\n)*?" if line.strip() == "..." else ".*?".join(map(re.escape, line.rstrip().split("..."))) + " *\n"
        for line in output.rstrip("\n").split("\n")
    )


@pytest.mark.parametrize("block", [block for block in FOUND if block.language == "console"], ids=block_id)
def test_commands_print_what_is_shown(block: Block, tmp_path: Path) -> None:
    for other in FOUND:
        named = re.match(r"# (\w+\.yaml)\n", other.text)
        if named and other.page == block.page and other.language == "yaml" and other.line < block.line:
            (tmp_path / named[1]).write_text(other.text, encoding="utf-8")
    for command, output in commands(block.text):
        name, *arguments = shlex.split(command)
        assert name == "oddsmith"
        done = run(*arguments, cwd=tmp_path, **ENVIRONMENT)
        assert done.returncode in (0, 1), done.stderr
        printed = done.stdout + done.stderr
        if not output.strip():
            continue
        assert re.fullmatch(as_pattern(output), printed if printed.endswith("\n") else printed + "\n"), (
            f"{block}: `{command}` prints\n{printed}"
        )


@pytest.mark.parametrize("block", [block for block in FOUND if block.language == "python"], ids=block_id)
def test_python_gives_what_is_shown(block: Block) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(block.page), block.line)
    assert test.examples, f"{block}: a python block is a session with >>>"
    told: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not failed, "".join(told)


def test_there_is_something_to_run() -> None:
    assert {block.language for block in FOUND if block.page.name == "README.md"} >= {"console", "python", "sh"}


# --- its pictures


def test_every_picture_is_there_is_small_and_is_told_in_words() -> None:
    """``make pictures`` takes them anew."""
    shown = re.findall(r'<img src="([^"]+)" alt="([^"]*)">', (ROOT / "README.md").read_text("utf-8"))
    assert {path for path, _ in shown} == {f"docs/images/{file.name}" for file in (ROOT / "docs" / "images").iterdir()}
    assert shown
    for path, words in shown:
        assert (ROOT / path).stat().st_size < 80_000, path
        assert len(words.split()) > 10, path


# --- the settings that commands take


def _promised() -> dict[str, set[str]]:
    """By option, the commands that take it as the README's table of options says."""
    _, _, below = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("| Option | Commands that take it |\n|---|---|\n")
    )
    rows = [line.split("|") for line in below.partition("\n\n")[0].splitlines()]
    found: dict[str, set[str]] = {}
    for _, options, verbs, _ in rows:
        allowed = verbs.partition(";")[0]  # after it stands why a command is missing
        for option in re.findall(r"`(--[\w-]+)", options):
            found[option] = set(re.findall(r"`([^`]+)`", allowed))
    return found


WORK = ("--store", "--jobs", "--dask")


def test_a_command_takes_the_settings_that_the_readme_says_and_no_others() -> None:
    taken: dict[str, set[str]] = {}
    for name, verb in cli.commands.items():
        for each in verb.commands.values() if isinstance(verb, click.Group) else [verb]:
            for parameter in each.params:
                for option in parameter.opts:
                    taken.setdefault(option, set()).add(name)
    promised = _promised()
    work = {"--by", "--memory"}  # the others of that row mean work of their own elsewhere
    assert set(promised) == {"--seats", "--set", "--variant", "--objective", "--policy", "--json", *work, *WORK}
    wrong = [
        f"`{option}` of `{verb}`: README.md, table of options, {'promises it' if verb in verbs else 'leaves it out'}"
        for option, verbs in promised.items()
        for verb in sorted(verbs - taken[option] if option in WORK else verbs ^ taken[option])
    ]
    assert wrong == []
