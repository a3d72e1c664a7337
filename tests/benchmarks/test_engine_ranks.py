"""What notebook 11 shows of engines is recorded as it is measured."""

import json

import pytest
import torch

from benchmarks import engine_ranks
from embedding_course.data.published import BertModel
from embedding_course.data.published.models import WordVectors
from embedding_course.experiments.search_engine.recorded_ranks import recorded_ranks
from grader.marking.project.task import Query, Task


def test_recorded_layers_are_those_of_the_model(bert: BertModel) -> None:
    measured = engine_ranks.layer_differences(bert)
    assert measured.keys() == recorded_ranks().layers.keys()
    for error, row in recorded_ranks().layers.items():
        assert measured[error][:-1] == pytest.approx(row[:-1], rel=0.1, abs=1e-5), error
        assert measured[error][-1] == pytest.approx(row[-1], abs=2e-4), error


def test_rare_words_count_more() -> None:
    words = WordVectors("three", ("the", "cat", "dog"), torch.tensor([[9.0, 9.0], [1.0, 0.0], [0.0, 1.0]]))
    texts = ["the the cat", "the dog"]
    task = Task(["a", "b"], texts, [], [], [Query("the cat", frozenset({0})), Query("the dog", frozenset({1}))])
    assert engine_ranks.rare_words_first(task, words, words.vectors) == [1, 1]


def test_a_list_a_line() -> None:
    content = {"note": "x", "hidden": {"one": [1, 2], "two": [3]}, "layers": {"eps": [0.5]}}
    text = engine_ranks.lines(content)
    assert json.loads(text) == content and '"one":[1,2],\n"two":[3]' in text
