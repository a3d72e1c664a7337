"""Draw the figures of notebook 01: one-hot vectors, the row that a product picks, and the cost of both ways."""

from collections.abc import Sequence

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from ..experiments.onehot_vs_lookup.lookup_cost import Cost
from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, end_label, finish, new_figure, translated


def _cells(axes: Axes, values: torch.Tensor, form: str, *, limit: float | None = None) -> None:
    """Draw a matrix as coloured cells that contain their values."""
    matrix = values.detach().numpy()
    top = limit or float(np.abs(matrix).max()) or 1.0
    axes.imshow(np.abs(matrix), vmin=0, vmax=top * 1.35, aspect="auto")
    axes.grid(False)
    axes.spines[:].set_visible(False)
    for row, column in np.ndindex(*matrix.shape):
        dark = abs(matrix[row, column]) > 0.62 * top
        axes.text(
            column, row, form.format(matrix[row, column]), ha="center", va="center", fontsize=9.5,
            color="white" if dark else INK,
        )


def _names(axes: Axes, rows: Sequence[str] = (), columns: Sequence[str] = ()) -> None:
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)


def distance_map(words: Sequence[str], vectors: torch.Tensor) -> None:
    """Draw the vectors of words (left) and the distances between all pairs of words (right).

    Parameters
    ----------
    words : Sequence[str]
        The words, N of them.
    vectors : torch.Tensor
        Their vectors, (N, d).
    """
    figure, (left, right) = new_figure(8.2, 3.1, 1, 2)
    _cells(left, vectors, "{:.0f}")
    _names(left, words, [str(column) for column in range(vectors.shape[1])])
    left.set(title=translate("One-hot vectors"), xlabel=translate("dimension"))
    _cells(right, torch.cdist(vectors, vectors), "{:.2f}")
    _names(right, words, words)
    right.set_title(translate("Distance of each pair"))
    alt = translate("One-hot vectors of {words}, and their distances: every two different words are 1.41 apart.",
                    words=', '.join(words))
    ask(figure, "How far are one-hot vectors from one another?")
    finish(figure, alt)


def row_picker(table: torch.Tensor, chosen: int, words: Sequence[str]) -> None:
    """Draw the product of a one-hot vector and a table: the result is one row of the table.

    Parameters
    ----------
    table : torch.Tensor
        The table, (V, d).
    chosen : int
        Index of the row that the one-hot vector picks.
    words : Sequence[str]
        Word of each row, V of them.
    """
    height, width = table.shape
    figure, axes = new_figure(8.2, 2.9, 1, 3, width_ratios=[height, width, width])
    onehot = torch.eye(height)[chosen : chosen + 1]
    _cells(axes[0], onehot, "{:.0f}")
    _cells(axes[1], table, "{:.1f}", limit=float(table.abs().max()))
    _cells(axes[2], onehot @ table, "{:.1f}", limit=float(table.abs().max()))
    for panel, title in zip(axes,
                            (translate("one-hot of “{word}”", word=words[chosen]), translate("× table"),
                             translate("= its row")), strict=True):
        panel.set_title(title)
        _names(panel)
    _names(axes[0], columns=[str(index) for index in range(height)])
    _names(axes[1], rows=[f"{index}  {word}" for index, word in enumerate(words)])
    for panel, rows, columns in zip(axes, (1, height, 1), (height, width, width), strict=True):
        panel.set_box_aspect(0.8 * rows / columns)
    axes[1].add_patch(Rectangle((-0.5, chosen - 0.5), width, 1, fill=False, edgecolor=COLOURS.vermilion, lw=2.5))
    ask(figure, "What does a one-hot vector times a table give?")
    finish(figure, "The one-hot vector of {word} times a table of {rows} rows gives row {chosen} of the table.",
                   word=words[chosen], rows=height, chosen=chosen)


def _bytes(value: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.3g} {unit}"
        value /= 1000
    return translate("{value:.3g} TB", value=value)


def memory_bars(parts: dict[str, int]) -> None:
    """Draw the size of each item in bytes as bars, on a log axis."""
    parts = translated(parts)
    figure, axes = new_figure(7.5, 0.62 * len(parts) + 1.0)
    heights = range(len(parts))[::-1]
    colours = [COLOURS.blue, COLOURS.green, COLOURS.vermilion, COLOURS.grey]
    axes.barh(heights, list(parts.values()), color=colours[: len(parts)], height=0.55)
    for height, value in zip(heights, parts.values(), strict=True):
        axes.text(value * 1.25, height, _bytes(value), va="center", fontweight="bold")
    axes.set_xscale("log")
    axes.set_xlim(1, max(parts.values()) * 12)
    axes.set_yticks(list(heights), list(parts))
    axes.tick_params(axis="y", labelsize=10, labelcolor=INK)
    axes.grid(False, axis="y")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _bytes(value)))
    axes.set_xlabel(translate("memory (each grid line is ten times the one before)"))
    ask(figure, "How much memory does each take? (log scale)")
    summary = "; ".join(f"{name} {_bytes(value)}" for name, value in parts.items())
    finish(figure, "Memory: {summary}.", summary=summary)


def _seconds(value: float, _: object = None) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if value >= scale * 0.999:
            return f"{value / scale:.3g} {unit}"
    return "0"


def cost_lines(matmul: Sequence[Cost], lookup: Sequence[Cost]) -> None:
    """Plot the seconds of one batch by matrix product and by lookup against the size of the vocabulary.

    Parameters
    ----------
    matmul : Sequence[Cost]
        Cost of the product of one-hot vectors and table, for each size of the vocabulary.
    lookup : Sequence[Cost]
        Cost of the lookup, for each size of the vocabulary.
    """
    figure, axes = new_figure(7.5, 3.5)
    for costs, colour, name in ((matmul, COLOURS.vermilion, translate("one-hot × table")),
                                (lookup, COLOURS.blue, translate("lookup"))):
        (line,) = axes.loglog(*zip(*costs, strict=True), marker="o", color=colour)
        end_label(line, f"{name}\n{_seconds(costs[-1].seconds)}")
    axes.set(xlabel=translate("vocabulary size V (rows of the table)"), ylabel=translate("time for a batch"))
    axes.set_ylim(lookup[-1].seconds / 3, matmul[-1].seconds * 2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(_seconds))
    ratio = matmul[-1].seconds / lookup[-1].seconds
    ask(figure, "Which way gets slower as the vocabulary grows? (log scales)")
    finish(figure, "With {words:,} words the product takes {ratio:,.0f} times as long as the lookup. The product's time "
                   "grows with the vocabulary, the lookup's does not.", words=matmul[-1].size, ratio=ratio)


def lookup_lines(rows: Sequence[Cost], batch: int, row_bytes: int, widths: Sequence[Cost]) -> None:
    """Plot the time of a lookup against the number of rows (left) and against the width of a row (right).

    Parameters
    ----------
    rows : Sequence[Cost]
        Cost of a batch for each number of rows.
    batch : int
        Number of rows that a batch reads.
    row_bytes : int
        Bytes of a row in the tables of the left panel.
    widths : Sequence[Cost]
        Cost of a batch for each width of a row.
    """
    figure, (left, right) = new_figure(8.4, 3.5, 1, 2)
    each = [cost.seconds / batch * 1e9 for cost in rows]
    left.semilogx([cost.size for cost in rows], each, marker="o", color=COLOURS.blue)
    for cost, value in zip(rows, each, strict=True):
        left.annotate(
            f"{_bytes(cost.size * row_bytes)}", (cost.size, value), xytext=(-7, 5), textcoords="offset points",
            ha="right", fontsize=9, color=SOFT_INK,
        )
    left.set(title=translate("More rows"), xlabel=translate("rows of the table (log scale; its size beside the dot)"))
    left.set(ylabel=translate("time to read a row (ns)"), ylim=(0, max(each) * 1.25),
             xlim=(rows[0].size / 8, rows[-1].size * 2.5))
    left.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    micro = [cost.seconds * 1e6 for cost in widths]
    right.plot([cost.size for cost in widths], micro, marker="o", color=COLOURS.green)
    right.set(title=translate("Wider rows"), xlabel=translate("width d of a row"), ylabel=translate("time for a batch (µs)"))
    right.set(ylim=(0, max(micro) * 1.15), xlim=(0, None), xticks=[cost.size for cost in widths][1:])
    ask(figure, "What makes a lookup slower?")
    finish(figure, "Reading a row takes {fast:.1f} ns in a table of {few:,} rows, {slow:.1f} ns in one of {many:,}. Rows of "
                   "width {wide} take {ratio:.1f} times as long as those of {narrow}.", fast=each[0], few=rows[0].size,
                   slow=each[-1], many=rows[-1].size, wide=widths[-1].size, ratio=micro[-1] / micro[0], narrow=widths[0].size)
