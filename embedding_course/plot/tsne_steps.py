"""Draw how t-SNE works: the neighbours of a point, and the map while it is optimised."""

from collections.abc import Mapping

import torch

from ..experiments.tsne_visualisation.map_making import Made
from ..messages import translate
from .maps import DIGIT_COLOURS, MARKS, bare
from .player import play
from .style import COLOURS, INK, ask, finish, new_figure, translated


def show_neighbours(scans: torch.Tensor, point: int, picks: Mapping[str, torch.Tensor], shown: int = 9) -> None:
    """Draw the scan of a point and its most probable neighbours, one row for each way to choose their probabilities.

    Parameters
    ----------
    scans : torch.Tensor
        Scans of 8 × 8 pixels, (n, 64), with values from 0 to 1.
    point : int
        Index of the point.
    picks : Mapping[str, torch.Tensor]
        Name of each row to the probabilities p(j | point), (n,).
    shown : int, optional
        Number of neighbours in a row.
    """
    picks = translated(picks)
    figure, panels = new_figure(9.2, 1.22 * len(picks), rows=len(picks), columns=shown + 1)
    summaries = []
    for row, (name, chances) in enumerate(picks.items()):
        best = chances.topk(shown)
        tiles = [
            (point, name),
            *((index, f"{chance:.1%}") for index, chance in zip(best.indices.tolist(), best.values.tolist(), strict=True)),
        ]
        for at, (axes, (index, text)) in enumerate(zip(panels[row], tiles, strict=True)):
            axes.imshow(scans[index].reshape(8, 8).detach().numpy(), cmap="Greys", vmin=0, vmax=1)
            axes.set(xticks=[], yticks=[])
            if at == 0:  # The name is wider than the scan, so it stands on the left.
                axes.set_ylabel(
                    text, rotation=0, ha="right", va="center", color=COLOURS.vermilion, fontsize=9.5, fontweight="bold"
                )
            else:
                axes.set_xlabel(text, color=INK, fontsize=8.8)
            axes.grid(False)
            for side in axes.spines.values():
                side.set_visible(True)
                side.set_color(COLOURS.vermilion if at == 0 else "#c9c6be")
                side.set_linewidth(2.2 if at == 0 else 0.8)
        share = float(best.values.sum())
        summaries.append(
            translate(
                "{name}: the most probable {shown} neighbours have {share:.0%} of all probability",
                name=name,
                shown=shown,
                share=share,
            )
        )
    summary = "; ".join(summaries)
    ask(figure, "Which neighbours does a point pick?")
    finish(
        figure,
        "A scanned digit and the scans that it picks as neighbours, with their probabilities. {summary}.",
        summary=summary,
    )


def show_making(made: Made, digits: torch.Tensor) -> None:
    """Show the map step by step with a player.

    Parameters
    ----------
    made : Made
        The map with its recorded steps and losses.
    digits : torch.Tensor
        The digit of each point, (n,).
    """
    figure, axes = new_figure(4.6, 3.7)
    dots = []
    for digit, (colour, (_, shape)) in enumerate(zip(DIGIT_COLOURS, MARKS, strict=False)):
        (marks,) = axes.plot([], [], shape, color=colour, markersize=3, label=str(digit))
        dots.append(marks)
    bare(axes)
    axes.set_aspect("equal", adjustable="box")
    figure.legend(loc="outside lower left", ncols=10, markerscale=1.6, handletextpad=0, columnspacing=0.8, fontsize=9)
    losses = dict(made.losses)

    def draw(step: int) -> None:
        y = made.frames[step]
        for digit, marks in enumerate(dots):
            marks.set_data(y[digits == digit, 0], y[digits == digit, 1])
        low, high = y.amin(dim=0), y.amax(dim=0)
        middle, width = (low + high) / 2, float((high - low).max())
        for set_limits, centre in ((axes.set_xlim, float(middle[0])), (axes.set_ylim, float(middle[1]))):
            set_limits(centre - 0.55 * width, centre + 0.55 * width)
        axes.set_title(translate("step {step}: {width:.2g} wide, loss {loss:.2f}", step=step, width=width, loss=losses[step]))

    ask(figure, "How does the map form?")
    alt = (
        "The map at steps {steps}: a speck, then clumps, then islands of digits. The divergence falls from {first:.2f} to "
        "{last:.2f}."
    )
    play(
        figure, draw, list(made.frames), alt, steps=", ".join(map(str, made.frames)), first=losses[0], last=losses[max(losses)]
    )
