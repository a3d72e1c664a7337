"""Draw how word vectors of several trainings do in several tests, with a dot for each seed."""

from collections.abc import Mapping, Sequence

from ..messages import translate
from .style import COLOURS, INK, ask, finish, new_figure

_TONES = (COLOURS.blue, COLOURS.vermilion)


def show_settings(
    scores: Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]], published: Mapping[str, float], question: str
) -> None:
    """Draw a panel for each test, a row for each setting, and a dot for each seed of each trainer.

    Parameters
    ----------
    scores : Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]]
        Test to setting to trainer to the score of each seed.
    published : Mapping[str, float]
        Test to the score of published vectors, drawn as a line; a test may be missing.
    question : str
        The question that the figure answers.
    """
    figure, panels = new_figure(9.6, 3.4, columns=len(scores), sharey=True)
    settings = list(next(iter(scores.values())))
    for axes, (test, rows) in zip(panels, scores.items(), strict=True):
        for row, trainers in enumerate(rows.values()):
            for shift, (tone, (name, values)) in enumerate(zip(_TONES, trainers.items(), strict=True)):
                label = translate(name) if row == 0 else None
                heights = [row - 0.15 + 0.3 * shift] * len(values)
                axes.plot(values, heights, "os"[shift], color=tone, alpha=0.75, markersize=6, label=label)
        if test in published:
            axes.axvline(published[test], color=INK, linewidth=1.2, linestyle=(0, (4, 3)), label="GloVe")
        axes.set(title=translate(test), ylim=(len(settings) - 0.5, -0.5))
        axes.grid(False, axis="y")
    panels[0].set_yticks(range(len(settings)), [translate(setting) for setting in settings], color=INK)
    panels[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    ask(figure, question)
    summary = "; ".join(
        f"{translate(test)}, {translate(setting)}: "
        + ", ".join(f"{translate(name)} {sum(values) / len(values):.2f}" for name, values in trainers.items())
        for test, rows in scores.items()
        for setting, trainers in rows.items()
    )
    finish(figure, "Mean over the seeds. {summary}.", summary=summary)
