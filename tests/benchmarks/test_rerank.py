"""The features of the reranker are what the lesson says they are."""

import torch

from benchmarks import rerank
from embedding_course.data.api_search import Entry
from embedding_course.data.published import minilm
from grader.marking.project.task import Query, Task
from tests.support.published import published

TEXTS = ["np.sort\nSort an array.\nThe order is rising.", "np.sum\nAdd all numbers.\nOf an array.", "np.copy\nCopy it.\nWhole."]
TASK = Task(["np.sort", "np.sum", "np.copy"], TEXTS, [], [], [])


def test_a_document_is_searched_without_its_question(monkeypatch) -> None:
    entries = [Entry(*text.split("\n", 1)[:1], "np", "function", *text.split("\n")[1:], "group") for text in TEXTS]
    method = Entry("np.ndarray.sort", "np", "function", "Sort in place.", "Body.", "other")
    monkeypatch.setattr(rerank.api_search, "pairs", lambda split: [method, *entries])
    assert rerank.training_queries(TASK, "train")[0] == Query("Sort an array.", frozenset([0]))
    assert len(rerank.training_queries(TASK, "train")) == 3
    assert rerank.without_first_sentence(TEXTS[0]) == "np.sort\nThe order is rising."


def test_the_share_of_the_name_that_occurs_in_the_question() -> None:
    assert rerank._name_match("Draw the edges of a graph", "plt.draw_edge") == 1
    assert rerank._name_match("Draw the edges of a graph", "nn.MultiEdge") == 0.5
    assert rerank._name_match("", "np.sort") == 0


def test_features_of_a_small_collection() -> None:
    model = published(minilm)
    encoder = rerank.SentenceEncoder(model)
    queries = [Query("sort numbers", frozenset([0])), Query("the", frozenset([2]))]
    found = rerank.Features(encoder, model, TASK.names, TASK.texts).measure(queries, 3)
    assert found["features"].shape == (2, 3, 4) and found["features"].isfinite().all()
    assert found["gains"].sum(dim=1).tolist() == [1, 1]
    assert torch.equal(found["gains"].argmax(dim=1) + 1, found["rank"])
    first = found["gains"][0].argmax()
    assert found["features"][0, first, 3] == 1, "the whole name occurs in the question"
    assert (found["features"][1, :, 0] == 0).all(), "BM25 knows no word of this question"
