"""Draw what a lookup with max_norm does to rows: one table, three norms, and the precision of the clip."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn as nn
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from ..messages import translate
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, finish, new_figure

_BALL = "#e6eef3"


def arrow(axes: Axes, start: Sequence[float], end: Sequence[float], colour: str, width: float = 2.0, dash: Any = "-") -> None:
    """Draw an arrow in data coordinates.

    Parameters
    ----------
    axes : Axes
        The panel to draw on.
    start, end : Sequence[float]
        First and last point, two numbers each.
    colour : str
        Colour of the arrow.
    width : float, optional
        Line width, in points.
    dash : Any, optional
        Line style of matplotlib.
    """
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "linestyle": dash, "shrinkA": 0, "shrinkB": 0}
    look["mutation_scale"] = 12
    axes.annotate("", xy=(end[0], end[1]), xytext=(start[0], start[1]), arrowprops=look)


def clipping(
    before: torch.Tensor, after: torch.Tensor, looked_up: Sequence[int], max_norm: float, names: Sequence[str]
) -> None:
    """Draw the rows of a table before and after a lookup, with the circle that they are clipped to.

    Parameters
    ----------
    before, after : torch.Tensor
        Rows of the table before and after the lookup, (V, 2).
    looked_up : Sequence[int]
        Indices of the rows that were looked up.
    max_norm : float
        Norm to which rows are clipped.
    names : Sequence[str]
        Name of each row.
    """
    figure, axes = new_figure(6.4, 5.4)
    axes.add_patch(Circle((0, 0), max_norm, facecolor=_BALL, edgecolor=SOFT_INK, linestyle=(0, (4, 3))))
    clipped, unchanged, not_read = translate("clipped"), translate("looked up, unchanged"), translate("not looked up")
    kinds: dict[str, list[str]] = {clipped: [], unchanged: [], not_read: []}
    for row, (old, new) in enumerate(zip(before.tolist(), after.tolist(), strict=True)):
        moved, read = old != new, row in looked_up
        colour = COLOURS.vermilion if moved else COLOURS.blue if read else COLOURS.grey
        if moved:
            axes.plot(*zip(new, old, strict=True), color=colour, linestyle=(0, (1, 1.6)), linewidth=2)
            axes.plot(*old, "o", markersize=6, markerfacecolor=BACKGROUND, color=colour)
        arrow(axes, (0, 0), new, colour, 2.6 if read else 2.0, "-" if read else (0, (4, 2)))
        # The label of a short row stands beyond the circle, where no arrow crosses it.
        reached = max(math.hypot(*old), 0.95 * max_norm) + 0.12
        position = [value * reached / math.hypot(*old) for value in old]
        axes.text(*position, names[row], color=colour, ha="left" if old[0] > 0 else "right", va="center", fontweight="bold")
        kinds[clipped if moved else unchanged if read else not_read].append(names[row])
    reach = 1.32 * float(before.abs().max())
    legend = (
        (translate("clipped (dotted part cut off)"), COLOURS.vermilion), (unchanged, COLOURS.blue),
        (translate("not looked up (dashed)"), COLOURS.grey),
    )
    for line, (label, colour) in enumerate(legend):
        axes.text(0.98, 0.14 - 0.052 * line, label, transform=axes.transAxes, color=colour, ha="right", fontweight="bold")
    axes.text(0.0, -max_norm - 0.06, translate("max_norm = {max_norm:g}", max_norm=max_norm), ha="center", va="top",
              color=SOFT_INK)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel=translate("dimension 1"),
             ylabel=translate("dimension 2"))
    summary = "; ".join(f"{kind}: {', '.join(words)}" for kind, words in kinds.items() if words)
    ask(figure, "Which rows does a lookup clip?")
    finish(figure, "Rows of a table as arrows, before and after a lookup, with a circle of radius {max_norm:g}. {summary}. "
                   "A clipped arrow ends on the circle and keeps its direction.", max_norm=max_norm, summary=summary)


def norm_balls(rows: torch.Tensor, max_norm: float = 1.0) -> None:
    """Draw where torch clips rows for norm_type 1, 2 and inf; values of the first row are written out.

    Parameters
    ----------
    rows : torch.Tensor
        The rows before they are clipped, (N, 2).
    max_norm : float, optional
        Norm to which they are clipped.
    """
    figure, panels = new_figure(9.2, 3.9, columns=3, sharex=True, sharey=True)
    angle = np.linspace(0, 2 * np.pi, 721)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    reach = 1.12 * float(rows.abs().max())
    for axes, order in zip(panels, (1.0, 2.0, math.inf), strict=True):
        ball = max_norm * circle / np.linalg.norm(circle, ord=order, axis=1)[:, None]
        axes.fill(*ball.T, facecolor=_BALL, edgecolor=SOFT_INK, linewidth=1.1)
        table = nn.Embedding(*rows.shape, max_norm=max_norm, norm_type=order, _weight=rows.clone())
        clipped = table(torch.arange(len(rows))).detach()
        for row, (old, new) in enumerate(zip(rows.tolist(), clipped.tolist(), strict=True)):
            colour = COLOURS.vermilion if row == 0 else COLOURS.blue
            axes.plot(*old, "o", markersize=5.5, markerfacecolor=BACKGROUND, color=colour)
            axes.plot(*zip(old, new, strict=True), color=colour, linestyle=(0, (1, 1.6)), linewidth=1.4)
            axes.plot(*new, "o", markersize=5.5, color=colour)
        if order == math.inf:
            clamped = rows[0].clamp(-max_norm, max_norm).tolist()
            axes.plot(*clamped, "x", color=INK, markersize=7, markeredgewidth=2)
            axes.text(0.97 * reach, 1.17 * max_norm, translate("× clamp(-1, 1)\nturns the row"), ha="right", fontsize=9)
        size = torch.linalg.vector_norm(rows[0], ord=order).item()
        there = ", ".join(f"{value:.2f}" for value in clipped[0].tolist())
        axes.set_title(translate("norm_type = {order:g}", order=order))
        axes.set_xlabel(translate("norm {size:.2f}, becomes ({there})", size=size, there=there), color=COLOURS.vermilion)
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    panels[0].set_ylabel(translate("dimension 2"))
    ask(figure, "Where does each norm move a long row?")
    finish(figure, "Rows as hollow dots, and as full dots where torch puts them for norm_type 1 (onto a diamond), 2 (a circle) "
                   "and inf (a square): each slides towards the origin, and rows inside stay.")


def shortfall() -> None:
    """Plot how far below max_norm the norm of a clipped row ends, for norms from 1e-7 to 100, in float32 and float64."""
    figure, axes = new_figure(7.6, 3.7)
    lengths = torch.logspace(-6.5, 2, 35, dtype=torch.float64)
    direction = torch.tensor([0.36, 0.48, 0.8], dtype=torch.float64)  # This is a unit vector.
    for dtype, colour, name in ((torch.float32, COLOURS.vermilion, "float32"), (torch.float64, COLOURS.blue, "float64")):
        missing = []
        for length in lengths.tolist():
            max_norm = length / 4
            row = nn.Embedding(1, 3, max_norm=max_norm, _weight=(length * direction).to(dtype)[None])
            reached = row(torch.tensor([0])).detach().double().norm().item()
            missing.append(abs(1 - reached / max_norm))
        mark = "s" if dtype == torch.float32 else "o"
        axes.plot(lengths, np.maximum(missing, 1e-12), mark, markersize=5, color=colour)
        spot = (40, 2.5e-7) if dtype == torch.float32 else (6, 1.6e-9)
        axes.text(*spot, name, color=colour, fontweight="bold", ha="center", va="bottom" if dtype == torch.float32 else "top")
    axes.plot(lengths, 1e-7 / (lengths + 1e-7), color=SOFT_INK, linewidth=1, zorder=1)
    axes.text(3e-5, 8e-3, translate("1e-7 / (norm + 1e-7)"), color=SOFT_INK, fontsize=10)
    axes.set(xscale="log", yscale="log", xlabel=translate("norm of the row before the clip (max_norm is a quarter of it)"),
             ylabel=translate("fraction missing to max_norm"), ylim=(3e-10, 1))
    axes.minorticks_off()  # They are invisible in this theme, and slow to draw.
    ask(figure, "How far below max_norm does a clipped row end? (log scales)")
    finish(figure, "How far from max_norm a clipped row ends: in float64 exactly 1e-7 over its norm, a third of it for rows "
                   "of norm 3e-7; in float32 the same until rounding takes over at about 1e-7.")
