"""Read questions, policies and texts for people: the keys ``measures``, ``claims``, ``policies``, ``told`` and
``remember``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from oddsmith.base.errors import did_you_mean
from oddsmith.base.exact import parse_published_number
from oddsmith.base.location import Span, Text
from oddsmith.expr import EXACT, FLAG, NUMBER, TRUE, BadExpression, Expr, Scope, Type, word_type
from oddsmith.ruleset.model.phases import Phase
from oddsmith.ruleset.model.questions import Claim, Measure, Origin, Payoff, Policy, PolicyLine
from oddsmith.ruleset.model.wording import AdviceLine, ComputedValue, PrintedDefinition, SolvedNumber, Wording
from oddsmith.ruleset.reading.editions import EditionReader, changed_parameter_values
from oddsmith.ruleset.reading.names import NameTable
from oddsmith.ruleset.reading.reader import ReadingContext, read_computed_value, texts_and_spans_in_braces
from oddsmith.ruleset.reading.source import Node

_SEAT = re.compile(r"seat ([1-9])")


class QuestionReader:
    """Reads measures, claims and policies (see *Asking* in docs/reference/language.md). ``scope``: the scope of
    payoffs, in which fractions and tallies are allowed.
    """

    def __init__(
        self,
        reading: ReadingContext,
        phases: dict[str, Phase],
        names: NameTable,
        scope: Scope,
        payoffs: Mapping[str, Payoff],
    ) -> None:
        self.reading, self.phases, self.names, self.scope, self.payoffs = reading, phases, names, scope, payoffs

    def measure(self, node: Node) -> Measure:
        """Return one measure, which is a question about the game."""
        data = node.data()
        kind = next(key for key in ("chance", "mean", "count", "spread", "edge") if key in data)
        if kind == "edge":
            return self.house_edge_measure(node)
        given = node.get("given")
        given_at = self.read_phase_and_entry(given) if given else None
        about = data.get("about", "")
        if kind == "spread":
            return Measure("spread", node.location, spread_of=data["spread"], given_entry=given_at, about=about)
        at = node.get("at") if kind == "mean" else node.value[kind]
        assert at is not None
        place = None if at.value == "end" else self.read_phase_and_entry(at)
        start = {}
        for name, value in node.value["with"].value.items() if node.get("with") else ():
            symbol = self.scope.symbols.get(name)
            if name not in self.names.state or symbol is None or len(symbol.dims) > 1:
                hint = did_you_mean(name, self.names.state, "variables")
                where = node.value["with"].keys[name].location
                self.reading.report("OD361", where, f"there is no variable {name}", hint)
                continue
            start[name] = self.reading.parse_scalar(value, self.scope, symbol.type)
        value = (
            self.reading.parse_scalar(node.value["mean"], self.scope_inside_entry(place), NUMBER, EXACT)
            if kind == "mean"
            else None
        )
        seat, when, per = self.seat_number(node.get("seat")), node.get("when"), node.get("per")
        plain = replace(self.scope_inside_entry(place), exact=False, tallies=False)
        return Measure(
            kind,  # type: ignore[arg-type]
            node.location,
            place,
            value,
            data.get("in", ""),
            start,
            seat,
            given_at,
            about=about,
            when=self.reading.parse_scalar(when, plain, FLAG) if when else None,
            divisor=self.reading.parse_scalar(per, self.scope_inside_entry(place), NUMBER, EXACT) if per else None,
        )

    def house_edge_measure(self, node: Node) -> Measure:
        """Return the measure for the key `edge`: the mean loss in a payoff, divided by the mean stake."""
        name, per = str(node.value["edge"].scalar_text().value), node.value["per"]
        payoff = self.payoffs.get(name)
        if payoff is None:
            hint = did_you_mean(name, list(self.payoffs), "payoffs")
            self.reading.report("OD367", node.value["edge"].location, f"there is no payoff {name}", hint)
        lost = None if payoff is None else Expr("neg", payoff.value.type, (payoff.value,), span=payoff.value.span)
        staked = self.reading.parse_scalar(per, self.scope, NUMBER, EXACT)
        seat, about = self.seat_number(node.get("seat")), node.data().get("about", "")
        return Measure("mean", node.location, value=lost, divisor=staked, seat=seat, about=about, edge_payoff=name)

    def seat_number(self, node: Node | None) -> int:
        """Return a seat (from 1) that is given by its number or by its side; 1 if ``node`` is None."""
        if node is None or isinstance(node.value, int):
            return 1 if node is None else node.value
        return (self.names.seat_of_side(node) or 0) + 1

    def read_phase_and_entry(self, node: Node) -> tuple[str, str] | None:
        """Return the names of a phase and an entry that a node ``[phase, entry]`` lists. Report an error and return
        None if one of them does not exist.
        """
        phase, name = (str(item.scalar_text().value) for item in node.value)
        if phase not in self.phases:
            hint = did_you_mean(phase, self.phases, "phases")
            self.reading.report("OD343", node.value[0].location, f"there is no phase {phase}", hint)
            return None
        names = [entry.name for entry in self.phases[phase].entries]
        if name not in names:
            hint = did_you_mean(name, [entry for entry in names if entry], "entries")
            self.reading.report("OD362", node.value[1].location, f"the phase {phase} has no entry {name}", hint)
            return None
        return phase, name

    def scope_inside_entry(self, phase_and_entry: tuple[str, str] | None) -> Scope:
        """Return the scope of an entry, with the local names of the rolls and draws of its phase and of its loops.
        ``phase_and_entry``: the names of the phase and the entry; None for the scope of payoffs.
        """
        scope = self.scope
        if phase_and_entry is None:
            return scope
        for throw in self.phases[phase_and_entry[0]].rolls_and_draws:
            if throw.is_kept:
                continue
            single = len(throw.dice) == 1 and throw.dice[0].count.value == 1
            type_ = Type("hand", single=single) if throw.kind == "roll" else self.type_of_bag_items(throw.bag)
            with suppress(BadExpression):  # a name that is taken was reported where the phase was read
                scope = scope.with_local(throw.name, type_, Span(Node("", throw.location).scalar_text(), 0, 0))
        entry = next(entry for entry in self.phases[phase_and_entry[0]].entries if entry.name == phase_and_entry[1])
        return self.scope_with_loops(scope, entry.loops)

    def type_of_bag_items(self, bag: str) -> Type:
        dim = self.scope.symbols[bag].dims[0]
        return word_type(*dim.words) if dim.kind == "word" else NUMBER

    def scope_with_loops(self, scope: Scope, loops: tuple[tuple[str, Expr], ...]) -> Scope:
        for name, items in loops:
            with suppress(BadExpression):
                scope = scope.with_local(name, items.type.item or NUMBER, items.span)
        return scope

    def claim(self, node: Node, editions: EditionReader) -> Claim | None:
        """Return a claim: a number that was published or counted by hand, with the question that it answers. Report an
        error and return None if it is not a number.
        """
        origin: Origin = "counted" if "counted" in node.value else "published"
        text = node.value[origin].scalar_text()
        try:
            number = parse_published_number(text.value)
        except ValueError:
            hint = "write 0.421, 42.1 %, 3 or 91/216"
            self.reading.report(
                "OD363", text.location_at(0), f"`{text.value}` is not a number that can be checked", hint
            )
            return None
        right = node.data().get("verdict", "right") == "right"
        quote, note = str(node.value["quote"].scalar_text().value), node.data().get("note", "")
        of = node.get("of")
        asked = self.measure(node.value["ask"])
        game = editions.listed_setting(of, editions.usual_setting) if of else None
        return Claim(quote, asked, origin, number, right, node.location, note, game)

    def policy(self, node: Node) -> Policy:
        """Return a policy: its lines in order, by the name of the phase."""
        choices: dict[str, tuple[PolicyLine, ...]] = {}
        for name, lines in node.value.items():
            phase = self.phases.get(name)
            if phase is None or phase.kind != "choose":
                choosing = [phase.name for phase in self.phases.values() if phase.kind == "choose"]
                hint = did_you_mean(name, choosing, "phases with a choice")
                self.reading.report("OD364", node.keys[name].location, f"{name} is no phase with a choice", hint)
                continue
            choices[name] = tuple(choice for line in lines.value if (choice := self.policy_line(line, phase)))
        return choices

    def policy_line(self, node: Node, phase: Phase) -> PolicyLine | None:
        option = str(node.value["option"].scalar_text().value)
        entry = next((entry for entry in phase.entries if entry.name == option), None)
        if entry is None:
            hint = did_you_mean(option, [entry.name for entry in phase.entries if entry.name], "options")
            message = f"the phase {phase.name} has no option {option}"
            self.reading.report("OD362", node.value["option"].location, message, hint)
            return None
        rules = replace(self.scope, exact=False, tallies=False)
        scope = self.scope_with_loops(rules, entry.loops)
        when, prefer = node.get("when"), node.get("prefer")
        test = TRUE if when is None else self.reading.parse_scalar(when, scope, FLAG)
        return PolicyLine(
            option, test, self.reading.parse_scalar(prefer, scope, NUMBER) if prefer else None, node.location
        )


class WordingReader:
    """Reads texts that contain expressions in braces. ``max_seats``: the greatest number of players.

    Names in these expressions do not count as used, so they do not suppress the warning about an unused name.
    """

    def __init__(self, reading: ReadingContext, names: NameTable, max_seats: int, phases: Mapping[str, Phase]) -> None:
        self.reading, self.names, self.max_seats = reading, names, max_seats
        self.options = [entry.name for phase in phases.values() if phase.kind == "choose" for entry in phase.entries]
        self.scope = Scope(names.symbols, used=set(), spent=names.node_count, state=False)

    def wording(self, node: Node | None) -> Wording | None:
        """Return a text about the rules. Its braces may contain only values that are fixed before play."""
        return None if node is None else Wording(tuple(self.parts_of_text(node.scalar_text(), None)))

    def advice_lines(
        self, node: Node | None, measure_names: Collection[str], policy_names: Collection[str]
    ) -> tuple[AdviceLine, ...]:
        """Return the author's short advice for players (key ``remember``), one item for each line.

        ``node``: the value of the key; None if the file has no such key. ``measure_names``, ``policy_names``: the names
        that a line may mention.
        """
        return tuple(self.advice_line(item, measure_names, policy_names) for item in (node.value if node else ()))

    def advice_line(self, node: Node, measure_names: Collection[str], policy_names: Collection[str]) -> AdviceLine:
        data, policy = node.data(), node.get("policy")
        name = self.policy_name(policy, policy_names)
        line = node.value["line"]
        wording = Wording(tuple(self.parts_of_text(line.scalar_text(), measure_names)))
        option, variable = data.get("option", ""), data.get("from", "")
        if wording.contains_number("number") != bool(option and variable):
            message = "a line with {number} names the option and the variable of its number, and no other line does"
            self.reading.report("OD372", line.location, message, "write option: Stop, and from: stash")
        if policy and option:
            hint = "leave out one of them"
            self.reading.report("OD372", policy.location, "a line has either a number or a policy", hint)
        if variable and variable not in {*self.names.state, *self.names.defines}:
            hint = did_you_mean(variable, self.names.state, "variables")
            self.reading.report("OD361", node.value["from"].location, f"there is no variable {variable}", hint)
        if option and option not in self.options:
            hint = did_you_mean(option, self.options, "options")
            self.reading.report("OD362", node.value["option"].location, f"there is no option {option}", hint)
        values = changed_parameter_values(self.reading, self.names.parameters, node)
        return AdviceLine(wording, name, option, variable, tuple(data.get("seats", ())), tuple(values.items()))

    def policy_name(self, node: Node | None, policy_names: Collection[str]) -> str:
        """Return the name of a policy, and report an error if it does not exist; empty if ``node`` is None."""
        name = str(node.scalar_text().value) if node else ""
        if node and name not in policy_names:
            hint = did_you_mean(name, policy_names, "policies")
            self.reading.report("OD371", node.location, f"there is no policy {name}", hint)
        return name

    def parts_of_text(
        self, text: Text, measure_names: Collection[str] | None
    ) -> Iterator[str | ComputedValue | PrintedDefinition | SolvedNumber]:
        """Yield the parts of a text. ``measure_names``: names of measures that can be filled in; None if no answer can."""
        for part in texts_and_spans_in_braces(self.reading, text):
            yield part if isinstance(part, str) else self.filled_in_part(text, *part, measure_names)

    def filled_in_part(
        self, text: Text, start: int, end: int, measure_names: Collection[str] | None
    ) -> ComputedValue | PrintedDefinition | SolvedNumber:
        name = " ".join(text.value[start:end].split())
        if name in {*self.names.dice, *self.names.lists, *self.names.maps}:
            return PrintedDefinition(name)
        if measure_names is not None:
            if name in measure_names:
                return SolvedNumber("measure", name)
            if name in ("number", "turns", "rolls"):
                return SolvedNumber(name)  # type: ignore[arg-type]
            if seat := _SEAT.fullmatch(name):
                if int(seat[1]) > self.max_seats:
                    message = f"there is no seat {seat[1]}: at most {self.max_seats} play"
                    self.reading.report("OD372", text.location_at(start), message)
                return SolvedNumber("seat", seat=int(seat[1]))
        return read_computed_value(self.reading, text, self.scope, start, end)
