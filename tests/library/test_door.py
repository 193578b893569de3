"""``import oddsmith`` gives the whole program, each answer the one that the command line gives."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

import oddsmith
from oddsmith.base.dataframes import make_table
from oddsmith.base.errors import InputError, PositionError
from oddsmith.base.executors import Work
from oddsmith.cli import main
from oddsmith.report.answers.solving import solved_answer
from oddsmith.solve.solution import Solution
from tests.cli.test_light import loaded_by
from tests.docs.blocks import ROOT
from tests.staged import by_stages

TOSS = """\
format: 1
id: toss
title: Toss
summary: One toss.
seats: 1
parameters:
  bend: {default: 1, min: 1, max: 6, about: What heads weigh.}
dice:
  coin: {faces: [1, 0], weights: [bend, 2]}
state: {paid: {type: tally}}
payoffs: {coins: paid}
turn: toss
phases:
  toss:
    roll: {flip: coin}
    do: add flip to paid
    then: end
"""


@cache
def gambit() -> oddsmith.SolvedGame:
    return oddsmith.load("rogues-gambit").at(seats=2, coins_each=4).solve()


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command line prints about the same game."""
    with pytest.raises(SystemExit) as end:
        main([words[0], "rogues-gambit", "--seats", "2", "--set", "coins_each=4", *words[1:]])
    assert end.value.code == 0
    return capsys.readouterr().out


def test_values_measures_and_distributions_are_the_command_line_s(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--distribution", "turns given throw/Trifecta", "--turns", "3", "--break-even", "--json")
    expected = json.loads(printed(capsys, "solve", *words))
    found = gambit().to_json()
    del expected["seconds"], found["seconds"]
    more = {
        "strategy": gambit().outline().to_json(),
        "distributions": [gambit().distribution("turns given throw/Trifecta").to_json()],
        "horizon": gambit().horizon(3).to_json(),
        "break_even": [each.to_json() for each in gambit().break_even()],
    }
    assert {**found, **more} == expected
    assert gambit().distribution("turns", given_entry=("throw", "Trifecta")) == gambit().distribution(
        "turns given throw/Trifecta"
    )


def test_advice_is_the_command_line_s_for_text_names_and_states(capsys: pytest.CaptureFixture[str]) -> None:
    expected = json.loads(printed(capsys, "advise", "--state", "hoard=1,stash=7", "--json"))
    solved = gambit()
    asked = solved.position("hoard=1,stash=7")
    state = solved.graph.state(asked.state_index)
    for position in ("hoard=1,stash=7", {"hoard": 1, "stash": 7}, state):
        found = solved.advise(position)
        assert [each.action for each in found] == [each["action"] for each in expected["actions"]]
        assert solved.policy(position) == expected["best"][0]
        assert solved.values_at(position)[0] == found[0].value
    assert solved.advise(hoard=1, stash=7) == solved.advise(state)
    assert solved.values_at(hoard=1, stash=7) == solved.values_at(state)
    assert solved.position(hoard=1, stash=7).state_index == asked.state_index
    assert solved.policy(hoard=1, stash=7) == expected["best"][0]
    assert solved.policy.action_probabilities(hoard=1, stash=7) == {expected["best"][0]: oddsmith.Number.of(1)}


def test_thresholds_are_where_the_policy_turns() -> None:
    """In every line the action below differs from that above, and the policy takes them on both sides."""
    solved = oddsmith.load("rogues-gambit").at(seats=3, coins_each=4).solve()
    (line,) = solved.thresholds("decide", table_type="records")
    assert list(line) == ["below", "stash", "above"]
    records = solved.table("records")
    deciding = [each for each in records if each["phase"] == "decide" and not each["fed"] and each["hoard"]]
    below = {each["action"] for each in deciding if each["stash"] < line["stash"]}
    above = {each["action"] for each in deciding if each["stash"] >= line["stash"]}
    assert (below, above) == ({line["below"]}, {line["above"]})
    assert solved.thresholds(table_type="records") == [line]
    with pytest.raises(oddsmith.PositionError, match="did you mean decide"):
        solved.thresholds("decidee")
    assert oddsmith.load("craps").solve().thresholds(table_type="records") == []
    columns = list(oddsmith.load("wizards-and-thieves").solve().thresholds("declare", table_type="records")[0])
    assert columns == ["purse[1]", "below", "pot", "above"]  # as in a table of best play


def test_a_text_is_read_as_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "toss.yaml").write_text(TOSS, encoding="utf-8")
    assert oddsmith.loads(TOSS).sha256 == oddsmith.load(tmp_path / "toss.yaml").sha256
    with pytest.raises(oddsmith.RulesetError, match="a ruleset has at most"):
        oddsmith.loads(TOSS + "#" * 1_000_000)
    with pytest.raises(oddsmith.RulesetError, match="there is nothing called flap"):
        oddsmith.loads(TOSS.replace("add flip", "add flap"))
    with pytest.raises(oddsmith.UnknownRulesetError, match="loads reads the text"):
        oddsmith.load(TOSS * 20)


@pytest.mark.parametrize("form", ["csv", "json", "drn", "graphml"])
def test_exports_are_the_command_line_s_bytes(form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / f"game.{form}"
    assert gambit().export(file=file) == file.read_bytes() == gambit().export(form)
    assert printed(capsys, "export", "--format", form).encode() == file.read_bytes()


def test_a_certificate_is_written_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "gambit.jsonl.gz"
    assert gambit().certificate(file) == file.read_bytes()
    book = oddsmith.load("rogues-gambit")
    checked = book.certify(file)
    assert checked.is_fully_derived
    assert checked.values == gambit().values
    assert book.certify(gambit().certificate(), sample=3, seed=1).derivation.checked >= 3
    with pytest.raises(oddsmith.CertificateError):
        oddsmith.load("piglet").certify(file)


def test_a_graph_needs_no_solving_and_tells_networkx_the_variables() -> None:
    graph = oddsmith.load("rogues-gambit").at(2, coins_each=4).graph()
    plain = graph.to_networkx()
    assert len(plain) == graph.state_count + 1
    node = plain.nodes[gambit().position("hoard=1,stash=7").state_index]
    assert (node["phase"], node["hoard"], node["stash"]) == ("decide", 1, 7)
    assert node["state"] == graph.state(gambit().position("hoard=1,stash=7").state_index)
    assert plain.nodes["end"] == {"phase": "end"}


def test_a_symbol_takes_a_range_as_the_command_line_does(tmp_path: Path) -> None:
    (tmp_path / "toss.yaml").write_text(TOSS, encoding="utf-8")
    book = oddsmith.load(tmp_path / "toss.yaml")
    assert book.formulas("bend").values(2) == (Fraction(1, 2),)
    assert book.formulas("bend=1..5/2").pieces[-1].high.exact == Fraction(5, 2)
    with pytest.raises(oddsmith.SymbolError, match="write a parameter"):
        book.formulas("bend=")
    with pytest.raises(oddsmith.SymbolError, match="outside the range"):
        book.formulas("bend=1..2").values(3)


def test_a_site_is_written(tmp_path: Path) -> None:
    assert oddsmith.load("piglet").at(seats=2).publish(tmp_path) == tmp_path / "mkdocs.yml"
    assert (tmp_path / "docs" / "games" / "piglet.md").is_file()
    assert (tmp_path / "docs" / "runtime").is_dir() or list((tmp_path / "docs").rglob("*.mjs"))


def test_check_says_what_is_wrong(tmp_path: Path) -> None:
    assert oddsmith.check("piglet") == ()
    file = tmp_path / "wrong.yaml"
    file.write_text(TOSS.replace("add flip", "add flap"), encoding="utf-8")
    (problem,) = [each for each in oddsmith.check(file) if each.severity == "error"]
    assert problem.location.line == 16
    with pytest.raises(oddsmith.RulesetError):
        oddsmith.load(file)


def test_an_unknown_name_raises_what_the_docstring_says() -> None:
    with pytest.raises(oddsmith.UnknownRulesetError, match="rogues-gambit"):
        oddsmith.load("rogues-gambits")
    assert issubclass(oddsmith.UnknownRulesetError, InputError)


# --- tables and notebooks


def test_a_table_is_a_list_of_records_where_no_frames_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.base.dataframes.find_spec", lambda name: None)
    first, *_ = found = gambit().table()
    assert len(found) == gambit().graph.state_count
    assert (first["phase"], first["action"]) == (
        gambit().graph.state(0).phase,
        gambit().policy(gambit().graph.state(0)),
    )
    assert Fraction(first["value_1"]) == gambit().values[0].exact
    assert gambit().table("records") == found


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_table_is_a_frame_where_a_library_for_them_is(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, kind, SimpleNamespace(DataFrame=lambda columns: (kind, columns)))
    monkeypatch.setattr("oddsmith.base.dataframes.find_spec", lambda name: name == kind or None)
    assert make_table(["a", "b"], [[1, "x"], [2, "y"]]) == (kind, {"a": [1, 2], "b": ["x", "y"]})
    assert make_table(["a"], []) == (kind, {"a": []})
    assert gambit().table()[1]["state"] == list(range(gambit().graph.state_count))


def test_a_table_of_a_kind_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(oddsmith.ExportError, match="pip install polars"):
        gambit().table("polars")
    with pytest.raises(oddsmith.ExportError, match="take records, pandas or polars"):
        gambit().table("spreadsheet")


def test_a_notebook_shows_values_and_table_and_no_markup_of_a_ruleset() -> None:
    shown = gambit()._repr_html_()
    assert "<strong>Rogue&#x27;s Gambit, 2 seats, coins (exact)</strong>" in shown
    assert gambit().values[0].decimal(12) in shown
    assert "<th>hoard</th>" in shown
    hostile = oddsmith.load(ROOT / "tests" / "publish" / "hostile.yaml").solve()._repr_html_()
    assert "<script" not in hostile.lower()
    assert "<img" not in hostile.lower()


# --- starting


def test_importing_is_light_and_everything_promised_is_there() -> None:
    assert loaded_by("import oddsmith") == set()
    told = "import sys, oddsmith; print('numpy' in sys.modules, set(oddsmith.__all__) <= set(dir(oddsmith)))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
    assert all(getattr(oddsmith, name) is not None for name in oddsmith.__all__)
    with pytest.raises(AttributeError):
        _ = oddsmith.nothing
    assert isinstance(gambit().solution, Solution)
    assert "rogues-gambit" in oddsmith.shipped_rulesets()
    with oddsmith.limited(turns=2), pytest.raises(oddsmith.HorizonError, match="--limit turns=20"):
        gambit().horizon(3)


def test_a_fault_of_ours_is_never_taken_for_a_game_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def disagree(*_: object, **__: object) -> Solution:
        raise oddsmith.DisagreementError("the engine and the rules do not agree")

    rules = oddsmith.load("piglet").ruleset
    monkeypatch.setattr("oddsmith.report.answers.solving.solve", disagree)
    with pytest.raises(oddsmith.InternalError, match="please report it"):
        solved_answer(rules, rules.edition.main_setting)


def test_the_seat_to_move_is_kept_in_advice_and_told() -> None:
    """Seat 1 plays a named policy, so a position is worth another amount to seat 2, who moves there."""
    named = oddsmith.load("pig").at(2, target=30).solve(policies={1: "hold at 25"})
    values = []
    for seat in (1, 2):
        found = named.advice(f"mover={seat},pot=12")
        assert [each.value for each in found.actions] == [each.value for each in named.advise(mover=seat, pot=12)]
        assert found.words == f"phase decide, mover seat {seat}, pot 12"
        values.append(found.actions[0].value)
    assert values[0].upper < values[1].lower
    assert named.advice(pot=12).notes == ()
    assert named.advice("score[2]=5,pot=3").notes == ("seats count from the player to move: score[1] is that player's",)


def test_advice_says_that_it_leaves_out_what_is_held_already() -> None:
    """A purse that only adds up is in no position: its coins change no value."""
    gambit = oddsmith.load("rogues-gambit").at(2, coins_each=4).solve()
    held = gambit.advice("hoard=0,stash=1,purse[1]=2")
    assert held.notes[-1] == "values count what is still to come, without what purse[1] holds already"
    assert gambit.advice("hoard=0,stash=1").notes == ()
    assert [each.value for each in held.actions] == [each.value for each in gambit.advise("hoard=0,stash=1")]


def test_positions_of_a_game_by_stages_are_typed_as_elsewhere() -> None:
    whole, staged = oddsmith.load("pig").at(target=6).solve(), by_stages(oddsmith.load("pig"), target=6, digits=30)
    told = [each.action for each in whole.advise(pot=3)]
    for found in (staged.advise(pot=3), staged.advise("pot=3"), staged.advise({"pot": 3})):
        assert [each.action for each in found] == told
    state = staged.position(pot=3).state
    assert [each.action for each in staged.advise(state)] == told
    assert staged.mixture(pot=3) == {}
    never = replace(state, mover=1, seats_out_bits=1)
    for ask in (staged.advise, staged.mixture):
        with pytest.raises(PositionError):
            ask(never)


# --- parameters that are called like a word of a method

CALLED = """\
format: 1
id: called
title: Called
summary: A parameter may be called anything.
seats: 1
parameters:
  digits: {default: 1, min: 1, max: 6}
  jobs: {default: 1, min: 1, max: 6}
state: {left: {start: 2, max: 2}, paid: {type: tally}}
payoffs: {coins: paid}
turn: toss
phases:
  toss:
    roll: {flip: d2}
    do: [add -1 to left, add digits + jobs to paid]
    then: more
  more:
    choose:
      - {name: Stop, then: end}
      - {name: Go on, when: left > 0, then: toss}
"""


def test_a_parameter_may_be_called_like_a_word_of_a_method() -> None:
    book = oddsmith.loads(CALLED)
    worth = book.at(digits=3, jobs=2).solve().values[0].lower
    assert worth > book.solve(digits=3, work=Work(jobs=2)).values[0].lower, "digits is the word of the method"
    staged = by_stages(book, digits_=3, jobs_=2).values[0]
    assert staged.lower <= worth <= staged.upper
    assert book.at(digits=3).effort().state_count == book.effort().state_count
    swept = oddsmith.sweep(book.at(digits_=3), {"jobs": [1, 2]})
    assert [point.settings for point in swept.points] == [{"digits": 3, "jobs": 1}, {"digits": 3, "jobs": 2}]
    assert oddsmith.fair(book.at(digits_=3), "worth 10", {"jobs": "1..3"}).fixed == {"digits": 3}


@pytest.mark.parametrize(
    "command",
    [
        "solve", "solve --by stages", "solve --effort", "check", "lint", "verify", "advise --state left=1",
        "sweep --vary jobs=1..2", "fair --worth 8 --vary jobs=1..3",
    ],
)  # fmt: skip
def test_every_command_sets_a_parameter_that_is_called_like_a_word(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "called.yaml"
    file.write_text(CALLED, "utf-8")
    name, *more = command.split()
    with pytest.raises(SystemExit):
        main([name, str(file), *more, "--set", "digits=3"])
    assert capsys.readouterr().err == ""
