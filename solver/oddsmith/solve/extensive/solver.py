"""Solving a game with hidden information: the value of every subgame, and plans of both seats that secure it.

Subgames that lead to one another are solved together, from the ends of the game backwards. If play can come back to a
subgame, values and plans are found alternately: plans for the values so far, then values for these plans (Pollatschek
and Avi-Itzhak 1969). That only proposes plans. The proof computes what the plans secure: if the plans of one seat are
fixed, the other seat has a Markov decision process over the subgames, and policy iteration finds its value in
fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import ceil, floor, lcm, prod
from typing import Any

from flint import fmpq, fmpq_mat

from oddsmith.base.errors import SolveError
from oddsmith.base.exact import DIGITS, Grade, Number, fraction_text, plural, short_repr
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.ruleset import (
    ROOT,
    Action,
    Choose,
    Game,
    InformationSet,
    ObservedMove,
    ObservedPosition,
    Subgame,
    TreeBuilder,
    label_in_words,
)
from oddsmith.solve.extensive.known import known_fact_texts
from oddsmith.solve.extensive.normal_form import subgame_equilibrium
from oddsmith.solve.extensive.sequence_form import (
    Plan,
    SequencePayoffs,
    SubgameEquilibrium,
    SubgameSeat,
    minimizing_response,
    second_seat_payoffs,
    sequence_payoffs_against,
    solve_subgame,
)
from oddsmith.solve.solution import PlayKind, setting_json
from oddsmith.solve.systems.lifting import expected_visits

MAX_BITS = 4096
"""If the denominator of a value has more bits than this, its bounds are rounded outward."""
MAX_ROUNDS = 40
"""The largest number of rounds in which plans and values of a component are found alternately."""
MAX_SIMPLE_DENOMINATOR = 10_000
"""The largest denominator of simple values that are tried."""
VALUE_PLACES = 512
"""Binary places to which values of a component are rounded while they are looked for."""
MIN_PLACES = 128
"""Binary places of rounded chances, at least."""
BOUND_PLACES = 30
"""Decimal places to which bounds are rounded outward where their fractions are too long."""
GUARD_DIGITS = 6
"""The values of subgames are computed to this many more digits than the value of the game."""

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Decision:
    """The play of a seat at an information set.

    ``seat``: from 0. ``known_facts``: what the seat knows, in words. ``action_probabilities``: the probability of each
    action, by name. ``expected_visits``: the expected number of times that a game reaches the information set.
    ``action_values``: the value of each action against the plan of the other seat, if the seat then plays a best
    response; None if the plan of the other seat never leads there.
    """

    seat: int
    phase: str
    known_facts: tuple[str, ...]
    action_probabilities: Mapping[str, Fraction]
    expected_visits: Fraction
    action_values: Mapping[str, Fraction] | None

    @property
    def support(self) -> dict[str, Fraction]:
        """The actions with a probability above 0, with these probabilities."""
        return {name: chance for name, chance in self.action_probabilities.items() if chance}

    def to_json(self) -> dict[str, Any]:
        """Return the decision as plain data for JSON, in which seats count from 1."""
        found: dict[str, Any] = {"seat": self.seat + 1, "phase": self.phase, "known": list(self.known_facts)}
        found["chances"] = {name: fraction_text(chance) for name, chance in self.action_probabilities.items()}
        found["reached"] = fraction_text(self.expected_visits)
        if self.action_values is not None:
            found["worth"] = {name: fraction_text(value) for name, value in self.action_values.items()}
        return found


@dataclass(frozen=True)
class PlannedChoice:
    """The play of a plan at an information set. The labels of the information set are its actions, in order.

    ``action_probabilities``: the probability of each label; None if the plan itself never leads there.
    ``reach_probability``: the probability that the plan of the other seat and chance lead there. ``action_values``: the
    value of each label against the plan of the other seat; None if that plan never leads there.
    """

    information_set: InformationSet
    action_probabilities: tuple[Fraction, ...] | None
    reach_probability: Fraction
    action_values: tuple[Fraction, ...] | None


@dataclass(frozen=True)
class SolvedSubgame:
    """A subgame with the plans of its seats, and bounds of its value to the first seat.

    Bounds are rounded outward if their fractions are too long. ``other_seat_bounds``: bounds of its values to the other
    seats, if payoffs have no constant sum. ``probability_error``: a bound of the error of the chances, if they are
    rounded. ``payoff_error``: a bound of the error, due to that rounding, of the expected payoff of an action.
    """

    subgame: Subgame
    equilibrium: SubgameEquilibrium
    low: Fraction
    high: Fraction
    other_seat_bounds: tuple[Bounds, ...] = ()
    probability_error: Fraction = Fraction(0)
    payoff_error: Fraction = Fraction(0)

    def bounds_of(self, seat: int, payoff_sum: Fraction) -> Bounds:
        """Return bounds of the value to a seat.

        ``payoff_sum``: the sum of the payoffs of two seats if it is constant; otherwise it is not used.
        """
        if seat == 0:
            return self.low, self.high
        return (
            self.other_seat_bounds[seat - 1]
            if self.other_seat_bounds
            else (payoff_sum - self.high, payoff_sum - self.low)
        )

    def times_sign(self, sign: int) -> SolvedSubgame:
        """Return the subgame with the same plans, and all bounds multiplied by ``sign``, which is 1 or -1."""
        if sign == 1:
            return self
        turned = replace(self.equilibrium, low=-self.equilibrium.high, high=-self.equilibrium.low)
        others = tuple((-high, -low) for low, high in self.other_seat_bounds)
        return replace(self, equilibrium=turned, low=-self.high, high=-self.low, other_seat_bounds=others)


SeatPlan = Mapping[ObservedPosition, Plan]
"""The plans of one seat, by the positions in which subgames begin."""


@dataclass(frozen=True)
class SecretSolution:
    """A solved game with hidden information or simultaneous choices: plans of all seats for every subgame.

    It is best play of one seat, or of two whose payoffs have a constant sum. For other seats and payoffs, it is an
    equilibrium of a game in which nothing but simultaneous choices is hidden.

    ``subgames``: by the position in which they begin, in the order in which play meets them. ``payoff_sum``: the sum of
    the payoffs of the seats. ``position_count``: the number of positions before the end. ``payoffs_at_end``: returns
    the payoff of each seat at an end. ``named_policies``: the policy that a seat (from 1) follows; the other seat then
    plays its best response. ``has_constant_sum``: whether there is one seat, or two whose payoffs have a constant sum.
    """

    game: Game
    objective: str
    payoff_sum: Fraction
    position_count: int
    subgames: Mapping[ObservedPosition, SolvedSubgame] = field(repr=False)
    payoffs_at_end: Callable[[ObservedPosition], tuple[Fraction, ...]] = field(repr=False)
    named_policies: Mapping[int, str] = field(default_factory=dict)
    has_constant_sum: bool = True

    def __repr__(self) -> str:
        values = ", ".join(value.brief for value in self.values)
        words = f"{self.game.ruleset.id}, {plural(self.game.seats, 'seat')}, {self.objective} {values} ({self.grade})"
        return short_repr(self, words)

    @property
    def values(self) -> tuple[Number, ...]:
        """The value of the game for each seat, in the order of the seats."""
        whole = next(iter(self.subgames.values()))
        return tuple(Number(*whole.bounds_of(seat, self.payoff_sum)) for seat in range(self.game.seats))

    @property
    def grade(self) -> Grade:
        """The grade of the values: exact, or proven if they are known between bounds."""
        return self.values[0].grade

    @property
    def objective_sign(self) -> int:
        """1 where more is better for a seat, and -1 where less is."""
        return _objective_sign(self.game, self.objective)

    @property
    def kind(self) -> PlayKind:
        """The kind of best play.

        It is ``named`` if a seat follows a policy, ``optimal`` for one seat, and ``zero-sum`` for two seats whose
        payoffs have a constant sum. Any other equilibrium is ``mixed`` or, if no seat mixes, ``pure-by-seat``.
        """
        if self.named_policies:
            return "named"
        if not self.has_constant_sum:
            plans = (plan for each in self.subgames.values() for plan in each.equilibrium.plans)
            return "mixed" if any(weight not in (0, 1) for plan in plans for weight in plan) else "pure-by-seat"
        return "zero-sum" if self.game.seats == 2 else "optimal"

    @property
    def can_be_stalled(self) -> bool:
        """False, because games in which a player could keep the game from ending are refused."""
        return False

    @property
    def sequence_counts(self) -> tuple[int, ...]:
        """For each seat, the largest number of sequences that it has in a subgame."""
        return tuple(
            max(len(each.subgame.sequences[seat]) for each in self.subgames.values()) for seat in range(self.game.seats)
        )

    def decisions(self) -> Iterator[Decision]:
        """Yield the decisions of each seat at the information sets that its plan reaches, subgame by subgame."""
        begins = self.expected_visits()
        for situation in self.subgames:
            for seat in range(self.game.seats):
                for choice in self.planned_choices(situation, seat):
                    if choice.action_probabilities is not None and len(choice.information_set.labels) > 1:
                        yield self._decision_of_choice(seat, situation, choice, begins[situation])

    def planned_choices(self, subgame_start: ObservedPosition, seat: int) -> Iterator[PlannedChoice]:
        """Yield the play of a seat's plan at each of its information sets in one subgame.

        ``subgame_start``: the position in which the subgame begins.
        """
        if (subgame_start, seat) not in self._choices_cache:
            self._choices_cache[subgame_start, seat] = list(
                self._compute_planned_choices(self.subgames[subgame_start], seat)
            )
        yield from self._choices_cache[subgame_start, seat]

    @cached_property
    def _choices_cache(self) -> dict[tuple[ObservedPosition, int], list[PlannedChoice]]:
        """The choices computed so far, by the position in which a subgame begins and by seat."""
        return {}

    def _compute_planned_choices(self, solved_subgame: SolvedSubgame, seat: int) -> Iterator[PlannedChoice]:
        worth, own = (
            self._sequence_values(solved_subgame, seat, self._end_value),
            solved_subgame.equilibrium.plans[seat],
        )
        reach = self._sequence_values(solved_subgame, seat, _constant_one) if self.game.seats > 2 else []
        other = solved_subgame.equilibrium.plans[1 - seat] if self.game.seats <= 2 else []
        for place in solved_subgame.subgame.information_sets[seat]:
            before = own[place.parent_sequence]
            chances = tuple(own[each] / before for each in place.sequences) if before else None
            reached = (other[sequence] * chance for sequence, chance in place.chance_probabilities.items())
            weight = reach[place.first_sequence] if reach else sum(reached, Fraction(0))
            brings = tuple(worth[each] / weight for each in place.sequences) if weight else None
            yield PlannedChoice(place, chances, weight, brings)

    def expected_visits(self) -> dict[ObservedPosition, Fraction]:
        """Return the expected number of times that each subgame begins in a game."""
        return self._expected_visits(
            {
                situation: end_distribution(each.subgame, each.equilibrium.plans)
                for situation, each in self.subgames.items()
            }
        )

    def value_of_trembling(self, seat: int, plan_probability: Fraction) -> Fraction:
        """Return the value to a seat that plays its ``trembling_plan`` while all others play their plans of the
        solution.

        ``plan_probability``: the probability with which it plays its plan at each choice.
        """
        return self._value_of_plan(seat, self.trembling_plan(seat, plan_probability))

    def value_of_policy(self, seat: int, choose_action: Choose) -> Fraction:
        """Return the value to a seat that follows a policy of the ruleset while all others play their plans of the
        solution.

        ``choose_action``: the policy, a function of a state and its legal actions that returns the index of one of
        them.
        """
        return self._value_of_plan(seat, self.policy_plan(seat, choose_action))

    def _value_of_plan(self, seat: int, seat_plan: SeatPlan) -> Fraction:
        """Return the value to a seat that plays ``seat_plan`` while all others play their plans of the solution."""
        return self.values_under([seat_plan if each == seat else self.plan(each) for each in range(self.game.seats)])[
            seat
        ]

    def plan(self, seat: int) -> SeatPlan:
        """Return the plan of a seat for every subgame."""
        return {situation: each.equilibrium.plans[seat] for situation, each in self.subgames.items()}

    def trembling_plan(self, seat: int, plan_probability: Fraction) -> SeatPlan:
        """Return the plan of a seat that trembles at each choice.

        With probability ``plan_probability`` the seat plays its plan, and otherwise it takes all actions with the same
        probability.
        """

        def trembling_probabilities(
            information_set: InformationSet, plan_probabilities: list[Fraction]
        ) -> list[Fraction]:
            alike = Fraction(1, len(information_set.labels))
            return [plan_probability * each + (1 - plan_probability) * alike for each in plan_probabilities]

        return self._plan_with_probabilities(seat, trembling_probabilities)

    def policy_plan(self, seat: int, choose_action: Choose) -> SeatPlan:
        """Return the plan of a seat that follows a policy of the ruleset.

        Policies do not cover simultaneous choices: there the seat takes all items with the same probability.
        ``choose_action``: the policy, a function of a state and its legal actions that returns the index of one of
        them.
        """

        def policy_probabilities(information_set: InformationSet, plan_probabilities: list[Fraction]) -> list[Fraction]:
            actions = [label for label in information_set.labels if isinstance(label, Action)]
            if len(actions) < len(information_set.labels):
                return [Fraction(1, len(plan_probabilities))] * len(plan_probabilities)
            taken = choose_action(information_set.situation.state, actions)
            return [Fraction(number == taken) for number in range(len(actions))]

        return self._plan_with_probabilities(seat, policy_probabilities)

    def _plan_with_probabilities(
        self, seat: int, new_probabilities: Callable[[InformationSet, list[Fraction]], list[Fraction]]
    ) -> SeatPlan:
        """Return a plan of a seat with other probabilities.

        ``new_probabilities``: a function that returns the probabilities at an information set, given those of the
        seat's present plan.
        """
        return {
            situation: _plan_with_probabilities(
                each.subgame.information_sets[seat], each.equilibrium.plans[seat], new_probabilities
            )
            for situation, each in self.subgames.items()
        }

    def values_under(self, plans: Sequence[SeatPlan]) -> tuple[Fraction, ...]:
        """Return the value to each seat if the seats play the given plans. Raises ZeroDivisionError if play may never
        end.
        """
        law = self.payoffs_under(plans)
        return tuple(
            sum((chance * paid[seat] for paid, chance in law.items()), Fraction(0)) for seat in range(self.game.seats)
        )

    def payoffs_under(self, plans: Sequence[SeatPlan]) -> dict[tuple[Fraction, ...], Fraction]:
        """Return the joint distribution of the payoffs if the seats play the given plans: the chance of each tuple of
        payoffs.

        Raises ZeroDivisionError if play may never end.
        """
        found = {
            situation: end_distribution(
                each.subgame, (*(plan[situation] for plan in plans), *each.equilibrium.plans[len(plans) :])
            )
            for situation, each in self.subgames.items()
        }
        visits = self._expected_visits(found)
        over = dict[tuple[Fraction, ...], Fraction]()
        for situation, each in found.items():
            for after, chance in each.items():
                if after not in self.subgames:
                    paid = self.payoffs_at_end(after)
                    over[paid] = over.get(paid, Fraction(0)) + visits[situation] * chance
        return over

    def best_response(self, seat: int, other_plan: SeatPlan) -> SeatPlan:
        """Return the best response of a seat to a plan of the other seat.

        Raises SolveError if play can come back to a subgame.
        """
        return self._best_response_and_values(seat, other_plan)[0]

    def with_policy(self, seat: int, name: str, choose_action: Choose) -> SecretSolution:
        """Return a solution in which one seat follows a policy of the ruleset, and the other seat plays its best
        response.

        ``seat``: the seat that follows the policy, from 0. ``name``: the name of the policy. ``choose_action``: the
        policy as a function. Raises SolveError if play can come back to a subgame, or the payoffs have no constant sum.
        """
        policy = self.policy_plan(seat, choose_action)
        response, values = self._best_response_and_values(1 - seat, policy)
        subgames = dict[ObservedPosition, SolvedSubgame]()
        for situation, each in self.subgames.items():
            first = values[situation] if seat == 0 else self.payoff_sum - values[situation]
            plans = (response[situation], policy[situation]) if seat == 1 else (policy[situation], response[situation])
            subgames[situation] = SolvedSubgame(each.subgame, SubgameEquilibrium(plans, first, first), first, first)
        return replace(self, subgames=subgames, named_policies={seat + 1: name})

    def _best_response_and_values(
        self, seat: int, other_plan: SeatPlan
    ) -> tuple[SeatPlan, dict[ObservedPosition, Fraction]]:
        """Return the best response of a seat to a plan, and the value of each subgame to the seat that plays that plan.

        Raises SolveError if play can come back to a subgame, or the payoffs have no constant sum.
        """
        import networkx as nx

        if not self.has_constant_sum:
            raise SolveError(
                "a best response is worked out for one player, or for two whose payoffs add up to a constant"
            )
        leads = nx.DiGraph()
        leads.add_nodes_from(self.subgames)
        for situation, each in self.subgames.items():
            leads.add_edges_from(
                (situation, leaf.situation) for leaf in each.subgame.leaves if leaf.situation in self.subgames
            )
        if not nx.is_directed_acyclic_graph(leads):
            raise SolveError("where play can come back to where it was, a best response is not worked out")
        theirs, found = dict[ObservedPosition, Fraction](), dict[ObservedPosition, Plan]()
        for situation in reversed(list(nx.topological_sort(leads))):
            subgame = self.subgames[situation].subgame
            own = subgame_seats(subgame)[seat]
            paid = sequence_payoffs(
                subgame,
                lambda after: (
                    self.objective_sign * (theirs[after] if after in theirs else self.payoffs_at_end(after)[1 - seat])
                ),
            )
            turned = paid if seat == 1 else {(second, first): worth for (first, second), worth in paid.items()}
            least, taken = minimizing_response(
                own, sequence_payoffs_against(other_plan[situation], turned, own.sequence_count)
            )
            theirs[situation] = self.objective_sign * least
            found[situation] = _response_plan(own, taken)
        return {situation: found[situation] for situation in self.subgames}, theirs

    def plan_bounds(self) -> dict[ObservedPosition, tuple[Bounds, ...]]:
        """Return, for every subgame of an equilibrium, bounds of the value to each seat.

        They enclose three numbers: the value, the payoff of the rounded plans, and the most that the seat could get by
        deviating alone.
        """
        found = dict[ObservedPosition, tuple[Bounds, ...]]()
        todo = [next(iter(self.subgames))]
        while todo:
            solved = self.subgames[todo[-1]]
            missing = {
                each.situation
                for each in solved.subgame.leaves
                if each.situation in self.subgames and each.situation not in found
            }
            if missing:
                todo += missing
                continue
            found[todo.pop()] = tuple(
                self._subgame_value_bounds(solved, seat, found) for seat in range(self.game.seats)
            )
        return found

    def _subgame_value_bounds(
        self, solved_subgame: SolvedSubgame, seat: int, known_bounds: Mapping[ObservedPosition, tuple[Bounds, ...]]
    ) -> Bounds:
        subgame, plans = solved_subgame.subgame, solved_subgame.equilibrium.plans

        def sequence_payoffs_with_subgame_bounds(side: int) -> list[Fraction]:
            def end_payoff(position: ObservedPosition) -> Fraction:
                return self.objective_sign * (
                    known_bounds[position][seat][side]
                    if position in known_bounds
                    else self.payoffs_at_end(position)[seat]
                )

            found, scale = _sequence_payoffs_against(subgame, plans, seat, end_payoff)
            return [Fraction(each, scale) for each in found]

        least, most = (0, 1) if self.objective_sign == 1 else (1, 0)
        usual = sum(
            (
                weight * each
                for weight, each in zip(plans[seat], sequence_payoffs_with_subgame_bounds(least), strict=True)
            ),
            Fraction(0),
        )
        best = sequence_payoffs_with_subgame_bounds(most)
        for place in reversed(subgame.information_sets[seat]):
            best[place.parent_sequence] += max(best[each] for each in place.sequences)
        step = Fraction(1, 10**BOUND_PLACES)
        if max(usual.denominator, best[ROOT].denominator).bit_length() > MAX_BITS:
            usual, best[ROOT] = floor(usual / step) * step, ceil(best[ROOT] / step) * step
        found = (usual, best[ROOT]) if self.objective_sign == 1 else (-best[ROOT], -usual)
        low, high = solved_subgame.bounds_of(seat, self.payoff_sum)
        return min(low, found[0]), max(high, found[1])

    def _expected_visits(
        self, end_distributions: Mapping[ObservedPosition, Mapping[ObservedPosition, Fraction]]
    ) -> dict[ObservedPosition, Fraction]:
        """Return the expected number of times that each subgame begins.

        ``end_distributions``: for each subgame, the probability of each position in which it ends.
        """
        number = {situation: place for place, situation in enumerate(self.subgames)}
        leads = [
            {number[after]: chance for after, chance in end_distributions[situation].items() if after in number}
            for situation in self.subgames
        ]
        found = expected_visits(leads, [Fraction(1), *[Fraction(0)] * (len(number) - 1)])
        return dict(zip(self.subgames, found, strict=True))

    def _decision_of_choice(
        self, seat: int, subgame_root: ObservedPosition, choice: PlannedChoice, expected_beginnings: Fraction
    ) -> Decision:
        game, place = self.game, choice.information_set
        names = self.action_names(place)
        alike = (Fraction(1, len(names)),) * len(names)  # where its own plan never leads there
        chances = dict(zip(names, choice.action_probabilities or alike, strict=True))
        brings = None if choice.action_values is None else dict(zip(names, choice.action_values, strict=True))
        known = known_fact_texts(game, subgame_root, seat, place)
        own = self.subgames[subgame_root].equilibrium.plans[seat]
        reached = expected_beginnings * choice.reach_probability * own[place.parent_sequence]
        return Decision(seat, place.situation.state.phase, known, chances, reached, brings)

    def action_names(self, information_set: InformationSet) -> list[str]:
        """Return the names of the actions at an information set."""
        return [label_in_words(self.game, information_set.situation, label) for label in information_set.labels]

    def decision(self, subgame_start: ObservedPosition, seat: int, observations: tuple[Any, ...]) -> Decision | None:
        """Return best play at the information set of a seat that has observed ``observations`` since a subgame began.

        Returns None if the seat has no choice there. ``subgame_start``: the position in which the subgame began.
        ``reached`` of the result is the expected number for one beginning of the subgame, not for a game.
        """
        found = (
            each
            for each in self.planned_choices(subgame_start, seat)
            if each.information_set.observations == observations
        )
        choice = next(found, None)
        return None if choice is None else self._decision_of_choice(seat, subgame_start, choice, Fraction(1))

    def action_value_bounds(
        self, subgame_start: ObservedPosition, seat: int, choice: PlannedChoice
    ) -> tuple[Number, ...] | None:
        """Return proven bounds of the value of each label of a choice against the plans of the other seats.

        Returns None if those plans never lead to the choice.
        """
        solved = self.subgames[subgame_start]
        if not choice.reach_probability:
            return None
        ends = (
            self._sequence_values(solved, seat, bound) for bound in (self.lower_value_bound, self.upper_value_bound)
        )
        low, high = (
            [each[sequence] / choice.reach_probability for sequence in choice.information_set.sequences]
            for each in ends
        )
        error = solved.payoff_error / choice.reach_probability
        return tuple(Number(least - error, most + error) for least, most in zip(low, high, strict=True))

    def _sequence_values(
        self, solved_subgame: SolvedSubgame, seat: int, end_value: Callable[[ObservedPosition, int], Fraction]
    ) -> list[Fraction]:
        """Return, for each sequence of a seat, its value against the plans of the other seats, times their weight.

        The weight is the probability that these plans and chance lead there. The seat continues with a best response.
        ``end_value``: a function that returns the value to a seat of a position in which the subgame ends.
        """
        subgame = solved_subgame.subgame
        total, scale = _sequence_payoffs_against(
            subgame, solved_subgame.equilibrium.plans, seat, lambda after: end_value(after, seat)
        )
        for place in reversed(subgame.information_sets[seat]):
            total[place.parent_sequence] += self.objective_sign * max(
                self.objective_sign * total[each] for each in place.sequences
            )
        return [Fraction(each, scale) for each in total]

    def _end_value(self, position: ObservedPosition, seat: int) -> Fraction:
        """Return the value to a seat of a position in which a subgame ends: exact, or the middle of its bounds."""
        return (self.lower_value_bound(position, seat) + self.upper_value_bound(position, seat)) / 2

    def lower_value_bound(self, position: ObservedPosition, seat: int) -> Fraction:
        """Return the lower bound of the value to a seat of a position in which a subgame ends."""
        return self._end_value_bounds(position, seat)[0]

    def upper_value_bound(self, position: ObservedPosition, seat: int) -> Fraction:
        """Return the upper bound of the value to a seat of a position in which a subgame ends."""
        return self._end_value_bounds(position, seat)[1]

    def _end_value_bounds(self, position: ObservedPosition, seat: int) -> Bounds:
        solved = self.subgames.get(position)
        return (self.payoffs_at_end(position)[seat],) * 2 if solved is None else solved.bounds_of(seat, self.payoff_sum)

    def to_json(self, digits: int = DIGITS) -> dict[str, Any]:
        """Return the solution as plain data for JSON, with the structure of that of any other game.

        ``decisions`` lists, in addition, what each seat does at each information set that its plan reaches.
        """
        named = (
            {"policies": {str(seat): name for seat, name in self.named_policies.items()}} if self.named_policies else {}
        )
        return {
            "ruleset": setting_json(self.game),
            "objective": self.objective,
            "grade": self.grade,
            "graph": {"subgames": len(self.subgames), "sequences": list(self.sequence_counts)},
            "values": [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(self.values, 1)],
            "policy": {"kind": self.kind, **named},
            "decisions": [decision.to_json() for decision in self.decisions()],
        }


def solve_secrets(
    game: Game, objective: str, digits: int | None = None, progress: Progress | None = None
) -> SecretSolution:
    """Solve a game with hidden information, with proof.

    With more than two seats, or payoffs without a constant sum, it looks for an equilibrium. That needs a game in which
    nothing but simultaneous choices is hidden. ``digits``: the wanted decimal digits of the values. Raises SolveError
    if such a game has other secrets, if play could come back to a subgame, or if no equilibrium is proven; PlayError if
    a rule breaks, or a seat would choose by what it has not seen; and TooManyStatesError.
    """
    if game.seats > 2 and game.ruleset.hides_moves:
        message = f"games with secrets are solved for one or two seats, and this is for {game.seats}"
        raise SolveError(f"{message}: with more there is no value that best play secures")
    return _SecretGameSolver(game, objective, digits or DIGITS, progress or ignore_progress).solve()


def _objective_sign(game: Game, objective: str) -> int:
    """Return 1 where more of a payoff is better, and -1 where less is."""
    return 1 if game.ruleset.payoffs[objective].goal == "max" else -1


class _SecretGameSolver:
    """Solves a game in terms of worth: the payoff, or its negative if less of the payoff is better.

    So a seat always wants more. The solution is turned back into payoffs at the end.
    """

    def __init__(self, game: Game, objective: str, digits: int, progress: Progress) -> None:
        self.game, self.objective, self.progress = game, objective, progress
        self.builder = TreeBuilder(game, objective, progress)
        self.width, self.sign = Fraction(1, 10 ** (digits + GUARD_DIGITS)), _objective_sign(game, objective)
        self.subgames: dict[ObservedPosition, Subgame] = {}
        self.values: dict[ObservedPosition, Bounds] = {}
        self.solved: dict[ObservedPosition, SolvedSubgame] = {}
        self.total: Fraction | None = None
        self.constant = game.seats <= 2
        self.places = max(MIN_PLACES, 4 * digits)

    def solve(self) -> SecretSolution:
        import networkx as nx

        first = self.builder.observer.start()
        self.explore_subgames(first)
        leads = nx.DiGraph()
        leads.add_nodes_from(self.subgames)
        for situation, subgame in self.subgames.items():
            leads.add_edges_from((situation, after) for after in self.next_subgames(subgame))
        condensed = nx.condensation(leads)
        for number, component in enumerate(reversed(list(nx.topological_sort(condensed))), 1):
            members = list(condensed.nodes[component]["members"])
            self.progress("solving subgames", number, len(condensed))
            if not self.constant:
                self.record_equilibrium(members, leads.has_edge(members[0], members[0]))
            elif len(members) > 1 or leads.has_edge(members[0], members[0]):
                self.record_subgames(*_SubgameComponent(self, members).solve())
            else:
                self.record_subgames(*self.solve_single_subgame(members[0]))
        ordered = {situation: self.solved[situation].times_sign(self.sign) for situation in self.subgames}
        positions = sum(bool(each.state.phase) for each in self.builder.situations)
        total = self.sign * (self.total or Fraction(0))
        found = self.game, self.objective, total, positions, ordered, self.end_payoffs
        return SecretSolution(*found, has_constant_sum=self.constant)

    @cache  # noqa: B019 - as long as the solver, which ends with the game
    def end_payoffs(self, position: ObservedPosition) -> tuple[Fraction, ...]:
        """Return the payoff of each seat at an end of the game."""
        return self.builder.payoffs(position)

    def explore_subgames(self, first_position: ObservedPosition) -> None:
        """Build all subgames that play can reach, and record the payoffs at the ends of the game."""
        todo = [first_position]
        while todo:
            situation = todo.pop()
            if situation in self.subgames:
                continue
            subgame = self.subgames[situation] = self.builder.subgame(situation)
            for leaf in subgame.leaves:
                if leaf.situation.state.phase:
                    todo.append(leaf.situation)
                elif leaf.situation not in self.values:
                    self.values[leaf.situation] = (self.signed_payoff_to_first(leaf.situation),) * 2

    def signed_payoff_to_first(self, position: ObservedPosition) -> Fraction:
        """Return the worth of an end of the game to the first seat.

        Also notes if the payoffs of two seats have no constant sum; raises SolveError if the game then hides moves.
        """
        paid = [self.sign * each for each in self.end_payoffs(position)]
        total = sum(paid, Fraction(0))
        if self.game.seats == 2 and self.total is not None and total != self.total:
            sums = " at one end and to ".join(fraction_text(self.sign * each) for each in (self.total, total))
            message = f"what the seats get adds up to {sums} at another"
            if self.game.ruleset.hides_moves:
                raise SolveError(f"{message}, and games with secrets are solved where it is always the same")
            self.constant = False
        self.total = total
        return paid[0]

    def next_subgames(self, subgame: Subgame) -> set[ObservedPosition]:
        """Return the positions in which a subgame ends and another subgame begins."""
        return {leaf.situation for leaf in subgame.leaves if leaf.situation.state.phase}

    def solve_single_subgame(
        self, subgame_root: ObservedPosition
    ) -> tuple[list[ObservedPosition], list[SubgameEquilibrium]]:
        """Solve one subgame, given the values of all subgames that follow it.

        Returns two lists of length 1: the position in which it begins, and its equilibrium.
        """
        subgame = self.subgames[subgame_root]
        exact = all(low == high for low, high in (self.values[leaf.situation] for leaf in subgame.leaves))
        low = sequence_payoffs(subgame, lambda after: self.values[after][0])
        high = low if exact else sequence_payoffs(subgame, lambda after: self.values[after][1])
        return [subgame_root], [solve_subgame(subgame_seats(subgame), low, high)]

    def record_equilibrium(self, subgame_roots: Sequence[ObservedPosition], leads_back: bool) -> None:
        """Find and record an equilibrium of the only subgame among ``subgame_roots``.

        ``leads_back``: whether the subgame leads back to itself. Raises SolveError if there are several members, the subgame
        leads back, or no equilibrium is proven.
        """
        if leads_back or len(subgame_roots) > 1:
            message = "play may come back to where it was"
            raise SolveError(f"{message}, where choices at once are solved for two players of constant sum alone")
        (situation,) = subgame_roots
        found = subgame_equilibrium(self.subgames[situation], self.signed_payoff_bounds, self.places)
        (low, high), *others = map(self.rounded_outward_if_long, found.payoff_bounds)
        both = SubgameEquilibrium(found.plans, low, high)
        off = found.probability_error, found.payoff_error
        self.solved[situation] = SolvedSubgame(self.subgames[situation], both, low, high, tuple(others), *off)

    def signed_payoff_bounds(self, position: ObservedPosition) -> tuple[Bounds, ...]:
        """Return bounds of the worth to each seat of a position in which a subgame ends."""
        solved = self.solved.get(position)
        if solved is None:
            return tuple((self.sign * paid,) * 2 for paid in self.end_payoffs(position))
        return tuple(solved.bounds_of(seat, Fraction(0)) for seat in range(self.game.seats))

    def rounded_outward_if_long(self, bounds: Bounds) -> Bounds:
        """Return the bounds, rounded outward if their fractions are too long."""
        low, high = bounds
        if max(low.denominator, high.denominator).bit_length() <= MAX_BITS:
            return bounds
        step = self.width / 1000
        return floor(low / step) * step, ceil(high / step) * step

    def record_subgames(
        self, subgame_roots: Sequence[ObservedPosition], equilibria: Sequence[SubgameEquilibrium]
    ) -> None:
        """Record solved subgames. Bounds whose fractions are too long are rounded outward.

        ``subgame_roots``: the positions in which they begin. ``equilibria``: the equilibrium of each.
        """
        for situation, each in zip(subgame_roots, equilibria, strict=True):
            low, high = self.rounded_outward_if_long((each.low, each.high))
            self.values[situation] = (low, high)
            self.solved[situation] = SolvedSubgame(self.subgames[situation], each, low, high)


def subgame_seats(subgame: Subgame) -> tuple[SubgameSeat, SubgameSeat]:
    """Return the two seats of a subgame. In a game for one seat, the second has no choices."""
    found = [
        SubgameSeat(places, len(sequences))
        for places, sequences in zip(subgame.information_sets, subgame.sequences, strict=True)
    ]
    return found[0], found[1] if len(found) == 2 else SubgameSeat((), 1)


def sequence_payoffs(subgame: Subgame, end_payoff: Callable[[ObservedPosition], Fraction]) -> SequencePayoffs:
    """Return the payoffs to the first seat for each pair of sequences, one of each seat.

    A payoff is the sum over the leaves with these sequences, each times the probability of its chance moves. ``end_payoff``:
    a function that returns the value to the first seat of a position in which the subgame ends.
    """
    values = {leaf.situation: end_payoff(leaf.situation) for leaf in subgame.leaves}
    by_value = lcm(*(value.denominator for value in values.values()))
    by_chance = lcm(*{leaf.chance_probability.denominator for leaf in subgame.leaves})
    whole = {situation: int(value * by_value) for situation, value in values.items()}
    sums: dict[tuple[int, int], int] = {}
    for leaf in subgame.leaves:
        key = (leaf.sequences[0], leaf.sequences[1] if len(leaf.sequences) == 2 else ROOT)
        chance = leaf.chance_probability.numerator * (by_chance // leaf.chance_probability.denominator)
        sums[key] = sums.get(key, 0) + chance * whole[leaf.situation]
    return {key: Fraction(total, by_value * by_chance) for key, total in sums.items()}


def _constant_one(_situation: ObservedPosition, _seat: int) -> Fraction:
    return Fraction(1)


def _sequence_payoffs_against(
    subgame: Subgame, plans: Sequence[Plan], seat: int, end_payoff: Callable[[ObservedPosition], Fraction]
) -> tuple[list[int], int]:
    """Return, for each sequence of a seat, the worth of the leaves that directly follow it, and a common denominator.

    Each worth is multiplied by the probability of the chance moves and the weights of the other seats' plans. The list
    has the whole numerators.
    """
    whole, scales = zip(*(_over_common_denominator(plan) for plan in plans), strict=True)
    others = [other for other in range(len(subgame.sequences)) if other != seat]
    situations = list({leaf.situation for leaf in subgame.leaves})
    scaled, by_worth = _over_common_denominator([end_payoff(each) for each in situations])
    worths = dict(zip(situations, scaled, strict=True))
    by_chance = lcm(*{leaf.chance_probability.denominator for leaf in subgame.leaves})
    found = [0] * len(subgame.sequences[seat])
    for leaf in subgame.leaves:
        weight = prod(whole[other][leaf.sequences[other]] for other in others)
        if weight:
            chance = leaf.chance_probability.numerator * (by_chance // leaf.chance_probability.denominator)
            found[leaf.sequences[seat]] += weight * chance * worths[leaf.situation]
    return found, prod(scales[other] for other in others) * by_chance * by_worth


def _over_common_denominator(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return the numerators of fractions with their least common denominator, and that denominator."""
    scale = lcm(*{each.denominator for each in numbers})
    return [each.numerator * (scale // each.denominator) for each in numbers], scale


def end_distribution(subgame: Subgame, plans: Sequence[Plan]) -> dict[ObservedPosition, Fraction]:
    """Return the probability that each position ends a subgame, under the plans of all seats."""
    whole, scales = zip(*(_over_common_denominator(plan) for plan in plans), strict=True)
    by_chance = lcm(*{leaf.chance_probability.denominator for leaf in subgame.leaves})
    sums: dict[ObservedPosition, int] = {}
    for leaf in subgame.leaves:
        # The second plan of a game for one has no choices.
        weight = prod(plan[own] for plan, own in zip(whole, (*leaf.sequences, ROOT), strict=False))
        if weight:
            chance = leaf.chance_probability.numerator * (by_chance // leaf.chance_probability.denominator)
            sums[leaf.situation] = sums.get(leaf.situation, 0) + weight * chance
    bottom = prod(scales) * by_chance
    return {situation: Fraction(total, bottom) for situation, total in sums.items()}


def _plan_with_probabilities(
    information_sets: Sequence[InformationSet],
    plan: Plan,
    new_probabilities: Callable[[InformationSet, list[Fraction]], list[Fraction]],
) -> Plan:
    """Return a plan with other probabilities.

    ``plan``: the present plan. ``new_probabilities``: a function that returns the probabilities at an information set, given
    those of the present plan.
    """
    made = [Fraction(1), *[Fraction(0)] * (len(plan) - 1)]
    for place in information_sets:
        alike = Fraction(1, len(place.labels))
        before = plan[place.parent_sequence]
        planned = [plan[each] / before if before else alike for each in place.sequences]
        for each, chance in zip(place.sequences, new_probabilities(place, planned), strict=True):
            made[each] = made[place.parent_sequence] * chance
    return made


def _response_plan(seat: SubgameSeat, taken_sequences: Sequence[int]) -> Plan:
    """Return the pure plan of a best response. ``taken_sequences``: the sequence that is taken at each information set."""
    plan = [Fraction(0)] * seat.sequence_count
    plan[ROOT] = Fraction(1)
    for place, chosen in zip(seat.information_sets, taken_sequences, strict=True):
        plan[chosen] = plan[place.parent_sequence]
    return plan


class _SubgameComponent:
    """A strongly connected component of subgames: subgames that lead to one another."""

    def __init__(self, solver: _SecretGameSolver, subgame_roots: list[ObservedPosition]) -> None:
        self.solver, self.members = solver, subgame_roots
        self.place = {situation: number for number, situation in enumerate(subgame_roots)}
        self.subgames = [solver.subgames[situation] for situation in subgame_roots]
        self.sides = [subgame_seats(subgame) for subgame in self.subgames]
        self.inside = set(subgame_roots)

    def solve(self) -> tuple[list[ObservedPosition], list[SubgameEquilibrium]]:
        """Return the positions in which the subgames begin, and for each the plans with bounds of its value.

        Raises SolveError if play may go on for ever.
        """
        outside = [value for end in (0, 1) for value in self.subgame_values_at_bound(end)]
        middle = [sum(outside, Fraction(0)) / max(len(outside), 1)] * len(self.members)
        best = self.with_secured_bounds(self.propose_plans(middle))
        for _ in range(MAX_ROUNDS):
            if _max_bounds_width(best) <= self.solver.width:
                break
            simple = [((each.low + each.high) / 2).limit_denominator(MAX_SIMPLE_DENOMINATOR) for each in best]
            by_plans = [value.limit_denominator(1 << VALUE_PLACES) for value in self.values_of_plans(best, middle)]
            middle = by_plans
            for values in (simple, by_plans):
                found = self.with_secured_bounds(self.propose_plans(values))
                best = min(best, found, key=_max_bounds_width)
        return self.members, best

    def values_of_plans(
        self, equilibria: Sequence[SubgameEquilibrium], values_if_endless: Sequence[Fraction]
    ) -> Sequence[Fraction]:
        """Return the values of the subgames to the first seat under the plans of both seats; ``values_if_endless`` if play may
        never end.

        ``equilibria``: the plans, subgame by subgame.
        """
        try:
            return self.values_of_plan_pair(
                [each.plans[0] for each in equilibria], [each.plans[1] for each in equilibria], 0
            )
        except ZeroDivisionError:
            return values_if_endless

    def subgame_values_at_bound(self, side: int) -> list[Fraction]:
        found = (
            self.solver.values[each.situation][side]
            for subgame in self.subgames
            for each in subgame.leaves
            if each.situation not in self.inside
        )
        return list(found)

    def value_function(self, inner_values: Sequence[Fraction], side: int) -> Callable[[ObservedPosition], Fraction]:
        """Return a function from positions to values: ``inner_values`` inside the component, and the bound ``side`` (0 or 1)
        outside.
        """

        def subgame_value(subgame_root: ObservedPosition) -> Fraction:
            place = self.place.get(subgame_root)
            return self.solver.values[subgame_root][side] if place is None else inner_values[place]

        return subgame_value

    def propose_plans(self, subgame_values: Sequence[Fraction]) -> list[SubgameEquilibrium]:
        values = self.value_function(subgame_values, 0)
        found = []
        for subgame, both in zip(self.subgames, self.sides, strict=True):
            paid = sequence_payoffs(subgame, values)
            found.append(solve_subgame(both, paid, paid))
        return found

    def with_secured_bounds(self, equilibria: Sequence[SubgameEquilibrium]) -> list[SubgameEquilibrium]:
        """Return the plans with bounds of the values: the payoffs that the plans secure within the component."""
        low = self.secured_values([each.plans[0] for each in equilibria], 0)
        high = self.secured_values([each.plans[1] for each in equilibria], 1)
        return [
            SubgameEquilibrium(each.plans, one, -other) for each, one, other in zip(equilibria, low, high, strict=True)
        ]

    def secured_values(self, plans: Sequence[Plan], seat: int) -> list[Fraction]:
        """Return the value that the plans of a seat secure for it in each subgame, by policy iteration of the other
        seat.
        """
        self.refuse_endless(plans, seat)
        values, taken = [Fraction(0)] * len(plans), list[list[int]]()
        while True:
            signs = 1 if seat == 0 else -1
            known = self.value_function([signs * value for value in values], seat)
            better = []
            for number, plan in enumerate(plans):
                paid = self.payoffs_with_own_first(sequence_payoffs(self.subgames[number], known), seat)
                other = self.sides[number][1 - seat]
                better.append(minimizing_response(other, sequence_payoffs_against(plan, paid, other.sequence_count)))
            if taken and all(worth == value for (worth, _), value in zip(better, values, strict=True)):
                return values
            taken = [response for _, response in better]
            pure = [_response_plan(both[1 - seat], response) for both, response in zip(self.sides, taken, strict=True)]
            values = self.values_of_plan_pair(plans, pure, seat)

    def payoffs_with_own_first(self, first_seat_payoffs: SequencePayoffs, seat: int) -> SequencePayoffs:
        """Return the payoffs to a seat, with its sequences first in the keys.

        ``first_seat_payoffs``: the payoffs to the first seat, with the sequences of the first seat first.
        """
        return first_seat_payoffs if seat == 0 else second_seat_payoffs(first_seat_payoffs)

    def values_of_plan_pair(self, plans: Sequence[Plan], other_plans: Sequence[Plan], seat: int) -> list[Fraction]:
        """Return the value of each subgame to a seat if it plays ``plans`` and the other seat plays ``other_plans``.

        Raises ZeroDivisionError if play may never end.
        """
        size = len(plans)
        system, right = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)], [Fraction(0)] * size
        for number, (own, other) in enumerate(zip(plans, other_plans, strict=True)):
            for leaf in self.subgames[number].leaves:
                both = (*leaf.sequences, ROOT)
                chance = own[both[seat]] * other[both[1 - seat]] * leaf.chance_probability
                if leaf.situation in self.inside:
                    system[number][self.place[leaf.situation]] -= chance
                else:
                    worth = self.solver.values[leaf.situation][seat]
                    right[number] += chance * (worth if seat == 0 else -worth)
        matrix = fmpq_mat(size, size, [fmpq(each.numerator, each.denominator) for row in system for each in row])
        column = fmpq_mat(size, 1, [fmpq(each.numerator, each.denominator) for each in right])
        found = matrix.solve(column)
        return [Fraction(int(found[row, 0].p), int(found[row, 0].q)) for row in range(size)]

    def refuse_endless(self, plans: Sequence[Plan], seat: int) -> None:
        """Raise SolveError if the other seat could keep play in the component for ever against ``plans``."""
        staying = set(self.members)
        while staying:
            leaving = {
                situation
                for situation in staying
                if self.min_leaving_probability(self.place[situation], plans[self.place[situation]], seat, staying) > 0
            }
            if not leaving:
                message = "play with secrets may come back to the same position for ever, so it has no value"
                raise SolveError(f"{message}: let every round end the game with some chance")
            staying -= leaving

    def min_leaving_probability(
        self, subgame_index: int, plan: Plan, seat: int, inside_positions: set[ObservedPosition]
    ) -> Fraction:
        """Return the least probability that a subgame ends outside ``inside_positions``, over all plans of the other seat.

        ``subgame_index``: the index of the subgame. ``plan``: the plan of ``seat`` there.
        """
        out: dict[tuple[int, int], Fraction] = {}
        for leaf in self.subgames[subgame_index].leaves:
            if leaf.situation not in inside_positions:
                both = (*leaf.sequences, ROOT)
                key = (both[seat], both[1 - seat])
                out[key] = out.get(key, Fraction(0)) + leaf.chance_probability
        other = self.sides[subgame_index][1 - seat]
        return minimizing_response(other, sequence_payoffs_against(plan, out, other.sequence_count))[0]


def _max_bounds_width(equilibria: Sequence[SubgameEquilibrium]) -> Fraction:
    return max(each.high - each.low for each in equilibria)


@dataclass(frozen=True)
class UnfinishedPlay:
    """An unfinished play of a solved game.

    ``position``: the current position. ``possible_subgames``: the positions in which the current subgame may have
    begun, each with what every seat has observed since. It need not be known which of them it was: the first one whose
    subgame has the information set of the mover is used.
    """

    solution: SecretSolution
    position: ObservedPosition
    possible_subgames: tuple[tuple[ObservedPosition, tuple[tuple[Any, ...], ...]], ...] = ()

    def _possible_subgames_here(self) -> tuple[tuple[ObservedPosition, tuple[tuple[Any, ...], ...]], ...]:
        here = ((self.position, ((),) * self.solution.game.seats),)
        return self.possible_subgames + (here if self.position in self.solution.subgames else ())

    def after_move(self, move: ObservedMove) -> UnfinishedPlay:
        """Return the play after a move."""
        begun = tuple(
            (root, tuple((*seen, move.observations[seat]) for seat, seen in enumerate(each)))
            for root, each in self._possible_subgames_here()
        )
        return UnfinishedPlay(self.solution, move.successor, begun)

    def decision(self, seat: int) -> Decision:
        """Return best play at a choice of a seat. Raises KeyError if the seat has no choice here."""
        return self.subgame_root_and_decision(seat)[1]

    def subgame_root_and_decision(self, seat: int) -> tuple[ObservedPosition, Decision]:
        """Return the position in which the subgame of a seat's choice began, and best play at that choice.

        Raises KeyError if the seat has no choice here.
        """
        for root, seen in self._possible_subgames_here():
            found = self.solution.decision(root, seat, seen[seat])
            if found is not None:
                return root, found
        raise KeyError(seat)
