"""What a solved game answers about players who do not all play best, and about many games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oddsmith.base.progress import silent

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.report.contests import BestResponse, Evening, Tournament
    from oddsmith.solve import Report, Solution
    from oddsmith.solve.extensive import SecretSolution


class Contests:
    """The questions to a solved game about other policies, and about many games."""

    @property
    def solution(self) -> Solution:
        """The solution. Raises WholeGraphError where it is not in memory."""
        raise NotImplementedError

    @property
    def _contested(self) -> Solution | SecretSolution:
        """What policies are compared with."""
        return self.solution

    def best_response(self, progress: Report | None = None) -> BestResponse | None:
        """Return the gain over usual best play that the best response brings the only seat without a named policy.

        Returns None unless all seats but one play named policies. The game is solved once more, without policies.
        Raises SolveError.

        >>> oddsmith.load("piglet").solve(policies={2: "bank at once"}).best_response().gain
        Number(8/675)
        """
        if not self.solution.named or len(self.solution.named) != self.solution.graph.seats - 1:
            return None
        from oddsmith.report.contests import best_response
        from oddsmith.solve import solve_without_policies

        return best_response(self.solution, solve_without_policies(self.solution, progress))

    def tournament(
        self,
        policies: Iterable[str] | None = None,
        answers: bool = True,
        exact: bool = False,
        progress: Report | None = None,
    ) -> Tournament:
        """Play policies against each other in every seat, and find the best response to each.

        ``policies``: names, where ``best`` means usual best play; by default all policies of the ruleset, and best
        play. With more than two seats, one seat plays a policy and all others play the same other one. ``answers``:
        whether to find best responses. ``exact``: whether to find fractions even where they take long. Raises
        ContestError, UnknownPolicyError.

        >>> piglet.tournament().match("best response", "bank at once").mean
        Number(53/90)
        """
        from oddsmith.report.contests import tournament

        return tournament(self._contested, policies, answers, exact, progress or silent)

    def evening(  # noqa: PLR0913 - the words of the command line
        self,
        games: int,
        purse: int | None = None,
        *,
        seat: int | None = None,
        player: str = "best",
        others: str = "best",
        than: str | None = None,
        stake: int | None = None,
        sure: Iterable[Fraction] = (),
        progress: Report | None = None,
    ) -> Evening:
        """Return the result of an evening of many games for one player, and the chance of ruin before its end.

        ``purse``: the coins that the player comes with. ``seat``: where the player sits; by default the player changes
        seats from game to game. ``player``, ``others``: the policies that they play, by default best play; ``answer``
        is what is best for the player against these others. ``than``: a policy with which the player's is compared.
        ``stake``: what each game costs, where the rules do not say it; a winner takes all stakes of the table.
        ``sure``: shares of all evenings, such as ``Fraction(9, 10)``, in which a purse is to last: the smallest is
        found for each. Raises ContestError, UnknownPolicyError, SolveError.

        >>> piglet.evening(games=10, purse=3).ruin.exact
        Fraction(1820592, 5764801)
        """
        from oddsmith.report.contests import evening

        return evening(
            self._contested,
            games,
            purse,
            seat=seat,
            player=player,
            others=others,
            than=than,
            stake=stake,
            sure=sure,
            progress=progress or silent,
        )
