"""The recorded features train a reranker that is measured on first sentences and on people's questions."""

import pytest
import torch
from safetensors import safe_open

from embedding_course.data.files import data_file
from embedding_course.experiments.search_engine.rerank import FEATURES, RECORD, Candidates, candidates, ranks


@pytest.mark.parametrize(("name", "questions", "count"), [("train", 500, 30), ("valid", 200, 30), ("test", 124, 50)])
def test_what_is_recorded_fits_together(name: str, questions: int, count: int) -> None:
    found = candidates(name)
    assert found.features.shape == (questions, count, len(FEATURES)) and found.features.isfinite().all()
    assert found.gains.shape == (questions, count) and found.rank.shape == (questions,)
    fused = torch.arange(count, 0, -1).expand(questions, count)
    assert torch.equal(ranks(fused, found), found.rank), "candidates stand in the order of the fusion"


def test_nothing_of_the_hidden_queries_is_recorded_but_features_and_ranks() -> None:
    with safe_open(data_file(RECORD), framework="pt") as file:
        assert set(file.metadata()) == {"note", "features"}
        kinds = {f"{name}.{part}" for name in ("train", "valid", "test") for part in ("features", "gains", "rank")}
        assert set(file.keys()) == kinds
    assert data_file(RECORD).stat().st_size < 300_000


def test_scores_order_the_candidates_and_no_others() -> None:
    gains = torch.tensor([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    found = Candidates(torch.zeros(3, 3, 4), gains, torch.tensor([2, 3, 70]))
    scores = torch.tensor([[0.1, 0.9, 0.2], [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    assert ranks(scores, found).tolist() == [1, 3, 70]
