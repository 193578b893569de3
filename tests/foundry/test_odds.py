"""The module that tells the odds of any roll: its files, what is asked of a roll, cards, and who sees what."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from oddsmith.api.modules import odds_module_options, odds_scripts
from oddsmith.base.files import folder_files, write_folder_files, zip_archive
from oddsmith.cli import main
from oddsmith.tabletops.foundry import build_odds_module
from oddsmith.tabletops.foundry.language import ENGLISH, NAME, module_texts
from tests.browser.conftest import served
from tests.foundry.test_deprecated import found as deprecated
from tests.foundry.test_language import bare, used
from tests.foundry.windows import THEMES
from tests.node import NODE, answers, missing, picture

HERE = Path(__file__).parent
SITE = HERE.parents[1] / "site"
SCRIPTS = sorted((SITE / "odds").glob("*.mjs"))
ID = "oddsmith-odds"
SCHEMA = json.loads((HERE.parents[1] / "schemas" / "foundry-manifest.schema.json").read_text("utf-8"))


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["foundry", *words])
    return int(str(end.value.code))


# --- the module's files


def test_the_command_writes_a_whole_module_and_the_same_one_again(tmp_path: Path) -> None:
    assert run("--odds", "-o", str(tmp_path)) == 0
    files = folder_files(tmp_path / ID)
    assert (tmp_path / f"{ID}.zip").read_bytes() == zip_archive(files)
    assert run("--odds", "-o", str(tmp_path)) == 0
    assert folder_files(tmp_path / ID) == files
    manifest = json.loads(files["module.json"])
    named = [*manifest["esmodules"], *(each["src"] for each in manifest["styles"]), manifest["license"]]
    assert {*named, *(each["path"] for each in manifest["languages"]), "README.md", "CHANGELOG.md"} <= set(files)
    assert json.loads(files[ENGLISH]) == module_texts(ID, json.loads((SITE / "odds" / ENGLISH).read_bytes()))
    for name, text in files.items():
        for target in re.findall(r'(?:from|import\()\s*"(\.[^"]+)"', text.decode() if name.endswith(".mjs") else ""):
            path = (Path("/") / name).parent / target
            assert str(path.resolve().relative_to("/")) in files, f"{name} imports {target}"
    assert {"scripts/odds/worker.mjs", "scripts/rolls/rolls.peg", "scripts/rolls/anydice.peg"} <= set(files)


@pytest.mark.parametrize("url", ["", "https://example.org/games"])
def test_the_manifest_fits_the_schema(url: str) -> None:
    manifest = json.loads(
        build_odds_module(odds_module_options({"url": url or None, "version": "2.1"}), odds_scripts())["module.json"]
    )
    assert [error.message for error in Draft7Validator(SCHEMA).iter_errors(manifest)] == []
    assert (manifest["id"], manifest["title"], manifest["version"]) == (ID, "Oddsmith Odds", "2.1")
    assert not {"packs", "socket", "relationships"} & set(manifest)
    assert manifest.get("download", "") == (f"{url}/{ID}-2.1.zip" if url else "")


def test_it_is_written_in_other_words_and_by_another_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "es.json").write_text(json.dumps({NAME: "Español", "ODDSMITH.Odds.Mean": "Mittel"}), "utf-8")
    words = ("--id", "chances", "--lang", str(tmp_path / "es.json"), "--author", "Ann", "--url", "https://example.org")
    assert run("--odds", "-o", str(tmp_path / "out"), *words) == 0
    assert "stay English" in capsys.readouterr().err
    files = folder_files(tmp_path / "out" / "chances")
    assert json.loads(files["lang/es.json"])["ODDSMITH.chances.Odds.Mean"] == "Mittel"
    assert b".oddsmith-chances-card" in files["styles/module.css"]
    assert (tmp_path / "out" / "chances-1.0.0.zip").is_file()


@pytest.mark.parametrize("words", [("piglet",), ("--rules-only",), ("--full",), ("--pack-source",)])
def test_what_is_about_games_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    assert run("--odds", "-o", str(tmp_path), *words) == 2
    assert not list(tmp_path.iterdir())


def test_every_key_that_is_used_is_defined_and_the_other_way_round() -> None:
    keys = {key for path in SCRIPTS for key in used(bare(path.read_text("utf-8")))}
    assert keys | {NAME} == set(json.loads((SITE / "odds" / ENGLISH).read_bytes()))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_nothing_deprecated_is_called(path: Path) -> None:
    assert deprecated(path.read_text("utf-8")) == []


# --- rolls as questions


def test_a_roll_is_asked_for_by_its_terms_and_what_is_not_known_is_refused_by_name() -> None:
    if not NODE.exists():
        missing("Node is not set up: run `make setup`")
    done = subprocess.run([str(NODE), str(HERE / "oddsformula.mjs")], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {
        "plain": "4d6kh3",
        "flavoured": "1d20 + 5",
        "below": "1d20 - -2",
        "half": "1d6 * 1.5",
        "marked": "8d10x10cs>=8",
        "coins": "3d{0, 1}",
        "fate": "4d{-1, 0, 1} + 2",
        "inner": "(2d6 + 3) * 2",
        "functions": "floor(3d6 / 2)",
        "most": "{(1d6), (1d8 + 1), (3)}kh1",
        "pool": "{3d6, 2d8}kh",
        "single": "(4d6)",
        "counted": "{3d6, 2d8}cs>10",
        "number": "(1d4)d6",
        "kept": "(2d6)",
        "dnd": "2d20khmin10 + 7",
        "pathfinder": "((((2d6 + 4))) + (1d6))",
        "dice": {"dice": "StressDie"},
        "advantage": {"modifier": "adv"},
        "keeps": {"modifier": "kh"},
        "modifier": {"modifier": "zz4"},
        "call": {"modifier": "c1"},
        "wild": {"modifier": "kh"},
        "function": {"function": "pow"},
        "words": {"term": "StringTerm"},
        "remainder": {"term": "%"},
        "tiny": {"term": "1e-9"},
    }


# --- in a browser


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    files = {
        f"modules/{ID}/{path}": data
        for path, data in build_odds_module(odds_module_options({}), odds_scripts()).items()
    }
    for name in ("oddspage.html", "oddspage.mjs", "double.mjs", "chat.mjs", "terms.mjs"):
        files[f"tests/foundry/{name}"] = (HERE / name).read_bytes()
    for script in (SITE / "runtime").rglob("*.mjs"):
        files[f"site/runtime/{script.relative_to(SITE / 'runtime').as_posix()}"] = script.read_bytes()  # for the double
    write_folder_files(folder := tmp_path_factory.mktemp("odds"), files)
    with served(folder) as address:
        yield address


def use(base: str, scene: str, query: str, notes: int = 0, **job: Any) -> Any:
    asked = {"base": base, "page": "oddspage", "scene": scene, "query": query, **picture(f"odds-{scene}"), **job}
    (found,) = answers(HERE / "odds.mjs", asked, timeout=120)
    assert (found["errors"], found["missing"], found["serious"]) == ([], [], [])
    assert found["wide"] <= 0
    assert len(found["notes"]) == notes
    return found


@pytest.mark.browser
class TestCommand:
    @pytest.mark.parametrize("more", ["", "&generation=14", "&worker=none"])
    def test_answers_in_a_card_for_whoever_asks(self, base: str, more: str) -> None:
        found = use(base, "command", f"user=ann{more}", text="/odds 4d6kh3 >= 14", themes=THEMES, width=320)
        assert found["taken"] == "hook"
        assert "4d6kh3 >= 14" in found["card"]
        assert "Read as: the highest 3 of 4d6 is at least 14" in found["card"]
        assert "35.49 %" in found["card"]
        ((author, whisper, content),) = found["messages"]
        assert (author, whisper) == ("ann", ["ann"])
        assert "35.49 % (115/324)" in content  # without the module, too

    def test_tells_mean_and_deviation_of_a_number(self, base: str) -> None:
        found = use(base, "command", "user=ann", text="/odds 5d6cs<4", themes=THEMES)
        assert re.search(r"Mean\s+2.50\s+Standard deviation\s+1.12", found["card"])

    def test_says_where_a_question_cannot_be_read(self, base: str) -> None:
        found = use(base, "command", "user=ann", text="/odds 4d6! <b>", themes=THEMES)
        assert "<b>" in found["card"]
        assert "cannot be read here" in found["card"]
        refused = use(base, "command", "user=ann", text="/odds 4d6!")
        assert "Foundry has no modifier `!`" in refused["card"]

    def test_gives_what_the_engine_gives(self, base: str) -> None:
        questions = ["4d6kh3 >= 14", "8d10x10cs>=8", "{3d6, 2d8}kh", "floor(3d6 / 2)", "d20r1 + 5 >= 15", "1d6 / 4"]
        assert use(base, "same", "user=ann", questions=questions)["wrong"] == []

    def test_shows_the_fraction_to_whoever_points_or_touches(self, base: str) -> None:
        found = use(base, "fraction", "user=ann", width=390, touched=True)
        assert found["title"] == "115/324"
        assert found["seen"] == ["35.49 %", "115/324", "35.49 %"]

    def test_leaves_cards_that_live_after_a_reload(self, base: str) -> None:
        found = use(base, "reloads", "user=ann")
        assert found["before"] == found["after"]


@pytest.mark.browser
class TestEntry:
    @pytest.mark.parametrize("query", ["user=ann", "user=gm", "user=ann&generation=14"])
    def test_tells_where_an_open_roll_lies(self, base: str, query: str) -> None:
        found = use(base, "rolled", query)
        assert found["may"]
        assert "Rolled 17. Higher than 55.00 % of such rolls, equal to 5.00 %, lower than 40.00 %." in found["cards"][0]
        me = "gm" if "gm" in query else "ann"
        assert [(author, whisper) for author, whisper, _ in found["messages"]] == [(me, [me])]
        assert found["bars"] == 1

    def test_reads_a_formula_that_a_system_has_simplified(self, base: str) -> None:
        roll = ['die(1, 20), sign("+"), number(3), sign("+"), number(2, "luck")', 17, "1d20 + 3 + 2[luck]"]
        shown = {"content": '<div class="dice-formula">1d20 + 5</div><h4 class="dice-total">17</h4>'}
        assert "Higher than 55.00 %" in use(base, "rolled", "user=ann", rolls=[roll], more=shown)["cards"][0]

    def test_reads_rolls_in_a_text(self, base: str) -> None:
        roll = ['die(2, 6), sign("+"), number(1)', 9, "2d6 + 1"]
        inline = '<p>I take <a class="inline-roll" data-roll="ROLL" data-tooltip-text="2d6 + 1[fire]">9</a>.</p>'
        found = use(base, "rolled", "user=ann", rolls=[roll], more={"inline": inline})
        assert "Rolled 9. Higher than 58.33 % of such rolls, equal to 13.89 %" in found["cards"][0]

    def test_tells_several_rolls_and_refuses_by_name(self, base: str) -> None:
        rolls = [["die(2, 6)", 7, "2d6"], ['die(1, 6, "", StressDie)', 4, "1ds"], ['die(1, 6, "zz")', 3, "1d6zz"]]
        (card,) = use(base, "rolled", "user=gm", rolls=rolls)["cards"]
        assert "Rolled 7." in card
        assert "The dice StressDie fall in a way of their own" in card
        assert "The modifier zz is not known" in card

    def test_says_where_a_total_is_not_that_of_the_formula(self, base: str) -> None:
        (card,) = use(base, "rolled", "user=gm", rolls=[["die(2, 6)", 40, "2d6"]])["cards"]
        assert "40 cannot come up by this formula alone" in card


@pytest.mark.browser
class TestSight:
    def test_a_player_learns_nothing_of_rolls_that_his_screen_hides(self, base: str) -> None:
        found = use(base, "hidden", "user=ann")
        assert set(found["may"].values()) == {False}
        assert found["cards"] == 0

    def test_a_game_master_asks_about_all_that_he_sees(self, base: str) -> None:
        found = use(base, "hidden", "user=gm")
        assert set(found["may"].values()) == {True}
        assert found["cards"] == len(found["may"])

    def test_a_player_who_does_not_see_the_formula_is_told_so(self, base: str) -> None:
        found = use(base, "formula", "user=ann", notes=1)
        assert found["cards"] == 0
        assert "does not show you the whole formula" in found["notes"][0]

    def test_a_world_may_leave_asking_to_game_masters(self, base: str) -> None:
        found = use(base, "forbidden", "user=ann&ask=gm", notes=1)
        assert (found["may"], found["messages"]) == (False, 1)
        assert "only a game master may ask" in found["notes"][0]

    @pytest.mark.parametrize(
        ("query", "may"),
        [
            ("user=gm", True),
            ("user=ann", False),
            ("user=ann&share=everyone", True),
            ("user=gm&share=nobody", False),
        ],
    )
    def test_the_world_says_who_may_show_an_answer(self, base: str, query: str, may: bool) -> None:
        found = use(base, "shares", query)
        assert found["buttons"] == (["Show to everybody"] if may else [])
        assert [whisper for _, whisper, _ in found["messages"][1:]] == ([[]] if may else [])

    @pytest.mark.parametrize(("share", "cards"), [("gm", 0), ("everyone", 1)])
    def test_cards_that_others_may_not_post_are_not_drawn(self, base: str, share: str, cards: int) -> None:
        assert use(base, "forged", f"user=gm&share={share}")["cards"] == cards
