"""Draw the figures of notebook 09 about pictures: shifted digits with their neighbours, and pictures against captions."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.axes import Axes

from ..data.digits_captions import meaning
from ..messages import translate
from .style import COLOURS, INK, SEQUENTIAL, ask, finish, new_figure, translated

_INKS = "Greys"


def show_neighbours(
    neighbours: Mapping[str, Sequence[tuple[torch.Tensor, int, torch.Tensor, int]]], shares: Mapping[str, float]
) -> None:
    """Draw shifted digits in the first row and, in a row for each encoder, their nearest pictures.

    Beside each picture stands its digit, and a mark says whether both digits are the same.

    Parameters
    ----------
    neighbours : Mapping[str, Sequence[tuple[torch.Tensor, int, torch.Tensor, int]]]
        Name of each encoder to (shifted picture, its digit, nearest picture, its digit) for each column; pictures are (H, W).
    shares : Mapping[str, float]
        Name of each encoder to the share of 500 pictures whose nearest picture shows the same digit, from 0 to 1.
    """
    neighbours, shares = translated(neighbours), translated(shares)
    first = next(iter(neighbours.values()))
    figure, panels = new_figure(8.8, 1.15 * (len(neighbours) + 1), rows=len(neighbours) + 1, columns=len(first))
    for axes, (asked, digit, _, _) in zip(panels[0], first, strict=True):
        axes.imshow(asked.detach().numpy(), cmap=_INKS)
        _note(axes, str(digit), INK)
    for row, name in zip(panels[1:], neighbours, strict=True):
        for axes, (_, digit, nearest, near_digit) in zip(row, neighbours[name], strict=True):
            axes.imshow(nearest.detach().numpy(), cmap=_INKS)
            right = near_digit == digit
            _note(axes, f"{near_digit}\n{'✓' if right else '✗'}", COLOURS.green if right else COLOURS.vermilion)
    heads = [translate("shifted by a pixel"),
             *(translate("{name}\n{share:.0%} right of 500", name=name, share=shares[name]) for name in neighbours)]
    for row, head in zip(panels, heads, strict=True):
        row[0].set_ylabel(head, rotation=0, ha="right", va="center", color=INK, labelpad=10)
        for axes in row:
            axes.set(xticks=[], yticks=[])
            axes.grid(False)
    summary = "; ".join(translate("{name}: {share:.0%} right", name=name, share=shares[name]) for name in neighbours)
    ask(figure, "Is the nearest picture the same digit?")
    finish(figure, "Shifted digits and the picture next to each of them, by several encoders. {summary} of 500.",
                   summary=summary)


def _note(axes: Axes, text: str, tone: str) -> None:
    axes.text(1.06, 0.5, text, transform=axes.transAxes, color=tone, fontsize=12, fontweight="bold", va="center")


def show_batch(digits: Sequence[int], captions: Sequence[str]) -> None:
    """Draw a batch as CLIP sees it: pictures as columns, captions as rows; only the diagonal counts as right.

    Parameters
    ----------
    digits : Sequence[int]
        The digit in each picture, N of them.
    captions : Sequence[str]
        The caption of each picture, in the same order.
    """
    size = len(digits)
    figure, axes = new_figure(10.4, 0.36 * size + 1.3)
    table = torch.zeros(size, size)
    axes.imshow(table.detach().numpy(), cmap=SEQUENTIAL, vmin=0, vmax=1)
    false = 0
    for row in range(size):
        for column in range(size):
            if row == column:
                axes.text(column, row, "✓", ha="center", va="center", color=COLOURS.green, fontweight="bold", fontsize=13)
            elif digits[row] == digits[column]:
                false += 1
                axes.text(column, row, "✗", ha="center", va="center", color=COLOURS.vermilion, fontweight="bold", fontsize=13)
    axes.set_xticks(range(size), [str(digit) for digit in digits])
    in_english = [meaning(caption) for caption in captions]
    axes.set_yticks(range(size), [f"{english}  {caption}" if english else caption
                                  for caption, english in zip(captions, in_english, strict=True)])
    axes.set(xlabel=translate("digit in the picture"))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.grid(False)
    ask(figure, "Which captions fit a picture and count as wrong?")
    finish(figure, "A batch of {size} pictures and captions: {size} pairs on the diagonal, and {false} more whose caption "
                   "fits the picture although the loss counts them as wrong (crosses).", size=size, false=false)


def show_stall(runs: Mapping[str, Sequence[float]], shares: Mapping[str, float], floor: float) -> None:
    """Plot the losses of several runs and the accuracy of their models, with the floor of the loss as a dashed line.

    Parameters
    ----------
    runs : Mapping[str, Sequence[float]]
        Name of each run to its loss at each step, in nats.
    shares : Mapping[str, float]
        Name of each run to the accuracy of its model, from 0 to 1.
    floor : float
        The value that the loss cannot fall below, since several captions fit each picture; in nats.
    """
    runs, shares = translated(runs), translated(shares)
    figure, axes = new_figure(8.8, 3.7)
    tones = (COLOURS.vermilion, COLOURS.blue, COLOURS.green)
    for (name, losses), tone in zip(runs.items(), tones, strict=False):
        width = min(15, len(losses))
        smooth = torch.tensor(losses).unfold(0, width, 1).mean(dim=1)
        axes.plot(range(width, len(losses) + 1), smooth, color=tone)
        axes.annotate(translate("{name}\nloss {loss:.2f}, {share:.1%} right", name=name, loss=smooth[-1], share=shares[name]),
                      (len(losses), float(smooth[-1])),
                      xytext=(7, 13), textcoords="offset points", va="center", color=tone, fontweight="bold", fontsize=9.5,
                      annotation_clip=False)
    last = max(len(losses) for losses in runs.values())
    axes.axhline(floor, color=INK, linewidth=1, linestyle=(0, (4, 3)), xmax=0.955)
    axes.annotate(
        translate("ln of how many captions fit: {floor:.2f}", floor=floor),
        (last * 0.55, floor),
        xytext=(0, -13),
        textcoords="offset points",
        fontsize=9.5,
    )
    axes.set(xlabel=translate("step"), ylabel=translate("loss of a batch, nats"), ylim=(0, None))
    summary = "; ".join(translate("{name}: {share:.1%} right", name=name, share=shares[name]) for name in runs)
    ask(figure, "Why does the loss stop falling?")
    finish(figure, "Two losses, one of them stuck near {floor:.2f}, and what the models get right: {summary}.", floor=floor,
                   summary=summary)
