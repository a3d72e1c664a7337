"""What notebook 09 shows of walks along neighbours and of many vectors for a text: graphs, counts, and the recorded figures."""

import pytest
import torch
import torch.nn.functional as F

from embedding_course.data.api_search import Entry
from embedding_course.experiments import curves
from embedding_course.experiments.contrastive_training import late_interaction, neighbour_graph
from embedding_course.experiments.contrastive_training.search_training import Setting
from embedding_course.experiments.contrastive_training.search_training import train as train_engine
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


def test_words_are_kept_apart_and_can_be_trained() -> None:
    verbs = ("sort", "sum", "add", "read", "write", "copy")
    entries = [Entry(f"one.{verb}", "one", "function", f"{verb} the values", f"Here {verb} is done.", verb) for verb in verbs]
    setting = Setting(width=16, batch=4, steps=2)
    first = train_engine(right_answer("09.info_nce"), right_answer("09.warmup_cosine"), entries, setting).encoder
    texts = late_interaction.bodies(first, entries)
    assert texts.vectors.shape == (6, 4, 16) and texts.mask.all()
    assert torch.allclose(texts.vectors.norm(dim=2), torch.ones(6, 4), atol=1e-5)
    asked = late_interaction.questions(first, entries)
    assert all(float(question.norm(dim=1).sum().detach()) == pytest.approx(1, abs=1e-4) for question in asked)
    scores = late_interaction.scores(right_answer("11.max_sim"), first, entries)
    assert scores.shape == (6, 6) and scores.abs().max() <= 1 and scores.argmax(dim=1).tolist() == list(range(6))
    for loss in (None, right_answer("11.max_sim")):
        further = late_interaction.train(loss, first, entries, steps=2, batch=3)
        assert not torch.equal(late_interaction.scores(right_answer("11.max_sim"), further, entries), scores)
    assert torch.equal(late_interaction.scores(right_answer("11.max_sim"), first, entries), scores)  # copies were trained


def test_the_recorded_recall_is_that_of_the_lesson() -> None:
    numbers = curves.load("09_late_interaction").numbers

    def of(trained: str, way: str, k: int) -> list[float]:
        return [numbers[f"{trained}, {way}, recall@{k}, seed {seed}"] for seed in range(3)]

    for k in (1, 10):
        assert max(of("first", "max_sim", k)) < min(of("many", "max_sim", k))
        assert max(of("many", "max_sim", k)) < min(of("one", "one_vector", k))


def test_the_figure_says_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    walks.show_walks({"near": [(0.01, 0.3), (0.02, 0.5)], "far": [(0.02, 0.6), (0.05, 0.9)]}, (10, 20), {"lists": [(0.1, 0.8)]})
    output = capsys.readouterr().out
    assert "far: 60% with 2.0% compared, 90% with 5.0% compared" in output and "lists: 80% with 10.0% compared" in output
