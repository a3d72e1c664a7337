"""Draw intervals of differences between engines, and which questions two engines answer."""

from collections.abc import Mapping, Sequence

from ..messages import translatable, translate
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated

#: Where the columns of numbers stand in the table of engines, in units of a lead.
_COLUMNS = {translatable("recall@1"): -0.7, translatable("recall@10"): -0.55, "MRR": -0.42}
_NAME, _INTERVAL = -1.08, 0.33


def show_leads(leads: Mapping[str, tuple[float, float]], what: str = translatable("lead in recall@1")) -> None:
    """Draw an interval for each named comparison, and a line at 0.

    Parameters
    ----------
    leads : mapping of str to tuple of float
        The lower and the upper end of the interval, by the name of the comparison.
    what : str, optional
        What the numbers are, for the axis.
    """
    leads = translated(leads)
    figure, axes = new_figure(8.0, 0.5 * len(leads) + 1.3)
    for row, (low, high) in enumerate(leads.values()):
        colour = _colour(low, high)
        axes.plot([low, high], [row, row], color=colour, linewidth=6, solid_capstyle="butt")
        axes.text(high + 0.008, row, translate("{low:+.3f} to {high:+.3f}", low=low, high=high), va="center", color=colour)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(leads)), leads)
    ends = [end for interval in leads.values() for end in interval]
    axes.set(ylim=(len(leads) - 0.4, -0.6), xlim=(min(ends) - 0.02, max(ends) + 0.09))
    axes.set_xlabel(translate("{what}, interval of 95 %", what=translate(what)))
    axes.grid(False, axis="y")
    summary = "; ".join(f"{name}: {low:+.3f} to {high:+.3f}" for name, (low, high) in leads.items())
    ask(figure, "Could the lead be luck?")
    finish(figure, translate("Intervals of 95 % for the lead of one engine over another. {summary}.", summary=summary))


def _colour(low: float, high: float) -> str:
    """Return grey for an interval that contains 0, green for a lead and red for a lag."""
    if low <= 0 <= high:
        return COLOURS.grey
    return COLOURS.green if low > 0 else COLOURS.vermilion


def _range(low: float, high: float) -> str:
    return translate("{low:+.2f} to {high:+.2f}", low=low, high=high)


def show_engines(engines: Mapping[str, tuple[Sequence[float], tuple[float, float]]]) -> None:
    """Draw a table of engines: recall@1, recall@10 and MRR, and the interval of the lead in recall@1 over the first engine.

    Parameters
    ----------
    engines : mapping of str to tuple
        The three scores and the two ends of the interval, by the name of the engine. The first engine's interval is not drawn.
    """
    engines = translated(engines)
    figure, axes = new_figure(9.6, 0.42 * len(engines) + 1.2)
    for row, (name, (scores, (low, high))) in enumerate(engines.items()):
        axes.text(_NAME, row, name, va="center")
        for at, score in zip(_COLUMNS.values(), scores, strict=True):
            axes.text(at, row, f"{score:.2f}", ha="center", va="center")
        if row:
            colour = _colour(low, high)
            axes.plot([low, high], [row, row], color=colour, linewidth=6, solid_capstyle="butt")
            axes.text(_INTERVAL, row, _range(low, high), va="center", color=colour)
    for name, at in _COLUMNS.items():
        axes.text(at, -0.85, translate(name), ha="center", va="center", color=SOFT_INK, fontsize=9.5)
    axes.plot([0, 0], [-0.5, len(engines) - 0.5], color=INK, linewidth=1)
    first = next(iter(engines))
    axes.text(
        0,
        -0.85,
        translate("lead over {first} in recall@1, 95 %", first=first),
        ha="center",
        va="center",
        color=SOFT_INK,
        fontsize=9.5,
    )
    axes.set(xlim=(-1.1, 0.55), ylim=(len(engines) - 0.4, -1.2))
    axes.axis("off")
    summary = "; ".join(
        f"{name}: " + ", ".join(f"{score:.2f}" for score in scores) + f", {_range(low, high)}"
        for name, (scores, (low, high)) in engines.items()
    )
    ask(figure, "Which leads are more than luck?")
    finish(
        figure, "Recall@1, recall@10, MRR and the interval of the lead over {first}. {summary}.", first=first, summary=summary
    )


def show_overlap(counts: Mapping[str, Mapping[str, int]]) -> None:
    """Draw, in a bar for each measure, how many questions only one engine answers, both answer, and none answers.

    Parameters
    ----------
    counts : mapping of str to mapping of str to int
        For each measure, the number of questions by who answers them, in this order: the first alone, both, the second
        alone, none.
    """
    figure, axes = new_figure(8.6, 0.62 * len(counts) + 0.9)
    tones = (COLOURS.purple, COLOURS.green, COLOURS.blue, COLOURS.grey)
    for row, parts in enumerate(counts.values()):
        start = 0
        for (name, count), tone in zip(parts.items(), tones, strict=True):
            axes.barh(row, count, 0.6, left=start, color=tone, edgecolor=BACKGROUND, linewidth=2)
            if count:
                axes.text(start + count / 2, row, str(count), ha="center", va="center", color="white", fontweight="bold")
            if not row:
                middle, side = (start + count / 2, "center") if start else (count, "right")  # it must not touch the next one
                axes.text(middle, -0.5, translate(name), ha=side, va="center", color=tone, fontweight="bold")
            start += count
    axes.set_yticks(range(len(counts)), [translate(name) for name in counts])
    axes.set(ylim=(len(counts) - 0.5, -0.75), xlim=(0, start))
    axes.set_xlabel(translate("questions"))
    axes.spines["left"].set_visible(False)
    axes.grid(False)
    summary = "; ".join(
        f"{measure}: " + ", ".join(f"{translate(name)} {count}" for name, count in parts.items())
        for measure, parts in counts.items()
    )
    ask(figure, "Which questions does each search answer alone?")
    finish(figure, "How many questions are answered by whom. {summary}.", summary=summary)
