"""Draw the map of the search engine's documents, with the five questions and the documents that answer them."""

from collections.abc import Sequence

from ..experiments.tsne_visualisation.document_map import Found
from ..learner.own_tables import Table
from ..messages import translate
from .maps import MARKS, bare
from .style import INK, ask, finish, new_figure

_GREY = "#c9c6be"


def show_documents(laid: Table, results: Sequence[Found]) -> None:
    """Draw all documents as grey points; each question is a star, joined by lines to the documents that answer it.

    Parameters
    ----------
    laid : Table
        The map: names of documents and questions, and their positions.
    results : sequence of Found
        The questions, with the rank of the first right document by the vectors and on the map.
    """
    figure, axes = new_figure(7.8, 6.6)
    row = {name: index for index, name in enumerate(laid.words)}
    axes.scatter(laid.vectors[:, 0], laid.vectors[:, 1], s=3, c=_GREY, linewidths=0, zorder=1)
    summaries = []
    for (colour, _), result in zip(MARKS, results, strict=False):
        x, y = laid.vectors[row[result.question.text]].tolist()
        for name in result.question.right:
            if name in row:
                left, up = laid.vectors[row[name]].tolist()
                axes.plot([x, left], [y, up], color=colour, linewidth=1.2, zorder=2)
                axes.scatter(left, up, s=42, facecolors="none", edgecolors=colour, linewidths=1.8, zorder=3)
        label = translate(
            "{label}: rank {by_vectors} by vectors, {on_map} on the map",
            label=translate(result.question.label),
            by_vectors=result.by_vectors,
            on_map=result.on_map,
        )
        axes.scatter(x, y, s=150, c=colour, marker="*", edgecolors=INK, linewidths=0.6, zorder=4, label=label)
        summaries.append(label)
    bare(axes)
    figure.legend(loc="outside lower left", ncols=2, fontsize=9)
    ask(figure, "Do questions (stars) lie beside their answers (rings)?")
    finish(
        figure,
        "t-SNE map of all documents in grey, with five questions joined to the documents that answer them. {summary}.",
        summary="; ".join(summaries),
    )
