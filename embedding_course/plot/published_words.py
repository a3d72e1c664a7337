"""Draw what published word vectors show: analogies by category, norms by frequency, and hubs."""

from collections.abc import Mapping

from ..experiments.curves import Curves
from ..experiments.tsne_visualisation.table_health import Quiz
from ..messages import translate
from .style import COLOURS, INK, ask, finish, new_figure

_SPACES = {
    "inner_product": (COLOURS.vermilion, "-"),
    "inner_product_centred": (COLOURS.vermilion, "--"),
    "cosine": (COLOURS.blue, "-"),
    "cosine_centred": (COLOURS.blue, "--"),
    "noise_cosine": (COLOURS.grey, ":"),
}


def show_google(results: Mapping[str, Quiz]) -> None:
    """Draw for each category of analogies the share of right answers, counted in three ways; the easiest category is on top."""
    names = sorted(results, key=lambda name: results[name].right / results[name].asked)
    figure, axes = new_figure(8.8, 0.3 * len(names) + 1.1)
    ways = ((translate("right, the given words left out"), "right", COLOURS.blue, "o"),
            (translate("right by the nearest word to c alone"), "nearest_to_c", COLOURS.yellow, "s"),
            (translate("right, all words allowed"), "right_with_all", COLOURS.vermilion, "^"))
    for name, field, colour, shape in ways:
        shares = [getattr(results[category], field) / results[category].asked for category in names]
        axes.plot(shares, range(len(names)), shape, color=colour, label=name, markersize=7)
    labels = [f"{name} ({results[name].asked:,})" for name in names]
    axes.set_yticks(range(len(names)), labels)
    axes.tick_params(axis="y", labelcolor=INK)
    axes.set(xlim=(-0.02, 1), xlabel=translate("fraction of questions"))
    figure.legend(loc="outside lower left", ncols=3)
    total = sum(result.asked for result in results.values())
    left_out, near, free = (sum(getattr(result, field) for result in results.values()) / total for _, field, _, _ in ways)
    ask(figure, "How many of Google's analogies does GloVe get right?")
    finish(figure, "Share of right answers in {count} categories of analogies. Over all, {left_out:.0%} with the given words "
                   "left out, {near:.0%} by the nearest word to c alone, {free:.0%} with all words allowed.",
           count=len(names), left_out=left_out, near=near, free=free)


def show_norms_by_rank(curves: Curves) -> None:
    """Draw the norm of word vectors by the rank of the word: the median, and the band from the first to the ninth decile."""
    figure, axes = new_figure(7.5, 3.2)
    ranks, middle = zip(*curves.curves["norm, median"], strict=True)
    low, high = ([norm for _, norm in curves.curves["norm, " + name]] for name in ("low", "high"))
    axes.fill_between(ranks, low, high, color=COLOURS.sky, alpha=0.3, linewidth=0, label=translate("eight words of ten"))
    axes.plot(ranks, middle, "o-", color=COLOURS.blue, label=translate("median"))
    axes.set(xscale="log", ylim=(0, None), ylabel=translate("norm of the vector"),
             xlabel=translate("rank of the word, the most frequent first (logarithmic)"))
    axes.set_xticks([10, 100, 1000, 10_000, 100_000], ["10", "100", "1,000", "10,000", "100,000"])
    axes.legend(loc="lower left")
    ask(figure, "Are vectors of frequent words longer?")
    finish(figure, "Norm of GloVe's vectors by rank: the median is {first:.1f} for the first ten words and {last:.1f} for the "
                   "rarest.", first=middle[0], last=middle[-1])


def show_hubs(curves: Curves) -> None:
    """Draw how often a word is among the ten nearest neighbours of others, from the largest hub down, one line a space."""
    figure, axes = new_figure(8.8, 3.8)
    summaries = []
    for name, (colour, dashes) in _SPACES.items():
        shares, counts = zip(*curves.curves[name], strict=True)
        skew = curves.numbers[name + ", skewness"]
        label = translate("{name}: skewness {skew:.1f}", name=translate(curves.label(name)), skew=skew)
        axes.plot(shares, [max(count, 0.5) for count in counts], dashes, color=colour, label=label)
        summaries.append(label)
    axes.axhline(10, color=COLOURS.grey, linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel=translate("share of the words, the largest hubs first (logarithmic)"),
             ylabel=translate("neighbour of so many words"))
    axes.set_xticks([0.0001, 0.001, 0.01, 0.1, 1], ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"])
    axes.set_yticks([0.5, 1, 10, 100, 1000], ["0", "1", "10", "100", "1,000"])
    axes.legend(loc="upper right")
    ask(figure, "Are some words near to everything?")
    finish(figure, "How many words have a word among their ten nearest, from the largest hub down. {summary}.",
           summary="; ".join(summaries))
