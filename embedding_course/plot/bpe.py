"""Draw the figures of notebook 01 about tokenizers: pair counts, compression, tokens of four published encodings."""

from collections.abc import Mapping, Sequence

from matplotlib.ticker import MaxNLocator

from ..data.tiktoken_facts import ENCODINGS, token_count
from ..experiments.onehot_vs_lookup.published_tokenizers import Count
from ..messages import translate
from .style import COLOURS, INK, ask, end_label, finish, new_figure, translated


def pair_bars(panels: Mapping[str, Mapping[str, int]], most: int = 10) -> None:
    """Draw the most frequent pairs of each panel as bars; the pairs with the highest count are highlighted.

    Parameters
    ----------
    panels : Mapping[str, Mapping[str, int]]
        Title of each panel to its pairs and their counts.
    most : int, optional
        Largest number of bars in a panel.
    """
    panels = translated(panels)
    figure, all_axes = new_figure(8.2, 3.9, 1, len(panels))
    summaries = []
    for axes, (title, counts) in zip(all_axes, panels.items(), strict=True):
        pairs = sorted(counts, key=lambda pair: -counts[pair])[:most]
        best = counts[pairs[0]]
        first = [pair for pair in pairs if counts[pair] == best]
        heights = range(len(pairs))[::-1]
        colours = [COLOURS.vermilion if pair in first else "#c3c6cb" for pair in pairs]
        axes.barh(heights, [counts[pair] for pair in pairs], color=colours, height=0.68)
        for height, pair in zip(heights, pairs, strict=True):
            axes.text(counts[pair] + best * 0.02, height, str(counts[pair]), va="center")
        axes.set_yticks(list(heights), pairs, family="DejaVu Sans Mono")
        axes.tick_params(axis="y", labelcolor=INK, labelsize=10)
        axes.set(title=translate("{title}: {count} tie for first", title=title, count=len(first)),
                 xlabel=translate("number of occurrences"))
        axes.set_xlim(0, best * 1.15)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(False, axis="y")
        summaries.append(translate("{title}: {pairs} are tied for the highest count, {best}", title=title,
                                   pairs=', '.join(first), best=best))
    ask(figure, "Which pair is the most frequent?")
    finish(figure, ". ".join(summaries) + ".")


def compression_lines(sizes: Sequence[int], tokens: Mapping[str, Sequence[float]]) -> None:
    """Plot tokens per character on unseen text against the size of the vocabulary.

    Parameters
    ----------
    sizes : Sequence[int]
        Numbers of tokens in the vocabulary, in rising order.
    tokens : Mapping[str, Sequence[float]]
        Name of each text to its tokens per character, one number for each size.
    """
    tokens = translated(tokens)
    figure, axes = new_figure(7.5, 3.5)
    for (name, values), colour in zip(tokens.items(), (COLOURS.vermilion, COLOURS.blue), strict=False):
        (line,) = axes.plot(sizes, values, marker="o", color=colour)
        end_label(line, f"{name} {values[-1]:.2f}")
    axes.set(xlabel=translate("vocabulary size (256 bytes + merges)"), ylabel=translate("tokens per character"))
    axes.set(ylim=(0, None), xticks=list(sizes))
    summary = "; ".join(translate("{name} from {first:.2f} to {last:.2f}", name=name, first=values[0], last=values[-1])
                        for name, values in tokens.items())
    ask(figure, "How many tokens does a character cost?")
    finish(figure, "Tokens per character on held-out sentences, from {first} to {last} tokens: {summary}.", first=sizes[0],
                   last=sizes[-1], summary=summary)


def encoding_lines(texts: Mapping[str, str]) -> None:
    """Draw how many tokens each text has in the four published encodings.

    `texts` maps each text to its English translation, which stands below it; it is empty for an English text.
    """
    figure, axes = new_figure(7.8, 3.7)
    shown = {text: [token_count(text, encoding) for encoding in ENCODINGS] for text in texts}
    for (text, counts), colour in zip(shown.items(), COLOURS, strict=False):
        axes.plot(range(len(counts)), counts, marker="o", color=colour)
        bold = {"ha": "center", "color": colour, "fontweight": "bold"}
        axes.text(0.5, counts[0] + 0.45, text, ha="center", color=colour, fontsize=9)
        axes.text(0.5, counts[0] - 0.45, texts[text], ha="center", va="top", color=colour, fontsize=9)
        for column, count in enumerate(counts):
            axes.text(column, count + 0.45, str(count), **bold)
    years = ("2019", "2021", "2022", "2024")
    names = [f"{encoding.removesuffix('_base')}\n{year}" for encoding, year in zip(ENCODINGS, years, strict=True)]
    axes.set_xticks(range(len(names)), names)
    axes.tick_params(axis="x", labelcolor=INK, labelsize=10)
    axes.set(ylabel=translate("number of tokens"), ylim=(0, 16), xlim=(-0.25, 3.25))
    axes.grid(False, axis="x")
    summary = "; ".join(f"{text} {', '.join(map(str, counts))}" for text, counts in shown.items())
    ask(figure, "How many tokens does a text have in four encodings?")
    finish(figure, "Tokens in r50k, p50k, cl100k and o200k: {summary}.", summary=summary)


def token_dots(counts: Mapping[str, Mapping[str, Count]]) -> None:
    """Draw the tokens of a text for each tokenizer and each kind of text; a ring marks what holds unknown tokens.

    Parameters
    ----------
    counts : Mapping[str, Mapping[str, Count]]
        Name of each tokenizer, then kind of text, to its count.
    """
    counts = translated(counts)
    figure, panels = new_figure(8.4, 2.6, 1, len(counts), sharex=True, sharey=True)
    summaries = []
    for axes, (name, kinds), colour in zip(panels, counts.items(), COLOURS, strict=False):
        kinds = translated(kinds)
        rows, tokens = range(len(kinds)), [count.tokens for count in kinds.values()]
        axes.hlines(rows, 0, tokens, color=colour, linewidth=1.2, alpha=0.5)
        for row, count in enumerate(kinds.values()):
            axes.plot(
                count.tokens,
                row,
                "o",
                color=colour,
                markersize=9,
                markeredgewidth=2,
                markerfacecolor="white" if count.unknown else colour,
            )
            shown = f"{count.tokens:.1f}"
            if count.unknown:
                shown = translate("{shown}, unknown {share:.0%}", shown=shown, share=count.unknown)
            axes.annotate(
                shown, (count.tokens, row), xytext=(9, 0), textcoords="offset points", va="center", color=INK, fontweight="bold"
            )
        axes.set(title=name, xlabel=translate("tokens in a text"), ylim=(len(kinds) - 0.5, -0.5))
        axes.set_yticks(list(rows), kinds)
        axes.tick_params(axis="y", labelcolor=INK, labelsize=10)
        axes.grid(False, axis="y")
        values = ", ".join(f"{kind} {count.tokens:.1f}" for kind, count in kinds.items())
        summaries.append(f"{name}: {values}")
    panels[0].set_xlim(0, 1.3 * max(count.tokens for kinds in counts.values() for count in kinds.values()))
    ask(figure, "How many tokens does a text have, and are any unknown?")
    finish(figure, "Tokens in a text, the mean of ten. {summary}.", summary="; ".join(summaries))
