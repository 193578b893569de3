"""An equilibrium of a game in which each of several seats chooses once, none knowing what the others choose.

Nobody gains by departing from an equilibrium alone (Nash 1951). There may be several, and each may bring other values. They are
looked for in this order, and the first one that is proven is taken: those in which all seats do the same, if the game is
alike for all of them; those without chances; and those with chances, few actions first. Where there are too many ways to
have few actions, one is looked for along a path from chances that are all alike: seats that choose by their payoffs with
ever less error (McKelvey and Palfrey 1995).

*Proposing.* Once it is known which actions have chances above 0 (their *support*), the actions of a support bring the same,
and the chances of a seat add up to 1. These equations have as many unknowns, and Newton's method solves them in floats.

*The proof.* The root is followed to many digits. Where it is near fractions with which all equations hold, it is these. Else
it is an irrational number: an interval for each unknown is proven to hold exactly one root (Krawczyk 1969), also where
payoffs are only known between bounds. Other actions of a seat then must bring less, or no more where all is in fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

from oddsmith.base.arrays import Floats, arange, cumsum, repeat
from oddsmith.base.errors import SolveError
from oddsmith.ruleset import ROOT, InformationSet, ObservedPosition, Subgame
from oddsmith.solve.extensive.sequence_form import Plan
from oddsmith.solve.numbers import ball_end

Bounds = tuple[Fraction, Fraction]
Profile = tuple[int, ...]
"""For each seat the number of an action."""
Support = tuple[tuple[int, ...], ...]
"""For each seat the actions that have a chance."""

BEST_TOLERANCE = 1e-9
"""How much worse than the best an action may be, relative to the largest payoff, to be tried as one of the best."""
MAX_STARTS = 8
"""How many starts Newton's method has for each support."""
MAX_NEWTON_STEPS = 60
"""Steps of Newton's method in floats, at most; and in balls."""
MAX_SUPPORTS = 20_000
"""The most supports of which each is tried."""
SHARPNESS_FACTOR, MAX_SHARPNESS = 1.25, 1e6
"""How a path goes to less error, and how far."""
UNUSED_CHANCES = (1e-2, 1e-3, 1e-5)
"""Chances at the end of a path below which an action is taken for unused."""
MAX_BOXES = 12
"""Boxes that are tried, each wider than the one before."""
SEED = 45


@dataclass(frozen=True)
class NashEquilibrium:
    """A Nash equilibrium: the chance of each action of each seat, and bounds of the expected payoff of each seat.

    The chances of a seat add up to 1. ``probability_error``: the chances differ by at most this from those of a true
    equilibrium; 0 if they are exact. ``payoff_error``: the expected payoff of an action against the given chances differs by
    at most this from that in the true equilibrium.
    """

    probabilities: tuple[tuple[Fraction, ...], ...]
    payoff_bounds: tuple[Bounds, ...]
    probability_error: Fraction = Fraction(0)
    payoff_error: Fraction = Fraction(0)


@dataclass(frozen=True)
class NormalForm:
    """A game in normal form. A profile has one action of each seat, by their numbers.

    ``action_counts``: the number of actions of each seat. ``end_distributions``: for each profile, the chance of every
    end. ``end_payoff_bounds``: for each end, bounds of its worth to each seat, where more is better. ``binary_places``:
    the number of binary places to which irrational chances are rounded.
    """

    action_counts: tuple[int, ...]
    end_distributions: Mapping[Profile, Mapping[Any, Fraction]]
    end_payoff_bounds: Mapping[Any, tuple[Bounds, ...]]
    binary_places: int

    def equilibrium(self) -> NashEquilibrium | None:
        """Return the first equilibrium that is proven; None if none is."""
        with ctx.workprec(2 * self.binary_places + 128):
            found = (self._proven_equilibrium(support, start) for support, start in self._candidate_supports())
            return next((each for each in found if each is not None), None)

    # --- proposing, in floats

    @cached_property
    def _is_exact(self) -> bool:
        return all(low == high for each in self.end_payoff_bounds.values() for low, high in each)

    @cached_property
    def _float_payoffs(self) -> Floats:
        """The expected payoffs in floats, divided by the largest absolute one.

        The first axis is for the seat that is paid. One axis for each seat follows, for its action.
        """
        found = np.zeros((len(self.action_counts), *self.action_counts))
        middle = {end: [float(low + high) / 2 for low, high in each] for end, each in self.end_payoff_bounds.items()}
        for profile, ends in self.end_distributions.items():
            for end, chance in ends.items():
                for seat, worth in enumerate(middle[end]):
                    found[(seat, *profile)] += float(chance) * worth
        return found / (float(np.abs(found).max(initial=0.0)) or 1.0)

    def _candidate_supports(self) -> Iterator[tuple[Support, Floats | None]]:
        """Yield supports in the order in which they are tried.

        A support in which some seat mixes comes with a root of its equations in floats, a pure profile with None.
        """
        choosing = [seat for seat, count in enumerate(self.action_counts) if count > 1]
        pure = [tuple((action,) for action in profile) for profile in self._pure_profiles()]
        alike = len(choosing) > 1 and self._is_symmetric(choosing)
        if alike:
            yield from ((each, None) for each in pure if len({each[seat] for seat in choosing}) == 1)
            yield from self._supports_with_roots(self._symmetric_supports(choosing), choosing)
        yield from ((each, None) for each in pure)
        ways = prod(2**count - 1 for count in self.action_counts)
        yield from (
            self._supports_with_roots(self._mixed_supports(), []) if ways <= MAX_SUPPORTS else self._traced_supports()
        )

    def _pure_profiles(self) -> list[Profile]:
        """Return the profiles in which no seat can gain by changing its action alone, judged in floats."""
        best = np.ones(self.action_counts, dtype=bool)
        for seat, paid in enumerate(self._float_payoffs):
            best &= paid >= paid.max(axis=seat, keepdims=True) - BEST_TOLERANCE
        return [tuple(map(int, each)) for each in np.argwhere(best)]

    def _is_symmetric(self, choosing_seats: Sequence[int]) -> bool:
        """Return whether the payoffs in floats stay the same if any two of the seats ``choosing_seats`` change places."""
        first = choosing_seats[0]
        if len({self.action_counts[seat] for seat in choosing_seats}) > 1:
            return False
        for other in choosing_seats[1:]:
            order = list(range(len(self.action_counts)))
            order[first], order[other] = other, first
            turned = self._float_payoffs[order].transpose(0, *(1 + seat for seat in order))
            if np.abs(turned - self._float_payoffs).max() > BEST_TOLERANCE:
                return False
        return True

    def _symmetric_supports(self, choosing_seats: Sequence[int]) -> Iterator[Support]:
        actions = range(self.action_counts[choosing_seats[0]])
        for size in range(2, len(actions) + 1):
            for own in combinations(actions, size):
                yield tuple(own if seat in choosing_seats else (0,) for seat in range(len(self.action_counts)))

    def _mixed_supports(self) -> Iterator[Support]:
        """Yield all supports in which at least one seat mixes, those with the fewest actions first."""
        each = [
            [own for size in range(1, count + 1) for own in combinations(range(count), size)]
            for count in self.action_counts
        ]
        yield from sorted(
            (found for found in product(*each) if any(len(own) > 1 for own in found)),
            key=lambda found: (sum(map(len, found)), max(map(len, found)) - min(map(len, found))),
        )

    def _traced_supports(self) -> Iterator[tuple[Support, Floats | None]]:
        """Yield supports, each with a root, found at the ends of paths of quantal responses with ever less error.

        Rarely used actions are left out of a support. The first path starts from equal chances, the others from random
        ones.
        """
        whole = tuple(tuple(range(count)) for count in self.action_counts)
        ends, random = cumsum(self.action_counts)[:-1], np.random.default_rng(SEED)
        for number in range(MAX_STARTS):
            begun = [
                random.dirichlet(np.ones(count)) if number else np.ones(count) / count for count in self.action_counts
            ]
            shares, sharp = np.concatenate(begun), 0.1
            leaning = shares
            while sharp < MAX_SHARPNESS:
                shares = self._quantal_response(whole, shares, leaning, sharp)
                sharp *= SHARPNESS_FACTOR
            parts = np.split(shares, ends)
            for least in UNUSED_CHANCES:
                support = tuple(tuple(map(int, np.flatnonzero(own > least))) for own in parts)
                start = [own[list(used)] / own[list(used)].sum() for own, used in zip(parts, support, strict=True)]
                root = self._newton_root(support, np.concatenate([*start, np.zeros(len(parts))]))
                if root is not None:
                    yield support, root

    def _quantal_response(
        self, full_support: Support, probabilities: Floats, prior: Floats, rationality: float
    ) -> Floats:
        """Return the quantal response equilibrium near the chances ``probabilities``, in floats, by Newton's method.

        In it the chance of each action is proportional to its chance in ``prior`` times the exponential of ``rationality``
        times its expected payoff. ``full_support``: the support of all actions.
        """
        many = len(probabilities)
        owner = repeat(arange(len(self.action_counts)), self.action_counts)
        for _ in range(MAX_NEWTON_STEPS):
            brings, slopes = _float_equations(
                self._float_payoffs, full_support, np.concatenate([probabilities, np.zeros(len(self.action_counts))])
            )
            raised = prior * np.exp(
                rationality * (brings[:many] - np.array([brings[:many][owner == each].max() for each in owner]))
            )
            wanted = raised / np.array([raised[owner == each].sum() for each in owner])
            spread = np.where(owner[:, None] == owner, np.diag(wanted) - np.outer(wanted, wanted), 0.0)
            slope = np.eye(many) - rationality * spread @ slopes[:many, :many]
            try:
                step = np.linalg.solve(slope, probabilities - wanted)
            except np.linalg.LinAlgError:
                return np.asarray(wanted)
            probabilities = np.clip(probabilities - step, 0.0, 1.0)
            probabilities = probabilities / np.array([probabilities[owner == each].sum() for each in owner])
            if np.abs(step).max() < BEST_TOLERANCE:
                break
        return probabilities

    def _supports_with_roots(
        self, supports: Iterator[Support], symmetric_seats: Sequence[int]
    ) -> Iterator[tuple[Support, Floats | None]]:
        """Yield each support with every root found for it at which no other action is better.

        ``symmetric_seats``: seats whose chances are the same where Newton's method starts.
        """
        random = np.random.default_rng(SEED)
        for support in supports:
            met = list[Floats]()
            for number in range(MAX_STARTS):
                shares = [
                    random.dirichlet(np.ones(len(own))) if number else np.ones(len(own)) / len(own) for own in support
                ]
                for seat in symmetric_seats:
                    shares[seat] = shares[symmetric_seats[0]]
                root = self._newton_root(support, np.concatenate([*shares, np.zeros(len(support))]))
                if root is not None and not any(np.allclose(root, each, atol=BEST_TOLERANCE) for each in met):
                    met.append(root)
                    yield support, root

    def _newton_root(self, support: Support, start: Floats) -> Floats | None:
        """Return the root of the equations of a support that Newton's method reaches from ``start``, in floats.

        A root has the chances of the actions in the support, then the value to each seat. Returns None if the method
        fails, a chance is negative, or an action outside the support is better.
        """
        paid = self._float_payoffs[np.ix_(range(len(support)), *support)]
        many, found = sum(map(len, support)), start
        for _ in range(MAX_NEWTON_STEPS):
            differ, slopes = _float_equations(paid, support, found)
            try:
                step = np.linalg.solve(slopes, differ)
            except np.linalg.LinAlgError:
                return None
            found = found - step
            if not np.isfinite(found).all() or np.abs(found).max() > 1 / BEST_TOLERANCE:
                return None
            if np.abs(step).max() < 1e-13:
                break
        else:
            return None
        if found[:many].min() < -BEST_TOLERANCE:
            return None
        shares = np.split(found[:many], cumsum([len(own) for own in support])[:-1])
        whole = [np.zeros(count) for count in self.action_counts]
        for seat, (own, share) in enumerate(zip(support, shares, strict=True)):
            whole[seat][list(own)] = share
        best = [_expected_payoffs(self._float_payoffs[seat], whole, seat).max() for seat in range(len(support))]
        return found if all(value <= found[many + seat] + BEST_TOLERANCE for seat, value in enumerate(best)) else None

    # --- the proof

    def _proven_equilibrium(self, support: Support, root: Floats | None) -> NashEquilibrium | None:
        """Return the proven equilibrium with a support, near a root in floats; None if it is not proven.

        ``root``: None for a pure profile.
        """
        if root is None:
            return self._proven_pure_equilibrium(tuple(own for (own,) in support))
        try:
            box = self._refined_root(support, root)
        except ZeroDivisionError:
            return None
        if self._is_exact:
            exact = self._proven_exact_equilibrium(support, box)
            if exact is not None:
                return exact
        proven = self._krawczyk_balls(support, box)
        return None if proven is None else self._rounded_equilibrium(support, proven)

    def _proven_pure_equilibrium(self, profile: Profile) -> NashEquilibrium | None:
        here = self.end_distributions[profile]
        for seat, count in enumerate(self.action_counts):
            for action in range(count):
                there = self.end_distributions[(*profile[:seat], action, *profile[seat + 1 :])]
                parts = {end: here.get(end, Fraction(0)) - there.get(end, Fraction(0)) for end in {**here, **there}}
                if self._payoff_bound(parts, seat, 0) < 0:
                    return None
        chances = tuple(
            tuple(Fraction(action == taken) for action in range(count))
            for taken, count in zip(profile, self.action_counts, strict=True)
        )
        seats = range(len(self.action_counts))
        return NashEquilibrium(
            chances, tuple((self._payoff_bound(here, seat, 0), self._payoff_bound(here, seat, 1)) for seat in seats)
        )

    def _payoff_bound(self, coefficients: Mapping[Any, Fraction], seat: int, side: int) -> Fraction:
        """Return the lower (``side`` 0) or upper (1) bound of a linear combination of the worths of ends to a seat.

        ``coefficients``: the factor of each end, which may be negative.
        """
        return sum(
            (
                part * self.end_payoff_bounds[end][seat][side if part > 0 else 1 - side]
                for end, part in coefficients.items()
            ),
            Fraction(0),
        )

    def _proven_exact_equilibrium(self, support: Support, root: Sequence[Any]) -> NashEquilibrium | None:
        """Return the equilibrium whose chances are the fractions nearest to a root; None if they do not satisfy the
        equations.

        The payoffs must be exact.
        """
        chances, place = list[tuple[Fraction, ...]](), 0
        for own, count in zip(support, self.action_counts, strict=True):
            near = [
                _ball_midpoint(each).limit_denominator(1 << self.binary_places)
                for each in root[place : place + len(own)]
            ]
            place += len(own)
            shares = dict(zip(own, near, strict=True))
            chances.append(tuple(shares.get(action, Fraction(0)) for action in range(count)))
        if any(sum(own) != 1 or min(own) < 0 for own in chances):
            return None
        values = list[Bounds]()
        for seat, own in enumerate(support):
            brings = self._action_payoffs(chances, seat)
            value = max(brings)
            if any(brings[action] != value for action in own):
                return None
            values.append((value, value))
        return NashEquilibrium(tuple(chances), tuple(values))

    def _action_payoffs(self, probabilities: Sequence[Sequence[Fraction]], seat: int) -> list[Fraction]:
        """Return the expected payoff of each action of a seat against the chances of the others. Payoffs must be exact."""
        found = [Fraction(0)] * self.action_counts[seat]
        for profile, ends in self.end_distributions.items():
            others = (
                own[action]
                for other, (own, action) in enumerate(zip(probabilities, profile, strict=True))
                if other != seat
            )
            weight = prod(others, start=Fraction(1))
            if weight:
                found[profile[seat]] += weight * self._payoff_bound(ends, seat, 0)
        return found

    @cached_property
    def _payoff_balls(self) -> dict[Profile, list[Any]]:
        """For each profile, the expected payoff of each seat, as an interval (a ball of FLINT)."""
        seats = range(len(self.action_counts))
        return {
            profile: [
                _ball_from_bounds(self._payoff_bound(ends, seat, 0), self._payoff_bound(ends, seat, 1))
                for seat in seats
            ]
            for profile, ends in self.end_distributions.items()
        }

    def _support_equations(self, support: Support, point: Sequence[Any]) -> tuple[Any, Any]:
        """Return the left sides of the equations of a support at the point ``point``, and the matrix of their
        derivatives.

        ``point``: the chances of the actions in the support, then the value to each seat. In an equilibrium all left
        sides are 0.
        """
        keys = [(seat, action) for seat, own in enumerate(support) for action in own]
        place = {key: number for number, key in enumerate(keys)}
        many, seats = len(place), len(support)
        size = many + seats
        differ, slopes = [arb(0)] * size, [[arb(0)] * size for _ in range(size)]
        for profile in product(*support):
            at = [place[seat, action] for seat, action in enumerate(profile)]
            for seat, worth in enumerate(self._payoff_balls[profile]):
                others = [other for other in range(seats) if other != seat]
                differ[at[seat]] += worth * prod((point[at[other]] for other in others), start=arb(1))
                for one in others:
                    rest = prod((point[at[other]] for other in others if other != one), start=arb(1))
                    slopes[at[seat]][at[one]] += worth * rest
        for (seat, _), row in place.items():
            differ[row] -= point[many + seat]
            slopes[row][many + seat] -= 1
            differ[many + seat] += point[row]
            slopes[many + seat][row] += 1
        for seat in range(seats):
            differ[many + seat] -= 1
        return arb_mat([[each] for each in differ]), arb_mat(slopes)

    def _refined_root(self, support: Support, root: Floats) -> list[Any]:
        """Return the root near ``root`` to many digits, as balls of radius 0. Raises ZeroDivisionError if a matrix is
        singular.
        """
        largest = max(
            (max(abs(low), abs(high)) for each in self.end_payoff_bounds.values() for low, high in each),
            default=Fraction(0),
        )
        many = sum(map(len, support))
        scale = float(largest) or 1.0
        found = [arb(float(each)) for each in root[:many]] + [arb(float(each) * scale) for each in root[many:]]
        for _ in range(MAX_NEWTON_STEPS):
            differ, slopes = self._support_equations(support, found)
            step = slopes.mid().solve(differ.mid()).entries()
            found = [(each - less).mid() for each, less in zip(found, step, strict=True)]
            if all(abs(less) < arb(2) ** -(ctx.prec // 2) for less in step):
                break
        return found

    def _krawczyk_balls(self, support: Support, midpoint: Sequence[Any]) -> list[Any] | None:
        """Return one ball for each unknown, near ``midpoint``, so that their product is proven to hold exactly one root.

        Returns None if that is not proven.
        """
        differ, slopes = self._support_equations(support, midpoint)
        try:
            inverse = slopes.mid().inv().mid()
        except ZeroDivisionError:
            return None
        size = len(midpoint)
        start = [each - less for each, less in zip(midpoint, (inverse * differ).entries(), strict=True)]
        reached = start
        for _ in range(MAX_BOXES):
            box = [
                arb(each, 2 * (near - each).abs_upper() + arb(2) ** (16 - ctx.prec))
                for each, near in zip(midpoint, reached, strict=True)
            ]
            rest = arb_mat(size, size, 1) - inverse * self._support_equations(support, box)[1]
            wide = rest * arb_mat([[x - each] for x, each in zip(box, midpoint, strict=True)])
            reached = [one + other for one, other in zip(start, wide.entries(), strict=True)]
            if all(x.contains_interior(near) for x, near in zip(box, reached, strict=True)):
                return reached
        return None

    def _rounded_equilibrium(self, support: Support, root_balls: Sequence[Any]) -> NashEquilibrium | None:
        """Return an equilibrium with chances rounded to fractions, for a root that is proven to lie in ``root_balls``.

        Returns None if a chance may not be above 0, or an action outside the support may be better.
        """
        chances, exact, radius, place = list[tuple[Fraction, ...]](), list[dict[int, Any]](), Fraction(0), 0
        for own, count in zip(support, self.action_counts, strict=True):
            balls = dict(zip(own, root_balls[place : place + len(own)], strict=True))
            place += len(own)
            if len(own) > 1 and not all(ball > 0 for ball in balls.values()):
                return None
            near = {
                action: _round_to_binary_places(_ball_midpoint(ball), self.binary_places)
                for action, ball in balls.items()
            }
            near[own[-1]] += 1 - sum(near.values(), Fraction(0))
            if min(near.values()) < 0:
                return None
            for action, each in near.items():
                radius += max(abs(each - ball_end(balls[action], side)) for side in (0, 1))
            chances.append(tuple(near.get(action, Fraction(0)) for action in range(count)))
            exact.append(balls)
        values = list[Bounds]()
        for seat, own in enumerate(support):
            value = root_balls[place + seat]
            for action in set(range(self.action_counts[seat])) - set(own):
                if not self._payoff_ball(support, exact, seat, action) < value:
                    return None
            values.append((ball_end(value, 0), ball_end(value, 1)))
        largest = max(max(abs(low), abs(high)) for each in self.end_payoff_bounds.values() for low, high in each)
        return NashEquilibrium(tuple(chances), tuple(values), radius, radius * largest)

    def _payoff_ball(self, support: Support, probabilities: Sequence[Mapping[int, Any]], seat: int, action: int) -> Any:
        total = arb(0)
        for others in product(*(own if other != seat else (action,) for other, own in enumerate(support))):
            weight = prod(
                (probabilities[other][each] for other, each in enumerate(others) if other != seat), start=arb(1)
            )
            total += weight * self._payoff_balls[others][seat]
        return total


def _float_equations(payoffs: Floats, support: Support, point: Floats) -> tuple[Floats, Floats]:
    """Return the left sides of the equations of a support at the point ``point``, and the matrix of their derivatives.

    ``payoffs``: the payoffs in floats, for the actions of the support only. ``point``: the chances of these actions, then
    the value to each seat. In an equilibrium all left sides are 0.
    """
    sizes = [len(own) for own in support]
    first = [0, *map(int, cumsum(sizes))]
    many, seats = first[-1], len(support)
    shares = [point[first[seat] : first[seat + 1]] for seat in range(seats)]
    differ, slopes = np.zeros(many + seats), np.zeros((many + seats, many + seats))
    for seat in range(seats):
        rows = slice(first[seat], first[seat + 1])
        differ[rows] = _expected_payoffs(payoffs[seat], shares, seat) - point[many + seat]
        slopes[rows, many + seat] = -1
        for other in range(seats):
            if other != seat:
                slopes[rows, first[other] : first[other + 1]] = _expected_payoffs_by_two(
                    payoffs[seat], shares, seat, other
                )
        differ[many + seat] = shares[seat].sum() - 1
        slopes[many + seat, rows] = 1
    return differ, slopes


def _expected_payoffs(payoffs: Floats, probabilities: Sequence[Floats], seat: int) -> Floats:
    """Return the expected payoff of each action of a seat against the chances of the others.

    ``payoffs``: the payoffs to the seat, with an axis for the action of each seat. ``probabilities``: the chances of each seat.
    """
    for other in reversed(range(len(probabilities))):
        if other != seat:
            payoffs = np.tensordot(payoffs, probabilities[other], axes=(other, 0))
    return payoffs


def _expected_payoffs_by_two(payoffs: Floats, probabilities: Sequence[Floats], seat: int, other_seat: int) -> Floats:
    """Return the expected payoff of each action of ``seat`` against each action of ``other_seat``, as a matrix.

    All remaining seats act by their chances. ``payoffs``, ``probabilities``: as for ``_expected_payoffs``.
    """
    for one in reversed(range(len(probabilities))):
        if one not in (seat, other_seat):
            payoffs = np.tensordot(payoffs, probabilities[one], axes=(one, 0))
    return payoffs if seat < other_seat else payoffs.T


def _ball_from_bounds(low: Fraction, high: Fraction) -> Any:
    ends = [arb(fmpq(each.numerator, each.denominator)) for each in (low, high)]
    return ends[0] if low == high else ends[0].union(ends[1])


def _ball_midpoint(ball: Any) -> Fraction:
    middle = ball.mid().fmpq()
    return Fraction(int(middle.p), int(middle.q))


def _round_to_binary_places(value: Fraction, binary_places: int) -> Fraction:
    return Fraction(round(value * (1 << binary_places)), 1 << binary_places)


# --- subgames of several seats


MAX_PROFILES = 100_000
"""The most ways in which all seats of a subgame can choose together."""


@dataclass(frozen=True)
class SubgameNashEquilibrium:
    """The plans of all seats in an equilibrium of a subgame, and bounds of the expected payoff of each seat.

    ``probability_error``, ``payoff_error``: as in ``NashEquilibrium``.
    """

    plans: tuple[Plan, ...]
    payoff_bounds: tuple[Bounds, ...]
    probability_error: Fraction
    payoff_error: Fraction


def subgame_equilibrium(
    subgame: Subgame, end_payoff_bounds: Callable[[ObservedPosition], tuple[Bounds, ...]], binary_places: int
) -> SubgameNashEquilibrium:
    """Return an equilibrium of a subgame in which each seat chooses at most once.

    ``end_payoff_bounds``: a function that returns bounds of the worth to each seat of a position in which the subgame ends.
    ``binary_places``: as in ``NormalForm``. Raises SolveError if a seat chooses twice, if the seats can choose in too many
    ways together, or if no equilibrium is proven.
    """
    choices = [_only_choice_set(each) for each in subgame.information_sets]
    counts = tuple(len(each.labels) if each else 1 for each in choices)
    if prod(counts) > MAX_PROFILES:
        raise SolveError(
            f"all players can choose together in over {MAX_PROFILES:,} ways, which is too many for an equilibrium"
        )
    actions = [_sequence_actions(subgame, seat, choice) for seat, choice in enumerate(choices)]
    ends: dict[Profile, dict[ObservedPosition, Fraction]] = {profile: {} for profile in product(*map(range, counts))}
    for leaf in subgame.leaves:
        taken = [own[sequence] for own, sequence in zip(actions, leaf.sequences, strict=True)]
        for profile in product(
            *(range(count) if each is None else (each,) for each, count in zip(taken, counts, strict=True))
        ):
            ends[profile][leaf.situation] = ends[profile].get(leaf.situation, Fraction(0)) + leaf.chance_probability
    worths = {leaf.situation: end_payoff_bounds(leaf.situation) for leaf in subgame.leaves}
    found = NormalForm(counts, ends, worths, binary_places).equilibrium()
    if found is None:
        raise SolveError(
            "where all choose at once, no equilibrium was found and proven: there may be many that differ by little"
        )
    plans = tuple(
        _plan_from_probabilities(subgame, seat, choice, own)
        for seat, (choice, own) in enumerate(zip(choices, found.probabilities, strict=True))
    )
    return SubgameNashEquilibrium(plans, found.payoff_bounds, found.probability_error, found.payoff_error)


def _only_choice_set(information_sets: list[InformationSet]) -> InformationSet | None:
    """Return the only information set of a seat with several actions; None if it has none.

    Raises SolveError if it has more than one.
    """
    found = [place for place in information_sets if len(place.labels) > 1]
    if len(found) > 1:
        raise SolveError(
            "a player chooses twice before all know where the game stands, which is solved for two players alone"
        )
    return found[0] if found else None


def _sequence_actions(subgame: Subgame, seat: int, choice_set: InformationSet | None) -> list[int | None]:
    """Return, for each sequence of a seat, the number of the action that it takes at its only choice.

    The number is None for a sequence that ends before that choice. If ``choice_set`` is None, all numbers are 0.
    """
    found: list[int | None] = [None] * len(subgame.sequences[seat])
    if choice_set is None:
        return [0] * len(found)
    for place in subgame.information_sets[seat]:
        for number, sequence in enumerate(place.sequences):
            found[sequence] = number if place is choice_set else found[place.parent_sequence]
    return found


def _plan_from_probabilities(
    subgame: Subgame, seat: int, choice_set: InformationSet | None, probabilities: tuple[Fraction, ...]
) -> Plan:
    """Return the plan of a seat in a subgame. ``probabilities``: the probabilities of the actions at its only choice."""
    plan = [Fraction(0)] * len(subgame.sequences[seat])
    plan[ROOT] = Fraction(1)
    for place in subgame.information_sets[seat]:
        shares = probabilities if place is choice_set else (Fraction(1),)
        for sequence, share in zip(place.sequences, shares, strict=True):
            plan[sequence] = plan[place.parent_sequence] * share
    return plan
