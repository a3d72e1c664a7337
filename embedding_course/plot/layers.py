"""Draw how far encoders differ from the right one, layer by layer."""

from collections.abc import Mapping, Sequence

from matplotlib.colors import LogNorm

from ..messages import translate
from .style import INK, SEQUENTIAL, ask, finish, new_figure, translated

#: Differences of this size and smaller are rounding; those of the larger size and above are of the order of the numbers.
_ROUNDING, _WHOLE = 1e-6, 1.0


def show_layers(differences: Mapping[str, Sequence[float]], stages: Sequence[str]) -> None:
    """Draw a table: the largest difference of each encoder after each stage, darker where it is larger.

    Parameters
    ----------
    differences : mapping of str to sequence of float
        One difference for each stage, by the name of the encoder.
    stages : sequence of str
        The names of the stages.
    """
    differences, stages = translated(differences), [translate(stage) for stage in stages]
    figure, axes = new_figure(9.4, 0.46 * len(differences) + 0.7)
    rows = [[max(value, _ROUNDING) for value in row] for row in differences.values()]
    axes.imshow(rows, cmap=SEQUENTIAL, norm=LogNorm(_ROUNDING, _WHOLE), aspect="auto")
    for y, row in enumerate(differences.values()):
        for x, value in enumerate(row):
            dark = value > 0.01
            axes.text(x, y, _short(value), ha="center", va="center", fontsize=9, color="white" if dark else INK)
    axes.set_xticks(range(len(stages)), stages)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(differences)), differences)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    summary = "; ".join(f"{name}: " + ", ".join(map(_short, row)) for name, row in differences.items())
    ask(figure, "After which layer do the numbers begin to differ?")
    finish(
        figure,
        "The largest difference from the right encoder after each stage ({stages}). {summary}.",
        stages=", ".join(stages),
        summary=summary,
    )


def _short(value: float) -> str:
    """Return a number in few letters: 0, 3e-06, 0.0042, 1.3 or 112."""
    if value == 0 or value >= 10:
        return f"{value:.0f}"
    return f"{value:.0e}" if value < 0.0001 else f"{value:.2g}"
