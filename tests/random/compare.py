"""One random game, answered in every way that the project has: what differs is told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random

from oddsmith.base.errors import (
    CertificateError,
    DisagreementError,
    DisprovedError,
    OddsmithError,
    RulesetError,
    SolveError,
    UncertifiableError,
)
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.proof.rules import compare_table_with_rules, prove_table
from oddsmith.report.export.certificates import certificate
from oddsmith.report.export.tables import storm_drn_bytes
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.simulation import simulate_one_game
from oddsmith.solve.game_solver import solve
from oddsmith.solve.policies import NamedPolicy
from oddsmith.solve.questions.measure import expected_lengths
from oddsmith.solve.solution import Solution
from oddsmith.solve.staged.staged import solve_by_stages
from tests.random.plain import NONE, Plain, Row, TooLarge, Worth
from tests.random.text import Data, as_yaml
from tests.reader.agree import differences
from tests.reader.play import Reader, worth
from tests.storm import THERE, Model, goal_of

NEAR = Fraction(1, 10**12)  # that a mixture, whose chance is no fraction, may be off
POSITIONS, WORTH = 40, 300  # that are read plainly, of every game and for the worth of one
ENDLESS = "OD541"
UNBOUND = "OD431"  # a tally that an objective needs itself


@dataclass
class Answer:
    """How one game was answered under one objective. ``refused``: in what words; ``wrong``: what differs."""

    game: Game
    objective: str
    named: Mapping[int, str] = field(default_factory=dict)
    solution: Solution | None = None
    refused: str = ""
    plain: Plain | None = None
    wrong: list[str] = field(default_factory=list)


def games(data: Data) -> list[Game]:
    """The game as it opens, and in its variant. Raises RulesetError."""
    rules: Ruleset = read_ruleset(Source("random.yaml", as_yaml(data)))[0]
    return [bind(rules), *(bind(rules, Setting(variants=(name,))) for name in rules.variants)]


def answers(data: Data) -> list[Answer]:
    """Every objective of every variant, and one in which a seat keeps to the named policy."""
    found = []
    for game in games(data):
        found += [answer(game, objective) for objective in game.ruleset.payoffs]
        found[-1].wrong += differences(data, game, POSITIONS)
    for one in found:
        _plainly(data, one)
    by_seat = [one for one in found if one.solution is not None and one.solution.kind == "pure-by-seat"]
    found += [answer(one.game, one.objective, alike=True) for one in by_seat]
    first = found[0].game
    for name in first.ruleset.policies:
        seats = range(1, first.seats + 1) if len(str(data)) % 2 else [first.seats]
        found.append(answer(first, found[0].objective, dict.fromkeys(seats, name)))
    return found


def _plainly(data: Data, found: Answer) -> None:
    """A game for one seat that always goes on to its end is worth what the plain reader counts."""
    game, solution = found.game, found.solution
    if game.seats > 1 or solution is None:
        return
    counted = worth(Reader(data, 1, game.parameters, game.variants), found.objective, WORTH)
    if counted is not None and not _same(solution, solution.values[0], counted):
        found.wrong.append(f"read plainly it is worth {counted}, not {solution.values[0].lower}")


def answer(game: Game, objective: str, named: Mapping[int, str] | None = None, alike: bool = False) -> Answer:
    """One question, answered by all."""
    found = Answer(game, objective, named or {})
    try:
        found.solution = solve(game, objective, dict(found.named), same_for_all_seats=alike)
    except DisagreementError as error:
        found.wrong.append(f"a fault of ours: {error}")
    except OddsmithError as error:
        found.refused = (
            error.problems[0].code if isinstance(error, RulesetError) else str(error) or type(error).__name__
        )
        _refusal(found, error)
    except Exception as error:  # noqa: BLE001 - whatever it is, no game may bring it about
        found.wrong.append(f"a fault of ours: {type(error).__name__}: {error}")
    else:
        _check(found)
    return found


def plain_of(found: Answer) -> Plain | None:
    """The positions of a game, its tallies apart where they would be too many; None where they are too many yet."""
    for apart in (False, True):
        try:
            return Plain(found.game, found.objective, apart)
        except TooLarge:
            continue
    return None


# --- refusals


def _refusal(found: Answer, error: OddsmithError) -> None:
    """A refusal must have its reason in the positions themselves."""
    if found.refused == UNBOUND:
        return
    plain = found.plain = plain_of(found)
    if plain is None:
        return
    if found.refused == ENDLESS:
        if not plain.broken and plain.heads_out({}) is not None:
            found.wrong.append("refused as endless, but from every position play can end")
    elif isinstance(error, RulesetError):
        if found.refused not in plain.broken:
            found.wrong.append(f"refused with {error}, but the rules break with {sorted(plain.broken) or 'nothing'}")
    elif not isinstance(error, SolveError):
        found.wrong.append(f"refused: {type(error).__name__}: {error}")
    elif "go on for ever" in str(error):
        if not staying(plain, {}):
            found.wrong.append(f"refused, but play always ends: {error}")
    elif "cycle at ." in str(error) or found.game.seats == 1 or (found.game.seats == 2 and constant(plain)):
        found.wrong.append(f"refused without reason: {error}")


def constant(plain: Plain) -> bool:
    """Whether all seats together get the same at every end (of what tallies bring, nothing is known here)."""
    return not plain.tallies and len({sum(end.paid) for end in plain.ends}) == 1


def staying(plain: Plain, fixed: Mapping[int, int]) -> set[int]:
    """The positions from which the players together can keep the game from ending."""
    stay = set(range(len(plain.rows)))
    while True:
        left = {
            number
            for number in stay
            if any(
                all(way.to in stay for way in row)
                for place, row in enumerate(plain.rows[number])
                if fixed.get(number, place) == place
            )
        }
        if left == stay:
            return stay
        stay = left


# --- solutions


def _check(found: Answer) -> None:
    """What was solved, by every other way."""
    solution = found.solution
    assert solution is not None
    plain = found.plain = plain_of(found)
    if plain is not None:
        if plain.broken:
            found.wrong.append(f"solved, but the rules break with {sorted(plain.broken)}")
        elif plain.heads_out({}) is None:
            found.wrong.append("solved, but the game can never end")
        else:
            _values(found, solution, plain)
    _certified(found, solution)
    if not found.named and solution.kind != "pure-by-seat":
        _by_stages(found, solution)


def _by_stages(found: Answer, solution: Solution) -> None:
    """Solved stage by stage, where there are stages, the game has the same values.

    Of several equilibria another might be found; in the games of these tests none is.
    """
    try:
        staged = solve_by_stages(found.game, found.objective, digits=30)
    except DisagreementError as error:
        found.wrong.append(f"a fault of ours by stages: {error}")
        return
    except SolveError as error:
        if "has no stages" not in str(error):
            found.wrong.append(f"refused by stages: {error}")
        return
    if staged.kind != solution.kind:
        found.wrong.append(f"by stages it is {staged.kind}, not {solution.kind}")
    for one, two in zip(staged.values, solution.values, strict=True):
        if one.lower > two.upper or one.upper < two.lower:
            found.wrong.append(f"by stages: {one.lower}, not {two.lower}")


def _values(found: Answer, solution: Solution, plain: Plain) -> None:
    """The solved play over all positions: its values, that nobody gains by leaving it, and its plays."""
    chosen = rows_of(found, solution, plain)
    if chosen is None:
        return
    played = [_mixed(rows, pick) for rows, pick in zip(plain.rows, chosen, strict=True)]
    worth = plain.worth(played)
    start, seats = worth.start(), found.game.seats
    for seat, value in enumerate(solution.values):
        if not _same(solution, value, start[seat]):
            found.wrong.append(
                f"seat {seat + 1} is told {value.lower} ({value.grade}), and its play is worth {start[seat]}"
            )
    if not solution.mixtures and solution.solved.arena.copies_per_state == 1:
        asked = expected_lengths(solution)
        for place, what in enumerate(("turns", "rolls"), seats):
            if not _same(solution, asked[what], start[place]):
                found.wrong.append(f"{what}: told {asked[what].lower}, played {start[place]}")
    _deviations(found, solution, worth, played)
    if not found.named and bool(solution.solved.endless_play_states) != bool(staying(plain, {})):
        found.wrong.append(f"lingering is told: {bool(solution.solved.endless_play_states)}")
    _best_alone(found, solution, plain, chosen)
    _plays(found, solution, plain)


def rows_of(found: Answer, solution: Solution, plain: Plain) -> list[list[tuple[int, Fraction]]] | None:
    """Per position the rows that the solved play takes, with their chances."""
    prescribed = {seat - 1: NamedPolicy(found.game, name) for seat, name in found.named.items()}
    chosen: list[list[tuple[int, Fraction]]] = []
    for position, rows in zip(plain.positions, plain.rows, strict=True):
        if plain.rules.phase(position).kind != "choose":
            chosen.append([(0, Fraction(1))])
            continue
        number = solution.state_index(position)
        if number is None or len(solution.graph.rows(number)) != len(rows):
            found.wrong.append(f"the solution does not know the position {position}, or its {len(rows)} actions")
            return None
        first = int(solution.graph.state_rows[number])
        mixture = solution.mixtures.get(number)
        if mixture is None:
            chosen.append([(solution.best_row(number, position.mover) - first, Fraction(1))])
        else:
            chosen.append([(row - first, chance.middle) for row, chance in mixture.row_probabilities.items()])
        if position.mover in prescribed:
            pick = prescribed[position.mover].choose_action_index(position, plain.rules.actions(position))
            if not plain.tallies and _law(rows[pick]) != _law(rows[chosen[-1][0][0]]):
                found.wrong.append(f"seat {position.mover + 1} does not keep to its policy in {position}")
    return chosen


def _law(row: Row) -> dict[tuple[int, int], Fraction]:
    law: dict[tuple[int, int], Fraction] = {}
    for way in row:
        law[way.to, way.end] = law.get((way.to, way.end), NONE) + way.chance
    return law


def _mixed(rows: list[Row], pick: list[tuple[int, Fraction]]) -> Row:
    if len(pick) == 1:
        return rows[pick[0][0]]
    return [replace(way, chance=way.chance * share) for place, share in pick for way in rows[place]]


def _same(solution: Solution, told: Number, value: Fraction) -> bool:
    slack = NEAR * (1 + abs(value)) if solution.mixtures else NONE
    return told.lower - slack <= value <= told.upper + slack


def _deviations(found: Answer, solution: Solution, worth: Worth, played: list[Row]) -> None:
    """No action in any position is worth more to its mover than what is played there."""
    plain = worth.plain
    sign = 1 if found.game.ruleset.payoffs[found.objective].goal == "max" else -1
    for number, position in enumerate(plain.positions):
        if len(plain.rows[number]) == 1 or position.mover + 1 in found.named:
            continue
        mine, slopes = worth.of_row(played[number], position.mover)
        for place, row in enumerate(plain.rows[number]):
            other, others = worth.of_row(row, position.mover)
            slack = NEAR * (1 + abs(mine)) if solution.mixtures else NONE
            if others != slopes:
                found.wrong.append(f"what a tally counts depends on what is done in {position}")
                return
            if sign * (other - mine) > slack:
                name = plain.rules.actions(position)[place].name
                found.wrong.append(f"in {position} {name} is worth {other}, what is played {mine}")
                return


def _best_alone(found: Answer, solution: Solution, plain: Plain, chosen: list[list[tuple[int, Fraction]]]) -> None:
    """What each free seat can get at the most against the others, by policy iteration from some other play."""
    unique = found.game.seats == 1 or solution.kind == "zero-sum"
    if not unique or found.named or plain.tallies or len(plain.rows) > 300:
        return
    sign = 1 if found.game.ruleset.payoffs[found.objective].goal == "max" else -1
    for seat in range(found.game.seats):
        fixed = {n: chosen[n][0][0] for n, at in enumerate(plain.positions) if at.mover != seat}
        best = plain.heads_out(fixed)
        while best is not None:
            play = [rows[place] for rows, place in zip(plain.rows, best, strict=True)]
            worth, better = plain.worth(play), list(best)
            for number, rows in enumerate(plain.rows):
                if plain.positions[number].mover == seat:
                    held = [sign * worth.of_row(row, seat)[0] for row in rows]
                    better[number] = best[number] if held[best[number]] == max(held) else held.index(max(held))
            if better == best:
                if not _same(solution, solution.values[seat], worth.start()[seat]):
                    found.wrong.append(
                        f"seat {seat + 1} can get {worth.start()[seat]}, not {solution.values[seat].lower}"
                    )
                break
            best = better


def _plays(found: Answer, solution: Solution, plain: Plain) -> None:
    """Some plays of the solution end where play can end, and are paid as its ends are."""
    random, rules = Random(7), Rules(found.game)  # noqa: S311 - games, not secrets

    def choose(state: object, _: object) -> int:
        number = solution.state_index(state)  # type: ignore[arg-type]
        assert number is not None
        row = solution.sampled_row(number, state.mover, random.random())  # type: ignore[attr-defined]
        return row - int(solution.graph.state_rows[number])

    for _ in range(3):
        end = simulate_one_game(rules, choose, random).end
        known = plain.ended.get(plain._without(end))
        paid = rules.payoffs(end, found.objective)
        if known is None or plain.paid(plain.ends[known], plain._gain(end)) != paid:
            found.wrong.append(f"a play ends at {end}, where no play ends, or is paid otherwise")


# --- certificates and Storm


def _certified(found: Answer, solution: Solution) -> None:
    """The certificate holds by its values and by the rules, and says the same."""
    try:
        data = certificate(solution)
        proof = prove_table(data)
        compare_table_with_rules(data, found.game.ruleset, sample_size=400)
    except DisprovedError as error:
        found.wrong.append(f"the solution's own table disproves it: {error}")
    except UncertifiableError:
        return
    except CertificateError as error:
        found.wrong.append(str(error))
    else:
        for (low, high), value in zip(proof.values, solution.values, strict=True):
            if high < value.lower or low > value.upper:
                found.wrong.append(f"the certificate proves {low} to {high}, not {value.lower}")


def with_storm(found: Answer, folder: Path) -> list[str]:
    """What Storm says of the solved play, and of each seat's best response to the others."""
    solution = found.solution
    if not THERE or solution is None or solution.mixtures or solution.graph.state_count > 60:
        return []
    wrong = []
    chain = Model(storm_drn_bytes(solution), folder)
    for seat, value in enumerate(solution.values, 1):
        told = [chain.collected(f"seat_{seat}")]
        if not solution.solved.endless_play_states and not found.named:
            told.append(Model(storm_drn_bytes(solution, seat), folder).collected(f"seat_{seat}", goal_of(solution)))
        wrong += [
            f"Storm says {one} for seat {seat}, not {value.lower}" for one in told if not _same(solution, value, one)
        ]
    return wrong
