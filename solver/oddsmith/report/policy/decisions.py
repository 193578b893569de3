"""The decisions of a solved game as columns: what the player sees, what the policy does, and whether best play reaches
the decision.

``option_shares`` counts the positions in which best play takes each option, by the feature that predicts the option best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, arange, bincount, repeat
from oddsmith.base.exact import plain_text
from oddsmith.base.location import text_without_file
from oddsmith.expr import Scope, compiled_function, typed_tree, variables_in
from oddsmith.graph import StateGraph, unique
from oddsmith.report.english.words import is_plural, plain_name, seat_name
from oddsmith.ruleset import Cell, Game
from oddsmith.solve import Solution
from oddsmith.solve.values import mixed_rows

MAX_OPTIONS = 8  # different actions that one table can tell apart


@dataclass(frozen=True, eq=False)
class Feature:
    """A variable that a player sees.

    ``key``: the name of a cell, or an expression. ``name``: its name for people. ``kind``: the kind of the variable, or
    ``side``, ``mover`` or ``out``. ``about``: what the variable is. ``resets``: whether it goes back to its start when
    a turn ends. ``sided``: pairs of a side and the name of the feature for that side, if that says more than ``name``.
    ``times``: the factor between a value and the number that people see. ``none``: the value that means "none".
    """

    key: str
    name: str
    kind: str
    about: str = ""
    resets: bool = False
    sided: tuple[tuple[str, str], ...] = ()
    times: int = field(default=1, metadata={"packed": ""})
    none: int | None = field(default=None, metadata={"packed": ""})

    @property
    def is_number(self) -> bool:
        """Whether the values of the feature are numbers."""
        return self.kind == "number"

    def displayed_number(self, value: int) -> int:
        """Return a value in the unit that people count in: 50 for one unit of 50 points."""
        return value * self.times

    def value_text(self, value: int) -> str:
        """Return a value as people read it."""
        return "none" if value == self.none else f"{self.displayed_number(value):,}"

    def range_text(self, first: int, last: int) -> str:
        """Return in words the range from the first value to the last."""
        return "–".join(self.value_text(each) for each in dict.fromkeys((first, last)))

    @property
    def verb(self) -> str:
        """The verb between the name of the feature and its value, in a clause."""
        return "are" if is_plural(self.name) else "is"

    def value_clause(self, value: str) -> str:
        """Return a clause that says that the feature has a value. ``value``: the value as text."""
        if self.kind == "mover":
            return f"seat {value}"
        if self.kind == "side":
            return f"you are the {value}"
        if self.kind == "out":
            return f"{value} {'are' if value == 'you' or ' and ' in value else 'is'} out"
        if self.kind == "seat":
            whose = self.name.startswith(("the ", "your ", "who ")) or "'s " in self.name
            name = self.name if whose else f"the {self.name}"
            return f"you are {name}" if value == "you" and not whose else f"{name} is {value}"
        return value_clause(self.name, self.kind, value)


@dataclass(frozen=True, eq=False)
class FeatureColumn(Feature):
    """A feature with its value in each decision.

    ``column``: the values as codes. ``shown``: a function that writes a code as text; None for numbers.
    """

    column: Ints = field(kw_only=True)
    shown: Callable[[int], str] | None = field(default=None, kw_only=True)

    def code_text(self, code: int) -> str:
        """Return in words the value of a code."""
        return str(self.displayed_number(code)) if self.shown is None else str(self.shown(int(code)))


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions of one phase. Arrays have one item for each decision.

    ``states``: the states of the graph. ``movers``: the seats that move. ``choice``: the choice of the policy as an
    index into ``options``. ``played``: whether play reaches the decision if everybody plays by the policy.
    ``features``: what the mover sees. ``coarse``: whether ``options`` are the options of the ruleset; otherwise they
    are single actions.
    """

    solution: Solution
    phase: str
    states: Ints
    movers: Ints
    choice: Ints
    options: tuple[str, ...]
    played: NDArray[np.bool_]
    features: tuple[FeatureColumn, ...]
    coarse: bool

    @property
    def game(self) -> Game:
        """The game."""
        return self.solution.graph.game

    @property
    def has_layout(self) -> bool:
        """Whether the ruleset says how the table of this phase is laid out."""
        return self.phase in _table_layouts(self.game)

    def needed_features(self) -> tuple[FeatureColumn, ...]:
        """Return features that determine the policy in all decisions that best play reaches. Features without which
        that holds as well are left out.

        In decisions that best play never reaches, equal values of the returned features may need different actions.
        """
        keep = list(self.features)
        choice = self.choice[self.played]
        for feature in sorted(self.features, key=_rank_of_dispensability):
            rest = [other for other in keep if other is not feature]
            if _do_columns_determine_choice([other.column[self.played] for other in rest], choice):
                keep = rest
        return tuple(keep)


def decisions_by_phase(solution: Solution) -> list[Decisions]:
    """Return the decisions of each phase in which some state has more than one action, in the order of the ruleset."""
    graph, arena = solution.graph, solution.solved.arena
    several = _covered_states(solution, np.flatnonzero(np.diff(graph.state_rows) > 1))
    cells, phase, out = graph.codec.decode(graph.keys)
    phases = graph.game.ruleset.phases
    mixed = mixed_rows(solution.mixtures)
    played = arena.reachable_states(solution.solved.rows, mixed, solution.start_count)
    if solution.listed_mask is not None:
        played[:] = True  # whether best play comes there is not asked
    tables = []
    for name, spec in phases.items():
        if spec.kind != "choose":
            continue
        mine = several[phase[several] == graph.codec.phases.index(name)]
        if len(mine):
            states, movers = repeat(mine, arena.copies_per_state), np.tile(arange(arena.copies_per_state), len(mine))
            numbers = arena.arena_state_of(states, movers)
            rows = graph.state_rows[states] + solution.solved.rows[numbers] - arena.state_rows[numbers]
            choice, options, coarse = _numbered_choices(solution, rows, name in _table_layouts(graph.game))
            choice, options = _choices_with_mixtures(solution, numbers, choice, options)
            seen = _visible_features(solution, cells[:, states], out[states], movers, name)
            tables.append(Decisions(solution, name, states, movers, choice, options, played[numbers], seen, coarse))
    return tables


def _covered_states(solution: Solution, states: Ints) -> Ints:
    """Return those of ``states`` whose decisions the solution covers. Usually it covers all of them."""
    return states if solution.listed_mask is None else states[solution.listed_mask[states]]


def forced_action_rows(solution: Solution, phase: str) -> dict[int, bool]:
    """Return the actions of a phase that are the only legal action in some state, as a map.

    A key is a row of the graph, one for each such action. Its value is whether best play reaches a state in which the
    action is the only one.
    """
    graph, arena = solution.graph, solution.solved.arena
    states = _covered_states(solution, np.flatnonzero(np.diff(graph.state_rows) == 1))
    mine = np.append([name == phase for name, _, _ in graph.actions], False)
    states = states[mine[graph.row_action[graph.state_rows[states]]]]
    if not len(states):
        return {}
    played = arena.reachable_states(solution.solved.rows, mixed_rows(solution.mixtures), solution.start_count)
    met = played[arena.arena_states_of(states)].reshape(-1, arena.copies_per_state).any(axis=1)
    rows = graph.state_rows[states]
    _, first, kind = np.unique(graph.row_labels[rows], return_index=True, return_inverse=True)
    often = bincount(kind, met, len(first))
    return dict(zip(rows[first].tolist(), (often > 0).tolist(), strict=True))


def _table_layouts(game: Game) -> Mapping[str, Any]:
    """Return the layouts of tables that the ruleset itself gives, by phase."""
    found: Mapping[str, Any] = game.ruleset.data.get("show", {})
    return found


def _numbered_choices(solution: Solution, chosen_rows: Ints, has_layout: bool) -> tuple[Ints, tuple[str, ...], bool]:
    """Number the choices of the policy in the order of the ruleset: by action if there are few actions, else by option.

    ``chosen_rows``: the row that the policy takes in each decision. ``has_layout``: whether the ruleset lays out the
    table; then choices are numbered by option.

    Return the number of each choice, the names that belong to the numbers, and whether choices are numbered by option.
    """
    graph = solution.graph
    taken = graph.row_action[chosen_rows]
    entries = np.array([entry for _, entry, _ in graph.actions], dtype=np.int64)
    distinct, first, which = np.unique(graph.row_labels[chosen_rows], return_index=True, return_inverse=True)
    if not has_layout and len(distinct) <= MAX_OPTIONS * graph.seats:
        called = [graph.action_name(row) for row in chosen_rows[first].tolist()]
        order = sorted(range(len(called)), key=lambda at: (entries[taken[first[at]]], distinct[at]))
        names = tuple(dict.fromkeys(called[at] for at in order))
        if len(names) <= MAX_OPTIONS:
            return np.array([names.index(name) for name in called], dtype=np.int64)[which], names, False
    options, choice = np.unique(entries[taken], return_inverse=True)
    phase = graph.game.ruleset.phases[graph.actions[int(taken[0])][0]]
    return choice.astype(np.int64), tuple(phase.entries[int(option)].name for option in options), True


def _choices_with_mixtures(
    solution: Solution, arena_states: Ints, choices: Ints, options: tuple[str, ...]
) -> tuple[Ints, tuple[str, ...]]:
    """Return the choices and the names of the options, with a new option for each set of actions that best play mixes.

    ``arena_states``: the states of the decisions in the arena.
    """
    names, graph, arena = list(options), solution.graph, solution.solved.arena
    for place in np.flatnonzero(np.isin(arena_states, list(solution.mixtures))).tolist():
        number = int(arena_states[place])
        first = int(graph.state_rows[number // arena.copies_per_state] - arena.state_rows[number])
        actions = dict.fromkeys(graph.action_name(row + first) for row in solution.mixtures[number].rows)
        name = f"{' or '.join(actions)}, by chance"
        names += [name] * (name not in names)
        choices[place] = names.index(name)
    return choices, tuple(names)


# --- what the player sees


def _visible_features(
    solution: Solution, cells: Ints, seats_out: Ints, movers: Ints, phase: str
) -> tuple[FeatureColumn, ...]:
    graph = solution.graph
    game = graph.game
    hinted = _layout_features(graph, cells, seats_out, phase)
    features = [
        FeatureColumn(
            cell.name,
            cell_label(game, cell),
            cell.variable.kind,
            cell.variable.about,
            cell.variable.resets_each_turn,
            _cell_names_by_side(game, cell),
            cell.variable.display_factor,
            cell.variable.value_shown_as_none,
            column=cells[where],
            shown=_value_text_function(solution, where),
        )
        for where, cell in enumerate(game.cells)
        if where not in graph.codec.carried and cell.variable.name not in game.ruleset.sides
    ]
    if game.ruleset.sides:  # where the first side sits tells which side is to move
        where = game.cell_indices_of(game.ruleset.sides[0]).start
        features.append(FeatureColumn("side", "side", "side", column=cells[where], shown=partial(_side_name, game)))
    features.append(
        FeatureColumn(
            "out", "players who are out", "out", column=seats_out, shown=partial(_seats_out_text, seats=game.seats)
        )
    )
    features.append(FeatureColumn("mover", "seat", "mover", column=movers, shown=_seat_number_text))
    return hinted or tuple(feature for feature in features if len(unique(feature.column)) > 1)


def _layout_features(graph: StateGraph, cells: Ints, seats_out: Ints, phase: str) -> tuple[FeatureColumn, ...]:
    """Return the features that the ruleset's own layout names as rows, columns and split; empty if there is no layout."""
    hint = _table_layouts(graph.game).get(phase, {})
    places = ("rows", "columns", "split")
    return tuple(
        _evaluated_feature(graph, str(hint[place]), place, cells, seats_out) for place in places if place in hint
    )


def _evaluated_feature(
    graph: StateGraph, expression_text: str, layout_part: str, cells: Ints, seats_out: Ints
) -> FeatureColumn:
    game = graph.game
    tree = typed_tree(text_without_file(expression_text), Scope(game.ruleset.symbols))
    value = compiled_function(tree)
    looked_at = sorted(where for name in variables_in(tree) for where in game.cell_indices_of(name))
    columns = [*(cells[where] for where in looked_at), seats_out]
    group = group_numbers(columns, len(seats_out))
    first = np.unique(group, return_index=True)[1]
    values = []
    for *codes, mask in np.stack([column[first] for column in columns]).T.tolist():
        plain = list(game.start)
        for where, code in zip(looked_at, codes, strict=True):
            plain[where] = graph.codec.decode_value(where, code)
        values.append(int(value(game.context(plain, 0, mask))))
    variable = game.ruleset.state.get(expression_text)
    kind = {"number": "number", "flag": "flag"}.get(tree.type.kind, "seat")
    shown = {"flag": _flag_text, "seat": _seat_number_text}.get(kind)
    called = (variable.label if variable else "") or plain_name(expression_text)
    name = called if variable is None or not variable.is_per_seat else f"your {called}"
    about, resets = (variable.about, variable.resets_each_turn) if variable else ("", False)
    times, none = (variable.display_factor, variable.value_shown_as_none) if variable else (1, None)
    column: Ints = np.array(values, dtype=np.int64)[group]
    return FeatureColumn(
        expression_text,
        name,
        kind,
        about,
        resets or layout_part == "rows",
        times=times,
        none=none,
        column=column,
        shown=shown,
    )


def _cell_names_by_side(game: Game, cell: Cell) -> tuple[tuple[str, str], ...]:
    """Return the name of a cell for each side, as pairs of a side and a name.

    The result is empty in games without sides, and for a cell of the mover or of no seat.
    """
    theirs = cell.variable.is_per_seat and cell.indices[0] != 0
    seats = range(len(game.ruleset.sides)) if theirs else range(0)
    return tuple((game.ruleset.seat_name(seat), cell_label(game, cell, seat)) for seat in seats)


def cell_label(game: Game, cell: Cell, mover: int | None = None) -> str:
    """Return the name of a cell as the seat to move sees it.

    ``mover``: the number of that seat, if seats have sides and it is known; then the names of other seats are their
    sides.
    """
    name, index = cell.variable.label or plain_name(cell.variable.name), list(cell.indices)
    owner = ""
    if cell.variable.is_per_seat:
        by = int(index.pop(0))
        theirs = None if mover is None or not by else game.ruleset.player_name((mover + by) % game.seats)
        owner = f"{theirs}'s" if theirs else seat_possessive(by, game.seats)
    member = " ".join(map(str, index))
    return " ".join(part for part in (owner, name, member) if part)


def value_clause(name: str, kind: str, value: str) -> str:
    """Return a variable and its value as a clause. A flag is written as tables show it, with yes or no."""
    if kind == "flag":
        return f"{name}: {'yes' if value == 'true' else 'no'}"
    return f"{name} {'are' if is_plural(name) else 'is'} {value}"


def seat_possessive(seats_after_mover: int, seats: int) -> str:
    """Return in words the possessive of a player. ``seats_after_mover``: the number of seats from the mover to the player."""
    name = seat_name(seats_after_mover, seats)
    return "your" if name == "you" else f"{name}'s"


def _value_text_function(solution: Solution, cell_index: int) -> Callable[[int], str] | None:
    game = solution.graph.game
    kind = game.cells[cell_index].variable.kind
    if kind == "seat":
        return partial(seat_name, seats=game.seats)
    return None if kind == "number" else partial(_value_text_of_code, solution.graph, cell_index)


def _value_text_of_code(graph: StateGraph, cell_index: int, code: int) -> str:
    return graph.game.value_text(graph.codec.decode_value(cell_index, code))


def _flag_text(code: int) -> str:
    return plain_text(bool(code))


def _seat_number_text(code: int) -> str:
    return str(code + 1)


def _side_name(game: Game, seats_to_first_side: int) -> str:
    """Return the name of the side to move. ``seats_to_first_side``: the number of seats from the mover to the first side."""
    return game.ruleset.seat_name(-seats_to_first_side % game.seats)


def _seats_out_text(mask: int, seats: int) -> str:
    gone = [seat for seat in range(seats) if mask >> seat & 1]
    return " and ".join(seat_name(seat, seats) for seat in gone) or "nobody"


# --- what the policy depends on


def _rank_of_dispensability(feature: Feature) -> tuple[int, int, str]:
    """Return a sort key by which features are left out, the lowest first, as long as the others determine the policy.

    The order is: seats, members of families (variables with an index), values other than numbers, numbers that outlast
    a turn, all others.
    """
    if feature.kind in ("mover", "side", "out"):
        return (0, 0, feature.key)
    if "[" in feature.key and not feature.key.endswith(("[0]",)):
        return (1, 0, feature.key)
    if not feature.is_number:
        return (2, 0, feature.key)
    return (4 if feature.resets else 3, 0, feature.key)


def _do_columns_determine_choice(columns: Sequence[Ints], choices: Ints) -> bool:
    """Return whether any two decisions that are equal in all columns have the same choice."""
    if not len(choices):
        return True
    group = group_numbers(columns, len(choices))
    low = np.full(int(group.max()) + 1, np.iinfo(np.int64).max, dtype=np.int64)
    high = np.full(len(low), -1, dtype=np.int64)
    np.minimum.at(low, group, choices)
    np.maximum.at(high, group, choices)
    return bool((low == high).all())


def group_numbers(columns: Sequence[Ints], row_count: int) -> Ints:
    """Return the number of the group of each row, from 0. Two rows are in one group if they are equal in every column.
    ``row_count``: the number of rows.
    """
    group = np.zeros(row_count, dtype=np.int64)
    for column in columns:
        codes, inverse = np.unique(column, return_inverse=True)
        group = np.unique(group * len(codes) + inverse, return_inverse=True)[1].astype(np.int64)
    return group


MAX_KEY_VALUES = 20  # values of what they are told by


@dataclass(frozen=True)
class OptionShares:
    """How often best play takes each option, by the value of one feature.

    ``values``: the values of the feature in words. ``counts``: for each value, the number of positions by option.
    """

    feature: Feature
    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def position_count(self) -> int:
        """The number of positions. Each is counted once, however often play reaches it."""
        return sum(map(sum, self.counts))


def option_shares(decisions: Decisions, features: Sequence[FeatureColumn]) -> OptionShares | None:
    """Return the shares of options by the feature that predicts the option best. Return None if every feature has too
    many values. ``features``: the features to choose from.
    """
    found = [_option_shares_by_feature(decisions, feature) for feature in features]
    return max(
        (each for each in found if 2 <= len(each.values) <= MAX_KEY_VALUES), key=_expected_right_guesses, default=None
    )


def _option_shares_by_feature(decisions: Decisions, feature: FeatureColumn) -> OptionShares:
    played = decisions.played
    codes, place = np.unique(feature.column[played], return_inverse=True)
    counts = np.zeros((len(codes), len(decisions.options)), dtype=np.int64)
    np.add.at(counts, (place, decisions.choice[played]), 1)
    return OptionShares(feature, tuple(map(feature.code_text, codes.tolist())), tuple(map(tuple, counts.tolist())))


def _expected_right_guesses(shares: OptionShares) -> Fraction:
    """Return the expected number of right guesses of the option, one for each position. For each value of the feature,
    options are guessed at random with the probabilities of the shares.
    """
    return sum((Fraction(sum(count**2 for count in counts), sum(counts)) for counts in shares.counts), Fraction(0))
