"""Linear systems x = P x + b of a component under a policy, in floats, for all seats at once.

*Seats are separated by a Fourier transform.* Let x(s, j) be the value of state s for seat j, counted from the mover. A
transition to t with seat shift k gives seat j the value of seat j - k in t: x(s, j) = sum of p x(t, j - k) + b(s, j),
with seats modulo n. Let X(s, f) = sum over j of x(s, j) w^(-f j), with w = exp(2 pi i / n). The shift by k becomes a
factor: X(s, f) = sum of p w^(-f k) X(t, f) + B(s, f). So there is one system of the size of the component for each
frequency f, and not one of n times that size. b is real, so frequency n - f has the conjugate solution, and half of the
frequencies suffice. The systems of the frequencies 0 and n / 2 are real.

*How a system is solved*: by the first of these methods that fits. Dense elimination. Elimination with successors first
and a few cut states last: without the cut states the graph has no cycle, so in that order I - P is triangular except
for the last rows and columns, and only those fill in. Elimination in a fill-reducing order, if not too much fills in.
BiCGSTAB (van der Vorst 1992) to five digits in single precision, for a caller that refines by exact residuals. If that
does not converge, elimination after all, or double precision. The preconditioner is the heavier triangle T of I - P,
which amounts to a Gauss-Seidel step: most transitions lead to states that are found later, so that triangle is nearly
the whole system. States are in the order in which exploring found them, or a walk from the first one, whichever makes
the triangle heavier. With I - P = T + R, iterations solve (I + R T^-1) y = b, and x = T^-1 y: the product with I - P
itself is never needed. No proof depends on this, because floats only propose.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, assert_never

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix, tril, triu
from scipy.sparse.csgraph import breadth_first_order, reverse_cuthill_mckee
from scipy.sparse.linalg import LinearOperator, bicgstab, splu

from oddsmith.base.arrays import Floats, Ints, Whole, arange, bincount, repeat
from oddsmith.base.errors import Signal
from oddsmith.graph import concatenated_ranges, group_by, unique

MAX_DENSE_UNKNOWNS = 48  # unknowns up to which a dense solve is quicker than a sparse one
MAX_CUTS = 16  # per component, up to which cut states are left to the end
MAX_FILL = 6e7  # entries of the factors, by a guess, that are afforded
MUCH_FILL = 1e6  # beyond which iterating is quicker for a few right sides, where it settles
MAX_ITERATIONS_WITH_FALLBACK = 300  # of a loose solve, where something else can be tried
MAX_ITERATIONS = 5_000  # of a loose solve, where nothing else can be tried
TARGET_RESIDUAL = 1e-5  # relative, at which iterations of a loose solve stop
MAX_RESIDUAL = 1e-4  # relative, of a loose solve that is good enough
MAX_CORRECTIONS = 5  # loose solves that give all digits of floats
NEGLIGIBLE_RESIDUAL = 1e-15  # relative to the largest value: the rounding of floats
EDGES_PER_BLOCK = 1 << 20  # transitions that a product takes at a time
Method = Literal["dense", "cut states", "sparse LU", "Krylov"]
ROUGH: frozenset[Method] = frozenset({"Krylov"})  # give about five digits, too few to find fractions by
LARGE_METHODS: frozenset[Method] = frozenset(
    {"sparse LU", "Krylov"}
)  # for components whose fractions may be too long to find
Edges = tuple[Whole, Whole, Whole, Floats]
RotationFactors = NDArray[np.complexfloating[Any, Any]] | Floats


class SingularSystem(Signal):
    """Raised if a system has no unique solution: play may never leave the component."""


@dataclass(frozen=True, eq=False)
class EliminationOrder:
    """An order of elimination: ``states`` with successors first, and ``cut_count`` cut states of each component at the end.

    ``wave_sizes``: the sizes of consecutive groups of states that do not lead to one another. Each of the last ``cut_count``
    waves contains one cut state of each component that still needs one.
    """

    states: Ints
    cut_count: int
    wave_sizes: tuple[int, ...]

    @cached_property
    def state_ranks(self) -> Ints:
        """The index of each state in the order."""
        rank = np.empty(len(self.states), dtype=np.int64)
        rank[self.states] = arange(len(self.states))
        return rank


def elimination_order(state_count: int, source: Ints, target: Ints, component_label: Ints) -> EliminationOrder | None:
    """Return an order in which every state comes after its successors, except for a few cut states of each component.

    ``component_label``: the component of each state. Returns None if a component would need more than ``MAX_CUTS`` cut states.
    Cut states are those with the largest number of transitions in and out (a greedy feedback vertex set). ``source``,
    ``target``: the ends of the transitions between the ``state_count`` states.
    """
    source, target = source[source != target], target[source != target]  # a loop at one state is no obstacle
    order, first = group_by(target, state_count)
    before = source[order]  # the states before each state, state by state
    open_ways = bincount(source, minlength=state_count)
    score = (open_ways + 1) * (np.diff(first) + 1)
    waves: list[Ints] = []
    cuts: list[Ints] = []
    alive = np.ones(state_count, dtype=bool)
    ready = np.flatnonzero(open_ways == 0)
    left = state_count
    while left:
        if not len(ready):
            if len(cuts) == MAX_CUTS:
                return None
            rest = np.flatnonzero(alive)
            rest = rest[np.lexsort((rest, -score[rest], component_label[rest]))]
            ready = rest[np.append(True, component_label[rest][1:] != component_label[rest][:-1])]
            cuts.append(ready)
        else:
            waves.append(ready)
        alive[ready] = False
        left -= len(ready)
        touched = before[concatenated_ranges(first[ready], first[ready + 1] - first[ready])]
        np.subtract.at(open_ways, touched, 1)
        touched = unique(touched)
        ready = touched[(open_ways[touched] == 0) & alive[touched]]
    every = [*waves, *cuts]
    return EliminationOrder(np.concatenate(every), len(cuts), tuple(map(len, every)))


def small_elimination_order(successors: Sequence[Collection[int]]) -> tuple[list[int], int] | None:
    """Return an order of elimination for one component of few states, and the number of cut states at its end.

    ``successors``: the successors of each state. Returns None if more than ``MAX_CUTS`` cut states would be needed. The
    function uses no arrays.
    """
    before: list[list[int]] = [[] for _ in successors]
    open_ways = [0] * len(successors)
    for state, after in enumerate(successors):
        for follower in after:
            if follower != state:
                before[follower].append(state)
                open_ways[state] += 1
    score = [(ways + 1) * (len(ins) + 1) for ways, ins in zip(open_ways, before, strict=True)]
    alive = set(range(len(successors)))
    ready = [state for state in alive if not open_ways[state]]
    waves, cuts = list[int](), list[int]()
    while alive:
        if not ready:
            if len(cuts) == MAX_CUTS:
                return None
            ready = [max(alive, key=lambda state: (score[state], -state))]
            cuts += ready
        else:
            waves += ready
        alive.difference_update(ready)
        touched = [state for ended in ready for state in before[ended]]
        for state in touched:
            open_ways[state] -= 1
        ready = sorted(state for state in set(touched) if not open_ways[state] and state in alive)
    return waves + cuts, len(cuts)


def _rotation_factors(frequency: int, seat_shift: Whole, seats: int) -> RotationFactors:
    """Return the factors of transitions, as ``LinearSystem.shift_factor``."""
    angle = 2 * frequency * seat_shift / seats
    return np.cos(np.pi * angle) if 2 * frequency % seats == 0 else np.exp(-1j * np.pi * angle)


def _rotated_matrix(
    edges: Edges, state_count: int, seats: int, frequency: int, state_ranks: Ints | None, is_single: bool = False
) -> coo_matrix:
    """Return I - P after the transform at a frequency; entries of the same row and column are to be added.

    ``edges``: as for ``LinearSystem``. ``state_ranks``: the row and column of each state, if these are permuted.
    ``is_single``: whether the entries are in single precision.
    """
    source, target, seat_shift, share = edges
    factors: NDArray[Any] = -_rotation_factors(frequency, arange(seats), seats)
    if is_single:
        factors = factors.astype(np.complex64 if np.iscomplexobj(factors) else np.float32)
    moves = factors[seat_shift % seats]
    moves *= share
    entries = np.concatenate([np.ones(state_count, dtype=factors.dtype), moves])
    every = np.arange(state_count, dtype=np.int32)
    row, column = (np.concatenate([every, ends.astype(np.int32)]) for ends in (source, target))
    if state_ranks is not None:
        ranks = state_ranks.astype(np.int32)
        row, column = ranks[row], ranks[column]
    return coo_matrix((entries, (row, column)), shape=(state_count, state_count))


class LinearSystem:
    """The matrix I - P of one policy, factorized when it is first solved.

    ``edges``: source, target, seat shift and probability of each transition that stays inside.
    ``find_elimination_order``: a function that returns an order of elimination; it is called only if needed.
    ``has_few_right_sides``: whether so few right sides will be solved that iteration is quicker than factorization.
    """

    def __init__(
        self,
        state_count: int,
        seats: int,
        edges: Edges,
        find_elimination_order: Callable[[], EliminationOrder | None],
        has_few_right_sides: bool = False,
    ) -> None:
        self.state_count, self.seats, self.find_elimination_order, self.has_few_right_sides = (
            state_count,
            seats,
            find_elimination_order,
            has_few_right_sides,
        )
        self.edges = edges
        self.source, self.target, self.seat_shift, self.share = edges
        self.made: dict[int, Callable[[Any], Any]] = {}
        self.is_rounding_checked = False

    @cached_property
    def method(self) -> Method:
        """The method by which the system is solved."""
        if self.state_count <= MAX_DENSE_UNKNOWNS:
            return "dense"
        if self.find_elimination_order() is not None:
            return "cut states"
        return (
            "sparse LU"
            if self.factor_entry_bound <= (MUCH_FILL if self.has_few_right_sides else MAX_FILL)
            else "Krylov"
        )

    @property
    def is_low_precision(self) -> bool:
        """Whether :meth:`solve` gives only about five digits."""
        return self.method in ROUGH

    @property
    def has_large_component(self) -> bool:
        """Whether the component is so large that its fractions may be too long to find."""
        return self.method in LARGE_METHODS

    @cached_property
    def factor_entry_bound(self) -> float:
        """An upper bound of the number of entries of the factors, for elimination in reverse Cuthill-McKee order."""
        rank = np.empty(self.state_count, dtype=np.int64)
        rank[reverse_cuthill_mckee(self._sparsity_pattern)] = arange(self.state_count)
        reach = arange(self.state_count)
        np.minimum.at(
            reach, np.maximum(rank[self.source], rank[self.target]), np.minimum(rank[self.source], rank[self.target])
        )
        return float((arange(self.state_count) - reach).sum()) * 2

    @property
    def _sparsity_pattern(self) -> csr_matrix:
        """The matrix with an entry wherever a transition leads."""
        ones = np.ones(len(self.source), dtype=np.int8)
        return csr_matrix((ones, (self.source, self.target)), shape=(self.state_count,) * 2)

    @cached_property
    def _heaviest_triangle_order(self) -> Ints:
        """The order of the states in which one triangle of the matrix is heaviest, of those that are tried."""
        found = arange(self.state_count)
        walk = breadth_first_order(self._sparsity_pattern, 0, return_predecessors=False).astype(np.int64)
        if len(walk) < self.state_count:  # several components side by side
            return found
        rank = np.empty(self.state_count, dtype=np.int64)
        rank[walk] = found

        def heavier_triangle_weight(state_ranks: Ints) -> float:
            on, back = (
                state_ranks[self.source] < state_ranks[self.target],
                state_ranks[self.source] > state_ranks[self.target],
            )
            return max(float(self.share[on].sum()), float(self.share[back].sum()))

        return walk if heavier_triangle_weight(rank) > heavier_triangle_weight(found) else found

    def shift_factor(self, frequency: int, seat_shift: Ints) -> RotationFactors:
        """Return the factors of transitions with these seat shifts at a frequency.

        They are real if the frequency is 0 or half the number of seats.
        """
        return _rotation_factors(frequency, seat_shift, self.seats)

    def _matrix_at_frequency(self, frequency: int, state_ranks: Ints | None = None) -> coo_matrix:
        return _rotated_matrix(self.edges, self.state_count, self.seats, frequency, state_ranks)

    def solver_at_frequency(self, frequency: int) -> Callable[[Any], Any]:
        """Return the function that solves the system of one frequency; it is made on first use. Raises SingularSystem."""
        if frequency not in self.made:
            self.made[frequency] = self._make_solver_at_frequency(frequency)
        return self.made[frequency]

    def _make_solver_at_frequency(self, frequency: int) -> Callable[[Any], Any]:
        try:
            match self.method:
                case "dense":
                    return np.linalg.inv(self._matrix_at_frequency(frequency).toarray()).__matmul__
                case "cut states":
                    order = self.find_elimination_order()
                    assert order is not None
                    sparse = self._matrix_at_frequency(frequency, order.state_ranks).tocsc()
                    return _OrderedSolver(order.states, splu(sparse, permc_spec="NATURAL", diag_pivot_thresh=0.0))
                case "sparse LU":
                    return _SparseFactors(self._matrix_at_frequency(frequency).tocsc())
                case "Krylov":
                    return _OrderedSolver(self._heaviest_triangle_order, self._make_krylov_solver(frequency))
                case never:
                    assert_never(never)
        except (RuntimeError, np.linalg.LinAlgError):  # SciPy's and NumPy's words for a singular matrix
            raise SingularSystem from None

    def _make_krylov_solver(self, frequency: int) -> _KrylovSolver:
        ranks = np.argsort(self._heaviest_triangle_order)
        make_matrix = partial(_rotated_matrix, self.edges, self.state_count, self.seats, frequency, ranks)
        return _KrylovSolver(make_matrix, self.factor_entry_bound <= MAX_FILL)

    def raise_precision(self) -> bool:
        """Solve from now on without single precision. Return whether that makes a difference. Raises SingularSystem."""
        ordered = [solver.permuted for solver in self.made.values() if isinstance(solver, _OrderedSolver)]
        raised = [solver.raise_precision() for solver in ordered if isinstance(solver, _KrylovSolver)]
        return any(raised)

    def forget_factors(self) -> None:
        """Free the memory of what solves the system; it is made anew, and checked, when the system is solved again."""
        self.made.clear()
        self.is_rounding_checked = False

    def solve(self, right_side: Floats) -> Floats:
        """Return (I - P)^-1 times a right side of shape (states, seats), to about five digits if ``is_low_precision``.

        The first solution is checked, because rounding the matrix to single precision may have changed it. Raises
        SingularSystem.
        """
        solution = self._solve_at_frequencies(right_side)
        if self.is_low_precision and not self.is_rounding_checked:
            self.is_rounding_checked = True
            residual = np.linalg.norm(self.multiply(solution) - right_side)
            if residual > MAX_RESIDUAL * np.linalg.norm(right_side) and self.raise_precision():
                return self._solve_at_frequencies(right_side)
        return solution

    def _solve_at_frequencies(self, right_side: Floats) -> Floats:
        if not self.seat_shift.any():  # seats stay where they are: every one has the same system
            return np.asarray(self.solver_at_frequency(0)(right_side))
        rotated = np.fft.rfft(right_side, axis=1)
        solved = np.zeros_like(rotated)
        small = TARGET_RESIDUAL * float(np.linalg.norm(rotated)) if self.is_low_precision else 0.0
        for frequency in reversed(range(rotated.shape[1])):  # complex systems first: making one takes most memory
            whole = rotated[:, frequency]
            column: RotationFactors = whole.real if 2 * frequency % self.seats == 0 else whole
            if np.linalg.norm(column) > small:
                solved[:, frequency] = self.solver_at_frequency(frequency)(column)
        return np.fft.irfft(solved, self.seats, axis=1)

    def solve_to_precision(
        self, right_side: Floats, start: Floats | None = None, max_corrections: int = MAX_CORRECTIONS
    ) -> Floats:
        """Return the solution for a right side to the precision of floats, shape (states, seats). Raises SingularSystem.

        ``start``: an approximate solution to begin with. ``max_corrections``: how often the solution is corrected at
        most if the system is solved in low precision; each correction adds about five digits.
        """
        if not self.is_low_precision:
            return self.solve(right_side)
        x = np.zeros_like(right_side) if start is None else start
        for _ in range(max_corrections):
            residual = right_side - self.multiply(x)
            if np.abs(residual).max() <= NEGLIGIBLE_RESIDUAL * np.abs(x).max():
                break
            x = x + self.solve(residual)
        return x

    def multiply(self, x: Floats) -> Floats:
        """Return (I - P) x, in floats, for x of shape (states, seats)."""
        product = x.copy()
        for first in range(0, len(self.source), EDGES_PER_BLOCK):
            part = slice(first, first + EDGES_PER_BLOCK)
            source, target, seat_shift = (
                column[part].astype(np.int64) for column in (self.source, self.target, self.seat_shift)
            )
            for seat in range(self.seats):
                moved = x[target, (seat - seat_shift) % self.seats] * self.share[part]
                product[:, seat] -= bincount(source, moved, self.state_count)
        return product


class _OrderedSolver:
    """Solves with a solver of the matrix whose rows and columns were permuted to ``state_order``."""

    def __init__(self, state_order: Ints, permuted_solver: Any) -> None:
        self.order, self.permuted = state_order, permuted_solver

    def __call__(self, right_side: Any) -> Any:
        solved = self.permuted.solve(right_side[self.order])
        solution = np.empty_like(solved)
        solution[self.order] = solved
        return solution


class _SparseFactors:
    """Solves by elimination in a fill-reducing order."""

    def __init__(self, matrix: csc_matrix) -> None:
        how = {"SymmetricMode": True}
        try:
            self.factors = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=how)
        except RuntimeError:  # SciPy's word for a singular matrix, which may be met as late as while iterating
            raise SingularSystem from None

    def __call__(self, right_side: Any) -> Any:
        return self.factors.solve(right_side)


def _split_by_triangle(matrix: csr_matrix) -> tuple[csc_matrix, csr_matrix]:
    """Return the heavier triangle of a matrix, with the diagonal, and the rest of the matrix."""
    size, beside = np.abs(matrix.data), repeat(arange(matrix.shape[0]), np.diff(matrix.indptr)) - matrix.indices
    upper = float(size[beside < 0].sum()) >= float(size[beside > 0].sum())
    del size, beside
    if upper:
        return triu(matrix, format="csc"), tril(matrix, -1, format="csr")
    return tril(matrix, format="csc"), triu(matrix, 1, format="csr")


class _KrylovSolver:
    """Solves by iterations in single precision, to five digits. If these fail, by elimination or in double precision.

    ``make_matrix``: a function that makes the matrix, in single precision if ``is_single`` is true. ``can_eliminate``:
    whether elimination is affordable; it is then used in preference to double precision.
    """

    def __init__(self, make_matrix: Callable[..., coo_matrix], can_eliminate: bool) -> None:
        self.make_matrix, self.affordable = make_matrix, can_eliminate
        self.factors: _SparseFactors | None = None
        self.single = True
        self._prepare_iteration()

    def _prepare_iteration(self) -> None:
        triangle, rest = _split_by_triangle(self.make_matrix(is_single=self.single).tocsr())
        self.dtype, shape = triangle.dtype, triangle.shape
        self.triangle = factors = splu(triangle, permc_spec="NATURAL", diag_pivot_thresh=0.0)
        self.step = LinearOperator(shape, lambda y: y + rest @ factors.solve(y), dtype=self.dtype)

    def raise_precision(self) -> bool:
        """Solve by elimination or in double precision from now on. Return whether that makes a difference. Raises
        SingularSystem.
        """
        if self.factors is not None or not (self.affordable or self.single):
            return False
        if self.affordable:
            self.factors = _SparseFactors(self.make_matrix(is_single=False).tocsc())
        else:
            self.single = False
            self._prepare_iteration()
        return True

    def solve(self, right_side: Any) -> Any:
        """Return the solution for a right side, or for each column of a matrix of right sides."""
        if right_side.ndim == 2:
            return np.stack([self.solve(column) for column in right_side.T], axis=1)
        if self.factors is not None:
            return self.factors(right_side)
        found, settled = self._iterate(right_side)
        if settled or not self.raise_precision():
            return found
        return self.solve(right_side)

    def _iterate(self, right_side: Any) -> tuple[Any, bool]:
        """Return the result of the iterations, and whether they came to their end."""
        size = float(np.abs(right_side).max()) or 1.0  # squares of large numbers leave single precision
        most = MAX_ITERATIONS_WITH_FALLBACK if self.affordable or self.single else MAX_ITERATIONS
        found, open_ = bicgstab(self.step, (right_side / size).astype(self.dtype), rtol=TARGET_RESIDUAL, maxiter=most)
        return self.triangle.solve(found.astype(self.dtype)).astype(right_side.dtype) * size, not open_
