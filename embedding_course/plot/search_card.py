"""Draw the end card of notebook 11: a question with its answers, and four engines with intervals."""

from collections.abc import Mapping, Sequence

from matplotlib.ticker import PercentFormatter

from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated


def show_card(question: str, answers: Sequence[str], engines: Mapping[str, tuple[float, float, float]]) -> None:
    """Draw a question with the names of what was found, and beside it the recall@1 of each engine with its interval.

    Parameters
    ----------
    question : str
        The learner's question.
    answers : Sequence[str]
        Names of what was found, best first; five fit.
    engines : mapping of str to tuple of float
        Value and the two ends of its interval, by the name of the engine. The last engine is the learner's.
    """
    engines = translated(engines)
    figure, (left, right) = new_figure(10.2, 3.9, columns=2, width_ratios=[1, 1.15])
    left.axis("off")
    left.text(0, 0.97, f"“{question}”", fontsize=13, fontweight="bold", va="top", transform=left.transAxes, wrap=True)
    for index, name in enumerate(answers[:5]):
        left.text(0, 0.72 - 0.14 * index, f"{index + 1}", fontsize=12, color=COLOURS.blue, fontweight="bold",
                  transform=left.transAxes)
        left.text(0.07, 0.72 - 0.14 * index, name, fontsize=12, color=INK, transform=left.transAxes)
    for row, (name, (value, low, high)) in enumerate(engines.items()):
        mine = row == len(engines) - 1
        tone = COLOURS.blue if mine else SOFT_INK
        right.plot([low, high], [row, row], color=tone, linewidth=6 if mine else 4, solid_capstyle="round", alpha=0.45)
        right.plot(value, row, "o", color=tone, markersize=9 if mine else 7)
        right.annotate(f"{name} {value:.0%}", (value, row), xytext=(0, 11), textcoords="offset points", ha="center",
                       color=tone, fontweight="bold" if mine else "normal")
    right.set_yticks([])
    right.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    right.set(ylim=(len(engines) - 0.5, -0.9), xlim=(0, None))
    right.set_xlabel(translate("recall@1 on 124 hidden questions, intervals of 95 %"))
    right.grid(False, axis="y")
    ask(figure, "Does my engine find what people ask?")
    summary = "; ".join(f"{name}: {value:.0%} ({low:.0%} to {high:.0%})" for name, (value, low, high) in engines.items())
    finish(figure, "“{question}”: {answers}. recall@1 with intervals of 95 %: {summary}.", question=question,
           answers=", ".join(answers[:5]), summary=summary)
