"""A sweep gives the same answers in one process, in many and on a cluster; what is refused or lost costs nothing else."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

import oddsmith
from oddsmith.api.site import open_answer_store
from oddsmith.api.workers import share_tasks
from oddsmith.base.errors import SettingError
from oddsmith.design.store_filling import fill_store
from oddsmith.report.answers.accounts import settings_to_solve
from oddsmith.solve.staged import by_component as stagewise
from oddsmith.solve.staged import turn as columns
from tests.cases import SAMPLES
from tests.staged import by_stages
from tests.terminal import run

BOOK = oddsmith.load("rogues-gambit")
GRID = {"coins_each": range(4, 8), "seats": (2, 3, 9)}


@pytest.fixture(scope="module")
def alone() -> oddsmith.Sweep:
    return oddsmith.sweep(BOOK, GRID)


def test_a_point_is_what_solving_it_gives(alone: oddsmith.Sweep) -> None:
    assert repr(alone) == "Sweep(rogues-gambit over coins_each and seats: 8 of 12 solved)"
    by_setting = {(record["coins_each"], record["seats"]): record for record in alone.records()}
    solved = BOOK.at(seats=3, coins_each=6).solve()
    record = by_setting[6, 3]
    assert [record[f"value_{seat}"] for seat in (1, 2, 3)] == [value.decimal() for value in solved.values]
    assert record["Meals in a game"] == solved.measures["Meals in a game"].decimal()
    assert (record["decide_from"], record["decide_to"]) == solved.outline().choices[0].threshold_range
    assert record["problem"] is None


def test_what_is_refused_says_why_and_the_others_go_on(alone: oddsmith.Sweep) -> None:
    refused = [record for record in alone.records() if record["seats"] == 9]
    assert {record["problem"] for record in refused} == {"rogues-gambit is for 2 to 6 players, not 9"}
    assert all(record["value_1"] is None for record in refused)
    with pytest.raises(SettingError, match="no parameter coin: what can vary is seats, objective, variant, coins_each"):
        oddsmith.sweep(BOOK, {"coin": [1]})


def test_a_sweep_of_which_all_is_refused_says_why() -> None:
    done = run("sweep", "rogues-gambit", "--vary", "seats=8,9")
    assert done.returncode == 1
    assert [line.strip().split("  ", 1)[1] for line in done.stdout.splitlines()[1:]] == [
        f"rogues-gambit is for 2 to 6 players, not {seats}" for seats in (8, 9)
    ]


def test_many_processes_give_the_same(alone: oddsmith.Sweep) -> None:
    assert oddsmith.sweep(BOOK, GRID, jobs=2).export("json") == alone.export("json")


def test_a_sweep_that_was_stopped_goes_on(
    tmp_path: Path, alone: oddsmith.Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store, told = tmp_path / "store", list[int]()

    def stopped(_: str, done: int, __: int) -> None:
        told.append(done)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        oddsmith.sweep(BOOK, GRID, store=store, progress=stopped)
    told.clear()
    found = oddsmith.sweep(BOOK, GRID, store=store, progress=lambda _, done, __: told.append(done))
    assert len(told) == 5, "three of eight were kept"
    assert found.export("json") == alone.export("json")
    for kept in store.iterdir():
        kept.write_bytes(kept.read_bytes().replace(b"proven", b"exact!"))
        kept.write_bytes(b"0" * 32 + kept.read_bytes()[32:])
    assert oddsmith.sweep(BOOK, GRID, store=store).export("json") == alone.export("json"), (
        "what has no seal is not believed"
    )


def test_tables_and_files(alone: oddsmith.Sweep, tmp_path: Path) -> None:
    lines = alone.export(file=tmp_path / "all.csv").decode().splitlines()
    assert (tmp_path / "all.csv").read_text().splitlines() == lines
    assert lines[0].startswith("coins_each,seats,states,grade,value_1,value_2,value_3,value_1_exact")
    assert len(lines) == 13
    assert alone.table("records") == alone.records()
    parquet = pytest.importorskip("pyarrow.parquet")
    alone.export(file=tmp_path / "all.parquet")
    assert parquet.read_table(tmp_path / "all.parquet").to_pylist() == alone.records()
    with pytest.raises(oddsmith.ExportError, match="csv, json, parquet"):
        alone.export("xls")


def test_the_command_prints_a_line_for_each(tmp_path: Path) -> None:
    words = ("sweep", "rogues-gambit", "--vary", "seats=2..7..5", "--set", "coins_each=7", "--jobs", "1")
    done, kept = run(*words), run(*words, "-o", "a.csv", cwd=tmp_path)
    head, two, seven = done.stdout.splitlines()
    assert head.split() == ["seats", "value_1", "value_2", "turns", "decide_from", "decide_to"]
    assert two.split()[:2] == ["2", BOOK.at(seats=2, coins_each=7).solve().values[0].decimal(6)]
    assert seven.endswith("rogues-gambit is for 2 to 6 players, not 7")
    assert kept.stdout == ""
    assert "a.csv: 2 settings, 1 of them refused" in kept.stderr
    assert (tmp_path / "a.csv").read_text("utf-8").count("\n") == 1 + 2
    for wrong in ("seats", "seats=2..", "seats=5..2", "seats=2,,3"):
        assert run("sweep", "rogues-gambit", "--vary", wrong).returncode == 2, wrong
    assert run("sweep", "rogues-gambit", "--vary", "seats=2,3", "--seats", "2").returncode == 2


# --- processes that die


def _fragile(task: tuple[str, int]) -> int:
    """Squares a number; ends its process at 3 always, and at 5 the first time."""
    folder, number = task
    once = Path(folder, "once")
    if number == 3 or (number == 5 and not once.exists()):
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_process_that_dies_costs_nobody_elses_result(tmp_path: Path) -> None:
    tasks = [(str(tmp_path), number) for number in range(8)]
    found = {number: result for (_, number), result in share_tasks(_fragile, tasks, 2)}
    assert found == {number: None if number == 3 else number * number for number in range(8)}


def test_what_work_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(share_tasks(int, ["1", "no number", "2"], 2))


# --- a cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Popen[str]]]]:
    """A scheduler and two workers, each a process of its own."""
    folder = tmp_path_factory.mktemp("cluster")
    address = folder / "scheduler.json"
    started = list[Popen[str]]()

    def start(*words: str) -> Popen[str]:
        process = Popen([sys.executable, "-m", *words], cwd=folder, stdout=PIPE, stderr=PIPE, text=True)
        started.append(process)
        return process

    start(
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(address),
    )
    while not address.exists():
        time.sleep(0.1)
    place = json.loads(address.read_text())["address"]
    workers = [
        start(
            "distributed.cli.dask_worker",
            place,
            "--no-dashboard",
            "--no-nanny",
            "--nthreads",
            "1",
            "--host",
            "127.0.0.1",
        )
        for _ in range(2)
    ]
    try:
        yield place, workers
    finally:
        for process in reversed(started):
            process.kill()
            process.communicate()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_fills_the_store_that_pages_are_made_from(
    cluster: tuple[str, list[Popen[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    book = oddsmith.load(SAMPLES / "piglet.yaml")
    told = list[str]()
    for folder, how in ((tmp_path / "far", {"cluster": cluster[0]}), (tmp_path / "near", {"jobs": 2})):
        fill_store({"piglet": book}, False, folder, progress=lambda what, _, __: told.append(what), **how)
    far, near = open_answer_store(tmp_path / "far"), open_answer_store(tmp_path / "near")
    asked = [setting for part in settings_to_solve(book.ruleset, False) for setting in part]
    assert len(told) == 2 * len(asked) > 2
    for setting in asked:
        one, other = far.known_answer(book.ruleset, setting), near.known_answer(book.ruleset, setting)
        assert one is not None
        assert other is not None
        assert one.values == other.values
        assert one.key_facts == other.key_facts
    assert run("publish", str(SAMPLES / "piglet.yaml"), "-o", "x", "--dask", cluster[0], cwd=tmp_path).returncode == 2


def test_a_cluster_solves_the_sheets_of_a_turn_and_the_parts_of_a_stage(
    cluster: tuple[str, list[Popen[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(columns, "MIN_POSITIONS", 1)
    monkeypatch.setattr(stagewise, "MIN_PART", 100)
    small: dict[str, Any] = {"upper_boxes": 2, "lower_boxes": 1, "rerolls": 0, "bonus_from": 3}
    for name, chosen in (("yahtzee", small), ("pig", {"target": 6})):
        far, near = (by_stages(oddsmith.load(name), cluster=place, **chosen) for place in (cluster[0], None))
        assert (far.values, far.state_count, far.undecided_count) == (
            near.values,
            near.state_count,
            near.undecided_count,
        )


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_also_when_a_worker_is_killed(
    cluster: tuple[str, list[Popen[str]]], alone: oddsmith.Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed: Any = pytest.importorskip("distributed")
    place, workers = cluster
    killed = threading.Event()

    def kill(_: str, done: int, __: int) -> None:
        if done >= 5 and not killed.is_set():
            killed.set()
            workers[0].kill()

    with distributed.Client(place, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        found = oddsmith.sweep(BOOK, GRID, cluster=client, progress=kill)
    assert killed.is_set()
    assert found.export("json") == alone.export("json")
    done = run("sweep", "rogues-gambit", "--vary", "coins_each=4,5", "--seats", "2", "--dask", place)
    assert len(done.stdout.splitlines()) == 3
    monkeypatch.setattr("oddsmith.api.workers.ANSWERS", "2s")
    assert run("sweep", "rogues-gambit", "--vary", "seats=2", "--dask", "tcp://127.0.0.1:9").returncode == 1
