"""Draw the figures of notebook 04: n-grams not seen, losses against known floors, the mixture, and the end card."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from ..experiments.nplm.word_ngrams import Coverage
from ..messages import translate
from .end_labels import end_labels
from .style import COLOURS, INK, SOFT_INK, ask, end_label, finish, new_figure, translated

_DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)))


def curse(coverage: Sequence[Coverage]) -> None:
    """Draw possible n-grams against n-grams that occur (left), and the share of new n-grams that were never seen (right)."""
    figure, (left, right) = new_figure(9.4, 3.8, columns=2)
    orders = [item.order for item in coverage]
    (could,) = left.semilogy(orders, [item.possible for item in coverage], "s--", color=COLOURS.vermilion)
    (seen,) = left.semilogy(orders, [item.seen for item in coverage], "o-", color=COLOURS.blue)
    end_label(could, translate("possible"))
    end_label(seen, translate("in the text"))
    left.set(xlabel=translate("n"), ylabel=translate("different n-grams (log scale)"), xticks=orders)
    left.set_title(translate("How many n-grams occur in the text?"))
    shares = [item.unseen for item in coverage]
    right.bar(orders, shares, color=COLOURS.blue, width=0.62)
    for order, share in zip(orders, shares, strict=True):
        right.annotate(f"{share:.0%}", (order, share), xytext=(0, 4), textcoords="offset points", ha="center",
                       fontweight="bold")
    right.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    right.set(xlabel=translate("n"), ylabel=translate("n-grams of new text\nnever seen before"), xticks=orders,
              ylim=(0, 1.1))
    right.set_title(translate("How many are new in new text?"))
    summary = ", ".join(translate("{order} words {unseen:.0%}", order=item.order, unseen=item.unseen) for item in coverage)
    finish(figure, "The number of possible n-grams grows by the vocabulary size with each word, that in the text hardly; "
                   "the fraction of the new text's n-grams that were never seen: {summary}.", summary=summary)


def _levels(axes: Axes, lines: Mapping[str, float], right: float) -> None:
    for name, height in lines.items():
        axes.axhline(height, color=SOFT_INK, linewidth=1.1, linestyle=(0, (4, 3)))
        under = name.startswith("floor")
        axes.annotate(f"{translate(name)}  {height:.2f}", (right, height), xytext=(-2, -4 if under else 4),
                      textcoords="offset points", ha="right", va="top" if under else "bottom", color=SOFT_INK, fontsize=9.5)


def learning(measured: Sequence[tuple[int, float]], lines: Mapping[str, float], title: str) -> None:
    """Plot the held-out loss of a run, with named levels for comparison.

    Parameters
    ----------
    measured : Sequence[tuple[int, float]]
        Points (step, loss) of the run, with losses in nats per token.
    lines : Mapping[str, float]
        Name to loss of each horizontal line.
    title : str
        The question that the figure answers.
    """
    figure, axes = new_figure(7.8, 4.2)
    steps = [step for step, _ in measured]
    (curve,) = axes.plot(steps, [loss for _, loss in measured], "o-", color=COLOURS.blue, markersize=4)
    _levels(axes, lines, steps[-1])
    end_label(curve, translate("model {loss:.2f}", loss=measured[-1][1]))
    axes.set(xlabel=translate("step"), ylabel=translate("loss on text not trained on,\nnats per token (axis not from 0)"),
             xlim=(-steps[-1] / 50, None), title=translate(title))
    axes.set_ylim(min(lines.values()) - 0.45, None)
    summary = ", ".join(f"{name} {height:.2f}" for name, height in translated(lines).items())
    finish(figure, "Held-out loss falls from {first:.2f} to {loss:.2f} nats; levels: {summary}.", first=measured[0][1],
                   loss=measured[-1][1], summary=summary)


def recorded(
    curves: Mapping[str, Sequence[Sequence[float]]], source: str, title: str, floors: Mapping[str, float] | None = None
) -> None:
    """Plot the held-out losses of several recorded runs, each labelled with its last value.

    Parameters
    ----------
    curves : Mapping[str, Sequence[Sequence[float]]]
        Name of each run to its points (step, loss), with losses in nats per token.
    source : str
        Where the curves were measured, written below the axis.
    title : str
        The question that the figure answers.
    floors : Mapping[str, float] or None, optional
        Name of each run to the lowest loss that it can reach, written in its label; without it no floors are written.
    """
    curves = translated(curves)
    floors = translated(floors or {})
    figure, axes = new_figure(8.4, 4.3)
    low = min(curve[-1][1] for curve in curves.values()) - 0.25
    high = min(low + 2.45, max(curve[1][1] for curve in curves.values()) + 0.1)
    ends: list[str] = []
    labels: dict[Line2D, str] = {}
    tones = (COLOURS.blue, COLOURS.vermilion, COLOURS.green, COLOURS.purple, COLOURS.yellow)
    order = sorted(zip(curves, tones, _DASHES, strict=False), key=lambda styled_curve: -curves[styled_curve[0]][-1][1])
    for name, colour, dash in order:
        steps, losses = zip(*curves[name], strict=True)
        (line,) = axes.plot(steps[1:], losses[1:], color=colour, linestyle=dash)
        if losses[-1] > high:  # The end is out of sight, and a label there would stretch the figure.
            label = translate("{name}: ends at {last:.2f}, far above this figure", name=name, last=losses[-1])
            axes.text(0.98, 0.97, label, transform=axes.transAxes, ha="right", va="top", color=colour, fontweight="bold")
            ends.append(label)
            continue
        label = f"{name}  {losses[-1]:.2f}"
        if floors:
            label = translate("{label} (floor {floor:.2f})", label=label, floor=floors[name])
        labels[line] = label
        ends.append(label)
    axes.set_ylim(low, high)
    axes.set(xlabel=translate("step\n{source}", source=source),
             ylabel=translate("loss on text not trained on,\nnats per token (axis not from 0)"), title=translate(title))
    last = max(curve[-1][0] for curve in curves.values())
    axes.set_xlim(0, last * (1 + 0.016 * max(map(len, ends))))  # This leaves room for the labels at the ends of the lines.
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= last])
    end_labels(figure, labels)
    summary = "; ".join(ends)
    finish(figure, "Held-out loss over training. At the end: {summary}.", summary=summary)


def mixture(weights: Sequence[float], perplexities: Sequence[float], best: float, names: tuple[str, str]) -> None:
    """Plot the perplexity of a mixture of two models against the weight of the neural model.

    Parameters
    ----------
    weights, perplexities : Sequence[float]
        Weights from 0 to 1, and the perplexity of the mixture at each.
    best : float
        Weight with the lowest perplexity.
    names : tuple[str, str]
        Names of the models at weight 0 and at weight 1.
    """
    names = (translate(names[0]), translate(names[1]))
    figure, axes = new_figure(7.6, 3.8)
    axes.plot(weights, perplexities, color=COLOURS.blue)
    at = min(range(len(weights)), key=lambda index: abs(weights[index] - best))
    for index, label, shift, side in (
        (0, names[0], (8, 2), "left"),
        (len(weights) - 1, names[1], (-8, 6), "right"),
        (at, translate("mixture, w = {best:g}", best=best), (0, -20), "center"),
    ):
        tone = COLOURS.vermilion if index == at else INK
        axes.plot(weights[index], perplexities[index], "o", color=tone)
        axes.annotate(f"{label}: {perplexities[index]:.1f}", (weights[index], perplexities[index]), xytext=shift, ha=side,
                      textcoords="offset points", fontweight="bold", color=tone)
    low, high = min(perplexities), max(perplexities)
    axes.set_ylim(low - 0.22 * (high - low), high + 0.12 * (high - low))
    axes.set(xlabel=translate("weight of the neural model, w"), ylabel=translate("perplexity on test text\n(axis not from 0)"))
    axes.set_title(translate("Which mixture of counts and model is best?"))
    finish(figure, "Perplexity over the weight of the neural model: {counts} alone {of_counts:.1f}, {neural} alone "
                   "{of_neural:.1f}, lowest in between, {lowest:.1f} at {best:g}.", counts=names[0], of_counts=perplexities[0],
                   neural=names[1], of_neural=perplexities[-1], lowest=perplexities[at], best=best)


def noise(words: Sequence[str], share: Sequence[float], drawn: Sequence[float], raised: float) -> None:
    """Plot how often words occur and how often they are drawn as negatives, most frequent first, on log axes.

    Parameters
    ----------
    words : Sequence[str]
        The words, most frequent first.
    share : Sequence[float]
        Probability of each word in the text.
    drawn : Sequence[float]
        Probability with which each word is drawn as a negative.
    raised : float
        Sum of the raised frequencies before they are normalised.
    """
    figure, axes = new_figure(7.8, 3.8)
    ranks = range(1, len(words) + 1)
    (occurs,) = axes.loglog(ranks, share, color=COLOURS.grey, linestyle=(0, (4, 2)))
    (is_drawn,) = axes.loglog(ranks, drawn, color=COLOURS.blue)
    end_label(is_drawn, translate("drawn"))
    end_label(occurs, translate("occurs"))
    last = len(words) - 1
    for index, shift, side in ((0, (-4, -34), "left"), (last // 20, (4, 8), "left"), (last, (2, 34), "right")):
        axes.plot(index + 1, drawn[index], "o", color=COLOURS.blue)
        leader = {"arrowstyle": "-", "color": INK, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 4}
        axes.annotate(f"“{words[index]}”  ×{drawn[index] / share[index]:.1f}", (index + 1, drawn[index]), xytext=shift, ha=side,
                      textcoords="offset points", fontweight="bold", arrowprops=leader if abs(shift[1]) > 20 else None)
    axes.set(xlabel=translate("rank of the word (log scale)"), ylabel=translate("probability (log scale)"))
    axes.set_title(translate("Which words are drawn more often than they occur?"))
    finish(figure, "Word frequencies, and the same raised to 0.75 and normalised: common words are drawn less often than "
                   "they occur, the rarest {times:.1f} times as often. Not normalised the sum is {raised:.2f}.",
                   times=drawn[-1] / share[-1], raised=raised,
           )


def temperatures(chances: Mapping[float, Sequence[float]], words: Sequence[str]) -> None:
    """Draw the probabilities of the likeliest words at several temperatures as bars.

    Parameters
    ----------
    chances : Mapping[float, Sequence[float]]
        Temperature to the probability of each word.
    words : Sequence[str]
        The likeliest words, the most probable one first.
    """
    figure, panels = new_figure(9.4, 3.2, columns=len(chances), sharey=True)
    for axes, (temperature, values) in zip(panels, chances.items(), strict=True):
        axes.barh(range(len(words)), values, color=COLOURS.blue, height=0.66)
        axes.set_yticks(range(len(words)), words)
        axes.tick_params(axis="y", labelcolor=INK)
        axes.grid(visible=False, axis="y")
        axes.set(title=translate("temperature {temperature:g}", temperature=temperature), xlabel=translate("probability"),
                 xlim=(0, 1))
    panels[0].invert_yaxis()
    tops = ", ".join(translate("{first:.2f} at {temperature:g}", first=values[0], temperature=temperature)
                     for temperature, values in chances.items())
    ask(figure, "How probable is each next word, by temperature?")
    finish(figure, "Probabilities of the next word at several temperatures; the most probable, {first}, has {tops}.",
                   first=words[0], tops=tops)
