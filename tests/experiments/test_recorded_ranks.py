"""What is recorded of search engines fits together, and no hidden query stands in it."""

import csv

import pytest
import torch

from embedding_course.data.files import data_file
from embedding_course.data.published import recorded_minilm
from embedding_course.experiments.search_engine.layers import ERRORS, STAGES
from embedding_course.experiments.search_engine.recorded_ranks import RECORD, recorded_ranks
from grader.marking.project.task import HIDDEN, PUBLIC
from tests.support.right_answers import right_answer

record = recorded_ranks()


def test_every_engine_has_a_rank_for_every_query() -> None:
    assert record.hidden.keys() == record.public.keys()
    assert {len(ranks) for ranks in (*record.hidden.values(), *record.hidden_by_k.values())} == {124}
    assert {len(ranks) for ranks in record.public.values()} == {20}
    assert min(map(min, (*record.hidden.values(), *record.public.values()))) == 1
    assert record.hidden_by_k[20] == record.hidden["MiniLM + BM25"] == record.ranks("MiniLM + BM25").tolist()


def test_public_questions_are_those_of_the_project() -> None:
    with PUBLIC.open(encoding="utf-8", newline="") as file:
        texts = [text for text, _ in csv.reader(file, delimiter="\t")]
    assert [question.text for question in record.questions] == texts == list(recorded_minilm().questions)


def test_no_hidden_query_is_recorded() -> None:
    text = data_file(RECORD).read_text(encoding="utf-8")
    with HIDDEN.open(encoding="utf-8", newline="") as file:
        assert not [query for query, _ in csv.reader(file, delimiter="\t") if query in text]


@pytest.mark.parametrize(("engine", "ranking"), [("BM25", "by_words"), ("MiniLM", "by_vectors")])
def test_rankings_and_ranks_agree(engine: str, ranking: str) -> None:
    for question, rank in zip(record.questions, record.public[engine], strict=True):
        rows = getattr(question, ranking)
        assert len(set(rows)) == len(rows) == 100
        right = [place for place, row in enumerate(rows, 1) if row in question.right]
        assert right[:1] == ([rank] if rank <= 100 else [])
        assert [recorded_minilm().names[row] for row in question.right] == question.names


def test_rankings_by_vectors_are_those_of_the_recorded_vectors() -> None:
    scores = recorded_minilm().queries @ recorded_minilm().documents.T
    for row, question in zip(scores, record.questions, strict=True):
        assert row.argsort(descending=True, stable=True)[:10].tolist() == question.by_vectors[:10]


def test_layers_have_all_errors_and_stages() -> None:
    assert list(record.layers) == list(ERRORS) and {len(row) for row in record.layers.values()} == {len(STAGES) + 1}


def test_the_numbers_that_the_lesson_tells() -> None:
    def recall(engine: str, k: int = 1) -> float:
        return float((record.ranks(engine) <= k).double().mean())

    names = ("BM25", "engine of 09", "WordLlama", "GloVe", "MiniLM", "MiniLM + BM25")
    assert [f"{recall(name):.2f}" for name in names] == ["0.23", "0.26", "0.19", "0.02", "0.39", "0.41"]
    scores = [(record.ranks(name) == 1).double() for name in ("engine of 09", "BM25")]
    generator = torch.Generator().manual_seed(0)
    low, high = right_answer("11.bootstrap_difference")(*scores, 10_000, generator)
    assert low < 0 < high
