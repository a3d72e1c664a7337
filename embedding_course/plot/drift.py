"""Draw what an index finds while it holds vectors of two versions of a model."""

from collections.abc import Mapping, Sequence

from matplotlib.ticker import PercentFormatter

from ..messages import translate
from .style import COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated, wrapped

#: Columns of text that fit below all models together.
_COLUMNS = 88
_LOOKS = ((COLOURS.grey, ""), (COLOURS.blue, ""), (COLOURS.vermilion, "///"), (COLOURS.green, "..."))


def show_drift(models: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
    """Draw the mean recall@1 over several runs for each model and state of the index as bars, and each run as a point.

    `models` maps a model to its states, and a state to the recall@1 of each run. All models have the same states, at most four.
    """
    models = {translate(model): translated(states) for model, states in models.items()}
    figure, axes = new_figure(9.2, 3.9)
    summaries = []
    for group, (model, states) in enumerate(models.items()):
        means = {state: sum(values) / len(values) for state, values in states.items()}
        for at, ((state, values), (colour, hatch)) in enumerate(zip(states.items(), _LOOKS, strict=False)):
            left = group + 0.21 * (at - (len(states) - 1) / 2)
            axes.bar(
                left,
                means[state],
                0.19,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                linewidth=0,
                label=state if group == 0 else None,
            )
            axes.plot([left] * len(values), values, ".", color=INK, markersize=4, alpha=0.7)
            axes.annotate(
                f"{100 * means[state]:.0f}",  # The axis label has the percent sign.
                (left, max(values)),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
                color=SOFT_INK,
                fontsize=9,
            )
        summaries.append(f"{model}: " + ", ".join(f"{state} {mean:.0%}" for state, mean in means.items()))
    axes.set_xticks(range(len(models)), ["\n".join(wrapped(model, _COLUMNS // len(models))) for model in models])
    axes.tick_params(axis="x", labelcolor=INK)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(
        ylabel=translate("recall@1 (a dot: one run)"),
        ylim=(0, 1.15 * max(max(values) for states in models.values() for values in states.values())),
    )
    axes.grid(visible=False, axis="x")
    figure.legend(loc="outside lower left", ncols=4)
    ask(figure, "What does an index of two versions find?")
    summary = "; ".join(summaries)
    finish(figure, "recall@1 by the state of the index, mean of several runs. {summary}.", summary=summary)
