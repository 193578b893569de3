"""What rolling on risks, and when rolling once more and then stopping beats stopping at once."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.exact import plural
from oddsmith.publish.charts import by_roll, by_stake
from oddsmith.publish.markup import Html, esc, tag
from oddsmith.report.balance import OneMore, RollingOn
from oddsmith.report.english import joined

FORMULAS = 3  # of one decision that are shown: those of the regions with most positions


def one_more_html(decisions: Sequence[OneMore], rolling: Sequence[RollingOn] = ()) -> list[Html]:
    """What rolling on risks, as pictures, and when one more roll pays, as a formula; nothing where there is neither."""
    risks = [part for each in rolling for part in _risk(each)]
    return [*risks, *(part for each in decisions for part in _one_more(each))]


def _risk(told: RollingOn) -> list[Html]:
    shown = [drawn for drawn in (by_roll(told), by_stake(told)) if drawn]
    return [tag("div", *shown, cls="od-charts")] if shown else []


def _one_more(decision: OneMore) -> list[Html]:
    words = f"One more {decision.throw}, and then {decision.stop}, is better on average than {decision.stop} at once:"
    items = []
    for pays, region, decisions in decision.formulas[:FORMULAS]:
        where = f", where {joined(list(map(_formula, region)))}" if region else ""
        share = f" ({decisions:,} of {plural(decision.decisions, 'decision')})"
        items.append(tag("li", tag("code", _formula(pays)), esc(where + share)))
    text = "The formula is exact, but looks only one roll ahead. Best play, in the table above, looks to the end of the game."
    left = len(decision.formulas) - FORMULAS
    if left > 0:
        text += f" {left} smaller region{'s' * (left > 1)} with other formulas {'are' if left > 1 else 'is'} not shown here."
    return [tag("p", words), tag("ul", *items), tag("p", text, cls="od-note")]


def _formula(text: str) -> str:
    return text.replace("*", "·").replace(">=", "≥").replace("<=", "≤")
