"""What to do in a solved game, in a few lines: thresholds, short rules and lists with their costs, options for nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from oddsmith.arrays import Ints, bincount, repeat
from oddsmith.errors import ShortListError
from oddsmith.exact import Number, plural
from oddsmith.frames import html_lines
from oddsmith.graph import ranges
from oddsmith.report.english import joined, plain_name
from oddsmith.report.lists import Lists, decision_lists
from oddsmith.report.outline.stopping import limits_of
from oddsmith.report.strategy import (
    VARIES,
    Decisions,
    Feature,
    Ladder,
    Rung,
    Segment,
    SolvedStrategy,
    Table,
    forced,
    in_order,
    ladder,
    strategies,
)
from oddsmith.solve import Solution

PLACES = 4  # of costs, in a notebook
SHOWN = 12  # lines of one table
RULES_WORK = 1_000_000
"""Transitions, for all seats, up to which short rules are searched for without being asked: some seconds."""


@dataclass(frozen=True)
class Unused:
    """An option that is never best where there is a choice.

    ``elsewhere``: it is best in positions, but only where best play never gets. ``forced``: best play takes it where it is
    the only option.
    """

    option: str
    elsewhere: bool
    forced: bool = False

    @property
    def where(self) -> str:
        """Where it is best; empty where it is nowhere."""
        places = ["best play never gets"] * self.elsewhere + ["it is the only option"] * self.forced
        return f"best only where {', or where '.join(places)}" if places else ""

    @property
    def words(self) -> str:
        """The same in a sentence."""
        return f"{self.option} is {self.where or 'never best'}"


@dataclass(frozen=True)
class Choice:
    """What best play does in one phase. ``decisions``: how many there are, and ``played`` how many of them best play meets.

    ``lines`` say it in words. ``taken``: how many of those that best play meets go to each option, by name, the commonest
    first. ``span``: the least and the greatest threshold; None where there is none, or few of the cases have one.
    """

    phase: str
    decisions: int
    played: int
    lines: tuple[str, ...]
    taken: tuple[tuple[str, int], ...]
    span: tuple[int, int] | None
    unused: tuple[Unused, ...]


@dataclass(frozen=True)
class Outline:
    """The choices of a game, and short rules with what they cost whoever alone plays by them, the best first.

    ``rules`` is None where nobody asked for them and they would take long. ``lists``: a short list of decisions for each choice
    and all of them as one policy; None where that would take long, where seats mix, and where there is nothing to decide.
    """

    choices: tuple[Choice, ...]
    rules: tuple[tuple[str, Number | None], ...] | None
    lists: Lists | None = None

    def _repr_html_(self) -> str:
        return html_lines(self.lines(PLACES))

    def lines(self, places: int) -> Iterator[str]:
        """All of it in words. ``places``: decimal places of what rules cost."""
        for choice in self.choices:
            name = plain_name(choice.phase)
            met = f", of which best play meets {choice.played:,}" if choice.played < choice.decisions else ""
            yield f"{name}: {plural(choice.decisions, 'decision')}{met}"
            yield from (f"  {line}" for line in choice.lines)
            yield from (f"  {unused.words}" for unused in choice.unused)
        for words, cost in self.rules or ():
            yield f"to remember: {words}; {cost_words(cost, places)}"
        told = {words for words, _ in self.rules or ()}
        for each in (one for one in self.lists.several if one.rung.name not in told) if self.lists else ():
            where = f" ({plain_name(each.phase)})" if len(self.choices) > 1 else ""
            yield f"in short{where}: {each.told(cost_words(each.loss, places))}"

    def to_json(self) -> dict[str, Any]:
        """The same for machines, as the architecture page lays it down."""
        choices = [
            {
                "phase": choice.phase,
                "decisions": choice.decisions,
                "played": choice.played,
                "lines": list(choice.lines),
                "taken": dict(choice.taken),
                "thresholds": choice.span and list(choice.span),
                "unused": [{**asdict(unused), "words": unused.words} for unused in choice.unused],
            }
            for choice in self.choices
        ]
        rules = [{"rule": words, "costs": cost and cost.to_json()} for words, cost in self.rules or ()]
        lists = None if self.lists is None else self.lists.to_json()
        return {"choices": choices, "rules": None if self.rules is None else rules, "short_lists": lists}


def cost_words(cost: Number | None, places: int) -> str:
    """What a way of playing costs, to a number of decimal places."""
    if cost is None:
        return "play by it may never end"
    least = Fraction(1, 10**places)
    if 0 < cost.upper < least:
        return f"costs less than {Number.of(least).decimal(places)}"
    return f"costs {cost.decimal(places)}"


def outline(solution: Solution, rules: bool | None = None) -> Outline:
    """The outline of a solution. ``rules``: whether to look for short rules and lists; by default where that is quick."""
    found = strategies(solution)
    graph = solution.graph
    wanted = len(graph.target) * graph.seats <= RULES_WORK if rules is None else rules
    stopped = {limit.phase: (limit.words,) for limit in limits_of(solution, found)}
    choices = tuple(_choice(solution, each, stopped.get(each.decisions.phase, ())) for each in found)
    if not wanted or 1 in solution.named:  # rules are for seat 1, held against its best play
        return Outline(choices, None)
    known = ladder(solution, found, everything=False)
    try:
        lists = decision_lists(solution, found, known.rules)
    except ShortListError:
        lists = None
    return Outline(choices, _rules(known, lists), lists)


def _rules(found: Ladder, lists: Lists | None) -> tuple[tuple[str, Number | None], ...]:
    """The rules to remember, the best first. A list with one number takes the place of a rule that costs more."""
    better = {each.phase: each.rung for each in lists.several if each.one_number} if lists else {}
    for rung in found.rungs:
        if rung.kind == "number" and rung.phase in better and not _cheaper(better[rung.phase], rung):
            del better[rung.phase]
    kept = [rung for rung in found.rungs if rung.kind == "number" and rung.phase not in better]
    if not better:  # otherwise each of these numbers is not what is told
        kept = [rung for rung in found.rungs if rung.kind != "solution"]
    told = in_order([*kept, *better.values()])
    return tuple((rung.name, rung.loss) for rung in reversed(told))


def _cheaper(rung: Rung, other: Rung) -> bool:
    return rung.loss is not None and (other.loss is None or rung.loss.upper < other.loss.lower)


def _choice(solution: Solution, strategy: SolvedStrategy, stopped: tuple[str, ...]) -> Choice:
    """``stopped``: what is said of a limit that is why play stops there."""
    decisions = strategy.decisions
    counts = bincount(decisions.choice[decisions.played], minlength=len(decisions.options))
    order = np.argsort(-counts, kind="stable").tolist()
    taken = tuple((decisions.options[option], int(counts[option])) for option in order if counts[option])
    return Choice(
        decisions.phase,
        len(decisions.states),
        int(decisions.played.sum()),
        (*_lines(strategy, taken), *stopped),
        taken,
        strategy.span(),
        tuple(unused(solution, strategy.decisions)),
    )


# --- when to stop, in words


def _lines(strategy: SolvedStrategy, taken: tuple[tuple[str, int], ...]) -> Iterator[str]:
    if strategy.constant is not None:
        yield _constant(strategy, strategy.options[strategy.constant])
        return
    if strategy.told_apart:
        one = len(strategy.across) < 2
        every = (_thresholds(strategy, each) for each in strategy.tables)
        yield from _shortened([*chain.from_iterable(every)]) if one else _overall(strategy)
        return
    runs = [run for each in strategy.tables for line in each.lines for run in line.runs if run.played]
    if strategy.down is not None and not strategy.across and VARIES not in [run.option for run in runs]:
        yield from _shortened([_by_number(strategy, strategy.down, each) for each in strategy.tables if each.met])
        return
    cases = [
        f"{', '.join(one.being(value) for one, value in zip(strategy.needed, values, strict=True))}: {strategy.options[option]}"
        for values, option in strategy.cases
    ]
    met = sum(count for _, count in taken)
    yield from _shortened(cases) if cases else (f"{name} in {count:,} of {met:,}" for name, count in taken[:SHOWN])


def _constant(strategy: SolvedStrategy, name: str) -> str:
    """The only thing that best play chooses; it may have to do another where there is nothing to choose."""
    decisions = strategy.decisions
    graph = decisions.solution.graph
    entries = graph.game.ruleset.phases[strategy.phase].entries
    had_to = [row for row, met in forced(decisions.solution, strategy.phase).items() if met]
    if decisions.coarse:
        called = {entries[graph.actions[int(graph.row_action[row])][1]].name for row in had_to}
    else:
        called = {graph.action_name(row) for row in had_to}
    return f"always {name}" if called <= {name} else f"{name} wherever there is a choice"


def _by_number(strategy: SolvedStrategy, down: Feature, each: Table) -> str:
    """Which option for which numbers, where no single threshold tells it: the one for most of them is what else is taken."""
    (line,), (met,) = each.lines, each.met
    numbers: dict[int, list[str]] = {}
    many: Counter[int] = Counter()
    for run in line.runs:
        for first, last in met:
            low, high = max(first, run.first), min(last, run.last)
            if low <= high:
                numbers.setdefault(run.option, []).append(str(low) if low == high else f"{low}–{high}")
                many[run.option] += high - low + 1
    head = f"{strategy.where(each)}: " if strategy.split and len(strategy.tables) > 1 else ""
    *named, (rest, _) = sorted(many.items(), key=lambda one: one[1])
    if not named:
        return f"{head}always {strategy.options[rest]}"
    told = [
        f"{strategy.options[option]} when {down.name} {down.verb} {joined(numbers[option], 'or')}"
        for option, _ in named
    ]
    return f"{head}{', '.join(told)}, else {strategy.options[rest]}"


def _overall(strategy: SolvedStrategy) -> Iterator[str]:
    """Thresholds over several variables: from the least to the greatest, and how many cases have none."""
    span, below, above = strategy.range(), strategy.below, strategy.above
    assert span is not None
    names, (least, most) = joined([feature.name for feature in strategy.across]), span
    met = [tuple(run.option for run in line.runs) for each in strategy.tables for line in each.lines if line.played]
    number, counts = f"{least} or more" if least == most else f"{least} to {most} or more", Counter(met)
    always = {f"always {strategy.options[option]}": counts[option,] for option in (above, below)}
    single = counts[below, above]
    others = always | {"no single threshold": len(met) - single - sum(always.values())}
    if single == len(met):
        yield f"{_rule(strategy)} {number}{f', by {names}' if least < most else ''}; else {strategy.options[below]}"
        return
    yield f"{_rule(strategy)} {number}, else {strategy.options[below]}, in {single:,} of {len(met):,} cases of {names}"
    yield f"in the others: {', '.join(f'{words} in {count:,}' for words, count in others.items() if count)}"


def _shortened(lines: list[str]) -> Iterator[str]:
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"... and {plural(len(lines) - SHOWN, 'line')} more"


def _rule(strategy: SolvedStrategy) -> str:
    assert strategy.down is not None
    return f"{strategy.options[strategy.above]} when {strategy.down.name} {strategy.down.verb}"


def _thresholds(strategy: SolvedStrategy, each: Table) -> Iterator[str]:
    """A table in a line, as far as best play gets to it."""
    head = f"{strategy.where(each)}: " if strategy.split and len(strategy.tables) > 1 else ""
    met = [segment for segment in each.segments if segment.played]
    kept = {segment.threshold for segment in met}, {segment.always for segment in met}
    if met and max(map(len, kept)) == 1:
        yield f"{head}{_told(strategy, each, met[0])}"
    elif met:
        across = strategy.across[0].name
        told = ", ".join(f"{_stretch(segment)}: {_number(strategy, segment)}" for segment in met)
        yield f"{head}{_rule(strategy)} N or more, else {strategy.options[strategy.below]}; N by {across} – {told}"
    odd = sum(line.played for line in each.exceptions)
    if odd:
        yield f"{head}no single threshold in {plural(odd, 'column')}"


def _stretch(segment: Segment) -> str:
    return f"{segment.first}" if segment.first == segment.last else f"{segment.first}–{segment.last}"


def _number(strategy: SolvedStrategy, segment: Segment) -> str:
    if segment.threshold is not None:
        return str(segment.threshold)
    return "any" if segment.always == strategy.above else "never"


def _told(strategy: SolvedStrategy, each: Table, segment: Segment) -> str:
    if segment.threshold is None:
        return f"always {strategy.options[segment.always or 0]}"
    return f"{_rule(strategy)} {each.from_there(segment.threshold)}, else {strategy.options[strategy.below]}"


# --- options for nothing


def unused(solution: Solution, decisions: Decisions) -> Iterator[Unused]:
    """The options of a phase that are legal where there is a choice, and as good as the best nowhere that play gets."""
    graph, arena = solution.graph, solution.solved.arena
    if solution.mixtures or solution.named:
        return
    entries = graph.game.ruleset.phases[decisions.phase].entries
    option = np.array([entry for _, entry, _ in graph.actions], dtype=np.int64)[graph.row_action]
    numbers: Ints = arena.copy_of(decisions.states, decisions.movers)
    counts = arena.state_rows[numbers + 1] - arena.state_rows[numbers]
    rows = ranges(arena.state_rows[numbers], counts)
    offered = option[ranges(graph.state_rows[decisions.states], counts)]
    met = repeat(decisions.played, counts)
    best = rows == repeat(solution.solved.rows[numbers], counts)
    for place in np.unique(offered).tolist():
        mine = offered == place
        good = best[mine]
        if not good[met[mine]].any():
            good = good | ~solution.worse(rows[mine])
            if not good[met[mine]].any():
                had_to = forced(solution, decisions.phase).items()
                alone = [taken for row, taken in had_to if option[row] == place]
                elsewhere = bool(good.any() or (alone and not any(alone)))
                yield Unused(entries[place].name, elsewhere, any(alone))
