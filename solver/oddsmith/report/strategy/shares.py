"""How often best play takes each option: in how many of the positions that it meets, by what tells most about that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from oddsmith.report.strategy.decisions import Decisions, Feature, Seen

MOST = 20  # values of what they are told by


@dataclass(frozen=True)
class Shares:
    """``counts`` has for each of the ``values``, in words, how many positions lead to each option."""

    feature: Feature
    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def positions(self) -> int:
        """How many positions there are, each counted once however often play comes there."""
        return sum(map(sum, self.counts))


def shares(decisions: Decisions, needed: Sequence[Seen]) -> Shares | None:
    """The shares by the thing seen that leaves least open; None where nothing has few enough values."""
    found = [_by(decisions, feature) for feature in needed]
    return max((each for each in found if 2 <= len(each.values) <= MOST), key=_told, default=None)


def _by(decisions: Decisions, feature: Seen) -> Shares:
    played = decisions.played
    codes, place = np.unique(feature.column[played], return_inverse=True)
    counts = np.zeros((len(codes), len(decisions.options)), dtype=np.int64)
    np.add.at(counts, (place, decisions.choice[played]), 1)
    return Shares(feature, tuple(map(feature.show, codes.tolist())), tuple(map(tuple, counts.tolist())))


def _told(each: Shares) -> Fraction:
    """How often a guess that follows the shares is right."""
    return sum((Fraction(sum(count**2 for count in counts), sum(counts)) for counts in each.counts), Fraction(0))
