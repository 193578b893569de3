"""The table card of a game: one sheet, A4 or Letter, black on white, with what somebody at the table wants in hand."""

from __future__ import annotations

from oddsmith.publish.markup import Html, esc, join, tag
from oddsmith.publish.pages.downloads import source_html
from oddsmith.publish.pages.page import grade_words
from oddsmith.publish.sections import brief, hero, key_facts
from oddsmith.report.answers import Account, Answer
from oddsmith.report.english import capital, count, plain_name
from oddsmith.report.strategy import Strategy
from oddsmith.ruleset import sha256

ROOM = 28  # lines of tables that the sheet has left
COLUMNS = 16  # of the widest table that fits a sheet
NARROW = 4  # columns of a table that leaves room for another beside it
WRONG = 2  # wrong odds that are told

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}: table card</title>
<link rel="icon" href="../../assets/favicon.svg">
<link rel="stylesheet" href="../../assets/card.css">
<script type="module" src="../../assets/card.mjs"></script>
</head>
<body>
{body}
</body>
</html>
"""


def card_page(account: Account, grades: str = "") -> bytes:
    """The card as a whole page of HTML, beside the downloads. ``grades``: where the grades are explained, if anywhere."""
    rules, main = account.ruleset, account.main
    back = tag(
        "nav", tag("a", "Back to the game", href="index.html"), " Print this page: it is one sheet, A4 or Letter."
    )
    parts = [
        tag("h1", rules.title),
        tag("p", rules.summary, cls="od-summary"),
        hero(account, "index.html#strategy"),
        key_facts(account, grades or "index.html#method"),
        *_what_to_do(main),
        *_wrong(account),
        _foot(account),
    ]
    return _PAGE.format(title=esc(rules.title), body=join([back, tag("main", *parts)], "\n")).encode()


def _what_to_do(answer: Answer) -> list[Html]:
    """The main decision first, then the others, as far as the sheet goes."""
    rule = answer.ladder.rule if answer.solution else None
    parts: list[Html] = []
    left, missing = ROOM, False

    def weight(strategy: Strategy) -> tuple[bool, int]:
        main = rule is not None and rule.phase == strategy.decisions.phase
        return not main, -int(strategy.decisions.played.sum())

    for strategy in sorted(answer.strategies, key=weight):
        fitting: list[Html] = []
        for part in brief(strategy):
            lines = _lines(part)
            missing |= lines > left
            if lines <= left:
                fitting.append(part)
                left -= lines
        if fitting and len(answer.strategies) > 1:
            parts.append(tag("h3", capital(plain_name(strategy.decisions.phase))))
            left -= 1
        parts += fitting
    if not parts and not missing:
        return []
    if missing:
        parts.append(tag("p", "The game’s page has what is too large for a card."))
    return [tag("h2", f"What to do, {count(answer.setting.seats)}"), tag("section", *parts)]


def _lines(part: Html) -> int:
    """How many lines a part takes, about; more than any sheet has where it is too wide. Narrow tables share their lines."""
    rows, notes = part.count("<tr"), 2 * part.count("od-note")
    if not rows:
        return 2
    columns = part.partition("</tr>")[0].count("<th")
    if columns > COLUMNS:
        return ROOM + 1
    return notes + ((rows + 5) // 2 if columns <= NARROW else rows + 4)


def _wrong(account: Account) -> list[Html]:
    """Published odds that are wrong, in a line."""
    wrong = [verdict for verdict in account.claimed("published") if not verdict.right]
    if not wrong:
        return []
    told = [
        join([tag("q", each.claim.quote), esc(f" (printed {each.alike[0]}; it is "), tag("b", each.alike[1]), esc(")")])
        for each in wrong[:WRONG]
    ]
    more = f", and {len(wrong) - WRONG} more" if len(wrong) > WRONG else ""
    return [tag("p", tag("strong", "Wrong in print: "), join(told, "; "), f"{more}.", cls="od-wrong")]


def _foot(account: Account) -> Html:
    rules, solution = account.ruleset, account.main.solution
    source = rules.data.get("source")
    parts = [source_html(source)] if source else []
    if solution:
        parts.append(tag("p", f"Grade: {solution.grade}. {grade_words(solution.grade)}"))
    parts.append(tag("p", "Rules, SHA-256: ", tag("code", sha256(rules))))
    address = tag("a", f"games/{rules.id}/", href="index.html", data_address=True)
    parts.append(tag("p", "The whole page, with the proof: ", address))
    return tag("footer", *parts)
