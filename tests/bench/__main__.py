"""The benchmark: `make bench`, with `BENCH=--long` for large sizes too. It measures, and never passes or fails.

Every question runs in a process of its own, one after the other. Seconds depend on the machine; ratios against a peer that
answers the same question in the same run do not, or hardly. Storm takes part where stormpy is installed. What was measured
is printed as it comes, and written to docs/benchmarks.md at the end.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

from oddsmith.base.files import write_atomically
from tests.bench.profiled import STEPS as PROFILED_STEPS
from tests.bench.tavern import REPEATS

STEPS = [name for name, _, _ in PROFILED_STEPS]
GAMES = "tests/bench/games"
BURGLAR, BETTING = f"{GAMES}/burglar.yaml", f"{GAMES}/betting.yaml"
PIG, PIG_ALONE = f"{GAMES}/pig.yaml", f"{GAMES}/pig-alone.yaml"
PAGE = Path("docs/benchmarks.md")
PATIENCE = 1_200  # seconds, after which a process is stopped

# (what, request, command of a peer that answers the same, which seconds are compared)
Line = tuple[str, dict[str, Any], str, str]


def burglar(seats: int, tokens: int, **more: Any) -> dict[str, Any]:
    """A question about Burglar."""
    return {"file": BURGLAR, "seats": seats, "objective": "win", "set": {"tokens_each": tokens}, **more}


def pig(target: int, **more: Any) -> dict[str, Any]:
    """A question about Pig for two."""
    return {"file": PIG, "seats": 2, "objective": "win", "set": {"target": target}, **more}


def betting(coins: int, **more: Any) -> dict[str, Any]:
    """A question about the betting chain."""
    wanted = {"coins": coins, "first": coins // 2}
    return {"file": BETTING, "seats": 2, "objective": "win", "set": wanted, **more}


ALONE = {"file": PIG_ALONE, "seats": 1, "objective": "length", "before": {}}
GAMBIT = {"file": "rulesets/rogues-gambit.yaml", "seats": 4, "objective": "coins", "digits": 12, "before": {}}
QUICK: list[Line] = [
    ("Pig for one, exact, asked again", ALONE, "storm pig-alone 100", "seconds"),
    ("Burglar 2 x 3, exact", burglar(2, 3), "", "seconds"),
    ("Burglar 2 x 8, 12 digits", burglar(2, 8, digits=12), "storm burglar 2 8", "seconds"),
    ("Burglar 2 x 20, 12 digits", burglar(2, 20, digits=12), "storm burglar 2 20", "seconds"),
    ("Burglar 3 x 12, explored without symmetry", burglar(3, 12, only="explore", symmetry=False), "", "explore"),
    ("Burglar 3 x 12, explored", burglar(3, 12, only="explore"), "storm burglar 3 12", "explore"),
    ("Betting, 45 unknowns, exact", betting(9), "plain betting 9", "seconds"),
    ("Betting, 105 unknowns, exact", betting(15), "plain betting 15", "seconds"),
    ("Betting, 990 unknowns", betting(45), "", "seconds"),
    ("Betting, 5,050 unknowns", betting(101), "", "seconds"),
    ("Pig to 60 for two, both best, exact", pig(60), "", "seconds"),
    ("Pig to 100 for two, both best, 20 digits", pig(100, digits=20), "", "seconds"),
    ("Pig to 100 against hold at 20, 50 digits", pig(100, digits=50, policies={"2": "hold at 20"}), "", "seconds"),
    ("Rogue's Gambit for four with 24 coins each, 12 digits, after one with 25",
     {**GAMBIT, "set": {"coins_each": 24}}, "", "seconds"),
]  # fmt: skip
LONG: list[Line] = [
    ("Burglar 3 x 20, explored without symmetry", burglar(3, 20, only="explore", symmetry=False), "", "explore"),
    ("Burglar 3 x 12, 20 digits", burglar(3, 12, digits=20), "", "seconds"),
    ("Burglar 3 x 20, 12 digits", burglar(3, 20, digits=12), "", "seconds"),
]
COMMANDS = [
    "oddsmith solve rogues-gambit --seats 4 --digits 12 --values",
    "oddsmith solve pig --digits 20 --values",
    "oddsmith solve burglar-and-the-dragon --seats 2 --digits 12 --values",
    "oddsmith foundry rogues-gambit -o module",
]
LONG_COMMANDS = [
    "oddsmith solve pig --values",
    "oddsmith solve dragons-hoard --set rounds=30 --values",
    *(f"oddsmith solve rogues-gambit --objective win --digits 12 --values --seats {seats}" for seats in (2, 3)),
]
STAGED = ["royal-game-of-ur --set pieces=2", "royal-game-of-ur --set pieces=3"]
LONG_STAGED = [
    "dragons-hoard --set rounds=45 --digits 40",
    "farkle --set target=40",
]  # docs/large-games.md has larger ones
LONG_PROFILED = ["oddsmith solve burglar-and-the-dragon --seats 3 --set tokens_each=20 --digits 12 --values"]
CURVE = [(seats, tokens) for seats, tokens in ((3, 5), (3, 7), (3, 9), (3, 12))]
OPENING = {
    "ready": "From the start of the page until the module is ready",
    "list": "From a click on the button until the list is drawn, with all pictures",
    "form": "Until the form of a new table is there",
    "table": "From a click on a game until its table is there",
}
SOLVED = 10  # tokens, up to which the curve is solved as well


def measured(words: list[str], folder: Path | None = None) -> dict[str, Any]:
    """What a process took: seconds, memory in MB, and what it printed last, or why it failed."""
    started = time.perf_counter()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stop = Timer(PATIENCE, process.kill)
    stop.start()
    out, err = process.stdout.read(), process.stderr.read()  # type: ignore[union-attr]
    _, status, used = os.wait4(process.pid, 0)
    stop.cancel()
    took = {"seconds": time.perf_counter() - started, "memory": used.ru_maxrss // 1024}
    if took["seconds"] > PATIENCE:
        return {"failed": f"stopped after {PATIENCE // 60} minutes"}
    if status:
        return {"failed": (err.replace("\r", "\n").strip().splitlines() or ["no word"])[-1]}
    return {**took, "said": out}


def asked(*arguments: str) -> dict[str, Any]:
    """What a module of the benchmark printed as JSON."""
    found = measured([sys.executable, "-m", *arguments])
    return found if "failed" in found else dict(json.loads(found["said"].splitlines()[-1]))


def words(found: dict[str, Any]) -> str:
    """One answer in a line."""
    if "failed" in found or "missing" in found:
        return "not installed" if "missing" in found else found["failed"]
    parts = [f"{found.get('seconds', found.get('explore', 0.0)):.2f} s"]
    if "seconds" in found and "explore" in found:
        parts[0] += f" ({found['explore']:.2f} s of it exploring)"
    if "states" in found:
        parts.append(f"{found['states']:,} positions")
    parts.append(f"{found['memory']:,} MB")
    if "grade" in found:
        parts.append(f"{found['grade']}, {found['digits']:,} digits")
    return ", ".join(parts)


def compare(line: Line) -> str:
    """A question, and the same put to its peer: an entry of a list."""
    name, request, peer, key = line
    mine = asked("tests.bench.question", json.dumps(request))
    entry = f"- **{name}**: {words(mine)}."
    if peer:
        other = asked("tests.bench.peer", *peer.split())
        entry += f" {peer.split()[0].capitalize()}: {words(other)}"
        if key in other and key in mine:
            entry += f"; {other[key] / mine[key]:.2f} times our time"
        entry += "."
    return entry


def command(line: str) -> str:
    """A whole command, in an empty folder with nothing kept: an entry of a list."""
    with TemporaryDirectory() as folder:
        found = measured([sys.executable, "-m", *shlex.split(line)], Path(folder))
    return f"- `{line}`: {words(found)}."


def curve() -> list[str]:
    """Cost against size: close to linear where the nanoseconds stay as they are."""
    rows = ["| Tokens | Transitions | Exploring | Solving |", "| --- | --- | --- | --- |"]
    for seats, tokens in CURVE:
        more = {"digits": 12} if tokens <= SOLVED else {"only": "explore"}
        found = asked("tests.bench.question", json.dumps(burglar(seats, tokens, symmetry=False, **more)))
        edges, each = found["transitions"], [found["explore"]]
        if tokens <= SOLVED:
            each.append(found["seconds"] - found["explore"])
        costs = [f"{seconds / edges * 1e9:,.0f} ns" for seconds in each] + ["not asked"] * (2 - len(each))
        rows.append(f"| {tokens} | {edges:,} | {' | '.join(costs)} |")
        print(rows[-1], flush=True)
    return rows


def profiles(commands: list[str]) -> list[str]:
    """The share of each step in the time of some commands."""
    rows = [f"| Command | {' | '.join(STEPS)} |", f"| --- |{' --- |' * len(STEPS)}"]
    for line in commands:
        with TemporaryDirectory() as folder:
            out = Path(folder) / "module"
            found = asked("tests.bench.profiled", *shlex.split(line.replace("-o module", f"-o {out}"))[1:])
        cells = [f"{found[name]:.0%}" if "failed" not in found else found["failed"] for name in STEPS]
        rows.append(f"| `{line}` | {' | '.join(cell.replace('%', ' %') for cell in cells)} |")
        print(rows[-1], flush=True)
    return rows


def opening() -> list[str]:
    """How fast the module of all games opens, and how much slower than a module of one."""
    found = asked("tests.bench.tavern")
    if "failed" in found:
        return [f"Not measured: {found['failed']}."]
    rows = [f"| What | {found['games']} games | One game | Ratio |", "| --- | --- | --- | --- |"]
    for name, what in OPENING.items():
        many, one = found["many"][name], found["one"][name]
        rows.append(f"| {what} | {many:,.0f} | {one:,.0f} | {many / one:.2f} |")
        print(rows[-1], flush=True)
    return rows


def staged(games: list[str]) -> list[str]:
    """Games larger than memory, each solved by stages in a process of its own."""
    rows = ["| Game | First seat | Positions | Stages | Seconds | Memory |", "| --- | --- | --- | --- | --- | --- |"]
    for game in games:
        found = measured(
            [sys.executable, "-m", "oddsmith", "solve", "--by", "stages", "--values", *shlex.split(game), "--json"]
        )
        if "failed" in found:
            rows.append(f"| `{game}` | {found['failed']} | | | | |")
        else:
            said = json.loads(found["said"])
            states = sum(stage["states"] for stage in said["stages"])
            took = f"{len(said['stages'])} | {found['seconds']:.0f} | {found['memory']:,} MB"
            rows.append(f"| `{game}` | {said['values'][0]['decimal']} | {states:,} | {took} |")
        print(rows[-1], flush=True)
    return rows


def machine() -> str:
    """The date, the versions, and what the machine is."""
    names = ("numpy", "scipy", "python-flint", "stormpy")
    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)  # noqa: S607 - whichever git
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit {commit.stdout.strip() or 'unknown'}, with Python "
        f"{platform.python_version()}, {', '.join(found)}, on {os.cpu_count()} cores of {platform.machine()} under "
        f"{platform.system()}, on which {os.getloadavg()[0]:.1f} processes were running before."
    )


PAGE_TEXT = """\
# Benchmarks

`make bench` measured this and wrote this page. Seconds depend on the machine. A ratio to another program that answers the
same question in the same run hardly does.

{about}

## Questions

Each question has a process of its own, and starting Python is not counted. Storm computes in floating point to a relative
error of 1e-6, its default, except where the question says *exact*. The other peer, *plain*, keeps fractions in a networkx
graph and eliminates one position after the other.

{questions}

## Whole commands

From the start of the command to its end, with nothing kept from before.

{commands}

## Where the time goes

The share of each step in the time of these commands, under Python's profiler. A step counts with all that it calls, so one
that works for another counts in both: proving and measures iterate, and measures find fractions.

{profiles}

## A module that opens

*Tavern Games* in the stand-in for Foundry, in headless Chromium: the middle one of {repeats} loads, in milliseconds, and
beside it a module of one game. The stand-in itself waits 50 of them before it says that the world is ready.

{opening}

## Larger than memory

`oddsmith solve --by stages` with as many processes as there are cores; the memory is that of the largest process.

{staged}

## Cost and size

Burglar for three without symmetry, in nanoseconds for each transition. Where they stay as they are, twice the game takes
twice the time.

{curve}
"""


def page(long: bool) -> str:
    """The page of what is measured now, printed as it comes."""

    def told(entry: str) -> str:
        print(entry, flush=True)
        return entry

    about = told(machine()) + ("" if long else " `make bench BENCH=--long` asks large sizes as well.")
    questions = "\n".join(told(compare(line)) for line in QUICK + (LONG if long else []))
    commands = "\n".join(told(command(line)) for line in COMMANDS + (LONG_COMMANDS if long else []))
    profiled = "\n".join(profiles(COMMANDS + (LONG_PROFILED if long else [])))
    opened = "\n".join(opening())
    large = "\n".join(staged(STAGED + (LONG_STAGED if long else [])))
    return PAGE_TEXT.format(
        about=about, questions=questions, commands=commands, profiles=profiled, repeats=REPEATS, opening=opened, staged=large,
        curve="\n".join(curve()),
    )  # fmt: skip


if __name__ == "__main__":
    write_atomically(PAGE, page("--long" in sys.argv).encode())
