"""What starts light: commands and pages that must not wait for libraries that they do not need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.graph.test_estimate import BOXES

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("matplotlib", "sympy", "scipy", "networkx")
ARRAYS = ("numpy", "flint", "threadpoolctl")
QUICK = (
    "rogues-gambit",
    "wizards-and-thieves",
    "burglar-and-the-dragon",
    "dragons-lair",
    "column-race",
    "shut-the-box",
)


def loaded_by(program: str, more: tuple[str, ...] = ()) -> set[str]:
    """The heavy libraries, and of the named ones those, that a fresh Python holds after running `program`."""
    # sys.modules is printed from atexit, since a command line leaves by SystemExit.
    told = (
        "import atexit, sys\n"
        f"loaded = lambda: [name for name in {HEAVY + more!r} if name in sys.modules]\n"
        "atexit.register(lambda: print('LOADED', *loaded(), file=sys.stderr))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", told + program],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT / "solver")},
    )
    last = done.stderr.strip().splitlines()[-1:]
    assert done.returncode == 0, done.stdout + done.stderr
    word, *names = last[0].split() if last else [""]
    assert word == "LOADED", done.stderr
    return set(names)


def test_the_probe_for_heavy_libraries_sees_them() -> None:
    assert loaded_by("import networkx") >= {"networkx"}


def test_the_command_line_starts_light() -> None:
    assert loaded_by("import oddsmith.cli") == set()


def test_check_stays_light() -> None:
    """`check` is run on every save, so it must not wait for the mathematics to load."""
    rulesets = [str(ROOT / "rulesets" / f"{name}.yaml") for name in QUICK]
    program = f"sys.argv[1:] = ['check', *{rulesets!r}]\nfrom oddsmith.cli import main\nsys.exit(main())"
    assert loaded_by(program) == set()


def test_a_ruleset_is_read_told_and_looked_at_without_arrays() -> None:
    """What checks a ruleset in a browser has an interpreter and pure packages, and no more."""
    program = (
        "import oddsmith.report.english, oddsmith.ruleset.reading as r, oddsmith.base.files as f\n"
        "from oddsmith.ruleset import bind\n"
        "rules, _ = r.load_ruleset(f.find_ruleset('piglet'))\n"
        "oddsmith.report.english.rules_in_words(bind(rules))\n"
        "import oddsmith.browser as p\n"
        "assert [part for part in p.check_messages(rules.source.text)][-1]['whole']\n"
    )
    assert loaded_by(program, ARRAYS) == set()


def test_a_module_of_rules_alone_is_made_without_arrays() -> None:
    """The same, for what a browser makes of a game that was not solved."""
    program = (
        "import oddsmith.browser, oddsmith.tabletops.foundry as t, oddsmith.api as l\n"
        "rules = l.LoadedRuleset.open('piglet').ruleset\n"
        "t.build_games_module([t.unsolved_game_content(rules)], l.game_module_options([rules], {}), l.module_scripts())\n"
    )
    assert loaded_by(program, ARRAYS) == set()


@pytest.mark.parametrize("words", ["solve piglet", "advise piglet --state row=1"])
def test_an_answer_waits_for_no_algebra_or_charts(words: str) -> None:
    assert loaded_by(f"from oddsmith.cli import main; main({words.split()!r})") == {"scipy"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("solve", 1),
        ("solve --by stages", 1),
        ("solve --effort", 1),
        ("advise --by stages --state left=90", 1),
        ("lint", 0),
        ("lint --full", 1),
        ("check --full", 1),
        ("export --format csv", 1),
    ],
)
def test_what_is_too_large_is_refused_before_the_mathematics_is_loaded(words: str, code: int, tmp_path: Path) -> None:
    """Nothing is to be solved, so nobody waits for what solves."""
    (tmp_path / "boxes.yaml").write_text(BOXES, encoding="utf-8")
    given = [*words.split(), str(tmp_path / "boxes.yaml")]
    program = (
        f"from oddsmith.cli import main\ntry: main({given!r})\nexcept SystemExit as end: assert end.code == {code}"
    )
    assert loaded_by(program) == set()
