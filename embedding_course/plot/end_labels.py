"""Label several lines at their ends, moved apart where the labels would overlap."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .style import LABEL_BOX

#: Distance of a label from its line, and of two labels, in points.
_BESIDE, _GAP = 8.0, 13.5
#: A label that moved by less than this needs no line to its curve.
_STILL = 2.0


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Return the heights in their order, moved as little as possible so that any two are at least `gap` apart.

    Parameters
    ----------
    heights : Sequence[float]
        The heights, in any order.
    gap : float
        Smallest distance between two of them.

    Examples
    --------
    >>> apart([0.0, 1.0, 10.0], 3.0)
    [-1.0, 2.0, 10.0]
    """
    groups: list[list[float]] = []  # Sum of the heights without gaps, and size, of each group.
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for rank, index in enumerate(order):
        groups.append([heights[index] - rank * gap, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, size = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + size]
    levels = itertools.chain.from_iterable([total / size] * int(size) for total, size in groups)
    placed = [0.0] * len(heights)
    for rank, (index, level) in enumerate(zip(order, levels, strict=True)):
        placed[index] = level + rank * gap
    return placed


def end_labels(figure: Figure, labels: Mapping[Line2D, str], *, gap: float = _GAP, first: bool = False) -> None:
    """Write each text in the colour of its line beside the last point of the line; a thin line leads to a label that moved.

    Parameters
    ----------
    figure : Figure
        Its panel holds all lines, and has its final limits and scales.
    labels : Mapping[Line2D, str]
        Line to text.
    gap : float, optional
        Smallest distance of two labels, in points.
    first : bool, optional
        Write beside the first point instead, on the left.
    """
    figure.draw_without_rendering()
    index, side = (0, -1) if first else (-1, 1)
    ends = [tuple(float(np.asarray(values)[index]) for values in line.get_data()) for line in labels]
    axes: Any = next(iter(labels)).axes
    heights = [float(axes.transData.transform(end)[1]) * 72 / figure.dpi for end in ends]
    shifts = [new - old for new, old in zip(apart(heights, gap), heights, strict=True)]
    beside = side * _BESIDE * (2 if max(map(abs, shifts)) > _STILL else 1)
    for (line, text), end, shift in zip(labels.items(), ends, shifts, strict=True):
        colour = line.get_color()
        leader = {"arrowstyle": "-", "color": colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 3, "relpos": (first, 0.5)}
        axes.annotate(
            text, end, xytext=(beside, shift), textcoords="offset points", ha="right" if first else "left", va="center",
            color=colour, fontsize=10, fontweight="bold", annotation_clip=False, bbox=LABEL_BOX,
            arrowprops=leader if abs(shift) > _STILL else None,
        )
