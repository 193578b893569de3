"""Modules beside the pages of a site: their archives, the address by which they are installed, versions that go up."""

from __future__ import annotations

import io
import json
import re
import zipfile
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from oddsmith.api.modules import ModulePublication, module_files, module_scripts, shared_module_files
from oddsmith.api.site import site_pages as api_pages
from oddsmith.cli import main
from oddsmith.publish.site import site_pages
from tests.cases import SAMPLES, account_of

PATH = SAMPLES / "piglet.yaml"


def read(files: dict[str, bytes], name: str) -> Any:
    return json.loads(files[name])


def test_a_page_offers_its_game_as_a_module_of_its_own() -> None:
    pages = site_pages([account_of(PATH)], {}, module_files)
    packed = zipfile.ZipFile(io.BytesIO(pages["games/piglet/foundry/oddsmith-piglet.zip"]))
    assert json.loads(packed.read("module.json"))["title"] == "Piglet"
    assert 'href="foundry/oddsmith-piglet.zip"' in pages["games/piglet.md"].decode()
    assert "foundry" not in site_pages([account_of(PATH)], {})["games/piglet.md"].decode()


def test_with_an_address_the_module_of_a_page_is_installed_by_its_manifest() -> None:
    asked = partial(module_files, publication=ModulePublication("https://example.org/inn/", "1.3"))
    pages = site_pages([account_of(PATH)], {}, asked)
    found = read(pages, "games/piglet/foundry/oddsmith-piglet/module.json")
    at = "https://example.org/inn/"
    assert found["manifest"] == f"{at}games/piglet/foundry/oddsmith-piglet/module.json"
    packed = pages[found["download"].removeprefix(at)]
    assert json.loads(zipfile.ZipFile(io.BytesIO(packed)).read("module.json")) == found
    assert (found["version"], found["url"]) == ("1.3", f"{at}games/piglet/")
    page = unescape(pages["games/piglet.md"].decode())
    assert found["manifest"] in page
    assert 'href="foundry/oddsmith-piglet-1.3.zip"' in page
    assert "Data/modules/oddsmith-piglet," in page


def test_a_site_that_tells_of_it_has_all_games_in_one_module_and_every_page_offers_that_first() -> None:
    docs = {"foundry.md": b"[Tavern Games](games/foundry/oddsmith-games.zip)"}
    page = site_pages([account_of(PATH)], docs, module_files)["games/piglet.md"].decode()
    link = 'href="../../games/foundry/oddsmith-games.zip"'
    assert 0 < page.index(link) < page.index('href="foundry/oddsmith-piglet.zip"')
    assert link not in site_pages([account_of(PATH)], {}, module_files)["games/piglet.md"].decode()
    games = [account_of(SAMPLES / "pig.yaml"), account_of(PATH)]
    found = api_pages([each.ruleset for each in games], docs)
    packed = zipfile.ZipFile(io.BytesIO(found["games/foundry/oddsmith-games.zip"]))
    assert [each["id"] for each in json.loads(packed.read("games.json"))["games"]] == ["pig", "piglet"]
    assert json.loads(packed.read("module.json"))["title"] == "Tavern Games"


def test_with_an_address_the_module_of_all_games_is_installed_by_its_manifest() -> None:
    at = "https://example.org/inn/"
    files = shared_module_files([account_of(PATH)], ModulePublication(at))
    found = read(files, "games/foundry/oddsmith-games/module.json")
    assert found["manifest"] == f"{at}games/foundry/oddsmith-games/module.json"
    assert found["url"] == f"{at}games/"
    assert files[found["download"].removeprefix(at)] == files["games/foundry/oddsmith-games.zip"]
    again = shared_module_files([account_of(PATH)], ModulePublication(at, previous_file=files.get))
    assert again == files


def published_again(files: dict[str, bytes], version: str = "1.0.0") -> tuple[str, dict[str, bytes]]:
    """The version of Piglet's module beside its page, published over other files, and all files after that."""
    made = module_files(account_of(PATH), ModulePublication("https://example.org/inn", version, files.get))
    files = files | {f"games/piglet/{name}": data for name, data in made.items()}
    found = read(files, "games/piglet/foundry/oddsmith-piglet/module.json")
    packed = files[found["download"].removeprefix("https://example.org/inn/")]
    assert json.loads(zipfile.ZipFile(io.BytesIO(packed)).read("module.json"))["version"] == found["version"]
    return found["version"], files


def test_the_version_goes_up_where_the_module_changes_and_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    version, first = published_again({})
    assert version == "1.0.0"
    assert published_again(first) == ("1.0.0", first)
    changed = {**module_scripts(), "scripts/foundry/main.mjs": b"// other"}
    with monkeypatch.context() as patch:
        patch.setattr("oddsmith.api.modules.module_scripts", lambda: changed)
        version, second = published_again(first)
        assert version == "1.0.1"
        assert published_again(second) == ("1.0.1", second)
    assert published_again(second)[0] == "1.0.2"  # also back to what was: Foundry offers no lower one
    assert published_again(second, version="2.0")[0] == "2.0"
    assert published_again(second, version="1.0.0")[0] == "1.0.2"


@pytest.mark.parametrize(
    "manifest",
    [b"", b"[]", b"{", b'{"version": 7}', b'{"version": "new"}', b'{"version": "1.x"}', b'{"version": "1_0"}'],
)
def test_what_is_no_manifest_of_ours_says_no_version(manifest: bytes) -> None:
    assert published_again({"games/piglet/foundry/oddsmith-piglet/module.json": manifest})[0] == "1.0.0"


def test_publishing_into_the_same_folder_raises_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_URL", "https://example.org/inn")
    rules = tmp_path / "piglet.yaml"
    text = PATH.read_text("utf-8")

    def manifest(*words: str) -> dict[str, object]:
        with pytest.raises(SystemExit) as end:
            main(
                [
                    "publish",
                    str(rules),
                    "-o",
                    str(tmp_path / "site"),
                    "--store",
                    str(tmp_path / "store"),
                    "--at-once",
                    *words,
                ]
            )
        assert end.value.code == 0
        found = tmp_path / "site" / "docs" / "games" / "piglet" / "foundry" / "oddsmith-piglet" / "module.json"
        return dict(json.loads(found.read_bytes()))

    for summary, version in (("Flip it.", "1.0.0"), ("Flip it.", "1.0.0"), ("Flip it again.", "1.0.1")):
        rules.write_text(re.sub("(?m)^summary: .*$", f"summary: {summary}", text), "utf-8")
        found = manifest()
        assert (found["version"], str(found["manifest"]).split("/games")[0]) == (version, "https://example.org/inn")
    assert str(manifest("--url", "https://example.com")["manifest"]).startswith("https://example.com/")


@pytest.mark.parametrize(("words", "said"), [(("--url", "here"), "no address"), (("--version", "new"), "no version")])
def test_a_site_that_cannot_be_is_refused_before_anything_is_solved(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["publish", str(PATH), "-o", str(tmp_path / "site"), *words])
    assert end.value.code == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
