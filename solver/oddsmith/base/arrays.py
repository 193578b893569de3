"""Types of arrays (integers, floats, masks), and NumPy functions that give 64 bits on every system."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
"""Whole numbers in 64 bits."""

Whole = NDArray[Any]
"""Whole numbers of any width, or Python integers as objects, which never overflow."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# --- what NumPy does with the machine's own width of numbers, which is 32 bits in a browser
#
# There ``np.arange`` and sums of narrow numbers have 32 bits, and counts of 64 bits are refused. So other modules count, add
# up, repeat and take with these, which give 64 bits everywhere. Indices keep the machine's width, which no array exceeds.

Kind = TypeVar("Kind", bound=np.generic)


def arange(start: int, stop: int | None = None, step: int = 1) -> Ints:
    """Return the whole numbers from ``start`` to just below ``stop``.

    If only one bound is given, it is ``stop``, and they begin at 0.
    """
    return np.arange(*((0, start) if stop is None else (start, stop)), step, dtype=np.int64)


def cumsum(values: Any, axis: int | None = None) -> Any:
    """Return the cumulative sums along ``axis``. Whole numbers are added up in 64 bits."""
    return np.cumsum(values, axis, dtype=_sum_type(np.asarray(values)))


def repeat(values: NDArray[Kind], counts: Any, axis: int | None = None) -> NDArray[Kind]:
    """Return the values, each repeated as often as its count. ``counts``: a count for each value, or one for all."""
    return np.repeat(values, _as_indices(counts), axis)


def take(values: NDArray[Kind], indices: Any, axis: int | None = None) -> NDArray[Kind]:
    """Return the values at some indices. ``indices``: the indices."""
    return values.take(_as_indices(indices), axis)


def bincount(indices: Any, weights: Any = None, minlength: int = 0) -> Any:
    """Return an array that has at each index how often ``indices`` contains this index.

    ``weights``: a weight for each of the ``indices``; if they are given, the weights are added up instead.
    ``minlength``: the least length of the result.
    """
    found = np.bincount(_as_indices(indices), weights, minlength)
    return found if weights is not None else found.astype(np.int64, copy=False)


def reduceat(operation: np.ufunc, values: NDArray[Kind], starts: Any, axis: int = 0) -> NDArray[Kind]:
    """Return the reduction of each slice of the values by an operation.

    ``starts``: the index at which each slice begins. Sums have 64 bits.
    """
    wide = _sum_type(values) if operation is np.add else None
    found: NDArray[Kind] = operation.reduceat(values, _as_indices(starts), axis, dtype=wide)
    return found


def _as_indices(values: Any) -> NDArray[np.intp]:
    """Return indices or counts as integers of the machine's width, which NumPy requires."""
    return np.asarray(values).astype(np.intp, copy=False)


def _sum_type(values: Whole) -> type[np.int64] | None:
    """Return the type in which values are added up: 64-bit integers for integers and masks; None for all other values,
    whose sums keep their type.
    """
    return np.int64 if values.dtype.kind in "biu" else None
