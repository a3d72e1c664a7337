"""Run all-MiniLM-L6-v2 with the parts of the course: the encoder of 11, a Transformer block of 07, a pooling of 08."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.published import BertModel
from embedding_course.experiments.search_engine.blocks import for_blocks, fuses, make_blocks
from grader.course_source.catalogue import references


class SentenceEncoder(nn.Module):
    """Encode texts as all-MiniLM-L6-v2 does: `encoder(ids, attention_mask)` returns unit vectors, `tokens` those of tokens.

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
        answers = references("11_search_engine")
        make = block or references("07_attention")["TransformerBlock"]
        blocks = make_blocks(make, model.layers, model.d_model, model.heads, model.d_ff)
        weights = answers["translate_names"](model.state, fused=fuses(blocks[0]))
        self.tokens = answers["BertEncoder"](len(weights["word_table.weight"]), model.d_model, model.max_positions, blocks)
        self.tokens.load_state_dict(for_blocks(weights, blocks[0]))
        self.pool = pool or references("08_pooling")["pool_mean"]
        self.eval()

    def forward(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return the unit vector of each text, (B, d)."""
        return F.normalize(self.pool(self.tokens(ids, attention_mask), attention_mask), dim=1)


@torch.no_grad()
def encode(encoder: SentenceEncoder, model: BertModel, texts: Sequence[str], max_length: int = 128) -> torch.Tensor:
    """Return unit vectors of the texts, (N, d). Texts of similar length are encoded together, in batches of 32."""
    vectors = torch.zeros(len(texts), model.d_model)
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        vectors[chosen] = encoder(*model.tokenizer.ids([texts[position] for position in chosen], max_length))
    return vectors
