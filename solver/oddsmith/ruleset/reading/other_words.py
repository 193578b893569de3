"""Words that people write for secrets, for choices at once, and for what the language cannot say, with hints for them."""

from __future__ import annotations

from typing import Any

_PAGE = "docs/secrets.md"

CALLED = {
    **dict.fromkeys(("together", "simultaneous", "simultaneously", "at_once"), "choose_together"),
    **dict.fromkeys(("hidden", "secret", "secrets", "private", "secretly", "visible_to", "visible_by"), "seen_by"),
    **dict.fromkeys(("known_to", "known_by", "shown_to"), "seen_by"),
    **dict.fromkeys(("timer", "timers", "clock", "countdown", "seconds", "time_limit", "deadline"), "real time"),
    **dict.fromkeys(("time", "real_time", "realtime", "first_to_press", "fastest"), "real time"),
    **dict.fromkeys(("team", "teams", "partner", "partners", "partnership", "partnerships", "allies"), "teams"),
    **dict.fromkeys(("forget", "forgets", "forgotten", "hide", "hides", "conceal"), "forgetting"),
}
"""For words that people write: the key of the language that they mean, or what the language cannot say."""

INSTEAD = {
    "choose_together": "seats that choose at once stand in a phase of their own: `choose_together: {way: [stay, leave]}`; "
    f"the page on secrets and choices at once, {_PAGE}, says more",
    "seen_by": "a phase whose roll, draw or choice is a secret says who sees it: `seen_by: mover`, or `seen_by: nobody`; "
    f"the page on secrets and choices at once, {_PAGE}, says more",
    "real time": "the language has no real time: no clock runs, and nobody is the first to press. Seats that act in the same "
    f"moment choose at once, `choose_together: {{way: [stay, leave]}}`; {_PAGE} says what cannot be said",
    "teams": "the language has no teams: each seat chooses for itself, by what it alone has seen. `payoffs` may pay several "
    f"seats alike; {_PAGE} says what cannot be said",
    "forgetting": "nobody forgets: what a seat has seen, it knows to the end, and nothing can be hidden again. A phase says "
    f"who sees what it rolls, draws or lets choose: `seen_by: nobody`; {_PAGE} says what cannot be said",
}
"""Hints, by the values of ``CALLED``."""


def meaning_of_unknown_key(key: Any, value: Any) -> str:
    """Return what an unknown key means, as ``CALLED`` says; empty if that is not known. ``value``: its value."""
    if key == "time" and not str(value).strip().startswith("real"):
        return ""  # more likely another word that is misspelt
    return CALLED.get(key, "")


def hint_for_unsupported_effect(text: str) -> str:
    """Return the hint for a text that is no effect, and begins with a word for what the language cannot say; else an
    empty text.
    """
    words = text.split()
    if not words:
        return ""
    if words[0] == "wait":
        return INSTEAD["real time"]
    meant = CALLED.get(words[0], "")
    return INSTEAD[meant] if meant in ("real time", "teams", "forgetting") and len(words) > 1 else ""
