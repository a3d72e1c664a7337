"""Draw the backward pass of a lookup: each position adds its gradient to the row that it read."""

from collections.abc import Sequence

import torch
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from ..messages import translate
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, finish, new_figure


def _box(axes: Axes, x: float, y: float, width: float, text: str, colour: str, filled: bool) -> None:
    face = colour if filled else BACKGROUND
    axes.add_patch(FancyBboxPatch((x, y - 0.3), width, 0.6, boxstyle="round,pad=0,rounding_size=0.08",
                                  facecolor=face, edgecolor=colour, linewidth=1.4))
    ink = "white" if filled else INK
    axes.text(x + width / 2, y, text, ha="center", va="center", color=ink, fontsize=10, family="DejaVu Sans Mono")


def _numbers(vector: torch.Tensor) -> str:
    return "  ".join(f"{value:g}" for value in vector.tolist())


def show_scatter_add(ids: Sequence[int], grad_output: torch.Tensor, gradient: torch.Tensor) -> None:
    """Draw the gradients of the positions on the left and the gradient of the table on the right.

    Rows that were read more than once are vermilion; rows that were not read stay empty.

    Parameters
    ----------
    ids : Sequence[int]
        Row that each position reads, T of them.
    grad_output : torch.Tensor
        Gradient at the vector of each position, (T, d).
    gradient : torch.Tensor
        Gradient of the table, (V, d).
    """
    tall = max(len(ids), len(gradient))
    figure, axes = new_figure(8.4, 0.72 * tall + 0.9)
    tones = {row: COLOURS.vermilion if list(ids).count(row) > 1 else COLOURS.blue for row in ids}
    shift_left, shift_right = (tall - len(ids)) / 2, (tall - len(gradient)) / 2
    for position, row in enumerate(ids):
        y = tall - shift_left - position
        axes.text(0.0, y, translate("position {position}, id {row}", position=position, row=row), ha="left", va="center",
                  fontsize=10)
        _box(axes, 2.0, y, 1.9, _numbers(grad_output[position]), tones[row], filled=False)
        end = tall - shift_right - row
        axes.add_patch(FancyArrowPatch((3.98, y), (6.06, end), connectionstyle="arc3,rad=0", arrowstyle="-|>",
                                       mutation_scale=13, color=tones[row], linewidth=1.7))
    for row, vector in enumerate(gradient):
        y = tall - shift_right - row
        _box(axes, 6.15, y, 1.9, _numbers(vector), tones.get(row, "#b9bdc4"), filled=row in tones)
        times = list(ids).count(row)
        label = (
            translate("row {row}, not read: zero", row=row) if not times
            else translate("row {row}, read once", row=row) if times == 1
            else translate("row {row}, read {times} times: summed", row=row, times=times)
        )
        axes.text(
            8.2,
            y,
            label,
            ha="left",
            va="center",
            fontsize=10,
            color=INK if row in tones else SOFT_INK,
        )
    axes.text(2.95, tall + 0.62, translate("gradient at the vectors"), ha="center", color=SOFT_INK, fontsize=10)
    axes.text(7.1, tall + 0.62, translate("gradient of the table"), ha="center", color=SOFT_INK, fontsize=10)
    axes.set(xlim=(-0.1, 10.9), ylim=(0.5, tall + 0.95))
    axes.axis("off")
    ask(figure, "Where do the gradients of the positions go?")
    finish(figure, "Positions with ids {ids} hand their gradients to the rows they read: rows read twice get the sum, rows "
                   "not read get zero.", ids=list(ids))
