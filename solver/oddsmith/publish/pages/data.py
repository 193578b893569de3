"""What machines and spreadsheets read: results as JSON, every decision as CSV, the exact values as text."""

from __future__ import annotations

import json

from oddsmith.exact import fraction_text
from oddsmith.report.answers import Answer
from oddsmith.report.facts import measure_name

CERTIFICATE = ".jsonl.gz"
"""How the names of certificates end."""


def files(answer: Answer) -> dict[str, bytes]:
    """The downloads of an answer by name."""
    result = answer.result
    if result is None:
        return {}
    questions = answer.game.ruleset.measures
    measures = [
        {"name": name, "kind": questions[name].kind, **number.to_json()}
        for name, number in answer.facts.measures.items()
        if number is not None
    ]
    data = {**result.data, "measures": measures}
    slug = answer.slug
    downloads = {f"{slug}.json": (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()}
    named = [(answer.game.ruleset.seat(seat), value) for seat, value in enumerate(result.values)]
    told = {measure_name(name, questions[name]): number for name, number in answer.facts.measures.items()}
    named += [(name, number) for name, number in told.items() if number is not None]
    text = "".join(f"{name}: {fraction_text(value.exact)}\n" for name, value in named if value.exact is not None)
    if text:
        downloads[f"{slug}.txt"] = text.encode()
    if isinstance(answer.proof, bytes):
        downloads[f"{slug}{CERTIFICATE}"] = answer.proof
    if answer.spreadsheet:
        downloads[f"{slug}.csv"] = answer.spreadsheet.encode()
    return downloads
