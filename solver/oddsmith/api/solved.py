"""A solved game that answers questions: values, advice, distributions, lengths, formulas, proofs, files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.api.asking import asked_distribution
from oddsmith.api.contests import Contests
from oddsmith.api.exporting import export_solution, format_of
from oddsmith.api.notebooks import Actions, Chances, Values
from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Grade, Number, brief, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from oddsmith.api.positions import Position
    from oddsmith.graph import StateGraph
    from oddsmith.report.facts import BreakEven
    from oddsmith.report.policy import DecisionLists, Outline
    from oddsmith.ruleset import Game, State
    from oddsmith.solve import Kind, Report, Solution
    from oddsmith.solve.questions import Horizon


DIGITS = 12  # decimal places that files show where nobody says how many


@dataclass(frozen=True, eq=False, repr=False)
class SolvedGame(Contests):
    """A game with its best play. ``LoadedRuleset.solve`` makes one.

    ``solution`` is what the solver found, for those who want its arrays. A position is given as text, the way the command line
    reads it (``"hoard=60,stash=20"``), or as a mapping of the same names. What is left out is at its start; seats are
    counted from the player to move, so ``purse[1]`` is that player's.

    >>> piglet = oddsmith.load("piglet").solve()
    >>> piglet
    SolvedGame(Piglet, 2 seats, win 4/7, 3/7 (exact))
    """

    solution: Solution

    def __repr__(self) -> str:
        values = ", ".join(value.brief for value in self.values)
        title, seats = self.game.ruleset.title, plural(self.game.seats, "seat")
        return brief(self, f"{title[:30]}, {seats}, {self.objective} {values} ({self.grade})")

    def _repr_html_(self) -> str:
        from oddsmith.api.notebooks import html

        return html(self.solution)

    # --- what was solved

    @property
    def graph(self) -> StateGraph:
        """Every state and transition, in arrays. ``graph.to_networkx()`` gives it to networkx."""
        return self.solution.graph

    @property
    def game(self) -> Game:
        """The ruleset at the settings that were solved."""
        return self.solution.graph.game

    @property
    def objective(self) -> str:
        """The payoff that is played for."""
        return self.solution.graph.objective

    @property
    def kind(self) -> Kind:
        """What best play means here: ``optimal``, ``zero-sum``, ``symmetric``, ``pure-by-seat``, ``mixed`` or ``named``."""
        return self.solution.kind

    @property
    def grade(self) -> Grade:
        """``exact`` where every value is a known fraction, else ``proven``: it lies between two of them."""
        return self.solution.grade

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people, such as which state has no pure equilibrium."""
        return self.solution.notes

    # --- what it is worth

    @property
    def values(self) -> Values:
        """What the game is worth to seat 1, 2, ... in units of the objective: a tuple of numbers."""
        from oddsmith.report.facts import Unit

        rules = self.game.ruleset
        names = map(rules.seat, range(self.game.seats))
        return Values(self.solution.values, Unit.of(rules.payoffs[self.objective]), names)

    def values_at(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> tuple[Number, ...]:
        """What a position is worth to every seat, the player to move first. Raises PositionError.

        >>> piglet.values_at(row=1)
        (Number(5/7), Number(2/7))
        """
        asked = self.position(position, **variables)
        return self.solution.state_values(asked.number, asked.mover)

    @cached_property
    def _answers(self) -> dict[str, Number | MeasureError]:
        from oddsmith.solve.questions import ask

        answers: dict[str, Number | MeasureError] = {}
        for name, question in self.game.ruleset.measures.items():
            try:
                answers[name] = ask(self.game, question, lambda: self.solution)
            except MeasureError as error:
                answers[name] = error
        return answers

    @property
    def measures(self) -> dict[str, Number]:
        """The answers to the ruleset's own questions, by name; chances are between 0 and 1."""
        return {name: found for name, found in self._answers.items() if isinstance(found, Number)}

    @cached_property
    def means(self) -> dict[str, Number]:
        """The means of the numbers whose spreads the ruleset asks for, by the names of its questions."""
        from oddsmith.solve.questions import mean_of

        asked = self.game.ruleset.measures
        return {name: mean_of(asked[name], self.solution) for name in self.measures if asked[name].kind == "spread"}

    @property
    def unanswered(self) -> dict[str, str]:
        """The ruleset's questions that have no answer at these settings, and why."""
        return {name: str(found) for name, found in self._answers.items() if isinstance(found, MeasureError)}

    def distribution(self, what: str, seat: int | None = None, given: tuple[str, str] | None = None) -> Chances:
        """Every value that a number of the game can take, with its chance.

        ``what``: ``payoff`` or a payoff's name, ``win``, ``winner``, ``turns``, ``rolls`` or ``count PHASE/ENTRY``; as on the
        command line, ``seat N`` and ``given PHASE/ENTRY`` may follow. ``seat`` (from 1) and ``given`` (phase, entry) say the
        same. Raises DistributionError.

        >>> piglet.distribution("turns").at_most(2)
        Number(7/16)
        """
        from oddsmith.solve.questions import distribution

        name, its_seat, condition = asked_distribution(what)
        return Chances.of(distribution(self.solution, name, its_seat if seat is None else seat, given or condition))

    def horizon(self, turns: int) -> Horizon:
        """What each seat has got when the game is stopped after N turns. Raises HorizonError.

        ``policy``: as the game was solved; ``best``: where everybody makes the most of those turns.
        """
        from oddsmith.solve.questions import horizon

        return horizon(self.solution, turns)

    def break_even(self) -> list[BreakEven]:
        """When one more roll and then a stop beats stopping now, as formulas of the position. Raises BreakEvenError."""
        from oddsmith.report.facts import break_even

        return break_even(self.graph)

    # --- what to do

    def position(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Position:
        """The state that a position means: text, a mapping, or variables by name.

        ``phase`` names a phase where several have a choice, ``mover`` the seat to move, ``out`` the seats that are out. Raises
        PositionError.
        """
        from oddsmith.api.positions import asked_position

        return asked_position(self.solution, position, variables)

    def advise(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Actions:
        """Every action of a position, the best first: its worth to the mover, and what it loses. Raises PositionError.

        >>> piglet.advise(row=1)
        [Advice(Toss again, 5/7, best), Advice(Bank, 3/5, loses 4/35)]
        """
        asked = self.position(position, **variables)
        return Actions(self.solution.advise(asked.number, asked.mover))

    @cached_property
    def policy(self) -> Policy:
        """Best play as a function from a position to the name of an action."""
        return Policy(self)

    def outline(self, rules: bool | None = None) -> Outline:
        """What best play does in each choice, short rules and lists with their costs, and options that are never best.

        ``rules``: whether to look for short rules and lists; by default where that takes no more than some seconds.

        >>> piglet.outline().choices[0].unused
        (UnusedOption(option='Bank', elsewhere=False, forced=True),)
        """
        from oddsmith.report.policy import outline

        return outline(self.solution, rules)

    def short_list(self) -> DecisionLists:
        """What to do as a short list of decisions for every choice, and what it costs seat 1 if it alone plays so.

        ``to_yaml`` writes it as a policy that a ruleset can name. Raises ShortListError where there is nothing to find or
        where it would take long.

        >>> print(piglet.short_list().to_yaml("always on"), end="")
        policies:
          always on:
            decide:
              - {option: Toss again}
        """
        from oddsmith.report.policy import compare_rules, decision_lists, strategies

        found = strategies(self.solution)
        return decision_lists(self.solution, found, compare_rules(self.solution, found, everything=False).rules)

    def thresholds(self, phase: str | None = None, kind: str | None = None) -> Any:
        """From where on another action is best: a line for each case in which best play changes once, as ``table`` gives it.

        Columns are the variables that the threshold depends on, ``below`` (the action up to it), the variable that it is
        about, from this value on, and ``above``. ``phase``: where several have thresholds. Empty where there are none. Raises
        PositionError, ExportError.

        >>> oddsmith.load("rogues-gambit").solve(seats=2, coins_each=6).thresholds(kind="records")
        [{'below': "Rogue's Gambit", 'stash': 8, 'above': "Thief's Escape"}]
        """
        from oddsmith.api.notebooks import thresholds

        return thresholds(self.solution, phase, kind)

    def plot(self, phase: str | None = None) -> Figure:
        """What is best in a choice, as a figure of matplotlib: a map, a curve of thresholds, or how often each option is taken.

        ``phase``: where there are several choices. Raises PositionError, and ExportError where matplotlib is not installed or
        no picture shows it.

        >>> oddsmith.load("rogues-gambit").solve(seats=2).plot().axes[0].get_ylabel()
        'stash'
        """
        from oddsmith.api.figures import best_play

        return best_play(self.solution, phase)

    # --- as tables and files

    def table(self, kind: str | None = None, digits: int = DIGITS) -> Any:
        """A line per state: its variables, the action, every seat's value from the mover on, the next best and its loss.

        A pandas or polars ``DataFrame``, whichever is installed, else a list of records; ``kind`` (``pandas``, ``polars``,
        ``records``) asks for one. Columns are those of the CSV export: fractions are text, decimals have ``digits`` places.
        Raises ExportError.
        """
        from oddsmith.base.dataframes import frame
        from oddsmith.report.export import StateTable

        table = StateTable(self.solution, digits)
        return frame([column.name for column in table.columns], table.lines(), kind)

    def to_json(self, digits: int = DIGITS) -> dict[str, Any]:
        """The result for machines, as ``solve --json`` prints it: fractions are text.

        ``digits``: decimal places of the measures.
        """
        asked = self.game.ruleset.measures
        means = {name: {"mean": mean.to_json(digits)} for name, mean in self.means.items()}
        told = [
            {"name": name, "kind": asked[name].kind, **number.to_json(digits), **means.get(name, {})}
            for name, number in self.measures.items()
        ]
        return self.solution.to_json(told)

    def export(
        self, form: str | None = None, file: str | Path | None = None, digits: int = DIGITS, seat: int | None = None
    ) -> bytes:
        """The game in a format of other programs: csv, json, parquet, drn, prism, graphml or dot.

        The bytes are written to ``file`` as well, where one is named.

        ``form``: by default as the file's name ends. ``seat``: in drn (Storm's), the seat whose choices are left open, 0 for
        none. Raises ExportError, SettingError, UnwritableError.
        """
        from oddsmith.base.files import write_given

        data = export_solution(self.solution, form or format_of(file), digits, seat)
        if file is not None:
            write_given(Path(file), data)
        return data

    def certificate(
        self, file: str | Path | None = None, packed: bool | None = None, report: Report | None = None
    ) -> bytes:
        """The proof of the values, for somebody who trusts no solver.

        The bytes are written to ``file`` as well, where one is named. ``packed``: gzipped; by default where the file's name
        ends in ``.gz``. ``LoadedRuleset.certify`` checks it. Raises UncertifiableError, UnwritableError.
        """
        from oddsmith.base.files import write_given
        from oddsmith.report.export import certificate

        if packed is None:
            packed = file is not None and Path(file).suffix == ".gz"
        data = certificate(self.solution, packed, report)
        if file is not None:
            write_given(Path(file), data)
        return data


class Policy:
    """Best play of a solved game: call it with a position, as text, as a mapping, or with variables by name.

    >>> piglet.policy("row=1"), piglet.policy(row=1)
    ('Toss again', 'Toss again')
    """

    def __init__(self, game: SolvedGame) -> None:
        self._game = game

    def __repr__(self) -> str:
        return brief(self, f"{self._game.game.ruleset.title}, {self._game.kind}")

    def __call__(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> str:
        """The action; where the player mixes several, the likeliest. Raises PositionError."""
        return next(iter(self.chances(position, **variables)))

    def chances(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> dict[str, Number]:
        """The actions that are taken with their chances, the likeliest first: one of chance 1, unless the player mixes."""
        from oddsmith.api.notebooks import played

        solution = self._game.solution
        asked = self._game.position(position, **variables)
        rows = played(solution, asked.number, asked.mover)
        names = [solution.graph.action_name(row) for row in rows]
        mixture = solution.mixtures.get(asked.number)
        if mixture is None:
            return {names[0]: Number.of(1)}
        return {name: mixture.chances[row] for name, row in zip(names, rows, strict=True)}
