"""Pictures that represent a game, small in lists and large for links: dice of a simulated game, or a map of best
options.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from oddsmith.publish.charts.boundary import paint_map
from oddsmith.publish.charts.drawing import bare_axes, chart_settings, decorative_svg
from oddsmith.publish.markup.html import Html
from oddsmith.report.answers import Answer
from oddsmith.ruleset import faces_of_fullest_hand

MAX_DICE = 6  # dice in a picture
DIE_DISTANCE, DIE_SIDE, PIP_RADIUS = 36, 30, 2.8  # from die to die, and how large a die and a pip are
FIELD_SIZE = (96, 72)  # size of a picture of fields in a list
LOW, MIDDLE, HIGH = 10.5, 18, 25.5  # where pips are
PIPS: Mapping[str, Sequence[tuple[float, float]]] = {
    "1": [(MIDDLE, MIDDLE)],
    "2": [(LOW, LOW), (HIGH, HIGH)],
    "3": [(LOW, LOW), (MIDDLE, MIDDLE), (HIGH, HIGH)],
    "4": [(LOW, LOW), (LOW, HIGH), (HIGH, LOW), (HIGH, HIGH)],
    "5": [(LOW, LOW), (LOW, HIGH), (MIDDLE, MIDDLE), (HIGH, LOW), (HIGH, HIGH)],
    "6": [(LOW, LOW), (LOW, MIDDLE), (LOW, HIGH), (HIGH, LOW), (HIGH, MIDDLE), (HIGH, HIGH)],
}
OURS = ["5"]
"""The faces of the project's picture, a die. It is used for games that have no picture."""


@dataclass(frozen=True)
class Sketch:
    """A drawing that can be scaled. ``plot``: a function that draws it on axes. ``width``, ``height``: its size in
    units such that a die is 30 wide.
    """

    plot: Callable[[Axes], None]
    width: float
    height: float


def emblem_svg(answer: Answer) -> Html:
    """Return the small picture of a game as SVG."""
    sketch = _hand_sketch(answer) or _map_sketch(answer) or _dice_sketch(OURS)
    return decorative_svg(sketch.plot, sketch.width, sketch.height)


def _hand_sketch(answer: Answer) -> Sketch | None:
    """Return a sketch of the largest and most varied hand at the start of a simulated game. Return None if no dice are
    rolled, or if the game is not solved.
    """
    if answer.result is None:
        return None
    faces = faces_of_fullest_hand(answer.game)
    return _dice_sketch(faces[:MAX_DICE]) if faces else None


def _dice_sketch(faces: Sequence[str]) -> Sketch:
    """Return a sketch of dice in one or two rows. Faces 1 to 6 have pips; other faces have their name or its first
    letter.
    """
    columns = len(faces) if len(faces) <= MAX_DICE // 2 else (len(faces) + 1) // 2
    rows = (len(faces) + columns - 1) // columns

    def plot_dice(axes: Axes) -> None:
        for place, face in enumerate(faces):
            row, column = divmod(place, columns)
            _draw_die(axes, face, column * DIE_DISTANCE, (rows - 1 - row) * DIE_DISTANCE)
        axes.set_xlim(0, columns * DIE_DISTANCE)
        axes.set_ylim(0, rows * DIE_DISTANCE)

    return Sketch(plot_dice, columns * DIE_DISTANCE, rows * DIE_DISTANCE)


def _draw_die(axes: Axes, face: str, left: float, bottom: float) -> None:
    edge = (DIE_DISTANCE - DIE_SIDE) / 2
    shape = f"round,pad=0,rounding_size={DIE_SIDE / 5}"
    axes.add_patch(FancyBboxPatch((left + edge, bottom + edge), DIE_SIDE, DIE_SIDE, boxstyle=shape, gid="od-die-body"))
    pips = [Path.circle((left + x, bottom + y), PIP_RADIUS) for x, y in PIPS.get(face, [])]
    if pips:
        axes.add_patch(PathPatch(Path.make_compound_path(*pips), gid="od-die-pip"))
    else:
        words = face if len(face) <= 2 else face[0].upper()
        x, y = left + DIE_DISTANCE / 2, bottom + DIE_DISTANCE / 2
        axes.text(x, y, words, gid="od-die-face", fontsize=DIE_SIDE / 2, ha="center", va="center_baseline")


def _map_sketch(answer: Answer) -> Sketch | None:
    """Return a sketch of the map of best options of the first decision that has a map; None if no decision has one."""
    tables = [(strategy, each) for strategy in answer.strategies for each in strategy.tables]
    found = next((field for field in (paint_map(*pair) for pair in tables) if field), None)
    return Sketch(found.plot, *FIELD_SIZE) if found else None


# --- the picture for links

CARD_WIDTH, CARD_HEIGHT = 1200, 630  # which programs that show links ask for
MARGIN = 64
TEXT_WIDTH = 660  # for the words; the drawing has the rest
ICON_SIDE = 512
PAPER, INK, FAINT, GOLD, DARK = "#fbf6ea", "#2b2118", "#5f4f40", "#9c7430", "#3b291d"
DRESS = {  # as the light palette of the pages has it
    "od-f0": "#e4d3ad", "od-f1": "#b9791f", "od-f2": "#6f97bd", "od-f3": "#a5689a", "od-die-body": "#fffaf0", "od-die-pip": INK,
}  # fmt: skip


def link_picture_png(heading: str, text: str, site_name: str, answer: Answer | None = None) -> bytes:
    """Return a PNG of 1200 by 630 pixels that programs show with a link to a page: a title, words, the name of the
    site, and a drawing.
    """
    sketch = (answer and (_map_sketch(answer) or _hand_sketch(answer))) or _dice_sketch(OURS)
    with chart_settings():
        figure = Figure(figsize=(CARD_WIDTH / 72, CARD_HEIGHT / 72), dpi=72, facecolor=PAPER)
        FigureCanvasAgg(figure)
        below = _write_fitted_text(figure, heading, MARGIN, 200, range(64, 30, -4), "bold")
        _write_fitted_text(
            figure, text, below + 36, CARD_HEIGHT - MARGIN - 60 - below - 36, range(38, 18, -2), "normal"
        )
        figure.text(
            MARGIN / CARD_WIDTH,
            MARGIN / CARD_HEIGHT,
            site_name,
            fontsize=22,
            color=FAINT,
            family="DejaVu Sans",
            va="baseline",
        )
        _draw_sketch_in_frame(figure, sketch)
        return _png_of_figure(figure)


def _write_fitted_text(
    figure: Figure, text: str, top: float, height: float, font_sizes: Sequence[int], font_weight: str
) -> float:
    """Draw words in the largest of the font ``font_sizes`` at which they fit into the column, and shorten them if no
    size fits. Return the distance of their lower edge from the top of the figure.
    """
    for size in font_sizes:
        letters = int(TEXT_WIDTH / (size * 0.6))
        last = size == font_sizes[-1]
        room = letters * max(1, int(height / (size * 1.3)))
        lines = textwrap.wrap(textwrap.shorten(text, room, placeholder=" …") if last else text, letters)
        drawn = figure.text(
            MARGIN / CARD_WIDTH,
            1 - top / CARD_HEIGHT,
            "\n".join(lines),
            fontsize=size,
            va="top",
            color=INK,
            weight=font_weight,
        )
        drawn.set(linespacing=1.25, family="DejaVu Serif")
        box = drawn.get_window_extent()
        if last or (box.width <= TEXT_WIDTH and box.height <= height):
            return top + float(box.height)
        drawn.remove()
    raise AssertionError("there is a last size")


def _draw_sketch_in_frame(figure: Figure, sketch: Sketch) -> None:
    """Draw a sketch into the right part of a figure, in the colours of the pages."""
    room, left = (CARD_WIDTH - TEXT_WIDTH - 3 * MARGIN, CARD_HEIGHT - 2 * MARGIN), TEXT_WIDTH + 2 * MARGIN
    scale = min(room[0] / sketch.width, room[1] / sketch.height)
    width, height = sketch.width * scale, sketch.height * scale
    place = (left + (room[0] - width) / 2, (CARD_HEIGHT - height) / 2, width, height)
    axes = bare_axes(
        figure, (place[0] / CARD_WIDTH, place[1] / CARD_HEIGHT, place[2] / CARD_WIDTH, place[3] / CARD_HEIGHT)
    )
    _draw_sketch_in_colours(sketch, axes, scale)


def _draw_sketch_in_colours(sketch: Sketch, axes: Axes, font_scale: float) -> None:
    """Draw a sketch in the colours of the pages. ``font_scale``: the factor of the font size."""
    sketch.plot(axes)
    for patch in axes.patches:
        gid = patch.get_gid() or ""
        if gid == "od-hatch":
            patch.set(facecolor="none", edgecolor=INK, alpha=0.35, linewidth=1)
        else:
            edge = GOLD if gid == "od-die-body" else "none"
            patch.set(facecolor=DRESS[gid], edgecolor=edge, linewidth=3)
    for each in axes.texts:
        each.set(fontsize=DIE_SIDE / 2 * font_scale, color=INK, weight="bold")


def project_icon_png() -> bytes:
    """Return the project's die as a PNG of 512 by 512 pixels, with a margin that systems may crop."""
    with chart_settings():
        figure = Figure(figsize=(ICON_SIDE / 72, ICON_SIDE / 72), dpi=72, facecolor=DARK)
        _draw_sketch_in_colours(_dice_sketch(OURS), bare_axes(figure, (0.2, 0.2, 0.6, 0.6)), 1)
        return _png_of_figure(figure)


def _png_of_figure(figure: Figure) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
