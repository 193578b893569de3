"""Play in a game that is too large to be solved, a step ahead, by the values of a smaller game of the same rules.

An action is worth what it brings on average: what it pays, and the value of the position in which it ends. Values are
known for the positions of the smaller game. A position of the larger game counts as one of these if it is the same, but
for seats that are left out and numbers that are shifted.

*Seats.* The smaller game has as many seats, or fewer. The seat that looks ahead stays at the table. The others are chosen
in all ways, and an action is worth the mean over those ways in which every position that may follow is one of the
smaller game. What belongs to seats that are left out is left out, and all else is as it is. If a seat that is left out
is about to begin a turn, the next one that stays begins it. So values for fewer seats are a guess.

*Numbers.* If parameters differ, some variables have other limits in the smaller game. The numbers of each are either as
they are, or count from the greatest, as points that are missing in a race do. Which of these fits is tried. In a sample
of positions of the smaller game, the shifted position must have the same actions, and each must lead with the same
chances to the same positions and payoffs. As far as that holds, values of the smaller game are those of the larger one
with as many seats.

Where something unknown may follow, the seat plays by a named policy instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from oddsmith.base.arrays import Ints, Mask, reduceat
from oddsmith.base.errors import LookAheadError, TooFineError
from oddsmith.base.exact import plural
from oddsmith.graph import Explorer, GrowingArray, KeyIndex, PositionMap, StateGraph
from oddsmith.graph.columns import PositionBlock, RuleFailureInBlock
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.ruleset import Game, bind
from oddsmith.solve.solution import Solution

UNIT_BITS = 28
"""Values are whole multiples of 2^-28, so that every machine compares the same numbers."""
ROUNDING = 2**0.5 - 1  # added before numbers are cut off: no fraction lies just there
SAMPLE = 300  # positions of the smaller game in which a shift of numbers is tried
MAX_SHIFTED = 8  # variables with other limits
MAX_REMEMBERED = 1 << 20  # positions in which the choice is remembered
WHOLE = ReductionOptions(forget=False, symmetry=False)  # the positions of games that are simulated

_OutcomeDistribution = dict[tuple[bytes, tuple[Fraction, ...], int], Fraction]
"""The chances of what follows an action, by key (empty if the game is over), payoffs, and seat shift."""


@dataclass(frozen=True, eq=False)
class SmallerGameValues:
    """The values of a solved game, by which seats of a larger game of the same rules look ahead.

    ``state_keys``: the keys of its states, without symmetry. ``state_values``: their values in units of 2^-28, shape
    (states, seats), with seats counted from the mover. ``policy_name``: the name of the policy that looks ahead by
    them. ``fallback_policy``: the policy that is played where values are unknown.
    """

    game: Game
    objective: str
    state_keys: Ints
    state_values: Ints
    policy_name: str
    fallback_policy: str

    @staticmethod
    def of(solution: Solution, larger_game: Game, fallback_policy: str) -> SmallerGameValues:
        """Return the values of a solution, by which seats look ahead in the game ``larger_game``.

        ``fallback_policy``: the policy that is played where values are unknown. Raises LookAheadError if play of the solution
        depends on the seat or follows a named policy, or if its states were merged by symmetry.
        """
        graph, game = solution.graph, solution.game
        if solution.named_policies or solution.solved.arena.copies_per_state > 1:
            raise LookAheadError("the values to look ahead by are those of best play that is alike in every seat")
        if graph.codec.reduction.orbits:
            raise LookAheadError("values to look ahead by tell every position apart: solve with symmetry=False")
        values = solution.solved.bounds.values[: graph.state_count]
        worth = np.floor(values * float(1 << UNIT_BITS) + ROUNDING).astype(np.int64)
        rules = game.ruleset.parameters
        other = {
            name: value for name, value in game.parameters.items() if larger_game.parameters.get(name, value) != value
        }
        told = [plural(game.seats, "seat"), *(rules[name].setting_in_words(value) for name, value in other.items())]
        name = f"look ahead by the values of {', '.join(told)}"
        return SmallerGameValues(game, graph.objective, graph.keys, worth, name, fallback_policy)


def _possible_variable_shifts(larger_game: Game, smaller_game: Game) -> Iterator[dict[str, int]]:
    """Yield the ways to shift numbers: by variable, how much larger its numbers are in the larger game.

    A variable that is missing is not shifted. A shifted one counts from its greatest value in both games.
    """
    most = [{cell.variable.name: cell.most for cell in game.cells} for game in (larger_game, smaller_game)]
    moved = {name: most[0][name] - high for name, high in most[1].items() if most[0].get(name, high) != high}
    if len(moved) <= MAX_SHIFTED:
        for chosen in product((False, True), repeat=len(moved)):
            yield {name: shift for (name, shift), each in zip(moved.items(), chosen, strict=True) if each}


def _action_outcomes(graph: StateGraph, target_keys: Ints, state: int) -> list[tuple[object, _OutcomeDistribution]]:
    """Return, for each action of a state, the action and the chance of each of its outcomes.

    ``target_keys``: the keys of all targets, which identify them in the outcomes.
    """
    found: list[tuple[object, _OutcomeDistribution]] = []
    for row in graph.rows(state):
        ends: _OutcomeDistribution = {}
        for edge in graph.edges(row):
            target = int(graph.target[edge])
            paid = tuple(Fraction(each, graph.scale) for each in graph.payoffs[graph.payoff[edge]])
            end = (target_keys[:, target].tobytes() if target >= 0 else b"", paid, int(graph.seat_shift[edge]))
            ends[end] = ends.get(end, Fraction(0)) + Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
        action = int(graph.row_action[row])
        found.append((graph.actions[action] if action >= 0 else None, ends))
    return found


class LookAhead:
    """Chooses actions in blocks of positions of a large game, by the values of a smaller game.

    ``explorer``: explores the large game. ``within``: explores the smaller game, without symmetry. ``decision_count``: the
    number of decisions so far. ``known_decision_count``: the number of those in which all values were known.
    """

    def __init__(self, game: Game, smaller_game: SmallerGameValues) -> None:
        self.game, self.smaller = game, smaller_game
        self.explorer = Explorer(game, smaller_game.objective, sharing=WHOLE)
        self.within = Explorer(smaller_game.game, smaller_game.objective, sharing=ReductionOptions(symmetry=False))
        self.states, self.positions = KeyIndex.of(smaller_game.state_keys), self._position_map()
        self.sign = 1 if game.ruleset.payoffs[smaller_game.objective].goal == "max" else -1
        self.known_decision_count = self.decision_count = 0
        self._clear_cache()

    def _position_map(self) -> PositionMap:
        """Return the map from the positions of the game to those of the smaller game. Raises LookAheadError if there is
        none.
        """
        game, smaller = self.game, self.smaller.game
        codec, own = self.explorer.codec, self.within.codec
        if game.seats < smaller.seats:
            raise LookAheadError(f"values of {plural(smaller.seats, 'seat')} say nothing of {game.seats}")
        between = bind(game.ruleset, replace(game.setting, seats=smaller.seats))
        if between.parameters == smaller.parameters:
            found = PositionMap(codec, own, {})
            if found.is_applicable:
                return found
        else:
            explorer = Explorer(between, self.smaller.objective, sharing=WHOLE)
            for shifts in _possible_variable_shifts(between, smaller):
                back = PositionMap(own, explorer.codec, {name: -shift for name, shift in shifts.items()})
                there, found = PositionMap(explorer.codec, own, shifts), PositionMap(codec, own, shifts)
                if (
                    there.is_applicable
                    and back.is_applicable
                    and found.is_applicable
                    and self._outcomes_agree(explorer, there, back)
                ):
                    return found
        raise LookAheadError(
            f"positions of {game.ruleset.id} at this setting do not play like those of the smaller game, nor if numbers count "
            "from their greatest: take a smaller game that the larger one becomes near its end, or only fewer seats"
        )

    def _outcomes_agree(self, explorer: Explorer, to_smaller: PositionMap, from_smaller: PositionMap) -> bool:
        """Return whether, in a sample of positions, actions have the same outcomes in the smaller game and a larger
        one.

        ``explorer``: explores the larger game, which has as many seats. ``to_smaller``: the map from its positions to those
        of the smaller game; ``from_smaller``: the map in the other direction.
        """
        every = self.smaller.state_keys
        keys = every[:, np.unique(np.linspace(0, every.shape[1] - 1, SAMPLE).astype(np.int64))]
        every_seat = [range(explorer.game.seats)]
        ((larger, possible),) = from_smaller.smaller_keys(keys, every_seat)
        if not possible.all():
            return False
        try:
            one, beside = self.within.graph_of_states(keys)
            two, next_to = explorer.graph_of_states(larger)
        except RuleFailureInBlock:
            return False
        ((mapped, known),) = to_smaller.smaller_keys(np.concatenate([larger, next_to], axis=1), every_seat)
        if not known.all():
            return False
        own, other = np.concatenate([keys, beside], axis=1), mapped
        return all(
            _action_outcomes(one, own, state) == _action_outcomes(two, other, state) for state in range(keys.shape[1])
        )

    def _clear_cache(self) -> None:
        codec = self.explorer.codec
        self.index, self.actions = KeyIndex(codec.possible_key_count, codec.words_per_key), GrowingArray((), np.int32)

    def best_action_numbers(self, block: PositionBlock) -> Ints:
        """Return, for each position of a block, the number of the best action, or -1 if some value after an action is
        unknown.

        The mapping ``action_numbers`` has the number of each action. Raises RuleFailureInBlock if a rule breaks.
        """
        keys = block.keys(self.explorer.codec.phases.index(block.phase))
        if self.index.count > MAX_REMEMBERED:
            self._clear_cache()
        where, fresh = self.index.add(keys)
        if len(fresh):
            try:
                self.actions.append(self._compute_best_actions(keys[:, fresh]))
            except RuleFailureInBlock as trouble:
                self._clear_cache()
                raise RuleFailureInBlock(int(block.sources[fresh[trouble.row]])) from None
        found: Ints = self.actions.filled[where].astype(np.int64)
        self.decision_count += len(found)
        self.known_decision_count += int((found >= 0).sum())
        return found

    @property
    def action_numbers(self) -> Mapping[tuple[str, int, tuple[tuple[str, object], ...]], int]:
        """The number of each action, by its phase, the index of its entry, and its loop variables."""
        return self.explorer.expander.actions

    def _compute_best_actions(self, state_keys: Ints) -> Ints:
        """Return for each position the number of the action whose value is best, or -1 if values are unknown.

        The value of an action is the mean over the choices of the seats that stay in the smaller game. Only those
        choices count for which the value of every position that may follow is known.
        """
        graph, beside = self.explorer.graph_of_states(state_keys)
        starts = graph.row_edges[:-1]
        every_worth, every_known = self._transition_values(graph, np.concatenate([state_keys, beside], axis=1))
        if int(np.abs(every_worth).max(initial=0)) * int(graph.denominator.max()) >> 62:
            raise TooFineError
        brought, sure = np.zeros(len(starts)), np.zeros(graph.state_count, dtype=np.bool_)
        for worth, known in zip(every_worth, every_known, strict=True):
            mean = reduceat(np.add, worth * graph.weight.astype(np.int64), starts) / graph.denominator
            whole = reduceat(np.logical_and, reduceat(np.logical_and, known, starts), graph.state_rows[:-1])
            brought += np.where(whole[graph.row_state], mean * self.sign, 0.0)
            sure |= whole
        best = reduceat(np.maximum, brought, graph.state_rows[:-1])
        rows = np.flatnonzero(brought == best[graph.row_state])[::-1]
        found = np.full(graph.state_count, -1, dtype=np.int64)
        found[graph.row_state[rows]] = graph.row_action[rows]  # of equals the first one writes last
        return np.where(sure, found, -1)

    def _transition_values(self, graph: StateGraph, target_keys: Ints) -> tuple[Ints, Mask]:
        """Return what each transition brings the mover of its source, and a mask of the transitions for which it is
        known, for each choice of the seats that stay in the smaller game. The mover of the source always stays.

        Both have the shape (choices, transitions). ``target_keys``: the keys of all targets.
        """
        others = combinations(range(1, graph.seats), self.smaller.game.seats - 1)
        choices = [(0, *each) for each in others]  # counted from the mover of the source
        paid = [round(Fraction(each[0] << UNIT_BITS, graph.scale)) for each in graph.payoffs]
        worth = np.tile(np.array(paid, dtype=np.int64)[graph.payoff], (len(choices), 1))
        ends = graph.target < 0
        known = np.tile(ends, (len(choices), 1))
        seats = np.where(ends, -1, -graph.seat_shift.astype(np.int64) % graph.seats)  # of the mover, at the target
        for seat in np.unique(seats[~ends]).tolist():
            there = [sorted((each + seat) % graph.seats for each in staying) for staying in choices]
            edges = np.flatnonzero(seats == seat)
            targets, place = np.unique(graph.target[edges], return_inverse=True)
            for choice, (own, possible) in enumerate(self.positions.smaller_keys(target_keys[:, targets], there)):
                states = np.where(possible, self.states.find(own), -1)
                value = self.smaller.state_values[states, there[choice].index(seat)]
                worth[choice, edges] += np.where(states >= 0, value, 0)[place]
                known[choice, edges] = (states >= 0)[place]
        return worth, known
