"""Draw the figures of notebook 11 about cost: recall against bytes, time, dimensions, and the share compared."""

from collections.abc import Mapping, Sequence

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter

from ..experiments.search_engine.compression import Point
from ..messages import translate
from .end_labels import end_labels
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated

_TONES = (COLOURS.vermilion, COLOURS.blue, COLOURS.green, COLOURS.purple, INK)
_DASHES = ((0, (5, 2)), "-", (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), "-")
_MARKERS = "osD^*"


def show_pareto(
    points: Mapping[str, Sequence[Point]],
    baseline: Point,
    times: Mapping[str, Sequence[tuple[float, float]]],
) -> None:
    """Plot recall@10 against bytes per vector, and beside it against the time of a search relative to exact search.

    Parameters
    ----------
    points : Mapping[str, Sequence[Point]]
        Name of each way to store vectors to its points, in rising order of their bytes.
    baseline : Point
        The vectors as they are, drawn as a dashed line.
    times : Mapping[str, Sequence[tuple[float, float]]]
        Name of each index to (time relative to exact search, recall@10).
    """
    points, times = translated(points), translated(times)
    figure, both = new_figure(11.4, 4.6, columns=2)
    left, right = both
    for axes, families, label in (
        (left, {name: [(item.bytes, item.value) for item in family] for name, family in points.items()},
         translate("bytes a vector (log scale)")),
        (right, times, translate("time of a search, exact search = 1 (log scale)")),
    ):
        axes.set_xscale("log", base=2)
        axes.axhline(baseline.value, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
        for (name, family), tone, dash, marker in zip(families.items(), _TONES, _DASHES, _MARKERS, strict=False):
            sizes, values = zip(*family, strict=True)
            axes.plot(sizes, values, color=tone, linestyle=dash, marker=marker, label=name)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.set(xlabel=label, ylim=(0.15, 1.05))
        axes.legend(loc="lower right", fontsize=9)
    left.set_ylabel(translate("recall@10 (axis not from 0)"))
    summary = "; ".join(f"{name}: " + ", ".join(translate("{value:.0%} at {bytes:.0f} bytes", value=item.value,
                                                          bytes=item.bytes) for item in family)
                        for name, family in points.items())
    durations = "; ".join(f"{name}: " + ", ".join(translate("{value:.0%} in {time:.2f}", value=value, time=time)
                                                  for time, value in family) for name, family in times.items())
    ask(figure, "What does a search cost, and what does it find?")
    finish(figure, "recall@10 against bytes a vector. {summary}. Against time, exact search = 1. {durations}.",
           summary=summary, durations=durations)


def show_kept(shares: Sequence[float], values: Mapping[str, Sequence[float]]) -> None:
    """Plot recall@10 against the share of the dimensions that is kept, one line for each model.

    Parameters
    ----------
    shares : Sequence[float]
        Shares of the dimensions, from 0 to 1.
    values : Mapping[str, Sequence[float]]
        Name of each model to its values, one for each share.
    """
    values = translated(values)
    figure, axes = new_figure(8.2, 3.8)
    lines: dict[Line2D, str] = {}
    for (name, recalls), tone, dash, marker in zip(values.items(), _TONES, _DASHES, _MARKERS, strict=False):
        (line,) = axes.plot(shares, recalls, color=tone, linestyle=dash, marker=marker)
        lines[line] = name
    axes.set_xticks(shares, [f"{100 * share:g}%" for share in shares])
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel=translate("dimensions kept"), ylabel=translate("recall@10 (axis not from 0)"))
    end_labels(figure, lines)
    summary = "; ".join(
        f"{name}: " + ", ".join(translate("{value:.0%} with {share:.0%}", value=value, share=share)
                                for share, value in zip(shares, recalls, strict=True))
        for name, recalls in values.items()
    )
    ask(figure, "How many dimensions does a search need?")
    finish(figure, "recall@10 against the share of dimensions that is kept. {summary}.", summary=summary)
