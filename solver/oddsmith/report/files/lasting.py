"""How long play can last while everybody takes only actions that are as good as what is played: so much room bounds need.

A certificate's values are bounds that no action exceeds. What is known of the true values is off by a little, everywhere by
some other little. That is mended by adding a unit for every step that play can still take: a bound then falls by a unit with
each step, which is more than it may be off. Steps within an *end component* (a set of nodes that play need never leave, by
rows that lead nowhere else: de Alfaro 1997) can go on for ever and so cannot count. All its nodes share one number of steps.

A node is a state as somebody sees it; a row leads from a node to others, each with its chance, or else to the end.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, diags, identity
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import MatrixRankWarning, spsolve

from oddsmith.arrays import Floats, Ints, Mask, arange
from oddsmith.errors import UncertifiableError

MOST_CHANGES = 200  # of rows for others, until play that lasts longest is given up
CLEARLY = 0.01  # of a step: play that lasts longer by less is not looked for
STEADY = 0.55  # of a step, by which the steps fall at least along every row: more than half, with room for rounding
SURE = 1e-12  # a row whose chances sum to less than 1 by more may end


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of nodes. ``chances``: shape (rows, nodes). ``right``: the known steps of each, 1 at least; ``node``: its own."""

    chances: csr_matrix
    right: Floats
    node: Ints

    @property
    def nodes(self) -> int:
        """How many there are."""
        return int(self.chances.shape[1])

    @cached_property
    def components(self) -> tuple[Ints, Mask]:
        """The end component of each node, a number of its own where it lies in none, and which rows stay inside of one."""
        return _end_components(self)

    @property
    def single(self) -> bool:
        """Whether no end component has several nodes."""
        return _all_differ(self.components[0])


@dataclass(frozen=True, eq=False)
class Lasting:
    """The most steps from each node, and the end component that it lies in (a number of its own elsewhere)."""

    steps: Floats
    component: Ints

    @property
    def single(self) -> bool:
        """Whether no end component has several nodes."""
        return _all_differ(self.component)


def longest(rows: Rows) -> Lasting:
    """The most steps that play takes from each node, whichever row is taken. Raises UncertifiableError where it may not end."""
    component, inner = rows.components
    count = int(component.max()) + 1
    kept = np.flatnonzero(~inner)
    where = csr_matrix((np.ones(rows.nodes), (arange(rows.nodes), component)), shape=(rows.nodes, count))
    chances, right, own = (rows.chances[kept] @ where).tocsr(), rows.right[kept], component[rows.node[kept]]
    found, first = np.unique(own, return_index=True)
    if len(found) < count:
        raise UncertifiableError("play may last for ever: a certificate cannot prove that it ends")
    taken = first.copy()
    for _ in range(MOST_CHANGES):
        steps = mean_steps(chances[taken], right[taken])
        if not np.isfinite(steps).all():
            break
        worth = chances @ steps + right
        better = np.flatnonzero(worth > steps[own] + CLEARLY)
        if not len(better):
            if (steps[own] - chances @ steps - (right - 1)).min() < STEADY:
                break
            return Lasting(steps[component], component)
        better = better[np.argsort(worth[better], kind="stable")]
        taken[own[better]] = better  # of several the last, which is the best
    raise UncertifiableError("play lasts too long, or for ever: a certificate cannot prove that it ends")


def _all_differ(component: Ints) -> bool:
    return int(component.max(initial=-1)) + 1 == len(component)


def _end_components(rows: Rows) -> tuple[Ints, Mask]:
    pattern = rows.chances.copy()
    pattern.data = np.ones_like(pattern.data)
    inner: Mask = np.asarray(rows.chances.sum(axis=1)).reshape(-1) > 1 - SURE
    inner &= rows.right <= 1  # of what is known, something leads on to nodes that are not here
    lines = csr_matrix((np.ones(len(rows.node)), (rows.node, arange(len(rows.node)))), shape=pattern.shape[::-1])
    while True:
        edges = lines @ diags(inner.astype(float)) @ pattern
        component: Ints = connected_components(edges, connection="strong")[1].astype(np.int64)
        width = int(component.max()) + 1
        where = csr_matrix((np.ones(rows.nodes), (arange(rows.nodes), component)), shape=(rows.nodes, width))
        spread = np.diff((pattern @ where).tocsr().indptr)  # how many components a row leads to
        reached = np.zeros(len(rows.node), dtype=np.int64)
        some = np.diff(pattern.indptr) > 0
        reached[some] = component[pattern.indices[pattern.indptr[:-1][some]]]
        stays = inner & some & (spread == 1) & (reached == component[rows.node])
        if (stays == inner).all():
            return component, inner
        inner = stays


def mean_steps(following: csr_matrix, right: Floats) -> Floats:
    """The mean number of steps until play ends; no numbers where it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)
        solved = spsolve((identity(following.shape[0]) - following).tocsc(), right)
    return np.asarray(solved, dtype=float).reshape(-1)
