"""Draw which Chinese words a translator attends to: the end card of notebook 05."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.axes import Axes

from ..messages import translate
from .style import BACKGROUND, COLOURS, INK, SEQUENTIAL, SOFT_INK, ask, finish, new_figure


def _heat(
    axes: Axes, chinese: Sequence[str], english: Sequence[str], weights: torch.Tensor, meanings: Mapping[str, str]
) -> None:
    axes.imshow(weights.detach().numpy(), cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="auto")
    names = [f"{word[:2]}\n{word[2:]}" if len(word) > 3 else word for word in chinese]
    beside = ["\n" + meanings[word] if word in meanings else "" for word in chinese]
    names = [name + meaning for name, meaning in zip(names, beside, strict=True)]
    axes.set_xticks(range(len(names)), names)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(english)), english)
    axes.tick_params(labelsize=11, labelcolor=INK)
    if max(len(meanings.get(word, "")) for word in chinese) > 8:  # Long English words of neighbours would overlap.
        axes.tick_params(axis="x", labelsize=9)
    for row, best in enumerate(weights.argmax(dim=1).tolist()):
        share = float(weights[row, best])
        axes.text(best, row, f"{share:.0%}", ha="center", va="center", fontsize=9, color=BACKGROUND if share > 0.45 else INK)
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)


def _describe(chinese: Sequence[str], english: Sequence[str], weights: torch.Tensor) -> str:
    best = weights.argmax(dim=1).tolist()
    return ", ".join(translate("{word} at {chinese}", word=word, chinese=chinese[index])
                     for word, index in zip(english, best, strict=True))


def card(
    sentence: tuple[Sequence[str], Sequence[str], torch.Tensor], meanings: Mapping[str, str], share: float, parameters: int,
    seconds: float, *, mine: bool,
) -> None:
    """Draw the end card: one alignment, and the share of sentences that are translated without a wrong word.

    Parameters
    ----------
    sentence : tuple[Sequence[str], Sequence[str], torch.Tensor]
        Chinese words, English words and weights (T, S) of a sentence. The largest weight of each row is written out.
    meanings : Mapping[str, str]
        Chinese word to its meaning; the meaning is written beside the word.
    share : float
        Share of 2,000 unseen sentences without a wrong word, from 0 to 1.
    parameters : int
        Number of parameters of the model.
    seconds : float
        Processor time of its training.
    mine : bool
        True if the learner's own attention was used.
    """
    figure, (side, axes) = new_figure(9.4, 4.6, columns=2, width_ratios=[1, 1.9])
    side.set_axis_off()
    side.text(0, 0.95, translate("Chinese → English"), fontsize=15, fontweight="bold", va="top")
    side.text(0, 0.72, f"{share:.1%}", fontsize=34, fontweight="bold", color=COLOURS.blue, va="top")
    lines = (translate("of 2,000 unseen sentences\nwithout a wrong word"),
             translate("{parameters:,} parameters\n{seconds:.0f} s of training\non one core", parameters=parameters,
                       seconds=seconds),
             translate("seen through my attend") if mine else translate("seen through torch"))
    side.text(0, 0.46, "\n\n".join(lines), va="top", color=SOFT_INK, linespacing=1.5)
    _heat(axes, *sentence, meanings)
    ask(figure, "How often is it right, and where does it look?")
    alignment = _describe(*sentence)
    finish(figure, "{share:.1%} of 2,000 unseen sentences are translated without a wrong word. {alignment}.", share=share,
                   alignment=alignment)
