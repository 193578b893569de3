"""A game as a tree in the EFG format: a plain reader of that format and a plain solver find the value of the game in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import oddsmith
from oddsmith.base.errors import ExportError
from oddsmith.base.location import Source
from oddsmith.report.export import decisions_csv, game_tree_efg, trees
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import solve_secrets
from tests.secrets.plain import Tree
from tests.secrets.random_games import random_game
from tests.terminal import run

GAMES = Path(__file__).parents[1] / "secrets" / "games"
KUHN = str(GAMES / "kuhn-poker.yaml")
NEAR = 1e-7

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{},"]+)|,')


class Reader:
    """A reader of EFG files with two players, written from Gambit's page on the format. It fills a tree of sequences."""

    def __init__(self, text: str) -> None:
        self.tokens = list(TOKEN.finditer(text))
        self.at, self.tree = 0, Tree(None, "")  # type: ignore[arg-type]
        self.actions: list[dict[str, list[str]]] = [{}, {}]
        self.numbered, self.sums = set[str](), set[Fraction]()
        self.nodes, self.labels = 0, dict[tuple[int, str], str]()
        assert [self.word(), self.word(), self.word()] == ["EFG", "2", "R"]
        self.title = self.quoted()
        self.players = list(self.block())
        self.about = self.quoted()
        self.node((0, 0), Fraction(1))
        assert self.at == len(self.tokens)
        assert len(self.sums) == 1

    def word(self) -> str:
        found = self.tokens[self.at][3]
        self.at += 1
        return str(found)

    def quoted(self) -> str:
        found = self.tokens[self.at][1]
        assert found is not None
        self.at += 1
        return str(found)

    def block(self) -> Iterator[str]:
        """The words between two brackets."""
        assert self.tokens[self.at][2] == "{"
        self.at += 1
        while self.tokens[self.at][2] != "}":
            each = self.tokens[self.at]
            if each[0] != ",":
                yield each[1] if each[1] is not None else each[3]
            self.at += 1
        self.at += 1

    def node(self, last: tuple[int, int], chance: Fraction) -> None:
        self.nodes += 1
        kind, name = self.word(), self.quoted()
        assert not name
        if kind == "t":
            self.end(last, chance)
        elif kind == "c":
            number = self.word()
            assert number not in self.numbered
            self.numbered.add(number)
            assert self.labels.setdefault((-1, self.quoted()), number) == number
            weighed = list(self.block())
            assert self.word() == "0"
            odds = list(map(Fraction, weighed[1::2]))
            assert sum(odds) == 1
            for each in odds:
                self.node(last, chance * each)
        else:
            player, number, label = int(self.word()) - 1, self.word(), self.quoted()
            names = list(self.block())
            assert self.word() == "0"
            assert len(set(names)) == len(names) > 1
            assert self.actions[player].setdefault(number, [label, *names]) == [label, *names]
            assert self.labels.setdefault((player, label), number) == number
            for sequence in self.sequences(player, number, last, len(names)):
                self.node((sequence, last[1]) if player == 0 else (last[0], sequence), chance)

    def sequences(self, player: int, number: str, last: tuple[int, int], count: int) -> list[int]:
        before, places = self.tree.before[player], self.tree.places[player]
        view: Any = (number,)
        if view not in places:
            places[view] = (len(before), list(range(count)))
            before += [(last[player], view)] * count
        first = places[view][0]
        assert before[first][0] == last[player]  # a player remembers its own choices
        return list(range(first, first + count))

    def end(self, last: tuple[int, int], chance: Fraction) -> None:
        self.word()
        self.quoted()
        first, second = map(Fraction, self.block())
        self.sums.add(first + second)
        self.tree.paid[last] = self.tree.paid.get(last, 0.0) + float(chance * first)


def tree_of(game: str, **parameters: Any) -> tuple[Reader, float]:
    """The tree of a game, read, and the value of the game to the first seat."""
    own = GAMES / f"{game}.yaml"
    solved = oddsmith.load(own if own.exists() else game).at(**parameters).solve()
    return Reader(solved.export("efg").decode()), float(solved.values[0].middle)


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("kuhn-poker", {}),
        ("kuhn-poker", {"top": 5}),
        ("odd-or-even", {}),
        ("goofspiel", {"top": 3}),
        ("le-her", {"king": 4, "suits": 1}),
        ("liars-dice", {"sides": 2}),
        ("guess-the-ace", {}),
        ("stripped-down-poker", {}),
        ("cups-and-coins", {}),
        ("two-lanterns", {"oil": 2}),
    ],
)
def test_a_plain_solver_finds_the_value_in_the_tree(game: str, parameters: dict[str, Any]) -> None:
    found, value = tree_of(game, **parameters)
    assert abs(found.tree.value() - value) < NEAR


def test_random_games_have_their_values_in_their_trees() -> None:
    told = 0
    for seed in range(40):
        game = bind(read_ruleset(Source("random.yaml", json.dumps(random_game(seed))))[0])
        try:
            value = float(solve_secrets(game, "win").values[0].middle)
        except oddsmith.PlayError:
            with pytest.raises(oddsmith.PlayError, match="cannot tell these apart"):
                game_tree_efg(game, "win")
            continue
        assert abs(Reader(game_tree_efg(game, "win").decode()).tree.value() - value) < NEAR
        told += 1
    assert told > 30


def test_kuhn_poker_is_written_as_people_know_it() -> None:
    found, _ = tree_of("kuhn-poker")
    assert found.players == ["seat 1", "seat 2"]
    assert found.title == "Kuhn Poker"
    assert [len(each) for each in found.actions] == [6, 6]
    assert found.nodes == 1 + 3 + 6 * (5 + 4)
    assert ["open, card 1", "Check", "Bet"] in found.actions[0].values()
    assert ["answer, card 3, seat 1: Bet", "Fold", "Call"] in found.actions[1].values()


def test_a_tree_that_ends_nowhere_or_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExportError, match="no end, because play can come back"):
        oddsmith.load("piglet").at(target=2).solve().export("efg")
    monkeypatch.setattr(trees, "MAX_NODES", 50)
    assert oddsmith.load(KUHN).at(top=2).solve().export("efg")
    with pytest.raises(ExportError, match="over 50 nodes: choose a smaller setting"):
        oddsmith.load(KUHN).at(top=3).solve().export("efg")


def test_decisions_are_written_in_every_format_of_tables(tmp_path: Path) -> None:
    for form in ("csv", "json", "parquet"):
        done = run("export", KUHN, "-o", str(tmp_path / f"kuhn.{form}"))
        assert done.returncode == 0, done.stderr
    lines = (tmp_path / "kuhn.csv").read_text().splitlines()
    table = pyarrow.parquet.read_table(tmp_path / "kuhn.parquet")
    data = json.loads((tmp_path / "kuhn.json").read_text())
    assert lines[0].split(",") == table.column_names
    assert len(lines) - 1 == table.num_rows == sum(len(each["chances"]) for each in data["decisions"])
    assert [row["chance"] for row in table.to_pylist()] == [
        chance for each in data["decisions"] for chance in each["chances"].values()
    ]


@pytest.mark.parametrize("form", ["drn", "prism", "dot", "graphml"])
def test_formats_of_positions_are_refused_with_a_way_on(form: str) -> None:
    done = run("export", KUHN, "--format", form)
    assert done.returncode == 1
    assert f"{form} has positions that everybody sees: efg has the game as a tree" in done.stderr


def test_a_table_may_hold_some_decisions_alone(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.csv"
    done = run("solve", KUHN, "--values", "--table", str(file), "--where", "mover=1, card 3, phase=open")
    assert done.returncode == 0, done.stderr
    assert [line.split(",")[:4] for line in file.read_text().splitlines()[1:]] == [
        ["1", "open", "card 3", "Check"],
        ["1", "open", "card 3", "Bet"],
    ]
    done = run("solve", KUHN, "--values", "--table", str(file), "--where", "card 9")
    assert "nobody has to choose where this holds: card 9" in done.stderr


def test_no_word_of_a_ruleset_is_a_formula_in_a_spreadsheet() -> None:
    data = json.loads(json.dumps(random_game(3)).replace('"Pick"', '"=Pick"'))
    found = solve_secrets(bind(read_ruleset(Source("random.yaml", json.dumps(data)))[0]), "win")
    text = decisions_csv(found.decisions()).decode()
    assert ",'=Pick" in text
    assert ",=Pick" not in text
