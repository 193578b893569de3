"""Sections on reliability: verdicts on odds that others published or that were counted by hand, and how the computed
values were found and proved.
"""

from __future__ import annotations

from oddsmith.base.exact import plural
from oddsmith.publish.markup.html import Html, cell, column_header, join_html, row_header, table, tag
from oddsmith.publish.markup.numbers import short_fraction_text, text_with_short_numbers
from oddsmith.report.answers import RulesetAnswers
from oddsmith.report.english import capital
from oddsmith.report.facts import NOUNS, Verdict
from oddsmith.ruleset import sha256
from oddsmith.ruleset.model import Origin


def claims_title(account: RulesetAnswers, origin: Origin) -> str:
    """Return the heading of the section of claims of one origin: published odds, or odds that were counted by hand."""
    if origin == "published":
        return "Published odds, checked"
    right = all(verdict.is_right for verdict in account.verdicts_from(origin))
    return f"Counted by hand, and {'confirmed' if right else 'checked'}"


def claims_html(account: RulesetAnswers, origin: Origin) -> list[Html]:
    """Return a section of claims of one origin, with a verdict on each claim, as HTML; an empty list if there are none."""
    verdicts = account.verdicts_from(origin)
    if not verdicts:
        return []
    (one, many), right = NOUNS[origin], sum(verdict.is_right for verdict in verdicts)
    if len(verdicts) == 1:
        words = f"The one {one} is {'right' if right else 'wrong'}. "
    else:
        words = f"{right} of {len(verdicts)} {many} {'is' if right == 1 else 'are'} right. "
    words += "A number is right when the exact value rounds to it."
    if origin == "counted":
        words = f"Nobody published these odds. The author of the ruleset counted them. {words}"
    head = [column_header(text) for text in (origin, "verdict", "exact value")]
    rows = [made for each in verdicts for made in _claim_rows(each)]
    caption = (
        "Published odds, and what they should be."
        if origin == "published"
        else "Odds counted by hand, and the computed ones."
    )
    return [tag("p", words), table(caption, head, rows, cls="od-claims")]


def _claim_rows(verdict: Verdict) -> list[list[Html]]:
    """Return two lines of table cells: a claim with its verdict and the exact value, and how the value was computed."""
    claim = verdict.claim
    kind = "right" if verdict.is_right else "wrong"
    text = claim.stated_number.text
    stated = "" if text in claim.quote else f" ({'printed' if claim.origin == 'published' else 'counted'}: {text})"
    exact = short_fraction_text(verdict.number)
    value: list[str] = [verdict.in_same_form[1]]
    value += [tag("br"), tag("code", exact)] if "/" in exact else []
    edge = " The exact value lies just at the end of what rounds to this one." if verdict.is_between_roundings else ""
    how = f"{capital(verdict.method_in_words)}. {claim.note.strip()}{edge}".strip()
    return [
        [
            row_header(f"{claim.quote}{stated}", cls="od-text"),
            cell(tag("span", kind, cls=f"od-verdict od-verdict--{kind}")),
            cell(join_html(value)),
        ],
        [cell(how, cls="od-text od-how", colspan="3")],
    ]


def proof_method_html(account: RulesetAnswers, grades_url: str) -> list[Html]:
    """Return paragraphs on how the values were found and proved, and on how to check them; an empty list if the game is
    not solved. ``grades_url``: the address of the page that explains grades, empty if there is none.
    """
    main, rules = account.main, account.ruleset
    if main.result is None:
        return []
    result = main.result
    positions, ties = plural(result.positions, "position"), plural(result.ties, "position")
    parts = [
        tag(
            "p",
            f"Play by these rules can reach {positions}, with {result.transitions:,} weighted ways from one to "
            f"another. All of them were solved. {main.key_facts.kind} "
            "Floating-point numbers only proposed the decisions. Each decision was then proved in whole numbers: it was "
            "compared with every other action of its position.",
        ),
        tag(
            "p",
            grade_sentence(result.grade),
            *([Html(" "), tag("a", "What the grades mean", href=grades_url)] if grades_url else []),
        ),
    ]
    if result.ties:
        parts.append(
            tag(
                "p",
                f"In {ties} several actions are worth the same to the player but not to the "
                "others. The solution takes the first of them in the order of the rules.",
            )
        )
    parts += [tag("p", text_with_short_numbers(main.option_words(note)), cls="od-note") for note in result.notes]
    parts.append(tag("p", "Check it yourself:"))
    name = f"{rules.id}.yaml"
    lines = [
        f"oddsmith solve {name}{main.setting.options_text}",
        *([f"oddsmith verify {name}"] if rules.claims else []),
        f"oddsmith play {name} --seats {main.setting.seats} --watch --seed 1",
    ]
    parts.append(
        tag("ul", *(tag("li", tag("code", *_command_with_unbroken_words(line))) for line in lines), cls="od-commands")
    )
    parts.append(tag("p", "Fingerprint of these rules (SHA-256): ", tag("code", sha256(rules)), cls="od-hash"))
    return parts


def grade_sentence(grade: str) -> str:
    """Return a sentence that explains a grade of values."""
    if grade == "exact":
        return "These values are exact: each is a fraction that is known in full and was verified in whole numbers."
    return "These values are proven: each lies between two fractions that agree far beyond the digits shown."


def _command_with_unbroken_words(command: str) -> list[Html]:
    """Return a command as HTML parts, such that lines break only between words and never after the hyphens of an
    option.
    """
    words = [tag("span", word, cls="od-word") for word in command.split(" ")]
    return [part for word in words for part in (word, Html(" "))][:-1]
