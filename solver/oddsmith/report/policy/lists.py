"""Short lists of decisions: found by a search in floats, written in the language of rulesets, and valued as policies.

``policy_yaml`` writes a policy in the form and style of rulesets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.errors import ShortListError
from oddsmith.base.exact import Number
from oddsmith.report.english.options import OptionWords
from oddsmith.report.english.words import plain_name
from oddsmith.report.policy.list_search import (
    MAX_CONDITIONS,
    ListDraft,
    ListFitter,
    PhaseOptions,
    QuantityCondition,
    draft_with_tuned_numbers,
)
from oddsmith.report.policy.quantities import WrittenLine, distinguishing_quantities, prescribable_actions
from oddsmith.report.policy.rules_of_thumb import Rule, RuleCandidate, RuleValue, rule_value, value_and_loss
from oddsmith.report.policy.thresholds import SolvedStrategy
from oddsmith.report.policy.wording import decision_list_words
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Policy
from oddsmith.solve import PolicyLineEvaluator, Solution, rows_of_policy
from oddsmith.solve.questions import RANDOM, PolicyEvaluator

_PLAIN = re.compile(r"[A-Za-z-](?:[\w\s'’!?().=<>+*/%-]|,(?= )|\[|\])*")
_OTHER = re.compile(r"(?i)(?:true|false|yes|no|on|off|null)|.*\s|- .*")
_SHORT = re.compile(r"[^,\[\]{}]*")


def policy_yaml(name: str, phases: Mapping[str, Sequence[WrittenLine]]) -> str:
    """Return a policy as YAML under the key ``policies`` of a ruleset. ``phases``: the lines of each phase."""
    lines = ["policies:", f"  {_yaml_scalar(name)}:"]
    for phase, choices in phases.items():
        lines.append(f"    {phase}:")
        for choice in choices:
            keys = [f"{key}: {_yaml_scalar(text)}" for key, text in choice.text_by_key.items()]
            if len(keys) == 1 and _SHORT.fullmatch(keys[0]):
                lines.append(f"      - {{{keys[0]}}}")
            else:
                lines += [f"      {'  ' if number else '- '}{text}" for number, text in enumerate(keys)]
    return "\n".join(lines) + "\n"


def _yaml_scalar(text: str) -> str:
    """Return a text in a form that YAML reads back unchanged: plain if that is certain, else in quotes."""
    return text if _PLAIN.fullmatch(text) and not _OTHER.fullmatch(text) else json.dumps(text, ensure_ascii=False)


_ONE_NUMBER = re.compile(r"(?:(?! and ).)+ (?:>=|<=|==) -?\d+")
MAX_STATES = 100_000  # with every seat told apart; beyond, a search would take minutes
MAX_MOVES = 8  # that the search combines
FITTING_ROUNDS = 2  # in which a list is fitted to where play by the list before came
MAX_NUMBERS_TRIED = 40  # of other numbers, by play against the solution
MAX_COST_SHARE_WITH_LINE = 0.75  # a further line is worth having if with it the list costs at most this share
MIN_COST_SHARE_SAVED = 0.003  # and if it saves at least this share of what the plainest list costs
MIN_SAVING = 1e-9  # what is not worth saving
FLOAT_TOLERANCE = 1e-6  # what floats may be off, of a value
POOR_PART = 4  # a list is poor if it costs more than a quarter of what play at random costs,
HALF = 2  # or, with all its conditions, more than half of what it costs without any


@dataclass(frozen=True)
class DecisionList(Rule):
    """A rule that a search found, with its value.

    ``rung``: the value and the loss of seat 1 if seat 1 alone plays by the list in this phase, and by the solution
    elsewhere. ``single``: whether the list is the rule with one number, or always takes the same option. ``poor``:
    whether the list costs more than a quarter of what random play costs, or more than half of what the best list
    without conditions costs.
    """

    rung: RuleValue
    single: bool
    poor: bool

    @property
    def loss(self) -> Number | None:
        """The loss of seat 1 by the list; None if play may never end."""
        return self.rung.loss

    @property
    def has_one_number(self) -> bool:
        """Whether the list is not poor, and has one condition with one number and then a line without a condition. Such
        a list is easy to remember.
        """
        first, *others = self.lines
        rest = [line for line in others if not line.when]
        return not self.poor and len(others) == len(rest) == 1 and bool(_ONE_NUMBER.fullmatch(first.when))

    def with_cost(self, costs: str) -> str:
        """Return a text with the list in words and its cost. If the list is poor, the text says so. ``costs``: the cost
        in words.
        """
        if not self.poor:
            return f"{self.words}; {costs}"
        most = f"no list of up to {MAX_CONDITIONS + 1} lines was found that comes near best play"
        return f"{most}; the best {costs}: {self.words}"


def lists_with_worded_options(short_lists: DecisionLists, option_words: OptionWords) -> DecisionLists:
    """Return the lists with all options worded for people by ``option_words``."""
    lists = [
        replace(
            each,
            words=option_words(each.words, each.phase),
            rung=replace(each.rung, name=option_words(each.rung.name, each.phase)),
        )
        for each in short_lists.lists
    ]
    return replace(short_lists, lists=tuple(lists))


@dataclass(frozen=True)
class DecisionLists:
    """The lists of all choices, in the order of the ruleset. Together they are a policy.

    ``rung``: the value and the loss of seat 1 if it alone plays by this policy.
    """

    lists: tuple[DecisionList, ...]
    rung: RuleValue

    @property
    def loss(self) -> Number | None:
        """The loss of the policy; None if play by it may never end."""
        return self.rung.loss

    @property
    def rule_values(self) -> Iterator[RuleValue]:
        """The values of the lists in ``lists_without_single_number``. If there are several choices, the value of all
        lists together is the last.
        """
        yield from (each.rung for each in self.lists_without_single_number)
        if self.lists_without_single_number and len(self.lists) > 1:
            yield self.rung

    @property
    def lists_without_single_number(self) -> tuple[DecisionList, ...]:
        """The lists of the choices for which no single number suffices."""
        return tuple(each for each in self.lists if not each.single)

    def list_of_phase(self, phase: str) -> DecisionList | None:
        """Return the list of a phase; None if a single number suffices there, or if there is no decision."""
        return next((each for each in self.lists_without_single_number if each.phase == phase), None)

    def to_yaml(self, name: str = "short list") -> str:
        """Return the lists as a policy with a name, ready to be pasted into a ruleset."""
        return policy_yaml(name, {each.phase: each.lines for each in self.lists})

    def to_json(self) -> dict[str, Any]:
        """Return the lists as plain data for JSON."""
        data = [
            {"phase": each.phase, "words": each.words, "costs": each.loss and each.loss.to_json()}
            | {"single": each.single, "poor": each.poor}
            for each in self.lists
        ]
        policy = {each.phase: [line.text_by_key for line in each.lines] for each in self.lists}
        return {"lists": data, "policy": policy, "costs": self.loss and self.loss.to_json()}


def policy_of_lists(game: Game, lists: Sequence[DecisionList]) -> Policy:
    """Return the lists as one policy of the ruleset."""
    return {each.phase: tuple(line.to_policy_line(game, each.phase) for line in each.lines) for each in lists}


def decision_lists(
    solution: Solution,
    strategies: list[SolvedStrategy],
    rules: Sequence[Rule] = (),
    other_evaluators: Mapping[str, PolicyEvaluator] = MappingProxyType({}),
) -> DecisionLists:
    """Return a short list for every phase with decisions.

    ``rules``: the best rules with one number. ``other_evaluators``: evaluators for other payoffs, from
    ``other_payoff_evaluators``. Raises ShortListError if there is nothing to decide, if the game is too large, or if
    the solution mixes actions or has named policies.
    """
    if not strategies:
        raise ShortListError("nothing is to decide here: ask for a game with a choice")
    if solution.mixtures or solution.named_policies:
        message = "a list is held against play without chance or named policies: leave out --alike and --policy"
        raise ShortListError(message)
    follower = PolicyEvaluator(solution)
    states = solution.graph.state_count * solution.graph.seats
    if states > MAX_STATES:
        raise ShortListError(
            f"the game has {states:,} positions, each counted for every seat, and a list is searched for in {MAX_STATES:,} "
            "at most: ask for a smaller setting"
        )
    search = _ListSearch(follower, other_evaluators, len(strategies) > 1)
    numbers = {rule.phase: rule for rule in rules}
    found = tuple(search.find_list_for(each, numbers.get(each.decisions.phase)) for each in strategies)
    policy = rows_of_policy(search.columns, policy_of_lists(solution.graph.game, found))
    return DecisionLists(found, search.value_of_list("The short lists of all decisions", policy))


class _ListSearch:
    """The data that the searches of all phases share: the losses of rows, the visits to states, and the values of
    lists.
    """

    def __init__(
        self, evaluator: PolicyEvaluator, other_evaluators: Mapping[str, PolicyEvaluator], has_several_phases: bool
    ) -> None:
        self.follower, self.others, self.several = evaluator, other_evaluators, has_several_phases
        self.graph = evaluator.solution.graph
        self.columns = PolicyLineEvaluator(self.graph)
        self.losses = evaluator.row_losses()
        self.values_by_rows: dict[bytes, RuleValue] = {}
        self.nothing = np.full(self.graph.state_count, -1, dtype=np.int64)
        self.visits = evaluator.expected_visits(self.nothing)
        self.best = evaluator.estimate_value(self.nothing)

    def value_of_list(self, name: str, prescription: Ints, phase: str = "") -> RuleValue:
        """Return the value and the loss of a prescription. Each prescription is evaluated only once."""
        key = prescription.tobytes()
        if key not in self.values_by_rows:
            self.values_by_rows[key] = rule_value(
                self.follower, RuleCandidate(name, "list", prescription, phase), self.others
            )
        return replace(self.values_by_rows[key], name=name, phase=phase)

    def loss(self, prescription: Ints) -> Number | None:
        """Return what seat 1 loses by a prescription; None if play by it may never end."""
        found = value_and_loss(self.follower, prescription)
        return found and found[1]

    def find_list_for(self, strategy: SolvedStrategy, rule: Rule | None) -> DecisionList:
        """Search for the list of a phase, and return it with its value. ``rule``: the best rule with one number, if
        there is one.
        """
        phase, game = strategy.phase, self.graph.game
        here = _PhaseListSearch(self, phase)
        seed = here.draft_of_rule(rule, strategy)
        draft = here.ground.without_idle_lines(here.chosen_draft(seed))
        lines = here.policy_lines(draft)
        prescription, free = self.nothing.copy(), self.nothing.copy()
        prescription[here.states] = self.columns.prescribed_rows(
            phase, [line.to_policy_line(game, phase) for line in lines]
        )
        free[here.states] = RANDOM
        words = decision_list_words(game, phase, lines)
        value = self.value_of_list(f"{plain_name(phase)}: {words}" if self.several else words, prescription, phase)
        poor = _costs_more_than_part(value.loss, self.loss(free), POOR_PART)
        if draft.lines and draft != seed and not poor:
            poor = _costs_more_than_part(value.loss, self.loss(here.prescription_of_draft(here.plainest)), HALF)
        constant = strategy.constant is not None and not (draft.lines or lines[0].prefer or lines[0].which)
        single = draft == seed or constant or len(lines) == len(lines[0].text_by_key) == 1
        return DecisionList(phase, lines, words, None, value, single, poor)


def _costs_more_than_part(loss: Number | None, other_loss: Number | None, divisor: int) -> bool:
    """Return whether ``loss`` is proven to exceed ``other_loss`` divided by ``divisor``."""
    return loss is not None and other_loss is not None and divisor * loss.lower > other_loss.upper


def _condition_text(phase_options: PhaseOptions, condition: QuantityCondition | None) -> str:
    if condition is None:
        return ""
    text = phase_options.quantities[condition.quantity].condition_text(
        condition.number, condition.at_least, condition.allowed_numbers
    )
    return f"{text} and {_condition_text(phase_options, condition.second_bound)}" if condition.second_bound else text


class _PhaseListSearch:
    """The search for the list of one phase."""

    def __init__(self, search: _ListSearch, phase: str) -> None:
        self.search, self.phase = search, phase
        graph, columns = search.graph, search.columns
        self.states = columns.choice_states(phase)
        weighted = search.losses * search.visits[graph.row_state]
        found = prescribable_actions(columns, phase, weighted)
        first = graph.state_rows[self.states]
        for move in reversed(found):
            first = np.where(move.rows >= 0, move.rows, first)
        self.ground = PhaseOptions(distinguishing_quantities(columns, phase), found, first)

        @cache
        def cost(draft: ListDraft) -> float:
            worth = search.follower.estimate_value(self.prescription_of_draft(draft))
            lost = search.follower.sign * (search.best - worth)
            least = -FLOAT_TOLERANCE * (
                1 + abs(search.best)
            )  # less than nothing is what floats make of play that hardly ever ends
            return lost if isfinite(lost) and lost > least else np.inf

        self.cost: Callable[[ListDraft], float] = cost

    def prescription_of_draft(self, draft: ListDraft) -> Ints:
        """Return the prescription of a draft: the row of every state, -1 in other phases."""
        prescription = self.search.nothing.copy()
        prescription[self.states] = self.ground.rows_taken_by(draft)
        return prescription

    def draft_of_rule(self, rule: Rule | None, strategy: SolvedStrategy) -> ListDraft | None:
        """Return the rule with one number as a draft. Return None without a rule, or if its number is of none of the
        quantities of the phase.
        """
        if rule is None or rule.number is None:
            return None
        options = {move.option: place for place, move in reversed(list(enumerate(self.ground.actions)))}
        if rule.is_constant:
            return ListDraft((), options[rule.options[0]])
        assert strategy.down is not None  # the rule is read off its thresholds
        column = strategy.down.column[:: strategy.decisions.solution.solved.arena.copies_per_state]
        for place, each in enumerate(self.ground.quantities):
            if not each.is_flag and np.array_equal(each.column, column):
                above, below = rule.options
                test = QuantityCondition(place, rule.number.best, True)
                return ListDraft(((test, options[above]),), options[below])
        return None

    def chosen_draft(self, rule_draft: ListDraft | None) -> ListDraft:
        """Return the draft to publish. It is a longer draft only if that costs much less than ``rule_draft``.

        ``rule_draft``: the rule with one number; None if there is none. Then a list without conditions takes its place.
        """
        best: dict[int, ListDraft] = {}
        for pairs in (False, True):
            for size, draft in self._best_drafts_by_size(pairs).items():
                best[size] = min(best.get(size, draft), draft, key=self.cost)
        if rule_draft is not None:
            best[rule_draft.size] = min(rule_draft, best.get(rule_draft.size, rule_draft), key=self.cost)
        self.plainest = best[0]
        return self._chosen_among_sizes(best, rule_draft)

    def _best_drafts_by_size(self, allow_pairs: bool) -> dict[int, ListDraft]:
        """Return the best draft of each size that the search finds. ``allow_pairs``: whether a condition may bound two
        quantities.
        """
        best: dict[int, ListDraft] = {}
        visits = self.search.visits
        for _ in range(FITTING_ROUNDS):
            fit = ListFitter(self.ground, self.search.losses, visits[self.states], MAX_MOVES, allow_pairs)
            for draft in (draft for drafts in fit.best_drafts_by_line_count() for draft in drafts[:2]):
                best[draft.size] = min(best.get(draft.size, draft), draft, key=self.cost)
            played = self.search.follower.expected_visits(self.prescription_of_draft(min(best.values(), key=self.cost)))
            visits = (self.search.visits + np.where(np.isfinite(played), played, 0.0)) / 2
        return best

    def _chosen_among_sizes(self, best_by_size: dict[int, ListDraft], rule_draft: ListDraft | None) -> ListDraft:
        plainest = max(self.cost(best_by_size[0]), 0.0)
        picked = rule_draft if rule_draft is not None else best_by_size[0]
        for size, draft in sorted(best_by_size.items()):
            before, after = self.cost(picked), self.cost(draft)
            fewer = MAX_COST_SHARE_WITH_LINE ** max(1, size - picked.size)
            if after <= fewer * before and before - after > max(MIN_COST_SHARE_SAVED * plainest, MIN_SAVING):
                picked = draft
        return (
            picked
            if picked == rule_draft
            else draft_with_tuned_numbers(self.ground, picked, self.cost, MAX_NUMBERS_TRIED)
        )

    def policy_lines(self, draft: ListDraft) -> tuple[WrittenLine, ...]:
        """Return a draft as lines of a policy. The last lines have no condition, so that every decision has an action."""
        ground = self.ground
        open_ = np.ones(len(self.states), dtype=bool)
        lines = []
        for test, move in draft.lines:
            condition = _condition_text(ground, test)
            lines.append(ground.actions[move].policy_line(condition))
            open_ &= ~(ground.mask_where(test) & (ground.actions[move].rows >= 0))
        for place in (draft.default_action, *range(len(ground.actions))):
            legal = ground.actions[place].rows >= 0
            if (open_ & legal).any():
                lines.append(ground.actions[place].policy_line())
                open_ &= ~legal
        return tuple(lines)
