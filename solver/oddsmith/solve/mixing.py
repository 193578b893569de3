"""Mixed play of one state: where no pure equilibrium exists, the mover mixes two actions so that both are worth the same."""

from __future__ import annotations

from dataclasses import dataclass

from oddsmith.exact import Number


@dataclass(frozen=True, slots=True)
class Mixture:
    """Two rows of an arena state and the proven probability of the first."""

    rows: tuple[int, int]
    first: Number
