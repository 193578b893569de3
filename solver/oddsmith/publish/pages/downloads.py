"""The files beside the page of a game, and where its rules come from."""

from __future__ import annotations

import json
from collections.abc import Mapping

from oddsmith.publish.markup import Html, cell, column, esc, join, row, table, tag
from oddsmith.publish.telling import source_html
from oddsmith.report.answers import Account, Answer
from oddsmith.report.english import count

_KINDS = (
    "CSV opens in any spreadsheet. JSON is for programs. TXT has the fractions in full. The proof is a certificate, which this "
    "page checks, and oddsmith certify."
)


def downloads_html(account: Account, downloads: Mapping[str, bytes]) -> list[Html]:
    """Every file beside the page, with its size, and the source of the rules."""
    rules = account.ruleset
    yaml = tag("a", f"{rules.id}.yaml", href=f"{rules.id}.yaml", download=True)
    parts = [tag("p", "The rules as a file, for you to change and solve: ", yaml), *_modules(downloads)]
    kinds = (("csv", "every position"), ("json", "results"), ("txt", "exact values"), ("jsonl.gz", "the proof"))
    rows = []
    for answer in account.answers:
        cells = [cell(_download(downloads, f"{answer.slug}.{suffix}", suffix.upper())) for suffix, _ in kinds]
        rows.append([row(setting_words(answer)), *cells])
    head = [column("game"), *(column(what) for _, what in kinds)]
    parts.append(table(_KINDS, head, rows))
    source = rules.data.get("source")
    if source:
        parts.append(source_html(source))
    return parts


def setting_words(answer: Answer) -> str:
    """Which game of a ruleset an answer is about."""
    return ", ".join([count(answer.setting.seats), answer.setting.objective.replace("_", " "), *answer.rules])


def _download(downloads: Mapping[str, bytes], name: str, label: str) -> Html:
    """A link to a file beside the page, and its size; a dash where there is none."""
    if name not in downloads:
        return esc("–")
    size = f" {max(1, round(len(downloads[name]) / 1000)):,} kB"
    return join([tag("a", label, href=name, download=True), esc(size)])


def _modules(downloads: Mapping[str, bytes]) -> list[Html]:
    """The archive in which the game goes into Foundry VTT, and the address by which it is installed where it has one."""
    manifest = next((json.loads(data) for name, data in downloads.items() if name.endswith("/module.json")), None)
    parts = []
    for name in downloads:
        folder, _, archive = name.rpartition("/")
        if folder == "foundry":
            link = _download(downloads, name, archive)
            module = manifest["id"] if manifest else archive.removesuffix(".zip")
            by = (
                [". Install it from the address ", tag("code", manifest["manifest"]), ", or unpack"]
                if manifest
                else [". Unpack"]
            )
            words = f" it in Data/modules/{module}, and enable it in a world."
            parts.append(tag("p", "A module for Foundry VTT, version 13 or later: ", link, *by, words))
    return parts
