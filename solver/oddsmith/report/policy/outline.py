"""Best play of a solved game in a few lines: thresholds, short rules and lists with their costs, and unused options.

``sweep_point_data`` returns one game of a sweep as plain data. The data is small, does not depend on where the game was
solved, and can be read without this program.

``stopping_limits`` finds each limit of a variable that is the only reason why best play stops. It solves the game again with
a higher limit. There it follows a policy that plays as before in the states of the old game, and stops in new states.
The lower limit does no more than bound the variable if this policy keeps the old value when gains beyond the lower
limit do not count. The limit is then the reason for stopping if going on is better wherever the policy could stop
within it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, bincount, reduceat, repeat
from oddsmith.base.dataframes import html_list
from oddsmith.base.errors import InputError, MeasureError, ShortListError
from oddsmith.base.exact import Number, plural
from oddsmith.expr import Expr, const
from oddsmith.graph import concatenated_ranges
from oddsmith.report.english.words import joined, plain_name
from oddsmith.report.facts.key_facts import mean_lengths
from oddsmith.report.policy.decisions import Decisions, Feature, forced_action_rows
from oddsmith.report.policy.lists import DecisionLists, decision_lists, policy_of_lists
from oddsmith.report.policy.prescription import threshold_prescriber
from oddsmith.report.policy.rules_of_thumb import (
    RuleComparison,
    RuleValue,
    compare_rules,
    sorted_by_loss,
    value_and_loss,
)
from oddsmith.report.policy.thresholds import (
    ACTION_VARIES,
    Segment,
    SolvedStrategy,
    ThresholdTable,
    strategies_by_phase,
)
from oddsmith.report.policy.wording import always_take_words, cost_words, or_more_words, rule_words, take_when_words
from oddsmith.ruleset import Game, State, bind
from oddsmith.ruleset.model import Effect, Ruleset, VariableRef
from oddsmith.solve import PolicyLineEvaluator, Solution, rows_of_policy, solve
from oddsmith.solve.questions import PolicyEvaluator, answer_question


def sweep_point_data(solution: Solution) -> dict[str, Any]:
    """Return one game of a sweep as plain data: its values, lengths, measures and thresholds.

    Numbers have the form that ``Number.to_json`` returns. ``thresholds`` holds the least and the greatest threshold of
    each phase that has thresholds.
    """
    game = solution.graph.game
    measures: dict[str, dict[str, str | None] | None] = {}
    for name, question in game.ruleset.measures.items():
        try:
            measures[name] = answer_question(game, question, lambda: solution).to_json()
        except MeasureError:
            measures[name] = None
    spans = {
        each.decisions.phase: each.usual_threshold_range()
        for each in strategies_by_phase(solution)
        if each.separates_options
    }
    return {
        "states": solution.graph.state_count,
        "grade": solution.grade,
        "kind": solution.kind,
        "values": [value.to_json() for value in solution.values],
        "lengths": {name: number.to_json() for name, number in mean_lengths(solution).items()},
        "measures": measures,
        "thresholds": {phase: list(span) for phase, span in spans.items() if span},
    }


MAX_BY_SEAT = 60_000  # states, each counted for every seat, up to which rules are valued for all seats
MIN_COST_TO_OTHERS = Fraction(1, 10_000)  # what a rule must cost another seat to be told
MAX_TRANSITIONS = 20_000  # transitions of a game that is solved again and again with higher limits: moments
EQUAL_VALUES_TOLERANCE = 1e-9  # how far apart two proven values may be that are taken for the same, relative


@dataclass(frozen=True)
class StoppingLimit:
    """A limit of a variable at which best play stops, although it would go on if the limit were higher.

    ``phase``: the phase of the decision. ``option``: the option that stops. ``name`` and ``number``: the name and the
    value of the limit. ``stops_below_too``: whether best play also stops in positions below the limit, because the next
    gain may go beyond it and would be cut off. ``higher_limit``: a higher value of the limit; None if the ruleset
    allows none. ``value``: the value of best play now. ``value_with_higher_limit``: the value of best play with a
    higher limit.
    """

    phase: str
    option: str
    name: str
    number: int
    stops_below_too: bool
    higher_limit: int | None
    value: Number
    value_with_higher_limit: Number

    @property
    def words(self) -> str:
        """The limit and what it changes, in one or two sentences."""
        limit = f"{self.name} ({self.number})"
        where = f"never takes {self.option} before {limit}"
        if self.stops_below_too:
            where = f"takes {self.option} only at {limit}, or where going on may reach it"
        said = f"Best play {where}: that limit is why it stops."
        if self.higher_limit is None:
            return said
        values = f"{self.value_with_higher_limit.brief} instead of {self.value.brief}"
        return f"{said} With {self.higher_limit} in its place, best play gets {values}."


def stopping_limits(solution: Solution, strategies: list[SolvedStrategy]) -> tuple[StoppingLimit, ...]:
    """Return the limits because of which best play stops, at most one for each phase.

    ``strategies``: the strategies of the solution. The result is empty for a game that is too large, has
    several seats or mixes actions.
    """
    graph = solution.graph
    mixed = solution.mixtures or solution.named_policies or solution.solved.undecided_states
    if graph.seats > 1 or mixed or len(graph.target) > MAX_TRANSITIONS:
        return ()
    asked = {each.phase: stops for each in strategies if (stops := _stopping_option(solution, each))}
    if not asked:
        return ()
    limits: dict[str, StoppingLimit] = {}
    for node, number in _numbers_that_bound_variables(graph.game):
        try:
            name, higher, game = _with_higher_limit(graph.game, node, number)
            raised = _HigherLimitGame(solution, game, node, number)
            why = [
                phase
                for phase, (stop, taken) in asked.items()
                if phase not in limits and raised.explains_stopping(phase, stop, taken)
            ]
        except InputError:  # there is no such game, or no number for it
            continue
        for phase in why:
            stop, taken = asked[phase]
            option, before = graph.game.ruleset.phases[phase].entries[stop].name, not raised.is_always_at_limit(taken)
            worth = solution.values[0], raised.higher_solution.values[0]
            limits[phase] = StoppingLimit(phase, option, name, number, before, higher, *worth)
    return tuple(limits.values())


# --- the option that stops


def _option_of_each_row(solution: Solution) -> Ints:
    """Return the option of each row of the graph, as an index into the entries of its phase; -1 for a roll."""
    graph = solution.graph
    return np.array([*(entry for _, entry, _ in graph.actions), -1], dtype=np.int64)[graph.row_action]


def _stopping_option(solution: Solution, strategy: SolvedStrategy) -> tuple[int, tuple[int, ...]] | None:
    """Find an option of a phase that always ends the game, and that is sometimes worse than another option in decisions
    that best play reaches.

    Return its index among the entries of the phase, and the states among these decisions in which it may be best.
    Return None if there is no such option.
    """
    graph, decisions = solution.graph, strategy.decisions
    entries, (met,) = _option_of_each_row(solution), [decisions.states[decisions.played]]
    ends = reduceat(np.maximum, graph.target, graph.row_edges[:-1]) < 0
    for stop in range(len(graph.game.ruleset.phases[strategy.phase].entries)):
        theirs = [row for state in met.tolist() for row in graph.rows(state) if entries[row] == stop]
        if not theirs or not ends[theirs].all():
            continue
        rows = np.array(theirs, dtype=np.int64)
        left = solution.proven_worse_mask(rows)
        if left.any():
            return stop, tuple(graph.row_state[rows[~left]].tolist())
    return None


# --- the same game with a higher limit


def _numbers_that_bound_variables(game: Game) -> Iterator[tuple[Expr, int]]:
    """Yield the parameters, constants and literal numbers that bound variables from above, each with its value."""
    seen = set[Any]()
    for variable in game.ruleset.state.values():
        if variable.kind != "number" or variable.most is None:
            continue
        for node in variable.most.walk():
            number = game.static_values.get(node.value) if node.op in ("parameter", "constant") else node.value
            named = node.op in ("parameter", "constant") or node is variable.most
            if not named or (node.op, node.value) in seen or isinstance(number, bool) or not isinstance(number, int):
                continue
            seen.add((node.op, node.value))
            began = node.op == "const" and number in (
                game.start[where] for where in game.cell_indices_of(variable.name)
            )
            if number > 0 and not began:  # what starts at its top is filled, not limited
                yield node, number


def _with_higher_limit(game: Game, limit_expr: Expr, limit: int) -> tuple[str, int | None, Game]:
    """Return a game with a higher limit, in a triple: the name of the limit, a higher value that the ruleset allows, or
    None, and the game.

    ``limit_expr``: the expression of the limit. ``limit``: its value.
    """
    rules, higher = game.ruleset, 2 * limit
    if limit_expr.op == "constant":
        changed = replace(rules, constants={**rules.constants, limit_expr.value: higher})
        return plain_name(limit_expr.value), higher, bind(changed, game.setting)
    if limit_expr.op == "const":
        names = [
            each.label or plain_name(each.name) for each in rules.state.values() if _is_same_leaf(each.most, limit_expr)
        ]
        return f"the top of {names[0]}", higher, bind(_with_replaced_number(rules, limit, higher), game.setting)
    parameter = rules.parameters[limit_expr.value]
    most, fits = parameter.most, not parameter.allowed_values_if_broken(limit + 1)
    higher = min(higher, most) if fits and most is not None else higher
    free = replace(parameter, most=None, one_of=())
    changed = replace(rules, parameters={**rules.parameters, limit_expr.value: free})
    bound = bind(changed, game.setting.with_changes({limit_expr.value: higher}))
    return plain_name(limit_expr.value), higher if fits else None, bound


def _is_same_leaf(expr: Expr | None, leaf: Expr) -> bool:
    return expr is not None and (expr.op, expr.value) == (leaf.op, leaf.value)


def _with_replaced_number(rules: Ruleset, old_number: int, new_number: int) -> Ruleset:
    """Return the ruleset with ``new_number`` in place of ``old_number`` in the upper bounds of variables, in conditions and in
    effects.
    """

    def with_new_number(tree: Expr) -> Expr:
        return tree.transform(
            lambda node: const(new_number, node.type) if node.op == "const" and node.value == old_number else node
        )

    state = {
        name: replace(variable, most=with_new_number(variable.most)) if variable.most is not None else variable
        for name, variable in rules.state.items()
    }
    phases = {
        name: replace(
            phase,
            entries=tuple(
                replace(
                    entry, when=with_new_number(entry.when), do=_effects_with_changed_exprs(entry.do, with_new_number)
                )
                for entry in phase.entries
            ),
        )
        for name, phase in rules.phases.items()
    }
    return replace(rules, state=state, phases=phases, end_when=with_new_number(rules.end_when))


def _effects_with_changed_exprs(effects: Any, change_expr: Callable[[Expr], Expr]) -> Any:
    """Return effects, or a part of an effect, with ``change_expr`` applied to every expression."""
    if isinstance(effects, Expr):
        return change_expr(effects)
    if isinstance(effects, tuple):
        return tuple(_effects_with_changed_exprs(each, change_expr) for each in effects)
    if isinstance(effects, Effect | VariableRef):
        return replace(
            effects,
            **{
                each.name: _effects_with_changed_exprs(getattr(effects, each.name), change_expr)
                for each in fields(effects)
            },
        )
    return effects


def _with_capped_payoff(rules: Ruleset, objective: str, capped_variables: set[str], cap: int) -> Ruleset:
    """Return the ruleset with another payoff ``objective``: it counts each variable in ``capped_variables`` only up to
    ``cap``.
    """
    payoff = rules.payoffs[objective]
    value = payoff.value.transform(
        lambda node: (
            Expr("call", node.type, (node, const(cap, node.type)), "min")
            if node.op == "state" and node.value in capped_variables
            else node
        )
    )
    return replace(rules, payoffs={**rules.payoffs, objective: replace(payoff, value=value)})


# --- whether it is why


class _HigherLimitGame:
    """A solved game, and the same game with a higher limit of a variable.

    ``game``: the game with the higher limit. ``limit_expr``: the expression of the limit in the solved game. ``number``: its
    value there.
    """

    def __init__(self, solution: Solution, game: Game, limit_expr: Expr, limit: int) -> None:
        self.solution, self.game, self.number = solution, game, limit
        cells = solution.graph.game.cells
        self.bound = [
            where
            for where, cell in enumerate(cells)
            if cell.variable.most is not None
            and any(_is_same_leaf(each, limit_expr) for each in cell.variable.most.walk())
        ]

    @cached_property
    def higher_solution(self) -> Solution:
        """The solution of the game with the higher limit."""
        return solve(self.game, self.solution.graph.objective)

    @cached_property
    def capped_solution(self) -> Solution:
        """The solution of the game with the higher limit and a payoff that counts nothing above the lower limit."""
        graph, game = self.solution.graph, self.game
        names = {graph.game.cells[where].variable.name for where in self.bound if where not in graph.codec.carried}
        rules = _with_capped_payoff(game.ruleset, graph.objective, names, self.number)
        same = rules.payoffs == game.ruleset.payoffs
        return self.higher_solution if same else solve(bind(rules, game.setting), graph.objective)

    def is_always_at_limit(self, stopping_states: tuple[int, ...]) -> bool:
        """Return whether one of the bounded variables is at the limit in all states ``stopping_states``. These are the
        states in which the stopping option may be best.
        """
        held = [self.solution.graph.state(state).cells for state in stopping_states]
        return not held or any(all(cells[where] == self.number for cells in held) for where in self.bound)

    def explains_stopping(self, phase: str, stop_option: int, stopping_states: tuple[int, ...]) -> bool:
        """Return whether best play takes the option that ends the game only because of the limit. If so, going on is
        better with a higher limit.

        ``stop_option``: the index of the option in ``phase``. ``stopping_states``: the states in which the option may be best.
        """
        if not (
            self.is_always_at_limit(stopping_states)
            or any(
                self._can_all_reach_limit(where, phase, stop_option, stopping_states) for where in self._capped_cells
            )
        ):
            return False
        other = self.higher_solution
        if other.mixtures or other.solved.undecided_states or not _is_proven_gain(self.solution, other):
            return False
        before, rows = (
            self._solved_policy_in_other_game(self.capped_solution, phase, stop_option),
            self._solved_policy_in_other_game(other, phase, stop_option),
        )
        worth = None if before is None else value_and_loss(PolicyEvaluator(self.capped_solution), before)
        if rows is None or worth is None or not _are_nearly_equal(worth[0], self.solution.values[0]):
            return False
        beyond, entries = other.graph, _option_of_each_row(other)
        met = other.solved.arena.reachable_states(np.where(rows >= 0, rows, other.solved.rows))
        stopping = [
            row for state in np.flatnonzero(met).tolist() for row in beyond.rows(state)
            if entries[row] == stop_option and beyond.state(state).phase == phase
            and not self._is_beyond_limit(beyond.state(state))
        ]  # fmt: skip
        return bool(stopping) and bool(other.proven_worse_mask(np.array(stopping, dtype=np.int64)).all())

    @property
    def _capped_cells(self) -> list[int]:
        """The bounded cells whose gains the limit may cut off: they begin below the limit, and the rules read them."""
        graph = self.solution.graph
        return [
            where for where in self.bound if where not in graph.codec.carried and graph.game.start[where] < self.number
        ]

    def _can_all_reach_limit(
        self, cell_index: int, phase: str, stop_option: int, stopping_states: tuple[int, ...]
    ) -> bool:
        """Return whether a cell is at the limit, or may reach it before the next decision of ``phase`` if play goes on,
        from every one of the states ``stopping_states``.

        ``cell_index``: the index of the cell. ``stop_option``: the index of the option that ends the game.
        """
        game = self.solution.graph.game
        ends = any(
            node.op == "state" and node.value == game.cells[cell_index].variable.name
            for node in game.ruleset.end_when.walk()
        )
        if not all(
            self._can_reach_limit(self.solution, cell_index, phase, stop_option, state, ends)
            for state in stopping_states
        ):
            return False  # where the limit may end the game, the other game says whether it was reached
        if not ends:
            return True
        there = {here: state for state, here in _matching_states(self.solution, self.higher_solution).items()}
        return all(
            state in there and self._can_reach_limit(self.higher_solution, cell_index, phase, stop_option, there[state])
            for state in stopping_states
        )

    def _can_reach_limit(
        self, solution: Solution, cell_index: int, phase: str, stop_option: int, state: int, count_ends: bool = False
    ) -> bool:
        """Return whether a cell may reach the limit from ``state`` before the next state of ``phase``, if the mover
        does not take the option ``stop_option`` in ``state``.

        ``cell_index``: the index of the cell. ``count_ends``: whether an end of the game counts as the limit.
        """
        graph, entries = solution.graph, _option_of_each_row(solution)
        waiting, seen = [state], {state}
        while waiting:
            here = waiting.pop()
            found = graph.state(here)
            if found.cells[cell_index] >= self.number:
                return True
            if here != state and found.phase == phase:
                continue
            for row in graph.rows(here):
                if here != state or entries[row] != stop_option:
                    ahead = set(graph.target[graph.row_edges[row] : graph.row_edges[row + 1]].tolist())
                    if count_ends and -1 in ahead:
                        return True
                    waiting += ahead - seen - {-1}
                    seen |= ahead
        return False

    def _solved_policy_in_other_game(self, other_solution: Solution, phase: str, stop_option: int) -> Ints | None:
        """Return a policy of the game of ``other_solution`` that plays as in the solved game: the row of every state.

        In a state of both games, it is the best action of the solved game. In a new state of ``phase`` with a choice,
        it is the option ``stop_option``. In all other new states it is -1, which leaves the choice open. Return None if a best
        action of the solved game is missing in the other game.
        """
        graph, beyond, known = (
            self.solution.graph,
            other_solution.graph,
            _matching_states(self.solution, other_solution),
        )
        entries, rows = _option_of_each_row(other_solution), np.full(beyond.state_count, -1, dtype=np.int64)
        for state in range(beyond.state_count):
            mine = {_action_key_in_both_games(beyond, row): row for row in beyond.rows(state)}
            if state in known:
                taken = mine.get(_action_key_in_both_games(graph, self.solution.best_row(known[state])))
                if taken is None:
                    return None
                rows[state] = taken
            elif len(mine) > 1 and beyond.state(state).phase == phase:
                rows[state] = next((row for row in mine.values() if entries[row] == stop_option), -1)
        return rows

    def _is_beyond_limit(self, state: State) -> bool:
        """Return whether a bounded variable exceeds the limit of the solved game, and started below the limit."""
        start = self.solution.graph.game.start
        return any(state.cells[where] > self.number > start[where] for where in self.bound)


def _is_proven_gain(solution: Solution, other_solution: Solution) -> bool:
    """Whether the value of the game ``other_solution`` is proven to be better for its player than that of ``solution``."""
    before, after = solution.values[0], other_solution.values[0]
    return after.lower > before.upper if solution.solved.arena.objective_sign > 0 else after.upper < before.lower


def _matching_states(solution: Solution, other_solution: Solution) -> Mapping[int, int]:
    """Return a map between the states that both games have: from the number in ``other_solution`` to the number in
    ``solution``.

    A variable that starts higher in ``other_solution`` matches if it has changed by the same amount since the start.
    """
    found, states = {}, map(solution.graph.state, range(solution.graph.state_count))
    game, beyond = solution.graph.game, other_solution.graph.game
    numbers = [cell.variable.kind == "number" for cell in game.cells]
    more = [b - a if number else 0 for number, a, b in zip(numbers, game.start, beyond.start, strict=True)]
    for here, state in enumerate(states):
        cells = tuple(cell + extra if extra else cell for cell, extra in zip(state.cells, more, strict=True))
        there = other_solution.graph.index_of(replace(state, cells=cells))
        if there is not None:
            found[there] = here
    return found


def _action_key_in_both_games(graph: Any, row: int) -> Any:
    """Return a key of a row's action that is the same in both games; None for a roll."""
    action = int(graph.row_action[row])
    return graph.actions[action] if action >= 0 else None


def _are_nearly_equal(first: Number, second: Number) -> bool:
    apart = first - second
    return apart.lower <= 0 <= apart.upper and float(apart.upper - apart.lower) <= EQUAL_VALUES_TOLERANCE * (
        1 + abs(float(second))
    )


PLACES = 4  # of costs, in a notebook
MAX_TABLE_LINES = 12  # lines of one table
RULES_WORK = 1_000_000
"""The most transitions, for all seats, of a game whose short rules are searched for by default. This takes some seconds."""


@dataclass(frozen=True)
class UnusedOption:
    """An option that best play never takes by choice.

    ``is_best_elsewhere``: whether the option is best in positions that best play never reaches. ``is_forced``: whether
    best play takes the option where it is the only one.
    """

    option: str
    is_best_elsewhere: bool
    is_forced: bool = False

    @property
    def where(self) -> str:
        """The positions in which the option is best, in words; empty if there are none."""
        places = ["best play never gets"] * self.is_best_elsewhere + ["it is the only option"] * self.is_forced
        return f"best only where {', or where '.join(places)}" if places else ""

    @property
    def words(self) -> str:
        """A sentence that says that the option is never best, or where it is."""
        return f"{self.option} is {self.where or 'never best'}"

    def to_json(self) -> dict[str, Any]:
        """Return the option as plain data for JSON."""
        return {
            "option": self.option,
            "elsewhere": self.is_best_elsewhere,
            "forced": self.is_forced,
            "words": self.words,
        }


@dataclass(frozen=True)
class DecisionOutline:
    """An outline of best play in one phase.

    ``decision_count``: the number of decisions. ``played_decision_count``: the number of decisions that best play
    reaches. ``lines``: the outline in words. ``count_by_option``: the options that best play takes, each with the
    number of decisions in which it does so, the most frequent first. ``threshold_range``: the least and the greatest
    threshold; None if there is none, or if most cases have none. ``unused``: the options that best play never takes by
    choice.
    """

    phase: str
    decision_count: int
    played_decision_count: int
    lines: tuple[str, ...]
    count_by_option: tuple[tuple[str, int], ...]
    threshold_range: tuple[int, int] | None
    unused: tuple[UnusedOption, ...]


@dataclass(frozen=True)
class Outline:
    """An outline of a game: its choices, and short rules with their costs.

    ``choices``: an outline of each phase that has decisions. ``rules``: pairs of a rule in words and what seat 1 loses
    if it alone plays by the rule, the best rule first; None if rules were not searched for. ``lists``: the short lists
    of all choices; None if they were not searched for, if seats mix actions, or if there is nothing to decide.
    ``rules_dearer_for_others``: the rules that cost another seat much more than seat 1. Each has the name of seat 1,
    the name of the seat that the rule costs most, and that cost.
    """

    choices: tuple[DecisionOutline, ...]
    rules: tuple[tuple[str, Number | None], ...] | None
    lists: DecisionLists | None = None
    rules_dearer_for_others: Mapping[str, tuple[str, str, Number]] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        return html_list(self.lines(PLACES))

    def lines(self, digits: int) -> Iterator[str]:
        """Yield all lines of the outline. ``digits``: decimal places of costs."""
        for choice in self.choices:
            name = plain_name(choice.phase)
            met = (
                f", of which best play reaches {choice.played_decision_count:,}"
                if choice.played_decision_count < choice.decision_count
                else ""
            )
            yield f"{name}: {plural(choice.decision_count, 'decision')}{met}"
            yield from (f"  {line}" for line in choice.lines)
            yield from (f"  {unused.words}" for unused in choice.unused)
        for words, cost in self.rules or ():
            yield f"to remember: {words}; {self._cost_words(words, cost, digits)}"
        names = {words for words, _ in self.rules or ()}
        for each in (
            (one for one in self.lists.lists_without_single_number if one.rung.name not in names) if self.lists else ()
        ):
            where = f" ({plain_name(each.phase)})" if len(self.choices) > 1 else ""
            yield f"in short{where}: {each.with_cost(self._cost_words(each.rung.name, each.loss, digits))}"

    def _cost_words(self, rule_name: str, cost: Number | None, digits: int) -> str:
        """Return in words what a rule costs seat 1. If it costs another seat much more, that cost is added."""
        if rule_name not in self.rules_dearer_for_others:
            return cost_words(cost, digits)
        first, other, loss = self.rules_dearer_for_others[rule_name]
        own, theirs = (cost_words(each, digits).removeprefix("costs ") for each in (cost, loss))
        return f"costs {first} {own}, and {other} {theirs}"

    def to_json(self) -> dict[str, Any]:
        """Return the outline as plain data for JSON."""
        choices = [
            {
                "phase": choice.phase,
                "decisions": choice.decision_count,
                "played": choice.played_decision_count,
                "lines": list(choice.lines),
                "taken": dict(choice.count_by_option),
                "thresholds": choice.threshold_range and list(choice.threshold_range),
                "unused": [unused.to_json() for unused in choice.unused],
            }
            for choice in self.choices
        ]
        rules = [{"rule": words, "costs": cost and cost.to_json()} for words, cost in self.rules or ()]
        lists = None if self.lists is None else self.lists.to_json()
        return {"choices": choices, "rules": None if self.rules is None else rules, "short_lists": lists}


def outline_of_solution(solution: Solution, with_rules: bool | None = None) -> Outline:
    """Return an outline of best play. ``with_rules``: whether to search for short rules and lists; by default only if that
    is quick.
    """
    found = strategies_by_phase(solution)
    graph = solution.graph
    wanted = len(graph.target) * graph.seats <= RULES_WORK if with_rules is None else with_rules
    stopped = {limit.phase: (limit.words,) for limit in stopping_limits(solution, found)}
    choices = tuple(_decision_outline(solution, each, stopped.get(each.decisions.phase, ())) for each in found)
    if not wanted or 1 in solution.named_policies:  # rules are for seat 1, held against its best play
        return Outline(choices, None)
    known = compare_rules(solution, found, with_all_kinds=False)
    try:
        lists = decision_lists(solution, found, known.rules)
    except ShortListError:
        lists = None
    return Outline(
        choices, _rules_with_costs(known, lists), lists, _rules_dearer_for_other_seats(solution, found, known, lists)
    )


def _rules_dearer_for_other_seats(
    solution: Solution, strategies: list[SolvedStrategy], comparison: RuleComparison, lists: DecisionLists | None
) -> dict[str, tuple[str, str, Number]]:
    """Return the rules and lists that cost another seat more than twice what they cost seat 1.

    The result maps the name of the rule to the name of seat 1, the name of the seat that the rule costs most, and that
    cost. Such rules exist because seat 1 may never come to the decisions in which a rule errs.
    """
    graph, rules = solution.graph, solution.graph.game.ruleset
    if graph.seats == 1 or graph.state_count * graph.seats > MAX_BY_SEAT or solution.mixtures:
        return {}
    follower = PolicyEvaluator(solution)
    rule_values = {each.phase: each for each in comparison.rungs if each.kind == "number"}
    by_phase = {each.phase: each for each in strategies}
    rows = {
        rule_values[rule.phase].name: threshold_prescriber(by_phase[rule.phase])(rule.number.best)
        for rule in comparison.rules
        if rule.number
    }
    losses = {each.name: each.loss for each in rule_values.values()}
    if lists is not None:
        columns = PolicyLineEvaluator(graph)
        for each in lists.lists_without_single_number:
            rows[each.rung.name] = rows_of_policy(columns, policy_of_lists(graph.game, [each]))
            losses[each.rung.name] = each.loss
    found = {}
    for name, prescription in rows.items():
        own = losses[name]
        costs = {seat: value_and_loss(follower, prescription, seat) for seat in range(2, graph.seats + 1)}
        dear = {
            seat: cost[1]
            for seat, cost in costs.items()
            if cost and own and cost[1].lower > 2 * own.upper + MIN_COST_TO_OTHERS
        }
        if dear:
            seat, cost = max(dear.items(), key=lambda each: float(each[1]))
            found[name] = rules.seat_name(0), rules.seat_name(seat - 1), cost
    return found


def _rules_with_costs(comparison: RuleComparison, lists: DecisionLists | None) -> tuple[tuple[str, Number | None], ...]:
    """Return pairs of a rule to remember, in words, and its cost, the best first.

    Where a short list with one number costs less than the rule with one number of the same phase, it takes the place of
    the rule. If there is such a list, named policies and random play are left out.
    """
    better = (
        {each.phase: each.rung for each in lists.lists_without_single_number if each.has_one_number} if lists else {}
    )
    for rule_value in comparison.rungs:
        if (
            rule_value.kind == "number"
            and rule_value.phase in better
            and not _is_cheaper(better[rule_value.phase], rule_value)
        ):
            del better[rule_value.phase]
    kept = [each for each in comparison.rungs if each.kind == "number" and each.phase not in better]
    if not better:  # otherwise each of these numbers is not what is told
        kept = [each for each in comparison.rungs if each.kind != "solution"]
    ordered = sorted_by_loss([*kept, *better.values()])
    return tuple((each.name, each.loss) for each in reversed(ordered))


def _is_cheaper(rule_value: RuleValue, other: RuleValue) -> bool:
    return rule_value.loss is not None and (other.loss is None or rule_value.loss.upper < other.loss.lower)


def _decision_outline(
    solution: Solution, strategy: SolvedStrategy, limit_sentences: tuple[str, ...]
) -> DecisionOutline:
    """Return the outline of one phase. ``limit_sentences``: sentences about the limits that make best play stop."""
    decisions = strategy.decisions
    counts = bincount(decisions.choice[decisions.played], minlength=len(decisions.options))
    order = np.argsort(-counts, kind="stable").tolist()
    taken = tuple((decisions.options[option], int(counts[option])) for option in order if counts[option])
    return DecisionOutline(
        decisions.phase,
        len(decisions.states),
        int(decisions.played.sum()),
        (*_decision_lines(strategy, taken), *limit_sentences),
        taken,
        strategy.usual_threshold_range(),
        tuple(unused_options(solution, strategy.decisions)),
    )


# --- when to stop, in words


def _decision_lines(strategy: SolvedStrategy, option_counts: tuple[tuple[str, int], ...]) -> Iterator[str]:
    if strategy.constant is not None:
        yield _always_one_option_words(strategy, strategy.options[strategy.constant])
        return
    if strategy.separates_options:
        one = len(strategy.across) < 2
        every = (_table_lines(strategy, each) for each in strategy.tables)
        yield from _first_lines_and_count([*chain.from_iterable(every)]) if one else _threshold_range_lines(strategy)
        return
    runs = [run for each in strategy.tables for line in each.lines for run in line.runs if run.played]
    if strategy.down is not None and not strategy.across and ACTION_VARIES not in [run.option for run in runs]:
        yield from _first_lines_and_count(
            [_options_by_number_words(strategy, strategy.down, each) for each in strategy.tables if each.met]
        )
        return
    cases = []
    for texts, option in strategy.cases:
        clauses = (one.value_clause(text) for one, text in zip(strategy.needed, texts, strict=True))
        cases.append(f"{', '.join(clauses)}: {strategy.options[option]}")
    met = sum(count for _, count in option_counts)
    yield from (
        _first_lines_and_count(cases)
        if cases
        else (f"{name} in {count:,} of {met:,}" for name, count in option_counts[:MAX_TABLE_LINES])
    )


def _always_one_option_words(strategy: SolvedStrategy, option: str) -> str:
    """Return in words that best play always takes one option. ``option``: the option.

    If best play takes other options where they are the only ones, the text says "wherever there is a choice".
    """
    decisions = strategy.decisions
    graph = decisions.solution.graph
    entries = graph.game.ruleset.phases[strategy.phase].entries
    had_to = [row for row, met in forced_action_rows(decisions.solution, strategy.phase).items() if met]
    if decisions.coarse:
        called = {entries[graph.actions[int(graph.row_action[row])][1]].name for row in had_to}
    else:
        called = {graph.action_name(row) for row in had_to}
    return always_take_words(option) if called <= {option} else f"{option} wherever there is a choice"


def _options_by_number_words(strategy: SolvedStrategy, stopping_feature: Feature, table: ThresholdTable) -> str:
    """Return in words which option is best for which numbers. The option that is best for most numbers comes last,
    after "else".

    ``stopping_feature``: the feature that has these numbers. ``table``: a table with one line.
    """
    (line,), (met,) = table.lines, table.met
    numbers: dict[int, list[str]] = {}
    many: Counter[int] = Counter()
    for run in line.runs:
        for first, last in met:
            low, high = max(first, run.first), min(last, run.last)
            if low <= high:
                numbers.setdefault(run.option, []).append(stopping_feature.range_text(low, high))
                many[run.option] += high - low + 1
    head = f"{strategy.condition_words_of_table(table)}: " if strategy.split and len(strategy.tables) > 1 else ""
    *named, (rest, _) = sorted(many.items(), key=lambda one: one[1])
    if not named:
        return f"{head}{always_take_words(strategy.options[rest])}"
    clauses = [
        take_when_words(strategy.options[option], stopping_feature, joined(numbers[option], "or"))
        for option, _ in named
    ]
    return f"{head}{', '.join(clauses)}, else {strategy.options[rest]}"


def _threshold_range_lines(strategy: SolvedStrategy) -> Iterator[str]:
    """Yield lines of text on thresholds over several variables: the least and the greatest threshold, and the number of
    cases without one.
    """
    down, span, below, above = strategy.down, strategy.threshold_range(), strategy.below, strategy.above
    assert down is not None
    assert span is not None
    names, (least, most) = joined([feature.name for feature in strategy.across]), map(down.displayed_number, span)
    met = [
        tuple(run.option for run in line.runs)
        for each in strategy.tables
        for line in each.lines
        if line.is_reached_by_best_play
    ]
    number, counts = (
        or_more_words(least) if least == most else f"at least a number from {least} to {most}",
        Counter(met),
    )
    fixed = {always_take_words(strategy.options[option]): counts[option,] for option in (above, below)}
    single = counts[below, above]
    others = fixed | {"no single threshold": len(met) - single - sum(fixed.values())}
    if single == len(met):
        by = f", depending on {names}" if least < most else ""
        yield rule_words(strategy.options[above], down, f"{number}{by}", strategy.options[below])
        return
    yield f"{_when_clause(strategy, number)}, in {single:,} of {len(met):,} cases of {names}"
    yield f"in the others: {', '.join(f'{words} in {count:,}' for words, count in others.items() if count)}"


def _first_lines_and_count(lines: list[str]) -> Iterator[str]:
    yield from lines[:MAX_TABLE_LINES]
    if len(lines) > MAX_TABLE_LINES:
        yield f"... and {plural(len(lines) - MAX_TABLE_LINES, 'line')} more"


def _when_clause(strategy: SolvedStrategy, threshold_text: str) -> str:
    """Return a clause that says when to take the option above the threshold, and what to do otherwise. ``threshold_text``: the
    threshold in words.
    """
    assert strategy.down is not None
    above, below = strategy.options[strategy.above], strategy.options[strategy.below]
    return f"{take_when_words(above, strategy.down, threshold_text)}, else {below}"


def _table_lines(strategy: SolvedStrategy, table: ThresholdTable) -> Iterator[str]:
    """Yield lines of text about a table: its thresholds, and the number of columns without one. Only what best play
    reaches is included.
    """
    head = f"{strategy.condition_words_of_table(table)}: " if strategy.split and len(strategy.tables) > 1 else ""
    met = [segment for segment in table.segments if segment.played]
    kept = {segment.threshold for segment in met}, {segment.always for segment in met}
    if met and max(map(len, kept)) == 1:
        yield f"{head}{_single_threshold_words(strategy, table, met[0])}"
    elif met:
        across = strategy.across[0]
        numbers = ", ".join(
            f"{across.range_text(segment.first, segment.last)}: {_threshold_text(strategy, segment)}" for segment in met
        )
        yield f"{head}{_when_clause(strategy, or_more_words('N'))}; N by {across.name} – {numbers}"
    odd = sum(line.is_reached_by_best_play for line in table.exceptions)
    if odd:
        yield f"{head}no single threshold in {plural(odd, 'column')}"


def _threshold_text(strategy: SolvedStrategy, segment: Segment) -> str:
    if segment.threshold is not None:
        assert strategy.down is not None
        return f"{strategy.down.displayed_number(segment.threshold):,}"
    return "any" if segment.always == strategy.above else "never"


def _single_threshold_words(strategy: SolvedStrategy, table: ThresholdTable, segment: Segment) -> str:
    if segment.threshold is None:
        return always_take_words(strategy.options[segment.always or 0])
    assert strategy.down is not None
    return _when_clause(strategy, table.number_and_beyond_words(segment.threshold, strategy.down))


# --- options for nothing


def unused_options(solution: Solution, decisions: Decisions) -> Iterator[UnusedOption]:
    """Yield the options of a phase that best play never takes by choice. They are legal in some decision, but best in
    none that best play reaches. Nothing is yielded if seats mix actions or play named policies.
    """
    graph, arena = solution.graph, solution.solved.arena
    if solution.mixtures or solution.named_policies:
        return
    entries = graph.game.ruleset.phases[decisions.phase].entries
    option = np.array([entry for _, entry, _ in graph.actions], dtype=np.int64)[graph.row_action]
    numbers: Ints = arena.arena_state_of(decisions.states, decisions.movers)
    counts = arena.state_rows[numbers + 1] - arena.state_rows[numbers]
    rows = concatenated_ranges(arena.state_rows[numbers], counts)
    offered = option[concatenated_ranges(graph.state_rows[decisions.states], counts)]
    met = repeat(decisions.played, counts)
    best = rows == repeat(solution.solved.rows[numbers], counts)
    for place in np.unique(offered).tolist():
        mine = offered == place
        good = best[mine]
        if not good[met[mine]].any():
            good = good | ~solution.proven_worse_mask(rows[mine])
            if not good[met[mine]].any():
                had_to = forced_action_rows(solution, decisions.phase).items()
                alone = [taken for row, taken in had_to if option[row] == place]
                elsewhere = bool(good.any() or (alone and not any(alone)))
                yield UnusedOption(entries[place].name, elsewhere, any(alone))
