"""Checks a game with secrets, or with simultaneous choices, for what is odd.

The positions are followed one by one, whatever seats have seen. Checks of what an action is worth in a position are
left out, because that depends on what its player has seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.base.errors import InputError, RulesetError
from oddsmith.base.exact import Number
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.lint.balance import NINE_IN_TEN, favoured_seat_finding, too_long_finding
from oddsmith.report.lint.coins import MAX_MOVES_TRIED, CoinSearchUndecided, find_coin_leaks
from oddsmith.report.lint.finding import Finding, LintLimits, LintRecord, Moves
from oddsmith.report.lint.shape import (
    MAX_SAMPLED_POSITIONS,
    Named,
    forced_choice_finding,
    possible_entry_names,
    unused_part_findings,
)
from oddsmith.ruleset import Game, ObservedPosition, Observer, label_in_words
from oddsmith.ruleset.checking import games_to_check
from oddsmith.solve.questions import distribution

if TYPE_CHECKING:
    from oddsmith.solve.extensive import SecretSolution

BY_WHAT_IS_SEEN = (
    "what an action is worth depends on what its player has seen; `oddsmith solve --table FILE` has each decision"
)
LEADER = "who leads depends on what a player has seen"
FOR_EVER = "`oddsmith solve` refuses a game with secrets that a player can keep from ending"
HERE = "games with secrets are not solved here; `oddsmith lint` looks at all"
CLAIMS = "`oddsmith verify` looks at the claims of a game with secrets"


@dataclass
class _ReachedPositions:
    """What play can reach.

    ``taken_entries``: the entries that some play takes. ``nearest_choices``: for each phase of choice, its position
    that is nearest to the start. ``position_counts``: for each phase of choice, the number of its positions.
    ``phases_with_real_choice``: the phases in which somebody has more than one option. ``payoffs``: all payoffs at
    ends. ``parents``: for each position, the position from which it was first reached, with the move in words; None for
    the start. ``is_complete``: whether every position was followed.
    """

    taken_entries: set[Named] = field(default_factory=set)
    nearest_choices: dict[str, ObservedPosition] = field(default_factory=dict)
    position_counts: dict[str, int] = field(default_factory=dict)
    phases_with_real_choice: set[str] = field(default_factory=set)
    payoffs: set[Fraction] = field(default_factory=set)
    parents: dict[ObservedPosition, tuple[ObservedPosition, str] | None] = field(default_factory=dict)
    is_complete: bool = True

    def shortest_play_to(self, situation: ObservedPosition) -> Moves:
        """Return the moves of a shortest play to a position."""
        found = list[str]()
        parent = self.parents[situation]
        while parent is not None:
            found.append(parent[1])
            parent = self.parents[parent[0]]
        return tuple(reversed(found))


def _explore_positions(game: Game, objective: str, max_positions: int | None) -> _ReachedPositions:
    """Follow play to every position, the nearest first, and return what was reached. Raises PlayError if a rule breaks.

    ``max_positions``: the number of positions after which to stop; None for no limit.
    """
    observer, found = Observer(game), _ReachedPositions()
    rules, names = observer.rules, game.ruleset.seat_name
    start = observer.start()
    found.taken_entries |= set(rules.step_to_first_position().events)
    found.parents[start] = None
    todo = [start]
    for situation in todo:  # which grows
        phase = situation.state.phase
        if not phase:
            found.payoffs |= set(rules.payoffs(situation.state, objective))
            continue
        if max_positions is not None and len(found.parents) > max_positions:
            found.is_complete = False
            return found
        moves = observer.possible_moves(situation)
        if (
            moves.seat is not None
            and not situation.simultaneous_choices
            and rules.phase(situation.state).kind == "choose"
        ):
            found.nearest_choices.setdefault(phase, situation)
            found.position_counts[phase] = found.position_counts.get(phase, 0) + 1
            found.phases_with_real_choice |= {phase} if len(moves.moves) > 1 else set()
        for each in moves.moves:
            for event in each.events:
                found.taken_entries |= set(event.entries)
            if each.successor not in found.parents:
                who = names(situation.state.mover if moves.seat is None else moves.seat)
                does = f"{who} in {phase}:" if moves.seat is None else f"{who} chooses"
                found.parents[each.successor] = situation, f"{does} {label_in_words(game, situation, each.label)}"
                todo.append(each.successor)
    return found


class SecretLinter(LintRecord):
    """A lint of one game with secrets."""

    def __init__(
        self, game: Game, objective: str, limits: LintLimits, max_positions: int | None, progress: Progress | None
    ) -> None:
        super().__init__()
        self.game, self.objective, self.bounds, self.most = game, objective, limits, max_positions
        self.progress = progress or ignore_progress

    def check_all(self, at_ruleset_settings: bool) -> None:  # noqa: ARG002 - claims are left to verify
        """Make all checks that are possible in a game with secrets. ``at_ruleset_settings``: whether the game has the
        settings of its ruleset.
        """
        try:
            self.findings += find_coin_leaks(self.game, self.most is None)
        except CoinSearchUndecided:
            reason = f"no coins came or went in the first {MAX_MOVES_TRIED:,} moves that were tried, and there are more moves"
            self.record_skipped(("OD711", "OD712"), reason)
        self.record_skipped(("OD701", "OD702", "OD741"), BY_WHAT_IS_SEEN)
        self.record_skipped(("OD732",), FOR_EVER)
        self.record_skipped(("OD751",), LEADER)
        if self.game.ruleset.claims:
            self.record_skipped(("OD761",), CLAIMS)
        followed = _explore_positions(self.game, self.objective, self.most)
        if not followed.is_complete:
            reason = f"the game has more than {self.most:,} positions; `oddsmith lint --full` asks all the same"
            self.record_skipped(("OD703", "OD704", "OD705", "OD721", "OD731"), reason)
            return
        self.findings += self.find_unused_parts(followed)
        self.check_solution(followed)

    def find_unused_parts(self, reached: _ReachedPositions) -> Iterator[Finding]:
        """Report OD703, OD704 and OD705, as in games without secrets."""
        wanted = possible_entry_names(self.game)
        lone = [phase for phase in reached.nearest_choices if phase not in reached.phases_with_real_choice]
        unmet = [entry for entry in wanted if entry not in reached.taken_entries]
        for game in games_to_check(self.game.ruleset):
            if not lone and not unmet:
                return
            with suppress(InputError):
                other = _explore_positions(game, self.objective, MAX_SAMPLED_POSITIONS)
                lone = [phase for phase in lone if phase not in other.phases_with_real_choice]
                unmet = [entry for entry in unmet if entry not in other.taken_entries]
        for phase in lone:
            play = reached.shortest_play_to(reached.nearest_choices[phase])
            yield forced_choice_finding(self.game, phase, reached.position_counts[phase], play)
        yield from unused_part_findings(self.game, wanted, unmet)

    def check_solution(self, reached: _ReachedPositions) -> None:
        """Report OD721 and OD731, if the game can be solved."""
        try:
            from oddsmith.solve.extensive import solve_secrets

            solution = solve_secrets(self.game, self.objective, progress=self.progress)
        except ImportError:  # in a browser
            self.record_skipped(("OD721", "OD731"), HERE)
            return
        except RulesetError:
            raise
        except InputError as error:
            self.record_skipped(("OD721", "OD731"), str(error))
            return
        at_stake = Number.of(max(reached.payoffs) - min(reached.payoffs))
        found = favoured_seat_finding(self.game, solution.values, at_stake, self.bounds, self.objective)
        self.findings += [] if found is None else [found]
        self.findings += self.find_long_games(solution)

    def find_long_games(self, solution: SecretSolution) -> Iterator[Finding]:
        """Report OD731: more than one game in ten has more turns than the limit."""
        from oddsmith.solve.extensive import PlayedPlans, to_best_play

        turns = int(self.bounds.turns)
        law = distribution(to_best_play(PlayedPlans.of(solution)), "turns", with_moments=False)
        longer = 1 - law.at_most(turns)
        if longer.lower > 1 - NINE_IN_TEN:
            yield too_long_finding(self.game, turns, longer)
