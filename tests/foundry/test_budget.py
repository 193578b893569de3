"""What a module may weigh: the five games of the tavern together, and the table of best play of half a million
decisions.
"""

from __future__ import annotations

import gzip
import zipfile

import numpy as np

from oddsmith.base.files import zip_archive
from oddsmith.report.policy.policy_table import _pack_bits
from oddsmith.report.policy.table_bytes import rank_run_bytes, table_file_bytes
from tests.chromium import SITE, missing
from tests.foundry.joining import plain

FIVE = (
    "rogues-gambit", "burglar-and-the-dragon", "wizards-and-thieves", "dragons-lair", "dragons-lair-together",
    "dragons-hoard", "hold-the-pot", "hold-the-pot-round", "hold-the-pot-turn",
)  # fmt: skip
"""With the family of each."""
MOST = 3 * 2**20
MOST_OF_PIG = 10 * 2**10


def test_the_five_games_are_under_three_megabytes_as_a_folder() -> None:
    """As the modules beside their pages: what they share counts once, packs and lists as often as they come."""
    shared: dict[str, int] = {}
    own = 0
    for game in FIVE:
        path = SITE / "games" / game / "foundry" / f"oddsmith-{game}.zip"
        if not path.is_file():
            missing("the site has not been built: make site")
        for info in zipfile.ZipFile(path).infolist():
            if info.filename.startswith(("scripts/", "lang/", "styles/", "LICENSE")):
                shared[info.filename] = info.file_size
            else:
                own += info.file_size
    assert 0 < sum(shared.values()) < MOST
    assert 0 < own + sum(shared.values()) < MOST


def test_all_games_in_one_module_are_less_than_three_megabytes_to_download() -> None:
    path = SITE / "games" / "foundry" / "oddsmith-games.zip"
    if not path.is_file():
        missing("the site has not been built: make site")
    assert 0 < path.stat().st_size < MOST


def test_all_games_are_a_tenth_more_at_most_where_nothing_was_joined() -> None:
    """What `oddsmith foundry --all` writes in a clone without a bundle: each script is a file of its own."""
    path = SITE / "games" / "foundry" / "oddsmith-games.zip"
    if not path.is_file():
        missing("the site has not been built: make site")
    archive = zipfile.ZipFile(path)
    files = {name: archive.read(name) for name in archive.namelist() if not name.startswith("scripts/")}
    assert 0 < len(zip_archive(files | plain())) < MOST * 11 // 10


def test_a_table_has_the_fewest_bytes_and_the_same_content() -> None:
    """Best play of a game with secrets, in the module and as the solver packed it, beside the page."""
    folder = SITE / "games" / "liars-dice"
    if not folder.is_dir():
        missing("the site has not been built: make site")
    with zipfile.ZipFile(folder / "foundry" / "oddsmith-liars-dice.zip") as module:
        packed = {name: module.read(name) for name in module.namelist() if name.endswith(".plan.gz")}
    plans = {f"games/liars-dice/play/{path.name}": path.read_bytes() for path in folder.glob("play/*.plan.gz")}
    assert packed.keys() == plans.keys() != set()
    for name, plan in plans.items():
        assert gzip.decompress(packed[name]) == gzip.decompress(plan)
        assert len(packed[name]) <= len(plan)
    assert sum(map(len, packed.values())) < 0.95 * sum(map(len, plans.values()))


TARGET, FACES = 100, 6
SWEEPS = 60


def throws() -> np.ndarray:
    """Whether the mover at Pig for two throws on, by turn total, own score and other score.

    By repeated look-ahead in floating point: near enough for the size of a table, and for nothing else.
    """
    win = np.ones((TARGET + FACES, TARGET, TARGET))  # whoever has enough has won
    better = np.zeros(win.shape, dtype=bool)
    for _ in range(SWEEPS):
        other = 1 - win[0].T  # once the turn is passed on, by own score and other score
        for total in range(TARGET - 1, -1, -1):
            open_ = TARGET - total  # own scores with which this is not enough yet
            thrown = (other[:open_] + win[total + 2 : total + FACES + 1, :open_].sum(axis=0)) / FACES
            held = other[total:] if total else np.zeros_like(thrown)
            better[total, :open_] = thrown >= held
            win[total, :open_] = np.maximum(thrown, held)
    return better


def test_best_play_of_pig_to_a_hundred_packs_in_ten_kilobytes() -> None:
    better = throws()
    mine, _, total = np.ogrid[:TARGET, :TARGET, :TARGET]
    met = np.broadcast_to(mine + total < TARGET, (TARGET,) * 3)
    codes = better[:TARGET].transpose(1, 2, 0)[met].astype(np.int64)
    ranks = np.flatnonzero(met)
    assert len(codes) == 505_000
    assert (better[20, 0, 0], better[21, 0, 0]) == (True, False), "as is known of the first turn"
    packed = table_file_bytes({}, rank_run_bytes(ranks) + _pack_bits(codes))
    assert len(packed) < MOST_OF_PIG
