"""Pictures of modules as SVG, drawn from rules and chances: an icon for each game and each roll table, and covers.

The icon of a game shows dice of a simulated game on felt, whose colour depends on the game. The icon of a roll table
shows its chances as bars on the same felt. Cover and icon of a module are WebP files if ``make covers`` drew them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, product
from math import ceil

from oddsmith.publish.markup import Html, join_html, tag
from oddsmith.publish.markup import title_text as plain_title
from oddsmith.ruleset import bind, faces_of_fullest_hand
from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.roll_tables import RollTable

COVER_FILE, ICON_FILE = "art/cover.svg", "art/icon.svg"
FELTS = ("#2f5d46", "#6b2737", "#2d4a6b", "#5b3f63", "#6a4a24", "#2b5a5e", "#54582a", "#7a4023")
WOOD, EDGE, IVORY, INK, GOLD = "#3b291d", "#1d130c", "#f6ecd2", "#2b2118", "#d9a441"
ICON_SIDE = 100  # of an icon
MAX_DICE_ON_ICON = 6  # dice on an icon
MAX_BARS_ON_ICON = 8  # on an icon
COVER_SIZE = (1200, 630)
LETTERS_ACROSS_COVER = 26  # letters of a title that fill the width of a cover
MIN_COVER_COLUMNS, MAX_COVER_ROWS = 8, 3  # of games on a cover; more columns where the games need them
MAX_COVER_COLUMNS = 12
ICON_SCALE = 0.94  # an icon on a cover, in parts of its place
LOW, MIDDLE, HIGH = 0.26, 0.5, 0.74  # where pips are, in parts of a die
PIP_POSITIONS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((50, 50, 46),),
    2: ((32, 36, 34), (68, 64, 34)),
    3: ((32, 34, 31), (68, 40, 31), (48, 71, 31)),
    4: ((31, 31, 29), (69, 31, 29), (31, 69, 29), (69, 69, 29)),
    5: ((29, 29, 25), (71, 29, 25), (50, 50, 25), (29, 71, 25), (71, 71, 25)),
    6: ((33, 23, 24), (67, 23, 24), (33, 50, 24), (67, 50, 24), (33, 77, 24), (67, 77, 24)),
}
"""The centre (x, y) and the size of each die on an icon, by the number of dice."""
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "1": ((MIDDLE, MIDDLE),),
    "2": ((LOW, LOW), (HIGH, HIGH)),
    "3": ((LOW, LOW), (MIDDLE, MIDDLE), (HIGH, HIGH)),
    "4": ((LOW, LOW), (LOW, HIGH), (HIGH, LOW), (HIGH, HIGH)),
    "5": ((LOW, LOW), (LOW, HIGH), (MIDDLE, MIDDLE), (HIGH, LOW), (HIGH, HIGH)),
    "6": ((LOW, LOW), (LOW, MIDDLE), (LOW, HIGH), (HIGH, LOW), (HIGH, MIDDLE), (HIGH, HIGH)),
}


def game_icon_svg(rules: Ruleset) -> bytes:
    """Return the icon of a game as SVG."""
    return _svg_file(_game_shapes(rules), ICON_SIDE, ICON_SIDE)


def roll_table_icon_svg(rules: Ruleset, table: RollTable) -> bytes:
    """Return the icon of a roll table as SVG: its dice, and bars for the weights of its lines. In the icon of a long
    table, a bar stands for several adjacent lines.
    """
    step = ceil(len(table.lines) / MAX_BARS_ON_ICON)
    stretches = groupby(enumerate(table.lines), key=lambda each: each[0] // step)
    weights = [sum(line.weight for _, line in lines) for _, lines in stretches]
    bars = _bar_chart_shapes(weights, 16, 80, 68, 48, corner_radius=1.5, min_height=3.0)
    formula = tag("text", table.formula, x=50, y=24, **_letter_style(17, IVORY))
    return _svg_file(
        [*_game_background_shapes(rules), formula, *bars, _rectangle(13, 81, 74, 3, IVORY)], ICON_SIDE, ICON_SIDE
    )


def module_icon_svg(games: Sequence[Ruleset]) -> bytes:
    """Return the icon of a module as SVG: the icon of its only game, or a die on wood if it has several games."""
    wood = [*_icon_background_shapes(WOOD), *_die_shapes("5", 50, 50, 56)]
    return game_icon_svg(games[0]) if len(games) == 1 else _svg_file(wood, ICON_SIDE, ICON_SIDE)


def module_cover_svg(heading: str, games: Sequence[Ruleset]) -> bytes:
    """Return the cover of a module as SVG: the icons of its games on a table, and its title."""
    wide, high = COVER_SIZE
    shown = games[: MAX_COVER_ROWS * MAX_COVER_COLUMNS]
    columns = min(len(shown), max(MIN_COVER_COLUMNS, ceil(len(shown) / MAX_COVER_ROWS)))
    rows = ceil(len(shown) / columns)
    size = min(400, (wide - 100) / columns, 430 / rows)
    rim = size * (1 - ICON_SCALE) / 2
    left, top = (wide - columns * size) / 2 + rim, 170 + (430 - rows * size) / 2 + rim
    icons = []
    for place, rules in enumerate(shown):
        row, column = divmod(place, columns)
        scale = _coordinate_text(size / ICON_SIDE * ICON_SCALE)
        at = f"translate({_coordinate_text(left + column * size)} {_coordinate_text(top + row * size)}) scale({scale})"
        icons.append(tag("g", *_game_shapes(rules), transform=at))
    return _svg_file([*_cover_background_shapes(heading), *icons], wide, high)


def odds_module_cover_svg(heading: str) -> bytes:
    """Return the cover of the module of odds as SVG: three dice on felt, and bars for the chances of their total."""
    felt = [
        _rectangle(50, 185, 1100, 390, EDGE, corner_radius=40),
        _rectangle(58, 193, 1084, 374, FELTS[0], corner_radius=34),
    ]
    dice = [*_die_shapes("3", 175, 300, 120), *_die_shapes("6", 330, 375, 120), *_die_shapes("4", 205, 465, 120)]
    bars = [*_bar_chart_shapes(_way_counts_by_total(3), 450, 520, 640, 270), _rectangle(440, 522, 660, 6, IVORY)]
    return _svg_file([*_cover_background_shapes(heading), *felt, *dice, *bars], *COVER_SIZE)


def odds_module_icon_svg() -> bytes:
    """Return the icon of the module of odds as SVG: a die, and bars for the chances of the total of two."""
    bars = [*_bar_chart_shapes(_way_counts_by_total(2), 14, 84, 72, 34), _rectangle(12, 85, 76, 2, IVORY)]
    return _svg_file([*_icon_background_shapes(FELTS[0]), *_die_shapes("5", 50, 27, 34), *bars], ICON_SIDE, ICON_SIDE)


def _way_counts_by_total(dice_count: int) -> list[int]:
    """Return the number of ways to roll each total with some six-sided dice, from the least total to the greatest."""
    counts = Counter(sum(faces) for faces in product(range(1, 7), repeat=dice_count))
    return [counts[total] for total in sorted(counts)]


def _bar_chart_shapes(
    weights: Sequence[int],
    left: float,
    bottom: float,
    width: float,
    box_height: float,
    corner_radius: float | None = None,
    min_height: float = 0,
) -> list[Html]:
    """Return one bar for each weight, side by side in a box with the width ``width`` and the height ``box_height``,
    whose lower left corner is at (``left``, ``bottom``).

    ``corner_radius``: the radius of the corners of the bars, by default a twelfth of the step from bar to bar.
    ``min_height``: the least height of a bar.
    """
    step = width / len(weights)
    corner_radius = step / 12 if corner_radius is None else corner_radius
    heights = [max(min_height, box_height * weight / max(weights)) for weight in weights]
    return [
        _rectangle(
            left + place * step + step * 0.12, bottom - height, step * 0.76, height, GOLD, corner_radius=corner_radius
        )
        for place, height in enumerate(heights)
    ]


def _cover_background_shapes(heading: str) -> list[Html]:
    """Return the background of a cover with its title."""
    wide, high = COVER_SIZE
    planks = [_rectangle(0, y, wide, 4, EDGE) for y in range(150, high, 120)]
    long = {"textLength": wide - 120, "lengthAdjust": "spacingAndGlyphs"} if len(heading) > LETTERS_ACROSS_COVER else {}
    words = tag("text", plain_title(heading), x=wide / 2, y=105, **_letter_style(76, IVORY), **long)
    return [_rectangle(0, 0, wide, high, WOOD), *planks, words]


def _game_shapes(rules: Ruleset) -> list[Html]:
    """Return the shapes of a game's icon: its dice on felt, or a bag if it has no dice."""
    faces = faces_of_fullest_hand(bind(rules))[:MAX_DICE_ON_ICON]
    dice = [
        each
        for face, place in zip(faces, PIP_POSITIONS.get(len(faces), ()), strict=True)
        for each in _die_shapes(face, *place)
    ]
    return [*_game_background_shapes(rules), *(dice or _bag_shapes())]


def _game_background_shapes(rules: Ruleset) -> list[Html]:
    """Return the background of an icon, in a colour that depends on the game's id."""
    number = int.from_bytes(hashlib.sha256(rules.id.encode()).digest()[:4])
    return _icon_background_shapes(FELTS[number % len(FELTS)])


def _icon_background_shapes(colour: str) -> list[Html]:
    """Return the background of an icon with its rim."""
    return [
        _rectangle(0, 0, ICON_SIDE, ICON_SIDE, EDGE, corner_radius=14),
        _rectangle(3, 3, ICON_SIDE - 6, ICON_SIDE - 6, colour, corner_radius=12),
    ]


def _die_shapes(face: str, x: float, y: float, size: float) -> list[Html]:
    """Return the shapes of a die with its centre at (``x``, ``y``). Faces 1 to 6 have pips; other faces have their name
    or its first letter.
    """
    left, top = x - size / 2, y - size / 2
    body = [
        _rectangle(left + 1, top + 2, size, size, EDGE, corner_radius=size / 5),
        _rectangle(left, top, size, size, IVORY, corner_radius=size / 5),
    ]
    if face in PIPS:
        places = [(left + size * across, top + size * down) for across, down in PIPS[face]]
        return [
            *body,
            *(
                tag(
                    "circle",
                    cx=_coordinate_text(cx),
                    cy=_coordinate_text(cy),
                    r=_coordinate_text(size * 0.09),
                    fill=INK,
                )
                for cx, cy in places
            ),
        ]
    words = face if len(face) <= 2 else face[0].upper()
    return [
        *body,
        tag("text", words, x=_coordinate_text(x), y=_coordinate_text(y + size * 0.2), **_letter_style(size * 0.56)),
    ]


def _letter_style(size: float, fill: str = INK) -> dict[str, object]:
    return {
        "fill": fill, "font_family": "Georgia, serif", "font_size": _coordinate_text(size),
        "font_weight": "bold", "text_anchor": "middle",
    }  # fmt: skip


def _bag_shapes() -> list[Html]:
    """Return the shapes of a bag, for a game without dice."""
    return [
        tag("path", d="M36 30 Q12 62 26 80 Q50 94 74 80 Q88 62 64 30 Z", fill=IVORY, stroke=EDGE, stroke_width=2),
        tag("path", d="M34 30 Q28 16 40 18 Q50 22 60 18 Q72 16 66 30 Z", fill=IVORY, stroke=EDGE, stroke_width=2),
        _rectangle(32, 27, 36, 6, GOLD, corner_radius=3),
    ]


def _rectangle(left: float, top: float, width: float, height: float, fill: str, corner_radius: float = 0) -> Html:
    return tag(
        "rect",
        x=_coordinate_text(left),
        y=_coordinate_text(top),
        width=_coordinate_text(width),
        height=_coordinate_text(height),
        rx=_coordinate_text(corner_radius) if corner_radius else None,
        fill=fill,
    )


def _coordinate_text(number: float) -> str:
    """Return a coordinate as text, with at most two decimal places. The text is the same on all machines."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _svg_file(shapes: Sequence[Html], width: int, height: int) -> bytes:
    """Return shapes as an SVG file. It has a width and a height, which Foundry needs to draw it on a canvas."""
    size = {
        "viewBox": f"0 0 {width} {height}",
        "width": max(width, 512),
        "height": round(height * max(width, 512) / width),
    }
    return f"{tag('svg', join_html(shapes), xmlns='http://www.w3.org/2000/svg', **size)}\n".encode()


def raster_file_name(svg: bytes) -> str:
    """Return the name of the WebP file that shows a picture. ``svg``: the bytes of the picture, of which the name holds
    a hash.
    """
    return f"{hashlib.sha256(svg).hexdigest()}.webp"


def files_with_rasters(pictures: Mapping[str, bytes], rasters: Mapping[str, bytes]) -> dict[str, tuple[str, bytes]]:
    """Return the file of each picture, as (path, bytes): its WebP file if there is one, else the SVG file.

    ``pictures``: SVG files by path. ``rasters``: WebP files by the name that ``raster_file_name`` gives. A WebP file
    counts only for exactly the picture from which it was made.
    """
    found = {path: rasters.get(raster_file_name(svg)) for path, svg in pictures.items()}
    return {
        path: (path.removesuffix("svg") + "webp", drawn) if drawn else (path, pictures[path])
        for path, drawn in found.items()
    }


def game_icon_path(game_id: str) -> str:
    """Return the path of a game's icon below the folder of a module. ``game_id``: the id of the game."""
    return f"art/{game_id}.svg"


def roll_table_icon_path(game_id: str, table: RollTable) -> str:
    """Return the path of a roll table's icon below the folder of a module. ``game_id``: the id of the game."""
    return f"art/{game_id}/{table.slug}.svg"


def foundry_path(module_id: str, path: str) -> str:
    """Return the path by which Foundry finds a file of a module.

    ``module_id``: the id of the module. ``path``: the path below its folder.
    """
    return f"modules/{module_id}/{path}"
