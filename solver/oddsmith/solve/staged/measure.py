"""Answers to the ruleset's questions about play of a game solved by stages, computed by backward induction like values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from oddsmith.base.arrays import Ints, arange
from oddsmith.base.errors import MeasureError, PositionError, RulesetError
from oddsmith.base.exact import Number, fraction_from_text, fraction_text
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.graph import KeyIndex, unique
from oddsmith.ruleset.model import Measure, Payoff
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.arenas.component import NeverEnds
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.questions.measure import (
    answer_from_distribution,
    answer_question,
    conditional_chance,
    event_masks,
    is_about_turn_or_game,
    means_of_ratio,
    needs_distribution,
    ratio_of_means,
    state_of_question,
)
from oddsmith.solve.questions.played import PlayedPolicy, SplitEntry, can_pass_phase_twice, split_entry
from oddsmith.solve.solution import Solution
from oddsmith.solve.staged.along import Entry, PolicyExplorer, PolicyPart
from oddsmith.solve.staged.by_turn import LayerSolver
from oddsmith.solve.staged.distribution import MAX_POSITIONS, best_play
from oddsmith.solve.staged.staged import Staged
from oddsmith.solve.staged.store import ColumnFile, concatenate_values
from oddsmith.solve.values.bounds import KnownValues
from oddsmith.solve.values.policy_evaluation import bounded_policy_values

Answer = Number | MeasureError
QuestionPart = tuple[str, int]
"""The name of a question, and 0 or 1 for the first or the second of the two means in a ratio."""
ENTRIES_PER_ARENA = 6  # entries that are counted in one arena


@dataclass(frozen=True, eq=False)
class ArenaBuilder:
    """Builds an arena whose payoff is the quantity that a question counts.

    ``build``: builds the arena from a played policy. ``uses_arena_by_seat``: whether the arena has every position once
    for each seat to move.
    """

    build: Callable[[PlayedPolicy], Arena]
    uses_arena_by_seat: bool = False


def answer_ruleset_questions(staged: Staged, progress: Progress | None = None) -> dict[str, Answer]:
    """Return the answers to the ruleset's own questions, by name.

    The answers are stored beside the stages, so that they are computed only once. Raises PlayError,
    StagesNotStoredError.
    """
    rules, records = staged.game.ruleset, staged.schedule.records
    asked = json.dumps(rules.data.get("measures", {}), sort_keys=True, default=str)
    name = f"{records.digits} measures {asked}"
    stored = records.stored_columns(name)
    if stored is None:
        found = answer_questions(staged, rules.measures, progress)
        records.store_columns(
            name, ColumnFile({name: _answer_to_strings(answer) for name, answer in found.items()}, {})
        )
        return found
    return {name: _answer_from_strings(stored.metadata[name]) for name in rules.measures}


def _answer_to_strings(answer: Answer) -> list[str]:
    if isinstance(answer, Number):
        return [fraction_text(answer.lower), fraction_text(answer.upper)]
    return [str(answer)]


def _answer_from_strings(strings: list[str]) -> Answer:
    return MeasureError(*strings) if len(strings) == 1 else Number(*map(fraction_from_text, strings))


def answer_questions(
    staged: Staged, questions: Mapping[str, Measure], progress: Progress | None = None
) -> dict[str, Answer]:
    """Return the proven answers to questions, by name; a MeasureError with the reason in place of an answer that does
    not exist.

    The questions may be about counts of entries, chances in the game or in the first turn, means at the end, or one
    roll or decision. Standard deviations are computed from a distribution, and so are counts and means over only a part
    of the plays. Raises PlayError, StagesNotStoredError.
    """
    parts = {name: (each,) if each.divisor is None else means_of_ratio(each) for name, each in questions.items()}
    found = _answer_question_parts(
        staged, {(name, part): each for name, two in parts.items() for part, each in enumerate(two)}, progress
    )
    return {
        name: found[name, 0] if len(two) == 1 else _ratio_or_error(found[name, 0], found[name, 1])
        for name, two in parts.items()
    }


def _answer_question_parts(
    staged: Staged, questions: Mapping[QuestionPart, Measure], progress: Progress | None
) -> dict[QuestionPart, Answer]:
    """Return the answers to questions that are not ratios of two means."""
    answers, counts, alone = dict[QuestionPart, Answer](), dict[QuestionPart, Entry](), dict[QuestionPart, Measure]()
    chances, means = dict[QuestionPart, Measure](), dict[QuestionPart, Measure]()
    for name, question in questions.items():
        try:
            refuse_unanswerable(staged, question)
            if not is_about_turn_or_game(question):
                answers[name] = answer_question(
                    staged.game, question, partial(_solution_of_question_state, staged, question)
                )
            elif needs_distribution(question) or (
                question.kind != "chance" and question.when is None and _has_too_many_positions(staged)
            ):
                answers[name] = answer_from_distribution(
                    best_play(staged, progress, split=_split_entry_of(staged, question)), question
                )
            elif question.when is not None:
                alone[name] = question
            elif question.kind == "count":
                assert question.at_entry is not None
                counts[name] = question.at_entry
            else:
                (chances if question.kind == "chance" else means)[name] = question
        except MeasureError as why:
            answers[name] = why
    answers |= _answer_counts_and_chances(staged, counts, chances, progress)
    for name, question in alone.items():
        answers[name] = _answer_under_condition(staged, question, progress)
    for name, question in means.items():
        answers[name] = _mean_at_end(staged, question, progress)
    return answers


def _ratio_or_error(numerator: Answer, denominator: Answer) -> Answer:
    """Return the ratio of two means, or the MeasureError that says why it does not exist."""
    if isinstance(numerator, MeasureError):
        return numerator
    if isinstance(denominator, MeasureError):
        return denominator
    try:
        return ratio_of_means(numerator, denominator)
    except MeasureError as why:
        return why


def _has_too_many_positions(staged: Staged) -> bool:
    """Return whether the game has the same turn on every sheet, and too many positions to follow them one by one."""
    return isinstance(staged.schedule, LayerSolver) and staged.state_count > MAX_POSITIONS


def _solution_of_question_state(staged: Staged, question: Measure) -> Solution:
    """Return a solution of the single position that a question is about. Raises MeasureError."""
    state = state_of_question(staged.game, question)
    try:
        return staged.partial_solution([state])
    except PositionError:
        raise MeasureError(f"play never comes to {state.phase} with these variables: set others with `with`") from None


def refuse_unanswerable(staged: Staged, question: Measure) -> None:
    """Raise MeasureError if a question cannot be answered for a game solved by stages."""
    if question.seat > staged.game.seats:
        raise MeasureError(f"there is no seat {question.seat}: the seats are 1 to {staged.game.seats}")
    if question.when is not None and question.at_entry == question.given_entry:
        raise MeasureError("`when` and `given` cannot be about the same entry")
    if (
        question.kind == "count"
        and question.at_entry
        and can_pass_phase_twice(staged.game.ruleset, question.at_entry[0])
    ):
        raise MeasureError(f"one step may pass {question.at_entry[0]} twice, so its entries are not counted")


def _split_entry_of(staged: Staged, question: Measure) -> SplitEntry | None:
    """Return the entry of a question, split in two by the condition of the question; None if the question has no
    condition.
    """
    return (
        split_entry(staged.game.ruleset, question.at_entry, question.when)
        if question.at_entry and question.when
        else None
    )


def _answer_under_condition(staged: Staged, question: Measure, progress: Progress | None) -> Answer:
    """Return a count or chance of an entry under a condition, for which the entry is split in two."""
    assert question.at_entry is not None
    assert question.when is not None
    parts = split_entry(staged.game.ruleset, question.at_entry, question.when)
    only: QuestionPart = "", 0
    counts, chances = ({only: question.at_entry}, {}) if question.kind == "count" else ({}, {only: question})
    try:
        return _answer_counts_and_chances(staged, counts, chances, progress, parts)[only]
    except MeasureError as why:
        return why


def _answer_counts_and_chances(
    staged: Staged,
    counted_entries: Mapping[QuestionPart, Entry],
    chance_questions: Mapping[QuestionPart, Measure],
    progress: Progress | None,
    split: SplitEntry | None = None,
) -> dict[QuestionPart, Answer]:
    """Return counts and chances, computed in one pass over the positions of play.

    ``counted_entries``: the entries to count; ``chance_questions``: the questions about chances. ``split``: an entry
    that is split in two.
    """
    if not counted_entries and not chance_questions:
        return {}
    entries = list(dict.fromkeys(counted_entries.values()))
    pairs = [
        pair for each in chance_questions.values() for pair in (each.at_entry, each.given_entry) if pair is not None
    ]
    along, asked = PolicyExplorer(staged, None, [*entries, *pairs], split=split), list[ArenaBuilder]()
    for place in range(0, len(entries), ENTRIES_PER_ARENA):
        asked.append(_counting_arena_builder(entries[place : place + ENTRIES_PER_ARENA]))
    first = len(asked)
    for question in chance_questions.values():
        asked += _arena_builders_for_chances(question)
    found = evaluate_backward(staged, along, asked, progress)
    counted = dict(zip(entries, chain.from_iterable(found[:first]), strict=True))
    answers: dict[QuestionPart, Answer] = {name: counted[entry] for name, entry in counted_entries.items()}
    for name, question in chance_questions.items():
        several = 1 if question.given_entry is None else 3
        chance = [numbers[0] for numbers in found[first : first + several]]
        first += several
        try:
            answers[name] = chance[0] if several == 1 else conditional_chance(*chance)
        except MeasureError as why:
            answers[name] = why
        except ZeroDivisionError:
            answers[name] = MeasureError(f"no play takes {question.given_entry[1] if question.given_entry else 'it'}")
    return answers


def _counting_arena_builder(entries: Sequence[Entry]) -> ArenaBuilder:
    return ArenaBuilder(lambda played: played.arena.counting_arena([played.entry_mask(entry) for entry in entries]))


def _arena_builders_for_chances(question: Measure) -> list[ArenaBuilder]:
    """Return the arenas of the chances that a question needs.

    That is one chance, of the entry of the question, or with ``given`` three, in the order of the parameters of
    ``conditional_chance``.
    """

    def arena_builder(event_index: int) -> Callable[[PlayedPolicy], Arena]:
        def arena_of_event(played: PlayedPolicy) -> Arena:
            hit, over = event_masks(question, played)[event_index]
            counting = played.arena.counting_arena([hit])
            return replace(counting, target=np.where(hit | over, -1, counting.target))

        return arena_of_event

    by_seat = question.within == "game" or question.seat > 1
    return [ArenaBuilder(arena_builder(which), by_seat) for which in range(1 if question.given_entry is None else 3)]


def _mean_at_end(staged: Staged, question: Measure, progress: Progress | None) -> Answer:
    """Return the mean of an expression in the last position, computed like a payoff; a MeasureError if that is not
    possible.
    """
    assert question.value is not None
    try:
        along = PolicyExplorer(staged, Payoff("at end", question.value))
        return evaluate_backward(staged, along, [ArenaBuilder(lambda played: played.arena)], progress)[0][
            question.seat - 1
        ]
    except RulesetError as error:
        return MeasureError(error.problems[0].message)
    except MeasureError as why:
        return why


def evaluate_backward(
    staged: Staged,
    policy_explorer: PolicyExplorer,
    arena_builders: Sequence[ArenaBuilder],
    progress: Progress | None = None,
) -> list[tuple[Number, ...]]:
    """Return the values of given arenas at the first position: for each arena a tuple with the value of each seat.

    Raises MeasureError if play may go on for ever.
    """
    tell, done = progress or ignore_progress, 0
    outlines = [part.policy_states for part in policy_explorer.policy_parts(progress)]
    total, solved = sum(policy_states.keys.shape[1] for policy_states in outlines), dict[int, list[_SolvedPart]]()
    numbers = list[tuple[Number, ...]]()
    for policy_states in reversed(outlines):
        part = policy_explorer.explore_again(policy_states)
        try:
            known = _solve_part(staged, policy_explorer, part, arena_builders, solved)
        except NeverEnds:
            raise MeasureError("play may go on for ever") from None
        except FractionTooLong:
            raise MeasureError("too little is known of the chances with which players mix actions") from None
        solved.setdefault(policy_states.stage, []).append(known)
        done += policy_states.keys.shape[1]
        tell("counting", done, total)
        numbers = [each.state_numbers(0) for each in known.values_by_arena]
    return numbers


@dataclass(frozen=True, eq=False)
class _SolvedPart:
    """The values of the positions at which play enters a part.

    ``entered_index``: the index of these positions. ``values_by_arena``: for each arena, the values of the positions;
    an arena by seat has them once for each seat to move.
    """

    entered_index: KeyIndex
    values_by_arena: list[KnownValues]


def _solve_part(
    staged: Staged,
    policy_explorer: PolicyExplorer,
    part: PolicyPart,
    arena_builders: Sequence[ArenaBuilder],
    solved_by_stage: Mapping[int, list[_SolvedPart]],
) -> _SolvedPart:
    later, boundary = (
        list(_solved_parts_of_successors(policy_explorer, part, solved_by_stage)),
        part.boundary_keys.shape[1],
    )
    relative, policy_states, found = part.played_policy, part.policy_states, list[KnownValues]()
    for place, each in enumerate(arena_builders):
        played = relative.by_seat() if each.uses_arena_by_seat else relative
        arena = replace(each.build(played), prescribed_row=played.rows)
        parts = [
            (arena.arena_states_of(here), one.values_by_arena[place], arena.arena_states_of(numbers))
            for here, one, numbers in later
        ]
        known = concatenate_values(boundary * arena.copies_per_state, parts) if parts else None
        bounds = bounded_policy_values(arena, played.mixtures, staged.schedule.records.digits, known).bounds
        found.append(bounds.known_values(arena.arena_states_of(arange(policy_states.entered_count))))
    return _SolvedPart(KeyIndex.of(policy_states.keys[:, : policy_states.entered_count]), found)


def _solved_parts_of_successors(
    policy_explorer: PolicyExplorer, part: PolicyPart, solved_by_stage: Mapping[int, list[_SolvedPart]]
) -> Iterator[tuple[Ints, _SolvedPart, Ints]]:
    """Yield the solved parts that have successors of a part.

    Each item is the indices of successors in the boundary, the solved part, and the numbers of these successors in it.
    """
    keys = part.boundary_keys
    if not keys.shape[1]:
        return
    stage = policy_explorer.schedule.stages_of(policy_explorer.convert_to_solution_keys(keys))
    for number in unique(stage).tolist():
        left = np.flatnonzero(stage == number)
        for each in solved_by_stage[number]:
            numbers = each.entered_index.find(keys[:, left])
            if (numbers >= 0).any():
                yield left[numbers >= 0], each, numbers[numbers >= 0]
            left = left[numbers < 0]
            if not len(left):
                break
        assert not len(left)
