"""Draw the health of an embedding table: the norms of its rows, and the results of an analogy quiz."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import PercentFormatter

from ..experiments.tsne_visualisation.table_health import Quiz
from ..learner.own_tables import Table
from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated


def show_norms(tables: Mapping[str, tuple[Table, Sequence[int]]]) -> None:
    """Draw the norm of every row as a tick, one strip for each table; outliers are marked and named.

    `tables` maps a name to (table, rows of the outliers).
    """
    tables = translated(tables)
    figure, axes = new_figure(8.8, 0.85 * len(tables) + 0.9)
    summaries = []
    for at, (name, (table, outliers)) in enumerate(tables.items()):
        norms = table.vectors.norm(dim=1)
        low, high = norms.mean() - 3 * norms.std(), norms.mean() + 3 * norms.std()
        axes.plot([max(float(low), 0), float(high)], [-at, -at], color="#dcd8cc", linewidth=16, zorder=0, solid_capstyle="butt")
        axes.plot(norms, [-at] * len(norms), "|", color=COLOURS.blue, markersize=13, alpha=0.6)
        for row in outliers:
            word = table.words[row]
            axes.plot(norms[row], -at, "o", color=COLOURS.vermilion, markersize=9, markerfacecolor="none", markeredgewidth=2)
            axes.annotate(word, (float(norms[row]), -at), xytext=(0, 11), ha="center",
                          textcoords="offset points", color=COLOURS.vermilion, fontweight="bold")
        summaries.append(f"{name}: {', '.join(table.words[row] for row in outliers) or translate('none')}")
    axes.set_yticks([-at for at in range(len(tables))], list(tables))
    axes.tick_params(axis="y", labelcolor=INK)
    axes.set(xlabel=translate("norm of a row (grey: three standard deviations about the mean)"), ylim=(0.6 - len(tables), 0.7))
    axes.grid(visible=False, axis="y")
    ask(figure, "Which rows are much longer or shorter than the rest?")
    summary = "; ".join(summaries)
    finish(figure, "The norms of all rows, a tick each. Outliers by three standard deviations: {summary}.", summary=summary)


def show_quiz(results: Mapping[str, Quiz]) -> None:
    """Draw the share of right answers for each kind of question, counted in three ways."""
    results = translated(results)
    figure, axes = new_figure(8.8, 3.5)
    ways = ((translate("right, the given words left out"), "right", COLOURS.blue, ""),
            (translate("right, all words allowed"), "right_with_all", COLOURS.sky, "///"),
            (translate("right by the nearest word to c alone"), "nearest_to_c", COLOURS.yellow, "..."))
    positions = np.arange(len(results))
    for at, (name, field, colour, hatch) in enumerate(ways):
        shares = [getattr(result, field) / max(result.asked, 1) for result in results.values()]
        bars = axes.bar(
            positions + 0.27 * (at - 1), shares, 0.25, color=colour, label=name, hatch=hatch, edgecolor="white", linewidth=0
        )
        axes.bar_label(bars, [f"{share:.0%}" for share in shares], fontsize=9, color=SOFT_INK)
    axes.set_xticks(positions,
                    [translate("{name}\n{asked} questions", name=name, asked=result.asked) for name, result in results.items()])
    axes.set(ylim=(0, 1), ylabel=translate("questions answered right"))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.grid(visible=False, axis="x")
    figure.legend(loc="outside lower left", ncols=3)
    summary = "; ".join(f"{name} {result.right / max(result.asked, 1):.0%}" for name, result in results.items())
    ask(figure, "How many analogies does the table get right?")
    finish(figure, "Analogies answered right, the given words left out: {summary}. With all words allowed, fewer.",
                   summary=summary)
