"""Draw the figures of notebook 09 about memory: recall against bytes, against width, and against the share compared."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator, PercentFormatter

from ..experiments.contrastive_training.compression import Point, gigabytes
from .ends import end_labels
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure

_TONES = (COLOURS.vermilion, COLOURS.blue, COLOURS.green, COLOURS.purple)
_DASHES = ((0, (5, 2)), "-", (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_MARKERS = "osD^"


def _gigabyte_axis(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))


def show_memory(points: Mapping[str, Sequence[Point]], vectors: int = 1_000_000, measure: str = "recall@10") -> None:
    """Plot the search quality against the gigabytes of a million vectors, one line for each way to store them."""
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
    axes.set(xlabel=f"gigabytes for {vectors:,} vectors (log scale)", ylabel=f"{measure} (axis not from 0)")
    axes.set_xlim(every[0] / 3, None)
    best = "; ".join(f"{name} from {family[0].value:.0%} at {gigabytes(vectors, family[0].bytes):.2g} GB to "
                     f"{family[-1].value:.0%} at {gigabytes(vectors, family[-1].bytes):.2g} GB"
                     for name, family in points.items())
    ask(figure, "What does a search lose when its vectors get smaller?")
    finish(figure, f"{measure} against memory for {vectors:,} vectors: {best}.")


def show_pareto(
    points: Mapping[str, Sequence[Point]],
    baseline: Point,
    title: str = "How much of the search is left of so few bytes?",
    measure: str = "recall@10",
) -> None:
    """Plot the search quality against bytes per vector, one line for each way to store vectors, with a baseline."""
    figure, axes = new_figure(9.4, 4.6)
    axes.set_xscale("log", base=2)
    axes.axhline(baseline.value, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
    label = f"{baseline.name}, {baseline.bytes:,.0f} bytes: {baseline.value:.1%}"
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
    axes.set(title=title, xlabel="bytes a vector (log scale)", ylabel=f"{measure} (axis not from 0)")
    axes.set(xlim=(min(sizes) / 3, max(sizes) * 1.15))
    summary = "; ".join(f"{name}: " + ", ".join(f"{item.value:.0%} at {item.bytes:.0f} bytes" for item in family)
                        for name, family in points.items())
    whole = f"{baseline.name}: {baseline.value:.0%} at {baseline.bytes:.0f} bytes"
    finish(figure, f"{measure} against bytes a vector. {whole}. {summary}.")


def show_widths(
    widths: Sequence[int], scores: Mapping[str, Sequence[float]], full: float | None = None, measure: str = "recall@10"
) -> None:
    """Plot the search quality against the number of dimensions kept, one line for each way to choose them.

    `full` is the quality at full width; it is drawn as a dashed line.
    """
    figure, axes = new_figure(8.8, 4.0)
    axes.set_xscale("log", base=2)
    lines: dict[Line2D, str] = {}
    for (name, values), tone, dash, marker in zip(scores.items(), _TONES, _DASHES, _MARKERS, strict=False):
        (line,) = axes.plot(widths, values, color=tone, linestyle=dash, marker=marker)
        lines[line] = name
    if full is not None:
        axes.axhline(full, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.annotate(
            f"all columns: {full:.0%}",
            (widths[0], full),
            xytext=(0, 4),
            textcoords="offset points",
            color=SOFT_INK,
            fontsize=9.5,
        )
    axes.set_xticks(widths, [str(width) for width in widths])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel="columns kept (log scale)", ylabel=f"{measure} (axis not from 0)")
    axes.set_xlim(min(widths) / 4, None)  # This leaves room for the names on the left, where the lines are far apart.
    end_labels(figure, lines, first=True)
    summary = "; ".join(
        f"{name}: " + ", ".join(f"{value:.0%} with {width}" for width, value in zip(widths, values, strict=True))
        for name, values in scores.items()
    )
    ask(figure, "How many columns does a search need?")
    finish(figure, f"{measure} against the number of columns kept. {summary}.")


def show_ranks(factorised: Sequence[tuple[int, int, float]], full: tuple[int, float], measure: str = "recall@10") -> None:
    """Plot the quality of a search with a factorised table against its size; each point is labelled with its rank.

    Parameters
    ----------
    factorised
        Rank, numbers to store and quality of each factorisation.
    full
        Numbers to store and quality of the whole table.
    """
    figure, axes = new_figure(8.2, 3.6)
    sizes, values = [size / 1e6 for _, size, _ in factorised], [value for *_, value in factorised]
    axes.plot(sizes, values, color=COLOURS.blue, marker="o")
    for (rank, _, value), size in zip(factorised, sizes, strict=True):
        axes.annotate(
            f"rank {rank}", (size, value), xytext=(4, -13), textcoords="offset points", color=COLOURS.blue, fontsize=9.5
        )
    axes.plot(full[0] / 1e6, full[1], "D", color=COLOURS.vermilion, markersize=8)
    axes.annotate("the table itself", (full[0] / 1e6, full[1]), xytext=(0, 9), textcoords="offset points", ha="center",
                  color=COLOURS.vermilion, fontweight="bold")
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel="million numbers in the table", ylabel=f"{measure} (axis not from 0)")
    axes.set_ylim(min(values) - 0.06, max(*values, full[1]) + 0.06)
    summary = ", ".join(f"rank {rank} {value:.0%} with {size:,} numbers" for rank, size, value in factorised)
    ask(figure, "How small may the word table get?")
    finish(
        figure,
        f"{measure} with the word table as a product of two thin ones: {summary}; itself {full[1]:.0%} with {full[0]:,}.",
    )


def show_probes(probes: Sequence[int], points: Sequence[tuple[float, float]], lists: int) -> None:
    """Plot the share of true neighbours found against the share of vectors compared, for an inverted file."""
    figure, axes = new_figure(8.2, 3.8)
    shares, hits = zip(*points, strict=True)
    axes.plot(shares, hits, color=COLOURS.blue, marker="o")
    for opened, share, hit in zip(probes, shares, hits, strict=True):
        axes.annotate(
            f"{opened} of {lists} lists: {hit:.0%}",
            (share, hit),
            xytext=(8, -9),
            textcoords="offset points",
            color=INK,
            fontsize=9,
        )
    axes.plot(1, 1, "D", color=COLOURS.vermilion, markersize=8)
    axes.annotate(
        "everything",
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
        xlabel="fraction of all vectors compared", ylabel="true 10 nearest found\n(axis not from 0)",
        xlim=(0, 1.06), ylim=(min(hits) - 0.08, 1.05),
    )
    summary = ", ".join(
        f"{opened} lists: {share:.0%} compared, {hit:.0%} found" for opened, (share, hit) in zip(probes, points, strict=True)
    )
    ask(figure, "How many vectors must be compared to find the true neighbours?")
    finish(figure, f"Fraction of the true 10 nearest found against the fraction of all vectors compared. {summary}.")
