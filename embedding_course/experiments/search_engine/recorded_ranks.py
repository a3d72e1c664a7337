"""Provide what was recorded of search engines on the queries of the project: ranks, rankings, and differences of layers.

Of the hidden queries there are only the ranks that the engines gave to the right documents, and no text.
`python -m benchmarks.engine_ranks` makes the record again.
"""

from __future__ import annotations

from functools import cache

import msgspec
import torch

from ...data.files import data_file
from ...messages import translatable

RECORD = "recorded/engine_ranks.json"
#: Engines of the record whose names hold words, as tables and figures show them.
NAMED = (translatable("engine of 09"),)


class Question(msgspec.Struct, frozen=True):
    """Hold a public question with two rankings of documents, best first.

    Documents are rows of `recorded_minilm().documents`. `right` are those that answer the question, and `names` their names.
    """

    text: str
    names: list[str]
    right: list[int]
    by_words: list[int]
    by_vectors: list[int]


class EngineRanks(msgspec.Struct, frozen=True):
    """Hold the rank, from 1, of the first right document for each query, by engine.

    `hidden_by_k` holds the ranks of the fusion of BM25 and MiniLM on the hidden queries, by its k. `layers` holds, for each
    encoder of `layers.ERRORS`, the largest difference to the right one after each stage, and last the cosine of the first two
    of the four sentences.
    """

    note: str
    hidden: dict[str, list[int]]
    public: dict[str, list[int]]
    hidden_by_k: dict[int, list[int]]
    questions: list[Question]
    layers: dict[str, list[float]]

    def ranks(self, engine: str) -> torch.Tensor:
        """Return the ranks of an engine on the hidden queries, int64 of shape (124,)."""
        return torch.tensor(self.hidden[engine])


@cache
def recorded_ranks() -> EngineRanks:
    """Return the record."""
    return msgspec.json.decode(data_file(RECORD).read_bytes(), type=EngineRanks)
