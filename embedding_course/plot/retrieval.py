"""Draw the figures of notebook 09 about search: ranks of right answers, engines, the schedule, the end card."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, NullLocator, PercentFormatter

from ..experiments.curves import Curves
from ..messages import translatable, translate
from .end_labels import end_labels as labels_at_ends
from .style import BACKGROUND, COLOURS, GRID, INK, SOFT_INK, ask, end_label, finish, new_figure, translated

_TONES = (COLOURS.grey, COLOURS.vermilion, COLOURS.blue, COLOURS.green)
_HATCHES = ("", "///", "...", "xx")


def show_ranks(ranks: Mapping[str, int], most: int = 8) -> None:
    """Draw the rank of the right answer of each query as a filled cell, with the reciprocal rank beside it.

    Parameters
    ----------
    ranks : Mapping[str, int]
        Query to the rank of its right answer, from 1.
    most : int, optional
        Number of cells that are drawn for each query.
    """
    figure, axes = new_figure(8.4, 0.55 * len(ranks) + 1.0)
    for row, (query, rank) in enumerate(ranks.items()):
        for column in range(1, most + 1):
            right = column == rank
            axes.add_patch(
                Rectangle((column - 0.42, row - 0.32), 0.84, 0.64, facecolor=COLOURS.green if right else GRID, edgecolor="none")
            )
            axes.text(column, row, "✓" if right else str(column), ha="center", va="center",
                      color="white" if right else SOFT_INK, fontweight="bold" if right else "normal")
        axes.text(0.35, row, query, ha="right", va="center")
        axes.text(most + 0.8, row, f"1 / {rank} = {1 / rank:.2f}", va="center", color=COLOURS.green, fontweight="bold")
    axes.set(xlim=(-3.2, most + 2.6), ylim=(len(ranks) - 0.5, -0.9))
    axes.text((most + 1) / 2, -0.72, translate("rank in the list of answers"), ha="center", color=SOFT_INK, fontsize=9.5)
    axes.text(most + 0.8, -0.72, translate("reciprocal rank"), color=SOFT_INK, fontsize=9.5)
    axes.axis("off")
    summary = ", ".join(translate("{query}: rank {rank}", query=query, rank=rank) for query, rank in ranks.items())
    ask(figure, "At which rank does the right answer stand?")
    finish(figure, "Where the right answer stands in the list of answers. {summary}.", summary=summary)


def show_engines(scores: Mapping[str, Mapping[str, float]]) -> None:
    """Draw the scores of each engine as bars, grouped by measure."""
    scores = {translate(engine): translated(measures) for engine, measures in scores.items()}
    figure, axes = new_figure(9.0, 3.9)
    measures = list(next(iter(scores.values())))
    wide = 0.8 / len(scores)
    for index, (name, values) in enumerate(scores.items()):
        at = np.arange(len(measures)) + (index - (len(scores) - 1) / 2) * wide
        tone, hatch = _TONES[index % 4], _HATCHES[index % 4]
        axes.bar(at, list(values.values()), 0.92 * wide, color=tone, hatch=hatch, edgecolor=BACKGROUND, linewidth=0, label=name)
        for spot, value in zip(at, values.values(), strict=True):
            axes.text(spot, value + 0.012, f"{value:.0%}", ha="center", color=INK, fontsize=9)
    axes.set_xticks(range(len(measures)), measures)
    axes.set_ylim(0, 1.12)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.grid(False, axis="x")
    axes.legend(loc="upper left", ncols=len(scores))
    summary = "; ".join(
        f"{name}: " + ", ".join(f"{key} {value:.2f}" for key, value in values.items()) for name, values in scores.items()
    )
    ask(figure, "How often is the right text among the first k?")
    finish(figure, "Search engines side by side on held-out pairs. {summary}.", summary=summary)


def show_schedule(rates: Mapping[str, Sequence[float]]) -> None:
    """Plot learning rates against the step."""
    rates = translated(rates)
    figure, axes = new_figure(8.0, 3.0)
    for (name, values), tone, dash in zip(rates.items(), _TONES[1:], ("-", (0, (5, 2)), (0, (1.5, 1.5))), strict=False):
        (line,) = axes.plot(values, color=tone, linestyle=dash)
        end_label(line, name)
    axes.set(xlabel=translate("step"), ylabel=translate("learning rate"), ylim=(0, None))
    summary = "; ".join(translate("{name}: highest {highest:.3g} at step {step}, {last:.3g} at the end", name=name,
                                  highest=max(values), step=int(np.argmax(values)), last=values[-1])
                        for name, values in rates.items())
    ask(figure, "How large is the learning rate at each step?")
    finish(figure, "Learning rate by step. {summary}.", summary=summary)


def show_settings(curves: Curves, questions: int, measure: str = translatable("recall@1")) -> None:
    """Plot a measure against scale, batch size and learning rate, with error bars of one standard error.

    Parameters
    ----------
    curves : Curves
        Recorded runs, with the curves "scale", "batch", "warm_up" and "constant".
    questions : int
        Number of questions on which the measure was taken.
    measure : str, optional
        Name of the measure.
    """
    figure, panels = new_figure(10.2, 3.5, columns=3, sharey=True)
    shown = (
        (translate(curves.label("scale")), ["scale"]),
        (translate(curves.label("batch")), ["batch"]),
        (translate("peak of the rate"), ["warm_up", "constant"]),
    )
    for axes, (what, names) in zip(panels, shown, strict=True):
        axes.set_xscale("log")
        lines: dict[Line2D, str] = {}
        for name, tone, marker, dash in zip(names, (COLOURS.blue, COLOURS.vermilion), "os", ("-", (0, (5, 2))), strict=False):
            settings, values = zip(*curves.curves[name], strict=True)
            errors = [(value * (1 - value) / questions) ** 0.5 for value in values]
            bars = axes.errorbar(settings, values, errors, color=tone, marker=marker, linestyle=dash, capsize=3)
            lines[bars[0]] = translate(curves.label(name)).replace(" ", "\n", 1)
        axes.set_xticks(settings, [f"{x:g}" for x in settings])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set(xlabel=translate("{what} (log scale)", what=what))
    panels[0].set_ylabel(translate("{measure} (axis not from 0)", measure=translate(measure)))
    panels[0].yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    panels[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    labels_at_ends(figure, lines, gap=27)  # These are the lines of the last panel; each other panel has a single line.
    summary = "; ".join(
        f"{translate(curves.label(name))}: " + ", ".join(translate("{value:.0%} at {x:g}", value=value, x=x)
                                                         for x, value in points)
        for name, points in curves.curves.items()
    )
    ask(figure, "Which choices matter?")
    finish(figure, "{measure} of short runs. {summary}.", measure=measure, summary=summary)


def show_found(title: str, rows: Sequence[tuple[float, str, str]]) -> None:
    """Draw a list of search results: similarity as a bar, name, and remark.

    The bar of "the right one" is green, those of hard negatives are blue, and those of false negatives are hatched.

    Parameters
    ----------
    title : str
        The question that the figure answers.
    rows : Sequence[tuple[float, str, str]]
        Similarity, name and remark of each result; the remark may be empty.
    """
    figure, axes = new_figure(9.6, 0.36 * len(rows) + 0.8)
    looks = {"": (COLOURS.blue, ""), "a hard negative": (COLOURS.blue, ""), "the right one": (COLOURS.green, "")}
    styles = [looks.get(remark, (COLOURS.vermilion, "///")) for _, _, remark in rows]
    rows = [(similarity, name, translate(remark)) for similarity, name, remark in rows]
    for row, ((similarity, name, remark), (tone, hatch)) in enumerate(zip(rows, styles, strict=True)):
        axes.barh(row, max(similarity, 0), 0.62, color=tone, hatch=hatch, edgecolor=BACKGROUND, linewidth=0)
        label = f"{similarity:.2f}  {name}" + (f"  ·  {remark}" if remark else "")
        axes.text(max(similarity, 0) + 0.012, row, label, va="center", color=INK, fontsize=9.5)
    axes.set(xlim=(0, 1.9), ylim=(len(rows) - 0.5, -0.6), title=translate(title))
    axes.axis("off")
    axes.set_title(translate(title))
    finish(
        figure,
        f"{title}: "
        + "; ".join(f"{name} {similarity:.2f}{', ' + remark if remark else ''}" for similarity, name, remark in rows),
    )


def card(
    baselines: Mapping[str, float], curve: Sequence[tuple[int, float]], answers: Sequence[str], measure: str, query: str
) -> None:
    """Draw the end card: the learner's curve above the baselines, and beside it one query with its results.

    Parameters
    ----------
    baselines : Mapping[str, float]
        Name of a baseline to its score.
    curve : Sequence[tuple[int, float]]
        Step and score of the learner's engine.
    answers : Sequence[str]
        The results for the query, best first.
    measure : str
        Name of the score.
    query : str
        The query whose results are shown.
    """
    baselines = translated(baselines)
    figure, (left, right) = new_figure(10.2, 4.3, columns=2, width_ratios=[1.25, 1])
    (line,) = left.plot(*zip(*curve, strict=True), color=COLOURS.blue, linewidth=2.8)
    left.plot(*curve[-1], "o", color=COLOURS.blue, markersize=8)
    highest = max(value for _, value in curve)  # The label must not cover a curve that was higher before.
    left.annotate(translate("mine {score:.0%}", score=curve[-1][1]), (curve[-1][0], highest), xytext=(-4, 9),
                  textcoords="offset points", ha="right", color=line.get_color(), fontsize=15, fontweight="bold")
    # The better one is labelled above its line, the other one below.
    rivals = sorted(baselines.items(), key=lambda item: -item[1])
    for (name, value), tone, above in zip(rivals, (COLOURS.vermilion, COLOURS.grey), (True, False), strict=False):
        left.axhline(value, color=tone, linestyle=(0, (4, 3)), linewidth=1.4)
        left.annotate(f"{name} {value:.0%}", (curve[-1][0], value), xytext=(0, 5 if above else -13),
                      textcoords="offset points", ha="right", color=tone, fontweight="bold")
    left.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    low = min(*baselines.values(), *(value for _, value in curve))
    left.set(xlabel=translate("training step"),
             ylabel=translate("{measure}, held-out pairs (axis not from 0)", measure=translate(measure)))
    left.set_ylim(max(low - 0.12, 0), highest + 0.08)
    right.axis("off")
    right.text(0, 0.96, f"“{query}”", fontsize=12, fontweight="bold", va="top", transform=right.transAxes, wrap=True)
    for index, name in enumerate(answers):
        right.text(
            0.0,
            0.78 - 0.115 * index,
            f"{index + 1}",
            fontsize=12,
            color=COLOURS.blue,
            fontweight="bold",
            transform=right.transAxes,
        )
        right.text(0.07, 0.78 - 0.115 * index, name, fontsize=10.5, transform=right.transAxes)
    figure.suptitle(
        translate("Is half a minute of training better than counting words?"), x=0.012, ha="left", fontsize=14,
        fontweight="bold"
    )
    against = ", ".join(f"{name} {value:.0%}" for name, value in baselines.items())
    finish(
        figure,
        "{measure} on held-out pairs climbs to {score:.0%} ({against}). For “{query}” it finds {answers}.", measure=measure,
        score=curve[-1][1], against=against, query=query, answers=', '.join(answers),
    )
