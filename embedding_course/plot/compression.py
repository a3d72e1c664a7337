"""Draw the figures of notebook 09 about memory: recall against bytes, against width, and against the share compared."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator, PercentFormatter

from ..experiments.contrastive_training.compression import Point, gigabytes
from ..messages import translate
from .end_labels import end_labels
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated

_TONES = (COLOURS.vermilion, COLOURS.blue, COLOURS.green, COLOURS.purple)
_DASHES = ((0, (5, 2)), "-", (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_MARKERS = "osD^"


def _gigabyte_axis(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))


def show_memory(points: Mapping[str, Sequence[Point]], vectors: int = 1_000_000, measure: str = "recall@10") -> None:
    """Plot the search quality against the gigabytes that the vectors take, one line for each way to store them.

    Parameters
    ----------
    points : Mapping[str, Sequence[Point]]
        Name of each way to its points, in rising order of their bytes.
    vectors : int, optional
        Number of vectors that are stored.
    measure : str, optional
        Name of the quality that is plotted.
    """
    points = translated(points)
    figure, axes = new_figure(9.0, 4.3)
    _gigabyte_axis(axes)
    for (name, family), tone, dash, marker in zip(points.items(), _TONES, _DASHES, _MARKERS, strict=False):
        sizes = [gigabytes(vectors, point.bytes) for point in family]
        axes.plot(sizes, [point.value for point in family], color=tone, linestyle=dash, marker=marker, markersize=7)
        axes.annotate(name, (sizes[0], family[0].value), xytext=(-9, 5), textcoords="offset points", ha="right", va="center",
                      color=tone, fontsize=10, fontweight="bold")
    every = sorted({round(gigabytes(vectors, point.bytes), 3) for family in points.values() for point in family})
    ticks = [size for index, size in enumerate(every) if index == 0 or size > 1.3 * every[index - 1]]
    axes.set_xticks(ticks, [f"{size:.2g}" for size in ticks])
    axes.set(xlabel=translate("gigabytes for {vectors:,} vectors (log scale)", vectors=vectors),
             ylabel=translate("{measure} (axis not from 0)", measure=measure))
    axes.set_xlim(every[0] / 3, None)
    best = "; ".join(translate("{name} from {few:.0%} at {small:.2g} GB to {many:.0%} at {large:.2g} GB", name=name,
                               few=family[0].value, small=gigabytes(vectors, family[0].bytes), many=family[-1].value,
                               large=gigabytes(vectors, family[-1].bytes))
                     for name, family in points.items())
    ask(figure, "What does a search lose when its vectors get smaller?")
    finish(figure, "{measure} against memory for {vectors:,} vectors: {best}.", measure=measure, vectors=vectors, best=best)


def show_pareto(
    points: Mapping[str, Sequence[Point]],
    baseline: Point,
    title: str = "",
    measure: str = "recall@10",
) -> None:
    """Plot the search quality against bytes per vector, one line for each way to store vectors, with a baseline.

    Parameters
    ----------
    points : Mapping[str, Sequence[Point]]
        Name of each way to its points, in rising order of their bytes.
    baseline : Point
        The stored vectors to compare with, drawn as a dashed line.
    title : str, optional
        The question that the figure answers; there is a default.
    measure : str, optional
        Name of the quality that is plotted.
    """
    points = translated(points)
    figure, axes = new_figure(9.4, 4.6)
    axes.set_xscale("log", base=2)
    axes.axhline(baseline.value, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
    label = translate("{name}, {bytes:,.0f} bytes: {value:.1%}", name=baseline.name, bytes=baseline.bytes, value=baseline.value)
    axes.annotate(label, (0, baseline.value), xytext=(4, 5), xycoords=("axes fraction", "data"), textcoords="offset points",
                  color=SOFT_INK, fontsize=9.5)
    for (name, family), tone, dash, marker in zip(points.items(), _TONES, _DASHES, _MARKERS, strict=False):
        sizes, values = [item.bytes for item in family], [item.value for item in family]
        axes.plot(sizes, values, color=tone, linestyle=dash, marker=marker)
        axes.annotate(name, (sizes[0], values[0]), xytext=(-9, 5), textcoords="offset points", ha="right", va="center",
                      color=tone, fontsize=10, fontweight="bold")
    sizes = [item.bytes for family in points.values() for item in family]
    ticks = [2**power for power in range(2, 11) if min(sizes) / 2 <= 2**power <= max(sizes)]
    axes.set_xticks(ticks, [f"{item:,}" for item in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_title(translate(title) or translate("How much of the search is left of so few bytes?"))
    axes.set(xlabel=translate("bytes a vector (log scale)"), ylabel=translate("{measure} (axis not from 0)", measure=measure))
    axes.set(xlim=(min(sizes) / 3, max(sizes) * 1.15))
    summary = "; ".join(f"{name}: " + ", ".join(translate("{value:.0%} at {bytes:.0f} bytes", value=item.value,
                                                          bytes=item.bytes) for item in family)
                        for name, family in points.items())
    whole = translate("{name}: {value:.0%} at {bytes:.0f} bytes", name=baseline.name, value=baseline.value,
                      bytes=baseline.bytes)
    finish(figure, "{measure} against bytes a vector. {whole}. {summary}.", measure=measure, whole=whole, summary=summary)


def show_widths(
    widths: Sequence[int], scores: Mapping[str, Sequence[float]], full: float | None = None, measure: str = "recall@10"
) -> None:
    """Plot the search quality against the number of dimensions kept, one line for each way to choose them.

    Parameters
    ----------
    widths : Sequence[int]
        Numbers of dimensions kept.
    scores : Mapping[str, Sequence[float]]
        Name of each way to its qualities from 0 to 1, one for each width.
    full : float or None, optional
        Quality at full width, drawn as a dashed line.
    measure : str, optional
        Name of the quality that is plotted.
    """
    scores = translated(scores)
    figure, axes = new_figure(8.8, 4.0)
    axes.set_xscale("log", base=2)
    lines: dict[Line2D, str] = {}
    for (name, values), tone, dash, marker in zip(scores.items(), _TONES, _DASHES, _MARKERS, strict=False):
        (line,) = axes.plot(widths, values, color=tone, linestyle=dash, marker=marker)
        lines[line] = name
    if full is not None:
        axes.axhline(full, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.annotate(
            translate("all columns: {full:.0%}", full=full),
            (widths[0], full),
            xytext=(0, 4),
            textcoords="offset points",
            color=SOFT_INK,
            fontsize=9.5,
        )
    axes.set_xticks(widths, [str(width) for width in widths])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel=translate("columns kept (log scale)"), ylabel=translate("{measure} (axis not from 0)", measure=measure))
    axes.set_xlim(min(widths) / 4, None)  # This leaves room for the names on the left, where the lines are far apart.
    end_labels(figure, lines, first=True)
    summary = "; ".join(
        f"{name}: " + ", ".join(translate("{value:.0%} with {width}", value=value, width=width)
                                for width, value in zip(widths, values, strict=True))
        for name, values in scores.items()
    )
    ask(figure, "How many columns does a search need?")
    finish(figure, "{measure} against the number of columns kept. {summary}.", measure=measure, summary=summary)


def show_ranks(factorised: Sequence[tuple[int, int, float]], full: tuple[int, float], measure: str = "recall@10") -> None:
    """Plot the quality of a search with a factorised table against its size; each point is labelled with its rank.

    Parameters
    ----------
    factorised : Sequence[tuple[int, int, float]]
        Rank, numbers to store and quality of each factorisation.
    full : tuple[int, float]
        Numbers to store and quality of the whole table.
    measure : str, optional
        Name of the quality that is plotted.
    """
    figure, axes = new_figure(8.2, 3.6)
    sizes, values = [size / 1e6 for _, size, _ in factorised], [value for *_, value in factorised]
    axes.plot(sizes, values, color=COLOURS.blue, marker="o")
    for (rank, _, value), size in zip(factorised, sizes, strict=True):
        axes.annotate(
            translate("rank {rank}", rank=rank), (size, value), xytext=(4, -13), textcoords="offset points",
            color=COLOURS.blue, fontsize=9.5
        )
    axes.plot(full[0] / 1e6, full[1], "D", color=COLOURS.vermilion, markersize=8)
    axes.annotate(translate("the table itself"), (full[0] / 1e6, full[1]), xytext=(0, 9), textcoords="offset points",
                  ha="center",
                  color=COLOURS.vermilion, fontweight="bold")
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel=translate("million numbers in the table"), ylabel=translate("{measure} (axis not from 0)", measure=measure))
    axes.set_ylim(min(values) - 0.06, max(*values, full[1]) + 0.06)
    summary = ", ".join(translate("rank {rank} {value:.0%} with {size:,} numbers", rank=rank, value=value, size=size)
                        for rank, size, value in factorised)
    ask(figure, "How small may the word table get?")
    finish(
        figure,
        "{measure} with the word table as a product of two thin ones: {summary}; itself {whole:.0%} with {numbers:,}.",
        measure=measure, summary=summary, whole=full[1], numbers=full[0],
    )


def show_probes(probes: Sequence[int], points: Sequence[tuple[float, float]], lists: int) -> None:
    """Plot the share of true neighbours found against the share of vectors compared, for an inverted file.

    Parameters
    ----------
    probes : Sequence[int]
        Numbers of lists that a search opens.
    points : Sequence[tuple[float, float]]
        For each number of lists, the share of the vectors compared and the share of the true neighbours found, from 0 to 1.
    lists : int
        Number of lists of the inverted file.
    """
    figure, axes = new_figure(8.2, 3.8)
    shares, hits = zip(*points, strict=True)
    axes.plot(shares, hits, color=COLOURS.blue, marker="o")
    for opened, share, hit in zip(probes, shares, hits, strict=True):
        axes.annotate(
            translate("{opened} of {lists} lists: {hit:.0%}", opened=opened, lists=lists, hit=hit),
            (share, hit),
            xytext=(8, -9),
            textcoords="offset points",
            color=INK,
            fontsize=9,
        )
    axes.plot(1, 1, "D", color=COLOURS.vermilion, markersize=8)
    axes.annotate(
        translate("everything"),
        (1, 1),
        xytext=(-8, -14),
        textcoords="offset points",
        ha="right",
        color=COLOURS.vermilion,
        fontweight="bold",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(
        xlabel=translate("fraction of all vectors compared"), ylabel=translate("true 10 nearest found\n(axis not from 0)"),
        xlim=(0, 1.06), ylim=(min(hits) - 0.08, 1.05),
    )
    summary = ", ".join(
        translate("{opened} lists: {share:.0%} compared, {hit:.0%} found", opened=opened, share=share, hit=hit)
        for opened, (share, hit) in zip(probes, points, strict=True)
    )
    ask(figure, "How many vectors must be compared to find the true neighbours?")
    finish(figure, "Fraction of the true 10 nearest found against the fraction of all vectors compared. {summary}.",
                   summary=summary)
