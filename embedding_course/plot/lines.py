"""Plot labelled lines for the measurements of notebook 02."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter

from ..experiments.gradients.initialisation import Run
from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, end_label, finish, new_figure, translated

_DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_RECIPES = {
    "N(0, 1)": COLOURS.vermilion,
    "Kaiming": COLOURS.green,
    "Xavier": COLOURS.blue,
    "N(0, 0.02²)": COLOURS.purple,
}


def show_step_errors(steps: Sequence[float], errors: Mapping[str, Sequence[float]]) -> None:
    """Plot the error of a numeric gradient against its step, on log axes.

    Parameters
    ----------
    steps : Sequence[float]
        Step sizes of the difference quotient.
    errors : Mapping[str, Sequence[float]]
        "central, float64", "forward, float64" and "central, float32" to the largest error at each step, as a fraction of the
        largest slope.
    """
    figure, axes = new_figure(7.6, 3.9)
    # Colour, dash, and the position of the name near the lowest point, away from the other curves.
    styles = {
        "central, float64": (COLOURS.blue, "-", (0, -15), "center"),
        "forward, float64": (COLOURS.green, (0, (5, 2)), (0, 30), "center"),
        "central, float32": (COLOURS.vermilion, (0, (1.5, 1.5)), (-14, 50), "center"),
    }
    for name, values in errors.items():
        colour, dash, spot, side = styles[name]
        axes.loglog(steps, values, color=colour, linestyle=dash)
        best = min(range(len(steps)), key=values.__getitem__)
        axes.plot(steps[best], values[best], "o", color=colour)
        leader = {"arrowstyle": "-", "color": colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 4}
        axes.annotate(f"{translate(name)}: {values[best]:.0e}", (steps[best], values[best]), xytext=spot, ha=side,
                      textcoords="offset points", color=colour, fontweight="bold", fontsize=10,
                      arrowprops=leader if spot[1] > 20 else None)
    axes.set(xlabel=translate("step size (log scale)"),
             ylabel=translate("largest error (fraction of\nthe largest slope; log scale)"))
    axes.set_ylim(1e-13, 30)
    axes.set_title(translate("Which step gives the smallest error?"))
    finish(figure, "Error of a numeric gradient against step size: each curve is a V, lowest for central differences "
                   "in float64 and several hundred thousand times higher in float32.")


def show_first_losses(runs: Mapping[bool, Mapping[str, Run]], uniform: float) -> None:
    """Plot training curves for four initialisations, with tied output weights (left) and separate ones (right).

    Parameters
    ----------
    runs : Mapping[bool, Mapping[str, Run]]
        True for a tied output, False for a separate one, to the run of each initialisation by name.
    uniform : float
        Loss of uniform guessing, in nats.
    """
    figure, panels = new_figure(9.2, 3.9, columns=2, sharey=True)
    for axes, tied in zip(panels, (True, False), strict=True):
        for index, (name, run) in enumerate(runs[tied].items()):
            losses = torch.tensor(run.losses)
            # The mean of the last five steps; the first four steps have fewer.
            smooth = [losses[max(0, step - 5) : step].mean().item() for step in range(1, len(losses) + 1)]
            axes.plot(range(1, len(losses) + 1), smooth, color=_RECIPES[name], linewidth=1.8, linestyle=_DASHES[index])
            if tied:
                label = translate("{name}: starts at {loss:.1f}", name=name, loss=run.losses[0]) if index == 0 else name
                spot = (0.16, 0.86) if index == 0 else (0.17, 0.34 - 0.085 * index)
                if index:  # Three curves coincide, and their dashes tell them apart.
                    dash = Line2D([0.03, 0.15], [spot[1] + 0.02] * 2, transform=axes.transAxes, color=_RECIPES[name])
                    dash.set(linestyle=_DASHES[index], linewidth=1.8)
                    axes.add_line(dash)
                axes.text(*spot, label, transform=axes.transAxes, color=_RECIPES[name], fontweight="bold")
        axes.axhline(uniform, color=SOFT_INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.set(xlabel=translate("step"),
                 title=translate("The output uses the same table") if tied else translate("The output has its own table"))
        axes.set_yscale("log")
        axes.set_yticks([3, 5, 7, 10, 15, 25], ["3", "5", "7", "10", "15", "25"])
        axes.yaxis.set_minor_locator(NullLocator())
    panels[0].set_ylabel(translate("loss, mean of 5 steps, nats (log scale)"))
    last = max(len(run.losses) for run in runs[False].values())
    panels[1].annotate(translate("uniform guessing, ln V"), (last, uniform), xytext=(0, 6), textcoords="offset points",
                       ha="right", color=SOFT_INK, fontsize=9.5)
    ask(figure, "How high is the first loss, and how does it fall?")
    finish(figure, "With a tied output N(0, 1) starts at a loss of {loss:.1f} and stays behind; with an output of its own "
                   "all four recipes start near ln V and run together.", loss=runs[True]['N(0, 1)'].losses[0])


def show_step_cost(sizes: Sequence[int], costs: Mapping[str, Sequence[float]]) -> None:
    """Plot milliseconds per training step against the number of rows, on log axes.

    Parameters
    ----------
    sizes : Sequence[int]
        Numbers of rows of the table.
    costs : Mapping[str, Sequence[float]]
        Name of each optimizer to its milliseconds per step, one number for each size.
    """
    costs = translated(costs)
    figure, axes = new_figure(7.6, 3.6)
    tones = dict(zip(costs, (COLOURS.vermilion, COLOURS.yellow, COLOURS.blue, COLOURS.green), strict=False))
    for name, values in costs.items():
        (line,) = axes.loglog(sizes, values, "o-", color=tones[name])
        milliseconds = float(f"{values[-1]:.2g}")  # So it is never written with an exponent.
        end_label(line, translate("{name}  {milliseconds:g} ms", name=name, milliseconds=milliseconds))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set(xlabel=translate("rows in the table (each step reads 64; log scale)"),
             ylabel=translate("milliseconds a step (log scale)"))
    axes.set_title(translate("What does a step cost as the table grows?"))
    finish(figure, "Time of one training step against table size: dense SGD and Adam grow with the table, the sparse "
                   "forms stay flat.")


def show_share_moved(shares: Mapping[str, torch.Tensor], in_batch: torch.Tensor) -> None:
    """Plot the share of all rows that each optimizer has moved against the step, on real text.

    Parameters
    ----------
    shares : Mapping[str, torch.Tensor]
        "adamw", "adam" and "sgd" to the share of rows moved in each step, (steps,), from 0 to 1.
    in_batch : torch.Tensor
        Share of rows in the batch of each step, (steps,), from 0 to 1.
    """
    figure, axes = new_figure(7.6, 3.6)
    steps = range(1, len(in_batch) + 1)
    for name, tone, label in (
        ("adamw", COLOURS.vermilion, "AdamW"),
        ("adam", COLOURS.blue, translate("Adam, SGD with momentum")),
        ("sgd", COLOURS.green, "SGD, SparseAdam"),
    ):
        (line,) = axes.plot(steps, shares[name].tolist(), color=tone, linewidth=2.4)
        end_label(line, label)
    axes.plot(steps, in_batch.tolist(), "o", markersize=3, color=INK)
    axes.annotate(translate("dots: rows in the batch"), (steps[0], float(in_batch[0])), xytext=(2, -15), color=INK,
                  textcoords="offset points", fontsize=9.5)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel=translate("step"), ylabel=translate("rows moved in this step"), ylim=(-0.08, 1.05))
    axes.set_title(translate("How many rows does each optimizer move? ({steps} batches of real text)", steps=len(steps)))
    finish(figure, "In step {steps} the batch holds {share:.1%} of the rows; SGD and SparseAdam move just those, Adam and "
                   "momentum {adam:.0%}, AdamW all.", steps=len(steps), share=in_batch[-1], adam=shares['adam'][-1])


def show_travel(paths: Mapping[str, torch.Tensor]) -> None:
    """Plot the distance that a row travels after one gradient of size 1, in learning rates, against the step."""
    paths = translated(paths)
    figure, axes = new_figure(7.6, 3.6)
    tones = (COLOURS.green, COLOURS.purple, COLOURS.blue, COLOURS.vermilion)
    for (name, path), tone in zip(paths.items(), tones, strict=False):
        (line,) = axes.plot(range(1, len(path) + 1), path.tolist(), color=tone)
        end_label(line, f"{name}  {path[-1]:.1f}")
    axes.set(xlabel=translate("steps since its only gradient"), ylabel=translate("distance from the start\n(learning rates)"),
             ylim=(0, None))
    axes.set_title(translate("How far does a single gradient carry a row?"))
    ends = ", ".join(f"{name} {path[-1]:.1f}" for name, path in paths.items())
    finish(figure, "How far a row has travelled after its only gradient, of size 1, in learning rates: {ends}.", ends=ends)
