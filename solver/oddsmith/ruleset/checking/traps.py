"""Find mistakes in the structure of rules, and common traps for designers. They do not depend on the values of
parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oddsmith.base.errors import Problem
from oddsmith.base.location import Location
from oddsmith.expr import Expr, variables_in
from oddsmith.ruleset.model.effects import Effect, ForItems, ForSeats, Move, effects_in_preorder
from oddsmith.ruleset.model.phases import Again, End, Entry, Pass, PassTo, Phase, ToPhase
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.source import location_of_path

_KINDS = {"roll": "outcome", "choose": "option", "together": "outcome", "cases": "case"}
MAX_SHOWN = 6  # numbers without a square
_COMPARISONS = ("==", "!=", "in", "listed")
"""The operators by which a seat is compared with others, or stands in a list of seats."""


def entry_in_words(phase: Phase, entry: Entry) -> str:
    """Return the name of an entry in words: ``the outcome Trifecta``, or ``outcome 2 of throw``."""
    kind = _KINDS[phase.kind]
    return f"the {kind} {entry.name}" if entry.name else f"{kind} {phase.entries.index(entry) + 1} of {phase.name}"


def location_of_when(entry: Entry) -> Location:
    """Return the location of the `when` of an entry; if it has none, the location of the entry."""
    written = entry.when.span.location
    return written if written.file == entry.location.file else entry.location


def problems_in_structure(ruleset: Ruleset) -> list[Problem]:
    """Return the problems that do not depend on the setting: cycles of phases, unreachable phases, and common traps."""
    problems = [
        *_circular_phase_problems(ruleset),
        *_unreachable_phase_problems(ruleset),
        *_missing_end_problem(ruleset),
        *_missing_turn_end_problem(ruleset),
    ]
    problems += _amount_left_unpaid_problems(ruleset)
    for effect in ruleset.effects:
        problems += [*_moves_to_itself_problem(effect), *_share_recomputed_in_loop_problems(effect)]
    problems += [*_neighbour_of_mover_problems(ruleset), *_missing_square_problems(ruleset)]
    if ruleset.seats[1] == 1:
        problems += _others_in_one_seat_game_problems(ruleset)
    return problems


def _warning_about(code: str, rule_part: Phase | Entry | Effect, message: str, hint: str) -> Problem:
    return Problem(code, rule_part.location, message, hint, "warning")


def _next_phases_in_turn(phase: Phase) -> list[str]:
    """Return the names of the phases that may follow a phase in the same turn."""
    return list(dict.fromkeys(entry.then.phase for entry in phase.entries if isinstance(entry.then, ToPhase)))


def _next_phases_in_game(phase: Phase, ruleset: Ruleset) -> list[str]:
    passes = any(not isinstance(entry.then, End | ToPhase) for entry in phase.entries)
    return [*_next_phases_in_turn(phase), *([ruleset.first_phase_of_turn] if passes else [])]


def _circular_phase_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a problem for each cycle of phases with cases only, from which play within a turn would never reach a roll
    or a choice. A cycle through the end of a turn is allowed, because it may end; for example, a player may lose a
    turn.
    """
    sorting = {name: phase for name, phase in ruleset.phases.items() if phase.kind == "cases"}
    done: set[str] = set()
    for start in sorting:
        way: list[str] = []
        branches = [iter([start])]
        while branches:
            name = next(branches[-1], None)
            if name is None:
                branches.pop()
                done.update(way[len(branches) - 1 :])
                del way[max(len(branches) - 1, 0) :]
            elif name in way:
                circle = " -> ".join([*way[way.index(name) :], name])
                message = f"these phases only sort, and lead in a circle: {circle}"
                hint = "let one of them lead to a roll, a choice, or the end of the turn"
                yield Problem("OD428", sorting[name].location, message, hint)
                done.update(way)
                break
            elif name not in done:
                way.append(name)
                branches.append(iter([other for other in _next_phases_in_turn(sorting[name]) if other in sorting]))


def _unreachable_phase_problems(ruleset: Ruleset) -> Iterator[Problem]:
    reached, todo = {ruleset.first_phase_of_turn}, [ruleset.first_phase_of_turn]
    while todo:
        for name in _next_phases_in_game(ruleset.phases[todo.pop()], ruleset):
            if name not in reached:
                reached.add(name)
                todo.append(name)
    for name, phase in ruleset.phases.items():
        if name not in reached:
            hint = f"name it in some `then:`, or remove it; turns start in {ruleset.first_phase_of_turn}"
            yield _warning_about("OD429", phase, f"no way leads to the phase {name}", hint)


def _missing_end_problem(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a problem if no rule can end the game."""
    if not ruleset.has_end:
        hint = "write end_when, or `then: end` where it is over"
        yield Problem("OD436", ruleset.phases[ruleset.first_phase_of_turn].location, "nothing ends this game", hint)


def _missing_turn_end_problem(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a warning about variables that reset at the end of a turn if no turn ever ends, for example because the
    author wrote `then: <first phase>` instead of `then: again`.
    """
    resetting = [variable.name for variable in ruleset.state.values() if variable.resets_each_turn]
    entries = [entry for phase in ruleset.phases.values() for entry in phase.entries]
    if not resetting or any(isinstance(entry.then, Again | Pass | PassTo) for entry in entries):
        return
    back = next((entry for entry in entries if entry.then == ToPhase(ruleset.first_phase_of_turn)), None)
    if back is not None:
        message = f"no turn ever ends, so {', '.join(resetting)} never resets"
        hint = f"write `then: again` for a new turn; `then: {ruleset.first_phase_of_turn}` goes on with the same one"
        yield _warning_about("OD607", back, message, hint)


def _amount_left_unpaid_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a warning about a game that may end before a stash is paid out, because `end_when` reads the number from
    which the stash is filled.
    """
    ending = variables_in(ruleset.end_when)
    settled = ending | {move.source.name for move in _move_effects(effects_in_preorder(ruleset.at_end)) if move.source}
    moves = _move_effects(ruleset.effects)
    paid = set().union(*(variables_in(payoff.value) for payoff in ruleset.payoffs.values()))
    for effect in moves:
        if effect.source is None or effect.target is None or effect.source.name not in ending:
            continue
        stash = effect.target.name
        banked = any(m.source and m.target and m.source.name == stash and m.target.name in paid for m in moves)
        if banked and stash not in settled and stash not in paid:
            message = f"end_when can hold while {stash} is not yet paid out"
            hint = f"add `and {stash} == 0` to end_when, or move it under at_end"
            where = ruleset.end_when.span.location
            yield Problem("OD614", where, message, hint, "warning")
            return


def _move_effects(effects: Iterable[Effect]) -> list[Move]:
    return [effect for effect in effects if isinstance(effect, Move)]


def _moves_to_itself_problem(effect: Effect) -> Iterator[Problem]:
    if not isinstance(effect, Move) or not effect.source or not effect.target:
        return
    name = effect.source.name
    if (name, effect.source.indices) == (effect.target.name, effect.target.indices):
        hint = f"inside `for:` over seats, {name} alone is that seat's; the mover's is {name}[mover]"
        yield _warning_about("OD613", effect, f"this moves {name} to itself and changes nothing", hint)


def _share_recomputed_in_loop_problems(effect: Effect) -> Iterator[Problem]:
    """Yield a warning about a loop that computes a share of a pot in every round, although the pot shrinks from round
    to round.
    """
    if not isinstance(effect, ForSeats | ForItems):
        return
    for inner in effects_in_preorder(effect.do):
        if not isinstance(inner, Move) or inner.source is None or inner.amount is None or inner.source.indices:
            continue
        source, amount = inner.source, inner.amount
        shares = [node for node in amount.walk() if node.op == "//" and source.name in variables_in(node.args[0])]
        if shares:
            words = shares[0].span.covered_text
            message = f"`{words}` is computed again in each round of the loop, while {source.name} shrinks"
            hint = f"fix it before the loop: let portion be {words}"
            yield _warning_about("OD612", inner, message, hint)


def _others_in_one_seat_game_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a warning for each `others` in a game for one seat."""
    trees: list[Expr] = [ruleset.end_when, ruleset.out_when]
    trees += [tree for phase in ruleset.phases.values() for entry in phase.entries for tree in entry.expressions_read]
    trees += [tree for effect in ruleset.effects for tree in effect.expressions_read]
    for tree in trees:
        for node in tree.walk():
            if node.op == "others":
                hint = "`everyone` includes the player whose turn it is; for more players raise `seats:`"
                yield Problem("OD608", node.span.location, "`others` is nobody in a game for one", hint, "warning")


def _neighbour_of_mover_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a warning for each `next` or `previous` in a payoff by which something is looked up. There it is the neighbour
    of the player who moved last, whoever is paid. To compare a seat with it is no mistake.
    """
    for payoff in ruleset.payoffs.values():
        for parent in payoff.value.walk():
            for node in parent.args:
                if node.op in ("next", "previous") and parent.op not in _COMPARISONS:
                    message = (
                        f"in a payoff, `{node.op}` is the neighbour of who moved last, not of the seat that is paid"
                    )
                    hint = "name the others of that seat, such as `sum(purse[o] for o in others)`"
                    yield Problem("OD616", node.span.location, message, hint, "warning")


def _missing_square_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a warning for each board whose rows leave out numbers between their least and their greatest square. Pieces may
    wait below all squares, and be home above them.
    """
    for board in ruleset.boards:
        squares = {square for row in board.rows for square in row.squares if isinstance(square, int)}
        left = sorted(set(range(min(squares), max(squares))) - squares) if squares else []
        if left and ruleset.state[board.variable].index_lists == ("seat",):
            shown = ", ".join(map(str, left[:MAX_SHOWN])) + (", ..." if len(left) > MAX_SHOWN else "")
            message = f"no square of the board {board.variable} has the number {shown}, so a piece there is not drawn"
            place = location_of_path(ruleset.source, "boards", board.variable)
            yield Problem("OD617", place, message, "add it to a row of `squares`", "warning")
