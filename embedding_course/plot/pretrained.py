"""Draw what pretrained vectors are worth for words seen in training and for unseen words."""

from collections.abc import Mapping

from ..experiments.gradients.pretrained import Outcome
from ..messages import translate
from .style import COLOURS, INK, ask, finish, new_figure, translated


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
