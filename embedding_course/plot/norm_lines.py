"""Row norms along a training run, frequent and rare rows apart."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from matplotlib.axes import Axes

from .style import COLOURS, INK, SOFT_INK, finish, new_figure

__all__ = ["card", "row_norms"]

_FREQUENT, _RARE = 3, 3


def _lines(axes: Axes, trace: torch.Tensor, ceiling: float | None) -> None:
    steps = range(1, len(trace) + 1)
    rows = trace.shape[1]
    for row in range(rows):
        frequent, rare = row < _FREQUENT, row >= rows - _RARE
        colour = COLOURS.vermilion if frequent else COLOURS.blue if rare else "#cfd3d8"
        width = 2 if frequent or rare else 1
        axes.plot(steps, trace[:, row].numpy(), color=colour, linewidth=width, zorder=1 + width)
    if ceiling is not None:
        axes.axhline(ceiling, color=INK, linestyle=(0, (4, 3)), linewidth=1.2)
        axes.text(len(trace), ceiling + 0.4, f"max_norm = {ceiling:g}", ha="right", color=INK)
    axes.set(xlabel="step", xlim=(0, len(trace)))


def _name_kinds(axes: Axes, trace: torch.Tensor) -> None:
    """Say in words which colour is which."""
    top = float(trace.max())
    axes.text(4, 1.0 * top, "frequent words", color=COLOURS.vermilion, fontweight="bold", va="top")
    axes.text(4, 0.93 * top, "rare words", color=COLOURS.blue, fontweight="bold", va="top")
    axes.text(4, 0.86 * top, "all others", color=SOFT_INK, va="top")


def row_norms(traces: Mapping[str, torch.Tensor], ceiling: float, alt: str) -> None:
    """One panel a run ((steps, V) norms each) on one scale; the ceiling is drawn in all but the first."""
    figure, panels = new_figure(8.4, 3.6, columns=len(traces), sharey=True)
    for place, (axes, (title, trace)) in enumerate(zip(panels, traces.items(), strict=True)):
        _lines(axes, trace, ceiling if place else None)
        axes.set_title(title)
    panels[0].set_ylabel("length of the row")
    _name_kinds(panels[0], next(iter(traces.values())))
    finish(figure, alt)


def card(free: torch.Tensor, bounded: torch.Tensor, ceiling: float) -> None:
    """The end card of notebook 03: both runs, and the two numbers that sum them up."""
    figure, panels = new_figure(8.6, 4.2, columns=2, sharey=True)
    for axes, trace, top in ((panels[0], free, None), (panels[1], bounded, ceiling)):
        _lines(axes, trace, top)
    _name_kinds(panels[0], free)
    panels[0].set_ylabel("length of the row")
    panels[0].set_title(f"free: the longest row ends at {free[-1].max():.2f}")
    panels[1].set_title(f"max_norm {ceiling:g}: the longest ends at {bounded[-1].max():.2f}")
    over = int((bounded[-1] > ceiling).sum())
    said = f"Every row of my table, measured by my norm_trace · at the end {over} of {bounded.shape[1]} stand above the ceiling"
    figure.suptitle(said, x=0.01, ha="left", fontsize=11, color=SOFT_INK)
    finish(
        figure,
        f"Row norms over {len(free)} steps: without max_norm the longest row reaches {free[-1].max():.2f}; with "
        f"max_norm {ceiling:g} it ends at {bounded[-1].max():.2f}: a step may carry a row past the ceiling.",
    )
