"""Clusters against chance: how the test is called, and its cases."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...messages import Code, Listing, Message
from ..rules import required

#: Among four points with two labels there are three ways to pair them, each a third of all shuffles: there the null is
#: known exactly. Among thirty it is an estimate.
_FEW = 4


def _run_test(
    candidate: Callable[..., Any], x: torch.Tensor, y: torch.Tensor, labels: torch.Tensor, seed: int, also: str = ""
) -> NamedParts:
    """Call with a generator of this seed. `also` says which further calls are made, and what is reported of their nulls."""

    def test(generator: torch.Generator) -> dict:
        result = candidate(x, y, labels, generator)
        if not isinstance(result, dict):
            raise TypeError(f"a dict should be returned; it was of type {type(result).__name__}")
        return result

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        result = test(_generator(seed))
        parts = NamedParts({"keys": sorted(str(key) for key in result)})
        parts.update({name: result.get(name) for name in ("data", "map")})
        parts["null" if len(x) <= _FEW else "null as a number"] = result.get("null")
        parts["real"] = result.get("real")
        torch.manual_seed(2)
        if also:
            parts.update(_FURTHER[also](lambda generator: test(generator)["null"], result.get("null"), seed))
    return parts


def _generator(seed: int, used: bool = False) -> torch.Generator:
    generator = torch.Generator().manual_seed(seed)
    if used:
        torch.rand(7, generator=generator)
    return generator


def _two_others(null: Callable[[torch.Generator], Any], first: Any, seed: int) -> dict[str, Any]:
    names = ("null of another generator", "null of a third generator")
    return {name: null(_generator(seed + further)) for further, name in enumerate(names, start=1)}


def _four_others(null: Callable[[torch.Generator], Any], first: Any, seed: int) -> dict[str, Any]:
    """Return the change of the null with another generator, and the mean over five generators.

    One null from 100 shuffles is a coarse estimate; the mean of five tells percentiles apart.
    """
    nulls = [float(first), *(float(null(_generator(seed + further))) for further in range(1, 5))]
    return {"change with another generator": nulls[1] - nulls[0], "null, the mean over five generators": sum(nulls) / 5}


def _an_equal_one(null: Callable[[torch.Generator], Any], first: Any, seed: int) -> dict[str, Any]:
    return {"change with an equal generator": float(null(_generator(seed))) - float(first)}


def _a_used_one(null: Callable[[torch.Generator], Any], first: Any, seed: int) -> dict[str, Any]:
    return {"change with a used generator": float(null(_generator(seed, used=True))) - float(first)}


_FURTHER = {"two others": _two_others, "four others": _four_others, "an equal one": _an_equal_one, "a used one": _a_used_one}


def _keys(expected: list[str], got: Any, _: Case) -> Mismatch | None:
    missing = [key for key in expected if not isinstance(got, list) or key not in got]
    said = Message("The dict lacks {keys}.", keys=Listing([Code(repr(key)) for key in missing]))
    return Mismatch("values", said) if missing else None


_CHANGES = {
    "change with an equal generator": required(
        lambda change: abs(change) < 1e-6,
        Message("Equal generators give different nulls: all randomness must come from the generator."),
    ),
    "change with another generator": required(
        lambda change: change != 0, Message("Another generator gives the same null: the generator is not used.")
    ),
    "change with a used generator": required(
        lambda change: change != 0,
        Message("A generator that was used before gives the same null: only its seed is looked at."),
    ),
}


def _test_cases(draw: RandomInputs) -> Iterator[Case]:
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
        """Return thirty points in groups around corners: `apart` times (1, 0), (0, 1) and (-1, -1).

        The groups are equally large without `sizes`.
        """
        counts = torch.tensor(sizes or [30 // groups] * groups)
        corners = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], dtype=dtype)[:groups] * apart
        corners = torch.cat([corners, torch.zeros(groups, width - 2, dtype=dtype)], dim=1)
        return corners.repeat_interleave(counts, dim=0) + draw.normal(30, width, dtype=dtype)

    def couples(width: int) -> torch.Tensor:
        """Return fifteen pairs of close points with one point of each label.

        Points of one label are then less close to one another than by chance.
        """
        middles = draw.normal(15, width, scale=3.0)
        return middles.repeat(2, 1) + 0.1 * draw.normal(30, width)

    def pairs(width: int, apart: float) -> torch.Tensor:
        """Return four points: 0 and 1 are close together, and so are 2 and 3."""
        ends = torch.zeros(4, width)
        ends[2:, 0] = apart
        return ends + 0.3 * draw.normal(4, width)

    labels, two = torch.tensor(names).repeat_interleave(10), torch.tensor(names[:2]).repeat_interleave(15)
    yield case("groups in the data and on the map", grouped(3, 5, 5.0), grouped(3, 2, 5.0), labels, "silhouettes")
    sizes = draw.shuffled([4, 9, 17])
    unequal = torch.tensor(names).repeat_interleave(torch.tensor(sizes))
    yield case("groups of unequal sizes", grouped(3, 5, 3.0, sizes=sizes), grouped(3, 2, 5.0, sizes=sizes), unequal,
               "silhouettes", "Every point counts alike, whatever the size of its group.")
    overlapping = grouped(3, 5, 2.0)
    while not 0.12 < silhouette_score(overlapping.numpy(), labels.numpy()) < 0.2:
        overlapping = grouped(3, 5, 2.0)
    yield case("groups that overlap", overlapping, grouped(3, 2, 5.0), labels, "silhouettes",
               "“real” asks for more than chance gives, and for no more than that.").trying('"real" is True')
    yield case("groups on the map alone", couples(5), grouped(2, 2, 9.0), two, "silhouettes",
               "“real” asks the data: what the map shows is not evidence.").trying('"real" is True')

    across = torch.tensor([names[0], names[1]] * 2)
    chance = "Of three ways to pair four points one is best; each comes up in a third of the shuffles, so it is the null."
    yield case("four points, labelled across", pairs(3, 4.0), pairs(2, 2.0), across, "null", chance, also="two others").trying(
        "labels int64", "any numbers", '"null" is the 95th', '"real" is True')
    long, short = draw.uniform(1, low=1.1, high=1.15).item(), 1.0
    square = torch.tensor([[0.0, 0.0], [long, 0.0], [0.0, short], [long, short]])
    beside = torch.tensor(names[:2]).repeat_interleave(2)
    yield case("four points, nearly a square", square @ torch.linalg.qr(draw.normal(2, 2))[0], pairs(2, 3.0), beside, "null",
               "“real” asks for more than chance gives: a silhouette above 0 is not enough.").trying(
        '"null" is the 95th', '"real" is True')
    away = torch.tensor([[0.0], [1.0], [1.3], [100.0]])
    yield case("four points, one of them far away", away, pairs(2, 3.0), beside, "null",
               "A shuffle keeps all labels: two of each, in another order.").trying('"null" is the 95th')
    yield case("four points far from the origin", 1e3 + pairs(3, 4.0), 1e3 + pairs(2, 2.0), across, "null",
               "Distances do not depend on where the origin is; in float32 |a|² + |b|² - 2ab does.").trying("Both may lie")
    yield case("an equal generator", grouped(3, 5, 5.0), grouped(3, 2, 5.0), labels, "null",
               "Equal generators must give equal nulls.", also="an equal one").trying("generator")
    yield case("other generators", grouped(3, 5, 5.0), grouped(3, 2, 5.0), labels, "null",
               "Other generators give other nulls, about as large.", also="four others").trying(
        "generator", '"null" is the 95th')
    yield case("a generator that was used before", grouped(3, 5, 5.0), grouped(3, 2, 5.0), labels, "null",
               "It goes on from where it stands, and gives another null.", also="a used one").trying("generator")

    yield case("not contiguous in memory", grouped(3, 3, 5.0), grouped(3, 2, 5.0), labels, "any data", gaps=True)
    double = torch.float64
    yield case("groups in the data alone, float64", grouped(2, 2, 7.0, double), couples(2).to(double), two, "any data").trying(
        '"real" is True')
    line = torch.tensor([[0.0], [1], [2], [3], [4], [50], [51], [52], [53], [54]])
    example = {"x": line, "y": torch.cat([line, -line], dim=1), "labels": torch.tensor([0] * 5 + [1] * 5), "seed": 1}
    called = "cluster_test(x, torch.cat([x, -x], dim=1), labels, torch.Generator().manual_seed(1)) as in the docstring"
    yield Case("docstring example", example, "any data", call=called).trying("labels int64", "any numbers", "returns")


cluster_test = Exercise(
    id="10.cluster_test",
    title="Clusters, or chance?",
    why="t-SNE draws clusters even of noise, so test clusters in the data and compare with chance. Section 4 uses it twice.",
    difficulty=2,
    minutes=20,
    criteria=(
        Criterion("silhouettes", 2, "the silhouettes in the data and on the map, and a verdict on the data",
                  tries=("x tensor", "tensor of shape (n, 2)", "labels int64", "any numbers", "returns")),
        Criterion("null", 2, "what shuffled labels give in the data, repeatable by the generator"),
        Criterion("any data", 1, "two labels or more, any floating type and layout",
                  tries=("x tensor", "tensor of shape (n, 2)")),
    ),
    hints=(
        "You need three silhouettes: of x, of y, and of x with shuffled labels (many times). Then compare.",
        "Shuffle the labels, not the points: `torch.randperm(n, generator=generator)` indexes them.",
        "The 95th percentile is the value that 95 % of the shuffles lie below: `torch.quantile` or `np.quantile`.",
        "`sklearn.metrics.silhouette_score(x, labels)` gives each of them. “real” compares the data with the null.",
    ),
    cases=_test_cases,
    of_driver=("seed", "also"),
    run=_run_test,
    compare=Comparison(
        rounding={"data": 1e-4, "map": 1e-4},
        tolerances={
            "null": 1e-3,
            "null of another generator": 1e-3,
            "null of a third generator": 1e-3,
            "null, the mean over five generators": 0.03,
            "null as a number": math.inf,
            **dict.fromkeys(_CHANGES, math.inf),
        },
        rules={
            "keys": _keys,
            **_CHANGES,
        },
    ),
)
