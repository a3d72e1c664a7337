"""The recorded vectors are those of the model, and small."""

import csv

import torch

from embedding_course.data.files import data_file
from embedding_course.data.published import BertModel, recorded_minilm
from embedding_course.data.published.recorded import RECORD
from grader.paths import ROOT


def test_it_is_small_and_has_unit_vectors() -> None:
    record = recorded_minilm()
    assert data_file(RECORD).stat().st_size < 2_000_000
    assert record.documents.shape == (len(record.names), 384) and record.documents.dtype == torch.float32
    assert torch.allclose(record.documents.norm(dim=1), torch.ones(len(record.names)))
    assert "torch" in record.note and len(set(record.names)) == len(record.names) > 3_000


def test_its_questions_are_the_public_ones() -> None:
    record = recorded_minilm()
    with (ROOT / "projects" / "search_engine" / "queries.tsv").open(encoding="utf-8", newline="") as file:
        asked = list(csv.reader(file, delimiter="\t"))
    assert record.questions == tuple(text for text, _ in asked) and record.queries.shape == (len(asked), 384)
    best = [record.names[row] for row in (record.queries @ record.documents.T).argmax(dim=1).tolist()]
    assert sum(name in right.split() for name, (_, right) in zip(best, asked, strict=True)) >= 8


def test_rows_by_name() -> None:
    record = recorded_minilm()
    rows = record.rows([record.names[5], "there.is.no.such.function", record.names[2]])
    assert torch.equal(rows[[0, 2]], record.documents[[5, 2]]) and not rows[1].any()


def test_the_queries_are_the_models(bert: BertModel) -> None:
    from benchmarks.bert import SentenceEncoder, encode

    record = recorded_minilm()
    again = encode(SentenceEncoder(bert), bert, record.questions)
    assert torch.allclose(again, record.queries, atol=1e-5)
