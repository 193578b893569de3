"""The table by link: its codes and messages, who may do what there, and people who play at it, each in a browser of
their own.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.files import folder_files, write_folder_files
from oddsmith.publish.pages.playing import game_list_file, play_files
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from oddsmith.tabletops.solved import virtual_tabletop_files
from tests.browser.conftest import served
from tests.cases import RULESETS, SAMPLES, SHIPPED, TESTS, account_of, ruleset
from tests.chromium import ROOT, missing
from tests.node import NODE, answers, pictures

HERE = Path(__file__).parent
MIA = RULESETS / "mia.yaml"
KUHN = TESTS / "secrets/games/kuhn-poker.yaml"

# --- codes and messages

FINGERPRINT = ":".join(f"{byte:02X}" for byte in range(32))
MDNS = "637f9375-e8a7-4a30-9563-64573909bdef.local"


def sdp(ufrag: str, pwd: str, *candidates: str) -> str:
    """What a browser says of itself, with lines that a code leaves out."""
    lines = [
        "v=0", "o=- 4497471369910987584 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0", "a=msid-semantic: WMS",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", *(f"a=candidate:{each}" for each in candidates),
        f"a=ice-ufrag:{ufrag}", f"a=ice-pwd:{pwd}", "a=ice-options:trickle", f"a=fingerprint:sha-256 {FINGERPRINT}",
        "a=setup:actpass", "a=mid:0", "a=sctp-port:5000", "a=max-message-size:262144",
    ]  # fmt: skip
    return "".join(f"{line}\r\n" for line in lines)


def code(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def ask(**job: Any) -> Any:
    if not NODE.exists():
        missing("Node is not set up")
    given: dict[str, list[Any]] = {
        "sdps": [],
        "codes": [],
        "guest": [],
        "host": [],
        "names": [],
        "servers": [],
        "beats": [],
    }
    return answers(HERE / "codes.mjs", given | job)[0]


HEAD, TICKET = f"3 {'0f' * 32}", f"abcd,{'p' * 22},"
GOOD = f"{HEAD} 1.2.3.4 {TICKET}"


def test_a_code_holds_what_a_browser_needs_to_reach_another_and_no_more() -> None:
    places = (
        f"1 1 udp 2113937151 {MDNS} 43441 typ host generation 0 network-cost 999",
        "2 1 UDP 2122252543 192.168.178.23 5001 typ host",
        "3 1 udp 1 fd00::2 5002 typ host",
        "4 1 udp 1677729535 203.0.113.7 61000 typ srflx raddr 192.168.178.23 rport 5001",
        "5 1 tcp 1518280447 192.168.178.23 9 typ host tcptype active",
        "6 2 udp 2 192.168.178.23 5003 typ host",
        "7 1 udp 1 relay.example.org 5004 typ host",
    )
    offer, answer = sdp("h+Kt", "MFn9KSALQ+RLSaGkLlbphD5F", *places), sdp("a1b2c3d4", "x" * 32)
    other = sdp("i+Kt", "y" * 24, f"1 1 udp 2113937151 {MDNS} 43442 typ host")
    found = ask(sdps=[[[offer, other], []], [[answer], ["h+Kt"]]])
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", each) for each in found["codes"])
    assert base64.urlsafe_b64decode(found["codes"][0] + "==").count(MDNS.encode()) == 1
    (first, more), (second,) = found["read"]
    assert {"a=ice-ufrag:i+Kt", f"a=fingerprint:sha-256 {FINGERPRINT}"} <= set(more["sdp"].split("\r\n"))
    assert re.findall(r"a=candidate:1 1 udp \d+ (\S+) (\d+) typ host", more["sdp"]) == [(MDNS, "43442")]
    assert (first["type"], second["type"]) == ("offer", "answer")
    assert {"a=ice-ufrag:h+Kt", "a=ice-pwd:MFn9KSALQ+RLSaGkLlbphD5F", "a=setup:active"} <= set(
        first["sdp"].split("\r\n")
    )
    assert {"a=ice-ufrag:a1b2c3d4", "a=setup:passive"} <= set(second["sdp"].split("\r\n"))
    assert f"a=fingerprint:sha-256 {FINGERPRINT}\r\n" in first["sdp"]
    reached = re.findall(r"a=candidate:\d 1 udp (\d+) (\S+) (\d+) typ (\w+)", first["sdp"])
    assert [each[1:] for each in reached] == [
        (MDNS, "43441", "host"),
        ("192.168.178.23", "5001", "host"),
        ("fd00::2", "5002", "host"),
        ("203.0.113.7", "61000", "srflx"),
    ]
    assert [int(each[0]) for each in reached] == sorted((int(each[0]) for each in reached), reverse=True)
    assert "candidate" not in second["sdp"]


@pytest.mark.parametrize(
    "strange",
    [
        "", "x", "%%%", "a b", code(""), code("2"), code("hello"), code("{}"), "A" * 2501, code(GOOD)[:-4], 5, None, [], {},
        code(GOOD + "\r\na=x"), code(GOOD.replace("abcd", "ab\r\n")), code(GOOD.replace("abcd", "abc")), code(f"{GOOD},x1@0"),
        code(f"{GOOD},h0@0"), code(f"{GOOD},h70000@0"), code(f"{GOOD},h1@1"), code(f"{HEAD}  {TICKET},h1@0"),
        code(GOOD.replace("1.2.3.4", "evil.example.org")), code(GOOD.replace("1.2.3.4", "x.local")), code(f"{GOOD},h1@0\n"),
        code(GOOD + ",h1@0" * 11), code(GOOD.replace("0f", "0g")), code(GOOD + "ab"), code(GOOD.replace("p" * 22, "p" * 21)),
        code(GOOD + ",h1@0 typ host"), code(HEAD), code(f"{HEAD} 1.2.3.4 "), code(f"{GOOD}{f' {TICKET}' * 5}"),
        code(f"{GOOD} {TICKET}abcd"),
    ],
    ids=lambda given: json.dumps(given)[:30],
)  # fmt: skip
def test_what_is_no_code_is_refused(strange: Any) -> None:
    assert ask(codes=[strange])["strange"] == [
        "Refused: This is no invitation and no answer. Copy all of it, and try again."
    ]


def test_a_code_of_another_version_is_called_that_and_a_good_one_is_read() -> None:
    other, one, most = ask(codes=[code("1" + GOOD[1:]), code(f"{HEAD}  {TICKET}"), code(GOOD + f" {TICKET}" * 4)])[
        "strange"
    ]
    assert other.startswith("Refused: This comes from another version of the page.")
    assert [len(each) for each in (one, most)] == [1, 5]
    assert {each["type"] for each in one + most} == {"offer"}


KEY = "00000000-0000-4000-8000-000000000000"
HELLO = {"t": "hello", "key": KEY, "name": "Ann"}
ACT = {"t": "act", "act": "join", "place": 1, "rev": 3}


def test_what_a_guest_says_has_exactly_its_shape_or_counts_for_nothing() -> None:
    cards = {"seat": 2, "deck": ["f" * 64] * 8}  # of games with secrets
    good = [HELLO, ACT, ACT | {"place": None}, ACT | {"rev": -1}, ACT | {"act": "enter", "place": cards}]
    wrong: list[Any] = [
        None, [], 5, "hello", {}, {"t": "hello"}, {"t": "room", "kept": None}, {"t": "toString"}, {"t": "__proto__"},
        {"t": ["act"]},
        HELLO | {"more": 1}, HELLO | {"key": KEY[1:]}, HELLO | {"key": 5}, HELLO | {"name": "x" * 201}, HELLO | {"name": None},
        ACT | {"act": 5}, ACT | {"act": "x" * 21}, ACT | {"place": "1"}, ACT | {"place": -1}, ACT | {"place": 1.5},
        ACT | {"place": [1]}, ACT | {"rev": None}, ACT | {"rev": 1e300}, ACT | {"rev": "3"}, ACT | {"user": "master"},
        ACT | {"place": cards | {"deck": ["f" * 64] * 9}},
    ]  # fmt: skip
    found = ask(guest=[*map(json.dumps, good), *map(json.dumps, wrong), HELLO, "{", "[" * 999, " " * 1001, None, 5])[
        "guest"
    ]
    assert found == good + [None] * (len(found) - len(good))


def test_what_a_host_says_has_exactly_its_shape_or_counts_for_nothing() -> None:
    good = [
        {"t": "welcome", "id": "a", "name": "b", "host": "c"},
        {"t": "room", "kept": None},
        {"t": "done", "why": ""},
    ]
    wrong = [
        HELLO,
        ACT,
        {"t": "room"},
        {"t": "room", "kept": 5},
        {"t": "done", "why": 5},
        {"t": "done", "why": "x" * 1001},
    ]
    found = ask(host=[*map(json.dumps, good), *map(json.dumps, wrong), json.dumps(good[1]) + " " * 100_000])["host"]
    assert found == good + [None] * (len(wrong) + 1)


def test_names_are_short_and_in_one_line_and_nobody_goes_by_the_name_of_another() -> None:
    names = {
        ("Ann", ()): "Ann",
        ("  A\n\tn\u202en ", ()): "A n n",
        ("", ()): "?",
        ("x" * 50, ()): "x" * 30,
        ("keeper", ("Keeper", "Ann")): "keeper (2)",
        ("Ann", ("Ann", "Ann (2)")): "Ann (3)",
        ("\uff21nn", ("Ann",)): "Ann (2)",
    }
    assert ask(names=[list(each) for each in names])["names"] == list(names.values())


def test_a_server_is_a_host_and_perhaps_a_port() -> None:
    servers = {
        "stun.example.org": True, "stun.example.org:3478": True, "192.0.2.1:3478": True, "": False, "a b": False, "-x": False,
        "turn:x": False, "x?transport=tcp": False, "x/y": False, "x" * 200: False,
    }  # fmt: skip
    assert ask(servers=[*servers, None, 5])["servers"] == [*servers.values(), False, False]


def test_who_speaks_too_often_is_not_heard() -> None:
    assert ask(beats=[0, 0, 0, 0, 400, 500, 600, 5000, 5000, 5000, 5000])["heard"] == [
        True, True, True, False, False, True, False, True, True, True, False,
    ]  # fmt: skip


# --- rights


def test_rights_are_those_of_a_list_and_a_guest_has_the_fewest() -> None:
    """By stage and by person: what may be done, with the seat where one is meant. Seat 0 is the game master's, seat 1 that
    of the person, seat 2 a non-player's, seat 3 free until the game begins and a non-player's after that.
    """
    if not NODE.exists():
        missing("Node is not set up")
    game = load_ruleset(SAMPLES / "pig.yaml")[0]
    book = json.loads(play_files(account_of(SAMPLES / "pig.yaml"))["play.json"])
    found = answers(
        HERE / "shared.mjs", {"book": book, "rules": sha256(game), "setting": "=4 target=20", "scene": "rights"}
    )[0]
    master = {
        "none": ["open"],
        "lobby": ["leave 0", "leave 1", "leave 2", "hand 0", "hand 1", "hand 3", "close"],
        "full": ["leave 0", "leave 1", "leave 2", "leave 3", "hand 0", "hand 1", "start", "close"],
        "other": ["leave 2", "leave 3", "hand 0", "hand 1", "act", "undo", "close"],
        "own": ["leave 2", "leave 3", "hand 0", "hand 1", "act", "undo", "close"],
        "over": ["leave 2", "leave 3", "undo", "rematch", "close"],
    }
    friend = {
        "none": ["open"],
        "lobby": ["leave 1", "leave 2", "hand 3", "close"],
        "full": ["leave 1", "leave 2", "leave 3", "start", "close"],
        "other": [],
        "own": ["act"],
        "over": ["rematch", "close"],
    }
    guest = {
        "none": [],
        "lobby": ["leave 1"],
        "full": ["leave 1", "start"],
        "other": [],
        "own": ["act"],
        "over": ["rematch"],
    }
    stranger = {"none": [], "lobby": ["join 3"], "full": [], "other": [], "own": [], "over": []}
    assert found == {"master": master, "friend": friend, "guest": guest, "stranger": stranger}


# --- the page


def test_the_page_has_no_script_of_its_own_and_may_load_none_from_elsewhere() -> None:
    page = (ROOT / "site" / "link" / "index.html").read_text("utf-8")
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, flags=re.DOTALL) == ["", ""]
    assert "default-src 'none'; script-src 'self'" in page
    assert not re.search(r"\son\w+=|style=|https?://", page)
    assert "So nobody can choose the dice, and every browser checks them." in page


def test_the_code_that_draws_pictures_to_scan_is_that_of_its_package() -> None:
    package = ROOT / "node_modules" / "qr"
    if not package.exists():
        missing("the Node packages are not set up")
    vendor = folder_files(ROOT / "site" / "vendor")
    files = {name: name for name in ("index.js", "index.d.ts", "decode.js", "decode.d.ts")} | {"LICENSE": "LICENSE-MIT"}
    assert vendor == {ours: (package / theirs).read_bytes() for ours, theirs in files.items()}


def test_every_page_that_can_be_played_leads_to_the_table_and_the_table_to_its_files(site: Path) -> None:
    games = json.loads((site / "table" / "games.json").read_text("utf-8"))["games"]
    linked = [path for path in (site / "games").glob("*/index.html") if "table/#game=" in path.read_text("utf-8")]
    assert sorted(each["id"] for each in games) == sorted(path.parent.name for path in linked) != []
    assert all((site / "table" / each["book"]).is_file() for each in games)


@pytest.fixture(scope="module")
def base(browser: None, site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


LIGHT, DARK = (
    "rgb({}, {}, {})".format(*bytes.fromhex(one))
    for one in re.findall(
        r"--md-default-bg-color: #([0-9a-f]{6});", (ROOT / "site/theme/assets/palettes.css").read_text("utf-8")
    )
)


def use(base: str, scene: str, **job: Any) -> Any:
    """What a scene of link.mjs shows; in none may anything break or come from elsewhere."""
    job = {"base": base, "scene": scene, "game": "pig", "size": "3-seats-win-target-10", "shots": pictures(), **job}
    (found,) = answers(HERE / "link.mjs", job, timeout=150)
    assert found["errors"] == []
    assert found["foreign"] == []
    assert found["grave"] == []
    return found


def finished(found: Any) -> None:
    """Everybody saw the same whole game, and Python comes to the same."""
    assert all(turn.startswith("The game is over.") for turn in found["turns"])
    first = found["stories"][0]
    assert found["stories"] == [first] * len(found["stories"])
    assert len(first) > 6
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), ruleset(f"{SHIPPED}pig")).payoffs
        is not None
    )


@pytest.fixture(scope="module")
def secret_games(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with nothing but the table by link, a game with secret dice and one with cards."""
    own, accounts = folder_files(ROOT / "site"), [account_of(MIA), account_of(KUHN)]
    files = {
        f"assets/{name}": data
        for name, data in own.items()
        if name.startswith(("link/", "room/", "runtime/", "vendor/"))
    }
    files |= {"table/index.html": own["link/index.html"], **game_list_file(accounts)}
    for account in accounts:
        files |= virtual_tabletop_files(account)
    files |= {f"assets/{name}": own[f"theme/assets/{name}"] for name in ("palettes.css", "favicon.svg")}
    folder = tmp_path_factory.mktemp("secrets")
    write_folder_files(folder, files)
    with served(folder) as address:
        yield address


@pytest.mark.browser
def test_two_browsers_play_a_game_with_secrets_and_neither_can_look(secret_games: str) -> None:
    found = use(secret_games, "secrets", game="mia", size="")
    assert "Hidden dice and choices lie sealed in the browsers of their players" in found["told"]
    covered = "Game master: a roll that stays covered."
    rolled, announced, again, back, over = found["looks"]
    for look in (rolled, announced):
        assert look["cups"][0].isdigit()
        assert look["cups"][1] == "covered"
        assert look["seen"][0][0].startswith("Game master rolls")
        assert look["seen"][1][0] == covered
    assert again["cups"][0] == "covered"
    assert again["cups"][1].isdigit()
    assert back["cups"] == again["cups"]
    assert back["seen"] == again["seen"]
    first, second = (at for at, _ in over["peeked"][0]["rolls"])
    shown = [{(first, 0), (first, 1)}, {(first, 1)}]
    more = [{*shown[0], (second, 0)}, {*shown[1], (second, 0), (second, 1)}]
    everything = {*more[0], *more[1]}
    for look, known in ((rolled, shown), (announced, shown), (again, more), (back, more), (over, [everything] * 2)):
        assert [{(each["at"], each["seat"]) for each in one["found"]} for one in look["peeked"]] == known, (
            "each finds its own numbers and those that were shown, and those of both once all is open"
        )
        assert all(one["heard"] > 0 for one in look["peeked"])
    assert found["alert"] == ""
    assert over["seen"][0] == over["seen"][1]
    assert not any("covered" in line for line in over["seen"][0])
    assert all(turn.startswith("The game is over.") for turn in found["turns"])
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), account_of(MIA).ruleset).payoffs
        is not None
    )


@pytest.mark.browser
def test_two_browsers_draw_cards_that_nobody_deals_and_neither_can_look(secret_games: str) -> None:
    found = use(secret_games, "cards", game="kuhn-poker", size="", cards=["1", "2", "3"])
    (own, theirs), (others, mine) = found["told"]
    assert (theirs, others) == ("Ann: a draw that stays covered.", "Game master: a draw that stays covered.")
    assert own.startswith("Game master draws ")
    assert mine.startswith("Ann draws ")
    assert own[-2] != mine[-2]
    assert found["peeked"]["points"] > 6
    assert found["peeked"]["found"] == [mine[-2]]
    assert found["alert"] == ""
    assert all(turn.startswith("The game is over.") for turn in found["turns"])
    assert found["stories"][0] == found["stories"][1]
    assert not any("covered" in line for line in found["stories"][0])
    played = verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), account_of(KUHN).ruleset)
    assert played.payoffs is not None


@pytest.mark.browser
def test_three_browsers_play_a_whole_game_by_touch(base: str) -> None:
    found = use(base, "played")
    finished(found)
    assert found["transcript"]["names"] == ["Game master", "Ann", "Ann (2)"]
    assert found["told"][0] == "The browsers of everybody with a seat made the last roll together: 3."
    assert len(set(found["told"][1:])) == 1
    assert found["told"][1].startswith(
        "Your browser had a part in every roll since it came, and found all of them right: "
    )
    assert found["read"][0::2] == found["read"][1::2]
    assert found["read"][0].startswith(f"{base}table/#join=")
    assert found["back"] == [f"{base}games/", f"{base}games/pig/"]
    assert found["passed"].startswith("Your table in the other tab has this answer.")


@pytest.mark.browser
def test_guests_whose_answers_wait_keep_nobody_from_coming_in(base: str) -> None:
    found = use(base, "waiting")
    assert found["here"] == "Ann is here."
    assert "Keep this page open" in found["eve"]


@pytest.mark.browser
def test_one_invitation_lets_in_as_many_as_there_are_free_seats_and_tells_who_comes_back_what_to_do(base: str) -> None:
    found = use(base, "together")
    assert found["steps"].startswith(
        "Send this link to all your players, or let them scan the picture. It lets in 2 devices."
    )
    assert found["noName"] == "Write a name first: it tells the others who you are."
    assert found["left"] == "Places left: 1."
    assert found["twice"] == "This answer is here already."
    assert found["cards"] == 0
    closed = "This invitation is no longer open, or all its places are taken. Invite the player again."
    assert (found["late"], found["full"]) == (closed, closed)
    assert "By this link you came to the table of Game master, as Ann. It lets you in again while" in found["again"]
    assert found["seats"] == ["Game master", "Ann", ""], "known again, in the seat of before"
    assert "This invitation is used up: by it you came to the table of Game master, as Ann. Ask" in found["used"]
    assert found["boxes"] == ["Scan with the camera", "Join"], "another invitation, and no way to answer this one"
    assert found["own"] < found["link"] < 600, "still easily scanned"


@pytest.mark.browser
def test_invitations_and_answers_are_scanned_by_the_camera_of_the_page_or_pasted(base: str, tmp_path: Path) -> None:
    found = use(base, "scans", folder=str(tmp_path))
    assert found["before"] == 0
    assert found["loaded"] == [f"{base}assets/vendor/decode.js"]
    assert found["off"]
    assert found["at"] == f"{base}table/"


@pytest.mark.browser
def test_a_number_that_is_not_shown_stops_the_roll_and_nothing_else_and_dice_that_were_chosen_are_found_out(
    base: str,
) -> None:
    found = use(base, "chosen")
    waits = "The roll waits for the number of Eve, which was promised. It goes on as soon as that browser shows it."
    assert found["told"] == [
        f"{waits} Or give the seat to a non-player: then the others can begin this roll anew.",
        waits,
    ]
    assert found["goesOn"] == {"log": True, "told": waits}
    assert found["sound"] == []
    assert found["made"] == "The browsers of everybody with a seat made the last roll together: 2."
    assert found["seen"].startswith(
        "Your browser had a part in every roll since it came, and found all of them right: "
    )
    assert found["left"].endswith("It had a part in 0.")
    assert [each.split(":")[0] for each in found["alerts"]] == ["Do not trust this table"] * 2


@pytest.mark.browser
def test_two_people_come_together_and_play_a_whole_game_by_keyboard(base: str) -> None:
    finished(use(base, "keyed"))


@pytest.mark.browser
def test_the_page_has_the_colours_that_the_reader_has_on_the_site(base: str) -> None:
    assert use(base, "colours", scheme="dark")["found"] == [DARK, LIGHT, DARK]
    assert use(base, "colours", scheme="light")["found"] == [LIGHT, DARK, LIGHT]


@pytest.mark.browser
def test_a_player_comes_back_another_comes_late_and_the_game_master_loads_the_page_anew(base: str) -> None:
    found = use(base, "left", seed=4, scheme="dark")
    finished(found)
    assert found["seen"] == ["Ann\nnot connected\nInvite again"]
    assert found["watches"] == []
    assert found["away"] == ["Ann\nnot connected\nInvite again", "Ben\nnot connected\nInvite again"]
    assert found["same"]
    assert found["transcript"]["names"] == ["Game master", "Ann", "Ben"]


@pytest.mark.browser
def test_a_server_is_asked_only_where_the_game_master_names_one_and_guests_read_its_name(base: str) -> None:
    found = use(base, "elsewhere")
    assert found["wrong"] == 1
    assert found["link"].endswith("&stun=stun.example.org%3A3478")
    assert "your browser asks the server stun.example.org:3478 for its address" in found["told"]
    assert found["broken"] == ["This is no invitation and no answer. Copy all of it, and try again."] * 2
    assert found["seats"] == ["Keeper", "", ""]


@pytest.mark.browser
def test_a_guest_who_cheats_is_refused_and_one_who_says_nonsense_is_parted_from(base: str) -> None:
    nonsense: list[list[Any]] = [
        ["hello"], [ACT], [HELLO | {"key": "x"}], [HELLO, HELLO], [HELLO, {"t": "room", "kept": None}], [HELLO, "x" * 5000],
        [HELLO, *[ACT | {"rev": -1}] * 200],
    ]  # fmt: skip
    found = use(base, "cheated", nonsense=nonsense)
    assert len(found["told"]) > 80
    for each in found["told"]:
        allowed = each["stage"].startswith("may ")
        assert (each["why"] == "", each["same"]) == (allowed, not allowed), each
    late = [each["why"] for each in found["told"] if each["late"]]
    assert late == ["Somebody else was faster. Look again."] * 2
    assert found["seats"] == ["Game master", "Ann", "Game master (2)"]
    assert found["parted"] == [["Ann\nconnected", "Game master (2)\nnot connected\nInvite again"]] * len(nonsense)
    assert found["same"]
    assert found["alert"] == ""


def test_what_is_said_of_invitations_agrees_and_no_line_runs_through_text_on_a_phone() -> None:
    folder = ROOT / "site" / "link"
    words, style = ((folder / name).read_text("utf-8") for name in ("words.mjs", "style.css"))
    assert "its link is for all who are to sit here" in words
    assert "Send this link to the player who is to sit here" in words
    assert "@media (max-width: 40rem) { #od-table { background: var(--back); } }" in style
