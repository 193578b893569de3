"""Numbers by the column and by the state: arrays in fixed point at any precision, and fractions over one denominator."""

from oddsmith.solve.numbers.fixed import FixedPoint, Floating, Limbs
from oddsmith.solve.numbers.shared import MAX_BITS, Dear, Shared, TooLong, inverse, lcm, reduced

__all__ = ["MAX_BITS", "Dear", "FixedPoint", "Floating", "Limbs", "Shared", "TooLong", "inverse", "lcm", "reduced"]
