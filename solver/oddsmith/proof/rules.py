"""Do the rules give the table of a certificate? The rows of each state are derived again, by the rules for one state.

The code that explored the game takes no part: neither its columns nor its encodings of states are used. One state of
the table stands for many positions, and the header tells which in ``canonical``. The header is not trusted:
``compare_table_with_rules`` applies the rules to the state in a form that stands for all those positions at once.

This module also defines how a certificate writes a game: its settings, its actions, and its positions. It has its own
code for named policies, different from the solver's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random
from secrets import randbits
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.errors import CertificateError, InputError
from oddsmith.base.exact import fraction_text
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.expr import compiled_function
from oddsmith.proof.values import (
    MALFORMED_DATA_ERRORS,
    Proof,
    Refused,
    SecretGameProof,
    Source,
    check_secret_game,
    check_table,
    position_words,
    read_fraction,
    read_whole_number,
    records,
    state_words,
)
from oddsmith.ruleset import (
    Action,
    CanonicalForm,
    Game,
    LandingDistribution,
    LeftOutCellRead,
    MissingStateReached,
    ObservedPosition,
    Rules,
    State,
    Subgame,
    SuccessorDeriver,
    Successors,
    TreeBuilder,
    bind,
    distributions_as_multiset,
    sha256,
)
from oddsmith.ruleset.model import Ruleset, Setting


def setting_data(game: Game) -> dict[str, Any]:
    """Return the setting of a game as plain data for JSON: its ruleset with a hash, its seats, parameters and variants."""
    return {
        "id": game.ruleset.id,
        "sha256": sha256(game.ruleset),
        "seats": game.seats,
        "parameters": dict(game.parameters),
        "variants": list(game.variants),
    }


def action_data(phase: str, action: Action) -> list[Any]:
    """Return an action as plain data for JSON.

    The list has its phase, the number of its entry in that phase, its name, and the values of its loop variables by
    name.
    """
    return [phase, action.entry_index, action.name, [[name, cell_value_data(value)] for name, value in action.binding]]


def cell_value_data(value: Any) -> Any:
    """Return the value of a cell as plain data for JSON. A hand becomes a list of pairs of face and kind of die."""
    return [list(die) for die in value] if isinstance(value, Hand) else value


def position_data(state: State, seats: int) -> dict[str, Any]:
    """Return a state as plain data for JSON. Seats are counted from the mover."""
    out = [seat for seat in range(seats) if state.seats_out_bits >> seat & 1]
    return {"phase": state.phase, "out": out, "cells": [cell_value_data(value) for value in state.cells]}


def state_from_data(state_data: dict[str, Any], game: Game) -> State:
    """Return the state of a record; the inverse of :func:`position_data`.

    Raises one of ``values.MALFORMED_DATA_ERRORS`` if the record is not written as the format says.
    """
    cells = [
        Hand((read_whole_number(face), read_whole_number(kind)) for face, kind in cell)
        if isinstance(cell, list)
        else cell
        for cell in state_data["cells"]
    ]
    seats_out = set(map(read_whole_number, state_data["out"]))
    out = sum(1 << seat for seat in range(game.seats) if seat in seats_out)
    state = State(state_data["phase"], 0, out, tuple(cells))
    # Python takes True for 1, and rules may reckon with either.
    if [*map(type, cells)] != [*map(type, game.start)] or position_data(state, game.seats)["out"] != state_data["out"]:
        raise ValueError("a position is not written as the format says")
    return state


# --- from positions to states

STEPS = ("mover", "carried", "forgotten", "alike")


def canonical_steps_data(canonical: CanonicalForm) -> list[dict[str, Any]]:
    """Return, for a header, the steps by which positions become states, as plain data for JSON. Steps that do nothing
    are left out.
    """
    names = [cell.name for cell in canonical.game.cells]
    carried = [
        [names[where], list(map(fraction_text, worth))] for where, worth in sorted(canonical.unit_payoffs.items())
    ]
    phases = {
        phase: [names[where] for where in sorted(cells)]
        for phase, cells in sorted(canonical.forgotten.items())
        if cells
    }
    families = [
        [[names[where] for where in member] for member in members] for members in canonical.exchangeable_families
    ]
    steps: list[dict[str, Any]] = [{"step": "mover"}]
    steps += [{"step": "carried", "cells": carried}] if carried else []
    steps += [{"step": "forgotten", "phases": phases}] if phases else []
    return steps + ([{"step": "alike", "families": families}] if families else [])


def canonical_form_from_steps(game: Game, steps: Sequence[Mapping[str, Any]]) -> CanonicalForm:
    """Return the map from positions to states that the steps of a header describe; the inverse of
    :func:`canonical_steps_data`.

    Raises Refused, or one of ``values.MALFORMED_DATA_ERRORS``, if the steps are not written as the format says.
    """
    known = {step["step"]: step for step in steps}
    if [step["step"] for step in steps] != [name for name in STEPS if name in known or name == "mover"]:
        raise Refused("its states are made in a way that this checker does not know")
    number = {cell.name: where for where, cell in enumerate(game.cells)}
    carried = known.get("carried", {"cells": []})["cells"]
    worth = {number[name]: [read_fraction(each) for each in worths] for name, worths in carried}
    if any(len(each) != game.seats for each in worth.values()):
        raise Refused("what a carried cell counts is not told for every seat")
    phases = known.get("forgotten", {"phases": {}})["phases"]
    forgotten = {phase: [number[name] for name in names] for phase, names in phases.items()}
    families = known.get("alike", {"families": []})["families"]
    alike = [[[number[name] for name in member] for member in members] for members in families]
    placed = [where for members in alike for member in members for where in member]
    if len(placed) != len(set(placed)):
        raise Refused("a cell stands in two members that are alike")
    return CanonicalForm(game, worth, forgotten, alike)


def start_data(canonical: CanonicalForm, rules: Rules) -> dict[str, Any]:
    """Return the start of the game as plain data for a header.

    ``mover`` in the result is the seat that moves first, and ``held`` the amount that each seat has in carried cells,
    as text.
    """
    position = rules.start()
    held = [
        fraction_text(Fraction(units, canonical.scale))
        for units in canonical.scaled_gains_in_carried_cells(canonical.game.start, position.cells)
    ]
    return {"mover": position.mover, "held": held}


class PrescribedPolicy:
    """A named policy of the ruleset, as a function from positions to actions.

    Raises Refused if the ruleset has no policy of that name.
    """

    def __init__(self, game: Game, name: str) -> None:
        if name not in game.ruleset.policies:
            raise Refused(f"{game.ruleset.id} has no policy {name}")
        self.game, self.name = game, name
        self.lines = game.ruleset.policies[name]

    def prescribed_index(self, position: State, actions: Sequence[Action]) -> int:
        """Return the index of the prescribed action among ``actions``.

        The first line of the policy with a legal action applies. If it has several legal actions, the one that it
        prefers is taken. If no line applies, the index is 0.
        """
        context = self.game.context(position.cells, position.mover, position.seats_out_bits)
        for line in self.lines.get(position.phase, ()):
            fitting: list[tuple[int, int]] = []
            for number, action in enumerate(actions):
                context.local = dict(action.binding)
                if action.name == line.option and compiled_function(line.when)(context):
                    worth = compiled_function(line.prefer)(context) if line.prefer else 0
                    fitting.append((-worth, number))
            if fitting:
                return min(fitting)[1]
        return 0


MAX_FULLY_DERIVED = 200_000  # positions up to which all are derived
SAMPLED_STATES = 20_000  # random states of a larger table


@dataclass(frozen=True)
class Derivation:
    """The extent of a derivation: ``checked`` of all ``states`` were derived, at ``positions`` positions.

    A state stands for one position per order of its interchangeable members. ``whole``: whether every position was
    derived, and not only some states and orders. ``seed``: the seed by which these were chosen.
    """

    states: int
    checked: int
    positions: int
    whole: bool
    seed: int


def prove_table(certificate: Source) -> Proof:
    """Check the table of a certificate, and return what it proves. Raises CertificateError if it does not prove its
    values.
    """
    try:
        return check_table(certificate)
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None


def compare_table_with_rules(
    certificate: Source,
    ruleset: Ruleset,
    sample_size: int | None = None,
    progress: Progress | None = None,
    seed: int | None = None,
) -> Derivation:
    """Derive the rows of every state, or of ``sample_size`` random states, and compare them with the table.

    By default, random states are used only for large tables. As many states near the start are then derived too,
    because what happens there counts most. ``seed``: the seed of the random choice; by default nobody can know it in
    advance, not even who wrote the certificate. Raises CertificateError if the certificate is for another ruleset, or
    if a row differs.
    """
    try:
        head = next(records(certificate))
        return _RulesComparison(head, _game_of_header(head, ruleset)).compare(
            certificate, sample_size, progress or ignore_progress, randbits(32) if seed is None else seed
        )
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None
    except InputError as error:
        raise CertificateError(f"the certificate is refused, because in the game that it names {error}") from None
    except LeftOutCellRead as seen:
        raise CertificateError(f"the certificate is refused: {seen}") from None
    except (*MALFORMED_DATA_ERRORS, StopIteration) as wrong:
        raise CertificateError(f"the certificate is refused: its header is not as the format says: {wrong}") from None


def _game_of_header(header: dict[str, Any], ruleset: Ruleset) -> Game:
    """Return the game that the header names. Raises Refused if the ruleset has no such game."""
    given = header["ruleset"]
    if given["sha256"] != sha256(ruleset):
        raise Refused(
            f"it is for other rules: the hash of {ruleset.id} is {sha256(ruleset)[:12]}..., not {given['sha256'][:12]}..."
        )
    game = bind(ruleset, Setting(given["seats"], "", tuple(given["variants"]), given["parameters"]))
    objective = ruleset.payoffs.get(header["objective"])
    if objective is None or objective.goal != header["goal"]:
        raise Refused(f"{ruleset.id} has no objective {header['objective']} to {header['goal']}")
    if given != setting_data(game):
        raise Refused("its settings are not all settings of the game")
    if header["cells"] != [cell.name for cell in game.cells]:
        raise Refused("its cells are not those of the game")
    return game


# --- deriving


class _RulesComparison:
    """Compares the table of a certificate with the rules for one state."""

    def __init__(self, header: dict[str, Any], game: Game) -> None:
        self.head, self.game, self.rules = header, game, Rules(game)
        self.numbers: dict[State, int] = {}
        self.canonical = canonical_form_from_steps(game, header["canonical"])
        self.deriver = SuccessorDeriver(game, header["objective"], self.canonical, self.numbers.get)
        policies = header["policies"].items()
        self.named = {int(seat) - 1: PrescribedPolicy(game, name) for seat, name in policies}
        self.payoffs = [tuple(Fraction(units, header["scale"]) for units in kind) for kind in header["payoffs"]]

    def compare(self, certificate: Source, sample_size: int | None, progress: Progress, seed: int) -> Derivation:
        """Number the states stage by stage, and compare their rows with the rules. Raises Refused if they differ.

        ``sample_size``: the number of random states to compare; None for the default of ``compare_table_with_rules``.
        """
        count, positions = self.head["states"], self._count_positions(certificate)
        whole = positions <= MAX_FULLY_DERIVED if sample_size is None else sample_size >= count
        size, random = count if whole else min(count, sample_size or SAMPLED_STATES), Random(seed)  # noqa: S311 - a sample, not a secret
        wanted, near, checked = set(random.sample(range(count), size)), set[int](), 0
        ahead, lines, start, derived = records(certificate), records(certificate), 0, 0
        next(ahead), next(lines)
        stages = self.head.get("stages", [[count, 0]])
        near.add(count - stages[-1][0])  # where the game starts
        for place, (states, _) in enumerate(stages, 1):
            self._number_states(start, islice(ahead, states))
            first = self.numbers.get(self.canonical.state(self.rules.start()))
            wrong = first != count - states or self.head["start"] != start_data(self.canonical, self.rules)
            if place == len(stages) and wrong:
                raise Refused("its first state is not where the game starts, or not as it starts")
            for number, record in zip(range(start, start + states), lines, strict=False):
                if number in wanted or number in near:
                    derived += self._compare_member_orders(number, record, None if whole else random)
                    checked += 1
                if number in near and len(near) < size:
                    near.update(target for _, row in record["rows"] for target, *_ in row)
                if number % 1_000 == 0:
                    progress("deriving", number, count)
            start += states
            least = min((least for _, least in stages[place:]), default=0)
            for state in [each for each, number in self.numbers.items() if number < least]:
                del self.numbers[state]
        return Derivation(count, checked, derived, whole, seed)

    def _count_positions(self, certificate: Source) -> int:
        """Return the number of positions that all states stand for. A state stands for one position per order of its
        members.

        Beyond MAX_FULLY_DERIVED, counting stops.
        """
        lines, positions = records(certificate), 0
        next(lines)
        for record in lines:
            with suppress(*MALFORMED_DATA_ERRORS):
                positions += self.canonical.count_member_arrangements(state_from_data(record, self.game))
            if positions > MAX_FULLY_DERIVED:
                break
        return positions

    def _number_states(self, first_number: int, state_records: Iterable[dict[str, Any]]) -> None:
        """Number the states of a stage. ``first_number``: the number of the first state.

        Raises Refused if a state is not in canonical form or was listed before.
        """
        for number, record in enumerate(state_records, first_number):
            if self._numbered_state(number, record) is None:
                where = state_words(self.head, number, record)
                raise Refused(f"{where}: it is no position of the game, or one that was listed already")

    def _numbered_state(self, number: int, record: dict[str, Any]) -> State | None:
        """Number the state of a record and return it.

        Return None if it is not in canonical form or was listed before.
        """
        try:
            state = state_from_data(record, self.game)
            fits = state.phase in self.rules.entries and len(state.cells) == len(self.game.cells)
            new = fits and state == self.canonical.state(state) and self.numbers.setdefault(state, number) == number
        except MALFORMED_DATA_ERRORS:
            return None
        return state if new else None

    def _compare_member_orders(self, number: int, record: dict[str, Any], random: Random | None) -> int:
        """Compare a state with the rules in all its orders, and return the number of orders compared.

        If ``random`` is given, only two orders are compared: the stored one and a random one. Raises Refused, with the
        state in words.
        """
        try:
            state = state_from_data(record, self.game)
            others = self._other_member_orders(state, random)
            self._compare_state(number, record, state, as_stored=True)
            return 1 + sum(self._compare_state(number, record, other, as_stored=False) for other in others)
        except MissingStateReached as missing:
            wrong = f"{missing}: {self._position_words(missing.state)}"
        except (InputError, Refused, LeftOutCellRead) as other:
            wrong = str(other)
        raise Refused(f"{state_words(self.head, number, record)}: {wrong}")

    def _other_member_orders(self, state: State, random: Random | None) -> Iterator[State]:
        """Yield the other positions for which a state stands. They differ only in the order of interchangeable members.

        If ``random`` is given, at most one of them is yielded.
        """
        found = (
            self.canonical.positions_with_members_exchanged(state)
            if random is None
            else [self.canonical.with_members_shuffled(state, random)]
        )
        return (other for other in found if other != state)

    def _compare_state(self, number: int, record: dict[str, Any], state: State, as_stored: bool) -> bool:
        """Compare the rows of a state in the table with those that the rules give, and return True. Raises Refused if
        they differ.

        ``as_stored``: True if ``state`` is the stored state itself, whose actions must agree in order and name. False
        if its members stand in another order.
        """
        derived = self.deriver.successors(state, number % self.game.seats)
        stated = [self._landing_distribution_of_row(row) for _, row in record["rows"]]
        if len(derived.landing_distributions) != len(stated):
            raise Refused(f"it has {len(stated)} rows, and the rules give {len(derived.landing_distributions)}")
        if as_stored:
            self._compare_actions(record, derived)
            for place, (given_by_rules, theirs) in enumerate(
                zip(derived.landing_distributions, stated, strict=True), 1
            ):
                self._compare_rows(place, given_by_rules, theirs)
        elif distributions_as_multiset(derived.landing_distributions) != distributions_as_multiset(stated):
            raise Refused(
                f"the rules do not give its rows in a position that it stands for: {self._position_words(state)}"
            )
        for seat, policy in self.named.items() if len(stated) > 1 else ():
            pick, play = (
                policy.prescribed_index(derived.position, derived.actions),
                record["play"][seat % self.head["copies"]],
            )
            if pick != play and (as_stored or derived.landing_distributions[pick] != stated[play]):
                raise Refused(f"{policy.name} prescribes another action")
        return True

    def _compare_actions(self, record: dict[str, Any], derived: Successors) -> None:
        rows = [action for action, _ in record["rows"]]
        legal = [action_data(record["phase"], action) for action in derived.actions_relative_to_mover]
        if [self.head["actions"][action] for action in rows if action >= 0] != legal or (not legal and rows != [-1]):
            raise Refused("its actions are not those that the rules allow")

    def _compare_rows(self, number: int, derived_row: LandingDistribution, stated_row: LandingDistribution) -> None:
        if derived_row == stated_row:
            return
        target, by, paid = min(landing for landing, _ in derived_row.items() ^ stated_row.items())
        where = f"to state {target}, {by} seats on," if target >= 0 else "to the end"
        money = " ".join(fraction_text(Fraction(units)) for units in paid)
        chances = [fraction_text(each.get((target, by, paid), Fraction(0))) for each in (stated_row, derived_row)]
        raise Refused(f"row {number} leads {where} paying {money} with chance {chances[0]}, by the rules {chances[1]}")

    def _position_words(self, state: State) -> str:
        return position_words(self.head, position_data(state, self.game.seats))

    def _landing_distribution_of_row(self, row: list[list[int]]) -> LandingDistribution:
        total, chances = sum(weight for *_, weight in row), LandingDistribution()
        for target, by, payoff, weight in row:
            landing = (target, by, self.payoffs[payoff])
            chances[landing] = chances.get(landing, Fraction(0)) + Fraction(weight, total)
        return chances


# --- games with secrets


def is_for_secret_game(certificate: Source) -> bool:
    """Return whether a certificate is for a game with secrets.

    Raises CertificateError if the data are no certificate.
    """
    try:
        return "plans" in next(records(certificate), dict[str, Any]())
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None


def prove_plans(certificate: Source) -> SecretGameProof:
    """Check the plans of a certificate, and return what they prove. Raises CertificateError if they do not prove their
    values.
    """
    try:
        return check_secret_game(certificate)
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None


def observed_position_data(position: ObservedPosition, seats: int) -> dict[str, Any]:
    """Return a position of a game with secrets as plain data for JSON. Seats are counted from seat 1."""
    state = position.state
    found = position_data(state, seats) | {"mover": state.mover}
    chosen = [[seat, cell_value_data(item)] for seat, item in position.simultaneous_choices]
    return found | ({"chosen": chosen} if chosen else {})


def compare_plans_with_rules(certificate: Source, ruleset: Ruleset, progress: Progress | None = None) -> int:
    """Derive the subgames of a certificate again from the rules, and return the number of nodes of their game trees.

    Raises CertificateError if they differ from the subgames of the certificate.
    """
    try:
        lines = records(certificate)
        head = next(lines)
        return _derive_subgames(head, lines, ruleset, progress or ignore_progress)
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None
    except InputError as error:
        raise CertificateError(f"the certificate is refused, because in the game that it names {error}") from None
    except (*MALFORMED_DATA_ERRORS, StopIteration) as wrong:
        raise CertificateError(f"the certificate is refused: it is not as the format says: {wrong}") from None


def _derive_subgames(
    header: dict[str, Any], subgame_records: Iterator[dict[str, Any]], ruleset: Ruleset, progress: Progress
) -> int:
    game = _game_of_header(header, ruleset)
    builder, written = TreeBuilder(game, header["objective"], progress), list(subgame_records)
    first = builder.observer.start()
    known, numbers = {_observed_position_text(first, game): first}, {_observed_position_text(first, game): 0}
    for number, line in enumerate(written):
        if number != numbers.setdefault(_sorted_json_text(line["position"]), number):
            raise Refused(f"subgame {number}: its position was there before, or is not where the game starts")
    for number, line in enumerate(written):
        situation = known.get(_sorted_json_text(line["position"]))
        if situation is None:
            raise Refused(f"subgame {number}: no play leads to its position")
        subgame = builder.subgame(situation)
        known |= {
            _observed_position_text(leaf.situation, game): leaf.situation
            for leaf in subgame.leaves
            if leaf.situation.state.phase
        }
        total = read_fraction(header["total"]) if "total" in header else None
        _compare_subgame(
            number, line, subgame, partial(_leaf_outcome, builder=builder, payoff_sum=total, subgame_indices=numbers)
        )
    return builder.nodes


def _compare_subgame(
    subgame_index: int,
    subgame_data: dict[str, Any],
    subgame: Subgame,
    outcome_of_leaf: Callable[[ObservedPosition], Any],
) -> None:
    """Compare a subgame of the certificate with that of the rules. Raises Refused if they differ.

    ``subgame_index``, ``subgame_data``: the index of the subgame, and its data in the certificate. ``outcome_of_leaf``:
    returns the outcome of a leaf.
    """
    for seat, places in enumerate(subgame.information_sets):
        derived = [place.parent_sequence for place in places], [len(place.labels) for place in places]
        if (subgame_data["seats"][seat]["before"], subgame_data["seats"][seat]["counts"]) != derived:
            raise Refused(
                f"subgame {subgame_index}: the information sets of seat {seat + 1} are not those of the rules"
            )
    stated, by_rules = defaultdict[Any, Fraction](Fraction), defaultdict[Any, Fraction](Fraction)
    for sequences, chance, leads in subgame_data["leaves"]:
        stated[tuple(sequences), tuple(leads) if isinstance(leads, list) else leads] += read_fraction(chance)
    for leaf in subgame.leaves:
        by_rules[leaf.sequences, outcome_of_leaf(leaf.situation)] += leaf.chance_probability
    if stated != by_rules:
        raise Refused(f"subgame {subgame_index}: its leaves are not those of the rules")


def _leaf_outcome(
    position: ObservedPosition, builder: TreeBuilder, payoff_sum: Fraction | None, subgame_indices: Mapping[str, int]
) -> Any:
    """Return the outcome of a leaf of a subgame, in the form that certificates have.

    It is the index of the subgame that begins there, or -1 if there is no such subgame. At the end of the game, it is
    the payoff of the first seat as text; without a ``payoff_sum``, the payoffs of all seats. Raises Refused if two
    payoffs do not add up to ``payoff_sum``.
    """
    if position.state.phase:
        return subgame_indices.get(_observed_position_text(position, builder.game), -1)
    paid = builder.payoffs(position)
    if payoff_sum is None:
        return tuple(map(fraction_text, paid))
    if len(paid) == 2 and sum(paid) != payoff_sum:
        raise Refused("what the seats get does not add up to what its header says")
    return fraction_text(paid[0])


def _observed_position_text(position: ObservedPosition, game: Game) -> str:
    return _sorted_json_text(observed_position_data(position, game.seats))


def _sorted_json_text(position: Any) -> str:
    return json.dumps(position, sort_keys=True)
