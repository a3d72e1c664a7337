"""Draw the figures of notebook 06 about added positions: clock hands, the table, dot products of rows, the input of BERT."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Rectangle

from ..experiments.positional_encoding.copy_back import BACK, LENGTH, STARTS, Outcome
from ..experiments.positional_encoding.copy_race import WAYS
from ..messages import translatable, translate
from .end_labels import end_labels
from .player import play
from .style import COLOURS, DIVERGING, INK, SOFT_INK, ask, finish, new_figure, translated


def _dial(axes: Axes, centre: tuple[float, float], angle: float, colour: str) -> tuple[Artist, Artist]:
    x, y = centre
    circle = axes.add_patch(Circle(centre, 0.38, facecolor="white", edgecolor="#a9aeb6", linewidth=1))
    tip = (x + 0.34 * math.sin(angle), y + 0.34 * math.cos(angle))
    hand = axes.annotate("", xy=tip, xytext=centre, arrowprops={
        "arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 10})
    return circle, hand


def play_clocks(words: Sequence[str], speeds: Sequence[float]) -> None:
    """Play the positions of a sentence one after the other: their dials, and below them the sines and cosines of the hands.

    Parameters
    ----------
    words : Sequence[str]
        The words, in the order of their positions; the second line of each is its translation.
    speeds : Sequence[float]
        How far the hands turn with each position, in radians.
    """
    figure, axes = new_figure(6.8, 4.0)
    count, high = len(words), 0.42
    tones = (COLOURS.vermilion, COLOURS.blue, COLOURS.green, COLOURS.purple)[: len(speeds)]
    numbers = np.array([[turn(at * speed) for at in range(count)] for speed in speeds for turn in (math.sin, math.cos)])
    bottom = -0.75 - high * len(numbers)
    picture = axes.imshow(np.full_like(numbers, np.nan), cmap=DIVERGING, vmin=-1, vmax=1, aspect="equal",
                          extent=(-0.5, count - 0.5, bottom, -0.75))
    for position, word in enumerate(words):
        axes.text(position, -0.05, f"{word}\n{position}", ha="center", va="center", fontsize=8)
    for row, (speed, colour) in enumerate(zip(speeds, tones, strict=True)):
        axes.text(-0.65, len(speeds) - row, translate("speed {speed:g}", speed=speed), ha="right", va="center", color=colour,
                  fontweight="bold", fontsize=9)
        for line, name in enumerate((translate("sine"), translate("cosine"))):
            axes.text(-0.65, -0.75 - high * (2 * row + line + 0.5), name, ha="right", va="center", color=colour, fontsize=8)
    key = translate("blue +1, orange -1")
    axes.text((count - 1) / 2, bottom - 0.15, key, ha="center", va="top", color=SOFT_INK, fontsize=8)
    axes.set(xlim=(-2.4, count - 0.4), ylim=(bottom - 0.5, len(speeds) + 0.5))
    axes.axis("off")
    clocks = [
        [part for row, (speed, colour) in enumerate(zip(speeds, tones, strict=True))
         for part in _dial(axes, (float(at), float(len(speeds) - row)), at * speed, colour)]
        for at in range(count)
    ]

    def draw(last: int) -> None:
        picture.set_data(np.where(np.arange(count) <= last, numbers, np.nan))
        for position, parts in enumerate(clocks):
            for part in parts:
                part.set_visible(position <= last)

    ask(figure, "How do a few clocks tell every position apart?")
    alt = translatable("Clock dials for {count} positions, one after the other. The hand of speed {speed:g} goes round once in "
                       "about {turn:.0f} positions, slower hands take longer. Below, the sine and the cosine of each hand: no "
                       "two positions have the same numbers.")
    play(figure, draw, range(len(words)), alt, per_second=2, count=len(words), speed=speeds[0],
         turn=2 * math.pi / speeds[0])


def show_table(table: torch.Tensor) -> None:
    """Draw a position table (length, d) as a heatmap, and three of its pairs of dimensions as curves."""
    figure, panels = new_figure(9.4, 4.2, columns=2, rows=3, width_ratios=[1, 1.15], sharex="col")
    table = table.detach()
    length, width = table.shape
    grid = panels[0, 0].get_gridspec()
    for axes in panels[:, 0]:
        axes.remove()
    left = figure.add_subplot(grid[:, 0])
    left.imshow(table.numpy(), cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
    left.grid(False)
    left.set(xlabel=translate("dimension"), ylabel=translate("position"), title=translate("The table: blue +1, orange -1"))
    shown = min(length, 48)  # The fastest pair would be a solid band over more positions.
    pairs = (0, width // 8 * 2, width // 4 * 2)
    for axes, first, colour in zip(panels[:, 1], pairs, (COLOURS.vermilion, COLOURS.blue, COLOURS.green), strict=True):
        axes.plot(table[:shown, first], color=colour, linewidth=1.8)
        axes.plot(table[:shown, first + 1], color=colour, linewidth=1.2, linestyle=(0, (4, 2)))
        axes.text(1.02, 0.5, translate("{first} and {second}", first=first, second=first + 1), color=colour, va="center",
                  fontweight="bold", transform=axes.transAxes)
        axes.set(xlim=(0, shown - 1), ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
    panels[0, 1].set_title(translate("Three pairs: sine solid, cosine dashed"))
    panels[2, 1].set_xlabel(translate("position"))
    ask(figure, "What stands in the table of positions?")
    finish(figure, "The sinusoidal table for {length} positions and {width} dimensions: the first change quickly from row "
                   "to row, the last hardly at all; each pair is a sine and a cosine of one speed.", length=length,
                   width=width)


def show_exponents(right: torch.Tensor, wrong: torch.Tensor, position: int) -> None:
    """Draw one row of two position tables: with the right exponent and with a doubled one.

    Parameters
    ----------
    right, wrong : torch.Tensor
        The row by the formula, and with a doubled exponent, (d,).
    position : int
        Position that the row belongs to.
    """
    figure, axes = new_figure(8.6, 3.4)
    right, wrong = right.detach(), wrong.detach()
    columns = np.arange(len(right))
    axes.vlines(columns, wrong, right, color="#b9bdc4", linewidth=2)
    axes.plot(columns, right, "o", color=COLOURS.blue, markersize=8)
    axes.plot(columns, wrong, "x", color=COLOURS.vermilion, markersize=8, markeredgewidth=2.4)
    worst = int((right - wrong).abs().argmax())
    gap = float((right - wrong).abs().max())
    axes.annotate(translate("{gap:.2f} apart", gap=gap), (worst, min(float(right[worst]), float(wrong[worst]))),
                  xytext=(0, -12),
                  textcoords="offset points", ha="center", va="top", fontweight="bold")
    for height, label, colour in ((0.30, translate("● formula"), COLOURS.blue),
                                  (0.20, translate("× doubled exponent"), COLOURS.vermilion)):
        axes.text(0.99, height, label, transform=axes.transAxes, ha="right", color=colour, fontweight="bold")
    axes.set(xlabel=translate("dimension"), ylabel=translate("number"), ylim=(-1.1, 1.15), xticks=columns)
    axes.set_title(translate("How far is row {position} off with a doubled exponent?", position=position))
    finish(figure, "Row {position} by the formula and with a doubled exponent: the first two dimensions agree, the largest "
                   "difference is {gap:.2f} in dimension {worst}.", position=position, gap=gap, worst=worst)


def show_similarity(table: torch.Tensor, places: Sequence[int]) -> None:
    """Draw dot products of the rows of a position table: for all pairs, and against the offset from some positions.

    Parameters
    ----------
    table : torch.Tensor
        The position table, (T, d).
    places : Sequence[int]
        Three positions from which the offset is counted.
    """
    figure, (left, right) = new_figure(9.4, 4.0, columns=2, width_ratios=[1, 1.25])
    scores = table @ table.T
    picture = left.imshow(scores.detach().numpy(), aspect="equal")
    figure.colorbar(picture, ax=left, shrink=0.8)
    left.grid(False)
    left.set(xlabel=translate("position"), ylabel=translate("position"), title=translate("Dot product of two rows"))
    tones = (COLOURS.vermilion, COLOURS.blue, COLOURS.green)
    for position, colour, dash in zip(places, tones, ("-", (0, (4, 3)), (0, (1, 2))), strict=True):
        offsets = np.arange(len(table)) - position
        near = np.abs(offsets) <= 30
        right.plot(offsets[near], scores[position].detach().numpy()[near], color=colour, linestyle=dash, linewidth=2.4)
    for line, (position, colour) in enumerate(zip(places, tones, strict=False)):
        right.text(0.98, 0.95 - 0.08 * line, translate("seen from position {position}", position=position), color=colour,
                   fontweight="bold", ha="right",
                   va="top", transform=right.transAxes)
    right.set(xlabel=translate("offset"), ylabel=translate("dot product (axis not from 0)"),
              title=translate("Seen from three positions"))
    ask(figure, "Does it matter where two rows stand, or only how far apart?")
    finish(figure, "Dot products of the table's rows form stripes along the diagonal; seen from three positions they are one "
                   "and the same curve of the offset.")


def show_sum(words: Sequence[str], segments: Sequence[int], parts: Mapping[str, torch.Tensor]) -> None:
    """Draw the vectors that are added for each word, one strip for each summand, under the words of a pair of sentences.

    Parameters
    ----------
    words : Sequence[str]
        The words of both sentences, T of them.
    segments : Sequence[int]
        Segment of each word, 0 or 1.
    parts : Mapping[str, torch.Tensor]
        Name of each strip to its vectors, (T, d).
    """
    parts = translated(parts)
    figure, panels = new_figure(9.4, 1.12 * len(parts) + 1.1, rows=len(parts), sharex=True)
    top = max(float(values.abs().max()) for values in parts.values())
    for axes, (name, values) in zip(panels, parts.items(), strict=True):
        axes.imshow(values.T.detach().numpy(), cmap=DIVERGING, vmin=-top, vmax=top, aspect="auto")
        axes.grid(False)
        axes.set_yticks([])
        axes.spines[:].set_visible(False)
        axes.set_ylabel(name, rotation=0, ha="right", va="center", color=INK, fontweight="bold")
        for edge in range(1, len(words)):
            axes.axvline(edge - 0.5, color="white", linewidth=2)
    for spot, word in enumerate(words):
        panels[0].annotate(word, (spot, 1), xycoords=("data", "axes fraction"), xytext=(0, 5), textcoords="offset points",
                           ha="center", va="bottom", fontsize=10)
    panels[-1].set_xticks(range(len(words)), [f"{spot}\n{part}" for spot, part in enumerate(segments)])
    panels[-1].set_xlabel(translate("position, and under it the segment\nblue: above 0, orange: below 0"))
    ask(figure, "What goes into the sum for each word?")
    finish(figure, "Three strips of vectors and their sum for {count} positions: the word strip repeats where a word "
                   "repeats, the position strip never does, the segment strip has two colours only.", count=len(words))


def show_accuracy(outcomes: Mapping[str, Outcome]) -> None:
    """Plot accuracy against the first position of the test sequences, one line for each position encoding."""
    figure, axes = new_figure(9.2, 4.2)
    axes.add_patch(Rectangle((0, 0), LENGTH - 1, 1.02, facecolor="#e6eef3", edgecolor="none", zorder=0))
    axes.text(1, 0.02, translate("some positions\nare known"), color=SOFT_INK, fontsize=9, va="bottom")
    looks = {"none": (COLOURS.grey, (0, (1, 1.5)), "s"), "learned": (COLOURS.yellow, (0, (4, 2)), "^"),
             "sinusoidal": (COLOURS.blue, "-", "o"), "rope": (COLOURS.green, "-", "D"),
             "other_pairs": (COLOURS.purple, (0, (2, 2)), "o"),
             "wrong_pairs": (COLOURS.vermilion, (0, (6, 2, 1, 2)), "v")}
    lines: dict[Line2D, str] = {}
    for name, outcome in outcomes.items():
        colour, dash, mark = looks[name]
        (line,) = axes.plot(STARTS, outcome.accuracy, color=colour, linestyle=dash, marker=mark, markersize=5)
        lines[line] = f"{translate(WAYS[name])} {outcome.accuracy[-1]:.2f}"
    axes.set(xlabel=translate("position at which the sequence starts"),
             ylabel=translate("fraction of words copied right\nfrom {back} positions back", back=BACK),
             xlim=(0, STARTS[-1] + 2), ylim=(0, 1.03))
    end_labels(figure, lines)
    both = ((translate(WAYS[name]), outcome.accuracy[0], outcome.accuracy[-1]) for name, outcome in outcomes.items())
    summary = ", ".join(translate("{name} {first:.2f} and {last:.2f}", name=name, first=first, last=last)
                        for name, first, last in both)
    ask(figure, "Which encoding works at positions that training never had?")
    finish(figure, "Accuracy on sequences that start at 0 and at {start}: {summary}.", start=STARTS[-1], summary=summary)
