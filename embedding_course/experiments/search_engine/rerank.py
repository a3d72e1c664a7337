"""Provide the recorded features for the reranker of notebook 11, and measure how well scores rank."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from safetensors import safe_open

from ...data.files import data_file
from ...messages import translatable

RECORD = "recorded/rerank.safetensors"
#: What the first stages know of a question and a document, in the order of the columns.
FEATURES = ("BM25", "cosine", "MaxSim", translatable("name match"))


@dataclass(frozen=True)
class Candidates:
    """Hold questions with the documents that plain fusion puts first.

    `features` (Q, N, 4) are those of `FEATURES`, best document of the fusion first. `gains` (Q, N) is 1 for a right document.
    `rank` (Q,) is the rank, from 1, of the first right document after fusion, among all documents.
    """

    features: torch.Tensor
    gains: torch.Tensor
    rank: torch.Tensor


def candidates(name: str) -> Candidates:
    """Return the recorded questions "train", "valid" or "test".

    Training and validation questions are first sentences of docstrings, and each document was searched without its first
    sentence. The test questions are the project's hidden ones. `python -m benchmarks.rerank` records them again.
    """
    with safe_open(data_file(RECORD), framework="pt") as file:
        features, gains, rank = (file.get_tensor(f"{name}.{part}") for part in ("features", "gains", "rank"))
    return Candidates(features.float(), gains.long(), rank)


def ranks(scores: torch.Tensor, found: Candidates) -> torch.Tensor:
    """Return the rank of the first right document if these scores (Q, N) order the candidates: (Q,).

    Where no candidate is right, reranking changes nothing, and the rank is that after fusion.
    """
    order = scores.argsort(dim=1, descending=True, stable=True)
    right = found.gains.gather(1, order) > 0
    return torch.where(right.any(dim=1), right.int().argmax(dim=1) + 1, found.rank)
