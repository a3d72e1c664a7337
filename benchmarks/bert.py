"""Run all-MiniLM-L6-v2 with the parts of the course: a Transformer block of notebook 07 and a pooling of notebook 08."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.published import BertModel
from grader.course_source.catalogue import references

#: BERT's names for the parts of a layer, and the course's.
_PARTS = {
    "attention.output.dense": "attention.out_proj",
    "attention.output.LayerNorm": "norm1",
    "intermediate.dense": "ff1",
    "output.dense": "ff2",
    "output.LayerNorm": "norm2",
}
_PROJECTIONS = ("query", "key", "value")


class SentenceEncoder(nn.Module):
    """Encode texts as all-MiniLM-L6-v2 does: `encoder(ids, attention_mask)` returns unit vectors.

    Parameters
    ----------
    model
        The published weights.
    block
        `TransformerBlock` of notebook 07; by default the reference.
    pool
        A pooling of notebook 08, called with token vectors (B, T, d) and the mask (B, T); by default the reference's mean.
    """

    def __init__(
        self, model: BertModel, block: Callable[..., nn.Module] | None = None, pool: Callable[..., Any] | None = None
    ) -> None:
        super().__init__()
        make = block or references("07_attention")["TransformerBlock"]
        self.pool = pool or references("08_pooling")["pool_mean"]
        self.state = model.state
        self.eps = model.eps
        self.blocks = nn.ModuleList(make(model.d_model, model.heads, model.d_ff, norm="post") for _ in range(model.layers))
        for number, layer in enumerate(self.blocks):
            _load_layer(layer, model.state, f"encoder.layer.{number}.")
            for part in layer.modules():
                if isinstance(part, nn.LayerNorm):
                    part.eps = model.eps
        self.eval()

    def tokens(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return a vector for each token, (B, T, d)."""
        state = self.state
        x = F.embedding(ids, state["embeddings.word_embeddings.weight"])
        x = x + state["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = x + state["embeddings.token_type_embeddings.weight"][0]
        weight, bias = state["embeddings.LayerNorm.weight"], state["embeddings.LayerNorm.bias"]
        x = F.layer_norm(x, weight.shape, weight, bias, self.eps)
        mask = attention_mask.bool()[:, None, None, :]
        for layer in self.blocks:
            x = layer(x, mask)
        return x

    def forward(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return the unit vector of each text, (B, d)."""
        return F.normalize(self.pool(self.tokens(ids, attention_mask), attention_mask), dim=1)


def _load_layer(layer: nn.Module, state: Mapping[str, torch.Tensor], prefix: str) -> None:
    """Copy the weights of one BERT layer into a block, whose attention has three projections or one."""
    wanted = layer.state_dict()
    values: dict[str, torch.Tensor] = {}
    for kind in ("weight", "bias"):
        for theirs, ours in _PARTS.items():
            values[f"{ours}.{kind}"] = state[f"{prefix}{theirs}.{kind}"]
        parts = [state[f"{prefix}attention.self.{name}.{kind}"] for name in _PROJECTIONS]
        for name, part in zip("qkv", parts, strict=True):
            values[f"attention.{name}_proj.{kind}"] = part
        values[f"attention.qkv_proj.{kind}"] = values[f"attention.in_proj_{kind}"] = torch.cat(parts)
    layer.load_state_dict({name: values[_published_name(name)] for name in wanted})


def _published_name(name: str) -> str:
    """Return the name under which a weight is loaded. A right answer may keep its feed-forward net under a second name."""
    return name.replace("feed_forward.0.", "ff1.").replace("feed_forward.2.", "ff2.")


@torch.no_grad()
def encode(encoder: SentenceEncoder, model: BertModel, texts: Sequence[str], max_length: int = 128) -> torch.Tensor:
    """Return unit vectors of the texts, (N, d). Texts of similar length are encoded together, in batches of 32."""
    vectors = torch.zeros(len(texts), model.d_model)
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        vectors[chosen] = encoder(*model.tokenizer.ids([texts[position] for position in chosen], max_length))
    return vectors
