"""Odds that were published or counted, with a verdict on each."""

from __future__ import annotations

from oddsmith.publish.markup import Html, cell, column, fraction, join, row, table, tag
from oddsmith.report.answers import Account
from oddsmith.report.english import capital
from oddsmith.report.facts import NOUNS, Verdict
from oddsmith.ruleset.model import Origin


def claims_title(account: Account, origin: Origin) -> str:
    """The heading over the claims of an origin."""
    if origin == "published":
        return "Published odds, checked"
    right = all(verdict.right for verdict in account.claimed(origin))
    return f"Counted by hand, and {'confirmed' if right else 'checked'}"


def claims(account: Account, origin: Origin) -> list[Html]:
    """What others published, or what was counted by hand, with a verdict on each number."""
    verdicts = account.claimed(origin)
    if not verdicts:
        return []
    (one, many), right = NOUNS[origin], sum(verdict.right for verdict in verdicts)
    if len(verdicts) == 1:
        words = f"The one {one} is {'right' if right else 'wrong'}. "
    else:
        words = f"{right} of {len(verdicts)} {many} are right. "
    words += "A number is right when the exact value rounds to it."
    if origin == "counted":
        words = f"Nobody published these odds. The author of the ruleset counted them. {words}"
    head = [column(text) for text in (origin, "verdict", "exact value")]
    rows = [made for each in verdicts for made in _claim(each)]
    caption = (
        "Published odds, and what they should be."
        if origin == "published"
        else "Odds counted by hand, and the computed ones."
    )
    return [tag("p", words), table(caption, head, rows, cls="od-claims")]


def _claim(verdict: Verdict) -> list[list[Html]]:
    """A line with the verdict, and below it how that was found."""
    claim = verdict.claim
    kind = "right" if verdict.right else "wrong"
    text = claim.stated.text
    stated = "" if text in claim.quote else f" ({'printed' if claim.origin == 'published' else 'counted'}: {text})"
    exact = fraction(verdict.number)
    value: list[str] = [verdict.alike[1]]
    value += [tag("br"), tag("code", exact)] if "/" in exact else []
    edge = " The exact value lies just at the end of what rounds to this one." if verdict.edge else ""
    how = f"{capital(verdict.how)}. {claim.note.strip()}{edge}".strip()
    return [
        [
            row(f"{claim.quote}{stated}", cls="od-text"),
            cell(tag("span", kind, cls=f"od-verdict od-verdict--{kind}")),
            cell(join(value)),
        ],
        [cell(how, cls="od-text od-how", colspan="3")],
    ]
