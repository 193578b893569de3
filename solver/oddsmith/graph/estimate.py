"""An estimate of the number of states of a game before the game is explored, and of the variable that increases it
most.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import count, islice
from math import log2, prod
from random import Random

import numpy as np

from oddsmith.base.arrays import Ints, arange, cumsum, repeat
from oddsmith.base.errors import PlayError
from oddsmith.graph.columns.codec import Codec
from oddsmith.ruleset import Rules, played_moves, random_result_picker

MAX_SPELLED_OUT = 10**15  # positions, whose number is told as a power of ten
MAX_COINS = 20_000  # of a conserved sum, up to which its members are counted together
SAMPLED_PLAYS = 2_000  # of the sample that bounds the number of positions from below
STEPS_PER_WINDOW = 16  # steps of it that are looked at together
MAX_SAMPLED_BLOCKS = 1_500  # of followers, after which the sample ends: some moments
MAX_USED_SHARE = 0.01  # of the values of a variable, up to which what plays show is extrapolated
MAX_SINGLE_PLAYS = 520  # plays that are played one by one
STEPS_PER_SINGLE_PLAY = 64  # of which the first quarter is not looked at
PLAYS_BETWEEN_LOOKS = 40  # of these plays, after which it is seen whether they are enough
ENOUGH_EQUAL_STATES = 10  # equal states of two plays, from which more plays hardly move the bound


@dataclass(frozen=True)
class SizeEstimate:
    """An upper bound on the number of states.

    ``upper_bound``: the bound. ``value_counts``: for each variable, the number of joint values of its cells, if there
    is more than one. ``worst``: the variable without which the bound would be smallest; empty if there is none.
    """

    upper_bound: int
    value_counts: dict[str, int]
    worst: str

    @property
    def bound_text(self) -> str:
        """The bound in digits, or as a power of ten if it is very large."""
        return f"{self.upper_bound:,}" if self.upper_bound < MAX_SPELLED_OUT else f"10^{len(str(self.upper_bound))}"

    def __str__(self) -> str:
        shown = ", ".join(
            f"{name} {ways:,}" for name, ways in sorted(self.value_counts.items(), key=lambda one: -one[1])
        )
        return f"at most {self.bound_text} positions ({shown})"

    def too_large_message(self, lower_bound: int) -> str:
        """Return the message for a game that is probably too large.

        ``lower_bound``: the lower bound on its states that random plays suggest.
        """
        return (
            f"plays at random hardly ever meet, so it probably has far more than {lower_bound:,} positions; it has {self}. "
            f"{self.worst} multiplies them most"
        )

    @property
    def smaller_hint(self) -> str:
        """A hint on how to make the game smaller."""
        return f"try fewer seats, smaller parameters, or fewer values of {self.worst}"

    @property
    def progress_text(self) -> str:
        """The text that progress reports show before the first state is expanded."""
        return f"exploring at most {self.bound_text} positions, multiplied most by {self.worst or 'nothing'}"


def estimate_size(codec: Codec) -> SizeEstimate:
    """Return the upper bound on the number of states that ranges and conserved sums imply.

    It counts all values of all cells, whether play reaches them or not. For a group of variables whose sum is
    conserved, it counts the ways to divide the sum among the group.
    """
    names = list(dict.fromkeys(cell.variable.name for cell in codec.game.cells))
    ways = {name: _joint_value_bound(codec, {name}) for name in names}
    ways = {name: count for name, count in ways.items() if count > 1}
    rest = codec.all_radices[-1] * codec.all_radices[-2]
    most = _joint_value_bound(codec, set(names)) * rest
    worst = min(ways, key=lambda name: _joint_value_bound(codec, set(names) - {name}), default="")
    return SizeEstimate(most, ways, worst)


def _joint_value_bound(codec: Codec, variables: set[str]) -> int:
    """Return an upper bound on the number of joint values of the variables ``variables``.

    A conserved sum bounds the values of its variables.
    """
    cells = [where for where, cell in enumerate(codec.game.cells) if cell.variable.name in variables]
    count = 1
    for one in codec.reduction.implied_cells:
        group = {one.cell, *one.others}
        members = [where for where in cells if where in group]
        floor = sum(codec.game.cells[where].least for where in group)
        if members:
            count *= _count_sums(
                [codec.game.cells[where].most - codec.game.cells[where].least for where in members],
                one.total - floor,
                exactly=len(members) == len(group),
            )
        cells = [where for where in cells if where not in group]
    for where in cells:
        count *= codec.radices[where]
    return count


def _count_sums(largest_values: Iterable[int], total: int, exactly: bool) -> int:
    """Return the number of ways in which numbers add up to ``total``; if not ``exactly``, to at most ``total``.

    ``largest_values``: the largest value of each number; the smallest is 0. If the total is large, return the number of
    all combinations, which is an upper bound.
    """
    largest_values = list(largest_values)
    if total > MAX_COINS:
        return prod(span + 1 for span in largest_values)
    ways = np.zeros(total + 1, dtype=object)
    ways[0] = 1
    for span in largest_values:
        running = cumsum(ways)
        ways = running.copy()
        ways[span + 1 :] -= running[: max(0, total - span)]
    return int(ways[total] if exactly else ways.sum())


@dataclass(frozen=True)
class PlaySample:
    """What random plays show about the number of states.

    ``bounds``: the lower bound that each window of steps gives. ``keys``: the states of the last window, shape (words,
    states). ``going_on``: whether nearly all plays had not ended by the end of the last window.
    """

    bounds: tuple[int, ...]
    keys: Ints
    going_on: bool

    @property
    def greatest_bound(self) -> int:
        """The largest of the lower bounds; 1 if there is none."""
        return max(self.bounds, default=1)

    def extrapolated_bound(self, used_share: float) -> int:
        """Return the lower bound on the number of states that longer plays would probably give.

        These plays would go on until they have used a hundredth of the values of a variable. ``used_share``: the share
        of the values that the last window used.

        The bound is assumed to grow with each doubling of the steps as it did in the last windows. If plays end, if
        there are fewer than three windows, or if a hundredth is used already, the greatest bound is returned.
        """
        if not self.going_on or len(self.bounds) < 3 or not 0 < used_share < MAX_USED_SHARE:
            return self.greatest_bound
        growth = min(self.bounds[-1] / self.bounds[-2], self.bounds[-2] / self.bounds[-3])
        return max(self.greatest_bound, int(self.bounds[-1] * growth ** log2(MAX_USED_SHARE / used_share)))


def sample_plays(
    start_key: Ints, successors: Callable[[Ints], Iterable[tuple[Ints, Ints]]], sufficient_bound: int
) -> PlaySample | None:
    """Estimate lower bounds on the number of reachable states from how often random plays reach the same state.

    Two draws from a distribution over n states are equal with a chance of at least 1/n. So the share of equal pairs
    among the states of different plays, in a window of ``STEPS_PER_WINDOW`` steps, gives a bound. The number of equal
    pairs is first raised by three standard deviations, as if pairs were independent. Each window ends twice as late as
    the one before, because plays of some games separate late. Sampling stops once a bound is at least
    ``sufficient_bound``. There is no bound if all plays end before the first window begins. The result is None if
    sampling would take too much work.

    ``start_key``: the key of the first state. ``successors``: takes keys, shape (words, states), and yields pairs: keys
    of successors, and the index of the state before each. The bounds come from a fixed seed. They are suggestions and
    not proofs.
    """
    random = np.random.default_rng(1)
    keys, plays = repeat(start_key.reshape(-1, 1), SAMPLED_PLAYS, axis=1), arange(SAMPLED_PLAYS)
    met, whose, work, bounds, end, last = list[Ints](), list[Ints](), 0, list[int](), 2 * STEPS_PER_WINDOW, keys
    for step in count(1):
        found, sources = [], []
        for after, source in successors(keys):
            found.append(after)
            sources.append(source)
            if (
                step <= end == 2 * STEPS_PER_WINDOW and (work + len(found)) * end > MAX_SAMPLED_BLOCKS * step
            ):  # the first stretch would not end
                return None
            if work + len(found) > MAX_SAMPLED_BLOCKS:
                break
        work += len(found)
        if not (over := not found or work > MAX_SAMPLED_BLOCKS):
            source, taken = np.concatenate(sources), np.full(len(plays), -1, dtype=np.int64)
            order = random.permutation(len(source))
            taken[source[order]] = order  # the last of what follows each state, all alike
            plays = plays[taken >= 0]
            keys = np.concatenate(found, axis=1)[:, taken[taken >= 0]]
            if step > end - STEPS_PER_WINDOW:
                met.append(keys)
                whose.append(plays)
        if met and (over or step == end):
            last = np.concatenate(met, axis=1)
            states = np.unique(last, axis=1, return_inverse=True)[1].reshape(-1)
            bounds.append(_state_count_lower_bound(*_count_equal_and_all_pairs(states, np.concatenate(whose))))
            met, whose, end = [], [], 2 * end
        if over or max(bounds, default=1) >= sufficient_bound:
            break
    return PlaySample(tuple(bounds), last, len(plays) > 0.9 * SAMPLED_PLAYS)


def lower_bound_from_single_plays(rules: Rules, codec: Codec, sufficient_bound: int) -> int:
    """Estimate a lower bound on the number of states from plays that are simulated one by one.

    Stop once it exceeds ``sufficient_bound``.

    The bound is 1 if a rule breaks during a play. Exploring then reports how play gets there.
    """
    random = Random(1)  # noqa: S311 - a sample, not a secret
    numbers, met, whose, most = dict[Hashable, int](), list[int](), list[int](), 1
    for number in range(1, MAX_SINGLE_PLAYS + 1):
        played = played_moves(rules, random, random_result_picker(random))
        try:
            states = [
                move.step.state
                for move in islice(played, STEPS_PER_SINGLE_PLAY // 4, STEPS_PER_SINGLE_PLAY)
                if move.step.state.phase in codec.phases
            ]
        except PlayError:
            return 1
        for state in map(codec.canonical_state, states):
            kept = codec.cells_in_keys[codec.phases.index(state.phase)]
            told = (state.phase, state.seats_out_bits, *(state.cells[where] for where in kept))
            met.append(numbers.setdefault(told, len(numbers)))
            whose.append(number)
        if met and number % PLAYS_BETWEEN_LOOKS == 0:
            agree, pairs = _count_equal_and_all_pairs(np.array(met, dtype=np.int64), np.array(whose, dtype=np.int64))
            most = _state_count_lower_bound(agree, pairs)
            if agree >= ENOUGH_EQUAL_STATES or most > sufficient_bound:
                break
    return most


def _state_count_lower_bound(equal_pairs: int, pairs: int) -> int:
    """Return a lower bound on the number of states.

    ``equal_pairs``: the number of equal pairs among ``pairs`` pairs of states.
    """
    return max(1, int(pairs / (equal_pairs + 3 * equal_pairs**0.5 + 3)))


def _count_equal_and_all_pairs(state_numbers: Ints, play_numbers: Ints) -> tuple[int, int]:
    """Return the number of equal pairs among the pairs of states from different plays, and the number of all these
    pairs. ``play_numbers``: the play of each state.
    """
    return _count_states_shared_by_plays(state_numbers, play_numbers), _count_states_shared_by_plays(
        np.zeros_like(state_numbers), play_numbers
    )


def _count_states_shared_by_plays(state_numbers: Ints, play_numbers: Ints) -> int:
    """Return the number of pairs of equal states from different plays. ``play_numbers``: the play of each state."""
    both = state_numbers * (play_numbers.max(initial=0) + 1) + play_numbers
    alone = np.unique(both, return_counts=True)[1].astype(np.int64)
    together = np.unique(state_numbers, return_counts=True)[1].astype(np.int64)
    return int(((together**2).sum() - (alone**2).sum()) // 2)
