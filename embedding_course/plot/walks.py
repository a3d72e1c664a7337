"""Draw searches along a neighbour graph (notebook 11): a walk step by step, and what it finds against what it compares."""

from collections.abc import Mapping, Sequence

from matplotlib.collections import LineCollection
from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter

from ..experiments.search_engine.neighbour_graph import Search, plane, steps_of
from ..messages import translate
from .player import play
from .style import COLOURS, GRID, INK, SOFT_INK, ask, finish, new_figure, translated

_TONES = (COLOURS.vermilion, COLOURS.green, COLOURS.blue)
_DASHES = ((0, (1.5, 1.5)), (0, (5, 2)), "-")
_MARKERS = "o^s"


def play_walk(search: Search, efs: Sequence[int] = (1, 4)) -> None:
    """Play walks on a small graph in the plane towards the same query, one panel for each ef.

    Parameters
    ----------
    search : Search
        The learner's search, called with query, vectors, neighbours, start, ef and k.
    efs : Sequence[int], optional
        How many of the best nodes each walk keeps.
    """
    world = plane()
    best = int((world.points - world.query).norm(dim=1).argmin())
    walks = [steps_of(search, world.lifted_query, world.lifted, world.neighbours, world.start, ef) for ef in efs]
    spots = world.points.tolist()
    edges = [(spots[node], spots[other]) for node, others in enumerate(world.neighbours) for other in others if node < other]
    figure, panels = new_figure(6.0, 3.1, columns=len(efs), squeeze=False)
    moving = []
    for axes in panels[0]:
        axes.add_collection(LineCollection(edges, colors=GRID, linewidths=0.9))
        axes.plot(*zip(*spots, strict=True), "o", color="#c9c6bd", markersize=4)
        axes.plot(*world.query.tolist(), "*", color=COLOURS.green, markersize=14)
        axes.annotate(translate("query"), world.query.tolist(), xytext=(0, 9), textcoords="offset points", ha="center",
                      color=COLOURS.green, fontweight="bold")
        axes.annotate(translate("start"), spots[world.start], xytext=(0, -15), textcoords="offset points", ha="center",
                      color=SOFT_INK)
        (compared,) = axes.plot([], [], "o", color=COLOURS.sky, markersize=4.5)
        (way,) = axes.plot([], [], "o-", color=COLOURS.vermilion, markersize=4.5, linewidth=1.2)
        (now,) = axes.plot([], [], "o", color=INK, markersize=9, markerfacecolor="none", markeredgewidth=2)
        axes.set(xlim=(-1.08, 1.08), ylim=(-1.08, 1.12), aspect="equal", xticks=[], yticks=[])
        axes.grid(False)
        moving.append((axes, compared, way, now))
    colours = [translate("visited"), translate("compared")]
    figure.legend([way, compared], colours, loc="outside lower left", ncols=2)
    ask(figure, "How does a walk reach the query?")

    def draw(step: int) -> None:
        for ef, walk, (axes, compared, way, now) in zip(efs, walks, moving, strict=True):
            last = min(step, len(walk.visited) - 1)
            compared.set_data(*zip(*(spots[node] for node in sorted(walk.compared[last])), strict=True))
            way.set_data(*zip(*(spots[node] for node in walk.visited[: last + 1]), strict=True))
            over = step > len(walk.visited) - 1
            node = walk.nearest[0] if over else walk.visited[last]
            now.set_data([spots[node][0]], [spots[node][1]])
            end = translate("found") if walk.nearest[0] == best else translate("local maximum")
            axes.set_title(translate("ef = {ef}: {count} compared", ef=ef, count=len(walk.compared[last]))
                           + "\n" + (end if over else ""), fontsize=10)

    frames = range(max(len(walk.visited) for walk in walks) + 1)
    ends = "; ".join(
        translate("ef = {ef}: {count} compared, {end}", ef=ef, count=len(walk.compared[-1]),
                  end=translate("found") if walk.nearest[0] == best else translate("local maximum"))
        for ef, walk in zip(efs, walks, strict=True))
    play(figure, draw, frames, "Walks along the edges of a graph towards a query, beyond a hole without nodes. {ends}.",
         per_second=2, ends=ends)


def show_walks(
    walked: Mapping[str, Sequence[tuple[float, float]]],
    sizes: Sequence[int],
    beside: Mapping[str, Sequence[tuple[float, float]]],
) -> None:
    """Plot the share of true neighbours found against the share of vectors compared, one line for each graph.

    Parameters
    ----------
    walked : Mapping[str, Sequence[tuple[float, float]]]
        Name of a graph to (share compared, share found) for each ef.
    sizes : Sequence[int]
        The values of ef, which are written beside the points.
    beside : Mapping[str, Sequence[tuple[float, float]]]
        The same for other search methods.
    """
    walked, beside = translated(walked), translated(beside)
    figure, axes = new_figure(9.0, 4.4)
    axes.set_xscale("log")
    for (name, points), tone, dash, marker in zip(walked.items(), _TONES, _DASHES, _MARKERS, strict=False):
        axes.plot(*zip(*points, strict=True), color=tone, linestyle=dash, marker=marker, label=name)
    last = list(walked.values())[-1]
    for index, (ef, spot) in enumerate(zip(sizes, last, strict=True)):
        axes.annotate(translate("ef = {ef}", ef=ef) if index == 0 else f"{ef}", spot, xytext=(-3, 9),
                      textcoords="offset points", ha="right",
                      color=_TONES[len(walked) - 1], fontsize=9)
    for name, points in beside.items():
        axes.plot(*zip(*points, strict=True), color=COLOURS.purple, linestyle=(0, (6, 2, 1.5, 2)), marker="D", markersize=5)
        axes.annotate(name, points[len(points) // 2], xytext=(6, -14), textcoords="offset points", color=COLOURS.purple,
                      fontweight="bold")
    for (summary, points), tone in zip(walked.items(), _TONES, strict=False):
        spot, side = ((26, -52), "left") if points is last else ((-8, -4), "right")  # The last two lines begin close together.
        leader = {"arrowstyle": "-", "color": tone, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 4} if points is last else None
        axes.annotate(summary, points[0], xytext=spot, textcoords="offset points", ha=side, color=tone, fontweight="bold",
                      arrowprops=leader)
    axes.plot(1, 1, "*", color=INK, markersize=12)
    axes.annotate(translate("brute force"), (1, 1), xytext=(10, -18), textcoords="offset points", ha="right", color=INK,
                  fontweight="bold")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.set_xticks([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set(xlabel=translate("fraction of all vectors compared (log scale)"), ylabel=translate("true 10 nearest found"),
             ylim=(0, 1.06))
    axes.set_xlim(min(share for points in walked.values() for share, _ in points) / 2, 1.15)
    axes.set_title(translate("How much must be compared to find the ten nearest?"))
    summary = "; ".join(
        f"{name}: " + ", ".join(translate("{hit:.0%} with {share:.1%} compared", hit=hit, share=share) for share, hit in points)
        for name, points in {**walked, **beside}.items()
    )
    finish(figure, "Fraction of the true 10 nearest found against the fraction of all vectors compared. {summary}.",
                   summary=summary)
