"""Named policies of a ruleset: the action that they prescribe in one state, or in every state of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange, cumsum, reduceat, repeat
from oddsmith.base.errors import NoPolicyError, PlayError, Problem, UnknownPolicyError, did_you_mean
from oddsmith.expr import NUMBER, Compiled, EvaluationContext, Expr, PartialPosition, compiled_function, const, fold
from oddsmith.graph import StateGraph, concatenated_ranges
from oddsmith.graph.columns import (
    BlockSplitter,
    Option,
    PositionBlock,
    RuleFailureInBlock,
    SourceStates,
    SymbolicRules,
    UniformIntegers,
)
from oddsmith.ruleset import Action, Game, State, TreeBuilder
from oddsmith.ruleset.model import ANY, Entry, Policy, PolicyLine

if TYPE_CHECKING:
    from oddsmith.solve.looking_ahead import LookAhead


def unknown_policy_error(game: Game, name: str) -> UnknownPolicyError:
    """Return the error that the ruleset has no policy ``name``."""
    return UnknownPolicyError(
        f"{game.ruleset.id} has no policy {name}: {did_you_mean(name, game.ruleset.policies, 'policies')}"
    )


class NamedPolicy:
    """A named policy that chooses an action in one state at a time."""

    def __init__(self, game: Game, name: str) -> None:
        if name not in game.ruleset.policies:
            raise unknown_policy_error(game, name)
        self.game, self.name = game, name
        policy = game.ruleset.policies[name]
        self.lines = {
            phase: [
                (
                    line,
                    self._compile_expression(line.when),
                    self._compile_expression(line.prefer) if line.prefer else None,
                )
                for line in lines
            ]
            for phase, lines in policy.items()
        }

    def _compile_expression(self, expression: Expr) -> Compiled:
        return self.game.with_error_location(compiled_function(expression), expression.span.location)

    def choose_action_index(self, state: State, actions: list[Action]) -> int:
        """Return the index of the prescribed action in ``actions``.

        It is an action that the first fitting line of the policy prefers; if no line fits, the first action. Raises
        PlayError if the policy breaks a rule.
        """
        m = self.game.context(state.cells, state.mover, state.seats_out_bits)
        for line, when, prefer in self.lines.get(state.phase, []):
            fitting = [place for place, action in enumerate(actions) if self._line_fits(line, when, action, m)]
            if not fitting:
                continue
            if prefer is None:
                return fitting[0]
            worth = []
            for place in fitting:
                m.local = dict(actions[place].binding)
                worth.append(prefer(m))
            return fitting[worth.index(max(worth))]
        return 0

    def _line_fits(self, line: PolicyLine, condition: object, action: Action, context: EvaluationContext) -> bool:
        if action.name != line.option:
            return False
        context.local = dict(action.binding)
        return bool(condition(context))  # type: ignore[operator]


def refuse_reads_of_unseen(
    game: Game, objective: str, policy_names: Sequence[str], max_positions: int | None = None
) -> None:
    """Raise PlayError if a named policy of a game with hidden information uses what its player has not seen.

    ``max_positions``: the largest number of positions that are checked one by one; None for all positions. If a game has
    more, a random sample is checked in addition.
    """
    TreeBuilder(
        game, objective, policies={name: NamedPolicy(game, name).choose_action_index for name in policy_names}
    ).explore_or_compare_samples(max_positions)


class PolicyLineEvaluator:
    """Evaluates lines and expressions of policies in all states of a graph that have more than one action."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.divider = BlockSplitter(graph.codec, SymbolicRules(graph.game))
        self.several = np.diff(graph.state_rows) > 1
        self.cells, self.phases, self.out = graph.codec.decode(graph.keys)

    def choice_states(self, phase: str) -> Ints:
        """Return the states of a phase that have more than one action, in ascending order."""
        known = self.graph.codec.phases
        here = self.phases == known.index(phase) if phase in known else np.zeros(self.graph.state_count, dtype=bool)
        return np.flatnonzero(self.several & here)

    def prescribed_rows(self, phase: str, lines: Sequence[PolicyLine]) -> Ints:
        """Return, for each state of ``choice_states(phase)``, the row that the first fitting line takes, or -1 if no line
        fits.

        ``lines``: the lines of the policy for this phase. Raises PlayError if an expression cannot be computed.
        """
        taken = np.full(self.graph.state_count, -1, dtype=np.int64)
        for states, block in self._state_blocks(phase):
            _write_prescribed_rows(self.graph, self.divider, block, states, lines, taken)
        return taken[self.choice_states(phase)]

    def expression_values(self, phase: str, expression: Expr) -> Ints:
        """Return the value of an expression in each state of ``choice_states(phase)``, as the mover sees the state.

        Raises PlayError if it cannot be computed.
        """
        found = np.zeros(self.graph.state_count, dtype=np.int64)
        for states, block in self._state_blocks(phase):
            found[states] = _evaluate_in_block(self.divider, block, expression, {})
        return found[self.choice_states(phase)]

    def _state_blocks(self, phase: str) -> Iterator[tuple[Ints, PositionBlock]]:
        """Yield the states of a phase that have more than one action, in blocks, with one block for each set of seats
        that are out.
        """
        deciding, codec = self.choice_states(phase), self.graph.codec
        for mask in np.unique(self.out[deciding]).tolist():
            states = deciding[self.out[deciding] == mask]
            base, ones = SourceStates(codec, self.cells[:, states]), np.ones(len(states), dtype=np.int64)
            yield states, PositionBlock(phase, mask, base, None, codec.cell_rotation(0), {}, ones)


def policy_rows(graph: StateGraph, policy_name: str) -> Ints:
    """Return the row that a named policy takes in every state, shape (states,).

    Raises UnknownPolicyError if the ruleset has no policy ``policy_name``, and PlayError if the policy breaks a rule.
    """
    if policy_name not in graph.game.ruleset.policies:
        raise unknown_policy_error(graph.game, policy_name)
    return rows_of_policy(PolicyLineEvaluator(graph), graph.game.ruleset.policies[policy_name])


def rows_of_policy(evaluator: PolicyLineEvaluator, policy: Policy) -> Ints:
    """Return the row that a policy takes in every state, shape (states,). If no line fits, it is the first row of the
    state.

    The policy need not be in the ruleset.
    """
    chosen = evaluator.graph.state_rows[:-1].copy()
    for phase, choices in policy.items():
        states, rows = evaluator.choice_states(phase), evaluator.prescribed_rows(phase, choices)
        chosen[states] = np.where(rows >= 0, rows, chosen[states])
    return chosen


def _write_prescribed_rows(
    graph: StateGraph,
    splitter: BlockSplitter,
    block: PositionBlock,
    states: Ints,
    lines: Sequence[PolicyLine],
    taken_rows: Ints,
) -> None:
    """Write the row that the first fitting line takes into ``taken_rows``, for each of ``states`` that a line fits.

    ``block``: the positions of ``states``, in the same order. ``lines``: the lines of the policy for their phase.
    """
    first, counts = graph.state_rows[states], graph.state_rows[states + 1] - graph.state_rows[states]
    rows, at = concatenated_ranges(first, counts), repeat(arange(len(states)), counts)
    action = graph.row_action[rows]
    order = np.argsort(action, kind="stable")
    numbers, starts = np.unique(action[order], return_index=True)
    places = np.split(
        order, starts[1:]
    )  # of each action: some games have hundreds, and they are looked up line by line
    entries = graph.game.ruleset.phases[block.phase].entries
    left = np.ones(len(states), dtype=bool)
    for choice in lines:
        worth = np.full(len(rows), -np.inf)  # of the instances that fit
        for number, place in zip(numbers.tolist(), places, strict=True):
            _, entry, binding = graph.actions[number]
            if entries[entry].name == choice.option:
                instances = place[left[at[place]]]
                local = _loop_constants(entries[entry], binding)
                fits = _evaluate_in_block(splitter, block.take(at[instances]), choice.when, local).astype(bool)
                prefer = choice.prefer or const(0, NUMBER)
                worth[instances[fits]] = _evaluate_in_block(splitter, block.take(at[instances[fits]]), prefer, local)
        best = reduceat(np.maximum, worth, np.concatenate([[0], cumsum(counts)[:-1]]))
        taken = np.flatnonzero((worth == best[at]) & (worth > -np.inf))[::-1]
        taken_rows[states[at[taken]]] = rows[taken]  # of equals the first one writes last
        left &= best == -np.inf


class NamedPolicyChooser:
    """Chooses actions in blocks of positions by the lines of named policies, one policy for each seat.

    ``asked``: whether any seat has had a choice so far. An empty name means that the seat has no policy. A seat with
    the name ``ANY`` takes each legal action with equal probability, by random numbers from ``uniform``. ``look_ahead``: the
    values of a smaller game; seats whose policy has the name of these values look ahead by them.
    """

    def __init__(
        self, game: Game, splitter: BlockSplitter, policies: Sequence[str], look_ahead: LookAhead | None = None
    ) -> None:
        self.game, self.divider, self.policies, self.asked, self.ahead = game, splitter, policies, False, look_ahead
        self.uniform = UniformIntegers(0, 0)

    def __call__(self, block: PositionBlock, options: Sequence[Option], legal_mask: Mask) -> Ints:
        """Return the index of the option that each position takes. If no line fits, it is the first legal option.

        ``legal_mask``: a mask of the options that each position has, shape (options, positions). Raises NoPolicyError if a
        seat has a choice and no policy, and PlayError if a policy cannot be computed.
        """
        places: Ints = legal_mask.argmax(axis=0)
        several = legal_mask.sum(axis=0) > 1
        if not several.any():
            return places
        self.asked = True
        movers = block.base.movers
        assert movers is not None
        seat = (movers[block.sources] + block.seat_shift) % self.game.seats
        for name in dict.fromkeys(self.policies):
            seats = [place for place, each in enumerate(self.policies) if each == name]
            rows = np.flatnonzero(several & np.isin(seat, seats))
            if not rows.size:
                continue
            if self.ahead and name == self.ahead.smaller.policy_name:
                rows = self._choose_by_looking_ahead(self.ahead, block.take(rows), options, rows, places)
                name = self.ahead.smaller.fallback_policy  # noqa: PLW2901 - for what values do not tell
            if rows.size:
                places[rows] = self._option_indices_by_policy(
                    name, block.take(rows), options, legal_mask[:, rows], seat[rows]
                )
        return places

    def _choose_by_looking_ahead(
        self,
        look_ahead: LookAhead,
        block: PositionBlock,
        options: Sequence[Option],
        position_indices: Ints,
        option_indices: Ints,
    ) -> Ints:
        """Choose options by the values of a smaller game, and return the positions for which values are unknown.

        ``position_indices``: the indices of the positions in the original block, of which the result has some.
        ``option_indices``: receives, at these indices, the index of the best option.
        """
        actions = look_ahead.best_action_numbers(block)
        for place, option in enumerate(options):
            number = look_ahead.action_numbers.get((block.phase, option.branch.entry, option.binding))
            if number is not None:
                option_indices[position_indices[actions == number]] = place
        return position_indices[actions < 0]

    def _option_indices_by_policy(
        self, policy_name: str, block: PositionBlock, options: Sequence[Option], legal_mask: Mask, seats: Ints
    ) -> Ints:
        if not policy_name:
            sits = self.game.ruleset.seat_name(int(seats[0]))
            raise NoPolicyError(
                f"{sits} has a choice in {block.phase}, and no policy is named: say how the seats play, such as "
                f"--policy '1..{self.game.seats}={next(iter(self.game.ruleset.policies), ANY)}'"
            )
        if policy_name not in self.game.ruleset.policies:  # ANY
            which = self.uniform.below(legal_mask.sum(axis=0))
            found: Ints = (cumsum(legal_mask, axis=0) > which).argmax(axis=0)
            return found
        return self._option_indices_by_lines(
            block, options, legal_mask, self.game.ruleset.policies[policy_name].get(block.phase, ())
        )

    def _option_indices_by_lines(
        self, block: PositionBlock, options: Sequence[Option], legal_mask: Mask, lines: Sequence[PolicyLine]
    ) -> Ints:
        entries = self.game.ruleset.phases[block.phase].entries
        places: Ints = legal_mask.argmax(axis=0)
        left = np.ones(block.count, dtype=bool)
        for line in lines:
            worth = np.full(block.count, -np.inf)  # of the best instance so far
            for place, option in enumerate(options):
                entry = entries[option.branch.entry]
                rows = np.flatnonzero(left & legal_mask[place]) if entry.name == line.option else arange(0)
                if not rows.size:
                    continue
                local = _loop_constants(entry, option.binding)
                rows = rows[_evaluate_in_block(self.divider, block.take(rows), line.when, local).astype(bool)]
                value = _evaluate_in_block(self.divider, block.take(rows), line.prefer or const(0, NUMBER), local)
                better = rows[value > worth[rows]]
                worth[rows] = np.maximum(worth[rows], value)
                places[better] = place
            left &= worth == -np.inf
        return places


def _loop_constants(entry: Entry, binding: tuple[tuple[str, Any], ...]) -> dict[str, Expr]:
    """Return the loop variables of an option as constants, with the values that they have in ``binding``."""
    types = {name: items.type.item or NUMBER for name, items in entry.loops}
    return {name: const(value, types[name]) for name, value in binding}


def _evaluate_in_block(
    splitter: BlockSplitter, block: PositionBlock, expression: Expr, loop_constants: dict[str, Expr]
) -> Ints:
    """Evaluate an expression of a policy for a block of states, shape (states,). Raises PlayError if it cannot be
    computed.

    ``expression``: the expression. ``loop_constants``: the values of loop variables.
    """
    values = np.zeros(block.count, dtype=np.int64)

    def fold_expression(partial_position: PartialPosition) -> Expr:
        partial_position.local = dict(loop_constants)
        return fold(expression, partial_position)

    if block.count:
        numbered = replace(block, new={**block.new, -1: arange(block.count)})
        try:
            for part, folded in splitter.divide(numbered, (expression, tuple(loop_constants.items())), fold_expression):
                values[part.new[-1]] = part.column(folded)
        except RuleFailureInBlock:
            message = (
                f"`{expression.span.covered_text}` of a policy cannot be worked out in a position that play can reach"
            )
            hint = "say what it is there too, as with default=0"
            problem = Problem("OD508", expression.span.location, message, hint)
            raise PlayError(problem, source=block.base.codec.game.ruleset.source) from None
    return values
