"""Draw the figures of notebook 06 about rotated vectors: arrows, scores by offset, and the end card."""

import math
from collections.abc import Callable, Mapping

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle

from ..messages import translatable, translate
from .player import play
from .style import COLOURS, DIVERGING, INK, SOFT_INK, ask, finish, new_figure, translated

Encode = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def _arrow(axes: Axes, angle: float, length: float, colour: str, text: str) -> None:
    tip = (length * math.cos(angle), length * math.sin(angle))
    axes.annotate("", xy=tip, xytext=(0, 0), arrowprops={
        "arrowstyle": "-|>", "color": colour, "linewidth": 2.4, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 13})
    side = "left" if tip[0] > 0.3 else "right" if tip[0] < -0.3 else "center"
    axes.text(1.1 * tip[0], 1.2 * tip[1], text, color=colour, ha=side, va="center", fontweight="bold", fontsize=10)


def play_arrows(words: tuple[str, str], offsets: tuple[int, int], speed: float = 0.5, last: int = 9) -> None:
    """Play two unit vectors that turn with their positions, and plot their dot product for two offsets.

    Parameters
    ----------
    words : tuple[str, str]
        The two words.
    offsets : tuple[int, int]
        Offsets between the positions; the arrows have the first.
    speed : float, optional
        How far a vector turns with each position, in radians.
    last : int, optional
        Last position of the first word.
    """
    figure, (dial, plot) = new_figure(7.6, 3.2, columns=2, width_ratios=[1.2, 1.4])
    query, key = 0.2, 0.55
    names = [translate(word) for word in words]
    dial.set(xlim=(-2, 2), ylim=(-1.35, 1.35), aspect="equal")
    dial.axis("off")
    scores = [math.cos(key - query + offset * speed) for offset in offsets]
    tones = (COLOURS.green, COLOURS.purple)
    dots = []
    for offset, score, colour in zip(offsets, scores, tones, strict=True):
        dots += plot.plot([], [], "o", color=colour)
        plot.text(last + 0.6, score, translate("offset {offset}: {score:.2f}", offset=offset, score=score), color=colour,
                  va="center", fontweight="bold")
    plot.set(xlim=(-0.5, last + 0.5), ylim=(-1.05, 1.05), xlabel=translate("position of the first word"),
             ylabel=translate("dot product"))

    def draw(position: int) -> None:
        for old in (*dial.patches, *dial.texts):
            old.remove()
        dial.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor="#c9c6bd", linewidth=1))
        angles = (query + position * speed, key + (position + offsets[0]) * speed)
        positions = (position, position + offsets[0])
        for angle, colour, word, at in zip(angles, (COLOURS.vermilion, COLOURS.blue), names, positions, strict=True):
            _arrow(dial, angle, 1.0, colour, f"{word} {at}")
        begin, end = (math.degrees(angle) for angle in angles)
        dial.add_patch(Arc((0, 0), 0.7, 0.7, theta1=begin, theta2=end, color=INK, linewidth=1.4))
        for line, score in zip(dots, scores, strict=True):
            line.set_data(range(position + 1), [score] * (position + 1))

    ask(figure, "What does the dot product of two words depend on?")
    alt = translatable("Two arrows turn with their positions, {offset} apart: the angle between them stays, and so does the "
                       "dot product, {score:.2f}. At offset {other} it is {lower:.2f} at every position.")
    play(figure, draw, range(last + 1), alt, per_second=3, offset=offsets[0], score=scores[0], other=offsets[1],
         lower=scores[1])


def _scores(encode: Encode, query: torch.Tensor, key: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Return the dot products (T, T) of one query and one key (d,) at all pairs of positions."""
    width = len(query)
    placed = [encode(vector.expand(1, 1, len(positions), width), positions)[0, 0] for vector in (query, key)]
    return (placed[0] @ placed[1].T).detach()


def show_scores(ways: Mapping[str, Encode], width: int = 32, length: int = 48, seed: int = 0) -> dict[str, float]:
    """Draw the dot products of one query and one key at all pairs of positions, one panel for each position encoding.

    Parameters
    ----------
    ways : Mapping[str, Encode]
        Name of each position encoding to its function, called with vectors (1, 1, T, d) and positions (T,).
    width : int, optional
        Number of dimensions d of the query and the key.
    length : int, optional
        Number of positions.
    seed : int, optional
        Seed of the random query and key.

    Returns
    -------
    dict
        Encoding to the largest difference along a diagonal, as a fraction of the largest dot product.
    """
    figure, panels = new_figure(9.4, 3.9, columns=len(ways), sharey=True)
    query, key = torch.randn(2, width, generator=torch.Generator().manual_seed(seed))
    drifts = {}
    for axes, (name, encode) in zip(np.atleast_1d(panels), ways.items(), strict=True):
        scores = _scores(encode, query, key, torch.arange(length))
        top = float(scores.abs().max())
        spread = max(float(scores.diagonal(k).max() - scores.diagonal(k).min()) for k in range(1 - length, length))
        drifts[name] = spread / top
        axes.imshow(scores.detach().numpy(), cmap=DIVERGING, vmin=-top, vmax=top)
        axes.grid(False)
        axes.set(title=translate(name),
                 xlabel=translate("position of the key\ndrift along a diagonal: {drift:.0%}", drift=drifts[name]))
    np.atleast_1d(panels)[0].set_ylabel(translate("position of the query"))
    figure.supxlabel(translate("blue: above 0, orange: below 0"), fontsize=9.5, color=SOFT_INK)
    summary = ", ".join(f"{name} {drift:.0%}" for name, drift in translated(drifts).items())
    ask(figure, "Does the dot product depend on the offset alone?")
    finish(figure, "Dot products of one query and one key at all pairs of positions: clean diagonal stripes where only the "
                   "offset counts. Drift along a diagonal: {summary}.", summary=summary)
    return drifts


def show_wavelengths(turns: Mapping[str, torch.Tensor], trained: int) -> None:
    """Plot how many positions each pair of dimensions needs for a full turn, for several bases.

    Parameters
    ----------
    turns : Mapping[str, torch.Tensor]
        Name of each base to the positions for a full turn of each pair, (pairs,).
    trained : int
        Length of the training texts in tokens, drawn as a dashed line.
    """
    turns = translated(turns)
    figure, axes = new_figure(8.8, 3.8)
    tones = (COLOURS.blue, COLOURS.vermilion, COLOURS.green)
    for (name, values), colour in zip(turns.items(), tones, strict=False):
        axes.semilogy(values.detach(), color=colour)
        end = (len(values) - 1, float(values[-1]))
        axes.annotate(f"{name}: {end[1]:,.0f}", end, xytext=(6, 0), textcoords="offset points", va="center", color=colour,
                      fontweight="bold", annotation_clip=False)
    axes.axhline(trained, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.annotate(translate("a text of {trained:,} tokens", trained=trained), (0, trained), xytext=(4, 4),
                  textcoords="offset points", color=SOFT_INK,
                  fontsize=9.5)
    axes.set(xlabel=translate("pair of dimensions"), ylabel=translate("positions for one full turn"))
    summary = "; ".join(translate("{name} {last:,.0f} positions", name=name, last=values[-1]) for name, values in turns.items())
    ask(figure, "After how many positions has a pair turned once? (log scale)")
    finish(figure, "Positions that a pair needs for a full turn, rising from 6 for the first pair. Slowest pair: {summary}.",
                   summary=summary)


def card(ways: Mapping[str, Encode], width: int = 32, offsets: int = 40, starts: int = 24, seed: int = 0) -> dict[str, float]:
    """Draw the end card: dot products against the offset from many first positions, one panel for each position encoding.

    Parameters
    ----------
    ways : Mapping[str, Encode]
        Name of each of two position encodings to its function, as in `show_scores`.
    width : int, optional
        Number of dimensions of the query and the key.
    offsets : int, optional
        Number of offsets, from 0.
    starts : int, optional
        Number of first positions, spread evenly over 0 to 460.
    seed : int, optional
        Seed of the random query and key.

    Returns
    -------
    dict
        Encoding to the largest spread at one offset, as a fraction of the largest dot product.
    """
    figure, panels = new_figure(9.4, 4.4, columns=len(ways), sharey=True)
    generator = torch.Generator().manual_seed(seed)
    query = torch.randn(width, generator=generator)
    key = query + 0.5 * torch.randn(width, generator=generator)
    first = torch.linspace(0, 460, starts).long()
    spreads = {}
    for axes, (name, encode), colour in zip(panels, ways.items(), (COLOURS.green, COLOURS.vermilion), strict=True):
        lines = torch.stack([_scores(encode, query, key, start + torch.arange(offsets))[0] for start in first])
        spreads[name] = float((lines.amax(dim=0) - lines.amin(dim=0)).max() / lines.abs().max())
        axes.plot(np.arange(offsets), lines.T.detach().numpy(), color=colour, linewidth=0.9, alpha=0.55)
        axes.set(title=translate(name), xlabel=translate("offset · seen from {starts} positions, 0 to 460", starts=starts))
        spread = translate("largest spread at one offset:\n{spread:.0%} of the largest product", spread=spreads[name])
        axes.text(0.97, 0.95, spread, transform=axes.transAxes, ha="right", va="top", color=colour, fontweight="bold",
                  fontsize=10)
    panels[0].margins(y=0.18)
    panels[0].set_ylabel(translate("dot product of one query and one key"))
    figure.suptitle(translate("Does only the offset count?"), x=0.012, ha="left", fontsize=14, fontweight="bold")
    summary = "; ".join(translate("{name}: a spread of {spread:.0%}", name=name, spread=spread)
                        for name, spread in translated(spreads).items())
    finish(figure, "Dot products against the offset, seen from {starts} positions. {summary}.", starts=starts, summary=summary)
    return spreads
