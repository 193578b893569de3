"""Pictures for notebooks: figures of matplotlib that contain their colours and do not use the global state of pyplot.

On a page, the style sheet determines the look of each class of shapes. Here ``LOOKS`` does, in the colours of the light
page.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from oddsmith.publish.charts.drawing import Drawing, chart_settings, plot_on_axes

INK, PAPER = "#2b2118", "#ffffff"
COLOURS = ("#e4d3ad", "#b9791f", "#6f97bd", "#a5689a")  # of the fields, as in the style sheet
LINE_DASHES = ((0, ()), (0, (7, 4)), (0, (2, 3)), (0, (9, 3, 2, 3)))  # of lines, as there
LINE_COLOURS = (INK, *COLOURS[1:])  # and their colours, by which more lines can be told apart
FIGURE_WIDTH, FIGURE_HEIGHT = 6.4, 4.0  # inches of a picture with one part
PART_WIDTH, PART_HEIGHT, PARTS_PER_ROW, DOTS_PER_INCH = 3.2, 2.6, 3, 110
TITLE_LETTERS, LEGEND_LETTERS = 78, 84  # letters of a line above a picture, and of one below it

LOOKS: Mapping[str, Mapping[str, Any]] = {
    **{f"od-f{number}": {"facecolor": colour, "edgecolor": "none"} for number, colour in enumerate(COLOURS)},
    **{f"od-l{number}": {"linestyle": stroke} for number, stroke in enumerate(LINE_DASHES)},
    "od-bar": {"facecolor": COLOURS[1], "edgecolor": COLOURS[1]},
    "od-faint": {"alpha": 0.35},
    "od-hatch": {"facecolor": "none", "edgecolor": INK, "alpha": 0.45, "linewidth": 0.8},
    "od-dot": {"color": INK, "linewidth": 10, "solid_capstyle": "round"},
}


class Picture(Figure):
    """A figure that a notebook shows even without its support for pyplot."""

    def _repr_png_(self) -> bytes:
        stream = io.BytesIO()
        self.savefig(stream, format="png", dpi=DOTS_PER_INCH)
        return stream.getvalue()


def figure(drawings: Sequence[tuple[str, Drawing]]) -> Picture:
    """Return a figure of drawings with a common key. ``drawings``: pairs of title and drawing.

    A single drawing stands under its words. Several stand side by side, each under its title.
    """
    across = min(PARTS_PER_ROW, len(drawings))
    down = -(-len(drawings) // across)
    alone = len(drawings) == 1
    size = (FIGURE_WIDTH, FIGURE_HEIGHT) if alone else (PART_WIDTH * across, PART_HEIGHT * down + 0.6)
    with chart_settings():
        made = Picture(figsize=size, layout="constrained", facecolor=PAPER)
        parts = list(made.subplots(down, across, squeeze=False).flat)
        for axes, (title, drawing) in zip(parts, drawings, strict=False):
            axes.set_xlabel(drawing.x_label)
            axes.set_ylabel(drawing.y_label)
            plot_on_axes(drawing.plot, axes)
            _style_shapes(axes)
            axes.set_title(fill(drawing.description if alone else title, TITLE_LETTERS), loc="left", fontsize=10)
        for empty in parts[len(drawings) :]:
            empty.set_axis_off()
        keys = dict.fromkeys(key for _, drawing in drawings for key in drawing.legend)
        if keys:
            columns = max(1, min(len(keys), LEGEND_LETTERS // (max(len(words) for _, words in keys) + 6)))
            made.legend(
                handles=_legend_samples(list(keys)),
                loc="outside lower center",
                ncols=columns,
                frameon=False,
                fontsize=10,
            )
        made.draw_without_rendering()  # letters are set by what is true now, and not by what a notebook sets later
    return made


def _style_shapes(axes: Axes) -> None:
    """Style shapes by their classes, and give each line a different colour."""
    axes.set_axisbelow(True)
    axes.tick_params(grid_color=INK, grid_alpha=0.15, colors=INK)
    lines = 0
    for shape in axes.get_children():
        classes = (shape.get_gid() or "").split()
        if isinstance(shape, Line2D) and classes and classes[0].startswith("od-l"):
            shape.set(color=LINE_COLOURS[lines % len(LINE_COLOURS)], linewidth=2)
            lines += 1
            if shape.get_marker() != "None":
                continue  # points without a line between them
        _apply_css_classes(shape, classes)


def _apply_css_classes(shape: Artist, css_classes: Sequence[str]) -> None:
    for name in css_classes:
        shape.set(**LOOKS.get(name, {}))


def _legend_samples(legend: Sequence[tuple[str, str]]) -> list[Artist]:
    """Return the samples of a key: a piece of each line or area. ``legend``: pairs of classes and meaning."""
    made = list[Artist]()
    lines = 0
    for classes, words in legend:
        if classes.startswith("od-l"):
            made.append(Line2D([], [], color=LINE_COLOURS[lines % len(LINE_COLOURS)], linewidth=2, label=words))
            lines += 1
        else:
            made.append(Patch(label=words, hatch="////" if classes == "od-hatch" else None))
        _apply_css_classes(made[-1], classes.split())
    return made
