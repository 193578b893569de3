"""The downloads of a game's page, and the source of its rules.

Downloads are results as JSON, every decision as CSV, exact values as text, and certificates.

``certificates_html`` writes the section of a game's page that checks certificates in the reader's own browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from oddsmith.base.exact import fraction_text
from oddsmith.publish.markup.html import Html, cell, column_header, esc, join_html, row_header, table, tag
from oddsmith.publish.pages.playing import SCRIPTS
from oddsmith.publish.pages.rules import source_html
from oddsmith.report.answers import Answer, RulesetAnswers, SecretAnswer
from oddsmith.report.english import player_count_words
from oddsmith.report.facts import question_heading
from oddsmith.ruleset import sha256

_KINDS = (
    "CSV opens in any spreadsheet. JSON is for programs. TXT has the fractions in full. The proof is a certificate, which this "
    "page checks, and oddsmith certify."
)


TAVERN = "games/foundry/oddsmith-games.zip"
"""The path of the Foundry module with all games of a site, below the root of the site. Written pages link to it if it
exists.
"""


def downloads_html(
    account: RulesetAnswers, downloads: Mapping[str, bytes], all_games_module_url: str = ""
) -> list[Html]:
    """Return links to the downloads of a game with their sizes, and the source of the rules.

    ``downloads``: the files by path. ``all_games_module_url``: the address of the Foundry module with all games of the
    site, empty if there is none.
    """
    rules = account.ruleset
    yaml = tag("a", f"{rules.id}.yaml", href=f"{rules.id}.yaml", download=True)
    parts = [tag("p", "The rules as a file, for you to change and solve: ", yaml)]
    if all_games_module_url:
        link = tag("a", "Tavern Games", href=all_games_module_url, download=True)
        parts.append(
            tag("p", "A module for Foundry VTT, version 13 or later, with all games of this site: ", link, ".")
        )
    parts += _module_links(
        downloads,
        "A module with this game alone" if all_games_module_url else "A module for Foundry VTT, version 13 or later",
    )
    kinds = (("csv", "every position"), ("json", "results"), ("txt", "exact values"), ("jsonl.gz", "the proof"))
    rows = []
    for answer in account.answers:
        cells = [cell(_download_link(downloads, f"{answer.slug}.{suffix}", suffix.upper())) for suffix, _ in kinds]
        rows.append([row_header(setting_title(answer)), *cells])
    head = [column_header("game"), *(column_header(what) for _, what in kinds)]
    parts.append(table(_KINDS, head, rows))
    source = rules.data.get("source")
    if source:
        parts.append(source_html(source))
    return parts


def setting_title(answer: Answer | SecretAnswer) -> str:
    """Return the name of an answer's setting: its number of players, its objective, and its changed rules."""
    setting, rules = answer.setting, answer.game.ruleset.differences_in_words(answer.setting)
    return ", ".join([player_count_words(setting.seats), setting.objective.replace("_", " "), *rules])


def _download_link(downloads: Mapping[str, bytes], path: str, label: str) -> Html:
    """Return a link to a download with its size; a dash if there is no such file."""
    if path not in downloads:
        return esc("–")
    size = f" {max(1, round(len(downloads[path]) / 1000)):,} kB"
    return join_html([tag("a", label, href=path, download=True), esc(size)])


def _module_links(downloads: Mapping[str, bytes], module_name: str) -> list[Html]:
    """Return a paragraph on the game's Foundry module: a link to its archive, and the address to install it from.
    Return an empty list if there is no module.

    ``module_name``: the name of the module.
    """
    manifest = next((json.loads(data) for name, data in downloads.items() if name.endswith("/module.json")), None)
    parts = []
    for name in downloads:
        folder, _, archive = name.rpartition("/")
        if folder == "foundry":
            link = _download_link(downloads, name, archive)
            module = manifest["id"] if manifest else archive.removesuffix(".zip")
            by = (
                [". Install it from the address ", tag("code", manifest["manifest"]), ", or unpack"]
                if manifest
                else [". Unpack"]
            )
            parts.append(
                tag("p", f"{module_name}: ", link, *by, f" it in Data/modules/{module}, and enable it in a world.")
            )
    return parts


CERTIFICATE = ".jsonl.gz"
"""The ending of the names of certificates."""


def answer_files(answer: Answer) -> dict[str, bytes]:
    """Return the downloads of an answer, as bytes by name."""
    result = answer.result
    if result is None:
        return {}
    questions = answer.game.ruleset.measures
    measures = [
        {"name": name, "kind": questions[name].kind, **number.to_json()}
        for name, number in answer.key_facts.measures.items()
        if number is not None
    ]
    data = {**result.data, "measures": measures}
    slug = answer.slug
    downloads = {f"{slug}.json": (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()}
    named = [(answer.game.ruleset.seat_name(seat), value) for seat, value in enumerate(result.values)]
    numbers = {question_heading(name, questions[name]): number for name, number in answer.key_facts.measures.items()}
    named += [(name, number) for name, number in numbers.items() if number is not None]
    text = "".join(f"{name}: {fraction_text(value.exact)}\n" for name, value in named if value.exact is not None)
    if text:
        downloads[f"{slug}.txt"] = text.encode()
    if isinstance(answer.certificate_or_reason, bytes):
        downloads[f"{slug}{CERTIFICATE}"] = answer.certificate_or_reason
    if answer.decisions_csv:
        downloads[f"{slug}.csv"] = answer.decisions_csv.encode()
    return downloads


ABOUT = (
    "A certificate holds the table of a setting: all its positions, every way from one to another with its chance, what is "
    "played, what it brings, and numbers that prove all of this. Your own browser can check it, with a short program that "
    "has nothing in common with the solver. Nothing leaves your machine."
)
BELIEVED = (
    "This check believes one thing: that the table is the table of these rules. In a terminal, Oddsmith derives the table "
    "again:"
)


def certificates_html(account: RulesetAnswers) -> list[Html]:
    """Return the section on certificates: which ones exist, and how to check them. It is empty if nothing is solved."""
    solved = [answer for answer in account.answers if answer.result]
    if not solved:
        return []
    first = sorted(solved, key=lambda answer: answer is not account.main)
    proved = [
        (answer, answer.certificate_or_reason) for answer in first if isinstance(answer.certificate_or_reason, bytes)
    ]
    known = [[setting_title(answer), f"{answer.slug}{CERTIFICATE}", len(data)] for answer, data in proved]
    without = tag("p", "The button for it needs scripts. Below are commands that do the same.")
    data = json.dumps({"rules": sha256(account.ruleset), "certificates": known}, ensure_ascii=False)
    root = tag("div", without, data_od_proof=data, data_search_exclude=True)
    others = [
        (answer, answer.certificate_or_reason) for answer in first if isinstance(answer.certificate_or_reason, str)
    ]
    shown = proved[0][0] if proved else first[0]
    file, name = f"{shown.slug}{CERTIFICATE}", f"{account.ruleset.id}.yaml"
    write = [] if proved else [f"oddsmith solve {name}{shown.setting.options_text} --certificate {file}"]
    lines = [tag("li", tag("code", line)) for line in (*write, f"oddsmith certify {file} {name}")]
    # Addresses as the browser sees them, from games/ID/.
    script = tag("script", type="module", src=f"../../{SCRIPTS}/proof/page.mjs")
    return [
        tag("p", ABOUT),
        tag("details", tag("summary", "Open the checker"), root, cls="od-play od-proof"),
        *([_missing_certificates_paragraph(others, name)] if others else []),
        tag("p", BELIEVED),
        tag("ul", *lines, cls="od-commands"),
        script,
    ]


def secret_certificates_html(account: RulesetAnswers) -> list[Html]:
    """Return the section on the certificates of a game with secrets, and on how to check them."""
    known = [[setting_title(each), f"{each.slug}{CERTIFICATE}", len(each.proof)] for each in account.secrets]
    file, name = known[0][1], f"{account.ruleset.id}.yaml"
    data = {"rules": sha256(account.ruleset), "certificates": known}
    without = tag("p", "The button for it needs scripts. Below is a command that does the same.")
    root = tag("div", without, data_od_proof=json.dumps(data, ensure_ascii=False), data_search_exclude=True)
    return [
        tag("p", ABOUT),
        tag("details", tag("summary", "Open the checker"), root, cls="od-play od-proof"),
        tag("p", BELIEVED),
        tag("ul", tag("li", tag("code", f"oddsmith certify {file} {name}")), cls="od-commands"),
        tag("script", type="module", src=f"../../{SCRIPTS}/proof/page.mjs"),
    ]


def _missing_certificates_paragraph(answers_and_reasons: list[tuple[Answer, str]], ruleset_file: str) -> Html:
    """Return a paragraph that lists the settings without a certificate, each with the reason, and says how to write a
    certificate. ``answers_and_reasons``: pairs of answer and reason. ``ruleset_file``: the file of the ruleset.
    """
    listed = "; ".join(f"{setting_title(answer)} ({why})" for answer, why in answers_and_reasons)
    command = tag(
        "code",
        f"oddsmith solve {ruleset_file}{answers_and_reasons[0][0].setting.options_text} --certificate FILE.jsonl.gz",
    )
    return tag("p", f"The page has no certificate for {listed}. If one can be written, this writes it: ", command)
