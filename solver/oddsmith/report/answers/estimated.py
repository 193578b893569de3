"""Estimates for games that are too large to be solved, from many simulated plays by named policies."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers.answers import setting_slug
from oddsmith.report.answers.objective import WithObjective
from oddsmith.report.answers.packing import compress_json, decompress_json, plain_form
from oddsmith.ruleset import Game, bind, sha256
from oddsmith.ruleset.model import ANY, EstimatedGame, Ruleset, Setting
from oddsmith.solve import Estimate, EstimatedLength, EstimatedMean, SmallerGameValues, estimate, solve

VERSION = 1
"""The version of estimates. It goes up if the engine plays the same games in another way than before."""
SEED = 1
LONG_GAME_QUANTILE = Fraction(9, 10)
"""The quantile of the length that says how long a game may take."""


@dataclass(frozen=True)
class EstimatedPlay:
    """Estimates of a game in which each seat plays by a policy.

    ``policies``: the policy of each seat; empty if nobody ever has a choice. ``means``: the mean payoff of each seat;
    None if payoffs have no bounds or nothing is won. ``median`` and ``late``: the numbers of turns within which half of
    all games and nine of ten games end. ``known``: the share of the decisions of a seat that looks ahead for which the
    values were known; None if no seat looks ahead.
    """

    policies: tuple[str, ...]
    games: int
    seed: int
    means: tuple[EstimatedMean | None, ...]
    median: EstimatedLength
    late: EstimatedLength
    known: Fraction | None = field(default=None, metadata={"packed": ""})

    @staticmethod
    def of(estimate: Estimate) -> EstimatedPlay:
        """Build the record from an estimate."""
        turns = estimate.turns_quantile(Fraction(1, 2)), estimate.turns_quantile(LONG_GAME_QUANTILE)
        means = estimate.means if estimate.game.ruleset.has_payoffs else (None,) * estimate.game.seats
        return EstimatedPlay(estimate.policies, estimate.game_count, estimate.seed, means, *turns, estimate.known_share)


@dataclass(frozen=True)
class EstimatedAnswer(WithObjective):
    """A game with its estimates.

    ``plays``: first the play in which all seats use the same policy, then one play for each policy that seat 1 alone
    uses instead. If the game names a smaller one, the last is the play in which seat 1 looks ahead. ``growing``:
    whether a better answer is still to come: an estimate from more games, or a solution. ``unsolvable``: why no game of
    this kind is solved, whatever its size; empty if only its size is the reason.
    """

    of: EstimatedGame
    game: Game
    plays: tuple[EstimatedPlay, ...]
    growing: bool = False
    unsolvable: str = ""

    @property
    def usual_play(self) -> EstimatedPlay:
        """The play in which all seats play by the same policy."""
        return self.plays[0]

    @property
    def compared_plays(self) -> dict[str, EstimatedPlay]:
        """The plays in which seat 1 alone uses another policy, by the name of that policy."""
        return {play.policies[0]: play for play in self.plays[1:] if play.policies}

    @property
    def policy(self) -> str:
        """The policy of all seats; empty if nobody ever has a choice."""
        return self.usual_play.policies[0] if self.usual_play.policies else ""

    @property
    def setting(self) -> Setting:
        """The setting of the game."""
        return self.of.setting

    @property
    def slug(self) -> str:
        """The name of the answer's files."""
        return setting_slug(self.setting)


_FORM = plain_form(tuple[EstimatedPlay, ...])


def estimated_answer(
    ruleset: Ruleset, estimated_game: EstimatedGame, progress: Progress = ignore_progress
) -> EstimatedAnswer:
    """Simulate the plays, and return the estimates from them.

    Raises InputError, for example if a seat has a choice and no policy is named.
    """
    game = bind(ruleset, estimated_game.setting)
    usual = dict.fromkeys(range(game.seats), estimated_game.policy or ruleset.regular_policy)
    ways = [usual, *(usual | {0: name} for name in estimated_game.compared_policies)]
    objective = estimated_game.setting.objective
    found = [estimate(game, objective, way, estimated_game.game_count, SEED, progress=progress) for way in ways]
    if estimated_game.look_ahead_setting:
        solved = solve(
            bind(ruleset, estimated_game.look_ahead_setting), objective, progress=progress, merge_symmetric_states=False
        )
        ahead = SmallerGameValues.of(solved, game, ruleset.regular_policy or ANY)
        others = {seat: name for seat, name in usual.items() if seat != 0}
        found.append(
            estimate(game, objective, others, estimated_game.game_count, SEED, progress=progress, smaller_game=ahead)
        )
    return EstimatedAnswer(estimated_game, game, tuple(map(EstimatedPlay.of, found)))


def estimate_inputs(ruleset: Ruleset, estimated_game: EstimatedGame) -> list[Any]:
    """Return everything that estimates depend on, except the engine's code. The key of estimates is a hash of it."""
    asked = [
        estimated_game.setting.plain_data,
        estimated_game.policy,
        estimated_game.compared_policies,
        estimated_game.game_count,
        *([estimated_game.look_ahead_setting.plain_data] if estimated_game.look_ahead_setting else []),
    ]
    return ["estimated", VERSION, _FORM.shape, SEED, sha256(ruleset), ruleset.regular_policy, asked]


def pack_estimate(answer: EstimatedAnswer, address: str = "") -> bytes:
    """Return estimates as compressed JSON. ``address``: the address to store with them, if any."""
    return compress_json({"of": address, "plays": _FORM.write(answer.plays)})


def unpack_estimate(data: bytes, ruleset: Ruleset, estimated_game: EstimatedGame) -> EstimatedAnswer:
    """Return packed estimates."""
    return EstimatedAnswer(
        estimated_game, bind(ruleset, estimated_game.setting), _FORM.read(decompress_json(data)["plays"])
    )
