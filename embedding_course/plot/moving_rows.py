"""Draw which rows each optimizer moves at each step, and how far (notebook 02)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..experiments.gradients.moving_rows import WORDS, Movement
from ..messages import Message, translate
from .style import BACKGROUND, COLOURS, INK, SEQUENTIAL, SOFT_INK, ask, finish, new_figure

_TITLES = {"sgd": Message("SGD"), "sgd-momentum": Message("SGD, momentum 0.9"), "adam": Message("Adam"),
           "adamw": Message("AdamW, decay 0.01"), "sparse-adam": Message("SparseAdam")}
#: Logarithms of the shortest and the longest move on the colour scale.
_SCALE = (-4.6, -1.5)


def _rows(axes: Axes, steps: int, named: bool) -> None:
    names = [f"{chinese}  {english}" for chinese, english in WORDS]
    axes.set_yticks(range(len(WORDS)), names if named else [""] * len(WORDS))
    axes.tick_params(axis="y", labelsize=10, labelcolor=INK)
    axes.set_xticks([0, steps // 2 - 1, steps - 1], ["1", str(steps // 2), str(steps)])
    axes.set_ylim(len(WORDS) - 0.5, -0.5)
    axes.grid(visible=False)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def _lattice(axes: Axes, rows: int, steps: int) -> None:
    axes.hlines(np.arange(rows + 1) - 0.5, -0.5, steps - 0.5, color="#e3e0d8", linewidth=0.7, zorder=0)
    axes.vlines(np.arange(steps + 1) - 0.5, -0.5, rows - 0.5, color="#e3e0d8", linewidth=0.7, zorder=0)


def _heat(axes: Axes, movement: Movement) -> None:
    """Draw the panel of one optimizer; a cell without colour is a row that did not change by a single bit."""
    distance = movement.distance.T.clamp_min(1e-12).log10().detach().numpy()
    cells = np.ma.masked_where(~movement.moved.T.detach().numpy(), distance)
    colours = SEQUENTIAL.with_extremes(bad=BACKGROUND)
    axes.imshow(cells, aspect="auto", cmap=colours, vmin=_SCALE[0], vmax=_SCALE[1])
    _lattice(axes, *cells.shape)
    axes.set_title(str(_TITLES[movement.optimizer]), fontsize=11)


def _read(axes: Axes, history: Sequence[torch.Tensor], tone: str) -> None:
    """Mark the rows of each batch with a dot; a larger dot is a row that occurs twice."""
    counted = [ids.unique(return_counts=True) for ids in history]
    steps = np.repeat(np.arange(len(history)), [len(rows) for rows, _ in counted])
    rows, times = (torch.cat(part).detach().numpy() for part in zip(*counted, strict=True))
    axes.scatter(steps, rows, s=(2.6 + 2.2 * (times - 1)) ** 2, color=tone, linewidths=0)


def _panels(
    movements: Sequence[Movement], history: Sequence[torch.Tensor], height: float, named: Sequence[int]
) -> tuple[Figure, np.ndarray]:
    """Draw the panels of the optimizers behind a free first one; those of the indices `named` have the words beside them."""
    figure, panels = new_figure(9.4, height, rows=2, columns=3, sharex=False)
    for index, (axes, movement) in enumerate(zip(panels.flat[1:], movements, strict=True), start=1):
        _heat(axes, movement)
        _read(axes, history, "#f39a4a")
        _rows(axes, len(history), named=index in named)
        axes.set_xlabel(translate("step") if index >= 3 else "")
    return figure, panels


def show_movement(movements: Sequence[Movement], history: Sequence[torch.Tensor]) -> None:
    """Draw the rows that are in each batch, and the rows that each of five optimizers moves, in six panels.

    Parameters
    ----------
    movements : Sequence[Movement]
        What five optimizers moved, one panel for each.
    history : Sequence[torch.Tensor]
        Ids of the batch of each step.
    """
    figure, panels = _panels(movements, history, 5.7, named=(3,))
    first = panels.flat[0]
    _lattice(first, len(WORDS), len(history))
    _read(first, history, INK)
    first.set_xlim(-0.5, len(history) - 0.5)
    first.set_title(translate("In the batch"), fontsize=11)
    _rows(first, len(history), named=True)
    figure.suptitle(translate("Which rows move, and when?"), x=0.012, ha="left", fontsize=14, fontweight="bold")
    key = translate("colour: how far the row moved in this step (light 0.00003, dark 0.03, logarithmic)\n"
                    "no colour: not one bit changed · dot: in the batch (large dot: twice)")
    figure.supxlabel(key, fontsize=9.5, color=SOFT_INK)
    finish(figure, "SGD and SparseAdam move a row only in steps whose batch holds it; momentum and Adam go on moving "
                   "every row seen before; AdamW moves all rows in every step, also the one never seen.")


def show_prediction(
    movements: Sequence[Movement], history: Sequence[torch.Tensor], predicted: Mapping[str, torch.Tensor]
) -> None:
    """Draw the end card: the heatmaps, and beside each the rows that moved, as measured and as predicted.

    Parameters
    ----------
    movements : Sequence[Movement]
        What five optimizers moved, one panel for each.
    history : Sequence[torch.Tensor]
        Ids of the batch of each step.
    predicted : Mapping[str, torch.Tensor]
        Name of each optimizer to the rows that the learner expects to move, (V,) of bool.
    """
    figure, panels = _panels(movements, history, 5.9, named=(1, 3))
    right = 0
    steps = len(history)
    for axes, movement in zip(panels.flat[1:], movements, strict=True):
        truth_at, guess_at = steps + 1.0, steps + 3.6
        axes.set_xlim(-0.5, steps + 4.6)
        truth, guess = movement.differs.tolist(), predicted[movement.optimizer].bool().tolist()
        agrees = [expected == guessed for expected, guessed in zip(truth, guess, strict=True)]
        right += sum(agrees)
        _marks(axes, truth_at, truth, [INK] * len(truth))
        _marks(axes, guess_at, guess, [INK if same else COLOURS.vermilion for same in agrees])
        for x, caption in ((truth_at, translate("true")), (guess_at, translate("mine"))):
            axes.text(x, -0.75, caption, ha="center", va="bottom", fontsize=9, color=SOFT_INK)
        axes.set_title(str(_TITLES[movement.optimizer]), fontsize=11, pad=22)  # above the two captions
    first = panels.flat[0]
    first.axis("off")
    whole = len(movements) * len(WORDS)
    first.text(0, 0.94, translate("Which rows move?"), fontsize=17, fontweight="bold", va="top", transform=first.transAxes)
    first.text(0, 0.71, translate("{right} of {whole}", right=right, whole=whole), fontsize=30, fontweight="bold", va="top",
               transform=first.transAxes,
               color=COLOURS.blue if right == whole else COLOURS.vermilion)
    caption = translate("rows predicted right by moved_rows.\n● moved   ○ did not move\nRed: predicted wrong.\n"
                        "Dot: in the batch (large: twice).\nColour: how far, in each step.")
    first.text(0, 0.43, caption, fontsize=9.5, va="top", color=SOFT_INK, linespacing=1.6, transform=first.transAxes)
    ask(figure, "Which rows did each optimizer move, and which did I predict?")
    finish(figure, "Rows by steps for five optimizers; the learner's moved_rows predicts {right} of {whole} rows.",
                   right=right, whole=whole)


def _marks(axes: Axes, x: float, moved: Sequence[bool], tones: Sequence[str]) -> None:
    """Draw one ring for each row, filled if the row moved."""
    filled = [tone if has_moved else BACKGROUND for has_moved, tone in zip(moved, tones, strict=True)]
    axes.scatter([x] * len(moved), range(len(moved)), s=36, facecolors=filled, edgecolors=tones, linewidths=1.4, clip_on=False)
