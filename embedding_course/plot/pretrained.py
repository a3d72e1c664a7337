"""Draw what pretrained vectors are worth: for seen and unseen words, and by the size of the training text."""

from collections.abc import Mapping

from matplotlib.ticker import FuncFormatter, NullLocator

from ..experiments.curves import Curves
from ..experiments.gradients.pretrained import WAYS, Outcome
from ..messages import translate
from .style import COLOURS, INK, ask, end_label, finish, new_figure, translated


def show_outcomes(outcomes: Mapping[str, Outcome]) -> None:
    """Draw the loss of each initialisation of the table (rows) on each kind of word (columns); lower is better."""
    outcomes = translated(outcomes)
    figure, panels = new_figure(8.8, 2.9, columns=2, sharey=True)
    names = list(outcomes)
    counts = outcomes[names[0]].counts
    columns = (
        (translate("Words that training met"), COLOURS.blue, [outcome.trained for outcome in outcomes.values()], counts[0]),
        (
            translate("Words met in the vectors only"),
            COLOURS.vermilion,
            [outcome.only_pretrained for outcome in outcomes.values()],
            counts[1],
        ),
    )
    for axes, (title, tone, values, count) in zip(panels, columns, strict=True):
        axes.hlines(range(len(names)), min(values) - 0.25, values, color=tone, linewidth=1.2, alpha=0.5)
        axes.plot(values, range(len(names)), "o", color=tone, markersize=9)
        for row, value in enumerate(values):
            axes.annotate(f"{value:.2f}", (value, row), xytext=(0, 9), textcoords="offset points", ha="center",
                          color=INK, fontweight="bold")
        axes.set_title(title)
        axes.set(xlabel=translate("test loss, nats ({count:,} words; axis not from 0)", count=count),
                 ylim=(len(names) - 0.5, -0.75))
        axes.set_xlim(min(values) - 0.25, max(values) + 0.2)
        axes.grid(axis="y", visible=False)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].tick_params(axis="y", labelsize=10, labelcolor=INK)
    ask(figure, "Which start is best, and for which words?")
    finish(figure, "Test loss of three tables: on words that training met the frozen one is far behind; on words that only "
                   "the pretrained vectors know the order is reversed.")


def show_text_sizes(record: Curves) -> None:
    """Draw the test loss by the size of the training text, and how far training on is ahead of freezing.

    Parameters
    ----------
    record : Curves
        What `embedding_course.experiments.gradients.glove_start.measure` returns.
    """
    figure, (left, right) = new_figure(8.8, 3.3, columns=2, width_ratios=(1.2, 1))
    for way, colour, dy in zip(WAYS, (COLOURS.grey, COLOURS.blue, COLOURS.vermilion), (5, -8, 4), strict=True):
        sizes, losses = zip(*record.curves[way], strict=True)
        (line,) = left.plot(sizes, losses, "o-", color=colour)
        end_label(line, translate(way), dy=dy)
    left.set(title=translate("Test loss, nats"))
    left.margins(y=0.15)
    ends = {name: [value for _, value in record.curves[name]] for name in ("lead", "low", "high")}
    right.vlines(sizes, ends["low"], ends["high"], color=COLOURS.blue, linewidth=6, alpha=0.4)
    right.plot(sizes, ends["lead"], "o", color=COLOURS.blue)
    right.axhline(0, color=INK, linewidth=1)
    for size, lead, high in zip(sizes, ends["lead"], ends["high"], strict=True):
        right.annotate(f"{lead:+.3f}", (size, high), xytext=(0, 7), textcoords="offset points", ha="center", color=INK,
                       fontweight="bold")
    right.set(title=translate("Lead of training on, nats"))
    right.margins(x=0.2, y=0.25)
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_xticks(sizes)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel(translate("words of training text"))
    ask(figure, "GloVe: freeze it, or train it on?")
    summary = "; ".join(
        translate("{size:,.0f} words: {lead:+.3f} ({low:+.3f} to {high:+.3f})", size=size, lead=lead, low=low, high=high)
        for size, lead, low, high in zip(sizes, ends["lead"], ends["low"], ends["high"], strict=True)
    )
    finish(figure, "Test loss of a random table, GloVe trained on and GloVe frozen, by the size of the training text. "
                   "Lead of training on, 95 % intervals over ten seeds: {summary}.", summary=summary)
