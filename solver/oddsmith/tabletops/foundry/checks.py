"""Short plays with the proven action of every decision, by which a module tests itself where it runs.

Each is a transcript (docs/reference/transcripts.md) with two keys more. ``setting``: which one of the game's book it is.
``best``: for each choice in order the place of the proven action among the legal ones; null where there is nothing to
choose, where chance decides, and where the table of proven play does not reach.
"""

from __future__ import annotations

from typing import Any

from oddsmith.publish.pages import playable
from oddsmith.report.answers import Account
from oddsmith.report.files import BYTES, PLAYS, moved


def checks(account: Account) -> list[dict[str, Any]]:
    """The plays of every setting that has a table of proven play, as plain data; the same for the same rules."""
    answers = playable(account)
    share = BYTES // (PLAYS * max(1, len(answers)))
    plays = []
    for answer in answers:
        for number, known in enumerate(answer.plays):
            place = iter(known)
            plays.append(moved(answer.game, answer.slug, number, share, lambda *_, place=place: next(place)))
    return plays
