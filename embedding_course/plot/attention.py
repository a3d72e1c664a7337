"""Draw the figures of notebook 07 about attention: weights of a word, the scale, masks, heads, and the end card."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.axes import Axes

from ..messages import Message, translate
from .style import BACKGROUND, COLOURS, INK, SEQUENTIAL, SOFT_INK, ask, end_label, finish, new_figure, translated


def show_candidates(words: Sequence[str], weights: Mapping[str, torch.Tensor]) -> None:
    """Draw the attention weights of several queries over the same words, one panel for each query.

    Parameters
    ----------
    words : Sequence[str]
        The words that the queries attend to, T of them.
    weights : Mapping[str, torch.Tensor]
        Name of each query to its attention weights (T,).
    """
    weights = translated(weights)
    figure, panels = new_figure(8.8, 2.9, columns=len(weights), sharey=True)
    for axes, (name, values), colour in zip(panels, weights.items(), (COLOURS.blue, COLOURS.vermilion), strict=False):
        axes.barh(range(len(words)), values.tolist(), color=colour, height=0.64)
        for row, value in enumerate(values.tolist()):
            axes.text(value + 0.015, row, f"{value:.2f}", va="center", color=INK)
        axes.set_yticks(range(len(words)), words)
        axes.tick_params(axis="y", labelsize=11, labelcolor=INK)
        axes.grid(visible=False, axis="y")
        axes.set(title=name, xlim=(0, 1.12), xlabel=translate("weight"))
    panels[0].invert_yaxis()
    summary = "; ".join(f"{name}: {words[int(values.argmax())]} {values.max():.2f}" for name, values in weights.items())
    ask(figure, "Which word does each query attend to?")
    finish(figure, "Attention weights over {count} words from several queries. Largest: {summary}.", count=len(words),
                   summary=summary)


def show_scale(widths: Sequence[int], largest: Mapping[str, Sequence[float]], keys: int) -> None:
    """Plot the mean largest attention weight of random queries over random keys against the width.

    Parameters
    ----------
    widths : Sequence[int]
        Number of dimensions of queries and keys, W of them.
    largest : Mapping[str, Sequence[float]]
        Name of each way to scale to its mean largest weights (W,).
    keys : int
        Number of keys of each query.
    """
    largest = translated(largest)
    figure, axes = new_figure(7.8, 3.6)
    for (name, values), colour, mark in zip(largest.items(), (COLOURS.vermilion, COLOURS.blue), "so", strict=False):
        (line,) = axes.plot(widths, values, marker=mark, color=colour)
        end_label(line, f"{name}  {values[-1]:.2f}")
    axes.axhline(1 / keys, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.annotate(translate("all {keys} keys alike", keys=keys), (widths[0], 1 / keys), xytext=(2, 4),
                  textcoords="offset points", color=SOFT_INK,
                  fontsize=9.5)
    axes.set_xscale("log", base=2)
    axes.set_xticks(widths, [str(width) for width in widths])
    axes.set(xlabel=translate("width of queries and keys (log scale)"), ylabel=translate("mean largest weight"), ylim=(0, 1.05))
    axes.set_title(translate("How much of the weight goes to one key?"))
    summary = ", ".join(f"{name} {values[-1]:.2f}" for name, values in largest.items())
    finish(figure, "Mean largest attention weight over {keys} random keys, at widths from {first} to {last}. At the end: "
                   "{summary}.", keys=keys, first=widths[0], last=widths[-1], summary=summary)


def _heat(axes: Axes, weights: torch.Tensor, numbers: bool = False) -> None:
    axes.imshow(weights.detach().numpy(), cmap=SEQUENTIAL, vmin=0, vmax=1)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    if numbers:
        for row, line in enumerate(weights.tolist()):
            for column, value in enumerate(line):
                axes.text(column, row, f"{value:.2f}" if value else "0", ha="center", va="center", fontsize=9,
                          color=BACKGROUND if value > 0.5 else INK)


def show_weights(words: Sequence[str], maps: Mapping[str, torch.Tensor]) -> None:
    """Draw the attention weights between the words of one sentence with their values, one panel for each map.

    Parameters
    ----------
    words : Sequence[str]
        The words of the sentence, T of them.
    maps : Mapping[str, torch.Tensor]
        Name of each map to its attention weights (T, T); each row belongs to the word that attends.
    """
    maps = translated(maps)
    figure, panels = new_figure(0.4 + 4.4 * len(maps), 4.3, columns=len(maps), squeeze=False)
    for axes, (name, weights) in zip(panels.flat, maps.items(), strict=True):
        _heat(axes, weights, numbers=True)
        axes.set_xticks(range(len(words)), words)
        axes.set_yticks(range(len(words)), words)
        axes.tick_params(labelsize=11, labelcolor=INK)
        axes.set(title=name, xlabel=translate("looks at"))
    panels[0, 0].set_ylabel(translate("this word"))
    sums = {name: float(weights.triu(1).sum()) for name, weights in maps.items()}
    summary = "; ".join(translate("{name}: weight above the diagonal {above:.2f}", name=name, above=above)
                        for name, above in sums.items())
    ask(figure, "Which words does each word attend to?")
    finish(figure, "Attention weights of {count} words for one another. {summary}.", count=len(words), summary=summary)


def _share_on_anti_diagonal(maps: torch.Tensor) -> float:
    return float(maps.flip(-1).diagonal(dim1=-2, dim2=-1).mean())


def show_heads(rows: Mapping[str, torch.Tensor]) -> dict[str, float]:
    """Draw attention maps (heads, T, T), one row of panels for each name.

    Returns
    -------
    dict
        Name to the mean weight on the anti-diagonal.
    """
    heads = len(next(iter(rows.values())))
    figure, panels = new_figure(9.2, 2.6 * len(rows), rows=len(rows), columns=heads, squeeze=False)
    shares = {name: _share_on_anti_diagonal(maps) for name, maps in rows.items()}
    for line, (name, maps) in zip(panels, rows.items(), strict=True):
        for head, (axes, weights) in enumerate(zip(line, maps, strict=True)):
            _heat(axes, weights)
            axes.set_xticks([])
            axes.set_yticks([])
            axes.set_xlabel(translate("attends to position →") if head == 0 else "")
            if name == next(iter(rows)):
                axes.set_title(translate("head {head}", head=head))
        line[0].set_ylabel(translate("{name}\nposition ↓", name=translate(name)), color=INK)
    summary = ", ".join(f"{name} {share:.2f}" for name, share in translated(shares).items())
    ask(figure, "Which position does each position attend to?")
    finish(figure, "Attention weights of {heads} heads, position by position. Mean weight on the anti-diagonal: {summary}.",
                   heads=heads, summary=summary)
    return shares


_VERDICTS = {
    True: (Message("my test: it looks ahead ✗"), COLOURS.vermilion),
    False: (Message("my test: sound ✓"), COLOURS.green),
    None: (Message("looks ahead? not tested yet"), SOFT_INK),
}


def card(rows: Mapping[str, tuple[torch.Tensor, float, bool | None]]) -> None:
    """Draw the end card: one head of each model, its accuracy, and the result of the learner's own test.

    The result is None while the learner's test is not written yet.
    """
    rows = translated(rows)
    figure, panels = new_figure(9.0, 4.9, columns=len(rows))
    for axes, (name, (maps, accuracy, _)) in zip(panels, rows.items(), strict=True):
        _heat(axes, maps[0])
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_title(translate("{name}: {accuracy:.1%} right", name=name, accuracy=accuracy), fontsize=13)
        verdict, colour = _VERDICTS[rows[name][2]]
        axes.set_xlabel(str(verdict), color=colour, fontweight="bold", fontsize=13)
    title = translate("Which of two models with the same accuracy is broken?")
    figure.suptitle(title, x=0.012, ha="left", fontsize=14, fontweight="bold")
    summary = "; ".join(translate("{name}: {accuracy:.1%} right, {verdict}", name=name, accuracy=accuracy,
                                  verdict=_VERDICTS[caught][0]) for name, (_, accuracy, caught) in rows.items())
    finish(figure, "Attention maps of two models that reverse a row of words: an anti-diagonal, and stairs. {summary}.",
                   summary=summary)
