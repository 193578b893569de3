"""A game solved by stages as a certificate, stage by stage from the last to the first: see ``docs/certificates.md``.

Nothing of a stage is held longer than an earlier one leads to it. All values are enclosed. How far off they may be is laid
down before the first line is written, so the solution must have digits to spare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from oddsmith.arrays import Floats, Ints, arange, reduceat, repeat
from oddsmith.certify import NEVER, STAGED, Row, Table, setting, start_of, steps_of
from oddsmith.certify import position_of
from oddsmith.derive import Canonical
from oddsmith.errors import UncertifiableError
from oddsmith.graph import KeyIndex, StateGraph
from oddsmith.progress import Progress, silent
from oddsmith.report.files.certificate import actions_of, line_of, packed
from oddsmith.report.files.evidence import GRAIN, UNIT_BITS
from oddsmith.ruleset import Rules
from oddsmith.solve.stages import Staged
from oddsmith.solve.stages.growing import find_stages
from oddsmith.solve.stages.kept import Around
from oddsmith.solve.stages.walking import walk
from oddsmith.solve.systems import Singular, blocks, settle

RESIDUAL = 16  # units of 2^-UNIT_BITS by which a value may not follow from what is played
DELTA = 1 << 24  # units by which a tie may be better
