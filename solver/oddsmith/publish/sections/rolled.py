"""Answer questions about rolls in written pages when the site is built, so no number in them is typed by hand.

A comment ``<!-- rolls`` with a question on each line becomes a table of questions and answers. ``<!-- chips`` becomes a
list of links to the page that answers any roll, and ``<!-- roll: QUESTION -->`` the answer alone. A question may begin
with its notation, as in ``foundry: 5d10cs>=8``, and ``↵`` separates the lines of a question.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from oddsmith.base.exact import Number, fraction_text
from oddsmith.publish.markup.html import Html, esc, tag
from oddsmith.rolls import DIALECTS, TITLES, Pmf, RollAnswer, answer

PAGE = "roll.md"
"""The written page on which visitors can ask for the odds of any roll. Not every site has it."""
_MARK = re.compile(r"<!-- (?:(rolls|chips)\n(.*?)\n|roll: (.*?) )-->", re.DOTALL)
_BREAK = "↵"
_SHORT = 15
"""The greatest number of characters of a fraction that is printed next to its decimal."""
_PROGRAM = "anydice"


def with_questions_answered(page_path: str, page: bytes) -> bytes:
    """Return a written page in which answers replace the comments that hold questions.

    ``page_path``: the path of the page below the folder of pages.
    """
    if b"<!-- roll" not in page and b"<!-- chips" not in page:
        return page
    base = "" if page_path == PAGE else "../" * (page_path.count("/") + (page_path != "index.md")) + "roll/"

    def answers_html(match: re.Match[str]) -> str:
        if match[3] is not None:
            return _answer_html(*_split_question(match[3]))
        lines = [_split_question(line) for line in match[2].splitlines() if line.strip()]
        return _answers_table(lines, base) if match[1] == "rolls" else _question_links(lines, base)

    return _MARK.sub(answers_html, page.decode()).encode()


def questions_of_page(page: str) -> list[tuple[str, str | None]]:
    """Return the questions of a written page as pairs: a question, and the notation that its line names. The notation
    is None if the line names none.
    """
    marks = _MARK.finditer(page)
    lines = [line for mark in marks for line in ([mark[3]] if mark[3] is not None else mark[2].splitlines())]
    return [_split_question(line) for line in lines if line.strip()]


def _split_question(line: str) -> tuple[str, str | None]:
    """Split a line into a question and its notation, which is None if the line names none."""
    head, colon, rest = line.strip().partition(": ")
    known = colon and head in (*DIALECTS, _PROGRAM)
    return (rest if known else line.strip()).replace(_BREAK, "\n"), head if known else None


def _question_url(question: str, dialect: str | None, base_url: str) -> str:
    asked = f"{base_url}#q={quote(question, safe=',:@!*()')}"
    return f"{asked}&as={dialect}" if dialect else asked


def _question_links(questions: list[tuple[str, str | None]], base_url: str) -> Html:
    """Return a list of links, each of which leads to the answer to one question.

    ``base_url``: the address of the page that answers.
    """
    links = [tag("a", each[0].replace("\n", " · "), href=_question_url(*each, base_url)) for each in questions]
    return tag("ul", *(tag("li", link) for link in links), cls="od-chips")


def _answers_table(questions: list[tuple[str, str | None]], base_url: str) -> Html:
    """Return a table with a row for each question: the question, its interpretations, and their answers, line by line.
    ``base_url``: the address of the page that answers.
    """
    heads = (tag("th", words, scope="col", cls="od-plain") for words in ("Ask", "It is read as", "The answer"))
    table = tag(
        "table",
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_answer_row(*each, base_url) for each in questions)),
        cls="od-table od-asks",
    )
    return tag("div", table, cls="od-scroll", tabindex="0", role="region", aria_label="Worked answers")


def _answer_row(question: str, dialect: str | None, base_url: str) -> Html:
    found = answer(question, dialect)
    ways = [found, *found.others]
    asked = tag("a", tag("code", question.replace("\n", "; ")), href=_question_url(question, dialect, base_url))
    said = "".join(f" in {TITLES[each]}" for each in DIALECTS if each == dialect)
    read = [_interpretation_html(each, len(ways) > 1) for each in ways]
    numbers = [_short_answer_html(each) for each in ways]
    cells = (tag("td", *_with_line_breaks(parts), cls="od-plain") for parts in (read, numbers))
    return tag("tr", tag("th", asked, said, scope="row", cls="od-plain"), *cells)


def _with_line_breaks(parts: list[Html]) -> list[Html]:
    return [each for part in parts for each in (tag("br"), part)][1:]


def _interpretation_html(roll_answer: RollAnswer, has_several: bool) -> Html:
    words = "a program" if roll_answer.dialect == "AnyDice" else roll_answer.read_as
    return esc(
        f"{words} ({roll_answer.note})" if has_several and roll_answer.note and roll_answer.note not in words else words
    )


def _answer_html(question: str, dialect: str | None) -> Html:
    return tag("b", _short_answer_html(answer(question, dialect)))


def _short_answer_html(roll_answer: RollAnswer) -> Html:
    """Return an answer in one line: the chance or the mean, with the fraction if it is short."""
    if len(roll_answer.parts) == 1:
        return esc(_chance_or_mean_text(roll_answer.pmf))
    return esc("; ".join(f"{name}: {_chance_or_mean_text(pmf)}" for name, pmf in roll_answer.parts))


def _chance_or_mean_text(pmf: Pmf) -> str:
    """Return the number that answers a question as text. If the answers are yes and no, it is the probability of yes,
    else the mean.
    """
    number = pmf.mean
    if number is None:
        return "no mean"
    exact = "" if number.exact is None else fraction_text(number.exact)
    beside = f" = {exact}" if "/" in exact and len(exact) <= _SHORT else ""
    return f"{Number.percent(number, 2)}{beside}" if pmf.is_yes_or_no else f"mean {_plain_number_text(number)}{beside}"


def _plain_number_text(number: Number) -> str:
    whole = number.exact is not None and number.exact.denominator == 1
    return fraction_text(number.exact) if whole and number.exact is not None else number.decimal(2)
