"""The types of arrays that rooms hand to one another: columns of whole numbers, of floats and of yes and no."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
"""Whole numbers in 64 bits."""

Whole = NDArray[Any]
"""Whole numbers of any width; or of Python's own, which have no bounds."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# --- what NumPy does with the machine's own width of numbers, which is 32 bits in a browser
#
# There ``np.arange`` and sums of narrow numbers have 32 bits, and counts of 64 bits are refused. So whoever counts, adds up,
# repeats or takes uses these, which give 64 bits everywhere. Places in an array keep the machine's width: none lies beyond it.

Kind = TypeVar("Kind", bound=np.generic)


def arange(start: int, stop: int | None = None, step: int = 1) -> Ints:
    """Return the whole numbers from ``start`` up to but not ``stop``; from 0 where only one bound is given."""
    return np.arange(*((0, start) if stop is None else (start, stop)), step, dtype=np.int64)


def cumsum(values: Any, axis: int | None = None) -> Any:
    """Return the running sums."""
    return np.cumsum(values, axis, dtype=_sum_type(np.asarray(values)))


def repeat(values: NDArray[Kind], counts: Any, axis: int | None = None) -> NDArray[Kind]:
    """Return each value as often as its count says; one count may serve all."""
    return np.repeat(values, _as_indices(counts), axis)


def take(values: NDArray[Kind], places: Any, axis: int | None = None) -> NDArray[Kind]:
    """Return the values at some places."""
    return values.take(_as_indices(places), axis)


def bincount(places: Any, weights: Any = None, minlength: int = 0) -> Any:
    """Return how often each place occurs, or the sum of the weights there."""
    found = np.bincount(_as_indices(places), weights, minlength)
    return found if weights is not None else found.astype(np.int64, copy=False)


def reduceat(operation: np.ufunc, values: NDArray[Kind], starts: Any, axis: int = 0) -> NDArray[Kind]:
    """Reduce each stretch of the values by an operation; ``starts``: where the stretches begin. Sums have 64 bits."""
    wide = _sum_type(values) if operation is np.add else None
    found: NDArray[Kind] = operation.reduceat(values, _as_indices(starts), axis, dtype=wide)
    return found


def _as_indices(values: Any) -> NDArray[np.intp]:
    """Return places and counts in the width that NumPy wants for them."""
    return np.asarray(values).astype(np.intp, copy=False)


def _sum_type(values: Whole) -> type[np.int64] | None:
    """Return the type for sums: 64 bits for whole numbers of any width and for yes and no; None (as it is) for all others."""
    return np.int64 if values.dtype.kind in "biu" else None
