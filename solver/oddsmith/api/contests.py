"""Questions to a solved game about players who do not all play best, and about many games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oddsmith.base.progress import Progress, ignore_progress

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.report.contests import BestResponse, Evening, Matchup, Tournament
    from oddsmith.solve import Solution
    from oddsmith.solve.extensive import SecretSolution


class ContestQuestions:
    """The part of a solved game that answers questions about other policies, and about many games."""

    @property
    def solution(self) -> Solution:
        """The solution. Raises WholeGraphError if it is not in memory."""
        raise NotImplementedError

    @property
    def _contest_solution(self) -> Solution | SecretSolution:
        """The solution of the game in which policies are compared."""
        return self.solution

    def best_response(self, progress: Progress | None = None) -> BestResponse | None:
        """Return the best response of the only seat without a named policy, with its value and its gain.

        The gain is how much more the seat gets than if it played usual best play, which is its policy if all seats play
        best. Return None unless all seats but one play named policies. The game is solved once more, without policies.
        Raises SolveError.

        >>> oddsmith.load("piglet").solve(policies={2: "bank at once"}).best_response().gain
        Number(8/675)
        """
        if not self.solution.named_policies or len(self.solution.named_policies) != self.solution.graph.seats - 1:
            return None
        from oddsmith.report.contests import best_response
        from oddsmith.solve import solve_with_all_seats_free

        return best_response(self.solution, solve_with_all_seats_free(self.solution, progress))

    def tournament(
        self,
        policies: Iterable[str] | None = None,
        with_best_responses: bool = True,
        exact: bool = False,
        progress: Progress | None = None,
    ) -> Tournament:
        """Play policies against each other in every seat, and find the best response to each.

        ``policies``: names of policies, of which ``best`` means best play against best play; by default all policies of
        the ruleset, and best play. With more than two seats, one seat plays the first policy of a pair, and all other
        seats play the second. ``with_best_responses``: whether to find best responses. ``exact``: whether to find exact
        fractions even if that takes long. Raises ContestError, UnknownPolicyError.

        >>> piglet.tournament().match("best response", "bank at once").mean
        Number(53/90)
        """
        from oddsmith.report.contests import play_tournament

        return play_tournament(
            self._contest_solution, policies, with_best_responses, exact, progress or ignore_progress
        )

    def evening(
        self,
        games: int,
        purse: int | None = None,
        matchup: Matchup | None = None,
        *,
        stake: int | None = None,
        survival_probabilities: Iterable[Fraction] = (),
        progress: Progress | None = None,
    ) -> Evening:
        """Return the result of many games in a row for one player, and the chance that the player loses all coins
        before the last.

        ``games``: the number of games. ``purse``: the number of coins that the player has at first. ``matchup``: the
        policies of the player and of all other seats, and the player's seat; by default all seats use best play, and
        the player changes seats from game to game. ``stake``: the coins that each player pays for a game, if the rules
        do not name the price; the winner takes the stakes of all. ``survival_probabilities``: chances such as
        ``Fraction(9, 10)``; for each, the result has the smallest purse that lasts all games with this chance. Raises
        ContestError, UnknownPolicyError, SolveError.

        >>> piglet.evening(games=10, purse=3).ruin.exact
        Fraction(1820592, 5764801)
        """
        from oddsmith.report.contests import Matchup, evaluate_evening

        return evaluate_evening(
            self._contest_solution,
            games,
            purse,
            matchup or Matchup(),
            stake=stake,
            survival_shares=survival_probabilities,
            progress=progress or ignore_progress,
        )
