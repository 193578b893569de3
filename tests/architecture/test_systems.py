"""What a system lacks stops nobody: one module asks on which system it runs, and texts are read and written as UTF-8."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.test_layers import ROOT, named_in, trees

KNOWS = "oddsmith.base.systems"
# What Windows has nothing of.
MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
NAMES = {
    "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "SIGHUP", "SIGKILL", "chown", "fchmod", "fork", "geteuid", "getpgid", "getuid",
    "killpg", "mkfifo", "platform", "setsid", "sysconf",
}  # fmt: skip
TEXTS = {"read_text", "write_text"}


def asked(tree: ast.AST) -> Iterator[str]:
    """What a module names that some systems have and others lack."""
    for base, name, _ in named_in(tree):
        yield from {base, name} & MODULES
        yield from {name} & NAMES if base in ("os", "signal", "sys") else ()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("os", "signal", "sys")
        ):
            yield from {node.attr} & NAMES


def test_one_module_asks_for_the_system() -> None:
    found = {name for name, tree in trees().items() if any(asked(tree))}
    assert found == {KNOWS}


def test_texts_are_utf_8_on_every_system() -> None:
    """Windows would take its own letters, where nothing is said. What pip laid down it knows how to read."""
    wrong = {
        name
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TEXTS and not _says_utf_8(node)
    }
    assert wrong == {"oddsmith.base.resources"}


def _says_utf_8(call: ast.Call) -> bool:
    return any(
        isinstance(given, ast.Constant) and given.value == "utf-8"
        for given in (*call.args, *(word.value for word in call.keywords))
    )


def test_files_of_the_repository_have_names_that_every_system_takes() -> None:
    names = [
        path for folder in ("solver", "rulesets", "schemas", "site", "docs") for path in (ROOT / folder).rglob("*")
    ]
    taken = re.compile(r'[<>:"|?*\\]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
    assert [path for path in names if taken.search(path.name)] == []
    assert len({str(path).lower() for path in names}) == len(names)
