"""Draw cosines between all words of a table, sorted by class: words of a class show as a block on the diagonal."""

from collections.abc import Mapping
from itertools import pairwise

import torch

from ..messages import translate
from .style import BACKGROUND, DIVERGING, INK, ask, finish, new_figure, translated


def word_map(tables: Mapping[str, torch.Tensor], classes: Mapping[int, str], heading: str = "") -> None:
    """Draw the cosines between the rows of each table, one panel for each table.

    Parameters
    ----------
    tables : Mapping[str, torch.Tensor]
        Title of each panel to its table, (V, d).
    classes : Mapping[int, str]
        Row to its class, for the rows that are shown.
    heading : str, optional
        The question that the figure answers; there is a default.
    """
    tables = translated(tables)
    figure, panels = new_figure(9.8, 5.5, columns=len(tables))
    kinds = list(dict.fromkeys(classes.values()))
    shown = [translate(kind) for kind in kinds]
    rows = sorted(classes, key=lambda row: (kinds.index(classes[row]), row))
    edges = [at for at, row in enumerate(rows) if at == 0 or classes[row] != classes[rows[at - 1]]] + [len(rows)]
    inside = []
    for axes, (title, table) in zip(panels, tables.items(), strict=True):
        unit = torch.nn.functional.normalize(table[rows], dim=1)
        cosines = unit @ unit.T
        image = axes.imshow(cosines.detach().numpy(), cmap=DIVERGING, vmin=-1, vmax=1)
        for edge in edges[1:-1]:
            axes.axhline(edge - 0.5, color=BACKGROUND, linewidth=1.4)
            axes.axvline(edge - 0.5, color=BACKGROUND, linewidth=1.4)
        same = torch.zeros(len(rows), len(rows), dtype=torch.bool)
        for start, stop in pairwise(edges):
            same[start:stop, start:stop] = True
        apart = ~torch.eye(len(rows), dtype=torch.bool)
        within, across = cosines[same & apart].mean(), cosines[~same].mean()
        inside.append(translate("{title}: mean cosine {within:.2f} within a class, {across:.2f} across", title=title,
                                within=within, across=across))
        axes.set(title=title, xticks=[])
        middles = [(start + stop - 1) / 2 for start, stop in pairwise(edges)]
        axes.set_yticks(middles, shown if axes is panels[0] else [""] * len(kinds))
        axes.tick_params(axis="y", labelcolor=INK)
        axes.grid(visible=False)
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
    bar = figure.colorbar(image, ax=list(panels), location="bottom", shrink=0.45, aspect=40, pad=0.02)
    bar.set_label(translate("cosine of two words: 1 same direction, 0 at right angles, -1 opposite"))
    bar.outline.set_visible(False)
    ask(figure, heading or translate("Do words of one class have similar vectors?"))
    finish(figure, "Cosines between {rows} words sorted by class ({kinds}). {summary}.", rows=len(rows), kinds=', '.join(shown),
                   summary='; '.join(inside))
