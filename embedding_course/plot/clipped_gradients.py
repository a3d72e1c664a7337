"""Draw gradients at clipped rows: fields of arrows in the plane, the path of one row, and gradients through time."""

from collections.abc import Callable, Mapping, Sequence

import torch
from matplotlib.patches import Circle

from ..experiments.max_norm.three_gradients import KINDS, gradients, paths
from ..messages import Message, translatable, translate
from .max_norm import arrow
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, end_label, finish, new_figure, translated

_BALL = "#e6eef3"
_COLOURS = dict(zip(KINDS, (COLOURS.purple, COLOURS.vermilion, COLOURS.blue), strict=True))
_TITLES = {
    "as_it_stood": Message("at the row before"), "pytorch": Message("at the clipped row (PyTorch)"),
    "through_norm": Message("through the norm"),
}


def _numbers(pair: Sequence[float]) -> str:
    # Rounding may give -0.00.
    return "(" + ", ".join(f"{value if abs(value) > 5e-4 else 0.0:.3g}" for value in pair) + ")"


def fields(
    loss: Callable[[torch.Tensor], torch.Tensor], max_norm: float, row: Sequence[float], lr: float = 0.2
) -> dict[str, torch.Tensor]:
    """Draw one SGD step from every point of a grid, for each of three gradients.

    Parameters
    ----------
    loss : Callable[[torch.Tensor], torch.Tensor]
        Takes rows (N, 2) and returns one loss for each row, (N,).
    max_norm : float
        Norm to which rows are clipped.
    row : Sequence[float]
        The row (2,) that is highlighted.
    lr : float, optional
        Learning rate of the step.

    Returns
    -------
    dict
        Kind of gradient to its value at `row`, (2,).
    """
    figure, panels = new_figure(9.6, 3.9, columns=3, sharex=True, sharey=True)
    ticks = torch.arange(-4.0, 4.1, 2.0)
    inside = 0.65 * max_norm * torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    grid = torch.cat([torch.cartesian_prod(ticks, ticks), inside, torch.tensor([row])])
    grid = grid[grid.norm(dim=1) > 0]
    by_kind, at_row = gradients(grid, loss, max_norm), {}
    for axes, kind in zip(panels, KINDS, strict=True):
        at_row[kind] = by_kind[kind][-1]
        colour, steps = _COLOURS[kind], -lr * by_kind[kind]
        axes.add_patch(Circle((0, 0), max_norm, facecolor=_BALL, edgecolor=SOFT_INK, linestyle=(0, (4, 3))))
        still = steps.norm(dim=1) < 1e-6
        axes.plot(*grid[still].T, ".", color=colour, markersize=4)
        axes.quiver(*grid[~still].T, *steps[~still].T, color=colour, angles="xy", scale_units="xy", scale=1, width=0.009,
                    headwidth=3.6, headlength=3.6, headaxislength=3.3)
        axes.plot(*row, "o", markersize=3.5, color=INK)
        axes.annotate(f"({row[0]:g}, {row[1]:g})", row, xytext=(0, 5), textcoords="offset points", ha="center", va="bottom")
        axes.set_title(str(_TITLES[kind]), color=colour)
        axes.set(xlim=(-5.6, 5.6), ylim=(-5.6, 5.6), aspect="equal")
        gradient = _numbers(at_row[kind].tolist())
        axes.set_xlabel(translate("gradient at ({first:g}, {second:g}): {gradient}", first=row[0], second=row[1],
                                  gradient=gradient), color=INK)
    ask(figure, "Where does one SGD step take a row?")
    summary = "; ".join(f"{_TITLES[kind]}: {_numbers(at_row[kind].tolist())}" for kind in KINDS)
    finish(figure, "One SGD step from each point of a grid, with the circle of radius {max_norm:g}. At the marked row: "
                   "{summary}. Inside the circle all three agree; outside, PyTorch's arrows have one length, and through "
                   "the norm there is none.", max_norm=max_norm, summary=summary)
    return at_row


def way_of_a_row(start: Sequence[float], target: Sequence[float], max_norm: float, lr: float, steps: int) -> dict[str, float]:
    """Draw the path of one row under SGD, clipped at each lookup and with a differentiated clip.

    Parameters
    ----------
    start : Sequence[float]
        First value of the row, two numbers.
    target : Sequence[float]
        The point that the loss pulls the row to, two numbers outside the circle.
    max_norm : float
        Norm to which the row is clipped.
    lr : float
        Learning rate.
    steps : int
        Number of steps of SGD.

    Returns
    -------
    dict
        Distances of the last clipped row from the "target", from the "nearest point" inside the circle, and from the "origin".
    """
    goal = torch.tensor(target)
    by_kind = paths(torch.tensor(start), lambda rows: (rows - goal).square().sum(dim=-1), max_norm, lr, steps)
    figure, axes = new_figure(7.6, 5.0)
    axes.add_patch(Circle((0, 0), max_norm, facecolor=_BALL, edgecolor=SOFT_INK, linestyle=(0, (4, 3))))
    clipped, through = by_kind[KINDS[1]].tolist(), by_kind[KINDS[2]].tolist()
    axes.plot(*zip(clipped[0], clipped[1], strict=True), color=COLOURS.vermilion, linestyle=(0, (1, 1.6)), linewidth=1.6)
    for step in range(1, len(clipped) - 1):
        if step % 2:  # a step of the optimizer
            arrow(axes, clipped[step], clipped[step + 1], COLOURS.vermilion, 1.8)
        else:  # a lookup
            axes.plot(*zip(clipped[step], clipped[step + 1], strict=True), color=COLOURS.vermilion,
                      linestyle=(0, (1, 1.6)), linewidth=1.6)
    axes.plot(*zip(*through, strict=True), "o-", color=COLOURS.blue, linewidth=1.4, markersize=4)
    nearest = (goal / goal.norm() * max_norm).tolist()
    axes.plot(*nearest, "o", markersize=10, markerfacecolor="none", markeredgewidth=1.8, color=INK)
    axes.annotate(translate("nearest allowed\npoint"), nearest, xytext=(-12, -6), textcoords="offset points", ha="right",
                  va="top")
    axes.plot(*target, "*", markersize=14, color=INK)
    axes.annotate(translate("target"), target, xytext=(8, 6), textcoords="offset points")
    axes.plot(*start, "o", markersize=7, markerfacecolor=BACKGROUND, color=INK)
    axes.annotate(translate("start"), start, xytext=(-8, 4), textcoords="offset points", ha="right")
    for path, colour, label in (
        (clipped, COLOURS.vermilion, translate("PyTorch:\nstep (arrow), clip (dots)")),
        (through, COLOURS.blue, translate("through the norm:\n{steps} steps", steps=steps)),
    ):
        axes.annotate(label, path[-1], xytext=(12, -6), textcoords="offset points", va="top" if path is clipped else "center",
                      color=colour, fontweight="bold")
    axes.set(aspect="equal", xlabel=translate("dimension 1"), ylabel=translate("dimension 2"))
    axes.margins(0.1)
    lengths = [sum(value * value for value in path[-1]) ** 0.5 for path in (clipped, through)]
    ask(figure, "Which path does a clipped row take to its target?")
    finish(figure, "The way of one row towards a target outside the circle. With PyTorch's clip it zigzags along the circle "
                   "to the nearest allowed point (its last step ends at length {zigzag:.2f}); through the norm it only "
                   "turns and grows, to length {turning:.2f}.", zigzag=lengths[0], turning=lengths[1])
    last = torch.tensor(clipped[-2])
    points = {"target": goal, translatable("nearest point"): torch.tensor(nearest), translatable("origin"): torch.zeros(2)}
    return {name: (last - point).norm().item() for name, point in points.items()}


def through_time(lengths: Sequence[int], sizes: Mapping[str, Sequence[float]]) -> None:
    """Plot the gradient norm at the first word against the length of the sentence, on a logarithmic axis.

    Parameters
    ----------
    lengths : Sequence[int]
        Numbers of words in a sentence.
    sizes : Mapping[str, Sequence[float]]
        Name of each setting to its gradient norms, one for each length. There are three settings.
    """
    sizes = translated(sizes)
    figure, axes = new_figure(7.8, 3.8)
    for (name, values), colour in zip(sizes.items(), (COLOURS.blue, COLOURS.vermilion, COLOURS.green), strict=True):
        (line,) = axes.plot(lengths, values, "o-", color=colour)
        end_label(line, f"{name}: {values[-1]:.3g}")
    axes.set(yscale="log", xlabel=translate("words in the sentence"), ylabel=translate("gradient norm at the first word"))
    axes.set_xticks(list(lengths))
    summary = "; ".join(translate("{name} {first:.3g} to {last:.3g}", name=name, first=values[0], last=values[-1])
                        for name, values in sizes.items())
    ask(figure, "How much gradient reaches the first word? (log scale)")
    finish(figure, "Gradient at the first word for sentences of {zigzag} to {last} words: {summary}.", zigzag=lengths[0],
                   last=lengths[-1], summary=summary)
