"""Draw what plain and late chunking make of the windows of a text."""

from matplotlib.ticker import MaxNLocator

from ..experiments.curves import Curves
from ..messages import translate
from .style import COLOURS, ask, finish, new_figure

_STYLES = {"plain": (COLOURS.vermilion, "o", "-"), "late": (COLOURS.blue, "s", (0, (5, 2)))}


def show_windows(measured: Curves) -> None:
    """Draw the cosine of each window with one question, and beside it the right windows of all questions by size.

    Parameters
    ----------
    measured : Curves
        What `experiments.search_engine.late_chunking.measure` returns.
    """
    figure, (left, right) = new_figure(10.2, 3.6, columns=2, width_ratios=[1.5, 1])
    names = {"plain": translate("plain"), "late": translate("late")}
    answers = [int(window) for window, _ in measured.curves["right_windows"]]
    for window in answers:
        left.axvspan(window - 0.5, window + 0.5, color=COLOURS.green, alpha=0.16, linewidth=0)
    best = {}
    for name, (tone, marker, dash) in _STYLES.items():
        points = measured.curves[name + "_cosines"]
        left.plot(*zip(*points, strict=True), color=tone, marker=marker, linestyle=dash, markersize=4.5, label=names[name])
        best[name] = max(points, key=lambda point: point[1])
        left.plot(*best[name], marker, color=tone, markersize=11, markerfacecolor="none", markeredgewidth=2)
        right.plot(*zip(*measured.curves[name], strict=True), color=tone, marker=marker, linestyle=dash, label=names[name])
    left.set(xlabel=translate("window"), ylabel=translate("cosine with the question"))
    left.set_xlim(0.3, len(measured.curves["plain_cosines"]) + 0.7)
    left.xaxis.set_major_locator(MaxNLocator(integer=True))
    left.set_title(translate("windows that answer are green"), fontsize=10.5)
    left.legend(loc="upper right")
    count = int(measured.numbers["questions"])
    right.set(xlabel=translate("tokens in a window"), ylabel=translate("questions answered"), ylim=(0, count + 0.5))
    right.set_xticks([size for size, _ in measured.curves["plain"]])
    right.yaxis.set_major_locator(MaxNLocator(integer=True))
    right.set_title(translate("best window right, of {count}", count=count), fontsize=10.5)
    ask(figure, "Which window answers the question?")
    summary = "; ".join(
        translate("{name}: best window {window}, right for {counts} questions", name=names[name], window=int(best[name][0]),
                  counts=", ".join(f"{right:.0f}" for _, right in measured.curves[name]))
        for name in _STYLES
    )
    finish(figure, "Plain and late chunking. Windows {answers} answer the question. {summary}.",
           answers=", ".join(map(str, answers)), summary=summary)
