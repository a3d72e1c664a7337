"""Row lengths along a training run: single words, all rows, and the drift between two lookups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.axes import Axes

from ..demo.next_word import History
from .style import COLOURS, INK, SOFT_INK, end_label, finish, new_figure

__all__ = ["card", "drift", "words_over_time"]

_DASHES = (0, (4, 3))


def _ceiling(axes: Axes, height: float, *, words: bool = True) -> None:
    axes.axhline(height, color=INK, linestyle=_DASHES, linewidth=1.2, zorder=3)
    if words:
        axes.annotate(f"max_norm = {height:g}", (0, height), xycoords=("axes fraction", "data"), xytext=(4, -4),
                      textcoords="offset points", va="top", color=INK, fontsize=9.5)  # fmt: skip


def words_over_time(
    runs: Mapping[str, History], names: Sequence[str], frequent: Sequence[int], rare: Sequence[int], ceiling: float
) -> None:
    """A few rows' lengths after every step, one panel a run; a ring marks a rare word's first lookup."""
    figure, panels = new_figure(9.6, 4.0, columns=len(runs), sharey=True)
    for place, (axes, (title, history)) in enumerate(zip(panels, runs.items(), strict=True)):
        steps = np.arange(1, len(history.norms) + 1)
        for rows, colour in ((frequent, COLOURS.vermilion), (rare, COLOURS.blue)):
            for row in rows:
                trace = history.norms[:, row].numpy()
                axes.plot(steps, trace, color=colour, linewidth=1.5)
                if colour == COLOURS.blue and history.looked_up[:, row].any():
                    first = int(history.looked_up[:, row].int().argmax())
                    axes.plot(steps[first], trace[first], "o", markersize=7, markerfacecolor="none", color=colour)
        if place:
            _ceiling(axes, ceiling)
        axes.set(title=title, xlabel="step", xlim=(0, len(steps)))
    panels[0].set_ylabel("length of the row")
    panels[0].set_ylim(0, None)
    said = ", ".join(names[row] for row in frequent), ", ".join(names[row] for row in rare)
    for line, (words, colour) in enumerate(zip(said, (COLOURS.vermilion, COLOURS.blue), strict=True)):
        kind = ("frequent", "rare")[line]
        figure.text(0.02, -0.02 - 0.055 * line, f"{kind}: {words}", color=colour, fontweight="bold", va="top")
    figure.text(0.98, -0.02, "ring: a rare word's first lookup", color=SOFT_INK, ha="right", va="top")
    last = list(runs.values())
    finish(figure, f"Row lengths over {len(last[0].norms)} steps. Without max_norm frequent words ({said[0]}) move and rare ones "
                   f"({said[1]}) keep nearly their first length; with max_norm {ceiling:g} each word falls to the ceiling at its "
                   "first lookup and stays close to it.")  # fmt: skip


def drift(runs: Mapping[str, History], ceiling: float, longest: int = 60) -> None:
    """Mean length of rows that were clipped, against the steps since their last lookup, one line a run."""
    figure, axes = new_figure(7.8, 3.8)
    ends = []
    for (name, history), colour in zip(runs.items(), (COLOURS.blue, COLOURS.green, COLOURS.vermilion), strict=True):
        means = _since_lookup(history, ceiling, longest)
        (line,) = axes.plot(np.arange(longest), means, color=colour)
        end_label(line, name)
        ends.append(f"{name} {means[-1]:.2f}")
    _ceiling(axes, ceiling)
    axes.set(xlabel="steps since the row was last looked up and clipped", ylabel="mean length of the row", xlim=(0, longest - 1))
    axes.set_ylim(0.96 * ceiling, None)
    finish(figure, f"Mean length of clipped rows after up to {longest} steps without a lookup, ceiling {ceiling:g}: "
                   + ", ".join(ends) + ". Under SGD they stand still, with momentum and Adam they drift outward.")  # fmt: skip


def _since_lookup(history: History, ceiling: float, longest: int) -> list[float]:
    """Entry k: the mean length k steps after a lookup that clipped the row, over all rows and steps."""
    totals, counts = torch.zeros(longest), torch.zeros(longest)
    since = torch.full(history.norms.shape[1:], longest)
    before = torch.full(history.norms.shape[1:], torch.inf)  # every row of the first table is longer than the ceiling
    for norms, read in zip(history.norms, history.looked_up, strict=True):
        since = torch.where(read & (before > ceiling), 0, torch.where(read, longest, since + 1))
        young = since < longest
        totals.index_add_(0, since[young], norms[young])
        counts.index_add_(0, since[young], torch.ones(int(young.sum())))
        before = norms
        since = since.clamp(max=longest)
    return (totals / counts).tolist()


def card(traces: Mapping[str, torch.Tensor], ceiling: float) -> None:
    """The end card: every row's length over a run (steps, V), frequent words dark; one panel a run, on one scale."""
    figure, panels = new_figure(9.6, 4.8, columns=len(traces), sharey=True)
    ends = []
    for place, (axes, (title, norms)) in enumerate(zip(panels, traces.items(), strict=True)):
        rows, steps = norms.shape[1], np.arange(1, len(norms) + 1)
        axes.plot(steps, norms[:, 3 * rows // 4 :: 3].numpy(), color=COLOURS.sky, linewidth=0.5, alpha=0.35)
        axes.plot(steps, norms[:, :10].numpy(), color=COLOURS.vermilion, linewidth=1.1)
        if place:
            _ceiling(axes, ceiling, words=False)
        above = int((norms[-1] > ceiling).sum())
        ends.append(f"{title}: {above} of {rows} rows end above {ceiling:g}, the longest at {norms[-1].max():.2f}")
        axes.set(title=title, xlabel=f"step · {above} of {rows} rows end above {ceiling:g}", xlim=(0, len(steps)))
    panels[0].set_ylabel("length of the row")
    panels[0].set_ylim(0, None)
    figure.suptitle("The rows of a table, and their ceiling: measured with my norm_trace", x=0.012, ha="left", fontsize=13.5, fontweight="bold")
    figure.text(0.02, -0.02, "the ten most frequent words", color=COLOURS.vermilion, fontweight="bold", va="top")
    figure.text(0.3, -0.02, "the rarest quarter", color=COLOURS.sky, fontweight="bold", va="top")
    figure.text(0.98, -0.02, f"dashed: max_norm = {ceiling:g}", color=INK, ha="right", va="top")
    finish(figure, "Length of every row over training. " + "; ".join(ends) + ".")
