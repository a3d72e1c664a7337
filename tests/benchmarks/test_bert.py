"""The published model runs on the course's parts and gives the published numbers."""

import contextlib
import io
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from benchmarks.bert import SentenceEncoder, encode
from embedding_course.checking.exercise import Exercise
from embedding_course.data.published import BertModel, unpack_minilm
from embedding_course.exercises import find_exercise
from grader.course_source.catalogue import reference_source, right_forms_of
from tests.support.published import REQUIRED

pytestmark = pytest.mark.xdist_group("published")

#: The example of the model's page: the first sentence is compared with each, and the page shows these similarities.
SENTENCES = ("That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day")
SHOWN = (1.0, 0.6946, 0.9429, 0.2569)


def similarities(encoder: SentenceEncoder, model: BertModel, sentences: Sequence[str] = SENTENCES) -> list[float]:
    vectors = encode(encoder, model, sentences)
    return (vectors @ vectors[0]).tolist()


def test_the_reference_parts_give_the_published_numbers(bert: BertModel) -> None:
    assert [round(value, 4) for value in similarities(SentenceEncoder(bert), bert)] == list(SHOWN)


BLOCK, POOL = find_exercise("07.TransformerBlock"), find_exercise("08.pool_mean")
#: The exercises of 07 whose answers run in a block, in their order.
IN_A_BLOCK = (*(find_exercise(f"07.{name}") for name in BLOCK.uses), BLOCK)
IMPORTS = "import math\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


@pytest.mark.parametrize(
    ("exercise", "source"),
    [
        pytest.param(exercise, form.source, id=f"{exercise.id}: {form.slug}")
        for exercise in (*IN_A_BLOCK, POOL)
        for form in right_forms_of(exercise)
    ],
)
def test_every_right_form_gives_the_published_numbers(bert: BertModel, exercise: Exercise, source: str) -> None:
    """GELU by tanh, which 07 allows, moves a similarity by 1e-4."""
    scope = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for part in (*IN_A_BLOCK, POOL):
            exec(IMPORTS + (source if part is exercise else reference_source(part)), scope)
        encoder = SentenceEncoder(bert, scope["TransformerBlock"], scope["pool_mean"])
        assert similarities(encoder, bert) == pytest.approx(SHOWN, abs=2e-4)


def test_padding_and_neighbours_do_not_matter(bert: BertModel) -> None:
    encoder = SentenceEncoder(bert)
    alone = encode(encoder, bert, ["short", ""])
    among = encode(encoder, bert, ["short", "", "a much longer sentence than all of the others " * 20])
    assert torch.allclose(alone, among[:2], atol=1e-5) and torch.isfinite(among).all()


def test_more_tokens_than_positions_are_said(bert: BertModel) -> None:
    encoder = SentenceEncoder(bert)
    assert torch.isfinite(encode(encoder, bert, ["word " * 10_000], max_length=512)).all()
    with pytest.raises(ValueError, match="512 positions"):
        encode(encoder, bert, ["word " * 10_000], max_length=10_000)


def test_sentence_transformers_gives_the_same_vectors(bert: BertModel, tmp_path: Path) -> None:
    if os.environ.get(REQUIRED):
        import sentence_transformers
    else:
        sentence_transformers = pytest.importorskip("sentence_transformers")
    texts = [*SENTENCES, "", "numpy.argsort\nReturns the indices that would sort an array.", "中文 ཨ 😀", "word " * 1000]
    other = sentence_transformers.SentenceTransformer(str(unpack_minilm(tmp_path / "minilm")), device="cpu")
    theirs = other.encode(texts, convert_to_tensor=True, show_progress_bar=False)
    assert torch.allclose(encode(SentenceEncoder(bert), bert, texts, max_length=256), theirs, atol=1e-5)
