"""Draw the figures of notebook 09 about the loss: probabilities by temperature, words on a circle, losses and their floors."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.patches import Circle

from ..experiments.contrastive_training.word_circle import PAIRS
from ..messages import translate
from .player import play
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, end_label, finish, new_figure, translated

Points = tuple[torch.Tensor, torch.Tensor]

_FALLING = (1, 0.7, 0.5, 0.35, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01)


def show_shares(cosines: Mapping[str, float], temperatures: Sequence[float]) -> None:
    """Draw the softmax of cosines at several temperatures, one panel for each; the first candidate is the right one.

    Parameters
    ----------
    cosines : Mapping[str, float]
        Name of each candidate to its cosine with the query; the right one is first.
    temperatures : Sequence[float]
        Temperatures that the cosines are divided by.
    """
    cosines = translated(cosines)
    figure, panels = new_figure(9.4, 3.2, columns=len(temperatures), sharey=True)
    names, values = list(cosines), torch.tensor(list(cosines.values()), dtype=torch.float64)
    firsts = []
    for axes, temperature in zip(panels, temperatures, strict=True):
        shares = torch.softmax(values / temperature, dim=0)
        firsts.append(float(shares[0]))
        tones = [COLOURS.green] + [COLOURS.vermilion] * (len(names) - 1)
        bars = axes.barh(range(len(names)), shares, color=tones, height=0.62)
        for bar in bars[1:]:
            bar.set(hatch="///", edgecolor="#fcfbf8", linewidth=0)
        for index, share in enumerate(shares.tolist()):
            inside = share > 0.6
            axes.text(share - 0.03 if inside else share + 0.03, index, f"{share:.1%}", va="center",
                      ha="right" if inside else "left",
                      color="white" if inside else INK, fontsize=9)
        axes.set(xlim=(0, 1.02), title=translate("temperature {temperature:g}", temperature=temperature))
        axes.set_xticks([])
        axes.grid(False)
        axes.spines["bottom"].set_visible(False)
    panels[0].set_yticks(range(len(names)), [f"{name}  {value:+.2f}" for name, value in cosines.items()])
    panels[0].invert_yaxis()
    summary = ", ".join(translate("{share:.1%} at {temperature:g}", share=share, temperature=temperature)
                        for share, temperature in zip(firsts, temperatures, strict=True))
    ask(figure, "How sharply does each temperature choose?")
    finish(figure, "Softmax over {names} candidates, the first is the right one. Its probability: {summary}.", names=len(names),
                   summary=summary)


def play_temperature(cosines: Mapping[str, float], temperatures: Sequence[float] = _FALLING) -> None:
    """Play a falling temperature: the softmax of cosines, and the slope of the loss at each of them.

    Parameters
    ----------
    cosines : Mapping[str, float]
        Name of each candidate to its cosine with the query; the right one is first.
    temperatures : Sequence[float], optional
        One for each frame, falling.
    """
    names, values = list(cosines), torch.tensor(list(cosines.values()), dtype=torch.float64)
    right = torch.zeros(len(names), dtype=torch.float64)
    right[0] = 1
    all_shares = [torch.softmax(values / temperature, dim=0) for temperature in temperatures]
    all_slopes = [(shares - right) / temperature for shares, temperature in zip(all_shares, temperatures, strict=True)]
    widest = 1.2 * max(float(slopes.abs().max()) for slopes in all_slopes)
    figure, (left, beside) = new_figure(7.4, 2.2, columns=2, sharey=True)
    tones = [COLOURS.green] + [COLOURS.vermilion] * (len(names) - 1)
    panels = []
    for axes, limits, title in ((left, (0, 1.15), translate("probability")),
                                (beside, (-widest, widest), translate("slope of the loss at the cosine"))):
        bars = axes.barh(range(len(names)), [0.0] * len(names), color=tones, height=0.62)
        texts = [axes.text(0, row, "", va="center", color=INK, fontsize=9) for row in range(len(names))]
        axes.set(xlim=limits, title=title)
        axes.axvline(0, color="#a9aeb6", linewidth=0.8)
        axes.grid(False)
        panels.append((bars, texts, 0.015 * (limits[1] - limits[0])))
    left.set_yticks(range(len(names)), [f"{translate(name)}  {value:+.2f}" for name, value in cosines.items()])
    left.invert_yaxis()
    ask(figure, "What does the temperature change?")
    now = figure.text(0.99, 0.97, "", ha="right", va="top", color=COLOURS.blue, fontsize=12, fontweight="bold")

    def draw(index: int) -> None:
        now.set_text(translate("temperature {temperature:g}, scale {scale:.3g}", temperature=temperatures[index],
                               scale=1 / temperatures[index]))
        for (bars, texts, gap), numbers in zip(panels, (all_shares[index], all_slopes[index]), strict=True):
            for bar, text, number in zip(bars, texts, numbers.tolist(), strict=True):
                bar.set_width(number)
                text.set(x=number + (gap if number >= 0 else -gap), ha="left" if number >= 0 else "right", text=f"{number:.2f}")

    still = int(np.abs(np.log(np.asarray(temperatures) / 0.05)).argmin())
    play(figure, draw, range(len(temperatures)),
         "Probabilities and slopes of {names} candidates while the temperature falls from {highest:g} to {lowest:g}: first all "
         "wrong candidates are pushed, then the near miss alone, then none.",
         per_second=2, still=still, names=len(names), highest=temperatures[0], lowest=temperatures[-1])


def _spread_angles(angles: np.ndarray, least: float = 0.3) -> np.ndarray:
    """Return angles near the given ones that are at least `least` apart, so that names do not overlap."""
    moved = angles.astype(float).copy()
    for _ in range(200):
        order = np.argsort(moved)
        gaps = np.diff(np.append(moved[order], moved[order[0]] + 2 * math.pi))
        push = np.clip(least - gaps, 0, None) / 2
        if push.max() < 1e-3:
            break
        moved[order] -= push
        moved[np.roll(order, -1)] += push
    return moved


def show_circles(circles: Mapping[str, Points]) -> None:
    """Draw Chinese words (dots, named inside) and English words (rings, named outside) on a circle; lines join translations."""
    circles = translated(circles)
    figure, panels = new_figure(10.2, 3.7, columns=len(circles))
    cosines = {}
    for axes, (title, (chinese, english)) in zip(panels, circles.items(), strict=True):
        axes.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor="#c9c6bd", linewidth=1))
        for start, end in zip(chinese.tolist(), english.tolist(), strict=True):
            axes.plot(*zip(start, end, strict=True), color=COLOURS.grey, linewidth=1, linestyle=(0, (3, 2)), alpha=0.7)
        axes.plot(*chinese.T.tolist(), "o", color=COLOURS.vermilion, markersize=6)
        axes.plot(*english.T.tolist(), "o", color=COLOURS.blue, markersize=11, markerfacecolor="none", markeredgewidth=1.8)
        for points, colour, names, radius in (
            (chinese, COLOURS.vermilion, [chinese_word for chinese_word, _ in PAIRS], 0.8),
            (english, COLOURS.blue, [english_word for _, english_word in PAIRS], 1.24),
        ):
            angles = _spread_angles(np.arctan2(*points.T.flip(0).detach().numpy()))
            for name, angle, point in zip(names, angles, points.tolist(), strict=True):
                # A longer name is placed further away, so that it does not cover the marks.
                sideways = radius + (0.03 if radius > 1 else -0.04) * (len(name) - 2)
                spot = (sideways * math.cos(angle), radius * math.sin(angle))
                axes.plot(
                    *zip(point, (0.93 * spot[0], 0.93 * spot[1]) if radius > 1 else spot, strict=True),
                    color=colour,
                    linewidth=0.6,
                )
                axes.text(*spot, name, color=colour, ha="center", va="center", fontsize=10.5,
                          bbox={"facecolor": BACKGROUND, "edgecolor": "none", "pad": 0.6})
        cosines[title] = float((chinese * english).sum(dim=1).mean())
        axes.set(xlim=(-1.5, 1.5), ylim=(-1.42, 1.42), aspect="equal")
        axes.set_title(translate("{title}\nmean cosine of a pair {cosine:.2f}", title=translate(title), cosine=cosines[title]),
                       loc="center", fontsize=10.5)
        axes.axis("off")
    summary = "; ".join(translate("{title}: mean cosine of a pair {value:.2f}", title=translate(title), value=value)
                        for title, value in cosines.items())
    ask(figure, "Where do eight words and their translations end up?")
    finish(figure, "Eight Chinese words and their translations on a circle: anywhere at the start, then each pair at one "
                   "point and the pairs apart. {summary}.", summary=summary)


def show_losses(
    runs: Mapping[str, Sequence[float]], floors: Mapping[str, float], title: str, unit: str = ""
) -> None:
    """Plot smoothed training losses, each with its floor (dashed): the lowest value that the loss can have.

    Parameters
    ----------
    runs : Mapping[str, Sequence[float]]
        Name of each run to its loss at each step, in nats.
    floors : Mapping[str, float]
        Name of a run to the lowest value that its loss can have; a run may be absent.
    title : str
        The question that the figure answers.
    unit : str, optional
        Label of the axis of losses; there is a default.
    """
    runs, floors = translated(runs), translated(floors)
    figure, axes = new_figure(8.6, 3.6)
    tones = (COLOURS.blue, COLOURS.vermilion, COLOURS.green, COLOURS.purple)
    for (name, losses), tone in zip(runs.items(), tones, strict=False):
        width = min(15, len(losses))
        smooth = torch.tensor(losses).unfold(0, width, 1).mean(dim=1)
        (line,) = axes.plot(range(width, len(losses) + 1), smooth, color=tone)
        end_label(line, f"{name}: {smooth[-1]:.2f}")
        if name in floors:
            axes.plot([1, len(losses)], [floors[name]] * 2, color=tone, linestyle=(0, (4, 3)), linewidth=1.2)
            axes.annotate(translate("it cannot be lower than {floor:.2f}", floor=floors[name]), (len(losses), floors[name]),
                          xytext=(-2, -3), va="top",
                          ha="right",
                          textcoords="offset points", color=tone, fontsize=9)
    axes.set(xlabel=translate("step"), ylabel=translate(unit) or translate("loss of a batch, nats"), title=translate(title),
             ylim=(-0.55 if floors else 0, None))
    axes.yaxis.label.set_color(SOFT_INK)
    ends = {name: float(np.mean(losses[-15:])) for name, losses in runs.items()}
    summary = "; ".join(
        translate("{name} ends at {end:.2f}, its floor is {floor:.2f}", name=name, end=end, floor=floors[name])
        if name in floors else translate("{name} ends at {end:.2f}", name=name, end=end)
        for name, end in ends.items()
    )
    finish(figure, "Training losses: {summary}.", summary=summary)
