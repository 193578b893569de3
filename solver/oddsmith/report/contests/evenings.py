"""An evening of many games: the sum of what they bring one player, and whether the player's purse lasts.

A player is *ruined* if, after any game including the last, fewer coins are left than a game costs to enter. A ruined
player plays no more, and keeps the coins that are left. Games are independent of each other.

Each amount is a whole multiple of a common unit. The probabilities of these multiples are the coefficients of a
polynomial, so the distribution of a sum is a product of polynomials. If the fractions would be long, each coefficient
is a whole number of units of ``2^-BITS``, only ever rounded down. So it is never more than the true probability. The
difference between 1 and the sum of all coefficients bounds the error of the probability of every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, gcd, lcm
from typing import Any

from flint import fmpz_poly

from oddsmith.base.dataframes import table_of_records
from oddsmith.base.distributions import Distribution, Outcome, deviation_from_moments
from oddsmith.base.errors import ContestError
from oddsmith.base.exact import Grade, Number, fraction_text, plural, short_repr
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.contests.secret_tables import SecretPayoffs
from oddsmith.report.contests.tables import ANSWER, BEST, Payoffs, PolicyPayoffs
from oddsmith.report.english.play_bundle import purse_variables
from oddsmith.ruleset import Game
from oddsmith.solve import Solution
from oddsmith.solve.extensive import SecretSolution


@dataclass(frozen=True)
class Stake:
    """The cost of a game. Everybody pays ``cost`` before the game. A game brings a player its payoff times ``factor``,
    minus ``cost``.

    ``is_set_by_rules``: whether the rules themselves set the cost, because players bring coins. ``winner_takes_pot``:
    whether the winner takes what all paid. ``needed_coins``: the coins that a player needs to enter a game: the cost,
    or the most that the game can lose if that is more.
    """

    cost: Fraction
    factor: Fraction
    is_set_by_rules: bool = False
    winner_takes_pot: bool = False
    needed_coins: Fraction = Fraction(0)


@dataclass(frozen=True)
class GamePayoffDistribution:
    """The distribution of what one game brings.

    ``probabilities``: the probability of each amount, at most the true one. ``bounds``: the least and the greatest possible
    amount; None if they are not known.
    """

    probabilities: dict[Fraction, Fraction]
    bounds: tuple[Fraction, Fraction] | None

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are the true ones."""
        return sum(self.probabilities.values()) == 1

    @staticmethod
    def of(distribution: Distribution, stake: Stake, seats: int) -> GamePayoffDistribution:
        """Build the distribution from the distribution of a payoff and the cost of the game. Raises ContestError if too
        little is known.
        """
        known = [(each.value, each.chance.lower) for each in distribution.outcomes if each.value is not None]
        chances = {value * stake.factor - stake.cost: chance for value, chance in known if chance}
        if not chances:
            raise ContestError(f"too little is known of {distribution.what}: take smaller settings")
        if stake.winner_takes_pot or stake.is_set_by_rules:
            return GamePayoffDistribution(chances, (-stake.cost, (seats - 1) * stake.cost))
        return GamePayoffDistribution(chances, (min(chances), max(chances)) if distribution.beyond.upper == 0 else None)


def stake_of(game: Game, objective: str, requested_stake: int | None) -> Stake:
    """Return the stake of a game: the one that the rules set, else ``requested_stake``, else 1 for a pot and 0 without a pot.
    Raises ContestError.
    """
    payoff, held = game.ruleset.payoffs[objective], purse_variables(game.ruleset).get(objective)
    if payoff.goal == "min" and requested_stake:
        raise ContestError(f"{objective} is better if it is low, so it decides no stake: leave out the stake")
    if held is not None and game.seats > 1:
        total = sum(game.start[cell] for name in held for cell in game.cell_indices_of(name))
        paid = Fraction(total, game.seats)
        if requested_stake is not None:
            raise ContestError(f"each player already brings {fraction_text(paid)} to this game: leave out the stake")
        return Stake(paid, factor=Fraction(1), is_set_by_rules=True)
    pot = payoff.is_share and game.seats > 1
    paid = Fraction(requested_stake if requested_stake is not None else int(pot))
    return Stake(paid, factor=game.seats * paid if pot else Fraction(1), winner_takes_pot=pot)


UNIT_BITS = 256  # of a unit


@dataclass(frozen=True)
class SumDistribution:
    """A distribution of whole numbers: ``first + i`` has the probability ``poly[i] / bottom``.

    ``rounds_down``: whether products are rounded down. ``bounds``: a lower and an upper bound of the possible numbers; None
    if they are not known.
    """

    first: int
    poly: fmpz_poly
    denominator: int
    rounds_down: bool
    bounds: tuple[int, int] | None

    @staticmethod
    def of(probabilities: Mapping[int, Fraction], round_down: bool, bounds: tuple[int, int] | None) -> SumDistribution:
        """Build a distribution from probabilities that are at most the true ones."""
        first, last = min(probabilities), max(probabilities)
        bottom = 1 << UNIT_BITS if round_down else lcm(*(chance.denominator for chance in probabilities.values()))
        parts = [0] * (last - first + 1)
        for value, chance in probabilities.items():
            parts[value - first] = chance.numerator * bottom // chance.denominator
        return SumDistribution(first, fmpz_poly(parts), bottom, round_down, bounds)

    @staticmethod
    def zero(round_down: bool) -> SumDistribution:
        """Return the distribution of the sum of no amounts: 0 for certain."""
        return SumDistribution.of({0: Fraction(1)}, round_down, (0, 0))

    def __mul__(self, other: SumDistribution) -> SumDistribution:
        """Return the distribution of the sum of two independent amounts."""
        poly, bottom = self.poly * other.poly, self.denominator * other.denominator
        if self.rounds_down:
            poly, bottom = fmpz_poly([part >> UNIT_BITS for part in poly.coeffs()]), self.denominator
        ends = None
        if self.bounds is not None and other.bounds is not None:
            ends = (self.bounds[0] + other.bounds[0], self.bounds[1] + other.bounds[1])
        return SumDistribution(self.first + other.first, poly, bottom, self.rounds_down, ends)

    def __pow__(self, times: int) -> SumDistribution:
        """Return the distribution of the sum of ``times`` independent amounts. It is computed by squaring."""
        if times == 0:
            return SumDistribution.zero(self.rounds_down)
        half = self ** (times // 2)
        return half * half * self if times % 2 else half * half

    def __add__(self, other: SumDistribution) -> SumDistribution:
        """Return the sum of two parts of one distribution that have the same denominator."""
        first = min(self.first, other.first)
        poly = self.poly.left_shift(self.first - first) + other.poly.left_shift(other.first - first)
        ends = None
        if self.bounds is not None and other.bounds is not None:
            ends = (min(self.bounds[0], other.bounds[0]), max(self.bounds[1], other.bounds[1]))
        return replace(self, first=first, poly=poly, bounds=ends)

    @property
    def negated(self) -> SumDistribution:
        """The distribution of the amount with the opposite sign."""
        parts = [self.poly[place] for place in range(self.poly.degree(), -1, -1)]
        ends = self.bounds and (-self.bounds[1], -self.bounds[0])
        return replace(self, first=-self.first - max(self.poly.degree(), 0), poly=fmpz_poly(parts), bounds=ends)

    def split_below(self, bound: int) -> tuple[SumDistribution, SumDistribution]:
        """Return the part of the distribution below the number ``bound``, and the rest."""
        count = max(bound - self.first, 0)
        below, rest = self.poly.truncate(count), self.poly.right_shift(count)
        return replace(self, poly=below), replace(self, first=self.first + count, poly=rest)

    def rescaled_for_product_with(self, other: SumDistribution) -> SumDistribution:
        """Return the same distribution over another denominator: the one that its product with ``other`` has."""
        return (
            self
            if self.rounds_down
            else replace(self, poly=self.poly * other.denominator, denominator=self.denominator * other.denominator)
        )

    @property
    def coefficient_sum(self) -> Fraction:
        """The sum of all coefficients."""
        return Fraction(int(self.poly(1)), self.denominator)

    @cached_property
    def missing_mass(self) -> Fraction:
        """The probability that is in no coefficient, because probabilities are rounded down or only bounded: 1 minus
        their sum.
        """
        return 1 - self.coefficient_sum

    def to_distribution(self, amount_name: str, unit: Fraction) -> Distribution:
        """Return the distribution of the amount times a unit, with bounds of every probability. ``amount_name``: the name of
        the amount.
        """
        outcomes, below, missing_mass = [], 0, self.missing_mass
        for place, part in enumerate(map(int, self.poly.coeffs())):
            if part:
                below += part
                value = (self.first + place) * unit
                chance, sum_ = Fraction(part, self.denominator), Fraction(below, self.denominator)
                last = self.bounds is not None and self.first + place >= self.bounds[1]
                at_most = Number.of(1) if last else Number(sum_, sum_ + missing_mass)
                outcomes.append(Outcome(fraction_text(value), value, Number(chance, chance + missing_mass), at_most))
        mean, spread = self._mean_and_deviation(unit)
        return Distribution(amount_name, tuple(outcomes), Number(Fraction(0), missing_mass), mean, spread)

    def _mean_and_deviation(self, unit: Fraction) -> tuple[Number | None, Number | None]:
        """Return the mean and the standard deviation; None for both if the missing mass may be at any number."""
        if self.bounds is None and self.missing_mass:
            return None, None
        low, high = self.bounds or (0, 0)
        parts = [(self.first + place, int(part)) for place, part in enumerate(self.poly.coeffs())]
        sums = [Fraction(sum(part * value**power for value, part in parts), self.denominator) for power in (1, 2)]
        mean = Number(sums[0] + low * self.missing_mass, sums[0] + high * self.missing_mass)
        square = Number(sums[1], sums[1] + max(low * low, high * high) * self.missing_mass)
        return mean * unit, deviation_from_moments(mean * unit, square * unit * unit)


EXACT_BITS = 2_000  # of a fraction's denominator, beyond which chances are rounded down to units
MAX_SUMS = 200_000  # that an evening may have
MAX_PURSE_STEPS = 1_000_000_000  # sums of all games of an evening with a purse, times what one game can bring
MAX_MISSING_MASS = Fraction(1, 1000)  # what the bounds may leave open at the most
PLACES = 12


@dataclass(frozen=True)
class EveningResult:
    """The distribution of what an evening brings one player, or of the difference between two players.
    ``is_more_better``: whether more is better.
    """

    distribution: Distribution
    is_more_better: bool = True

    @property
    def probability_ahead(self) -> Number:
        """The probability that the result is better than 0."""
        return self._probability_above_0 if self.is_more_better else self._probability_below_0

    @property
    def probability_behind(self) -> Number:
        """The probability that the result is worse than 0."""
        return self._probability_below_0 if self.is_more_better else self._probability_above_0

    @property
    def probability_even(self) -> Number:
        """The probability that the result is 0."""
        zero = next((each.chance for each in self.distribution.outcomes if each.value == 0), None)
        return zero or Number(Fraction(0), self.distribution.beyond.upper)

    @property
    def _probability_above_0(self) -> Number:
        """The probability that the amount is above 0."""
        return 1 - self.distribution.at_most(0)

    @property
    def _probability_below_0(self) -> Number:
        """The probability that the amount is below 0."""
        under = [each.at_most for each in self.distribution.outcomes if each.value is not None and each.value < 0]
        return under[-1] if under and under[-1] is not None else Number(Fraction(0), self.distribution.beyond.upper)

    def to_json(self, digits: int = PLACES) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        chances = {"ahead": self.probability_ahead, "even": self.probability_even, "behind": self.probability_behind}
        return {
            **self.distribution.to_json(digits),
            **{name: chance.to_json(digits) for name, chance in chances.items()},
        }


@dataclass(frozen=True, repr=False)
class Evening:
    """Many games of one player, and what they bring.

    ``seat``: the seat that the player keeps; None if the seat changes from game to game, starting with seat 1.
    ``player_policy`` and ``others_policy``: the policies that the player and the other seats play. ``result``: what the
    player wins or loses, in units of the objective. ``ruin``: the probability that the player is ever ruined; None
    without a purse. ``lasting_purses``: for some shares of all evenings, the smallest purse that is proven to last in
    at least that share. ``notes``: sentences for people.

    ``second_player_policy``: the policy of a second player, who plays in the same seats on another evening, against the
    same others. ``lead_over_second_player``: how much more the first player wins than the second.
    ``second_player_ruin``: the probability that the second player is ruined with the same purse.
    """

    title: str
    objective: str
    seats: int
    games: int
    seat: int | None
    player_policy: str
    others_policy: str
    stake: Stake
    result: EveningResult
    purse: int | None = None
    ruin: Number | None = None
    second_player_policy: str | None = None
    lead_over_second_player: EveningResult | None = None
    second_player_ruin: Number | None = None
    lasting_purses: tuple[tuple[Fraction, int], ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ruin = "" if self.ruin is None else f", ruined {self.ruin.percent()}"
        return short_repr(
            self, f"{self.title}, {plural(self.games, 'game')}: ahead {self.result.probability_ahead.percent()}{ruin}"
        )

    @property
    def grade(self) -> Grade:
        """``exact`` if every probability is exact, else ``proven``."""
        laws = [each.distribution for each in (self.result, self.lead_over_second_player) if each is not None]
        return "exact" if all(law.grade == "exact" for law in laws) else "proven"

    def records(self, digits: int = PLACES) -> list[dict[str, Any]]:
        """Return a record for each result: the amount won or lost, its probability, and the probability of at most that
        amount.
        """
        return [
            {
                "result": outcome.name,
                "chance": outcome.chance.decimal(digits),
                "at_most": outcome.at_most and outcome.at_most.decimal(digits),
            }
            for outcome in self.result.distribution.outcomes
        ]

    def table(self, table_type: str | None = None) -> Any:
        """Return the results as a table.

        ``table_type``: the form of the table, ``pandas``, ``polars`` or ``records``. By default it is a ``DataFrame``
        of pandas or polars, whichever is installed, else a list of records. Raises ExportError.
        """
        return table_of_records(self.records(), table_type)

    def to_json(self, digits: int = PLACES) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        return {
            "objective": self.objective,
            "grade": self.grade,
            "games": self.games,
            "seat": self.seat,
            "player": self.player_policy,
            "others": self.others_policy if self.seats > 1 else None,
            "stake": fraction_text(self.stake.cost),
            "need": fraction_text(self.stake.needed_coins),
            "purse": self.purse,
            "ruin": self.ruin and self.ruin.to_json(digits),
            "lasting": [{"share": fraction_text(share), "purse": purse} for share, purse in self.lasting_purses],
            "result": self.result.to_json(digits),
            "than": self.second_player_policy,
            "than_ruin": self.second_player_ruin and self.second_player_ruin.to_json(digits),
            "lead": self.lead_over_second_player and self.lead_over_second_player.to_json(digits),
            **({"notes": list(self.notes)} if self.notes else {}),
        }


@dataclass(frozen=True)
class Matchup:
    """The policies of an evening, and the seat of the player.

    ``player_policy`` and ``others_policy``: the names of the policies of the player and of all other seats. ``best``
    means best play. For the player, ``answer`` means the best response to the policy of the others.
    ``second_player_policy``: the policy of a second player, with whom the player is compared; None for no comparison.
    ``seat``: the seat that the player keeps; by default the player changes seats from game to game.
    """

    player_policy: str = BEST
    others_policy: str = BEST
    second_player_policy: str | None = None
    seat: int | None = None


def evaluate_evening(
    solution: Solution | SecretSolution,
    games: int,
    purse: int | None = None,
    matchup: Matchup = Matchup(),
    *,
    stake: int | None = None,
    survival_shares: Iterable[Fraction] = (),
    progress: Progress = ignore_progress,
) -> Evening:
    """Return what a number of games brings a player.

    ``stake``: what a game costs; it counts only if the rules do not set the cost. ``survival_shares``: shares of evenings. For
    each of them, the result has the smallest purse that lasts in at least that share. Raises ContestError,
    UnknownPolicyError and SolveError, and the errors of computing a distribution.
    """
    tables = (
        SecretPayoffs(solution, progress)
        if isinstance(solution, SecretSolution)
        else PolicyPayoffs(solution, progress=progress)
    )
    n, objective, rules = tables.seats, tables.objective, tables.game.ruleset
    player, others = tables.full_policy_name(matchup.player_policy), tables.full_policy_name(matchup.others_policy)
    than, seat = matchup.second_player_policy and tables.full_policy_name(matchup.second_player_policy), matchup.seat
    _check_evening(n, games, seat, others)
    order = [at % n + 1 for at in range(min(games, n))] if seat is None else [seat]
    notes = tables.policy_notes(list(dict.fromkeys([player, *([others] if n > 1 else []), *([than] if than else [])])))
    paid = stake_of(tables.game, objective, stake)
    own = _game_payoffs_by_seat(tables, paid, player, others, order)
    rivals = _game_payoffs_by_seat(tables, paid, than, others, order) if than else []
    least = min(min(law.bounds or law.probabilities) for law in own + rivals)
    paid = replace(paid, needed_coins=max(paid.cost, -least))
    more = rules.payoffs[objective].goal == "max"
    shares = tuple(survival_shares)
    if purse is not None or shares:
        _check_purse(paid, purse, more)
    if not all(0 < share < 1 for share in shares):
        raise ContestError("no purse lasts in less than none or more than all evenings: take shares between 0 and 1")
    unit = _common_unit(own + rivals)
    _check_sum_count(own + rivals, games, unit, purse is not None or bool(shares))
    rounded = not _has_short_fractions(own, games) or not _has_short_fractions(rivals, games)
    night = _EveningSolver(games, paid, purse, unit, rounded, progress)
    sums, ruin = night.sum_and_ruin_probability(own)
    lead = than_ruin = None
    if than:
        second, than_ruin = night.sum_and_ruin_probability(rivals)
        lead = EveningResult((sums * second.negated).to_distribution(f"{objective} more than {than}", unit), more)
    lasting = tuple((share, night.smallest_purse(own, 1 - share)) for share in shares)
    result = EveningResult(sums.to_distribution(f"{objective} of {plural(games, 'game')}", unit), more)
    if max(each.distribution.beyond.upper for each in (result, lead) if each) > MAX_MISSING_MASS:
        raise ContestError("one game's law is not known closely enough for this many: take fewer games")
    return Evening(
        rules.title, objective, n, games, seat, player, others, paid, result, purse, ruin, than, lead, than_ruin, lasting, notes
    )  # fmt: skip


def _check_evening(seats: int, games: int, seat: int | None, others: str) -> None:
    """Raise ContestError if the number of games, the seat or the policy of the others makes no sense.

    ``seats``: the number of seats of the game. ``seat``: the seat that the player keeps, from 1; None if it changes.
    ``others``: the name of the policy.
    """
    if games < 1:
        raise ContestError("an evening has at least one game")
    if seat is not None and not 1 <= seat <= seats:
        raise ContestError(f"there is no seat {seat}: the seats are 1 to {seats}")
    if seats == 1 and others != BEST:
        raise ContestError("this game has one seat, so there is nobody else whose play could be named")
    if others == ANSWER:
        raise ContestError(f"the {ANSWER} is for the player alone: name what the others play")


def _check_purse(stake: Stake, purse: int | None, more_is_better: bool) -> None:
    """Raise ContestError if a purse makes no sense for the stake. ``more_is_better``: whether more is better in the game."""
    if not more_is_better:
        raise ContestError("what is played for is to be low, so no purse can be won or lost by it: leave it out")
    if not stake.needed_coins:
        raise ContestError(
            "a game costs nothing here, so every purse lasts: say with a stake what everybody pays for one"
        )
    if purse is not None and purse < stake.needed_coins:
        raise ContestError(
            f"a purse of {purse} is too small for the first game: it takes {fraction_text(stake.needed_coins)}"
        )


def _game_payoffs_by_seat(
    payoffs: Payoffs, stake: Stake, player: str, others: str, seat_order: Sequence[int]
) -> list[GamePayoffDistribution]:
    """Return the distribution of what one game brings the player, for each seat in ``seat_order``."""
    laws = []
    for place, seat in enumerate(seat_order):
        payoffs.progress(f"what a game brings in seat {seat}", place, len(seat_order))
        seats = [player if at == seat else others for at in range(1, payoffs.seats + 1)]
        laws.append(GamePayoffDistribution.of(payoffs.payoff_distribution(seats, seat), stake, payoffs.seats))
    return laws


# --- the sums of an evening


def _common_unit(distributions: Sequence[GamePayoffDistribution]) -> Fraction:
    """Return the greatest unit such that all amounts are whole multiples of it."""
    amounts = [amount for law in distributions for amount in law.probabilities if amount]
    bottom = lcm(*(amount.denominator for amount in amounts))
    return Fraction(gcd(*(int(amount * bottom) for amount in amounts)) or bottom, bottom)


def _check_sum_count(
    distributions: Sequence[GamePayoffDistribution], games: int, unit: Fraction, has_purse: bool
) -> None:
    """Raise ContestError if an evening can have too many different sums, or too many to follow a purse. ``has_purse``:
    whether there is a purse.
    """
    width = max(int((max(law.probabilities) - min(law.probabilities)) / unit) + 1 for law in distributions)
    if width * games > MAX_SUMS:
        raise ContestError(
            f"{plural(games, 'game')} may bring {width * games:,} different results, more than the {MAX_SUMS:,} that are "
            "worked out: take fewer games"
        )
    if has_purse and width * games**2 > MAX_PURSE_STEPS:
        raise ContestError(f"a purse is not followed through {plural(games, 'game')} like this one: take fewer games")


def _has_short_fractions(distributions: Sequence[GamePayoffDistribution], games: int) -> bool:
    """Whether the fractions of the whole evening have short denominators."""
    bits = [lcm(*(chance.denominator for chance in law.probabilities.values())).bit_length() for law in distributions]
    return all(law.is_exact for law in distributions) and max(bits, default=0) * games <= EXACT_BITS


@dataclass(frozen=True)
class _EveningSolver:
    """Computes the sums, the probabilities of ruin and the purses of an evening.

    ``unit``: the common unit of all amounts. ``rounds_down``: whether probabilities are rounded down.
    """

    games: int
    stake: Stake
    purse: int | None
    unit: Fraction
    rounds_down: bool
    progress: Progress

    def sum_and_ruin_probability(
        self, first_games: Sequence[GamePayoffDistribution]
    ) -> tuple[SumDistribution, Number | None]:
        """Return the distribution of the sum over all games, and the probability of ruin; None without a purse.

        ``first_games``: the distributions of the first games. The later games repeat them in turn.
        """
        each = [self._sum_of_one_game(law) for law in first_games]
        if self.purse is not None:
            return self._sum_and_ruin_with_purse(each, self.purse)
        sums = SumDistribution.zero(self.rounds_down)
        for place, law in enumerate(each):
            sums *= law ** (self.games // len(each) + (place < self.games % len(each)))
        return sums, None

    def smallest_purse(self, first_games: Sequence[GamePayoffDistribution], max_ruin_probability: Fraction) -> int:
        """Return the smallest purse whose probability of ruin is at most ``max_ruin_probability``. It is found by bisection."""
        each = [self._sum_of_one_game(law) for law in first_games]
        least = min((amount for law in first_games for amount in law.probabilities), default=Fraction(0))
        low, high = ceil(self.stake.needed_coins), ceil(self.stake.needed_coins - self.games * min(least, Fraction(0)))
        while low < high:
            middle = (low + high) // 2
            if self._sum_and_ruin_with_purse(each, middle)[1].upper <= max_ruin_probability:
                high = middle
            else:
                low = middle + 1
        return low

    def _sum_of_one_game(self, payoffs: GamePayoffDistribution) -> SumDistribution:
        whole = {int(amount / self.unit): chance for amount, chance in payoffs.probabilities.items()}
        ends = payoffs.bounds and (floor(payoffs.bounds[0] / self.unit), ceil(payoffs.bounds[1] / self.unit))
        return SumDistribution.of(whole, self.rounds_down, ends)

    def _sum_and_ruin_with_purse(
        self, first_games: Sequence[SumDistribution], purse: int
    ) -> tuple[SumDistribution, Number]:
        """Return the distribution of the sum, and the probability of ruin. The player stops as soon as too few coins
        are left for the next game.

        ``first_games``: the distributions of the first games, in units. The later games repeat them in turn.
        """
        least = ceil((self.stake.needed_coins - purse) / self.unit)  # what may be lost before the purse is too small
        playing = SumDistribution.zero(self.rounds_down)
        broke, _ = playing.split_below(playing.first)
        for game in range(self.games):
            law = first_games[game % len(first_games)]
            now, playing = (playing * law).split_below(least)
            broke = broke.rescaled_for_product_with(law) + now
            self.progress(f"a purse of {purse}, game by game", game, self.games)
        all_ = playing + broke
        return all_, Number(broke.coefficient_sum, broke.coefficient_sum + all_.missing_mass)
