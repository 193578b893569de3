"""The whole module: every file that another names is there, the same rules give the same bytes, and the command writes it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from oddsmith.base.errors import OddsmithError, TooManyStatesError, UnplayableError
from oddsmith.base.files import folder_files, write_folder_files, zip_archive
from oddsmith.base.location import Source
from oddsmith.cli import main
from oddsmith.publish.markup.html import title_text
from oddsmith.publish.pages.playing import play_files
from oddsmith.report.answers import solving
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.report.answers.answers import Answer
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.solve import Solution
from oddsmith.tabletops.foundry.journal import unsolved_game_content
from oddsmith.tabletops.foundry.language import module_texts
from oddsmith.tabletops.foundry.manifest import ModuleOptions
from oddsmith.tabletops.foundry.module import build_games_module
from oddsmith.tabletops.foundry.odds import odds_pages, solved_game_content
from tests.cases import account_of
from tests.foundry.joining import plain
from tests.foundry.official import by_key, node, official
from tests.foundry.reader import read

ROOT = Path(__file__).resolve().parents[2]
COMMON = plain()
OPTIONS = ModuleOptions("two-games", "Two Games", pack_source=True)


def ruleset(path: str) -> Ruleset:
    return load_ruleset(ROOT / "tests" / path)[0]


@pytest.fixture(scope="module")
def accounts() -> list[RulesetAnswers]:
    return [account_of(ROOT / "tests" / path) for path in ("samples/piglet.yaml", "publish/hostile.yaml")]


@pytest.fixture(scope="module")
def files(accounts: list[RulesetAnswers]) -> dict[str, bytes]:
    return build_games_module([solved_game_content(each) for each in accounts], OPTIONS, COMMON)


def data(files: dict[str, bytes], name: str) -> Any:
    return json.loads(files[name])


def test_the_folder_is_laid_out_as_the_scripts_expect(files: dict[str, bytes]) -> None:
    fixed = {"module.json", "games.json", "checks.json", "LICENSE", "README.md", "CHANGELOG.md", "lang/en.json"}
    assert fixed <= set(files)
    site = ROOT / "site"
    for folder in ("foundry", "runtime"):
        for path in (site / folder).rglob("*.mjs"):
            assert files.get(f"scripts/{path.relative_to(site).as_posix()}") == path.read_bytes()
    assert not [name for name in files if name.endswith((".ts", "tsconfig.json"))]


def test_everything_that_the_manifest_names_is_there(files: dict[str, bytes]) -> None:
    manifest = data(files, "module.json")
    named = [*manifest["esmodules"], *(each["src"] for each in manifest["styles"]), manifest["license"]]
    named += [each["path"] for each in manifest["languages"]]
    named += [f"{each['path']}/CURRENT" for each in manifest["packs"]]
    assert set(named) <= set(files)
    assert {name.split("/")[1] for name in files if name.startswith("packs/")} == {
        "_source",
        *(each["name"] for each in manifest["packs"]),
    }


def test_every_import_of_a_script_leads_to_a_script(files: dict[str, bytes]) -> None:
    for name, text in files.items():
        if not name.endswith(".mjs"):
            continue
        for target in re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", text.decode()):
            path = (Path("/") / name).parent / target
            assert str(path.resolve().relative_to("/")) in files, f"{name} imports {target}"


def test_the_list_of_games_leads_to_books_and_journals(files: dict[str, bytes], accounts: list[RulesetAnswers]) -> None:
    listed = data(files, "games.json")
    assert listed["format"] == 1
    for game, each in zip(listed["games"], accounts, strict=True):
        rules = each.ruleset
        assert (game["id"], game["title"], game["rules"]) == (rules.id, rules.title, sha256(rules))
        assert (game["about"], tuple(game["seats"])) == (rules.summary, rules.seats[:2])
        assert data(files, game["book"])["bundle"]["id"] == rules.id
        for name, content in play_files(each, with_training=False).items():
            assert files[f"games/{rules.id}/{name}"] == content
        for pack, link in (("rules", game["journal"]), ("odds", game["odds"])):
            *where, key = link.split(".")
            assert where == ["Compendium", "two-games", pack, "JournalEntry"]
            assert records(files, pack)[f"!journal!{key}"]["name"].startswith(title_text(rules.title))


def test_every_link_to_a_document_leads_to_one(files: dict[str, bytes]) -> None:
    known = {
        f"Compendium.two-games.{pack}.{kind}.{key.rpartition('!')[2]}"
        for pack, kind in ((each["name"], each["type"]) for each in data(files, "module.json")["packs"])
        for key in records(files, pack)
    }
    texts = [
        text.decode() for name, text in files.items() if name.endswith(".json") or name.startswith("packs/_source/")
    ]
    links = {link for text in texts for link in re.findall(r"Compendium\.[\w.-]+", text)}
    assert len(links) >= 4, "rules and odds of two games"
    assert links <= known


def records(files: dict[str, bytes], pack: str) -> dict[str, Any]:
    return {key: json.loads(value) for key, value in read(below(files, f"packs/{pack}/")).items()}


def below(files: dict[str, bytes], head: str) -> dict[str, bytes]:
    return {name.removeprefix(head): content for name, content in files.items() if name.startswith(head)}


def test_foundry_s_own_tool_finds_the_source_in_the_packs(files: dict[str, bytes], tmp_path: Path) -> None:
    packs = [each["name"] for each in data(files, "module.json")["packs"]]
    found = official("extract", tmp_path, {pack: below(files, f"packs/{pack}/") for pack in packs})
    assert found == {pack: by_key(below(files, f"packs/_source/{pack}/")) for pack in packs}
    assert len(found["rules"]) == 2


def test_the_scripts_of_a_module_agree_with_its_checks(files: dict[str, bytes], tmp_path: Path) -> None:
    def compared(files: dict[str, bytes], name: str) -> Any:
        write_folder_files(tmp_path / name, files)
        return json.loads(node("selftest.mjs", str(tmp_path / name)))

    found = compared(files, "good")
    assert found["faults"] == []
    assert min(found["plays"], found["moves"], found["decisions"]) > 0
    wrong = data(files, "checks.json")
    wrong["plays"][0]["rules"] = "0" * 64
    assert len(compared(files | {"checks.json": json.dumps(wrong).encode()}, "bad")["faults"]) == 1


def test_macros_call_what_the_scripts_offer_by_the_module_s_own_id(
    files: dict[str, bytes], accounts: list[RulesetAnswers]
) -> None:
    games = [f'open("{each.ruleset.id}")' for each in accounts]
    wanted = {"macros": ["open()", *games], "gm-macros": ["advise()", "purses()", "transcript()"]}
    offered = files["scripts/foundry/windows/desk.mjs"].decode().partition("get api()")[2]
    for pack, calls in wanted.items():
        found = [each["command"] for each in records(files, pack).values()]
        assert sorted(found) == sorted(f'game.modules.get("two-games")?.api?.{call}' for call in calls)
        assert all(re.search(rf"^ +{call.partition('(')[0]}: \(", offered, re.MULTILINE) for call in calls)


def test_every_game_and_every_roll_table_has_an_icon_of_its_own(files: dict[str, bytes]) -> None:
    tables = [each["img"] for key, each in records(files, "tables").items() if key.startswith("!tables!")]
    games = [each["img"] for each in records(files, "macros").values() if 'open("' in each["command"]]
    manifest = data(files, "module.json")
    shown = [each[key] for each in manifest["media"] for key in ("url", "thumbnail")]
    shown += [each["banner"] for each in manifest["packs"]]
    assert len({*tables, *games}) == len(tables) + len(games) > 2
    for path in (*tables, *games, *shown):
        drawn = files[path.removeprefix("modules/two-games/")]
        root = ET.fromstring(drawn)  # noqa: S314 - our own
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert {"width", "height", "viewBox"} <= set(root.keys())
        assert not re.search(rb"<(script|image|use|foreignObject)|href|\son", drawn)


def test_odds_and_what_only_game_masters_do_are_for_their_eyes(files: dict[str, bytes]) -> None:
    readers = {each["name"]: each["ownership"]["PLAYER"] for each in data(files, "module.json")["packs"]}
    open_, kept = {"rules", "macros"}, {"odds", "tables", "gm-macros"}
    assert readers == dict.fromkeys(open_, "OBSERVER") | dict.fromkeys(kept, "NONE")


@pytest.mark.parametrize("pack", ["rules", "odds"])
def test_pages_of_journals_are_still_and_in_order(files: dict[str, bytes], pack: str) -> None:
    found = records(files, pack)
    for entry in (each for key, each in found.items() if key.startswith("!journal!")):
        pages = [found[f"!journal.pages!{entry['_id']}.{each}"] for each in entry["pages"]]
        assert len(pages) >= 2
        assert [each["sort"] for each in pages] == sorted({each["sort"] for each in pages})
        for each in pages:
            assert not re.search(
                r"<(script|iframe|style|link|img|form)\b|\son\w+=|href=\"(?!https?://)", each["text"]["content"]
            )


def test_foundry_finds_no_marks_in_the_words_of_a_ruleset() -> None:
    text = (ROOT / "tests" / "samples" / "piglet.yaml").read_text("utf-8")
    summary = re.search(r"^summary: (.*)$", text, re.MULTILINE)
    assert summary
    bad = "[[/r 1d6]] @UUID[Actor.x]{me} &Reference[prone] @Oddsmith[close]"
    text = text.replace(summary[1], f"'{bad}'", 1) + f"prose: |\n  {bad}\n"
    files = build_games_module(
        [solved_game_content(answers_of(read_ruleset(Source("piglet.yaml", text))[0]))], OPTIONS, COMMON
    )
    journals = records(files, "rules") | records(files, "odds")
    pages = [each for key, each in journals.items() if key.startswith("!journal.pages!")]
    seen = [mark for each in pages for mark in marks(each["text"]["content"])]
    assert set(seen) == {f"@Oddsmith[{verb} piglet]" for verb in ("open", "new", "advice")}
    assert any("/r 1d6" in unescape(each["text"]["content"]) for each in pages), "the words are there all the same"


def marks(content: str) -> list[str]:
    """What Foundry takes for marks: it looks into each stretch of text between tags by itself."""
    stretches = [unescape(stretch) for stretch in re.split(r"<[^>]*>", content)]
    return [mark for stretch in stretches for mark in re.findall(r"\[\[.*|[@&]\w+\[.*?\]", stretch)]


def test_the_readme_says_whose_games_these_are_and_what_was_not_tried(
    files: dict[str, bytes], accounts: list[RulesetAnswers]
) -> None:
    text = files["README.md"].decode()
    assert "We did not test the module in a licensed Foundry" in text
    assert "Data/modules" in text
    for each in accounts:
        assert sha256(each.ruleset) in text
        assert sha256(each.ruleset) in files["CHANGELOG.md"].decode()
    assert not re.search(r"(?<!\\)<", text), "a ruleset's text is text here too"


def test_the_same_rules_give_the_same_bytes(files: dict[str, bytes]) -> None:
    games = [answers_of(ruleset(name)) for name in ("samples/piglet.yaml", "publish/hostile.yaml")]
    again = build_games_module([solved_game_content(each) for each in games], OPTIONS, plain())
    digests = [hashlib.sha256(zip_archive(each)).hexdigest() for each in (files, again)]
    assert digests[0] == digests[1]
    assert {name for name in files if files[name] != again[name]} == set()


def test_an_archive_has_no_times_and_one_order(files: dict[str, bytes]) -> None:
    packed = zipfile.ZipFile(io.BytesIO(zip_archive(files)))
    assert packed.testzip() is None
    assert packed.namelist() == sorted(files)
    assert {info.date_time for info in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert {name: packed.read(name) for name in packed.namelist()} == files
    assert zip_archive(files) == zip_archive(dict(reversed(files.items())))


def test_a_module_s_id_is_nowhere_but_in_data(files: dict[str, bytes], accounts: list[RulesetAnswers]) -> None:
    other = build_games_module(
        [solved_game_content(each) for each in accounts],
        ModuleOptions("another-id", "Two Games", pack_source=True),
        COMMON,
    )
    scripted = {name for name in files if name.startswith(("scripts/", "games/"))}
    assert all(files[name] == other[name] for name in scripted)
    assert data(other, "lang/en.json") == module_texts("another-id", data(COMMON, "lang/en.json"))
    ids = (b"two-games", b"another-id")
    plain = [made["styles/module.css"].replace(name, b"ID") for made, name in zip((files, other), ids, strict=True)]
    assert plain[0] == plain[1]
    assert set(re.findall(rb"[.]oddsmith-ID-", plain[0]))
    assert not re.search(rb"[.]oddsmith-(?!ID-)", plain[0])
    assert not [name for name, content in other.items() if b"two-games" in content]


def test_a_game_is_there_once(accounts: list[RulesetAnswers]) -> None:
    with pytest.raises(OddsmithError, match="the id piglet"):
        build_games_module([solved_game_content(accounts[0])] * 2, OPTIONS, COMMON)


def test_a_game_without_an_answer_is_refused_with_the_reason() -> None:
    rules = ruleset("samples/piglet.yaml")
    setting = rules.edition.main_setting
    failed = Answer(setting, bind(rules, setting), None, "it never ends", main=True)
    with pytest.raises(UnplayableError, match="piglet cannot be played at a table: it never ends"):
        solved_game_content(RulesetAnswers(rules, (failed,), (), (), ()))


@pytest.fixture
def estimated(monkeypatch: pytest.MonkeyPatch) -> RulesetAnswers:
    """A game of which every size is too large to be solved."""

    def refuse(*_: object, **__: object) -> Solution:
        raise TooManyStatesError("too many positions")

    monkeypatch.setattr(solving, "solve", refuse)
    return answers_of(ruleset("samples/piglet.yaml"))


def test_a_game_that_is_only_estimated_is_played_and_its_journal_has_the_estimates(estimated: RulesetAnswers) -> None:
    files = build_games_module([solved_game_content(estimated)], OPTIONS, COMMON)
    book = data(files, "games/piglet/play.json")
    assert [each["policy"] for each in book["settings"]] == [None] * len(estimated.estimates)
    assert book["settings"][0]["opponents"][-1]["kind"] == "random"
    assert data(files, "checks.json")["plays"] == []
    told = {page.slug: unescape(re.sub("<[^>]*>", " ", page.html)) for page in odds_pages(estimated)}
    assert list(told) == ["odds", "players", "method"]
    assert "What is skill worth?" not in told["odds"]
    assert "±" in told["odds"]
    assert "Seat 1 wins" in told["players"]
    assert "House rules" not in told["players"]
    assert "10,000 games were played" in told["method"]
    assert "Too many positions" in told["method"]
    seen = "".join(page.html for page in solved_game_content(estimated).rules)
    assert "too large to be solved" in unescape(seen)
    assert set(marks(seen)) == {"@Oddsmith[open piglet]", "@Oddsmith[new piglet]"}
    assert "estimated" in files["README.md"].decode()
    assert "with odds, exact or estimated" in data(files, "module.json")["description"]


def test_a_table_of_best_play_that_is_too_large_stays_out_and_the_game_is_played_without(
    accounts: list[RulesetAnswers],
) -> None:
    account = accounts[0]
    sizes = {
        each.slug: len(each.policy_and_value_tables[0]) for each in account.answers if each.policy_and_value_tables
    }
    most = max(sizes.values()) - 1
    large = {slug for slug, size in sizes.items() if size > most}
    content = solved_game_content(account, most)
    book = data(content.files, "games/piglet/play.json")
    for each in book["settings"]:
        assert (each["policy"] is None) == (each["slug"] in large)
        kinds = {one["kind"] for one in each["opponents"]}
        assert kinds
        assert bool(kinds & {"best", "mixture"}) == (each["slug"] not in large)
    assert not [name for name in content.files if Path(name).name.split(".")[0] in large]
    assert not [play for play in content.self_test_games if play["setting"] in large]
    assert len(solved_game_content(account).self_test_games) > len(content.self_test_games) > 0
    assert [note for note in content.missing_table_notes if "the module of this game alone has it" in note]
    assert "too large for a module of many games" in unescape(content.odds[1].html)
    assert not solved_game_content(account, most + 1).missing_table_notes


def test_a_game_whose_secrets_cannot_be_sealed_is_refused() -> None:
    """Le Her shows one player alone what another hid. The cards of Kuhn Poker are shuffled by both players."""
    with pytest.raises(UnplayableError, match="it shows one player alone what another hid"):
        unsolved_game_content(ruleset("secrets/games/le-her.yaml"))
    assert "games/kuhn-poker/play.json" in unsolved_game_content(ruleset("secrets/games/kuhn-poker.yaml")).files


def test_rules_alone_are_played_and_told_and_promise_no_odds(tmp_path: Path) -> None:
    rules = ruleset("samples/piglet.yaml")
    files = build_games_module([unsolved_game_content(rules)], OPTIONS, COMMON)
    book = data(files, "games/piglet/play.json")
    assert {setting["policy"] for setting in book["settings"]} == {None}
    assert data(files, "checks.json")["plays"] == []
    pages = [each for key, each in records(files, "odds").items() if key.startswith("!journal.pages!")]
    assert [page["name"] for page in pages] == ["No odds yet"]
    told = "".join(each["text"]["content"] for key, each in records(files, "rules").items() if ".pages!" in key)
    assert "This game was not solved, so the module has no odds" in unescape(told)
    assert set(marks(told)) == {"@Oddsmith[open piglet]", "@Oddsmith[new piglet]"}
    assert "The games were not solved" in files["README.md"].decode()
    assert "exact odds" not in files["README.md"].decode() + files["module.json"].decode()
    assert run(PIGLET, "-o", str(tmp_path), "--rules-only", "--id", OPTIONS.id) == 0
    assert "without odds" in (tmp_path / OPTIONS.id / "module.json").read_text("utf-8")


# --- the command


def run(*words: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["foundry", *words])
    return end.value.code


PIGLET = str(ROOT / "tests" / "samples" / "piglet.yaml")


def test_the_command_writes_the_folder_and_its_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        PIGLET,
        "-o",
        str(tmp_path),
        "--store",
        str(tmp_path / "store"),
        "--url",
        "https://example.org",
        "--version",
        "2.1",
    )
    assert run(*words) == 0
    first = folder_files(tmp_path / "oddsmith-piglet")
    packed = (tmp_path / "oddsmith-piglet.zip").read_bytes()
    assert zip_archive(first) == packed == (tmp_path / "oddsmith-piglet-2.1.zip").read_bytes()
    assert f"{len(packed):,} bytes" in capsys.readouterr().out
    (tmp_path / "oddsmith-piglet" / "packs" / "rules" / "LOG").write_text("what Foundry leaves behind", "utf-8")
    assert run(*words) == 0
    assert folder_files(tmp_path / "oddsmith-piglet") == first


def test_the_folder_that_a_module_is_written_to_may_be_named_like_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert run("piglet", "-o", "piglet", "--rules-only") == 0
    assert (tmp_path / "piglet" / "oddsmith-piglet" / "module.json").is_file()


def test_a_translation_comes_with_the_module_and_what_it_lacks_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = data(COMMON, "lang/en.json")
    lacking = "ODDSMITH.runtime.noDice"
    texts = {key: f"{text}!" for key, text in known.items() if key != lacking}
    (tmp_path / "es.json").write_text(json.dumps(texts | {"ODDSMITH.Language": "Español"}), "utf-8")
    (tmp_path / "it.json").write_text("{}", "utf-8")
    made = (
        "--lang",
        str(tmp_path / "es.json"),
        "--lang",
        str(tmp_path / "it.json"),
        "--author",
        "Ann",
        "--author",
        "Bob",
    )
    assert run(PIGLET, "-o", str(tmp_path / "out"), *made, "--bugs", "https://example.org/bugs") == 0
    told = capsys.readouterr().err
    assert f"es: 1 of {len(known)} texts stay English: {lacking}\n" in told
    assert f"it: {len(known)} of {len(known)} texts stay English: " in told
    found = folder_files(tmp_path / "out" / "oddsmith-piglet")
    wanted = texts | {lacking: known[lacking], "ODDSMITH.Language": "Español"}
    assert data(found, "lang/es.json") == module_texts("oddsmith-piglet", wanted)
    assert data(found, "lang/it.json") == module_texts("oddsmith-piglet", known)
    manifest = data(found, "module.json")
    assert [each["name"] for each in manifest["languages"]] == ["English", "Deutsch", "Français", "Español", "it"]
    assert manifest["authors"] == [{"name": "Ann"}, {"name": "Bob"}]
    assert manifest["bugs"] == "https://example.org/bugs"
    assert "--lang" in found["README.md"].decode()


def test_an_author_s_own_english_stands_in_for_ours_also_where_a_translation_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = data(COMMON, "lang/en.json")
    own = {key: f"My {text}" for key, text in known.items() if key not in ("ODDSMITH.Language", "ODDSMITH.Title")}
    (tmp_path / "en.json").write_text(json.dumps(module_texts("any-module", own)), "utf-8")
    (tmp_path / "es.json").write_text("{}", "utf-8")
    languages = [word for name in ("es.json", "en.json") for word in ("--lang", str(tmp_path / name))]
    assert run(PIGLET, "-o", str(tmp_path / "out"), *languages) == 0
    assert (
        f"en: 2 of {len(known)} texts stay as Oddsmith has them: ODDSMITH.Language, ODDSMITH.Title"
        in capsys.readouterr().err
    )
    found = folder_files(tmp_path / "out" / "oddsmith-piglet")
    for name in ("en", "es"):
        assert data(found, f"lang/{name}.json") == module_texts("oddsmith-piglet", known | own)
    assert [each["lang"] for each in data(found, "module.json")["languages"]] == ["en", "de", "fr", "es"]


def test_a_few_german_words_of_one_s_own_change_only_those(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "de.json").write_text(json.dumps({"ODDSMITH.Title": "Zum Goldenen Drachen"}), "utf-8")
    assert run(PIGLET, "-o", str(tmp_path / "out"), "--lang", str(tmp_path / "de.json")) == 0
    assert not capsys.readouterr().err
    found = folder_files(tmp_path / "out" / "oddsmith-piglet")
    wanted = data(COMMON, "lang/de.json") | {"ODDSMITH.Title": "Zum Goldenen Drachen"}
    assert data(found, "lang/de.json") == module_texts("oddsmith-piglet", wanted)
    assert [each["name"] for each in data(found, "module.json")["languages"]] == ["English", "Français", "Deutsch"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((PIGLET, "--id", "Pig let"), 1, "no id of a module"),
        ((PIGLET, "--version", "new"), 1, "no version"),
        ((PIGLET, "--url", "here"), 1, "no address"),
        ((PIGLET, "--bugs", "here"), 1, "no address"),
        ((PIGLET, "--lang", PIGLET), 1, "not named after its language"),
        ((PIGLET, "--lang", "no.json"), 2, "does not exist"),
        ((PIGLET, PIGLET), 1, "two of the rulesets have the id piglet"),
        (("pigglet",), 1, "did you mean"),
        ((PIGLET, "--id", "mine"), 1, "holds something that oddsmith did not write"),
        ((PIGLET, "--all"), 2, "leave out RULESETS"),
        (("--odds", "--all"), 2, "without games"),
        ((), 2, "Missing argument"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_solved(
    words: tuple[str, ...], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine" / "module.json"
    mine.parent.mkdir()
    mine.write_text("{}", "utf-8")
    assert run(*words, "-o", str(tmp_path)) == code
    assert said in " ".join(capsys.readouterr().err.split())
    assert folder_files(tmp_path) == {"mine/module.json": b"{}"}
