"""Draw maps side by side. Their axes have no meaning and no numbers; groups differ in colour and in shape."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.axes import Axes

from ..messages import translatable, translate
from .style import BACKGROUND, COLOURS, INK, SOFT_INK, ask, finish, new_figure, translated

_SHAPES = "osD^vPX*<>hp"
#: Colour and shape of the marks of each group, in order.
MARKS = tuple((COLOURS[index % len(COLOURS)], shape) for index, shape in enumerate(_SHAPES))
#: A colour for each of the ten digits.
DIGIT_COLOURS = (*COLOURS, "#6b4423", INK, "#7a8b00")
#: Notes below maps that a lesson puts together, and their words.
NOTES = (
    translatable("trustworthiness #"),
    translatable("data #, null #: #"),
    translatable("structure"),
    translatable("no structure found"),
)


def bare(axes: Axes) -> None:
    """Remove the ticks of a panel and give its axes equal units."""
    axes.set(xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(True)
        side.set_color("#d5d2ca")


def dots(axes: Axes, y: torch.Tensor, groups: torch.Tensor, size: float = 20) -> None:
    """Draw the points of a map, each with the mark of its group.

    Parameters
    ----------
    axes : Axes
        The panel to draw on.
    y : torch.Tensor
        Position of each point, (n, 2).
    groups : torch.Tensor
        Group of each point, (n,), numbered from 0.
    size : float, optional
        Area of a mark, in points squared.
    """
    for group in groups.unique().tolist():
        colour, shape = MARKS[group % len(MARKS)]
        chosen = y[groups == group]
        area = size * (2 if shape == "*" else 1)
        axes.scatter(chosen[:, 0], chosen[:, 1], s=area, c=colour, marker=shape, linewidths=0.4, edgecolors=BACKGROUND)


def show_maps(
    maps: Mapping[str, torch.Tensor], groups: Mapping[str, torch.Tensor], question: str, alt: str,
    notes: Mapping[str, str] | None = None, names: Sequence[str] = (),
) -> None:
    """Draw one panel for each map, with its name above and its note below.

    Parameters
    ----------
    maps, groups : Mapping[str, torch.Tensor]
        Name to points (n, 2), and name to the group of each point (n,).
    question : str
        Title of the figure.
    alt : str
        Alternative text.
    notes : Mapping[str, str] or None, optional
        Name to the text below the panel.
    names : Sequence[str], optional
        Names of the groups 0, 1, …, for a legend.
    """
    maps, groups = translated(maps), translated(groups)
    notes = {translate(name): translate(note) for name, note in (notes or {}).items()}
    size = (2.55 * len(maps) + 0.4, 2.95) if len(maps) > 1 else (5.2, 4.6)
    figure, panels = new_figure(*size, columns=len(maps), squeeze=False)
    for axes, (name, y) in zip(panels.flat, maps.items(), strict=True):
        dots(axes, y, groups[name], 13)
        bare(axes)
        axes.set_title(name)
        if notes:
            axes.set_xlabel(notes[name], color=INK)
    for name, (colour, shape) in zip(names, MARKS, strict=False):
        panels[0, 0].scatter([], [], s=20, c=colour, marker=shape, label=translate(name))
    if names:
        figure.legend(loc="outside lower center", ncols=len(names))
    ask(figure, question)
    finish(figure, alt)


def show_digits(
    maps: Mapping[str, torch.Tensor], digits: torch.Tensor, notes: Mapping[str, str], alt: str, size: float = 7
) -> None:
    """Draw maps of the handwritten digits; each point is drawn as its digit.

    Parameters
    ----------
    maps : Mapping[str, torch.Tensor]
        Title of each map to the positions of its points, (n, 2).
    digits : torch.Tensor
        The digit of each point, (n,).
    notes : Mapping[str, str]
        Title of a map to the text below it; a map may have none.
    alt : str
        Alternative text: one sentence that says what the figure shows.
    size : float, optional
        Font size of the digits, in points.
    """
    maps, notes = translated(maps), {translate(name): translate(note) for name, note in notes.items()}
    figure, panels = new_figure(4.7 * max(len(maps), 1.6), 4.9 if len(maps) > 1 else 7.2, columns=len(maps), squeeze=False)
    for axes, (name, y) in zip(panels.flat, maps.items(), strict=True):
        axes.scatter(y[:, 0], y[:, 1], s=0)
        for digit in range(10):
            for left, up in y[digits == digit].tolist():
                axes.text(
                    left, up, str(digit), color=DIGIT_COLOURS[digit], fontsize=size, ha="center", va="center", fontweight="bold"
                )
        bare(axes)
        axes.set_title(name)
        axes.set_xlabel(notes.get(name, ""), color=INK)
    ask(figure, "Does each digit have a place of its own on the map?")
    finish(figure, alt)


def show_grid(rows: Mapping[str, Mapping[str, tuple[torch.Tensor, torch.Tensor]]], alt: str) -> None:
    """Draw a grid of maps, one row for each collection.

    Parameters
    ----------
    rows : Mapping[str, Mapping[str, tuple[torch.Tensor, torch.Tensor]]]
        Name of each row to its columns: title to map (n, 2) and groups of its points (n,).
    alt : str
        Alternative text: one sentence that says what the figure shows.
    """
    rows = {translate(name): translated(row) for name, row in rows.items()}
    columns = len(next(iter(rows.values())))
    figure, panels = new_figure(2.4 * columns + 0.4, 2.5 * len(rows) + 0.2, rows=len(rows), columns=columns, squeeze=False)
    for at, (name, row) in enumerate(rows.items()):
        for axes, (title, (y, groups)) in zip(panels[at], row.items(), strict=True):
            dots(axes, y, groups, 9)
            bare(axes)
            if at == 0:
                axes.set_title(title)
        panels[at, 0].set_ylabel(name, color=INK, fontsize=11, fontweight="bold")
    ask(figure, "Which clumps stay at every perplexity?")
    finish(figure, alt)


def show_toys(toys: Mapping[str, tuple[torch.Tensor, torch.Tensor, torch.Tensor]]) -> None:
    """Draw the first two dimensions of each toy dataset beside its map: name to (data, map, groups)."""
    toys = translated(toys)
    figure, panels = new_figure(9.6, 2.9, columns=2 * len(toys))
    summaries = []
    for at, (name, (x, y, groups)) in enumerate(toys.items()):
        for axes, points, title in ((panels[2 * at], x[:, :2], translate("{name}: data", name=name)),
                                    (panels[2 * at + 1], y, translate("its map"))):
            dots(axes, points, groups, 9)
            bare(axes)
            axes.set_title(title)
        count = len(groups.unique())
        summaries.append(translate("{name}: {count} groups, unlike in the data, alike on the map", name=name, count=count))
    ask(figure, "Do sizes and gaps survive on the map?")
    summary = ". ".join(summaries)
    finish(figure, "Scatter plots of the data beside their t-SNE maps. {summary}.", summary=summary)


def _label_offset(y: torch.Tensor, index: int) -> tuple[float, float]:
    """Return the offset of a point's name in points: towards the middle of the map, away from its neighbours."""
    way = y.mean(dim=0) - y[index]
    across = torch.tensor([way[1], -way[0]]) if way.abs().max() > 0 else way
    way = 12 * way / way.norm() + 20 * across / across.norm()
    return float(way[0]), float(way[1])


def show_time(maps: Mapping[str, torch.Tensor], time: torch.Tensor) -> None:
    """Draw maps of one continuous path, shaded by time; "start" and "end" are written beside the end points.

    Parameters
    ----------
    maps : Mapping[str, torch.Tensor]
        Title of each map to the positions of its points, (n, 2).
    time : torch.Tensor
        Time of each point, (n,), from 0 to 1.
    """
    maps = translated(maps)
    figure, panels = new_figure(2.9 * len(maps) + 0.8, 3.0, columns=len(maps))
    for axes, (name, y) in zip(panels, maps.items(), strict=True):
        image = axes.scatter(y[:, 0], y[:, 1], c=time, s=13, cmap="viridis")
        for index, word in ((int(time.argmin()), translate("start")), (int(time.argmax()), translate("end"))):
            axes.annotate(word, y[index].tolist(), xytext=_label_offset(y, index), textcoords="offset points", ha="center",
                          va="center", fontsize=9.5, fontweight="bold",
                          bbox={"facecolor": BACKGROUND, "edgecolor": "none", "alpha": 0.75, "pad": 1})
        bare(axes)
        axes.set_title(name)
    figure.colorbar(image, ax=list(panels), label=translate("time"), shrink=0.8, ticks=[0, 1])
    ask(figure, "Is one path drawn in one piece?")
    finish(
        figure,
        "One smooth path on maps of {maps}: in pieces where the perplexity is small, whole where it is larger.",
        maps=', '.join(maps),
    )


def card(panels: Mapping[str, tuple[torch.Tensor, torch.Tensor]], verdicts: Mapping[str, str], heading: str) -> None:
    """Draw the end card: maps side by side, and below each the result of the test of its groups.

    Parameters
    ----------
    panels : Mapping[str, tuple[torch.Tensor, torch.Tensor]]
        Title of each map to the positions of its points (n, 2) and their groups (n,).
    verdicts : Mapping[str, str]
        Title of each map to the result of the test of its groups.
    heading : str
        Heading of the card.
    """
    panels, heading = translated(panels), translate(heading)
    verdicts = {translate(name): translate(verdict) for name, verdict in verdicts.items()}
    figure, axes_of = new_figure(9.4, 5.0, columns=len(panels))
    for axes, (name, (y, groups)) in zip(axes_of, panels.items(), strict=True):
        dots(axes, y, groups, 26)
        bare(axes)
        axes.set_title(name)
        axes.set_xlabel(verdicts[name], color=SOFT_INK, fontsize=11)
    figure.suptitle(heading, x=0.012, ha="left", fontsize=14.5, fontweight="bold")
    finish(figure, f"{heading}. " + " ".join(f"{name}: {verdicts[name]}." for name in panels))
