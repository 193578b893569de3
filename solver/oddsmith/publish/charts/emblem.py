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
from oddsmith.publish.charts.drawing import bare_axes, ornament, plain_settings
from oddsmith.publish.markup.html import Html
from oddsmith.report.answers import Answer
from oddsmith.ruleset import fullest_hand

MOST = 6  # dice in a picture
APART, DIE, PIP = 36, 30, 2.8  # from die to die, and how large a die and a pip are
FIELD = (96, 72)  # size of a picture of fields in a list
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


def emblem(answer: Answer) -> Html:
    """Return the small picture of a game as SVG."""
    sketch = _hand_sketch(answer) or _map_sketch(answer) or _dice_sketch(OURS)
    return ornament(sketch.plot, sketch.width, sketch.height)


def _hand_sketch(answer: Answer) -> Sketch | None:
    """Return a sketch of the hand with the most and the most different dice at the start of a simulated game; None if
    no dice are rolled, or if the game is not solved.
    """
    if answer.result is None:
        return None
    faces = fullest_hand(answer.game)
    return _dice_sketch(faces[:MOST]) if faces else None


def _dice_sketch(faces: Sequence[str]) -> Sketch:
    """Return a sketch of dice in one or two rows. Faces 1 to 6 have pips; other faces have their name or its first
    letter.
    """
    columns = len(faces) if len(faces) <= MOST // 2 else (len(faces) + 1) // 2
    rows = (len(faces) + columns - 1) // columns

    def plot(axes: Axes) -> None:
        for place, face in enumerate(faces):
            row, column = divmod(place, columns)
            _draw_die(axes, face, column * APART, (rows - 1 - row) * APART)
        axes.set_xlim(0, columns * APART)
        axes.set_ylim(0, rows * APART)

    return Sketch(plot, columns * APART, rows * APART)


def _draw_die(axes: Axes, face: str, left: float, low: float) -> None:
    edge = (APART - DIE) / 2
    shape = f"round,pad=0,rounding_size={DIE / 5}"
    axes.add_patch(FancyBboxPatch((left + edge, low + edge), DIE, DIE, boxstyle=shape, gid="od-die-body"))
    pips = [Path.circle((left + x, low + y), PIP) for x, y in PIPS.get(face, [])]
    if pips:
        axes.add_patch(PathPatch(Path.make_compound_path(*pips), gid="od-die-pip"))
    else:
        words = face if len(face) <= 2 else face[0].upper()
        x, y = left + APART / 2, low + APART / 2
        axes.text(x, y, words, gid="od-die-face", fontsize=DIE / 2, ha="center", va="center_baseline")


def _map_sketch(answer: Answer) -> Sketch | None:
    """Return a sketch of the map of best options of the first decision that has a map; None if no decision has one."""
    tables = [(strategy, each) for strategy in answer.strategies for each in strategy.tables]
    found = next((field for field in (paint_map(*pair) for pair in tables) if field), None)
    return Sketch(found.plot, *FIELD) if found else None


# --- the picture for links

WIDE, TALL = 1200, 630  # which programs that show links ask for
EDGE = 64
COLUMN = 660  # for the words; the drawing has the rest
ICON = 512
PAPER, INK, FAINT, GOLD, DARK = "#fbf6ea", "#2b2118", "#5f4f40", "#9c7430", "#3b291d"
DRESS = {  # as the light palette of the pages has it
    "od-f0": "#e4d3ad", "od-f1": "#b9791f", "od-f2": "#6f97bd", "od-f3": "#a5689a", "od-die-body": "#fffaf0", "od-die-pip": INK,
}  # fmt: skip


def link_picture(heading: str, words: str, site: str, answer: Answer | None = None) -> bytes:
    """Return a PNG of 1200 by 630 pixels that programs show with a link to a page: a title, words, the name of the
    site, and a drawing.
    """
    sketch = (answer and (_map_sketch(answer) or _hand_sketch(answer))) or _dice_sketch(OURS)
    with plain_settings():
        figure = Figure(figsize=(WIDE / 72, TALL / 72), dpi=72, facecolor=PAPER)
        FigureCanvasAgg(figure)
        below = _write_fitted(figure, heading, EDGE, 200, range(64, 30, -4), "bold")
        _write_fitted(figure, words, below + 36, TALL - EDGE - 60 - below - 36, range(38, 18, -2), "normal")
        figure.text(EDGE / WIDE, EDGE / TALL, site, fontsize=22, color=FAINT, family="DejaVu Sans", va="baseline")
        _draw_framed(figure, sketch)
        return _png(figure)


def _write_fitted(figure: Figure, words: str, top: float, height: float, sizes: Sequence[int], weight: str) -> float:
    """Draw words in the largest of the font ``sizes`` at which they fit into the column, and shorten them if no size
    fits. Return the distance of their lower edge from the top of the figure.
    """
    for size in sizes:
        letters = int(COLUMN / (size * 0.6))
        last = size == sizes[-1]
        room = letters * max(1, int(height / (size * 1.3)))
        lines = textwrap.wrap(textwrap.shorten(words, room, placeholder=" …") if last else words, letters)
        drawn = figure.text(
            EDGE / WIDE, 1 - top / TALL, "\n".join(lines), fontsize=size, va="top", color=INK, weight=weight
        )
        drawn.set(linespacing=1.25, family="DejaVu Serif")
        box = drawn.get_window_extent()
        if last or (box.width <= COLUMN and box.height <= height):
            return top + float(box.height)
        drawn.remove()
    raise AssertionError("there is a last size")


def _draw_framed(figure: Figure, sketch: Sketch) -> None:
    """Draw a sketch into the right part of a figure, in the colours of the pages."""
    room, left = (WIDE - COLUMN - 3 * EDGE, TALL - 2 * EDGE), COLUMN + 2 * EDGE
    scale = min(room[0] / sketch.width, room[1] / sketch.height)
    width, height = sketch.width * scale, sketch.height * scale
    place = (left + (room[0] - width) / 2, (TALL - height) / 2, width, height)
    axes = bare_axes(figure, (place[0] / WIDE, place[1] / TALL, place[2] / WIDE, place[3] / TALL))
    _draw_in_colours(sketch, axes, scale)


def _draw_in_colours(sketch: Sketch, axes: Axes, scale: float) -> None:
    """Draw a sketch in the colours of the pages. ``scale``: the factor of the font size."""
    sketch.plot(axes)
    for patch in axes.patches:
        gid = patch.get_gid() or ""
        if gid == "od-hatch":
            patch.set(facecolor="none", edgecolor=INK, alpha=0.35, linewidth=1)
        else:
            edge = GOLD if gid == "od-die-body" else "none"
            patch.set(facecolor=DRESS[gid], edgecolor=edge, linewidth=3)
    for each in axes.texts:
        each.set(fontsize=DIE / 2 * scale, color=INK, weight="bold")


def icon() -> bytes:
    """Return the project's die as a PNG of 512 by 512 pixels, with a margin that systems may crop."""
    with plain_settings():
        figure = Figure(figsize=(ICON / 72, ICON / 72), dpi=72, facecolor=DARK)
        _draw_in_colours(_dice_sketch(OURS), bare_axes(figure, (0.2, 0.2, 0.6, 0.6)), 1)
        return _png(figure)


def _png(figure: Figure) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
