"""The differences between two solved games: rules, values, lengths, best actions, and the loss by the old strategy in
the new game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.dataframes import html_list, make_table
from oddsmith.base.exact import Number, plain_text, plural
from oddsmith.report.english.words import plain_name
from oddsmith.report.facts.key_facts import mean_lengths
from oddsmith.report.policy.prescription import rows_of_option
from oddsmith.report.policy.rules_of_thumb import value_and_loss
from oddsmith.report.policy.thresholds import SolvedStrategy, strategies_by_phase
from oddsmith.report.policy.wording import loss_words
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import SHOWN_ONLY
from oddsmith.solve import Solution
from oddsmith.solve.extensive import PlayedPlans, SecretSolution, expected_turns_and_rolls
from oddsmith.solve.questions import PolicyEvaluator

PLACES = 6  # in a notebook
SECRET_NOTES = (
    "with secrets, decisions are not compared, because no position tells what a player has seen",
    "with secrets, lengths are those of the play that was found; other best play may have others",
)
MAX_EXAMPLES = 3  # positions that are told of each choice


@dataclass(frozen=True)
class RuleChange:
    """A change of the rules.

    ``location``: the place in the files. ``before`` and ``after``: what the old and the new file say there, as plain
    data; None if a file says nothing.
    """

    location: str
    before: Any
    after: Any

    @property
    def words(self) -> str:
        """The change as one line of text."""
        if self.before is None:
            return f"{self.location}: new, {plain_text(self.after)}"
        if self.after is None:
            return f"{self.location}: gone, was {plain_text(self.before)}"
        return f"{self.location}: {plain_text(self.before)} → {plain_text(self.after)}"


@dataclass(frozen=True)
class Example:
    """A decision whose best action changed.

    ``position``: the position in words. ``action_before``: the action of the old best play. ``action_after``: the best
    action in the new game.
    """

    position: str
    action_before: str
    action_after: str

    def to_json(self) -> dict[str, str]:
        """Return the decision as plain data for JSON."""
        return {"position": self.position, "before": self.action_before, "after": self.action_after}


@dataclass(frozen=True)
class DecisionChange:
    """The difference in the decisions of one phase.

    ``is_new``: whether only the new game has the phase. ``thresholds_before`` and ``thresholds_after``: the least and
    the greatest threshold in each game; None without thresholds. ``reached_count``: the number of decisions of the new
    game that best play reaches. ``comparable_count``: the number of these for which the old strategy says what to do;
    None if the phase is new, or if positions of the two games cannot be compared. ``worse_count``: the number of those
    in which the old strategy is no longer best.
    """

    phase: str
    is_new: bool
    thresholds_before: tuple[int, int] | None
    thresholds_after: tuple[int, int] | None
    reached_count: int
    comparable_count: int | None
    worse_count: int
    examples: tuple[Example, ...]

    @property
    def words(self) -> str:
        """The difference in a line of text, without the examples."""
        name = plain_name(self.phase)
        if self.is_new:
            return f"{name}: a new decision"
        if self.comparable_count is None:
            return f"{name}: positions of the two games cannot be compared"
        same = self.thresholds_before == self.thresholds_after or (
            not self.worse_count and self.comparable_count == self.reached_count
        )
        before, after = map(_threshold_range_words, (self.thresholds_before, self.thresholds_after))
        spans = "" if same else f"; thresholds {before} → {after}"
        unknown = (
            f", {self.reached_count - self.comparable_count:,} are new"
            if self.comparable_count < self.reached_count
            else ""
        )
        share = f"{self.worse_count:,} of {plural(self.reached_count, 'decision')}"
        return f"{name}: another action is best in {share}{unknown}{spans}"


@dataclass(frozen=True)
class Difference:
    """The difference between two solved games, from the old to the new one.

    ``values`` and ``lengths``: pairs of the old and the new number, for each seat and by name. ``seats``: the names of
    the seats. ``loyal_value``: the value to seat 1 in the new game if it alone plays by the old best play, where that
    says what to do, and by the new best play elsewhere. ``loyal_loss``: what seat 1 loses by that. Both are None if
    they cannot be computed. ``notes``: sentences for people. ``objectives``: the payoffs for which the two games are
    played; if they differ, values are not compared.
    """

    rules: tuple[RuleChange, ...]
    values: tuple[tuple[Number | None, Number | None], ...]
    lengths: Mapping[str, tuple[Number | None, Number | None]]
    choices: tuple[DecisionChange, ...]
    loyal_value: Number | None
    loyal_loss: Number | None
    seats: tuple[str, ...]
    notes: tuple[str, ...] = ()
    objectives: tuple[str, str] = ("", "")

    def _repr_html_(self) -> str:
        return html_list(self.lines(PLACES))

    def table(self, table_type: str | None = None) -> Any:
        """Return a table with a line for the value of each seat and for each length: before, after, and the change, as
        decimals. A number that is not known is None.

        ``table_type``: the form of the table, ``pandas``, ``polars`` or ``records``. By default it is a ``DataFrame``
        of pandas or polars, whichever is installed, else a list of records. Raises ExportError.
        """
        pairs = dict(zip(self.seats, self.values, strict=True)) | dict(self.lengths)
        changes = {name: _number_change_or_none(*pair) for name, pair in pairs.items() if self._is_comparable(name)}
        lines = [
            [name, *(number and number.decimal() for number in (one, two, changes.get(name)))]
            for name, (one, two) in pairs.items()
        ]
        return make_table(["what", "before", "after", "change"], lines, table_type)

    def _is_comparable(self, seat_or_length: str) -> bool:
        """Return whether a number has the same meaning in both games. ``seat_or_length``: the name of a seat, whose value is
        meant, or the name of a length.
        """
        return seat_or_length in self.lengths or self.objectives[0] == self.objectives[1]

    def lines(self, digits: int) -> Iterator[str]:
        """Yield the whole difference as lines of text. ``digits``: the number of decimal places."""
        for change in self.rules:
            yield change.words
        for name, pair in zip(self.seats, self.values, strict=True):
            if self._is_comparable(name):
                yield f"{name}: {_pair_words(pair, digits)}"
            else:
                told = ("none" if each is None else each.decimal(digits) for each in pair)
                yield f"{name}: {' → '.join(f'{each} {what}' for each, what in zip(told, self.objectives, strict=True))}"
        for name, pair in self.lengths.items():
            yield f"{name}: {_pair_words(pair, digits)}"
        for moved in self.choices:
            yield moved.words
            yield from (f"  {each.position}: {each.action_before} → {each.action_after}" for each in moved.examples)
        if self.loyal_value is not None:
            yield self.loyal_words(digits)
        yield from (f"note: {note}" for note in self.notes)

    def loyal_words(self, digits: int) -> str:
        """Return in a line what seat 1 gets and loses by the old strategy; empty if that is not known."""
        if self.loyal_value is None or self.loyal_loss is None:
            return ""
        loss = loss_words(self.loyal_loss, digits)
        return f"{self.seats[0]}, if it alone keeps the old strategy, gets {self.loyal_value.decimal(digits)} ({loss})"

    def to_json(self) -> dict[str, Any]:
        """Return the difference as plain data for JSON."""
        return {
            "rules": [{"place": each.location, "before": each.before, "after": each.after} for each in self.rules],
            "values": [_pair_json(pair) for pair in self.values],
            "lengths": {name: _pair_json(pair) for name, pair in self.lengths.items()},
            "choices": [
                {
                    "phase": each.phase,
                    "new": each.is_new,
                    "thresholds": {
                        "before": each.thresholds_before and list(each.thresholds_before),
                        "after": each.thresholds_after and list(each.thresholds_after),
                    },
                    "decisions": each.reached_count,
                    "known": each.comparable_count,
                    "worse": each.worse_count,
                    "examples": [example.to_json() for example in each.examples],
                }
                for each in self.choices
            ],
            "loyal": {
                "value": self.loyal_value and self.loyal_value.to_json(),
                "costs": self.loyal_loss and self.loyal_loss.to_json(),
            },
            "notes": list(self.notes),
        }


def _number_change_or_none(before: Number | None, after: Number | None) -> Number | None:
    return None if before is None or after is None else after - before


def _pair_json(pair: tuple[Number | None, Number | None]) -> dict[str, Any]:
    return {name: number and number.to_json() for name, number in zip(("before", "after"), pair, strict=True)}


def _pair_words(pair: tuple[Number | None, Number | None], digits: int) -> str:
    one, two = pair
    before, after = ("none" if number is None else number.decimal(digits) for number in pair)
    if before == after:
        return f"{before}, as before"
    if one is None or two is None:
        return f"{before} → {after}"
    change = (two - one).decimal(digits)
    return f"{before} → {after} ({change if change.startswith('-') else f'+{change}'})"


def solution_difference(before: Solution, after: Solution) -> Difference:
    """Return what changed from one solved game to another."""
    old = {each.decisions.phase: each for each in strategies_by_phase(before)}
    new = strategies_by_phase(after)
    pairs = [(old.get(each.decisions.phase), each) for each in new]
    answers = [None if one is None else _old_strategy_options(one, two) for one, two in pairs]
    prescriptions = [
        None if found is None else _prescription_of_options(each, found)
        for each, found in zip(new, answers, strict=True)
    ]
    moved = tuple(
        _decision_change(after, one, two, found, prescription)
        for (one, two), found, prescription in zip(pairs, answers, prescriptions, strict=True)
    )
    loyal, loss = _old_strategy_value_and_loss(after, new, prescriptions)
    return replace(
        _value_and_length_changes(_ValuesAndLengths.of(before), _ValuesAndLengths.of(after)),
        choices=moved,
        loyal_value=loyal,
        loyal_loss=loss,
    )


def solution_difference_without_decisions(
    before: Solution | SecretSolution, after: Solution | SecretSolution
) -> Difference:
    """Return only the changes in rules, values and lengths, for games with secrets. Their decisions cannot be compared."""
    return replace(
        _value_and_length_changes(_ValuesAndLengths.of(before), _ValuesAndLengths.of(after)), notes=SECRET_NOTES
    )


@dataclass(frozen=True)
class _ValuesAndLengths:
    """A game with its value to each seat, and its lengths by name."""

    game: Game
    objective: str
    values: Sequence[Number]
    lengths: Mapping[str, Number]

    @staticmethod
    def of(solution: Solution | SecretSolution) -> _ValuesAndLengths:
        if isinstance(solution, SecretSolution):
            return _ValuesAndLengths(
                solution.game, solution.objective, solution.values, expected_turns_and_rolls(PlayedPlans.of(solution))
            )
        return _ValuesAndLengths(solution.graph.game, solution.graph.objective, solution.values, mean_lengths(solution))


def _value_and_length_changes(before: _ValuesAndLengths, after: _ValuesAndLengths) -> Difference:
    seats = max(before.game.seats, after.game.seats)
    return Difference(
        tuple(_all_rule_changes(before.game, after.game)),
        tuple(
            (_seat_value_or_none(before.values, seat), _seat_value_or_none(after.values, seat)) for seat in range(seats)
        ),
        {name: (before.lengths.get(name), after.lengths.get(name)) for name in {**before.lengths, **after.lengths}},
        (),
        None,
        None,
        tuple(map((after if after.game.seats == seats else before).game.ruleset.seat_name, range(seats))),
        objectives=(before.objective, after.objective),
    )


def _seat_value_or_none(values: Sequence[Number], seat: int) -> Number | None:
    return values[seat] if seat < len(values) else None


# --- the rules


def _all_rule_changes(before: Game, after: Game) -> Iterator[RuleChange]:
    """Yield the differences between the rules: first the settings, then what the files say."""
    settings = [
        {"seats": game.seats, "variant": ", ".join(game.variants) or None, **dict(game.parameters)}
        for game in (before, after)
    ]
    yield from _rule_changes("", *settings)
    played = [
        {key: part for key, part in game.ruleset.data.items() if key not in ("id", *SHOWN_ONLY)}
        for game in (before, after)
    ]
    yield from _rule_changes("", *played)


def _rule_changes(location: str, before: Any, after: Any) -> Iterator[RuleChange]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {**before, **after}:
            yield from _rule_changes(f"{location}.{key}" if location else str(key), before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list):
        named = [{_item_name(item, number): item for number, item in enumerate(items, 1)} for items in (before, after)]
        yield from _rule_changes(location, *named)
    elif before != after:
        yield RuleChange(location, before, after)


def _item_name(item: Any, index: int) -> str:
    return str(item["name"]) if isinstance(item, Mapping) and "name" in item else str(index)


def _threshold_range_words(span: tuple[int, int] | None) -> str:
    if span is None:
        return "none"
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"


# --- the old strategy, in the new game


def _old_strategy_options(old_strategy: SolvedStrategy, new_strategy: SolvedStrategy) -> Ints | None:
    """Return the option that the old best play takes in each decision of the new game, as an index into the new
    options. It is -1 where the old best play does not say what to do.

    The option depends only on the features that determine the old strategy. Return None if the new game lacks one of
    them.
    """
    seen = {feature.key: feature for feature in new_strategy.decisions.features}
    if not all(feature.key in seen for feature in old_strategy.needed):
        return None
    columns = [feature.column for feature in old_strategy.needed]
    order = np.argsort(
        old_strategy.decisions.played, kind="stable"
    )  # what best play meets overrules what it never meets
    taken: dict[tuple[int, ...], str] = {}
    for *at, option in zip(
        *(column[order].tolist() for column in columns), old_strategy.decisions.choice[order].tolist(), strict=True
    ):
        taken[tuple(at)] = old_strategy.options[option]
    place = {name: number for number, name in enumerate(new_strategy.options)}
    asked = zip(*(seen[feature.key].column.tolist() for feature in old_strategy.needed), strict=True)
    count = len(new_strategy.decisions.states)
    answers = [taken.get(at) for at in asked] if columns else [taken.get(())] * count
    return np.array([place.get(name or "", -1) for name in answers], dtype=np.int64)


def _prescription_of_options(new_strategy: SolvedStrategy, old_options: Ints) -> Ints:
    """Return the prescription of the old strategy: the row of every state, -1 where it does not say what to do.
    ``old_options``: the option that it takes in each decision, from ``_old_strategy_options``.
    """
    decisions = new_strategy.decisions
    copies = decisions.solution.solved.arena.copies_per_state
    states, wanted = decisions.states[::copies], old_options[::copies]
    rows = np.full(decisions.solution.graph.state_count, -1, dtype=np.int64)
    for option in np.unique(wanted[wanted >= 0]).tolist():
        mine = states[wanted == option]
        rows[mine] = rows_of_option(new_strategy, option, mine)
    return rows


def _decision_change(
    after: Solution,
    old_strategy: SolvedStrategy | None,
    new_strategy: SolvedStrategy,
    old_options: Ints | None,
    prescription: Ints | None,
) -> DecisionChange:
    decisions = new_strategy.decisions
    met = decisions.played
    spans = (
        None if old_strategy is None else old_strategy.usual_threshold_range(),
        new_strategy.usual_threshold_range(),
    )
    if old_options is None or prescription is None:
        return DecisionChange(decisions.phase, old_strategy is None, *spans, int(met.sum()), None, 0, ())
    arena, graph = after.solved.arena, after.graph
    rows = prescription[decisions.states]
    known = met & (rows >= 0)
    other = np.flatnonzero(known & (old_options != decisions.choice))
    numbers = arena.arena_state_of(decisions.states[other], decisions.movers[other])
    theirs = arena.state_rows[numbers] + rows[other] - graph.state_rows[decisions.states[other]]
    worse = other[after.proven_worse_mask(theirs)] if len(other) else other
    shown = worse[np.linspace(0, len(worse) - 1, min(MAX_EXAMPLES, len(worse))).astype(np.int64)]
    examples = tuple(
        _changed_decision_example(new_strategy, place, int(old_options[place])) for place in shown.tolist()
    )
    return DecisionChange(decisions.phase, False, *spans, int(met.sum()), int(known.sum()), len(worse), examples)


def _changed_decision_example(new_strategy: SolvedStrategy, decision_index: int, old_option: int) -> Example:
    clauses = [
        feature.value_clause(feature.code_text(int(feature.column[decision_index]))) for feature in new_strategy.needed
    ]
    return Example(
        ", ".join(clauses),
        new_strategy.options[old_option],
        new_strategy.options[int(new_strategy.decisions.choice[decision_index])],
    )


def _old_strategy_value_and_loss(
    after: Solution, strategies: Sequence[SolvedStrategy], prescriptions: Sequence[Ints | None]
) -> tuple[Number | None, Number | None]:
    """Return the value of the old strategy to seat 1 in the new game, and what seat 1 loses by it. Both are None if
    they cannot be computed.

    If the old strategy is still best wherever best play leads, the loss is 0, and nothing is computed.
    """
    known = [each for each in prescriptions if each is not None]
    if after.mixtures or not known:
        return None, None
    if all(
        each is None or _agrees_with_solution(one, each) for one, each in zip(strategies, prescriptions, strict=True)
    ):
        return after.values[0], Number.of(0)
    return value_and_loss(PolicyEvaluator(after), np.max(known, axis=0)) or (
        None,
        None,
    )  # each is -1 outside its own phase


def _agrees_with_solution(strategy: SolvedStrategy, prescription: Ints) -> bool:
    """Return whether a prescription never differs from the solution in decisions that best play reaches. Where it
    leaves the choice open, it does not differ.
    """
    decisions = strategy.decisions
    graph, solved, states = decisions.solution.graph, decisions.solution.solved, decisions.states
    numbers = solved.arena.arena_state_of(states, decisions.movers)
    best = graph.state_rows[states] + solved.rows[numbers] - solved.arena.state_rows[numbers]
    rows = prescription[states]
    return bool(((rows < 0) | (rows == best) | ~decisions.played).all())
