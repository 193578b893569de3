"""The benchmark: `make bench`, with `BENCH=--long` for large sizes too. It measures, and never passes or fails.

Every question runs in a process of its own, one after the other. Seconds depend on the machine; ratios against a peer that
answers the same question in the same run do not, or hardly. Peers take part where they are installed (stormpy, icepool).
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

GAMES = "tests/bench/games"
BURGLAR, BETTING = f"{GAMES}/burglar.yaml", f"{GAMES}/betting.yaml"
PIG, PIG_ALONE = f"{GAMES}/pig.yaml", f"{GAMES}/pig-alone.yaml"

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


ALONE = {"file": PIG_ALONE, "seats": 1, "objective": "length", "warm": True}
QUICK: list[Line] = [
    ("Pig for one, exact, warm", ALONE, "storm pig-alone 100", "seconds"),
    ("Burglar 2 x 3, exact", burglar(2, 3), "", "seconds"),
    ("Burglar 2 x 8, 30 digits", burglar(2, 8, digits=30), "storm burglar 2 8", "seconds"),
    ("Burglar 2 x 20, 30 digits", burglar(2, 20, digits=30), "storm burglar 2 20", "seconds"),
    ("Burglar 3 x 12, explored without symmetry", burglar(3, 12, only="explore", symmetry=False), "", "explore"),
    ("Burglar 3 x 12, explored", burglar(3, 12, only="explore"), "storm burglar 3 12", "explore"),
    ("betting, 45 unknowns, exact", betting(9), "plain betting 9", "seconds"),
    ("betting, 105 unknowns, exact", betting(15), "plain betting 15", "seconds"),
    ("betting, 990 unknowns, exact", betting(45), "", "seconds"),
    ("betting, 5,050 unknowns, exact", betting(101), "", "seconds"),
    ("Pig to 60 for two, both best, exact", pig(60), "", "seconds"),
    ("Pig to 100 for two, both best", pig(100, digits=30), "", "seconds"),
    ("Pig to 100 against hold at 20", pig(100, digits=50, policies={"2": "hold at 20"}), "", "seconds"),
]
LONG: list[Line] = [
    ("Burglar 3 x 20, explored without symmetry", burglar(3, 20, only="explore", symmetry=False), "", "explore"),
    ("Burglar 3 x 12, 20 digits", burglar(3, 12, digits=20), "", "seconds"),
    ("Burglar 3 x 20, 12 digits", burglar(3, 20, digits=12), "", "seconds"),
]
CURVE = [(seats, tokens) for seats, tokens in ((3, 5), (3, 7), (3, 9), (3, 12))]


def run(*arguments: str) -> dict[str, Any]:
    """What a process printed as JSON, or the last line of its error."""
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    return {"failed": (done.stderr.strip().splitlines() or ["no word"])[-1][:70]}


def words(found: dict[str, Any]) -> str:
    """One answer in a line."""
    if "failed" in found or "missing" in found:
        return f"{'not installed' if 'missing' in found else found['failed']}"
    grade = f", {found['grade']} {found['digits']:,} digits" if "grade" in found else ""
    seconds = found.get("seconds", found.get("explore", 0.0))
    return f"{seconds:>8.2f} s  {found['memory']:>6,} MB  {found.get('states', 0):>10,} states{grade}"


def compare(line: Line) -> None:
    """A question, and the same put to its peer."""
    name, request, peer, key = line
    mine = run("tests.bench.question", json.dumps(request))
    print(f"{name:<44} {words(mine)}", flush=True)
    if not peer:
        return
    other = run("tests.bench.peer", *peer.split())
    print(f"{'  ' + peer:<44} {words(other)}", flush=True)
    if key in other and key in mine:
        times, memory = other[key] / mine[key], other["memory"] / mine["memory"]
        print(f"{'  ratio, peer to ours':<44} {times:>8.1f} x {memory:>5.1f} x memory", flush=True)


def curve() -> None:
    """Cost against size: close to linear where the last column stays as it is."""
    print("\nBurglar for three, explored without symmetry: cost by transitions")
    for seats, tokens in CURVE:
        found = run("tests.bench.question", json.dumps(burglar(seats, tokens, only="explore", symmetry=False)))
        edges, seconds = found["transitions"], found["explore"]
        rate = found["states"] / seconds / 1e6
        print(
            f"  {seats} x {tokens:<3} {edges:>11,} transitions {seconds:>7.2f} s  {seconds / edges * 1e9:>6.0f} ns each"
            f"  {rate:.2f} M states/s",
            flush=True,
        )


def main() -> None:
    for line in QUICK + (LONG if "--long" in sys.argv else []):
        compare(line)
    curve()


if __name__ == "__main__":
    main()
