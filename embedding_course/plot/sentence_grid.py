"""Draw words in cells: a padded batch, and the input of a decoder beside its target."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from ..messages import translate
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, finish, new_figure, size_in_cell


def _cell(axes: Axes, x: float, y: float, text: str, tone: str, dashed: bool = False, below: str = "") -> None:
    box = FancyBboxPatch((x - 0.44, y - 0.34), 0.88, 0.68, boxstyle="round,pad=0,rounding_size=0.12", linewidth=1.3,
                         edgecolor=tone, facecolor=BACKGROUND if dashed else tone + "1c",
                         linestyle=(0, (3, 2)) if dashed else "-")
    axes.add_patch(box)
    axes.text(x, y + 0.1 * bool(below), text, ha="center", va="center", color=SOFT_INK if dashed else INK,
              fontsize=size_in_cell(text, 10, letters=68))
    if below:
        axes.text(x, y - 0.2, below, ha="center", va="center", color=SOFT_INK, fontsize=size_in_cell(below, 7.5, letters=62))


def _bare(axes: Axes) -> None:
    axes.set_axis_off()
    axes.set_aspect("equal")


def show_batch(sentences: Sequence[str], meanings: Mapping[str, str] | None = None) -> None:
    """Draw Chinese sentences as a padded batch, and below it how many rows a packed LSTM still processes at each step.

    Parameters
    ----------
    sentences : Sequence[str]
        Words separated by spaces.
    meanings : Mapping[str, str], optional
        Chinese word to its meaning, which is written below the word.
    """
    rows = [sentence.split() for sentence in sentences]
    longest = max(map(len, rows))
    figure, axes = new_figure(1.0 * longest + 1.6, 0.82 * len(rows) + 1.1)
    for y, row in enumerate(rows):
        for x in range(longest):
            word = row[x] if x < len(row) else "<pad>"
            below = (meanings or {}).get(word, "")
            _cell(axes, x, -y, word, COLOURS.blue, dashed=x >= len(row), below=below)
    counts = [sum(len(row) > x for row in rows) for x in range(longest)]
    for x, count in enumerate(counts):
        axes.text(x, -len(rows) - 0.05, str(count), ha="center", va="center", fontweight="bold", color=COLOURS.vermilion)
    axes.text(-0.75, -len(rows) - 0.05, translate("rows at work"), ha="right", va="center", color=COLOURS.vermilion)
    axes.text(-0.75, 0, translate("batch"), ha="right", va="center", color=COLOURS.blue)
    axes.set(xlim=(-2.2, longest - 0.4), ylim=(-len(rows) - 0.5, 0.5))
    _bare(axes)
    padding = len(rows) * longest - sum(counts)
    lengths = ", ".join(str(len(row)) for row in rows)
    cells, at_work = len(rows) * longest, ", ".join(map(str, counts))
    ask(figure, "How much of a batch is padding?")
    finish(figure, "{count} sentences of {lengths} words in a batch {longest} wide; {padding} of {cells} cells are padding. "
                   "A packed LSTM works on {at_work} rows.", count=len(rows), lengths=lengths, longest=longest, padding=padding,
                   cells=cells, at_work=at_work)


def show_shift(words: Sequence[str]) -> None:
    """Draw the decoder's input (above) and its target (below), one step apart."""
    fed, wanted = ["<bos>", *words], [*words, "<eos>"]
    figure, axes = new_figure(1.0 * len(fed) + 1.6, 2.6)
    for x, (above, below) in enumerate(zip(fed, wanted, strict=True)):
        _cell(axes, x, 1.5, above, COLOURS.grey if above == "<bos>" else COLOURS.blue)
        _cell(axes, x, 0, below, COLOURS.grey if below == "<eos>" else COLOURS.vermilion)
        axes.annotate("", (x, 0.4), (x, 1.1), arrowprops={"arrowstyle": "->", "color": SOFT_INK, "lw": 1.4})
        if x < len(words):
            axes.plot([x + 0.3, x + 0.75], [0.36, 1.14], color=COLOURS.yellow, linewidth=1.4, linestyle=(0, (2, 2)))
    axes.text(-0.7, 1.5, translate("goes in"), ha="right", va="center", color=COLOURS.blue)
    axes.text(-0.7, 0, translate("should\ncome out"), ha="right", va="center", color=COLOURS.vermilion)
    axes.set(xlim=(-2.0, len(fed) - 0.4), ylim=(-0.5, 2.0))
    _bare(axes)
    ask(figure, "Which word is fed, and which is wanted?")
    finish(figure, "Fed: {fed}. Wanted: {wanted}. Each word is wanted one step before it is fed.", fed=' '.join(fed),
                   wanted=' '.join(wanted))
