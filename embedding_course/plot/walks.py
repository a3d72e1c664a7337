"""Plot what a search along a neighbour graph finds against what it compares (notebook 11)."""

from collections.abc import Mapping, Sequence

from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter

from ..messages import translate
from .style import COLOURS, INK, finish, new_figure, translated

_TONES = (COLOURS.vermilion, COLOURS.green, COLOURS.blue)
_DASHES = ((0, (1.5, 1.5)), (0, (5, 2)), "-")
_MARKERS = "o^s"


def show_walks(
    walked: Mapping[str, Sequence[tuple[float, float]]],
    sizes: Sequence[int],
    beside: Mapping[str, Sequence[tuple[float, float]]],
) -> None:
    """Plot the share of true neighbours found against the share of vectors compared, one line for each graph.

    Parameters
    ----------
    walked : Mapping[str, Sequence[tuple[float, float]]]
        Name of a graph to (share compared, share found) for each ef.
    sizes : Sequence[int]
        The values of ef, which are written beside the points.
    beside : Mapping[str, Sequence[tuple[float, float]]]
        The same for other search methods.
    """
    walked, beside = translated(walked), translated(beside)
    figure, axes = new_figure(9.0, 4.4)
    axes.set_xscale("log")
    for (name, points), tone, dash, marker in zip(walked.items(), _TONES, _DASHES, _MARKERS, strict=False):
        axes.plot(*zip(*points, strict=True), color=tone, linestyle=dash, marker=marker, label=name)
    last = list(walked.values())[-1]
    for index, (ef, spot) in enumerate(zip(sizes, last, strict=True)):
        axes.annotate(translate("ef = {ef}", ef=ef) if index == 0 else f"{ef}", spot, xytext=(-3, 9),
                      textcoords="offset points", ha="right",
                      color=_TONES[len(walked) - 1], fontsize=9)
    for name, points in beside.items():
        axes.plot(*zip(*points, strict=True), color=COLOURS.purple, linestyle=(0, (6, 2, 1.5, 2)), marker="D", markersize=5)
        axes.annotate(name, points[len(points) // 2], xytext=(6, -14), textcoords="offset points", color=COLOURS.purple,
                      fontweight="bold")
    for (summary, points), tone in zip(walked.items(), _TONES, strict=False):
        spot, side = ((26, -52), "left") if points is last else ((-8, -4), "right")  # The last two lines begin close together.
        leader = {"arrowstyle": "-", "color": tone, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 4} if points is last else None
        axes.annotate(summary, points[0], xytext=spot, textcoords="offset points", ha=side, color=tone, fontweight="bold",
                      arrowprops=leader)
    axes.plot(1, 1, "*", color=INK, markersize=12)
    axes.annotate(translate("brute force"), (1, 1), xytext=(10, -18), textcoords="offset points", ha="right", color=INK,
                  fontweight="bold")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.set_xticks([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel=translate("fraction of all vectors compared (log scale)"), ylabel=translate("true 10 nearest found"),
             ylim=(0, 1.06))
    axes.set_xlim(min(share for points in walked.values() for share, _ in points) / 2, 1.15)
    axes.set_title(translate("How much must be compared to find the ten nearest?"))
    summary = "; ".join(
        f"{name}: " + ", ".join(translate("{hit:.0%} with {share:.1%} compared", hit=hit, share=share) for share, hit in points)
        for name, points in {**walked, **beside}.items()
    )
    finish(figure, "Fraction of the true 10 nearest found against the fraction of all vectors compared. {summary}.",
                   summary=summary)
