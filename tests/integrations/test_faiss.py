"""The indexes of notebook 11 beside faiss: 1,000 questions over the recorded vectors get the same answers."""

import os
from importlib.util import find_spec
from typing import Any

import pytest
import torch

from embedding_course.data.published import recorded_minilm
from embedding_course.experiments.search_engine import compression, costs
from tests.support.published import REQUIRED
from tests.support.right_answers import right_answer

pytestmark = pytest.mark.skipif(
    find_spec("faiss") is None and not os.environ.get(REQUIRED), reason="faiss is not installed: pip install -e .[compare]"
)


@pytest.fixture(scope="module")
def vectors() -> tuple[torch.Tensor, torch.Tensor]:
    return costs.split(recorded_minilm().documents)


def _found(index: Any, queries: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(index.search(queries.numpy(), 10)[1])


def _assert_equally_good(mine: torch.Tensor, theirs: torch.Tensor, scores: torch.Tensor) -> None:
    """Compare the scores of the ten answers, which leaves open which of two equally good ones is named."""
    assert mine.shape == theirs.shape == (costs.HELD_OUT, 10)
    of_mine, of_theirs = (scores.gather(1, numbers).sort(dim=1).values for numbers in (mine, theirs))
    assert torch.allclose(of_mine, of_theirs, atol=1e-5)
    assert (mine.sort(dim=1).values == theirs.sort(dim=1).values).all(dim=1).double().mean() > 0.99


def test_an_inverted_file_finds_what_that_of_faiss_finds(vectors: tuple[torch.Tensor, torch.Tensor]) -> None:
    asked, stored = vectors
    lists = compression.make_lists(stored, 48)
    index: Any = costs.inverted_index(stored, lists)
    for index.nprobe in (1, 4):
        search = right_answer("11.inverted_file_search")
        mine = search(asked, stored, lists.centroids, lists.assignment, index.nprobe, 10)
        enough = (mine >= 0).all(dim=1)
        theirs = _found(index, asked)
        assert torch.equal((theirs >= 0).all(dim=1), enough) and enough.double().mean() > 0.9
        scores = torch.cat([asked @ stored.T, torch.zeros(len(asked), 1)], dim=1)  # column -1 stands for no answer
        missing = scores.shape[1] - 1
        mine, theirs = (numbers.where(numbers >= 0, missing) for numbers in (mine, theirs))
        _assert_equally_good(mine, theirs, scores)


def test_product_codes_find_what_those_of_faiss_find(vectors: tuple[torch.Tensor, torch.Tensor]) -> None:
    asked, stored = vectors
    books = compression.make_codebooks(stored, 48)
    codes = right_answer("11.product_quantize")(stored, books)
    mine = right_answer("11.pq_search")(asked, codes, books, 10)
    decoded = torch.cat([books[part][codes[:, part]] for part in range(48)], dim=1)
    _assert_equally_good(mine, _found(costs.product_index(stored, books), asked), asked @ decoded.T)


def test_binary_codes_have_the_distances_of_faiss(vectors: tuple[torch.Tensor, torch.Tensor]) -> None:
    asked, stored = (right_answer("11.binary_codes")(side) for side in vectors)
    mine = torch.cat([right_answer("11.hamming_search")(part, stored, 10) for part in asked.split(200)])
    index: Any = costs.binary_index(stored)
    distances = torch.from_numpy(index.search(asked.numpy(), 10)[0])
    different = stored[mine] ^ asked[:, None]
    bits = torch.stack([((different >> bit) & 1).sum(dim=2) for bit in range(8)]).sum(dim=0)
    assert torch.equal(bits, distances.long())
