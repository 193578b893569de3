"""The types of arrays that rooms hand to one another: columns of whole numbers, of floats and of yes and no."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
"""Whole numbers in 64 bits."""

Whole = NDArray[Any]
"""Whole numbers of any width; or of Python's own, which have no bounds."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
