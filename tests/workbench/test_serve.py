"""The designer's page in a real browser: it follows a file, compares, moves settings, and answers nobody else."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.base.files import WatchedFile, find_ruleset
from oddsmith.base.limits import limited
from oddsmith.cli.serve import _message_lines
from oddsmith.design import Message, Question, QuestionAnswerer, answering
from tests.node import ROOT, answers, picture
from tests.secrets.test_errors import BOAST

WHOLE = find_ruleset("rogues-gambit").read_text("utf-8")
RULES = WHOLE[: WHOLE.index("cheats:\n")] + WHOLE[WHOLE.index("remember:\n") :]
WIDER = RULES.replace("hand: 3d6", "hand: 3d8")
PIG = find_ruleset("pig").read_text("utf-8").replace("id: pig", "id: my-pig")
PIGLET = find_ruleset("piglet").read_text("utf-8")
HUGE = re.sub(r"max: (20|3)\b", "max: 100000000", (ROOT / "tests" / "publish" / "alone.yaml").read_text("utf-8"))
HUGE = HUGE.replace("pot <= 16", "pot <= 99999990")
BROKEN = RULES.replace("hand: 3d6", "hand: 3dd")
LINE = BROKEN[: BROKEN.index("3dd")].count("\n") + 1


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a page that follows a file of its own, and the file."""
    file = tmp_path / "mine.yaml"
    file.write_text(RULES, "utf-8")
    words = ["serve", str(file), "--seats", "2", "--set", "coins_each=8", "--port", "0"]
    process = Popen([sys.executable, "-m", "oddsmith", *words], stdout=PIPE, stderr=PIPE, text=True)
    assert process.stdout is not None
    try:
        address = re.match(r"http://\S+", process.stdout.readline())
        assert address, process.communicate()
        yield address[0], file
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
        assert "Traceback" not in out + err


def use(base: str, file: Path, **job: Any) -> Any:
    (found,) = answers(
        ROOT / "tests" / "workbench" / "bench.mjs", {"base": base, "file": str(file), **picture("bench"), **job}
    )
    assert found["errors"] == found["foreign"] == found["serious"] == []
    assert found["wide"] <= 0
    return found


def test_a_file_that_is_away_or_empty_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    """Many editors empty a file before they write it."""
    file = tmp_path / "mine.yaml"
    followed = WatchedFile(file)
    assert not followed.has_changed()
    file.write_text(RULES, "utf-8")
    assert followed.has_changed()
    assert not followed.has_changed()
    file.write_text("", "utf-8")
    assert not followed.has_changed()
    assert followed.text == RULES
    file.write_text(WIDER, "utf-8")
    assert followed.has_changed()
    assert followed.text == WIDER


@pytest.mark.browser
def test_a_save_is_answered_with_what_changed(browser: None, served: tuple[str, Path]) -> None:
    first, second, third, fourth = use(*served, texts=[WIDER, BROKEN, WIDER])["steps"]
    before = oddsmith.LoadedRuleset.read(RULES).at(seats=2, coins_each=8).solve()
    after = oddsmith.LoadedRuleset.read(WIDER).at(seats=2, coins_each=8).solve()
    assert first["title"] == "Rogue's Gambit"
    assert before.values[0].decimal(6) in first["answer"]
    assert first["beside"] == ""
    assert after.values[0].decimal(6) in second["answer"]
    assert before.values[0].decimal(6) in second["beside"]
    assert "3d6 → 3d8" in second["changes"]
    for line in oddsmith.diff(before, after).lines(6):
        assert line.strip() in second["changes"]
    assert third["problems"].startswith(f"Line {LINE}: `3dd` is not a die")
    assert third["old"], "the last answer stays, and is called old"
    assert third["answer"] == second["answer"]
    assert (fourth["problems"], fourth["old"]) == ("", False)
    assert "To remember: " in fourth["answer"]


@pytest.mark.browser
def test_settings_move_and_two_games_stand_side_by_side(browser: None, served: tuple[str, Path]) -> None:
    found = use(*served, keep=True, moves=[["coins each", 9], ["variant", "hungry-dragon"]], play=True)
    first, moved, other = found["steps"]
    book = oddsmith.load("rogues-gambit")
    assert first["settings"]["coins each"] == "8"
    assert book.at(seats=2, coins_each=9).solve().values[0].decimal(6) in moved["answer"]
    assert "coins_each: 8 → 9" in moved["changes"]
    hungry = book.at(seats=2, coins_each=9, variants=["hungry-dragon"]).solve()
    assert hungry.values[0].decimal(6) in other["answer"]
    assert other["beside"].startswith("Beside it")
    assert book.at(seats=2, coins_each=8).solve().values[0].decimal(6) in other["beside"], "what was kept stays"
    assert other["settings"]["full belly"] == "hungry", "as the variant has it"
    assert found["played"]


@pytest.mark.browser
def test_it_is_read_on_a_phone(browser: None, served: tuple[str, Path]) -> None:
    use(*served, texts=[WIDER, BROKEN], viewport={"width": 390, "height": 844})


def test_nobody_elsewhere_is_answered_and_nothing_else_is_read(served: tuple[str, Path]) -> None:
    base, _ = served
    place = base.removeprefix("http://").rstrip("/")

    def asked(path: str, method: str = "GET", body: str | None = None, **headers: str) -> tuple[int, str]:
        with closing(http.client.HTTPConnection(place, timeout=20)) as connection:
            connection.request(method, path, body, {"Host": place, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    assert asked("/bench/index.html")[0] == 200
    assert asked("/bench/index.html", Host="example.org")[0] == 400
    for path in ("/bench/../README.md", "/bench/%2e%2e/README.md", "/mine.yaml", "/theme/../../x", "/runtime/"):
        assert asked(path)[0] == 404, path
    for body in ("nonsense", "[]", '{"settings": {"values": {"a": [1]}}}', '{"at": "x"}', '{"settings": 3}'):
        assert asked("/bench/ask", "POST", body, **{"Content-Type": "application/json"})[0] == 400, body
    plain = json.dumps({"settings": {"seats": 3}})
    assert asked("/bench/ask", "POST", plain, **{"Content-Type": "text/plain"})[0] == 400, (
        "as a form of another page would"
    )
    assert asked("/bench/ask", "POST", plain, **{"Content-Type": "application/json"})[0] == 204


def test_a_port_that_is_taken_is_said_to_be(served: tuple[str, Path]) -> None:
    port = served[0].rstrip("/").rpartition(":")[2]
    process = Popen([sys.executable, "-m", "oddsmith", "serve", "piglet", "--port", port], stderr=PIPE, text=True)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"nothing can listen at 127.0.0.1, port {port}" in said


# --- games that take long


def parts(text: str) -> list[Message]:
    return list(QuestionAnswerer().answer_parts(Question("mine.yaml", text), lambda _: None))


def holds(estimate: Message, values: Sequence[Number]) -> bool:
    """Whether each interval, of numbers in words, holds its value."""
    pairs = (map(float, each.split(" ± ")) for each in estimate["values"])
    return all(abs(middle - float(value)) <= off for (middle, off), value in zip(pairs, values, strict=True))


def test_a_game_that_takes_long_is_played_before_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "LARGE_GAME_POSITIONS", 10)
    said = parts(PIG)
    names = [next(iter(each)) for each in said]
    assert names.index("way") < names.index("estimate") < names.index("answer")
    assert "If that takes long, games are played first" in said[names.index("way")]["way"]
    estimates = [each["estimate"] for each in said if "estimate" in each]
    assert [each["games"] for each in estimates] == [50, 200, 1_000, 10_000][: len(estimates)]
    book = oddsmith.loads(PIG)
    played = book.solve(policies=dict.fromkeys((1, 2), book.ruleset.regular_policy))
    for each in estimates:
        assert holds(each, played.values)
        assert f"{each['games']:,} games were played." in each["notes"][-1]
    assert "large" not in names


def test_a_game_that_is_too_large_is_played_instead() -> None:
    with limited(states=10):
        said = parts(PIG)
    names = [next(iter(each)) for each in said]
    assert "failed" not in names
    assert "answer" not in names
    assert "plays at random hardly ever meet" in said[names.index("large")]["large"]
    last = [each for each in said if "estimate" in each][-1]
    assert (last["estimate"]["games"], last["estimate"]["growing"]) == (10_000, False)
    lines = _message_lines(last)
    assert lines[-4].startswith("2 seats, win (estimated): 0.")
    assert lines[-3] == f"Every seat plays “{oddsmith.loads(PIG).ruleset.regular_policy}”."


@pytest.mark.browser
def test_what_was_played_stands_on_the_page(browser: None, served: tuple[str, Path]) -> None:
    solved, large = use(*served, texts=[HUGE], viewport={"width": 390, "height": 844})["steps"]
    assert solved["status"].startswith("Solved in")
    assert large["status"] == "Too large to be solved, so it was played."
    assert "points, estimated" in large["answer"]
    assert "10,000 games were played." in large["answer"]
    assert (large["problems"], large["old"]) == ("", False)


# --- the same in a terminal


def test_watch_tells_the_same_in_lines(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(RULES, "utf-8")
    words = ["serve", str(file), "--terminal", "--seats", "2", "--set", "coins_each=8"]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = Popen([sys.executable, "-m", "oddsmith", *words], stdout=PIPE, stderr=PIPE, text=True, env=unbuffered)
    assert process.stdout is not None

    def until(end: str) -> str:
        lines = list[str]()
        while not lines or end not in lines[-1]:
            line = process.stdout.readline() if process.stdout else ""
            assert line, process.communicate()
            lines.append(line)
        return "".join(lines)

    value = oddsmith.load("rogues-gambit").at(seats=2, coins_each=8).solve().values[0].decimal(6)
    try:
        assert value in until("to remember")
        file.write_text(BROKEN, "utf-8")
        assert f"{LINE}:18: error OD348: `3dd` is not a die" in until("hint")
        file.write_text(WIDER, "utf-8")
        told = until("to remember")
        assert "since the last answer:" in told
        assert "3d6 → 3d8" in told
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=100)
    assert (process.returncode, said.strip()) == (130, "interrupted")


def test_a_game_with_secrets_is_answered_with_its_plans_and_what_changed() -> None:
    answerer = QuestionAnswerer()
    one = Question("boast.yaml", BOAST)
    other = Question("boast.yaml", BOAST.replace("-1, then: end", "0, then: end"), compared_with=one)
    assert other.text != one.text
    first, second = (list(answerer.answer_parts(each, lambda message: None)) for each in (one, other))
    assert not [each for each in (*first, *second) if "failed" in each]
    lines = [line for message in second for line in _message_lines(message)]
    before, after = (oddsmith.loads(each.text).solve() for each in (one, other))
    told = f"boaster: {before.values[0].decimal(6)} → {after.values[0].decimal(6)}"
    assert any(told in line for line in lines), lines
    (answer,) = (each["answer"] for each in second if "answer" in each)
    assert [each["seat"] for each in answer["values"]] == ["boaster", "doubter"]
    assert [each["phase"] for each in answer["choices"]] == ["boaster", "doubter"]
    assert "  [thrown 6] speak: Boast" in lines
    assert "play.json" in next(each["play"] for each in second if "play" in each)


def test_a_standard_deviation_stands_behind_its_mean_and_each_is_named() -> None:
    text = PIGLET.replace("\nmeasures:\n", "\nmeasures:\n  Length: {spread: turns}\n", 1)
    said = QuestionAnswerer().answer_parts(Question("piglet.yaml", text), lambda message: None)
    lines = [line for message in said for line in _message_lines(message)]
    solved = oddsmith.loads(text).solve()
    assert f"Length, mean: {solved.means['Length'].decimal(6)}" in lines
    assert f"Length, standard deviation: {solved.measures['Length'].decimal(6)}" in lines
