"""Draw intervals of differences between engines."""

from collections.abc import Mapping

from ..messages import translate
from .style import COLOURS, INK, ask, finish, new_figure


def show_leads(leads: Mapping[str, tuple[float, float]]) -> None:
    """Draw an interval for each named comparison, and a line at 0.

    Parameters
    ----------
    leads : mapping of str to tuple of float
        The lower and the upper end of the interval, by the name of the comparison.
    """
    figure, axes = new_figure(8.0, 0.5 * len(leads) + 1.3)
    for row, (low, high) in enumerate(leads.values()):
        colour = COLOURS.grey if low <= 0 <= high else COLOURS.green
        axes.plot([low, high], [row, row], color=colour, linewidth=6, solid_capstyle="round")
        axes.text(high + 0.008, row, f"{low:+.3f} to {high:+.3f}", va="center", color=colour)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(leads)), leads)
    ends = [end for interval in leads.values() for end in interval]
    axes.set(ylim=(len(leads) - 0.4, -0.6), xlim=(min(ends) - 0.02, max(ends) + 0.09))
    axes.set_xlabel(translate("lead in recall@1, interval of 95 %"))
    axes.grid(False, axis="y")
    summary = "; ".join(f"{name}: {low:+.3f} to {high:+.3f}" for name, (low, high) in leads.items())
    ask(figure, "Could the lead be luck?")
    finish(figure, translate("Intervals of 95 % for the lead of one engine over another. {summary}.", summary=summary))
