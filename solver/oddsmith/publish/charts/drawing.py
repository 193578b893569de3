"""Inline SVG for pages: matplotlib lays out shapes and letters, and the style sheet of the page determines colours and
fonts.

Therefore a chart looks right on a dark page and on paper. The group id (``gid``) of a shape in matplotlib is its list
of CSS classes; shapes without such an id are left out.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import fill
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from oddsmith.base.exact import one_line
from oddsmith.publish.markup.html import Html, esc, table, tag

Size = tuple[int, int]
"""The width and the height of a picture, in units such that the font size is 12."""

PAGE, CARD = (420, 250), (300, 200)
LETTER_WIDTH = 8  # the width of a letter of an axis
SVG = "{http://www.w3.org/2000/svg}"
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "oddsmith", "text.parse_math": False, "font.size": 12, "axes.labelsize": 13,
    "axes.labelweight": "bold", "axes.spines.left": False, "axes.spines.right": False, "axes.spines.top": False,
    "axes.spines.bottom": False, "xtick.major.size": 0, "ytick.major.size": 0, "path.simplify": False,
    "axes.xmargin": 0, "axes.ymargin": 0, "axes.formatter.useoffset": False, "axes.unicode_minus": True,
}  # fmt: skip


@dataclass(frozen=True)
class Drawing:
    """The content of a picture. ``plot``: a function that draws it on axes. ``x_label``, ``y_label``: the names of the
    horizontal and the vertical axis.

    ``description``: a sentence on what the picture shows. ``legend``: pairs of a class of shapes and its meaning.
    """

    plot: Callable[[Axes], None]
    x_label: str
    y_label: str
    description: str
    legend: Sequence[tuple[str, str]] = ()


def chart_html(drawing: Drawing, size: Size = PAGE, numbers_table: Html | None = None) -> Html:
    """Return a drawing as an element of a page, with its key and its words below it. ``numbers_table``: a table of its
    numbers.
    """
    drawn = svg_of_plot(drawing.plot, drawing.x_label, drawing.y_label, drawing.description, size)
    return figure_element(drawn, drawing.legend, drawing.description, numbers_table)


def svg_of_plot(plot: Callable[[Axes], None], x_label: str, y_label: str, description: str, size: Size = PAGE) -> Html:
    """Return a plot as SVG.

    ``x_label``, ``y_label``: the names of the axes. ``description``: a sentence on what it shows, which is its title.
    """
    with chart_settings():
        figure = Figure(figsize=(size[0] / 72, size[1] / 72), layout="constrained")
        axes = figure.add_subplot()
        axes.set_xlabel(fill(x_label, size[0] // LETTER_WIDTH), gid="od-axis")
        axes.set_ylabel(fill(y_label, size[1] // LETTER_WIDTH), gid="od-axis")
        plot_on_axes(plot, axes)
        shapes = _svg_parts_of_figure(figure)
    return tag("svg", tag("title", description), *shapes, viewBox=f"0 0 {size[0]} {size[1]}", role="img")


def plot_on_axes(plot: Callable[[Axes], None], axes: Axes) -> None:
    """Draw a plot on axes that have whole numbers and light horizontal lines."""
    for axis in (axes.xaxis, axes.yaxis):
        _set_whole_number_ticks(axis, 7)
    axes.grid(axis="y", gid="od-tick")
    plot(axes)


class _GroupedNumbers(ScalarFormatter):
    """A formatter for the numbers of an axis, with commas between thousands."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        text: str = super().__call__(x, pos)
        return f"{x:,.10g}".replace("-", "\N{MINUS SIGN}") if abs(x) >= 1000 else text


def _set_whole_number_ticks(axis: Axis, max_intervals: int) -> None:
    """Place ticks of an axis at whole numbers. ``max_intervals``: the greatest number of intervals between ticks."""
    axis.set_major_locator(MaxNLocator(max_intervals, steps=[1, 2, 5, 10], integer=True))
    axis.set_major_formatter(_GroupedNumbers())


def panels_svg(
    panels: Sequence[tuple[str, Callable[[Axes], None]]],
    columns: int,
    x_label: str,
    y_label: str,
    panel_variable: str,
    description: str,
) -> Html:
    """Return small plots side by side on the same axes, as one SVG.

    ``panels``: the heading of each plot with the plot. ``columns``: the number of plots in a row. ``panel_variable``:
    the name of the variable whose values are the headings. The other parameters are as in ``svg_of_plot``.
    """
    rows = -(-len(panels) // columns)
    wide, high = PAGE[0], 50 + 110 * rows
    with chart_settings():
        figure = Figure(figsize=(wide / 72, high / 72), layout="constrained")
        axes = figure.subplots(rows, min(columns, len(panels)), sharex=True, sharey=True, squeeze=False).flat
        for place, (name, plot) in enumerate(panels):
            axes[place].set_title(f"{panel_variable} {name}" if place == 0 else name, fontsize=12)
            _set_whole_number_ticks(axes[place].xaxis, 3)
            _set_whole_number_ticks(axes[place].yaxis, 4)
            plot(axes[place])
        for empty in axes[len(panels) :]:
            empty.set_axis_off()
        figure.supxlabel(x_label, gid="od-axis", fontsize=13, fontweight="bold")
        figure.supylabel(y_label, gid="od-axis", fontsize=13, fontweight="bold")
        shapes = _svg_parts_of_figure(figure)
    return tag("svg", tag("title", description), *shapes, viewBox=f"0 0 {wide} {high}", role="img")


def decorative_svg(plot: Callable[[Axes], None], width: float, height: float) -> Html:
    """Return a plot as an SVG that it fills completely. The SVG is hidden from screen readers, because the text next to
    it says the same.
    """
    with chart_settings():
        figure = Figure(figsize=(width / 72, height / 72))
        plot(bare_axes(figure, (0, 0, 1, 1)))
        shapes = _svg_parts_of_figure(figure)
    return tag("svg", *shapes, viewBox=f"0 0 {width:g} {height:g}", aria_hidden="true", cls="od-ornament")


def bare_axes(figure: Figure, rectangle: tuple[float, float, float, float]) -> Axes:
    """Return new axes without lines and numbers.

    ``rectangle``: left, bottom, width and height as fractions of the figure.
    """
    axes = figure.add_axes(rectangle)
    axes.set_axis_off()
    return axes


@contextmanager
def chart_settings() -> Iterator[None]:
    """Use the settings of charts within the context. They do not depend on the user's configuration of matplotlib."""
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # the page's fonts have letters that the layout's lack
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        yield


def _svg_parts_of_figure(figure: Figure) -> list[Html]:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    return list(_svg_shapes(ET.fromstring(stream.getvalue())))  # noqa: S314 - matplotlib has just written it


def figure_element(
    picture: Html,
    legend: Sequence[tuple[str, str]],
    description: str = "",
    numbers_table: Html | None = None,
    **attributes: object,
) -> Html:
    """Return a picture as an element of a page, with words and the key below it.

    ``legend``: pairs of a CSS class and its meaning.

    ``numbers_table``: a table of the numbers in the picture. ``attributes``: attributes of the element, which scripts
    read.
    """
    items = [tag("li", _legend_sample(name), words) for name, words in legend]
    key = [tag("ul", *items, cls="od-legend")] if items else []
    below = [tag("p", description)] if description else []
    parts = [picture, tag("figcaption", *below, *key), *([Html(f"\n{numbers_table}\n")] if numbers_table else [])]
    return tag("figure", *parts, cls="od-chart", **attributes)


def folded_table(caption: str, head: list[Html], rows: list[list[Html]]) -> Html:
    """Return the numbers of a picture as a folded table. In Markdown it must be at the start of a line.

    It is for visitors who cannot see the picture or want all numbers.
    """
    return tag("details", tag("summary", "The numbers"), table(caption, head, rows), cls="od-more")


def _legend_sample(css_class: str) -> Html:
    """Return a sample of a CSS class for the key: a line or an area."""
    shape = "M0 6H24" if css_class.startswith("od-l") else HATCH if css_class == "od-hatch" else "M0 0H24V12H0Z"
    return tag("svg", tag("path", d=shape, cls=css_class), viewBox="0 0 24 12", aria_hidden="true")


HATCH = "M0 6L6 0M0 12L12 0M6 12L18 0M12 12L24 0M18 12L24 6"


def _svg_shapes(root: ET.Element) -> Iterator[Html]:
    """Yield the shapes and texts of an SVG by matplotlib, without its styles. ``root``: the root element."""
    for group in root.iter(f"{SVG}g"):
        classes = group.get("id", "")
        cls = classes if classes.startswith("od-") else None
        for thing in group:
            if thing.tag == f"{SVG}path" and cls:
                yield tag("path", d=_with_numbers_rounded(thing.get("d", "")), cls=cls)
            elif thing.tag == f"{SVG}text":
                yield _text_element(thing, cls)


def _text_element(element: ET.Element, cls: str | None) -> Html:
    anchor = re.search("text-anchor: (middle|end)", element.get("style", ""))
    turn = element.get("transform", "")
    return tag(
        "text",
        Html(re.sub("</?bdi>", "", esc(element.text or ""))),  # which is no element of a picture
        x=_with_numbers_rounded(element.get("x", "")),
        y=_with_numbers_rounded(element.get("y", "")),
        text_anchor=anchor[1] if anchor else None,
        transform=None if turn.startswith("rotate(-0 ") else _with_numbers_rounded(turn),
        cls=cls,
    )


def _with_numbers_rounded(text: str) -> str:
    """Return a text with all decimal numbers rounded to one decimal place."""
    return re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), one_line(text))
