"""What notebook 11 shows of walks along neighbours: graphs, counts, and the figure."""

import pytest
import torch
import torch.nn.functional as F

from embedding_course.experiments.search_engine import neighbour_graph
from embedding_course.plot import walks
from tests.support.right_answers import right_answer


def test_a_graph_of_near_neighbours_has_islands_and_peaks() -> None:
    towns = torch.tensor([[1.0, 0.0], [0.99, 0.1], [0.98, 0.2], [0.0, 1.0], [0.1, 0.99], [0.2, 0.98]])
    near = neighbour_graph.nearest_lists(F.normalize(towns, dim=1), 2)
    assert [sorted(others) for others in near] == [[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]]
    assert neighbour_graph.reached(near, 0) == 3 < neighbour_graph.reached(neighbour_graph.with_far(near, 3), 0)
    scores = torch.tensor([[0.9, 0.5, 0.1, 0.8, 0.3, 0.2], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]])
    assert neighbour_graph.peaks(scores, near).tolist() == [2, 2]
    assert neighbour_graph.both_ways([[1], [2], []]) == [[1], [2, 0], [1]]


def test_a_larger_ef_finds_more_and_compares_more() -> None:
    vectors = F.normalize(torch.randn(400, 16, generator=torch.Generator().manual_seed(0)), dim=1)
    graph = neighbour_graph.with_far(neighbour_graph.both_ways(neighbour_graph.nearest_lists(vectors, 5)))
    points = neighbour_graph.by_ef(right_answer("11.greedy_graph_search"), vectors[:30] + 0.1, vectors, graph, (10, 40, 400))
    shares, hits = zip(*points, strict=True)
    assert shares[0] < shares[1] < shares[2] == 1 and hits[0] < hits[1] <= hits[2] == pytest.approx(1)


def test_the_figure_says_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    walks.show_walks({"near": [(0.01, 0.3), (0.02, 0.5)], "far": [(0.02, 0.6), (0.05, 0.9)]}, (10, 20), {"lists": [(0.1, 0.8)]})
    output = capsys.readouterr().out
    assert "far: 60% with 2.0% compared, 90% with 5.0% compared" in output and "lists: 80% with 10.0% compared" in output


def test_a_walk_is_shown_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    search, plane = right_answer("11.greedy_graph_search"), neighbour_graph.plane()
    nearest = int((plane.points - plane.query).norm(dim=1).argmin())
    stuck, through = (
        neighbour_graph.steps_of(search, plane.lifted_query, plane.lifted, plane.neighbours, plane.start, ef) for ef in (1, 4)
    )
    assert stuck.nearest != [nearest] == through.nearest and len(stuck.visited) < len(through.visited)
    assert stuck.visited[0] == plane.start and len(stuck.compared[-1]) == 15
    walks.play_walk(search)
    assert "ef = 1: 15 compared, local maximum; ef = 4: 32 compared, found" in capsys.readouterr().out
