"""Draw the figures of notebook 08 about sentences: cosines of a few sentences, and scores of encoders in two tests."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.patches import Rectangle

from ..messages import translate
from .style import BACKGROUND, COLOURS, DIVERGING, INK, ask, finish, new_figure, translated


def show_cosines(cosines: torch.Tensor, sentences: Sequence[str], groups: Sequence[int]) -> None:
    """Draw all cosines (N, N) of N sentences, with a frame around sentences of the same meaning.

    Parameters
    ----------
    cosines : torch.Tensor
        Matrix (N, N).
    sentences : Sequence[str]
        The N sentences.
    groups : Sequence[int]
        Number of sentences of each meaning, in order.

    Raises
    ------
    ValueError
        If the numbers of sentences do not agree.
    """
    if tuple(cosines.shape) != (len(sentences), len(sentences)) or sum(groups) != len(sentences):
        raise ValueError(f"{len(sentences)} sentences in groups of {list(groups)}, and cosines {tuple(cosines.shape)}")
    lines = max(sentence.count("\n") + 1 for sentence in sentences)
    figure, axes = new_figure(9.4, 0.52 * len(sentences) + 0.7)
    axes.imshow(cosines.detach().numpy(), cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
    for row, values in enumerate(cosines.tolist()):
        for column, value in enumerate(values):
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=9.5,
                      color=BACKGROUND if abs(value) > 0.7 else INK)
    start = 0
    for size in groups:
        corner, side = (start - 0.48, start - 0.48), size - 0.04
        axes.add_patch(Rectangle(corner, side, side, fill=False, edgecolor=INK, linewidth=2.2))
        start += size
    axes.set(yticks=range(len(sentences)), xticks=[])
    axes.set_xlabel(translate("columns in the same order; from brown (-1) to blue (1)"))
    axes.set_yticklabels(sentences, fontsize=11 if lines == 1 else 9, color=INK)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    meaning = [number for number, size in enumerate(groups) for _ in range(size)]
    inside = [float(cosines[i, j]) for i in range(len(meaning)) for j in range(i) if meaning[i] == meaning[j]]
    outside = [float(cosines[i, j]) for i in range(len(meaning)) for j in range(i) if meaning[i] != meaning[j]]
    ask(figure, "Are sentences of one meaning nearer to one another?")
    finish(figure, "Cosines of {sentences} sentences, framed where the meaning is one: framed {low:.2f} to {high:.2f}, "
                   "others {lowest:.2f} to {highest:.2f}.", sentences=len(sentences), low=min(inside), high=max(inside),
                   lowest=min(outside), highest=max(outside))


def show_scores(scores: Mapping[str, tuple[float, float]], tests: tuple[str, str]) -> None:
    """Draw two scores of each encoder from 0 to 1, one panel for each test.

    Parameters
    ----------
    scores : Mapping[str, tuple[float, float]]
        Name of each encoder to its score in the first and in the second test.
    tests : tuple[str, str]
        Names of the two tests.
    """
    scores, tests = translated(scores), (translate(tests[0]), translate(tests[1]))
    figure, panels = new_figure(9.4, 0.5 * len(scores) + 1.4, columns=2, sharey=True)
    for which, (axes, title, colour) in enumerate(zip(panels, tests, (COLOURS.blue, COLOURS.vermilion), strict=True)):
        for row, pair in enumerate(scores.values()):
            value = pair[which]
            axes.plot([0, value], [row, row], color=colour, linewidth=2, alpha=0.45)
            axes.plot(value, row, "o" if which == 0 else "s", color=colour, markersize=8)
            axes.annotate(f"{value:.1%}", (value, row), xytext=(0, 7), textcoords="offset points", ha="center", va="bottom",
                          fontweight="bold", color=colour)
        axes.set(title=title, xlim=(-0.03, 1.08), ylim=(len(scores) - 0.5, -0.7), yticks=range(len(scores)), xticks=[0, 0.5, 1])
        axes.set_xticklabels(["0", "50 %", "100 %"])
        axes.grid(False, axis="y")
    panels[0].set_yticklabels(list(scores), color=INK, fontsize=10.5)
    summary = "; ".join(translate("{name} {first:.1%} and {second:.1%}", name=name, first=first, second=second)
                        for name, (first, second) in scores.items())
    ask(figure, "Does the encoder find paraphrases, and tell them from hard negatives?")
    finish(figure, "Two tests ({one}, {other}): {summary}.", one=tests[0], other=tests[1], summary=summary)
