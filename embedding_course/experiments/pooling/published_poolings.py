"""Pool the token vectors of a published encoder, all-MiniLM-L6-v2, in several ways, and search with each of them."""

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.api_search import fingerprint
from ...data.project_search import collection
from ...data.published import BertModel, minilm
from ..curves import Curves
from ..five_questions import QUESTIONS

Pooling = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
#: Number of tokens that are read of a text.
LENGTH = 128
#: The sentences of the model's public page, and the cosines of the first with each of them by pooling.
FOUR = ("That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day")
RECORDED_COSINES = {
    "mean": (1.0, 0.6946, 0.9429, 0.2569),
    "max": (1.0, 0.9117, 0.9772, 0.6865),
    "cls": (1.0, 0.8432, 0.9917, 0.7736),
    "last": (1.0, 0.7696, 0.9104, 0.1757),
    "weighted": (1.0, 0.6493, 0.9403, 0.2768),
}
#: BERT's names for the parts of a layer, by those of torch's layer.
_PARTS = {
    "self_attn.out_proj": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
    "norm2": "output.LayerNorm",
}


class TokenVectors(nn.Module):
    """Turn ids and attention_mask (B, T) into a vector for each token, (B, T, d), as BERT does. The layers are torch's own.

    Parameters
    ----------
    model : BertModel
        The published weights.
    """

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        self.state, self.eps = model.state, model.eps
        self.layers = nn.ModuleList(_layer(model, number) for number in range(model.layers))
        self.eval()

    def forward(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return the token vectors; those of padding mean nothing."""
        words, positions, segments = (
            self.state[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")
        )
        weight, bias = (self.state[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias"))
        x = words[ids] + positions[: ids.shape[1]] + segments[0]
        x = F.layer_norm(x, weight.shape, weight, bias, self.eps)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=attention_mask == 0)
        return x


def _layer(model: BertModel, number: int) -> nn.TransformerEncoderLayer:
    layer = nn.TransformerEncoderLayer(
        model.d_model, model.heads, model.d_ff, 0.0, "gelu", layer_norm_eps=model.eps, batch_first=True
    )
    home, weights = f"encoder.layer.{number}", {}
    for kind in ("weight", "bias"):
        three = [model.state[f"{home}.attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
        weights[f"self_attn.in_proj_{kind}"] = torch.cat(three)
        weights |= {f"{ours}.{kind}": model.state[f"{home}.{theirs}.{kind}"] for ours, theirs in _PARTS.items()}
    layer.load_state_dict(weights)
    return layer


@torch.no_grad()
def encode(model: BertModel, poolings: Mapping[str, Pooling], texts: Sequence[str]) -> dict[str, torch.Tensor]:
    """Return the unit vectors of the texts by pooling, (N, d) each. A text is read once for all poolings."""
    encoder = TokenVectors(model)
    vectors = {name: torch.zeros(len(texts), model.d_model) for name in poolings}
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        ids, mask = model.tokenizer.ids([texts[position] for position in chosen], LENGTH)
        x = encoder(ids, mask)
        for name, pool in poolings.items():
            vectors[name][chosen] = F.normalize(pool(x, mask), dim=1)
    return vectors


def read_queries(path: str | Path) -> dict[str, list[str]]:
    """Return question to the names of the right documents, from a file such as the project's `queries.tsv`."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        return {question: names.split() for question, names in csv.reader(file, delimiter="\t")}


def measure(
    pool_mean: Pooling,
    pool_max: Pooling,
    pool_cls: Pooling,
    pool_last: Pooling,
    pool_weighted: Pooling,
    queries: Mapping[str, Sequence[str]],
) -> Curves:
    """Return, for each pooling, the rank of the first right document of each query, from 1.

    A curve is named after its pooling and has a point (number of the query, rank) for each query. All documents of the project
    are read, which takes about two minutes.
    """
    functions = (pool_mean, pool_max, pool_cls, pool_last, pool_weighted)
    poolings: dict[str, Pooling] = dict(zip(("mean", "max", "cls", "last", "weighted"), functions, strict=True))
    documents, model = collection(), minilm()
    stored, asked = encode(model, poolings, documents.texts), encode(model, poolings, list(queries))
    ranks: dict[str, Any] = {}
    for name in poolings:
        orders = (asked[name] @ stored[name].T).argsort(dim=1, descending=True, stable=True)
        found = [_rank(order, documents.names, right) for order, right in zip(orders.tolist(), queries.values(), strict=True)]
        ranks[name] = list(enumerate(found, 1))
    return Curves(0, 0, ranks, {"documents": len(documents.names)}, data=fingerprint())


def five_questions_ranks(
    pool_mean: Pooling, pool_max: Pooling, pool_cls: Pooling, pool_last: Pooling, pool_weighted: Pooling
) -> Curves:
    """Return `measure` for the five questions that the course asks at the end of each lesson."""
    queries = {question.text: question.right for question in QUESTIONS}
    return measure(pool_mean, pool_max, pool_cls, pool_last, pool_weighted, queries)


def _rank(order: Sequence[int], names: Sequence[str], right: Sequence[str]) -> int:
    return next(rank for rank, document in enumerate(order, 1) if names[document] in right)
