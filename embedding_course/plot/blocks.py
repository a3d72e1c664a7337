"""Draw the figures of notebook 07 about whole models: loss curves, parameters, and the vectors of an ambiguous word."""

from collections.abc import Mapping, Sequence

import torch

from ..messages import Listing, translate
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated

_DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)), (0, (9, 3)))
_TONES = (COLOURS.blue, COLOURS.vermilion, COLOURS.green, COLOURS.purple, COLOURS.yellow, COLOURS.grey)


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Return the heights in the given order, moved up where two are closer than `gap`."""
    placed, last = [0.0] * len(heights), -1e9
    for index in sorted(range(len(heights)), key=heights.__getitem__):
        last = placed[index] = max(heights[index], last + gap)
    return placed


def _number(value: float) -> str:
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1g}"


def show_runs(
    curves: Mapping[str, Sequence[Sequence[float]]], title: str, source: str = "", levels: Mapping[str, float] | None = None,
    log: bool = False,
) -> None:
    """Plot the held-out losses of several runs, each labelled with its last value.

    Parameters
    ----------
    curves : Mapping[str, Sequence[Sequence[float]]]
        Name of each run to its points (step, loss), with losses in nats per word.
    title : str
        The question that the figure answers.
    source : str, optional
        Where the curves were measured, written below the axis.
    levels : Mapping[str, float] or None, optional
        Name to loss of each horizontal line that is drawn for comparison, in nats per word.
    log : bool, optional
        True for a logarithmic axis of losses.
    """
    curves = translated(curves)
    levels = translated(levels or {})
    figure, axes = new_figure(9.0, 4.3)
    for (name, curve), colour, dash in zip(curves.items(), _TONES, _DASHES, strict=False):
        axes.plot(*zip(*curve, strict=True), color=colour, linestyle=dash, label=name)
    if log:
        axes.set_yscale("log")
    last = max(curve[-1][0] for curve in curves.values())
    levels = levels or {}
    for height in levels.values():
        axes.plot([0, last], [height, height], color=SOFT_INK, linewidth=1.1, linestyle=(0, (4, 3)))
    axes.set_xlim(0, last * 1.42)
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= last])
    axes.set_xlabel(translate("step") + (f"\n{translate(source)}" if source else ""))
    axes.set_ylabel(translate("loss on held-out text, nats\nper word (log scale)") if log
                    else translate("loss on held-out text, nats\nper word (axis not from 0)"))
    axes.set_title(translate(title))
    values = [*(curve[-1][1] for curve in curves.values()), *levels.values()]
    ends = [axes.transAxes.inverted().transform(axes.transData.transform((0, value)))[1] for value in values]
    tones = [*_TONES[: len(curves)], *(SOFT_INK for _ in levels)]
    for name, value, colour, end, height in zip([*curves, *levels], values, tones, ends, _spread(ends, 0.065), strict=True):
        if abs(height - end) > 0.01:  # A line connects the label to its curve if it had to move.
            axes.plot([1 / 1.42, 1 / 1.42 + 0.01], [end, height], transform=axes.transAxes, color=colour, linewidth=0.9)
        axes.text(1 / 1.42 + 0.012, height, f"{name}  {_number(value)}", transform=axes.transAxes, color=colour,
                  va="center", fontweight="normal" if colour == SOFT_INK else "bold")
    summary = ", ".join(f"{name} {_number(curve[-1][1])}" for name, curve in curves.items())
    compared = "".join(f"; {name} {height:.2f}" for name, height in levels.items())
    finish(figure, "Held-out loss over training. At the end: {summary}.", summary=summary + compared)


def show_counts(models: Mapping[str, Mapping[str, int]]) -> None:
    """Draw the parts of several models as fractions of all parameters of the model."""
    models = {translate(model): translated(parts) for model, parts in models.items()}
    figure, axes = new_figure(9.0, 0.95 * len(models) + 1.3)
    tones = dict(zip(next(iter(models.values())), ((COLOURS.blue, ""), (COLOURS.green, "//"), (COLOURS.yellow, ".."),
                                                   (COLOURS.purple, "")), strict=False))
    for row, parts in enumerate(models.values()):
        total, left = sum(parts.values()), 0.0
        for name, (colour, hatch) in tones.items():
            share = parts[name] / total
            axes.barh(row, share, left=left, color=colour, hatch=hatch, edgecolor="white", height=0.6,
                      label=name if row == 0 else None)
            if share > 0.04:
                text = f"{share:.1%}" if share > 0.99 else f"{share:.0%}"
                axes.text(left + share / 2, row, text, ha="center", va="center", fontweight="bold", color=INK, fontsize=11,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
            left += share
        axes.text(1.01, row, f"{total:,}", va="center", fontweight="bold")
    axes.set_yticks(range(len(models)), list(models))
    axes.tick_params(axis="y", labelcolor=INK, labelsize=10.5)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.set_xticks([])
    axes.set_xlim(0, 1.2)
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.02), ncols=len(tones))
    first = next(iter(tones))
    totals = {name: sum(parts.values()) for name, parts in models.items()}
    text = "; ".join(translate("{name}: {share:.1%} of {total:,}", name=name, share=parts[first] / totals[name],
                               total=totals[name]) for name, parts in models.items())
    ask(figure, "Where are a model's parameters?")
    finish(figure, "Fractions of the parameters of {models} models. {first}: {text}.", models=len(models), first=first,
                   text=text)


def show_senses(panels: Mapping[str, torch.Tensor], senses: Sequence[str], names: Mapping[str, str]) -> None:
    """Draw vectors of one word in many sentences, marked by the sense of the word; one panel for each kind of vector.

    Parameters
    ----------
    panels : Mapping[str, torch.Tensor]
        Name of each kind of vector to one point for each sentence, (N, 2).
    senses : Sequence[str]
        Sense of the word in each of the N sentences.
    names : Mapping[str, str]
        Sense to the name that is written above its points; at most two senses are drawn.
    """
    panels = translated(panels)
    names = {sense: translate(name) for sense, name in names.items()}
    figure, all_axes = new_figure(9.2, 4.0, columns=len(panels))
    looks = ((COLOURS.vermilion, "o"), (COLOURS.blue, "^"))
    for axes, (title, points) in zip(all_axes, panels.items(), strict=True):
        for (sense, name), (colour, mark) in zip(names.items(), looks, strict=False):
            rows = points[torch.tensor([other == sense for other in senses])]
            axes.scatter(*rows.T.detach().numpy(), s=34, marker=mark, facecolor=colour, edgecolor="white", linewidth=0.6)
            if title == list(panels)[-1]:
                middle = rows[:, 0].mean()
                axes.annotate(name, (float(middle), 1.01), xycoords=("data", "axes fraction"), ha="center", va="bottom",
                              color=colour, fontsize=13, fontweight="bold")
        axes.set_title(title, pad=26)
        axes.set_xticks([])
        axes.set_yticks([])
        if points.std(dim=0).max() < 1e-6:
            axes.set(xlim=(-1, 1), ylim=(-1, 1))
            axes.annotate(translate("{points} sentences,\none point", points=len(points)),
                          (float(points[0, 0]), float(points[0, 1])), xytext=(10, -6),
                          textcoords="offset points", va="top", color=SOFT_INK)
    ask(figure, "Does a word with two meanings have one vector or two groups of them?")
    both = Listing(list(names.values()))
    finish(figure, "The vectors of one word in {senses} sentences: from the table all in one point, behind the blocks in "
                   "two groups, {both}.", senses=len(senses), both=both)
