"""Plot row norms during training: of single words, of all rows, and the drift between two lookups."""

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from ..experiments.max_norm.next_word import History
from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated

_DASHES = (0, (4, 3))


def _ceiling(axes: Axes, height: float, *, words: bool = True) -> None:
    axes.axhline(height, color=INK, linestyle=_DASHES, linewidth=1.2, zorder=3)
    if words:
        axes.annotate(translate("max_norm = {height:g}", height=height), (0, height), xycoords=("axes fraction", "data"),
                      xytext=(5, -14),
                      textcoords="offset points", va="top", color=INK, fontsize=9.5)


def words_over_time(
    runs: Mapping[str, History], names: Sequence[str], frequent: Sequence[int], rare: Sequence[int], ceiling: float
) -> None:
    """Plot the norms of a few rows after every step, one panel for each run.

    A ring marks the first lookup of a rare word.

    Parameters
    ----------
    runs : Mapping[str, History]
        Title of each run to its history; the first run has no limit.
    names : Sequence[str]
        Word of each row.
    frequent, rare : Sequence[int]
        Indices of the rows that are drawn.
    ceiling : float
        The max_norm of all runs but the first, drawn as a dashed line.
    """
    runs = translated(runs)
    figure, panels = new_figure(9.6, 4.0, columns=len(runs), sharey=True)
    for index, (axes, (title, history)) in enumerate(zip(panels, runs.items(), strict=True)):
        steps = np.arange(1, len(history.norms) + 1)
        for rows, colour in ((frequent, COLOURS.vermilion), (rare, COLOURS.blue)):
            for row in rows:
                trace = history.norms[:, row].detach().numpy()
                axes.plot(steps, trace, color=colour, linewidth=1.5)
                if colour == COLOURS.blue and history.looked_up[:, row].any():
                    first = int(history.looked_up[:, row].int().argmax())
                    axes.plot(steps[first], trace[first], "o", markersize=7, markerfacecolor="none", color=colour)
        if index:
            _ceiling(axes, ceiling)
        axes.set(title=title, xlabel=translate("step"), xlim=(0, len(steps)))
    panels[0].set_ylabel(translate("norm of the row"))
    panels[0].set_ylim(0, None)
    groups = [", ".join(names[row] for row in rows) for rows in (frequent, rare)]
    for line, (words, colour) in enumerate(zip(groups, (COLOURS.vermilion, COLOURS.blue), strict=True)):
        text = translate("rare: {words}", words=words) if line else translate("frequent: {words}", words=words)
        panels[-1].text(0.98, 0.97 - 0.08 * line, text, color=colour, fontweight="bold", ha="right", va="top",
                        transform=panels[-1].transAxes)
    panels[-1].text(0.98, 0.81, translate("ring: first lookup"), color=SOFT_INK, ha="right", va="top",
                    transform=panels[-1].transAxes)
    steps = len(next(iter(runs.values())).norms)
    ask(figure, "What norm does a row have after each step?")
    finish(figure, "Row lengths over {steps} steps. Without max_norm frequent words ({frequent}) move, rare ones ({rare}) "
                   "keep nearly their first length; with max_norm {ceiling:g} each word falls to the ceiling at its first "
                   "lookup and stays close to it.", steps=steps, frequent=groups[0], rare=groups[1], ceiling=ceiling)


class End(NamedTuple):
    """Summarise row norms at the end of a run: mean, 10th and 90th percentile."""

    mean: float
    low: float
    high: float


def drift(runs: Mapping[str, History], ceiling: float, longest: int = 60) -> dict[str, End]:
    """Plot the norms of clipped rows that are not looked up for a while, one panel for each run.

    Parameters
    ----------
    runs : Mapping[str, History]
        Title of each run to its history.
    ceiling : float
        Norm to which rows are clipped.
    longest : int, optional
        Number of steps without a lookup.

    Returns
    -------
    dict
        Title of the run to mean, 10th and 90th percentile of the norms at the end.
    """
    figure, panels = new_figure(9.6, 3.5, columns=len(runs), sharey=True)
    ends = {}
    for axes, (name, history), colour in zip(
        panels, runs.items(), (COLOURS.blue, COLOURS.green, COLOURS.vermilion), strict=True
    ):
        lengths = _norms_after_clip(history, ceiling, longest)
        steps = np.arange(longest + 1)
        low, high = np.quantile(lengths, (0.1, 0.9), axis=0)
        axes.fill_between(steps, low, high, color=colour, alpha=0.22, linewidth=0)
        axes.plot(steps, lengths.mean(axis=0), color=colour)
        _ceiling(axes, ceiling, words=axes is panels[0])
        ends[name] = End(float(lengths[:, -1].mean()), float(low[-1]), float(high[-1]))
        axes.set(title=translate(name), xlabel=translate("steps since the lookup ({count} cases)", count=len(lengths)),
                 xlim=(0, longest))
    panels[0].set_ylabel(translate("norm of the row (axis not from 0)"))
    summary = ", ".join(f"{name} {end.mean:.2f}" for name, end in translated(ends).items())
    ask(figure, "Does a clipped row stay short without a lookup?")
    finish(figure, "Lengths of rows that were clipped to {ceiling:g} and not looked up for {longest} steps; the line is the "
                   "mean, the band holds 80 %. Mean at the end: {summary}.", ceiling=ceiling, longest=longest, summary=summary)
    return ends


def _norms_after_clip(history: History, ceiling: float, longest: int) -> np.ndarray:
    """Return norms (gaps, longest + 1): after a lookup that clipped the row, and in the following steps without a lookup."""
    norms, read = history.norms.detach().numpy(), history.looked_up.detach().numpy()
    gaps = []
    for row in range(norms.shape[1]):
        steps = np.flatnonzero(read[:, row])
        for step, following in itertools.pairwise([*steps, len(norms)]):
            # The first lookup always clips: no row of the first table has a norm below the ceiling.
            clipped = step == steps[0] or norms[step - 1, row] > ceiling
            if clipped and following - step > longest:
                gaps.append(norms[step : step + longest + 1, row])
    return np.stack(gaps)


def card(traces: Mapping[str, torch.Tensor], ceiling: float) -> None:
    """Draw the end card: the norms of all rows over training, one panel for each run on the same scale.

    Parameters
    ----------
    traces : Mapping[str, torch.Tensor]
        Title of each run to the norm of each row after each step, (steps, V), most frequent word first.
    ceiling : float
        The max_norm of all runs but the first, drawn as a dashed line.
    """
    traces = translated(traces)
    figure, panels = new_figure(9.6, 4.8, columns=len(traces), sharey=True)
    ends = []
    for index, (axes, (title, norms)) in enumerate(zip(panels, traces.items(), strict=True)):
        rows, steps = norms.shape[1], np.arange(1, len(norms) + 1)
        # One collection is used, since separate line artists are slow to draw.
        thin = [np.column_stack([steps, trace]) for trace in norms[:, 3 * rows // 4 :: 5].T.detach().numpy()]
        axes.add_collection(LineCollection(thin, colors=COLOURS.blue, linewidths=0.6, alpha=0.35))
        axes.plot(steps, norms[:, :10].detach().numpy(), color=COLOURS.vermilion, linewidth=1.1)
        if index:
            _ceiling(axes, ceiling, words=False)
        above = int((norms[-1] > ceiling).sum())
        longest = float(norms[-1].max())
        ends.append(translate("{title}: {above} of {rows} rows end above {ceiling:g}, the longest at {longest:.2f}",
                              title=title, above=above, rows=rows, ceiling=ceiling, longest=longest))
        axes.set(title=title, xlabel=translate("step · {above} of {rows} rows end above {ceiling:g}", above=above, rows=rows,
                                               ceiling=ceiling), xlim=(0, len(steps)))
    panels[0].set_ylabel(translate("norm of the row"))
    heading = translate("Do rows stay within max_norm? (measured with my norm_trace)")
    figure.suptitle(heading, x=0.012, ha="left", fontsize=13.5, fontweight="bold")
    panels[0].set_ylim(0, 1.17 * max(float(norms.max()) for norms in traces.values()))
    legend = (
        (translate("the ten most frequent words"), COLOURS.vermilion),
        (translate("the rarest quarter"), COLOURS.blue),
        (translate("dashed: max_norm = {ceiling:g}", ceiling=ceiling), INK),
    )
    for axes, (words, colour) in zip(panels, legend, strict=True):
        axes.text(0.03, 0.985, words, transform=axes.transAxes, color=colour, fontweight="bold", va="top")
    summary = "; ".join(ends)
    finish(figure, "Length of every row over training. {summary}.", summary=summary)
