"""Vectors stored in fewer bytes or compared in part: what is counted, what is measured, and the figures."""

import pytest
import torch
import torch.nn.functional as F

from embedding_course.experiments import curves
from embedding_course.experiments.search_engine import compression, costs
from embedding_course.plot import compression as memory
from tests.support.right_answers import right_answer


def _unit_vectors(rows: int, width: int) -> torch.Tensor:
    return F.normalize(torch.randn(rows, width, generator=torch.Generator().manual_seed(0)), dim=1)


def test_memory_is_counted_and_measured() -> None:
    assert compression.gigabytes(1_000_000, 4 * 1536) == pytest.approx(6.144)
    documents = _unit_vectors(300, 32)
    queries, right = documents[:40] + 0.02, torch.arange(40)

    def measure(asked: torch.Tensor, texts: torch.Tensor) -> float:
        return float(right_answer("09.recall_at_k")(asked @ texts.T, right, 1))

    cut = compression.by_width(queries, documents, (2, 8, 32), right_answer("11.truncate_dimensions"), measure)
    assert [point.bytes for point in cut] == [8, 32, 128] and cut[0].value < cut[1].value <= cut[2].value == 1
    turned = compression.turned(queries, documents)
    variance = turned[1].var(dim=0)
    assert turned[1].mean(dim=0).abs().max() < 1e-5 and torch.all(variance[:-1] >= variance[1:] - 1e-6)


def test_more_lists_show_more_of_the_truth() -> None:
    documents = _unit_vectors(400, 16)
    lists = compression.make_lists(documents, 10)
    points = compression.by_probes(documents[:50], documents, lists, right_answer("11.inverted_file_search"), (1, 3, 10))
    shares, hits = zip(*points, strict=True)
    assert shares[0] < shares[1] < shares[2] == pytest.approx(1 + 10 / 400) and hits[0] < hits[1] < hits[2] == 1


def test_more_parts_find_more() -> None:
    documents = _unit_vectors(400, 16)
    nearest = (documents[:50] @ documents.T).topk(10, dim=1).indices
    found = []
    for parts in (2, 8):
        books = compression.make_codebooks(documents, parts, centroids=16)
        assert books.shape == (parts, 16, 16 // parts)
        codes = right_answer("11.product_quantize")(documents, books)
        found.append(costs.recall_10(nearest, right_answer("11.pq_search")(documents[:50], codes, books, 10)))
    assert 0.1 < found[0] < found[1] < 1


def test_queries_are_not_searched() -> None:
    asked, stored = costs.split(torch.arange(1500).float()[:, None])
    assert len(asked) == 1000 and len(stored) == 500 and not set(asked.flatten().tolist()) & set(stored.flatten().tolist())
    nearest = torch.arange(20).view(2, 10)
    assert costs.recall_10(nearest, torch.stack([nearest[0], -nearest[1]])) == 0.5


def test_the_recorded_costs_are_those_of_the_lesson() -> None:
    times = curves.load("11_faiss").named()
    assert set(times) == {"inverted file", "HNSW", "product codes", "1 bit"}
    assert max(time for time, recall in times["HNSW"] if recall < 0.98) < 0.2
    kept = dict(curves.load("11_matryoshka").curves["wordllama"])
    assert list(kept) == list(costs.KEPT) and list(kept.values()) == sorted(kept.values())


def test_the_figures_say_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    memory.show_pareto({"cut": [compression.Point(16, 0.3)]}, compression.Point(64, 1.0), {"lists": [(0.1, 0.9)]})
    memory.show_kept((0.25, 0.5), {"cut": (0.2, 0.4)})
    output = capsys.readouterr().out
    for piece in ("cut: 30% at 16 bytes", "lists: 90% in 0.10", "cut: 20% with 25%"):
        assert piece in output, piece
