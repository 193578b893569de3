"""What a stranger tries with an Oddsmith that was just installed: each command once, with a game of moments."""

from __future__ import annotations

from pathlib import Path

PENNY = Path(__file__).resolve().parents[1] / "robust" / "penny.yaml"
TRIES: dict[str, str] = {
    "new": "new duel -o mine.yaml",
    "check": "check mine.yaml piglet",
    "lint": "lint piglet",
    "serve": "serve --help",
    "diff": "diff piglet --to target=3",
    "sweep": "sweep piglet --vary target=2..3 -o sweep.csv",
    "fair": "fair piglet --even --vary target=2..4",
    "solve": "solve penny.yaml --certificate penny.jsonl.gz",
    "advise": "advise piglet --state row=1",
    "play": "play piglet --watch --seed 7 --transcript play.json",
    "contest": "contest tournament piglet",
    "roll": "roll 3d6",
    "verify": "verify piglet",
    "certify": "certify penny.jsonl.gz penny.yaml",
    "publish": "publish penny.yaml -o site --at-once",
    "export": "export piglet -o table.csv",
    "foundry": "foundry penny.yaml -o modules",
    "tabletop": "tabletop owlbear penny.yaml -o room",
    "lsp": "lsp --help",
}
"""In order, because some read what others wrote. Of commands that go on until somebody stops them, the help will do."""
WITH_SITE = {"publish"}
"""Verbs that need the extra ``site``, and say so without it."""
EXTRAS = {
    "site": "publish penny.yaml -o site --at-once",
    "serve": "serve penny.yaml",
    "parquet": "export piglet -o table.parquet",
    "lsp": "lsp",
}
"""An extra, and a command that asks for it by name where it is not installed."""
NOWHERE = "serve penny.yaml --host 192.0.2.1"
"""No machine has this address, so that `serve` ends where it would begin to listen, with all its libraries loaded."""
