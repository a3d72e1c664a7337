"""Provide recorded vectors of all-MiniLM-L6-v2, for machines without the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from safetensors import safe_open

from ..files import data_file

RECORD = "recorded/minilm.safetensors"


@dataclass(frozen=True)
class RecordedVectors:
    """Hold recorded vectors of all-MiniLM-L6-v2; `note` says with which versions they were recorded.

    `documents` (N, 384) holds unit vectors of the project's documents `names`, and `queries` (Q, 384) those of the public
    queries `questions`. All are float32. Documents were stored with 8 bits a number.
    """

    names: tuple[str, ...]
    documents: torch.Tensor
    questions: tuple[str, ...]
    queries: torch.Tensor
    note: str

    def rows(self, names: Sequence[str]) -> torch.Tensor:
        """Return the vectors of the documents of these names, (n, 384); zeros for a document that was not recorded.

        Other versions of the libraries have other documents, so a few may be missing.
        """
        position = {name: row for row, name in enumerate(self.names)}
        chosen = torch.zeros(len(names), self.documents.shape[1])
        for row, name in enumerate(names):
            if name in position:
                chosen[row] = self.documents[position[name]]
        return chosen


@cache
def recorded_minilm() -> RecordedVectors:
    """Return the recorded vectors. `python -m benchmarks.engines --record` makes them again."""
    with safe_open(data_file(RECORD), framework="pt") as file:
        notes = file.metadata()
        codes, scale, offset = (file.get_tensor(f"documents.{part}") for part in ("codes", "scale", "offset"))
        documents = torch.nn.functional.normalize(codes * scale + offset, dim=1)
        queries = file.get_tensor("queries").float()
    return RecordedVectors(
        tuple(json.loads(notes["names"])), documents, tuple(json.loads(notes["questions"])), queries, notes["note"]
    )
