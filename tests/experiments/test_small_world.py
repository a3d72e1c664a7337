"""The graph search of notebook 11: it finds what is near, counts honestly, and its recorded costs are what the lesson says."""

import numpy as np
import pytest

from embedding_course.experiments import curves
from embedding_course.experiments.search_engine import small_world
from embedding_course.experiments.search_engine.small_world import SmallWorld, cloud


def found(world: SmallWorld, queries: np.ndarray, breadth: int) -> float:
    """The share of the true ten nearest."""
    exact = np.argsort(-(queries @ world.vectors.T), axis=1)[:, :10].tolist()
    hits = [len({*world.search(query, 10, breadth)} & {*true}) for query, true in zip(queries, exact, strict=True)]
    return sum(hits) / (10 * len(queries))


def test_it_finds_what_is_near_and_looks_at_a_part() -> None:
    points, world = cloud(700, 4), SmallWorld(4)
    world.grow(points[:600])
    world.comparisons = 0
    assert found(world, points[600:], 20) > 0.97
    assert world.comparisons / 100 < 600 / 4
    assert found(world, points[:50], 20) > 0.97 and world.search(points[7], 1) == [7]


def test_a_longer_list_finds_more_and_costs_more() -> None:
    points, world = cloud(500, 32), SmallWorld(32)
    world.grow(points[:400])
    shares, costs = [], []
    for breadth in (10, 40, 400):
        world.comparisons = 0
        shares.append(found(world, points[400:], breadth))
        costs.append(world.comparisons)
    assert shares == sorted(shares) and shares[0] < shares[2] == pytest.approx(1, abs=0.02) and costs == sorted(costs)


def test_it_grows_as_it_would_at_once_and_links_stay_few() -> None:
    points = cloud(300, 8)
    whole, parts = SmallWorld(8), SmallWorld(8)
    whole.grow(points)
    parts.grow(points[:100])
    parts.grow(points[100:])
    assert whole.layers == parts.layers and len(whole.layers) > 1
    for layer, graph in enumerate(whole.layers):
        assert max(map(len, graph.values())) <= whole.links * (1 if layer else 2)
        assert all(other in graph and other != node for node, others in graph.items() for other in others)
    assert len(whole.layers[0]) == 300 > len(whole.layers[1]) == len({*whole.layers[1]} & {*whole.layers[0]})


def test_the_experiment_says_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_world, "SIZES", (60, 120))
    measured = small_world.measure()
    assert [size for size, _ in measured.curves["4, enough"]] == [60, 120]
    assert measured.numbers["4, 120, enough"] >= small_world.ENOUGH and measured.source().startswith("seed 0 · random")


def test_the_recorded_costs_are_those_of_the_lesson() -> None:
    recorded = curves.load("11_small_world")
    growth = {
        width: recorded.curves[f"{width}, enough"][-1][1] / recorded.curves[f"{width}, enough"][0][1] for width in (4, 64)
    }
    assert growth[4] < 1.45 < 10 < growth[64]
    assert recorded.numbers["64, 500, found"] > 0.9 > 0.5 > recorded.numbers["64, 8000, found"]
