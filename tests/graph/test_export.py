"""What other programs get of a graph is the graph: DRN, GraphML and DOT read back, hostile names and all."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from oddsmith.base.errors import ExportError
from oddsmith.base.exact import fraction_text
from oddsmith.base.location import Source
from oddsmith.graph.explore import Explorer
from oddsmith.graph.export import networks
from oddsmith.graph.export.model_checkers import drn
from oddsmith.graph.export.networks import dot, graphml
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.variables import ExportedVariables
from oddsmith.report.export.tables import policy_rows, storm_drn_bytes
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.questions import Measure
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.solve.game_solver import entries_in_questions, solve
from oddsmith.solve.questions.measure import answer_question, expected_lengths
from oddsmith.solve.solution import Solution
from tests.cases import MIXING, Case, cases, cases_of, explored, size, solved
from tests.drn import Model, read_drn

HOSTILE = Path(__file__).resolve().parents[1] / "publish" / "hostile.yaml"
PLAYED = [
    (case, objective)
    for case in cases()
    for objective in case.objectives
    if (str(case), objective) not in MIXING and size(case, objective)["states"] <= 130
]
each_play = pytest.mark.parametrize(("case", "objective"), PLAYED, ids=str)
ALONE = [case for case in cases() if case.seats == 1 and size(case, case.objectives[0])["states"] <= 400]

# What a YAML file can call things: quotes, escapes of every format, lines, a sign that XML has no place for.
NASTY = r"""
format: 1
id: nasty
title: Nasty
summary: Names that are no words.
seats: 1
state:
  phase: {max: 8}
  action: {max: 2}
payoffs: {points: phase + action}
turn: choose
phases:
  choose:
    choose:
      - {name: "a \" -> b [label=\"x\"]; // \\n", then: throw}
      - {name: "=1+1 \u0007\u0085 \U0001F3B2 %41", when: action < 2, do: add 1 to action, then: throw}
  throw:
    roll: {die: d6}
    outcomes:
      - {name: "<![CDATA[", when: die > 2 * action and phase < 3, do: add 1 to phase, then: choose}
      - {name: "]]>", then: end}
"""


def hostile() -> StateGraph:
    return Explorer(bind(load_ruleset(HOSTILE)[0]), "win").explore()[0]


# --- DRN


@each_play
def test_the_chain_is_worth_what_the_solution_says(case: Case, objective: str) -> None:
    solution = solved(case, objective)
    model = read_drn(storm_drn_bytes(solution))
    (start,) = model.labelled("init")
    found = [model.values(f"seat_{seat}")[start] for seat in range(1, case.seats + 1)]
    assert found == [value.exact for value in solution.values]
    found = [model.values(name)[start] for name in ("turns", "rolls")]
    assert found == [number.exact for number in expected_lengths(solution).values()]


@pytest.mark.parametrize("case", ALONE, ids=str)
def test_one_seat_s_choices_are_all_there(case: Case) -> None:
    graph = explored(case, case.objectives[0])
    model = read_drn(drn(graph, choosing_seat=1))
    assert model.kind == "MDP"
    counts = [f"count_{number}" for number in range(1, len(graph.watched) + 1)]
    assert model.rewards == ["seat_1", "turns", "rolls", *counts]
    assert len(model.choices) == graph.state_count + 1
    end = graph.state_count
    for state in range(graph.state_count):
        assert len(model.choices[state]) == len(graph.rows(state))
        for row, choice in zip(graph.rows(state), model.choices[state], strict=True):
            chances = dict[int, Fraction]()
            rewards = [Fraction(0)] * len(model.rewards)
            for edge in graph.edges(row):
                chance = Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
                target = int(graph.target[edge]) % (end + 1)  # -1 is the end
                chances[target] = chances.get(target, Fraction(0)) + chance
                paid = Fraction(graph.payoffs[int(graph.payoff[edge])][0], graph.scale)
                marks = int(graph.event_bits[edge])
                seen = [graph.turn_over[edge], marks & 1, *(marks & bit for bit in graph.watched.values())]
                passed = [paid, *(Fraction(bool(each)) for each in seen)]
                rewards = [sum_ + chance * more for sum_, more in zip(rewards, passed, strict=True)]
            assert choice.moves == chances
            assert choice.rewards == rewards


@pytest.mark.parametrize("name", ["hot-purse", "pig", "snakes-and-ladders", "rogues-gambit"])
def test_counts_are_rewards_too(name: str) -> None:
    case = cases_of(name)[0]
    solution = solved(case, case.objectives[0])
    model, watched = read_drn(storm_drn_bytes(solution)), list(solution.graph.watched)
    (start,) = model.labelled("init")
    questions = [measure for measure in case.game.ruleset.measures.values() if plainly_counts(measure)]
    for question in questions:
        assert question.at_entry is not None
        count = f"count_{watched.index(question.at_entry) + 1}"
        assert model.values(count)[start] == answer_question(case.game, question, lambda: solution).exact
        assert any(note.startswith(f"// {count}: how often {question.at_entry[1]} of") for note in model.notes)
    assert questions


def plainly_counts(question: Measure) -> bool:
    return question.kind == "count" and question.given_entry is None


def test_states_stand_for_their_number_and_the_seat_to_move() -> None:
    solution = solved(Case("rogues-gambit", 3, {"coins_each": 3}), "coins")
    model = read_drn(storm_drn_bytes(solution))
    states = [re.match(r"// state (\d+) of the graph, (\w+): ", note) for note in model.notes]
    numbers = [int(match[1]) for match in states if match]
    movers = [int(labels[-1].removeprefix("mover_")) - 1 for labels in model.labels[:-1]]
    assert len(numbers) == len(movers) == len(set(zip(numbers, movers, strict=True)))
    for seat in range(3):
        for value, number, mover in zip(model.values(f"seat_{seat + 1}"), numbers, movers, strict=False):
            assert value == solution.state_values(number, mover)[(seat - mover) % 3].exact


def test_an_open_seat_has_every_choice_the_others_one() -> None:
    solution = solved(Case("rogues-gambit", 2, {"coins_each": 6}), "coins")
    graph = solution.graph
    model = read_drn(storm_drn_bytes(solution, seat=2))
    several = {labels[-1] for labels, choices in zip(model.labels, model.choices, strict=True) if len(choices) > 1}
    assert (model.kind, several) == ("MDP", {"mover_2"})
    kept = read_drn(storm_drn_bytes(solution))
    assert {note for note in kept.notes if note.startswith("// state")} <= set(model.notes)
    assert len(model.choices) > len(kept.choices), "what the policy shuns can now be come to"
    assert graph.action_name(int(policy_rows(solution)[0, 0])) == "roll"


def test_a_chain_by_seat_and_none_where_a_player_mixes() -> None:
    game = bind(
        cases_of("rogues-gambit")[0].game.ruleset, Setting(4, values={"coins_each": 14, "full_belly": "pocketed"})
    )
    solution = solve(game, "coins")
    assert solution.kind == "pure-by-seat"
    rows = policy_rows(solution)
    assert any(len(set(row)) > 1 for row in rows.tolist())
    assert all(rows[s, m] == solution.best_row(s, m) for s in range(0, solution.graph.state_count, 7) for m in range(4))
    read_drn(storm_drn_bytes(solution))
    with pytest.raises(ExportError, match="a player mixes"):
        storm_drn_bytes(solve(game, "coins", same_for_all_seats=True))


def test_negative_payoffs_are_pointed_out() -> None:
    notes = [
        " ".join(read_drn(drn(explored(case, objective), choosing_seat=1)).notes)
        for case, objective in ((cases_of("craps")[0], "even"), (cases_of("pig")[0], "points"))
    ]
    assert ["negative" in note for note in notes] == [True, False]


# --- GraphML and DOT

SMALL = [case for case in cases() if size(case, case.objectives[0])["transitions"] <= networks.DOT_MOST]
each_small = pytest.mark.parametrize("case", SMALL, ids=str)


def edges_of(plain: Any) -> Counter[tuple[str, ...]]:
    return Counter(
        (str(a), str(b), *(f"{name}={value}" for name, value in sorted(edge.items())))
        for a, b, edge in plain.edges(data=True)
    )


@each_small
def test_graphml_reads_back(case: Case) -> None:
    graph = explored(case, case.objectives[0])
    found = nx.read_graphml(BytesIO(graphml(graph)), force_multigraph=True)
    plain = graph.to_networkx()
    assert found.graph["objective"] == graph.objective
    assert set(found) == {str(node) for node in plain}
    assert edges_of(found) == edges_of(plain)
    variables = ExportedVariables(graph.game, graph.codec, ("phase", "out"))
    for number in range(graph.state_count):
        node = dict(found.nodes[str(number)])
        assert node.pop("phase") == graph.state(number).phase
        node.pop("out", None)
        shown = zip(variables.names, variables.values(graph.state(number)), strict=True)
        assert node == {name: value for name, value in shown if value is not None}


TEXT = r'"(?:[^"\\\n]|\\\\|\\")*"'
NODE = re.compile(rf"  (\d+|end) \[label={TEXT}(?:, shape=oval)?\];")
EDGE = re.compile(rf"  (\d+) -> (\d+|end) \[(\w+={TEXT}(?:, \w+={TEXT})*)\];")


def read_dot(data: bytes) -> tuple[set[str], Counter[tuple[str, ...]]]:
    """Nodes, and edges with their attributes but for the label; every line must be one or the other."""
    head, shape, *lines, end = data.decode().removesuffix("\n").split("\n")
    assert re.fullmatch(rf"digraph {TEXT} {{", head)
    assert (shape, end) == ("  node [shape=box];", "}")
    nodes, edges = set(), Counter[tuple[str, ...]]()
    for line in lines:
        if node := NODE.fullmatch(line):
            nodes.add(node[1])
            continue
        edge = EDGE.fullmatch(line)
        assert edge, line
        named = re.findall(rf"(\w+)=({TEXT})", edge[3])
        plain = {name: text[1:-1].replace('\\"', '"').replace("\\\\", "\\") for name, text in named}
        assert plain.pop("label").startswith(plain["action"])
        edges[edge[1], edge[2], *(f"{name}={value}" for name, value in sorted(plain.items()))] += 1
    return nodes, edges


@each_small
def test_dot_reads_back(case: Case) -> None:
    graph = explored(case, case.objectives[0])
    plain = graph.to_networkx()
    assert read_dot(dot(graph)) == ({str(node) for node in plain}, edges_of(plain))


def test_large_games_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = explored(cases_of("pig")[0], "win")
    for name, write in (("DOT", dot), ("GRAPHML", graphml)):
        monkeypatch.setattr(networks, f"{name}_MOST", 5)
        with pytest.raises(ExportError, match=rf"{len(graph.target)} transitions.* beyond 5: take fewer seats"):
            write(graph)


# --- all


def nasty() -> Solution:
    return solve(bind(read_ruleset(Source("nasty.yaml", NASTY))[0]))


def test_no_name_breaks_a_format() -> None:
    solution = nasty()
    graph = solution.graph
    assert read_dot(dot(graph))[1].total() == len(graph.target)
    ET.fromstring(graphml(graph))  # noqa: S314 - our own
    read_back = nx.read_graphml(BytesIO(graphml(graph)), force_multigraph=True)
    actions = {edge["action"] for _, _, edge in read_back.edges(data=True)}
    assert 'a " -> b [label="x"]; // \\n' in actions
    assert any(action.startswith("=1+1 \ufffd") for action in actions)
    assert {"phase", "phase_", "action"} <= set(read_back.nodes["0"])
    assert read_back.nodes["0"]["phase"] == "choose"
    model = read_drn(drn(graph, choosing_seat=1))
    names = {choice.name for choices in model.choices for choice in choices}
    assert {"end", "a_%22_->_b_%5Blabel=%22x%22%5D%3B_%2F%2F_%5Cn"} < names
    assert read_drn(storm_drn_bytes(solution)).values("seat_1")[0] == solution.values[0].exact


def test_a_hostile_ruleset_reads_back() -> None:
    graph = hostile()
    nx.read_graphml(BytesIO(graphml(graph)))
    assert edges_of(nx.read_graphml(BytesIO(graphml(graph)), force_multigraph=True)) == edges_of(graph.to_networkx())
    solution = solve(graph.game)
    assert read_drn(storm_drn_bytes(solution)).values("seat_1")[0] == solution.values[0].exact


def test_the_same_game_gives_the_same_bytes() -> None:
    one, two = hostile(), hostile()
    assert one is not two
    for write in (graphml, dot):
        assert write(one) == write(two)
    assert storm_drn_bytes(solve(one.game)) == storm_drn_bytes(solve(two.game))
    for case in ALONE[:3]:
        fresh = Explorer(case.game, case.objectives[0], entries_in_questions(case.game)).explore()[0]
        assert drn(fresh, choosing_seat=1) == drn(explored(case, case.objectives[0]), choosing_seat=1)


def test_fractions_are_in_lowest_terms() -> None:
    model: Model = read_drn(storm_drn_bytes(solved(cases_of("pig")[0], "win")))
    text = storm_drn_bytes(solved(cases_of("pig")[0], "win")).decode()
    chances = {chance for choices in model.choices for choice in choices for chance in choice.moves.values()}
    assert all(f" : {fraction_text(chance)}\n" in text for chance in chances)
    assert "2/6" not in text
