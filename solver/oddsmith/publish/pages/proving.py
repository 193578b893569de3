"""The section of a game's page that checks certificates in the reader's own browser."""

from __future__ import annotations

import json

from oddsmith.publish.markup import Html, tag
from oddsmith.publish.pages.data import CERTIFICATE
from oddsmith.publish.pages.downloads import setting_words
from oddsmith.publish.pages.playing import SCRIPTS
from oddsmith.report.answers import Account, Answer
from oddsmith.ruleset import sha256

ABOUT = (
    "A certificate holds the table of a setting: all its positions, every way from one to another with its chance, what is "
    "played, what it brings, and numbers that prove all of this. Your own browser can check it, with a short program that "
    "has nothing in common with the solver. Nothing leaves your machine."
)
BELIEVED = (
    "This check believes one thing: that the table is the table of these rules. In a terminal, Oddsmith derives the table "
    "again:"
)


def proof_html(account: Account) -> list[Html]:
    """The section: which certificates there are, and what checks them. Nothing where nothing is solved."""
    solved = [answer for answer in account.answers if answer.result]
    if not solved:
        return []
    first = sorted(solved, key=lambda answer: answer is not account.main)
    proved = [(answer, answer.proof) for answer in first if isinstance(answer.proof, bytes)]
    known = [[setting_words(answer), f"{answer.slug}{CERTIFICATE}", len(data)] for answer, data in proved]
    without = tag("p", "The button for it needs scripts. Below are commands that do the same.")
    data = json.dumps({"rules": sha256(account.ruleset), "certificates": known}, ensure_ascii=False)
    root = tag("div", without, data_od_proof=data)
    others = [(answer, answer.proof) for answer in first if isinstance(answer.proof, str)]
    shown = proved[0][0] if proved else first[0]
    file, name = f"{shown.slug}{CERTIFICATE}", f"{account.ruleset.id}.yaml"
    write = [] if proved else [f"oddsmith solve {name}{shown.setting.options} --certificate {file}"]
    lines = [tag("li", tag("code", line)) for line in (*write, f"oddsmith certify {file} {name}")]
    # Addresses as the browser sees them, from games/ID/.
    script = tag("script", type="module", src=f"../../{SCRIPTS}/proof/page.mjs")
    return [
        tag("p", ABOUT),
        tag("details", tag("summary", "Open the checker"), root, cls="od-play od-proof"),
        *([_missing(others, name)] if others else []),
        tag("p", BELIEVED),
        tag("ul", *lines, cls="od-commands"),
        script,
    ]


def _missing(others: list[tuple[Answer, str]], name: str) -> Html:
    """The settings without a certificate, each with the reason, and how to write one."""
    listed = "; ".join(f"{setting_words(answer)} ({why})" for answer, why in others)
    command = tag("code", f"oddsmith solve {name}{others[0][0].setting.options} --certificate FILE.jsonl.gz")
    return tag("p", f"The page has no certificate for {listed}. If one can be written, this writes it: ", command)
