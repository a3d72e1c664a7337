"""Pictures of clipping: arrows in a disc, norm balls, and the gradients at a clipped row."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from .style import COLOURS, INK, SOFT_INK, finish, new_figure

__all__ = ["clipping", "gradients_at_a_clipped_row", "norm_balls"]


def _arrow(axes: Axes, start: Sequence[float], end: Sequence[float], colour: str, width: float = 2.0) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 13}
    axes.annotate("", xy=(end[0], end[1]), xytext=(start[0], start[1]), arrowprops=style)


def clipping(before: torch.Tensor, after: torch.Tensor, looked_up: Sequence[int], max_norm: float) -> None:
    """Rows of a (V, 2) table before and after a lookup, with the circle of radius max_norm."""
    figure, panels = new_figure(8.2, 4.2, columns=2, sharex=True, sharey=True)
    reach = 1.15 * float(before.abs().max())
    for axes, table, title in ((panels[0], before, "before the lookup"), (panels[1], after, "after it")):
        axes.add_patch(Circle((0, 0), max_norm, facecolor="#eaf1f5", edgecolor=SOFT_INK, linestyle=(0, (4, 3))))
        for row, vector in enumerate(table.tolist()):
            colour = COLOURS.vermilion if row in looked_up else COLOURS.grey
            _arrow(axes, (0, 0), vector, colour)
            length = math.hypot(*vector)
            axes.text(*(value * (1 + 0.28 / length) for value in vector), str(row), color=colour,
                      ha="center", va="center", fontweight="bold")  # fmt: skip
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title=title, xlabel="first number")
    panels[0].set_ylabel("second number")
    panels[1].text(0, -max_norm - 0.15, f"max_norm = {max_norm:g}", ha="center", va="top", color=SOFT_INK)
    moved = [row for row in range(len(before)) if not torch.equal(before[row], after[row])]
    finish(
        figure,
        f"Arrows of {len(before)} rows, before and after rows {list(looked_up)} were looked up: rows {moved} are "
        f"shortened to the circle of radius {max_norm:g} and keep their direction, all others stay.",
    )


def norm_balls(max_norm: float = 1.0) -> None:
    """Which vectors are left alone, for norm_type 1, 2 and infinity; where one long row ends up."""
    figure, panels = new_figure(8.6, 3.1, columns=3, sharex=True, sharey=True)
    row = np.array([1.5, 0.9])
    angle = np.linspace(0, 2 * np.pi, 721)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for axes, order, name in zip(panels, (1, 2, np.inf), ("1", "2", "inf"), strict=True):
        ball = max_norm * circle / np.linalg.norm(circle, ord=order, axis=1)[:, None]
        axes.fill(*ball.T, facecolor="#eaf1f5", edgecolor=SOFT_INK, linewidth=1.2)
        length = np.linalg.norm(row, ord=order)
        clipped = row * max_norm / length
        _arrow(axes, (0, 0), row.tolist(), COLOURS.grey)
        _arrow(axes, (0, 0), clipped.tolist(), COLOURS.vermilion, 2.6)
        said = f"length {length:.2f}\nclipped to ({clipped[0]:.2f}, {clipped[1]:.2f})"
        axes.text(-1.6, 1.55, said, va="top", color=INK)
        axes.set(xlim=(-1.7, 1.9), ylim=(-1.3, 1.6), aspect="equal", title=f"norm_type = {name}")
    finish(
        figure,
        "The row (1.5, 0.9) and the sets of rows no longer than 1 for norm_type 1 (a diamond), 2 (a disc) and inf "
        "(a square): it is shortened most in the diamond and least in the square.",
    )


def gradients_at_a_clipped_row(row: Sequence[float], max_norm: float) -> dict[str, tuple[float, float]]:
    """Three gradients of the sum of squares at one row, drawn at the places where they are taken; returns them."""
    length = math.hypot(*row)
    clipped = [value * max_norm / length for value in row]
    found = {
        "torch": (2 * clipped[0], 2 * clipped[1]),
        "through the norm": (0.0, 0.0),
        "at the unclipped row": (2 * row[0], 2 * row[1]),
    }
    figure, axes = new_figure(7.2, 4.6)
    axes.add_patch(Circle((0, 0), max_norm, facecolor="#eaf1f5", edgecolor=SOFT_INK, linestyle=(0, (4, 3))))
    _arrow(axes, (0, 0), row, COLOURS.grey, 1.6)
    far, near = found["at the unclipped row"], found["torch"]
    _arrow(axes, row, [row[0] + far[0], row[1] + far[1]], COLOURS.purple)
    _arrow(axes, clipped, [clipped[0] + near[0], clipped[1] + near[1]], COLOURS.vermilion, 3.0)
    axes.plot(*clipped, "o", color=COLOURS.blue)
    still = "through the norm: (0, 0)\nthe clipped length cannot change"
    axes.text(clipped[0] + 0.6, clipped[1] - 1.0, still, color=COLOURS.blue)
    axes.text(clipped[0] + near[0] - 0.3, clipped[1] + near[1] + 0.35, "what PyTorch takes: (1.2, 1.6)",
              color=COLOURS.vermilion, ha="right", fontweight="bold")  # fmt: skip
    axes.text(row[0] + 3.4, row[1] + 3.2, "at the unclipped row: (6, 8)", color=COLOURS.purple, ha="left")
    axes.text(row[0] + 0.25, row[1] - 0.35, "the row (3, 4)", color=SOFT_INK)
    axes.set(xlim=(-3.6, 11.5), ylim=(-1.4, 12.6), aspect="equal", xlabel="first number", ylabel="second number")
    finish(
        figure,
        "At the row (3, 4), clipped to (0.6, 0.8), three gradients of the sum of squares: PyTorch's (1.2, 1.6) at the "
        "clipped row, (0, 0) through the norm, and (6, 8) at the unclipped row.",
    )
    return found
