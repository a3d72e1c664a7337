"""All entries of the ledger, in the order of the page."""

from __future__ import annotations

from . import (
    beyond_models,
    beyond_tables,
    course_tokens,
    s1_gradients,
    s1_health,
    s1_lookup,
    s1_models,
    s1_pooling,
    s1_retrieval,
    s1_rope,
    s1_widths,
    s1_words,
    s2_dimensions,
    s2_transformer,
    s3_by_hand,
    s3_language,
    s4_attention,
    s4_bill,
    s4_feed_forward,
    s4_minilm,
    s4_model,
    s4_norms,
    s4_pooling,
    s4_positions,
    s4_search,
    s4_tokens,
    s4_training,
    s5_max_norm,
)
from .entry import Claim

__all__ = ["LEDGER", "SOURCES"]

#: What each source is.
SOURCES = {
    "S1": "an essay on embeddings inside an LSTM that translates",
    "S2": "an essay on how a Transformer makes embedding vectors",
    "S3": "a walk through the neural probabilistic language model",
    "S4": "embeddings from the bottom up, from text to vector",
    "S5": "a note on `max_norm` in `torch.nn.Embedding`",
    "course": "what the course uses in place of S4's tokens: ids recorded from the published tokenizers",
    "beyond": "beyond the sources: what follows from their numbers, common beliefs beside them, and bugs constructed for a "
    "lesson",
}

_PARTS = (
    s1_lookup.s1, s1_words.s1, s1_widths.s1, s1_gradients.s1, s1_models.s1, s1_rope.s1, s1_pooling.s1, s1_retrieval.s1,
    s1_health.s1, s2_transformer.s2, s2_dimensions.s2, s3_by_hand.s3, s3_language.s3, s4_tokens.s4, s4_bill.s4,
    s4_positions.s4, s4_model.s4, s4_attention.s4, s4_feed_forward.s4, s4_norms.s4, s4_minilm.s4, s4_pooling.s4,
    s4_training.s4, s4_search.s4, s5_max_norm.s5, course_tokens.course, beyond_tables.beyond, beyond_models.beyond,
)  # fmt: skip

LEDGER: tuple[Claim, ...] = tuple(claim for part in _PARTS for claim in part.entries)
