"""The pages of games: complete, the same every time, and safe."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path

import markdown
import pytest
from mkdocs.utils.yaml import yaml_load
from ruamel.yaml import YAML

import oddsmith
from oddsmith.base.files import shipped_rulesets
from oddsmith.base.resources import data_folder
from oddsmith.publish.markup.html import title_text
from oddsmith.publish.sections.chances import roll_or_stop_formulas_html
from oddsmith.publish.site import mkdocs_config, publish, site_pages
from oddsmith.report.facts.breakeven import break_even, break_even_rules
from tests.cases import account_of
from tests.publish.test_html import EXTENSIONS, read
from tests.publish.test_remember import GAMBIT

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests" / "publish" / "hostile.yaml"
SAMPLES = sorted((ROOT / "tests" / "samples").glob("*.yaml"))
SCRIPTS = {f'<script type="module" src="../../assets/{name}.mjs"></script>' for name in ("page/door", "map")}
SCRIPTS |= {'<script src="../../assets/proof/page.mjs" type="module"></script>'}  # what is folded is laid out by mkdocs
TAGS = {
    "h1", "h2", "h3", "h4", "p", "dl", "dt", "dd", "div", "section", "small", "strong", "em", "b", "a", "ul", "ol", "li",
    "span", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary", "code", "br", "figure",
    "figcaption", "svg", "title", "path", "text", "bdi",
    "script", "noscript",
}  # fmt: skip


@cache
def pages(path: Path) -> dict[str, bytes]:
    return site_pages([account_of(path)], {})


@pytest.mark.parametrize("path", [*SAMPLES, HOSTILE], ids=lambda path: path.stem)
def test_every_game_gets_a_page_of_plain_elements_without_dead_links(path: Path) -> None:
    made = pages(path)
    page = made[f"games/{path.stem}.md"].decode()
    html = markdown.markdown(page.split("---\n", 2)[2], extensions=EXTENSIONS)
    assert set(read(html).tags) <= TAGS
    assert set(re.findall(r"<script.*?</script>", html)) <= SCRIPTS
    anchors = set(re.findall(r'id="([^"]+)"', html))
    for target in re.findall(r'href="([^"]+)"', page):
        plain = target.replace("&#38;", "&")
        if plain.startswith("#"):
            assert plain[1:] in anchors
        elif plain == f"../../table/#game={path.stem}":  # a page that the site adds
            assert [each["id"] for each in json.loads(made["table/games.json"])["games"]] == [path.stem]
        elif not plain.startswith("https://example.org/"):
            assert f"games/{path.stem}/{plain}" in made


def widths(table: str) -> set[int]:
    """How many columns the rows of a table have, its head and foot among them."""
    cells = [re.findall("<t[dh][^>]*>", row) for row in re.findall("<tr.*?</tr>", table, re.DOTALL)]
    spans = [[re.search('colspan="([0-9]+)"', cell) for cell in row] for row in cells]
    return {sum(int(span[1]) if span else 1 for span in row) for row in spans}


@pytest.mark.parametrize("path", [*SAMPLES, HOSTILE], ids=lambda path: path.stem)
def test_every_row_of_a_table_is_as_long_as_its_head(path: Path) -> None:
    made = pages(path)
    for name in (f"games/{path.stem}.md", f"games/{path.stem}/card.html"):
        tables = re.findall("<table.*?</table>", made[name].decode(), re.DOTALL)
        assert tables
        assert [table for table in tables if len(widths(table)) > 1] == []


@pytest.mark.parametrize("path", [*SAMPLES, HOSTILE], ids=lambda path: path.stem)
def test_a_page_says_in_its_head_what_the_game_is_and_nothing_more(path: Path) -> None:
    made = pages(path)
    head = YAML(typ="safe", pure=True).load(made[f"games/{path.stem}.md"].decode().split("---\n", 2)[1])
    assert (
        {"title", "description", "picture", "search"}
        <= set(head)
        <= {"title", "description", "picture", "search", "tags"}
    )
    assert head["description"]
    assert not re.search('[<>"]', "".join([head["title"], head["description"], *head.get("tags", [])]))
    picture = made[head["picture"]]
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1200, 630)


@pytest.mark.parametrize("path", [HOSTILE, *SAMPLES[:2]], ids=lambda path: path.stem)
def test_two_builds_are_the_same_to_the_byte(path: Path) -> None:
    assert publish([oddsmith.load(path).ruleset]) == pages(path)


def test_no_place_and_no_time_of_the_build_is_told() -> None:
    for path in SAMPLES:
        for name, data in pages(path).items():
            if not name.endswith(".yaml"):
                assert str(ROOT).encode() not in data
                assert b'"seconds"' not in data


def test_the_whole_table_has_every_decision_and_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(pages(HOSTILE)["games/hostile/2-seats-win.csv"].decode())))
    solution = oddsmith.load(HOSTILE).solve()
    assert len(rows) == solution.graph.decision_count
    assert all(not value.startswith(("=", "+", "@")) for row in rows for value in row.values())


def test_results_are_the_command_lines_own() -> None:
    data = json.loads(pages(HOSTILE)["games/hostile/2-seats-win.json"])
    expected = oddsmith.load(HOSTILE).solve().to_json()
    assert data["values"] == expected["values"]
    assert data["ruleset"] == expected["ruleset"]


def test_written_pages_go_along_and_the_list_stands_where_it_is_asked_for() -> None:
    docs = {"index.md": b"# Home\n\n<!-- games -->\n", "grades.md": b"# Grades\n"}
    made = site_pages([account_of(SAMPLES[0])], docs)
    assert b'href="games/base/"' in made["index.md"]
    assert made["grades.md"] == docs["grades.md"]
    assert b"../../grades/" in made["games/base.md"]


def test_a_written_page_chooses_and_orders_the_games_that_it_shows() -> None:
    docs = {
        "index.md": b"# Home\n\n<!-- games: pig base none -->\n",
        "games/index.md": b"# Games\n\n<!-- filters -->\n\n## All\n\n<!-- games -->\n",
    }
    made = site_pages(
        [account_of(ROOT / "tests" / "samples" / f"{name}.yaml") for name in ("base", "craps", "pig")], docs
    )
    home, games = made["index.md"].decode(), made["games/index.md"].decode()
    assert re.findall(r'<h2><a href="games/(\w+)/"', home) == ["pig", "base"]
    assert sorted(re.findall(r'<h3><a href="(\w+)/"', games)) == ["base", "craps", "pig"]
    assert "<form" in games
    assert "<!--" not in home + games


def test_the_lists_of_the_project_name_every_game_once() -> None:
    text = (data_folder("docs") / "games" / "index.md").read_text("utf-8")
    named = " ".join(re.findall(r"<!-- games: (.+?) -->", text)).split()
    assert sorted(named) == shipped_rulesets()
    home = (data_folder("docs") / "index.md").read_text("utf-8")
    assert set(" ".join(re.findall(r"<!-- games: (.+?) -->", home)).split()) <= set(named)


def test_the_search_is_given_what_people_type_as_one_list_of_words() -> None:
    head = pages(HOSTILE)["games/hostile.md"].decode().split("\n---\n")[0]
    source, *words = YAML(typ="safe").load(head.removeprefix("---\n"))["tags"]
    data = oddsmith.load(HOSTILE).ruleset.data
    assert [source, *words] == [title_text(data["source"]["title"]), *map(title_text, data["publish"]["keywords"])]
    assert len(words) == 3
    assert "<" not in " ".join(words)


def test_every_map_has_its_cells_and_a_page_without_any_has_no_script() -> None:
    touched = account_of(GAMBIT).ruleset
    made = site_pages([account_of(GAMBIT), account_of(SAMPLES[0])], {})
    page = unescape(made[f"games/{touched.id}.md"].decode())
    named = re.findall('data-od-map="([^"]*)"', page)
    folder = f"games/{touched.id}/"
    assert len(named) == 2
    assert {f"{folder}{name}" for name in named} == {name for name in made if name.startswith(f"{folder}maps/")}
    assert page.count("assets/map.mjs") == 1
    assert b"assets/map.mjs" not in made["games/base.md"]


def test_a_small_site_wears_the_projects_dress() -> None:
    ours = yaml_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    theirs = YAML(typ="safe").load(mkdocs_config('My "games"'))
    assert theirs["site_name"] == "My ”games”"
    assert theirs["theme"]["palette"] == ours["theme"]["palette"]
    assert theirs["extra_css"] == ours["extra_css"]
    assert theirs["plugins"] == ours["plugins"], "the same search"
    assert theirs["theme"]["font"] is False


@pytest.mark.parametrize(
    "name", ["@PAGES@", "@NAME@ @THEME@", "a: b # c", "!ENV HOME", "back\\slash \\", "{{ x }} %", "'"]
)
def test_a_title_is_nothing_but_the_name_of_a_site(name: str) -> None:
    plain = YAML(typ="safe").load(mkdocs_config("plain"))
    assert YAML(typ="safe").load(mkdocs_config(name)) == {**plain, "site_name": name}


def test_no_cell_of_a_download_is_a_formula() -> None:
    tables = [data.decode() for name, data in pages(HOSTILE).items() if name.endswith(".csv")]
    cells = [cell for table in tables for row in csv.reader(io.StringIO(table)) for cell in row]
    assert any("HYPERLINK" in cell for cell in cells)
    assert [cell for cell in cells if re.match(r"[=+@\t\r]|-(?![0-9])", cell)] == []


def test_a_small_site_builds(tmp_path: Path) -> None:
    for name, data in pages(HOSTILE).items():
        target = tmp_path / "docs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    (tmp_path / "mkdocs.yml").write_bytes(mkdocs_config("Mine", theme_folder=str(data_folder("site") / "theme")))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(tmp_path / "mkdocs.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    html = (tmp_path / "site" / "games" / "hostile" / "index.html").read_text("utf-8")
    assert "document.title='owned'</script>" not in html


def test_one_more_throw_is_a_formula_where_there_is_one() -> None:
    for name in ("pig", "craps"):  # a share of the win is no sum of amounts; nothing to decide
        assert "at once:" not in pages(ROOT / "tests" / "samples" / f"{name}.yaml")[f"games/{name}.md"].decode()
    solution = oddsmith.load("rogues-gambit").at(seats=2).solve().solution
    formulas = break_even_rules(break_even(solution.graph))
    text = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), "".join(roll_or_stop_formulas_html(formulas)))
    assert "while stash < (5·hoard + 1440)/91</code>, where hoard ≥ 17" in text
