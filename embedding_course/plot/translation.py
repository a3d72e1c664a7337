"""Plot the measurements of notebook 05: memory of the first word, loss curves, exact match by length and by width."""

from collections.abc import Mapping

import torch
from matplotlib.ticker import PercentFormatter

from ..experiments.curves import Curves
from ..messages import Message, translate
from .style import COLOURS, INK, SOFT_INK, end_label, finish, new_figure, translated

_TONES = (COLOURS.grey, COLOURS.vermilion, COLOURS.blue, COLOURS.green)
_DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))


def show_influence(influence: Mapping[str, torch.Tensor]) -> None:
    """Plot how much the first word still changes the state against the number of words read since, on a log axis."""
    influence = translated(influence)
    figure, axes = new_figure(8.6, 3.7)
    for (name, values), tone, dash in zip(influence.items(), _TONES, _DASHES, strict=False):
        (line,) = axes.semilogy(range(1, len(values) + 1), values, color=tone, linestyle=dash)
        end_label(line, name)
    axes.set(xlabel=translate("words read"), ylabel=translate("influence of the first word\n(after one word: 1; log scale)"),
             xlim=(1, None))
    axes.set_title(translate("How long does the first word move the state?"))
    last = ", ".join(f"{name} {values[-1]:.1e}" for name, values in influence.items())
    finish(figure, "Influence of the first word on the state, falling with the words read since. At the end: {last}.",
                   last=last)


def _label_offset(before: float, share: float, after: float) -> tuple[int, int]:
    """Return the offset of a number from its mark in points, right and up, so that its own line does not cross it."""
    if share < 0.2:  # There is no room below the mark.
        return (13 if before - share > 0.2 else 0), 8
    if before < share > after:
        return 0, 8
    return (-10 if after < share else 11), -14


_KINDS = {"attention": Message("with attention"), "plain": Message("without attention")}


def show_lengths(shares: Mapping[str, Mapping[str, float]], title: str = "") -> None:
    """Plot the share of right translations against the number of Chinese words, one line for each model.

    Parameters
    ----------
    shares : Mapping[str, Mapping[str, float]]
        "attention" or "plain" to the share of right translations, from 0 to 1, by number of Chinese words.
    title : str, optional
        The question that the figure answers; there is a default.
    """
    figure, axes = new_figure(8.4, 3.6)
    looks = {"attention": (_TONES[1], "o", _DASHES[0]), "plain": (_TONES[2], "s", _DASHES[1])}
    for name, values in shares.items():
        tone, marker, dash = looks[name]
        (line,) = axes.plot(range(len(values)), list(values.values()), color=tone, marker=marker, linestyle=dash)
        end_label(line, str(_KINDS[name]))
        marked = list(values.values())
        for index, (before, share, after) in enumerate(zip([marked[0], *marked], marked, [*marked[1:], 1.0], strict=False)):
            offset = (0, 8) if name == "attention" else _label_offset(before, share, after)
            look = {"ha": "center", "color": tone, "fontsize": 9.5}
            axes.annotate(f"{share:.0%}", (index, share), xytext=offset, textcoords="offset points", **look)
    names = list(next(iter(shares.values())))
    axes.set_xticks(range(len(names)), names)
    low = min(min(values.values()) for values in shares.values())
    bottom = max(low - 0.12, 0)
    axes.set(xlabel=translate("Chinese words"), ylabel=translate("translated without a wrong word"), ylim=(bottom, 1.06))
    if bottom:
        axes.set_ylabel(translate("translated without a wrong word\n(axis from {bottom:.0%})", bottom=bottom))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_yticks([tick for tick in axes.get_yticks() if low - 0.12 <= tick <= 1.001])
    axes.set_title(translate(title) or translate("How many held-out sentences of each length come out right?"))
    summary = "; ".join(f"{_KINDS[name]}: " + ", ".join(translate("{key} words {share:.0%}", key=key, share=share)
                                                        for key, share in values.items())
                        for name, values in shares.items())
    finish(figure, "Fraction of held-out sentences that are right, by length. {summary}.", summary=summary)


def show_slips(curves: Curves) -> None:
    """Plot the loss curves of the broken runs beside the right one, with the exact match of each."""
    figure, panels = new_figure(10.4, 3.9, columns=2, width_ratios=[1.25, 1])
    names = list(curves.curves)
    labels = [translate(curves.label(name)) for name in names]
    tones = dict(zip(("right", *[name for name in names if name != "right"]), _TONES, strict=False))
    for name, label, dash in zip(names, labels, _DASHES, strict=False):
        steps, values = zip(*curves.curves[name], strict=True)
        (line,) = panels[0].semilogy(steps, values, color=tones[name], linestyle=dash)
        # These two lines end close together.
        end_label(line, label, dy={"right": 6.5, "loss": -6.5}.get(name, 0.0))
    panels[0].set(xlabel=translate("step"), ylabel=translate("training loss, nats (log scale)"),
                  title=translate("What does the curve say?"))
    rows = range(len(names))
    shares = [curves.numbers[name] for name in names]
    more = [curves.numbers[f"{name}, padded"] for name in names]
    for row, name in enumerate(names):
        panels[1].barh(row - 0.18, shares[row], height=0.32, color=tones[name])
        panels[1].text(shares[row] + 0.02, row - 0.18, f"{shares[row]:.1%}", va="center", color=INK, fontweight="bold")
        panels[1].barh(row + 0.2, more[row], height=0.24, color=tones[name], alpha=0.45, hatch="///", edgecolor="white")
        panels[1].text(more[row] + 0.02, row + 0.2, f"{more[row]:.1%}", va="center", color=SOFT_INK)
    panels[1].set_yticks(rows, labels)
    panels[1].tick_params(axis="y", labelcolor=INK)
    panels[1].set(xlim=(0, 1.25), ylim=(len(names) - 0.45, -0.6), title=translate("What does it translate?"))
    panels[1].set_xlabel(translate("held-out sentences right (hatched: with\n20 more columns of padding)"))
    panels[1].set_xticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    panels[1].grid(axis="y", visible=False)
    summary = "; ".join(
        translate("{label}: last loss {loss:.3f}, right {share:.1%}, with more padding {padded:.1%}", label=label,
                  loss=curves.curves[name][-1][1], share=share, padded=padded)
        for name, label, share, padded in zip(names, labels, shares, more, strict=True)
    )
    finish(figure, "Loss curves that all fall, and the fraction of held-out sentences translated rightly. {summary}.",
                   summary=summary)


def show_widths(curves: Curves) -> None:
    """Plot exact match against the width of the vectors."""
    names = [name for name in curves.curves]
    figure, axes = new_figure(8.0, 3.4)
    shares = [curves.numbers[name] for name in names]
    axes.plot([int(name) for name in names], shares, "o-", color=COLOURS.blue)
    for name, share in zip(names, shares, strict=True):
        axes.annotate(f"{share:.1%}\n{curves.numbers[f'{name}, parameters'] / 1000:.0f}k", (int(name), share), xytext=(9, -4),
                      textcoords="offset points", ha="left", va="top", color=INK, fontsize=9.5)
    axes.set_xscale("log", base=2)
    axes.set_xticks([int(name) for name in names], names)
    axes.set(xlabel=translate("numbers in a word's vector (log scale)"), ylabel=translate("held-out sentences right"))
    axes.set(ylim=(-0.16, 1.08), xlim=(1.7, 220))
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_title(translate("How wide must a word's vector be? (k: thousand parameters)"))
    summary = ", ".join(translate("{name} wide {share:.1%}", name=name, share=share)
                        for name, share in zip(names, shares, strict=True))
    finish(figure, "Fraction of right sentences by width of the vectors: {summary}.", summary=summary)
