"""How often a search misses the most probable sentence, by the width of its beam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.ticker import PercentFormatter

from .style import COLOURS, end_label, finish, new_figure

__all__ = ["show_search_errors"]

_LOOKS = ((COLOURS.vermilion, "o", "-"), (COLOURS.blue, "s", (0, (5, 2))), (COLOURS.green, "^", (0, (1.5, 1.5))))


def show_search_errors(numbers: Mapping[str, float], steps: Sequence[int], searches: Sequence[str]) -> None:
    """One line for each number of training steps: the fraction of sentences whose most probable translation is missed."""
    figure, axes = new_figure(8.2, 3.5)
    said = []
    for number, (tone, marker, dash) in zip(steps, _LOOKS, strict=True):
        missed = [numbers[f"{number}, {search}, missed"] for search in searches]
        (line,) = axes.plot(range(len(missed)), missed, color=tone, marker=marker, linestyle=dash)
        end_label(line, f"{number:,} steps")
        for place, share in enumerate(missed):
            look = {"ha": "center", "color": tone, "fontsize": 9.5}
            axes.annotate(f"{share:.0%}", (place, share), xytext=(0, 7), textcoords="offset points", **look)
        listed = ", ".join(f"{search} {share:.0%}" for search, share in zip(searches, missed, strict=True))
        said.append(f"after {number:,} steps {listed}")
    axes.set_xticks(range(len(searches)), [name if name == "greedy" else f"width {name}" for name in searches])
    top = max(numbers[f"{number}, {search}, missed"] for number in steps for search in searches)
    axes.set(ylabel="most probable sentence missed", ylim=(-0.03 * top, 1.2 * top))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_title("How often does a search miss the most probable sentence?")
    finish(figure, f"Fraction of sentences whose most probable translation is missed: {'; '.join(said)}.")
