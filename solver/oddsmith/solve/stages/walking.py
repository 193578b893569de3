"""Forward through the stages of a game: every state that play can reach, by its key alone. No transition is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from oddsmith.arrays import Ints
from oddsmith.errors import DisagreementError
from oddsmith.graph import Explorer, KeyIndex, different, steps
from oddsmith.graph.columns import Stages, Trouble
from oddsmith.progress import Progress

CHUNK = 1 << 16  # states expanded at a time
EXPLORING = "exploring"  # what progress calls it


@dataclass
class Walk:
    """The states of every stage, and what is paid.

    ``keys``: by stage, shape (words, states), in the order in which they were found. ``sizes``: how many those are. ``steps``:
    how many transitions lead on, by stage, where those of one roll that agree count apart. ``furthest``: the last stage that
    each leads to. ``paid``, ``ends``: numbers of payoffs on the way and at the end.
    """

    keys: dict[int, Ints] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    steps: dict[int, int] = field(default_factory=dict)
    furthest: dict[int, int] = field(default_factory=dict)
    paid: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)

    @property
    def states(self) -> int:
        """How many states there are."""
        return sum(self.sizes.values())


def walk(explorer: Explorer, stages: Stages, tell: Progress) -> Walk:
    """Every state by its stage. PlayError where a rule breaks; DisagreementError where play would go back to a stage before.

    So each transition of the game is looked at: that stages only grow is not only proven from the rules, but seen.
    """
    found, done = Walk(), 0
    open_: dict[int, KeyIndex] = {}
    note(open_, stages, explorer, explorer.start, 0)
    while open_:
        now = min(open_)
        index, first, ways = open_[now], 0, 0
        while first < index.count:
            some = index.keys.filled[:, first : first + CHUNK]
            with looking(explorer, some):
                for each in explorer.following(some):
                    ways += len(each.source)
                    (found.ends if each.keys is None else found.paid).update(different(each.paid).tolist())
                    if each.keys is not None:
                        reached = note(open_, stages, explorer, each.keys, now)
                        found.furthest[now] = max(found.furthest.get(now, now), reached)
            first += some.shape[1]
            tell(EXPLORING, done + first, done + sum(each.count for each in open_.values()))
        found.keys[now], found.sizes[now], found.steps[now] = open_.pop(now).keys.filled.copy(), index.count, ways
        done += index.count
    return found


@contextmanager
def looking(explorer: Explorer, keys: Ints) -> Iterator[None]:
    """While it is looked at what follows some states. PlayError where a rule breaks."""
    try:
        yield
    except Trouble as trouble:
        for _ in steps(explorer.rules, explorer.codec.state(keys[:, trouble.row])):
            pass  # raises where a rule breaks
        raise DisagreementError("a rule breaks in columns, and not for the position alone") from None


def note(open_: dict[int, KeyIndex], stages: Stages, explorer: Explorer, keys: Ints, now: int) -> int:
    """Note keys under their stages, none of which comes before ``now``. The last of them."""
    stage = stages.of(keys)
    if stage.min() < now:
        raise DisagreementError(f"play goes back to a stage before ({stages})")
    for each in different(stage).tolist():
        if each not in open_:
            open_[each] = KeyIndex(explorer.codec.box, explorer.codec.width)
        open_[each].add(keys[:, stage == each])
    return int(stage.max())


def constant_sum(explorer: Explorer, paid: Iterable[int], ends: Iterable[int]) -> Fraction | None:
    """What all seats together get, if that is the same whatever happens: nothing on the way, and the same at each end."""
    sums = {number: sum(paid, Fraction(0)) for paid, number in explorer.edges.payoffs.items()}
    found = {sums[number] for number in ends}
    return None if len(found) != 1 or any(sums[number] for number in paid) else found.pop()
