"""Where each English word looks in the Chinese sentence: a heatmap, and the lesson's end card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from matplotlib.axes import Axes

from .chinese import spelled
from .style import BACKGROUND, COLOURS, INK, SEQUENTIAL, SOFT_INK, ask, finish, new_figure

__all__ = ["card", "show_alignment"]


def _heat(
    axes: Axes, chinese: Sequence[str], english: Sequence[str], weights: torch.Tensor, meanings: Mapping[str, str]
) -> None:
    axes.imshow(weights.detach().numpy(), cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="auto")
    names = [spelled(word) for word in chinese]
    crowded = names != list(chinese)  # pinyin is wide: set it at an angle
    if not crowded:
        names = [f"{name[:2]}\n{name[2:]}" if len(name) > 3 else name for name in names]
    between = " " if crowded else "\n"
    beside = [between + meanings[word] if word in meanings else "" for word in chinese]
    names = [name + meaning for name, meaning in zip(names, beside, strict=True)]
    axes.set_xticks(range(len(names)), names, rotation=40 if crowded else 0, ha="left" if crowded else "center")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(english)), english)
    axes.tick_params(labelsize=11, labelcolor=INK)
    for row, best in enumerate(weights.argmax(dim=1).tolist()):
        share = float(weights[row, best])
        axes.text(best, row, f"{share:.0%}", ha="center", va="center", fontsize=9, color=BACKGROUND if share > 0.45 else INK)
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)


def _said(chinese: Sequence[str], english: Sequence[str], weights: torch.Tensor) -> str:
    best = weights.argmax(dim=1).tolist()
    return ", ".join(f"{word} at {chinese[place]}" for word, place in zip(english, best, strict=True))


def show_alignment(
    sentences: Sequence[tuple[Sequence[str], Sequence[str], torch.Tensor]], meanings: Mapping[str, str]
) -> None:
    """Sentences side by side: Chinese words, English words, weights (T, S). The largest weight of a row is written out.

    `meanings`: what a Chinese word means by itself, to stand beside it.
    """
    figure, panels = new_figure(4.9 * len(sentences), 4.4, columns=len(sentences), squeeze=False)
    for axes, sentence in zip(panels.flat, sentences, strict=True):
        _heat(axes, *sentence, meanings)
    ask(figure, "Which Chinese words does each English word attend to?")
    finish(figure, "Attention weights. " + " ".join(f"{_said(*sentence)}." for sentence in sentences))


def card(
    sentence: tuple[Sequence[str], Sequence[str], torch.Tensor], meanings: Mapping[str, str], share: float, parameters: int,
    seconds: float, *, mine: bool,
) -> None:  # fmt: skip
    """The end card: one alignment and one number. `mine`: through the learner's own attention."""
    figure, (side, axes) = new_figure(9.4, 4.6, columns=2, width_ratios=[1, 1.9])
    side.set_axis_off()
    side.text(0, 0.95, "Chinese → English", fontsize=15, fontweight="bold", va="top")
    side.text(0, 0.72, f"{share:.1%}", fontsize=34, fontweight="bold", color=COLOURS.blue, va="top")
    lines = ("of 2,000 unseen sentences", "without a wrong word", "", f"{parameters:,} parameters",
             f"{seconds:.0f} s of training", "on one core", "", f"seen through {'my attend' if mine else 'torch'}")
    side.text(0, 0.46, "\n".join(lines), va="top", color=SOFT_INK, linespacing=1.5)
    _heat(axes, *sentence, meanings)
    ask(figure, "How often is it right, and where does it look?")
    finish(figure, f"{share:.1%} of 2,000 unseen sentences are translated without a wrong word. {_said(*sentence)}.")
