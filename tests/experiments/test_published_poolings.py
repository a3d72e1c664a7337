"""The token vectors of a published encoder are pooled, and its public numbers come out."""

from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from embedding_course.data.project_search import Collection
from embedding_course.data.published import BertModel
from embedding_course.experiments import curves
from embedding_course.experiments.pooling import published_poolings
from tests.support.published import bert  # noqa: F401
from tests.support.right_answers import right_answer

POOLINGS = {name: right_answer(f"08.pool_{name}") for name in ("mean", "max", "cls", "last", "weighted")}
FOUR = published_poolings.FOUR


def test_the_recorded_cosines_are_those_of_the_model(bert: BertModel) -> None:  # noqa: F811
    for name, vectors in published_poolings.encode(bert, POOLINGS, FOUR).items():
        cosines = (vectors @ vectors[0]).tolist()
        assert cosines == pytest.approx(published_poolings.RECORDED_COSINES[name], abs=1e-4)


def test_padding_changes_no_token(bert: BertModel) -> None:  # noqa: F811
    ids, mask = bert.tokenizer.ids(FOUR[:1])
    encoder = published_poolings.TokenVectors(bert)
    with torch.no_grad():
        alone, padded = encoder(ids, mask), encoder(F.pad(ids, (0, 5)), F.pad(mask, (0, 5)))
    assert torch.allclose(alone, padded[:, : ids.shape[1]], atol=1e-5)


def test_the_rank_of_the_first_right_document_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = Collection(["a", "b", "c"], ["x", "y", "z"], [])
    monkeypatch.setattr(published_poolings, "collection", lambda: documents)
    monkeypatch.setattr(published_poolings, "minilm", lambda: None)
    monkeypatch.setattr(published_poolings, "fingerprint", lambda: "three documents")
    vectors = {"x": [1.0, 0.0], "y": [0.8, 0.6], "z": [0.0, 1.0], "first": [1.0, 0.1], "second": [0.1, 1.0]}
    monkeypatch.setattr(
        published_poolings,
        "encode",
        lambda model, poolings, texts: dict.fromkeys(poolings, torch.tensor([vectors[text] for text in texts])),
    )
    queries = {"first": ["b", "c"], "second": ["c"]}
    mean, largest, cls, last, weighted = POOLINGS.values()
    found = published_poolings.measure(mean, largest, cls, last, weighted, queries)
    assert found.curves == {name: [(1, 2), (2, 1)] for name in POOLINGS}


def test_queries_are_read(tmp_path: Path) -> None:
    (tmp_path / "queries.tsv").write_text("most common value\tstatistics.mode statistics.multimode\n", encoding="utf-8")
    queries = published_poolings.read_queries(tmp_path / "queries.tsv")
    assert queries == {"most common value": ["statistics.mode", "statistics.multimode"]}


def test_each_pooling_has_a_rank_for_each_hidden_query() -> None:
    recorded = curves.load("08_published")
    assert set(recorded.curves) == set(POOLINGS)
    assert {len(points) for points in recorded.curves.values()} == {124}
    assert min(rank for points in recorded.curves.values() for _, rank in points) == 1
