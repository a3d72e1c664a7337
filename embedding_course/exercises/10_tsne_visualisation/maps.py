"""Maps and how far to trust them: PCA, trustworthiness, and clusters against chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided
from ...show import show

__all__ = ["cluster_test", "pca", "trustworthiness"]


def _scores(expected: torch.Tensor, got: Any, _: Case) -> Fault | None:
    """Columns are compared one by one, and up to their sign: small ones as exactly as large ones."""
    fault = Same().leaf(expected, got, "the result", float("inf"))
    if fault:
        return fault
    wrong = []
    largest = float(expected.double().abs().max())
    for column in range(expected.shape[1]):
        mine, theirs = expected[:, column].double(), got[:, column].double()
        size = float(mine.abs().max())
        if size < 1e-5 * largest:
            size = largest  # a direction without variance: what is left there is rounding
        limit = (1e-3 if expected.dtype == torch.float32 else 1e-6) * size
        if min(float((mine - theirs).abs().max()), float((mine + theirs).abs().max())) > limit:
            wrong.append(column)
    said = f" (column {', '.join(map(str, wrong))})"
    return Fault("values", f"{len(wrong)} of {expected.shape[1]} columns are wrong, signs apart", said) if wrong else None


def _run_pca(candidate: Callable[..., Any], x: torch.Tensor, k: int) -> Parts:
    return Parts({"scores": candidate(x, k)})


def _pca_cases(draw: Draw) -> Iterator[Case]:
    def points(
        rows: int,
        width: int,
        *,
        scale: float = 1.0,
        away: float = 0.0,
        last: bool = False,
        dtype: torch.dtype = torch.float64,
    ) -> torch.Tensor:
        """A cloud whose variances fall clearly from one direction to the next, seen from a random side.

        With `last` the widest direction is nearly that of the last column, the next one that of the column before it."""
        rank = min(rows - 1, width)
        sides = torch.linalg.qr(draw.normal(rows, rank, dtype=dtype))[0]
        sides = torch.linalg.qr(sides - sides.mean(dim=0))[0]
        side = draw.normal(width, width, dtype=dtype)
        turn = torch.linalg.qr(torch.eye(width, dtype=dtype).flip(0) + 0.1 * side if last else side)[0][:rank]
        lengths = 1.6 ** -torch.arange(rank, dtype=dtype) * draw.uniform(1, low=3, high=5, dtype=dtype)
        middle = (1.0 + draw.uniform(1, width, dtype=dtype)) * away
        return (sides * lengths) @ turn * scale + middle * scale

    def case(name: str, x: torch.Tensor, k: int, criterion: str, because: str = "", dtype: torch.dtype = torch.float32) -> Case:
        x = x.to(dtype) if x.is_contiguous() else strided(x.to(dtype))
        return Case(name, {"x": x, "k": k}, criterion, because=because)

    rows, width = draw.choice(((11, 5), (13, 3), (11, 7)))
    # Whole numbers and their opposites: the mean is 0 to the last bit.
    half = (8 * points(rows, width)).round()
    yield case("centred points", torch.cat([half, -half]), 2, "directions", "By falling variance; signs do not matter.")
    centre = "Variance is measured from the mean: take it off first."
    yield case("points far from the origin", points(rows, width, away=20.0), 2, "centred", centre)
    yield case("a little off the origin", points(rows, width, away=0.5), 2, "centred", centre)
    yield case("one direction", points(rows, width, away=1.0), 1, "any cloud")
    yield case("all directions", points(rows, width, away=1.0), width, "any cloud")
    yield case("fewer points than columns", points(5, 11, away=1.0), 3, "any cloud")
    yield case("as many points as columns", points(7, 7, away=1.0), 3, "any cloud")
    yield case("float64", points(rows, width, away=1.0), 2, "any cloud", dtype=torch.float64)
    yield case("large numbers", points(rows, width, away=1.0, scale=1e3), 2, "any cloud")
    yield case("not contiguous in memory", strided(points(rows, width, away=1.0)), 2, "any cloud")
    flat = points(rows, 3)
    flat = torch.cat([flat[:, :2], flat[:, 2:].expand(-1, 2) / 2**0.5, torch.full((rows, 1), 5.0)], dim=1)
    nothing = "Along the last directions all points stand at 0."
    yield case("two equal columns and a constant one, all directions", flat, 5, "any cloud", nothing)
    level = torch.tensor([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]])
    yield case("points on a level line, all directions", level, 2, "any cloud", nothing)
    unsorted = "Eigenvalues come in no order, or in a rising one: an order that fits is luck."
    for rows, width in ((7, 3), (9, 5), (13, 3), (11, 5)):
        name = f"{rows} points, the widest directions near the last of {width} columns"
        yield case(name, points(rows, width, away=0.5, last=True), 2, "any cloud", unsorted)


pca = Exercise(
    id="10.pca",
    title="The widest view",
    why="The map to try first: linear, repeatable, and honest about how much it leaves out.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("directions", 1, "the points along the k directions of largest variance, the largest first"),
        Criterion("centred", 1, "where the points stand as a whole does not matter"),
        Criterion("any cloud", 1, "one direction or all, more columns than points, any floating type and layout"),
    ),
    hints=(
        "Three steps: centre the columns, find the directions, project the points on the first k.",
        "The singular value decomposition of the centred points gives directions that are sorted already.",
        "If you take eigenvectors of the covariance instead: `eigh` sorts them by rising eigenvalue.",
        "`torch.linalg.svd` returns the directions as rows of Vh: project with the transpose of its first k rows.",
    ),
    cases=_pca_cases,
    run=_run_pca,
    compare=Same(rules={"scores": _scores}),
)


def _clear(draw: Draw, rows: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Points without near-ties: from each point no two others are about equally far."""
    while True:
        x = draw.normal(rows, width, dtype=dtype)
        distances = torch.cdist(x.double(), x.double()).sort(dim=1).values
        if float((distances.diff(dim=1) / distances.max()).min()) > 1e-4:
            return x


def _trust_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, y: torch.Tensor, k: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x, "y": y, "k": k}, criterion, because=because)

    rows, width = draw.choice(((11, 5), (13, 3), (13, 5)))
    x = _clear(draw, rows, width)
    same = "All neighbours on the map are neighbours in the data: nothing is false."
    yield case("a map that is the data", x, x.clone(), 3, "neighbours", same)
    yield case("a map of chance", _clear(draw, rows, width), _clear(draw, rows, 2), 3, "neighbours",
               "Each false neighbour counts by how far down the data's own list it stands.")  # fmt: skip
    flat = _clear(draw, rows, 2)
    cloud = torch.cat([flat, 0.7 * draw.normal(rows, 3)], dim=1)
    yield case("a map that leaves three columns out", cloud, flat, 4, "neighbours")
    yield case("one neighbour", _clear(draw, rows, width), _clear(draw, rows, 2), 1, "any map")
    yield case("as many neighbours as are allowed", _clear(draw, rows, width), _clear(draw, rows, 2), rows // 2, "any map")
    yield case("a larger map", 1000 * _clear(draw, rows, width), _clear(draw, rows, 2), 3, "any map",
               "Only who is nearer counts, not how far anybody is.")  # fmt: skip
    line = torch.tensor([0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0])
    met = torch.stack([line, torch.zeros(7)], dim=1)
    met[0] = met[6] = torch.tensor([-9.0, 0.0])
    yield case("two points in one place on the map", line[:, None], met, 1, "any map",
               "A point is not its own neighbour; another point in the same place is one.")  # fmt: skip
    twins = torch.tensor([50.0, 50.0, 0.0, 1.0, 3.0, 7.0, 15.0, 31.0])
    apart = torch.stack([twins, torch.zeros(8)], dim=1)
    apart[:2] = torch.tensor([[-40.0, 0.0], [-40.0, 1.0]])  # no other point shows just one of them: they tie in its ranks
    yield case("two equal points in the data", twins[:, None], apart, 2, "any map",
               "A point is not its own neighbour; another point in the same place is one.")  # fmt: skip
    yield case("data in the plane", _clear(draw, rows, 2), _clear(draw, rows, 2), 2, "any map")
    double = torch.float64
    yield case("float64", _clear(draw, rows, width, double), _clear(draw, rows, 2, double), 3, "any map")
    yield case("not contiguous in memory", strided(_clear(draw, rows, width)), strided(_clear(draw, rows, 2)), 3, "any map")


trustworthiness = Exercise(
    id="10.trustworthiness",
    title="False neighbours",
    why="It counts the neighbours that a map invents: the first number to ask for before believing what lies close together.",
    difficulty=2,
    minutes=14,
    criteria=(
        Criterion("neighbours", 2, "neighbours on the map that are none in the data, counted by their rank there"),
        Criterion("any map", 1, "any number of neighbours, sizes, floating type and layout"),
    ),
    hints=(
        "Two questions for each point: who are its k nearest on the map, and on which rank does each stand in the data?",
        "Ranks begin with 1 for the nearest other point: a point is not its own neighbour, in the data or on the map.",
        "Only ranks above k cost anything, and they cost rank - k. Sum that over all points and their k map neighbours.",
        "`argsort` twice turns distances into ranks. The formula in the docstring then needs one sum.",
    ),
    cases=_trust_cases,
)

#: Among four points with two labels there are three ways to pair them, each a third of all shuffles: there the null is
#: known exactly. Among thirty it is an estimate.
_FEW = 4


def _run_test(
    candidate: Callable[..., Any], x: torch.Tensor, y: torch.Tensor, labels: torch.Tensor, seed: int, again: bool = False
) -> Parts:
    """Call with a generator of this seed; with `again`, also with an equal one from another global state, and four others.

    One null is an estimate, from 100 shuffles a coarse one; the mean of five tells percentiles apart. Among four points
    `again` means two others, which must give the same null.
    """

    def null(number: int) -> tuple[dict, Any]:
        result = candidate(x, y, labels, torch.Generator().manual_seed(number))
        if not isinstance(result, dict):
            raise TypeError(f"a dict should be returned; it was a {type(result).__name__}")
        return result, result.get("null")

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        result, first = null(seed)
        parts = Parts({"keys": sorted(str(key) for key in result)})
        parts.update({name: result.get(name) for name in ("data", "map")})
        if len(x) <= _FEW:
            parts["null"] = first
            if again:
                parts["null of another generator"], parts["null of a third generator"] = null(seed + 1)[1], null(seed + 2)[1]
        else:
            parts["null as a number"] = first
        parts["real"] = result.get("real")
        if again and len(x) > _FEW:
            torch.manual_seed(2)
            parts["repeats"] = abs(float(null(seed)[1]) - float(first)) < 1e-6
            nulls = [float(first), *(float(null(seed + further)[1]) for further in range(1, 5))]
            parts["varies"] = nulls[0] != nulls[1]
            used = torch.Generator().manual_seed(seed)
            torch.rand(7, generator=used)
            parts["goes on"] = float(candidate(x, y, labels, used)["null"]) != nulls[0]
            parts["null, the mean over five generators"] = sum(nulls) / len(nulls)
    return parts


def _keys(expected: list[str], got: Any, _: Case) -> Fault | None:
    missing = [key for key in expected if not isinstance(got, list) or key not in got]
    return Fault("values", f"the dict lacks {', '.join(map(repr, missing))}") if missing else None


def _holds(sentence: str) -> Callable[[Any, Any, Case], Fault | None]:
    def rule(_: Any, got: Any, __: Case) -> Fault | None:
        return None if got is True else Fault("property", sentence)

    return rule


def _test_cases(draw: Draw) -> Iterator[Case]:
    from sklearn.metrics import silhouette_score  # slow to import, and nobody else needs it

    names = draw.shuffled([-2, 7, 1_000_003])  # labels are names: any numbers

    def case(
        name: str, x: torch.Tensor, y: torch.Tensor, labels: torch.Tensor, criterion: str, because: str = "", **more: Any
    ) -> Case:
        order = draw.distinct(len(x), len(x))
        x, y, labels = x[order], y[order], labels[order]
        if more.pop("gaps", False):
            x, y, labels = strided(x), strided(y), strided(labels)
        seed = draw.seed()
        call = f"cluster_test({show(x)}, {show(y)}, {show(labels)}, torch.Generator().manual_seed({seed}))"
        return Case(name, {"x": x, "y": y, "labels": labels, "seed": seed}, criterion, more, call, because)

    def grouped(
        groups: int, width: int, apart: float, dtype: torch.dtype = torch.float32, sizes: Sequence[int] | None = None
    ) -> torch.Tensor:
        """Thirty points in groups around corners that are `apart` from the origin; groups alike in size unless `sizes` says."""
        counts = torch.tensor(sizes or [30 // groups] * groups)
        corners = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], dtype=dtype)[:groups] * apart
        corners = torch.cat([corners, torch.zeros(groups, width - 2, dtype=dtype)], dim=1)
        return corners.repeat_interleave(counts, dim=0) + draw.normal(30, width, dtype=dtype)

    def twins(width: int) -> torch.Tensor:
        """Fifteen pairs of close points, one of each label: no label holds together, less than by chance."""
        middles = draw.normal(15, width, scale=3.0)
        return middles.repeat(2, 1) + 0.1 * draw.normal(30, width)

    def pairs(width: int, apart: float) -> torch.Tensor:
        """Four points: 0 and 1 close together, 2 and 3 close together."""
        ends = torch.zeros(4, width)
        ends[2:, 0] = apart
        return ends + 0.3 * draw.normal(4, width)

    labels, two = torch.tensor(names).repeat_interleave(10), torch.tensor(names[:2]).repeat_interleave(15)
    yield case("groups in the data and on the map", grouped(3, 5, 5.0), grouped(3, 2, 5.0), labels, "silhouettes")
    sizes = draw.shuffled([4, 9, 17])
    unequal = torch.tensor(names).repeat_interleave(torch.tensor(sizes))
    yield case("groups of unequal sizes", grouped(3, 5, 3.0, sizes=sizes), grouped(3, 2, 5.0, sizes=sizes), unequal,
               "silhouettes", "Every point counts alike, whatever the size of its group.")  # fmt: skip
    overlapping = grouped(3, 5, 2.0)
    while not 0.12 < silhouette_score(overlapping.numpy(), labels.numpy()) < 0.2:
        overlapping = grouped(3, 5, 2.0)
    yield case("groups that overlap", overlapping, grouped(3, 2, 5.0), labels, "silhouettes",
               "“real” asks for more than chance gives, and for no more than that.")  # fmt: skip
    yield case("groups on the map alone", twins(5), grouped(2, 2, 9.0), two, "silhouettes",
               "“real” asks the data: what the map shows is not evidence.")  # fmt: skip

    across = torch.tensor([names[0], names[1]] * 2)
    chance = "Of three ways to pair four points one is best; each comes up in a third of the shuffles, so it is the null."
    yield case("four points, labelled across", pairs(3, 4.0), pairs(2, 2.0), across, "null", chance, again=True)
    long, short = draw.uniform(1, low=1.1, high=1.15).item(), 1.0
    square = torch.tensor([[0.0, 0.0], [long, 0.0], [0.0, short], [long, short]])
    beside = torch.tensor(names[:2]).repeat_interleave(2)
    yield case("four points, nearly a square", square @ torch.linalg.qr(draw.normal(2, 2))[0], pairs(2, 3.0), beside, "null",
               "“real” asks for more than chance gives: a silhouette above 0 is not enough.")  # fmt: skip
    away = torch.tensor([[0.0], [1.0], [1.3], [100.0]])
    yield case("four points, one of them far away", away, pairs(2, 3.0), beside, "null",
               "A shuffle keeps all labels: two of each, in another order.")  # fmt: skip
    yield case("generators", grouped(3, 5, 5.0), grouped(3, 2, 5.0), labels, "null",
               "Equal generators must give equal nulls, and others others.", again=True)  # fmt: skip

    yield case("not contiguous in memory", grouped(3, 3, 5.0), grouped(3, 2, 5.0), labels, "any data", gaps=True)
    double = torch.float64
    yield case("groups in the data alone, float64", grouped(2, 2, 7.0, double), twins(2).to(double), two, "any data")


cluster_test = Exercise(
    id="10.cluster_test",
    title="Clusters, or chance?",
    why="t-SNE draws clusters even of noise. Ask the data, not the map, and ask what chance would give.",
    difficulty=2,
    minutes=14,
    criteria=(
        Criterion("silhouettes", 1.5, "the silhouettes in the data and on the map, and a verdict on the data"),
        Criterion("null", 1, "what shuffled labels give in the data, repeatable by the generator"),
        Criterion("any data", 0.5, "two labels or more, any floating type and layout"),
    ),
    hints=(
        "One number four ways: the silhouette of x, of y, of x with shuffled labels (many times), and a comparison.",
        "Shuffle the labels, not the points: `torch.randperm(n, generator=generator)` indexes them.",
        "The 95th percentile is the value that 95 % of the shuffles lie below: `torch.quantile` or `np.quantile`.",
        "`sklearn.metrics.silhouette_score(x, labels)` does the rest. “real” compares with the data's silhouette only.",
    ),
    cases=_test_cases,
    run=_run_test,
    compare=Same(
        tolerances={
            "data": 1e-4,
            "map": 1e-4,
            "null": 1e-3,
            "null of another generator": 1e-3,
            "null of a third generator": 1e-3,
            "null, the mean over five generators": 0.03,
            "null as a number": math.inf,
        },
        rules={
            "keys": _keys,
            "repeats": _holds("equal generators give different nulls: all randomness must come from the generator"),
            "goes on": _holds("a generator that was used before gives the same null: only its seed is looked at"),
            "varies": _holds("another generator gives the same null: the generator is not used"),
        },
    ),
)
