"""Draw the figures of notebook 08 about pooling: padded batches, side of padding, tasks, drift, and the end card."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ..experiments.pooling.padding import SIDES, checked_mask
from ..messages import translate
from .style import BACKGROUND, COLOURS, INK, SEQUENTIAL, SOFT_INK, ask, finish, new_figure, size_in_cell, translated


def _cell(axes: Axes, x: float, y: float, text: str, real: bool, below: str = "", size: float = 11) -> None:
    face, edge, hatch = ("#dcebf4", COLOURS.blue, None) if real else ("#efede6", "#b9bdc4", "////")
    axes.add_patch(Rectangle((x - 0.46, y - 0.42), 0.92, 0.84, linewidth=1, hatch=hatch, facecolor=face, edgecolor=edge))
    axes.text(x, y + 0.12 * bool(below), text if real else "0", ha="center", va="center",
              fontsize=size_in_cell(text, size, letters=54), color=INK if real else SOFT_INK,
              bbox=None if real else {"facecolor": "#efede6", "edgecolor": "none", "pad": 1})
    if below:
        axes.text(x, y - 0.25, below, ha="center", va="center", fontsize=size_in_cell(below, 7.5, letters=50), color=SOFT_INK)


def show_batches(
    sentences: Sequence[Sequence[str]], masks: Mapping[str, torch.Tensor], meanings: Mapping[str, str] | None = None
) -> None:
    """Draw the same sentences under several masks: words where the mask is 1, hatched cells where it is 0.

    Parameters
    ----------
    sentences : Sequence[Sequence[str]]
        The words of each sentence, B of them.
    masks : Mapping[str, torch.Tensor]
        Name of each mask to its values (B, T); at most four are drawn.
    meanings : Mapping[str, str], optional
        Chinese word to its meaning, which is written below the word.

    Raises
    ------
    ValueError
        If a row of a mask does not have as many ones as its sentence has words.
    """
    masks = translated({SIDES.get(name, name): mask for name, mask in masks.items()})
    figure, panels = new_figure(9.6, 4.6, rows=2, columns=2)
    for axes, (name, mask) in zip(panels.flat, masks.items(), strict=False):
        real = checked_mask(mask, mask.shape)
        if real.sum(dim=1).tolist() != [len(words) for words in sentences]:
            raise ValueError(f"{name}: a row of the mask has not as many ones as its sentence has words")
        for row, words in enumerate(sentences):
            coming = iter(words)
            for column in range(mask.shape[1]):
                here = bool(real[row, column])
                word = next(coming) if here else ""
                _cell(axes, column, -row, word, here, (meanings or {}).get(word, ""))
        axes.set(xlim=(-0.6, mask.shape[1] - 0.4), ylim=(-len(sentences) + 0.4, 0.6), title=name)
        axes.axis("off")
    ask(figure, "Which cells of a batch are real tokens?")
    finish(figure, "The same {sentences} sentences in four batches, padded {sides}: words where the mask is 1, hatched "
                   "cells with a 0 where it is 0.", sentences=len(sentences), sides=', '.join(masks))


def _moves_little(distance: float | None) -> bool:
    return distance is not None and distance < 1e-4


def show_moved(moves: Mapping[str, Mapping[str, Sequence[float | None]]]) -> None:
    """Draw how far padding on each side moves a sentence vector, one table for each set of poolings; a tick means no move."""
    moves = translated(moves)
    figure, panels = new_figure(9.4, 3.5, columns=len(moves), sharey=True)
    longest = max(moves.values(), key=len)
    for axes, (title, rows) in zip(np.atleast_1d(panels), moves.items(), strict=True):
        for name, values in rows.items():
            y = list(longest).index(name)
            for x, value in enumerate(values):
                fine = _moves_little(value)
                colour = "#efede6" if value is None else "#d3ebe4" if fine else "#f6d9c8"
                axes.add_patch(Rectangle((x - 0.47, y - 0.45), 0.94, 0.9, facecolor=colour, edgecolor="none"))
                text = translate("not yet") if value is None else "✓ 0" if fine else f"✗ {value:.1f}"
                axes.text(x, y, text, ha="center", va="center", fontsize=10.5,
                          color=SOFT_INK if value is None else "#00614d" if fine else "#93380c", fontweight="bold")
        axes.set(xlim=(-0.55, len(SIDES) - 0.45), ylim=(len(longest) - 0.45, -0.55), title=title,
                 xticks=range(len(SIDES)), yticks=range(len(longest)))
        axes.set_xticklabels([translate(label) for label in SIDES.values()])
        axes.set_yticklabels(list(longest))
        axes.xaxis.tick_top()
        axes.grid(False)
        axes.spines[:].set_visible(False)
    summary = "; ".join(
        translate("{title}: {still} of {cells} cells do not move", title=title,
                  still=sum(map(_moves_little, itertools.chain(*rows.values()))), cells=len(rows) * len(SIDES))
        for title, rows in moves.items()
    )
    ask(figure, "By how much does padding move the vector?")
    finish(figure, "How far padding on the right, on the left, mixed and in holes moves a sentence's vector. {summary}.",
                   summary=summary)


def show_tasks(
    accuracies: Mapping[str, Mapping[tuple[str, str], float]], tasks: Mapping[str, str], chance: float = 0.5
) -> None:
    """Draw the accuracy of each pooling (rows) on each task (columns), one panel for each reader.

    Parameters
    ----------
    accuracies : Mapping[str, Mapping[tuple[str, str], float]]
        Name of each reader to its accuracies from 0 to 1, by (pooling, task).
    tasks : Mapping[str, str]
        Name of each task, in the order of the columns, to the label of its column.
    chance : float, optional
        Accuracy of guessing, which has the lightest colour.
    """
    accuracies, labels = translated(accuracies), {task: translate(label) for task, label in tasks.items()}
    figure, panels = new_figure(4.9 * len(accuracies) + 0.4, 3.9, columns=len(accuracies), squeeze=False)
    for axes, (title, shares) in zip(panels.flat, accuracies.items(), strict=True):
        poolings = list(dict.fromkeys(pooling for pooling, _ in shares))
        table = np.array([[shares[pooling, task] for task in tasks] for pooling in poolings])
        axes.imshow(table, cmap=SEQUENTIAL, vmin=chance, vmax=1, aspect="auto")
        for row, values in enumerate(table):
            for column, value in enumerate(values):
                weight, colour = "bold" if value > 0.95 else "normal", BACKGROUND if value > 0.75 else INK
                axes.text(column, row, f"{value:.0%}", ha="center", va="center", fontweight=weight, color=colour)
        axes.set(title=title, xticks=range(len(tasks)), yticks=range(len(poolings)))
        axes.set_xticklabels(labels.values())
        axes.set_yticklabels(poolings)
        axes.grid(False)
        axes.spines[:].set_visible(False)
    summaries = []
    for title, shares in accuracies.items():
        solved = [translate("{pooling} on {task}", pooling=pooling, task=labels[task])
                  for (pooling, task), value in shares.items() if value > 0.95]
        summary = translate("{title}: above 95 % are {solved} of {all}", title=title, solved=len(solved), all=len(shares))
        summaries.append(f"{summary} ({', '.join(solved)})" if len(solved) < 9 else summary)
    ask(figure, "Which pooling can answer which question?")
    summary = "; ".join(summaries)
    finish(figure, "Accuracy of each pooling on each question. {summary}.", summary=summary)


def show_weights(
    weights: Mapping[str, torch.Tensor], words: Sequence[str], meanings: Mapping[str, str] | None = None
) -> None:
    """Draw the weight of each token in the pooled vector as bars, one row for each pooling.

    Parameters
    ----------
    weights : Mapping[str, torch.Tensor]
        Name of each pooling to its weights (T,).
    words : Sequence[str]
        The tokens, T of them.
    meanings : Mapping[str, str], optional
        Chinese word to its meaning, which is written below the word.
    """
    weights = translated(weights)
    figure, panels = new_figure(8.6, 0.68 * len(weights) + 0.8, rows=len(weights), sharex=True, squeeze=False)
    for axes, (name, values) in zip(panels.flat, weights.items(), strict=True):
        axes.bar(range(len(words)), values.tolist(), color=COLOURS.blue, width=0.6)
        for index, value in enumerate(values.tolist()):
            axes.text(index, value + 0.05, f"{value:.2f}".removesuffix(".00"), ha="center", va="bottom", fontsize=9)
        axes.set(ylim=(0, 1.35), yticks=[])
        axes.set_ylabel(name, rotation=0, ha="right", va="center", color=INK, fontweight="bold")
        axes.grid(False)
        axes.spines["left"].set_visible(False)
    below = [(meanings or {}).get(word, "") for word in words]
    labels = [f"{word}\n{meaning}".strip() for word, meaning in zip(words, below, strict=True)]
    panels.flat[-1].set_xticks(range(len(words)), labels, fontsize=11, color=INK)
    ask(figure, "How much does each token count in the sentence's vector?")
    finish(figure, "The weight of each of {words} tokens in the vector of the sentence, for {weights}: padding has 0 in "
                   "each of them.", words=len(words), weights=', '.join(weights))


def show_drift(extra: Sequence[int], cosines: Mapping[str, torch.Tensor], accuracy: Mapping[str, Sequence[float]]) -> None:
    """Plot how far sentence vectors move, and how accurate the answers are, against the padding that is added.

    Parameters
    ----------
    extra : Sequence[int]
        Numbers of columns of padding added, E of them.
    cosines : Mapping[str, torch.Tensor]
        Name of each pooling to the cosines of padded and unpadded vectors of N sentences, (N, E).
    accuracy : Mapping[str, Sequence[float]]
        Name of each pooling to its accuracies (E,), from 0 to 1.
    """
    cosines, accuracy = translated(cosines), translated(accuracy)
    figure, (left, right) = new_figure(9.6, 3.9, columns=2)
    looks = ((COLOURS.green, "-", "o"), (COLOURS.vermilion, (0, (5, 2)), "s"))
    lowest = [float(values.quantile(0.1, dim=0).min()) for values in cosines.values()]
    for (name, values), (colour, dash, mark) in zip(cosines.items(), looks, strict=False):
        low, high = values.quantile(0.1, dim=0), values.quantile(0.9, dim=0)
        left.fill_between(extra, low, high, color=colour, alpha=0.15, linewidth=0)
        left.plot(extra, values.median(dim=0).values, color=colour, linestyle=dash, marker=mark, markersize=4)
        right.plot(extra, accuracy[name], color=colour, linestyle=dash, marker=mark, markersize=4)
        end = float(values[:, -1].median())
        left.annotate(f"{name} {end:.2f}", (extra[-1], end), xytext=(-4, -9 if end > 0.8 else 12), textcoords="offset points",
                      ha="right", va="top" if end > 0.8 else "bottom", color=colour, fontweight="bold")
        share = accuracy[name][-1]
        right.annotate(f"{name} {share:.0%}", (extra[-1], share), xytext=(-4, -9), ha="right",
                       va="top", textcoords="offset points", color=colour, fontweight="bold")
    left.set(xlabel=translate("columns of padding added"), ylim=(min(0.0, *lowest) - 0.1, 1.08),
             title=translate("Cosine with the vector it has alone"))
    right.set(xlabel=translate("columns of padding added"), ylim=(0.4, 1.04), title=translate("Accuracy (axis from 0.4)"))
    right.axhline(0.5, color=SOFT_INK, linewidth=1, linestyle=(0, (1.5, 2)))
    right.text(extra[0], 0.49, translate("guessing"), va="top", color=SOFT_INK, fontsize=9)
    summary = "; ".join(translate("{name}: median cosine {cosine:.2f}, {before:.0%} and then {after:.0%} right answers",
                                  name=name, cosine=float(values[:, -1].median()), before=accuracy[name][0],
                                  after=accuracy[name][-1]) for name, values in cosines.items())
    ask(figure, "What do more columns of padding change?")
    finish(figure, "What {columns} columns of padding do to a sentence's vector and to the answers. {summary}.",
                   columns=extra[-1], summary=summary)


def card(extra: Sequence[int], cosines: Mapping[str, torch.Tensor], scores: Mapping[str, float]) -> None:
    """Draw the end card: for each pooling, the cosine of every sentence with its unpadded self as padding is added.

    Parameters
    ----------
    extra : Sequence[int]
        Numbers of columns of padding added, E of them.
    cosines : Mapping[str, torch.Tensor]
        Name of each pooling to the cosines of padded and unpadded vectors of N sentences, (N, E).
    scores : Mapping[str, float]
        Name of each pooling to its test score, from 0 to 1.
    """
    cosines, scores = translated(cosines), translated(scores)
    figure, panels = new_figure(9.4, 4.4, columns=len(cosines), sharey=True)
    for axes, (name, values), colour in zip(panels, cosines.items(), (COLOURS.green, COLOURS.vermilion), strict=True):
        axes.plot(extra, values.T.detach().numpy(), color=colour, linewidth=0.9, alpha=0.5)
        axes.set(title=name, xlabel=translate("columns of padding added"), ylim=(-1.05, 1.1))
        axes.text(0.03, 0.05, translate("test score {score:.0%}\ncosine with itself {cosine:.2f}", score=scores[name],
                                        cosine=values[:, -1].median()),
                  transform=axes.transAxes, color=colour, fontweight="bold", fontsize=13)
    panels[0].set_ylabel(translate("cosine of a sentence with itself"))
    figure.suptitle(translate("The same accuracy: the same model?"), x=0.012, ha="left", fontsize=14, fontweight="bold")
    summary = "; ".join(
        translate("{name}: test score {score:.0%}, cosine {cosine:.2f}", name=name, score=scores[name],
                  cosine=values[:, -1].median()) for name, values in cosines.items()
    )
    count = len(next(iter(cosines.values())))
    finish(figure, "{count} sentences, each compared with itself as padding is added. {summary}.", count=count, summary=summary)
