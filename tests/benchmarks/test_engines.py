"""What is counted of search engines is counted rightly; the page and the record are made of it."""

import numpy as np
import pytest
import torch

from benchmarks import engines
from grader.marking.project.task import Query, Task

QUERIES = [Query("first", frozenset({2})), Query("second", frozenset({0, 1})), Query("third", frozenset({1}))]
TASK = Task(["a", "b", "c"], ["a\nA.\nBody.", "b\nB.\nBody.", "c\nC.\nBody."], [], QUERIES, QUERIES)


def measured(name: str, ranks: list[int]) -> engines.Measured:
    return engines.Measured(name, np.array(ranks), built=0.5, asked=0.003)


def test_the_first_right_document_counts() -> None:
    assert engines.ranks([[2, 0, 1], [2, 1, 0], [0, 2, 1]], QUERIES).tolist() == [1, 2, 3]
    engine = measured("one", [1, 2, 3])
    assert engine.recall(1).tolist() == [1, 0, 0] and engine.recall(2).tolist() == [1, 1, 0]
    assert engine.reciprocal().tolist() == pytest.approx([1, 1 / 2, 1 / 3])


def test_the_interval_of_a_mean() -> None:
    values = np.repeat([0.0, 1.0], 50)
    low, high = engines.interval(values)
    assert low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.01) and high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.01)
    assert engines.interval(np.ones(7)) == (1.0, 1.0)


def test_a_bag_is_a_sum_of_length_one() -> None:
    table = torch.tensor([[3.0, 0.0], [0.0, 4.0]])
    assert engines.bag(table, [[0, 1], [1, 1], []]).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 1], [0, 0]]


def test_orders_are_fused() -> None:
    assert engines.fused([[0, 1, 2]], [[1, 0, 2]]) == [[0, 1, 2]]


def test_the_page_shows_every_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "fingerprint", lambda: "some pairs")
    monkeypatch.setattr(engines, "version", lambda name: "1.0")
    found = [measured("BM25", [1, 2, 3]), measured("another", [1, 1, 1])]
    text = engines.page(TASK, found, [("GloVe", "wordsim353", 350, 0.5)])
    assert "| another | 1.00 (1.00 to 1.00) | +0.67 (" in text and "| another | 0.5 | 6 | 1.0 |" in text
    assert "| GloVe | wordsim353 | 350 | 0.50 |" in text


def test_vectors_are_recorded_with_8_bits(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    from embedding_course.data.published import recorded

    documents = torch.nn.functional.normalize(torch.randn(3, 384, generator=torch.Generator().manual_seed(0)), dim=1)
    monkeypatch.setattr(engines, "ROOT", tmp_path)
    monkeypatch.setattr(engines, "fingerprint", lambda: "some pairs")
    monkeypatch.setattr(engines, "SentenceEncoder", lambda model: model)
    monkeypatch.setattr(engines, "encode", lambda encoder, model, texts: torch.ones(len(texts), 384))
    path = engines.record(TASK, None, documents)
    monkeypatch.setattr(recorded, "data_file", lambda name: path)
    record = recorded.recorded_minilm.__wrapped__()
    assert record.names == ("a", "b", "c") and record.note == "some pairs"
    assert torch.allclose(record.documents, documents, atol=1e-3)
