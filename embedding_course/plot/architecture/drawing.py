"""Draw boxes, arrows and labels on a sheet that is measured in inches.

A thick edge means that the box holds parameters; everything else has a thin edge. The shape of a tensor is written beside
the arrow along which it travels.
"""

import base64
import io
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import matplotlib
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from ...messages import translate
from ..style import BACKGROUND, COLOURS, INK, SOFT_INK, finish, new_figure

#: Font sizes of labels and of boxes, in points; no text is smaller than the first.
SMALLEST, _IN_BOX = 9.5, 10.5
Point = tuple[float, float]

_HEADING = 0.42
_TONES = {"learns": COLOURS.blue, "computes": SOFT_INK, "stands": COLOURS.green}


def shape(names: str, sizes: Mapping[str, int] | None = None) -> str:
    """Return the shape of a tensor by the names of its axes, and by their sizes if all sizes are known.

    Parameters
    ----------
    names : str
        Names of the axes, separated by spaces.
    sizes : Mapping[str, int] or None, optional
        Size of each axis by its name.

    Examples
    --------
    >>> shape("B T d"), shape("B T d", {"B": 2, "T": 5, "d": 16}), shape("B h T d/h", {"B": 2, "h": 4, "T": 5, "d/h": 4})
    ('(B, T, d)', '(B, T, d) = (2, 5, 16)', '(B, h, T, d/h) = (2, 4, 5, 4)')
    """
    axes = names.split()
    text = f"({', '.join(axes)})"
    known = [str((sizes or {})[axis]) for axis in axes if axis in (sizes or {})]
    return f"{text} = ({', '.join(known)})" if len(known) == len(axes) else text


@dataclass(frozen=True)
class Box:
    """Describe a box by its centre, its width and its height, in inches."""

    x: float
    y: float
    width: float
    height: float

    @property
    def top(self) -> Point:
        """Return the middle of the upper edge."""
        return self.x, self.y + self.height / 2

    @property
    def bottom(self) -> Point:
        """Return the middle of the lower edge."""
        return self.x, self.y - self.height / 2

    @property
    def left(self) -> Point:
        """Return the middle of the left edge."""
        return self.x - self.width / 2, self.y

    @property
    def right(self) -> Point:
        """Return the middle of the right edge."""
        return self.x + self.width / 2, self.y

    def at_top(self, share: float) -> Point:
        """Return a point of the upper edge; `share` is 0 at its left end and 1 at its right end."""
        return self.x + (share - 0.5) * self.width, self.y + self.height / 2


class Drawing:
    """Hold a sheet of the given size in inches; x grows to the right, y upwards. The title is the question that it answers."""

    def __init__(self, width: float, height: float, question: str) -> None:
        self.width, self.height = width, height
        whole = height + _HEADING
        self.figure, self.axes = new_figure(width, whole)
        self.figure.set_layout_engine("none")
        self.figure.suptitle(question, x=0.012, y=1 - 0.1 / whole, ha="left", va="top", fontsize=13.5, fontweight="bold")
        self.axes.set_position((0.0, 0.0, 1.0, height / whole))
        self.axes.set(xlim=(0, width), ylim=(0, height))
        self.axes.set_axis_off()

    def box(self, x: float, y: float, text: str, width: float = 1.6, height: float = 0.44, kind: str = "computes") -> Box:
        """Draw a box with a text in it.

        Parameters
        ----------
        x, y : float
            Centre of the box, in inches.
        text : str
            Text in the box.
        width, height : float, optional
            Size of the box, in inches.
        kind : str, optional
            "learns" (has parameters), "computes" (has none) or "stands" (is a tensor).

        Returns
        -------
        Box
            The box; arrows begin and end at its edges.
        """
        tone, box = _TONES[kind], Box(x, y, width, height)
        look: dict[str, Any] = {"edgecolor": tone, "facecolor": tone + "16", "linewidth": 2.4 if kind == "learns" else 1.1}
        edge = FancyBboxPatch((x - width / 2, y - height / 2), width, height, boxstyle="round,pad=0,rounding_size=0.07", **look)
        self.axes.add_patch(edge)
        weight = "bold" if kind == "learns" else "normal"
        self._write(x, y, text, size=_IN_BOX, weight=weight)
        return box

    def plus(self, x: float, y: float) -> Box:
        """Draw a circle with a plus: the sum of the tensors that arrive there.

        Parameters
        ----------
        x, y : float
            Centre of the circle, in inches.

        Returns
        -------
        Box
            The square around the circle; arrows begin and end at its edges.
        """
        self.axes.add_patch(Circle((x, y), 0.15, edgecolor=SOFT_INK, facecolor=BACKGROUND, linewidth=1.1))
        for way in ((0.08, 0.0), (0.0, 0.08)):
            self.axes.plot([x - way[0], x + way[0]], [y - way[1], y + way[1]], color=INK, linewidth=1.6)
        return Box(x, y, 0.3, 0.3)

    def table(self, x: float, y: float, side: float, entries: Sequence[str]) -> Box:
        """Draw a square table with a highlighted diagonal.

        Parameters
        ----------
        x, y : float
            Centre of the table, in inches.
        side : float
            Width and height of the table, in inches.
        entries : Sequence[str]
            Texts of the cells on the diagonal, from the upper left; the table has as many rows.

        Returns
        -------
        Box
            The outline of the table; arrows begin and end at its edges.
        """
        cells, size = len(entries), side / len(entries)
        for row, column in itertools.product(range(cells), repeat=2):
            own = row == column
            corner = (x - side / 2 + column * size, y + side / 2 - (row + 1) * size)
            look: dict[str, Any] = {"edgecolor": SOFT_INK, "facecolor": COLOURS.green + "40" if own else "none"}
            self.axes.add_patch(Rectangle(corner, size, size, linewidth=2.0 if own else 0.8, **look))
        for index, text in enumerate(entries):
            at = (index + 0.5) * size
            self._write(x - side / 2 + at, y + side / 2 - at, text)
        return Box(x, y, side, side)

    def arrow(self, *points: Point, label: str = "", side: str = "right", at: int = 0, dashed: bool = False) -> None:
        """Draw an arrow along the given points, with a label beside one of its segments.

        Parameters
        ----------
        *points : Point
            Corners of the path in inches, two or more; the head of the arrow is at the last one.
        label : str, optional
            Text beside the middle of a segment; without it nothing is written.
        side : str, optional
            "right" or "left" of a vertical segment, "above" or "below" a horizontal one.
        at : int, optional
            Index of the segment that is labelled, from 0.
        dashed : bool, optional
            True to draw a dashed arrow.
        """
        style: Any = (0, (3, 2)) if dashed else "-"
        before, last = points[-2], points[-1]
        if len(points) > 2:
            self.axes.plot(*zip(*points[:-1], strict=True), color=INK, linewidth=1.3, linestyle=style, solid_joinstyle="round")
        look = {"arrowstyle": "-|>,head_width=0.22,head_length=0.4", "color": INK, "lw": 1.3, "linestyle": style}
        self.axes.annotate("", last, before, arrowprops={**look, "shrinkA": 0, "shrinkB": 0})
        if label:
            (x0, y0), (x1, y1) = points[at], points[at + 1]
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            dx, dy, ha, va = {
                "right": (0.09, 0.0, "left", "center"), "left": (-0.09, 0.0, "right", "center"),
                "above": (0.0, 0.07, "center", "bottom"), "below": (0.0, -0.07, "center", "top"),
            }[side]
            self._write(x + dx, y + dy, label, ha=ha, va=va, color=SOFT_INK)

    def text(self, x: float, y: float, text: str, size: float = SMALLEST, **options: Any) -> None:
        """Write a heading or a note.

        Parameters
        ----------
        x, y : float
            Position of the text, in inches.
        text : str
            The heading or note.
        size : float, optional
            Font size, in points.
        **options : Any
            Passed on to matplotlib, such as the colour or the alignment.
        """
        self._write(x, y, text, size=size, **options)

    def frame(self, left: float, bottom: float, right: float, top: float, title: str) -> None:
        """Draw a dashed frame around a group of boxes, with a title in its upper left corner.

        Parameters
        ----------
        left, bottom, right, top : float
            Edges of the frame, in inches.
        title : str
            Text in the upper left corner.
        """
        patch = FancyBboxPatch((left, bottom), right - left, top - bottom, boxstyle="round,pad=0,rounding_size=0.1",
                               edgecolor=SOFT_INK, facecolor="none", linewidth=1.0, linestyle=(0, (4, 3)))
        self.axes.add_patch(patch)
        self._write(left + 0.1, top - 0.09, title, ha="left", va="top", color=SOFT_INK)

    def key(self, x: float, y: float) -> None:
        """Write the key: what a thick edge and a thin edge mean.

        Parameters
        ----------
        x, y : float
            Left end of the key and its middle height, in inches.
        """
        self._write(x, y, translate("thick edge: holds parameters that learn"), ha="left", color=SOFT_INK)

    def _write(self, x: float, y: float, text: str, size: float = SMALLEST, **options: Any) -> None:
        look = {"ha": "center", "va": "center", "color": INK, "linespacing": 1.15, **options}
        self.axes.text(x, y, text, fontsize=size, **look)

    def show(self, alt: str) -> None:
        """Show the sheet: as vector graphics where the front end shows HTML, otherwise as a picture."""
        buffer = io.BytesIO()
        with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "architecture"}):
            self.figure.savefig(buffer, format="svg", metadata={"Date": None})
        data, text = base64.b64encode(buffer.getvalue()).decode("ascii"), " ".join(alt.split())
        look = f'width="{round(self.width * 96)}" style="max-width:100%;height:auto;border-radius:6px"'
        finish(self.figure, text, f'<img alt="{escape(text)}" {look} src="data:image/svg+xml;base64,{data}">')
