"""Define the look of every figure of the course, and show figures.

A figure has its own opaque light background, so that it is readable on a dark page too. The colours are those of Okabe and
Ito, darkened where thin lines or text need it: colour-blind readers can tell them apart.
"""

import base64
import io
import re
from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple, TypeVar

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..checking.render import columns_of
from ..messages import translate
from .chinese import font_families

_Item = TypeVar("_Item")

BACKGROUND = "#fcfbf8"
INK = "#22262e"
SOFT_INK = "#5d6470"
GRID = "#e4e1d9"


class _Colours(NamedTuple):
    blue: str = "#0b6aa6"
    vermilion: str = "#d1571b"
    green: str = "#00856a"
    purple: str = "#a8518a"
    yellow: str = "#d99a00"
    sky: str = "#4da3d9"
    grey: str = "#868d98"


#: By name (`COLOURS.blue`) or in order (`COLOURS[0]`).
COLOURS = _Colours()

#: Colour maps for values that start at zero, and for values on both sides of zero.
SEQUENTIAL = LinearSegmentedColormap.from_list("course_amount", ["#f4f1e8", "#9cc3dc", "#2f7fb3", "#0a3f66"])
DIVERGING = LinearSegmentedColormap.from_list("course_sign", ["#a23c0c", "#eda67f", "#f6f3ec", "#86b9d8", "#08558a"])
for _colours in (SEQUENTIAL, DIVERGING):
    matplotlib.colormaps.register(_colours, force=True)

#: What is not broken: a word with the blank before it, or a Chinese character with the punctuation behind it.
_PIECE = re.compile(r"\s*(?:[\u3400-\u9fff][，。：；？！、）”》…]*|[^\s\u3400-\u9fff]+)")

_DPI = 192
_CSS_DPI = 96
#: The box behind a label, so that no line of the grid or of an axis crosses its letters.
LABEL_BOX = {"facecolor": BACKGROUND, "edgecolor": "none", "pad": 0.8}
#: Mean width of a letter of the question above a figure, in inches.
_LETTER = 0.12

_THEME: dict[Any, Any] = {
    "figure.facecolor": BACKGROUND,
    "savefig.facecolor": BACKGROUND,
    "axes.facecolor": BACKGROUND,
    "axes.edgecolor": "#a9aeb6",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelcolor": SOFT_INK,
    "axes.labelsize": 10,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.titlepad": 10,
    "axes.prop_cycle": cycler(color=list(COLOURS)),
    "axes.formatter.useoffset": False,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.markersize": 6,
    "lines.solid_capstyle": "round",
    "text.color": INK,
    "xtick.color": SOFT_INK,
    "ytick.color": SOFT_INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "font.size": 10,
    "image.cmap": SEQUENTIAL.name,
    "image.interpolation": "nearest",
}


def _use_theme() -> None:
    matplotlib.rcParams.update(_THEME)
    matplotlib.rcParams["font.family"] = font_families()


def new_figure(width: float = 7.5, height: float = 3.6, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Figure, Any]:
    """Return a figure in the look of the course, and its axes (one, or an array as in `plt.subplots`).

    The figure is not registered with pyplot: nothing is shown twice, and nothing stays in memory.

    Parameters
    ----------
    width, height : float, optional
        Size in inches.
    rows, columns : int, optional
        Number of panels.
    **options : Any
        Passed to `Figure.subplots` (`sharex=True`, `width_ratios=[2, 1]`, `subplot_kw={...}`).
    """
    _use_theme()
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.12, h_pad=0.12, wspace=0.04, hspace=0.06)
    if "width_ratios" in options or "height_ratios" in options:
        options["gridspec_kw"] = {
            **options.get("gridspec_kw", {}),
            **{key: options.pop(key) for key in ("width_ratios", "height_ratios") if key in options},
        }
    return figure, figure.subplots(rows, columns, **options)


def end_label(line: Line2D, text: str, *, dx: float = 6.0, dy: float = 0.0) -> None:
    """Write a text beside the last point of a line, in its colour, in place of a legend.

    The layout makes room for the text on the right.

    Parameters
    ----------
    line : Line2D
    text : str
    dx, dy : float, optional
        Shift of the text to the right and upwards, in points.
    """
    last = [float(np.asarray(values)[-1]) for values in (line.get_xdata(), line.get_ydata())]
    axes: Any = line.axes
    axes.annotate(
        text, last, xytext=(dx, dy), textcoords="offset points", va="center", color=line.get_color(),
        fontsize=10, fontweight="bold", annotation_clip=False, bbox=LABEL_BOX,
    )


def translated(labelled: Mapping[str, _Item]) -> dict[str, _Item]:
    """Return the items of a mapping from labels, with the labels in the language in use."""
    return {translate(label): item for label, item in labelled.items()}


def ask(figure: Figure, question: str) -> None:
    """Write above all panels the question that the figure answers; the figure grows so that the panels keep their size.

    Parameters
    ----------
    figure : Figure
    question : str
        The question in English; it is looked up in the language in use.
    """
    lines = wrapped(translate(question), int(figure.get_figwidth() / _LETTER))
    figure.set_figheight(figure.get_figheight() + 0.1 + 0.25 * len(lines))
    figure.suptitle("\n".join(lines), x=0.012, ha="left", fontsize=13.5, fontweight="bold")


def wrapped(text: str, columns: int) -> list[str]:
    """Return the lines of a text of at most so many columns; a Chinese character takes two, and a line may end behind it.

    Examples
    --------
    >>> wrapped("Which row moves?", 10), wrapped("哪一行会动？第 3 行", 10)
    (['Which row', 'moves?'], ['哪一行会', '动？第 3', '行'])
    """
    lines = [""]
    for piece in _PIECE.findall(text):
        if lines[-1] and columns_of(lines[-1] + piece.rstrip()) > columns:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]


def _titles(figure: Figure) -> list[str]:
    """Return the title of the figure and the titles of its panels."""
    return [figure.get_suptitle(), *(axes.get_title(loc) for axes in figure.axes for loc in ("left", "center", "right"))]


def size_in_cell(text: str, size: float, letters: float) -> float:
    """Return the font size in points at which `text` fits into a cell of a grid: long text is set smaller.

    Parameters
    ----------
    text : str
        The text in the cell.
    size : float
        Largest font size, in points.
    letters : float
        How many letters of a font size of one point fit into the cell.

    Examples
    --------
    >>> size_in_cell("dog", 10, letters=68), size_in_cell("playgrounds", 10, letters=66)
    (10, 6.0)
    """
    return min(size, letters / max(len(text), 1))


class Shown:
    """Hold a finished figure: a picture with alternative text for notebooks, the text alone for terminals."""

    def __init__(self, png: bytes, alt: str, width: int, html: str = "") -> None:
        self.png, self.alt, self.width, self.html = png, alt, width, html

    def __repr__(self) -> str:
        return translate("[Figure: {alt}]", alt=self.alt)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        data = base64.b64encode(self.png).decode("ascii")
        look = f'width="{self.width}" style="max-width:100%;height:auto;border-radius:6px"'
        html = self.html or f'<img alt="{escape(self.alt)}" {look} src="data:image/png;base64,{data}">'
        about = {"image/png": {"alt": self.alt, "width": self.width}}
        return {"text/html": html, "image/png": data, "text/plain": repr(self)}, about


def finish(figure: Figure, alt: str, /, html: str = "", **slots: Any) -> None:
    """Show the figure with its alternative text and close it.

    Parameters
    ----------
    figure : Figure
    alt : str
        One sentence that says what the figure shows; printed where pictures cannot be shown. It is looked up in the language
        in use, and then its slots are filled.
    html : str, optional
        Shown instead of the picture where the front end shows HTML.
    **slots : Any
        The values of the slots of `alt`.
    """
    alt = translate(alt, **slots)
    if not alt.strip():
        raise ValueError("a figure needs alternative text: one sentence on what there is to see")
    if not any(mark in title for title in _titles(figure) for mark in "?？"):
        raise ValueError("a figure asks its question in its title: use ask(figure, ...) or set_title(...) with a question mark")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    shown = Shown(buffer.getvalue(), " ".join(alt.split()), round(figure.get_figwidth() * _CSS_DPI), html)
    figure.clear()
    try:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
    except ImportError:
        shell = None
    if shell is None:
        print(shown)
        return
    from IPython.display import display

    display(shown)
