"""Draw the gradient of softmax cross-entropy as bars: the probabilities, minus 1 at the right answer."""

from collections.abc import Sequence

import torch

from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure


def show_cross_entropy_gradient(logits: torch.Tensor, target: int, names: Sequence[str]) -> None:
    """Draw the probabilities of the classes and the gradient of the cross-entropy at their logits, in two panels.

    Parameters
    ----------
    logits : torch.Tensor
        One logit for each class, (V,).
    target : int
        Index of the right class.
    names : Sequence[str]
        Name of each class, V of them.
    """
    probabilities = logits.softmax(dim=0)
    gradient = probabilities.clone()
    gradient[target] -= 1
    figure, (left, right) = new_figure(8.4, 3.2, columns=2)
    tones = [COLOURS.vermilion if index == target else COLOURS.blue for index in range(len(names))]
    for axes, values, title in (
        (left, probabilities, translate("Probability")),
        (right, gradient, translate("Gradient at the logit")),
    ):
        bars = axes.bar(range(len(names)), values.tolist(), color=tones, width=0.66)
        for bar, value in zip(bars, values.tolist(), strict=True):
            axes.annotate(f"{value:+.2f}" if axes is right else f"{value:.2f}", (bar.get_x() + 0.33, value),
                          xytext=(0, 3 if value >= 0 else -11), textcoords="offset points", ha="center",
                          fontsize=9.5, color=INK)
        axes.set_title(title)
        labels = [translate("{name}\n(right)", name=name) if index == target else name
                  for index, name in enumerate(names)]
        axes.set_xticks(range(len(names)), labels)
        axes.grid(axis="x", visible=False)
        axes.margins(y=0.16)
    right.axhline(0, color=SOFT_INK, linewidth=0.9)
    left.set_ylim(0, 1)
    ask(figure, "What is the gradient of the loss at each score?")
    finish(figure, "The gradient at each logit is its probability, less one at the right answer {name}; the bars sum to "
                   "zero.", name=names[target])
