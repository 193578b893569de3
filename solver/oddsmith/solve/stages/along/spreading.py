"""How a number of a game that was solved by stages is distributed: best play, put together as one chain.

Only the positions that best play comes to are in the chain, with one action each, so it may fit into memory where the game
does not. What flows through it is bounded as for all other games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from oddsmith.arrays import Ints, arange, cumsum
from oddsmith.errors import DisagreementError, DistributionError
from oddsmith.graph import KeyIndex, StateGraph
from oddsmith.progress import Progress
from oddsmith.ruleset.model import Payoff
from oddsmith.sharing import Share
from oddsmith.solve.arenas import Arena
from oddsmith.solve.questions import Listed, Played, Plays, Split, Summed, refuse_passing
from oddsmith.solve.stages import Staged
from oddsmith.solve.stages.along.parts import Along, Entry, Part
from oddsmith.solve.stages.along.sheets import MOST, listed


def best_play(
    staged: Staged, report: Progress | None = None, share: Share | None = None, split: Split | None = None
) -> Plays:
    """The play of a game that was solved by stages, on all positions that it comes to. What it gives raises PlayError,
    DistributionError and NotKeptError, too. ``report``: takes how far following it has come. ``share``: who shares the work on
    sheets. ``split``: an entry that is split in two.
    """

    def played(payoff: Payoff, watch: Sequence[Entry], whole: bool) -> Played:
        refuse_passing(staged.explorer.rules.start().mover)
        parts, count = list[Part](), 0
        for part in Along(staged, payoff, watch, whole, split).parts(report):
            parts.append(part)
            count += part.graph.states
            if count > MOST:
                message = f"best play comes to over {MOST:,} positions, which are too many to follow together"
                raise DistributionError(message)
        graph = together(parts)
        rows, states = (
            cumsum([len(part.graph.denominator) for part in parts]),
            cumsum([part.graph.states for part in parts]),
        )
        mixtures = {
            int(state) - part.graph.states + own: mixture.renamed(int(row - len(part.graph.denominator)).__add__)
            for part, row, state in zip(parts, rows, states, strict=True)
            for own, mixture in part.mixtures.items()
        }
        return Played(graph, Arena.of(graph), graph.state_rows[:-1], mixtures)

    def law(asked: Summed, given: Entry | None) -> Listed | None:
        return None if split else listed(staged, asked, given, report, share)

    return Plays(staged.game, staged.objective, played, law)


def together(parts: Sequence[Part]) -> StateGraph:
    """Parts as one graph, with the rows that are taken; the first position comes first.

    Later parts know the payoffs of all before. Which actions the rows are is not told.
    """
    last, keys = parts[-1].graph, np.concatenate([part.graph.keys for part in parts], axis=1)
    index, targets, before = KeyIndex.of(keys), list[Ints](), 0
    tags, tag = dict[tuple[int, int, bool], int](), list[Ints]()
    for part in parts:
        graph, target = part.graph, part.graph.target.astype(np.int64)
        beside = index.known(part.beside)
        if (beside < 0).any():
            raise DisagreementError("best play leads to a position that was not followed")
        place = np.concatenate([arange(graph.states) + before, beside, [-1]])  # the last is the end
        targets.append(place[target])
        tag.append(np.array([tags.setdefault(each, len(tags)) for each in graph.tags], dtype=np.int64)[graph.tag])
        before += graph.states
    lengths, rows = (
        np.concatenate([np.diff(getattr(part.graph, name)) for part in parts]) for name in ("row_edges", "state_rows")
    )
    denominator, weight, payoff = (
        np.concatenate([getattr(part.graph, name) for part in parts]) for name in ("denominator", "weight", "payoff")
    )
    return replace(
        last,
        keys=keys,
        state_rows=np.concatenate([[0], cumsum(rows)]),
        row_action=np.zeros(len(lengths), dtype=np.int64),
        row_edges=np.concatenate([[0], cumsum(lengths)]),
        denominator=denominator,
        target=np.concatenate(targets).astype(np.int32),
        weight=weight,
        payoff=payoff,
        tag=np.concatenate(tag),
        tags=tuple(tags),
        parent=np.full(before, -1, dtype=np.int64),
    )
