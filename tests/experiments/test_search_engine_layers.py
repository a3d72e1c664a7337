"""Each deliberate error shows first where it was made; without any, torch's blocks are the course's."""

import pytest
import torch

from embedding_course.data.published import BertModel
from embedding_course.experiments.search_engine.blocks import random_bert
from embedding_course.experiments.search_engine.layers import ERRORS, STAGES, layer_outputs, torch_encoder
from tests.support.right_answers import right_answer

PARTS = right_answer("11.BertEncoder"), right_answer("11.translate_names")
IDS = torch.tensor([[5, 6, 7, 0, 0], [8, 9, 10, 11, 12]])
REAL = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])


class _Tokenizer:
    def __len__(self) -> int:
        return 30


@pytest.fixture(scope="module")
def model() -> BertModel:
    state = random_bert(6, 12, 24, 30, 10, seed=3)
    return BertModel("small", state, _Tokenizer(), 12, 3, 24, 6, 1e-12, 10)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("error", "first"),
    [
        ("", None),
        ("padding takes part", "block 1"),
        ("eps 1e-5", "layer norm"),
        ("GELU by tanh", "block 1"),
        ("pre-norm", "block 1"),
    ],
)
def test_an_error_shows_first_where_it_was_made(model: BertModel, error: str, first: str | None) -> None:
    right, wrong = (layer_outputs(torch_encoder(model, *PARTS, each), IDS, REAL) for each in ("", error))
    assert len(right) == len(STAGES)
    differ = [stage for stage, a, b in zip(STAGES, right, wrong, strict=True) if not torch.allclose(a, b, rtol=0, atol=1e-7)]
    assert (differ[0] if differ else None) == first


def test_all_errors_are_tested() -> None:
    assert set(ERRORS) == {"padding takes part", "eps 1e-5", "GELU by tanh", "pre-norm"}
